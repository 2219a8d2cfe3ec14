//! Reads a position from a text in which other things stand around it, or which leads to the position by moves.

use crate::diagnostic::Kind;
use crate::lexical::is_blank;
use crate::lists::escapes::unescaped;
use crate::lists::record::{Beginning, Record, RecordLabel};
use crate::replay::symbol;
use pgn2fen_chess::fen::{self, Repair};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;

/// A position in a text that is not a FEN.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Recognised {
    /// The position. If moves stand behind it, it is the position after the last one.
    pub position: Position,
    /// How the text differs from a FEN.
    pub(crate) notes: Vec<Note>,
}

/// A deviation of a text from a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// A repair of the FEN or of its position.
    Repair(Repair),
    /// Something about the text around the FEN.
    Around(&'static str),
}

impl Note {
    /// Returns the note as the text of a message.
    pub(crate) fn text(self) -> String {
        match self {
            Self::Repair(repair) => repair.to_string(),
            Self::Around(text) => text.to_owned(),
        }
    }
}

/// The reason why a position cannot be read.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenFault {
    pub(crate) kind: Kind,
    /// The place of the fault in the text, in bytes.
    pub(crate) offset: usize,
    pub reason: String,
}

impl Recognised {
    /// Reads the position of chess in a text. `turn` is the side to move if the text does not tell it; without it, it
    /// is White, or Black if Black is in check. Returns `None` if there is no position in the text, or if it is not
    /// certain that it is the one that is meant.
    ///
    /// The moves behind `moves`, as in the UCI command `position`, are played, in UCI notation or as SAN: the command
    /// means the position after them.
    ///
    /// # Errors
    ///
    /// The FEN is wrong, or a move cannot be played.
    pub fn read(text: &[u8], turn: Option<Color>) -> Option<Result<Self, FenFault>> {
        Self::read_by(text, turn, |_| Ok(Rules::Chess))
    }

    /// Reads the position in a text like [`read`](Self::read), of a game whose rules `rules_of` returns.
    pub(crate) fn read_by(
        text: &[u8],
        turn: Option<Color>,
        rules_of: impl Fn(&Record<'_>) -> Result<Rules, FenFault>,
    ) -> Option<Result<Self, FenFault>> {
        let read = |text: &[u8]| {
            let record = Record::find(text)?;
            Some(rules_of(&record).and_then(|rules| read_record(&record, rules, turn)))
        };
        let found = read(text);
        if matches!(found, Some(Ok(_))) {
            return found;
        }
        match unescaped(text).and_then(|plain| read(&plain)) {
            Some(Ok(mut recognised)) => {
                recognised.notes.push(Note::Around("escapes and special characters are read as what they stand for"));
                Some(Ok(recognised))
            }
            // The place of another fault is that in the text without escapes.
            Some(Err(fault)) if found.is_none() && fault.kind == Kind::UnsupportedVariant => {
                Some(Err(FenFault { offset: 0, ..fault }))
            }
            _ => found,
        }
    }
}

/// Reads a position, and plays the moves behind it.
fn read_record(record: &Record<'_>, rules: Rules, turn: Option<Color>) -> Result<Recognised, FenFault> {
    let (start, moves) = record.split_moves();
    let mut notes = Vec::new();
    if matches!(record.label, RecordLabel::Plain | RecordLabel::Words) {
        notes.push(Note::Around("text around the position is ignored"));
    }
    let mut position = match record.beginning() {
        Beginning::Startpos => {
            if !start.eq(b"startpos") {
                notes.push(Note::Repair(Repair::Text(fen::Oddity::Remark)));
            }
            Position::start(rules)
        }
        Beginning::Board => {
            let reading = fen::read_without_turn(rules, start, turn).map_err(|error| {
                let error = error.moved(record.start);
                let offset = error.offset().unwrap_or(record.start);
                FenFault { kind: Kind::BadFen, offset, reason: error.to_string() }
            })?;
            notes.extend(reading.repairs.iter().map(Note::Repair));
            reading.position
        }
    };
    for word in moves.into_iter().flat_map(words) {
        let m = match Uci::from_ascii(word).and_then(|uci| uci.find(&position)) {
            Some(m) => m,
            None => match symbol::read(word, &position, &Letters::ENGLISH, None) {
                Ok(symbol) => symbol.resolved.mv,
                Err(error) => {
                    let within = word.as_ptr().addr() - record.text.as_ptr().addr();
                    let reason = format!("{}: {error}", word.escape_ascii());
                    return Err(FenFault { kind: Kind::BadFen, offset: record.start + within, reason });
                }
            },
        };
        position.play_unchecked(m);
    }
    Ok(Recognised { position, notes })
}

/// Returns the words up to a mark that begins a remark.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_separator = |byte: &u8| is_blank(*byte) || *byte == b',';
    let end = text.iter().position(|byte| b";#|{([\"".contains(byte)).unwrap_or(text.len());
    text[..end].split(is_separator).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::any;
    use proptest::sample::{Index, select};
    use proptest::{prop_assert, proptest};

    use super::{Recognised, unescaped};

    const FEN: &str = "r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 5 39";

    /// Checks that a text is read as a position, with these notes.
    #[track_caller]
    fn check(text: &str, fen: &str, notes: &[&str]) {
        let read = Recognised::read(text.as_bytes(), None).unwrap_or_else(|| panic!("no position in {text}"));
        let read = read.unwrap_or_else(|fault| panic!("{text}: {fault:?}"));
        assert_eq!(read.position.to_string(), fen, "{text}");
        assert_eq!(read.notes.iter().map(|note| note.text()).collect::<Vec<_>>(), notes, "{text}");
    }

    const AROUND: &str = "text around the position is ignored";
    const ESCAPES: &str = "escapes and special characters are read as what they stand for";
    const REMARK: &str = "text behind the FEN is ignored";

    #[test]
    fn a_label_before_a_position_is_passed_over() {
        for label in [
            "1. ",
            "12) ",
            "#3: ",
            "12: ",
            "(7) ",
            "[7] ",
            "3 - ",
            "a) ",
            "FEN: ",
            "fen=",
            "FEN ",
            "EPD: ",
            "Position 3: ",
            "- ",
            "* ",
            "• ",
            "> ",
            "| 3 | ",
            "12\t",
            "12,",
            "No. 5: ",
            "№ 5 ",
            "setboard ",
            "Diagram 12: ",
            "{\"id\":3,\"fen\":",
            "Lucena position: ",
            "WAC.001: ",
            "info string fen ",
            "1234 >Engine(0): position fen ",
            "<td>",
            "Партия 3: ",
        ] {
            check(&format!("{label}{FEN}"), FEN, &[AROUND]);
        }
        for command in ["position fen ", "fen ", "position ", " "] {
            check(&format!("{command}{FEN}"), FEN, &[]);
        }
    }

    #[test]
    fn quotes_and_brackets_around_a_position_are_left_out() {
        for (open, close) in [
            ("\"", "\""),
            ("'", "'"),
            ("“", "”"),
            ("„", "“"),
            ("«", "»"),
            ("`", "`"),
            ("(", ")"),
            ("[", "]"),
            ("\"", "\","),
            ("[\"", "\"]"),
            ("{\"fen\": \"", "\", \"cp\": 20}"),
            ("1. \"", "\" and more"),
            ("<td>", "</td>"),
        ] {
            let notes: &[&str] = if open == "<td>" { &[AROUND, REMARK] } else { &[AROUND] };
            check(&format!("{open}{FEN}{close}"), FEN, notes);
        }
    }

    #[test]
    fn escapes_are_undone() {
        for text in [
            FEN.replace('/', "&#47;"),
            FEN.replace('/', "&#x2F;").replace(' ', "&nbsp;"),
            FEN.replace(' ', "%20"),
            FEN.replace('/', "\\/"),
            FEN.replace('-', "–").replace(' ', "\u{a0}"),
            FEN.replace('/', " / "),
        ] {
            check(&text, FEN, &[ESCAPES]);
        }
        for text in [
            format!("https://lichess.org/analysis/{}", FEN.replace(' ', "_")),
            format!("https://lichess.org/editor/{}", FEN.replace(' ', "_")),
        ] {
            check(&text, FEN, &[AROUND, "'_' stands for blanks"]);
        }
        check(&format!("https://a.b/c?fen={}", FEN.replace('/', "%2F").replace(' ', "+")), FEN, &[AROUND, ESCAPES]);
    }

    #[test]
    fn moves_lead_to_the_position_after_them() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let open = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2";
        for text in ["position startpos", "startpos", "position startpos moves", "startpos moves  "] {
            check(text, start, &[]);
        }
        for text in ["position startpos moves e2e4 e7e5", "startpos moves e4 e5", "startpos moves e2e4 e7e5 ; open"] {
            check(text, open, &[]);
        }
        check(&format!("position fen {start} moves e2e4 e7e5"), open, &[]);
        check(&format!("position fen {FEN} moves e1g1 e8c8"), "2kr3r/8/8/8/8/8/4P3/R4RK1 w - - 7 40", &[]);
        check("1. startpos moves e2e4 e7e5", open, &[AROUND]);
    }

    #[test]
    fn a_missing_side_to_move_is_white_unless_black_is_in_check() {
        let missing = "the side to move is missing; it is White, unless the moves or a check show that it is Black";
        let fields = "missing fields are taken as - - 0 1";
        check("4k3/8/8/8/8/8/4P3/4K3", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", &[fields, missing]);
        check("4k3/8/8/8/8/8/4R3/4K3", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", &[fields, missing]);
        check("r3k2r/8/8/8/8/8/4P3/R3K2R KQkq - 5 39", FEN, &[missing]);
    }

    #[test]
    fn what_is_not_certain_is_no_position() {
        for text in [
            "",
            "The position is 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "after e4: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "1. e4 e5 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "8/8/8/8/8/8/8 w - - 0 1",
            "9/8/8/8/8/8/8/8 w - - 0 1",
            "startposition",
            "prose[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]",
            "x4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        ] {
            assert!(Recognised::read(text.as_bytes(), None).is_none(), "{text}");
        }
    }

    proptest! {
        /// Whatever is read, its board is the one in the text.
        #[test]
        fn no_other_board_is_read(
            label in select(vec!["", "1. ", "FEN: ", "\"", "https://a.org/b/", "x ", "[", "e4 ", "#1 "]),
            behind in select(vec!["", " # note", ";20", "\"", " moves e2e3", " | 0.5", ",0.1", " w - - 0 1", "&#47;"]),
            edits in vec(
                (any::<Index>(), select(b" \t_/-?;|,.:#\"'0189wbKQkqpnPN3e%&\\\xe2".to_vec()), any::<bool>()),
                0..4,
            ),
        ) {
            let mut text = format!("{label}{FEN}{behind}").into_bytes();
            for (place, byte, insert) in edits {
                let place = place.index(text.len());
                if insert { text.insert(place, byte) } else { text[place] = byte }
            }
            match Recognised::read(&text, None) {
                Some(Ok(read)) => {
                    let letters = |text: &[u8]| -> String {
                        text.iter().map(|byte| char::from(*byte)).filter(|char| !char.is_ascii_digit()).collect()
                    };
                    let plain = unescaped(&text).unwrap_or_default();
                    let board = read.position.to_string();
                    let board = letters(board.split(' ').next().unwrap().as_bytes());
                    // A move may have changed the board.
                    let is_moved = text.windows(5).any(|word| word == b"moves");
                    let is_there = [&text, &plain].iter().any(|text| letters(text).contains(&board));
                    prop_assert!(is_moved || is_there, "{}", text.escape_ascii());
                }
                Some(Err(fault)) => prop_assert!(fault.offset <= text.len()),
                None => {}
            }
        }
    }

    #[track_caller]
    fn check_fault(text: &str, offset: usize, reason: &str) {
        let fault = Recognised::read(text.as_bytes(), None).expect(text).expect_err(text);
        assert_eq!(fault.offset, offset, "{text}: {fault:?}");
        assert!(fault.reason.contains(reason), "{text}: {fault:?}");
    }

    #[test]
    fn a_fault_has_its_place() {
        check_fault("1. 4k3/8/8/8/8/8/8/4K3 x - - 0 1", 23, "the side to move is 'x'");
        check_fault("position startpos moves e2e4 e2e4", 29, "e2e4: ");
        check_fault(&format!("\"{FEN}\", \"{FEN}\""), FEN.len() + 5, "another board follows");
        check_fault(&format!("1. {FEN} -> {FEN}"), FEN.len() + 7, "another board follows");
    }
}
