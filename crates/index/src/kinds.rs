//! The speeds of all games and the kinds of their starts in memory, so that filters on them read no text.

use crate::error::IndexError;
use crate::game_rules::named;
use crate::games_table::GameColumn;
use crate::lookup::Index;
use crate::open::OpenRun;
use crate::table::TableReader;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::start::StartKind;
use pgn2fen_games::pgn::speed::Speed;
use pgn2fen_games::replay::{NamedStart, named_start};

/// The kind of the start of a game, as public servers name it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartVariant {
    /// The initial position.
    Standard,
    /// A start of Chess960, whose two sides may differ.
    Chess960,
    /// Any other position.
    FromPosition,
    /// A game of a variant, wherever it starts.
    Game(Rules),
}

/// The speed of a game and the kind of its start, in one byte.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameKind(u8);

const VARIANT: u32 = 3;

/// The kinds of starts, by their numbers.
const VARIANTS: [StartVariant; 2 + Rules::ALL.len()] = {
    let mut all = [StartVariant::FromPosition; 2 + Rules::ALL.len()];
    (all[0], all[1]) = (StartVariant::Standard, StartVariant::Chess960);
    let mut rules = 1;
    while rules < Rules::ALL.len() {
        all[2 + rules] = StartVariant::Game(Rules::ALL[rules]);
        rules += 1;
    }
    all
};

impl GameKind {
    /// Makes the kind of a game, for tests.
    #[doc(hidden)]
    pub fn made(speed: Option<Speed>, variant: Option<StartVariant>) -> Self {
        Self::new(speed, variant)
    }

    fn new(speed: Option<Speed>, variant: Option<StartVariant>) -> Self {
        fn number<T: PartialEq>(all: &[T], value: Option<T>) -> u8 {
            let at = value.and_then(|value| all.iter().position(|known| *known == value));
            at.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0)
        }
        Self(number(&Speed::ALL, speed) | number(&VARIANTS, variant) << VARIANT)
    }

    /// Returns the speed of the game; None if it is unknown.
    pub fn speed(self) -> Option<Speed> {
        Speed::ALL.get(usize::from(self.0 & 7).checked_sub(1)?).copied()
    }

    /// Returns the kind of the start of the game; None if it is unknown.
    pub fn variant(self) -> Option<StartVariant> {
        VARIANTS.get(usize::from(self.0 >> VARIANT).checked_sub(1)?).copied()
    }
}

/// Returns the kind of a start: what the tag Variant names, if it names Chess960 or a position, or else that of the
/// position. Both may be empty.
fn variant_of(start: &str, variant: &str) -> Option<StartVariant> {
    let rules = named(start.as_bytes());
    match named_start(variant) {
        _ if rules != Rules::Chess => Some(StartVariant::Game(rules)),
        Some(NamedStart::Chess960) => Some(StartVariant::Chess960),
        Some(NamedStart::Position) => Some(StartVariant::FromPosition),
        None if start == StartKind::Standard.name() => Some(StartVariant::Standard),
        None if start == "chess960" || start == "dfrc" => Some(StartVariant::Chess960),
        None => Some(StartVariant::FromPosition).filter(|_| !start.is_empty()),
    }
}

/// The speeds of all games of an index, and the kinds of their starts. They take a byte a game.
#[doc(hidden)]
#[derive(Debug)]
pub struct GameKinds {
    first: u64,
    games: Vec<GameKind>,
    has_speeds: bool,
}

impl GameKinds {
    /// Returns the kind of a game.
    #[inline]
    pub fn of(&self, game: u64) -> GameKind {
        let at = usize::try_from(game.wrapping_sub(self.first)).unwrap_or(usize::MAX);
        self.games.get(at).copied().unwrap_or_default()
    }

    /// Returns the kinds of all games, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = GameKind> {
        self.games.iter().copied()
    }

    /// Whether the index keeps the tag TimeControl, from which speeds follow.
    pub fn has_speeds(&self) -> bool {
        self.has_speeds
    }
}

impl Index {
    /// Reads the kinds of all games. An index that does not keep the tag Variant has those of the positions.
    #[doc(hidden)]
    pub fn game_kinds(&self) -> Result<GameKinds, IndexError> {
        let first = self.runs().first().map_or(1, OpenRun::first_game);
        let mut games: Vec<GameKind> = Vec::with_capacity(usize::try_from(self.game_count()).unwrap_or(0));
        let [control, variant] = ["TimeControl", "Variant"].map(|tag| self.column_of_tag(tag));
        for run in self.runs() {
            let table = run.games()?;
            let begin = games.len();
            games.resize(begin + usize::try_from(table.rows()).unwrap_or(0), GameKind::default());
            let of_run = &mut games[begin..];
            if let Some(column) = control {
                read(table, column, |game, text| of_run[game] = GameKind::new(Speed::of(text), None))?;
            }
            // The texts of a column are read one after another, so the starts are kept.
            let mut starts = vec![None; of_run.len()];
            read(table, GameColumn::Start, |game, start| starts[game] = variant_of(start, ""))?;
            if let Some(column) = variant {
                read(table, column, |game, text| {
                    if !matches!(starts[game], Some(StartVariant::Game(_)))
                        && let Some(named) = variant_of("", text)
                    {
                        starts[game] = Some(named);
                    }
                })?;
            }
            for (game, start) in of_run.iter_mut().zip(starts) {
                *game = GameKind::new(game.speed(), start);
            }
        }
        Ok(GameKinds { first, games, has_speeds: control.is_some() })
    }
}

/// Calls a function with the row and the text of each row of a column that is not empty.
fn read(table: &TableReader, column: GameColumn, mut take: impl FnMut(usize, &str)) -> Result<(), IndexError> {
    let mut scan = table.texts(None, column.at(), 0..table.rows());
    let mut row = 0;
    while let Some(rows) = scan.next_rows(u64::MAX)? {
        for text in rows.texts() {
            if let Some(text) = str::from_utf8(text).ok().filter(|text| !text.is_empty()) {
                take(row, text);
            }
            row += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{GameKind, StartVariant, VARIANTS, variant_of};
    use crate::tests::Desk;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_games::pgn::speed::Speed;

    #[test]
    fn a_byte_holds_what_is_known() {
        for speed in Speed::ALL.map(Some).into_iter().chain([None]) {
            for variant in VARIANTS.map(Some).into_iter().chain([None]) {
                let kind = GameKind::new(speed, variant);
                assert_eq!((kind.speed(), kind.variant()), (speed, variant));
            }
        }
        assert_eq!(GameKind::default(), GameKind::new(None, None));
    }

    #[test]
    fn the_tag_decides_before_the_position() {
        use StartVariant::{Chess960, FromPosition, Standard};
        for (start, variant, expected) in [
            ("standard", "", Some(Standard)),
            ("standard", "Standard", Some(Standard)),
            ("standard", "Chess960", Some(Chess960)),
            ("standard", "Fischerandom", Some(Chess960)),
            ("chess960", "", Some(Chess960)),
            ("dfrc", "Standard", Some(Chess960)),
            ("chess960", "From Position", Some(FromPosition)),
            ("odds", "", Some(FromPosition)),
            ("position", "Standard", Some(FromPosition)),
            ("", "", None),
            ("", "Atomic", None),
            ("atomic", "", Some(StartVariant::Game(Rules::Atomic))),
            ("crazyhouse", "Crazyhouse 960", Some(StartVariant::Game(Rules::Crazyhouse))),
        ] {
            assert_eq!(variant_of(start, variant), expected, "{start} {variant}");
        }
    }

    #[test]
    fn games_have_the_speed_of_their_clock_and_the_kind_of_their_start() {
        let text = "[TimeControl \"60+0\"]\n\n1. e4 *\n\n\
                    [Variant \"Chess960\"]\n\n1. e4 *\n\n\
                    [TimeControl \"180+2\"]\n[Variant \"From Position\"]\n\n1. e4 *\n\n\
                    [Variant \"Atomic\"]\n\n1. e4 *\n\n\
                    [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[TimeControl \"?\"]\n\n1. e4 *\n";
        let desk = Desk::of(&[("a.pgn", text), ("b.pgn", "[TimeControl \"-\"]\n[Variant \"Standard\"]\n\n1. d4 *\n")]);
        let kinds = desk.index.game_kinds().unwrap();
        let all: Vec<_> = kinds.iter().map(|kind| (kind.speed(), kind.variant())).collect();
        let expected = [
            (Some(Speed::Bullet), Some(StartVariant::Standard)),
            (None, Some(StartVariant::Chess960)),
            (Some(Speed::Blitz), Some(StartVariant::FromPosition)),
            (None, Some(StartVariant::Game(Rules::Atomic))),
            (None, Some(StartVariant::FromPosition)),
            (Some(Speed::Correspondence), Some(StartVariant::Standard)),
        ];
        assert_eq!(all, expected);
        assert_eq!((1..7).map(|game| kinds.of(game)).collect::<Vec<_>>(), kinds.iter().collect::<Vec<_>>());
        assert_eq!([0, 7].map(|game| kinds.of(game)), [GameKind::default(); 2]);
        assert!(kinds.has_speeds());
        assert_eq!(GameKind::made(Some(Speed::Blitz), None), GameKind::new(Some(Speed::Blitz), None));
    }
}
