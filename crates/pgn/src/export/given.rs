//! Games as the texts in which programs in other languages give them.
//!
//! Each text begins with a letter that says what it is.

use std::fmt;

use crate::annotation::{CommentShape, with_shapes, with_words};
use crate::diagnostic::{Diagnostic, Kind};
use crate::export::exporter::Exporter;
use crate::export::game_writer::{GameTags, GameWriter};
use crate::export::options::ExportOptions;
use crate::replay::GameStart;
use crate::token::Outcome;

/// An error in a game that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenError {
    /// A move or the start of the game is wrong.
    Game(Diagnostic),
    /// Something else is wrong, which the text says.
    Argument(String),
}

impl GivenError {
    /// Returns the kind of the error in the game.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Game(error) => Some(error.kind),
            Self::Argument(_) => None,
        }
    }

    /// Returns the ply of a wrong move, from 1.
    pub fn ply(&self) -> Option<u32> {
        match self {
            Self::Game(error) => error.ply,
            Self::Argument(_) => None,
        }
    }
}

impl From<Diagnostic> for GivenError {
    fn from(error: Diagnostic) -> Self {
        Self::Game(error)
    }
}

impl From<String> for GivenError {
    fn from(text: String) -> Self {
        Self::Argument(text)
    }
}

impl fmt::Display for GivenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(text) => f.write_str(text),
            Self::Game(Diagnostic { ply, subject, reason, .. }) => {
                if let Some(ply) = ply {
                    write!(f, "ply {ply}: ")?;
                }
                if !subject.is_empty() {
                    write!(f, "{}: ", String::from_utf8_lossy(subject))?;
                }
                f.write_str(reason)
            }
        }
    }
}

impl std::error::Error for GivenError {}

/// Writes a game. The first texts are options, tags, the start and the result, in any order: `n`, the name of a tag or
/// an option, before its value `t` or `o`; `f`, the FEN of the start; `g`, the name of the game, such as `atomic`; `r`,
/// the result; `p`, a comment among the tags. The others are the events of the game: `m`, a move; `c`, a comment; `$`,
/// a glyph; `(` and `)`; `u`, the text behind an error. The tags FEN and Variant count where the start and the name are
/// not given.
///
/// # Errors
///
/// An option, a tag, the start, the result, a glyph or a move is wrong.
pub fn write_given<T: AsRef<str>>(texts: &[T]) -> Result<String, GivenError> {
    let (mut options, mut pairs, mut preface) = (ExportOptions::default(), Vec::new(), Vec::new());
    let (mut name, mut fen, mut game) = ("", None, None);
    let mut outcome = Outcome::Unknown;
    let mut rest = texts.iter().map(|text| kind_and_value(text.as_ref())).peekable();
    // The name of a tag or an option stands before its value.
    while let Some((kind, value)) = rest.next_if(|(kind, _)| b"ntofgrp".contains(kind)) {
        match kind {
            b'n' => name = value,
            b't' => pairs.push((name, value)),
            b'o' => options.set(name, value)?,
            b'f' => fen = Some(value),
            b'g' => game = Some(value),
            b'r' => {
                outcome = Outcome::from_ascii(value.as_bytes())
                    .ok_or_else(|| format!("result is '{value}', but must be one of 1-0, 0-1, 1/2-1/2, *"))?;
            }
            _ => preface.push(value),
        }
    }
    let tags = GameTags::new(pairs.iter().copied()).map_err(|error| error.to_string())?;
    let start = match (fen, game) {
        (Some(fen), Some(game)) => GameStart::of_fen(fen, game),
        (Some(fen), None) => {
            let tags =
                pairs.iter().copied().filter(|(name, _)| !name.eq_ignore_ascii_case("FEN")).chain([("FEN", fen)]);
            GameTags::new(tags).map_err(|error| error.to_string())?.start()
        }
        (None, Some(game)) => tags.start_of(game),
        (None, None) => tags.start(),
    };
    let exporter = Exporter::new(options);
    let mut writer = GameWriter::new(&exporter, start?);
    for (kind, value) in rest {
        match kind {
            b'm' => writer.play(value)?,
            b'c' => writer.comment(value),
            b'u' => writer.unread(value),
            b'$' => {
                let glyph = value.parse();
                writer.glyph(glyph.map_err(|_| format!("'{value}' is not a glyph, a number from 0 to 255"))?);
            }
            b'(' => writer.begin_variation(),
            _ => writer.end_variation(),
        }
    }
    let mut out = Vec::new();
    writer.end(&tags, &preface, outcome, &mut out);
    String::from_utf8(out).map_err(|error| error.to_string().into())
}

/// Returns comments (`c`) with other words (`w`) or, if `d` is given, with other arrows and circles (`s`: two squares
/// and a colour, such as `e2 e4 green`).
///
/// # Errors
///
/// A shape is wrong.
pub fn annotate_given<T: AsRef<str>>(texts: &[T]) -> Result<Vec<String>, GivenError> {
    let of = |kind: u8| texts.iter().map(|text| kind_and_value(text.as_ref())).filter(move |(other, _)| *other == kind);
    let mut comments: Vec<String> = of(b'c').map(|(_, comment)| comment.to_owned()).collect();
    for (_, words) in of(b'w') {
        comments = with_words(&comments, words);
    }
    if of(b'd').next().is_some() {
        let shape = |text: &str| {
            let mut parts = text.split(' ');
            let [from, to, color] = [(); 3].map(|()| parts.next().unwrap_or_default());
            CommentShape::named(from, to, color).ok_or_else(|| {
                format!("'{text}' is not a shape: two squares, and green, red, yellow or blue, as in e2 e4 green")
            })
        };
        let shapes: Vec<CommentShape> = of(b's').map(|(_, text)| shape(text)).collect::<Result<_, _>>()?;
        comments = with_shapes(&comments, &shapes);
    }
    Ok(comments)
}

fn kind_and_value(text: &str) -> (u8, &str) {
    let kind = text.bytes().next().unwrap_or_default();
    (kind, text.get(1..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{annotate_given, write_given};
    use crate::diagnostic::Kind;

    #[test]
    fn a_game_is_written_from_its_texts() {
        let texts =
            ["nwidth", "o0", "nkeep_tags", "onone", "nWhite", "ta", "r1-0", "me4", "$1", "ca", "(", "md4", ")", "me5"];
        assert_eq!(write_given(&texts).unwrap(), "1. e4 $1 {a} (1. d4) 1... e5 1-0\n\n");
    }

    #[test]
    fn the_name_of_the_game_counts_without_a_start() {
        let none = ["nkeep_tags", "onone"];
        let written = |texts: &[&str]| write_given(&[&none, texts].concat()).unwrap();
        let fen = "f4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        assert_eq!(written(&["gchess960", "me4"]), "[Variant \"Chess960\"]\n\n1. e4 *\n\n");
        assert_eq!(written(&["fstartpos", "gstandard", "me4"]), written(&["fstartpos", "me4"]));
        assert_eq!(written(&["nFEN", fen.replacen('f', "t", 1).as_str(), "gstandard", "me4"]), written(&[fen, "me4"]));
    }

    #[test]
    fn wrong_texts_are_errors() {
        for (texts, expected) in [
            (&["me4", "me4"][..], "ply 2: e4: e4 is occupied by a white pawn"),
            (&["nwidth", "ox"], "width is 'x', but must be a number of characters"),
            (&["r2-0"], "result is '2-0', but must be one of 1-0, 0-1, 1/2-1/2, *"),
            (&["$300"], "'300' is not a glyph, a number from 0 to 255"),
            (&["f8/8 w", "gatomic"], "8/8 w: "),
            (&["gfoo", "me4"], "foo: the games that are played are standard, chess960"),
            (&["g", "me4"], "the games that are played are standard, chess960"),
        ] {
            let error = write_given(texts).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn comments_change() {
        assert_eq!(annotate_given(&["ca [%csl Ra1]", "wb", "d", "se2 e4 blue"]).unwrap(), ["b", "[%cal Be2e4]"]);
        assert_eq!(annotate_given(&["ca [%csl Ra1]", "d"]).unwrap(), ["a"]);
        assert!(annotate_given(&["d", "se2 e9 blue"]).is_err());
    }

    #[test]
    fn an_error_in_a_move_has_its_kind_and_its_ply() {
        let facts = |texts: &[&str]| {
            let error = write_given(texts).unwrap_err();
            (error.kind(), error.ply())
        };
        assert_eq!(facts(&["me4", "me4"]), (Some(Kind::IllegalMove), Some(2)));
        assert_eq!(facts(&["f8/8 w", "me4"]), (Some(Kind::BadFen), None));
        assert_eq!(facts(&["r2-0"]), (None, None));
    }

    #[test]
    fn a_start_keeps_the_game_that_the_tags_name() {
        let written = write_given(&["nVariant", "tAtomic", "fstartpos", "me4", "md5", "mexd5", "mNf6"]).unwrap();
        assert!(written.contains("[Variant \"Atomic\"]") && written.ends_with("2. exd5 Nf6 *\n\n"), "{written}");
    }

    #[test]
    fn text_that_was_not_read_and_variations_may_be_written() {
        let none = ["nkeep_tags", "onone"];
        let written = |texts: &[&str]| write_given(&[&none, texts].concat()).unwrap();
        assert_eq!(written(&["me4", "uKe6 {[%eval 1]}"]), "1. e4 {Ke6 ((%eval 1))} *\n\n");
        assert_eq!(
            written(&["nvariations", "ofalse", "me4", "(", "md4", "(", "mc4", ")", ")", "me5"]),
            "1. e4 e5 *\n\n"
        );
        // More ends than variations.
        assert_eq!(written(&["me4", "(", "md4", ")", ")", "me5"]), "1. e4 (1. d4) 1... e5 *\n\n");
    }
}
