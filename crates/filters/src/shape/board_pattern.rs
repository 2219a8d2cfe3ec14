//! A pattern for the pieces of a board: `?????rk?/?????p[pb]p/*/*/*/*/*/*`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::parse_error::ParseError;
use crate::shape::contents::Contents;
use crate::shape::parts::{PatternPart, Ranks};
use crate::shape::placement::Placement;
use crate::shape::view::View;
use pgn2fen_chess::board::Board;
use pgn2fen_chess::piece::{Color, Piece};

/// A pattern for the pieces of a board. It is written like the piece placement of a FEN: eight ranks with `/` between
/// them, the eighth rank first, files from a to h.
///
/// | symbol | |
/// |---|---|
/// | `K Q R B N P`, `k q r b n p` | a square with this white or black piece |
/// | `1` to `8` | this number of empty squares |
/// | `_` | an empty square |
/// | `?` | any square |
/// | `!` | a square with any piece |
/// | `A`, `a` | a square with any white piece, any black piece |
/// | `m` | a square without a pawn; it may be empty |
/// | `[…]` | a square with one of these symbols: `[QR]`, `[Pp]`, `[N_]` |
/// | `[^…]` | a square with none of these symbols: `[^p]` is empty or has any piece but a black pawn |
/// | `*` | any number of squares of the rank, also none, with anything on them |
///
/// The symbols and their meanings are those of the option `-Tf` and of `FENPattern` in pgn-extract.
///
/// ```
/// use pgn2fen_chess::position::Position;
/// use pgn2fen_filters::{BoardPattern, ShapeFilter};
///
/// let castled: BoardPattern = "*/*/*/*/*/*/?????PPP/*R[K_][K_]".parse()?;
/// let filter = ShapeFilter { patterns: vec![castled], ..ShapeFilter::default() };
/// assert!(!filter.holds(&Position::initial()));
/// let mistake = "*/*/*/*/*/*/*/RNBQKBN".parse::<BoardPattern>().unwrap_err();
/// assert!(mistake.to_string().starts_with("this rank has 7 squares, not 8"));
/// # Ok::<(), pgn2fen_filters::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardPattern(pub(super) Pattern);

/// Writes the pattern as it was given.
impl fmt::Display for BoardPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl FromStr for BoardPattern {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Pattern::read(text, &SYMBOLS).map(Self)
    }
}

/// What a board pattern and a pawn structure are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// The pattern as it was given.
    pub(super) text: String,
    views: Box<[Placement; 4]>,
    /// Whether it makes no difference if left and right are exchanged.
    pub(super) is_symmetric: bool,
}

impl Pattern {
    pub(super) fn read(text: &str, symbols: &Symbols) -> Result<Self, ParseError> {
        let views = Box::new(Placement::views(&ranks(text, symbols)?));
        let is_symmetric = views[..2] == views[2..];
        Ok(Self { text: text.to_owned(), views, is_symmetric })
    }

    #[inline]
    pub(super) fn holds(&self, view: View, board: &Board) -> bool {
        self.views[view.index()].holds(board)
    }
}

/// The meanings of symbols in a kind of patterns.
pub(super) struct Symbols {
    /// Returns the contents that a letter or sign stands for, if it has a meaning.
    pub(super) contents: fn(char) -> Option<Contents>,
    /// The contents of the squares that a digit counts.
    pub(super) empty: Contents,
    /// The reason why a sign is not a symbol.
    pub(super) unknown: &'static str,
}

const SYMBOLS: Symbols = Symbols {
    contents: |symbol| {
        Some(match symbol {
            '_' => Contents::EMPTY,
            '?' => Contents::ANYTHING,
            '!' => Contents::OCCUPIED,
            'A' => Contents::of_color(Color::White),
            'a' => Contents::of_color(Color::Black),
            'm' => Contents::NO_PAWN,
            _ => Contents::of_piece(Piece::from_char(symbol)?),
        })
    },
    empty: Contents::EMPTY,
    unknown: "this is not a symbol of a pattern; they are KQRBNP, kqrbnp, 1 to 8, ? ! _ A a m * [...] and [^...]",
};

/// Parses `<pattern> ::= <rank> { "/" <rank> }`, with eight ranks.
fn ranks(text: &str, symbols: &Symbols) -> Result<Ranks, ParseError> {
    if text.trim().is_empty() {
        let reason =
            "a board is written like that of a FEN: eight ranks with / between them, such as 8/8/8/8/8/8/PPP5/*";
        return Err(ParseError::new("", 0..0, reason));
    }
    // White space around the board does no harm. Fields of a FEN behind it would be ignored.
    let start = text.len() - text.trim_start().len();
    let board = start..start + text.trim().len();
    if let Some(at) = text[board.clone()].find(char::is_whitespace) {
        let reason = "only the board belongs here; `turn` chooses the side to move";
        return Err(ParseError::new(text, board.start + at + 1..board.end, reason));
    }
    let mut ranks = Ranks::default();
    let mut count = 0;
    let mut at = board.start;
    for written in text[board.clone()].split('/') {
        let place = at..at + written.len();
        at = place.end + 1;
        if let Some(rank) = ranks.get_mut(count) {
            *rank = self::rank(text, place, symbols)?;
        }
        count += 1;
    }
    match count {
        8 => Ok(ranks),
        _ => Err(ParseError::new(text, board, format!("there are {count} ranks, not 8"))),
    }
}

/// Parses `<rank> ::= { <symbol> | <digit> | "*" | "[" [ "^" ] <symbol> { <symbol> } "]" }`.
fn rank(text: &str, place: Range<usize>, symbols: &Symbols) -> Result<Vec<PatternPart>, ParseError> {
    let mut parts = Vec::new();
    let mut at = place.start;
    let mut squares = 0;
    while let Some(symbol) = text[at..place.end].chars().next() {
        let end = at + symbol.len_utf8();
        let (contents, count, end) = match symbol {
            '*' => {
                // Several in a row mean the same as one.
                if parts.last() != Some(&PatternPart::Any) {
                    parts.push(PatternPart::Any);
                }
                at = end;
                continue;
            }
            '1'..='8' => (symbols.empty, symbol as usize - '0' as usize, end),
            '[' => {
                let (contents, end) = set(text, at..place.end, symbols)?;
                (contents, 1, end)
            }
            _ => {
                let unknown = || ParseError::new(text, at..end, symbols.unknown);
                ((symbols.contents)(symbol).ok_or_else(unknown)?, 1, end)
            }
        };
        parts.extend(std::iter::repeat_n(PatternPart::Square(contents), count));
        squares += count;
        at = end;
        if squares > 8 {
            return Err(ParseError::new(text, place, "this rank has more than 8 squares"));
        }
    }
    if squares < 8 && !parts.contains(&PatternPart::Any) {
        let reason = format!("this rank has {squares} squares, not 8; * stands for any number of squares");
        return Err(ParseError::new(text, place, reason));
    }
    Ok(parts)
}

/// Parses a set of symbols, and returns its contents and where it ends. It begins with a bracket.
fn set(text: &str, place: Range<usize>, symbols: &Symbols) -> Result<(Contents, usize), ParseError> {
    let Some(length) = text[place.clone()].find(']') else {
        return Err(ParseError::new(text, place, "the set of symbols is not closed with ]"));
    };
    let end = place.start + length + 1;
    let within = &text[place.start + 1..end - 1];
    let listed = within.strip_prefix('^').unwrap_or(within);
    if listed.is_empty() {
        return Err(ParseError::new(text, place.start..end, "the set of symbols is empty"));
    }
    let mut contents = Contents::NOTHING;
    for (at, symbol) in listed.char_indices() {
        let at = end - 1 - listed.len() + at;
        let unknown = || {
            let reason = "this cannot be in a set; a set has letters of pieces, or symbols for one square";
            ParseError::new(text, at..at + symbol.len_utf8(), reason)
        };
        contents = contents.or((symbols.contents)(symbol).ok_or_else(unknown)?);
    }
    let contents = if listed.len() < within.len() { contents.inverted() } else { contents };
    if contents == Contents::NOTHING {
        return Err(ParseError::new(text, place.start..end, "nothing is left that could stand on this square"));
    }
    Ok((contents, end))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::BoardPattern;
    use crate::shape::view::View;
    use pgn2fen_chess::testing::position;

    /// Compares the views in which a pattern matches a board: `g` (given), `s` (colors exchanged), `m` (mirrored), `b`
    /// (both).
    #[track_caller]
    fn check(pattern: &str, board: &str, expected: &str) {
        let parsed: BoardPattern = pattern.parse().unwrap_or_else(|mistake| panic!("{mistake}"));
        let position = position(&format!("{board} w - - 0 1"));
        let holds = |(view, _): &(View, char)| parsed.0.holds(*view, position.board());
        let views = View::ALL.into_iter().zip("gsmb".chars());
        assert_eq!(views.filter(holds).map(|(_, name)| name).collect::<String>(), expected, "{pattern}");
    }

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    const ENDING: &str = "8/5k2/8/8/3p4/1P6/8/R5K1";

    #[test]
    fn a_symbol_stands_for_what_it_may_stand_on() {
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", INITIAL, "gs");
        check("rnbqkbnr/aaaaaaaa/________/*/*/*/!!!!!!!!/AAAAAAAA", INITIAL, "gs");
        check("mmmmmmmm/pppppppp/mmmmmmmm/*/*/*/[^m][Pp]******/R[^Q]*?*[KQ]*?", INITIAL, "gsmb");
        check("*/*/*/*/3p4/*/*/R*", ENDING, "g");
        check("*/*/*/*/3p4/*/*/*R", ENDING, "");
        check("*/*/*/*/4p3/*/*/*R", ENDING, "m");
        check("r*/*/*/3P4/*/*/*/*", ENDING, "s");
        check("*r/*/*/4P3/*/*/*/*", ENDING, "b");
        check("*/*/*/*/*/*/*/*K*", ENDING, "gm");
        check("8/[^q]*/8/8/*p*/*/8/*", ENDING, "gm");
    }

    #[test]
    fn any_number_of_squares_may_be_none() {
        for rank in ["*R*K*", "R*K*", "R*K_", "*R5K1*", "*R*K*_*", "**R***_K**", "?*[^R]*", "*_*_*_*", "R5*K1", "*1K1"]
        {
            check(
                &format!("*/*/*/*/*/*/8/{rank}"),
                ENDING,
                if rank.starts_with('?') || rank.starts_with("*_") { "gm" } else { "g" },
            );
        }
        for rank in ["*K*R*", "*R6*", "R*K", "*R*R*", "*1R*", "*Q*"] {
            check(
                &format!("*/*/*/*/*/3[^P]*/8/{rank}"),
                ENDING,
                if ["*K*R*", "*1R*"].contains(&rank) { "m" } else { "" },
            );
        }
    }

    #[track_caller]
    fn check_mistake(pattern: &str, expected: &Expect) {
        expected.assert_eq(&pattern.parse::<BoardPattern>().expect_err(pattern).to_string());
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "8/8/8/8/8/8/8/7",
            &expect![[r#"
                this rank has 7 squares, not 8; * stands for any number of squares
                    8/8/8/8/8/8/8/7
                                  ^"#]],
        );
        check_mistake(
            "8/8/8/8/8/PPPPPPPPP/8/8",
            &expect![[r#"
                this rank has more than 8 squares
                    8/8/8/8/8/PPPPPPPPP/8/8
                              ^^^^^^^^^"#]],
        );
        check_mistake(
            "8/8/8/8/8/8/8/x*",
            &expect![[r#"
                this is not a symbol of a pattern; they are KQRBNP, kqrbnp, 1 to 8, ? ! _ A a m * [...] and [^...]
                    8/8/8/8/8/8/8/x*
                                  ^"#]],
        );
        check_mistake(
            "8/8/8/8/8/8/8/*[Qé]",
            &expect![[r#"
                this cannot be in a set; a set has letters of pieces, or symbols for one square
                    8/8/8/8/8/8/8/*[Qé]
                                     ^"#]],
        );
        check_mistake(
            "8/8/8/8/8/8/8/*[QR/",
            &expect![[r#"
                the set of symbols is not closed with ]
                    8/8/8/8/8/8/8/*[QR/
                                   ^^^"#]],
        );
        check_mistake(
            "*/*/*/*/*/*/*/[]*",
            &expect![[r#"
                the set of symbols is empty
                    */*/*/*/*/*/*/[]*
                                  ^^"#]],
        );
        check_mistake(
            "*/*/*/*/*/*/*/[^?]*",
            &expect![[r#"
                nothing is left that could stand on this square
                    */*/*/*/*/*/*/[^?]*
                                  ^^^^"#]],
        );
        check_mistake(
            "*/*/*/*/*/*/*/*/*",
            &expect![[r#"
                there are 9 ranks, not 8
                    */*/*/*/*/*/*/*/*
                    ^^^^^^^^^^^^^^^^^"#]],
        );
        check_mistake(
            "*/*/*/*/*/*/*/* w KQkq -",
            &expect![[r#"
                only the board belongs here; `turn` chooses the side to move
                    */*/*/*/*/*/*/* w KQkq -
                                    ^^^^^^^^"#]],
        );
        check_mistake(
            "",
            &expect![
                "a board is written like that of a FEN: eight ranks with / between them, such as 8/8/8/8/8/8/PPP5/*"
            ],
        );
    }
}
