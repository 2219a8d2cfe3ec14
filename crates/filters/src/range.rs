//! Ranges of plies, of numbers of pieces, of lengths and of evaluations: `16`, `8..20`, `..30`, `30..`, `-1`.

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;

use crate::parse_error::ParseError;

/// A range of plies of a game: `16`, `8..20`, `..30`, `30..`. Both ends are included. Ply 0 is the starting position,
/// and ply k is the position after the k-th move. Negative numbers count from the end of the main line: `-1` is its
/// last position, and `-10..` are its last ten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plies {
    first: Option<i64>,
    last: Option<i64>,
}

impl Plies {
    /// All plies.
    pub const ALL: Self = Self { first: None, last: None };

    /// Returns the range with these ends. One that begins with the first ply has no first end: `0..` equals `..`.
    fn of_ends([first, last]: [Option<i64>; 2]) -> Self {
        Self { first: first.filter(|ply| *ply != 0 || last == first), last }
    }

    /// Whether the range depends on the length of the game.
    pub fn count_from_end(self) -> bool {
        self.first.is_some_and(|ply| ply < 0) || self.last.is_some_and(|ply| ply < 0)
    }

    /// Whether all plies of this range are in another range, in games of any length. False if one of them counts from
    /// the end of games.
    pub fn is_within(self, other: Self) -> bool {
        let (inner, outer) = (self.of_game(0), other.of_game(0));
        let counts_from_end = self.count_from_end() || other.count_from_end();
        other == Self::ALL || !counts_from_end && outer.start() <= inner.start() && inner.end() <= outer.end()
    }

    /// Returns the numbers of the plies in a game whose last ply has this number. The range may be empty.
    pub fn of_game(self, last_ply: u32) -> RangeInclusive<u32> {
        let number = |end: i64| if end < 0 { i64::from(last_ply) + 1 + end } else { end };
        let first = self.first.map_or(0, number).max(0);
        let last = self.last.map_or(i64::MAX, number).min(u32::MAX.into());
        match (u32::try_from(first), u32::try_from(last)) {
            (Ok(first), Ok(last)) => first..=last,
            _ => RangeInclusive::new(1, 0),
        }
    }
}

impl fmt::Display for Plies {
    /// Writes the range so that it parses to the same range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (Some(first), Some(last)) if first == last => first.fmt(f),
            (first, last) => {
                let text = |end: Option<i64>| end.map_or_else(String::new, |end| end.to_string());
                write!(f, "{}..{}", text(first), text(last))
            }
        }
    }
}

impl Default for Plies {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromStr for Plies {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        ends(text, 0..text.len(), true).map(Self::of_ends)
    }
}

/// Ranges of plies, separated by commas: `5,9,13`, `..10,30..40`. A ply must be in one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRanges(Vec<Plies>);

impl PlyRanges {
    /// Whether all plies are in the ranges.
    pub fn is_all(&self) -> bool {
        self.0 == [Plies::ALL]
    }

    /// Whether a range depends on the length of the game.
    pub fn count_from_end(&self) -> bool {
        self.0.iter().any(|plies| plies.count_from_end())
    }

    /// Returns the last ply of a range that begins at the start of games and ends at a ply: `..24`. None for other
    /// ranges.
    pub fn last_from_start(&self) -> Option<u32> {
        match self.0.as_slice() {
            [plies @ Plies { first: None | Some(0), last: Some(0..) }] => Some(*plies.of_game(0).end()),
            _ => None,
        }
    }

    /// Returns the ranges, at least one.
    pub(crate) fn ranges(&self) -> &[Plies] {
        &self.0
    }
}

impl From<Plies> for PlyRanges {
    fn from(plies: Plies) -> Self {
        Self(vec![plies])
    }
}

impl Default for PlyRanges {
    fn default() -> Self {
        Plies::ALL.into()
    }
}

impl fmt::Display for PlyRanges {
    /// Writes the ranges so that they parse to the same ranges.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, plies) in self.0.iter().enumerate() {
            write!(f, "{}{plies}", if nth > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for PlyRanges {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut from = 0;
        let ranges = text.split(',').map(|range| {
            let place = from..from + range.len();
            from = place.end + 1;
            ends(text, place, true).map(Plies::of_ends)
        });
        ranges.collect::<Result<_, _>>().map(Self)
    }
}

/// A range of numbers, of pieces on the board or of plies of a game: `..7`, `32`, `3..5`, `40..`. Both ends are
/// included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberRange {
    first: i64,
    last: i64,
}

impl NumberRange {
    /// Whether this number is in the range.
    pub fn contains(self, number: u32) -> bool {
        (self.first..=self.last).contains(&i64::from(number))
    }

    /// Whether each number from this one on is in the range, or none of them. None if neither is so.
    #[inline]
    pub(crate) fn decided_at(self, number: u32) -> Option<bool> {
        let number = i64::from(number);
        if number > self.last { Some(false) } else { (number >= self.first && self.last == i64::MAX).then_some(true) }
    }
}

impl fmt::Display for NumberRange {
    /// Writes the range so that it parses to the same range.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (first, i64::MAX) => write!(f, "{first}.."),
            (first, last) if first == last => first.fmt(f),
            (first, last) => write!(f, "{first}..{last}"),
        }
    }
}

impl FromStr for NumberRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let [first, last] = ends(text, 0..text.len(), false)?;
        Ok(Self { first: first.unwrap_or(0), last: last.unwrap_or(i64::MAX) })
    }
}

/// A range of evaluations in centipawns: `70..130`, `-130..-70`, `..-300`, `0`. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalRange {
    first: i64,
    last: i64,
}

impl EvalRange {
    /// Whether an evaluation is in the range.
    pub fn contains(self, centipawns: i32) -> bool {
        (self.first..=self.last).contains(&i64::from(centipawns))
    }
}

impl FromStr for EvalRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let reason = "this is not a number of centipawns; a range is written 70..130, -130..-70, 300.. or ..-300";
        let whole = |place: Range<usize>| {
            let written = &text[place.clone()];
            let digits = written.strip_prefix(['-', '+']).unwrap_or(written);
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let sign = if written.starts_with('-') { -1 } else { 1 };
            // A number that is too large for its type is beyond all evaluations.
            let number = sign * digits.parse().unwrap_or(i64::MAX);
            if is_number { Ok(number) } else { Err(ParseError::new(text, place, reason)) }
        };
        let Some(dots) = text.find("..") else {
            let number = whole(0..text.len())?;
            return Ok(Self { first: number, last: number });
        };
        let [before, behind] = [0..dots, dots + 2..text.len()];
        let first = if before.is_empty() { i64::MIN } else { whole(before)? };
        let last = if behind.is_empty() { i64::MAX } else { whole(behind)? };
        if first > last {
            return Err(ParseError::new(text, 0..text.len(), format!("the range {first} to {last} is empty")));
        }
        Ok(Self { first, last })
    }
}

/// Parses `<range> ::= N | [N] .. [N]` in a place of the text and returns its two ends.
fn ends(text: &str, place: Range<usize>, may_count_from_end: bool) -> Result<[Option<i64>; 2], ParseError> {
    let read = |place: Range<usize>| end(text, place, may_count_from_end);
    let Some(dots) = text[place.clone()].find("..") else {
        let number = read(place)?;
        return Ok([Some(number); 2]);
    };
    let (before, after) = (place.start..place.start + dots, place.start + dots + 2..place.end);
    let optional = |place: Range<usize>| if place.is_empty() { Ok(None) } else { read(place).map(Some) };
    let [first, last] = [optional(before)?, optional(after)?];
    if let (Some(first), Some(last)) = (first, last)
        && first > last
        && (first < 0) == (last < 0)
    {
        return Err(ParseError::new(text, place, format!("the range {first} to {last} is empty")));
    }
    Ok([first, last])
}

/// Parses the end of a range. A number that is too large for its type is as good as the largest one.
fn end(text: &str, place: Range<usize>, may_be_negative: bool) -> Result<i64, ParseError> {
    let written = &text[place.clone()];
    let digits = written.strip_prefix('-').unwrap_or(written);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = if is_number { Some(digits.parse().unwrap_or(i64::MAX)) } else { None };
    match number {
        Some(number) if digits == written => Ok(number),
        Some(number @ 1..) if may_be_negative => Ok(-number),
        _ if may_be_negative => {
            Err(ParseError::new(text, place, "a ply is a number, such as 16, 8..20, ..30, 30.. or -1"))
        }
        _ => Err(ParseError::new(text, place, "this is not a number; a range is written 16, 3..5, ..7 or 8..")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::{EvalRange, NumberRange, Plies, PlyRanges};

    /// Compares the plies in the range, in a game with the plies 0 to 5.
    #[track_caller]
    fn check(range: &str, expected: &[u32]) {
        let plies = range.parse::<Plies>().expect(range);
        assert_eq!(plies.to_string().parse(), Ok(plies), "{range}");
        let plies = plies.of_game(5);
        assert_eq!((0..=5).filter(|ply| plies.contains(ply)).collect::<Vec<_>>(), expected, "{range}");
    }

    #[test]
    fn a_number_of_any_size_is_the_end_of_a_range() {
        for most in ["4294967295", "4294967296", "9999999999", "10000000001", &"9".repeat(40)] {
            check(most, &[]);
            check(&format!("{most}.."), &[]);
            check(&format!("..{most}"), &[0, 1, 2, 3, 4, 5]);
            check(&format!("4..{most}"), &[4, 5]);
            check(&format!("-{most}.."), &[0, 1, 2, 3, 4, 5]);
            check(&format!("..-{most}"), &[]);
        }
    }

    #[test]
    fn both_ends_belong_to_a_range() {
        check("2", &[2]);
        check("2..4", &[2, 3, 4]);
        check("..2", &[0, 1, 2]);
        check("4..", &[4, 5]);
        check("..", &[0, 1, 2, 3, 4, 5]);
        check("5..9", &[5]);
        check("6", &[]);
    }

    #[test]
    fn numbers_below_zero_count_from_the_end() {
        check("-1", &[5]);
        check("-2..", &[4, 5]);
        check("-2..-2", &[4]);
        check("..-4", &[0, 1, 2]);
        check("2..-3", &[2, 3]);
        check("-3..4", &[3, 4]);
        check("-9..", &[0, 1, 2, 3, 4, 5]);
        check("-9", &[]);
        check("..-9", &[]);
        check("4..-4", &[]);
    }

    #[test]
    fn a_range_from_the_first_ply_on_has_no_first_end() {
        for (text, same) in [("0..", ".."), ("0..4", "..4"), ("0..-2", "..-2"), ("0", "0"), ("0..0", "0")] {
            let plies: Plies = text.parse().unwrap();
            assert_eq!((plies, plies.to_string().as_str()), (same.parse().unwrap(), same));
        }
        assert_eq!("0..".parse(), Ok(Plies::ALL));
        // Variations may be longer than the main line, whose last ply is -1.
        assert_ne!("..-1".parse(), Ok(Plies::ALL));
    }

    #[test]
    fn ranges_of_plies_are_separated_by_commas() {
        for text in ["5,9,13", "..", "..3,-1", "8..20,30"] {
            assert_eq!(text.parse::<PlyRanges>().unwrap().to_string(), text);
        }
        assert!("..".parse::<PlyRanges>().unwrap().is_all());
        assert!("5,-1".parse::<PlyRanges>().unwrap().count_from_end());
        expect![[r#"
            a ply is a number, such as 16, 8..20, ..30, 30.. or -1
                5,x
                  ^"#]]
        .assert_eq(&"5,x".parse::<PlyRanges>().unwrap_err().to_string());
        for text in ["", "5,", ",5", "5, 9", "20..8,3"] {
            assert!(text.parse::<PlyRanges>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_evaluation_may_be_below_zero() {
        let has = |range: &str, centipawns| range.parse::<EvalRange>().expect(range).contains(centipawns);
        assert!(has("70..130", 70) && has("70..130", 130) && !has("70..130", 131));
        assert!(has("-130..-70", -100) && !has("-130..-70", 100));
        assert!(has("-50..50", 0) && has("..-300", -301) && has("300..", i32::MAX) && has("+30", 30));
        assert!(has("0", 0) && has("..", i32::MIN) && has(&format!("..{}", "9".repeat(40)), i32::MAX));
        expect![[r#"
            this is not a number of centipawns; a range is written 70..130, -130..-70, 300.. or ..-300
                0.7..1.3
                ^^^"#]]
        .assert_eq(&"0.7..1.3".parse::<EvalRange>().unwrap_err().to_string());
        expect![[r#"
            the range 130 to 70 is empty
                130..70
                ^^^^^^^"#]]
        .assert_eq(&"130..70".parse::<EvalRange>().unwrap_err().to_string());
        for text in ["", "-", "+-3", "--3", "a..", "1...3", "1,2"] {
            assert!(text.parse::<EvalRange>().is_err(), "{text}");
        }
    }

    #[test]
    fn men_are_counted_with_both_ends() {
        let men = |range: &str| range.parse::<NumberRange>().unwrap();
        assert!(men("..7").contains(7) && !men("..7").contains(8));
        assert!(men("32").contains(32) && !men("32").contains(31));
        assert!(men("3..").contains(64) && !men("3..5").contains(6));
    }

    #[test]
    fn a_length_is_decided_as_soon_as_it_can_be() {
        let decided = |range: &str, plies| {
            let length = range.parse::<NumberRange>().unwrap();
            assert_eq!(length.to_string().parse(), Ok(length));
            [length.decided_at(plies), Some(length.contains(plies))]
        };
        assert_eq!(decided("40..", 39), [None, Some(false)]);
        assert_eq!(decided("40..", 40), [Some(true), Some(true)]);
        assert_eq!(decided("..40", 40), [None, Some(true)]);
        assert_eq!(decided("..40", 41), [Some(false), Some(false)]);
        assert_eq!(decided("40", 40), [None, Some(true)]);
        assert_eq!(decided("40", 41), [Some(false), Some(false)]);
        assert_eq!(decided("..", 0), [Some(true), Some(true)]);
    }

    #[track_caller]
    fn check_mistake(range: &str, expected: &Expect) {
        expected.assert_eq(&range.parse::<Plies>().expect_err(range).to_string());
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "8..x",
            &expect![[r#"
            a ply is a number, such as 16, 8..20, ..30, 30.. or -1
                8..x
                   ^"#]],
        );
        check_mistake("", &expect!["a ply is a number, such as 16, 8..20, ..30, 30.. or -1"]);
        check_mistake(
            "8-20",
            &expect![[r#"
            a ply is a number, such as 16, 8..20, ..30, 30.. or -1
                8-20
                ^^^^"#]],
        );
        check_mistake(
            "20..8",
            &expect![[r#"
                the range 20 to 8 is empty
                    20..8
                    ^^^^^"#]],
        );
        check_mistake(
            "-1..-3",
            &expect![[r#"
                the range -1 to -3 is empty
                    -1..-3
                    ^^^^^^"#]],
        );
        check_mistake(
            "8..=20",
            &expect![[r#"
            a ply is a number, such as 16, 8..20, ..30, 30.. or -1
                8..=20
                   ^^^"#]],
        );
        expect![[r#"
            this is not a number; a range is written 16, 3..5, ..7 or 8..
                -1
                ^^"#]]
        .assert_eq(&"-1".parse::<NumberRange>().unwrap_err().to_string());
    }
}
