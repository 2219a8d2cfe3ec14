//! Games that JavaScript has made or changed, as PGN.
//!
//! A game comes as a list of texts, each of which begins with a letter that says what it is.

use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::export::{ExportOptions, Exporter, GameTags, GameWriter};
use pgn2fen_games::pgn::annotation::{CommentShape, with_shapes, with_words};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::GameStart;

use crate::call::Failure;
use crate::position::json;

/// Writes a game. The first texts are options, tags, the start and the result, in any order, and the others are the
/// events of the game.
pub(crate) fn write(texts: &[&str]) -> Result<String, Failure> {
    let (mut options, mut pairs, mut preface) = (ExportOptions::default(), Vec::new(), Vec::new());
    let (mut name, mut fen, mut game) = ("", None, "");
    let mut outcome = Outcome::Unknown;
    let mut rest = texts.iter().map(|text| kind_and_value(text)).peekable();
    // The name of a tag or an option stands before its value.
    while let Some((kind, value)) = rest.next_if(|(kind, _)| b"ntofgrp".contains(kind)) {
        match kind {
            b'n' => name = value,
            b't' => pairs.push((name, value)),
            b'o' => options.set(name, value)?,
            b'f' => fen = Some(value),
            b'g' => game = value,
            b'r' => {
                outcome = Outcome::from_ascii(value.as_bytes())
                    .ok_or_else(|| format!("result is '{value}', but must be one of 1-0, 0-1, 1/2-1/2, *"))?;
            }
            _ => preface.push(value),
        }
    }
    let tags = GameTags::new(pairs.iter().copied()).map_err(|error| error.to_string())?;
    let start = match fen {
        Some(fen) if game.is_empty() => {
            let tags =
                pairs.iter().copied().filter(|(name, _)| !name.eq_ignore_ascii_case("FEN")).chain([("FEN", fen)]);
            GameTags::new(tags).map_err(|error| error.to_string())?.start()
        }
        Some(fen) => GameStart::of_fen(fen, game),
        None => tags.start(),
    };
    let exporter = Exporter::new(options);
    let mut writer = GameWriter::new(&exporter, start.map_err(|error| Failure::from(&error))?);
    for (kind, value) in rest {
        match kind {
            b'm' => writer.play(value).map_err(|error| Failure::from(&error))?,
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

/// Returns comments with other words (`w`) or other arrows and circles (`s`, a text of squares and a colour for each;
/// `d` alone if none is left), as JSON.
pub(crate) fn annotate(texts: &[&str]) -> Result<String, Failure> {
    let of = |kind: u8| texts.iter().map(|text| kind_and_value(text)).filter(move |(other, _)| *other == kind);
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
    Ok(json(&comments)?)
}

fn kind_and_value(text: &str) -> (u8, &str) {
    let kind = text.bytes().next().unwrap_or_default();
    (kind, text.get(1..).unwrap_or_default())
}

impl From<&Diagnostic> for Failure {
    fn from(error: &Diagnostic) -> Self {
        let place = error.ply.map_or_else(String::new, |ply| format!("ply {ply}: "));
        let subject = String::from_utf8_lossy(&error.subject);
        let separator = if subject.is_empty() { "" } else { ": " };
        Self { code: error.kind.as_str(), ply: error.ply, text: format!("{place}{subject}{separator}{}", error.reason) }
    }
}
