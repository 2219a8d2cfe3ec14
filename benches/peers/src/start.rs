//! Where a game starts: the FEN and Variant tags, read by shakmaty as leniently as it can.

use std::ops::ControlFlow;

use pgn_reader::RawTag;
use shakmaty::fen::Fen;
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{CastlingMode, Chess, PositionError, Setup};

/// The tags that decide the starting position; of several with one name the last counts.
#[derive(Default)]
pub(crate) struct StartTags {
    fen: Option<Vec<u8>>,
    variant: Option<Vec<u8>>,
}

/// A starting position.
pub(crate) enum Start {
    /// The initial array of standard chess.
    Initial,
    /// The position of a FEN tag.
    Fen(Chess),
}

/// No starting position: the FEN cannot be played from, or the game is not chess.
pub(crate) struct NoStart;

impl StartTags {
    /// Notes a tag, if it is one that matters here.
    pub(crate) fn note<B>(&mut self, name: &[u8], value: RawTag<'_>) -> ControlFlow<B> {
        match name {
            b"FEN" => self.fen = Some(value.decode().into_owned()),
            b"Variant" => self.variant = Some(value.decode().into_owned()),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// The starting position that the tags describe.
    pub(crate) fn start(&self) -> Result<Start, NoStart> {
        let mode = match &self.variant {
            None => None,
            Some(variant) => castling_mode(&variant.trim_ascii().to_ascii_lowercase())?,
        };
        match &self.fen {
            None => Ok(Start::Initial),
            Some(fen) if fen.trim_ascii().is_empty() => Ok(Start::Initial),
            Some(fen) => {
                let setup = Fen::from_ascii(fen.trim_ascii()).map_err(|_| NoStart)?.into_setup();
                let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
                position(setup, mode).map(Start::Fen)
            }
        }
    }
}

impl StartTags {
    /// The starting position by the rules that the Variant tag names, as Lichess spells them.
    pub(crate) fn start_of_variant(&self) -> Result<VariantPosition, NoStart> {
        let value = self.variant.as_deref().unwrap_or(b"Standard").trim_ascii();
        let (name, mode) = match value.strip_suffix(b" 960") {
            Some(name) => (name, Some(CastlingMode::Chess960)),
            None => (value, None),
        };
        let variant = Variant::from_ascii(name).map_err(|_| NoStart)?;
        let Some(fen) = &self.fen else { return Ok(VariantPosition::new(variant)) };
        let setup = Fen::from_ascii(fen.trim_ascii()).map_err(|_| NoStart)?.into_setup();
        let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
        VariantPosition::from_setup(variant, setup, mode)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .map_err(|_| NoStart)
    }
}

/// The castling rules that a Variant tag (in small letters) asks for; `None` leaves it to the FEN.
fn castling_mode(variant: &[u8]) -> Result<Option<CastlingMode>, NoStart> {
    let contains = |part: &[u8]| variant.windows(part.len()).any(|window| window == part);
    if contains(b"960") || contains(b"fischer") {
        return Ok(Some(CastlingMode::Chess960));
    }
    match variant {
        b"" | b"?" | b"chess" | b"standard" | b"normal" | b"classical" | b"from position" => Ok(None),
        _ if variant.starts_with(b"wild/") => Ok(None),
        _ => Err(NoStart),
    }
}

fn position(setup: Setup, mode: CastlingMode) -> Result<Chess, NoStart> {
    setup
        .position::<Chess>(mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|_| NoStart)
}
