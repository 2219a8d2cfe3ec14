//! The events of the main line of a game. Variations are skipped without playing them.

use crate::diagnostic::Diagnostic;
use crate::pgn::annotation::RawComment;
use crate::pgn::token::Token;
use crate::replay::main_line::{Replay, usual_move};
use crate::replay::moves::Event;

impl<'a> Replay<'a> {
    /// Returns the next event of the main line: a move, a comment or a glyph. After an error there are no more events.
    pub(crate) fn next_main_event(&mut self) -> Option<Result<Event<'a>, Diagnostic>> {
        if self.is_over() {
            return None;
        }
        loop {
            // The fast path to the next move passes over comments.
            if let Some(comment) = self.movetext.take_comment() {
                return Some(Ok(Event::Comment(RawComment(comment))));
            }
            if !self.is_full()
                && let Some((word, m)) = usual_move(&mut self.movetext, &self.position, &self.letters)
            {
                self.movetext.take_word(word);
                return Some(Ok(Event::Move(self.play(word, m))));
            }
            match self.movetext.next_mainline() {
                Some(Token::Comment(comment)) => return Some(Ok(Event::Comment(RawComment(comment)))),
                Some(Token::Nag(nag)) => return Some(Ok(Event::Nag(nag))),
                Some(Token::San(san)) => match self.take_spelled(san, self.is_full()) {
                    Some(Ok(symbol)) => return Some(Ok(Event::Move(self.play_spelled(symbol)))),
                    Some(Err(error)) => return Some(Err(error)),
                    None => {}
                },
                Some(token) => self.mark(token),
                None => return self.end().map(Err),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::pgn::games::Games;
    use crate::replay::Event;

    #[test]
    fn the_events_are_those_of_the_moves_outside_variations() {
        for text in [
            "1. e4 {a} $1 (1. d4 {b} d5 (1... Nf6)) {c} 1... e5! 2. Nf3 +- *",
            "{a} $2 (1. d4) 1. e4 -- 2. d4 e2-e5 1-0 {b} $5",
            "1. e4 (1. zz) e5 2. Ke3 {a} *",
            "1. e4 (1. d4 {",
            "1. e4 {a} (1. d4",
            "1. e4 {",
            "*",
        ] {
            let text = format!("[A \"\"]\n\n{text}");
            let game = Games::new(text.as_bytes()).next().unwrap();
            let mut replay = game.replay().unwrap();
            let main: Vec<_> = std::iter::from_fn(|| replay.next_main_event()).collect();
            let mut moves = game.moves().unwrap();
            let mut all = Vec::new();
            while let Some(event) = moves.next() {
                let is_in_variation = moves.depth() > 0 || event == Ok(Event::VariationEnd);
                if !is_in_variation {
                    all.push(event);
                }
            }
            assert_eq!(main, all, "{text}");
        }
    }
}
