//! Chains of binpack as games.

use crate::training::piece::Records;
use crate::training::text::{GameText, result, unreadable};
use pgn2fen_bytes::Fault;
use pgn2fen_trainers::{Broken, CHUNK_MAGIC, ChainReader, STEM, Stem};

/// The greatest size of a chunk: that of the reference reader.
const LARGEST: usize = 100 * 1024 * 1024;

/// The score of a position without an evaluation, in Stockfish and in its trainer.
const NO_SCORE: i16 = 32002;

/// Reads the size of a chunk from its header: `BINP`, and the size with the lowest byte first.
pub(super) fn chunk_size(header: &[u8]) -> Result<usize, Fault> {
    match header.strip_prefix(CHUNK_MAGIC) {
        Some(size) => {
            let size = size.first_chunk().map(|size| u32::from_le_bytes(*size)).ok_or(Fault::CutShort)?;
            let size = usize::try_from(size).ok().filter(|size| *size <= LARGEST);
            size.ok_or_else(|| Fault::Corrupt("a chunk is larger than 100 MiB".to_owned()))
        }
        None if CHUNK_MAGIC.starts_with(header) => Err(Fault::CutShort),
        None => Err(Fault::Corrupt("a chunk does not begin with BINP".to_owned())),
    }
}

/// Whether a file begins with a chunk.
pub(super) fn begins_chunk(head: &[u8]) -> bool {
    chunk_size(head).is_ok()
}

/// Appends the first chain as a game. If its end is not known, it ends with the chunk.
pub(super) fn chain(records: Records<'_>, out: &mut Vec<u8>) -> usize {
    let Records { bytes, offset, is_cut } = records;
    let mut game = None;
    let (end, broken) = match read(bytes, &mut game, out) {
        Ok(end) => (end, None),
        Err((end, broken)) => (end.unwrap_or(bytes.len()), Some(broken)),
    };
    if let Some(game) = game {
        game.end(out);
    }
    let rest = if end < bytes.len() || is_cut { "" } else { "; the rest of its chunk is not read" };
    match broken {
        Some(Broken::CutShort) if !is_cut => unreadable(out, "chain", offset, "the chunk ends within it"),
        Some(Broken::Impossible(what)) => unreadable(out, "chain", offset, &format!("it has {what}{rest}")),
        Some(Broken::CutShort) | None => {}
    }
    end
}

/// Appends a chain as a game that has not ended yet. Returns its end, or the reason why it cannot be read on, and its
/// end if it is known.
fn read(bytes: &[u8], game: &mut Option<GameText>, out: &mut Vec<u8>) -> Result<usize, (Option<usize>, Broken)> {
    let alone = || bytes.get(32..STEM).filter(|count| **count == [0, 0]).map(|_| STEM);
    let stem = Stem::read(bytes).map_err(|broken| (alone(), broken))?;
    let (mut step, mut score) = (stem.step, stem.labels.score);
    let mut reader = ChainReader::new(&stem);
    let of_white = stem.position.turn().pick(stem.labels.result, -stem.labels.result);
    let game = game.insert(GameText::begin(stem.position, result(of_white), out));
    loop {
        if score != NO_SCORE {
            let score = i32::from(score);
            game.eval(game.position().turn().pick(score, -score), out);
        }
        let Some(m) = step.find(game.position()) else {
            return Err((alone(), Broken::Impossible("an illegal move".to_owned())));
        };
        game.play(m, out);
        match reader.next(game.position(), &bytes[STEM..]) {
            Ok(Some(next)) => (step, score) = next,
            Ok(None) => return Ok(STEM + reader.bytes()),
            Err(broken) => return Err((None, broken)),
        }
    }
}
