//! Stockfish's `.binpack` by the crate sfbinpack: its reader, and its writer.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use sfbinpack::{
    CompressedReaderError, CompressedTrainingDataEntryReader as Reader, CompressedTrainingDataEntryWriter as Writer,
    TrainingDataEntry,
};

use crate::open;
use crate::plain::Record;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Write the positions to another .binpack, too, by the writer of sfbinpack
    #[arg(long, value_name = "FILE")]
    copy: Option<PathBuf>,
    /// The .binpack
    file: PathBuf,
}

/// Writes the positions of a file in the format plain.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let file = open(&args.file)?;
    let Some(path) = &args.copy else {
        return each_entry(file, |entry| Ok(record(entry)?.write(out)?));
    };
    let copy = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    let mut writer = Writer::new(BufWriter::new(copy))?;
    each_entry(file, |entry| {
        record(entry)?.write(out)?;
        Ok(writer.write_entry(entry)?)
    })?;
    finish(writer)?.flush()?;
    Ok(())
}

/// Reads every position of a file. One without chunks has none.
fn each_entry(file: impl Read + Seek, mut take: impl FnMut(&TrainingDataEntry) -> Result<()>) -> Result<()> {
    let mut reader = match Reader::new(file) {
        Ok(reader) => reader,
        Err(CompressedReaderError::EndOfFile) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    while reader.has_next() {
        take(&reader.next())?;
    }
    Ok(())
}

/// Writes what is left, and returns the output.
fn finish<W: Write>(mut writer: Writer<W>) -> Result<W> {
    // It hides errors. What could not be written is missing from the file then.
    writer.flush_and_end();
    Ok(writer.into_inner()?)
}

fn record(entry: &TrainingDataEntry) -> Result<Record> {
    let fen = entry.pos.fen().map_err(|error| anyhow!("a position without a FEN: {error:?}"))?;
    let (score, ply, result) = (entry.score.into(), entry.ply.into(), entry.result.into());
    Ok(Record { fen, mv: entry.mv.as_uci(), score, ply, result })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{Writer, each_entry, finish, record};

    /// 1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0 from its second ply, as `pgn2fen -f binpack` writes it.
    const CHAIN: &[u8] = b"BINP\x29\0\0\0\xff\xff\0\0\x10\0\xef\xff\x2d\x84\x4a\xd2\0\0\0\0\x11\x11\x11\x11\x3e\x95\
        \x5f\xe3\x34\x90\0\x27\x40\x01\0\0\0\x03\x3e\x66\xc3\x33\xd3\xfd\x80";

    const PLAIN: &str = "\
        fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nmove e7e5\nscore -20\nply 1\nresult -1\ne\n\
        fen rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\nmove d1h5\nscore -30\nply 2\nresult 1\ne\n\
        fen rnbqkbnr/pppp1ppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2\n\
        move e8e7\nscore -31999\nply 3\nresult -1\ne\n\
        fen rnbq1bnr/ppppkppp/8/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQ - 2 3\n\
        move h5e5\nscore 31999\nply 4\nresult 1\ne\n";

    fn plain(binpack: &[u8]) -> String {
        let mut text = Vec::new();
        each_entry(Cursor::new(binpack), |entry| Ok(record(entry)?.write(&mut text)?)).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_chain_is_read_as_positions() {
        assert_eq!(plain(CHAIN), PLAIN);
        assert_eq!(plain(&[CHAIN, CHAIN].concat()), PLAIN.repeat(2));
        assert_eq!(plain(b""), "");
        assert!(each_entry(Cursor::new(b"[Event \"?\"]"), |_| Ok(())).is_err());
    }

    #[test]
    fn a_copy_has_the_same_bytes() {
        let mut writer = Writer::new(Vec::new()).unwrap();
        each_entry(Cursor::new(CHAIN), |entry| Ok(writer.write_entry(entry)?)).unwrap();
        assert_eq!(finish(writer).unwrap(), CHAIN);
    }
}
