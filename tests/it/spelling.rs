//! A spelling plays the move that it names, or none.

use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Role;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::san::{self, Letters, SanErrorKind, SanRepair};
use pgn2fen_chess::square::{File, Rank, Square};
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::pgn::games::Games;

use crate::cli::Desk;
use crate::laws::{fixtures, noise, sweeps};

/// Positions from the games of the fixtures, as many from early as from late in a game.
fn positions(count: usize) -> Vec<Position> {
    let mut all = Vec::new();
    for (_, bytes) in fixtures() {
        for game in Games::new(&bytes).take(20) {
            let Ok(mut replay) = game.replay() else { continue };
            while let Some(Ok(_)) = replay.next_ply() {
                all.push(replay.position().clone());
            }
        }
    }
    assert!(all.len() > count);
    let step = all.len() / count;
    all.into_iter().step_by(step).collect()
}

fn squares() -> Vec<Square> {
    File::ALL.into_iter().flat_map(|file| Rank::ALL.map(|rank| Square::new(file, rank))).collect()
}

/// The squares by which a legal move may be named: a castling has those of the king and the rook, too.
fn squares_of(m: Move) -> Vec<(Square, Square)> {
    match m {
        Move::Castle { king, rook } => m.to().into_iter().chain([rook]).map(|to| (king, to)).collect(),
        _ => m.from().zip(m.to()).into_iter().collect(),
    }
}

#[test]
fn two_squares_that_are_no_legal_move_are_refused_in_every_spelling() {
    for position in positions(if sweeps() { 40 } else { 10 }) {
        let legal: Vec<_> = position.legal_moves().into_iter().flat_map(squares_of).collect();
        for (from, to) in squares().into_iter().flat_map(|from| squares().into_iter().map(move |to| (from, to))) {
            if legal.contains(&(from, to)) {
                continue;
            }
            let (from_text, to_text) = (from.to_string(), to.to_string());
            let [from_capitals, to_capitals] = [&from_text, &to_text].map(|text| text.to_uppercase());
            let man = position.board().piece_at(from).map_or('N', |piece| piece.role.of(position.turn()).char());
            let (letter, small) = (man.to_ascii_uppercase(), man.to_ascii_lowercase());
            for symbol in [
                format!("{from_text}{to_text}"),
                format!("{from_text}-{to_text}"),
                format!("{from_text}x{to_text}+"),
                format!("{from_text}\u{2013}{to_text}"),
                format!("{from_text}{to_capitals}"),
                format!("{from_capitals}{to_capitals}"),
                format!("{from_capitals}-{to_capitals}"),
                format!("{from_capitals}X{to_capitals}"),
                format!("{letter}{from_text}{to_text}"),
                format!("{letter}{from_text}-{to_text}"),
                format!("{small}{from_text}x{to_text}"),
            ] {
                let error = san::resolve(symbol.as_bytes(), &position, &Letters::ENGLISH).expect_err(&symbol);
                // A pawn that lacks its promotion is no move at all.
                assert_ne!(error.kind(), SanErrorKind::AmbiguousMove, "{symbol}");
            }
        }
    }
}

/// What a symbol says in signs that mean one thing only.
struct Said<'s> {
    /// The letter of a piece, a capital before anything that is not another capital's square.
    role: Option<Role>,
    /// The squares, files and ranks before the target.
    origin: &'s str,
    target: &'s str,
    promotion: Option<Role>,
    has_cross: bool,
}

/// The move agrees with all that was said, but for one guess.
#[track_caller]
fn check(symbol: &str, said: &Said<'_>, m: Move, repair: Option<SanRepair>, position: &Position) {
    if let Move::Castle { .. } = m {
        let named = squares_of(m).into_iter().any(|(from, to)| {
            from.to_string() == said.origin.to_lowercase() && to.to_string() == said.target.to_lowercase()
        });
        assert!(named && said.role.is_none() && !said.has_cross, "{symbol}");
        return;
    }
    let (from, to) = (m.from().expect(symbol).to_string(), m.to().expect(symbol).to_string());
    assert_eq!(to, said.target.to_lowercase(), "{symbol}");
    let mut guesses = 0;
    let is_bishop_in_small = m.role() == Some(Role::Bishop) && said.role.is_none() && said.origin.starts_with('b');
    let origin = match said.origin.strip_prefix('b') {
        Some(rest) if is_bishop_in_small && said.origin.len() == 1 => {
            guesses += 1;
            rest
        }
        _ => said.origin,
    };
    for sign in origin.to_lowercase().chars() {
        assert!(from.contains(sign), "{symbol} from {from}");
    }
    if let Some(role) = said.role {
        assert_eq!(m.role(), Some(role), "{symbol}");
    } else if origin.len() < 2 && guesses == 0 {
        assert_eq!(m.role(), Some(Role::Pawn), "{symbol}");
    }
    let promotion = match m {
        Move::Normal { promotion, .. } => promotion,
        _ => None,
    };
    assert_eq!(promotion, said.promotion, "{symbol}");
    guesses += usize::from(guesses == 0 && symbol.starts_with(['n', 'q', 'k', 'r']));
    guesses += usize::from(said.has_cross && !m.is_capture(position.board()));
    assert!(guesses <= 1, "{symbol} is {m:?} by {guesses} guesses");
    assert!(guesses == 0 || repair.is_some(), "{symbol}: a guess is told");
}

#[test]
fn a_symbol_that_is_read_plays_what_it_says() {
    let letters = "|K|Q|R|B|N|P|k|q|r|n".split('|').collect::<Vec<_>>();
    let marks = ["", "", "x", "x", "-", ":"];
    let promotions = ["", "", "", "", "=Q", "N", "q"];
    let roles = |letter: &str| match letter.trim_start_matches('=').to_ascii_uppercase().as_str() {
        "K" => Some(Role::King),
        "Q" => Some(Role::Queen),
        "R" => Some(Role::Rook),
        "B" => Some(Role::Bishop),
        "N" => Some(Role::Knight),
        "P" => Some(Role::Pawn),
        _ => None,
    };
    let mut seed = 3;
    let mut read = 0;
    for position in positions(if sweeps() { 60 } else { 20 }) {
        for _ in 0..10_000 {
            let mut pick = |range: usize| noise(&mut seed) % range;
            let (from, target) = (squares()[pick(64)].to_string(), squares()[pick(64)].to_string());
            let origin = ["", &from[..1], &from[1..], &from][pick(4)];
            let letter = letters[pick(letters.len())];
            let (mark, promotion) = (marks[pick(marks.len())], promotions[pick(promotions.len())]);
            let symbol = format!("{letter}{origin}{mark}{target}{promotion}");
            let Ok(resolved) = san::resolve(symbol.as_bytes(), &position, &Letters::ENGLISH) else { continue };
            let said = Said {
                role: roles(letter),
                origin,
                target: &target,
                promotion: roles(promotion),
                has_cross: matches!(mark, "x" | ":"),
            };
            check(&symbol, &said, resolved.mv, resolved.repair, &position);
            read += 1;
        }
    }
    assert!(read > 1_500, "{read} symbols were moves");
}

/// What is warned of in a game: the kind, what is quoted, and where it stands.
#[track_caller]
fn check_marks(movetext: &str, plies: u32, marks: &[&str]) {
    let game = Games::new(movetext.as_bytes()).next().expect(movetext);
    let mut replay = game.replay().expect(movetext);
    while let Some(ply) = replay.next_ply() {
        assert!(ply.is_ok(), "{movetext}: {ply:?}");
    }
    let told: Vec<_> = replay.take_warnings().filter(|warning| warning.kind == Kind::SkippedText).collect();
    for (warning, mark) in told.iter().zip(marks) {
        let at = usize::try_from(warning.offset).unwrap();
        assert_eq!(&movetext[at..at + mark.len()], *mark, "{movetext}: its place");
    }
    let subjects: Vec<_> = told.iter().map(|warning| String::from_utf8_lossy(&warning.subject)).collect();
    assert_eq!(subjects, marks, "{movetext}");
    assert_eq!(replay.last_ply(), plies, "{movetext}");
}

#[test]
fn marks_are_skipped_alike_glued_or_spaced() {
    for (mark, skipped) in [("N", "N"), ("ch", "ch"), ("∱", "∱")] {
        check_marks(&format!("1. Nf3{mark} e5 *"), 2, &[skipped]);
        check_marks(&format!("1. Nf3 {mark} e5 *"), 2, &[skipped]);
        check_marks(&format!("1. Nf3{mark} (1. e4{mark} c5) e5{mark}\n*"), 2, &[skipped, skipped]);
    }
    for sign in ["+-", "=", "+/-", "=/∞", "±", "⩲", "\u{203c}", "\u{2049}\u{fe0f}", "□", "⟳"] {
        check_marks(&format!("1. Nf3{sign} (1. e4{sign} c5 {sign}) e5{sign}\n*"), 2, &[]);
    }
    check_marks("1. e4 f6 2. Qh5mate *", 3, &["mate"]);
    check_marks("1. e4 f6 2. Qh5dbl.ch. *", 3, &["dbl", ".", "ch", "."]);
    check_marks("1. e4 f6 2. Qh5ch. *", 3, &["ch", "."]);
}

#[test]
fn zeros_where_a_move_is_expected_are_castling_or_an_error() {
    let moves = |text: &str| {
        let mut replay = Games::new(text.as_bytes()).next().expect(text).replay().expect(text);
        let mut moves = Vec::new();
        while let Some(ply) = replay.next_ply() {
            moves.push(ply.map(|ply| String::from_utf8_lossy(ply.san).into_owned()).map_err(|error| error.kind));
        }
        moves.into_iter().collect::<Result<Vec<_>, _>>()
    };
    let italian = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5";
    let plies = |text: String| moves(&text).map(|moves| moves.len());
    assert_eq!(plies(format!("{italian} 4. 00 00 5. d3 *")), Ok(9));
    assert_eq!(plies(format!("{italian} 4.00 00! *")), Ok(8));
    assert_eq!(plies(format!("{italian} 00. d3 d6 0. c3 *")), Ok(9));
    assert_eq!(plies(format!("{italian} 4. 000 *")), Err(Kind::IllegalMove));
    assert_eq!(plies(format!("{italian} 4. 00 000 *")), Err(Kind::IllegalMove));
    assert_eq!(plies(format!("{italian} 4. 00d3 *")), Err(Kind::BadSan));
    assert_eq!(plies(format!("{italian} 4. 0000 d6 *")), Ok(8));
    check_marks(&format!("{italian} 4. 0 d3 *"), 7, &["0"]);
}

#[test]
fn russian_letters_are_read_in_the_encoding_that_is_named() {
    let game = "[White \"Таль\"]\n\n1. e4 e5 2. Кf3 Кc6 3. Сb5 Фe7 4. Крe2 Лb8 5. Лe1+- *\n";
    // By what each encoding adds to the letters of Windows-1251.
    let in_windows: Vec<u8> = game
        .chars()
        .map(|char| if char.is_ascii() { char as u8 } else { u8::try_from(char as u32 - 0x410 + 0xC0).unwrap() })
        .collect();
    let in_dos: Vec<u8> = in_windows
        .iter()
        .map(|&byte| match byte {
            0xC0..=0xEF => byte - 0x40,
            0xF0..=0xFF => byte - 0x10,
            _ => byte,
        })
        .collect();
    let desk = Desk::with(&[("utf8.pgn", game.as_bytes()), ("windows.pgn", &in_windows), ("dos.pgn", &in_dos)]);
    let expected = desk.run(&["--lang", "ru", "utf8.pgn"]);
    assert_eq!((expected.stdout.lines().count(), expected.code), (10, Some(0)), "{}", expected.stderr);
    for (file, encoding) in [("windows.pgn", "windows-1251"), ("dos.pgn", "cp866")] {
        let ran = desk.run(&["--lang", "ru", "--encoding", encoding, file]);
        assert_eq!((&ran.stdout, ran.code), (&expected.stdout, Some(0)), "{encoding}: {}", ran.stderr);
        let guessed = desk.run(&["--lang", "ru", file]);
        assert_eq!((guessed.stdout.lines().count(), guessed.code), (3, Some(1)), "letters are not guessed");
    }
}

/// What may stand between two parts of a move that fell apart.
const GAPS: [&str; 29] = [
    " ", "  ", "\t", "\n", "\u{a0}", ".", ",", " . ", "…", "!", "?", "!?", "$1", "$", "\"", "\u{1}", ";", ")", "]",
    "}", ">", "(x)", "(b1)", "{x}", "[x]", "<x>", "(e.p.)", "{}", " ! ",
];

/// Returns the moves that a game of this movetext plays from a position.
fn moves_of(fen: &str, movetext: &str) -> Vec<Move> {
    let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{movetext} *\n");
    let mut replay = Games::new(text.as_bytes()).next().expect("a game").replay().expect(fen);
    std::iter::from_fn(|| replay.next_ply()).map_while(Result::ok).map(|ply| ply.played).collect()
}

#[test]
fn no_part_of_a_move_is_played_as_another_move() {
    let mut count = 0;
    for position in positions(if sweeps() { 150 } else { 6 }) {
        let fen = position.to_string();
        // The same position behind a move: the other side passes.
        let (before, turn) =
            if fen.contains(" w ") { (fen.replace(" w ", " b "), 'w') } else { (fen.replace(" b ", " w "), 'b') };
        let can_pass = moves_of_or_none(&before, "--").is_some_and(|moves| moves == [Move::Null]);
        for m in position.legal_moves() {
            let mut san = Vec::new();
            san::append(&position, m, &mut san);
            let san = String::from_utf8(san).expect("it is ASCII");
            for at in 1..san.len() {
                // The rest behind a semicolon is a comment, and castling before it is a whole move.
                let is_whole = |gap: &str| gap == ";" && &san[..at] == "O-O";
                for gap in GAPS.into_iter().filter(|gap| !is_whole(gap)) {
                    let text = format!("{}{gap}{}", &san[..at], &san[at..]);
                    let number = if turn == 'w' { "1. " } else { "1... " };
                    for numbered in [format!("{number}{text}"), text.clone(), format!("1 {text}")] {
                        let played = moves_of(&fen, &numbered);
                        assert!(played.first().is_none_or(|first| *first == m), "{numbered:?} in {fen}: {played:?}");
                    }
                    if can_pass && !san.starts_with("e.p") {
                        let played = moves_of(&before, &format!("-- {text}"));
                        assert!(played.get(1).is_none_or(|second| *second == m), "-- {text:?} in {before}: {played:?}");
                    }
                    count += 1;
                }
            }
        }
    }
    assert!(count > 5_000);
}

/// White space that may stand between any two characters of a move.
const BLANKS: [&str; 12] =
    [" ", "  ", "\t", "\n", "\u{85}", "\u{a0}", "\u{2009}", "\u{200b}", "\u{200e}", "\u{202f}", "\u{3000}", "\u{feff}"];

#[test]
fn a_blank_at_any_place_of_a_move_costs_no_move() {
    let mut count = 0;
    for position in positions(if sweeps() { 100 } else { 6 }) {
        let fen = position.to_string();
        let number = if fen.contains(" w ") { "1. " } else { "1... " };
        for m in position.legal_moves() {
            let mut san = Vec::new();
            san::append(&position, m, &mut san);
            let san = String::from_utf8(san).expect("it is ASCII");
            for (at, blank) in (0..=san.len()).flat_map(|at| BLANKS.map(|blank| (at, blank))) {
                let text = format!("{number}{}{blank}{}", &san[..at], &san[at..]);
                assert_eq!(moves_of(&fen, &text), [m], "{text:?} in {fen}");
                count += 1;
            }
        }
    }
    assert!(count > 5_000);
}

fn moves_of_or_none(fen: &str, movetext: &str) -> Option<Vec<Move>> {
    pgn2fen_chess::fen::read(fen.as_bytes())
        .ok()
        .filter(|reading| reading.repairs.is_empty())
        .map(|_| moves_of(fen, movetext))
}
