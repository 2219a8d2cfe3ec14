//! A player in a list: the names, and why they are those of the player.

use crate::players::name_count::NameCount;

/// A player in a [list](crate::players::PlayerList).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPlayer {
    pub(super) name: Box<str>,
    pub(super) names: Vec<ListedName>,
    pub(super) guesses: Vec<ListedName>,
    pub(super) related: Vec<Box<str>>,
    pub(super) fide_ids: Vec<u32>,
}

/// A name of a player in a [list](crate::players::PlayerList), and the games with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListedName {
    /// The name as it is written in the games. All games with it in any FIDE id of the player count.
    pub count: NameCount,
    /// Why it is a name of the player.
    pub sameness: Sameness,
    /// The FIDE ids of the games with this name, in ascending order.
    pub fide_ids: Vec<u32>,
}

/// Why a name is, or may be, that of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Sameness {
    /// It is the main name.
    Main,
    /// The names file has the name, or its FIDE id.
    Known,
    /// It is the same name when it is [folded](crate::players::folded).
    Spelling,
    /// The FIDE id is the same.
    FideId,
    /// The names are the same but for a FIDE id. The name is one of another player, too, who has more games with it.
    Namesake,
    /// A guess: first name and family name are in another order, as in `Magnus Carlsen`.
    Order,
    /// A guess: it has no first name, or only its initial, as in `Carlsen, M`.
    Initials,
    /// A guess: it has fewer first names.
    FirstNames,
    /// A guess: it has two or three letters of the first name, as in `Nakamura,Hi`.
    Abbreviation,
    /// A guess: it differs in blanks, or has `ae`, `oe` or `ue` for a single letter.
    Letters,
}

impl Sameness {
    /// Returns the reason in a word: `main`, `known`, `spelling`, `fide`, `namesake`, `order`, `initials`,
    /// `first-names`, `abbreviation` or `letters`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Known => "known",
            Self::Spelling => "spelling",
            Self::FideId => "fide",
            Self::Namesake => "namesake",
            Self::Order => "order",
            Self::Initials => "initials",
            Self::FirstNames => "first-names",
            Self::Abbreviation => "abbreviation",
            Self::Letters => "letters",
        }
    }

    /// Whether it is a guess.
    pub fn is_guess(self) -> bool {
        self >= Self::Order
    }
}
