//! Plays typed moves and pasted games to their end, and refuses any text after that.

use std::ops::Range;

use crate::parse_error::ParseError;
use crate::typed::{Asked, told};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_pgn::diagnostic::Kind;
use pgn2fen_pgn::games::{Chunk, Next, next_game};
use pgn2fen_pgn::lexical::{is_blank, line_end};
use pgn2fen_pgn::movetext::{Ending, Movetext};
use pgn2fen_pgn::replay::{ReplayOptions, VariantPolicy, start, symbol};
use pgn2fen_pgn::symbol::is_stray;
use pgn2fen_pgn::tags::Tags;
use pgn2fen_pgn::token::Token;

/// The message for a text that names no position.
pub(super) const NO_POSITION: &str = "not a position; give a FEN, startpos, or moves such as 1. e4 c5";

/// A position that was typed, and the repairs and warnings that its text needed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypedPosition {
    /// The position.
    pub position: Position,
    /// The position from which the moves of the text were played; the position itself if there are none.
    pub start: Position,
    /// The moves of the text, which lead from `start` to `position`.
    pub moves: Vec<Move>,
    /// The rules by which the game castles: those of the tags, or those that the starting position shows. They decide
    /// how the text would write castling in UCI notation.
    pub castling_rules: CastlingRules,
    /// The repairs and warnings, such as a dropped castling right, separated by `; `; `None` if there are none.
    pub repair: Option<String>,
}

/// Returns the offset of the first tag of a pasted game, or `None` if the text has no tags. White space and comments
/// may come first.
pub(super) fn tag_section(text: &str, place: Range<usize>) -> Option<usize> {
    let bytes = &text.as_bytes()[..place.end];
    let mut at = place.start;
    loop {
        match *bytes.get(at)? {
            // A number in brackets, or a text of JSON, is no tag.
            b'[' if bytes.get(at + 1).is_some_and(|next| next.is_ascii_digit() || *next == b'"') => return None,
            b'[' => return Some(at),
            b'{' => at += memchr::memchr(b'}', &bytes[at..])? + 1,
            b';' => at = line_end(bytes, at),
            byte if is_blank(byte) => at += 1,
            _ => return None,
        }
    }
}

/// What is done with text that is no part of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// It is a mistake.
    Refused,
    /// It is skipped and told, as in a file. Another game is a mistake still.
    Skipped,
}

/// The note about text that was skipped.
pub(super) const SKIPPED: &str = "text around the game is skipped";

/// Returns the offset of the first tag pair, wherever it stands in a text.
pub(super) fn first_pair(text: &str, place: Range<usize>) -> Option<usize> {
    let bytes = &text.as_bytes()[..place.end];
    let is_pair = |at: usize| {
        let name = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        name > 0 && bytes[at + 1..].get(name..).is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
    };
    memchr::memchr_iter(b'[', &bytes[place.start..]).map(|at| place.start + at).find(|at| is_pair(*at))
}

/// Returns the offset of the game in a pasted text with other text before it: that of the first tag pair, wherever it
/// stands, or of the first line that begins a game.
fn game_start(text: &str, place: Range<usize>) -> Option<usize> {
    let bytes = &text.as_bytes()[..place.end];
    let tagged = first_pair(text, place.clone());
    let framed = match next_game(Chunk::whole(&bytes[place.start..]), 0, |_| {}) {
        Next::Game(start) => Some(place.start + start),
        Next::Nothing(_) => None,
    };
    match (tagged, framed) {
        // The text before the tags is a game of its own.
        (Some(tagged), Some(framed)) if framed < tagged => None,
        (Some(tagged), _) => Some(tagged),
        (None, framed) => framed.filter(|_| bytes[place].contains(&b'\n')),
    }
}

/// Plays the game in a pasted text with other text around it. None if there is no game in it. Otherwise the offset of
/// the game is returned, too.
pub(super) fn play_pasted(
    text: &str,
    place: Range<usize>,
    asked: Asked<'_>,
) -> Option<(usize, Result<TypedPosition, ParseError>)> {
    let start = game_start(text, place.clone())?;
    let is_behind = start > place.start;
    let played = play_game(text, place, start, (asked, Around::Skipped)).map(|mut typed| {
        let is_told = typed.repair.as_ref().is_some_and(|repair| repair.contains(SKIPPED));
        if is_behind && !is_told {
            typed.repair = Some(typed.repair.map_or(SKIPPED.to_owned(), |repair| format!("{repair}; {SKIPPED}")));
        }
        typed
    });
    Some((start, played))
}

/// Plays a game whose tag section begins at the offset `from`.
pub(super) fn play_game(
    text: &str,
    place: Range<usize>,
    from: usize,
    (asked, around): (Asked<'_>, Around),
) -> Result<TypedPosition, ParseError> {
    let bytes = &text.as_bytes()[..place.end];
    let tags = Tags::read(bytes, from);
    if tags.iter().next().is_none() && around == Around::Refused {
        let reason = "this is not a tag pair, such as [FEN \"8/8/8/3k4/8/8/4P3/4K3 w - - 0 1\"]";
        return Err(ParseError::new(text, from..from + 1, reason));
    }
    if let Some(start) = start_by_form(text, &tags, from, asked)? {
        return play(text, tags.end()..place.end, start, (asked, around));
    }
    let mut warnings = Vec::new();
    let variants = if asked.may_be_variant() { VariantPolicy::Play } else { VariantPolicy::Refuse };
    let options = ReplayOptions { variants, ..ReplayOptions::default() };
    let start = start(&tags, 0, &options, &mut warnings).map_err(|fault| {
        let at = usize::try_from(fault.offset).map_or(from, |offset| offset.clamp(from, place.end));
        let end = bytes[at..].iter().position(|byte| *byte == b']').map_or(line_end(bytes, at), |end| at + end + 1);
        ParseError::new(text, at..end, fault.reason)
    })?;
    let rules = start.position.rules();
    if let Some(wanted) = asked.rules.filter(|wanted| *wanted != rules) {
        let reason = format!("this is a game of {rules}, and one of {wanted} is wanted");
        return Err(ParseError::new(text, from..from + 1, reason));
    }
    // A FEN tag without a SetUp tag is no repair worth reporting for typed text.
    let has_fen = tags.find_any_case("FEN").is_some_and(|tag| !tag.value.0.trim_ascii().is_empty());
    let mut notes: Vec<String> = tags.repairs().iter().map(|(_, repair)| repair.as_str().to_owned()).collect();
    let is_told = |kind| !has_fen || kind != Kind::SetupTags;
    notes.extend(warnings.into_iter().filter(|warning| is_told(warning.kind)).map(|warning| warning.reason.into()));
    let start = TypedStart { position: start.position, castling: start.castling, is_named: has_fen, notes };
    play(text, tags.end()..place.end, start, (asked, around))
}

/// Returns the start of a game of a variant that no tag names: the rules are known already, or the form of the FEN tag
/// shows them. None if the tags tell the start.
fn start_by_form(text: &str, tags: &Tags<'_>, from: usize, asked: Asked<'_>) -> Result<Option<TypedStart>, ParseError> {
    if tags.find_any_case("Variant").is_some() || !asked.may_be_variant() {
        return Ok(None);
    }
    let tag = tags.find_any_case("FEN").filter(|tag| !tag.value.0.trim_ascii().is_empty());
    let Some(tag) = tag else {
        let rules = asked.rules_of_array();
        let start = || TypedStart::of(Position::start(rules), false, Vec::new());
        return Ok((rules != Rules::Chess).then(start));
    };
    let fen = tag.value.unescape();
    let rules = asked.rules_of(&fen);
    if rules == Rules::Chess {
        return Ok(None);
    }
    let end = line_end(text.as_bytes(), tag.offset).max(tag.offset);
    let reading = fen::read_without_turn(rules, &fen, None)
        .map_err(|error| ParseError::new(text, tag.offset.max(from)..end, error.to_string()))?;
    let notes = told(reading.repairs);
    Ok(Some(TypedStart::of(reading.position, true, notes)))
}

/// The position from which moves are played.
pub(super) struct TypedStart {
    pub(super) position: Position,
    pub(super) castling: CastlingRules,
    /// Whether the text names this position. If it does not, the text must have at least one move.
    pub(super) is_named: bool,
    /// The repairs that were made to the text of this position.
    pub(super) notes: Vec<String>,
}

impl TypedStart {
    /// A position of which nothing else is known.
    pub(super) fn of(position: Position, is_named: bool, notes: Vec<String>) -> Self {
        Self { castling: position.castling_rules(), position, is_named, notes }
    }
}

/// Plays the moves in a range of the text from a starting position.
pub(super) fn play(
    text: &str,
    place: Range<usize>,
    start: TypedStart,
    (Asked { letters, .. }, around): (Asked<'_>, Around),
) -> Result<TypedPosition, ParseError> {
    let is_strict = around == Around::Refused;
    let mut has_skipped = false;
    let TypedStart { position: start, castling: castling_rules, is_named, mut notes } = start;
    let (mut position, mut moves) = (start.clone(), Vec::new());
    let bytes = &text.as_bytes()[..place.end];
    let mut movetext = Movetext::new(bytes, place.start);
    let mut is_over = false;
    while let Some(token) = movetext.next_mainline() {
        match token {
            // Annotation signs between moves are skipped. A word that begins with a letter or a digit may be a move.
            Token::San(word)
                if !(moves.is_empty() && is_strict) && is_stray(word) && !word[0].is_ascii_alphanumeric() => {}
            Token::San(word) => {
                let m = find_move(word, &position, letters)
                    .map_err(|reason| ParseError::new(text, movetext.span(), reason))?;
                position.play_unchecked(m);
                moves.push(m);
            }
            Token::Skipped(skipped) if !is_over && is_separator(skipped) => {}
            Token::Skipped(_) if !is_strict => has_skipped = true,
            Token::Skipped(_) => {
                let reason = if is_over { "text behind the result" } else { "this has no meaning in a position" };
                return Err(ParseError::new(text, movetext.span(), reason));
            }
            Token::Comment(comment) if bytes[movetext.span().start] == b';' && !comment.trim_ascii().is_empty() => {
                notes.push("what stands behind ; is a comment and is not played".to_owned());
            }
            Token::Termination(_) => is_over = true,
            _ => {}
        }
    }
    match movetext.finish() {
        Ending::InComment { open, .. } => {
            return Err(ParseError::new(text, open..open + 1, "the comment is never closed with }"));
        }
        Ending::InVariation(open) => {
            let open = open.min(place.end.saturating_sub(1));
            return Err(ParseError::new(text, open..open + 1, "the variation is never closed with )"));
        }
        Ending::Marker(_) | Ending::NoMarker => {}
    }
    let behind = movetext.offset();
    let (skipped, game) = left_over(bytes, behind);
    has_skipped |= skipped.is_some();
    if has_skipped && !is_strict {
        notes.push(SKIPPED.to_owned());
    }
    if let Some(rest) = skipped.filter(|_| is_strict).or(game) {
        let rest = behind + rest.start..behind + rest.end;
        return Err(ParseError::new(text, rest, "one position is wanted, and here something else begins"));
    }
    if moves.is_empty() && !is_named {
        return Err(ParseError::new(text, 0..text.len(), format!("this names no position; {NO_POSITION}")));
    }
    let repair = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(TypedPosition { position, start, moves, castling_rules, repair })
}

/// Returns the range of the first text after the game that is neither white space nor a comment, and that of the first
/// line of another game, relative to `behind`.
fn left_over(bytes: &[u8], behind: usize) -> (Option<Range<usize>>, Option<Range<usize>>) {
    let rest = &bytes[behind..];
    let mut first = None;
    let next = next_game(Chunk::whole(rest), 0, |skipped| {
        if first.is_none() && !rest[skipped.clone()].trim_ascii().is_empty() {
            first = Some(skipped);
        }
    });
    let game = match next {
        Next::Game(start) => Some(start..line_end(rest, start)),
        Next::Nothing(_) => None,
    };
    (first, game)
}

/// Whether all characters are separators that people and programs write between moves: commas, periods, ellipses, white
/// space of any kind, byte order marks.
fn is_separator(skipped: &[u8]) -> bool {
    str::from_utf8(skipped)
        .is_ok_and(|text| text.chars().all(|char| matches!(char, ',' | '.' | '…' | '\u{feff}') || char.is_whitespace()))
}

/// Finds the legal move that a word means: in UCI notation, or else in any accepted spelling of SAN.
fn find_move(word: &[u8], position: &Position, letters: &Letters) -> Result<Move, String> {
    if let Some(m) = Uci::from_ascii(word).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    match symbol::read(word, position, letters, None) {
        Ok(symbol) => Ok(symbol.resolved.mv),
        Err(error) => Err(error.to_string()),
    }
}
