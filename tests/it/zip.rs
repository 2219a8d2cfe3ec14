//! Zip archives: their members are read as files of their own, by every command.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use pgn2fen_files::{self as files, FileRange, OpenOptions};
use pgn2fen_games::database::{Archive, ArchiveMember, Damage, Fault, Source};
use pgn2fen_testing::zip::{Member, archive};
use tempfile::TempDir;

use crate::cli::{Desk, Ran, gzip};
use crate::laws::{everything, fixtures, noise, stream, try_walk, whole, workers};
use crate::walking::{Said, same};

/// A way to make a member of a name and a text.
type Pack = fn(&str, &[u8]) -> Member;

const PACKS: [(&str, Pack); 5] = [
    ("stored", Member::stored),
    ("deflate", Member::deflated),
    ("bzip2", |name, text| Member::with(name, 12, text, bzip2(text))),
    ("zstd", |name, text| Member::with(name, 93, text, zstd::encode_all(text, 3).unwrap())),
    // Short matches at short distances mean the same in both formats.
    ("deflate64", |name, text| Member { method: 9, ..literal(name, text) }),
];

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A member in blocks of deflate that are not compressed.
fn literal(name: &str, text: &[u8]) -> Member {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(text).unwrap();
    Member::with(name, 8, text, encoder.finish().unwrap())
}

/// A folder with one archive.
struct Shelf(TempDir);

impl Shelf {
    fn with(bytes: &[u8]) -> Self {
        let shelf = Self(TempDir::new().unwrap());
        fs::write(shelf.path(), bytes).unwrap();
        shelf
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("a.zip")
    }

    fn open(&self, member: &str) -> std::io::Result<Source> {
        Source::open(&self.path().join(member), true, None)
    }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/archives").join(name)
}

const ONE: &[u8] = b"[Event \"One\"]\n\n1. e4 e5 1-0\n\n";
const TWO: &[u8] = b"[Event \"Two\"]\n\n1. d4 Ke7 0-1\n\n[Event \"Three\"]\n\n1. c4 *\n\n";

/// An archive as newspapers for players of chess publish it.
fn weekly() -> Vec<u8> {
    archive(
        &[
            Member::deflated("twic1600.pgn", ONE),
            Member::deflated("readme.txt", b"Read me."),
            Member::stored("games/", b""),
            Member::deflated("games/twic1601.pgn", TWO),
            Member::deflated("__MACOSX/games/._twic1601.pgn", b"\0\x05\x16\x07"),
            Member::deflated(".hidden.pgn", ONE),
        ],
        false,
    )
}

#[test]
fn members_are_read_like_files() {
    let fixtures = fixtures();
    for (method, pack) in PACKS {
        for is_piped in [false, true] {
            let name = |nth: usize| format!("folder/{nth}.pgn");
            let members = fixtures.iter().enumerate().map(|(nth, (_, bytes))| pack(&name(nth), bytes));
            let shelf = Shelf::with(&archive(&members.collect::<Vec<_>>(), is_piped));
            for (nth, (path, bytes)) in fixtures.iter().enumerate() {
                let threads = 1 + 2 * (nth % 2);
                let expected = try_walk(&workers(1), stream(bytes));
                let said = try_walk(&workers(threads), shelf.open(&name(nth)).unwrap());
                same(&said, &expected, &format!("{} in {method}, piped: {is_piped}", path.display()));
            }
        }
    }
}

#[test]
fn members_of_any_size_are_read_on_any_number_of_threads() {
    let text = everything().repeat(2);
    let expected = try_walk(&workers(1), whole(&text));
    for (method, pack) in PACKS {
        let shelf = Shelf::with(&archive(&[pack("a", b"1. e4 *"), pack("b", &text)], true));
        for threads in [1, 2, 5] {
            let said = try_walk(&workers(threads), shelf.open("b").unwrap());
            same(&said, &expected, &format!("{method}, {threads} threads"));
        }
    }
}

#[test]
fn archives_of_other_programs_are_read() {
    let names = |name: &str| {
        let found = files::find([fixture(name)], false);
        found.into_iter().map(|(path, found)| (found.unwrap(), path).1).collect::<Vec<_>>()
    };
    let games = |path: &Path| try_walk(&workers(1), Source::open(path, true, None).unwrap()).count().games;
    let piped = names("piped.zip");
    assert_eq!(piped, ["week/games1.pgn", "week/games2.pgn"].map(|name| fixture("piped.zip").join(name)));
    assert_eq!((games(&piped[0]), games(&piped[1])), (3, 2));
    let methods = names("methods.zip");
    assert_eq!(methods[..3].iter().map(|path| games(path)).collect::<Vec<_>>(), [2, 2, 2]);
    let refusal = |path: &Path| {
        let error = Source::open(path, true, None).unwrap_err();
        files::explain(Path::new("a.zip/b.pgn"), &error).replace("a.zip/b.pgn", "a.zip")
    };
    assert_eq!(
        refusal(&methods[3]),
        "is compressed with LZMA, which is not read from zip archives; unpack a.zip first"
    );
    let encrypted = names("encrypted.zip");
    assert_eq!(refusal(&encrypted[0]), "is encrypted with a password; unpack a.zip first");
    assert_eq!(games(&encrypted[1]), 1);
    // It has longer matches than deflate, at greater distances.
    let said = try_walk(&workers(2), Source::open(&names("deflate64.zip")[0], true, None).unwrap());
    assert_eq!((said.error.map(|error| error.to_string()), said.totals.count.games), (None, 1200));
}

#[test]
fn each_member_is_a_file_of_its_own_to_every_command() {
    let desk = Desk::with(&[("twic.zip", &weekly())]);
    let first = "file,game,ply,san\n\
                 twic.zip/twic1600.pgn,1,0,\n\
                 twic.zip/twic1600.pgn,1,1,e4\n\
                 twic.zip/twic1600.pgn,1,2,e5\n";
    let second = "twic.zip/games/twic1601.pgn,1,0,\n\
                  twic.zip/games/twic1601.pgn,1,1,d4\n\
                  twic.zip/games/twic1601.pgn,2,0,\n\
                  twic.zip/games/twic1601.pgn,2,1,c4\n";
    let error = "twic.zip/games/twic1601.pgn:3:7: illegal-move: Ke7 in game 1, ply 2: ";
    let rows = ["-f", "csv", "-C", "file,game,ply,san"];
    let ran = desk.run(&[&rows[..], &["twic.zip"]].concat());
    assert_eq!((ran.stdout.as_str(), ran.code), (&*format!("{first}{second}"), Some(1)), "{}", ran.stderr);
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
    // A member alone, and an archive in a folder.
    desk.run(&[&rows[..], &["twic.zip/twic1600.pgn"]].concat()).is(first, "", 0);
    let ran = desk.run(&[&rows[..], &["-r", "."]].concat());
    assert_eq!(ran.stdout.replace("./", "").replace(".\\", ""), format!("{first}{second}"));
    assert!(ran.stderr.trim_start_matches("./").starts_with(error), "{}", ran.stderr);
    let events = |ran: Ran| ran.stdout.lines().filter(|line| line.starts_with("[Event")).count();
    assert_eq!(events(desk.run(&["games", "twic.zip"])), 3);
    let ran = desk.run(&["check", "twic.zip"]);
    assert!(ran.stdout.starts_with(error), "{}", ran.stdout);
    assert!(ran.stdout.contains("\nskipped: 1 file that is not named like PGN (twic.zip/readme.txt)\n"));
    assert!(ran.stdout.contains("\nsummary: 2 files, 3 games, "), "{}", ran.stdout);
    // The archive is an input file, which no output replaces.
    for output in [&["-o", "twic.zip", "-f", "fen"][..], &["games", "-o", "twic.zip"]] {
        let ran = desk.run(&[output, &["twic.zip/twic1600.pgn"]].concat());
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    }
    fs::rename(desk.path("twic.zip"), desk.path("twic.fen")).unwrap();
    let ran = desk.run(&["-o", "twic.fen", "twic.fen/twic1600.pgn"]);
    ran.is("", "pgn2fen: twic.fen is both input and output\n", 2);
    assert_eq!(desk.read("twic.fen"), weekly());
}

#[test]
fn members_may_be_what_files_may_be() {
    let utf16: Vec<u8> = "\u{feff}1. e4 *\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let members = [
        Member::stored("a.pgn.gz", &gzip(b"1. e4 *\n")),
        Member::deflated("b.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n"),
        Member::deflated("c.pgn", &utf16),
        Member::deflated("d.pgn", b"\x89PNG\r\n\x1a\n"),
        Member::stored("e.zip", &archive(&[Member::stored("f.pgn", b"1. e4 *\n")], false)),
    ];
    let desk = Desk::with(&[("a.zip", &archive(&members, false))]);
    let ran = desk.run(&["-f", "csv", "-C", "file,ply", "--no-header", "a.zip"]);
    assert_eq!(ran.stdout, "a.zip/a.pgn.gz,0\na.zip/a.pgn.gz,1\na.zip/b.epd,0\na.zip/c.pgn,0\na.zip/c.pgn,1\n");
    assert!(ran.stderr.contains("pgn2fen: a.zip/d.pgn: is a picture"), "{}", ran.stderr);
    let nested = "pgn2fen: a.zip/e.zip: is a zip archive in a zip archive; unpack a.zip first, then read the archives \
                  in it\n";
    desk.run(&["a.zip/e.zip"]).is("", nested, 2);
    let ran = desk.run(&["check", "a.zip"]);
    let skipped =
        "skipped: 1 file that is not named like PGN (a.zip/e.zip); unpack archives to check the games in them";
    assert!(ran.stdout.contains(skipped), "{}", ran.stdout);
}

#[test]
fn tables_are_read_from_their_end_if_they_are_stored() {
    let desk = Desk::with(&[]);
    let table = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tables/duckdb.parquet"));
    let table = table.unwrap();
    fs::write(desk.path("games.parquet"), &table).unwrap();
    let members = [Member::stored("a.parquet", &table), Member::deflated("b.parquet", &table)];
    fs::write(desk.path("a.zip"), archive(&members, false)).unwrap();
    let expected = desk.run(&["games.parquet"]);
    assert!(!expected.stdout.is_empty());
    assert_eq!(desk.run(&["a.zip/a.parquet"]).stdout, expected.stdout);
    let refused = "pgn2fen: a.zip/b.parquet: is a Parquet file, whose end is read first, and is compressed in a zip \
                   archive; unpack the archive\n";
    desk.run(&["a.zip/b.parquet"]).is("", refused, 2);
}

#[test]
fn the_members_that_are_read_are_those_that_are_named_like_games() {
    let read = |names: &[&str]| {
        let members: Vec<Member> = names.iter().map(|name| Member::stored(name, b"1. e4 *")).collect();
        let shelf = Shelf::with(&archive(&members, false));
        let found = files::find([shelf.path()], false);
        let name = |path: &Path| path.strip_prefix(shelf.path()).unwrap().to_str().unwrap().replace('\\', "/");
        found.iter().map(|(path, state)| (state.as_ref().unwrap(), name(path)).1).collect::<Vec<_>>()
    };
    assert_eq!(read(&["b.pgn", "a.EPD.gz", "c/d.Pgn.zst", "notes"]), ["b.pgn", "a.EPD.gz", "c/d.Pgn.zst"]);
    assert_eq!(read(&["games.csv", "games.txt"]), ["games.csv"]);
    assert_eq!(read(&["games", ".x", "games.txt"]), ["games", "games.txt"]);
    // Names that lead nowhere else, and names that occur twice.
    assert_eq!(read(&["../../a.pgn", "a.pgn", "/c:\\b.pgn"]), ["a.pgn", "a (2).pgn", "c:/b.pgn"]);
}

#[test]
fn an_archive_that_cannot_be_read_is_told_with_its_reason() {
    let weekly = weekly();
    let two = [Member::stored("a.pgn", ONE), Member::stored("b.pgn", TWO)];
    let desk = Desk::with(&[
        ("cut.zip", &weekly[..weekly.len() / 2]),
        ("empty.zip", &archive(&[], false)),
        ("two.zip", &archive(&two, false)),
        ("zip.gz", &gzip(&weekly)),
    ]);
    let cut = "pgn2fen: cut.zip: is a zip archive that is cut short: the list of its members, which stands at its end, \
               is missing; download it again\n";
    desk.run(&["cut.zip"]).is("", cut, 2);
    desk.run(&["empty.zip"]).is("", "pgn2fen: empty.zip: is a zip archive without files\n", 2);
    let none = "pgn2fen: two.zip/c.pgn: the zip archive has no member with this name; it has a.pgn, b.pgn\n";
    desk.run(&["two.zip/c.pgn"]).is("", none, 2);
    let piped = "pgn2fen: -: is a zip archive; a zip archive is read from its end, so save it to a file and give the \
                 name of the file\n";
    desk.pipe(&[], &weekly).is("", piped, 2);
    let packed = "pgn2fen: zip.gz: is a zip archive within gzip data; a zip archive is read from its end, so \
                  decompress it with `gzip -dc zip.gz > games.zip`, then read games.zip\n";
    desk.run(&["zip.gz"]).is("", packed, 2);
    let range = "two.zip/a.pgn: is a member of a zip archive; a range of bytes needs an uncompressed file";
    let ran = desk.run(&["--range", "0..5", "two.zip"]);
    assert!(ran.stderr.contains(range) && ran.code == Some(2), "{}", ran.stderr);
    // The library reads a single member by the name of the archive.
    let error = Source::open(&desk.path("two.zip"), true, None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "is a zip archive with several members (a.pgn, b.pgn); name one of them behind the archive and a slash"
    );
    fs::write(desk.path("one.zip"), archive(&two[..1], false)).unwrap();
    assert_eq!(try_walk(&workers(1), Source::open(&desk.path("one.zip"), true, None).unwrap()).count().games, 1);
}

#[test]
fn a_damaged_list_of_members_is_told_and_those_before_the_damage_are_read() {
    let bytes = archive(&["a.pgn", "b.pgn", "c.pgn"].map(|name| Member::deflated(name, ONE)), false);
    let last = bytes.windows(4).rposition(|mark| mark == b"PK\x01\x02").unwrap();
    let mut damaged = bytes.clone();
    damaged[last] ^= 1;
    let desk = Desk::with(&[("a.zip", &damaged)]);
    let ran = desk.run(&["-f", "csv", "-C", "file", "--no-header", "a.zip"]);
    assert_eq!(ran.stdout, "a.zip/a.pgn\n".repeat(3) + &"a.zip/b.pgn\n".repeat(3));
    let told = "pgn2fen: a.zip: is a zip archive that is damaged: a record begins with other bytes than it must (in \
                the list of members, behind member 2)\n";
    assert_eq!((&*ran.stderr, ran.code), (told, Some(2)));
    let mut few = bytes;
    let end = few.len() - 12;
    few[end] = 4;
    fs::write(desk.path("b.zip"), &few).unwrap();
    let ran = desk.run(&["-c", "b.zip"]);
    assert!(ran.stderr.contains("its end counts 4 members, but 3 are listed") || ran.code == Some(2), "{}", ran.stderr);
}

/// What can be read of a member, which must be the same however it is read.
#[track_caller]
fn read_member(shelf: &Shelf, member: &str, what: &str) -> Said {
    let read = |threads: usize| match shelf.open(member) {
        Ok(source) => try_walk(&workers(threads), source),
        Err(error) => Said { error: Some(error), ..Said::default() },
    };
    let said = read(1);
    let again = read(3);
    same(&again, &said, what);
    let damage = |said: &Said| said.error.as_ref().and_then(Damage::of).cloned();
    assert_eq!(damage(&again), damage(&said), "{what}");
    said
}

#[test]
fn what_stands_before_the_damage_of_a_member_is_read() {
    let game = "[White \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd8 2. e5 1-0\n\n";
    let mut seed = 11;
    let text: String = (0..500).map(|_| game.replacen("\"a\"", &format!("\"{}\"", noise(&mut seed)), 1)).collect();
    let expected = try_walk(&workers(1), whole(text.as_bytes()));
    for (method, pack) in PACKS {
        let good = pack("a.pgn", text.as_bytes());
        let length = good.data.len();
        let mut games = 0;
        for at in (length / 20..length).step_by(length / 10) {
            let what = format!("{method} at {at} of {length}");
            let mut member = good.clone();
            member.data.truncate(at);
            let shelf = Shelf::with(&archive(&[member], false));
            let said = read_member(&shelf, "a.pgn", &what);
            assert!(expected.output.starts_with(&said.output), "{what}");
            assert_eq!(said.lines().len() as u64, 4 * said.count().games, "{what}: each game is whole");
            let damage = Damage::of(said.error.as_ref().unwrap()).unwrap();
            // The header of the member has 35 bytes.
            let offset = 35 + at as u64;
            assert_eq!(
                (&damage.fault, damage.offset, damage.is_in_archive),
                (&Fault::CutShort, offset, true),
                "{what}"
            );
            assert!(said.count().games >= games, "{what}");
            games = said.count().games;
        }
        // The others have a single block.
        assert!(games > 300 || ["bzip2", "zstd"].contains(&method), "{method}: {games} games");
    }
}

#[test]
fn sizes_and_checksums_are_compared() {
    let check = |change: fn(&mut Member), games: u64, reason: &str| {
        for (method, pack) in PACKS {
            let mut member = pack("a.pgn", &[ONE, TWO].concat());
            change(&mut member);
            let shelf = Shelf::with(&archive(&[member], true));
            let said = read_member(&shelf, "a.pgn", method);
            let message = said.error.as_ref().map(ToString::to_string).unwrap_or_default();
            assert!(message.contains(reason), "{method}: {message}");
            assert_eq!(said.count().games, games, "{method}: {message}");
        }
    };
    check(|_| {}, 3, "");
    check(|member| member.crc32 ^= 1, 3, "is corrupt (its checksum is not the checksum in the list of members)");
    check(|member| member.size -= 1, 3, "is corrupt (it is longer than the list of members says)");
    check(|member| member.size = 40, 1, "is corrupt (it is longer than the list of members says)");
}

#[test]
fn a_member_has_the_same_name_in_the_list_and_before_its_text() {
    let mut bytes = archive(&[Member::stored("a.pgn", ONE), Member::stored("b\\c.pgn", TWO)], false);
    let header = bytes.windows(5).position(|part| part == b"a.pgn").expect("a header");
    bytes[header] = b'x';
    let slash = bytes.windows(3).position(|part| part == b"b\\c").expect("a header");
    bytes[slash + 1] = b'/';
    let desk = Desk::with(&[("a.zip", &bytes)]);
    let ran = desk.run(&["-q", "--no-start", "a.zip"]);
    let reason = "a.zip/a.pgn: is a zip archive that is damaged: the list of members has the name a.pgn, and the \
                  member itself x.pgn";
    assert!(ran.stderr.contains(reason), "{}", ran.stderr);
    assert_eq!((ran.stdout.lines().count(), ran.code), (2, Some(2)), "the games of the other member are read");
}

#[test]
fn damaged_archives_cause_no_panic_and_are_read_alike() {
    let text = &everything()[..20_000];
    let mut seed = 5;
    let packed = PACKS.iter().enumerate().map(|(nth, (_, pack))| pack(&format!("{nth}.pgn"), text));
    for is_piped in [false, true] {
        let bytes = archive(&packed.clone().collect::<Vec<_>>(), is_piped);
        let expected = try_walk(&workers(1), whole(text));
        for _ in 0..200 {
            let mut damaged = bytes.clone();
            // Half of the time in the list at the end.
            let from = if noise(&mut seed).is_multiple_of(2) { bytes.len() - 500 } else { 0 };
            match noise(&mut seed) % 3 {
                0 => damaged.truncate(from + noise(&mut seed) % (bytes.len() - from)),
                1 => damaged.insert(from + noise(&mut seed) % (bytes.len() - from), 0),
                _ => damaged[from + noise(&mut seed) % (bytes.len() - from)] ^= 1 << (noise(&mut seed) % 8),
            }
            let shelf = Shelf::with(&damaged);
            let Ok(archive) = Archive::open(&shelf.path()) else { continue };
            for member in archive.readable() {
                let said = read_member(&shelf, member.name(), "damaged");
                assert!(said.error.is_some() || said.output == expected.output, "{}", member.name());
            }
        }
    }
}

#[test]
fn many_members_are_found_and_opened_in_little_time() {
    let members: Vec<Member> = (0..4_000).map(|nth| Member::stored(&format!("{nth}.pgn"), b"1. e4 *\n")).collect();
    let desk = Desk::with(&[("a.zip", &archive(&members, true))]);
    let ran = desk.run(&["check", "a.zip"]);
    assert!(ran.stdout.starts_with("summary: 4,000 files, 4,000 games, 8,000 positions"), "{}", ran.stdout);
}

#[test]
fn an_archive_is_read_anew_when_it_changes() {
    let desk = Desk::with(&[("a.zip", &archive(&[Member::stored("a.pgn", ONE)], false))]);
    let path = desk.path("a.zip");
    assert_eq!(ArchiveMember::at(&path.join("a.pgn")).unwrap().unwrap().size(), ONE.len() as u64);
    fs::write(&path, archive(&[Member::stored("a.pgn", TWO)], false)).unwrap();
    assert_eq!(ArchiveMember::at(&path.join("a.pgn")).unwrap().unwrap().size(), TWO.len() as u64);
    fs::write(&path, b"1. e4 *").unwrap();
    assert!(ArchiveMember::at(&path.join("a.pgn")).is_none());
}

#[test]
fn a_member_is_one_range() {
    let shelf = Shelf::with(&weekly());
    let options = OpenOptions::default();
    let ranges = FileRange::of_file(shelf.path().join("games/twic1601.pgn"), 3, 1, &options).unwrap();
    assert_eq!((ranges.len(), ranges[0].is_whole, ranges[0].bytes.start), (1, true, 0));
    let source = ranges[0].options(&options).open(&ranges[0].path).unwrap();
    assert_eq!(try_walk(&workers(1), source).count().games, 2);
    let found = files::find([shelf.path()], false);
    let size = files::size(&found, None).unwrap();
    assert!(size > 0 && size < weekly().len() as u64);
}

#[test]
fn an_archive_is_removed_from_an_index_as_a_whole() {
    let desk = Desk::with(&[("twic.zip", &weekly()), ("a.pgn", b"1. d4 *\n")]);
    assert_eq!(desk.run(&["index", "-q", "-o", "idx", "twic.zip", "a.pgn"]).code, Some(1));
    desk.run(&["index", "--remove", "idx", "twic.zip"]).is("", "", 0);
    let info = desk.run(&["index", "--info", "-f", "csv", "idx"]).stdout;
    assert_eq!(info.lines().skip(1).map(|row| row.split(',').next()).collect::<Vec<_>>(), [Some("a.pgn")]);
}

#[test]
fn an_index_knows_members_as_files() {
    let desk = Desk::with(&[("twic.zip", &weekly()), ("copy.pgn", ONE)]);
    let ran = desk.run(&["index", "-o", "idx", "twic.zip"]);
    // A game has an illegal move.
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let games = || desk.run(&["find", "-f", "pgn", "idx", "e4 e5"]);
    let one = str::from_utf8(ONE).unwrap().trim_end();
    assert_eq!((games().stdout.trim_end(), games().code), (one, Some(0)));
    let info = desk.run(&["index", "--info", "idx"]);
    assert!(info.stdout.contains("twic.zip/games/twic1601.pgn"), "{}", info.stdout);
    // A member and the file that is unpacked of it are the same.
    let ran = desk.run(&["index", "--append", "-o", "idx", "copy.pgn"]);
    ran.is("", "copy.pgn: is already in the index as twic.zip/twic1600.pgn\n", 0);
    let ran = desk.run(&["index", "--append", "-o", "idx", "twic.zip"]);
    assert!(ran.stderr.contains("twic.zip/twic1600.pgn: is already in the index"), "{}", ran.stderr);
    // The archive is moved, changed and missing.
    fs::create_dir(desk.path("more")).unwrap();
    fs::rename(desk.path("twic.zip"), desk.path("more/twic.zip")).unwrap();
    assert!(games().stderr.contains("the file is missing"), "{}", games().stderr);
    assert_eq!(desk.run(&["index", "--relocate", "idx", "more/twic.zip"]).code, Some(0));
    assert_eq!(games().stdout.trim_end(), one);
    let changed = archive(&[Member::deflated("twic1600.pgn", TWO)], false);
    fs::write(desk.path("more/twic.zip"), changed).unwrap();
    assert!(games().stderr.contains("has changed since it was indexed"), "{}", games().stderr);
}
