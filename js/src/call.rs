//! The functions that JavaScript calls, by their names.

use std::cell::RefCell;

use pgn2fen_games::messages::summary;
use pgn2fen_games::walk::Count;

use crate::failure::Failure;
use crate::position;
use crate::reader::Reader;

/// What a call leaves.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) bytes: Vec<u8>,
}

/// An error is written as its text, and its code with its ply.
impl From<Failure> for Answer {
    fn from(Failure { code, ply, text }: Failure) -> Self {
        let ply = ply.map_or_else(String::new, |ply| ply.to_string());
        Self { text, bytes: format!("{code} {ply}").into_bytes() }
    }
}

impl From<Vec<u8>> for Answer {
    fn from(bytes: Vec<u8>) -> Self {
        Self { text: String::new(), bytes }
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Self {
        Self { text, bytes: Vec::new() }
    }
}

thread_local! {
    /// The texts in memory whose games are read.
    static READER: RefCell<Reader> = RefCell::default();
}

/// Calls a function with texts, of which the first is its name.
///
/// # Errors
///
/// The message of what is wrong with the arguments or the input.
pub(crate) fn call(texts: &[&str], bytes: Vec<u8>) -> Result<Answer, Failure> {
    Ok(match *texts {
        ["position", text, lang, variant] => position::typed(text, lang, variant)?.into(),
        ["line", text, lang] => position::typed_line(text, lang)?.into(),
        ["index_key", kept] => position::index_key(kept)?.into(),
        ["fen", kept, ep, castling, fields, style] => position::write_fen(kept, [ep, castling, fields, style])?.into(),
        ["describe", kept] => position::describe(kept)?.into(),
        ["legal", kept] => position::legal(kept)?.into(),
        ["play", kept, lang, ref moves @ ..] => position::play(kept, lang, moves)?.into(),
        ["san", kept, lang, played] => position::to_san(kept, lang, played)?.into(),
        ["uci", kept, lang, played] => position::to_uci(kept, lang, played)?.into(),
        ["draw", form, text, ref options @ ..] => position::draw(text, form, options)?.into(),
        ["pieces"] => pgn2fen_board::pieces().to_owned().into(),
        ["read", name, lang, setup, evals] => {
            READER.with_borrow_mut(|reader| reader.begin(bytes, name, [lang, setup, evals]))?.into()
        }
        ["games", text, count] => READER.with_borrow_mut(|reader| reader.games(number(text)?, number(count)?))?.into(),
        ["close", text] => {
            let text = number(text)?;
            READER.with_borrow_mut(|reader| reader.close(text)).into()
        }
        ["summary", games, wanted, positions, errors, warnings] => {
            let count = Count { games: number(games)?, wanted: number(wanted)?, positions: number(positions)? };
            summary(count, number(errors)?, number(warnings)?).into()
        }
        // For tests of what happens then.
        ["panic", text] => std::panic::panic_any(text.to_owned()),
        #[cfg(feature = "full")]
        ["write", ref texts @ ..] => crate::writing::write(texts)?.into(),
        #[cfg(feature = "full")]
        ["annotate", ref texts @ ..] => crate::writing::annotate(texts)?.into(),
        #[cfg(feature = "full")]
        _ => crate::kept::call(texts, bytes)?,
        #[cfg(not(feature = "full"))]
        _ => return Err(format!("there is no function {:?}", texts[0]).into()),
    })
}

pub(crate) fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is not such a number"))
}
