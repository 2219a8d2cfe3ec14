//! A game → its starting position → one ply after another: the room where text and rules meet.
//!
//! Here it is decided where a game starts (SetUp, FEN and Variant tags), what a written move means in the position, and
//! what of a faulty game is right. Nothing here prints; faults are told as [`Diagnostic`]s.
//!
//! ```
//! use pgn2fen::diagnostic::Kind;
//! use pgn2fen::pgn::games::Games;
//!
//! let text = b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"]\n\n39. e4 Ke6 *";
//! let mut replay = Games::new(text).next().unwrap().replay()?;
//! assert_eq!(replay.position().fullmoves(), 39);
//! assert_eq!(replay.next_ply().unwrap()?.san, b"e4");
//!
//! let error = replay.next_ply().unwrap().unwrap_err();
//! assert_eq!((error.kind, error.ply), (Kind::IllegalMove, Some(2)));
//! assert_eq!(error.reason, "the black king on e8 cannot reach e6");
//! # Ok::<(), pgn2fen::diagnostic::Diagnostic>(())
//! ```

mod moves;
mod start;
pub(crate) mod symbol;
mod variant;
mod variations;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::chess::moves::Move;
use crate::chess::position::Position;
use crate::diagnostic::{Diagnostic, Kind, Players, line_below};
use crate::pgn::annotation::Annotation;
use crate::pgn::encoding::Label;
use crate::pgn::games::{Game, ReadGame};
use crate::pgn::movetext::{Ending, Movetext};
use crate::pgn::tag_pair::pair_line;
use crate::pgn::tags::Tags;
use crate::pgn::token::{Outcome, Token, is_stray};
use crate::replay::symbol::Symbol;
use crate::replay::variations::Branches;
use crate::san::{self, Letters, SanError, SanErrorKind};

pub use crate::replay::moves::{Event, Moves};
pub use crate::replay::start::start;

/// What is said of a mark of annotation among the moves.
const STRAY: &str = "a mark that is not a move was skipped";

/// What a FEN tag is worth without its SetUp tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetupPolicy {
    /// The FEN is used whatever SetUp says.
    #[default]
    Auto,
    /// The FEN is used only with `[SetUp "1"]`, and must be as the standard has it (PGN standard §9.7).
    Strict,
    /// The FEN is never used.
    Ignore,
}

/// How games are to be understood.
#[derive(Clone, Copy, Debug)]
pub struct ReplayOptions {
    /// Which FEN tags count.
    pub setup: SetupPolicy,
    /// The language of the piece letters.
    pub letters: Letters,
    /// The encoding of piece letters that are not UTF-8; without one they are no letters.
    pub encoding: Option<Label>,
    /// Whether only the first warning of each kind and reason in a game is wanted. Then memory does not grow with a game that is
    /// one oddity after another.
    pub first_warnings_only: bool,
}

impl Default for ReplayOptions {
    fn default() -> Self {
        Self { setup: SetupPolicy::Auto, letters: Letters::ENGLISH, encoding: None, first_warnings_only: false }
    }
}

/// A game being played over.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    position: Position,
    movetext: Movetext<'a>,
    /// Where the text of the movetext reader begins in the file, in bytes.
    base: u64,
    ply: u32,
    letters: Letters,
    encoding: Option<Label>,
    result_tag: Option<Outcome>,
    start_note: Option<&'static str>,
    is_over: bool,
    first_warnings_only: bool,
    warnings: Vec<Diagnostic>,
    /// The way back from variations, if they are walked.
    branches: Option<Box<Branches<'a>>>,
    /// The game that is told where it ends.
    game: Option<Arc<ReadGame<'a>>>,
}

/// A move of the game, and where it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ply<'a> {
    /// Counted from 1 in each game.
    pub number: u32,
    /// The move as it is written.
    pub san: &'a [u8],
    /// The move.
    pub played: Move,
}

/// Writes the move as it is written in the text.
impl fmt::Display for Ply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.san))
    }
}

impl<'a> Game<'a> {
    /// Plays the game over, with default options.
    ///
    /// # Errors
    ///
    /// The game has no usable start: a bad FEN tag, or another game than chess.
    pub fn replay(&self) -> Result<Replay<'a>, Diagnostic> {
        self.replay_with(&ReplayOptions::default())
    }

    /// Plays the game over.
    ///
    /// # Errors
    ///
    /// The game has no usable start: a bad FEN tag, or another game than chess.
    pub fn replay_with(&self, options: &ReplayOptions) -> Result<Replay<'a>, Diagnostic> {
        let mut replay = Replay::begin(self.tags(), self.movetext(), self.text().offset, options)?;
        replay.game = Some(Arc::clone(self.read()));
        Ok(replay)
    }
}

impl<'a> Replay<'a> {
    /// Begins a game whose tags have been read and whose movetext lies in a text that begins at `base` in the file.
    ///
    /// # Errors
    ///
    /// The game has no usable start: a bad FEN tag, or another game than chess.
    pub fn begin(
        tags: &Tags<'a>,
        movetext: Movetext<'a>,
        base: u64,
        options: &ReplayOptions,
    ) -> Result<Self, Diagnostic> {
        let mut warnings = Vec::new();
        let (position, start_note) = start(tags, base, options.setup, &mut warnings)?;
        let result_tag = tags.value("Result").and_then(|value| Outcome::from_ascii(value.0.trim_ascii()));
        Ok(Self {
            position,
            movetext,
            base,
            ply: 0,
            letters: options.letters,
            encoding: options.encoding,
            result_tag,
            start_note,
            // A position of a list has neither moves nor a result.
            is_over: tags.is_position(),
            first_warnings_only: options.first_warnings_only,
            warnings,
            branches: None,
            game: None,
        })
    }

    /// The position reached.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plays the next move of the main line. None at the end of the game; after an error nothing more is played.
    #[inline(always)]
    pub fn next_ply(&mut self) -> Option<Result<Ply<'a>, Diagnostic>> {
        if self.is_over {
            return None;
        }
        // The usual word is a move, and a word that is a move in plain SAN need not be looked at as a token: it has no
        // delimiter in it.
        if let Some((word, number)) = self.movetext.peek_word()
            && let Some(m) = san::resolve_standard(number, word.len(), &self.position, &self.letters)
        {
            self.movetext.take_word(word);
            return Some(Ok(self.play(word, m)));
        }
        self.next_by_token()
    }

    /// Plays the next move, whatever stands before it and however it is spelled.
    #[inline(never)]
    fn next_by_token(&mut self) -> Option<Result<Ply<'a>, Diagnostic>> {
        loop {
            match self.movetext.next_mainline() {
                Some(Token::Comment(_)) => {
                    if let Some((word, m)) = usual_move(&mut self.movetext, &self.position, &self.letters) {
                        self.movetext.take_word(word);
                        return Some(Ok(self.play(word, m)));
                    }
                }
                Some(Token::San(san)) if is_stray(san) => {
                    self.warn(Kind::SkippedText, STRAY, san);
                }
                Some(Token::San(san)) => match self.read(san) {
                    Ok(symbol) => return Some(Ok(self.play_spelled(symbol))),
                    Err(error) => return Some(Err(self.refuse(san, &error))),
                },
                Some(token) => self.mark(token),
                None => return self.end().map(Err),
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, san: &'a [u8], m: Move) -> Ply<'a> {
        self.ply += 1;
        self.position.play_unchecked(m);
        Ply { number: self.ply, san, played: m }
    }

    /// Reads a symbol that stands where a move is expected.
    fn read(&self, symbol: &'a [u8]) -> Result<Symbol<'a>, SanError> {
        symbol::read(symbol, &self.position, &self.letters, self.encoding)
    }

    /// Plays a move that may be oddly spelled.
    #[inline(never)]
    fn play_spelled(&mut self, symbol: Symbol<'a>) -> Ply<'a> {
        let Symbol { resolved, san, marks } = symbol;
        let ply = self.play(san, resolved.mv);
        if let Some(repair) = resolved.repair {
            self.warn(Kind::RepairedSan, repair.to_string(), san);
        }
        if resolved.mv == Move::Null {
            self.warn(Kind::NullMove, "the player passes", san);
        }
        if !marks.is_empty() {
            self.warn_at(self.movetext.span().end - marks.len(), Kind::SkippedText, STRAY, marks);
        }
        ply
    }

    /// The number of the last ply of the main line that can be played. This plays a copy of the replay to its end.
    pub fn last_ply(&self) -> u32 {
        let mut ahead = self.clone();
        ahead.leave_variations();
        while let Some(Ok(_)) = ahead.next_ply() {}
        ahead.ply
    }

    /// The move that comes next in the line that is being played, as it is written and what it is. None at the end of the
    /// line, and where an error is next.
    pub fn next_move(&self) -> Option<(&'a [u8], Move)> {
        if self.is_over {
            return None;
        }
        let mut ahead = self.ahead();
        loop {
            if let Some(usual) = usual_move(&mut ahead, &self.position, &self.letters) {
                return Some(usual);
            }
            if let Token::San(san) = self.with_nested(|nested| ahead.next_in_line(nested))?
                && !is_stray(san)
            {
                return self.read(san).ok().map(|symbol| (symbol.san, symbol.resolved.mv));
            }
        }
    }

    /// The warnings so far, which are taken out of the replay.
    pub fn take_warnings(&mut self) -> std::vec::Drain<'_, Diagnostic> {
        self.warnings.drain(..)
    }

    /// What the comments behind the last move say.
    pub(crate) fn annotation(&self) -> Annotation {
        self.with_nested(|nested| Annotation::read_by(self.ahead(), nested))
    }

    /// What stands behind the last move, to be read on its own.
    pub fn ahead(&self) -> Movetext<'a> {
        self.movetext.clone()
    }

    /// How the game ended, by its Result tag, and if that is missing or does not know, by the movetext. Passes over the rest of
    /// the game.
    pub fn outcome(&mut self) -> Outcome {
        self.leave_variations();
        match (self.result_tag, self.finish_movetext()) {
            (Some(outcome), _) if outcome != Outcome::Unknown => outcome,
            (_, Ending::Marker(marker)) => marker.outcome,
            (_, Ending::InComment { behind: Some(outcome), .. }) => outcome,
            _ => Outcome::Unknown,
        }
    }

    /// Passes over the rest of the game and tells where it ends, in bytes from the start of the text.
    pub fn finish(self) -> usize {
        self.into_finished().offset()
    }

    /// Passes over the rest of the game and gives the reader that stands at its end.
    pub(crate) fn into_finished(mut self) -> Movetext<'a> {
        self.leave_variations();
        self.finish_movetext();
        self.movetext
    }

    /// Passes over the rest of the main line and records where the game ends.
    fn finish_movetext(&mut self) -> Ending {
        let end = self.movetext.finish();
        if let Some(game) = &self.game {
            game.tell_end(self.movetext.offset());
        }
        end
    }

    /// The rest of the movetext.
    pub(crate) fn movetext_mut(&mut self) -> &mut Movetext<'a> {
        &mut self.movetext
    }

    /// Warns of the last token.
    #[cold]
    fn warn(&mut self, kind: Kind, reason: impl Into<Cow<'static, str>>, subject: &[u8]) {
        self.warn_at(self.movetext.span().start, kind, reason, subject);
    }

    #[cold]
    fn warn_at(&mut self, at: usize, kind: Kind, reason: impl Into<Cow<'static, str>>, subject: &[u8]) {
        let reason = reason.into();
        // There are few reasons, none of which quotes the text.
        let is_same = |warning: &Diagnostic| warning.kind == kind && warning.reason == reason;
        if self.first_warnings_only && self.warnings.iter().any(is_same) {
            return;
        }
        let offset = self.base + at as u64;
        self.warnings.push(Diagnostic::new(kind, offset, reason).about(subject).at_ply(self.ply.max(1)));
    }

    #[cold]
    fn refuse(&mut self, san: &[u8], error: &SanError) -> Diagnostic {
        self.is_over = true;
        let kind = match error.kind() {
            SanErrorKind::BadSan => Kind::BadSan,
            SanErrorKind::IllegalMove => Kind::IllegalMove,
            SanErrorKind::AmbiguousMove => Kind::AmbiguousMove,
        };
        let reason = match self.start_note {
            Some(note) => format!("{error} ({note})"),
            None => error.to_string(),
        };
        let offset = self.base + self.movetext.span().start as u64;
        Diagnostic::new(kind, offset, reason).about(san).at_ply(self.ply + 1)
    }

    /// What stands between moves and is neither number nor comment.
    fn mark(&mut self, token: Token<'_>) {
        match token {
            Token::Skipped(text) => self.warn(Kind::SkippedText, "it has no meaning here and was skipped", text),
            Token::EnPassantMark => {
                self.warn(Kind::RepairedSan, "en passant needs no mark", b"e.p.");
            }
            _ => {}
        }
    }

    /// What there is to say when the movetext has ended.
    #[cold]
    fn end(&mut self) -> Option<Diagnostic> {
        self.is_over = true;
        let end = self.finish_movetext();
        let at = |offset: usize| self.base + offset as u64;
        let here = at(self.movetext.result_offset());
        match end {
            Ending::InComment { open, .. } => {
                let text = self.movetext.text();
                let game = pair_line(&text[open..], 0).map(|pair| line_below(text, open, open + pair));
                let reason = match game {
                    None => Cow::Borrowed("the comment is never closed with }"),
                    Some(game) => {
                        format!("the comment is never closed with }}; another game seems to begin in it: {game}").into()
                    }
                };
                return Some(Diagnostic::new(Kind::UnterminatedComment, at(open), reason));
            }
            Ending::InVariation(open) => {
                let reason = "the variation is not closed with ) before the game ends";
                return Some(Diagnostic::new(Kind::UnterminatedVariation, at(open), reason));
            }
            Ending::NoMarker => {
                let reason = "the game has no result behind its moves";
                self.warnings.push(Diagnostic::new(Kind::Result, here, reason));
            }
            Ending::Marker(marker) => {
                if let Some(tag) = self.result_tag.filter(|tag| *tag != marker.outcome) {
                    let counts = if tag == Outcome::Unknown { "the marker" } else { "the tag" };
                    let (marker, tag) = (marker.outcome.as_str(), tag.as_str());
                    let reason = format!("the moves end with {marker}, the tag says {tag}; {counts} counts");
                    self.warnings.push(Diagnostic::new(Kind::Result, here, reason));
                }
                if !marker.is_standard {
                    let reason = format!("the result should be written {}", marker.outcome.as_str());
                    self.warnings.push(Diagnostic::new(Kind::Result, here, reason));
                }
            }
        }
        None
    }
}

/// The move that comes next in the movetext, if it is a plain word, which is not passed. [`Replay::next_ply`] does the same
/// without a call, which is worth its code only there.
#[inline(never)]
fn usual_move<'a>(movetext: &mut Movetext<'a>, position: &Position, letters: &Letters) -> Option<(&'a [u8], Move)> {
    let (word, number) = movetext.peek_word()?;
    san::resolve_standard(number, word.len(), position, letters).map(|m| (word, m))
}

/// Who played, from the tags.
pub fn players(tags: &Tags<'_>) -> Option<Box<Players>> {
    let value = |name| tags.value(name).map(|value| value.unescape().into_owned()).unwrap_or_default();
    let players = Players { white: value("White"), black: value("Black"), date: value("Date") };
    (!players.white.is_empty() || !players.black.is_empty()).then(|| Box::new(players))
}

#[cfg(test)]
mod tests {
    use crate::pgn::games::Games;

    #[test]
    fn whoever_plays_a_game_to_its_end_saves_the_way_there() {
        for text in ["1. e4 (1. d4) e5 {c} 2. Nf3 *\n\n1. c4 *", "1. e4 (1. d4 1. c4 *", "1. e4 {1. c4 *"] {
            let game = Games::new(text.as_bytes()).next().unwrap();
            let mut replay = game.replay().unwrap();
            assert!(replay.next_ply().is_some() && !game.is_end_told());
            while replay.next_ply().is_some() {}
            assert!(game.is_end_told(), "{text}");
        }
        let game = Games::new(b"1. e4 Ke6 *").next().unwrap();
        let mut replay = game.replay().unwrap();
        while replay.next_in_text().is_some() {}
        assert!(!game.is_end_told(), "nobody reads on behind an error");
        replay.outcome();
        assert!(game.is_end_told());
    }
}
