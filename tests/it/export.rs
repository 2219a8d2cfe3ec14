//! Games written anew read back as the same games, and writing them twice changes nothing.
//!
//! `PGN2FEN_GAMES=folder` checks the PGN files of a folder as well.

mod rows;
pub(crate) mod tree;

use std::fs;
use std::path::PathBuf;

use pgn2fen_chess::fen;
use pgn2fen_games::database::Database;
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::export::{CommentChoice, ExportOptions, Exporter, FenComments, TagChoice};
use pgn2fen_games::pgn::date::Date;
use pgn2fen_games::pgn::games::Game;
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::replay::{Event, ReplayOptions};

use crate::export::rows::{Anew, check_rows, is_regular};
use crate::export::tree::{Tree, written};
use crate::laws::{fixtures, noise, sweeps};
use crate::linear::PIECES;

/// Writes a game anew. Returns its text and whether its moves have no error, or nothing if it has no usable start.
fn write(exporter: &Exporter, game: &Game<'_>) -> Option<(Vec<u8>, bool)> {
    let mut out = Vec::new();
    let errors = exporter.append(game, &ReplayOptions::default(), &mut out).ok()?;
    Some((out, errors.is_empty()))
}

/// Returns the tags of a game in ASCII order of their names, each once, without those about the start and the result.
fn other_tags(game: &Game<'_>) -> Vec<(String, String)> {
    let name = |tag: &[u8]| String::from_utf8_lossy(tag).into_owned();
    let mut tags: Vec<_> = game.tags().iter().map(|tag| (name(tag.name), written(&tag.value.decode()))).collect();
    tags.reverse();
    tags.sort_by(|one, other| one.0.cmp(&other.0));
    tags.dedup_by(|one, other| one.0 == other.0);
    let about_start = ["fen", "setup", "variant", "result"];
    tags.retain(|(name, value)| {
        !about_start.contains(&&*name.to_lowercase()) && value != "?" && !value.starts_with("????")
    });
    tags
}

/// The numbers and dates that are read from the tags of a game, but for those of tags that are given twice.
fn typed_tags(game: &Game<'_>) -> Vec<(String, Option<i32>, Option<Date>, bool)> {
    let typed = |(name, _): (String, String)| {
        let value = game.tags().value(&name).unwrap().decode();
        let kind = TagKind::of(&name);
        (name, kind.number(&value), Date::read(&value), kind.is_unknown(&value))
    };
    other_tags(game).into_iter().map(typed).collect()
}

/// Whether a variation stands before the first move.
fn begins_oddly(game: &Game<'_>) -> bool {
    let mut events = game.moves().unwrap().map_while(Result::ok).take_while(|event| !matches!(event, Event::Move(_)));
    events.any(|event| event == Event::VariationStart)
}

/// Writes a game anew and compares what is read back, but for its rows. Returns both texts. `None` if the game has no
/// usable start.
#[track_caller]
fn check_game(game: &Game<'_>, name: &str) -> Option<Anew> {
    let exporter = Exporter::default();
    let (text, is_right) = write(&exporter, game)?;
    let shown =
        || format!("{name}:\n{}\n=>\n{}", String::from_utf8_lossy(game.bytes()), String::from_utf8_lossy(&text));
    let database = Database::from(text.clone());
    let [again] = database.games().collect::<Vec<_>>().try_into().unwrap_or_else(|_| panic!("one game: {}", shown()));
    let mut moves = again.moves().unwrap_or_else(|error| panic!("{error}: {}", shown()));
    let start = fen::to_string(moves.after(), fen::FenStyle::default());
    if let Some(error) = moves.by_ref().find_map(Result::err) {
        panic!("{error}: {}", shown());
    }
    // A warning about what was written would be a mistake, except that null moves, some positions and the value of
    // a Variant tag are odd however they are written.
    let is_odd = |kind| matches!(kind, Kind::NullMove | Kind::RepairedFen | Kind::UnreachableFen | Kind::SetupTags);
    if let Some(warning) = moves.take_warnings().find(|warning| !is_odd(warning.kind)) {
        panic!("{warning}: {}", shown());
    }
    let mut given = game.moves().unwrap();
    assert_eq!(start, fen::to_string(given.after(), fen::FenStyle::default()), "{}", shown());
    assert_eq!(moves.outcome(), given.outcome(), "{}", shown());
    if !game.tags().is_position() {
        assert_eq!(other_tags(&again), other_tags(game), "{}", shown());
        assert_eq!(typed_tags(&again), typed_tags(game), "{}", shown());
    }
    assert_eq!(moves.castling_rules(), given.castling_rules(), "{}", shown());
    let (was, is) = (Tree::of(game), Tree::of(&again));
    assert_eq!(is.main_line(), was.main_line(), "{}", shown());
    if is_right && begins_oddly(game) {
        assert_eq!(is.without_beginning(), was.without_beginning(), "{}", shown());
    } else if is_right {
        assert_eq!(is, was, "{}", shown());
    }
    let second = write(&exporter, &again).map(|(text, _)| text);
    assert!(
        second.as_ref() == Some(&text),
        "not the same: {}\n=>\n{}",
        shown(),
        String::from_utf8_lossy(&second.unwrap())
    );
    let is_short = |line: &[u8]| {
        let length = String::from_utf8_lossy(line).chars().count();
        length < 80 || !line[1..].contains(&b' ') || line.contains(&b'%') || line.contains(&b'[')
    };
    assert!(text.split(|byte| *byte == b'\n').all(is_short), "a line is too long: {}", shown());
    // What the operations of EPD tell of a search stands in tags, which are not the values of other columns.
    if ["ce", "acd", "acs", "acn"].into_iter().any(|opcode| game.tags().is_position() && game.tag(opcode).is_some()) {
        return None;
    }
    Some(Anew { given: game.bytes().to_vec(), text, is_regular: is_right && is_regular(game) })
}

#[test]
fn games_written_anew_read_back_as_the_same_games() {
    let mut games = 0;
    for (path, bytes) in fixtures() {
        let name = path.display().to_string();
        let anew: Vec<Anew> = Database::from(bytes).games().filter_map(|game| check_game(&game, &name)).collect();
        check_rows(&anew);
        games += anew.len();
    }
    assert!(games > 1000, "the fixtures have games");
    for path in std::env::var_os("PGN2FEN_GAMES").iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path: PathBuf = path.unwrap().path();
        let name = path.display().to_string();
        let database = Database::open(&path).unwrap();
        let mut anew = database.games().filter_map(|game| check_game(&game, &name)).peekable();
        while anew.peek().is_some() {
            check_rows(&anew.by_ref().take(1000).collect::<Vec<_>>());
        }
    }
}

/// Tag sections before odd text.
const TAGS: [&str; 9] = [
    "[A \"\"]\n\n",
    "[A \"\"]\n\n",
    "{[%eval 5.0] +0.31/14 0.5s}\n[A \"\"]\n\n",
    "; wv=0.3\n[A \"\"] {[%clk 0:00:09]} [B \"\"]\n\n",
    "[Result \"1-0\u{2}\"] [WhiteElo \"\u{7f}2700\"] [TimeControl \"60\u{b}\"]\n\n",
    "[Result \"0-1\u{b}\"] [BlackElo \"2700\u{b}\"] [TimeControl \"60\0\"] [Date \"2020.01.01\t1\"]\n\n",
    "[Variant \"chess960\u{1}\"] [Site \"https://lichess.org\"] [TimeControl \"60+1\"]\n\n",
    "[FEN \"r2k3r/pppppppp/8/8/8/8/8/R3K2R w KQkq - 0 1\"] [Variant \"Standard\"]\n\n",
    "[FEN \"1r2k2r/pppppppp/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n\n",
];

#[test]
fn odd_text_written_anew_reads_back_as_the_same_game() {
    let moves = [
        "e4 ",
        "1. d4 ",
        "d5 ",
        "e5 ",
        "Nf3 ",
        "{a} ",
        "{b c} ",
        "$3 ",
        "(",
        ") ",
        "zz ",
        "! ",
        "Ke2 ",
        "O-O ",
        "O-O-O ",
        "Ke1 ",
        "-- ",
        "; x } {\n",
        "{[%eval 0.31] [%clk 0:01:02]} ",
        "{+0.31/14 0.5s} ",
        "{d=9, mt=500, wv=0.2} ",
        "[%eval\u{2}0.5]",
        "{[%eval\u{b}#3 ,\0 20 \u{1a}] } ",
        "{[%emt 0:00:01]\u{7f}",
        "{+M5/3\0 1s} ",
        "+0.5/9 1s ",
        "wv=0.1, ",
    ];
    let pieces: Vec<&[u8]> = PIECES.into_iter().chain(moves.map(str::as_bytes)).collect();
    let usual = &pieces[PIECES.len()..];
    let mut seed = 7;
    let mut anew = Vec::new();
    for turn in 0..if sweeps() { 20_000 } else { 5000 } {
        let from = if turn % 4 == 0 { &pieces[..] } else { usual };
        let length = noise(&mut seed) % 24;
        let text: Vec<u8> = (0..length).flat_map(|_| from[noise(&mut seed) % from.len()]).copied().collect();
        let tags = TAGS[noise(&mut seed) % TAGS.len()];
        let database = Database::from([tags.as_bytes(), &text[..]].concat());
        if let Some(game) = database.games().next() {
            anew.extend(check_game(&game, "odd text"));
        }
        if anew.len() == 1000 {
            check_rows(&std::mem::take(&mut anew));
        }
    }
    check_rows(&anew);
}

/// Compares a game that is written anew, without its tags if there are none in what is expected.
#[track_caller]
fn check_with(options: &ExportOptions, text: &str, expected: &str) {
    let tags = if expected.starts_with(['[', ';']) { options.tags.clone() } else { TagChoice::None };
    let exporter = Exporter::new(ExportOptions { tags, ..options.clone() });
    let database = Database::from(text.as_bytes().to_vec());
    let (out, _) = write(&exporter, &database.games().next().unwrap()).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), format!("{expected}\n\n"), "{text}");
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(&ExportOptions::default(), text, expected);
}

#[test]
fn the_game_of_the_standard_is_written_as_it_stands_there() {
    // PGN standard §2.3.
    let game = "[Event \"F/S Return Match\"]\n[Site \"Belgrade, Serbia JUG\"]\n[Date \"1992.11.04\"]\n[Round \"29\"]\n\
        [White \"Fischer, Robert J.\"]\n[Black \"Spassky, Boris V.\"]\n[Result \"1/2-1/2\"]\n\n\
        1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3\n\
        O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15.\n\
        Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6 21.\n\
        Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7\n\
        27. Qe3 Qg5 28. Qxg5 hxg5 29. b3 Ke6 30. a3 Kd6 31. axb4 cxb4 32. Ra5 Nd5 33.\n\
        f3 Bc8 34. Kf2 Bf5 35. Ra7 g6 36. Ra6+ Kc5 37. Ke1 Nf4 38. g3 Nxh3 39. Kd2 Kb5\n\
        40. Rd6 Kc5 41. Ra6 Nf2 42. g4 Bd3 43. Re6 1/2-1/2";
    check(&game.replace('\n', "\r\n\t").replace(". ", "."), game);
}

#[test]
fn tags_stand_in_the_order_of_the_standard() {
    check(
        "[Zeta \"z\"] [alpha \"a\"] [ECO \"C20\"] [Black \"B \\\"q\\\" \\\\ \"s\"]\n[Site \"1\"] [Site \"2\"]\n 1/2",
        "[Event \"?\"]\n[Site \"2\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
         [Black \"B \\\"q\\\" \\\\ \\\"s\"]\n[Result \"1/2-1/2\"]\n[ECO \"C20\"]\n[Zeta \"z\"]\n[alpha \"a\"]\n\n\
         1/2-1/2",
    );
    let text = "[Zeta \"z\"] [White \"w\"] [Result \"1-0\"] 1. e4 *";
    let with = |tags: &str| ExportOptions { tags: tags.parse().unwrap(), ..ExportOptions::default() };
    check_with(&with("Zeta,White,Nix"), text, "[White \"w\"]\n[Zeta \"z\"]\n\n1. e4 1-0");
    let roster = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"w\"]\n[Black \"?\"]\n";
    check_with(&with("roster"), text, &format!("{roster}[Result \"1-0\"]\n\n1. e4 1-0"));
    check_with(&with("none"), text, "1. e4 1-0");
}

#[test]
fn the_result_is_that_which_counts() {
    for (tag, marker, expected, result) in [
        ("1-0", "*", "1-0", "1-0"),
        ("*", "0-1", "0-1", "0-1"),
        ("1-0", "0-1", "1-0", "1-0"),
        ("1/2", "1/2", "1/2-1/2", "1/2-1/2"),
        ("", "1:0", "1-0", "1-0"),
        ("0-0", "*", "0-0", "*"),
    ] {
        let options = ExportOptions { tags: "Result".parse().unwrap(), ..ExportOptions::default() };
        let text = format!("[Result \"{tag}\"] 1. e4 {marker}");
        check_with(&options, &text, &format!("[Result \"{expected}\"]\n\n1. e4 {result}"));
    }
}

#[test]
fn the_tags_about_the_start_are_always_there() {
    let start = |tags: &str, expected: &str| {
        for choice in [TagChoice::None, TagChoice::Names(vec!["Nix".into()])] {
            let options = ExportOptions { tags: choice, ..ExportOptions::default() };
            let exporter = Exporter::new(options);
            let database = Database::from(format!("{tags} *").into_bytes());
            let (out, _) = write(&exporter, &database.games().next().unwrap()).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert_eq!(text.trim_end_matches("\n\n*\n\n").trim_end_matches("*\n\n"), expected, "{tags}");
        }
    };
    let ending = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1";
    start(&format!("[FEN \"{ending}\"]"), &format!("[FEN \"{ending}\"]\n[SetUp \"1\"]"));
    start(&format!("[fen \"{ending}\"] [Setup \"0\"]"), &format!("[FEN \"{ending}\"]\n[SetUp \"1\"]"));
    start("[FEN \"8/8/8/4k3/8/4K3/4P3/8 w\"]", &format!("[FEN \"{ending}\"]\n[SetUp \"1\"]"));
    start("[SetUp \"1\"]", "");
    start("[FEN \"\"]", "");
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    start(&format!("[FEN \"{chess960}\"]"), &format!("[FEN \"{chess960}\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]"));
    start(
        &format!("[FEN \"{chess960}\"] [Variant \"fischerandom\"]"),
        &format!("[FEN \"{chess960}\"]\n[SetUp \"1\"]\n[Variant \"fischerandom\"]"),
    );
    // Castling of a Chess960 game is written as the king taking its rook, wherever it starts.
    let initial = "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]";
    start(&format!("[Variant \"Chess960\"] {initial}"), &format!("{initial}\n[Variant \"Chess960\"]"));
    start("[Variant \"960\"]", "[Variant \"960\"]");
    start(&format!("[Variant \"Standard\"] {initial}"), initial);
    // Standard chess has no castling rights of Chess960.
    start(
        "[FEN \"r2k3r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"] [Variant \"Standard\"]",
        "[FEN \"r2k3r/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n[SetUp \"1\"]",
    );
}

#[test]
fn a_position_of_a_list_is_a_game_without_moves() {
    let database = Database::from(b"8/8/8/4k3/8/4K3/4P3/8 w - - bm e4;\n8/8/8/4k3/8/4K3/4P3/8 b - -\n".to_vec());
    let exporter = Exporter::new(ExportOptions { tags: TagChoice::None, ..ExportOptions::default() });
    let texts = database.games().map(|game| exporter.to_pgn(&game).unwrap()).collect::<String>();
    let game = |turn| format!("[FEN \"8/8/8/4k3/8/4K3/4P3/8 {turn} - - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n");
    assert_eq!(texts, game('w') + &game('b'));
}

#[test]
fn black_is_numbered_where_something_stands_before() {
    check("1.e4 e5 2.d4!? d5 {a} 3.c4 {b} c5 *", "1. e4 e5 2. d4 $5 2... d5 {a} 3. c4 {b} 3... c5 *");
    check("1. e4 (1. d4 d5) e5 (1... c5) 2. c4 *", "1. e4 (1. d4 d5) 1... e5 (1... c5) 2. c4 *");
    let options = ExportOptions { tags: "FEN".parse().unwrap(), ..ExportOptions::default() };
    let fen = "[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 3 40\"]\n";
    check_with(&options, &format!("{fen} 1. Kd7 Kd2 *"), &format!("{fen}[SetUp \"1\"]\n\n40... Kd7 41. Kd2 *"));
}

#[test]
fn moves_are_written_in_san() {
    check(
        "1.e2-e4 d7-d5 2.e4d5 Qd8xd5 3.Ng1f3 Bg4 4.Bf1-e2 Nc6 5.0-0 o-o-o+ 6.-- *",
        "1. e4 d5 2. exd5 Qxd5 3. Nf3 Bg4 4. Be2 Nc6 5. O-O O-O-O 6. -- *",
    );
    check("1. e4 g5 2. d4 f6 3. Qh5 *", "1. e4 g5 2. d4 f6 3. Qh5# *");
}

#[test]
fn what_other_programs_cannot_read_finds_a_place() {
    check("[A \"\"] $7 1. e4! *", "1. e4 $7 $1 *");
    check("1. e4 e5 ($142 1... c5 $1) *", "1. e4 e5 (1... c5 $142 $1) *");
    check("1. e4 (1. d4) $1 {a} (1. c4) $2 $3 e5 *", "1. e4 $1 $2 $3 (1. d4) {a} (1. c4) 1... e5 *");
    check("1. e4 (1. d4 (1. c4) $4) $5 e5 *", "1. e4 $5 (1. d4 $4 (1. c4)) 1... e5 *");
    check(
        "[A \"\"] (1. d4 d5) {a} (1. c4) 1. e4 $1 {b} (1. f4) e5 *",
        "{a} 1. e4 $1 {b} (1. d4 d5) (1. c4) (1. f4) 1... e5 *",
    );
    check("1. e4 ({a} (1. c4) {b} 1. d4) e5 *", "1. e4 (1. c4) ({a} {b} 1. d4) 1... e5 *");
    check("1. e4 (({b}) {a} 1. d4) e5 *", "1. e4 ({b} {a} 1. d4) 1... e5 *");
    check("1. e4 ({a} ({b} (1. c4 {c}) {d}) {e}) {f} *", "1. e4 (1. c4 {c}) {a} {b} {d} {e} {f} *");
    check("1. e4 () e5 ({a}) 2. d4 ($1) (()) *", "1. e4 e5 {a} 2. d4 {$1} *");
    check("[A \"\"] (1. d4 {x}) $1 *", "{$1} {(1. d4 (x))} *");
    check("{a} 1. e4 ; b } {\n 1-0 {c} $1", "{a} 1. e4 {b ) (} {c} $1 1-0");
}

#[test]
fn comments_among_the_tags_are_kept() {
    let options = ExportOptions { tags: "A".parse().unwrap(), ..ExportOptions::default() };
    check_with(
        &options,
        "{one}\n; two\n[A \"{no}\"] {three}\n[B \";\"] {four} 1. e4 *",
        "; one\n; two\n; three\n[A \"{no}\"]\n\n{four} 1. e4 *",
    );
    // They are comments of no move, so no evaluation is read from them.
    let eval = "{[%eval 5.0]\n[%clk 0:00:01]} [A \"\"] 1. e4 *";
    check_with(&options, eval, "; [%eval 5.0] [%clk 0:00:01]\n[A \"\"]\n\n1. e4 *");
    check(eval, "{(%eval 5.0) (%clk 0:00:01)} 1. e4 *");
}

#[test]
fn text_that_is_no_comment_of_its_move_gives_no_evaluation() {
    check("1. e4 Ke6 {[%eval 0.3] [%clk 0:00:01]} *", "1. e4 {Ke6 ((%eval 0.3) (%clk 0:00:01))} *");
    check("1. e4 {[%eval 0.3]", "1. e4 {(%eval 0.3)} *");
    check("1. e4 ({[%eval 0.3]}) e5 *", "1. e4 {(%eval 0.3)} 1... e5 *");
    check("1. e4 (1. zz {[%eval 0.3]}) e5 *", "1. e4 {zz ((%eval 0.3))} 1... e5 *");
    check("1. e4 (1. d4 zz [%eval 0.3]) e5 *", "1. e4 (1. d4 {zz (%eval 0.3)}) 1... e5 *");
    check("[A \"\"] (1. e4 {[%eval 0.3]}) *", "{(1. e4 ((%eval 0.3)))} *");
    check("1. e4 wv=0.3 *", "1. e4 {wv =0.3} *");
    // The comments of a variation that begins with a variation are those of its first move.
    check("1. e4 ({[%eval 0.3]} (1. c4) 1. d4) e5 *", "1. e4 (1. c4) ({[%eval 0.3]} 1. d4) 1... e5 *");
}

#[test]
fn control_characters_make_nothing_readable() {
    let options = ExportOptions { tags: "Result,WhiteElo,Date".parse().unwrap(), ..ExportOptions::default() };
    for (value, expected, end) in [
        ("1-0\u{7f}", "1-0\u{FFFD}", "*"),
        // Characters that end a symbol.
        ("1-0\u{2}", "1-0", "1-0"),
        ("1-0\0", "1-0", "1-0"),
        ("1-0\u{b}", "1-0", "1-0"),
        ("\u{1}1-0", "\u{FFFD}1-0", "*"),
        ("\u{b}1-0", "*", "*"),
        ("0-0\t", "0-0 ", "*"),
    ] {
        let text = format!("[Result \"{value}\"] 1. e4 *");
        check_with(&options, &text, &format!("[Result \"{expected}\"]\n\n1. e4 {end}"));
    }
    check_with(&options, "[Result \"\t1-0 \"] 1. e4 *", "[Result \"1-0\"]\n\n1. e4 1-0");
    let options = ExportOptions { tags: "WhiteElo".parse().unwrap(), ..ExportOptions::default() };
    check_with(&options, "[WhiteElo \"2700\u{2}\"] *", "[WhiteElo \"2700\u{FFFD}\"]\n\n*");
    check("1. e4 {[%eval 0.3\u{2}] a\u{1f}b} *", "1. e4 {[%eval 0.3\u{FFFD}] a\u{FFFD}b} *");
}

#[test]
fn the_rest_behind_an_error_is_a_comment() {
    check("1. e4 e5 2. Ke3 {a} Nf6 (2... d6)\n3. d4 1-0 {b}", "1. e4 e5 {Ke3 (a) Nf6 (2... d6) 3. d4} {(b)} 1-0");
    check("1. e4 Ke3 Nf6 *", "1. e4 {Ke3 Nf6} *");
    check("1. e4 (1. d4 Kd2 2. c4) (1. zz) (1. c4) e5 *", "1. e4 (1. d4 {Kd2 2. c4}) {zz} (1. c4) 1... e5 *");
    check("1. e4 {a", "1. e4 {a} *");
    check("1. e4 (1. d4 d5", "1. e4 (1. d4 d5) *");
    let options = ExportOptions { comments: CommentChoice::None, ..ExportOptions::default() };
    check_with(&options, "1. e4 Ke3 1-0", "1. e4 1-0");
}

#[test]
fn parts_can_be_left_out() {
    let text = "{a} 1. e4! {b} (1. d4 $2 (1. zz)) e5 *";
    let all = ExportOptions::default();
    check_with(&ExportOptions { comments: CommentChoice::None, ..all.clone() }, text, "1. e4 $1 (1. d4 $2) 1... e5 *");
    check_with(&ExportOptions { nags: false, ..all.clone() }, text, "{a} 1. e4 {b} (1. d4 {zz}) 1... e5 *");
    let main = ExportOptions { variations: false, ..all.clone() };
    check_with(&main, text, "{a} 1. e4 $1 {b} 1... e5 *");
    check_with(&ExportOptions { comments: CommentChoice::None, nags: false, ..main.clone() }, text, "1. e4 e5 *");
    let database = Database::from(text.as_bytes().to_vec());
    let game = database.games().next().unwrap();
    let errors =
        |options| Exporter::new(options).append(&game, &ReplayOptions::default(), &mut Vec::new()).unwrap().len();
    assert_eq!((errors(all), errors(main)), (1, 0));
}

#[test]
fn comments_with_the_position_can_be_added() {
    let (e4, d4, e5) = (
        "{rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1}",
        "{rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1}",
        "{rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2}",
    );
    let text = "1. e4 $1 {a} (1. d4) e5 (1... c5) *";
    let with = |add_fen| ExportOptions { add_fen, width: 0, comments: CommentChoice::None, ..ExportOptions::default() };
    check_with(&with(FenComments::Last), text, &format!("1. e4 $1 (1. d4) 1... e5 (1... c5) {e5} *"));
    let c5 = "{rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2}";
    check_with(&with(FenComments::Every), text, &format!("1. e4 $1 {e4} (1. d4 {d4}) 1... e5 {e5} (1... c5 {c5}) *"));
    let kept = ExportOptions { comments: CommentChoice::All, variations: false, ..with(FenComments::Every) };
    check_with(&kept, text, &format!("1. e4 $1 {e4} {{a}} 1... e5 {e5} *"));
    check_with(&with(FenComments::Last), "*", "{rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1} *");
}

#[test]
fn lines_are_as_long_as_asked_for() {
    let text = "1. e4 {a comment of some words} (1. d4 d5) e5 2. Nf3 *";
    let with = |width| ExportOptions { width, ..ExportOptions::default() };
    check_with(&with(0), text, "1. e4 {a comment of some words} (1. d4 d5) 1... e5 2. Nf3 *");
    check_with(&with(20), text, "1. e4 {a comment of\nsome words} (1. d4\nd5) 1... e5 2. Nf3 *");
    check_with(&with(1), "1. e4 *", "1.\ne4\n*");
}

#[test]
fn a_game_without_a_usable_start_is_not_written() {
    for tags in ["[FEN \"nonsense\"]", "[Variant \"Bughouse\"]"] {
        let database = Database::from(format!("{tags} 1. e4 *").into_bytes());
        assert!(Exporter::default().to_pgn(&database.games().next().unwrap()).is_err(), "{tags}");
    }
}
