//! What is built is bounded, and not only what is read: a file below 1 MB takes bounded memory in every format, on one
//! thread and on many, whatever it unfolds to. It is read, or refused with an error.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{IpcWriteOptions, StreamWriter};
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use pgn2fen_games::database::Source;
use pgn2fen_testing::zip::{Member, archive};

use crate::cli::Desk;
use crate::laws::sweeps;
use crate::{chessbase, scid};

/// The most memory that the command may take, in kB.
const MOST: u64 = 300_000;

/// The size of the largest file.
const LARGEST: usize = 1_000_000;

const MIB: usize = 1024 * 1024;

/// A desk with a file that unfolds to much more.
struct Sample {
    /// The file; its ending says what it is.
    name: String,
    desk: Desk,
}

impl Sample {
    fn new(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.to_owned(), desk: Desk::with(&[(name, bytes)]) }
    }

    /// Returns the kind of the file, if it is one of the registry.
    fn kind(&self) -> Option<&'static str> {
        Source::open(&self.desk.path(&self.name), true, None).unwrap().table()
    }

    /// Reads the file, and compares the memory that this takes.
    fn check(&self) {
        let size = fs::metadata(self.desk.path(&self.name)).unwrap().len();
        assert!(size <= LARGEST as u64, "{}: {size} bytes", self.name);
        // Many threads hold more at once than one.
        for threads in if sweeps() { &["-j1", "-j8"][..] } else { &["-j8"] } {
            let mut command = self.desk.command(&["check", "--max-messages", "10", threads, &self.name]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let most = high_water(&mut child);
            let mut messages = String::new();
            child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
            let code = child.wait().unwrap().code();
            assert!(most > 0 && most <= MOST, "{} {threads}: {most} kB {messages}", self.name);
            assert!(matches!(code, Some(0..=2)), "{}: {code:?} {messages}", self.name);
            assert!(!messages.contains("panicked"), "{messages}");
            assert!(code != Some(2) || messages.contains(&self.name), "{}: {messages}", self.name);
        }
    }
}

/// Waits for a process, and returns the most memory that it has had, in kB. The system forgets it when the process
/// ends, so it is looked at again and again. For a moment after its start the process shows the memory, and the name,
/// of the tests that started it.
fn high_water(child: &mut Child) -> u64 {
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let status = if status.starts_with("Name:\tpgn2fen\n") { &*status } else { "" };
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        thread::sleep(Duration::from_micros(500));
    }
    most
}

/// A text of parts, each as often as is said.
type Parts<'p> = &'p [(&'p [u8], usize)];

/// Writes a text to an encoder, which may hold less than the text.
fn write(encoder: &mut impl Write, parts: Parts<'_>) {
    for (part, times) in parts {
        // Short parts are written many at once.
        let at_once = (MIB / part.len()).clamp(1, *times);
        let many = part.repeat(at_once);
        (0..times / at_once).for_each(|_| encoder.write_all(&many).unwrap());
        (0..times % at_once).for_each(|_| encoder.write_all(part).unwrap());
    }
}

fn zstd(parts: Parts<'_>, times: usize) -> Vec<u8> {
    zstd_with(parts, times, 22)
}

/// Compresses a text in a frame with a window of so many bits.
fn zstd_with(parts: Parts<'_>, times: usize, window: u32) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(window).unwrap();
    (0..times).for_each(|_| write(&mut encoder, parts));
    encoder.finish().unwrap()
}

fn gzip(parts: Parts<'_>, times: usize) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    (0..times).for_each(|_| write(&mut encoder, parts));
    encoder.finish().unwrap()
}

fn bzip2(parts: Parts<'_>, times: usize) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
    (0..times).for_each(|_| write(&mut encoder, parts));
    encoder.finish().unwrap()
}

/// Games, positions and their compression.
fn texts() -> Vec<Sample> {
    let game: Parts<'_> = &[(b"[Event \"a\"]\n\n1. e4 {", 1), (b" ", 60 * MIB), (b"} *\n\n", 1)];
    let tags: Parts<'_> = &[(b"[A \"", 1), (b"x", 30 * MIB), (b"\"]\n\n1. e4 *\n\n", 1)];
    let many_tags: Parts<'_> = &[(b"[A \"x\"]\n", 2 * MIB), (b"\n1. e4 *\n\n", 1)];
    let position: Parts<'_> = &[(b"4k3/8/8/8/8/8/8/4K3 w - - c0 \"", 1), (b"x", 60 * MIB), (b"\";\n", 1)];
    let short: Parts<'_> = &[(b"[Event \"a\"]\n\n1. e4 {", 1), (b" ", 15 * MIB), (b"} *\n\n", 1)];
    let members: Vec<Member> = (0..4)
        .map(|nth| {
            let text = [&b"[Event \"a\"]\n\n1. e4 {"[..], &b" ".repeat(60 * MIB), b"} *\n\n"].concat();
            Member::deflated(&format!("{nth}.pgn"), &text)
        })
        .collect();
    vec![
        Sample::new("game.pgn.zst", &zstd(game, 6)),
        Sample::new("game.pgn.gz", &gzip(game, 6)),
        Sample::new("game.pgn.bz2", &bzip2(game, 3)),
        Sample::new("game.pgn.zst.gz", &gzip(&[(&zstd(game, 6), 1)], 1)),
        Sample::new("frames.pgn.zst", &zstd(short, 1).repeat(30)),
        Sample::new("window.pgn.zst", &zstd_with(game, 6, 27)),
        Sample::new("tags.pgn.zst", &zstd(tags, 8)),
        Sample::new("many-tags.pgn.zst", &zstd(many_tags, 2)),
        Sample::new("list.epd.zst", &zstd(position, 4)),
        Sample::new("a.zip", &archive(&members, false)),
    ]
}

/// Records in lines and documents.
fn records() -> Vec<Sample> {
    let lichess = b"{\"id\":\"a\",\"players\":{},\"speed\":\"b\",\"moves\":\"e4\",";
    let of_list = |head: &[u8], name: &str, element: &[u8]| {
        let name = format!("\"{name}\":[");
        let line: Parts<'_> = &[(head, 1), (name.as_bytes(), 1), (element, 15 * MIB / element.len()), (b"0]}\n", 1)];
        zstd(line, 8)
    };
    let chess_com: &[u8] = b"{\"rules\":\"chess\",\"url\":\"u\",\"pgn\":\"1. e4 {";
    let evaluations: Parts<'_> = &[
        (b"{\"fen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\",\"evals\":[{\"pvs\":[", 1),
        (b"{},", 5 * MIB),
        (b"{}]}]}\n", 1),
    ];
    let deep: Parts<'_> = &[
        (b"{\"fen\":\"4k3/8/8/8/8/8/8/4K3 w - - 0 1\",\"evals\":[", 1),
        (b"{\"pvs\":[]},", MIB),
        (b"{\"pvs\":[]}]}\n", 1),
    ];
    let escaped: Parts<'_> = &[(chess_com, 1), (b"\\n\\u0061", 15 * MIB / 8), (b"} *\"}\n", 1)];
    let moves: Parts<'_> = &[(b"{\"white\":\"a\",\"moves\":[", 1), (b"0,", 7 * MIB), (b"0]}\n", 1)];
    let puzzle: Parts<'_> = &[(b",", 15 * MIB), (b"\n", 1)];
    let document: Parts<'_> = &[(lichess, 1), (b"\n\"clocks\":[", 1), (b"1,", 7 * MIB), (b"0]},\n", 1)];
    let table: Parts<'_> = &[(b"a,\"1. e4 {", 1), (b"\"\"\n", 15 * MIB / 3), (b"}\"\n", 1)];
    let line = [&b"x".repeat(1023)[..], b"\n"].concat();
    let unclosed: Parts<'_> = &[(b"a,\"1. e4 {", 1), (&line, 20 * 1024), (b"}\n", 1)];
    let positions: Parts<'_> = &[(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1,", 1), (b"\\", 15 * MIB), (b"\n", 1)];
    let table_head: Parts<'_> = &[(b"White,pgn\nA,1. e4\n", 1)];
    let positions_head: Parts<'_> = &[(b"fen,x\n4k3/8/8/8/8/8/8/4K3 w - - 0 1,1\n", 1)];
    let mut samples = vec![
        Sample::new("chess-com.json.zst", &zstd(escaped, 8)),
        Sample::new("evaluations.json.zst", &zstd(evaluations, 8)),
        Sample::new("deep.json.zst", &zstd(deep, 8)),
        Sample::new("moves.json.zst", &zstd(moves, 8)),
        Sample::new("puzzles.csv.zst", &[zstd(&[(b"PuzzleId,FEN,Moves\n", 1)], 1), zstd(puzzle, 8)].concat()),
        Sample::new("table.csv.zst", &[zstd(table_head, 1), zstd(table, 8)].concat()),
        Sample::new("unclosed.csv.zst", &[zstd(table_head, 1), zstd(unclosed, 4)].concat()),
        Sample::new("positions.csv.zst", &[zstd(positions_head, 1), zstd(positions, 8)].concat()),
        Sample::new("document.json.zst", &[zstd(&[(b"[", 1)], 1), zstd(document, 8)].concat()),
    ];
    for (name, element) in [("analysis", &b"0,"[..]), ("evals", b"{},"), ("clocks", b"0,"), ("unknown", b"[[]],")] {
        samples.push(Sample::new(&format!("{name}.json.zst"), &of_list(lichess, name, element)));
    }
    samples
}

/// Training data, which begins as the command writes it.
fn training() -> Vec<Sample> {
    let game = b"1. e4 {[%eval 0.1]} e5 {[%eval 0.2]} 2. Nf3 {[%eval 0.3]} Nc6 {[%eval 0.1]} 1-0\n";
    let desk = Desk::with(&[("a.pgn", game)]);
    let written = |format: &str| {
        let ran = desk.run(&["-f", format, "-o", "out", "a.pgn"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        desk.read("out")
    };
    let chunk = |size: usize| [&b"BINP"[..], &u32::try_from(size).unwrap().to_le_bytes()].concat();
    let (size, header) = (90 * MIB, chunk(90 * MIB));
    let binpack = written("binpack");
    let viri = written("viri");
    vec![
        Sample::new("a.binpack.zst", &[zstd(&[(&binpack, 1)], 1), zstd(&[(&header, 1), (b"\xff", size)], 8)].concat()),
        Sample::new(
            "zeros.binpack.zst",
            &[zstd(&[(&binpack, 1)], 1), zstd(&[(&header, 1), (b"\0", size)], 1)].concat(),
        ),
        Sample::new(
            "a.viri.zst",
            &[zstd(&[(&viri, 1)], 1), zstd(&[(&viri[..32], 1), (b"\x01", 64 * MIB)], 1)].concat(),
        ),
        Sample::new("a.bulletformat.zst", &zstd(&[(&bulletformat(), MIB)], 1)),
    ]
}

/// A record of 32 bytes for the bullet trainer.
fn bulletformat() -> Vec<u8> {
    let game = b"1. e4 {[%eval 0.1]} e5 {[%eval 0.2]} 1-0\n";
    let desk = Desk::with(&[("a.pgn", game)]);
    let ran = desk.run(&["-f", "bulletformat", "-o", "out", "a.pgn"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    desk.read("out")
}

/// Databases: many games with the same long record, and an archive that unfolds.
fn databases() -> Vec<Sample> {
    let record = [&[0, 0][..], &[0xCF; 120_000], &[15]].concat();
    let four = Sample { name: "base.si4".to_owned(), desk: scid::database(&[&record], [0; 10_000]) };
    let five: Vec<u8> = scid::fixture("five.si5").repeat(300);
    let five = Desk::with(&[
        ("five.si5", &five[..five.len().min(LARGEST)]),
        ("five.sn5", &scid::fixture("five.sn5")),
        ("five.sg5", &scid::fixture("five.sg5")),
    ]);
    vec![
        four,
        Sample { name: "five.si5".to_owned(), desk: five },
        Sample { name: "games.cbh".to_owned(), desk: chessbase::hostile() },
        Sample::new("games.cbv", &chessbase::hostile_archive()),
        Sample::new("whole.cbv", &chessbase::fixture("games.cbv")),
    ]
}

fn arrow() -> Vec<Sample> {
    let game = format!("1. e4 {{{}}} e5 *", " ".repeat(MIB / 4));
    let batch = |rows: usize| {
        let texts: ArrayRef = Arc::new(StringArray::from(vec![game.as_str(); rows]));
        RecordBatch::try_from_iter([("movetext", texts)]).unwrap()
    };
    let written = |rows: usize, compression| {
        let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
        let batch = batch(rows);
        let mut writer = StreamWriter::try_new_with_options(Vec::new(), &batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        writer.into_inner().unwrap()
    };
    let plain = written(1500, None);
    vec![
        Sample::new("a.arrow", &written(1500, Some(CompressionType::ZSTD))),
        Sample::new("small.arrow", &written(300, Some(CompressionType::ZSTD))),
        Sample::new("plain.arrow.zst", &zstd(&[(&plain, 1)], 1)),
    ]
}

/// A Parquet file with a column of games and columns of texts, of which each row group has so many rows.
fn parquet(properties: WriterPropertiesBuilder, groups: usize, columns: &[(&str, &str, usize)]) -> Vec<u8> {
    let fields: String = columns.iter().map(|(name, ..)| format!("required binary {name} (UTF8);")).collect();
    let schema = Arc::new(parse_message_type(&format!("message m {{ {fields} }}")).unwrap());
    let properties = properties.set_data_page_size_limit(1 << 30).set_write_batch_size(1 << 20);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        for (_, text, rows) in columns {
            let mut column = group.next_column().unwrap().unwrap();
            let values = vec![ByteArray::from(*text); *rows];
            column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
            column.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

/// A Parquet file of lists of moves, of so many rows and moves in each.
fn lists(rows: usize, moves: usize) -> Vec<u8> {
    let schema =
        "message m { required group moves (LIST) { repeated group list { required binary element (UTF8); } } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values = vec![ByteArray::from("e4"); moves];
    let repetitions: Vec<i16> = (0..moves).map(|nth| i16::from(nth > 0)).collect();
    for _ in 0..rows {
        let typed = column.typed::<ByteArrayType>();
        typed.write_batch(&values, Some(&vec![1; moves]), Some(&repetitions)).unwrap();
    }
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

fn tables() -> Vec<Sample> {
    let plain = || WriterProperties::builder().set_dictionary_enabled(false);
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let gzip = Compression::GZIP(GzipLevel::default());
    let game = |length: usize| format!("1. e4 {{{}}} e5 *", " ".repeat(length));
    let (long, short) = (game(300_000), game(20_000));
    let text = "x".repeat(100_000);
    let delta = plain().set_compression(zstd).set_encoding(Encoding::DELTA_BYTE_ARRAY);
    let tags: Vec<(String, usize)> = (0..5).map(|nth| (format!("T{nth}"), 600)).collect();
    let tags: Vec<(&str, &str, usize)> = [("movetext", "1. e4 e5 *", 600)]
        .into_iter()
        .chain(tags.iter().map(|(name, rows)| (name.as_str(), text.as_str(), *rows)))
        .collect();
    vec![
        Sample::new("page.parquet", &parquet(plain().set_compression(zstd), 1, &[("movetext", &long, 1500)])),
        Sample::new("gzip.parquet", &parquet(plain().set_compression(gzip), 1, &[("movetext", &long, 800)])),
        Sample::new("below.parquet", &parquet(plain().set_compression(zstd), 8, &[("movetext", &short, 3000)])),
        Sample::new("tags.parquet", &parquet(plain().set_compression(zstd), 1, &tags)),
        Sample::new("row.parquet", &parquet(plain().set_compression(zstd), 4, &[("movetext", &game(50 * MIB), 1)])),
        Sample::new("delta.parquet", &parquet(delta, 1, &[("movetext", &text, 5000)])),
        Sample::new("empty.parquet", &parquet(plain().set_compression(zstd), 1, &[("movetext", "", 14 * MIB)])),
        Sample::new("lists.parquet", &lists(20, MIB)),
        Sample::new("short-lists.parquet", &lists(100, 100_000)),
    ]
}

#[test]
fn text_takes_bounded_memory_however_it_is_compressed() {
    texts().iter().for_each(Sample::check);
}

#[test]
fn a_small_file_takes_bounded_memory_in_every_format_of_the_registry() {
    let samples: Vec<Sample> = [records(), training(), databases(), arrow(), tables()].into_iter().flatten().collect();
    let kinds: BTreeSet<&str> = samples.iter().filter_map(Sample::kind).collect();
    // A new format needs a file here that unfolds as far as it can.
    assert_eq!(kinds, pgn2fen_readers::kinds().collect());
    samples.iter().for_each(Sample::check);
}

#[test]
fn a_names_file_without_an_end_is_refused() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 *\n")]);
    for command in [&["players"][..], &["games"]] {
        let ran = desk.run(&[command, &["--names", "/dev/zero", "a.pgn"]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert!(ran.stderr.contains("/dev/zero: it is longer than 128 MiB"), "{}", ran.stderr);
    }
}
