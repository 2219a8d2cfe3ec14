//! The players of the names in games, and who may be the same.

use std::io::{self, Write};

use crate::players::guesses::guess;
use crate::players::listed::{ListedName, ListedPlayer, Sameness};
use crate::players::name_count::NameCount;
use crate::players::same::listed;
use pgn2fen_filters::players::Players;
use pgn2fen_filters::players::written;

/// The players of the names in games. It is made by [`PlayerSurvey::list`](crate::players::PlayerSurvey::list).
///
/// Names are of one player if a names file says so, if they have the same FIDE id, or if they are the same when they
/// are [folded](crate::players::folded). Two players may have the same name and different FIDE ids. Then games without
/// an id are those of the player with more games, and the other player is called `Wang, Li (8600000)`, after the id.
///
/// Names that may be of one player are [guesses](ListedPlayer::guesses): they differ in the order of their parts, in
/// initials or other short first names, in further first names or in single letters, and no other player fits as well.
/// Players with different FIDE ids, and players between whose games there are more than 50 years, are never guessed to
/// be the same. The time for the list grows with the number of names, not with that of pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerList {
    players: Vec<ListedPlayer>,
}

impl PlayerList {
    /// Returns the players, those with the most games first. The games of [guesses](ListedPlayer::guesses) do not
    /// count.
    pub fn players(&self) -> &[ListedPlayer] {
        &self.players
    }

    /// Returns the list of the players with several names or guesses.
    #[must_use]
    pub fn with_several_names(self) -> Self {
        let has_several =
            |player: &ListedPlayer| player.names.len() > 1 || !player.guesses.is_empty() || !player.related.is_empty();
        Self { players: self.players.into_iter().filter(has_several).collect() }
    }

    /// Returns the list of the players with at least so many games, those of guesses included.
    #[must_use]
    pub fn with_games(self, least: u64) -> Self {
        let games =
            |player: &ListedPlayer| player.games() + player.guesses.iter().map(|name| name.count.games()).sum::<u64>();
        Self { players: self.players.into_iter().filter(|player| games(player) >= least).collect() }
    }

    /// Writes the list as a [names file](crate::players#the-names-file). Comments behind the names have their games.
    /// Guesses are comments that begin with `#?`, without which they are names of the player.
    ///
    /// # Errors
    ///
    /// Fails if `out` does.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for player in &self.players {
            player.write(out)?;
        }
        Ok(())
    }
}

impl ListedPlayer {
    /// Returns the main name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names, the main name first, and then those with the most games. A name that is
    /// [known](Sameness::Known) may have no games.
    pub fn names(&self) -> &[ListedName] {
        &self.names
    }

    /// Returns the names that may be of this player, those with the most games first. No other player in the list has
    /// them.
    pub fn guesses(&self) -> &[ListedName] {
        &self.guesses
    }

    /// Returns the main names of other players in the list who may be this player.
    pub fn related(&self) -> impl Iterator<Item = &str> {
        self.related.iter().map(|name| &**name)
    }

    /// Returns the FIDE ids, in ascending order.
    pub fn fide_ids(&self) -> &[u32] {
        &self.fide_ids
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.names.iter().map(|name| name.count.games()).sum()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for name in &self.names {
            match name.sameness {
                Sameness::Main => line(out, "", &name.count.name, &in_words(&name.count))?,
                // Such a name is found by its FIDE id.
                Sameness::Namesake => line(out, "  # ", &name.count.name, &in_words(&name.count))?,
                _ => line(out, "  ", &name.count.name, &in_words(&name.count))?,
            }
        }
        for id in &self.fide_ids {
            writeln!(out, "  FIDE {id}")?;
        }
        for name in &self.guesses {
            let words = format!("{}: {}", name.sameness.name(), in_words(&name.count));
            line(out, "#?  ", &name.count.name, &words)?;
            for id in &name.fide_ids {
                writeln!(out, "#?  FIDE {id}")?;
            }
        }
        for name in &self.related {
            writeln!(out, "  # perhaps {}, who is listed, too", written(name))?;
        }
        Ok(())
    }
}

/// Writes a line with a name and a comment.
fn line(out: &mut impl Write, before: &str, name: &str, comment: &str) -> io::Result<()> {
    let name = written(name);
    let width = 40usize.saturating_sub(before.len());
    writeln!(out, "{before}{name:<width$} # {comment}")
}

/// Returns the games with a name in words.
fn in_words(count: &NameCount) -> String {
    let range = |(first, last): (u16, u16)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let NameCount { white, black, .. } = count;
    let mut words = match count.games() {
        0 => return "no games".to_owned(),
        1 => format!("1 game, {}", if *white > 0 { "White" } else { "Black" }),
        games => format!("{games} games, {white} White, {black} Black"),
    };
    if let Some(years) = count.years {
        words += &format!(", {}", range(years));
    }
    if let Some(ratings) = count.ratings {
        words += &format!(", Elo {}", range(ratings));
    }
    words
}

impl PlayerList {
    /// Makes the list of these names, which are sorted, and each of which occurs once with each FIDE id.
    pub(crate) fn new(names: &[NameCount], known: &Players) -> Self {
        let mut players = guess(listed(names, known));
        players.sort_by(|a, b| b.games().cmp(&a.games()).then_with(|| a.name.cmp(&b.name)));
        Self { players }
    }
}
