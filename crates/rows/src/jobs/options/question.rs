//! The options of questions to an index.

use crate::jobs::options::error::OptionError;
use crate::jobs::options::job::unknown;
use crate::jobs::options::named::SetOption;
use crate::jobs::options::words::rules;
use pgn2fen_chess::rules::Rules;
use pgn2fen_spec::{Jobs, names};

/// The options of questions to an index that are set by their names in the [list](pgn2fen_spec::OPTIONS).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuestionOptions {
    rules: Rules,
}

impl QuestionOptions {
    /// Returns the rules of the positions and of the games.
    pub fn rules(&self) -> Rules {
        self.rules
    }
}

impl SetOption for QuestionOptions {
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match name {
            "variant" => self.rules = rules(name, value)?,
            _ => return Err(unknown(name, &names!(Jobs::FIND))),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::QuestionOptions;
    use crate::jobs::options::named::SetOption;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_spec::{Kind, find};

    #[test]
    fn the_list_has_the_names_of_all_rules() {
        let Kind::Words(words) = find("variant").unwrap().kind else { panic!("the option has names of rules") };
        assert_eq!(words, Rules::ALL.map(Rules::name));
        for rules in Rules::ALL {
            let mut options = QuestionOptions::default();
            options.set("variant", rules.name()).unwrap();
            assert_eq!(options.rules(), rules);
        }
        for (name, rules) in [
            ("ATOMIC", Rules::Atomic),
            ("threecheck", Rules::ThreeCheck),
            ("king-of-the-hill", Rules::KingOfTheHill),
            ("standard", Rules::Chess),
            ("Chess960", Rules::Chess),
        ] {
            let mut options = QuestionOptions::default();
            options.set("variant", name).unwrap();
            assert_eq!(options.rules(), rules, "{name}");
        }
        let wrong = QuestionOptions::default().set("variant", "bughouse").unwrap_err().to_string();
        assert!(wrong.contains("bughouse") && wrong.contains("crazyhouse"), "{wrong}");
        assert!(QuestionOptions::default().set("depth", "1").is_err());
    }
}
