//! Records in random order, and games divided into parts: every record is written once, the order depends on the seed
//! only, no game is in two parts, and a run that fails leaves nothing.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_rows::games::{GameSink, Shares, Split};
use pgn2fen_rows::{Format, Rows, RowsError, ShapeError, ShuffleOptions};

use crate::cli::Desk;
use crate::laws::{stream, whole, workers};
use crate::training::{STYLE, examples, viri_games};
use crate::walking::walk;

/// The formats that are sequences of records, with columns for those that have some. Comments have line breaks.
fn jobs() -> Vec<(Format, Rows)> {
    let of_lines = [Format::Csv, Format::Tsv, Format::Jsonl, Format::Epd];
    let columns = |format| Rows::columns("game,ply,san,White,eval,comment").unwrap().format(format);
    let formats = [Format::Fen, Format::Uci, Format::Bullet, Format::Bulletformat, Format::Plain];
    let others = [Format::Viri, Format::Binpack].into_iter().chain(formats);
    let others = others.map(|format| (format, Rows::new().format(format)));
    others.chain(of_lines.map(|format| (format, columns(format)))).collect()
}

/// Games with evaluations, and one with quotes and line breaks in its comments.
fn games() -> Vec<u8> {
    let odd = b"[White \"A \\\"B\\\"\"]\n[Result \"1-0\"]\n\n\
        1. e4 {[%eval 0.3] one, \"two\"\nthree} e5 {[%eval 0.1]} 1-0\n\n";
    [odd, &examples()[..300_000]].concat()
}

fn shuffle(seed: u64, memory: usize) -> ShuffleOptions {
    ShuffleOptions { seed, memory, folder: None }
}

/// The records of a file, by readers of their own.
fn records(format: Format, bytes: &[u8]) -> Vec<Vec<u8>> {
    match format {
        Format::Bulletformat => bytes.chunks(32).map(<[u8]>::to_vec).collect(),
        Format::Plain => {
            let text = str::from_utf8(bytes).unwrap();
            text.split_inclusive("\ne\n").map(|record| record.as_bytes().to_vec()).collect()
        }
        Format::Viri => viri_games(bytes).iter().map(|game| format!("{game:?}").into_bytes()).collect(),
        Format::Binpack => {
            // Each chain is a game.
            let rows = Rows::columns("game,fen,next_uci,eval,result").unwrap().style(STYLE);
            let said = walk(&rows, &workers(1), [("a", stream(bytes))]);
            let mut chains: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
            for line in said.lines().into_iter().skip(1) {
                let (game, row) = line.split_once('\t').unwrap();
                chains.entry(game.parse().unwrap()).or_default().extend_from_slice(row.as_bytes());
            }
            chains.into_values().collect()
        }
        Format::Csv => {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
            let shown = |row: csv::Result<csv::StringRecord>| format!("{:?}", row.unwrap()).into_bytes();
            reader.records().map(shown).collect()
        }
        _ => bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect(),
    }
}

#[test]
fn every_record_is_written_once_in_another_order() {
    let games = games();
    for (format, job) in jobs() {
        let said = |job: &Rows| walk(job, &workers(2), [("a.pgn", whole(&games))]);
        let (plain, shuffled) = (said(&job), said(&job.clone().shuffle(shuffle(1, 1 << 30))));
        assert_eq!(plain.totals, shuffled.totals, "{format:?}");
        let [mut plain, mut shuffled] = [plain, shuffled].map(|said| records(format, &said.output));
        assert!(plain.len() > 50, "{format:?}: {}", plain.len());
        if format.has_header() {
            assert_eq!(plain.remove(0), shuffled.remove(0), "the header row stays");
        }
        let moved = plain.iter().zip(&shuffled).filter(|(one, other)| one != other).count();
        assert!(moved * 10 > plain.len() * 9, "{format:?}: {moved} of {}", plain.len());
        plain.sort_unstable();
        shuffled.sort_unstable();
        assert!(plain == shuffled, "{format:?}");
    }
}

#[test]
fn the_order_depends_on_the_seed_and_on_nothing_else() {
    let games = games();
    for (format, job) in jobs() {
        let expected = walk(&job.clone().shuffle(shuffle(7, 1 << 30)), &workers(1), [("a.pgn", whole(&games))]);
        for (threads, block, memory) in [(1, 700, 0), (2, 5_000, 10_000), (8, 2_000, 1_000_000)] {
            let workers = workers(threads).with_cuts(Cuts::Likely(block));
            let said = walk(&job.clone().shuffle(shuffle(7, memory)), &workers, [("a.pgn", stream(&games))]);
            assert!(said.output == expected.output, "{format:?} {threads} {memory}");
        }
        let other = walk(&job.shuffle(shuffle(8, 1 << 30)), &workers(1), [("a.pgn", whole(&games))]);
        assert!(other.output != expected.output && other.output.len() == expected.output.len(), "{format:?}");
    }
}

/// Keeps files in memory.
#[derive(Debug, Default)]
struct Memory(BTreeMap<String, Vec<u8>>, Vec<String>);

impl GameSink for Memory {
    type File = io::Cursor<Vec<u8>>;

    fn create(&mut self, path: &Path) -> io::Result<Self::File> {
        self.1.push(path.display().to_string());
        Ok(io::Cursor::default())
    }

    fn complete(&mut self, file: Self::File) -> io::Result<()> {
        // They are completed in the order in which they were created.
        let name = self.1.remove(0);
        self.0.insert(name, file.into_inner());
        Ok(())
    }
}

fn shares(text: &str) -> Shares {
    match text.parse() {
        Ok(Split::Shares(shares)) => shares,
        other => panic!("{text}: {other:?}"),
    }
}

/// The parts of an output.
fn parts(job: &Rows, shares: &Shares, threads: usize, games: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut writing = job.begin_parts(shares, &"{part}".parse().unwrap(), Memory::default()).unwrap();
    let workers = workers(threads).with_cuts(Cuts::Likely(3_000 * threads));
    pgn2fen_games::walk::Job::read(&mut writing, &workers, Path::new("a.pgn"), whole(games), &mut ()).unwrap();
    writing.end().unwrap().0.0
}

#[test]
fn parts_have_each_record_once_and_no_game_is_in_two() {
    let games = games();
    let shares = shares("train=0.7,valid=0.2,test=0.1").seed(5);
    for (format, job) in jobs() {
        let found = parts(&job, &shares, 1, &games);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["test", "train", "valid"]);
        assert!(parts(&job, &shares, 3, &games) == found, "{format:?}");
        let whole = walk(&job, &workers(1), [("a.pgn", whole(&games))]);
        let mut expected = records(format, &whole.output);
        let header = format.has_header().then(|| expected.remove(0));
        let mut joined = Vec::new();
        for (name, part) in &found {
            let mut part = records(format, part);
            assert_eq!(format.has_header().then(|| part.remove(0)), header, "{format:?}");
            assert!(part.len() * 20 > expected.len(), "{format:?} {name}: {}", part.len());
            joined.extend(part);
        }
        joined.sort_unstable();
        expected.sort_unstable();
        assert!(joined == expected, "{format:?}");
        // The parts are the same in random order.
        let shuffled = parts(&job.shuffle(shuffle(3, 100_000)), &shares, 2, &games);
        for (name, part) in &shuffled {
            let [mut one, mut other] = [part, &found[name]].map(|part| records(format, part));
            assert!(one != other, "{format:?}");
            one.sort_unstable();
            other.sort_unstable();
            assert!(one == other, "{format:?} {name}");
        }
    }
}

#[test]
fn the_parts_are_those_of_the_games() {
    let games = fs::read("fixtures/games/tournaments_2020.pgn").unwrap();
    // Copies of a game are in the same part, whatever their tags are.
    let copies = String::from_utf8(games.clone()).unwrap().replace("[Event \"", "[Event \"Again ");
    let desk = Desk::with(&[("a.pgn", &games), ("b.pgn", copies.as_bytes())]);
    let split = ["--split", "train=80%,valid=20%", "--seed", "4"];
    desk.run(&[&["games", "-o", "{part}.pgn", "a.pgn", "b.pgn"], &split[..]].concat()).is("", "", 0);
    desk.run(&[&["-C", "White,Event,fen", "-p", "10..20", "-o", "{part}.csv", "a.pgn", "b.pgn"], &split[..]].concat())
        .is("", "", 0);
    let mut seen: HashSet<String> = HashSet::new();
    for part in ["train", "valid"] {
        let expected = desk.run(&["-C", "White,Event,fen", "-p", "10..20", "-f", "csv", &format!("{part}.pgn")]);
        let text = String::from_utf8(desk.read(&format!("{part}.csv"))).unwrap();
        assert!(text == expected.stdout && text.lines().count() > 50, "{part}");
        assert_eq!(text.matches("Again ").count() * 2, text.lines().count() - 1, "{part}");
        let fens: HashSet<String> =
            text.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().to_owned()).collect();
        seen.extend(fens);
    }
    assert!(seen.len() > 500);
}

#[test]
fn unique_positions_are_unique_in_all_files_and_parts() {
    let games = fs::read("fixtures/games/evaluations_on_every_move.pgn").unwrap();
    let others = fs::read("fixtures/games/evaluations_and_times.pgn").unwrap();
    let desk = Desk::with(&[("a.pgn", &games), ("b.pgn", &games), ("c.pgn", &others)]);
    for format in ["bulletformat", "plain", "bullet"] {
        let whole = |inputs: &[&str]| {
            let ran = desk.run(&[&["-q", "-u", "--memory", "1G", "-f", format, "-o", "whole"], inputs].concat());
            assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
            desk.read("whole")
        };
        // The second file has nothing new.
        assert!(whole(&["a.pgn", "b.pgn", "c.pgn"]) == whole(&["a.pgn", "c.pgn"]), "{format}");
        let name = format!("{{part}}.{format}");
        let ran =
            desk.run(&["-q", "-u", "--shuffle", "--split", "x=0.5,y=0.5", "-o", &name, "a.pgn", "b.pgn", "c.pgn"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let both = ["x", "y"].map(|part| desk.read(&format!("{part}.{format}"))).concat();
        assert_eq!(both.len(), desk.read("whole").len(), "{format}");
    }
    let ran = desk.run(&["-q", "-u", "--memory", "1k", "--shuffle", "-o", "out.bulletformat", "a.pgn"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("different positions take more than 1024 bytes"), "{}", ran.stderr);
    assert!(!desk.path("out.bulletformat").exists());
}

#[test]
fn a_run_that_fails_leaves_no_file() {
    let games = fs::read("fixtures/games/evaluations_on_every_move.pgn").unwrap();
    let desk = Desk::with(&[("a.pgn", &games), ("bad.pgn", b"1. e4 e4 *")]);
    let options = ["-q", "--shuffle", "--memory", "1k"];
    for (case, why) in [
        (&["-o", "out.fen", "a.pgn", "none.pgn"][..], "out.fen is not written because"),
        (&["--split", "x=0.5,y=0.5", "-o", "{part}.fen", "a.pgn", "none.pgn"], "the files are not written because"),
        (&["--split", "x=0.5,y=0.5", "-o", "{part}.fen", "--on-error=stop", "bad.pgn"], "the files are not written"),
        (&["--split", "x=0.5,a.pgn=0.5", "-o", "{part}", "-f", "bullet", "a.pgn"], "a.pgn"),
    ] {
        let ran = desk.run(&[&options, case].concat());
        assert_eq!(ran.code, Some(2), "{case:?}");
        assert!(ran.stderr.contains(why), "{case:?}: {}", ran.stderr);
        assert_eq!(desk.files(), ["a.pgn", "bad.pgn"], "{case:?}");
        assert!(desk.read("a.pgn") == games);
    }
    // The temporary file cannot be created.
    let shuffle = ShuffleOptions { memory: 0, folder: Some(desk.path("none")), seed: 0 };
    let job = Rows::new().shuffle(shuffle);
    let error = job.write([Database::from(games)], Vec::new()).unwrap_err();
    assert!(error.to_string().starts_with("the temporary file for records in random order: "), "{error}");
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *")]);
    for (options, expected) in [
        (&["--shuffle", "-o", "a.parquet"][..], "the format parquet cannot be shuffled or split"),
        (&["--shuffle", "-o", "a.html"], "the format html cannot be shuffled or split"),
        (&["--split", "x=0.5,y=0.5", "-o", "{part}.arrow"], "the format arrow cannot be shuffled or split"),
        (&["--shuffle", "-o", "{game}-{ply}.svg"], "--shuffle does not go with pictures"),
        (&["--split", "x=0.5,y=0.5", "--per", "game", "-f", "jsonl"], "--split does not go with --per game"),
        (&["--split", "x=0.5,y=0.5"], "--split writes several files; name them with -o"),
        (&["--split", "x=0.5,y=0.5", "-o", "-"], "--split writes several files; name them with -o"),
        (&["--split", "x=0.5,y=0.5", "-o", "out.fen.zst"], "use a name such as out-{part}.fen.zst"),
        (&["--split", "x=0.5,y=0.5", "-o", "{White}-{part}.fen"], "{White} names files of games"),
        (&["--split", "x=0.5,y=0.4", "-o", "{part}.fen"], "the shares add up to 0.9, not to 1"),
        (&["--split", "100", "-o", "{part}.fen"], "--split takes shares of the games"),
        (&["--seed", "1"], "--seed needs --sample, --shuffle or --split"),
        (&["--memory", "1G"], "--memory needs --unique or --shuffle"),
    ] {
        let ran = desk.run(&[options, &["a.pgn"]].concat());
        assert_eq!((&*ran.stdout, ran.code), ("", Some(2)), "{options:?}");
        assert!(ran.stderr.contains(expected), "{options:?}: {}", ran.stderr);
        assert_eq!(desk.files(), ["a.pgn"], "{options:?}");
    }
    let refused = Rows::new().format(Format::Html).shuffle(ShuffleOptions::default()).begin(Vec::new());
    assert!(matches!(refused, Err(RowsError::Shape(ShapeError::NoRecords(Format::Html)))));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_file() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    let desk = Desk::with(&[]);
    for case in [&["-o", "out.fen"][..], &["--split", "x=0.5,y=0.5", "-o", "{part}.fen"]] {
        let mut command = desk.command(&[&["--shuffle", "--memory", "1k"], case].concat());
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let game = b"1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(50_000);
        stdin.write_all(&game).unwrap();
        assert!(!desk.files().is_empty(), "the run has begun");
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(desk.files().is_empty(), "{case:?}");
    }
}
