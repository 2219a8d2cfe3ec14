//! Rules by which games are split into parts.

use std::str::FromStr;

use crate::clean;
use pgn2fen_games::selection::{Identity, ParseError, mixed};

/// A rule by which games are split into parts, each of which is written to a file of its own.
///
/// It is parsed from the number of games in each part (`1000`), the greatest size of a part (`100MB`, `64MiB`), or the
/// names of parts with their shares of the games (`train=0.9,test=0.1`), or `study`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Split {
    /// Parts with this number of games. The last one may have fewer.
    Games(u64),
    /// Parts of at most this number of bytes, before compression. A longer game has a part of its own.
    Bytes(u64),
    /// Parts with these shares of the games.
    Shares(Shares),
    /// Parts that a Lichess study takes: at most 64 chapters each. Games are written anew, as by
    /// [`Copies::export`](crate::jobs::games::Copies::export). A game that is too large for a chapter is divided
    /// into several by [`append_chapters`](pgn2fen_games::export::append_chapters).
    Study,
}

/// Names of parts, each with its share of the games.
///
/// The part of a game depends only on the seed and the identity of the game, which is a hash of its starting position
/// and its moves. So equal games go to the same part, and so does a game that is found in another file or another run.
/// A game without moves, or with an error in its moves, is identified by its place instead. Each game is assigned
/// independently of all others, so the sizes of the parts are about those shares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// The names, each with the sum of the shares up to it, times 2⁶⁴.
    parts: Vec<(String, u128)>,
    seed: u64,
}

impl Shares {
    /// Sets the seed. Different seeds give different parts. The default is 0.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Returns the names of the parts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|(name, _)| &**name)
    }

    /// Returns the name of the part of a game.
    pub(super) fn part(&self, identity: Identity) -> &str {
        self.parts.get(usize::from(self.number(identity))).map_or("", |(name, _)| name)
    }

    /// Returns the number of the part of a game, from 0.
    pub(crate) fn number(&self, identity: Identity) -> u16 {
        let number = u128::from(mixed(self.seed, &identity.halves()));
        let part = self.parts.iter().position(|(_, end)| number < *end).unwrap_or(self.parts.len() - 1);
        // There are at most `MOST_SHARES` parts.
        u16::try_from(part).unwrap_or(0)
    }
}

/// The greatest number of parts with shares. Their files are open at the same time.
const MOST_SHARES: usize = 100;

impl FromStr for Split {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        if text == "study" {
            return Ok(Self::Study);
        }
        if text.contains('=') {
            return read_shares(text).map(Self::Shares);
        }
        let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
        let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
            "" => None,
            "b" => Some(1),
            "kb" => Some(1000),
            "mb" | "m" => Some(1_000_000),
            "gb" | "g" => Some(1_000_000_000),
            "kib" => Some(1 << 10),
            "mib" => Some(1 << 20),
            "gib" => Some(1 << 30),
            _ => Some(0),
        };
        let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit.unwrap_or(1)));
        match (number, unit) {
            (None | Some(0), _) => {
                let reason = "write a number of games, such as 1000, a size, such as 100MB, shares, such as \
                    train=0.9,test=0.1, or study";
                Err(ParseError::new(text, 0..text.len(), reason))
            }
            (Some(games), None) => Ok(Self::Games(games)),
            (Some(bytes), Some(_)) => Ok(Self::Bytes(bytes)),
        }
    }
}

fn read_shares(text: &str) -> Result<Shares, ParseError> {
    const WHOLE: f64 = 18_446_744_073_709_551_616.0;
    let mut parts: Vec<(String, u128)> = Vec::new();
    let mut sum = 0.0;
    let mut start = 0;
    for part in text.split(',') {
        let range = start..start + part.len();
        start = range.end + 1;
        let wrong = |reason: &str| ParseError::new(text, range.clone(), reason);
        let (name, share) = part.split_once('=').ok_or_else(|| wrong("a share is missing, as in train=0.9"))?;
        let (name, share) = (name.trim(), share.trim());
        let share = match share.strip_suffix('%') {
            Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
            None => share.parse(),
        };
        let share = share.ok().filter(|share| *share > 0.0 && *share <= 1.0);
        let share = share.ok_or_else(|| wrong("a share is a number greater than 0 and at most 1, or a percentage"))?;
        // A part is a file.
        let file = |name: &str| clean(name).to_lowercase();
        if name.is_empty() || parts.iter().any(|(other, _)| file(other) == file(name)) {
            return Err(wrong("each part needs a name of its own, also as a file"));
        }
        sum += share;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between 0 and 2⁷¹")]
        parts.push((name.to_owned(), (sum * WHOLE) as u128));
    }
    if (sum - 1.0).abs() > 1e-6 {
        let sum = (sum * 1e6).round() / 1e6;
        return Err(ParseError::new(text, 0..text.len(), format!("the shares add up to {sum}, not to 1")));
    }
    if parts.len() > MOST_SHARES {
        return Err(ParseError::new(text, 0..text.len(), format!("there are more than {MOST_SHARES} parts")));
    }
    Ok(Shares { parts, seed: 0 })
}

#[cfg(test)]
mod tests {
    use super::{Shares, Split};
    use pgn2fen_games::selection::Identity;

    #[test]
    fn a_split_is_a_number_a_size_or_shares() {
        assert_eq!("1000".parse(), Ok(Split::Games(1000)));
        assert_eq!("100MB".parse(), Ok(Split::Bytes(100_000_000)));
        assert_eq!("64mib".parse(), Ok(Split::Bytes(64 << 20)));
        for (unit, bytes) in [("b", 1), ("kB", 1000), ("m", 1_000_000), ("GB", 1_000_000_000)] {
            assert_eq!(format!("3{unit}").parse(), Ok(Split::Bytes(3 * bytes)), "{unit}");
        }
        assert_eq!("3g".parse(), Ok(Split::Bytes(3_000_000_000)));
        assert_eq!(["3KiB", "3gib"].map(str::parse), [Ok(Split::Bytes(3 << 10)), Ok(Split::Bytes(3 << 30))]);
        assert_eq!("study".parse(), Ok(Split::Study));
        assert!(matches!("train=90%, test=0.1".parse(), Ok(Split::Shares(_))));
        for (text, reason) in [
            ("", "write a number of games"),
            ("0", "write a number of games"),
            // Thousands of games, or of bytes.
            ("3k", "write a number of games"),
            ("-5", "write a number of games"),
            ("10X", "write a number of games"),
            ("99999999999GB", "write a number of games"),
            ("train=0.8,test=0.1", "the shares add up to 0.9, not to 1"),
            ("train=0.9,test", "a share is missing"),
            ("train=nan,test=0.1", "a share is a number"),
            ("a=0.5,A=0.5", "each part needs a name"),
            ("=1", "each part needs a name"),
        ] {
            let message = text.parse::<Split>().unwrap_err().to_string();
            assert!(message.starts_with(reason), "{text}: {message}");
        }
    }

    #[test]
    fn parts_have_about_their_shares() {
        let Ok(Split::Shares(shares)) = "a=0.7,b=0.2,c=0.1".parse() else { panic!("these are shares") };
        for shares in [shares.clone(), shares.seed(9)] {
            let mut counts = [0; 3];
            for game in 0..10_000 {
                let part = shares.part(Identity::of_place(0, game));
                counts[usize::from(part.as_bytes()[0] - b'a')] += 1;
            }
            for (count, expected) in counts.into_iter().zip([7000_i32, 2000, 1000]) {
                assert!((count - expected).abs() < 200, "{counts:?}");
            }
        }
    }

    #[test]
    fn what_is_wrong_with_a_share_is_marked() {
        for (text, marks) in
            [("a=0.5,b=2", "      ^^^"), ("a=0.5,b", "      ^"), ("a=0.5, A=0.5", "      ^^^^^^"), ("a=0,b=1", "^^^")]
        {
            let error = text.parse::<Split>().unwrap_err().to_string();
            let lines: Vec<&str> = error.lines().skip(1).collect();
            assert_eq!(lines, [format!("    {text}"), format!("    {marks}")]);
        }
        let parts = |count: usize| {
            let shares: Vec<String> = (0..count).map(|nth| format!("p{nth}={}", 1.0 / count as f64)).collect();
            shares.join(",").parse::<Split>().map_err(|error| error.to_string())
        };
        let of_files = "a/b=0.5,A_b=0.5".parse::<Split>().unwrap_err().to_string();
        assert!(of_files.starts_with("each part needs a name of its own, also as a file"), "{of_files}");
        assert!(parts(100).is_ok());
        assert!(parts(101).unwrap_err().starts_with("there are more than 100 parts"));
    }

    #[test]
    fn the_last_part_takes_what_rounding_left() {
        let identities = || (0..2000).map(|game| Identity::of_place(1, game));
        let number = |text: &str| {
            let Ok(Split::Shares(shares)) = text.parse() else { panic!("these are shares") };
            identities().map(|identity| shares.number(identity)).collect::<Vec<_>>()
        };
        assert!(number("all=1").iter().all(|number| *number == 0));
        let few = Shares { parts: vec![("a".to_owned(), 1), ("b".to_owned(), 2)], seed: 0 };
        assert!(identities().all(|identity| few.number(identity) == 1));
        // Other seeds make other parts.
        let Ok(Split::Shares(shares)) = "a=0.5,b=0.5".parse() else { panic!("these are shares") };
        let of_seed = |seed: u64| {
            let shares = shares.clone().seed(seed);
            identities().map(|identity| shares.part(identity).to_owned()).collect::<Vec<_>>()
        };
        assert!(of_seed(0) != of_seed(1));
        assert_eq!(shares.names().collect::<Vec<_>>(), ["a", "b"]);
    }
}
