//! Polyglot books: the moves played in each position, with weights, in the order of the keys of the positions.

use std::cmp::Reverse;
use std::io::Write;

use crate::books::choice::BookChoice;
use crate::books::entries::{self, ENTRY, move_number, possible_castling};
use crate::books::error::BookError;
use crate::books::percent::Percent;
use crate::books::weight::{Weight, scaled};
use crate::{Index, IndexError, KeyCount, PlayedMove, Progress};
use pgn2fen_chess::zobrist::keys_after_castling;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::selection::Plies;

/// The options of a Polyglot book, and the function that writes it.
///
/// An entry has the Polyglot key of a position, a move and its weight. Entries are sorted by key; those of a position
/// by weight, the greatest first, then by the number of the move. Castling is the king taking its rook.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolyglotBook {
    /// The games and positions.
    pub choice: BookChoice,
    /// The weights of the moves.
    pub weight: Weight,
    /// The least score of a move for the side that plays it. Moves without a known result have no score. None for any
    /// score, or none.
    pub min_score: Option<Percent>,
    /// The greatest number of moves for each position: those with the greatest weights. None for all.
    pub max_moves: Option<u64>,
}

/// The size of a book that was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenBook {
    /// The number of positions that have an entry.
    pub positions: u64,
    /// The number of entries.
    pub moves: u64,
    /// The number of moves that were left out because the index does not tell whether they are castling: a king, a rook
    /// or a queen goes from e1 or e8 to file c or g at the last ply that is indexed.
    pub undecided: u64,
}

/// The entries of a piece of the index.
#[derive(Default)]
struct PieceEntries {
    bytes: Vec<u8>,
    written: WrittenBook,
}

impl PolyglotBook {
    /// Writes the book. Memory does not depend on the size of the index, but for three bits a game. `progress` is
    /// called with the number of pieces of the index that are done, and the number of all pieces; it may stop the work.
    ///
    /// # Errors
    ///
    /// Fails for [wrong options](BookChoice::check), if the index cannot be read, if the output cannot be written, or
    /// if `progress` stopped the work.
    pub fn write(
        &self,
        index: &Index,
        workers: &Workers,
        output: &mut impl Write,
        progress: &Progress<'_>,
    ) -> Result<WrittenBook, BookError> {
        let postings = self.choice.postings(index)?;
        let mut written = WrittenBook::default();
        index.count_by_key(
            workers,
            &postings,
            |count, piece: &mut PieceEntries| self.add(index, count, piece),
            |piece| {
                output.write_all(&piece.bytes)?;
                written.positions += piece.written.positions;
                written.moves += piece.written.moves;
                written.undecided += piece.written.undecided;
                Ok(())
            },
            progress,
        )?;
        Ok(written)
    }

    /// Adds the entries of a position.
    fn add(&self, index: &Index, count: &KeyCount<'_>, piece: &mut PieceEntries) -> Result<(), IndexError> {
        let mut moves = Vec::new();
        for played in count.moves {
            let weight = self.weight.of(&played.count.results, count.turn);
            if weight > 0 && self.wants(played, count) {
                match number(index, count, played)? {
                    FoundMove::Move(number) => moves.push((Reverse(weight), number)),
                    FoundMove::Undecided => piece.written.undecided += 1,
                    FoundMove::None => {}
                }
            }
        }
        moves.sort_unstable();
        let most = self.max_moves.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        moves.truncate(most);
        let Some((Reverse(greatest), _)) = moves.first().copied() else {
            return Ok(());
        };
        piece.bytes.reserve(moves.len() * ENTRY);
        for (Reverse(weight), number) in &moves {
            entries::append(count.key, *number, scaled(*weight, greatest), &mut piece.bytes);
        }
        piece.written.positions += 1;
        piece.written.moves += moves.len() as u64;
        Ok(())
    }

    fn wants(&self, played: &PlayedMove, count: &KeyCount<'_>) -> bool {
        played.count.results.games() >= self.choice.min_games
            && self.min_score.is_none_or(|score| score.is_reached(&played.count.results, count.turn))
    }
}

/// The number of a move in a book.
enum FoundMove {
    Move(u16),
    /// It is unknown whether the move is castling.
    Undecided,
    /// A book has no such move: a null move, or the end of a game.
    None,
}

/// Returns the number of a move.
fn number(index: &Index, count: &KeyCount<'_>, played: &PlayedMove) -> Result<FoundMove, IndexError> {
    let Some(next) = played.count.next else {
        return Ok(FoundMove::None);
    };
    let mut castling = None;
    if let Some((_, side)) = possible_castling(next).filter(|(color, _)| *color == count.turn) {
        // The index has moves in UCI notation, in which e1g1 is castling, or a move of a rook or queen. If it is
        // castling, the game goes on with a position of one of these keys.
        for key in keys_after_castling(count.key, count.turn, side) {
            if index.has_key(key)? {
                castling = Some(side);
                break;
            }
        }
        if castling.is_none() && !has_ply(index.info().plies, played.least_ply.saturating_add(1)) {
            return Ok(FoundMove::Undecided);
        }
    }
    Ok(move_number(next, castling).map_or(FoundMove::None, FoundMove::Move))
}

/// Whether an index of these plies certainly has this ply of each game that is long enough.
fn has_ply(plies: Plies, ply: u32) -> bool {
    plies == Plies::ALL || !plies.count_from_end() && plies.of_game(0).contains(&ply)
}
