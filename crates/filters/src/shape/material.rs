//! The material of both sides: `KRP:KR`.

use std::fmt;
use std::str::FromStr;

use crate::parse_error::ParseError;
use crate::shape::present::Present;
use crate::shape::view::View;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Role};

/// The material of both sides: White's men, a colon, and Black's, as in `KRP:KR`.
///
/// The men are the letters `Q R B N P` in any order and case. `L` is a bishop or a knight. The kings may be written,
/// too. A side has none of the men that are not listed, unless a `?` stands in its list. Instead of the colon, the
/// sides may have a `v` or white space between them, or begin with their kings: `KRPKR`.
///
/// What follows a letter is the number of these men:
///
/// | | |
/// |---|---|
/// | nothing | one. Letters that are repeated are added up: `PP` are two |
/// | `2` | exactly two |
/// | `2+`, `2..` | two or more |
/// | `2-`, `..2` | two or fewer |
/// | `2..4` | two to four |
/// | `+` | one or more |
/// | `*` | any number |
/// | `=`, `#` | as many as the other side, not as many as the other side |
/// | `+1`, `-1` | exactly one more than the other side, exactly one fewer |
/// | `>`, `<` | more than the other side, fewer than the other side |
/// | `2>`, `2<` | at least two more than the other side, at least two fewer |
///
/// A number that compares with the other side (the last four lines) is no condition on the number itself.
///
/// ```
/// use pgn2fen_filters::Material;
///
/// let rook_and_pawn: Material = "KRP:KR".parse()?;
/// let an_extra_pawn: Material = "RP+1:RP*".parse()?;
/// let bishop_pair_against_knights: Material = "Q*R*B2P*:Q=R=N2P*".parse()?;
/// let two_queens: Material = "Q2+?:?".parse()?;
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    /// The material as it was given.
    text: String,
    /// The kinds of men that are not there.
    absent: Present,
    /// The conditions on White and on Black.
    sides: [Side; 2],
}

/// The conditions on the men of a side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Side {
    counts: Box<[Count]>,
    differences: Box<[Difference]>,
}

/// A condition on the number of men of some roles. Both ends belong to the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Count {
    roles: Roles,
    least: u32,
    most: u32,
}

/// A condition on the number of men of some roles, compared with those of the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Difference {
    roles: Roles,
    wanted: Wanted,
}

/// The differences that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A number in this range. Both ends belong to it.
    Within(i32, i32),
    /// Any number but zero.
    NotZero,
}

/// A role that is counted, or two that are counted together. A single role is there twice.
type Roles = [Role; 2];

impl Material {
    /// Whether a board has the material. `present` are the kinds of men on it, with the colors exchanged if they are in
    /// the view.
    #[inline]
    pub(super) fn holds(&self, view: View, present: Present, board: &Board) -> bool {
        // Pieces that must not be there rule out most positions.
        !self.absent.meets(present) && self.has_counts(view, board)
    }

    fn has_counts(&self, view: View, board: &Board) -> bool {
        let [first, second] = &self.sides;
        let color = if view.swap { Color::Black } else { Color::White };
        first.holds(board, color) && second.holds(board, !color)
    }
}

impl Side {
    fn holds(&self, board: &Board, color: Color) -> bool {
        let count =
            |[one, other]: Roles, color| ((board.by_role(one) | board.by_role(other)) & board.by_color(color)).count();
        self.counts.iter().all(|Count { roles, least, most }| (*least..=*most).contains(&count(*roles, color)))
            && self.differences.iter().all(|Difference { roles, wanted }| {
                // A board has 64 squares.
                let difference = count(*roles, color) as i32 - count(*roles, !color) as i32;
                match wanted {
                    Wanted::Within(least, most) => (*least..=*most).contains(&difference),
                    Wanted::NotZero => difference != 0,
                }
            })
    }
}

/// Writes the material as it was given.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Material {
    type Err = ParseError;

    /// Parses `<material> ::= <men> <separator> <men>`, where `<men> ::= { <letter> [ <number> ] | "?" }`.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        let start = text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        let mut sides = [SideCounts::default(), SideCounts::default()];
        let mut side = 0;
        let mut at = start;
        while let Some(letter) = text[at..end].chars().next() {
            let after = at + letter.len_utf8();
            let role = match letter.to_ascii_uppercase() {
                ':' | 'V' | ' ' | '\t' => {
                    let is_separator = |char: char| matches!(char, ':' | 'v' | 'V' | ' ' | '\t');
                    let rest = text[at..end].trim_start_matches(is_separator);
                    let place = at..end - rest.len();
                    if side == 1 {
                        let reason =
                            "there are two sides only; White's men and Black's men have one colon between them";
                        return Err(ParseError::new(text, place, reason));
                    }
                    side = 1;
                    at = place.end;
                    continue;
                }
                '?' => {
                    sides[side].has_others = true;
                    at = after;
                    continue;
                }
                'K' => {
                    if side == 0 && sides[0].has_king {
                        side = 1;
                    }
                    if sides[side].has_king {
                        return Err(ParseError::new(text, at..after, "each side has one king"));
                    }
                    sides[side].has_king = true;
                    at = after;
                    continue;
                }
                '0'..='9' => {
                    let reason =
                        "a number stands behind the letter that it counts; `for_plies` sets how long it must last";
                    return Err(ParseError::new(text, at..after, reason));
                }
                letter => "PNBRQL".find(letter).ok_or_else(|| {
                    let reason = "this is not a piece; the letters are K Q R B N P, and L for a bishop or knight";
                    ParseError::new(text, at..after, reason)
                })?,
            };
            let (number, length) = number(&text[after..end]).map_err(|(length, reason)| {
                let length = text[after..end].char_indices().nth(length).map_or(end - after, |(at, _)| at);
                ParseError::new(text, at..after + length, reason)
            })?;
            sides[side].add(role, number);
            if sides[side].mixes_minors() {
                let reason = "L counts bishops and knights together, so B and N cannot be counted as well";
                return Err(ParseError::new(text, at..after + length, reason));
            }
            at = after + length;
        }
        if side == 0 {
            let reason = "these are the men of one side; write White's men, a colon and Black's men, such as KRP:KR";
            return Err(ParseError::new(text, start..end, reason));
        }
        let mut absent = Present::default();
        for (color, men) in Color::ALL.into_iter().zip(&sides) {
            men.absent().for_each(|role| absent.add(color, role));
        }
        Ok(Self { text: text[start..end].to_owned(), absent, sides: sides.map(SideCounts::compiled) })
    }
}

/// The index of bishops and knights, counted together, in [`SideCounts::counts`]. The indices before it are those of
/// [`ROLES`].
const MINOR: usize = 5;

const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The men of a side, as they are read.
#[derive(Default)]
struct SideCounts {
    counts: [Option<(u32, u32)>; 6],
    differences: Vec<Difference>,
    has_king: bool,
    /// Whether there may be men that are not listed.
    has_others: bool,
}

/// The number of men behind a letter.
#[derive(Clone, Copy)]
enum PieceCount {
    Count(u32, u32),
    Difference(Wanted),
}

impl SideCounts {
    fn add(&mut self, role: usize, number: PieceCount) {
        let (least, most) = match number {
            PieceCount::Count(least, most) => (least, most),
            PieceCount::Difference(wanted) => {
                self.differences.push(Difference { roles: roles(role), wanted });
                (0, MOST)
            }
        };
        let (least_before, most_before) = self.counts[role].unwrap_or_default();
        self.counts[role] = Some((least_before + least, most_before + most));
    }

    fn mixes_minors(&self) -> bool {
        self.counts[MINOR].is_some()
            && ROLES.iter().zip(self.counts).any(|(role, count)| is_minor(*role) && count.is_some())
    }

    /// Returns the roles of which the side has no men.
    fn absent(&self) -> impl Iterator<Item = Role> {
        let is_free = |role: Role| self.has_others || self.counts[MINOR].is_some() && is_minor(role);
        ROLES.into_iter().zip(self.counts).filter_map(move |(role, count)| match count {
            None if is_free(role) => None,
            None | Some((_, 0)) => Some(role),
            Some(_) => None,
        })
    }

    fn compiled(self) -> Side {
        let Self { counts, differences, .. } = self;
        let count = |(role, count): (usize, &Option<(u32, u32)>)| {
            let (least, most) = (*count)?;
            (least > 0 || most < MOST).then_some(Count { roles: roles(role), least, most })
        };
        Side { counts: counts.iter().enumerate().filter_map(count).collect(), differences: differences.into() }
    }
}

fn is_minor(role: Role) -> bool {
    matches!(role, Role::Knight | Role::Bishop)
}

/// Returns the roles of an index in [`SideCounts::counts`].
fn roles(index: usize) -> Roles {
    ROLES.get(index).map_or([Role::Bishop, Role::Knight], |role| [*role; 2])
}

/// The greatest number of men, one for each square.
const MOST: u32 = 64;

/// Parses the number behind a letter, and returns it with its length. Text that belongs to no number has the length 0.
///
/// # Errors
///
/// Returns the number of wrong characters, and the reason.
fn number(text: &str) -> Result<(PieceCount, usize), (usize, String)> {
    let (first, rest) = digits(text)?;
    let taken = text.len() - rest.len();
    let within = |least, most| PieceCount::Difference(Wanted::Within(least, most));
    if rest.starts_with(">=") || rest.starts_with("<=") {
        let sign = if rest.starts_with('>') { '+' } else { '-' };
        let more = if sign == '+' { "more" } else { "fewer" };
        let number = first.unwrap_or(1);
        let reason = format!("write {sign}{number} for exactly {number} {more} than the other side");
        return Err((taken + 2, reason));
    }
    let most = MOST as i32;
    let (number, length) = match (first, rest.as_bytes()) {
        (first, [b'.', b'.', ..]) => {
            let (last, behind) = digits(&rest[2..]).map_err(|(length, reason)| (taken + 2 + length, reason))?;
            let length = text.len() - behind.len();
            let (least, most) = match (first, last) {
                (None, None) => return Err((length, "a range is written 2..4, 2.. or ..4".to_owned())),
                (first, last) => (first.unwrap_or(0), last.unwrap_or(MOST)),
            };
            if least > most {
                return Err((length, format!("the range {least} to {most} is empty")));
            }
            return Ok((PieceCount::Count(least, most), length));
        }
        (Some(first), [b'+' | b'-', b'0'..=b'9', ..]) => {
            return Err((taken + 2, format!("a range is written {first}..4; {first}+ is {first} or more")));
        }
        (Some(least), [b'+', ..]) => (PieceCount::Count(least, MOST), 1),
        (Some(most), [b'-', ..]) => (PieceCount::Count(0, most), 1),
        (None, [sign @ (b'+' | b'-'), b'0'..=b'9', ..]) => {
            let (number, behind) = digits(&rest[1..]).map_err(|(length, reason)| (1 + length, reason))?;
            let number = number.unwrap_or(0) as i32;
            let difference = if *sign == b'+' { number } else { -number };
            (within(difference, difference), rest.len() - behind.len())
        }
        (None, [b'+', ..]) => (PieceCount::Count(1, MOST), 1),
        (None, [b'*', ..]) => (PieceCount::Count(0, MOST), 1),
        (None, [b'=', ..]) => (within(0, 0), 1),
        (None, [b'#', ..]) => (PieceCount::Difference(Wanted::NotZero), 1),
        (first, [b'>', ..]) => (within(first.unwrap_or(1) as i32, most), 1),
        (first, [b'<', ..]) => (within(-most, -(first.unwrap_or(1) as i32)), 1),
        (Some(number), _) => (PieceCount::Count(number, number), 0),
        (None, _) => (PieceCount::Count(1, 1), 0),
    };
    Ok((number, taken + length))
}

/// Parses a number at the start of a text, and returns it with the rest of the text.
fn digits(text: &str) -> Result<(Option<u32>, &str), (usize, String)> {
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let digits = &text[..text.len() - rest.len()];
    match digits.parse() {
        Ok(number) if number <= MOST => Ok((Some(number), rest)),
        _ if digits.is_empty() => Ok((None, rest)),
        _ => Err((digits.len(), "a side has at most 64 men".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::Material;
    use crate::shape::present::Present;
    use crate::shape::view::View;
    use pgn2fen_chess::testing::position;

    /// Checks a material against boards, on which it must hold for White's and Black's men as given (`w`), for the
    /// colors exchanged (`b`), or for both.
    #[track_caller]
    fn check(material: &str, boards: &[(&str, &str)]) {
        let parsed: Material = material.parse().unwrap_or_else(|mistake| panic!("{mistake}"));
        assert_eq!(parsed.to_string(), material.trim());
        for (board, expected) in boards {
            let position = position(&format!("{board} w - - 0 1"));
            let present = Present::on(position.board());
            let views = [(View::GIVEN, present, 'w'), (View::SWAPPED, present.swapped(), 'b')];
            let holds = |(view, present, _): &_| parsed.holds(*view, *present, position.board());
            let found: String = views.into_iter().filter(holds).map(|(.., name)| name).collect();
            assert_eq!(found, *expected, "{material} {board}");
        }
    }

    const ROOK_AND_PAWN: &str = "4k2r/8/8/8/8/8/P7/R3K3";
    const TWO_PAWNS: &str = "4k2r/8/8/8/8/8/PP6/R3K3";
    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const BISHOP_AND_KNIGHT: &str = "4k3/8/8/8/8/8/8/2B1K1N1";

    #[test]
    fn a_side_has_the_men_that_are_listed_and_no_others() {
        for material in ["KRP:KR", "RP:R", "pr r", "KRPKR", "krp v kr", "RPvR", " RP : R ", "R1P1:R1", "KRP KR"] {
            check(material, &[(ROOK_AND_PAWN, "w"), (TWO_PAWNS, ""), (INITIAL, ""), (BISHOP_AND_KNIGHT, "")]);
        }
        check("R:RP", &[(ROOK_AND_PAWN, "b")]);
        check("QR2B2N2P8:QR2B2N2P8", &[(INITIAL, "wb")]);
        check("BN:", &[(BISHOP_AND_KNIGHT, "w")]);
        check(":NB", &[(BISHOP_AND_KNIGHT, "b")]);
    }

    #[test]
    fn numbers_stand_behind_their_letters() {
        for number in [
            "PP", "2", "2+", "2..", "1..2", "..2", "2-", "+", "*", "P+", "P*", "PP1-", "0..64", "+2", "2>", ">", "#",
            "1>",
        ] {
            let material = match number.strip_prefix('P') {
                Some(number) => format!("RP{number}:R"),
                None => format!("RP{number}:RP0"),
            };
            check(&material, &[(TWO_PAWNS, "w")]);
        }
        for number in ["1", "3..", "3+", "3..4", "=", "+1", "-1", "3>", "3<", "+3", "PP"] {
            check(&format!("RP{number}:RP*"), &[(TWO_PAWNS, "")]);
        }
        for number in ["0", "..1", "1-", "<", "2<", "-2"] {
            check(&format!("RP{number}:RP*"), &[(TWO_PAWNS, "b")]);
        }
        check("R=P+1:R=P*", &[(ROOK_AND_PAWN, "w"), (TWO_PAWNS, ""), (INITIAL, "")]);
        check("RP*:R=P2<", &[(ROOK_AND_PAWN, ""), (TWO_PAWNS, "w")]);
        check("R*P-1:R*P*", &[(ROOK_AND_PAWN, "b"), (TWO_PAWNS, "")]);
        check("R*P+0:R*P*", &[(ROOK_AND_PAWN, ""), ("4k2r/p7/8/8/8/8/P7/R3K3", "wb")]);
    }

    #[test]
    fn a_letter_may_stand_for_a_bishop_or_knight() {
        check("L2:", &[(BISHOP_AND_KNIGHT, "w"), ("4k3/8/8/8/8/8/8/2B1KB2", "w"), ("4k3/8/8/8/8/8/8/4K1N1", "")]);
        check("QR2L4P8:QR2L=P8", &[(INITIAL, "wb")]);
        check("L+2:L*", &[(BISHOP_AND_KNIGHT, "w"), (INITIAL, "")]);
    }

    #[test]
    fn a_question_mark_stands_for_any_other_men() {
        check("P+1?:?", &[(ROOK_AND_PAWN, "w"), (TWO_PAWNS, ""), (INITIAL, "")]);
        check("?:R", &[(ROOK_AND_PAWN, "w"), (TWO_PAWNS, "w"), (INITIAL, "")]);
        check("Q0?:?", &[(ROOK_AND_PAWN, "wb"), (INITIAL, "")]);
    }

    #[track_caller]
    fn check_mistake(material: &str, expected: &Expect) {
        expected.assert_eq(&material.parse::<Material>().expect_err(material).to_string());
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "KRP",
            &expect![[r#"
            these are the men of one side; write White's men, a colon and Black's men, such as KRP:KR
                KRP
                ^^^"#]],
        );
        check_mistake(
            "KRX:KR",
            &expect![[r#"
            this is not a piece; the letters are K Q R B N P, and L for a bishop or knight
                KRX:KR
                  ^"#]],
        );
        check_mistake(
            "KRP:KR:K",
            &expect![[r#"
            there are two sides only; White's men and Black's men have one colon between them
                KRP:KR:K
                      ^"#]],
        );
        check_mistake(
            "KR:KRK",
            &expect![[r#"
            each side has one king
                KR:KRK
                     ^"#]],
        );
        check_mistake(
            "2R:R",
            &expect![[r#"
            a number stands behind the letter that it counts; `for_plies` sets how long it must last
                2R:R
                ^"#]],
        );
        check_mistake(
            "RP2-4:R",
            &expect![[r#"
            a range is written 2..4; 2+ is 2 or more
                RP2-4:R
                 ^^^^"#]],
        );
        check_mistake(
            "RP4..2:R",
            &expect![[r#"
            the range 4 to 2 is empty
                RP4..2:R
                 ^^^^^"#]],
        );
        check_mistake(
            "RP1>=:RP*",
            &expect![[r#"
            write +1 for exactly 1 more than the other side
                RP1>=:RP*
                 ^^^^"#]],
        );
        check_mistake(
            "LN:K",
            &expect![[r#"
            L counts bishops and knights together, so B and N cannot be counted as well
                LN:K
                 ^"#]],
        );
        check_mistake(
            "P99:K",
            &expect![[r#"
            a side has at most 64 men
                P99:K
                ^^^"#]],
        );
        check_mistake(
            "P..é:K",
            &expect![[r#"
            a range is written 2..4, 2.. or ..4
                P..é:K
                ^^^"#]],
        );
        check_mistake(
            "Ré:K",
            &expect![[r#"
            this is not a piece; the letters are K Q R B N P, and L for a bishop or knight
                Ré:K
                 ^"#]],
        );
        check_mistake(
            "",
            &expect!["these are the men of one side; write White's men, a colon and Black's men, such as KRP:KR"],
        );
    }
}
