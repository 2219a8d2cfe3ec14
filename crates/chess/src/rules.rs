//! The rules by which a game is played: those of chess, or of a variant of chess.

use std::borrow::Cow;
use std::fmt;

use crate::castling::CastlingRules;

/// The rules of a game. Chess960 has the rules of chess: its castling rights tell the rooks.
///
/// A [`Position`](crate::position::Position) carries its rules, and answers by them: its legal moves, its checks, the
/// end of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Rules {
    /// Chess and Chess960.
    #[default]
    Chess,
    /// Captured men change sides, and can be dropped on the board in place of a move.
    Crazyhouse,
    /// The third check wins.
    ThreeCheck,
    /// A king in the centre wins.
    KingOfTheHill,
    /// Captures are compulsory, and the side without men or moves wins. There is no castling.
    Antichess,
    /// Antichess with castling.
    Giveaway,
    /// Antichess in which a side without moves wins only if it has fewer men than the other.
    Suicide,
    /// A capture removes the men around it, and who explodes the other king wins.
    Atomic,
    /// White has pawns in place of a king, and loses with the last of its men.
    Horde,
    /// The first king on the eighth rank wins. No move gives check.
    RacingKings,
}

impl Rules {
    /// Whether variants can be played: the feature `variants` is on.
    pub const HAVE_VARIANTS: bool = cfg!(feature = "variants");

    /// All rules, beginning with those of chess.
    pub const ALL: [Self; 10] = [
        Self::Chess,
        Self::Crazyhouse,
        Self::ThreeCheck,
        Self::KingOfTheHill,
        Self::Antichess,
        Self::Giveaway,
        Self::Suicide,
        Self::Atomic,
        Self::Horde,
        Self::RacingKings,
    ];

    /// Returns the short name of the rules, which Lichess uses in its files: `crazyhouse`, `threeCheck`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chess => "chess",
            Self::Crazyhouse => "crazyhouse",
            Self::ThreeCheck => "threeCheck",
            Self::KingOfTheHill => "kingOfTheHill",
            Self::Antichess => "antichess",
            Self::Giveaway => "giveaway",
            Self::Suicide => "suicide",
            Self::Atomic => "atomic",
            Self::Horde => "horde",
            Self::RacingKings => "racingKings",
        }
    }

    /// Returns the name of a game of these rules, as Lichess has it: [`name`](Self::name), but `standard` or `chess960`
    /// for a game of chess.
    pub fn game_name(self, castling: CastlingRules) -> &'static str {
        match (self, castling) {
            (Self::Chess, CastlingRules::Standard) => "standard",
            (Self::Chess, CastlingRules::Chess960) => "chess960",
            _ => self.name(),
        }
    }

    /// Returns the value of the tag Variant of a game with these rules, as Lichess writes it: `King of the Hill`, and
    /// `Standard` for chess.
    pub fn tag_value(self) -> &'static str {
        match self {
            Self::Chess => "Standard",
            Self::Crazyhouse => "Crazyhouse",
            Self::ThreeCheck => "Three-check",
            Self::KingOfTheHill => "King of the Hill",
            Self::Antichess => "Antichess",
            Self::Giveaway => "Giveaway",
            Self::Suicide => "Suicide",
            Self::Atomic => "Atomic",
            Self::Horde => "Horde",
            Self::RacingKings => "Racing Kings",
        }
    }

    /// Returns the value of the tag Variant of a game with these rules and these of castling: `Atomic`, `Atomic 960`,
    /// and for chess `Standard` or `Chess960`.
    pub fn game_tag_value(self, castling: CastlingRules) -> Cow<'static, str> {
        match (self, castling) {
            (_, CastlingRules::Standard) => self.tag_value().into(),
            (Self::Chess, CastlingRules::Chess960) => "Chess960".into(),
            (_, CastlingRules::Chess960) => format!("{} 960", self.tag_value()).into(),
        }
    }

    /// Returns the name of a variant for people, which is its [`tag_value`](Self::tag_value). None for chess.
    pub fn variant_title(self) -> Option<&'static str> {
        (self != Self::Chess).then(|| self.tag_value())
    }

    /// Returns the rules with this [name](Self::name), in upper or lower case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name().eq_ignore_ascii_case(name))
    }

    /// Reads the [name of a game](Self::game_name), and returns its rules and how it castles. Upper and lower case are
    /// equal, and blanks, `-` and `_` do not count: `king of the hill`, `three-check`. `chess` is `standard`.
    ///
    /// ```
    /// use pgn2fen_chess::castling::CastlingRules;
    /// use pgn2fen_chess::rules::Rules;
    ///
    /// assert_eq!(Rules::game_named("Three-check"), Some((Rules::ThreeCheck, CastlingRules::Standard)));
    /// assert_eq!(Rules::game_named("chess960"), Some((Rules::Chess, CastlingRules::Chess960)));
    /// assert_eq!(Rules::game_named("bughouse"), None);
    /// ```
    pub fn game_named(name: &str) -> Option<(Self, CastlingRules)> {
        let mut word = name.to_ascii_lowercase();
        word.retain(|char| !matches!(char, ' ' | '-' | '_'));
        match &*word {
            "standard" => Some((Self::Chess, CastlingRules::Standard)),
            "chess960" => Some((Self::Chess, CastlingRules::Chess960)),
            _ => Self::named(&word).map(|rules| (rules, CastlingRules::Standard)),
        }
    }

    /// Returns the names of all games that can be played, for messages: `standard, chess960, crazyhouse, …`.
    pub fn game_names() -> String {
        let played = if Self::HAVE_VARIANTS { &Self::ALL[1..] } else { &[] };
        let names = ["standard", "chess960"].into_iter().chain(played.iter().map(|rules| rules.name()));
        names.collect::<Vec<_>>().join(", ")
    }

    /// Whether captured men are kept in hand and can be dropped.
    #[inline]
    pub fn have_hands(self) -> bool {
        self == Self::Crazyhouse
    }

    /// Whether FENs have more than those of chess: men in hand, or checks.
    #[inline]
    pub(crate) fn have_fen_of_their_own(self) -> bool {
        self.have_hands() || self.count_checks()
    }

    /// Whether checks are counted.
    #[inline]
    pub fn count_checks(self) -> bool {
        self == Self::ThreeCheck
    }
}

/// Writes the name of the game in words, as in `king of the hill`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ThreeCheck => "three-check",
            Self::KingOfTheHill => "king of the hill",
            Self::RacingKings => "racing kings",
            other => other.name(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;
    use crate::castling::CastlingRules;

    #[test]
    fn every_name_is_read_in_any_case() {
        for rules in Rules::ALL {
            assert_eq!(Rules::named(&rules.name().to_uppercase()), Some(rules));
        }
        assert_eq!(Rules::named("bughouse"), None);
    }

    #[test]
    fn a_variant_has_a_title_and_chess_has_none() {
        assert_eq!(Rules::Chess.variant_title(), None);
        assert_eq!(Rules::KingOfTheHill.variant_title(), Some("King of the Hill"));
        assert_eq!(Rules::KingOfTheHill.to_string(), "king of the hill");
    }

    #[test]
    fn every_game_is_read_by_its_name_and_by_its_words() {
        for rules in Rules::ALL {
            let game = Some((rules, CastlingRules::Standard));
            assert_eq!(Rules::game_named(rules.game_name(CastlingRules::Standard)), game);
            assert_eq!(Rules::game_named(&rules.to_string()), game);
        }
        for name in Rules::game_names().split(", ") {
            assert!(Rules::game_named(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_game_has_its_rules_and_its_castling_in_its_tag() {
        use CastlingRules::{Chess960, Standard};
        for (rules, castling, name, tag) in [
            (Rules::Chess, Standard, "standard", "Standard"),
            (Rules::Chess, Chess960, "chess960", "Chess960"),
            (Rules::Atomic, Standard, "atomic", "Atomic"),
            (Rules::Atomic, Chess960, "atomic", "Atomic 960"),
            (Rules::KingOfTheHill, Standard, "kingOfTheHill", "King of the Hill"),
            (Rules::RacingKings, Chess960, "racingKings", "Racing Kings 960"),
        ] {
            assert_eq!(rules.game_name(castling), name);
            assert_eq!(rules.game_tag_value(castling), tag);
        }
    }

    #[test]
    fn men_in_hand_and_checks_are_more_than_a_fen_of_chess_has() {
        for rules in Rules::ALL {
            assert_eq!(rules.have_hands(), rules == Rules::Crazyhouse);
            assert_eq!(rules.count_checks(), rules == Rules::ThreeCheck);
            let has_more = matches!(rules, Rules::Crazyhouse | Rules::ThreeCheck);
            assert_eq!(rules.have_fen_of_their_own(), has_more, "{rules}");
        }
    }
}
