//! Rust as trees of tokens, as far as the tests of the plan need them. Comments and blanks are passed over.

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a keyword.
    Word(String),
    /// A single mark of punctuation.
    Mark(char),
    /// What stands in brackets, with the opening one.
    Group(char, Vec<Self>),
    /// A text, a character or a lifetime.
    Literal,
}

/// Reads a file.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut rest = text;
    let tokens = group(&mut rest);
    assert_eq!(rest, "", "brackets come in pairs");
    tokens
}

/// The bracket that closes what this one opens.
pub(super) fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        _ => '}',
    }
}

/// Reads up to a closing bracket or the end.
fn group(rest: &mut &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        if matches!(first, ')' | ']' | '}') {
            break;
        }
        if let Some(length) = ignored(rest) {
            *rest = &rest[length..];
        } else if let Some(length) = literal(rest) {
            *rest = &rest[length..];
            tokens.push(Token::Literal);
        } else if matches!(first, '(' | '[' | '{') {
            *rest = &rest[1..];
            let inside = group(rest);
            *rest = rest.strip_prefix(closing(first)).expect("brackets come in pairs");
            tokens.push(Token::Group(first, inside));
        } else if is_word(first) {
            let length = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
            tokens.push(Token::Word(rest[..length].to_owned()));
            *rest = &rest[length..];
        } else {
            tokens.push(Token::Mark(first));
            *rest = &rest[first.len_utf8()..];
        }
    }
    tokens
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// The length of a comment or blanks.
fn ignored(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        let (mut depth, mut at) = (0, 0);
        loop {
            let (step, length) = match &text.as_bytes()[at..] {
                [b'/', b'*', ..] => (1, 2),
                [b'*', b'/', ..] => (-1, 2),
                [_, ..] => (0, 1),
                [] => return Some(at),
            };
            (depth, at) = (depth + step, at + length);
            if depth == 0 {
                return Some(at);
            }
        }
    }
    let blanks = text.len() - text.trim_start().len();
    (blanks > 0).then_some(blanks)
}

/// The length of a text, raw or not, a character or a lifetime.
fn literal(text: &str) -> Option<usize> {
    let prefix = text.find(|char| !matches!(char, 'b' | 'c' | 'r')).filter(|length| *length < 3)?;
    let quoted = &text[prefix..];
    if text[..prefix].contains('r') {
        let hashes = quoted.len() - quoted.trim_start_matches('#').len();
        let inside = quoted[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(prefix + hashes + 1 + inside.find(&end)? + end.len());
    }
    let quote = quoted.chars().next().filter(|char| matches!(char, '"' | '\''))?;
    let inside = &quoted[1..];
    if quote == '\'' && !inside.starts_with('\\') && inside.chars().nth(1) != Some('\'') {
        // A lifetime.
        return Some(prefix + 1 + inside.find(|char| !is_word(char)).unwrap_or(inside.len()));
    }
    let mut chars = inside.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            char if char == quote => return Some(prefix + 1 + at + 1),
            _ => {}
        }
    }
    panic!("a text does not end: {text}");
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    /// The words that are tokens.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let words = tokens(text).into_iter().filter_map(|token| match token {
            Token::Word(word) => Some(word),
            _ => None,
        });
        assert_eq!(words.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn comments_and_texts_have_no_words() {
        check("a // b\nc /* d /* e */ f */ g", "a c g");
        check(r#"a "b \\" c "d \" e" f "#, "a c f");
        check(r###"a r"b\" c r#"d " e"# f br##"g "# h"## i"###, "a c f i");
        check(r"a '\'' b '{' c b'\\' d 'e' f 'é' g", "a b c d f g");
        check("fn f<'a>(b: &'a c) where 'static: d", "fn f where d");
        check("broken crate r bc", "broken crate r bc");
    }
}
