//! The position of a request, and the way to it.

use crate::json::Json;
use crate::parameters::Parameters;
use crate::refusal::Refusal;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, EpStyle, FenStyle};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::{Opening, Tracker};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::replay::Recognised;
use pgn2fen_games::typed::read_position_by;

/// The greatest number of moves in `play`. No game of chess is nearly as long in practice.
const MOST_MOVES: usize = 2000;

/// A starting position and moves from there.
#[derive(Clone, Debug)]
pub(super) struct PlayedLine {
    pub(super) start: Position,
    /// The moves, each with the position before it.
    pub(super) moves: Vec<(Position, Move)>,
    pub(super) position: Position,
    openings: Tracker,
}

impl PlayedLine {
    /// Reads `fen` and `play` by these rules.
    ///
    /// # Errors
    ///
    /// Refuses a FEN that cannot be read, and moves that are not legal.
    pub(super) fn read(parameters: &Parameters, rules: Rules) -> Result<Self, Refusal> {
        let start = match parameters.one("fen")? {
            Some(text) => start(text, rules).map_err(|error| Refusal::senseless(format!("fen: {error}")))?,
            None => Position::start(rules),
        };
        let mut line = Self::new(start);
        for (nth, word) in parameters.one("play")?.into_iter().flat_map(|play| play.split(',')).enumerate() {
            if nth == MOST_MOVES {
                return Err(Refusal::senseless(format!("play: there are more than {MOST_MOVES} moves")));
            }
            let m = find_move(word, &line.position).ok_or_else(|| {
                let word: String = word.chars().take(10).collect();
                Refusal::senseless(format!("play: move {} is not legal or not in UCI notation: {word}", nth + 1))
            })?;
            line.play(m);
        }
        Ok(line)
    }

    /// Reads a position that a person typed: a FEN, moves, or both, by these rules. `letters` are the piece letters of
    /// the moves.
    ///
    /// # Errors
    ///
    /// Refuses a text that is not a position. The line of the refusal has further lines with the text and carets under
    /// the mistake.
    pub(super) fn typed(text: &str, rules: Rules, letters: &Letters) -> Result<Self, Refusal> {
        let typed =
            read_position_by(text, letters, Some(rules)).map_err(|mistake| Refusal::new(400, mistake.to_string()))?;
        let mut line = Self::new(typed.start);
        typed.moves.into_iter().for_each(|m| line.play(m));
        Ok(line)
    }

    fn new(start: Position) -> Self {
        let mut openings = Tracker::default();
        openings.see(&start);
        Self { position: start.clone(), start, moves: Vec::new(), openings }
    }

    fn play(&mut self, m: Move) {
        self.moves.push((self.position.clone(), m));
        self.position.play_unchecked(m);
        self.openings.see(&self.position);
    }

    /// Returns the opening of the line: the last name on the way.
    pub(super) fn opening(&self) -> Option<Opening> {
        self.openings.opening()
    }

    /// Returns the opening of the line with one more move.
    pub(super) fn opening_with(&self, m: Move) -> Option<Opening> {
        let mut openings = self.openings;
        let mut position = self.position.clone();
        position.play_unchecked(m);
        openings.see(&position);
        openings.opening()
    }
}

/// Reads the value of `fen`, which may have been pasted with other things around it.
fn start(text: &str, rules: Rules) -> Result<Position, String> {
    fen::read_by(rules, text.as_bytes()).map(|reading| reading.position).or_else(|error| {
        if rules != Rules::Chess {
            return Err(error.to_string());
        }
        match Recognised::read(text.as_bytes(), None) {
            Some(Ok(recognised)) => Ok(recognised.position),
            Some(Err(fault)) => Err(fault.reason),
            None => Err(error.to_string()),
        }
    })
}

/// Returns the FEN of a position. The en passant square is there if the capture is legal.
pub(super) fn fen_of(position: &Position) -> String {
    fen::to_string(position, FenStyle { ep: EpStyle::Legal, ..FenStyle::default() })
}

/// Returns a move in UCI notation. Castling is the king taking its own rook, whatever the game is, as in the answers of
/// the public explorer.
pub(super) fn uci_of(m: Move) -> String {
    m.to_uci(CastlingRules::Chess960)
}

/// Writes moves, each of which comes with the position before it. `end` is the position after the last one.
pub(super) fn write_moves(moves: &[(Position, Move)], end: &Position, json: &mut Json) {
    let after = moves.iter().skip(1).map(|(position, _)| position).chain([end]);
    json.array(moves.iter().zip(after), |json, ((before, m), after)| {
        json.object(|object| {
            object.text("uci", &uci_of(*m));
            object.text("san", &m.to_san(before));
            object.text("fen", &fen_of(after));
        });
    });
}

/// Finds the legal move with this notation.
fn find_move(word: &str, position: &Position) -> Option<Move> {
    Uci::from_ascii(word.as_bytes())?.find(position)
}

#[cfg(test)]
mod tests {
    use super::{PlayedLine, fen_of, find_move, uci_of};
    use crate::parameters::Parameters;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_chess::san::Letters;
    use pgn2fen_chess::testing::position;

    /// Finds a move, and writes it as answers do; an empty text if it is not legal.
    #[track_caller]
    fn check(fen: &str, word: &str, expected: &str) {
        let position = position(fen);
        let found = find_move(word, &position).map(uci_of);
        assert_eq!(found.unwrap_or_default(), expected, "{word} in {fen}");
    }

    #[test]
    fn castling_is_understood_in_both_notations() {
        let orthodox = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(orthodox, "e1g1", "e1h1");
        check(orthodox, "e1h1", "e1h1");
        check(orthodox, "e1c1", "e1a1");
        check(orthodox, "e1a1", "e1a1");
        check(orthodox, "e1f1", "e1f1");
        check(orthodox, "e1b1", "");
        // The king goes one square to castle, which is also a move of the king alone.
        let close = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
        check(close, "f1h1", "f1h1");
        check(close, "f1g1", "f1g1");
        let far = "1k6/8/8/8/8/8/8/RK6 w A - 0 1";
        check(far, "b1a1", "b1a1");
        check(far, "b1c1", "b1c1");
    }

    #[test]
    fn what_is_not_a_legal_move_is_refused() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for word in ["e2e5", "e7e5", "e1g1", "e1h1", "E2E4", "e2e4q", "Nf3", "", "é2é4"] {
            check(start, word, "");
        }
        check(start, "0000", "0000");
    }

    #[track_caller]
    fn check_line(query: &str, expected: Result<&str, &str>) {
        let line = Parameters::parse(query).and_then(|parameters| PlayedLine::read(&parameters, Rules::Chess));
        match (line, expected) {
            (Ok(line), Ok(fen)) => assert_eq!(fen_of(&line.position), fen),
            (Err(refusal), Err(reason)) => assert!(refusal.line.contains(reason), "{}", refusal.line),
            (line, _) => panic!("{query}: {line:?}"),
        }
    }

    #[test]
    fn a_line_is_a_position_and_moves() {
        check_line("play=e2e4,c7c5", Ok("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
        check_line("fen=4k3/8/8/8/8/8/4P3/4K3+w+-+-+0+1", Ok("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        check_line("play=e2e4,e2e4", Err("move 2 is not legal"));
        check_line("play=e2e4,", Err("move 2 is not legal"));
        check_line("fen=x", Err("fen: "));
        check_line(&format!("play={}", ["g1f3,g8f6,f3g1,f6g8"; 501].join(",")), Err("more than 2000 moves"));
        let typed = PlayedLine::typed("1. e4 c5 2. Nf3", Rules::Chess, &Letters::ENGLISH).unwrap();
        assert_eq!(typed.moves.len(), 3);
        assert_eq!(typed.opening().map(|opening| opening.eco), Some("B27"));
        let german = PlayedLine::typed("1. Sf3", Rules::Chess, &Letters::of("de").unwrap()).unwrap();
        assert_eq!(fen_of(&german.position), "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
        assert!(PlayedLine::typed("Ke2", Rules::Chess, &Letters::ENGLISH).unwrap_err().line.contains("e2"));
    }

    #[test]
    fn a_line_of_a_variant_has_its_own_start_and_drops() {
        #[track_caller]
        fn check(rules: Rules, query: &str, fen: &str) {
            let line = PlayedLine::read(&Parameters::parse(query).unwrap(), rules).unwrap();
            assert_eq!(fen_of(&line.position), fen, "{query}");
        }
        check(
            Rules::Crazyhouse,
            "play=e2e4,d7d5,e4d5,d8d5,P@e6",
            "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3",
        );
        check(
            Rules::Crazyhouse,
            "fen=rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR/Pp+w+KQkq+-+0+3&play=P@e6",
            "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3",
        );
        check(Rules::RacingKings, "play=h2h3", "8/8/8/8/8/7K/krbnNBR1/qrbnNBRQ b - - 1 1");
        let refused = PlayedLine::read(&Parameters::parse("fen=x").unwrap(), Rules::Horde).unwrap_err();
        assert!(refused.line.contains("fen: "), "{}", refused.line);
    }
}
