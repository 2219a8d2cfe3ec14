//! Patterns for names of files.

/// A pattern for names and addresses of files, in which `**` stands for any characters, `*` for any but slashes, and
/// `?` for one that is no slash.
///
/// ```
/// use pgn2fen_files::Pattern;
///
/// let pattern = Pattern::new("2024-*.pgn");
/// assert!(pattern.matches("2024-01.pgn"));
/// assert!(!pattern.matches("2024-01/a.pgn"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<char>);

impl Pattern {
    /// Reads a pattern. Each text is one.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.chars().collect())
    }

    /// Whether a name matches. The time grows with the product of both lengths at most.
    pub fn matches(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        // Whether the pattern up to a place matches the name up to each place.
        let mut matches = vec![false; name.len() + 1];
        matches[0] = true;
        let mut at = 0;
        while let Some(char) = self.0.get(at) {
            let is_double = *char == '*' && self.0.get(at + 1) == Some(&'*');
            at += if is_double { 2 } else { 1 };
            let mut next = vec![false; name.len() + 1];
            for end in 0..=name.len() {
                next[end] = match char {
                    '*' => matches[end] || end > 0 && next[end - 1] && (is_double || name[end - 1] != '/'),
                    '?' => end > 0 && matches[end - 1] && name[end - 1] != '/',
                    char => end > 0 && matches[end - 1] && name[end - 1] == *char,
                };
            }
            matches = next;
        }
        matches[name.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[track_caller]
    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(Pattern::new(pattern).matches(name), expected, "{pattern} {name}");
    }

    #[test]
    fn a_star_stops_at_a_slash_and_two_do_not() {
        check("s3://b/2024-*.pgn", "s3://b/2024-01.pgn", true);
        check("s3://b/*.pgn", "s3://b/a/b.pgn", false);
        check("s3://b/**.pgn", "s3://b/a/b.pgn", true);
        check("s3://b/**/*.pgn", "s3://b/a/c/b.pgn", true);
        check("s3://b/?.pgn", "s3://b/é.pgn", true);
        check("s3://b/a?b", "s3://b/a/b", false);
        check("s3://b/*", "s3://b/", true);
        check("s3://b/*a", "s3://b/ab", false);
        let long = "a".repeat(5000);
        check(&format!("{}b", "*a".repeat(500)), &long, false);
    }

    #[test]
    fn names_match_patterns() {
        check("*.pgn", "a.pgn", true);
        check("*.pgn", "a.pgn.gz", false);
        check("*.pgn*", "a.pgn.gz", true);
        check("a?c", "abc", true);
        check("a?c", "ac", false);
        check("*a*b*", "xxaxxaxbx", true);
        check("*ab", "aab", true);
        check("a**", "a", true);
        check("", "a", false);
        check("ü?", "üß", true);
    }
}
