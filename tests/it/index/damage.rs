//! Bits that flip, files that are cut short or exchanged: an index tells it, or answers as before.

use std::fs;
use std::path::{Path, PathBuf};

use pgn2fen_chess::san::Letters;
use pgn2fen_games::typed::read_position;
use pgn2fen_index::{Index, IndexError};

use crate::cli::Desk;
use crate::index::{build, desk};
use crate::laws::{sweeps, workers};

/// What is asked of an index.
pub(super) const QUESTIONS: [&str; 8] = ["startpos", "e4", "e4 e5 Nf3", "d4 Nf6 c4", "e4 c5", "Nf3 d5", "c4", "a3 h6"];

type Answer = Result<String, IndexError>;

/// All that an index says of a position: hits, counts, moves, and what is known of the games.
pub(super) fn ask(index: &Index, question: &str) -> Answer {
    let position = read_position(question, &Letters::ENGLISH).unwrap().position;
    let hits = index.hits(&position)?.collect::<Result<Vec<_>, _>>()?;
    let mut games = index.games();
    let mut known = Vec::new();
    for hit in hits.iter().take(5) {
        for column in index.columns() {
            known.push((games.number(hit.game, column)?, games.text(hit.game, column)?.map(str::to_owned)));
        }
    }
    Ok(format!("{hits:?} {:?} {:?} {known:?}", index.count(&position)?, index.explore(&position)?))
}

fn ask_all(folder: &Path) -> Vec<Answer> {
    match Index::open(folder) {
        Ok(index) => QUESTIONS.iter().map(|question| ask(&index, question)).collect(),
        Err(error) => vec![Err(error)],
    }
}

/// Whether a check finds the index sound.
pub(super) fn is_sound(folder: &Path) -> bool {
    Index::open(folder).is_ok_and(|index| index.check(&workers(2)).is_empty())
}

/// An index of several runs, and how it answers as long as it is sound.
struct Sound {
    desk: Desk,
    files: Vec<PathBuf>,
    answers: Vec<String>,
}

impl Sound {
    fn new() -> Self {
        let (desk, names) = desk();
        let few: Vec<String> = names.into_iter().step_by(7).collect();
        for piece in few.chunks(few.len().div_ceil(3)) {
            build(&desk, &["--append", "-o", "idx"], piece);
        }
        let folder = desk.path("idx");
        let mut files = Vec::new();
        let mut folders = vec![folder.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        assert!(files.len() > 15, "the lock, the manifest, three tables of each run and their checksums");
        let answers: Vec<String> = ask_all(&folder).into_iter().map(Result::unwrap).collect();
        assert!(is_sound(&folder) && answers.len() == QUESTIONS.len());
        Self { desk, files, answers }
    }

    fn folder(&self) -> PathBuf {
        self.desk.path("idx")
    }

    /// Damages a file, and looks whether that is found and no answer is another one. Gives whether an answer failed.
    #[track_caller]
    fn check(&self, path: &Path, what: &str, damage: impl FnOnce(&mut Vec<u8>)) -> bool {
        let whole = fs::read(path).unwrap();
        let mut bytes = whole.clone();
        damage(&mut bytes);
        assert_ne!(bytes, whole, "{what}");
        fs::write(path, bytes).unwrap();
        let found = ask_all(&self.folder());
        for (answer, expected) in found.iter().zip(&self.answers) {
            assert!(answer.as_ref().map_or(true, |answer| answer == expected), "{what}: {answer:?}, not {expected}");
        }
        assert!(!is_sound(&self.folder()), "{what} is not found");
        fs::write(path, whole).unwrap();
        found.iter().any(Result::is_err)
    }
}

/// Numbers without a pattern, the same in each run.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end as u64).unwrap()
    }
}

#[test]
fn a_flipped_bit_is_found_and_no_answer_is_wrong() {
    let index = Sound::new();
    let lengths: Vec<usize> = index.files.iter().map(|path| fs::read(path).unwrap().len()).collect();
    let mut random = Random(20_261_121);
    let mut refused = 0;
    let flips = if sweeps() { 1000 } else { 200 };
    for _ in 0..flips {
        let mut at = random.below(lengths.iter().sum());
        let file = lengths.iter().position(|length| {
            let is_here = at < *length;
            at -= if is_here { 0 } else { *length };
            is_here
        });
        let path = &index.files[file.unwrap()];
        let bit = random.below(8);
        let what = format!("bit {bit} of byte {at} of {}", path.display());
        refused += u32::from(index.check(path, &what, |bytes| bytes[at] ^= 1 << bit));
    }
    assert!(refused > flips / 5, "what is asked is damaged: {refused}");
    assert!(is_sound(&index.folder()));
}

#[test]
fn a_long_list_ends_where_the_index_is_damaged() {
    // Names without a pattern, so that they fill many blocks of the table.
    let mut random = Random(7);
    let mut game = || format!("[White \"{:x}\"]\n\n1. e4 c5 2. Nf3 *\n", random.below(usize::MAX));
    let games: String = (0..10_000).map(|_| game()).collect();
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    build(&desk, &["-o", "idx"], &["a.pgn".to_owned()]);
    let list = || desk.run(&["find", "idx", "e4"]);
    let whole = list();
    assert_eq!((whole.code, whole.stdout.lines().count()), (Some(0), 10_001));
    let (mut lists_cut, mut lists_whole) = (0, 0);
    for name in ["games.parquet", "postings-00.parquet"] {
        let path = desk.path("idx/run-000001").join(name);
        let sound = fs::read(&path).unwrap();
        for place in 0..20 {
            let mut bytes = sound.clone();
            bytes[sound.len() * place / 20] ^= 1;
            fs::write(&path, bytes).unwrap();
            let ran = list();
            assert!(whole.stdout.starts_with(&ran.stdout), "{name} {place}");
            let is_whole = ran.stdout == whole.stdout;
            assert_eq!(ran.code, Some(if is_whole { 0 } else { 2 }), "{name} {place}: {}", ran.stderr);
            assert!(is_whole || ran.stderr.contains("damaged"), "{name} {place}: {}", ran.stderr);
            lists_whole += u32::from(is_whole);
            lists_cut += u32::from(!is_whole && ran.stdout.lines().count() > 1);
        }
        fs::write(&path, sound).unwrap();
    }
    assert!(lists_whole > 0 && lists_cut > 0, "{lists_whole} lists are whole, {lists_cut} are cut");
}

#[test]
fn whatever_else_becomes_of_a_file_is_found() {
    let index = Sound::new();
    for path in index.files.iter().filter(|path| !path.ends_with("lock")) {
        let what = path.display().to_string();
        let length = fs::read(path).unwrap().len();
        for length in [0, 1, length / 2, length - 1] {
            index.check(path, &what, |bytes| bytes.truncate(length));
        }
        index.check(path, &what, |bytes| bytes.push(0));
        index.check(path, &what, |bytes| bytes[length / 3..length * 2 / 3].fill(0));
        index.check(path, &what, |bytes| bytes.fill(0));
        index.check(path, &what, |bytes| bytes.rotate_left(1));
        // Another file in its place: each of the others, or the next one.
        let others = index.files.iter().cycle().skip_while(|other| *other != path).skip(1);
        let others = others.take(if sweeps() { index.files.len() - 1 } else { 1 });
        for other in others.filter(|other| !other.ends_with("lock")) {
            index.check(path, &format!("{} for {what}", other.display()), |bytes| *bytes = fs::read(other).unwrap());
        }
    }
}

#[test]
fn files_of_another_index_are_found() {
    // Of games so much alike that their tables have the same number of bytes.
    let desk = Desk::with(&[
        ("a.pgn", b"1. e4 e5 2. Nf3 1-0\n1. e4 c5 0-1\n"),
        ("b.pgn", b"1. d4 d5 2. Nc3 1-0\n1. d4 c5 0-1\n"),
    ]);
    build(&desk, &["-o", "a"], &["a.pgn".to_owned()]);
    build(&desk, &["-o", "b"], &["b.pgn".to_owned()]);
    let run = |index: &str| desk.path(index).join("run-000001");
    for table in ["postings-00", "moves-00", "games"] {
        let names = [format!("{table}.parquet"), format!("_{table}.sums")];
        let [table, sums] = names.each_ref().map(|name| fs::read(run("a").join(name)).unwrap());
        for exchanged in [&names[..1], &names[1..], &names[..]] {
            for name in exchanged {
                fs::copy(run("b").join(name), run("a").join(name)).unwrap();
            }
            assert!(!is_sound(&desk.path("a")), "{exchanged:?}");
            fs::write(run("a").join(&names[0]), &table).unwrap();
            fs::write(run("a").join(&names[1]), &sums).unwrap();
        }
    }
    assert!(is_sound(&desk.path("a")));
    fs::copy(desk.path("b/manifest.json"), desk.path("a/manifest.json")).unwrap();
    assert!(!is_sound(&desk.path("a")));
}

#[test]
fn damage_is_not_merged() {
    let index = Sound::new();
    let files = index.files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    for path in files {
        let whole = fs::read(path).unwrap();
        let mut bytes = whole.clone();
        bytes[whole.len() / 4] ^= 1;
        fs::write(path, bytes).unwrap();
        let manifest = index.desk.read("idx/manifest.json");
        let ran = index.desk.run(&["index", "--compact", "-o", "idx"]);
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with("moves") {
            // Moves are counted anew.
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert!(is_sound(&index.folder()));
            return;
        }
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.contains(name) && ran.stderr.contains("damaged in the bytes 0 to "), "{}", ran.stderr);
        assert!(index.desk.read("idx/manifest.json") == manifest, "nothing is written");
        let names: Vec<String> = fs::read_dir(index.folder())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(names.len(), 5, "the lock, the manifest and three runs: {names:?}");
        fs::write(path, &whole).unwrap();
    }
}

#[test]
fn a_check_names_every_damaged_place() {
    let (desk, names) = desk();
    build(&desk, &["-o", "idx"], &names[..]);
    desk.run(&["index", "--check", "idx"]).is_sound();
    desk.run(&["index", "-o", "idx", "--check"]).is_sound();
    for (file, at) in [
        ("postings-00.parquet", 5000),
        ("postings-00.parquet", 50_000),
        ("postings-00.parquet", 54_000),
        ("games.parquet", 5),
    ] {
        let path = desk.path("idx/run-000001").join(file);
        let mut bytes = fs::read(&path).unwrap();
        bytes[at] ^= 4;
        fs::write(&path, bytes).unwrap();
    }
    let ran = desk.run(&["index", "--check", "idx"]);
    assert_eq!(ran.code, Some(2));
    let expected = "\
        pgn2fen: idx/run-000001/postings-00.parquet: the file is damaged in the bytes 4096 to 8191; build the index \
        again\n\
        pgn2fen: idx/run-000001/postings-00.parquet: the file is damaged in the bytes 49152 to 57343; build the index \
        again\n\
        pgn2fen: idx/run-000001/games.parquet: the file is damaged in the bytes 0 to 4095; build the index again\n\
        pgn2fen: idx is damaged in 3 places\n";
    assert_eq!(ran.stderr, expected);
    // It can be built again in its place.
    fs::write(desk.path("idx/manifest.json"), b"{ damaged").unwrap();
    build(&desk, &["-o", "idx"], &names[..3]);
    assert!(is_sound(&desk.path("idx")));
    assert_eq!(fs::read_dir(desk.path("idx")).unwrap().count(), 3, "the lock, the manifest and one run");
}

impl crate::cli::Ran {
    #[track_caller]
    fn is_sound(&self) {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        assert!(self.stdout.starts_with("idx is sound: ") && self.stderr.is_empty(), "{self:?}");
    }
}

#[test]
fn other_readers_do_not_come_upon_the_checksums() {
    let (desk, names) = desk();
    build(&desk, &["-o", "idx"], &names[..3]);
    for entry in fs::read_dir(desk.path("idx/run-000001")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        // Spark, Arrow and others pass over names that begin with `_`; a pattern such as postings-*.parquet finds none.
        assert!(name.ends_with(".parquet") || name.starts_with('_') && name.ends_with(".sums"), "{name}");
    }
}
