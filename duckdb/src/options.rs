//! Arguments as options of jobs.

use pgn2fen_rows::options::SetOption;
use pgn2fen_spec::{Dialect, find};

use crate::door::Argument;

/// Sets an option to an argument. A list is several values, or names of columns.
///
/// # Errors
///
/// There is no such option, or the value is wrong.
pub(crate) fn set(options: &mut impl SetOption, name: &str, argument: &Argument) -> Result<(), String> {
    match argument {
        Argument::Null => Ok(()),
        Argument::One(value) => options.set(name, value).map_err(|error| spelled(&error)),
        Argument::Many(values) if name == "columns" => {
            options.set(name, &values.join(",")).map_err(|error| spelled(&error))
        }
        Argument::Many(values) if find(name).is_some_and(|entry| entry.is_repeated) => {
            values.iter().try_for_each(|value| options.set(name, value)).map_err(|error| spelled(&error))
        }
        Argument::Many(_) => Err(format!("{name} has one value, and not a list")),
    }
}

/// Returns the value of an option of the extension.
pub(crate) fn one<'a>(name: &str, argument: &'a Argument) -> Result<&'a str, String> {
    match argument {
        Argument::One(value) => Ok(value),
        _ => Err(format!("{name} has one value, and not a list")),
    }
}

/// Returns a number.
pub(crate) fn number<N: std::str::FromStr>(name: &str, argument: &Argument) -> Result<N, String> {
    let value = one(name, argument)?;
    value.parse().map_err(|_| format!("{name} is '{value}', but must be a whole number from 0"))
}

/// Returns whether an option is on.
pub(crate) fn is_on(name: &str, argument: &Argument) -> Result<bool, String> {
    match one(name, argument)? {
        "true" => Ok(true),
        "false" => Ok(false),
        value => Err(format!("{name} is '{value}', but must be one of true, false")),
    }
}

/// How messages name options.
pub(crate) const DIALECT: Dialect = Dialect::Sql;

/// Returns a message with options as they are written in SQL.
pub(crate) fn spelled(message: &impl ToString) -> String {
    DIALECT.spell(&message.to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use pgn2fen_rows::options::JobOptions;

    use super::set;
    use crate::door::Argument;

    #[track_caller]
    fn check(name: &str, values: &[&str], expected: Option<&str>) {
        let values = values.iter().map(ToString::to_string).collect();
        let error = set(&mut JobOptions::new(), name, &Argument::Many(values)).err();
        assert_eq!(error.as_deref(), expected);
    }

    #[test]
    fn lists_are_several_values_or_columns() {
        check("columns", &["game", "White"], None);
        check("tags", &["White=A", "Black=B"], None);
        check(
            "tags",
            &["White=A", "Black"],
            Some("tags: an operator is missing: = != < <= > >= ~ (contains) or !~\n    Black\n         ^"),
        );
        check("plies", &["1", "2"], Some("plies has one value, and not a list"));
    }
}
