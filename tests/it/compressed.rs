//! Compressed files: what is in them is read as if they were not compressed, and where they are damaged as far as it
//! goes.

use std::cell::Cell;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use pgn2fen_games::database::{Damage, Database, Fault, Source};
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::walk::{Count, Job, Listener};
use pgn2fen_rows::Rows;
use tempfile::TempDir;

use crate::laws::{everything, fixtures, noise, stream, try_stream, try_walk, whole, workers};
use crate::walking::{Said, same};

/// A way to compress a text.
pub(crate) type Pack = fn(&[u8]) -> Vec<u8>;

pub(crate) const PACKS: [(&str, Pack); 9] = [
    ("zstd", zstd),
    ("zstd in many frames", |text| joined(text, 700, zstd)),
    ("zstd behind skippable frames", |text| {
        [skippable(b""), skippable(&[7; 300]), zstd(text), skippable(b"end")].concat()
    }),
    ("pzstd", |text| joined(text, 5_000, pzstd_frame)),
    ("zstd with checksums and long windows", zstd_long),
    ("gzip", gzip),
    ("gzip in many members", |text| joined(text, 700, gzip)),
    ("bzip2", bzip2),
    ("bzip2 in many streams", |text| joined(text, 3_000, bzip2)),
];

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).unwrap()
}

fn zstd_long(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn skippable(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap().to_le_bytes();
    [&0x184D_2A50u32.to_le_bytes()[..], &length, content].concat()
}

/// As pzstd writes it: behind a skippable frame with its length.
fn pzstd_frame(text: &[u8]) -> Vec<u8> {
    let frame = zstd(text);
    let length = u32::try_from(frame.len()).unwrap().to_le_bytes();
    [skippable(&length), frame].concat()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The text in pieces of so many bytes, each compressed alone.
fn joined(text: &[u8], size: usize, pack: Pack) -> Vec<u8> {
    if text.is_empty() { pack(text) } else { text.chunks(size).flat_map(pack).collect() }
}

/// A folder for files that are opened, and the number of the last one.
struct Shelf(TempDir, Cell<u64>);

impl Shelf {
    fn new() -> Self {
        Self(TempDir::new().unwrap(), Cell::new(0))
    }

    /// The path of the last file.
    fn path(&self) -> PathBuf {
        self.0.path().join(format!("packed-{}", self.1.get()))
    }

    /// Whether mapped or not.
    fn open(&self, bytes: &[u8], map: bool) -> Source {
        self.try_open(bytes, map).unwrap()
    }

    fn try_open(&self, bytes: &[u8], map: bool) -> io::Result<Source> {
        // A new file, since the one before may still be mapped. Windows does not remove it then.
        let _ = fs::remove_file(self.path());
        self.1.set(self.1.get() + 1);
        fs::write(self.path(), bytes).unwrap();
        Source::open(&self.path(), map, None)
    }
}

#[test]
fn compressed_files_are_read_like_plain_ones() {
    let shelf = Shelf::new();
    let (alone, many) = (workers(1), workers(3));
    for (path, bytes) in fixtures() {
        let expected = try_walk(&alone, stream(&bytes));
        for (name, pack) in PACKS {
            // Long windows are taken at once, and cleared.
            let is_costly = name.contains("long") && bytes.len() > 100;
            if is_costly {
                continue;
            }
            let what = format!("{} in {name}", path.display());
            let packed = pack(&bytes);
            same(&try_walk(&alone, stream(&packed)), &expected, &what);
            same(&try_walk(&many, shelf.open(&packed, true)), &expected, &what);
        }
    }
}

#[test]
fn compressed_files_of_any_size_are_read_on_any_number_of_threads() {
    let shelf = Shelf::new();
    let text = everything().repeat(2);
    let expected = try_walk(&workers(1), whole(&text));
    for (name, pack) in PACKS {
        let packed = pack(&text);
        for threads in [1, 4] {
            let workers = workers(threads);
            let what = format!("{name}, {threads} threads");
            same(&try_walk(&workers, shelf.open(&packed, true)), &expected, &what);
            same(&try_walk(&workers, shelf.open(&packed, false)), &expected, &what);
        }
        let source = shelf.open(&packed, true);
        assert!(name.contains(source.compression().unwrap()), "{name}");
        let database = Database::open(shelf.path()).unwrap();
        assert!(database.bytes() == text, "{name}");
    }
}

#[test]
fn zeros_behind_gzip_and_empty_frames_are_no_damage() {
    let text = b"1. e4 *";
    let expected = try_walk(&workers(1), whole(text));
    let zeros = vec![0; 300_000];
    for packed in [
        [gzip(text), zeros.clone()].concat(),
        [gzip(b""), zeros, gzip(text)].concat(),
        [zstd(b""), skippable(b""), zstd(text), zstd(b"")].concat(),
        [bzip2(b""), bzip2(text)].concat(),
    ] {
        let said = try_walk(&workers(2), stream(&packed));
        assert!(said.error.is_none(), "{:?}", said.error);
        same(&said, &expected, "with nothing around");
    }
    assert_eq!(try_walk(&workers(2), stream(&skippable(b"nothing else"))).text(), "");
}

#[test]
fn utf16_in_compressed_files_is_transcoded() {
    let shelf = Shelf::new();
    let text = "[White \"Grünfeld\"]\n\n1. e4 *\n".repeat(10_000);
    let utf16: Vec<u8> = std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let expected = try_walk(&workers(1), whole(text.as_bytes()));
    for (name, pack) in PACKS {
        let source = shelf.open(&pack(&utf16), true);
        assert_eq!(source.transcoded_from(), Some("UTF-16LE"), "{name}");
        same(&try_walk(&workers(2), source), &expected, name);
    }
}

#[test]
fn files_that_are_compressed_more_than_once_are_read() {
    let shelf = Shelf::new();
    let text = &everything()[..100_000];
    let expected = try_walk(&workers(1), whole(text));
    for (name, outer) in PACKS.iter().filter(|(name, _)| !name.contains("long")) {
        for (inner_name, inner) in [("zstd", zstd as Pack), ("gzip", gzip), ("bzip2", bzip2)] {
            let what = format!("{inner_name} in {name}");
            let twice = outer(&inner(text));
            same(&try_walk(&workers(1), stream(&twice)), &expected, &what);
            same(&try_walk(&workers(3), shelf.open(&twice, true)), &expected, &what);
            same(&try_walk(&workers(3), shelf.open(&gzip(&twice), true)), &expected, &format!("{what} in gzip"));
        }
    }
    let packed = gzip(&gzip(text));
    let said = read_damaged(&shelf, &[workers(1), workers(3)], &packed[..packed.len() / 2], "outside");
    let Damage { offset, is_nested, .. } = damage(&said.error.unwrap());
    assert_eq!((offset, is_nested), (packed.len() as u64 / 2, false));
    let inner = gzip(text);
    let said = read_damaged(&shelf, &[workers(1), workers(3)], &zstd(&inner[..inner.len() / 2]), "inside");
    let Damage { offset, is_nested, .. } = damage(&said.error.unwrap());
    assert_eq!((offset, is_nested), (inner.len() as u64 / 2, true));
}

/// What can be read of a damaged file, which must be the same however it is read.
#[track_caller]
fn read_damaged(shelf: &Shelf, workers: &[Workers], packed: &[u8], what: &str) -> Said {
    let said = try_walk(&workers[0], stream(packed));
    for workers in workers {
        let mapped = try_walk(workers, shelf.open(packed, true));
        same(&mapped, &said, what);
        assert_eq!(mapped.error.as_ref().map(damage), said.error.as_ref().map(damage), "{what}");
    }
    said
}

fn damage(error: &io::Error) -> Damage {
    Damage::of(error).expect("the error is damage").clone()
}

#[test]
fn what_stands_before_the_damage_is_read() {
    let shelf = Shelf::new();
    let workers = [workers(1), workers(3)];
    let game = "[White \"a\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd8 2. e5 1-0\n\n";
    let text = game.repeat(500).replacen("\"a\"", "\"abc\"", 200);
    let expected = try_walk(&workers[0], whole(text.as_bytes()));
    for (name, pack) in PACKS.iter().filter(|(name, _)| !name.contains("long")) {
        let packed = pack(text.as_bytes());
        let mut games = 0;
        for cut in (4..packed.len()).step_by(1 + packed.len() / 25) {
            let what = format!("{name} cut at {cut} of {}", packed.len());
            let said = read_damaged(&shelf, &workers, &packed[..cut], &what);
            // A cut between two streams cannot be told from the end.
            let Some(error) = &said.error else {
                continue;
            };
            let place = said.output.iter().zip(&expected.output).position(|(a, b)| a != b);
            assert!(expected.output.starts_with(&said.output), "{what}: {place:?}");
            assert_eq!(said.lines().len() as u64, 4 * said.count().games, "{what}: each game is whole");
            assert!(said.diagnostics.iter().eq(expected.diagnostics.iter().take(said.diagnostics.len())), "{what}");
            let damage = damage(error);
            assert_eq!((&damage.fault, damage.offset), (&Fault::CutShort, cut as u64), "{what}");
            assert!(damage.text_offset <= text.len() as u64, "{what}");
            assert!(said.count().games >= games, "{what}");
            games = said.count().games;
        }
        assert!(games > 400 || !name.contains("many"), "{name}: {games} games");
    }
}

#[test]
fn what_follows_a_whole_file_is_told() {
    let shelf = Shelf::new();
    let workers = [workers(1), workers(3)];
    for (name, pack) in PACKS {
        let packed = pack(b"1. e4 *\n1. d4");
        let expected = try_walk(&workers[0], whole(b"1. e4 *\n1. d4"));
        for garbage in [&b"x"[..], b"\n", b"PK\x03\x04 and more", &[1; 200_000]] {
            let mut said = read_damaged(&shelf, &workers, &[&packed, garbage].concat(), name);
            let damage = damage(&said.error.take().unwrap());
            same(&said, &expected, name);
            assert_eq!(
                (damage.fault, damage.offset, damage.text_offset),
                (Fault::Trailing, packed.len() as u64, 13),
                "{name}"
            );
        }
    }
}

#[test]
fn flipped_bytes_cause_no_panic_and_are_read_alike() {
    let shelf = Shelf::new();
    let workers = [workers(1), workers(3)];
    let text = &everything()[..40_000];
    let mut seed = 5;
    for (name, pack) in PACKS.iter().filter(|(name, _)| !name.contains("long")) {
        let packed = pack(text);
        for _ in 0..100 {
            let mut damaged = packed.clone();
            for _ in 0..1 + noise(&mut seed) % 3 {
                // Where the first bytes are spoilt, a file is no longer told to be compressed.
                let at = 4 + noise(&mut seed) % (damaged.len() - 4);
                damaged[at] ^= 1 << (noise(&mut seed) % 8);
            }
            match try_stream(&damaged) {
                Ok(_) => drop(read_damaged(&shelf, &workers, &damaged, name)),
                // What comes out of a spoilt first block may begin like a file of another kind.
                Err(refused) => {
                    let Err(also) = shelf.try_open(&damaged, true) else { panic!("{name}: {refused}") };
                    assert_eq!(also.to_string(), refused.to_string(), "{name}");
                }
            }
        }
    }
}

#[test]
fn reading_may_end_before_the_text_does() {
    let packed = joined(&everything().repeat(20), 100_000, zstd);
    let shelf = Shelf::new();
    let source = shelf.open(&packed, true);
    let mut first = First { deliveries: 0, bytes: 0 };
    let mut job = Rows::new().begin(Vec::new()).unwrap();
    job.read(&workers(4), Path::new("packed"), source, &mut first).unwrap();
    assert_eq!(first.deliveries, 1);
    assert!(first.bytes > 0 && first.bytes < 1_000_000 && job.is_over());
}

/// Wants no more behind the first delivery.
struct First {
    deliveries: usize,
    bytes: usize,
}

impl Listener for First {
    fn progress(&mut self, bytes: usize, _: Count) -> ControlFlow<()> {
        self.deliveries += 1;
        self.bytes += bytes;
        ControlFlow::Break(())
    }
}
