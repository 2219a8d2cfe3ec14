//! Players under several names: which names are those of one player.
//!
//! [`Players`] says which names are those of one player. It is read from a names file, and it is empty by default;
//! then each name is a player of its own. [`TagFilter::for_players`](crate::TagFilter::for_players) makes a filter that
//! finds a player under all names, and [`GameFilter::players`](crate::GameFilter::players) does so for a whole job.
//!
//! # The names file
//!
//! A line that begins without white space is a player. The indented lines below it are further names of the player, and
//! FIDE ids:
//!
//! ```text
//! # A comment.
//! Carlsen, Magnus
//!   Carlsen,M
//!   DrNykterstein     # a comment behind a name
//!   FIDE 1503014
//! ```
//!
//! A `#` at the start of a line or behind white space begins a comment. A name that contains ` #`, that begins with
//! `#` or `"`, or that could be read as a FIDE id is written in double quotes, in which `\"` stands for a quote and
//! `\\` for a backslash. The text is UTF-8.
//!
//! Names are compared without regard to case, accents, apostrophes and white space, and all other punctuation but `_`
//! is like white space: see [`folded`]. So `Carlsen, Magnus` is the same name as `CARLSEN,MAGNUS`. If the names file
//! has the FIDE id of a game, it decides who the player is, and otherwise the name does.
//!
//! ```
//! use pgn2fen_filters::players::Players;
//!
//! let players: Players = "Carlsen, Magnus\n  Carlsen,M\n  DrNykterstein\n  FIDE 1503014\n".parse()?;
//! assert_eq!(players.name_of("drnykterstein", None), "Carlsen, Magnus");
//! assert_eq!(players.name_of("M. Carlsen", Some("1503014")), "Carlsen, Magnus");
//! assert_eq!(players.name_of("Caruana, F", None), "Caruana, F");
//!
//! let error = "Carlsen, Magnus\nCarlsen, M\n  Carlsen Magnus\n".parse::<Players>().unwrap_err();
//! assert_eq!(error.to_string(), "3:3: this is a name of Carlsen, Magnus (line 1), too; a name belongs to one player");
//! # Ok::<(), pgn2fen_filters::players::NamesError>(())
//! ```
//!
//! # Inside
//!
//! - `folding`: names as they are compared
//! - `names_file`, `error`: the reader and the writer of names files; the error for a wrong line
//! - `sets`: the players that a filter on names means

mod error;
mod folding;
mod names_file;
mod sets;

use std::collections::HashMap;
use std::sync::Arc;

use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::tags::Tags;

pub use crate::players::error::NamesError;
pub use crate::players::folding::folded;
#[doc(hidden)]
pub use crate::players::folding::has_words;
#[doc(hidden)]
pub use crate::players::names_file::{on_one_line, read_text, written};
pub use crate::players::sets::PlayerSet;

/// The names and FIDE ids of players: which names are those of one player. Clones share their memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Players(Arc<Table>);

#[derive(Debug, Default, PartialEq, Eq)]
struct Table {
    players: Vec<Player>,
    /// The number of the player with each name, which is folded.
    by_name: HashMap<Box<str>, u32>,
    by_fide_id: HashMap<u32, u32>,
}

/// A player with all names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    name: Box<str>,
    /// The line of the names file.
    line: u32,
    further: Vec<Box<str>>,
    fide_ids: Vec<u32>,
}

impl Player {
    /// Returns the main name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the further names, in the order of the names file.
    pub fn further_names(&self) -> impl Iterator<Item = &str> {
        self.further.iter().map(|name| &**name)
    }

    /// Returns the FIDE ids, in the order of the names file.
    pub fn fide_ids(&self) -> &[u32] {
        &self.fide_ids
    }

    /// Returns all names, the main name first.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name()).chain(self.further_names())
    }
}

impl Players {
    /// Whether there are no players.
    pub fn is_empty(&self) -> bool {
        self.0.players.is_empty()
    }

    /// Returns the players, in the order of the names file.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Player> {
        self.0.players.iter()
    }

    /// Returns the player with a name and a FIDE id, as the tags of a game have them; None if the names file has
    /// neither of them. The FIDE id decides if the names file has it.
    pub fn find(&self, name: &str, fide_id: Option<&str>) -> Option<&Player> {
        self.get(self.number(name, fide_id.and_then(read_fide_id))?)
    }

    /// Returns the main name of the player with a name and a FIDE id; the name itself if the player is not known.
    pub fn name_of<'n>(&'n self, name: &'n str, fide_id: Option<&str>) -> &'n str {
        self.find(name, fide_id).map_or(name, Player::name)
    }

    /// Returns the main name of the player whose name is in one of the tags White and Black of a game; None if the tag
    /// is another one, or if the player is not known. Values that are not UTF-8 are decoded from `encoding`.
    pub fn name_in_tag(&self, tag: &str, name: &str, tags: &Tags<'_>, encoding: &Fallback) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let fide_id = tags.find_any_case(fide_id_tag(tag)?).map(|tag| tag.value.decode_from(encoding));
        self.find(name, fide_id.as_deref()).map(Player::name)
    }

    #[doc(hidden)]
    pub fn get(&self, number: u32) -> Option<&Player> {
        self.0.players.get(number as usize)
    }

    #[doc(hidden)]
    pub fn number(&self, name: &str, fide_id: Option<u32>) -> Option<u32> {
        if self.is_empty() {
            return None;
        }
        let by_id = fide_id.and_then(|id| self.0.by_fide_id.get(&id));
        by_id.or_else(|| self.0.by_name.get(&*folded(name))).copied()
    }
}

/// Returns the name of the tag with the FIDE id of the player whose name is in this tag. None if no name of a player is
/// in it.
pub(crate) fn fide_id_tag(name_tag: &str) -> Option<&'static str> {
    match () {
        () if name_tag.eq_ignore_ascii_case("White") => Some("WhiteFideId"),
        () if name_tag.eq_ignore_ascii_case("Black") => Some("BlackFideId"),
        () => None,
    }
}

/// Parses a FIDE id. None if it is unknown, which is sometimes written as zero.
#[doc(hidden)]
pub fn read_fide_id(text: &str) -> Option<u32> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|id| is_number && *id > 0)
}
