//! The grammar of all accepted spellings of a move. Parsing does not depend on the position.

use std::str;

use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_while, take_while1};
use nom::character::complete::{anychar, char, one_of};
use nom::combinator::{all_consuming, map_opt, opt, value};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

use crate::castling::CastlingSide;
use crate::piece::Role;
use crate::san::letters::Letters;
use crate::san::repair::{SanRepair, SanRepairs};
use crate::square::{File, Rank, Square};
use crate::white_space::wide_blank;

/// A move as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    Null,
    Castling(CastlingSide),
    /// A man is dropped on a square.
    Drop(Role, Square),
    Man(Man),
}

/// The content of a written move other than castling and null moves; unknown parts are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Man {
    /// The moving role; `None` if the symbol does not name it and any piece on the origin square may move.
    pub(super) role: Option<Role>,
    pub(super) from_file: Option<File>,
    pub(super) from_rank: Option<Rank>,
    pub(super) mark: Option<Mark>,
    pub(super) to_file: File,
    /// The target rank; `None` in a pawn capture that names only the files.
    pub(super) to_rank: Option<Rank>,
    pub(super) promotion: Option<Role>,
    pub(super) en_passant: bool,
}

/// A sign between the origin and the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Dash,
    Cross,
}

/// The letter case that the parser accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    /// Piece letters must be upper case and file letters lower case.
    Exact,
    /// Any letter may be in either case. A letter that can be a piece is read as a piece.
    Any,
}

/// A value, and the deviations of its spelling from SAN.
pub(super) type Odd<T> = (T, SanRepairs);

/// Parses a whole symbol; returns `None` if it does not fit the grammar or needs more than one guess.
pub(super) fn read(symbol: &[u8], letters: Letters, case: Case) -> Option<Odd<Spelling>> {
    let glyphs = Glyphs { letters, case };
    let mut spelling = alt((
        all_consuming(null_move),
        all_consuming(castling),
        all_consuming(numeric),
        all_consuming(|input| glyphs.drop(input)),
        all_consuming(|input| glyphs.squares_in_any_case(input)),
        all_consuming(|input| glyphs.piece_move(input)),
        all_consuming(|input| glyphs.pawn_move(input)),
    ));
    let (_, (spelling, overlooked)) = spelling.parse(symbol).ok()?;
    (overlooked.guesses() <= 1).then_some((spelling, overlooked))
}

type Parsed<'a, T> = IResult<&'a [u8], T, ()>;

/// `<null move> ::= -- | Z0 | 0000 | @@@@ | null | pass`. SAN has no null move.
fn null_move(input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
    let passing = alt((tag("--"), tag("Z0"), tag("0000"), tag("@@@@"), tag("null"), tag("pass")));
    value((Spelling::Null, SanRepairs::NOTHING), passing).parse(input)
}

/// `<castling> ::= O - O [ - O ] <check marks>` (§8.2.3.3). The letter may be a zero, and there may be blanks or
/// periods between the parts. The dashes may be missing, either all of them or the last one, if there is a blank.
fn castling(input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
    let last = alt((castling_step, value(false, (take_while1(|byte| matches!(byte, b' ' | b'\t')), castling_o))));
    let dashed = (castling_o, castling_step, opt(last)).map(|(first, second, third)| {
        let side = if third.is_some() { CastlingSide::Queen } else { CastlingSide::King };
        (side, first && second && third.unwrap_or(true))
    });
    let long = alt((tag("000"), tag("0.0.0"), tag("0,0,0")));
    let short = alt((tag("00"), tag("0.0"), tag("0,0")));
    let zeros = alt((value((CastlingSide::Queen, false), long), value((CastlingSide::King, false), short)));
    let bare_o = || preceded(castling_blanks, one_of("Oo"));
    let letters = (one_of("Oo"), bare_o(), opt(bare_o()))
        .map(|(_, _, third)| (if third.is_some() { CastlingSide::Queen } else { CastlingSide::King }, false));
    let (input, ((side, is_canonical), _)) = (alt((dashed, zeros, letters)), check_marks).parse(input)?;
    Ok((input, (Spelling::Castling(side), SanRepairs::when(!is_canonical, SanRepair::Castling))))
}

/// Whether the `O` is a capital letter.
fn castling_o(input: &[u8]) -> Parsed<'_, bool> {
    alt((value(true, char('O')), value(false, char('o')), value(false, char('0')))).parse(input)
}

/// Whether the dash and the `O` have their standard form.
fn castling_step(input: &[u8]) -> Parsed<'_, bool> {
    (castling_blanks, dash, castling_blanks, castling_o)
        .map(|(before, (_, odd), behind, o)| odd == SanRepairs::NOTHING && o && before.is_empty() && behind.is_empty())
        .parse(input)
}

/// White space of every kind, periods and commas.
fn castling_blanks(input: &[u8]) -> Parsed<'_, &[u8]> {
    let mut end = 0;
    while let Some(byte) = input.get(end) {
        end += match byte {
            b' ' | b'\t'..=b'\r' | b'\0' | b'\x1A' | b'.' | b',' => 1,
            _ => match wide_blank(&input[end..]) {
                0 => break,
                width => width,
            },
        };
    }
    Ok((&input[end..], &input[..end]))
}

/// `<numeric move> ::= <square> [ - ] <square> [ <promotion> ] <check marks>`, the notation of correspondence chess:
/// files are numbered like ranks, and pieces are 1 to 4.
fn numeric(input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
    let square = || (map_opt(anychar, file_number), rank);
    let piece = map_opt(anychar, |digit| match digit {
        '1' => Some(Role::Queen),
        '2' => Some(Role::Rook),
        '3' => Some(Role::Bishop),
        '4' => Some(Role::Knight),
        _ => None,
    });
    let (input, ((from_file, from_rank), _, (to_file, to_rank), promotion, _)) =
        (square(), opt(char('-')), square(), opt(piece), check_marks).parse(input)?;
    let man = Man {
        role: None,
        from_file: Some(from_file),
        from_rank: Some(from_rank),
        mark: None,
        to_file,
        to_rank: Some(to_rank),
        promotion,
        en_passant: false,
    };
    Ok((input, (Spelling::Man(man), SanRepairs::only(SanRepair::Numeric))))
}

fn file_number(digit: char) -> Option<File> {
    File::ALL.get(usize::try_from(digit.to_digit(10)?.checked_sub(1)?).ok()?).copied()
}

/// The parsers for the letters of one language in the accepted case.
#[derive(Clone, Copy)]
struct Glyphs {
    letters: Letters,
    case: Case,
}

impl Glyphs {
    /// `<piece move> ::= <role> <way> <dress>`; the role may be the pawn.
    fn piece_move(self, input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
        let (input, (role, odd_role)) = self.role(input)?;
        let (input, way) = self.way(input)?;
        let (input, dress) = self.dress(input)?;
        let odd_role = odd_role.and(SanRepairs::when(role == Role::Pawn, SanRepair::PawnLetter));
        finish(input, way.of_role(role), dress, odd_role)
    }

    /// `<drop> ::= [ <role> ] @ <square> <check marks>`, as in crazyhouse. A drop without a role is that of a pawn.
    fn drop(self, input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
        let (input, role) = opt(|input| self.role(input)).parse(input)?;
        let (input, (_, (file, odd_file), rank, _)) =
            (char('@'), |input| self.file(input), rank, check_marks).parse(input)?;
        let (role, odd_role) = role.unwrap_or((Role::Pawn, SanRepairs::NOTHING));
        Ok((input, (Spelling::Drop(role, Square::new(file, rank)), odd_role.and(odd_file))))
    }

    /// Two squares in letters of any case, such as `B1C3`. This rule is tried before the first letter is read as a
    /// piece, as for lower-case letters.
    fn squares_in_any_case(self, input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
        match self.way(input) {
            Ok((_, way)) if self.case == Case::Any && way.from.is_square() && way.to.is_square() => {
                self.pawn_move(input)
            }
            _ => Err(nom::Err::Error(())),
        }
    }

    /// `<pawn move> ::= <way> <dress>`; if the way has two squares, the moving piece need not be a pawn.
    fn pawn_move(self, input: &[u8]) -> Parsed<'_, Odd<Spelling>> {
        let (input, way) = self.way(input)?;
        let (input, dress) = self.dress(input)?;
        finish(input, way.of_unnamed(), dress, SanRepairs::NOTHING)
    }

    /// `<way> ::= <place> [ <mark> ] <place> [ : ]`; a single place is the target. A colon behind the target is a
    /// capture sign, as in the German `ed5:`.
    fn way(self, input: &[u8]) -> Parsed<'_, Way> {
        let (input, first) = self.place(input)?;
        let (input, mark) = opt(alt((dash, cross))).parse(input)?;
        let (input, second) = self.place(input)?;
        // Behind a single place it has been read.
        let (input, behind) = if mark.is_none() { opt(colon).parse(input)? } else { (input, None) };
        let is_single = second.is_nowhere() && mark.is_none_or(|(_, odd)| odd.has(SanRepair::CaptureMark));
        let (mark, odd_mark) = apart(mark.or(behind));
        let odd = first.odd.and(odd_mark).and(second.odd);
        let (from, to) = if is_single { (second, first) } else { (first, second) };
        Ok((input, Way { from, mark, to, odd }))
    }

    /// `<place> ::= [ <file> ] [ <rank> ]`.
    fn place(self, input: &[u8]) -> Parsed<'_, Origin> {
        let (input, file) = opt(|input| self.file(input)).parse(input)?;
        let (input, rank) = opt(rank).parse(input)?;
        let (file, odd) = apart(file);
        Ok((input, Origin { file, rank, odd }))
    }

    fn file(self, input: &[u8]) -> Parsed<'_, Odd<File>> {
        map_opt(anychar, |letter| match self.case {
            Case::Any if letter.is_ascii_uppercase() => {
                Some((File::from_char(letter.to_ascii_lowercase())?, SanRepairs::only(SanRepair::LetterCase)))
            }
            _ => Some((File::from_char(letter)?, SanRepairs::NOTHING)),
        })
        .parse(input)
    }

    /// `<dress> ::= [ <promotion> ] [ <en passant mark> ] <check marks> [ <en passant mark> ]`, the text after the
    /// target square.
    fn dress(self, input: &[u8]) -> Parsed<'_, Dress> {
        let (input, promotion) = opt(|input| self.promotion(input)).parse(input)?;
        let (input, before) = opt(en_passant_mark).parse(input)?;
        let (input, _) = check_marks(input)?;
        let (input, after) = opt(en_passant_mark).parse(input)?;
        let (promotion, odd) = apart(promotion);
        Ok((input, Dress { promotion, en_passant: before.or(after).is_some(), odd }))
    }

    /// `<promotion> ::= = <role> | / <role> | <role> | ( [ = ] <role> )`; §8.2.3.3 has only the first.
    fn promotion(self, input: &[u8]) -> Parsed<'_, Odd<Role>> {
        let role = |input| Self { case: Case::Any, ..self }.role(input);
        // A promotion piece cannot be mistaken for a file, so a lower-case letter is a form and no guess.
        let canonical = preceded(char('='), role).map(|(role, odd)| match odd.has(SanRepair::LetterCase) {
            true => (role, SanRepairs::only(SanRepair::Promotion)),
            false => (role, odd),
        });
        let bare = preceded(opt(char('/')), role);
        let bracketed = delimited(char('('), preceded(opt(char('=')), role), char(')'));
        let odd = alt((bare, bracketed)).map(|(role, _)| (role, SanRepairs::only(SanRepair::Promotion)));
        alt((canonical, odd)).parse(input)
    }

    fn role(self, input: &[u8]) -> Parsed<'_, Odd<Role>> {
        alt((figurine, |input| self.letter(input))).parse(input)
    }

    fn letter(self, input: &[u8]) -> Parsed<'_, Odd<Role>> {
        // The king comes first: its Russian spelling has two letters, of which the first is the knight's.
        for role in Role::ALL.into_iter().rev() {
            if let Some(rest) = input.strip_prefix(self.letters.spelling(role).as_bytes()) {
                return Ok((rest, (role, SanRepairs::NOTHING)));
            }
        }
        let [byte, rest @ ..] = input else {
            return Err(nom::Err::Error(()));
        };
        if let Some(role) = self.letters.piece(*byte) {
            return Ok((rest, (role, SanRepairs::NOTHING)));
        }
        if self.case == Case::Any {
            for role in Role::ALL.into_iter().rev() {
                // A lower-case file letter is never a pawn letter: in German, `bxc3` must not match captures by every
                // pawn.
                if (role != Role::Pawn || !matches!(byte, b'a'..=b'h'))
                    && let Some(rest) = strip_in_any_case(input, self.letters.spelling(role))
                {
                    return Ok((rest, (role, SanRepairs::only(SanRepair::LetterCase))));
                }
            }
            if let Some(role) = self.letters.piece(byte.to_ascii_uppercase()) {
                return Ok((rest, (role, SanRepairs::only(SanRepair::LetterCase))));
            }
        }
        Err(nom::Err::Error(()))
    }
}

/// Returns the text after `prefix`, compared without regard to case; `None` if the text does not begin with it.
fn strip_in_any_case<'a>(input: &'a [u8], prefix: &str) -> Option<&'a [u8]> {
    let (head, rest) = input.split_at_checked(prefix.len())?;
    let lower = |text: &str| text.to_lowercase();
    (lower(str::from_utf8(head).ok()?) == lower(prefix)).then_some(rest)
}

/// A figurine, ♔ to ♙ or ♚ to ♟, with an optional variation selector.
fn figurine(input: &[u8]) -> Parsed<'_, Odd<Role>> {
    const ROLES: [Role; 6] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let [0xe2, 0x99, last @ 0x94..=0x9f, rest @ ..] = input else {
        return Err(nom::Err::Error(()));
    };
    let role = ROLES[usize::from(last - 0x94) % 6];
    let (rest, _) = opt(alt((tag("\u{fe0e}"), tag("\u{fe0f}")))).parse(rest)?;
    Ok((rest, (role, SanRepairs::only(SanRepair::Figurine))))
}

fn rank(input: &[u8]) -> Parsed<'_, Rank> {
    map_opt(anychar, Rank::from_char).parse(input)
}

/// `-`, or a Unicode dash: U+2010 to U+2015, or the minus sign.
fn dash(input: &[u8]) -> Parsed<'_, Odd<Mark>> {
    let (rest, odd) = match input {
        [b'-', rest @ ..] => (rest, SanRepairs::NOTHING),
        [0xe2, 0x80, 0x90..=0x95, rest @ ..] | [0xe2, 0x88, 0x92, rest @ ..] => {
            (rest, SanRepairs::only(SanRepair::Dash))
        }
        _ => return Err(nom::Err::Error(())),
    };
    Ok((rest, (Mark::Dash, odd)))
}

/// The capture sign: `x`, or a sign used in its place.
fn cross(input: &[u8]) -> Parsed<'_, Odd<Mark>> {
    alt((
        value((Mark::Cross, SanRepairs::NOTHING), tag("x")),
        value((Mark::Cross, SanRepairs::only(SanRepair::LetterCase)), tag("X")),
        colon,
    ))
    .parse(input)
}

/// A colon or a sign of multiplication as the capture sign.
fn colon(input: &[u8]) -> Parsed<'_, Odd<Mark>> {
    value((Mark::Cross, SanRepairs::only(SanRepair::CaptureMark)), alt((tag(":"), tag("×")))).parse(input)
}

/// `<check marks> ::= { + | # }`; a reader ignores them (§8.2.3.5).
fn check_marks(input: &[u8]) -> Parsed<'_, &[u8]> {
    take_while(|byte| byte == b'+' || byte == b'#').parse(input)
}

/// `<en passant mark> ::= [ / ] ( e.p. | ep )`.
fn en_passant_mark(input: &[u8]) -> Parsed<'_, &[u8]> {
    let mark = alt((tag_no_case("e.p."), tag_no_case("e.p"), tag_no_case("ep."), tag_no_case("ep")));
    preceded(opt(char('/')), mark).parse(input)
}

/// A square of which the file or the rank may be missing.
#[derive(Clone, Copy)]
struct Origin {
    file: Option<File>,
    rank: Option<Rank>,
    odd: SanRepairs,
}

impl Origin {
    fn is_nowhere(self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    fn is_square(self) -> bool {
        self.file.is_some() && self.rank.is_some()
    }
}

/// The origin, the sign and the target of a move.
#[derive(Clone, Copy)]
struct Way {
    from: Origin,
    mark: Option<Mark>,
    to: Origin,
    odd: SanRepairs,
}

impl Way {
    /// Returns the move with this role, or `None` if the parts do not make a move.
    fn of_role(self, role: Role) -> Option<Odd<Man>> {
        match role {
            Role::Pawn => self.of_pawn(),
            _ => {
                self.to.rank?;
                // A dash between two squares is long algebraic notation, which only adds information to SAN.
                let dash = self.mark == Some(Mark::Dash) && !self.from.is_square();
                self.man(Some(role), SanRepairs::when(dash, SanRepair::Dash))
            }
        }
    }

    /// Returns the move of a symbol without a piece letter, or `None` if the parts do not make a move.
    fn of_unnamed(self) -> Option<Odd<Man>> {
        if self.from.is_square() && self.to.is_square() {
            self.man(None, SanRepairs::NOTHING)
        } else if self.mark.is_some() && self.from.is_nowhere() {
            None
        } else {
            self.of_pawn()
        }
    }

    fn of_pawn(self) -> Option<Odd<Man>> {
        let (from, to) = (self.from, self.to);
        let repair = match (from.file, from.rank, to.rank) {
            (None, None, Some(_)) if self.mark != Some(Mark::Dash) => SanRepairs::NOTHING,
            // A pawn capture. A pawn that goes straight has only the file of its target. Both files must be in the same
            // case, so that `Fxe5` with the French bishop letter is not read as a pawn capture.
            (Some(file), None, _) if Some(file) != to.file && from.odd == to.odd && self.mark != Some(Mark::Dash) => {
                match (self.mark, to.rank) {
                    (_, None) => SanRepairs::only(SanRepair::ShortCapture),
                    (None, Some(_)) => SanRepairs::only(SanRepair::CaptureMark),
                    _ => SanRepairs::NOTHING,
                }
            }
            (Some(_), Some(_), Some(_)) => SanRepairs::only(SanRepair::PawnCoordinates),
            _ => return None,
        };
        self.man(Some(Role::Pawn), repair)
    }

    fn man(self, role: Option<Role>, repair: SanRepairs) -> Option<Odd<Man>> {
        let Self { from, mark, to, odd } = self;
        let man = Man {
            role,
            from_file: from.file,
            from_rank: from.rank,
            mark,
            to_file: to.file?,
            to_rank: to.rank,
            promotion: None,
            en_passant: false,
        };
        Some((man, odd.and(repair)))
    }
}

/// The text after the target square.
#[derive(Clone, Copy)]
struct Dress {
    promotion: Option<Role>,
    en_passant: bool,
    odd: SanRepairs,
}

/// Returns the whole move, if the parts before it make a valid move.
fn finish(input: &[u8], way: Option<Odd<Man>>, dress: Dress, odd_role: SanRepairs) -> Parsed<'_, Odd<Spelling>> {
    let Some((man, odd_way)) = way else {
        return Err(nom::Err::Error(()));
    };
    let Dress { promotion, en_passant, odd } = dress;
    let mark = SanRepairs::when(en_passant, SanRepair::EnPassantMark);
    let man = Man { promotion, en_passant, ..man };
    Ok((input, (Spelling::Man(man), odd_role.and(odd_way).and(odd).and(mark))))
}

/// Splits an optional value from its deviations.
fn apart<T>(odd: Option<Odd<T>>) -> (Option<T>, SanRepairs) {
    odd.map_or((None, SanRepairs::NOTHING), |(value, odd)| (Some(value), odd))
}
