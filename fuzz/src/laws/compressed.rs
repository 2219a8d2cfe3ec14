//! Law: a compressed file is read like a plain one. A damaged file is read up to the damage, with the same results from
//! a stream and a map.

use std::fs;
use std::io::{self, Read, Write};
use std::sync::LazyLock;

use pgn2fen_games::database::Source;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::walk::Place;
use pgn2fen_rows::Rows;
use tempfile::TempDir;

use crate::choices::Choices;
use crate::walking::{Job, Said, same, stream, walk, with_one, with_workers};

/// The greatest length of a decoded text, in bytes. Longer texts are not read: a few bytes may decode to gigabytes.
const LONGEST: u64 = 256 * 1024;

/// Checks the law. Two bytes choose the kind of compression and of damage, and two bytes are the offset of the damage.
/// The rest is the text, or the compressed data for kind 7.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let packing = choices.byte() % 8;
    let damage = choices.byte();
    let place = choices.number();
    let job = Job::Rows(Rows::new());

    let (packed, text) = if packing == 7 {
        (choices.bytes().to_vec(), None)
    } else {
        let text = choices.text();
        (pack(packing, &text), Some(text))
    };
    let mut damaged = packed.clone();
    let at = place % packed.len().max(1);
    let is_cut_short = match damage % 4 {
        0 => false,
        1 => {
            damaged.truncate(at);
            true
        }
        2 => {
            if let Some(byte) = damaged.get_mut(at) {
                *byte ^= 1 << (damage >> 2 & 7);
            }
            false
        }
        _ => {
            damaged.insert(at, damage);
            false
        }
    };
    if length(&damaged) > LONGEST {
        return;
    }
    let said = read_alike(&job, &damaged);
    let Some(text) = text else { return };
    let Ok(plain) = stream(&text, 1009) else { return };
    // Data that was compressed twice is decompressed once. A file that is cut in its first bytes is read as a text.
    if plain.compression().is_some() || stream(&damaged, 1009).map_or(true, |source| source.compression().is_none()) {
        return;
    }
    let expected = with_one(|one| walk(&job, one, plain));
    if damaged == packed {
        same(&said, &expected, "compressed");
    } else if is_cut_short && said.error.is_some() {
        // A cut between two compressed streams cannot be distinguished from the end of the file.
        assert!(expected.output.starts_with(&said.output), "what is cut short gives a beginning");
        assert!(said.count.games <= expected.count.games);
        // A message may quote the text after the last result, as far as it was decoded.
        let place = |(it, place): &(Diagnostic, Place)| (it.kind, it.offset, it.game, it.ply, *place);
        let of_games: Vec<_> = expected.diagnostics.iter().filter(|(it, _)| it.game.is_some()).map(place).collect();
        assert!(of_games.starts_with(&said.diagnostics.iter().map(place).collect::<Vec<_>>()));
    }
}

fn pack(packing: u8, text: &[u8]) -> Vec<u8> {
    match packing {
        0 => zstd(text),
        1 => joined(text, 300, zstd),
        2 => gzip(text),
        3 => joined(text, 300, gzip),
        4 => bzip2(text),
        5 => joined(text, 1000, bzip2),
        _ => [skippable(b"seven77"), joined(text, 200, |text| [skippable(&[]), zstd(text)].concat())].concat(),
    }
}

/// Returns the text in pieces of this length, each compressed on its own.
fn joined(text: &[u8], size: usize, pack: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    if text.is_empty() { pack(text) } else { text.chunks(size).flat_map(pack).collect() }
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 1).expect("memory can be written to")
}

fn skippable(content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a short content").to_le_bytes();
    [&0x184D_2A50_u32.to_le_bytes()[..], &length, content].concat()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory can be written to")
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory can be written to")
}

/// Returns the length of the text that these decoders can decode.
fn length(packed: &[u8]) -> u64 {
    let count = |decoder: &mut dyn Read| io::copy(&mut decoder.take(LONGEST + 1), &mut io::sink()).unwrap_or(LONGEST);
    match packed {
        [0x1f, 0x8b, ..] => count(&mut flate2::read::MultiGzDecoder::new(packed)),
        [b'B', b'Z', b'h', ..] => count(&mut bzip2::read::MultiBzDecoder::new(packed)),
        _ => zstd::Decoder::new(packed).map_or(0, |mut decoder| count(&mut decoder)),
    }
}

/// Checks that a file has the same results as a stream and mapped, with cuts and on several threads.
fn read_alike(job: &Job, packed: &[u8]) -> Said {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder can be made"));
    let path = FOLDER.path().join(format!("packed-{:?}", std::thread::current().id()));
    let open = || {
        // Each call writes a new file, since the last one may still be mapped.
        let _ = fs::remove_file(&path);
        fs::write(&path, packed)?;
        Source::open(&path, true, None)
    };
    let comparable = |mut said: Said| {
        // Whether the text between the last whole game and the damage is reported is not specified, and neither is
        // whether it counts as read: a block before that of the damage may end in this text.
        if said.error.is_some() {
            said.diagnostics.retain(|(diagnostic, _)| diagnostic.game.is_some());
            said.bytes = None;
        }
        said
    };
    let said = comparable(match stream(packed, 61) {
        Ok(source) => with_one(|one| walk(job, one, source)),
        Err(error) => Said { error: Some(error.to_string()), ..Said::default() },
    });
    for (threads, cuts) in [(1, Cuts::Likely(33)), (2, Cuts::Likely(1000))] {
        let read = |source: io::Result<Source>| {
            comparable(match source {
                Ok(source) => with_workers(threads, cuts.clone(), |workers| walk(job, workers, source)),
                Err(error) => Said { error: Some(error.to_string()), ..Said::default() },
            })
        };
        same(&read(stream(packed, 1009)), &said, &format!("stream, {threads} threads"));
        same(&read(open()), &said, &format!("mapped, {threads} threads"));
    }
    said
}
