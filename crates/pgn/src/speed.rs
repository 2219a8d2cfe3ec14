//! Speeds of games, such as blitz, by their time control.

use std::fmt::{self, Display, Formatter};

use crate::time_control::TimeControl;

/// The speed of a game, as Lichess names it. Speeds are ordered from the fastest to the slowest.
///
/// It follows from the [time that a game is expected to take](https://lichess.org/faq#time-controls) for one player:
/// the base time and 40 times the increment, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Speed {
    /// Less than 30 seconds.
    UltraBullet,
    /// Less than 3 minutes.
    Bullet,
    /// Less than 8 minutes.
    Blitz,
    /// Less than 25 minutes.
    Rapid,
    /// Less than 6 hours.
    Classical,
    /// 6 hours or more, or no clock (`-`).
    Correspondence,
}

/// The time in seconds from which on a game has the next speed.
const LIMITS: [f64; 5] = [30.0, 180.0, 480.0, 1500.0, 21_600.0];

impl Speed {
    /// All speeds, from the fastest to the slowest.
    pub const ALL: [Self; 6] =
        [Self::UltraBullet, Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical, Self::Correspondence];

    /// Returns the speed of a game with this value of the tag TimeControl (PGN standard §9.6.1). None if the value is
    /// unknown.
    ///
    /// Of a time control with numbers of moves, the time for 40 moves counts: two hours for `40/7200:3600`, and 40 days
    /// for `1/86400`.
    ///
    /// ```
    /// use pgn2fen_pgn::speed::Speed;
    ///
    /// assert_eq!(Speed::of("180+2"), Some(Speed::Blitz));
    /// assert_eq!(Speed::of("-"), Some(Speed::Correspondence));
    /// assert_eq!(Speed::of("?"), None);
    /// ```
    pub fn of(time_control: &str) -> Option<Self> {
        if time_control.trim() == "-" {
            return Some(Self::Correspondence);
        }
        let seconds = TimeControl::of_40_moves(time_control)?;
        Self::ALL.get(LIMITS.partition_point(|limit| *limit <= seconds)).copied()
    }

    /// Returns the name of the speed: `ultraBullet`, `bullet`, `blitz`, `rapid`, `classical` or `correspondence`.
    pub fn name(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultraBullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
            Self::Correspondence => "correspondence",
        }
    }

    /// Returns the speed with this name, in any capitals.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|speed| speed.name().eq_ignore_ascii_case(name))
    }
}

impl Display for Speed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Speed;

    #[test]
    fn a_speed_begins_where_the_one_before_it_ends() {
        for (controls, speed) in [
            (&["0", "15", "29", "0+0.5", "15+0"][..], Some(Speed::UltraBullet)),
            (&["30", "60", "0+1", "179", "120+1", " 60+0 "], Some(Speed::Bullet)),
            (&["180", "180+2", "300", "0+5", "300+3", "479", "*180"], Some(Speed::Blitz)),
            (&["480", "300+5", "600", "900+10", "1499"], Some(Speed::Rapid)),
            (
                &["1500", "1800", "5400+30", "40/7200:3600", "40/5400:1800+30", "21599", "40/9000"],
                Some(Speed::Classical),
            ),
            (&["-", " - ", "21600", "1/259200", "1/86400", "10/2592000"], Some(Speed::Correspondence)),
            (&["", "?", "blitz", "3 min", "180+", "-5", "nan"], None),
        ] {
            for control in controls {
                assert_eq!(Speed::of(control), speed, "{control}");
            }
        }
    }

    #[test]
    fn a_speed_is_known_by_its_name() {
        for speed in Speed::ALL {
            assert_eq!(Speed::named(speed.name()), Some(speed));
            assert_eq!(Speed::named(&speed.to_string().to_uppercase()), Some(speed));
        }
        assert_eq!(Speed::named("fast"), None);
    }
}
