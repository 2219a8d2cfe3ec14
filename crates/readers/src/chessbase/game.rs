//! The text of a game, of its entry in the index, the record of its moves, and that of its annotations.

use crate::chessbase::annotations::Annotations;
use crate::chessbase::comment::time_control;
use crate::chessbase::entry::Entry;
use crate::chessbase::movetext::{Moves, MovetextWriter};
use crate::chessbase::names::Names;
use crate::chessbase::start::Start;
use crate::chessbase::tags::{TagWriter, result_text};
use crate::chessbase::texts::Texts;
use crate::chessbase::time_control::append_time_control;
use crate::chessbase::tree::{Mode, Tree};
use crate::games::GameParts;
use pgn2fen_pgn::token::Outcome;

/// The bits of the first byte of a record: a start follows; the mode of the moves.
const HAS_START: u8 = 0x40;
const MODE: u8 = 0x3F;

/// The number of bytes of the head of a record: flags, and the size of the record.
pub(super) const HEAD: usize = 4;

/// Writes games as PGN.
#[derive(Debug, Default)]
pub(super) struct GameWriter {
    movetext: MovetextWriter,
    tree: Tree,
    notes: Vec<u8>,
    value: Vec<u8>,
}

/// The records of moves and annotations of a game, and the numbers of its teams. A record that cannot be read is a word
/// for messages.
#[derive(Debug)]
pub(super) struct Records<'r> {
    pub(super) moves: Result<&'r [u8], &'static str>,
    pub(super) annotations: Result<&'r [u8], &'static str>,
    pub(super) teams: [Option<u32>; 2],
}

impl GameWriter {
    /// Returns a writer of these parts of games.
    pub(super) fn new(parts: GameParts) -> Self {
        Self { movetext: MovetextWriter::new(parts), ..Self::default() }
    }

    /// Appends a game.
    pub(super) fn append(
        &mut self,
        entry: Entry<'_>,
        records: &Records<'_>,
        names: &Names,
        texts: &Texts,
        out: &mut Vec<u8>,
    ) {
        let Self { movetext, tree, notes, value } = self;
        notes.clear();
        let result = Outcome::from_ascii(result_text(entry.result().0).as_bytes()).unwrap_or(Outcome::Unknown);
        let annotations = match records.annotations {
            Ok([]) => Annotations::default(),
            Ok(record) => Annotations::read(record),
            Err(damage) => Annotations::lost(damage),
        };
        let game = records.moves.map_err(str::to_owned).and_then(read_start);
        let all = movetext.parts().tags;
        TagWriter { all, out, notes, value, names, texts }.write(entry, records.teams);
        if let Some(data) = time_control(annotations.before_moves()).filter(|_| all) {
            append_time_control(data, out);
        }
        if let Ok(Game { start, mode, has_start, .. }) = &game {
            if mode.is_chess960 {
                out.extend_from_slice(b"[Variant \"Chess960\"]\n");
            }
            if *has_start {
                out.extend_from_slice(format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", start.setup).as_bytes());
            }
        }
        out.push(b'\n');
        out.extend_from_slice(match game {
            Err(damage) => movetext.write_damage(&damage, result),
            Ok(Game { start, mode, moves, .. }) => match &start.position {
                None => movetext.write_damage("its-start-cannot-be-played", result),
                Some(position) => {
                    let stated = entry.moves();
                    match movetext.write_short(&start, (moves, mode), &annotations, stated, result) {
                        Some(text) => text,
                        None => {
                            tree.decode(moves, mode, &start);
                            let moves = Moves { tree, annotations: &annotations, texts, stated };
                            movetext.write(position, moves, result)
                        }
                    }
                }
            },
        });
        out.extend_from_slice(b"\n\n");
    }
}

/// The record of the moves, cut into its parts.
struct Game<'r> {
    start: Start,
    mode: Mode,
    has_start: bool,
    moves: &'r [u8],
}

/// Reads the head and the start of a record. The error completes a word for messages.
fn read_start(record: &[u8]) -> Result<Game<'_>, String> {
    let (head, rest) = record.split_first_chunk::<HEAD>().ok_or("its-record-is-cut")?;
    let mode = Mode::new(head[0] & MODE)?;
    let has_start = head[0] & HAS_START != 0;
    let (start, moves) = if has_start {
        Start::read(rest, mode.is_chess960)?
    } else if mode.is_chess960 {
        return Err("its-start-is-missing".to_owned());
    } else {
        (Start::initial(), rest)
    };
    Ok(Game { start, mode, has_start, moves })
}
