//! A game → a line or a row for its starting position.

use std::io::Write;

use crate::columns::column::set::ColumnSet;
use crate::jobs::starts::kind::Kind;
use crate::jobs::starts::sameness::Sameness;
use crate::{Column, Columns, EncodedRows, FenText, append_material};
use pgn2fen_chess::fen::{FenStyle, FenWriter};
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::start::StartKind;
use pgn2fen_games::replay::VariantPolicy;
use pgn2fen_games::selection::{Identity, ShapeFilter};
use pgn2fen_games::walk::{GameParts, GameTask, OpenGame, Out, Played, Repeats};

/// A filter for games by the kind and the shape of their starting position.
#[derive(Clone, Debug)]
pub(super) struct Sought {
    pub(super) kinds: Vec<Kind>,
    pub(super) shape: ShapeFilter,
    /// Whether the filter selects all other games instead.
    pub(super) invert: bool,
}

impl Sought {
    /// Whether a game passes the filter.
    pub(super) fn holds(&self, game: &OpenGame<'_, '_>) -> bool {
        let kind = kind(game);
        let has_shape = || self.shape.is_empty() || game.position().is_some_and(|start| self.shape.holds(start));
        (kind.is_some_and(|kind| self.kinds.contains(&kind)) && has_shape()) != self.invert
    }
}

/// Returns the kind of a game's starting position, or `None` if it is the initial position.
fn kind(game: &OpenGame<'_, '_>) -> Option<Kind> {
    match game.position() {
        Some(start) => Kind::of(StartKind::of(start)),
        None => Some(Kind::Invalid),
    }
}

/// Which starting positions are listed, and which of them count as equal.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) sought: Sought,
    pub(super) sameness: Sameness,
}

impl Listed {
    fn repeats(&self) -> Repeats {
        if self.sameness == Sameness::None { Repeats::Keep } else { Repeats::Count }
    }

    /// Appends the identity of the starting position that has just been listed.
    fn identify(&self, game: &OpenGame<'_, '_>, identities: &mut Vec<Identity>) {
        let identity = match (game.position(), self.sameness) {
            (_, Sameness::None) => return,
            (Some(start), Sameness::Exact) => Identity::exact(start),
            (Some(start), Sameness::Position) => Identity::of(start),
            (None, _) => Identity::of_place(game.file, game.offset()),
        };
        identities.push(identity);
    }
}

/// Makes a line of FEN for each starting position. An [invalid](Kind::Invalid) one has no line.
#[derive(Debug)]
pub(super) struct StartLines {
    pub(super) listed: Listed,
    pub(super) style: FenStyle,
}

impl GameTask for StartLines {
    type BlockResult = FenText;
    const PLAYS: bool = false;

    fn needs_offsets(&self) -> bool {
        false
    }

    fn parts(&self) -> GameParts {
        GameParts::NONE
    }

    fn repeats(&self) -> Repeats {
        self.listed.repeats()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, FenText>) -> Played {
        if !self.listed.sought.holds(game) {
            return Played::UNWANTED;
        }
        let Some(start) = game.position() else {
            return Played::default();
        };
        let FenText { bytes, writer, ends } = &mut *out.made;
        writer.get_or_insert_with(|| FenWriter::new(self.style)).append(start, bytes);
        bytes.push(b'\n');
        ends.push(bytes.len());
        self.listed.identify(game, out.identities);
        Played { positions: 1, ..Played::default() }
    }
}

/// Makes a row for each starting position.
#[derive(Debug)]
pub(super) struct StartRows {
    pub(super) listed: Listed,
    pub(super) style: FenStyle,
    pub(super) columns: Columns,
    /// Whether the output can hold positions of variants.
    pub(super) variants: VariantPolicy,
}

impl GameTask for StartRows {
    type BlockResult = EncodedRows;
    const PLAYS: bool = false;

    fn variants(&self) -> VariantPolicy {
        self.variants
    }

    fn repeats(&self) -> Repeats {
        self.listed.repeats()
    }

    fn tags(&self) -> &[Box<str>] {
        self.columns.tags()
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, EncodedRows>) -> Played {
        if !self.listed.sought.holds(game) {
            return Played::UNWANTED;
        }
        self.push_row(game, out.made);
        self.listed.identify(game, out.identities);
        Played { positions: 1, ..Played::default() }
    }
}

impl StartRows {
    fn push_row(&self, game: &mut OpenGame<'_, '_>, made: &mut EncodedRows) {
        let EncodedRows { table, writer, .. } = made;
        table.begin(&self.columns, game);
        let start = game.position();
        table.begin_row(0, start.map_or(Color::White, Position::turn));
        if self.columns.has().has_any(ColumnSet::OPENING) {
            // Moves are skipped, so this is the name of the starting position itself.
            let mut opening = Tracker::default();
            start.iter().for_each(|start| opening.see(start));
            table.push_opening(opening);
        }
        let kind = start.map_or(StartKind::Position, StartKind::of);
        for column in &self.columns {
            let buffer = table.buffer_mut(column);
            match column {
                Column::Fen => buffer.ascii().push_with(|out| {
                    let writer = writer.get_or_insert_with(|| FenWriter::new(self.style));
                    start.iter().for_each(|start| writer.append(start, out));
                }),
                Column::Material => {
                    buffer.ascii().push_with(|out| start.iter().for_each(|start| append_material(start.board(), out)));
                }
                Column::Variant => buffer.names().push(start.map(Position::variant_name)),
                Column::Kind => buffer.names().push(Some(self::kind(game).map_or("", Kind::name))),
                Column::Sp => buffer.ascii().push_with(|out| append_sp(kind, out)),
                Column::Odds => buffer.texts().push_with(|out| {
                    if let StartKind::Odds(odds) = kind {
                        append(odds, out);
                    }
                }),
                _ => {}
            }
        }
    }
}

/// Appends the Chess960 number: `12`, or `518/12` (White's, Black's) if the two sides differ.
fn append_sp(kind: StartKind, out: &mut Vec<u8>) {
    match kind.numbers() {
        Some((white, black)) if white == black => append(white, out),
        Some((white, black)) => append(format_args!("{white}/{black}"), out),
        None => {}
    }
}

fn append(text: impl std::fmt::Display, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = write!(out, "{text}");
}
