//! shakmaty: as its users write it, with a FEN writer written by hand, and without any.

use std::io::{self, Write};

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{Bitboard, Chess, Color, Piece, Position, Role};

use crate::style::{CastlingStyle, FenStyle};
use crate::walk::Peer;

/// `Fen::from_position`, appended to a buffer that is kept: the cheapest of the ways that shakmaty offers
/// (`writeln!(out, "{fen}")` takes about twice the time).
pub(crate) struct Idiomatic {
    style: FenStyle,
    line: Vec<u8>,
}

/// The same positions, written straight from the bitboards.
pub(crate) struct HandWritten {
    style: FenStyle,
}

/// No output, only the number of plies played.
#[derive(Default)]
pub(crate) struct PlayOnly {
    pub(crate) plies: u64,
}

impl Idiomatic {
    pub(crate) fn new(style: FenStyle) -> Idiomatic {
        Idiomatic { style, line: Vec::new() }
    }
}

impl HandWritten {
    pub(crate) fn new(style: FenStyle) -> HandWritten {
        HandWritten { style }
    }
}

impl Peer for Idiomatic {
    type Position = Chess;

    fn set_up(&self, start: Chess) -> Option<Chess> {
        Some(start)
    }

    fn play(&mut self, position: &mut Chess, san: San) -> bool {
        play(position, san)
    }

    fn write(&mut self, position: &Chess, out: &mut impl Write) -> io::Result<()> {
        let fen = Fen::from_position(position, self.style.ep.mode());
        self.line.clear();
        fen.append_ascii_to(&mut self.line);
        if self.style.castling == CastlingStyle::Shredder {
            self.line = with_shredder_castling(&self.line, position);
        }
        self.line.push(b'\n');
        out.write_all(&self.line)
    }
}

impl Peer for HandWritten {
    type Position = Chess;

    fn set_up(&self, start: Chess) -> Option<Chess> {
        Some(start)
    }

    fn play(&mut self, position: &mut Chess, san: San) -> bool {
        play(position, san)
    }

    fn write(&mut self, position: &Chess, out: &mut impl Write) -> io::Result<()> {
        let mut line = Line::new();
        line.fen(position, self.style);
        line.push(b'\n');
        out.write_all(line.bytes())
    }
}

impl Peer for PlayOnly {
    type Position = Chess;

    fn set_up(&self, start: Chess) -> Option<Chess> {
        Some(start)
    }

    fn play(&mut self, position: &mut Chess, san: San) -> bool {
        let played = play(position, san);
        self.plies += u64::from(played);
        played
    }

    fn write(&mut self, _position: &Chess, _out: &mut impl Write) -> io::Result<()> {
        Ok(())
    }
}

/// The FEN of a position, by the writer of [`HandWritten`].
pub(crate) fn fen(position: &Chess, style: FenStyle) -> String {
    let mut line = Line::new();
    line.fen(position, style);
    String::from_utf8_lossy(line.bytes()).into_owned()
}

fn play(position: &mut Chess, san: San) -> bool {
    match san.to_move(position) {
        Ok(m) => {
            position.play_unchecked(m);
            true
        }
        Err(_) => false,
    }
}

/// A FEN with other letters for the castling rights: shakmaty reads Shredder-FEN but has no writer for it.
fn with_shredder_castling(fen: &[u8], position: &Chess) -> Vec<u8> {
    let mut castling = Line::new();
    castling.castling_field(position, CastlingStyle::Shredder);
    let mut fields: Vec<&[u8]> = fen.split(|&byte| byte == b' ').collect();
    fields[2] = castling.bytes();
    fields.join(&b' ')
}

/// A line of text on the stack. The longest FEN has 105 bytes: 71 for the board, two numbers of ten digits.
struct Line {
    bytes: [u8; 128],
    len: usize,
}

impl Line {
    fn new() -> Line {
        Line { bytes: [0; 128], len: 0 }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    fn push(&mut self, byte: u8) {
        // The mask spares the bounds check, and no line gets that long.
        self.bytes[self.len & 127] = byte;
        self.len += 1;
    }

    fn fen(&mut self, position: &Chess, style: FenStyle) {
        self.board_field(position);
        self.push(b' ');
        self.push(if position.turn().is_white() { b'w' } else { b'b' });
        self.push(b' ');
        self.castling_field(position, style.castling);
        self.push(b' ');
        match position.ep_square(style.ep.mode()) {
            Some(square) => {
                self.push(b'a' + square.file() as u8);
                self.push(b'1' + square.rank() as u8);
            }
            None => self.push(b'-'),
        }
        self.push(b' ');
        self.number(position.halfmoves());
        self.push(b' ');
        self.number(position.fullmoves().get());
    }

    fn board_field(&mut self, position: &Chess) {
        // A pass over the bitboards first, so that no square has to ask which of them it is on.
        let mut men = [0; 64];
        for color in Color::ALL {
            for role in Role::ALL {
                for square in position.board().by_piece(Piece { color, role }) {
                    men[square as usize] = letter(color, role);
                }
            }
        }
        for (rank, men) in men.as_chunks::<8>().0.iter().enumerate().rev() {
            let mut empty = 0;
            for &man in men {
                if man == 0 {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    self.push(b'0' + empty);
                    empty = 0;
                }
                self.push(man);
            }
            if empty > 0 {
                self.push(b'0' + empty);
            }
            if rank > 0 {
                self.push(b'/');
            }
        }
    }

    fn castling_field(&mut self, position: &Chess, style: CastlingStyle) {
        let rights = position.castles().castling_rights();
        if rights.is_empty() {
            return self.push(b'-');
        }
        for color in Color::ALL {
            let back_rank = Bitboard::from(color.backrank());
            let rooks = position.board().by_piece(color.rook()) & back_rank;
            // From the h-file to the a-file: the king's side first.
            for rook in (rights & back_rank).into_iter().rev() {
                let king_side = position.board().king_of(color).is_some_and(|king| king < rook);
                let letter = match (style, king_side) {
                    (CastlingStyle::Xfen, true) if rooks.last() == Some(rook) => b'k',
                    (CastlingStyle::Xfen, false) if rooks.first() == Some(rook) => b'q',
                    _ => b'a' + rook.file() as u8,
                };
                self.push(if color.is_white() { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }

    fn number(&mut self, number: u32) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.push(b'0' + (number % 10) as u8);
    }
}

fn letter(color: Color, role: Role) -> u8 {
    let letter = match role {
        Role::Pawn => b'p',
        Role::Knight => b'n',
        Role::Bishop => b'b',
        Role::Rook => b'r',
        Role::Queen => b'q',
        Role::King => b'k',
    };
    if color.is_white() { letter.to_ascii_uppercase() } else { letter }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Chess, Color, Piece, Role};

    use super::{Idiomatic, fen, letter};
    use crate::style::{CastlingStyle, EpStyle, FenStyle};
    use crate::walk::Peer;

    /// The FEN is written as it was read, by shakmaty's writer and by the one of this file.
    #[track_caller]
    fn check(text: &str, style: FenStyle) {
        let position: Chess = text.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        assert_eq!(fen(&position, style), text);
        let mut idiomatic = Vec::new();
        Idiomatic::new(style).write(&position, &mut idiomatic).unwrap();
        assert_eq!(String::from_utf8(idiomatic).unwrap(), format!("{text}\n"));
    }

    const XFEN: FenStyle = FenStyle { ep: EpStyle::Always, castling: CastlingStyle::Xfen };
    const SHREDDER: FenStyle = FenStyle { ep: EpStyle::Always, castling: CastlingStyle::Shredder };

    #[test]
    fn a_fen_comes_back_as_it_was() {
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", XFEN);
        check("rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2", XFEN);
        check("8/5k2/8/8/8/8/8/K7 b - - 4294967295 4294967295", XFEN);
    }

    #[test]
    fn an_inner_rook_is_named_by_its_file() {
        check("4k3/8/8/8/8/8/8/4K1RR w G - 0 1", XFEN);
        check("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", XFEN);
        check("4k3/8/8/8/8/8/8/4KR1R w K - 0 1", XFEN);
    }

    #[test]
    fn shredder_fen_names_every_rook_by_its_file() {
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", SHREDDER);
        check("bbrknnrq/pppppppp/8/8/8/8/PPPPPPPP/BBRKNNRQ w GCgc - 0 1", SHREDDER);
    }

    #[test]
    fn a_letter_is_that_of_shakmaty() {
        for color in Color::ALL {
            for role in Role::ALL {
                assert_eq!(char::from(letter(color, role)), Piece { color, role }.char());
            }
        }
    }
}
