//! Moves in a text of words: a sentence, a message, a post of a forum.

use std::ops::Range;

use crate::parse_error::ParseError;
use crate::typed::Asked;
use crate::typed::played::{Around, SKIPPED, TypedPosition, TypedStart, first_pair, play};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_pgn::games::{Game, Games};
use pgn2fen_pgn::lists::board::boards;
use pgn2fen_pgn::replay::{self, ReplayOptions};
use pgn2fen_pgn::symbol::is_move_shaped;
use pgn2fen_pgn::tags::Tags;

/// The least number of letters of a word that stands alone behind moves. Shorter ones may be a part of a move.
const LEAST_LETTERS: usize = 3;

/// Plays the moves from the first one, `1. e4`, up to the words behind them. None if there are no words around moves,
/// if there are several games, or if a board stands before the moves, from which they may be played, or tags of a game
/// of other rules.
pub(super) fn play_among_words(text: &str, asked: Asked<'_>) -> Option<Result<TypedPosition, ParseError>> {
    let start = first_move(text)?;
    let end = words_behind(text, start).unwrap_or(text.len());
    let bytes = text.as_bytes();
    let rules = asked.rules_of_array();
    let is_of_others = first_pair(text, 0..start).is_some_and(|at| !is_of(bytes, at, rules));
    if is_of_others || boards(&bytes[..start]).next().is_some() {
        return None;
    }
    if Games::new(&bytes[start..]).nth(1).is_some() || Games::new(bytes).filter(has_move).nth(1).is_some() {
        return None;
    }
    let has_words = |part: &str| part.split_whitespace().any(|word| is_word(word) || is_markup(word));
    if end == text.len() && !has_words(&text[..start]) {
        return None;
    }
    let position = TypedStart::of(Position::start(rules), false, vec![SKIPPED.to_owned()]);
    Some(play(text, start..end, position, (asked, Around::Refused)))
}

/// Whether the tags at an offset give the start of a game of these rules.
fn is_of(text: &[u8], at: usize, rules: Rules) -> bool {
    let options = ReplayOptions::default();
    let start = replay::start(&Tags::read(text, at), 0, &options, &mut Vec::new());
    start.is_ok_and(|start| start.position.rules() == rules)
}

/// Whether a game has a move. Words on a line that begins with a number may look like a game that has none.
fn has_move(game: &Game<'_>) -> bool {
    game.replay().is_ok_and(|replay| replay.next_move().is_some())
}

/// Returns the offset of the number of the first move: a 1, one period, and the first letter of a move.
pub(super) fn first_move(text: &str) -> Option<usize> {
    text.match_indices("1.").map(|(at, _)| at).find(|at| {
        let is_number = |char: char| char.is_alphanumeric() || ".,/-".contains(char);
        let follows = text[at + 2..].trim_start().starts_with(|char: char| char.is_alphabetic() || !char.is_ascii());
        follows && !text[..*at].ends_with(is_number)
    })
}

/// Returns the offset of the first word that is no part of the moves from an offset on.
fn words_behind(text: &str, start: usize) -> Option<usize> {
    let mut open = 0_usize;
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut at = start;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let byte = bytes[at];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}()".contains(byte);
        match byte {
            b'{' => at += memchr::memchr(b'}', &bytes[at..])? + 1,
            // The moves stand in parentheses themselves.
            b')' if open == 0 => {
                let next = text[at + 1..].split_whitespace().next();
                return Some(at).filter(|_| !next.is_some_and(goes_on));
            }
            b'(' => (open, at) = (open + 1, at + 1),
            b')' => (open, at) = (open - 1, at + 1),
            _ if ends(&byte) => at += 1,
            _ => {
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                if open == 0 {
                    words.push(at..at + length);
                }
                at += length;
            }
        }
    }
    let is_followed_by_moves = |nth: usize| words.get(nth + 1).is_some_and(|next| goes_on(&text[next.clone()]));
    let begins = |nth: usize, word: &str| {
        let has_length =
            words.len() > nth + 1 || word.chars().filter(|char| char.is_alphabetic()).count() >= LEAST_LETTERS;
        is_word(word) && has_length && !is_followed_by_moves(nth)
    };
    words.iter().enumerate().find_map(|(nth, place)| {
        let word = &text[place.clone()];
        let markup = word.find("[/").or_else(|| word.find("</")).map(|at| place.start + at);
        markup.or_else(|| begins(nth, word).then_some(place.start))
    })
}

/// Whether moves go on with a word: a move, or its number.
fn goes_on(word: &str) -> bool {
    let word = word.trim_matches(is_mark);
    word.starts_with(|char: char| char.is_ascii_digit()) || is_move_shaped(word.as_bytes())
}

/// Whether a character stands at an end of a word and does not belong to it.
fn is_mark(char: char) -> bool {
    ".,:;!?\"'“”„‘’*_".contains(char)
}

/// Whether something is a word of a language. A single letter is none, except for `I`.
fn is_word(word: &str) -> bool {
    let word = word.trim_matches(is_mark);
    let is_letter = |char: char| char.is_alphabetic() || char == '\'' || char == '’';
    word == "I" || (word.chars().nth(1).is_some() && word.chars().all(is_letter))
}

/// Whether something is a mark of a forum or a web page: `[pgn]`, `<pre>`.
fn is_markup(word: &str) -> bool {
    word.ends_with([']', '>']) && word.starts_with(['[', '<'])
}
