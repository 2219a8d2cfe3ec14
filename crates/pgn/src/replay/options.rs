//! Options for the replay of games.

use crate::annotation::EvalChoice;
use crate::encoding::Label;
use pgn2fen_chess::san::Letters;

/// The rule by which a FEN tag counts or does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SetupPolicy {
    /// The FEN is used, whatever the SetUp tag holds.
    #[default]
    Auto,
    /// The FEN is used only with `[SetUp "1"]`, and must follow the standard (PGN standard §9.7).
    Strict,
    /// The FEN is not used. Every game starts from the initial position.
    Ignore,
}

impl SetupPolicy {
    /// All rules.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Strict, Self::Ignore];

    /// Returns the name of the rule: `auto`, `strict` or `ignore`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Strict => "strict",
            Self::Ignore => "ignore",
        }
    }

    /// Returns the rule with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

/// Whether games of the variants of chess are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariantPolicy {
    /// Only chess and Chess960 are played. Games of variants are errors.
    Refuse,
    /// The variants that [`Rules`](pgn2fen_chess::rules::Rules) lists are played. Games of others are errors. Without
    /// the feature `variants`, all are.
    #[default]
    Play,
}

/// Options for the replay of games.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReplayOptions {
    /// The rule for FEN tags.
    pub setup: SetupPolicy,
    /// Whether games of variants are played.
    pub variants: VariantPolicy,
    /// The language of the piece letters.
    pub letters: Letters,
    /// The encoding of piece letters that are not UTF-8. Without one, bytes that are not UTF-8 are not read as piece
    /// letters.
    pub encoding: Option<Label>,
    /// The comments in which evaluations are found.
    pub evals: EvalChoice,
    /// Whether to keep only the first warning of each kind and reason in a game. Otherwise the first 10,000 are kept,
    /// and further ones are counted by kind and reason: see
    /// [`Diagnostic::others`](crate::diagnostic::Diagnostic::others).
    pub first_warnings_only: bool,
}

#[cfg(test)]
mod tests {
    use super::SetupPolicy;

    #[test]
    fn a_rule_is_found_by_its_name() {
        for policy in SetupPolicy::ALL {
            assert_eq!(SetupPolicy::named(policy.name()), Some(policy));
        }
        assert_eq!(SetupPolicy::ALL.map(SetupPolicy::name), ["auto", "strict", "ignore"]);
        assert_eq!(SetupPolicy::named("Auto"), None);
    }
}
