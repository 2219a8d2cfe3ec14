//! ChessBase databases and archives as input: they are read like the PGN that is expected of them.

use std::fs;
use std::path::Path;

use pgn2fen_testing::zip::{Member, archive};

use crate::cli::{Desk, without_places};

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/chessbase").join(name)).unwrap()
}

/// A folder with the database of the fixtures, with the archive of it, and with the PGN that is expected.
fn desk() -> Desk {
    let names =
        ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj", "cbv", "pgn"].map(|it| format!("games.{it}"));
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), fixture(name))).collect();
    Desk::with(&files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect::<Vec<_>>())
}

#[test]
fn every_command_reads_a_database_and_an_archive_like_their_pgn() {
    let desk = desk();
    let columns =
        "game,White,Black,Result,Date,WhiteElo,ECO,Annotator,EventType,WhiteTeam,ply,san,nags,comment,cp,clock,fen";
    for file in ["games.cbh", "games.cbv"] {
        for options in [&["-j1"][..], &["-j4"], &["--no-mmap"], &["--variations"], &["-C", columns]] {
            let [ours, theirs] = [file, "games.pgn"].map(|file| desk.run(&[options, &[file]].concat()));
            assert_eq!((ours.code, ours.stdout), (theirs.code, theirs.stdout), "{options:?}");
            // Places count in a text without the parts that are not read.
            assert_eq!(without_places(&ours.stderr, file), without_places(&theirs.stderr, "games.pgn"), "{options:?}");
        }
        let [ours, theirs] =
            [file, "games.pgn"].map(|name| desk.run(&["check", "-v", name]).stdout.replace(name, "FILE"));
        let messages = |text: &str| -> Vec<String> {
            text.lines()
                .filter(|line| line.starts_with("FILE:") && line.contains("warning: "))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(messages(&ours), messages(&theirs));
        assert_eq!(messages(&ours).len(), 2, "{ours}");
        let ran = desk.run(&["check", "-v", file]);
        assert!(ran.stdout.contains("skipped-text: a guiding text is left out"), "{ran:?}");
        assert!(ran.stdout.contains("skipped-text: a deleted game is left out"), "{ran:?}");
        assert!(ran.stdout.contains("3 games"), "{ran:?}");
        desk.run(&["index", "-o", "a.idx", file]);
        let found = desk.run(&["find", "a.idx", "1. d4 d5"]);
        assert!(found.stdout.contains("0-1"), "{found:?}");
    }
}

#[test]
fn folders_have_databases_and_endings_may_be_in_upper_case() {
    let desk = desk();
    fs::remove_file(desk.path("games.pgn")).unwrap();
    fs::remove_file(desk.path("games.cbv")).unwrap();
    fs::rename(desk.path("games.cbg"), desk.path("games.CBG")).unwrap();
    fs::rename(desk.path("games.cbh"), desk.path("games.CBH")).unwrap();
    let ran = desk.run(&["check", "-r", "."]);
    assert!(ran.stdout.contains("3 games"), "{ran:?}");
    fs::remove_file(desk.path("games.cba")).unwrap();
    let ran = desk.run(&["check", "games.CBH"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("its file with the ending .cba is not with it"), "{}", ran.stderr);
}

#[test]
fn a_pipe_with_a_database_is_refused() {
    for name in ["games.cbh", "games.cbv"] {
        let ran = Desk::with(&[]).pipe(&["check"], &fixture(name));
        assert_eq!(ran.code, Some(2));
        let advice = "pgn2fen reads those with the names .cbh and .cbv, from the disk";
        assert!(ran.stderr.contains(advice), "{name}: {}", ran.stderr);
    }
    let member = Member::deflated("games.cbh", &fixture("games.cbh"));
    let ran = Desk::with(&[("s.zip", &archive(&[member], false))]).run(&["check", "s.zip"]);
    let advice = "unpack s.zip first, then read the file whose name ends with .cbh or .cbv";
    assert!(ran.stderr.contains(advice), "{}", ran.stderr);
}

/// Returns a folder with a database of many games with the same long record.
#[cfg(target_os = "linux")]
pub(crate) fn hostile() -> Desk {
    let mut index = [&[0, 0, 0x2C, 0, 0x2E, 1][..], &10_001_u32.to_be_bytes(), &[0; 36]].concat();
    let mut entry = vec![1, 0, 0, 0, 26, 0, 0, 0, 26];
    entry.resize(46, 0);
    index.extend(entry.repeat(10_000));
    let header = [&[0, 26][..], &[0; 24]].concat();
    let moves = [&header[..], &[0, 7, 0, 0], &[0; 7 * 65_536 - 4]].concat();
    let comment = [&[0, 0, 0, 2, 0xFF, 0xFF, 0, 0][..], &[b'}'; 65_527]].concat();
    let size = u32::try_from(14 + 6 * comment.len()).unwrap().to_be_bytes();
    let annotations = [&header[..], &[0, 0, 1, 1, 0, 14, 14, 0, 0, 7], &size, &comment.repeat(6)].concat();
    let names =
        ["cbp", "cbt", "cbc", "cbs"].map(|ending| (format!("games.{ending}"), fixture(&format!("games.{ending}"))));
    let mut files = vec![("games.cbh", &index[..]), ("games.cbg", &moves[..]), ("games.cba", &annotations[..])];
    files.extend(names.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())));
    Desk::with(&files)
}

/// Returns an archive of the fixture whose players take as much memory as they may: runs of the same byte follow them.
#[cfg(target_os = "linux")]
pub(crate) fn hostile_archive() -> Vec<u8> {
    let block = |payload: &[u8]| [&u16::try_from(payload.len()).unwrap().to_le_bytes()[..], &[0; 2], payload].concat();
    // A word with 16 codes, each of which repeats a byte 4,114 times.
    let runs = [&[0xFF, 0xFF][..], &[0x1F, 0xFF, 0].repeat(16)].concat();
    let runs = block(&[&[1][..], &runs.repeat(60)].concat());
    let (mut list, mut data) = (Vec::new(), Vec::new());
    let endings = ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs"];
    for ending in endings {
        let name = format!("games.{ending}");
        let bytes = fixture(&name);
        let more = if ending == "cbp" { 3 } else { 0 };
        let packed = [block(&[&[0][..], &bytes].concat()), runs.repeat(more)].concat();
        let place = 8 + 173 * endings.len() + data.len();
        let numbers = [place, packed.len(), bytes.len() + more * 60 * 16 * 4114];
        let numbers = numbers.map(|number| u64::try_from(number).unwrap().to_le_bytes());
        let mut entry = name.into_bytes();
        entry.resize(128, 0);
        entry.extend(numbers.iter().flat_map(|number| &number[..4]));
        entry.extend([0; 9]);
        entry.extend(numbers.as_flattened());
        list.extend(entry);
        data.extend(packed);
    }
    let count = u16::try_from(endings.len()).unwrap().to_le_bytes();
    [&[8, 0][..], &count, &[0xAD, 0, 3, 0], &list, &data].concat()
}
