//! Reads positions that a user types or pastes.
//!
//! The whole text is read. Any text that does not belong to the position is a mistake, which is reported with its place. A text that
//! names no position is a mistake too, such as a result alone or tags without a FEN. The initial position is returned only
//! if the text names it.

mod mistake;
mod played;

use std::ops::Range;

use crate::chess::position::Position;
use crate::fen::{self, Repair};
use crate::san::Letters;
use crate::selection::Mistake;
use crate::typed::mistake::{NO_POSITION, mistake};
use crate::typed::played::{Start, play, play_game, tag_section};

pub use crate::typed::played::TypedPosition;

/// Reads a position. The text is one of:
///
/// - a FEN of four or six fields, or an EPD;
/// - `startpos`, the initial position;
/// - moves from the initial position: `1. e4 c5 2. Nf3` or `e2e4 c7c5`;
/// - one of the first two, followed by moves: `startpos moves e2e4`, `8/8/8/3k4/8/8/4P3/4K3 w - - moves e2e4`;
/// - a game with tags, of which FEN, SetUp and Variant are read as in a PGN file:
///   `[FEN "8/8/8/3k4/8/8/4P3/4K3 w - - 0 1"] 1. e4`.
///
/// Moves may end with a result. `letters` are the piece letters of the moves.
///
/// # Errors
///
/// Returns a [`Mistake`] if the text is none of these, if a move cannot be played, or if text follows the position.
pub fn read_position(text: &str, letters: &Letters) -> Result<TypedPosition, Mistake> {
    let all = trimmed(text, 0..text.len());
    if all.is_empty() {
        return Err(Mistake::new("", 0..0, NO_POSITION));
    }
    if let Some(tags) = tag_section(text, all.clone()) {
        return play_game(text, all, tags, letters);
    }
    // The words of the UCI command `position`.
    let place = without_word(text, all, "position");
    let place = without_word(text, place, "fen");
    let start = without_word(text, place.clone(), "startpos");
    let is_named = start != place;
    if is_named || !is_board(first_word(&text[place.clone()])) {
        let moves = without_word(text, start, "moves");
        let start = Start::of(Position::initial(), is_named, Vec::new());
        return play(text, moves, start, letters);
    }
    let (fen, moves) = match text[place.clone()].find(" moves ") {
        Some(at) => (place.start..place.start + at, place.start + at + " moves ".len()..place.end),
        None => (place.clone(), place.end..place.end),
    };
    let reading = fen::read(text[fen.clone()].as_bytes()).map_err(|error| {
        let at = error.offset().map_or(fen.clone(), |offset| fen.start + offset..fen.start + offset + 1);
        mistake(text, at, error.to_string())
    })?;
    let put_right = reading.repairs.iter().filter(|repair| matches!(repair, Repair::Position(_)));
    let notes = put_right.map(|repair| repair.to_string()).collect();
    play(text, moves, Start::of(reading.position, true, notes), letters)
}

/// Whether a word looks like the board of a FEN, correct or not.
fn is_board(word: &str) -> bool {
    word.matches('/').count() >= 2
}

fn first_word(text: &str) -> &str {
    text.split([' ', '\t', '_']).next().unwrap_or_default()
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

    use super::read_position;
    use crate::fen::{self, EpStyle, FenStyle};
    use crate::san::Letters;

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
    fn what_is_left_over_is_refused_with_its_place() {
        check_place("1-0 e4", "e4", "behind the result");
        check_place("e4 * e5", "e5", "behind the result");
        check_place("e4 1-0 1. d4", "1. d4", "something else begins");
        check_place("e4 e5\n\n[Event \"2\"]\n", "[Event \"2\"]", "something else begins");
        check_place("e4 *\nnonsense", "nonsense", "something else begins");
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
        check_place("+- e4", "+-", "not a move");
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
