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

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::ops::ControlFlow;

    use super::{PolyglotBook, WrittenBook};
    use crate::BuildOptions;
    use crate::books::{BookChoice, BookError, Weight};
    use crate::tests::{Desk, FIRST, SECOND};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::square::Square;
    use pgn2fen_games::parallel::Workers;

    /// Writes a book. Returns the keys of its entries, and the moves in UCI notation with their weights, sorted.
    fn write(desk: &Desk, book: &PolyglotBook) -> (WrittenBook, Vec<u64>, Vec<String>) {
        let mut bytes = Vec::new();
        let workers = Workers::new(1).unwrap();
        let written = book.write(&desk.index, &workers, &mut bytes, &|_, _| ControlFlow::Continue(())).unwrap();
        let (entries, []) = bytes.as_chunks::<16>() else { panic!("{} bytes", bytes.len()) };
        let square = |number: u16| Square::wrapping(u8::try_from(number & 63).unwrap());
        let name = |entry: &[u8; 16]| {
            let [number, weight] = [8, 10].map(|at| u16::from_be_bytes([entry[at], entry[at + 1]]));
            format!("{}{} {weight}", square(number >> 6), square(number))
        };
        let keys: Vec<u64> = entries.iter().map(|entry| u64::from_be_bytes(*entry.first_chunk().unwrap())).collect();
        assert!(keys.is_sorted());
        let mut names: Vec<String> = entries.iter().map(name).collect();
        names.sort();
        (written, keys, names)
    }

    /// Returns a book in which all moves have the same weight.
    fn uniform(choice: BookChoice) -> PolyglotBook {
        let choice = BookChoice { min_games: 1, ..choice };
        PolyglotBook { choice, weight: Weight::Uniform, ..PolyglotBook::default() }
    }

    #[test]
    fn a_book_has_all_positions_of_games_of_chess() {
        let desk = Desk::of(&[("first.pgn", FIRST), ("second.pgn", SECOND)]);
        let (written, keys, _) = write(&desk, &uniform(BookChoice::default()));
        assert_eq!((written.positions, written.moves, written.undecided), (10, 13, 0));
        let start = crate::key(&Position::initial());
        assert_eq!(keys.iter().filter(|key| **key == start).count(), 2);
        // Games of Atomic Chess have other keys.
        let atomic = desk.index.postings(start).map(Result::unwrap).all(|hit| hit.game != 5);
        assert!(atomic);
    }

    #[test]
    fn a_move_counts_by_the_score_of_the_side_that_plays_it() {
        let desk = Desk::of(&[("a.pgn", "1. e4 e5 1-0\n\n1. e4 c5 0-1\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n")]);
        let book = |weight, min_score: Option<&str>| {
            let choice = BookChoice { min_games: 1, ..BookChoice::default() };
            let min_score = min_score.map(|score| score.parse().unwrap());
            write(&desk, &PolyglotBook { choice, weight, min_score, max_moves: None }).2
        };
        assert_eq!(book(Weight::Score, None), ["c7c5 3", "d7d5 2", "e2e4 3"]);
        assert_eq!(book(Weight::Games, Some("50")), ["c7c5 2", "d7d5 1", "e2e4 3"]);
        assert_eq!(book(Weight::Games, Some("51")), ["c7c5 2", "d7d5 1"]);
        assert_eq!(book(Weight::Games, Some("0")), ["c7c5 2", "d2d4 1", "d7d5 1", "e2e4 3", "e7e5 1"]);
    }

    #[test]
    fn the_games_of_a_player_count_for_his_side() {
        let text = "[White \"Carlsen, Magnus\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n\
                    [White \"B\"]\n[Black \"M. Carlsen\"]\n\n1. d4 d5 0-1\n\n\
                    [White \"C\"]\n[Black \"B\"]\n\n1. c4 c5 1-0\n";
        let desk = Desk::of(&[("a.pgn", text)]);
        let moves = |choice| write(&desk, &uniform(choice)).2.join(", ").replace(" 1", "");
        let all = BookChoice::default;
        let magnus = || BookChoice { player: Some("MAGNUS".to_owned()), ..all() };
        let players = || "Carlsen, Magnus\n    M. Carlsen\n".parse().unwrap();
        assert_eq!(moves(all()), "c2c4, c7c5, d2d4, d7d5, e2e4, e7e5");
        assert_eq!(moves(magnus()), "e2e4");
        assert_eq!(moves(BookChoice { players: players(), ..magnus() }), "d7d5, e2e4");
        assert_eq!(moves(BookChoice { player: Some("carlsen".to_owned()), ..all() }), "d7d5, e2e4");
        assert_eq!(moves(BookChoice { turn: Some(Color::Black), ..all() }), "c7c5, d7d5, e7e5");
        assert_eq!(moves(BookChoice { turn: Some(Color::Black), players: players(), ..magnus() }), "d7d5");
        let tags = |tag: &str| vec![tag.parse().unwrap()];
        assert_eq!(moves(BookChoice { tags: tags("White=C"), ..all() }), "c2c4, c7c5");
        assert_eq!(moves(BookChoice { tags: tags("Black=B"), ..magnus() }), "e2e4");
        assert_eq!(moves(BookChoice { tags: tags("White=B"), ..magnus() }), "");
        let both = BookChoice { tags: tags("Black=Carlsen, Magnus"), players: players(), ..all() };
        assert_eq!(moves(both), "d2d4, d7d5");
        assert_eq!(moves(BookChoice { plies: "..0".parse().unwrap(), ..all() }), "c2c4, d2d4, e2e4");
        assert_eq!(moves(BookChoice { plies: "1".parse().unwrap(), ..all() }), "c7c5, d7d5, e7e5");
    }

    #[test]
    fn black_may_move_first() {
        let text = "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... Kd7 2. Kd2 1-0\n";
        let desk = Desk::of(&[("a.pgn", text)]);
        let of = |turn| write(&desk, &uniform(BookChoice { turn: Some(turn), ..BookChoice::default() })).2;
        assert_eq!([of(Color::White), of(Color::Black)], [["e1d2 1"], ["e8d7 1"]]);
    }

    /// Writes the book of the moves of some games, in an index of these plies.
    #[track_caller]
    fn check_castling(plies: &str, text: &str, moves: &[&str], undecided: u64) {
        let options = BuildOptions { plies: plies.parse().unwrap(), ..BuildOptions::default() };
        let desk = Desk::with(&[("a.pgn", text)], &options);
        let (written, _, found) = write(&desk, &uniform(BookChoice::default()));
        let castling: Vec<&str> =
            found.iter().map(|name| &name[..4]).filter(|name| ["e1", "e8"].contains(&&name[..2])).collect();
        assert_eq!((castling, written.undecided), (moves.to_vec(), undecided), "{plies}");
    }

    #[test]
    fn a_king_that_castles_takes_its_rook() {
        let both = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 *\n\n\
                    [FEN \"r3k3/8/8/8/8/8/8/4K3 b q - 0 1\"]\n\n1... O-O-O *\n";
        check_castling("0..", both, &["e1h1", "e8a8"], 0);
        // The position behind castling is not in the index.
        check_castling("..6", both, &["e8a8"], 1);
        check_castling("..7", both, &["e1h1", "e8a8"], 0);
        check_castling("..0", both, &[], 1);
        // A rook or a queen makes the same move.
        let rooks = "[FEN \"7k/8/8/8/8/8/8/K3R3 w - - 0 1\"]\n\n1. Rg1 *\n\n\
                     [FEN \"4k3/8/8/8/8/8/K7/4r3 b - - 0 1\"]\n\n1... Rc1 *\n";
        check_castling("0..", rooks, &["e1c1", "e1g1"], 0);
        check_castling("..1", rooks, &["e1c1", "e1g1"], 0);
        check_castling("..0", rooks, &["e1c1"], 1);
        check_castling("-2..", rooks, &["e1c1"], 1);
    }

    #[test]
    fn a_null_move_is_not_in_a_book() {
        let desk = Desk::of(&[("a.pgn", "1. e4 -- 2. d4 *\n")]);
        let (written, _, moves) = write(&desk, &uniform(BookChoice::default()));
        assert_eq!((written.positions, moves), (2, vec!["d2d4 1".to_owned(), "e2e4 1".to_owned()]));
    }

    #[test]
    fn an_output_that_fails_is_the_cause_of_the_error() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let workers = Workers::new(1).unwrap();
        let book = uniform(BookChoice::default());
        // The output has no room.
        let mut output = &mut [0; 0][..];
        let error = book.write(&desk.index, &workers, &mut output, &|_, _| ControlFlow::Continue(())).unwrap_err();
        assert_eq!(error.to_string(), "cannot write the book");
        assert!(error.source().is_some() && BookError::Stopped.source().is_none());
    }

    #[test]
    fn a_book_is_not_written_if_that_is_not_wanted_or_wrong() {
        let desk = Desk::of(&[("first.pgn", FIRST)]);
        let workers = Workers::new(1).unwrap();
        let write = |choice, flow| {
            PolyglotBook { choice, ..PolyglotBook::default() }
                .write(&desk.index, &workers, &mut Vec::new(), &|_, _| flow)
        };
        let stopped = write(BookChoice::default(), ControlFlow::Break(())).unwrap_err();
        assert!(matches!(stopped, BookError::Stopped), "{stopped}");
        let from_end = BookChoice { plies: "-3..".parse().unwrap(), ..BookChoice::default() };
        assert!(from_end.check().is_err() && BookChoice::default().check().is_ok());
        let error = write(from_end, ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(error, BookError::PliesFromEnd), "{error}");
        assert!(error.to_string().starts_with("a book counts plies from the start of games"), "{error}");
        let unknown = BookChoice { tags: vec!["Annotator=A".parse().unwrap()], ..BookChoice::default() };
        let error = write(unknown, ControlFlow::Continue(())).unwrap_err();
        assert!(matches!(&error, BookError::Tag(tag) if tag.name() == "Annotator"), "{error}");
        assert!(error.to_string().starts_with("the index does not keep the tag Annotator"), "{error}");
    }
}
