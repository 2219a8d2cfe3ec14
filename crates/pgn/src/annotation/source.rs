//! The sources of evaluations: which comments are read, from whose side they are, and which position they evaluate.

use crate::annotation::report::{CommentReading, EngineReport};
use crate::annotation::{Eval, commands, engine, tcec};
use pgn2fen_chess::piece::Color;

/// The comments of a game in which evaluations are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EvalChoice {
    /// Those of the kind of the first comment of the main line that has an evaluation. Each game has its own kind.
    #[default]
    Auto,
    /// Those of one kind.
    Source(EvalSource),
}

impl EvalChoice {
    /// All choices.
    pub const ALL: [Self; 4] = [
        Self::Auto,
        Self::Source(EvalSource::Lichess),
        Self::Source(EvalSource::Engine),
        Self::Source(EvalSource::Tcec),
    ];

    /// Returns the name of the choice: `auto`, or the name of the source.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Source(source) => source.name(),
        }
    }

    /// Returns the choice with this name.
    ///
    /// ```
    /// use pgn2fen_pgn::annotation::{EvalChoice, EvalSource};
    ///
    /// assert_eq!(EvalChoice::named("auto"), Some(EvalChoice::Auto));
    /// assert_eq!(EvalChoice::named("tcec"), Some(EvalSource::Tcec.into()));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.name() == name)
    }
}

impl From<EvalSource> for EvalChoice {
    fn from(source: EvalSource) -> Self {
        Self::Source(source)
    }
}

/// A kind of comments in which evaluations are found. Comments of the other kinds are not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvalSource {
    /// The command `[%eval …]`, as Lichess and ChessBase write it: from White's side, of the position after the move.
    #[default]
    Lichess,
    /// The comments of cutechess, fastchess, fishtest, OpenBench, XBoard and Arena, such as `+0.31/14 0.5s`: from the
    /// side that made the move, of the position before the move, which the engine searched.
    Engine,
    /// The comments of TCEC, such as `d=32, mt=12345, wv=0.31`: from White's side, of the position before the move,
    /// which the engine searched.
    Tcec,
}

impl EvalSource {
    /// All sources.
    pub const ALL: [Self; 3] = [Self::Lichess, Self::Engine, Self::Tcec];

    /// Returns the name of the source: `lichess`, `engine` or `tcec`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lichess => "lichess",
            Self::Engine => "engine",
            Self::Tcec => "tcec",
        }
    }

    /// Returns the source with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.name() == name)
    }

    /// Returns an example of a comment, with its braces.
    pub fn example(self) -> &'static str {
        match self {
            Self::Lichess => "{[%eval 0.31]}",
            Self::Engine => "{+0.31/14 0.5s}",
            Self::Tcec => "{d=32, …, wv=0.31, …}",
        }
    }

    /// Whether the comment behind a move evaluates the position before the move. Otherwise it evaluates the position
    /// after the move.
    #[inline]
    pub fn is_of_position_before(self) -> bool {
        self != Self::Lichess
    }

    /// Whether the evaluations are from the point of view of the side that made the move. Otherwise they are from
    /// White's point of view.
    #[inline]
    pub fn is_from_mover(self) -> bool {
        self == Self::Engine
    }

    /// Reads a comment, which is given without its braces. The evaluation is from the point of view that the comment
    /// has.
    ///
    /// ```
    /// use pgn2fen_pgn::annotation::{Eval, EvalSource, CommentReading, EngineReport};
    ///
    /// let (eval, depth) = (Some(Eval::Centipawns(31)), Some(14));
    /// let search = EngineReport { eval, depth, time: Some(0.5), nodes: Some(12345) };
    /// assert_eq!(EvalSource::Engine.read(b"+0.31/14 0.5s, n=12345"), CommentReading::Read(search));
    /// assert_eq!(EvalSource::Tcec.read(b"d=14, mt=500, n=12345, wv=0.31"), CommentReading::Read(search));
    /// assert_eq!(EvalSource::Engine.read(b"a quiet move"), CommentReading::Other);
    /// assert_eq!(EvalSource::Engine.read(b"+0.31/x"), CommentReading::Unread);
    /// ```
    pub fn read(self, comment: &[u8]) -> CommentReading {
        match self {
            Self::Lichess => commands::read_eval(comment),
            Self::Engine => engine::read(comment),
            Self::Tcec => tcec::read(comment),
        }
    }

    /// Returns the source whose comments have an evaluation where this one has. None if it has no evaluation that can
    /// be read.
    #[doc(hidden)]
    #[inline]
    pub fn of(comment: &[u8]) -> Option<Self> {
        // Most comments have neither `[%eval` nor `wv=`, and do not begin like a score.
        let sources = if memchr::memchr(b'v', comment).is_some() { &Self::ALL[..] } else { &[Self::Engine] };
        sources
            .iter()
            .copied()
            .find(|source| matches!(source.read(comment), CommentReading::Read(EngineReport { eval: Some(_), .. })))
    }
}

impl Eval {
    /// Returns the number of the column `eval`: centipawns from White's point of view. Mate in n moves is ±(32000 − n).
    /// `turn` is the side to move.
    ///
    /// ```
    /// use pgn2fen_chess::piece::Color;
    /// use pgn2fen_pgn::annotation::Eval;
    ///
    /// assert_eq!(Eval::Centipawns(-31).centipawns(Color::White), -31);
    /// assert_eq!([3, -3, i32::MAX].map(|moves| Eval::Mate(moves).centipawns(Color::White)), [31_997, -31_997, 0]);
    /// assert_eq!([Color::White, Color::Black].map(|turn| Eval::Mate(0).centipawns(turn)), [-32_000, 32_000]);
    /// ```
    pub fn centipawns(self, turn: Color) -> i32 {
        const MATE: i32 = 32_000;
        match self {
            Self::Centipawns(centipawns) => centipawns,
            // The side to move is mated.
            Self::Mate(0) if turn == Color::White => -MATE,
            Self::Mate(0) => MATE,
            Self::Mate(moves) if moves < 0 => -(MATE + moves.max(-MATE)),
            Self::Mate(moves) => MATE - moves.min(MATE),
        }
    }

    /// Returns the evaluation from the point of view of the other side.
    ///
    /// ```
    /// use pgn2fen_pgn::annotation::Eval;
    ///
    /// assert_eq!(Eval::Mate(-3).reversed(), Eval::Mate(3));
    /// ```
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Centipawns(centipawns) => Self::Centipawns(centipawns.saturating_neg()),
            Self::Mate(moves) => Self::Mate(moves.saturating_neg()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CommentReading, EvalChoice, EvalSource};
    use crate::annotation::Eval;
    use pgn2fen_chess::piece::Color;

    #[test]
    fn a_comment_has_at_most_one_source() {
        for source in EvalSource::ALL {
            let example = source.example().trim_start_matches('{').trim_end_matches('}');
            assert_eq!(EvalSource::of(example.as_bytes()), Some(source));
            for other in EvalSource::ALL.into_iter().filter(|other| *other != source) {
                assert_eq!(other.read(example.as_bytes()), CommentReading::Other, "{example} as {}", other.name());
            }
            assert_eq!(EvalSource::named(source.name()), Some(source));
        }
        assert_eq!(EvalSource::of(b"book"), None);
        assert_eq!(EvalSource::of(b"[%clk 0:01:00]"), None);
    }

    #[test]
    fn a_mate_is_worth_more_the_nearer_it_is() {
        let [white, black] = [Color::White, Color::Black];
        for (eval, turn, centipawns, reversed) in [
            (Eval::Centipawns(-31), white, -31, Eval::Centipawns(31)),
            (Eval::Centipawns(i32::MIN), black, i32::MIN, Eval::Centipawns(i32::MAX)),
            (Eval::Mate(0), white, -32_000, Eval::Mate(0)),
            (Eval::Mate(0), black, 32_000, Eval::Mate(0)),
            (Eval::Mate(1), black, 31_999, Eval::Mate(-1)),
            (Eval::Mate(-1), white, -31_999, Eval::Mate(1)),
            (Eval::Mate(3), white, 31_997, Eval::Mate(-3)),
            (Eval::Mate(32_001), white, 0, Eval::Mate(-32_001)),
            (Eval::Mate(i32::MIN), white, 0, Eval::Mate(i32::MAX)),
        ] {
            assert_eq!((eval.centipawns(turn), eval.reversed()), (centipawns, reversed), "{eval:?}");
        }
    }

    #[test]
    fn a_choice_is_found_by_its_name() {
        for choice in EvalChoice::ALL {
            assert_eq!(EvalChoice::named(choice.name()), Some(choice));
        }
        assert_eq!(EvalChoice::ALL.map(EvalChoice::name), ["auto", "lichess", "engine", "tcec"]);
        assert_eq!(EvalChoice::named("none"), None);
    }
}
