//! Reads positions that a user types or pastes.
//!
//! The whole text is read. Any text that does not belong to the position is a mistake, which is reported with its
//! place; only around a pasted game with tags, or on other lines than its moves, other text is skipped and told. A text
//! that names no position is a mistake too, such as a result alone or tags without a FEN. The initial position is
//! returned only if the text names it.

mod diagram;
mod link;
mod meant;
mod played;
mod words;

use std::ops::Range;

use crate::parse_error::ParseError;
use crate::typed::link::{is_link, position_of};
use crate::typed::played::{Around, NO_POSITION, TypedStart, play, play_game, play_pasted, tag_section};
use crate::typed::words::{first_move, play_among_words};
use pgn2fen_chess::fen::{self, Oddity, Repair, Repairs};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_chess::square::Square;
use pgn2fen_pgn::lists::board::hand_length;
use pgn2fen_pgn::lists::escapes::unescaped;
use pgn2fen_pgn::lists::record::{Beginning, Record};
use pgn2fen_pgn::lists::told::told_variant;
use pgn2fen_pgn::replay::{VariantPolicy, named_rules, only_played};
use pgn2fen_pgn::symbol::is_move_shaped;

pub use crate::typed::diagram::{TypedDiagram, read_diagram, read_diagram_by};
pub use crate::typed::meant::Meant;
pub use crate::typed::played::TypedPosition;

/// Reads a position. The text is one of:
///
/// - a FEN of four or six fields, or an EPD. A label, quotes or a web address may stand around it (`1. FEN`, `"FEN"`,
///   `fen=FEN`), and a remark behind it. Without a side to move, White is to move, or Black if Black is in check;
/// - `startpos`, the initial position;
/// - moves from the initial position: `1. e4 c5 2. Nf3` or `e2e4 c7c5`;
/// - one of the first two, followed by moves: `startpos moves e2e4`, `8/8/8/3k4/8/8/4P3/4K3 w - - moves e2e4`;
/// - a game with tags, of which FEN, SetUp and Variant are read as in a PGN file:
///   `[FEN "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"] 1. e4`. Text on other lines is skipped and told, as in a file;
/// - moves from the first one in a text of words: `After 1. e4 c5 White has a choice.`;
/// - the address of a web page that contains a FEN or moves:
///   `https://lichess.org/analysis/8/8/8/3k4/8/8/4P3/4K3_w_-_-`.
///
/// Moves may end with a result. `letters` are the piece letters of the moves.
///
/// # Errors
///
/// Returns a [`ParseError`] if the text is none of these, if a move cannot be played, or if text follows the position.
/// If the text is the name of an opening or an ECO code, the mistake has its moves.
pub fn read_position(text: &str, letters: &Letters) -> Result<TypedPosition, ParseError> {
    read_position_by(text, letters, Some(Rules::Chess))
}

/// Reads a position like [`read_position`], of a game with these rules: `startpos` and moves begin in their array, and
/// a FEN has their form. Without rules, the text tells them by the form of its FEN, such as `RNBQKBNR[QNp]` and `3+3`,
/// by its tag Variant, by its address (`lichess.org/analysis/atomic/…`), or by its member `variant` of JSON; if it does
/// not, the game is chess.
///
/// ```
/// use pgn2fen_chess::rules::Rules;
/// use pgn2fen_chess::san::Letters;
/// use pgn2fen_filters::typed::read_position_by;
///
/// let typed = read_position_by("1. e4 d5 2. exd5 Qxd5 3. @e4", &Letters::ENGLISH, Some(Rules::Crazyhouse))?;
/// let fen = "rnb1kbnr/ppp1pppp/8/3q4/4P3/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3";
/// assert_eq!(typed.position.to_string(), fen);
/// assert_eq!(read_position_by(fen, &Letters::ENGLISH, None)?.position, typed.position);
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`read_position`], and an error if the tag Variant of the text names other rules.
pub fn read_position_by(text: &str, letters: &Letters, rules: Option<Rules>) -> Result<TypedPosition, ParseError> {
    read_asked(text, Asked { letters, rules })
}

/// Reads a position like [`read_position_by`], for a job whose option `variant` chooses the rules. The mistake in a
/// text that tells the rules of another variant, by the form of its FEN or by its tag Variant, names the option.
///
/// # Errors
///
/// Returns the errors of [`read_position_by`].
pub fn read_position_of(text: &str, letters: &Letters, rules: Rules) -> Result<TypedPosition, ParseError> {
    let mistake = match read_position_by(text, letters, Some(rules)) {
        Ok(typed) => return Ok(typed),
        Err(mistake) => mistake,
    };
    let told = read_position_by(text, letters, None).map_or(Rules::Chess, |typed| typed.position.rules());
    if told == Rules::Chess || told == rules {
        return Err(mistake);
    }
    let reason = format!("this is a position of {told}, which `variant={}` asks for", told.name());
    Err(ParseError::new(text, trimmed(text, 0..text.len()), reason))
}

const MOVES_BEHIND: &str = "moves stand behind the FEN; write the word moves before them";

/// The piece letters and the rules with which a text is read.
#[derive(Clone, Copy)]
struct Asked<'a> {
    /// The piece letters of moves.
    letters: &'a Letters,
    /// The rules of the game; `None` if the text tells them.
    rules: Option<Rules>,
}

impl Asked<'_> {
    /// Returns the rules and letters of a position in a place of a text that tells the name of a variant. If others are
    /// wanted, that is a mistake.
    fn told(self, variant: Option<&[u8]>, (text, place): (&str, Range<usize>)) -> Result<Self, ParseError> {
        let Some(name) = variant else { return Ok(self) };
        let wrong = |reason: &str| ParseError::new(text, place.clone(), reason.to_owned());
        match named_rules(&String::from_utf8_lossy(name)).map_err(wrong)? {
            None => Ok(self),
            Some(told) if told != Rules::Chess && !Rules::HAVE_VARIANTS => Err(wrong(only_played(VariantPolicy::Play))),
            Some(told) => match self.rules.filter(|wanted| *wanted != told) {
                Some(wanted) => Err(wrong(&format!("this is a position of {told}, and one of {wanted} is wanted"))),
                None => Ok(Self { rules: Some(told), ..self }),
            },
        }
    }

    /// Returns the rules of a text that does not tell any.
    fn rules_of_array(self) -> Rules {
        self.rules.unwrap_or_default()
    }

    /// Returns the rules of a FEN.
    fn rules_of(self, fen: &[u8]) -> Rules {
        self.rules.or_else(|| fen::rules_of_form(fen)).unwrap_or_default()
    }

    /// Whether the text may be of a variant.
    fn may_be_variant(self) -> bool {
        self.rules != Some(Rules::Chess)
    }
}

fn read_asked(text: &str, asked: Asked<'_>) -> Result<TypedPosition, ParseError> {
    let link = Some(text.trim()).filter(|text| is_link(text));
    if let Some(typed) = link.and_then(|link| read_link(link, asked)) {
        return typed;
    }
    read(text, asked)
        .or_else(|mistake| {
            let whole = trimmed(text, 0..text.len());
            match play_pasted(text, whole.clone(), asked) {
                Some((_, Ok(typed))) => Ok(typed),
                // The first mistake is about text that is skipped.
                Some((start, Err(behind))) if start > whole.start => among_words(text, asked).unwrap_or(Err(behind)),
                _ => among_words(text, asked).unwrap_or(Err(mistake)),
            }
        })
        .map_err(|mistake| {
            let whole = trimmed(text, 0..text.len());
            Meant::by(text).map_or(mistake, |meant| ParseError::new(text, whole, meant.to_string()))
        })
}

/// Reads the position in the address of a web page, by the rules that the address tells. None if there is none.
fn read_link(link: &str, asked: Asked<'_>) -> Option<Result<TypedPosition, ParseError>> {
    let position = position_of(link)?;
    let told = asked.told(told_variant(link.as_bytes()), (link, 0..link.len()));
    Some(told.and_then(|asked| read(&position, asked)))
}

/// Reads the address of a web page, or moves, in a text of words. None if there is neither.
fn among_words(text: &str, asked: Asked<'_>) -> Option<Result<TypedPosition, ParseError>> {
    let mut links = text.match_indices("http").map(|(at, _)| &text[at..at + link_length(&text[at..])]);
    if let Some(typed) =
        links.find_map(|link| Some(link).filter(|link| is_link(link)).and_then(|link| read_link(link, asked)))
    {
        return typed.ok().map(Ok);
    }
    play_among_words(text, asked)
}

/// Returns the length of the link that a text begins with. Men in hand in brackets are part of it.
fn link_length(text: &str) -> usize {
    let is_end = |char: char| char.is_whitespace() || "()[]<>\"".contains(char);
    let open = text.find('[').unwrap_or(text.len());
    let hand = open..open + hand_length(&text.as_bytes()[open..]);
    text.char_indices().find(|(at, char)| is_end(*char) && !hand.contains(at)).map_or(text.len(), |(at, _)| at)
}

fn read(text: &str, asked: Asked<'_>) -> Result<TypedPosition, ParseError> {
    let all = trimmed(text, 0..text.len());
    if all.is_empty() {
        return Err(ParseError::new("", 0..0, NO_POSITION));
    }
    if let Some(tags) = tag_section(text, all.clone()) {
        return play_game(text, all, tags, (asked, Around::Refused));
    }
    let (place, asked) = match find(text, all.clone(), asked) {
        Some(TypedText::At(place, variant)) => (place, asked.told(variant, (text, all.clone()))?),
        Some(TypedText::Escaped(plain)) => return read_asked(&plain, asked),
        // The words of the UCI command `position`.
        None => {
            let place = without_word(text, all.clone(), "position");
            (without_word(text, place, "fen"), asked)
        }
    };
    // Text is left out behind a quote or a bracket that closes.
    if let Some(at) = first_move(&text[place.end..all.end]) {
        return Err(ParseError::new(text, place.end + at..all.end, MOVES_BEHIND));
    }
    let start = without_word(text, place.clone(), "startpos");
    let is_named = start != place;
    if is_named || !text[place.clone()].split([' ', '\t', '_']).next().is_some_and(is_board) {
        let moves = without_word(text, start, "moves");
        let start = TypedStart::of(Position::start(asked.rules_of_array()), is_named, Vec::new());
        return play(text, moves, start, (asked, Around::Refused));
    }
    let (fen, moves) = split_moves(text, place);
    let record = text[fen.clone()].as_bytes();
    let reading = fen::read_without_turn(asked.rules_of(record), record, None).map_err(|error| {
        let at = error.offset().map_or(fen.clone(), |offset| {
            let at = (fen.start + offset).min(fen.end);
            at..at + text[at..].chars().next().map_or(0, char::len_utf8)
        });
        ParseError::new(text, at, error.to_string())
    })?;
    if let Some(place) = moves_behind(text, fen.clone(), reading.repairs) {
        return Err(ParseError::new(text, place, MOVES_BEHIND));
    }
    let notes = told(reading.repairs);
    play(text, moves, TypedStart::of(reading.position, true, notes), (asked, Around::Refused))
}

/// The position in a text with other things around it.
enum TypedText<'a> {
    /// The range from its FEN, or from `startpos`, on, and the name of the variant that the text around it tells.
    At(Range<usize>, Option<&'a [u8]>),
    /// The text with its escapes undone. Without them there is no position in the text.
    Escaped(String),
}

/// Finds the position in a text in which labels, quotes or the words of the UCI command `position` stand around it.
fn find<'a>(text: &'a str, all: Range<usize>, asked: Asked<'_>) -> Option<TypedText<'a>> {
    let within = text[all.clone()].as_bytes();
    let is_read = |record: &Record<'_>| {
        let fen = record.split_moves().0;
        record.beginning() == Beginning::Startpos
            || fen::read_setup_by(asked.rules_of(fen), fen, Some(Color::White)).is_ok()
    };
    let found = Record::find(within);
    if found.is_none_or(|record| !is_read(&record))
        && let Some(plain) = unescaped(within)
        && Record::find(&plain).is_some_and(|record| is_read(&record))
    {
        return String::from_utf8(plain).ok().map(TypedText::Escaped);
    }
    let Record { start, text: record, variant, .. } = found?;
    Some(TypedText::At(all.start + start..all.start + start + record.len(), variant))
}

/// Returns the ranges of the FEN and of the moves in a text that begins with a FEN.
fn split_moves(text: &str, place: Range<usize>) -> (Range<usize>, Range<usize>) {
    match text[place.clone()].find(" moves ") {
        Some(at) => (place.start..place.start + at, place.start + at + " moves ".len()..place.end),
        None => (place.clone(), place.end..place.end),
    }
}

/// Returns what a person should know about the text of a position.
fn told(repairs: Repairs) -> Vec<String> {
    let is_told = |repair: &Repair| match repair {
        Repair::Position(_) => true,
        Repair::Text(oddity) => {
            matches!(oddity, Oddity::OddOperations | Oddity::Remark | Oddity::TurnInWords | Oddity::MissingTurn)
        }
    };
    repairs.iter().filter(is_told).map(|repair| repair.to_string()).collect()
}

/// Returns the place of moves behind a FEN, which somebody may have typed to have them played.
fn moves_behind(text: &str, fen: Range<usize>, repairs: Repairs) -> Option<Range<usize>> {
    if !repairs.iter().any(|repair| repair == Repair::Text(Oddity::Remark)) {
        return None;
    }
    let end =
        text[fen.clone()].find([';', '#', '|', '(', '[', '{', '"', ',']).map_or(fen.end, |length| fen.start + length);
    let is_field = |nth: usize, word: &str| match nth {
        0 | 1 if word.chars().all(|char| "KQkqABCDEFGHabcdefgh".contains(char)) => true,
        0 | 1 if Square::from_ascii(word.as_bytes()).is_some() => true,
        _ => nth < 4 && (word == "-" || word.bytes().all(|byte| byte.is_ascii_digit())),
    };
    let behind_turn = text[fen.start..end].split_ascii_whitespace().skip(2).enumerate();
    let mut behind = behind_turn.skip_while(|(nth, word)| is_field(*nth, word)).map(|(_, word)| word);
    let number = |char: char| char.is_ascii_digit() || char == '.';
    let word = behind.find(|word| is_move_shaped(word.trim_start_matches(number).as_bytes()))?;
    let start = word.as_ptr().addr() - text.as_ptr().addr();
    Some(start..start + word.len())
}

/// Whether a word looks like the board of a FEN, correct or not.
fn is_board(word: &str) -> bool {
    word.matches('/').count() >= 2
}

/// Returns the range after `word`, or the whole range if the text in it does not begin with that word.
fn without_word(text: &str, place: Range<usize>, word: &str) -> Range<usize> {
    match text[place.clone()].strip_prefix(word) {
        Some(rest) if rest.is_empty() || rest.starts_with([' ', '\t']) => {
            trimmed(text, place.end - rest.len()..place.end)
        }
        _ => place,
    }
}

/// Returns the range without leading and trailing white space. A byte order mark counts as white space.
fn trimmed(text: &str, place: Range<usize>) -> Range<usize> {
    let is_blank = |char: char| char.is_whitespace() || char == '\u{feff}';
    let within = &text[place.clone()];
    let start = place.start + (within.len() - within.trim_start_matches(is_blank).len());
    start..start + within.trim_matches(is_blank).len()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::{read_position, read_position_by, read_position_of};
    use pgn2fen_chess::fen::{self, EpStyle, FenStyle};
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_chess::san::Letters;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let typed = read_position(text, &Letters::ENGLISH).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
        let style = FenStyle { ep: EpStyle::Legal, ..FenStyle::default() };
        assert_eq!(fen::to_string(&typed.position, style), expected, "{text}");
        assert_eq!(typed.repair, None, "{text}");
        let mut played = typed.start.clone();
        for m in typed.moves {
            played = played.play(m).unwrap();
        }
        assert_eq!(played, typed.position, "{text}");
    }

    #[test]
    fn the_moves_of_a_text_lead_from_its_start() {
        let moves = |text| read_position(text, &Letters::ENGLISH).unwrap().moves.len();
        assert_eq!(moves("1. e4 c5 2. Nf3"), 3);
        assert_eq!(moves("startpos"), 0);
        assert_eq!(moves("8/8/8/3k4/8/8/4P3/4K3 w - - moves e2e4 d5e4"), 2);
        assert_eq!(moves("[FEN \"8/8/8/3k4/8/8/4P3/4K3 w - - 0 1\"] 1. e4+ (1. e3) *"), 1);
    }

    /// Checks the FEN and the rules of a text whose rules are given, or which tells them.
    #[track_caller]
    fn check_by(rules: Option<Rules>, text: &str, shown: Rules, expected: &str) {
        let typed =
            read_position_by(text, &Letters::ENGLISH, rules).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
        assert_eq!((typed.position.rules(), typed.position.to_string().as_str()), (shown, expected), "{text}");
    }

    #[test]
    fn the_form_of_a_text_tells_its_variant() {
        let house = "r3k2r/8/8/8/8/8/8/4K2Q~[QNp] w kq - 0 1";
        let ninth = house.replace("[QNp]", "/QNp");
        for text in [
            house,
            &format!("position fen {house}"),
            &format!("\"{house}\""),
            &ninth,
            &format!("[Variant \"Crazyhouse\"]\n[FEN \"{house}\"]\n\n*"),
            &format!("[FEN \"{ninth}\"]\n\n*"),
        ] {
            check_by(None, text, Rules::Crazyhouse, house);
        }
        check_by(None, &format!("{house} moves N@e4"), Rules::Crazyhouse, "r3k2r/8/8/8/4N3/8/8/4K2Q~[Qp] b kq - 1 1");
        let checks = "4k3/8/8/8/8/8/8/R3K3 w Q - 3+1 0 1";
        for text in [checks, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 +0+2", &format!("\"{checks}\"")] {
            check_by(None, text, Rules::ThreeCheck, checks);
        }
        check_by(None, "1. e4", Rules::Chess, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    }

    #[test]
    fn a_text_is_read_by_the_rules_that_are_given() {
        for rules in Rules::ALL {
            check_by(Some(rules), "startpos", rules, &Position::start(rules).to_string());
        }
        let checked = "rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 2+3 1 2";
        check_by(Some(Rules::ThreeCheck), "1. e4 f5 2. Qh5+", Rules::ThreeCheck, checked);
        check_by(Some(Rules::Atomic), "4k3/8/8/8/8/8/8/4K3 w - - 0 1", Rules::Atomic, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        check_by(
            Some(Rules::Horde),
            "4k3/8/8/8/8/8/8/PPPP4 w - - 0 1",
            Rules::Horde,
            "4k3/8/8/8/8/8/8/PPPP4 w - - 0 1",
        );
        let tags = "[White \"x\"]\n\n1. g6 *";
        check_by(Some(Rules::Horde), tags, Rules::Horde, &{
            let start = Position::start(Rules::Horde);
            let m = pgn2fen_chess::san::resolve(b"g6", &start, &Letters::ENGLISH).unwrap().mv;
            start.play(m).unwrap().to_string()
        });
        let other = read_position_by("[Variant \"Atomic\"]\n\n1. e4 *", &Letters::ENGLISH, Some(Rules::Horde));
        let mistake = other.unwrap_err().to_string();
        assert!(mistake.contains("this is a game of atomic, and one of horde is wanted"), "{mistake}");
        let chess = read_position("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", &Letters::ENGLISH);
        assert!(chess.unwrap_err().to_string().contains("'[' is not a piece"));
    }

    #[test]
    fn a_position_is_typed_as_it_is_at_hand() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for text in ["startpos", " startpos ", "position startpos", start, &format!("fen {start}"), "startpos *"] {
            check(text, start);
        }
        let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        for text in [
            "1. e4 c5 2. Nf3",
            "1.e4 c5 2.Nf3",
            "e4 c5 Nf3",
            "e2e4 c7c5 g1f3",
            "startpos moves e2e4 c7c5 g1f3",
            "position startpos moves e2e4 c7c5 g1f3",
            "1. e4! {best} c5 (1... e5) 2. Nf3 *",
            &format!("position fen {start} moves e2e4 c7c5 g1f3"),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
        ] {
            check(text, sicilian);
        }
        check("8/8/8/3k4/8/8/4P3/4K3 w - -", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1");
        check("8/8/8/3k4/8/8/4P3/4K3 w - - bm e4; id \"x\";", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1");
        check(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        );
        check("4k3/8/8/8/8/8/8/5KR1 w G - moves f1g1", "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    #[test]
    fn a_pasted_game_is_played_to_its_end() {
        let rook = "8/8/1KP5/3r4/8/8/8/k7 w - -";
        for text in [
            "[FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"]",
            "{Saavedra}\n[Event \"x\"][FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"]\n\n*\n",
            "[SetUp \"1\"]\n[FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"] { White to move } 1-0",
        ] {
            check(text, &format!("{rook} 0 1"));
        }
        let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        for text in [
            "[Event \"x\"] 1. e4 *",
            "[Event \"x\"]\r\n[Result \"*\"]\r\n\r\n1. e4! $1 {best} (1. d4 d5) 1-0 {yes}\r\n\r\n",
            "[Variant \"Standard\"] 1. e4+- += *",
            "1. e4,",
            "1.\u{a0}e4",
            "{ so } 1. e4 *\n; over",
        ] {
            check(text, e4);
        }
        check("1. e4 … e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
        check("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 5 39\"] 39. e4", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 39");
    }

    #[test]
    fn a_position_is_pasted_with_what_stands_around_it() {
        let fen = "r3k2r/8/8/8/8/8/4P3/R3K2R w KQkq - 5 39";
        for text in [
            format!("1. {fen}"),
            format!("#3: {fen}"),
            format!("FEN: {fen}"),
            format!("\"{fen}\""),
            format!("“{fen}”,"),
            format!("[\"{fen}\"]"),
            format!("[12] {fen}"),
            format!("> {fen}"),
            format!("https://lichess.org/analysis/{}", fen.replace(' ', "_")),
            format!("https://a.b/c?fen={}&x=y", fen.replace(' ', "%20")),
            fen.replace('/', "&#47;"),
            fen.replace('-', "–"),
        ] {
            check(&text, fen);
        }
        check(&format!("position fen {fen} moves e1g1"), "r3k2r/8/8/8/8/8/4P3/R4RK1 b kq - 6 39");
        check(&format!("fen {} moves e1g1", fen.replace('/', "%2F")), "r3k2r/8/8/8/8/8/4P3/R4RK1 b kq - 6 39");
    }

    #[test]
    fn moves_are_found_among_words() {
        let sicilian = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2";
        for text in [
            "After 1. e4 c5 2. Nf3 Black has many choices.",
            "I played 1.e4 c5 2.Nf3 and lost",
            "My game: 1. e4 c5 2. Nf3",
            "My game:\n1. e4 c5 2. Nf3\nWhat now?",
            "1. e4 {by (the) book} c5 (1... e5 is more solid) 2. Nf3 Thanks!",
            "[pgn]1. e4 c5 2. Nf3[/pgn]",
            "Black (after 1. e4 c5 2. Nf3) often plays 2... d6.",
            "10 years ago I played this.\n\n1. e4 c5 2. Nf3 and won",
            "see [this](https://lichess.org/analysis/pgn/e4_c5_Nf3) and reply",
            "the line from https://lichess.org/opening/Sicilian_Defense/e4_c5_Nf3 please",
        ] {
            let typed = read_position(text, &Letters::ENGLISH).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
            let style = FenStyle { ep: EpStyle::Legal, ..FenStyle::default() };
            assert_eq!(fen::to_string(&typed.position, style), sicilian, "{text}");
        }
        // What is wrong with the moves stays a mistake.
        check_place("After 1. e4 Ke6 White wins", "Ke6", "cannot reach e6");
        check_place("1. e4 hello e5", "hello", "not a move");
        check_place("1. e4 c5 2. Nx3 is good", "Nx3", "not a move");
        check_place("Hello, what is the best opening?", "Hello", "not a move");
        // A board before them may be where they start.
        check_place("[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 is best", "is", "not a move");
        let quoted = "She asked: \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" after 1. e4 Kd7";
        check_place(quoted, "1. e4 Kd7", "moves stand behind the FEN");
        // Moves of a variant are not played as chess, and not as another variant.
        for between in [" ", "\n"] {
            let text = format!("Look: [Variant \"Atomic\"]{between}1. e4");
            check_place(&text, "[Variant \"Atomic\"]", "only chess and Chess960 are read");
            let horde =
                read_position_by(&text, &Letters::ENGLISH, Some(Rules::Horde)).expect_err("it is a game of atomic");
            assert!(horde.to_string().contains("one of horde is wanted"), "{horde}");
            let line = read_position_by(&format!("{text} is it"), &Letters::ENGLISH, Some(Rules::Atomic)).unwrap();
            assert_eq!((line.position.rules(), line.moves.len()), (Rules::Atomic, 1));
        }
        check_place("Mail: [White \"x\"]\n\n1. d4 Rc\nRegards\n\n[White \"y\"]\n\n1. e4 *", "Rc", "not a move");
    }

    #[test]
    fn the_text_around_a_position_tells_its_rules() {
        let read = |text: &str| read_position_by(text, &Letters::ENGLISH, None).map(|typed| typed.position);
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        let link = fen.replace(' ', "_");
        for text in [
            format!("https://lichess.org/analysis/atomic/{link}"),
            format!("see https://lichess.org/analysis/atomic/{link} and reply"),
            format!("lichess.org/editor/{link}?variant=atomic&color=white"),
            format!("{{\"fen\":\"{fen}\",\"variant\":\"atomic\"}}"),
            format!("{{\"variant\":\"atomic\",\"fen\":\"{fen}\"}}"),
        ] {
            let position = read(&text).unwrap_or_else(|mistake| panic!("{text}: {mistake}"));
            assert_eq!((position.rules(), position.to_string()), (Rules::Atomic, fen.to_owned()), "{text}");
            let told = |rules| read_position_of(&text, &Letters::ENGLISH, rules).unwrap_err().to_string();
            assert!(
                told(Rules::Chess).contains("this is a position of atomic, which `variant=atomic` asks for"),
                "{text}"
            );
        }
        let house = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] b KQkq - 0 3";
        let moves = "https://lichess.org/analysis/crazyhouse/pgn/e4_d5_exd5_Qxd5";
        for hand in ["[Pp]", "/Pp"] {
            let link = house.replace("[Pp]", hand).replace(' ', "_");
            let link = format!("https://lichess.org/analysis/crazyhouse/{link}");
            assert_eq!(read(&link).unwrap().to_string(), house);
            assert_eq!(read(&format!("see [{link}] and reply")).unwrap().to_string(), house);
            assert_eq!(read(&format!("[7] {}", house.replace("[Pp]", hand))).unwrap().to_string(), house);
        }
        assert_eq!(read(moves).unwrap().rules(), Rules::Crazyhouse);
        assert!(read(&format!("https://a.b/{link}?variant=bughouse")).is_err());
    }

    #[test]
    fn a_text_that_tells_other_rules_leads_to_the_option() {
        let mistake = |rules, text: &str| read_position_of(text, &Letters::ENGLISH, rules).unwrap_err().to_string();
        let house = "r3k2r/8/8/8/8/8/8/4K2Q~[QNp] w kq - 0 1";
        for (rules, text, name, variant) in [
            (Rules::Chess, "[Variant \"Atomic\"] 1. e3", "atomic", "atomic"),
            (Rules::Horde, "[Variant \"Atomic\"]\n\n1. e3 *", "atomic", "atomic"),
            (Rules::Chess, house, "crazyhouse", "crazyhouse"),
            (Rules::Chess, "4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1", "three-check", "threeCheck"),
        ] {
            let expected = format!("this is a position of {name}, which `variant={variant}` asks for\n");
            assert!(mistake(rules, text).starts_with(&expected), "{text}");
        }
        assert!(!mistake(Rules::Atomic, "1. e5").contains("variant="));
        assert!(read_position_of(house, &Letters::ENGLISH, Rules::Crazyhouse).is_ok());
    }

    #[test]
    fn a_remark_behind_a_position_is_told_and_moves_are_not_ignored() {
        let told = |text: &str| read_position(text, &Letters::ENGLISH).unwrap().repair.unwrap_or_default();
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for remark in ["# note", "20", "[0.5] 20", ", 0.35", "(1. e4)"] {
            assert_eq!(told(&format!("{fen} {remark}")), "text behind the FEN is ignored", "{remark}");
        }
        assert!(told("4k3/8/8/8/8/8/4P3/4K3").contains("the side to move is missing"));
        assert!(told("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4").contains("EPD operations"));
        for moves in ["e2e4", "e4", "1. e4", "1.e4 Kd7"] {
            let text = format!("{fen} {moves}");
            check_place(&text, moves.trim_start_matches("1. ").split(' ').next().unwrap(), "write the word moves");
        }
        for moves in ["e2e4", "e4", "1. e4"] {
            let text = format!("4k3/8/8/8/8/8/4P3/4K3 w - - {moves}");
            check_place(&text, moves.trim_start_matches("1. "), "write the word moves");
        }
        check_place(&format!("{fen}\n{fen}"), "4", "another board");
    }

    #[test]
    fn what_was_put_right_is_told() {
        let told = |text: &str| read_position(text, &Letters::ENGLISH).unwrap().repair;
        assert!(told("e4; e5").is_some_and(|repair| repair.contains("comment")));
        assert!(told("[FEN \"4k3/8/8/8/8/8/8/4K3 w KQ - 0 1\"]").is_some_and(|repair| repair.contains("castl")));
        assert!(told("[Variant \"Chess960\"] 1. e4").is_some_and(|repair| repair.contains("Chess960")));
        let typed = read_position("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", &Letters::ENGLISH).unwrap();
        assert!(typed.repair.is_some_and(|repair| repair.contains("castl")));
    }

    #[track_caller]
    fn check_mistake(text: &str, expected: &Expect) {
        expected.assert_eq(&read_position(text, &Letters::ENGLISH).expect_err(text).to_string());
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "1. e4 Ke6",
            &expect![[r#"
            the black king on e8 cannot reach e6
                1. e4 Ke6
                      ^^^"#]],
        );
        check_mistake(
            "startpos moves e2e5",
            &expect![[r#"
            the white pawn on e2 cannot reach e5
                startpos moves e2e5
                               ^^^^"#]],
        );
        check_mistake(
            "hello",
            &expect![[r#"
            not a move
                hello
                ^^^^^"#]],
        );
        check_mistake(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1",
            &expect![[r#"
            there are 7 ranks, not 8 (column 1)
                rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1
                ^"#]],
        );
        check_mistake(
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            &expect![[r#"
            black has no king
                8/8/8/8/8/8/8/4K3 w - - 0 1
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^"#]],
        );
        check_mistake("  ", &expect!["not a position; give a FEN, startpos, or moves such as 1. e4 c5"]);
    }

    #[track_caller]
    fn check_place(text: &str, place: &str, reason: &str) {
        let mistake = read_position(text, &Letters::ENGLISH).expect_err(text).to_string();
        let lines: Vec<&str> = mistake.lines().collect();
        let [told, shown, caret] = lines[..] else { panic!("{text}: {mistake}") };
        assert!(told.contains(reason), "{text}: {mistake}");
        let marked = |char: char, mark: char| (mark == '^').then_some(char);
        let under: String = shown.chars().zip(caret.chars()).filter_map(|(char, mark)| marked(char, mark)).collect();
        assert_eq!(under, place, "{text}: {mistake}");
    }

    #[test]
    fn text_around_a_pasted_game_is_skipped_and_told() {
        let read = |text| read_position(text, &Letters::ENGLISH).unwrap();
        for text in ["e4 *\nnonsense", "Look:\n\n1. e4 *", "> [White \"x\"]\n> 1. e4", "See [White \"x\"] 1. e4"] {
            let typed = read(text);
            let told = typed.repair.as_deref().map(|repair| repair.contains("text around the game is skipped"));
            assert_eq!((typed.moves.len(), told), (1, Some(true)), "{text}: {:?}", typed.repair);
        }
        check_place("e4 *\n\n[White \"x\"]\n\n1. d4 *", "[White \"x\"]", "something else begins");
    }

    #[test]
    fn what_is_left_over_is_refused_with_its_place() {
        check_place("1-0 e4", "e4", "behind the result");
        check_place("e4 * e5", "e5", "behind the result");
        check_place("e4 1-0 1. d4", "1. d4", "something else begins");
        check_place("e4 e5\n\n[Event \"2\"]\n", "[Event \"2\"]", "something else begins");
        check_place("1. e4 e5 2. Nf3\n\n1. d4 d5", "1. d4 d5", "something else begins");
        check_place(")", ")", "no meaning");
        check_place("e4 ) e5", ")", "no meaning");
        check_place("e4 } e5", "}", "no meaning");
        check_place("e4 <x> e5", "<x>", "no meaning");
        check_place("e4 $999", "$999", "no meaning");
        check_place("{e4", "{", "never closed");
        check_place("e4 {e5", "{", "never closed");
        check_place("e4 (d4", "(", "never closed");
        check_place("e4 e5 K", "K", "not a move");
        check_place("+# e4", "+#", "not a move");
        check_place("1. e4 e5 2. b1b5", "b1b5", "cannot reach b5");
        check_place("[Event \"x\"]\n1. e4 Ke6", "Ke6", "cannot reach e6");
        check_place("[FEN \"8/8/8 w - -\"] 1. e4", "[FEN \"8/8/8 w - -\"]", "ranks");
        check_place("[Variant \"Atomic\"] 1. e4", "[Variant \"Atomic\"]", "chess");
        check_place("startpos moves e2e4 startpos", "startpos", "not a move");
        check_place("[", "[", "not a tag pair");
    }

    #[test]
    fn what_names_no_position_is_refused() {
        for text in [
            "*",
            "1-0",
            "1.",
            "1...",
            "{hello}",
            "; e4",
            "$1",
            "moves",
            "[Event \"x\"]",
            "[Event \"x\"] *",
            "[FEN \"\"] *",
        ] {
            check_place(text, text, "names no position");
        }
    }

    #[test]
    fn of_a_long_line_what_is_near_is_shown() {
        let text = format!("{}Ke9 {}", "Nf3 Nf6 Ng1 Ng8 ".repeat(100), "é ".repeat(100));
        check_place(&text, "Ke9", "not a move");
        let mistake = read_position(&text, &Letters::ENGLISH).unwrap_err().to_string();
        assert!(mistake.lines().all(|line| line.chars().count() < 140), "{mistake}");
        let mistake = read_position("e4\te5 \u{1b}[31mKe9\nNf3", &Letters::ENGLISH).unwrap_err().to_string();
        assert!(!mistake.contains(['\t', '\u{1b}']), "{mistake:?}");
    }
}
