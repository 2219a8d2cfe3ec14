//! cozy-chess, playing the moves that pgn-reader has read and writing positions by its `Display`.

use std::io::{self, Write};

use cozy_chess::{BitBoard, Board, File, Move, Piece, Rank, Square};
use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, Role};

use crate::shakmaty_walk;
use crate::style::{CastlingStyle, EpStyle, FenStyle};
use crate::walk::Peer;

/// cozy-chess. It names the e.p. square after every double push, stops its halfmove clock at 100, and as
/// X-FEN writes `KQkq` even for an inner rook.
pub(crate) struct Cozy {
    castling: CastlingStyle,
}

impl Cozy {
    pub(crate) fn new(castling: CastlingStyle) -> Cozy {
        Cozy { castling }
    }
}

impl Peer for Cozy {
    type Position = Board;

    fn set_up(&self, start: Chess) -> Option<Board> {
        // Shredder-FEN is the only form in which cozy-chess reads any rook.
        let style = FenStyle { ep: EpStyle::Always, castling: CastlingStyle::Shredder };
        Board::from_fen(&shakmaty_walk::fen(&start, style), true).ok()
    }

    fn play(&mut self, board: &mut Board, san: San) -> bool {
        match resolve(board, san) {
            Some(m) => {
                board.play_unchecked(m);
                true
            }
            None => false,
        }
    }

    fn write(&mut self, board: &Board, out: &mut impl Write) -> io::Result<()> {
        match self.castling {
            CastlingStyle::Xfen => writeln!(out, "{board}"),
            CastlingStyle::Shredder => writeln!(out, "{board:#}"),
        }
    }
}

/// The only legal move that a SAN fits, if there is one: what `cozy_chess::util::parse_san_move` does, without the
/// text.
fn resolve(board: &Board, san: San) -> Option<Move> {
    let turn = board.side_to_move();
    let (from, to, promotion) = match san {
        San::Normal { role, file, rank, to, promotion, .. } => {
            let file = file.map_or(BitBoard::FULL, |file| File::index(file as usize).bitboard());
            let rank = rank.map_or(BitBoard::FULL, |rank| Rank::index(rank as usize).bitboard());
            let from = board.colored_pieces(turn, piece(role)) & file & rank;
            // Castling is the king's capture of his own rook: not meant by `Kh1`.
            let to = Square::index(to as usize).bitboard() & !board.colors(turn);
            (from, to, promotion.map(piece))
        }
        San::Castle(side) => {
            let rights = board.castle_rights(turn);
            let rook = match side {
                CastlingSide::KingSide => rights.short?,
                CastlingSide::QueenSide => rights.long?,
            };
            let king = board.king(turn);
            (king.bitboard(), Square::new(rook, king.rank()).bitboard(), None)
        }
        San::Put { .. } | San::Null => return None,
    };

    let mut found = None;
    let ambiguous = board.generate_moves_for(from, |mut moves| {
        moves.to &= to;
        for m in moves {
            if m.promotion == promotion && found.replace(m).is_some() {
                return true;
            }
        }
        false
    });
    if ambiguous { None } else { found }
}

fn piece(role: Role) -> Piece {
    match role {
        Role::Pawn => Piece::Pawn,
        Role::Knight => Piece::Knight,
        Role::Bishop => Piece::Bishop,
        Role::Rook => Piece::Rook,
        Role::Queen => Piece::Queen,
        Role::King => Piece::King,
    }
}
