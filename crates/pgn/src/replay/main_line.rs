//! The main line of a game, played one ply after another.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::absent::has_no_variation;
use crate::annotation::{EngineReport, Eval, EvalChoice, EvalSource};
use crate::diagnostic::{Diagnostic, Kind, Players, line_below, push_in_game};
use crate::encoding::Label;
use crate::games::{Game, ReadGame};
use crate::movetext::{Ending, Movetext, Word, before_blanks};
use crate::replay::branches::Branches;
use crate::replay::clock_form::ClockForms;
use crate::replay::clocks::Clocks;
use crate::replay::limits::{MOST_MOVES, MOST_PLIES};
use crate::replay::options::ReplayOptions;
use crate::replay::pending_move::{Observer, PendingMove};
use crate::replay::start::{GameStart, start};
use crate::replay::stated;
use crate::replay::symbol::{self, Symbol};
use crate::tag_pair::{RawValue, pair_line};
use crate::tags::Tags;
use crate::token::{Outcome, Token, glyphs_at_end};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::{self, Letters, SanError};

/// The reason of the warning about an annotation mark between the moves.
pub(super) const STRAY: &str = "a mark that is not a move was skipped";

/// A game that is being played over, one ply at a time.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    pub(super) position: Position,
    pub(super) castling: CastlingRules,
    pub(super) movetext: Movetext<'a>,
    /// The offset in the file of the text that the movetext reader reads, in bytes.
    pub(super) base: u64,
    /// The start of the movetext of the game, in bytes of that text.
    pub(super) start: usize,
    pub(super) ply: u32,
    /// The opening of the current line, if the caller calls [`see_opening`](Self::see_opening) in each position.
    pub(super) opening: Tracker,
    /// The clocks of the current line, if the caller calls [`see_clock`](Self::see_clock) behind each move.
    pub(super) clocks: Clocks,
    /// The value of the tag TimeControl.
    pub(super) time_control: Option<RawValue<'a>>,
    /// How the clocks of the game are read, once that is needed.
    pub(super) clock_forms: OnceLock<ClockForms>,
    /// The evaluation of the current position, if the caller calls [`judge`](Self::judge) in each position.
    pub(super) eval: Option<Eval>,
    pub(super) letters: Letters,
    pub(super) encoding: Option<Label>,
    /// The comments in which evaluations are found.
    pub(super) evals: EvalSource,
    /// Whether [`choose_evals`](Self::choose_evals) chooses them.
    pub(super) chooses_evals: bool,
    /// The search of the position that the EPD operations on a line of a list tell.
    pub(super) stated: Option<Box<EngineReport>>,
    pub(super) result_tag: Option<Outcome>,
    pub(super) start_note: Option<&'static str>,
    /// The ply up to which moves are played: the [limit](MOST_PLIES), or 0 when the game is over. So one comparison for
    /// each move sees both.
    pub(super) end: u32,
    /// The ply up to which moves are played as in chess: `end`, or 0 in a variant. So chess needs no comparison more.
    pub(super) end_of_chess: u32,
    pub(super) first_warnings_only: bool,
    pub(super) warnings: Vec<Diagnostic>,
    /// The state of the open variations, if variations are played.
    pub(super) branches: Option<Box<Branches<'a>>>,
    /// The game, in which the offset of its end is stored when it is known.
    pub(super) game: Option<Arc<ReadGame<'a>>>,
}

/// A move of a game, with its number and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ply<'a> {
    /// The number of the ply, counted from 1 in each game.
    pub number: u32,
    /// The move in the spelling of the text, without annotation marks.
    pub san: &'a [u8],
    /// The move itself.
    pub played: Move,
}

/// Writes the move in the spelling of the text.
impl fmt::Display for Ply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.san))
    }
}

impl<'a> Game<'a> {
    /// Starts a replay of the game with default options.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// chess.
    pub fn replay(&self) -> Result<Replay<'a>, Diagnostic> {
        self.replay_with(&ReplayOptions::default())
    }

    /// Starts a replay of the game.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// chess.
    pub fn replay_with(&self, options: &ReplayOptions) -> Result<Replay<'a>, Diagnostic> {
        let mut replay = Replay::begin(self.tags(), self.movetext(), self.text().offset, options)?;
        replay.game = Some(Arc::clone(self.read()));
        Ok(replay)
    }
}

impl<'a> Replay<'a> {
    /// Starts a replay of a game whose tags have been read. `base` is the offset in the file of the text that
    /// `movetext` reads, in bytes.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// chess.
    #[doc(hidden)]
    pub fn begin(
        tags: &Tags<'a>,
        movetext: Movetext<'a>,
        base: u64,
        options: &ReplayOptions,
    ) -> Result<Self, Diagnostic> {
        let mut warnings = Vec::new();
        let GameStart { position, castling, note } = start(tags, base, options, &mut warnings)?;
        let result_tag = result_tag(tags, base, &mut warnings).or_else(|| stated::result(tags));
        let stated = stated::search(tags, position.turn());
        // In a list of positions there are no moves and no results.
        let end = if tags.is_position() { 0 } else { MOST_PLIES };
        let end_of_chess = if position.rules() == Rules::Chess { end } else { 0 };
        Ok(Self {
            position,
            castling,
            start: movetext.offset(),
            movetext,
            base,
            ply: 0,
            opening: Tracker::default(),
            clocks: Clocks::default(),
            time_control: tags.value("TimeControl"),
            clock_forms: OnceLock::new(),
            eval: None,
            letters: options.letters,
            encoding: options.encoding,
            evals: if let EvalChoice::Source(source) = options.evals { source } else { EvalSource::default() },
            chooses_evals: options.evals == EvalChoice::Auto,
            stated,
            result_tag,
            start_note: note,
            end,
            end_of_chess,
            first_warnings_only: options.first_warnings_only,
            warnings,
            branches: None,
            game: None,
        })
    }

    /// Returns the current position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the rules by which the game castles. They are the same throughout the game, whatever castling rights are
    /// left, and decide how castling is written in UCI notation.
    ///
    /// A game is Chess960 if its Variant tag says so, or if its starting position has castling rights that standard
    /// chess cannot have. If the Variant tag names standard chess, such rights are dropped.
    ///
    /// ```
    /// use pgn2fen_pgn::games::Games;
    ///
    /// let game = Games::new(b"[FEN \"r3k2r/8/8/8/8/8/8/1R2K2R b KQkq - 0 1\"]\n\n1... Ra1 2. O-O *").next().unwrap();
    /// let mut replay = game.replay()?;
    /// let rules = replay.castling_rules();
    /// let mut moves = Vec::new();
    /// while let Some(ply) = replay.next_ply() {
    ///     moves.push(ply?.played.to_uci(rules));
    /// }
    /// assert_eq!(moves, ["a8a1", "e1h1"]);
    /// # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
    /// ```
    #[inline]
    pub fn castling_rules(&self) -> CastlingRules {
        self.castling
    }

    /// Returns the name of the variant, as Lichess has it: `standard`, `chess960`, `crazyhouse`. Games of variants are
    /// played unless the [options](ReplayOptions::variants) refuse them.
    pub fn variant(&self) -> &'static str {
        self.position.rules().game_name(self.castling)
    }

    /// Plays the next move of the main line and returns it. None at the end of the game. After an error no more moves
    /// are played.
    #[inline(always)]
    pub fn next_ply(&mut self) -> Option<Result<Ply<'a>, Diagnostic>> {
        let word = self.peek_word();
        match self.play_word(word, &mut ()) {
            Some(ply) => Some(Ok(ply)),
            None => self.next_unusual(&mut ()),
        }
    }

    /// Skips comments and returns the next word of the main line, which may be the next move, without playing it. None
    /// in a variant, whose words are read more slowly.
    /// Behind this call the comments of the last move cannot be read any more.
    ///
    /// A caller with much to do after each move should call this first, and play the word with
    /// [`next_ply_at`](Self::next_ply_at) afterwards. The next word does not depend on the position, so the processor
    /// reads it while it waits for other results.
    #[doc(hidden)]
    #[inline(always)]
    pub fn peek_word(&mut self) -> Option<Word<'a>> {
        if self.ply < self.end_of_chess { self.movetext.peek_word() } else { None }
    }

    /// Plays the next move of the main line and returns it. None at the end of the game and at an error, which the
    /// function receives. An observer sees the move before it is played. `word` must be the result of
    /// [`peek_word`](Self::peek_word) since the last move.
    ///
    /// This is faster than [`next_ply`](Self::next_ply), because a move is never stored in memory as one of several
    /// results.
    #[doc(hidden)]
    #[inline(always)]
    pub fn next_ply_at(
        &mut self,
        word: Option<Word<'a>>,
        receive: impl FnOnce(Diagnostic),
        observer: &mut impl Observer,
    ) -> Option<Ply<'a>> {
        if let Some(ply) = self.play_word(word, observer) {
            return Some(ply);
        }
        match self.next_unusual(observer)? {
            Ok(ply) => Some(ply),
            Err(error) => {
                receive(error);
                None
            }
        }
    }

    /// Plays the next move if its text is a plain word in standard SAN, other than castling, promotion and en
    /// passant. Most moves are played here.
    #[inline(always)]
    fn play_word(&mut self, word: Option<Word<'a>>, observer: &mut impl Observer) -> Option<Ply<'a>> {
        let word = word?;
        // A word that is a move holds no delimiter, so it need not be read as a token.
        let m = san::resolve_usual(word.bytes, word.text.len(), &self.position, &self.letters)?;
        observer.see(&PendingMove { position: &self.position, m, usual: Some((word.bytes, word.text.len())) });
        self.movetext.take_word(word.text);
        self.ply += 1;
        self.position.play_unchecked_in_chess(m);
        Some(Ply { number: self.ply, san: word.text, played: m })
    }

    /// Plays the next move if [`play_word`](Self::play_word) did not: another kind of move, the first of the game, or
    /// one with a suffix. Ends the game at its result.
    #[inline(never)]
    fn next_unusual(&mut self, observer: &mut dyn Observer) -> Option<Result<Ply<'a>, Diagnostic>> {
        if self.is_over() {
            return None;
        }
        if self.is_full() {
            return self.next_by_token(observer);
        }
        // A word behind one of these has not been tried in any form, and neither has one of a variant.
        let is_behind_mark = self.movetext.take_suffix() || self.movetext.take_first_number();
        let is_untried = is_behind_mark || self.end_of_chess == 0;
        if let Some(word) = self.movetext.peek_word() {
            let plain = word.before_suffix();
            let Word { text, bytes } = plain.unwrap_or(word);
            let m = if is_untried || plain.is_some() {
                san::resolve_standard(bytes, text.len(), &self.position, &self.letters)
            } else {
                // The usual forms of this word were tried before.
                san::resolve_rarer(bytes, &self.position, &self.letters)
            };
            if let Some(m) = m.filter(|m| is_whole(&self.movetext, text, *m)) {
                observer.see(&PendingMove::new(&self.position, m));
                return Some(Ok(self.take(text, m)));
            }
        }
        if self.movetext.take_result() {
            return self.end().map(Err);
        }
        self.next_by_token(observer)
    }

    /// Takes a word of the movetext and plays it.
    #[inline(always)]
    fn take(&mut self, word: &'a [u8], m: Move) -> Ply<'a> {
        self.movetext.take_word(word);
        self.play(word, m)
    }

    /// Plays the next move, whatever text stands before it and however it is spelled.
    #[inline(never)]
    fn next_by_token(&mut self, observer: &mut dyn Observer) -> Option<Result<Ply<'a>, Diagnostic>> {
        loop {
            match self.movetext.next_mainline() {
                Some(Token::Comment(_)) if !self.is_full() => {
                    if let Some((word, m)) = usual_move(&mut self.movetext, &self.position, &self.letters) {
                        observer.see(&PendingMove::new(&self.position, m));
                        return Some(Ok(self.take(word, m)));
                    }
                }
                Some(Token::San(san)) => match self.take_spelled(san, self.is_full()) {
                    Some(Ok(symbol)) => {
                        observer.see(&PendingMove::new(&self.position, symbol.resolved.mv));
                        return Some(Ok(self.play_spelled(symbol)));
                    }
                    Some(Err(error)) => return Some(Err(error)),
                    None => {}
                },
                Some(token) => self.mark(token),
                None => return self.end().map(Err),
            }
        }
    }

    #[inline(always)]
    pub(super) fn play(&mut self, san: &'a [u8], m: Move) -> Ply<'a> {
        self.ply += 1;
        self.position.play_unchecked(m);
        Ply { number: self.ply, san, played: m }
    }

    /// Reads a symbol that stands where a move is expected.
    pub(super) fn read(&self, symbol: &'a [u8]) -> Result<Symbol<'a>, SanError> {
        symbol::read(symbol, &self.position, &self.letters, self.encoding)
    }

    /// Plays a move whose spelling may break the standard.
    #[inline(never)]
    pub(super) fn play_spelled(&mut self, symbol: Symbol<'a>) -> Ply<'a> {
        let Symbol { resolved, san, marks } = symbol;
        let ply = self.play(san, resolved.mv);
        if let Some(repair) = resolved.repair {
            self.warn(Kind::RepairedSan, repair.to_string(), san);
        }
        if resolved.mv == Move::Null {
            self.warn(Kind::NullMove, "the player passes", san);
        }
        if !marks.is_empty() {
            self.leave_marks(marks);
        }
        ply
    }

    /// Leaves the marks attached to the last move: signs for glyphs are read again, as the next tokens, and a warning
    /// names the others.
    #[cold]
    fn leave_marks(&mut self, marks: &'a [u8]) {
        let end = self.movetext.span().end;
        let (others, signs) = marks.split_at(glyphs_at_end(marks));
        self.movetext.extend_to(end - signs.len());
        if !others.iter().all(|byte| matches!(byte, b'+' | b'#')) {
            self.warn_at(end - marks.len(), Kind::SkippedText, STRAY, others);
        }
    }

    /// Returns the number of the last ply of the main line that can be played. Plays a copy of the replay to its end.
    pub fn last_ply(&self) -> u32 {
        let mut ahead = self.clone();
        ahead.leave_variations();
        while let Some(Ok(_)) = ahead.next_ply() {}
        ahead.ply
    }

    /// Looks at the current position for the opening of the line. A variation begins with the opening of the position
    /// in which it begins.
    #[doc(hidden)]
    #[inline]
    pub fn see_opening(&mut self) {
        self.opening.see(&self.position);
    }

    /// Returns the opening of the current line, as far as the caller has looked.
    #[doc(hidden)]
    #[inline]
    pub fn opening(&self) -> Tracker {
        self.opening
    }

    /// Returns the opening of the main line of a game that has not been played yet. Plays the game as far as names are
    /// possible.
    #[doc(hidden)]
    pub fn into_opening(mut self) -> Tracker {
        self.see_opening();
        while !self.opening.is_over() && matches!(self.next_ply(), Some(Ok(_))) {
            self.see_opening();
        }
        self.opening
    }

    /// Returns the next move of the line that is being played: its text and the move. None at the end of the line, and
    /// if the next move is an error.
    pub fn next_move(&self) -> Option<(&'a [u8], Move)> {
        self.look_ahead().map(|(_, san, m)| (san, m))
    }

    /// Returns the next move of the line: a reader of the text behind it, its text and the move.
    pub(super) fn look_ahead(&self) -> Option<(Movetext<'a>, &'a [u8], Move)> {
        if self.is_over() || self.is_full() {
            return None;
        }
        let mut ahead = self.ahead();
        loop {
            if let Some((word, m)) = usual_move(&mut ahead, &self.position, &self.letters) {
                ahead.take_word(word);
                return Some((ahead, word, m));
            }
            if let Token::San(san) = self.with_nested(|nested| ahead.next_in_line(nested))?
                && let Some(found) = self.read_symbol(&mut ahead, san)
            {
                return found.read.ok().map(|symbol| (ahead, symbol.san, symbol.resolved.mv));
            }
        }
    }

    /// Returns the moves that follow in the line that is being played, at most so many, up to the first error.
    #[doc(hidden)]
    pub fn moves_ahead(&self, most: usize) -> Vec<Move> {
        let mut moves = Vec::new();
        let Some((movetext, _, first)) = self.look_ahead().filter(|_| most > 0) else {
            return moves;
        };
        let mut ahead = Self { movetext, ..self.without_memory() };
        let mut next = Some(first);
        while let Some(m) = next {
            moves.push(m);
            ahead.position.play_unchecked(m);
            ahead.ply += 1;
            next = ahead.look_ahead().filter(|_| moves.len() < most).map(|(movetext, _, m)| {
                ahead.movetext = movetext;
                m
            });
        }
        moves
    }

    /// Returns a replay of the current line in the position behind its next move.
    #[cold]
    pub(super) fn behind(&self, next: Move) -> Self {
        let mut behind = self.without_memory();
        behind.position.play_unchecked(next);
        behind.ply += 1;
        behind
    }

    /// Returns a replay of the current line in the position before its last move, if that is known.
    #[cold]
    pub(super) fn before_last(&self) -> Self {
        let position = self.before().unwrap_or(&self.position).clone();
        Self { position, ..self.without_memory() }
    }

    /// Returns a replay of the current line without what grows with the game: its warnings, and the lines around it.
    fn without_memory(&self) -> Self {
        Self {
            position: self.position.clone(),
            castling: self.castling,
            movetext: self.movetext.clone(),
            base: self.base,
            start: self.start,
            ply: self.ply,
            opening: Tracker::default(),
            clocks: Clocks::default(),
            time_control: None,
            clock_forms: OnceLock::new(),
            eval: None,
            letters: self.letters,
            encoding: self.encoding,
            evals: self.evals,
            chooses_evals: false,
            stated: None,
            result_tag: None,
            start_note: None,
            end: self.end,
            end_of_chess: self.end_of_chess,
            first_warnings_only: true,
            warnings: Vec::new(),
            branches: None,
            game: None,
        }
    }

    /// Removes the warnings so far from the replay and returns them.
    pub fn take_warnings(&mut self) -> std::vec::Drain<'_, Diagnostic> {
        self.warnings.drain(..)
    }

    /// Returns a reader of the text behind the last move. Reading it does not move the replay.
    pub fn ahead(&self) -> Movetext<'a> {
        self.movetext.clone()
    }

    /// Whether the text behind the last move certainly has no variation. False also says that it is not known.
    #[doc(hidden)]
    pub fn has_no_variation(&self) -> bool {
        has_no_variation(&self.movetext)
    }

    /// Returns the outcome of the game: the Result tag or, if that is missing or `*`, the result at the end of the
    /// movetext. Skips the rest of the game.
    pub fn outcome(&mut self) -> Outcome {
        self.leave_variations();
        let ending = self.finish_movetext();
        let known = self.result_tag.filter(|outcome| *outcome != Outcome::Unknown);
        known.or(ending.outcome()).unwrap_or(Outcome::Unknown)
    }

    /// Skips the rest of the game and returns its end, in bytes from the start of the text.
    pub fn finish(mut self) -> usize {
        self.skip_rest().offset()
    }

    /// Skips the rest of the game and returns the reader, which is at its end.
    #[doc(hidden)]
    pub fn skip_rest(&mut self) -> &Movetext<'a> {
        self.leave_variations();
        self.finish_movetext();
        &self.movetext
    }

    /// Skips the rest of the main line and stores where the game ends.
    fn finish_movetext(&mut self) -> Ending {
        let end = self.movetext.finish();
        if let Some(game) = &self.game {
            game.store_end(self.movetext.offset());
        }
        end
    }

    /// Returns the reader of the rest of the movetext.
    #[doc(hidden)]
    pub fn movetext_mut(&mut self) -> &mut Movetext<'a> {
        &mut self.movetext
    }

    /// Adds a warning about the last token.
    #[cold]
    pub(super) fn warn(&mut self, kind: Kind, reason: impl Into<Cow<'static, str>>, subject: &[u8]) {
        self.warn_at(self.movetext.span().start, kind, reason, subject);
    }

    #[cold]
    pub(super) fn warn_at(&mut self, at: usize, kind: Kind, reason: impl Into<Cow<'static, str>>, subject: &[u8]) {
        let offset = self.base + at as u64;
        self.add_warning(Diagnostic::new(kind, offset, reason).about(subject).at_ply(self.ply.max(1)));
    }

    /// Adds a warning, unless only the first of its kind and reason is wanted and there is one.
    pub(super) fn add_warning(&mut self, warning: Diagnostic) {
        // There are few reasons, and none of them quotes the text.
        let is_same = |other: &Diagnostic| other.kind == warning.kind && other.reason == warning.reason;
        if !self.first_warnings_only || !self.warnings.iter().any(is_same) {
            push_in_game(&mut self.warnings, 0, warning);
        }
    }

    /// Plays no more moves.
    fn stop(&mut self) {
        (self.end, self.end_of_chess) = (0, 0);
    }

    /// Plays moves again, after an error in a variation.
    pub(super) fn go_on(&mut self) {
        self.end = MOST_PLIES;
        self.end_of_chess = if self.position.rules() == Rules::Chess { MOST_PLIES } else { 0 };
    }

    /// Whether no more moves are played, because the game has ended or because of an error.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.end == 0
    }

    /// Whether the next move of the line would be beyond a limit.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.ply >= MOST_PLIES || self.branches.as_ref().is_some_and(|branches| branches.are_full())
    }

    /// Returns the error at a move that is beyond a limit, and ends the game.
    #[cold]
    pub(super) fn refuse_more(&mut self, san: &[u8]) -> Diagnostic {
        self.stop();
        let reason = if self.ply >= MOST_PLIES {
            format!("a line has more than {MOST_PLIES} plies; the rest of it is not read")
        } else {
            format!("the game has more than {MOST_MOVES} moves with its variations")
        };
        let offset = self.base + self.movetext.span().start as u64;
        Diagnostic::new(Kind::TooLong, offset, reason).about(san).at_ply(self.ply + 1)
    }

    #[cold]
    pub(super) fn refuse(&mut self, san: &[u8], error: &SanError) -> Diagnostic {
        self.stop();
        let kind = Kind::from(error.kind());
        let reason = match self.start_note {
            Some(note) => format!("{error} ({note})"),
            None => match self.remark_on_result(san).filter(|_| kind == Kind::IllegalMove) {
                Some(remark) => format!("{error} ({remark})"),
                None => error.to_string(),
            },
        };
        let offset = self.base + self.movetext.span().start as u64;
        Diagnostic::new(kind, offset, reason).about(san).at_ply(self.ply + 1)
    }

    /// Adds a warning about a token between moves, unless it is a number or a comment.
    pub(super) fn mark(&mut self, token: Token<'_>) {
        match token {
            Token::Skipped(text) => self.warn(Kind::SkippedText, "it has no meaning here and was skipped", text),
            Token::EnPassantMark => {
                self.warn(Kind::RepairedSan, "en passant needs no mark", b"e.p.");
            }
            _ => {}
        }
    }

    /// Whether the result stands directly behind a move.
    fn is_glued_result(&self) -> bool {
        let (text, at) = (self.movetext.text(), self.movetext.result_offset());
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'#' | b'=' | 0x80..);
        before_blanks(text, at) == at && text[..at].last().is_some_and(is_of_word)
    }

    /// Returns the error at the end of the movetext, if there is one. Adds the warnings about the result.
    #[cold]
    pub(super) fn end(&mut self) -> Option<Diagnostic> {
        self.stop();
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
                let reason = "the game has no result after its moves";
                self.warnings.push(Diagnostic::new(Kind::Result, here, reason));
            }
            Ending::Marker(marker) => {
                if let Some(tag) = self.result_tag.filter(|tag| *tag != marker.outcome) {
                    let counts = if tag == Outcome::Unknown { "the marker" } else { "the tag" };
                    let (marker, tag) = (marker.outcome.as_str(), tag.as_str());
                    let reason = format!("the moves end with {marker}, the tag says {tag}; {counts} counts");
                    self.warnings.push(Diagnostic::new(Kind::Result, here, reason));
                }
                if marker.outcome != Outcome::Unknown && self.is_glued_result() {
                    let reason = "white space is missing before the result";
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

/// Reads the Result tag. A value in another spelling than that of the standard gets a warning.
fn result_tag(tags: &Tags<'_>, base: u64, warnings: &mut Vec<Diagnostic>) -> Option<Outcome> {
    let value = tags.value("Result")?.0.trim_ascii();
    // A question mark stands for an unknown value in every tag.
    if matches!(value, b"" | b"?") {
        return None;
    }
    if let Some(outcome) = Outcome::of_standard(value) {
        return Some(outcome);
    }
    let outcome = Outcome::from_ascii(value);
    let reason: Cow<'static, str> = match outcome {
        Some(outcome) => format!("[Result] should be {}", outcome.as_str()).into(),
        None if tags.is_lost_by_both() => "[Result]: both players lose, which is no result of the standard".into(),
        None => "[Result] is not a result".into(),
    };
    let at = tags.iter().filter(|tag| tag.name == b"Result").last().map_or(0, |tag| tag.offset);
    warnings.push(Diagnostic::new(Kind::Result, base + at as u64, reason).about(value));
    outcome
}

/// Returns the next move of the movetext without taking it, if it is a plain word in standard SAN. [`Replay::next_ply`]
/// does the same inline for the most common moves; the larger code is worth the time only there.
#[inline(never)]
pub(super) fn usual_move<'a>(
    movetext: &mut Movetext<'a>,
    position: &Position,
    letters: &Letters,
) -> Option<(&'a [u8], Move)> {
    let word = movetext.peek_word()?;
    let m = san::resolve_standard(word.bytes, word.text.len(), position, letters)?;
    is_whole(movetext, word.text, m).then_some((word.text, m))
}

/// Whether a word that is this move is all of its text. Of castling, another part may stand behind it.
#[inline]
fn is_whole<'a>(movetext: &Movetext<'a>, word: &'a [u8], m: Move) -> bool {
    !matches!(m, Move::Castle { .. }) || movetext.is_whole_castling(word)
}

/// Reads the players and the date from the tags, for the
/// [`Diagnostic::players`](crate::diagnostic::Diagnostic::players) of an error in the moves of a game. None if both
/// players are missing.
pub fn players(tags: &Tags<'_>) -> Option<Box<Players>> {
    let value = |name| tags.value(name).map(|value| beginning(&value.unescape())).unwrap_or_default();
    let players = Players { white: value("White"), black: value("Black"), date: value("Date") };
    (!players.white.is_empty() || !players.black.is_empty()).then(|| Box::new(players))
}

/// The greatest length of a name in an error, in bytes. There may be a hundred errors in the variations of a game, and
/// each has the names.
const MOST_NAME: usize = 255;

/// Returns a name, or its beginning if it is too long. A character of UTF-8 is not cut.
fn beginning(name: &[u8]) -> Vec<u8> {
    let goes_on = |at: &usize| name.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let most = name.len().min(MOST_NAME);
    // A character has at most three bytes behind its first.
    let end = (most.saturating_sub(3)..=most).rev().find(|at| !goes_on(at)).unwrap_or(most);
    name[..end].to_vec()
}

#[cfg(test)]
mod tests {
    use crate::chunk::Chunk;
    use crate::diagnostic::{Diagnostic, Kind};
    use crate::games::Games;
    use crate::replay::main_line::{MOST_NAME, beginning, players};
    use crate::replay::{ReplayOptions, SetupPolicy};
    use crate::tags::Tags;
    use crate::token::Token;
    use pgn2fen_chess::moves::Move;

    #[test]
    fn whoever_plays_a_game_to_its_end_saves_the_way_there() {
        for text in ["1. e4 (1. d4) e5 {c} 2. Nf3 *\n\n1. c4 *", "1. e4 (1. d4 1. c4 *", "1. e4 {1. c4 *"] {
            let game = Games::new(text.as_bytes()).next().unwrap();
            let mut replay = game.replay().unwrap();
            assert!(replay.next_ply().is_some() && !game.is_end_known());
            while replay.next_ply().is_some() {}
            assert!(game.is_end_known(), "{text}");
        }
        let game = Games::new(b"1. e4 Ke6 *").next().unwrap();
        let mut replay = game.replay().unwrap();
        while replay.next_in_text().is_some() {}
        assert!(!game.is_end_known(), "nobody reads on behind an error");
        replay.outcome();
        assert!(game.is_end_known());
    }

    /// Returns the warnings of a game with these options, as their kind, place and subject.
    fn warnings(text: &str, options: &ReplayOptions) -> String {
        let games: Vec<_> = Games::new(text.as_bytes()).collect();
        let mut replay = games.last().unwrap().replay_with(options).expect(text);
        while replay.next_ply().is_some() {}
        let shown = |warning: Diagnostic| {
            format!("{}@{} {}", warning.kind.as_str(), warning.offset, String::from_utf8_lossy(&warning.subject))
        };
        replay.take_warnings().map(shown).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_mark_is_told_where_it_stands() {
        assert_eq!(warnings("1. e4D e5 *", &ReplayOptions::default()), "skipped-text@5 D");
    }

    #[test]
    fn of_each_kind_and_reason_the_first_warning_is_enough() {
        let text = "1. e2-e4 D e7-e5 D 2. Nf3 c *";
        assert_eq!(
            warnings(text, &ReplayOptions::default()),
            "repaired-san@3 e2-e4, skipped-text@9 D, repaired-san@11 e7-e5, skipped-text@17 D, \
             skipped-text@26 c"
        );
        assert_eq!(
            warnings(text, &ReplayOptions { first_warnings_only: true, ..ReplayOptions::default() }),
            "repaired-san@3 e2-e4, skipped-text@9 D"
        );
    }

    #[test]
    fn tags_of_the_start_are_told_with_their_place_in_the_file() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let game = format!("*\n\n[fen \"{fen}\"]\n1. e4 *");
        assert_eq!(warnings(&game, &ReplayOptions::default()), "repaired-tag@3 fen, setup-tags@3 ");
        let strict = ReplayOptions { setup: SetupPolicy::Strict, ..ReplayOptions::default() };
        let start = |tags: &str| {
            let game = format!("{tags}\n*");
            let game = Games::new(game.as_bytes()).next().unwrap();
            game.replay_with(&strict)
                .map(|replay| replay.position().is_start())
                .map_err(|error| error.reason.into_owned())
        };
        let (tag, setup) = (format!("[FEN \"{fen}\"]"), "[SetUp \"1\"]");
        assert_eq!(start(&format!("{tag}{setup}")), Ok(false));
        assert_eq!(start(&tag), Ok(true));
        assert_eq!(start(&format!("{tag}{tag}{setup}")), Err("there are two FEN tags".to_owned()));
    }

    #[test]
    fn the_moves_ahead_are_those_of_the_line() {
        let game = Games::new(b"1. e4 e5 2. Nf3 Ke3 *").next().unwrap();
        let replay = game.replay().unwrap();
        let ahead = |most| {
            replay.moves_ahead(most).into_iter().filter_map(Move::to).map(|sq| sq.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(ahead(9), ["e4", "e5", "f3"]);
        assert_eq!((ahead(2).len(), ahead(0).len(), replay.last_ply()), (2, 0, 3));
    }

    #[test]
    fn a_comment_and_the_number_1_on_a_line_end_the_main_line() {
        for text in ["1. e4 e5\n{d} 1. d4 d5", "1. e4 e5 {e}\n{d} 1. d4 d5", "1. e4 e5\n\n{d}1. d4 d5"] {
            let plies: Vec<usize> = Games::new(text.as_bytes())
                .map(|game| {
                    let mut replay = game.replay().unwrap();
                    std::iter::from_fn(|| replay.next_ply()).filter(Result::is_ok).count()
                })
                .collect();
            assert_eq!(plies, [2, 2], "{text:?}");
        }
    }

    #[test]
    fn the_text_ahead_of_the_first_move_begins_with_its_number() {
        let game = Games::new(b"1. e4! e5 *").next().unwrap();
        let mut replay = game.replay().unwrap();
        assert_eq!(replay.ahead().next_token(), Some(Token::MoveNumber { number: 1, black: false }));
        replay.next_ply();
        assert_eq!(replay.ahead().next_token(), Some(Token::Nag(1)));
    }

    #[test]
    fn a_result_tag_in_another_spelling_is_told_where_it_stands() {
        for (tags, expected) in [
            ("[A \"\"][Result \"1-0\"]", ""),
            ("[A \"\"][Result \" 1-0 \"]", ""),
            ("[A \"\"][Result \"?\"]", ""),
            ("[A \"\"][Result \"\"]", ""),
            ("[A \"\"][Result \"1 - 0\"]", "result@6 1 - 0: [Result] should be 1-0"),
            ("[A \"\"][Result \"white wins\"]", "result@6 white wins: [Result] should be 1-0"),
            ("[A \"\"][Result \"foo\"]", "result@6 foo: [Result] is not a result"),
            (
                "[A \"\"][Result \"0 - 0\"]",
                "result@6 0 - 0: [Result]: both players lose, which is no result of the standard",
            ),
            // The last one counts.
            ("[Result \"foo\"][Result \"bar\"][A \"\"]", "result@14 bar: [Result] is not a result"),
            ("[Result \"foo\"][A \"\"][Result \"1-0\"]", ""),
        ] {
            let text = format!("{tags}\n\n1. e4 1-0");
            let game = Games::new(text.as_bytes()).next().unwrap();
            let mut replay = game.replay().unwrap();
            let shown = |warning: Diagnostic| {
                let (kind, subject) = (warning.kind.as_str(), String::from_utf8_lossy(&warning.subject));
                format!("{kind}@{} {subject}: {}", warning.offset, warning.reason)
            };
            let warnings = replay.take_warnings().filter(|warning| warning.kind == Kind::Result).map(shown);
            assert_eq!(warnings.collect::<Vec<_>>().join(", "), expected, "{tags}");
        }
    }

    #[test]
    fn a_result_directly_behind_a_move_is_told() {
        for (movetext, expected) in [
            ("1. e4 e5 1-0", ""),
            ("1. e4 e5\n1-0", ""),
            ("1. e4 e5 {x}1-0", ""),
            ("1. e4 e5 (1... c5)1-0", ""),
            ("1. e4 e5!1-0", ""),
            ("1-0", ""),
            ("1. e4 e5*", ""),
            ("1. e4 e51-0", "result@8 "),
            ("1. e4 e5+1/2-1/2", "result@9 "),
        ] {
            assert_eq!(warnings(movetext, &ReplayOptions::default()), expected, "{movetext}");
        }
    }

    #[test]
    fn an_error_stands_at_its_place_in_the_file() {
        for (text, expected) in [
            ("1. e4 e4 *", "illegal-move@106 e4 2"),
            ("1. e4 {c} zz *", "bad-san@110 zz 2"),
            ("1. e4 (1. d4", "unterminated-variation@106  0"),
            ("1. e4 {a\nb", "unterminated-comment@106  0"),
        ] {
            let chunk = Chunk { offset: 100, ..Chunk::whole(text.as_bytes()) };
            let mut replay = Games::within(chunk, 0..text.len()).next().unwrap().replay().unwrap();
            let error = loop {
                if let Err(error) = replay.next_ply().unwrap() {
                    break error;
                }
            };
            let (kind, subject) = (error.kind.as_str(), String::from_utf8_lossy(&error.subject));
            assert_eq!(format!("{kind}@{} {subject} {}", error.offset, error.ply.unwrap_or(0)), expected, "{text}");
        }
    }

    #[test]
    fn a_game_within_a_comment_without_an_end_is_told() {
        let reason = |text: &str| {
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
            replay.next_ply();
            replay.next_ply().unwrap().unwrap_err().reason.into_owned()
        };
        assert_eq!(reason("1. e4 {a\nb"), "the comment is never closed with }");
        let expected =
            "the comment is never closed with }; another game seems to begin in it: [A \"2\"], 2 lines below";
        assert_eq!(reason("1. e4 {a\nb\n[A \"2\"]\n\n1. d4"), expected);
    }

    #[test]
    fn the_moves_ahead_are_those_of_the_line_up_to_an_error() {
        let ahead = |movetext: &str, most| {
            let game = Games::new(movetext.as_bytes()).next().unwrap();
            let replay = game.replay().unwrap();
            let moves = replay.moves_ahead(most).into_iter().map(|m| m.to_uci(replay.castling_rules()));
            moves.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(ahead("1. e4 {c} e5 (1... c5) 2. Nf3 Nc6 *", 3), "e2e4 e7e5 g1f3");
        assert_eq!(ahead("1. e4 e5 *", 3), "e2e4 e7e5");
        assert_eq!(ahead("1. e4 e4 2. d4 *", 3), "e2e4");
        assert_eq!(ahead("1. e4 *", 0), "");
        // A number that is no legal move is passed over before the first move only.
        assert_eq!(ahead("1. 5254 5254 5755 *", 3), "e2e4");
    }

    #[test]
    fn the_opening_of_a_game_is_that_of_its_main_line() {
        let opening = |movetext: &str| {
            let replay = Games::new(movetext.as_bytes()).next().unwrap().replay().unwrap();
            replay.into_opening().opening().map(|opening| opening.eco.to_string())
        };
        assert_eq!(opening("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 *").as_deref(), Some("B90"));
        assert_eq!(opening("1. e4 (1. d4 d5 2. c4) c5 2. Ke3 *").as_deref(), Some("B20"));
        assert_eq!(opening("*"), None);
    }

    #[test]
    fn a_game_ends_where_its_result_does() {
        for movetext in ["1. e4 (1. d4) e5 1-0", "1. e4 e5 2. Ke3 {c} *", "1. e4 (1. zz) *"] {
            let text = format!("{movetext}\n\n[A \"2\"]\n\n*");
            for plies in 0..3 {
                let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
                for _ in 0..plies {
                    replay.next_in_text();
                }
                assert_eq!(replay.finish(), movetext.len(), "{text} after {plies} plies");
            }
        }
    }

    #[test]
    fn a_variation_is_seen_before_it_is_read() {
        for (movetext, expected) in [("1. e4 e5 *", true), ("1. e4 (1. d4) *", false), ("1. e4 {(a)} *", true)] {
            let replay = Games::new(movetext.as_bytes()).next().unwrap().replay().unwrap();
            assert_eq!(replay.has_no_variation(), expected, "{movetext}");
        }
    }

    #[test]
    fn the_players_of_an_error_are_named_if_one_is_known() {
        let named = |tags: &str| {
            let players = players(&Tags::read(tags.as_bytes(), 0))?;
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            Some([text(&players.white), text(&players.black), text(&players.date)].join("|"))
        };
        assert_eq!(named("[White \"A \\\"B\\\"\"][Black \"C\"][Date \"2020\"]").as_deref(), Some("A \"B\"|C|2020"));
        assert_eq!(named("[White \"A\"]").as_deref(), Some("A||"));
        assert_eq!(named("[Black \"C\"]").as_deref(), Some("|C|"));
        assert_eq!(named("[Date \"2020\"][White \"\"]"), None);
    }

    #[test]
    fn a_long_name_is_cut_between_characters() {
        for (name, expected) in [
            ("x".repeat(MOST_NAME), MOST_NAME),
            ("x".repeat(MOST_NAME + 1), MOST_NAME),
            ("x".repeat(MOST_NAME - 1) + "éx", MOST_NAME - 1),
            ("x".repeat(MOST_NAME - 2) + "éx", MOST_NAME),
            ("x".repeat(MOST_NAME - 3) + "😀", MOST_NAME - 3),
            ("x".repeat(MOST_NAME - 4) + "😀x", MOST_NAME),
            ("é".to_owned(), 2),
            (String::new(), 0),
        ] {
            assert_eq!(beginning(name.as_bytes()), &name.as_bytes()[..expected], "{name}");
        }
        // In another encoding there may be no such place.
        assert_eq!(beginning(&[0x80; MOST_NAME + 1]).len(), MOST_NAME);
    }

    #[test]
    fn a_game_of_a_variant_is_played_by_its_rules() {
        let text = b"[Variant \"Atomic\"]\n\n1. e4 d5 (1... e5 2. Ke3 d6) {c} 2. exd5 Nf6! 3. Nf3 e5 4. Nxe5 {boom} *";
        let game = Games::new(text).next().unwrap();
        // All that stood on d5 and e5 has exploded, and the knight beside it.
        let expected = "rnbqkb1r/ppp2ppp/8/8/8/8/PPPP1PPP/RNBQKB1R b KQkq - 0 4";
        let mut replay = game.replay().unwrap();
        while replay.next_ply().is_some() {}
        assert_eq!((replay.position().to_string().as_str(), replay.variant()), (expected, "atomic"));
        let mut replay = game.replay().unwrap();
        let errors = std::iter::from_fn(|| replay.next_in_text()).filter(Result::is_err).count();
        assert_eq!((replay.position().to_string().as_str(), errors), (expected, 1));
        // Behind an error in a variation, the main line may be played alone.
        let mut replay = game.replay().unwrap();
        while replay.next_in_text().is_some_and(|ply| ply.is_ok()) {}
        while replay.next_ply().is_some() {}
        assert_eq!(replay.position().to_string(), expected);
        let variant = |text: &str| Games::new(text.as_bytes()).next().unwrap().replay().unwrap().variant();
        assert_eq!([variant("*"), variant("[Variant \"Chess960\"]\n*")], ["standard", "chess960"]);
    }

    #[test]
    fn castling_whose_parts_stand_apart_is_played_as_a_whole() {
        for (movetext, expected) in
            [("1. O-O -O *", "e1c1"), ("1. O-O e5 *", "e1g1"), ("1. O - O *", "e1g1"), ("{c} 1. O-O -O *", "e1c1")]
        {
            let text = format!("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n{movetext}");
            let game = Games::new(text.as_bytes()).next().unwrap();
            let mut replay = game.replay().unwrap();
            let uci = |m: pgn2fen_chess::moves::Move| m.to_uci(pgn2fen_chess::castling::CastlingRules::Standard);
            let played = replay.next_ply().unwrap().unwrap().played;
            assert_eq!(uci(played).to_string(), expected, "{text}");
            let played = game.replay().unwrap().next_in_text().unwrap().unwrap().played;
            assert_eq!(uci(played).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn the_outcome_is_that_of_the_tag_unless_it_is_unknown() {
        for (text, expected) in [
            ("[Result \"1-0\"]\n\n1. e4 0-1", "1-0"),
            ("[Result \"*\"]\n\n1. e4 0-1", "0-1"),
            ("[Result \"?\"]\n\n1. e4 1/2-1/2", "1/2-1/2"),
            ("[A \"\"]\n\n1. e4 (1. d4 1-0) 0-1", "0-1"),
            ("[Result \"*\"]\n\n1. e4", "*"),
            ("[Result \"1-0\"]\n\n1. e4 {", "1-0"),
        ] {
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
            assert_eq!(replay.outcome().as_str(), expected, "{text}");
        }
    }

    #[test]
    fn a_warning_says_which_of_two_results_counts() {
        let reasons = |text: &str| {
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
            while replay.next_ply().is_some() {}
            replay.take_warnings().map(|warning| warning.reason.into_owned()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(
            reasons("[Result \"1-0\"]\n\n1. e4 0-1"),
            "the moves end with 0-1, the tag says 1-0; the tag counts"
        );
        assert_eq!(reasons("[Result \"*\"]\n\n1. e4 0-1"), "the moves end with 0-1, the tag says *; the marker counts");
        assert_eq!(reasons("[Result \"1-0\"]\n\n1. e4 1:0"), "the result should be written 1-0");
        assert_eq!(reasons("[Result \"1-0\"]\n\n1. e4 1-0"), "");
        assert_eq!(reasons("1. e4 d5 2. e5 f5 3. exf6 e.p. *"), "en passant needs no mark");
    }

    #[test]
    fn the_first_warning_of_each_kind_and_reason_may_be_enough() {
        let options = ReplayOptions { first_warnings_only: true, ..ReplayOptions::default() };
        let mut replay = Games::new(b"1. e4 ) D e5 ) D 2. -- -- *").next().unwrap().replay_with(&options).unwrap();
        while replay.next_ply().is_some() {}
        let warnings: Vec<_> = replay.take_warnings().map(|warning| (warning.kind, warning.offset)).collect();
        assert_eq!(warnings, [(Kind::SkippedText, 6), (Kind::SkippedText, 8), (Kind::NullMove, 20)]);
    }

    #[test]
    fn the_opening_is_known_as_far_as_the_caller_has_looked() {
        let mut replay = Games::new(b"1. e4 c5 *").next().unwrap().replay().unwrap();
        let eco = |replay: &super::Replay<'_>| replay.opening().opening().map(|opening| opening.eco.to_string());
        replay.see_opening();
        assert_eq!(eco(&replay), None);
        replay.next_ply();
        replay.next_ply();
        assert_eq!(eco(&replay), None);
        replay.see_opening();
        assert_eq!(eco(&replay).as_deref(), Some("B20"));
    }
}
