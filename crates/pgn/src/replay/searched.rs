//! The evaluation of the current position, in the comments behind the move that led to it or behind the next move.

use crate::absent::has_no_comment;
use crate::annotation::{Annotation, CommentReading, EngineReport, Eval, EvalSource, read_clock, read_elapsed};
use crate::diagnostic::{Diagnostic, Kind};
use crate::judgement::{JudgedMove, START, settled};
use crate::movetext::Movetext;
use crate::replay::main_line::Replay;
use crate::token::Token;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;

/// The warnings about comments that look like an evaluation, a clock or a time, and cannot be read.
const UNREAD_EVAL: (Kind, &str) = (Kind::UnreadEval, "the evaluation cannot be read");
pub(super) const UNREAD_CLOCK: (Kind, &str) = (Kind::UnreadClock, "the clock cannot be read");
pub(super) const UNREAD_TIME: (Kind, &str) = (Kind::UnreadClock, "the time of the move cannot be read");
/// The reason of a warning about a clock or a time with two readings.
const TWO_READINGS: &str = "these may be hours and minutes, or minutes and seconds, and neither the time control nor \
    the other clocks of the game say which";

/// What was read of several comments.
#[derive(Default)]
pub(super) struct FirstRead<'t, T> {
    /// The first that was read.
    pub(super) value: Option<T>,
    /// The first that looks as if it could be read, and its place.
    unread: Option<(&'t [u8], usize)>,
}

impl<'t, T> FirstRead<'t, T> {
    /// Adds what was read of a comment.
    #[inline]
    pub(super) fn add(&mut self, reading: CommentReading<T>, comment: &'t [u8], place: usize) {
        match reading {
            CommentReading::Read(value) if self.value.is_none() => self.value = Some(value),
            CommentReading::Unread => self.unread = self.unread.or(Some((comment, place))),
            CommentReading::Read(_) | CommentReading::Other => {}
        }
    }
}

impl<'a> Replay<'a> {
    /// Chooses the comments in which evaluations are found, if the options are [`EvalChoice::Auto`]: the kind of the
    /// first comment of the main line that has an evaluation. Must be called before the first move is played, by those
    /// who need evaluations. Without it, they are those of the default source.
    ///
    /// [`EvalChoice::Auto`]: crate::annotation::EvalChoice::Auto
    #[doc(hidden)]
    pub fn choose_evals(&mut self) {
        if std::mem::take(&mut self.chooses_evals) {
            self.evals = first_source(self.ahead()).unwrap_or_default();
        }
    }

    /// Returns the comments in which evaluations are found.
    #[doc(hidden)]
    pub fn eval_source(&self) -> EvalSource {
        self.evals
    }

    /// Whether the evaluation is told by the operations on a line of a list, and not by comments.
    #[doc(hidden)]
    pub fn has_stated_eval(&self) -> bool {
        self.stated.is_some()
    }

    /// Reads the evaluation of the current position, from White's point of view. It stands behind the next move of the
    /// line, or behind the last one if the source is [`EvalSource::Lichess`]. The last position of a line has no next
    /// move, and so does a position whose next move is an error. Of several comments, the first that can be read
    /// counts.
    ///
    /// `unread` gets a warning if there is no such comment, but one that looks so.
    #[doc(hidden)]
    pub fn search(&self, unread: impl FnMut(Diagnostic)) -> EngineReport {
        let is_before = self.evals.is_of_position_before();
        let next = if is_before { self.look_ahead() } else { None };
        if is_before && next.is_none() {
            return self.stated();
        }
        let mut found = FirstRead::default();
        self.read_comments(next.map(|(behind, _, m)| (behind, m)), |comment, place| {
            found.add(self.evals.read(comment), comment, place);
            found.value.map(|_| ())
        });
        self.report(&found, unread)
    }

    /// Looks at the evaluation of the current position. Returns the last move with the evaluations before and behind
    /// it, if both are known. Must have been called in all positions of the line before. A starting position without an
    /// evaluation has [`START`].
    #[doc(hidden)]
    pub fn judge(&mut self) -> Option<JudgedMove> {
        let turn = self.position.turn();
        let after = self.search(|_| {}).eval.map(|eval| settled(eval, turn));
        if self.ply == 0 {
            self.eval = after.or(Some(START));
            return None;
        }
        let before = std::mem::replace(&mut self.eval, after);
        before.zip(after).map(|(before, after)| JudgedMove { player: !turn, before, after })
    }

    /// Reads the commands in the comments behind the last move.
    #[doc(hidden)]
    #[inline(always)]
    pub fn annotation(&self) -> Annotation {
        let begins_move = |movetext: &Movetext<'a>, symbol| self.begins_move(movetext, symbol);
        self.with_nested(|nested| Annotation::read_by(self.ahead(), nested, begins_move))
    }

    /// Whether the evaluations are those of [`annotation`](Self::annotation).
    #[doc(hidden)]
    pub fn annotation_has_evals(&self) -> bool {
        self.evals == EvalSource::Lichess && self.stated.is_none()
    }

    /// Reads the evaluation of the current position as [`search`](Self::search) does, and the clock behind the last
    /// move, in seconds.
    #[doc(hidden)]
    pub fn search_and_clock(&self, mut unread: impl FnMut(Diagnostic)) -> (EngineReport, Option<f64>) {
        if self.evals.is_of_position_before() {
            return (self.search(&mut unread), self.clock(unread));
        }
        let (mut found, mut clock) = (FirstRead::default(), FirstRead::default());
        self.read_comments(None, |comment, place| {
            if found.value.is_none() {
                found.add(self.evals.read(comment), comment, place);
            }
            clock.add(self.read_clock(comment), comment, place);
            None::<()>
        });
        (self.report(&found, &mut unread), self.read_or_warn(&clock, UNREAD_CLOCK, unread))
    }

    /// Reads the clock behind the last move, in seconds. Of several, the first that can be read counts. `unread` gets a
    /// warning if there is no such clock, but one that cannot be read.
    #[doc(hidden)]
    pub fn clock(&self, unread: impl FnMut(Diagnostic)) -> Option<f64> {
        let mut clock = FirstRead::default();
        self.read_comments(None, |comment, place| {
            clock.add(self.read_clock(comment), comment, place);
            clock.value
        });
        self.read_or_warn(&clock, UNREAD_CLOCK, unread)
    }

    /// Returns what was read. If nothing was, `unread` gets a warning about the comment that looks so.
    pub(super) fn read_or_warn<T: Copy>(
        &self,
        found: &FirstRead<'_, T>,
        warning: (Kind, &'static str),
        mut unread: impl FnMut(Diagnostic),
    ) -> Option<T> {
        if let (None, Some((comment, place))) = (found.value, found.unread) {
            unread(self.unread_warning(comment, place, warning));
        }
        found.value
    }

    #[cold]
    fn unread_warning(&self, comment: &[u8], place: usize, warning: (Kind, &'static str)) -> Diagnostic {
        let has_two_readings = match warning {
            UNREAD_CLOCK => matches!(read_clock(comment, Some), CommentReading::Read(_)),
            UNREAD_TIME => matches!(read_elapsed(comment, Some), CommentReading::Read(_)),
            _ => false,
        };
        let (kind, reason) = if has_two_readings { (warning.0, TWO_READINGS) } else { warning };
        let ply = match kind {
            Kind::UnreadEval => self.ply + u32::from(self.evals.is_of_position_before()),
            _ => self.ply.max(1),
        };
        Diagnostic::new(kind, self.base + place as u64, reason).about(comment.trim_ascii()).at_ply(ply)
    }

    /// Returns the report in the comments, from White's point of view.
    fn report(&self, found: &FirstRead<'_, EngineReport>, unread: impl FnMut(Diagnostic)) -> EngineReport {
        let Some(report) = self.read_or_warn(found, UNREAD_EVAL, unread) else {
            return self.stated();
        };
        let is_of_black = self.evals.is_from_mover() && self.position.turn() == Color::Black;
        EngineReport { eval: if is_of_black { report.eval.map(Eval::reversed) } else { report.eval }, ..report }
    }

    /// Returns the search that the EPD operations on a line of a list tell. A line has no comments.
    fn stated(&self) -> EngineReport {
        self.stated.as_deref().copied().unwrap_or_default()
    }

    /// Returns the source of the first evaluation in the comments behind the last move. None if it is the source that
    /// is read.
    #[doc(hidden)]
    pub fn source_of_comments(&self) -> Option<EvalSource> {
        let source = self.read_comments(None, |comment, _| EvalSource::of(comment));
        source.filter(|source| *source != self.evals)
    }

    /// Calls a function with the comments behind the last move of the line, and their places, until it returns
    /// something. If the next move is given, with a reader of the text behind it, they are the comments behind that.
    #[inline]
    fn read_comments<T>(
        &self,
        next: Option<(Movetext<'a>, Move)>,
        mut read: impl FnMut(&'a [u8], usize) -> Option<T>,
    ) -> Option<T> {
        let (mut movetext, m) = next.map_or_else(|| (self.ahead(), None), |(behind, m)| (behind, Some(m)));
        let begins_move = |movetext: &Movetext<'a>, symbol| match m {
            Some(m) => self.behind(m).begins_move(movetext, symbol),
            None => self.begins_move(movetext, symbol),
        };
        self.with_nested(|nested| {
            while let Some(token) = movetext.next_note(nested, begins_move) {
                if let Token::Comment(comment) = token {
                    let found = read(comment, movetext.span().start);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            None
        })
    }

    /// Adds warnings, all of them or the first of each kind and reason.
    #[doc(hidden)]
    pub fn add_warnings(&mut self, warnings: Vec<Diagnostic>) {
        for warning in warnings {
            self.add_warning(warning);
        }
    }
}

/// Returns the source of the first comment of a main line that has an evaluation. The moves are not read, so this does
/// not depend on what stands between the comments.
fn first_source(mut movetext: Movetext<'_>) -> Option<EvalSource> {
    if has_no_comment(&movetext) {
        return None;
    }
    while let Some(token) = movetext.next_mainline() {
        if let Token::Comment(comment) = token
            && let Some(source) = EvalSource::of(comment)
        {
            return Some(source);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::annotation::{Eval, EvalChoice, EvalSource};
    use crate::chunk::Chunk;
    use crate::diagnostic::Kind;
    use crate::form::Form;
    use crate::games::Games;
    use crate::judgement::Judgement;
    use crate::replay::ReplayOptions;
    use pgn2fen_chess::piece::Color;

    /// Compares the evaluations of the positions in the order of the text, in centipawns from White's side, or `-`. `?`
    /// behind one stands for a warning.
    #[track_caller]
    fn check(source: EvalSource, text: &str, expected: &str) {
        check_choice(source.into(), text, expected);
    }

    #[track_caller]
    fn check_choice(evals: EvalChoice, text: &str, expected: &str) {
        let options = ReplayOptions { evals, ..ReplayOptions::default() };
        let mut replay = Games::new(text.as_bytes()).next().unwrap().replay_with(&options).unwrap();
        replay.choose_evals();
        let mut shown = Vec::new();
        loop {
            let mut unread = "";
            let search = replay.search(|warning| {
                assert_eq!(text.as_bytes()[usize::try_from(warning.offset).unwrap()], b'{');
                unread = "?";
            });
            let eval = match search.eval {
                Some(Eval::Centipawns(centipawns)) => centipawns.to_string(),
                Some(Eval::Mate(moves)) => format!("#{moves}"),
                None => "-".to_owned(),
            };
            shown.push(eval + unread);
            if !matches!(replay.next_in_text(), Some(Ok(_))) {
                break;
            }
        }
        assert_eq!(shown.join(" "), expected, "{text}");
    }

    #[test]
    fn an_engine_evaluates_the_position_in_which_it_searched() {
        let engine = |text, expected| check(EvalSource::Engine, text, expected);
        engine("1. e4 {+0.31/9 1s} e5 {-0.20/9 1s} 2. Nf3 {+0.50/9 1s} *", "31 20 50 -");
        engine("1. e4 {book} e5 {-M4/9 1s} 2. Nf3 {+M3/9 1s} *", "- #2 #2 -");
        engine("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 {-0.20/9 1s} 2. e4 {+0.1/2 1s} *", "20 10 -");
        engine("{+0.9/1 1s} 1. e4 $1 {quiet} {+0.1/2 1s} {+0.2/2 1s} 1... e5 ; +0.3/1 1s\n 2. d4 *", "10 -30 - -");
        engine("1. e4 {+0.1/} {+0.2/2 1s} e5 {-0.3/} 2. Nf3 {[%eval 0.5]} *", "20 -? - -");
    }

    #[test]
    fn the_first_evaluation_of_the_main_line_says_which_comments_are_read() {
        let auto = |text, expected| check_choice(EvalChoice::Auto, text, expected);
        auto("1. e4 {[%eval 0.31]} e5 {+0.2/1 1s} 2. Nf3 {[%eval 0.5]} *", "- 31 - 50");
        auto("1. e4 {+0.31/9 1s} e5 {[%eval 0.9]} 2. Nf3 {+0.50/9 1s} *", "31 - 50 -");
        auto("1. e4 {book} e5 {d=9, mt=5, wv=-0.20} 2. Nf3 {d=9, mt=5, wv=0.3} *", "- -20 30 -");
        auto("1. e4 {a move} {[%clk 0:01:00]} (1. d4 {+0.2/2 1s}) e5 {[%eval x]} {[%eval 0.4]} *", "- - - 40");
        auto("{+0.9/1 1s} 1. e4 {[%eval 0.2]} e5 {+0.3/1 1s} *", "- -30 -");
        auto("{[%eval 0.2]} 1. e4 {+0.9/1 1s} e5 *", "20 - -");
        // A game whose main line has no evaluations is read like one of Lichess.
        auto("1. e4 {good} (1. d4 {[%eval 0.2]} d5 {+0.3/2 1s}) e5 *", "- - 20 - -");
        auto("1. e4 {+0.3} e5 {-0.3} *", "- - -");
        auto("1. e4 {book} e5 {book} *", "- - -");
    }

    #[test]
    fn the_comment_of_a_move_that_cannot_be_played_counts_for_nothing() {
        check(EvalSource::Engine, "1. e4 {+0.1/2 1s} Ke6 {+0.2/2 1s} *", "10 -");
        check(EvalSource::Engine, "1. e4 {+0.1/2 1s} zz {+0.2/2 1s} *", "10 -");
        check(EvalSource::Engine, "1. e4+- {+0.1/2 1s} D e5 {+0.2/2 1s} -- {+0.3/2 1s} *", "10 -20 30 -");
    }

    #[test]
    fn variations_have_evaluations_of_their_own() {
        let text = "1. e4 {+0.1/2 1s} (1. d4 {+0.2/2 1s} d5 {+0.3/2 1s} (1... Nf6 {+0.4/2 1s} 2. c4 {+0.5/2 1s})) e5 \
            {+0.6/2 1s} *";
        // The start, after e4, d4, d5, Nf6, c4, e5.
        check(EvalSource::Engine, text, "10 -60 -30 - 50 - -");
        let text = "1. e4 {[%eval 0.1]} (1. d4 {[%eval 0.2]} d5 {[%eval 0.3]}) e5 {[%eval x]} *";
        check(EvalSource::Lichess, text, "- 10 20 30 -?");
    }

    #[test]
    fn tcec_evaluates_from_whites_side() {
        check(EvalSource::Tcec, "1. e4 {d=9, wv=0.31} e5 {d=9, wv=-0.20} 2. Nf3 {wv=-M4, mb=+0} *", "31 -20 #-2 -");
        check(EvalSource::Tcec, "1. e4 {book, mb=+0} e5 {d=9, wv=x} 2. Nf3 {+0.31/14 0.5s} *", "- -? - -");
    }

    #[test]
    fn only_evaluations_of_lichess_are_those_of_the_annotation() {
        for (source, expected) in [(EvalSource::Lichess, true), (EvalSource::Engine, false), (EvalSource::Tcec, false)]
        {
            let options = ReplayOptions { evals: source.into(), ..ReplayOptions::default() };
            let mut replay = Games::new(b"1. e4 {[%eval 0.3]} *").next().unwrap().replay_with(&options).unwrap();
            replay.next_ply();
            assert_eq!((replay.annotation_has_evals(), replay.eval_source()), (expected, source));
            // The annotation has them in any case.
            assert_eq!(replay.annotation().eval, Some(Eval::Centipawns(30)));
            assert!(!replay.has_stated_eval());
        }
    }

    #[test]
    fn an_evaluation_that_an_operation_states_is_no_annotation() {
        for (operations, stated) in [("", None), (" ce 31;", Some(Eval::Centipawns(31))), (" id \"a\";", None)] {
            let line = format!("4k3/8/8/8/8/8/4P3/4K3 w - -{operations}");
            let text = Chunk { form: Form::Positions, ..Chunk::whole(line.as_bytes()) };
            let replay = Games::within(text, 0..line.len()).next().unwrap().replay().unwrap();
            assert_eq!(replay.search(|_| {}).eval, stated, "{line}");
            let has_stated = replay.has_stated_eval();
            assert_eq!((has_stated, replay.annotation_has_evals()), (stated.is_some(), stated.is_none()), "{line}");
        }
    }

    #[test]
    fn an_evaluation_and_a_clock_are_searched_together_as_they_are_apart() {
        let text = "1. e4 {+0.1/2 1s} {[%eval 0.3] [%clk 0:00:09]} {[%eval 0.4] [%clk 0:00:08]} e5 {[%eval x]} \
            {[%clk x]} 2. d4 {+0.2/2 1s} {[%clk 1:00]} d5 {[%clk x]} {[%clk 0:00:01]} *";
        for source in EvalSource::ALL {
            let options = ReplayOptions { evals: source.into(), ..ReplayOptions::default() };
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay_with(&options).unwrap();
            let mut clocks = Vec::new();
            loop {
                let (mut apart, mut together) = (Vec::new(), Vec::new());
                let expected = (replay.search(|unread| apart.push(unread)), replay.clock(|unread| apart.push(unread)));
                assert_eq!(replay.search_and_clock(|unread| together.push(unread)), expected);
                assert_eq!(together, apart);
                clocks.push(expected.1);
                if replay.next_ply().is_none() {
                    break;
                }
            }
            assert_eq!(clocks, [None, Some(9.0), None, None, Some(1.0)], "{source:?}");
        }
    }

    #[test]
    fn a_move_is_judged_by_the_evaluations_around_it() {
        let text = b"1. e4 {[%eval 0.2]} e5 {[%eval 3.0]} 2. Nf3 Nc6 {[%eval 3.0]} 3. Ba6 {[%eval -3.0]} *";
        let mut replay = Games::new(text).next().unwrap().replay().unwrap();
        assert_eq!(replay.judge(), None);
        let mut judged = Vec::new();
        while let Some(Ok(_)) = replay.next_ply() {
            judged.push(replay.judge().map(|judged| (judged.player, judged.judgement())));
        }
        let (white, black, blunder) = (Color::White, Color::Black, Some(Judgement::Blunder));
        assert_eq!(judged, [Some((white, None)), Some((black, blunder)), None, None, Some((white, blunder))]);
    }

    #[test]
    fn the_source_of_comments_that_are_not_read_is_told() {
        for (text, expected) in [
            ("1. e4 {+0.1/2 1s} *", Some(EvalSource::Engine)),
            ("1. e4 {a} {d=9, wv=0.31} *", Some(EvalSource::Tcec)),
            ("1. e4 {[%eval 0.1]} *", None),
            ("1. e4 {a} *", None),
        ] {
            let options = ReplayOptions { evals: EvalSource::Lichess.into(), ..ReplayOptions::default() };
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay_with(&options).unwrap();
            replay.next_ply();
            assert_eq!(replay.source_of_comments(), expected, "{text}");
        }
    }

    #[test]
    fn a_warning_tells_why_a_time_is_not_read() {
        use crate::replay::clocks::ClockRules;
        let reason = |text: &str| {
            let game = Games::new(text.as_bytes()).next().unwrap();
            let mut replay = game.replay().unwrap();
            replay.next_ply();
            replay.see_clock(&ClockRules::of(game.tags(), true));
            let warnings = replay.take_warnings().filter(|warning| warning.kind == Kind::UnreadClock);
            let shown =
                warnings.map(|warning| format!("{}@{} {}", warning.reason, warning.offset, warning.ply.unwrap()));
            shown.collect::<Vec<_>>().join("; ")
        };
        let two = "these may be hours and minutes, or minutes and seconds, and neither the time control nor the other \
            clocks of the game say which";
        assert_eq!(reason("1. e4 {[%clk 1:30]} *"), format!("{two}@6 1"));
        assert_eq!(reason("1. e4 {[%emt 1:30]} *"), format!("{two}@6 1"));
        assert_eq!(reason("1. e4 {[%clk x]} *"), "the clock cannot be read@6 1");
        assert_eq!(reason("1. e4 {a} {[%emt x]} *"), "the time of the move cannot be read@10 1");
        assert_eq!(reason("1. e4 ; [%emt x]\n *"), "the time of the move cannot be read@6 1");
        assert_eq!(reason("1. e4 {[%clk 0:01:30]} *"), "");
    }

    #[test]
    fn an_evaluation_that_is_not_read_is_told_with_its_move() {
        for (source, text, before, expected) in [
            (EvalSource::Lichess, "1. e4 {[%eval x]} *", 1, 1),
            (EvalSource::Engine, "1. e4 {+0.1/} *", 0, 1),
            (EvalSource::Engine, "1. e4 e5 {+0.1/} *", 1, 2),
        ] {
            let options = ReplayOptions { evals: source.into(), ..ReplayOptions::default() };
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay_with(&options).unwrap();
            for _ in 0..before {
                replay.next_ply();
            }
            let mut told = Vec::new();
            replay.search(|warning| told.push((warning.kind, warning.ply, warning.reason)));
            assert_eq!(told, [(Kind::UnreadEval, Some(expected), "the evaluation cannot be read".into())], "{text}");
        }
    }
}
