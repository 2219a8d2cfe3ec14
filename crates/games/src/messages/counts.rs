//! Counts in messages: `20,253 games`.

/// Returns a count with its noun: `1 game`, `20,253 games`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Returns a number with a comma between groups of three digits: `20,253`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap_or("")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(1_852_929), "1,852,929");
        assert_eq!(grouped(12), "12");
        assert_eq!((counted(1, "game"), counted(0, "game")), ("1 game".to_owned(), "0 games".to_owned()));
    }
}
