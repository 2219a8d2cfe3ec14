//! Writes the tag section of a game (PGN standard §8.1).

use std::borrow::Cow;

use crate::date::Date;
use crate::encoding::Fallback;
use crate::export::options::{ExportOptions, TagChoice};
use crate::tag_kind::TagKind;
use crate::tags::{RawValue, Tag, Tags};
use crate::token::Outcome;
use crate::written_tag::{append_pair, written};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;

/// The seven tags of the roster, with the values that stand for a missing one (§8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The facts about a game that its tags tell.
pub(super) struct Facts<'a> {
    pub(super) start: &'a Position,
    pub(super) castling: CastlingRules,
    pub(super) outcome: Outcome,
}

/// Appends the tags of a game, and the blank line behind them. Nothing is appended if no tags are written.
pub(super) fn append(
    tags: &Tags<'_>,
    encoding: &Fallback,
    facts: &Facts<'_>,
    options: &ExportOptions,
    out: &mut Vec<u8>,
) {
    let begin = out.len();
    let own = last_of_each_name(tags);
    let find = |name: &str| {
        let found = own.binary_search_by(|tag| tag.name.cmp(name.as_bytes()));
        found.ok().map(|at| own[at].value)
    };
    let is_named = |name: &[u8]| match &options.tags {
        TagChoice::Names(names) => names.iter().any(|other| other.as_bytes().eq_ignore_ascii_case(name)),
        TagChoice::All | TagChoice::Roster => true,
        TagChoice::None => false,
    };
    for (name, missing) in ROSTER.into_iter().filter(|(name, _)| is_named(name.as_bytes())) {
        let value = match find(name) {
            Some(value) if name == "Result" => result(value, encoding, facts.outcome),
            None if name == "Result" => Cow::Borrowed(facts.outcome.as_str()),
            // The names of a list are the tags that the reader wants, and a missing one is missing.
            None if matches!(options.tags, TagChoice::Names(_)) => continue,
            None => Cow::Borrowed(missing),
            Some(value) => standard(name.as_bytes(), value.decode_from(encoding)),
        };
        append_pair(name.as_bytes(), &value, out);
    }
    let start = start_tags(tags, facts, options);
    let mut start = start.iter().flatten().peekable();
    for tag in &own {
        let is_wanted = !matches!(options.tags, TagChoice::Roster) && is_named(tag.name);
        let is_start = |(name, _): &&(&str, Cow<'_, str>)| name.as_bytes() <= tag.name;
        while let Some((name, value)) = start.next_if(is_start) {
            append_pair(name.as_bytes(), value, out);
        }
        // The clocks of an EPD are those of the FEN.
        let is_clock = tags.is_position() && matches!(tag.name, b"hmvc" | b"fmvn");
        if is_wanted && !is_roster(tag.name) && !tells_start(*tag, facts) && !is_clock {
            append_pair(tag.name, &standard(tag.name, tag.value.decode_from(encoding)), out);
        }
    }
    for (name, value) in start {
        append_pair(name.as_bytes(), value, out);
    }
    if out.len() > begin {
        out.push(b'\n');
    }
}

/// Returns the last tag of each name, in ASCII order of the names.
fn last_of_each_name<'a>(tags: &Tags<'a>) -> Vec<Tag<'a>> {
    let mut own: Vec<Tag<'a>> = tags.iter().collect();
    own.reverse();
    // The sort is stable, so the last of equal names is now the first of them.
    own.sort_by(|one, other| one.name.cmp(other.name));
    own.dedup_by(|one, other| one.name == other.name);
    own
}

fn is_roster(name: &[u8]) -> bool {
    ROSTER.iter().any(|(other, _)| other.as_bytes() == name)
}

/// Whether a tag is written by [`start_tags`], or would contradict it.
fn tells_start(tag: Tag<'_>, facts: &Facts<'_>) -> bool {
    let is = |name: &str| tag.name.eq_ignore_ascii_case(name.as_bytes());
    // `[SetUp "0"]` says that the game starts from the initial position.
    let is_zero = tag.name == b"SetUp" && tag.value.0.trim_ascii() != b"1" && facts.start.is_start();
    is("FEN") || is("SetUp") && !is_zero || is("Variant") && needs_variant(facts)
}

/// Whether the tag Variant tells how the game is played: it is not standard chess.
fn needs_variant(facts: &Facts<'_>) -> bool {
    facts.castling == CastlingRules::Chess960 || facts.start.rules() != Rules::Chess
}

/// Returns the tags that tell where the game starts and how it castles: FEN, SetUp and Variant (§9.7), in ASCII order.
///
/// The text of the FEN is kept if it follows the standard.
fn start_tags<'a>(
    tags: &Tags<'a>,
    facts: &Facts<'_>,
    options: &ExportOptions,
) -> [Option<(&'static str, Cow<'a, str>)>; 3] {
    let variant = if needs_variant(facts) { variant_value(tags, facts).map(|value| ("Variant", value)) } else { None };
    let start = facts.start;
    let given = tags.find_any_case("FEN").filter(|_| !tags.is_position());
    let text = given.and_then(|tag| String::from_utf8(tag.value.unescape().into_owned()).ok());
    let reading = text.as_ref().and_then(|text| fen::read_by(start.rules(), text.as_bytes()).ok());
    let reading = reading.filter(|reading| reading.position == *start);
    let kept = text.filter(|_| reading.as_ref().is_some_and(|reading| reading.repairs.is_empty()));
    let value = match kept {
        Some(text) => text,
        None if reading.is_some() || !start.is_start() => fen::to_string(start, options.fen_style),
        None => return [None, None, variant],
    };
    [Some(("FEN", value.into())), Some(("SetUp", Cow::Borrowed("1"))), variant]
}

/// Returns the value of the tag Variant of a game that is not standard chess. None if the form of its FEN tells the
/// game.
fn variant_value<'a>(tags: &Tags<'a>, facts: &Facts<'_>) -> Option<Cow<'a, str>> {
    if let Some(given) = tags.find_any_case("Variant") {
        return Some(given.value.decode());
    }
    match (facts.start.rules(), facts.castling) {
        (Rules::Chess, _) => Some("Chess960".into()),
        (_, CastlingRules::Standard) => None,
        (rules, CastlingRules::Chess960) => Some(format!("{} 960", rules.tag_value()).into()),
    }
}

/// Returns the value of a tag as the standard has it (§8.1.1.3): a date with a year, a month of two digits and a day of
/// two digits. Other values, and dates that cannot be read in all their parts, are kept.
fn standard<'a>(name: &[u8], value: Cow<'a, str>) -> Cow<'a, str> {
    // The names of dates end so, and a search for the kind of a name takes longer.
    let may_be_date = name.last_chunk().is_some_and(|end: &[u8; 4]| end.eq_ignore_ascii_case(b"date"));
    let is_date = may_be_date && str::from_utf8(name).is_ok_and(|name| TagKind::of(name) == TagKind::Date);
    if !is_date || value.trim().contains(|char: char| char.is_whitespace() || char == 'T') {
        return value;
    }
    match Date::parse(&value) {
        Ok(Some(date)) => Cow::Owned(date.standard()),
        _ => value,
    }
}

/// Returns the value of a Result tag: the outcome of the game. A value that is neither a result nor unknown is kept,
/// such as `0-0` of a game that both players lost. It must not become a result when it is written.
fn result<'a>(value: RawValue<'a>, encoding: &Fallback, outcome: Outcome) -> Cow<'a, str> {
    let tells = |text: &[u8]| Outcome::from_ascii(text).is_some() || matches!(text, b"" | b"?");
    let text = value.decode_from(encoding);
    if tells(value.0.trim_ascii()) || tells(written(&text).trim().as_bytes()) {
        Cow::Borrowed(outcome.as_str())
    } else {
        text
    }
}
