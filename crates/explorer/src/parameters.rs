//! The parameters of a query: `fen=…&play=…`.

use crate::refusal::Refusal;

/// The parameters of a request, decoded, in the order of the query. Parameters with an empty value are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters(Vec<(String, String)>);

impl Parameters {
    /// Parses the part of an address behind the question mark.
    ///
    /// # Errors
    ///
    /// Refuses escapes that are not a percent sign with two hexadecimal digits, and text that is not UTF-8.
    pub(super) fn parse(query: &str) -> Result<Self, Refusal> {
        let mut parameters = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            if !value.is_empty() {
                parameters.push((name, value));
            }
        }
        Ok(Self(parameters))
    }

    /// Returns the value of a parameter; None if it is missing or empty.
    ///
    /// # Errors
    ///
    /// Refuses a parameter that is given twice.
    pub(super) fn one(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values = self.all(name);
        let value = values.next();
        match values.next() {
            Some(_) => Err(Refusal::senseless(format!("{name}: given twice"))),
            None => Ok(value),
        }
    }

    /// Returns all values of a parameter.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| &**value)
    }

    /// Returns a number; None if the parameter is missing or empty.
    ///
    /// # Errors
    ///
    /// Refuses a value that is not a number from 0 to 4,294,967,295.
    pub(super) fn number(&self, name: &str) -> Result<Option<u32>, Refusal> {
        let parse = |text: &str| {
            let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
            number.ok_or_else(|| Refusal::senseless(format!("{name}: not a number: {text}")))
        };
        self.one(name)?.map(parse).transpose()
    }
}

/// Decodes percent escapes, and plus signs as blanks.
fn decode(text: &str) -> Result<String, Refusal> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        bytes.push(match first {
            b'+' => b' ',
            b'%' => {
                let escape = behind.split_first_chunk::<2>();
                let byte = escape.and_then(|(digits, _)| Some(hex(digits[0])? << 4 | hex(digits[1])?));
                rest = behind.get(2..).unwrap_or_default();
                byte.ok_or_else(|| {
                    Refusal::senseless("the query has a % that is not followed by two hexadecimal digits")
                })?
            }
            other => *other,
        });
    }
    String::from_utf8(bytes).map_err(|_| Refusal::senseless("the query is not UTF-8"))
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    #[track_caller]
    fn check(query: &str, expected: &[(&str, &str)]) {
        let expected = expected.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        assert_eq!(Parameters::parse(query), Ok(Parameters(expected)), "{query}");
    }

    #[test]
    fn a_query_is_a_list_of_names_and_values() {
        check("", &[]);
        check("fen=a+b%20c&play=e2e4,e7e5", &[("fen", "a b c"), ("play", "e2e4,e7e5")]);
        check("tags=White%7Ecarlsen&&tags=x%3d%C3%A9", &[("tags", "White~carlsen"), ("tags", "x=é")]);
        check("a&b=&=c&d=e=f", &[("", "c"), ("d", "e=f")]);
    }

    #[track_caller]
    fn check_refused(query: &str, reason: &str) {
        let refused = Parameters::parse(query).and_then(|parameters| parameters.number("n").map(drop)).unwrap_err();
        assert_eq!(refused.status, 400);
        assert!(refused.line.contains(reason), "{query}: {}", refused.line);
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for query in ["n=%", "n=%4", "n=%zz", "n=%+1", "%x=1", "n=%é"] {
            check_refused(query, "two hexadecimal digits");
        }
        check_refused("n=%ff%fe", "not UTF-8");
        check_refused("n=1&n=2", "n: given twice");
        for query in ["n=x", "n=-1", "n=%2b1", "n=4294967296", "n=1.5"] {
            check_refused(query, "n: not a number");
        }
        assert_eq!(Parameters::parse("n=012").unwrap().number("n"), Ok(Some(12)));
    }
}
