//! Plays the variations of a game (PGN standard §8.2.5): each move of the text once, in the order of the text.
//!
//! A variation stands behind the move that it replaces, so it begins in the position before that move. The end of a
//! variation of the main line is found by the code that skips variations when only the main line is played. So the text
//! in a variation cannot change how the text behind it is read.

use crate::annotation::RawComment;
use crate::diagnostic::{Diagnostic, Kind};
use crate::movetext::nested::Nested;
use crate::replay::branches::{Branches, OpenLine, Reached};
use crate::replay::limits::MOST_PLIES;
use crate::replay::main_line::{Ply, Replay, usual_move};
use crate::replay::moves::Event;
use crate::token::Token;
use pgn2fen_chess::position::Position;

/// The greatest depth of nested variations. Deeper variations are skipped with a warning, so that a text of nothing but
/// parentheses cannot make memory or time grow.
const MOST_OPEN: usize = 256;

/// The greatest number of errors in the variations of a game. Variations behind the last of them are skipped, because a
/// game of 100 MB may hold millions of errors.
const MOST_ERRORS: u32 = 100;

impl<'a> Replay<'a> {
    /// Plays the next move of the text, in the main line or in a variation. None at the end of the game.
    ///
    /// A variation begins in the position before the move that it stands behind. A variation before the first move of a
    /// line begins in the position in which the line begins. The plies of a variation are counted on from there.
    ///
    /// After an error in a variation the rest of the variation is skipped, and the replay goes on. After an error in
    /// the main line no more moves are played. The moves of the main line are those of [`next_ply`](Self::next_ply).
    ///
    /// ```
    /// use pgn2fen_pgn::games::Games;
    ///
    /// let game = Games::new(b"1. e4 (1. d4 d5 (1... Nf6)) e5 *").next().unwrap();
    /// let mut replay = game.replay()?;
    /// let mut walked = Vec::new();
    /// while let Some(ply) = replay.next_in_text() {
    ///     let ply = ply?;
    ///     walked.push((ply.number, str::from_utf8(ply.san).unwrap()));
    /// }
    /// assert_eq!(walked, [(1, "e4"), (1, "d4"), (2, "d5"), (2, "Nf6"), (2, "e5")]);
    /// # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
    /// ```
    pub fn next_in_text(&mut self) -> Option<Result<Ply<'a>, Diagnostic>> {
        loop {
            match self.next_event::<false>()? {
                Ok(Event::Move(ply)) => return Some(Ok(ply)),
                Ok(_) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Returns the next event of the text. Without `ALL`, only moves are returned.
    #[inline]
    pub(crate) fn next_event<const ALL: bool>(&mut self) -> Option<Result<Event<'a>, Diagnostic>> {
        self.next_of::<ALL, true>()
    }

    /// Returns the next event of the main line: a move, a comment or a glyph. Variations are skipped without playing
    /// them.
    pub(crate) fn next_main_event(&mut self) -> Option<Result<Event<'a>, Diagnostic>> {
        self.next_of::<true, false>()
    }

    #[inline]
    fn next_of<const ALL: bool, const ENTERS: bool>(&mut self) -> Option<Result<Event<'a>, Diagnostic>> {
        let mut branches = self.branches.take().unwrap_or_else(|| self.root());
        let next = self.next_with::<ALL, ENTERS>(&mut branches);
        self.branches = Some(branches);
        next
    }

    #[cold]
    fn root(&self) -> Box<Branches<'a>> {
        Box::new(Branches {
            main: None,
            lines: Vec::new(),
            nested: Nested::default(),
            line: OpenLine { before: self.place(0), variation: 0, start: 0, parent: None },
            moves: 0,
            entered: 0,
            here: 0,
            errors: 0,
            ending: 0,
        })
    }

    /// Returns the offset of the last move in the file, in bytes, if the move was played in a variation.
    pub fn branch(&self) -> Option<u64> {
        let is_in_variation = self.branches.as_ref().is_some_and(|branches| branches.main.is_some());
        is_in_variation.then(|| self.base + self.movetext.span().start as u64)
    }

    /// Returns the number of open variations.
    #[doc(hidden)]
    pub fn depth(&self) -> usize {
        self.branches.as_ref().map_or(0, |branches| branches.lines.len())
    }

    /// Returns the number of the variation that is being played, from 1 in the order of the text. 0 for the main line.
    /// A variation without moves has a number, too; one that is skipped has none.
    ///
    /// With [`parent`](Self::parent) and the number of the ply, the tree of a game can be built from its moves.
    ///
    /// ```
    /// use pgn2fen_pgn::games::Games;
    ///
    /// let game = Games::new(b"1. e4 (1. d4 d5 (1... Nf6 (1... e6))) e5 *").next().unwrap();
    /// let mut replay = game.replay()?;
    /// let mut lines = Vec::new();
    /// while let Some(ply) = replay.next_in_text() {
    ///     lines.push((ply?.number, replay.variation(), replay.parent()));
    /// }
    /// // Nf6 and e6 are played after d4, which is ply 1 of the first variation.
    /// let d5 = (2, 1, Some(0));
    /// assert_eq!(lines, [(1, 0, None), (1, 1, Some(0)), d5, (2, 2, Some(1)), (2, 3, Some(1)), (2, 0, None)]);
    /// # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
    /// ```
    pub fn variation(&self) -> u32 {
        self.branches.as_ref().map_or(0, |branches| branches.line.variation)
    }

    /// Returns the number of the variation that contains the position in which the current variation begins. None in
    /// the main line.
    pub fn parent(&self) -> Option<u32> {
        self.branches.as_ref()?.line.parent
    }

    /// Returns the position before the last move. None unless [`next_in_text`](Self::next_in_text) or
    /// [`Moves`](crate::replay::Moves) plays the game.
    pub fn before(&self) -> Option<&Position> {
        self.branches.as_ref().map(|branches| &branches.line.before.position)
    }

    #[inline(always)]
    fn next_with<const ALL: bool, const ENTERS: bool>(
        &mut self,
        branches: &mut Branches<'a>,
    ) -> Option<Result<Event<'a>, Diagnostic>> {
        loop {
            if branches.ending > 0 {
                branches.ending -= 1;
                self.leave(branches);
                if ALL {
                    return Some(Ok(Event::VariationEnd));
                }
                continue;
            }
            if self.is_over() {
                return None;
            }
            if ALL && let Some(comment) = self.movetext.take_comment() {
                return Some(Ok(Event::Comment(RawComment(comment))));
            }
            let is_full = self.ply >= MOST_PLIES || branches.are_full();
            if !is_full && let Some((word, m)) = usual_move(&mut self.movetext, &self.position, &self.letters) {
                self.step(branches);
                self.movetext.take_word(word);
                return Some(Ok(Event::Move(self.play(word, m))));
            }
            match if ENTERS { self.movetext.next_token() } else { self.movetext.next_mainline() } {
                Some(Token::VariationStart) => {
                    if self.enter(branches) && ALL {
                        return Some(Ok(Event::VariationStart));
                    }
                }
                Some(Token::VariationEnd) => {
                    if self.leave(branches) && ALL {
                        return Some(Ok(Event::VariationEnd));
                    }
                }
                Some(Token::Comment(comment)) if ALL => return Some(Ok(Event::Comment(RawComment(comment)))),
                Some(Token::Nag(nag)) if ALL => return Some(Ok(Event::Nag(nag))),
                Some(Token::San(san)) => match self.take_spelled(san, is_full) {
                    Some(Ok(symbol)) => {
                        self.step(branches);
                        return Some(Ok(Event::Move(self.play_spelled(symbol))));
                    }
                    Some(Err(error)) => {
                        let error = self.give_up(branches, error);
                        while !ALL && branches.ending > 0 {
                            branches.ending -= 1;
                            self.leave(branches);
                        }
                        return Some(Err(error));
                    }
                    None => {}
                },
                Some(token) => self.mark(token),
                None if branches.main.is_some() => {
                    self.leave(branches);
                    if ALL {
                        return Some(Ok(Event::VariationEnd));
                    }
                }
                None => return self.end().map(Err),
            }
        }
    }

    /// Enters the variation that has just been opened, or skips it. Returns whether it was entered.
    fn enter(&mut self, branches: &mut Branches<'a>) -> bool {
        if branches.lines.len() == MOST_OPEN {
            self.warn(Kind::SkippedText, "variations nested so deeply are skipped", b"(");
            self.movetext.pass_variation();
            return false;
        }
        if branches.main.is_none() {
            let inside = self.movetext.take_variation();
            if branches.errors == MOST_ERRORS {
                return false;
            }
            branches.nested = Nested::new(&inside);
            branches.main = Some(std::mem::replace(&mut self.movetext, inside));
        }
        // Until the first move of the variation is played, `before` is the position in which the variation begins.
        let begin = branches.line.before.clone();
        branches.entered += 1;
        let variation = OpenLine {
            before: begin.clone(),
            variation: branches.entered,
            start: self.movetext.offset(),
            parent: Some(begin.variation),
        };
        let around = std::mem::replace(&mut branches.line, variation);
        branches.lines.push((self.place(branches.here), around));
        branches.here = begin.variation;
        self.go_to(begin);
        true
    }

    /// Returns to the line around the innermost variation. Returns whether a variation was open.
    fn leave(&mut self, branches: &mut Branches<'a>) -> bool {
        let Some((here, line)) = branches.lines.pop() else {
            return false;
        };
        branches.here = here.variation;
        branches.line = line;
        self.go_to(here);
        if branches.lines.is_empty()
            && let Some(main) = branches.main.take()
        {
            self.movetext = main;
            branches.nested = Nested::default();
        }
        true
    }

    /// Calls a function with the long variations in the current outermost variation.
    pub(super) fn with_nested<T>(&self, look: impl FnOnce(&Nested) -> T) -> T {
        match &self.branches {
            Some(branches) => look(&branches.nested),
            None => look(&Nested::default()),
        }
    }

    /// Handles an error: in the main line the game ends, in a variation only the variation ends.
    #[cold]
    fn give_up(&mut self, branches: &mut Branches<'a>, mut error: Diagnostic) -> Diagnostic {
        if branches.main.is_none() {
            return error;
        }
        self.go_on();
        branches.errors = if branches.are_full() { MOST_ERRORS } else { branches.errors + 1 };
        error.reason += " (in a variation)";
        if branches.errors == MOST_ERRORS {
            error.reason += "; the other variations of the game are skipped";
            branches.ending = branches.lines.len();
        } else {
            self.movetext.pass_variation();
            branches.ending = 1;
        }
        error
    }

    /// Returns to the main line and drops all open variations.
    pub(super) fn leave_variations(&mut self) {
        if let Some(mut branches) = self.branches.take() {
            branches.lines.truncate(1);
            self.leave(&mut branches);
        }
    }

    /// Stores the current position as the one before the next move, which is about to be played.
    #[inline]
    fn step(&self, branches: &mut Branches<'a>) {
        let Branches { line: OpenLine { before, variation, .. }, here, moves, .. } = branches;
        *moves += 1;
        // Field by field, in place: this runs for each move.
        before.position.clone_from(&self.position);
        before.ply = self.ply;
        before.opening = self.opening;
        before.clocks = self.clocks;
        before.eval = self.eval;
        before.variation = std::mem::replace(here, *variation);
    }

    fn place(&self, variation: u32) -> Reached {
        Reached {
            position: self.position.clone(),
            ply: self.ply,
            opening: self.opening,
            clocks: self.clocks,
            eval: self.eval,
            variation,
        }
    }

    fn go_to(&mut self, place: Reached) {
        self.position = place.position;
        self.ply = place.ply;
        self.opening = place.opening;
        self.clocks = place.clocks;
        self.eval = place.eval;
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::{Kind, MOST_IN_GAME};
    use crate::games::Games;
    use crate::replay::{Event, Replay, ReplayOptions};
    use pgn2fen_chess::moves::Move;

    fn replay(text: &[u8], first_warnings_only: bool) -> Replay<'_> {
        let options = ReplayOptions { first_warnings_only, ..ReplayOptions::default() };
        Games::new(text).next().unwrap().replay_with(&options).unwrap()
    }

    /// Compares the moves in the order in which they are played. Each stands behind its ply, in brackets if it is in a
    /// variation. `!` and a kind stand for an error.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut replay = replay(text.as_bytes(), false);
        let mut walked = Vec::new();
        while let Some(ply) = replay.next_in_text() {
            walked.push(match ply {
                Ok(ply) => {
                    let move_text = format!("{}{}", ply.number, str::from_utf8(ply.san).unwrap());
                    let at = replay.branch().map(|offset| usize::try_from(offset).unwrap());
                    assert!(at.is_none_or(|at| text.as_bytes()[at..].starts_with(ply.san)));
                    if at.is_some() { format!("[{move_text}]") } else { move_text }
                }
                Err(error) => format!("!{}", error.kind.as_str()),
            });
        }
        assert_eq!(walked.join(" "), expected, "{text}");
    }

    #[test]
    fn a_variation_begins_before_the_move_it_stands_behind() {
        check("1. e4 (1. d4 d5 2. c4) e5 *", "1e4 [1d4] [2d5] [3c4] 2e5");
        check("1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nc3 *", "1e4 2e5 [2c5] [3Nf3] [2e6] 3Nc3");
        check("1. e4 (1. d4 d5 (1... Nf6 2. c4 (2. g3)) 2. Nf3) e5 *", "1e4 [1d4] [2d5] [2Nf6] [3c4] [3g3] [3Nf3] 2e5");
        check("1. e4 (1. d4) {a} $1 e5 (1... c5) *", "1e4 [1d4] 2e5 [2c5]");
    }

    #[test]
    fn a_variation_before_any_move_begins_where_its_line_does() {
        check("[A \"\"] (1. d4 d5) 1. e4 *", "[1d4] [2d5] 1e4");
        check("1. e4 ((1. c4) 1. d4) e5 *", "1e4 [1c4] [1d4] 2e5");
    }

    #[test]
    fn an_error_ends_its_variation_and_no_other() {
        check("1. e4 (1. d4 d4 2. c4 (2. Nf3) c5) (1. c4 c5) e5 *", "1e4 [1d4] !illegal-move [1c4] [2c5] 2e5");
        check("1. e4 (1. d4 (zz) d5) e5 *", "1e4 [1d4] !bad-san [2d5] 2e5");
        check("1. e4 (1. d4 d5) e4 (1... c5) 2. d4 *", "1e4 [1d4] [2d5] !illegal-move");
    }

    #[test]
    fn results_and_marks_in_a_variation_do_not_end_the_game() {
        check("1. e4 (1. d4 1-0) e5 *", "1e4 [1d4] 2e5");
        check("1. e4 (1. d4 (1. c4 *) ) ) e5 *", "1e4 [1d4] [1c4] 2e5");
        check("1. e4 () (1. d4 -- 2. c4) e5 *", "1e4 [1d4] [2--] [3c4] 2e5");
    }

    #[test]
    fn the_end_of_a_variation_is_where_the_main_line_sees_it() {
        // A reader of tokens does not see the parenthesis between the angle brackets as an end. The code that skips the
        // variation does.
        check("1. e4 (1. d4 <)> d5 *", "1e4 [1d4] 2d5");
        check("1. e4 (1. d4 {)} d5 ; )\n 2. c4) e5 *", "1e4 [1d4] [2d5] [3c4] 2e5");
    }

    #[test]
    fn an_open_variation_gives_its_moves_and_an_error() {
        check("1. e4 (1. d4 d5 (1... Nf6 *", "1e4 [1d4] [2d5] [2Nf6] !unterminated-variation");
        check("1. e4 (1. d4 {", "1e4 [1d4] !unterminated-comment");
    }

    #[test]
    fn a_control_character_ends_a_move_wherever_it_is_read() {
        for text in ["1. e4\u{f}\n\n     e5\u{1} 2. Nf3 *", "e4\u{1f} e5\u{f} Nf3\u{8} *"] {
            check(text, "1e4 2e5 3Nf3");
            assert_eq!(replay(text.as_bytes(), false).last_ply(), 3, "{text:?}");
        }
    }

    #[test]
    fn the_next_move_is_that_of_the_line() {
        let mut replay = replay(b"1. e4 (1. d4 {a} (1. c4) $1 d5) (1. g3) 1... zz e5 *", false);
        let mut next = Vec::new();
        loop {
            next.push(replay.next_move().map(|(san, _)| str::from_utf8(san).unwrap()));
            if !matches!(replay.next_in_text(), Some(Ok(_))) {
                break;
            }
        }
        assert_eq!(next, [Some("e4"), None, Some("d5"), None, None, None]);
    }

    #[test]
    fn the_last_ply_is_that_of_the_main_line() {
        let mut replay = replay(b"1. e4 (1. d4 d5 2. c4 c6 3. Nf3) e5 2. Nf3 Ke6 *", false);
        while let Some(ply) = replay.next_in_text() {
            if ply.is_ok() {
                assert_eq!(replay.last_ply(), 3);
            }
        }
    }

    #[test]
    fn neither_depth_nor_errors_make_memory_grow() {
        let deep = format!("1. e4 {} {} e5 *", "(1. d4 ".repeat(100_000), ")".repeat(100_000));
        let mut walk = replay(deep.as_bytes(), true);
        let moves: Vec<Move> = std::iter::from_fn(|| walk.next_in_text()).map(|ply| ply.unwrap().played).collect();
        assert_eq!(moves.len(), 1 + super::MOST_OPEN + 1);
        let warnings: Vec<Kind> = walk.take_warnings().map(|warning| warning.kind).collect();
        assert_eq!(warnings, [Kind::SkippedText]);

        let wrong = format!("1. e4 {} e5 *", "(1. Ke2 e5 (1... e6)) ".repeat(100_000));
        let mut walk = replay(wrong.as_bytes(), true);
        let walked: Vec<bool> = std::iter::from_fn(|| walk.next_in_text()).map(|ply| ply.is_ok()).collect();
        let errors = [false; super::MOST_ERRORS as usize];
        assert_eq!(walked, [&[true], &errors[..], &[true]].concat());

        let odd = format!("1. e4 {} e5 {} *", ")".repeat(100_000), "+# e.p. ".repeat(10));
        let mut walk = replay(odd.as_bytes(), false);
        while walk.next_in_text().is_some() {}
        let warnings: Vec<_> =
            walk.take_warnings().map(|warning| (warning.kind, warning.offset, warning.others)).collect();
        let others = 100_000 - MOST_IN_GAME as u64;
        let odd = [(Kind::SkippedText, 100_010, 9), (Kind::RepairedSan, 100_013, 9)];
        assert_eq!(warnings[MOST_IN_GAME - 1], (Kind::SkippedText, MOST_IN_GAME as u64 + 5, 0));
        assert_eq!(
            warnings[MOST_IN_GAME..],
            [[(Kind::SkippedText, MOST_IN_GAME as u64 + 6, others - 1)].as_slice(), &odd].concat()
        );
    }

    #[test]
    fn the_events_of_the_main_line_are_those_of_the_moves_outside_variations() {
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

    #[test]
    fn behind_an_error_in_a_variation_the_line_around_it_goes_on() {
        let mut replay = replay(b"1. e4 e5 (1... c5 2. Nf3 (2. Ke3 d6) d6) 2. Nc3 *", false);
        let mut seen = Vec::new();
        while let Some(ply) = replay.next_in_text() {
            let next = replay.next_move().map(|(san, _)| str::from_utf8(san).unwrap());
            seen.push((ply.is_ok(), replay.depth(), replay.variation(), replay.parent(), replay.ply, next));
        }
        let expected = [
            (true, 0, 0, None, 1, Some("e5")),
            (true, 0, 0, None, 2, Some("Nc3")),
            (true, 1, 1, Some(0), 2, Some("Nf3")),
            (true, 1, 1, Some(0), 3, Some("d6")),
            // The error is in the second variation.
            (false, 1, 1, Some(0), 3, Some("d6")),
            (true, 1, 1, Some(0), 4, None),
            (true, 0, 0, None, 3, None),
        ];
        assert_eq!(seen, expected);
    }
}
