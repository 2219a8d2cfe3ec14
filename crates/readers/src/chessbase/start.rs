//! The start of a game that does not begin in the initial position.

use pgn2fen_chess::board::Board;
use pgn2fen_chess::castling::{CastlingRights, CastlingSide};
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::{File, Rank, Square};

use crate::chessbase::board::{NumberedBoard, square as square_of};

/// The number of bytes of a start, and of what Chess960 adds.
const SIZE: usize = 28;
const CHESS960_SIZE: usize = 8;

/// The start of a game.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) setup: Setup,
    /// Whether it is the initial position, which no record states.
    pub(super) is_initial: bool,
    /// The position in which moves can be played, if there is one.
    pub(super) position: Option<Position>,
    /// The first squares of the rooks by color and side.
    pub(super) rooks: [[Option<Square>; 2]; 2],
}

impl Start {
    pub(super) fn initial() -> Self {
        Self { setup: Setup::initial(), is_initial: true, position: Some(Position::initial()), rooks: CORNERS }
    }

    /// Returns the board by which the moves are stored.
    pub(super) fn board(&self, is_reversed: bool) -> NumberedBoard {
        if self.is_initial { NumberedBoard::initial(is_reversed) } else { NumberedBoard::new(&self.setup, is_reversed) }
    }

    /// Reads the start of a game, and returns the bytes behind it. The error completes a word for messages.
    ///
    /// The bytes are: 1; the file of the en passant square and the side to move; castling rights; the number of the
    /// next move; and 24 bytes with the squares from a1, a2 to h8. An empty square is a bit 0, and a piece is a bit 1,
    /// a bit for its color, and three bits for its role. In Chess960, the squares of kings and rooks follow, and the
    /// number of the position.
    pub(super) fn read(bytes: &[u8], is_chess960: bool) -> Result<(Self, &[u8]), &'static str> {
        let (head, mut rest) = bytes.split_first_chunk::<SIZE>().ok_or("its-start-is-cut")?;
        let mut rooks = CORNERS;
        if is_chess960 {
            let (squares, behind) = rest.split_first_chunk::<CHESS960_SIZE>().ok_or("its-start-is-cut")?;
            (rooks, rest) = (chess960_rooks(squares), behind);
        }
        let [_, turn, castling, fullmoves, men @ ..] = head;
        let board = board(men)?;
        let turn_and_ep = *turn;
        let turn = if turn_and_ep & 16 == 0 { Color::White } else { Color::Black };
        let ep_rank = turn.pick(Rank::Sixth, Rank::Third);
        let ep = (turn_and_ep & 15).checked_sub(1).and_then(File::from_index).map(|file| Square::new(file, ep_rank));
        let sides = [CastlingSide::Queen, CastlingSide::King];
        let rights = Color::ALL.into_iter().flat_map(|color| sides.map(|side| (color, side)));
        let rights = rights.zip(0..).filter(|(_, bit)| castling >> bit & 1 == 1);
        let rights = rights.filter_map(|((color, side), _)| rooks[color.index()][side as usize]);
        let castling = rights.fold(CastlingRights::NONE, CastlingRights::with);
        let fullmoves = u32::from(*fullmoves).max(1);
        let setup = Setup { board, turn, castling, ep, halfmoves: 0, fullmoves, ..Setup::initial() };
        let position = Position::repaired(setup.clone()).ok().map(|(position, _)| position);
        Ok((Self { setup, is_initial: false, position, rooks }, rest))
    }
}

/// The corners, by color and side.
const CORNERS: [[Option<Square>; 2]; 2] = [[Some(Square::H1), Some(Square::A1)], [Some(Square::H8), Some(Square::A8)]];

/// Reads the first squares of the rooks: those of the two kings, and those of four rooks.
fn chess960_rooks(squares: &[u8; CHESS960_SIZE]) -> [[Option<Square>; 2]; 2] {
    let mut rooks = [[None; 2]; 2];
    let [white_king, black_king, squares @ .., _, _] = squares;
    for square in squares.iter().filter_map(|number| square_of(*number)) {
        for (color, king) in Color::ALL.into_iter().zip([white_king, black_king]) {
            if let Some(king) = square_of(*king)
                && square.rank() == color.back_rank()
            {
                rooks[color.index()][CastlingSide::of(king, square) as usize] = Some(square);
            }
        }
    }
    rooks
}

/// Reads the pieces of a start.
fn board(bytes: &[u8]) -> Result<Board, &'static str> {
    let mut bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    let mut board = Board::EMPTY;
    for number in 0..64 {
        let mut bit = || bits.next().ok_or("its-start-has-too-many-pieces");
        if bit()? == 0 {
            continue;
        }
        let color = if bit()? == 0 { Color::White } else { Color::Black };
        let role = match bit()? << 2 | bit()? << 1 | bit()? {
            1 => Role::King,
            2 => Role::Queen,
            3 => Role::Knight,
            4 => Role::Bishop,
            5 => Role::Rook,
            6 => Role::Pawn,
            _ => return Err("its-start-has-an-unknown-piece"),
        };
        if let Some(square) = square_of(number) {
            board.set(square, role.of(color));
        }
    }
    Ok(board)
}
