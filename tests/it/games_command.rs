//! `pgn2fen games`: the copies are those that a slow reader makes, however the files are cut and read.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::pgn::encoding::Fallback;
use pgn2fen_games::pgn::encoding::detect_utf16;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::pgn::token::Token;
use pgn2fen_games::selection::{Start, TagFilter};
use pgn2fen_games::walk::Job;
use pgn2fen_rows::Writing;
use pgn2fen_rows::games::{Copies, GameSink, Order};

use crate::cli::Desk;
use crate::laws::{everything, game_fixtures, noise, stream, whole, workers};
use crate::starts::{begun, identity, is_usual, one};
use crate::walking::{Begin, listen, read_options, same, walk};

const PLAYERS: &str = "[White \"Carlsen\"]\n[Black \"Anand\"]\n\n1. e4 e5 1-0\n\n\
    [White \"Tal\"]\n[Black \"Carlsen\"]\n\n1. d4 d5 1/2-1/2\n\n[White \"Anand\"]\n[Black \"Tal\"]\n\n1. c4 0-1\n";

impl Begin for Copies {
    fn begin_writing(&self) -> Writing<'static, Vec<u8>> {
        self.begin(Vec::new())
    }
}

/// The games of a text, without the blank lines that go with them.
fn games(bytes: &[u8]) -> Vec<&[u8]> {
    Games::new(bytes).map(|game| game.bytes().trim_ascii_end()).collect()
}

#[test]
fn all_games_of_a_file_are_the_file() {
    for (path, bytes) in game_fixtures() {
        let is_plain = detect_utf16(&bytes).is_none();
        let length: usize = Games::new(&bytes).map(|game| game.bytes().len()).sum();
        // Blank lines behind a game belong to it; the walk leaves out what belongs to no game.
        if is_plain && length == bytes.len() && bytes.ends_with(b"\n") {
            let said = walk(&Copies::new(), &one(), [("a.pgn", whole(&bytes))]);
            assert!(said.output == bytes, "{}", path.display());
        }
    }
}

#[test]
fn filters_choose_what_a_slow_reader_chooses() {
    let tags: TagFilter = "White~carlsen".parse().unwrap();
    let bytes = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let is_right = |game: &Game<'_>| tags.holds(game.tags(), &Fallback::default());
    let expected: Vec<&[u8]> = Games::new(&bytes).filter(is_right).map(|game| game.bytes().trim_ascii_end()).collect();
    let job = Copies::new().tags("White~carlsen").unwrap();
    let said = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
    assert_eq!((games(&said.output), said.count().wanted), (expected, 8));
    let others = walk(&job.clone().invert(true), &one(), [("a.pgn", whole(&bytes))]);
    assert_eq!(others.count().wanted + said.count().wanted, others.count().games);
    assert_eq!(others.output.len() + said.output.len(), bytes.len());
}

#[test]
fn each_game_passes_the_start_or_is_among_the_others() {
    let bytes = everything();
    for start in [Start::Any, Start::Standard, Start::Nonstandard] {
        let is_right = |game: &Game<'_>| match (start, begun(game)) {
            (Start::Any, _) => true,
            (_, None) => false,
            (start, Some(replay)) => is_usual(replay.position()) == (start == Start::Standard),
        };
        for invert in [false, true] {
            let job = Copies::new().start(start).invert(invert);
            let said = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
            let expected: Vec<_> = Games::new(&bytes).filter(|game| is_right(game) != invert).collect();
            assert_eq!(said.count().wanted, expected.len() as u64, "{start:?} {invert}");
            let copied = games(&said.output);
            assert_eq!(copied.len(), expected.len(), "{start:?} {invert}");
            for (copied, expected) in copied.iter().zip(expected) {
                assert!(copied.starts_with(expected.bytes().trim_ascii_end()), "{start:?} {invert}");
            }
        }
    }
}

#[test]
fn neither_threads_nor_cuts_nor_pipes_change_the_games() {
    let bytes = everything();
    let mut seed = 5;
    for job in [
        Copies::new().tags("Result=1-0").unwrap(),
        Copies::new().tags("Result=1-0").unwrap().invert(true),
        Copies::new().opening("B").unwrap(),
        Copies::new().unique(true),
        Copies::new().unique(true).read_options(read_options(|read| read.max_games = Some(1000))),
        Copies::new().order(Order::Sorted("-Date,White".parse().unwrap())),
        Copies::new().order(Order::Shuffled { seed: 3 }).unique(true),
        Copies::new().read_options(read_options(|read| {
            read.games.start = Start::Nonstandard;
            read.max_games = Some(7);
        })),
    ] {
        let expected = walk(&job, &one(), [("a.pgn", whole(&bytes))]);
        for threads in [1, 3] {
            for _ in 0..3 {
                let cuts = Cuts::Likely(200 + noise(&mut seed) % 30_000);
                let workers = workers(threads).with_cuts(cuts);
                same(&walk(&job, &workers, [("a.pgn", whole(&bytes))]), &expected, "cut");
                same(&walk(&job, &workers, [("a.pgn", stream(&bytes))]), &expected, "piped");
            }
        }
    }
}

/// The starting position and the moves of a game; None if it has no duplicates.
fn moves(game: &Game<'_>) -> Option<String> {
    let mut replay = begun(game)?;
    let start = format!("{:?} {}", replay.position().rules(), identity(replay.position()));
    let mut moves = start.clone();
    while let Some(ply) = replay.next_ply() {
        moves += &format!(" {:?}", ply.ok()?.played);
    }
    (moves != start).then_some(moves)
}

#[test]
fn duplicates_are_those_of_a_slow_reader() {
    let twice = [everything(), fs::read("fixtures/games/tournaments_2020.pgn").unwrap().repeat(2)].concat();
    let mut seen = HashSet::new();
    let (first, others): (Vec<Game<'_>>, Vec<Game<'_>>) =
        Games::new(&twice).partition(|game| moves(game).is_none_or(|moves| seen.insert(moves)));
    assert!(others.len() > 450, "{}", others.len());
    let mut writing = Copies::new().begin_aside(Vec::new(), Vec::new());
    listen(&mut writing, &workers(2), [("a.pgn", whole(&twice))]);
    let totals = writing.totals();
    let ((once, duplicates), _) = writing.end().unwrap();
    assert_eq!(
        (totals.count.wanted, totals.count.positions),
        ((first.len() + others.len()) as u64, first.len() as u64)
    );
    for (copied, expected) in [(&once, first), (&duplicates, others)] {
        let copied = games(copied);
        assert_eq!(copied.len(), expected.len());
        for (copied, expected) in copied.iter().zip(expected) {
            assert!(copied.starts_with(expected.bytes().trim_ascii_end()), "{}", String::from_utf8_lossy(copied));
        }
    }
    let unique = walk(&Copies::new().unique(true), &one(), [("a.pgn", whole(&twice))]);
    assert!(unique.output == once);
}

/// Games as `-u=beginnings` takes them, by comparing each with all others.
#[test]
fn games_that_break_off_are_those_of_a_slow_reader() {
    let whole_games = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let mut text = whole_games.clone();
    // The beginnings of some games, some twice, some of which have words.
    for (nth, game) in Games::new(&whole_games).step_by(7).enumerate() {
        let mut movetext = game.movetext();
        let mut sans = Vec::new();
        while let Some(token) = movetext.next_mainline() {
            sans.extend(if let Token::San(san) = token { Some(String::from_utf8_lossy(san)) } else { None });
        }
        let count = 3 + nth * 5 % 40;
        let words = if nth % 3 == 0 { "{words} " } else { "" };
        for _ in 0..=nth % 2 {
            let begun = sans[..count.min(sans.len())].join(" ");
            text.extend(format!("[Event \"{nth}\"]\n\n{words}{begun} *\n\n").bytes());
        }
    }
    let all: Vec<(Game<'_>, Option<String>)> = Games::new(&text).map(|game| (game.clone(), moves(&game))).collect();
    let begins = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => b.strip_prefix(&**a).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')),
        _ => false,
    };
    let is_kept = |(at, (_, moves)): (usize, &(Game<'_>, Option<String>))| {
        let is_beginning = all.iter().any(|(_, others)| begins(moves, others) && others != moves);
        let is_again = all[..at].iter().any(|(_, others)| moves.is_some() && others == moves);
        !is_beginning && !is_again
    };
    let kept: Vec<bool> = all.iter().enumerate().map(is_kept).collect();
    assert!(kept.iter().filter(|is_kept| !**is_kept).count() > 40);
    let job = Copies::new().unique_by("beginnings".parse().unwrap());
    for threads in [1, 2] {
        let mut writing = job.begin_aside(Vec::new(), Vec::new());
        listen(&mut writing, &workers(threads), [("a.pgn", whole(&text))]);
        let ((once, duplicates), left_out) = writing.end().unwrap();
        let expected = |is_kept: bool| {
            let games = all.iter().zip(&kept).filter(move |(_, kept)| **kept == is_kept);
            games.map(|((game, _), _)| game.bytes().trim_ascii_end()).collect::<Vec<_>>()
        };
        let trimmed =
            |copied: &'_ [u8]| games(copied).into_iter().map(|game| game.trim_ascii_end().to_vec()).collect::<Vec<_>>();
        assert!(trimmed(&once) == expected(true));
        assert!(trimmed(&duplicates) == expected(false));
        assert_eq!(left_out.duplicates, expected(false).len() as u64);
    }
}

/// The positions of games, joined again, are the same games.
#[test]
fn positions_that_are_joined_are_the_games_that_they_were() {
    let text = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let desk = Desk::with(&[("a.pgn", &text)]);
    desk.run(&["a.pgn", "-o", "a.fen"]).is("", "", 0);
    for threads in ["-j1", "-j3"] {
        desk.run(&["games", "--join", threads, "a.fen", "-o", "joined.pgn"]).is("", "", 0);
        let joined = desk.read("joined.pgn");
        let sans = |bytes: &[u8]| -> Vec<Option<String>> { Games::new(bytes).map(|game| moves(&game)).collect() };
        // A game that goes on where the one before ends does not occur, and a game without moves has no moves either.
        assert!(sans(&joined) == sans(&text));
    }
    // Games with moves give all their positions.
    desk.run(&["games", "--join", "a.pgn", "-o", "b.pgn"]).is("", "", 0);
    assert!(desk.read("b.pgn") == desk.read("joined.pgn"));
    let ran = desk.run(&["games", "--join", "--sort", "Date", "a.fen"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("leave out --join"), "{ran:?}");
    let ran = desk.run(&["games", "--join", "a.fen", "-o", "{White}.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--join writes one file"), "{ran:?}");
    let ran = desk.run(&["games", "--join", "--tree", "a.pgn", "a.fen"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--join is for copies"), "{ran:?}");
    // A line that is no position has an error, and the others are joined.
    let list = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8 w - - 0 1\n\
                rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n";
    let desk = Desk::with(&[("a.fen", list.as_bytes())]);
    let ran = desk.run(&["games", "--join", "a.fen"]);
    assert!(ran.code == Some(1) && ran.stdout.ends_with("\n\n1. e4 *\n\n"), "{ran:?}");
    assert!(ran.stderr.contains("a.fen:2:"), "{ran:?}");
    let ran = desk.run(&["games", "-v", "--join", "a.fen"]);
    assert!(ran.stderr.contains("\nsummary: 3 games, 2 positions, 1 error, "), "{ran:?}");
}

#[test]
fn which_of_equal_games_is_kept_can_be_chosen() {
    let games = "[White \"A\"]\n\n1. e4 e5 2. Nf3 *\n\n[White \"a\"]\n\n1. e4 e5 {[%clk 0:01:00]} 2. Nf3 Nc6 *\n\n\
                 [White \"A\"]\n\n1. e4 {best by test} e5 *\n\n[White \"B\"]\n\n1. d4 *\n\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let kept = |arguments: &[&str]| {
        let copied = desk.run(&[&["games", "a.pgn"], arguments].concat()).stdout;
        copied.lines().filter(|line| line.starts_with('1')).map(str::to_owned).collect::<Vec<_>>()
    };
    let (long, words, other) = ("1. e4 e5 {[%clk 0:01:00]} 2. Nf3 Nc6 *", "1. e4 {best by test} e5 *", "1. d4 *");
    assert_eq!(kept(&["-u=beginnings"]), [long, other]);
    assert_eq!(kept(&["-u=beginnings", "--keep", "annotated"]), [words, other]);
    assert_eq!(kept(&["-u=beginnings", "--keep", "first"]), ["1. e4 e5 2. Nf3 *", other]);
    assert_eq!(kept(&["-u=White", "--keep", "longest"]), [long, other]);
    assert_eq!(kept(&["-u=White", "--keep", "annotated"]), [words, other]);
    assert_eq!(kept(&["-u", "--keep", "longest"]).len(), 4);
    // In any order and in several files, too.
    assert_eq!(kept(&["-u=beginnings", "--sort", "-White"]), [other, long]);
    // In a folder, because A.pgn is a.pgn on Windows and macOS.
    desk.run(&["games", "-u=beginnings", "a.pgn", "-o", "of/{White}.pgn", "--duplicates", "rest.pgn"]).is("", "", 0);
    assert!(String::from_utf8_lossy(&desk.read("rest.pgn")).contains(words));
    assert!(String::from_utf8_lossy(&desk.read("of/B.pgn")).ends_with("1. d4 *\n\n"));
    let ran = desk.run(&["games", "-v", "-u=beginnings", "a.pgn", "-o", "b.pgn"]);
    assert!(ran.stderr.starts_with("summary: 4 games, 2 written, 2 duplicates, 0 errors, "), "{}", ran.stderr);
    let ran = desk.run(&["games", "--keep", "longest", "a.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("add --unique or --duplicates"), "{}", ran.stderr);
}

#[test]
fn an_order_changes_no_game_and_equals_stay_in_the_order_of_the_files() {
    let bytes = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let run = |order: &Order| walk(&Copies::new().order(order.clone()), &workers(2), [("a.pgn", whole(&bytes))]).output;
    let key = |game: &[u8]| {
        let tag = |name: &str| {
            let text = str::from_utf8(game).unwrap();
            let start = text.find(&format!("[{name} \"")).map(|at| at + name.len() + 3)?;
            Some(text[start..start + text[start..].find('"').unwrap()].to_owned())
        };
        let elo = tag("WhiteElo").and_then(|elo| elo.parse::<i32>().ok());
        (elo.is_none(), -elo.unwrap_or(0), tag("White").unwrap_or_default().to_lowercase())
    };
    let sorted = run(&Order::Sorted("-WhiteElo,White".parse().unwrap()));
    let mut expected = games(&bytes);
    expected.sort_by_key(|game| key(game));
    assert!(games(&sorted) == expected);

    let shuffled = [1, 2].map(|seed| run(&Order::Shuffled { seed }));
    let mut orders: Vec<Vec<&[u8]>> = shuffled.iter().map(|text| games(text)).collect();
    orders.push(games(&bytes));
    assert!(orders[0] != orders[1] && orders[0] != orders[2] && orders[1] != orders[2]);
    orders.iter_mut().for_each(|order| order.sort_unstable());
    assert!(orders[0] == orders[2] && orders[1] == orders[2]);
}

#[test]
fn damaged_games_stay_apart_in_any_order() {
    let pieces = ["[White \"a\"]\n", "\n", "1. e4", " {", "} ", "(", ")", "*", "\n%", "1-0", "[x]", "[FEN \"?\"]", ";"];
    let mut seed = 7;
    for _ in 0..3_000 {
        let text: String =
            (0..noise(&mut seed) % 25).map(|_| pieces[noise(&mut seed) % pieces.len()]).collect::<String>();
        let read = games(text.as_bytes());
        for order in [Order::Sorted("-White".parse().unwrap()), Order::Shuffled { seed: 1 }] {
            let copied = walk(&Copies::new().order(order), &one(), [("a.pgn", whole(text.as_bytes()))]).output;
            let mut left = read.clone();
            let copied = games(&copied);
            assert_eq!(copied.len(), left.len(), "{text:?}");
            for copied in copied {
                let fitting = (0..left.len()).filter(|at| copied.starts_with(left[*at]));
                let at = fitting.max_by_key(|at| left[*at].len());
                left.swap_remove(at.unwrap_or_else(|| panic!("{text:?}: {}", String::from_utf8_lossy(copied))));
            }
        }
    }
}

/// Keeps files in memory, and counts those that are open.
#[derive(Default)]
struct Memory {
    files: BTreeMap<String, Vec<u8>>,
    open: usize,
    most_open: usize,
}

impl GameSink for Memory {
    type File = io::Cursor<Vec<u8>>;

    fn create(&mut self, path: &Path) -> io::Result<Self::File> {
        self.open += 1;
        self.most_open = self.most_open.max(self.open);
        let path = path.to_str().unwrap().to_owned();
        assert!(self.files.insert(path.clone(), Vec::new()).is_none(), "{path} is created twice");
        let mut bytes = path.into_bytes();
        bytes.push(b'\n');
        let mut file = io::Cursor::new(bytes);
        file.set_position(file.get_ref().len() as u64);
        Ok(file)
    }

    fn complete(&mut self, file: Self::File) -> io::Result<()> {
        self.open -= 1;
        let bytes = file.into_inner();
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        self.files.insert(String::from_utf8(bytes[..end].to_vec()).unwrap(), bytes[end + 1..].to_vec());
        Ok(())
    }
}

/// The files into which a job divides games, and the greatest number that was open.
fn divided(job: &Copies, names: &str, threads: usize, bytes: &[u8]) -> (BTreeMap<String, Vec<u8>>, usize) {
    let mut writing = job.begin_files(names.parse().unwrap(), Memory::default()).unwrap();
    listen(&mut writing, &workers(threads).with_cuts(Cuts::Likely(20_000)), [("a.pgn", whole(bytes))]);
    let memory = writing.end().unwrap().0;
    assert_eq!(memory.open, 0);
    (memory.files, memory.most_open)
}

#[test]
fn parts_add_up_to_the_file() {
    let bytes = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let all = games(&bytes);
    for (split, names) in [
        ("50", "{part}.pgn"),
        ("1", "{part}.pgn"),
        ("30KB", "{part}.pgn"),
        ("1B", "{part}.pgn"),
        ("a=0.7,b=0.3", "{part}.pgn"),
        ("", "{White}.pgn"),
        ("", "{Result}/{ECO}.pgn"),
        ("10", "{Result}-{part}.pgn"),
    ] {
        let mut job = Copies::new();
        if !split.is_empty() {
            job = job.split(split.parse().unwrap());
        }
        let (files, most_open) = divided(&job, names, 1, &bytes);
        assert!(most_open <= if split.starts_with('a') { 2 } else { 1 }, "{split} {names}: {most_open}");
        assert_eq!(divided(&job, names, 3, &bytes).0, files);
        let mut parts: Vec<&[u8]> = files.values().flat_map(|file| games(file)).collect();
        let mut expected = all.clone();
        parts.sort_unstable();
        expected.sort_unstable();
        assert!(parts == expected, "{split} {names}");
        for (name, file) in &files {
            let (count, in_order) = (games(file).len(), games(file));
            let mut at = in_order.iter().map(|game| all.iter().position(|other| other == game));
            assert!(at.clone().zip(at.by_ref().skip(1)).all(|(a, b)| a < b), "{name}: the order of the file stays");
            match split {
                "50" => assert!(count == 50 || name == "5.pgn" && count == 32, "{name}: {count}"),
                "1" | "1B" => assert_eq!(count, 1, "{name}"),
                "30KB" => assert!(file.len() <= 30_000 && (file.len() > 20_000 || name == "7.pgn"), "{name}"),
                "10" => assert!(count <= 10, "{name}: {count}"),
                _ => {}
            }
        }
    }
    let sorted = Copies::new().order(Order::Sorted("-WhiteElo".parse().unwrap())).split("100".parse().unwrap());
    let files = divided(&sorted, "{part}.pgn", 2, &bytes).0;
    let whole_order = Copies::new().order(Order::Sorted("-WhiteElo".parse().unwrap()));
    let expected = walk(&whole_order, &one(), [("a.pgn", whole(&bytes))]).output;
    assert!(files.values().flatten().copied().collect::<Vec<_>>() == expected);
}

#[test]
fn equal_games_are_in_the_same_part() {
    let bytes = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    let twice = [&bytes[..], b"{again}\n1. e4 *\n\n", &bytes].concat();
    let Ok(pgn2fen_rows::games::Split::Shares(shares)) = "train=80%,test=20%".parse() else {
        panic!("these are shares")
    };
    let job = |seed| Copies::new().split(pgn2fen_rows::games::Split::Shares(shares.clone().seed(seed)));
    let files = divided(&job(1), "{part}.pgn", 2, &twice).0;
    let mut part_of: HashMap<String, &str> = HashMap::new();
    for (name, file) in &files {
        for game in Games::new(file) {
            let known = part_of.entry(moves(&game).unwrap()).or_insert(name);
            assert_eq!(known, name);
        }
    }
    assert!(part_of.len() > 200 && files.len() == 2);
    assert!(divided(&job(2), "{part}.pgn", 2, &twice).0 != files);
    let alone = divided(&job(1), "{part}.pgn", 2, &bytes).0;
    for (name, file) in alone {
        assert!(games(&file).iter().all(|game| games(&files[&name]).contains(game)), "{name}");
    }
}

#[test]
fn no_value_leads_out_of_the_folder_and_none_is_lost() {
    let values = ["../../x", "..", "/etc/passwd", "C:\\a", "a/b", "A/B", "", "con", "-rf", ".ssh", "x\u{0}y", "Müller"];
    let text: String = values.iter().map(|value| format!("[White \"{value}\"]\n\n1. e4 *\n\n")).collect();
    let (files, _) = divided(&Copies::new(), "out/{White}.pgn", 2, text.as_bytes());
    assert_eq!(files.values().map(|file| games(file).len()).sum::<usize>(), values.len());
    for name in files.keys() {
        let inner = name.strip_prefix("out/").unwrap();
        assert!(!inner.contains(['/', '\\', ':', '\0']) && !inner.starts_with(['.', '-']), "{name}");
    }
    // Names that some systems do not distinguish are one file.
    assert_eq!(files.len(), values.len() - 1);
}

#[test]
fn games_are_split_on_the_command_line() {
    let desk = Desk::with(&[("a.pgn", PLAYERS.as_bytes())]);
    let run = |arguments: &[&str]| desk.run(&[&["games", "a.pgn"], arguments].concat());
    run(&["--split", "2", "-o", "b/{part}.pgn.gz"]).is("", "", 0);
    let first = desk.run(&["games", "-n2", "a.pgn"]).stdout;
    desk.run(&["games", "b/1.pgn.gz"]).is(&first, "", 0);
    assert_eq!(desk.run(&["games", "b/2.pgn.gz"]).stdout.matches("[White").count(), 1);
    run(&["-o", "{White}.pgn", "-u", "--sort", "Black"]).is("", "", 0);
    run(&["--split", "x=50%,y=50%", "-o", "{part}-{Black}.pgn", "--duplicates", "d.pgn", "--seed", "3"]).is("", "", 0);
    run(&["-o", "{{x}}.pgn"]).is("", "", 0);
    assert_eq!(desk.read("{x}.pgn"), PLAYERS.as_bytes());
    let before = desk.files();
    for (arguments, words) in [
        (&["--split", "2"][..], "name them with -o, such as -o 'games-{part}.pgn'"),
        (&["--split", "2", "-o", "c.pgn"], "use a name such as c-{part}.pgn"),
        (&["-o", "{part}.pgn"], "games are not split"),
        (&["-o", "{part.pgn"], "is not closed"),
        (&["-o", "{game}.pgn"], "{game} is neither {part} nor the name of a tag"),
        (&["-o", "{White}.csv"], "has the ending of csv"),
        (&["--split", "ten", "-o", "{part}.pgn"], "write a number of games"),
        (&["--split", "2", "-o", "{part}.pgn", "--seed", "1"], "--seed needs --shuffle, or shares"),
        (&["none.pgn", "-o", "z{White}.pgn"], "the files are not written because"),
    ] {
        let ran = run(arguments);
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let ran = desk.run(&["games", "-o", "{White}.pgn", "Tal.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("Tal.pgn is both input and output"), "{}", ran.stderr);
    assert_eq!(desk.files(), before);
}

#[test]
fn duplicates_and_orders_on_the_command_line() {
    let again = PLAYERS.replace("Tal", "Petrosian");
    let desk =
        Desk::with(&[("a.pgn", PLAYERS.as_bytes()), ("b.pgn", again.as_bytes()), ("c.pgn", b"*\n\n*\n\n1. Ke2 *\n")]);
    desk.run(&["games", "-u", "a.pgn", "b.pgn"]).is(PLAYERS, "", 0);
    let ran = desk.run(&["games", "-v", "a.pgn", "b.pgn", "-o", "once.pgn", "--duplicates", "others.pgn.gz"]);
    assert!(ran.stderr.starts_with("summary: 6 games, 3 written, 3 duplicates, 0 errors, "), "{}", ran.stderr);
    assert_eq!(desk.read("once.pgn"), PLAYERS.as_bytes());
    desk.run(&["games", "others.pgn.gz"]).is(&again, "", 0);
    let ran = desk.run(&["games", "-u", "c.pgn", "c.pgn"]);
    assert_eq!((ran.stdout.matches('*').count(), ran.code), (6, Some(1)), "{}", ran.stderr);
    let anew = |arguments: &[&str]| desk.run(&[&["games", "--san", "a.pgn", "b.pgn"], arguments].concat()).stdout;
    assert_eq!(anew(&["-u"]), desk.run(&["games", "--san", "a.pgn"]).stdout);
    let sorted = desk.run(&["games", "--sort", "-White", "a.pgn", "b.pgn", "-o", "e.pgn"]);
    sorted.is("", "", 0);
    assert_eq!(anew(&["--sort", "-White"]), desk.run(&["games", "--san", "e.pgn"]).stdout);
    std::fs::remove_file(desk.path("e.pgn")).unwrap();
    let whites = |arguments: &[&str]| {
        let text = desk.run(&[&["games", "a.pgn"], arguments].concat()).stdout;
        let whites = text.lines().filter_map(|line| line.strip_prefix("[White \"")?.strip_suffix("\"]"));
        whites.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(whites(&["--sort", "White"]), "Anand Carlsen Tal");
    assert_eq!(whites(&["--sort", "-Black"]), "Anand Tal Carlsen");
    assert_eq!(whites(&["--shuffle", "--seed", "5"]), whites(&["--shuffle", "--seed", "5", "-j1", "--no-mmap"]));
    let ran = desk.run(&["games", "--sort", "Wite", "-o", "d.pgn", "a.pgn"]);
    ran.is("", "warning: no game has the tag Wite; did you mean White?\n", 0);
    for (arguments, words) in [
        (&["--sort", "White", "--shuffle"][..], "cannot be used with"),
        (&["--sort", "White Elo"], "an order is a list of tags"),
        (&["--seed", "3"], "--shuffle"),
        (&["--duplicates", "-"], "need a file of their own"),
        (&["--duplicates", "d.pgn", "-o", "d.pgn"], "need a file of their own"),
        (&["--duplicates", "a.pgn"], "is both input and output"),
        (&["--duplicates", "d.csv"], "has the ending of csv"),
        (&["--duplicates", "d-{White}.pgn", "-o", "e-{White}.pgn"], "--duplicates writes one file; leave the"),
        (&["--player", "O'K or B"], if cfg!(windows) { "use -t " } else { r#"use -t 'Player~"O'\''K or B"'"# }),
    ] {
        let ran = desk.run(&[&["games", "a.pgn"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
    let ran = desk.run(&["games", "a.pgn", "none.pgn", "-o", "e.pgn", "--duplicates", "f.pgn"]);
    assert!(
        ran.stderr.contains("e.pgn is not written") && ran.stderr.contains("f.pgn is not written"),
        "{}",
        ran.stderr
    );
    assert_eq!(desk.files(), ["a.pgn", "b.pgn", "c.pgn", "d.pgn", "once.pgn", "others.pgn.gz"]);
}

#[test]
fn games_are_copied_in_the_order_of_the_files() {
    let desk = Desk::with(&[("a.pgn", PLAYERS.as_bytes()), ("b.pgn", b"[White \"Carlsen\"]\n\n1. f4 *")]);
    let copy = |arguments: &[&str]| desk.run(&[&["games"], arguments, &["a.pgn", "b.pgn"]].concat());
    let parts: Vec<&str> = PLAYERS.split_inclusive("\n\n[").collect();
    let first = parts[0].trim_end_matches('[');
    copy(&["-t", "White=Carlsen"]).is(&format!("{first}[White \"Carlsen\"]\n\n1. f4 *\n"), "", 0);
    copy(&["-t", "White=Carlsen", "-n", "1"]).is(first, "", 0);
    copy(&["-t", "White=Carlsen", "-n", "1", "-o", "c.pgn.gz"]).is("", "", 0);
    desk.run(&["games", "c.pgn.gz"]).is(first, "", 0);
    copy(&["-t", "White~x"]).is("", "warning: none of 4 games satisfies -t\n", 0);
    copy(&["-t", "Whit~x", "--invert", "-n1"]).is(first, "warning: no game has the tag Whit; did you mean White?\n", 0);
    copy(&["--opening", "C", "--start", "standard"]).is(first, "", 0);
    desk.pipe(&["games", "-t", "White=Tal"], PLAYERS.as_bytes()).is(
        "[White \"Tal\"]\n[Black \"Carlsen\"]\n\n1. d4 d5 1/2-1/2\n\n",
        "",
        0,
    );
    let summary = copy(&["-v", "-t", "White=Tal", "-o", "d.pgn"]).stderr;
    assert!(summary.starts_with("summary: 1 of 4 games, 1 written, 0 errors, "), "{summary}");
}

#[test]
fn a_run_says_how_many_games_it_wrote() {
    let text =
        "1. e4 e5 *\n\n1. e4 e5 2. Ke3 *\n\n1. d4 d5 (1... c5 2. Ke4) *\n\n[FEN \"x\"]\n\n1. e4 *\n\n1. e4 e5 *\n";
    let desk = Desk::with(&[("a.pgn", text.as_bytes())]);
    for (arguments, expected) in [
        (&[][..], "5 games, 5 written, 1 error"),
        (&["--san"], "5 games, 4 written, 1 dropped for errors, 3 errors"),
        (&["--san", "--on-error", "drop"], "5 games, 2 written, 3 dropped for errors, 3 errors"),
        (&["--san", "--on-error", "drop", "-u"], "5 games, 1 written, 3 dropped for errors, 1 duplicate, 3 errors"),
        (&["--san", "--on-error", "stop"], "2 games, 2 written, 1 error"),
        (&["--no-variations", "--on-error", "drop"], "5 games, 3 written, 2 dropped for errors, 2 errors"),
        (&["-u"], "5 games, 4 written, 1 duplicate, 2 errors"),
        (&["--san", "--on-error", "drop", "-n", "3"], "3 games, 1 written, 2 dropped for errors, 2 errors"),
        (
            &["--san", "--on-error", "drop", "--length", "1.."],
            "4 of 5 games, 2 written, 2 dropped for errors, 2 errors",
        ),
    ] {
        let ran = desk.run(&[&["games", "-v", "-j", "2", "a.pgn"], arguments].concat());
        let summary = ran.stderr.lines().last().unwrap();
        assert!(summary.starts_with(&format!("summary: {expected}, ")), "{arguments:?}: {summary}");
        let written: usize = expected
            .split(' ')
            .zip(expected.split(' ').skip(1))
            .find(|(_, word)| *word == "written,")
            .unwrap()
            .0
            .parse()
            .unwrap();
        assert_eq!(
            ran.stdout.matches('*').count() - ran.stdout.matches("\"*\"").count(),
            written,
            "{arguments:?}: {}",
            ran.stdout
        );
    }
    let ran = desk.run(&["games", "-v", "--san", "a.pgn", "none.pgn", "-o", "out.pgn"]);
    assert!(ran.stderr.contains("summary: 5 games, 1 dropped for errors, 3 errors, "), "{}", ran.stderr);
    let rows = desk.run(&["--per", "game", "-v", "-f", "jsonl", "--on-error", "drop", "a.pgn"]);
    let summary = rows.stderr.lines().last().unwrap();
    assert!(summary.starts_with("summary: 5 games, 3 written, 2 dropped for errors, 2 errors, "), "{summary}");
    assert_eq!(rows.stdout.lines().count(), 3, "{}", rows.stdout);
}

#[test]
fn names_of_other_formats_are_refused() {
    let desk = Desk::with(&[("a.pgn", PLAYERS.as_bytes())]);
    for (name, words) in [
        ("b.csv", "b.csv has the ending of csv, which cannot be written here; games are written as PGN"),
        ("b.parquet.gz", "let the name end in .parquet"),
        ("b.arrow", "b.arrow has the ending of arrow, which cannot be written here"),
        ("b.json", "b.json has the ending of a JSON document"),
        ("b.svg", "has the ending of a picture"),
        ("a.pgn", "is both input and output"),
    ] {
        let ran = desk.run(&["games", "a.pgn", "-o", name]);
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{name}: {}", ran.stderr);
    }
    let ran = desk.run(&["-t", "White~carlsen", "-o", "strong.pgn", "a.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("`pgn2fen games` copies games"), "{}", ran.stderr);
    assert_eq!(desk.files(), ["a.pgn"]);
}
