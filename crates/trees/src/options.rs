//! What a tree has of the games.

use std::fmt;

use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::selection::{ParseError, TagFilter};
use pgn2fen_games::typed::{Meant, TypedPosition, read_position, read_position_of};

/// The greatest number of plies of a line behind the root. Variations are nested no deeper than that, and readers of
/// PGN have a limit for this: that of [`pgn2fen_games`] is 256.
pub const MOST_PLIES: u32 = 256;

/// The greatest number of model games of a line.
pub const MOST_MODELS: usize = 3;

/// The position in which a tree begins, and the moves that lead to it, which are written before the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    start: Position,
    moves: Vec<Move>,
    position: Position,
}

/// A remark about the text of a root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RootRemark {
    /// The text needed repairs, or has a part that was skipped.
    Repaired(String),
    /// The text is the name or the ECO code of an opening.
    Opening {
        /// The name of the opening.
        name: &'static str,
        /// Its moves: `1. e4 c5`.
        moves: &'static str,
    },
}

impl fmt::Display for RootRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Repaired(repair) => f.write_str(repair),
            Self::Opening { name, moves } => write!(f, "{name}, {moves}"),
        }
    }
}

impl Root {
    /// Reads a root: what [`read_position`] reads, or the name or the ECO code of an opening.
    ///
    /// ```
    /// use pgn2fen_chess::san::Letters;
    /// use pgn2fen_trees::Root;
    ///
    /// let (root, remark) = Root::read("najdorf", &Letters::ENGLISH)?;
    /// assert_eq!(root.moves().len(), 10);
    /// let moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6";
    /// assert_eq!(remark.unwrap().to_string(), format!("Sicilian Defense: Najdorf Variation, {moves}"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The mistake in a text that is none of these.
    pub fn read(text: &str, letters: &Letters) -> Result<(Self, Option<RootRemark>), ParseError> {
        Self::read_by(Rules::Chess, text, letters)
    }

    /// Reads a root of games of these rules: what [`read_position_of`] reads, or in chess what [`read`](Self::read)
    /// reads.
    ///
    /// # Errors
    ///
    /// The mistake in a text that is none of these.
    pub fn read_by(rules: Rules, text: &str, letters: &Letters) -> Result<(Self, Option<RootRemark>), ParseError> {
        let mistake = match read_position_of(text, letters, rules) {
            Ok(typed) => {
                let remark = typed.repair.clone().map(RootRemark::Repaired);
                return Ok((typed.into(), remark));
            }
            Err(mistake) => mistake,
        };
        match Meant::by(text).filter(|_| rules == Rules::Chess) {
            Some(
                Meant::Code { opening, moves } | Meant::Name { opening, moves } | Meant::InNames { opening, moves },
            ) => {
                let root = read_position(moves, &Letters::ENGLISH)?.into();
                Ok((root, Some(RootRemark::Opening { name: opening.name, moves })))
            }
            None if rules == Rules::Chess => Err(Meant::mistake_of_name(text).unwrap_or(mistake)),
            _ => Err(mistake),
        }
    }

    /// Returns the root of all games of these rules: the position in which they start.
    pub fn of_rules(rules: Rules) -> Self {
        Self::from(Position::start(rules))
    }

    /// Returns the position in which the tree begins.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the position in which the moves before the tree begin.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves before the tree.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

impl Default for Root {
    fn default() -> Self {
        Self::from(Position::initial())
    }
}

impl From<Position> for Root {
    fn from(position: Position) -> Self {
        Self { start: position.clone(), moves: Vec::new(), position }
    }
}

impl From<TypedPosition> for Root {
    fn from(typed: TypedPosition) -> Self {
        let TypedPosition { start, moves, position, .. } = typed;
        Self { start, moves, position }
    }
}

/// Returns the filter for the games of a player, of whose name a part is given: those of one side, or of both. None for
/// a name that is empty or has a quote in it.
///
/// ```
/// use pgn2fen_chess::piece::Color;
/// use pgn2fen_trees::player_filter;
///
/// assert_eq!(player_filter("carlsen", Some(Color::White)), r#"White~"carlsen""#.parse().ok());
/// assert_eq!(player_filter(" ", None), None);
/// ```
pub fn player_filter(name: &str, side: Option<Color>) -> Option<TagFilter> {
    let tag = side.map_or("Player", |side| side.pick("White", "Black"));
    let name = Some(name.trim()).filter(|name| !name.is_empty() && !name.contains('"'))?;
    format!("{tag}~\"{name}\"").parse().ok()
}

/// The order of the moves of a position. The first move is the main line. Moves in the main lines of games come before
/// moves of variations only. Of equal moves, the one that was played first in the order of the games, and in a game in
/// the order of its text, is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MoveOrder {
    /// The most played first: those in the most main lines, and of these, those in the most games.
    #[default]
    Games,
    /// Those with the best score for the side to move first. Moves without a known result come last.
    Score,
    /// The order of the files. An index does not have it.
    File,
}

impl MoveOrder {
    /// All orders, with their names.
    pub const NAMES: [(&'static str, Self); 3] = [("games", Self::Games), ("score", Self::Score), ("file", Self::File)];
}

/// The options of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// The position in which the tree begins. Games that never reach it do not count, and games of other rules are left
    /// out.
    pub root: Root,
    /// The greatest number of plies behind the root, at most [`MOST_PLIES`].
    pub depth: u32,
    /// The least number of games in which a move was played.
    pub min_games: u64,
    /// The order of the moves.
    pub order: MoveOrder,
    /// The greatest number of moves of a position: the first ones in the order. None for all.
    pub max_moves: Option<usize>,
    /// The number of model games at the end of a line: those with the best ratings, and of equal ones the latest. At
    /// most [`MOST_MODELS`].
    pub models: usize,
    /// Whether the moves of variations count as well. They have no result.
    pub variations: bool,
    /// Whether comments and glyphs of the games are kept.
    pub notes: bool,
}

impl TreeOptions {
    /// Returns the options that the command and the packages begin with. With variations, they are those for a
    /// repertoire: the depth is 100 plies, and each move is kept, with comments and glyphs. Without, the depth is 30,
    /// and a move was played in three games.
    pub fn usual(variations: bool) -> Self {
        let (depth, min_games) = if variations { (100, 1) } else { (30, 3) };
        Self { depth, min_games, variations, notes: variations, ..Self::default() }
    }

    /// Returns what is wrong with an option that is out of its range; None if there is none.
    pub fn mistake(&self) -> Option<String> {
        let Self { depth, max_moves, models, .. } = self;
        if !(1..=MOST_PLIES).contains(depth) {
            return Some(format!("depth is {depth}, but must be from 1 to {MOST_PLIES}"));
        }
        if *models > MOST_MODELS {
            return Some(format!("models is {models}, but must be at most {MOST_MODELS}"));
        }
        (*max_moves == Some(0)).then(|| "max is 0, but must be 1 or more".to_owned())
    }
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self {
            root: Root::default(),
            depth: 30,
            min_games: 1,
            order: MoveOrder::Games,
            max_moves: None,
            models: 1,
            variations: false,
            notes: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_MODELS, MOST_PLIES, Root, RootRemark, TreeOptions, player_filter};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_chess::san::Letters;

    #[test]
    fn a_root_is_a_line_or_an_opening() {
        let (root, remark) = Root::read("b20", &Letters::ENGLISH).unwrap();
        assert_eq!(remark.unwrap().to_string(), "Sicilian Defense, 1. e4 c5");
        assert_eq!((root.moves().len(), root.start().fullmoves(), root.position().fullmoves()), (2, 1, 2));
        let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 7";
        let (root, remark) = Root::read(fen, &Letters::ENGLISH).unwrap();
        assert_eq!((root.moves().len(), root.start().fullmoves(), remark), (0, 7, None));
        assert_eq!(RootRemark::Repaired("mended".to_owned()).to_string(), "mended");
        assert!(Root::read("x", &Letters::ENGLISH).is_err());
    }

    #[test]
    fn the_names_of_openings_are_those_of_chess() {
        let mistake = |rules: Rules| Root::read_by(rules, "Sicilian Defence Najdrof", &Letters::ENGLISH).unwrap_err();
        let in_chess = mistake(Rules::Chess).to_string();
        assert!(in_chess.contains("did you mean Sicilian Defense: Najdorf Variation?"), "{in_chess}");
        let in_atomic = mistake(Rules::Atomic).to_string();
        assert!(!in_atomic.contains("Sicilian Defense: "), "{in_atomic}");
        assert!(Root::read_by(Rules::Chess, "B20", &Letters::ENGLISH).is_ok());
        assert!(Root::read_by(Rules::Atomic, "B20", &Letters::ENGLISH).is_err());
    }

    #[test]
    fn a_player_is_found_by_a_part_of_the_name() {
        for (name, side, filter) in [
            (" carlsen ", Some(Color::White), "White~\"carlsen\""),
            ("carlsen", Some(Color::Black), "Black~\"carlsen\""),
            ("carlsen", None, "Player~\"carlsen\""),
        ] {
            assert_eq!(player_filter(name, side), filter.parse().ok());
        }
        assert_eq!([" ", "a\"b"].map(|name| player_filter(name, None)), [None, None]);
    }

    #[test]
    fn usual_options_are_right_and_others_are_told() {
        for (variations, depth, min_games) in [(false, 30, 3), (true, 100, 1)] {
            let usual = TreeOptions::usual(variations);
            assert_eq!((usual.depth, usual.min_games, usual.variations), (depth, min_games, variations));
            assert_eq!((usual.notes, usual.mistake()), (variations, None));
            assert_eq!(TreeOptions { models: MOST_MODELS, depth: MOST_PLIES, ..usual }.mistake(), None);
        }
        let usual = TreeOptions::usual(false);
        for (wrong, told) in [
            (TreeOptions { depth: 0, ..usual.clone() }, "depth is 0, but must be from 1 to "),
            (TreeOptions { depth: MOST_PLIES + 1, ..usual.clone() }, "depth is "),
            (TreeOptions { models: MOST_MODELS + 1, ..usual.clone() }, "models is "),
            (TreeOptions { max_moves: Some(0), ..usual }, "max is 0, but must be 1 or more"),
        ] {
            assert!(wrong.mistake().is_some_and(|mistake| mistake.starts_with(told)), "{told}");
        }
    }
}
