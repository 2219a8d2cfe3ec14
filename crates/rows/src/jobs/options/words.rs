//! Values of options that are words or numbers.

use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;
use std::str::FromStr;

use crate::jobs::options::error::OptionError;
use pgn2fen_chess::fen::{CastlingStyle, EpStyle, Fields, VariantStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::{Letters, languages};
use pgn2fen_games::messages::references;
use pgn2fen_games::pgn::annotation::EvalChoice;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::players::{Players, read_text};
use pgn2fen_games::replay::SetupPolicy;
use pgn2fen_games::selection::Start;
use pgn2fen_games::typed::read_position_by;
use pgn2fen_spec::is_option;

/// Returns how a message names an option: with a reference, if it is in the list.
fn named(option: &str) -> String {
    if is_option(option) { references(&[option], "") } else { option.to_owned() }
}

/// Parses the text of an option.
pub fn parsed<T: FromStr<Err: Display>>(option: &str, text: &str) -> Result<T, OptionError> {
    text.parse().map_err(|error: T::Err| {
        let reason = error.to_string();
        OptionError::of_value(format!("{}: {reason}", named(option)), reason)
    })
}

/// Returns the value for a word. The error lists all words.
pub fn choose<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> Result<T, OptionError> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        OptionError::new(format!("{} is '{word}', but must be one of {}", named(option), names.join(", ")))
    })
}

/// Returns the rules of the [name of a game](Rules::game_named): those of chess, or of a variant.
pub fn rules(option: &str, word: &str) -> Result<Rules, OptionError> {
    let rules = match Rules::game_named(word) {
        Some((rules, _)) => rules,
        None => choose(option, word, &Rules::ALL.map(|rules| (rules.name(), rules)))?,
    };
    if !Rules::HAVE_VARIANTS && rules != Rules::Chess {
        return Err(OptionError::new(format!("{} is {word}, but only chess is played here", named(option))));
    }
    Ok(rules)
}

/// Returns whether an option is on.
pub fn is_on(option: &str, word: &str) -> Result<bool, OptionError> {
    choose(option, word, &[("true", true), ("false", false)])
}

/// Returns a whole number.
pub fn number<T: FromStr<Err = ParseIntError>>(option: &str, text: &str) -> Result<T, OptionError> {
    text.parse().map_err(|error: ParseIntError| {
        let is_negative = text.strip_prefix('-').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        match error.kind() {
            IntErrorKind::Empty => not_whole(format!("{} is empty, but must be a whole number", named(option))),
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => out_of_range(option, text),
            _ if is_negative && text.len() > 1 => out_of_range(option, text),
            _ => not_whole(format!("{} is '{text}', but must be a whole number", named(option))),
        }
    })
}

fn not_whole(text: String) -> OptionError {
    OptionError::of_value(text, "not a whole number")
}

fn out_of_range(option: &str, text: &str) -> OptionError {
    OptionError::of_value(format!("{} is {text}, which is out of range", named(option)), "out of range")
}

/// Returns the error for a number that is 0.
pub fn zero(option: &str) -> OptionError {
    OptionError::of_value(format!("{} is 0, but must be 1 or more", named(option)), "not a number of 1 or more")
}

/// Reads a names file.
pub(super) fn names(path: &str) -> Result<Players, OptionError> {
    let text = read_text(Path::new(path)).map_err(|error| OptionError::new(format!("`names`: {path}: {error}")))?;
    Players::read(&text).map_err(|error| OptionError::new(format!("`names`: {path}:{error}")))
}

/// Returns the side to move.
pub fn turn(word: &str) -> Result<Color, OptionError> {
    match word {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        word => Err(OptionError::new(format!("`turn` is '{word}', but must be w or b"))),
    }
}

/// Returns the rule for en passant squares in FENs.
pub fn ep_style(word: &str) -> Result<EpStyle, OptionError> {
    choose("ep", word, &[("always", EpStyle::Always), ("xfen", EpStyle::Xfen), ("legal", EpStyle::Legal)])
}

/// Returns the rule for castling rights in FENs.
pub fn castling_style(word: &str) -> Result<CastlingStyle, OptionError> {
    choose("castling", word, &[("xfen", CastlingStyle::Xfen), ("shredder", CastlingStyle::Shredder)])
}

/// Returns the fields of a FEN.
pub fn fields(number: &str) -> Result<Fields, OptionError> {
    match number {
        "4" => Ok(Fields::Four),
        "6" => Ok(Fields::Six),
        _ => Err(OptionError::new(format!("`fields` is {number}, but must be 4 or 6"))),
    }
}

/// Returns the form of the parts of FENs that only variants have.
pub(super) fn variant_style(word: &str) -> Result<VariantStyle, OptionError> {
    choose("fen_style", word, &VariantStyle::NAMES)
}

/// Returns the condition on the starting position.
pub fn start(word: &str) -> Result<Start, OptionError> {
    let known = [("any", Start::Any), ("standard", Start::Standard), ("nonstandard", Start::Nonstandard)];
    choose("start", word, &known)
}

/// Returns the rule for FEN tags.
pub fn setup(word: &str) -> Result<SetupPolicy, OptionError> {
    choose("setup", word, &SetupPolicy::ALL.map(|policy| (policy.name(), policy)))
}

/// Returns the comments in which evaluations are found.
pub fn evals(word: &str) -> Result<EvalChoice, OptionError> {
    choose("evals", word, &EvalChoice::ALL.map(|choice| (choice.name(), choice)))
}

/// Returns the piece letters of a language.
pub fn letters(language: &str) -> Result<Letters, OptionError> {
    Letters::of(language).ok_or_else(|| {
        let known: Vec<&str> = languages().map(Letters::code).collect();
        OptionError::new(format!("`lang` is '{language}', but must be one of {}", known.join(", ")))
    })
}

/// Returns the encoding with a name, or `None` for `auto`.
pub fn encoding(name: &str) -> Result<Option<Label>, OptionError> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(None);
    }
    Label::find(name).map(Some).ok_or_else(|| {
        let known = "utf-8, latin1, windows-1251, koi8-r, cp866 or gbk";
        OptionError::new(format!("unknown encoding '{name}'; try {known}"))
    })
}

/// Returns the position that a FEN or moves lead to. A position that had to be repaired is an error, because no game
/// has reached it.
pub fn reached(text: &str) -> Result<Position, OptionError> {
    let wrong = |reason: &dyn Display| OptionError::of_value(format!("`reached`: {reason}"), reason.to_string());
    let typed = read_position_by(text, &Letters::ENGLISH, None).map_err(|mistake| wrong(&mistake))?;
    match typed.repair {
        None => Ok(typed.position),
        Some(repair) => Err(wrong(&format!("{repair}; give the position as it was in the game"))),
    }
}

#[cfg(test)]
mod tests {
    use super::{fields, number};
    use pgn2fen_chess::fen::Fields;

    #[test]
    fn a_fen_has_four_or_six_fields() {
        assert_eq!((fields("4"), fields("6")), (Ok(Fields::Four), Ok(Fields::Six)));
        assert_eq!(fields("5").unwrap_err().to_string(), "`fields` is 5, but must be 4 or 6");
    }

    #[test]
    fn a_number_that_cannot_be_read_is_told_with_the_reason() {
        for (text, reason) in [
            ("", "is empty, but must be a whole number"),
            ("-", "is '-', but must be a whole number"),
            ("x", "is 'x', but must be a whole number"),
            ("-1", "is -1, which is out of range"),
            ("300", "is 300, which is out of range"),
        ] {
            assert_eq!(number::<u8>("`max_games`", text).unwrap_err().to_string(), format!("`max_games` {reason}"));
        }
        assert_eq!(number::<u8>("group", "255"), Ok(255));
    }
}
