//! The events of a game in the order of the text: moves, comments, annotation glyphs and variations.

use std::iter::FusedIterator;

use crate::annotation::{EvalSource, RawComment};
use crate::diagnostic::Diagnostic;
use crate::games::Game;
use crate::replay::main_line::{Ply, Replay};
use crate::replay::options::ReplayOptions;
use crate::token::Outcome;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::position::Position;

/// An element of a game.
///
/// Comments and glyphs come behind the move they belong to. Before the first move of a line they belong to the position
/// in which the line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A move was played.
    Move(Ply<'a>),
    /// A comment in braces, or behind a semicolon up to the end of the line.
    Comment(RawComment<'a>),
    /// A numeric annotation glyph, `$n`. A suffix such as `!?` is reported as its glyph: `! ? !! ?? !? ?!` are 1 to 6
    /// (PGN standard §10). So are signs that stand alone, such as `=` and `+-`.
    Nag(u8),
    /// A variation begins, in the position before the move that it stands behind. A variation before the first move of
    /// a line begins in the position in which the line begins.
    VariationStart,
    /// The innermost variation ends. The line around it goes on.
    VariationEnd,
}

/// An iterator over the events of a game. It plays the moves.
///
/// Each [`VariationStart`](Event::VariationStart) is followed by one [`VariationEnd`](Event::VariationEnd), so that a
/// program can build the tree of a game. `examples/tree.rs` does that.
///
/// An error in a variation ends the variation, and the game goes on. An error in the main line is the last item.
/// Variations nested more than 256 deep, and those behind the hundredth error in variations, are skipped. A line of
/// more than 100,000 plies ends with an error, and behind 1,500,000 moves of a game only its main line is played.
///
/// The moves of the main line are those of [`Replay::next_ply`], and all moves are those of [`Replay::next_in_text`].
///
/// ```
/// use pgn2fen_pgn::games::Games;
/// use pgn2fen_pgn::replay::Event;
///
/// let mut games = Games::new(b"1. e4! {best by test} (1. d4 d5) 1... e5 *");
/// let game = games.next().unwrap();
/// let mut moves = game.moves()?;
/// let mut shown = String::new();
/// while let Some(event) = moves.next() {
///     match event? {
///         Event::Move(ply) => shown += &format!(" {}:{ply}", ply.number),
///         Event::Comment(comment) => shown += &format!(" {{{}}}", comment.decode()),
///         Event::Nag(nag) => shown += &format!(" ${nag}"),
///         Event::VariationStart => shown += " (",
///         Event::VariationEnd => shown += " )",
///         _ => {}
///     }
/// }
/// assert_eq!(shown, " 1:e4 $1 {best by test} ( 1:d4 2:d5 ) 2:e5");
/// assert_eq!(moves.after().fullmoves(), 2);
/// # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Moves<'a> {
    replay: Replay<'a>,
}

impl<'a> Game<'a> {
    /// Returns the events of the game, with default options.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// chess.
    pub fn moves(&self) -> Result<Moves<'a>, Diagnostic> {
        self.moves_with(&ReplayOptions::default())
    }

    /// Returns the events of the game.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// chess.
    pub fn moves_with(&self, options: &ReplayOptions) -> Result<Moves<'a>, Diagnostic> {
        Ok(Moves { replay: self.replay_with(options)? })
    }
}

impl<'a> Moves<'a> {
    /// Returns the position after the last move of the line. Directly behind [`VariationStart`](Event::VariationStart),
    /// the position in which the variation begins.
    ///
    /// The method is not called `position` as in [`Replay`], because [`Iterator`] has a method of that name.
    #[inline]
    pub fn after(&self) -> &Position {
        self.replay.position()
    }

    /// Returns the position before the last move of the line. Before the first move of a line, the position in which
    /// its variations would begin.
    #[inline]
    pub fn before(&self) -> &Position {
        self.replay.before().unwrap_or_else(|| self.replay.position())
    }

    /// Returns the rules by which the game castles: see [`Replay::castling_rules`].
    #[inline]
    pub fn castling_rules(&self) -> CastlingRules {
        self.replay.castling_rules()
    }

    /// Chooses the comments in which evaluations are found, before the first event, and returns their kind.
    pub(super) fn choose_evals(&mut self) -> EvalSource {
        self.replay.choose_evals();
        self.replay.eval_source()
    }

    /// Returns the text of the main line that an error leaves unread: see [`Replay::unread`].
    pub(super) fn unread(&self, error: &Diagnostic) -> [&'a [u8]; 2] {
        self.replay.unread(error)
    }

    /// Returns the text of a variation that an error leaves unread: see [`Replay::unread_in_variation`].
    pub(super) fn unread_in_variation(&self, error: &Diagnostic) -> &'a [u8] {
        self.replay.unread_in_variation(error)
    }

    /// Returns the clock in a comment of the game, in seconds, if it has one. The time control and the clocks of the
    /// game decide whether `1:30` is an hour and a half, or a minute and a half. If they do not, there is no clock.
    pub fn clock(&self, comment: RawComment<'_>) -> Option<f64> {
        self.replay.read_clock(comment.0).value()
    }

    /// Returns the number of the last ply of the line, counted from 1 in each game. 0 before the first move of the
    /// game.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.replay.ply
    }

    /// Returns the number of open variations. 0 in the main line.
    #[inline]
    pub fn depth(&self) -> usize {
        self.replay.depth()
    }

    /// Removes the warnings so far and returns them: text that was skipped or misspelled.
    pub fn take_warnings(&mut self) -> std::vec::Drain<'_, Diagnostic> {
        self.replay.take_warnings()
    }

    /// Returns the outcome of the game: the Result tag or, if that is missing or `*`, the result at the end of the
    /// movetext. Skips the rest of the game.
    pub fn outcome(&mut self) -> Outcome {
        self.replay.outcome()
    }
}

impl<'a> Iterator for Moves<'a> {
    type Item = Result<Event<'a>, Diagnostic>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.replay.next_event::<true>()
    }
}

impl FusedIterator for Moves<'_> {}

#[cfg(test)]
mod tests {
    use super::{Event, Moves};
    use crate::games::Games;
    use crate::token::Outcome;

    fn moves(text: &str) -> Moves<'_> {
        Games::new(text.as_bytes()).next().unwrap().moves().unwrap()
    }

    /// Compares the events: moves behind their plies, errors with a `!`.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut moves = moves(text);
        let (mut shown, mut depth) = (Vec::new(), 0);
        while let Some(event) = moves.next() {
            shown.push(match event {
                Ok(Event::Move(ply)) => {
                    assert_eq!(ply.number, moves.ply(), "{text}");
                    assert!(moves.before().play(ply.played).is_ok_and(|next| next == *moves.after()), "{text}");
                    format!("{}{ply}", ply.number)
                }
                Ok(Event::Comment(comment)) => format!("{{{}}}", comment.decode()),
                Ok(Event::Nag(nag)) => format!("${nag}"),
                Ok(Event::VariationStart) => {
                    depth += 1;
                    "(".to_owned()
                }
                Ok(Event::VariationEnd) => {
                    depth -= 1;
                    ")".to_owned()
                }
                Err(error) => format!("!{}", error.kind.as_str()),
            });
            assert_eq!(moves.depth(), depth, "{text}");
        }
        assert_eq!(shown.join(" "), expected, "{text}");
        assert_eq!(depth, 0, "every variation that begins ends: {text}");
    }

    #[test]
    fn each_event_stands_where_it_is_written() {
        check("[A \"\"]\n{first} 1. e4 {a}{b} e5 ; c\n 2. d4 *", "{first} 1e4 {a} {b} 2e5 { c} 3d4");
        check("1. e4 {a} (1. d4 {b}) {c} (1. c4) {d} 1... e5 *", "1e4 {a} ( 1d4 {b} ) {c} ( 1c4 ) {d} 2e5");
        check("1. e4 ({a} 1. d4 d5 (1... Nf6 {b}) {c} 2. c4) *", "1e4 ( {a} 1d4 2d5 ( 2Nf6 {b} ) {c} 3c4 )");
        check("[A \"\"] (1. d4 {a}) {b} 1. e4 *", "( 1d4 {a} ) {b} 1e4");
        check("1. e4 () *", "1e4 ( )");
        check("1. e4 {} *", "1e4 {}");
    }

    #[test]
    fn suffixes_are_glyphs() {
        check("e4! e5? d4!! d5?? c4!? c5?! $1 $255 *", "1e4 $1 2e5 $2 3d4 $3 4d5 $4 5c4 $5 6c5 $6 $1 $255");
        check("1. e4 $1 (1. d4! $14 $999) $2 *", "1e4 $1 ( 1d4 $1 $14 ) $2");
        check("1. e4+-$18 e5 *", "1e4 $18 $18 2e5");
        check("1. e4‼ e5± 2. Nf3 ⩲□ Nc6+= 3. d4 = exd4 -+ *", "1e4 $3 2e5 $16 3Nf3 $14 $7 4Nc6 $14 5d4 $10 6exd4 $19");
    }

    #[test]
    fn what_stands_behind_the_result_on_its_line_is_part_of_the_game() {
        check("1. e4 1-0 {time} $10\n{next} 1. d4 *", "1e4 {time} $10");
        check("1. e4 (1. d4 1-0 {a}) {b} *", "1e4 ( 1d4 {a} ) {b}");
    }

    #[test]
    fn an_error_ends_its_variation_and_no_other() {
        check("1. e4 (1. d4 d4 {no} (2. c4)) {yes} (1. c4) e5 *", "1e4 ( 1d4 !illegal-move ) {yes} ( 1c4 ) 2e5");
        check("1. e4 (1. d4 (zz) {a} d5) e5 *", "1e4 ( 1d4 ( !bad-san ) {a} 2d5 ) 2e5");
        check("1. e4 (1. d4) {a} Ke6 {b} *", "1e4 ( 1d4 ) {a} !illegal-move");
    }

    #[test]
    fn open_comments_and_variations_are_errors_at_the_end() {
        check("1. e4 (1. d4 (1. c4 {a} *", "1e4 ( 1d4 ( 1c4 {a} ) ) !unterminated-variation");
        check("1. e4 (1. d4 {a", "1e4 ( 1d4 ) !unterminated-comment");
        check("1. e4 {a", "1e4 !unterminated-comment");
    }

    #[test]
    fn signs_that_judge_a_position_are_glyphs() {
        check("1. e4 = e5 +- 2. Nf3 N (2. f4 -/+) *", "1e4 $10 2e5 $18 3Nf3 ( 3f4 $17 )");
        check("1. a4 ± b5 <> 2. axb5 ?? *", "1a4 $16 2b5 3axb5 $4");
    }

    #[test]
    fn variations_that_are_passed_over_leave_the_others_in_order() {
        let wrong = format!("1. e4 (1. d4 (1. c4 {}(1. b4)) {{x}}) (1. a4) e5 *", "(1. Ke2) ".repeat(150));
        let expected = format!("1e4 ( 1d4 ( 1c4{} ) ) ) 2e5", " ( !illegal-move )".repeat(100).trim_end_matches(" )"));
        check(&wrong, &expected);

        let deep = format!("1. e4 {} {} e5 *", "(1. d4 {a} ".repeat(1000), ")".repeat(1000));
        let expected = format!("1e4{}{} 2e5", " ( 1d4 {a}".repeat(256), " )".repeat(256));
        check(&deep, &expected);
        let mut deep = moves(&deep);
        assert!(deep.by_ref().all(|event| event.is_ok()));
        assert_eq!(deep.take_warnings().count(), 1);
    }

    #[test]
    fn the_outcome_is_that_of_the_game() {
        let text = "1. e4 (1. d4 0-1) e5 1-0";
        let mut moves = moves(text);
        moves.by_ref().nth(2).unwrap().unwrap();
        assert_eq!(moves.outcome(), Outcome::WhiteWins);
        assert!(moves.next().is_none() && moves.next().is_none());
    }

    #[test]
    fn comments_are_text_in_unknown_encodings() {
        let text = b"1. e4 {M\xFCller [%eval 0.3] [%clk 0:01:00]} *";
        let mut moves = Games::new(text).next().unwrap().moves().unwrap();
        let Some(Ok(Event::Comment(comment))) = moves.nth(1) else { panic!("a comment") };
        assert!(comment.decode().starts_with("Müller"));
        assert_eq!(comment.eval(), Some(crate::annotation::Eval::Centipawns(30)));
        assert_eq!(comment.clock(), Some(60.0));
    }

    #[test]
    fn the_moves_of_a_game_castle_by_its_rules() {
        use pgn2fen_chess::castling::CastlingRules;
        for (text, expected) in
            [("*", CastlingRules::Standard), ("[Variant \"Chess960\"]\n\n*", CastlingRules::Chess960)]
        {
            let game = Games::new(text.as_bytes()).next().unwrap();
            assert_eq!(game.moves().unwrap().castling_rules(), expected, "{text}");
        }
    }
}
