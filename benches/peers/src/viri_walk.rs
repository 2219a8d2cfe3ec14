//! Games in viriformat, written with shakmaty, pgn-reader and the crate viriformat: the way of other converters.
//!
//! An evaluation `[%eval …]` is that of the position after its move. Positions with an evaluation and a next move that
//! follow one another are a game, as in `pgn2fen -f viri`.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use pgn_reader::{RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{Chess, EnPassantMode, Move, Position, Role};
use viriformat::chess::board::{Board, DrawType, GameOutcome, WinType};
use viriformat::chess::chessmove::{Move as ViriMove, MoveFlags};
use viriformat::chess::piece::PieceType;
use viriformat::chess::types::Square;
use viriformat::dataformat::Game;

use crate::start::{Start, StartTags};
use crate::walk::each_game;

/// Writes the games of a PGN file, and returns the number of positions.
pub(crate) fn write(pgn: impl Read, out: &mut impl Write) -> io::Result<u64> {
    let mut visitor = Walk { out, positions: 0 };
    each_game(pgn, &mut visitor, |_, written| written.unwrap_or(Ok(())))?;
    Ok(visitor.positions)
}

struct Walk<'a, W> {
    out: &'a mut W,
    positions: u64,
}

#[derive(Default)]
struct Tags {
    start: StartTags,
    result: Option<GameOutcome>,
}

struct Played {
    position: Chess,
    /// The evaluation of the position.
    eval: Option<i16>,
    result: GameOutcome,
    game: Option<Game>,
}

impl<W: Write> Walk<'_, W> {
    fn end(&mut self, game: Option<Game>) -> io::Result<()> {
        let Some(game) = game else { return Ok(()) };
        self.positions += game.len() as u64;
        game.serialise_into(self.out)
    }
}

impl<W: Write> Visitor for Walk<'_, W> {
    type Tags = Tags;
    type Movetext = Played;
    type Output = io::Result<()>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"Result" {
            tags.result = match value.as_bytes() {
                b"1-0" => Some(GameOutcome::WhiteWin(WinType::Adjudication)),
                b"0-1" => Some(GameOutcome::BlackWin(WinType::Adjudication)),
                b"1/2-1/2" => Some(GameOutcome::Draw(DrawType::Adjudication)),
                _ => None,
            };
        }
        tags.start.note(name, value)
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Played> {
        let position = match tags.start.start() {
            Ok(Start::Initial) => Chess::default(),
            Ok(Start::Fen(start)) => start,
            Err(_) => return ControlFlow::Break(Ok(())),
        };
        match tags.result {
            None => ControlFlow::Break(Ok(())),
            Some(result) => ControlFlow::Continue(Played { position, eval: None, result, game: None }),
        }
    }

    fn begin_variation(&mut self, _: &mut Played) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn comment(&mut self, played: &mut Played, comment: RawComment<'_>) -> ControlFlow<Self::Output> {
        played.eval = played.eval.or_else(|| eval(comment.as_bytes()));
        ControlFlow::Continue(())
    }

    fn san(&mut self, played: &mut Played, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(m) = san.san.to_move(&played.position) else {
            return ControlFlow::Break(self.end(played.game.take()));
        };
        match (played.eval.take(), viri_move(m)) {
            (Some(eval), Some(m)) => {
                if played.game.is_none() {
                    let fen = Fen::from_position(&played.position, EnPassantMode::PseudoLegal).to_string();
                    let mut board = Board::new();
                    if board.set_from_fen(&fen, true).is_err() {
                        return ControlFlow::Break(Err(io::Error::other(fen)));
                    }
                    let mut game = Game::new(&board);
                    game.set_outcome(played.result);
                    played.game = Some(game);
                }
                if let Some(game) = &mut played.game {
                    game.add_move(m, eval);
                }
            }
            _ => {
                if let Err(error) = self.end(played.game.take()) {
                    return ControlFlow::Break(Err(error));
                }
            }
        }
        played.position.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, mut played: Played) -> Self::Output {
        self.end(played.game.take())
    }
}

/// Reads `[%eval 0.31]` or `[%eval #-3]`, in centipawns. A mate in n is 32000 - n.
fn eval(comment: &[u8]) -> Option<i16> {
    let comment = str::from_utf8(comment).ok()?;
    let (_, eval) = comment.split_once("[%eval ")?;
    let eval = &eval[..eval.find([']', ','])?];
    if let Some(mate) = eval.strip_prefix('#') {
        let mate: i16 = mate.parse().ok()?;
        return Some(if mate < 0 { -32_000 - mate } else { 32_000 - mate });
    }
    let pawns: f64 = eval.parse().ok()?;
    Some((pawns * 100.0).round() as i16)
}

fn viri_move(m: Move) -> Option<ViriMove> {
    let square = |square: shakmaty::Square| Square::new(u8::from(square));
    Some(match m {
        Move::Normal { from, to, promotion: None, .. } => ViriMove::new(square(from)?, square(to)?),
        Move::Normal { from, to, promotion: Some(role), .. } => {
            let role = match role {
                Role::Knight => PieceType::Knight,
                Role::Bishop => PieceType::Bishop,
                Role::Rook => PieceType::Rook,
                _ => PieceType::Queen,
            };
            ViriMove::new_with_promo(square(from)?, square(to)?, role)
        }
        Move::EnPassant { from, to } => ViriMove::new_with_flags(square(from)?, square(to)?, MoveFlags::EnPassant),
        Move::Castle { king, rook } => ViriMove::new_with_flags(square(king)?, square(rook)?, MoveFlags::Castle),
        Move::Put { .. } => return None,
    })
}
