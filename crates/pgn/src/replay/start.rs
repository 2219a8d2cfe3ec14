//! The starting position of a game and its rules of castling, by its SetUp, FEN and Variant tags (PGN standard §9.7),
//! as one table of decisions.
//!
//! # Which games are Chess960
//!
//! A game is Chess960 if its Variant tag says so, or if its starting position has castling rights that standard chess
//! cannot have: of a king that is not on file e, or of a rook that is not on file a or h. If the Variant tag names
//! standard chess, such rights are dropped, for both sides, and the game is standard chess. A game has the same rules
//! up to its end, whatever rights are left then.

use crate::diagnostic::{Diagnostic, Kind};
use crate::encoding::Fallback;
use crate::lists::board::first_board;
use crate::lists::record::{Record, STARTPOS};
use crate::movetext::Movetext;
use crate::replay::options::{ReplayOptions, SetupPolicy, VariantPolicy};
use crate::replay::recognised::{FenFault, Note, Recognised};
use crate::replay::variant::{Variant, named_rules, only_played};
use crate::tags::{Tag, Tags};
use crate::token::Token;
use crate::unreadable::unreadable;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, Oddity, Repair};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::{self, Position};
use pgn2fen_chess::rules::Rules;

/// Where a game starts, and how it castles.
#[derive(Debug)]
pub struct GameStart {
    #[doc(hidden)]
    pub position: Position,
    #[doc(hidden)]
    pub castling: CastlingRules,
    /// A note for the reader of an error, in case the first moves fail.
    pub(crate) note: Option<&'static str>,
}

impl GameStart {
    /// The start of a game of this variant. Standard chess has lost the rights of Chess960 already.
    fn new(position: Position, variant: Variant, note: Option<&'static str>) -> Self {
        let castling = match variant {
            Variant::Chess960 | Variant::Game(_, CastlingRules::Chess960) => CastlingRules::Chess960,
            _ => position.castling_rules(),
        };
        Self { position, castling, note }
    }
}

/// The value of a SetUp tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SetUp {
    Missing,
    /// `[SetUp "1"]`
    One,
    /// Any other value.
    NotOne,
}

/// Returns the start of a game by its SetUp, FEN and Variant tags. `base` is the offset of the text of the tags in the
/// file, in bytes.
///
/// # Errors
///
/// The FEN tag gives no position or stands for a record that cannot be read, a Chess960 game has no FEN tag, or the
/// Variant tag names a game that is not chess.
pub fn start(
    tags: &Tags<'_>,
    base: u64,
    options: &ReplayOptions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<GameStart, Diagnostic> {
    let policy = options.setup;
    // Most games have none of these tags. The first letter and the length show that.
    let may_matter = |name: &[u8]| matches!(name, [b'F' | b'f', _, _] | [b'S' | b's', _, _, _, _] | [b'V' | b'v', ..]);
    if !tags.iter().any(|tag| may_matter(tag.name)) {
        return Ok(GameStart { position: Position::initial(), castling: CastlingRules::Standard, note: None });
    }
    if let (true, Some(tag)) = (tags.is_position(), tags.iter().next()) {
        let has_operations = tags.iter().nth(1).is_some() || !tags.repairs().is_empty();
        let position = read_line(tag, has_operations, base, options, warnings)?;
        return Ok(GameStart::new(position, Variant::Position, None));
    }
    if let Some(error) = unreadable(tags, base) {
        return Err(error);
    }
    let at = |tag: Tag<'_>| base + tag.offset as u64;
    let variant_tag = tags.find_any_case("Variant");
    let variant = match variant_tag {
        Some(tag) => variant(tag, at(tag), options, warnings)?,
        None => Variant::Mistaken,
    };
    let rules = variant.rules();
    let initial = |note| Ok(GameStart::new(Position::start(rules), variant, note));
    if policy == SetupPolicy::Ignore {
        return initial(None);
    }
    let fen_tag = named(tags, "FEN", policy, base, warnings);
    let setup_tag = named(tags, "SetUp", policy, base, warnings);
    let setup = match setup_tag.map(|tag| tag.value.0.trim_ascii()) {
        None => SetUp::Missing,
        Some(b"1") => SetUp::One,
        Some(_) => SetUp::NotOne,
    };
    let mut warn = |tag: Tag<'_>, reason: &'static str| {
        warnings.push(Diagnostic::new(Kind::SetupTags, at(tag), reason));
    };
    let fen_tag = fen_tag.filter(|tag| {
        let is_empty = tag.value.0.trim_ascii().is_empty();
        if is_empty {
            warn(*tag, "[FEN] is empty; the game starts from the initial position");
        }
        !is_empty
    });
    let is_chess960 = matches!(variant, Variant::Chess960 | Variant::Game(_, CastlingRules::Chess960));
    let is_strict = policy == SetupPolicy::Strict;
    match (fen_tag, setup_tag, setup) {
        (None, Some(tag), SetUp::One) if is_chess960 || is_strict => {
            Err(Diagnostic::new(Kind::BadFen, at(tag), "[SetUp \"1\"] without [FEN]"))
        }
        (None, Some(tag), SetUp::One) => {
            warn(tag, "[SetUp \"1\"] without [FEN]; the game starts from the initial position");
            initial(None)
        }
        (None, setup_tag, _) => {
            if let Some(tag) = setup_tag.filter(|tag| !matches!(tag.value.0.trim_ascii(), b"" | b"0" | b"?" | b"-")) {
                warn(tag, "[SetUp] is neither 0 nor 1; the game starts from the initial position");
            }
            match (variant, variant_tag) {
                (Variant::Chess960 | Variant::Game(_, CastlingRules::Chess960), Some(tag)) => {
                    warn(tag, "a Chess960 game without [FEN]; it starts from the initial position");
                    initial(Some("a Chess960 game without [FEN]"))
                }
                (Variant::Position, Some(tag)) => {
                    warn(tag, "a game from a position without [FEN]; it starts from the initial position");
                    initial(Some("a game from a position without [FEN]"))
                }
                _ => initial(None),
            }
        }
        (Some(tag), _, SetUp::Missing | SetUp::NotOne) if is_strict => {
            warn(tag, "[FEN] without [SetUp \"1\"]; the FEN is ignored");
            initial(None)
        }
        (Some(tag), _, setup) => {
            match setup {
                SetUp::One => {}
                SetUp::Missing => warn(tag, "[FEN] without [SetUp \"1\"]; the FEN is used"),
                SetUp::NotOne => warn(tag, "[FEN] contradicts [SetUp]; the FEN is used"),
            }
            let is_twice = tags.iter().filter(|other| other.name == tag.name).count() > 1;
            if is_twice && is_strict {
                return Err(Diagnostic::new(Kind::BadFen, at(tag), "there are two FEN tags"));
            }
            let mut rules = rules;
            if matches!(variant, Variant::Position | Variant::Mistaken)
                && let Some(shown) = rules_of_form(&tag.value.unescape(), at(tag), options)?
            {
                rules = shown;
                let without = if variant_tag.is_some() { "" } else { " without [Variant]" };
                let reason = format!("[FEN]{without} has the form of {rules}; the game is played by its rules");
                warnings.push(Diagnostic::new(Kind::SetupTags, at(tag), reason));
            }
            let position = read_fen(rules, tag, tags, at(tag), is_strict, warnings)?;
            if variant == Variant::Standard && position.castling_rules() == CastlingRules::Chess960 {
                return standard(&position, at(tag), is_strict, warnings);
            }
            Ok(GameStart::new(position, variant, None))
        }
    }
}

/// Returns the start of a game of standard chess whose FEN has castling rights of Chess960: the position without them.
fn standard(
    given: &Position,
    offset: u64,
    is_strict: bool,
    warnings: &mut Vec<Diagnostic>,
) -> Result<GameStart, Diagnostic> {
    let position = given.clone().with_orthodox_castling();
    for rook in given.castling().rooks() - position.castling().rooks() {
        let color = if rook.rank() == Color::White.back_rank() { Color::White } else { Color::Black };
        let king = given.king(color);
        let reason =
            format!("castling right dropped: in standard chess, no king on {king} castles with a rook on {rook}");
        if is_strict {
            return Err(Diagnostic::new(Kind::BadFen, offset, reason));
        }
        warnings.push(Diagnostic::new(Kind::RepairedFen, offset, reason));
    }
    let note = "[Variant] names standard chess, so castling rights of Chess960 were dropped";
    Ok(GameStart::new(position, Variant::Standard, Some(note)))
}

/// Returns the game that a Variant tag names.
fn variant(
    tag: Tag<'_>,
    offset: u64,
    options: &ReplayOptions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Variant, Diagnostic> {
    let variant = Variant::named(&Fallback::new(options.encoding).decode(&tag.value.unescape()));
    match variant {
        Variant::Standard | Variant::Position | Variant::Chess960 => {}
        Variant::Game(..) if Rules::HAVE_VARIANTS && options.variants == VariantPolicy::Play => {}
        Variant::Mistaken => {
            let reason = "this is not the name of a variant; the game is played as without the tag";
            warnings.push(Diagnostic::new(Kind::SetupTags, offset, reason).about(tag.value.0));
        }
        Variant::Game(..) | Variant::Other => {
            let reason = only_played(options.variants);
            return Err(Diagnostic::new(Kind::UnsupportedVariant, offset, reason).about(tag.value.0));
        }
    }
    Ok(variant)
}

/// Returns the rules of a variant that the form of a FEN shows, which no tag names.
fn rules_of_form(fen: &[u8], offset: u64, options: &ReplayOptions) -> Result<Option<Rules>, Diagnostic> {
    let Some(rules) = fen::rules_of_form(fen) else { return Ok(None) };
    if Rules::HAVE_VARIANTS && options.variants == VariantPolicy::Play {
        return Ok(Some(rules));
    }
    Err(Diagnostic::new(Kind::UnsupportedVariant, offset, refused(rules)))
}

/// Returns the reason why a FEN of a variant is not read.
fn refused(rules: Rules) -> String {
    format!("this is a FEN of {rules}; {}", only_played(VariantPolicy::Refuse))
}

/// Returns the rules of a position on a line: those that the text around it names, or that its form shows.
fn rules_of_record(record: &Record<'_>, options: &ReplayOptions) -> Result<Rules, FenFault> {
    let fault = |reason| FenFault { kind: Kind::UnsupportedVariant, offset: record.start, reason };
    let told = match record.variant {
        Some(name) => named_rules(&String::from_utf8_lossy(name))
            .map_err(|reason| fault(format!("{}: {reason}", name.escape_ascii())))?,
        None => None,
    };
    match told.or_else(|| fen::rules_of_form(record.split_moves().0)).unwrap_or_default() {
        Rules::Chess => Ok(Rules::Chess),
        rules if Rules::HAVE_VARIANTS && options.variants == VariantPolicy::Play => Ok(rules),
        rules => Err(fault(refused(rules))),
    }
}

/// Returns the tag with this name. Upper and lower case are equal unless the policy is strict.
fn named<'a>(
    tags: &Tags<'a>,
    name: &'static str,
    policy: SetupPolicy,
    base: u64,
    warnings: &mut Vec<Diagnostic>,
) -> Option<Tag<'a>> {
    let tag = tags.find_any_case(name)?;
    if tag.name == name.as_bytes() {
        return Some(tag);
    }
    if policy == SetupPolicy::Strict {
        return None;
    }
    let reason = format!("it is read as [{name}]");
    warnings.push(Diagnostic::new(Kind::RepairedTag, base + tag.offset as u64, reason).about(tag.name));
    Some(tag)
}

/// Reads the position on a line of a list. An EPD gives no warning, although it has no clocks. The position on the line
/// is always used, whatever the policy. `has_operations` tells whether EPD operations were read on the line; their
/// faults are reported with those of tags.
fn read_line(
    line: Tag<'_>,
    has_operations: bool,
    base: u64,
    options: &ReplayOptions,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Position, Diagnostic> {
    let (offset, policy) = (base + line.offset as u64, options.setup);
    let bad = |place: usize, reason: String| Diagnostic::new(Kind::BadFen, offset + place as u64, reason);
    let read = match fen::read(line.value.0) {
        Ok(reading) if reading.repairs.is_empty() => return Ok(reading.position),
        read => match rules_of_form(line.value.0, offset, options)? {
            Some(rules) => fen::read_by(rules, line.value.0),
            None => read,
        },
    };
    let (position, notes) = match read {
        Ok(reading) => (reading.position, reading.repairs.iter().map(Note::Repair).collect()),
        Err(error) => match Recognised::read_by(line.value.0, None, |record| rules_of_record(record, options)) {
            Some(Ok(Recognised { position, notes })) => (position, notes),
            Some(Err(fault)) => return Err(Diagnostic { kind: fault.kind, ..bad(fault.offset, fault.reason) }),
            None => match first_board(line.value.0).filter(|place| *place > 0) {
                Some(place) => {
                    return Err(bad(place, "the text before the board is no label; begin with the FEN".to_owned()));
                }
                None if !line.value.0.iter().any(|byte| matches!(byte, b'/' | b'\\')) => {
                    return Err(bad(0, "there is no FEN on this line".to_owned()));
                }
                None => return Err(bad(error.offset().unwrap_or(0), error.to_string())),
            },
        },
    };
    // An EPD has four fields, and no clocks.
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'_';
    let is_epd = line.value.0.split(is_between).filter(|field| !field.is_empty()).count() >= 4;
    let is_usual = |note: &Note| match note {
        Note::Repair(Repair::Text(Oddity::Operations)) => true,
        Note::Repair(Repair::Text(Oddity::OddOperations)) => has_operations,
        Note::Repair(Repair::Text(Oddity::MissingFields | Oddity::MissingClocks)) => is_epd,
        _ => false,
    };
    for note in notes.into_iter().filter(|note| !is_usual(note)) {
        if policy == SetupPolicy::Strict && !is_harmless(note) {
            return Err(bad(0, note.text()));
        }
        warnings.push(Diagnostic::new(kind_of(note), offset, note.text()));
    }
    Ok(position)
}

/// Reads the position in the FEN tag of a game of these rules.
fn read_fen(
    rules: Rules,
    tag: Tag<'_>,
    tags: &Tags<'_>,
    offset: u64,
    is_strict: bool,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Position, Diagnostic> {
    let bad = |reason: String| Diagnostic::new(Kind::BadFen, offset, reason);
    let text = tag.value.unescape();
    let (position, notes) = if is_strict {
        let reading = fen::read_by(rules, &text).map_err(|error| bad(error.to_string()))?;
        (reading.position, reading.repairs.iter().map(Note::Repair).collect())
    } else {
        read_position(rules, &text, || first_side(tags.behind())).map_err(bad)?
    };
    if let Some(note) = notes.iter().find(|note| is_strict && !is_harmless(**note)) {
        return Err(bad(note.text()));
    }
    warnings.extend(notes.into_iter().map(|note| Diagnostic::new(kind_of(note), offset, note.text())));
    Ok(position)
}

/// Reads a FEN, or `startpos`, of a game of these rules. In chess, it may be in another form, with moves behind it;
/// then `turn` is the side that moves if the text does not tell it. An error is its reason.
pub(crate) fn read_position(
    rules: Rules,
    text: &[u8],
    turn: impl FnOnce() -> Option<Color>,
) -> Result<(Position, Vec<Note>), String> {
    let error = match fen::read_by(rules, text) {
        Ok(reading) => return Ok((reading.position, reading.repairs.iter().map(Note::Repair).collect())),
        Err(error) => error.to_string(),
    };
    if text.trim_ascii() == STARTPOS {
        return Ok((Position::start(rules), Vec::new()));
    }
    if rules != Rules::Chess {
        return Err(error);
    }
    match Recognised::read(text, turn()) {
        Some(Ok(Recognised { position, notes })) => Ok((position, notes)),
        Some(Err(fault)) => Err(fault.reason),
        None => Err(error),
    }
}

/// Returns the kind of the warning about a deviation. A check that no move can have given is used as it is written, so
/// nothing is repaired.
fn kind_of(note: Note) -> Kind {
    match note {
        Note::Repair(Repair::Position(position::PositionRepair::ImpossibleCheck)) => Kind::UnreachableFen,
        Note::Repair(_) | Note::Around(_) => Kind::RepairedFen,
    }
}

/// Returns the side that moves first in a movetext, if the move has a number.
fn first_side(movetext: &[u8]) -> Option<Color> {
    let mut movetext = Movetext::new(movetext, 0);
    loop {
        match movetext.next_token()? {
            Token::MoveNumber { black, .. } => return Some(if black { Color::Black } else { Color::White }),
            Token::San(_) | Token::Termination(_) => return None,
            _ => {}
        }
    }
}

/// Whether even the strict policy accepts the deviation, because the meaning is certain.
fn is_harmless(note: Note) -> bool {
    let Note::Repair(repair) = note else { return false };
    let Repair::Text(oddity) = repair else { return false };
    matches!(oddity, Oddity::MissingFields | Oddity::MissingClocks | Oddity::CastlingOrder | Oddity::FullmoveZero)
}

#[cfg(test)]
mod tests {
    use crate::chunk::Chunk;
    use crate::diagnostic::Kind;
    use crate::form::Form;
    use crate::games::Games;
    use crate::replay::start::first_side;
    use crate::replay::{ReplayOptions, SetupPolicy, VariantPolicy};
    use SetupPolicy::{Auto, Ignore, Strict};
    use pgn2fen_chess::castling::CastlingRules;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::rules::Rules;

    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    const ONLY_CHESS: &str = "only chess and Chess960 are read";

    /// Returns the start of a game as a FEN and the warnings, or the error. `initial` stands for the initial position
    /// of chess, ` 960` behind a FEN for the castling of Chess960.
    fn start_of(text: Chunk<'_>, options: &ReplayOptions) -> String {
        let game = Games::within(text, 0..text.bytes.len()).next().unwrap();
        match game.replay_with(options) {
            Ok(mut replay) => {
                let position = replay.position();
                let fen = if position.is_start() { "initial".to_owned() } else { position.to_string() };
                let is_standard = replay.castling_rules() == CastlingRules::Standard;
                let warnings: Vec<_> = replay
                    .take_warnings()
                    .map(|warning| format!("{}@{}", warning.kind.as_str(), warning.offset))
                    .collect();
                let shown = [fen + if is_standard { "" } else { " 960" }, warnings.join(" ")];
                shown.join(" | ").trim_end_matches(" | ").to_owned()
            }
            Err(error) => format!("{}@{}: {}", error.kind.as_str(), error.offset, error.reason),
        }
    }

    /// Compares the starts of games with these tags by a policy: see [`start_of`].
    #[track_caller]
    fn check(setup: SetupPolicy, cases: &[(&str, &str)]) {
        let options = ReplayOptions { setup, ..ReplayOptions::default() };
        for (tags, expected) in cases {
            let text = format!("{}\n\n*\n", tags.replace("[FEN]", &format!("[FEN \"{FEN}\"]")));
            let found = start_of(Chunk::whole(text.as_bytes()), &options);
            assert_eq!(found.replace(FEN, "FEN"), *expected, "{text}");
        }
    }

    #[test]
    fn a_fen_counts_by_the_policy() {
        let twice = "[FEN][FEN][SetUp \"1\"]";
        check(
            Auto,
            &[
                ("[A \"\"]", "initial"),
                ("[FEN][SetUp \"1\"]", "FEN"),
                ("[FEN]", "FEN | setup-tags@0"),
                ("[SetUp \"0\"][FEN]", "FEN | setup-tags@11"),
                ("[setup \"1\"][FEN]", "FEN | repaired-tag@0"),
                ("[SetUp \"1\"]", "initial | setup-tags@0"),
                ("[SetUp \"0\"]", "initial"),
                ("[SetUp \"yes\"]", "initial | setup-tags@0"),
                ("[A \"\"][fen \" \"]", "initial | repaired-tag@6 setup-tags@6"),
                (twice, "FEN"),
            ],
        );
        check(
            Strict,
            &[
                ("[A \"\"]", "initial"),
                ("[FEN][SetUp \"1\"]", "FEN"),
                ("[FEN]", "initial | setup-tags@0"),
                ("[SetUp \"0\"][FEN]", "initial | setup-tags@11"),
                ("[setup \"1\"][FEN]", "initial | setup-tags@11"),
                ("[A \"\"][SetUp \"1\"]", "bad-fen@6: [SetUp \"1\"] without [FEN]"),
                ("[SetUp \"0\"]", "initial"),
                (twice, "bad-fen@40: there are two FEN tags"),
            ],
        );
        check(Ignore, &[("[FEN][SetUp \"1\"]", "initial"), ("[SetUp \"1\"]", "initial"), ("[FEN]", "initial")]);
    }

    #[test]
    fn a_variant_tells_how_a_game_starts_and_castles() {
        check(
            Auto,
            &[
                ("[Variant \"Chess960\"]", "initial 960 | setup-tags@0"),
                ("[A \"\"][Variant \"Chess960\"][SetUp \"1\"]", "bad-fen@26: [SetUp \"1\"] without [FEN]"),
                ("[Variant \"Chess960\"][FEN][SetUp \"1\"]", "FEN 960"),
                ("[Variant \"Standard\"]", "initial"),
                ("[Variant \"Standard\"][SetUp \"1\"]", "initial | setup-tags@20"),
                ("[Variant \"From Position\"]", "initial | setup-tags@0"),
                ("[Variant \"From Position\"][FEN][SetUp \"1\"]", "FEN"),
                ("[Variant \"Blitz\"]", "initial | setup-tags@0"),
            ],
        );
        check(Strict, &[("[Variant \"Chess960\"]", "initial 960 | setup-tags@0")]);
        check(Ignore, &[("[Variant \"Chess960\"][FEN][SetUp \"1\"]", "initial 960")]);
    }

    #[test]
    fn standard_chess_has_no_castling_rights_of_chess960() {
        let tags = |variant: &str| format!("{variant}[FEN \"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1\"][SetUp \"1\"]");
        let start = |tags: String, setup| {
            let options = ReplayOptions { setup, ..ReplayOptions::default() };
            start_of(Chunk::whole(format!("{tags}\n\n*\n").as_bytes()), &options)
        };
        let (kept, dropped) = ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1 960", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1");
        assert_eq!(start(tags(""), Auto), kept);
        assert_eq!(start(tags("[Variant \"Blitz\"]"), Auto), format!("{kept} | setup-tags@0"));
        let warnings = ["repaired-fen@20"; 4].join(" ");
        assert_eq!(start(tags("[Variant \"Standard\"]"), Auto), format!("{dropped} | {warnings}"));
        assert_eq!(
            start(tags("[Variant \"Standard\"]"), Strict),
            "bad-fen@20: castling right dropped: in standard chess, no king on e1 castles with a rook on b1"
        );
    }

    /// Compares the start of a line of a list by a policy.
    #[track_caller]
    fn check_line(setup: SetupPolicy, line: &str, expected: &str) {
        let options = ReplayOptions { setup, ..ReplayOptions::default() };
        let text = Chunk { form: Form::Positions, ..Chunk::whole(line.as_bytes()) };
        assert_eq!(start_of(text, &options).replace(FEN, "FEN"), expected, "{line}");
    }

    #[test]
    fn a_line_of_a_list_is_a_position_or_an_error_with_its_place() {
        for policy in SetupPolicy::ALL {
            check_line(policy, FEN, "FEN");
            check_line(policy, "4k3/8/8/8/8/8/4P3/4K2R w K - bm e4; id \"x\";", "FEN");
            check_line(policy, "4k3/8/8/8/8/8/4P3/4K2R w K -", "FEN");
            check_line(policy, "word, and no board", "bad-fen@0: there is no FEN on this line");
        }
        // The place is that in the file.
        let text = Chunk { form: Form::Positions, offset: 100, ..Chunk::whole(b"\n\na word 8/8/8/8/8/8/8/8 w") };
        let reason = "the text before the board is no label; begin with the FEN";
        assert_eq!(start_of(text, &ReplayOptions::default()), format!("bad-fen@109: {reason}"));
        check_line(Auto, "4k3/8/8/8/8/8/4P3/4K2R w K", "FEN | repaired-fen@0");
        check_line(Strict, "4k3/8/8/8/8/8/4P3/4K2R w K", "FEN | repaired-fen@0");
        check_line(Auto, "4k3/8/8/8/8/8/4P3/4K2R W K - 0 1", "FEN | repaired-fen@0");
        check_line(Strict, "4k3/8/8/8/8/8/4P3/4K2R W K - 0 1", "bad-fen@0: a letter in the wrong case");
        check_line(
            Auto,
            "a word 4k3/8/8/8/8/8/4P3/4K2R w K - 0 1",
            "bad-fen@7: the text before the board is no label; begin with the FEN",
        );
        check_line(Auto, "4k3/8/8 w", "bad-fen@0: there are 3 ranks, not 8 (column 1)");
        check_line(
            Auto,
            r"4k3\8 w",
            r"bad-fen@3: '\\' is not a piece (PNBRQK, pnbrqk), a digit 1 to 8 or '/' (column 4)",
        );
    }

    #[test]
    fn a_game_of_a_variant_starts_by_its_rules_unless_variants_are_refused() {
        let by = |variants, text: &str, form| {
            let options = ReplayOptions { variants, ..ReplayOptions::default() };
            start_of(Chunk { form, ..Chunk::whole(text.as_bytes()) }, &options)
        };
        let refused = |text: &str, form| by(VariantPolicy::Refuse, text, form);
        for name in ["Atomic", "Bughouse"] {
            let error = refused(&format!("[Variant \"{name}\"]\n\n*\n"), Form::Games);
            assert_eq!(error, format!("unsupported-variant@0: {ONLY_CHESS}"));
        }
        let start = |text: &str, form| by(VariantPolicy::Play, text, form);
        let game = |tags: &str| start(&format!("{tags}\n\n*\n"), Form::Games);
        assert_eq!(game("[Variant \"Atomic\"]"), "initial");
        assert_eq!(game("[Variant \"Racing Kings\"]"), "initial");
        assert_eq!(game("[Variant \"Atomic 960\"]"), "initial 960 | setup-tags@0");
        let reason = "only chess, Chess960, Giveaway, Suicide and the variants of Lichess are read";
        assert_eq!(game("[Variant \"Bughouse\"]"), format!("unsupported-variant@0: {reason}"));
        let fen = "4k3/8/8/8/8/8/4P3/4K2R[Q] w K - 0 1";
        assert_eq!(start(fen, Form::Positions), fen);
        let error = refused(fen, Form::Positions);
        assert_eq!(error, format!("unsupported-variant@0: this is a FEN of crazyhouse; {ONLY_CHESS}"));
        assert_eq!(game(&format!("[FEN \"{fen}\"][SetUp \"1\"]")), format!("{fen} | setup-tags@0"));
        for name in ["From Position", "Odds", "Puzzle", "wild/5", "Rapid"] {
            let tags = format!("[Variant \"{name}\"][SetUp \"1\"]");
            let of_form = |fen: &str| game(&format!("{tags}[FEN \"{fen}\"]"));
            let read = |fen: &str| of_form(fen).split(" | ").next().unwrap().to_owned();
            assert_eq!(read(fen), fen, "{name}");
            assert_eq!(read("4k3/8/8/8/8/8/4P3/4K2R w K - 3+2 0 1"), "4k3/8/8/8/8/8/4P3/4K2R w K - 3+2 0 1", "{name}");
            assert_eq!(read(FEN), FEN, "{name}");
            let error = refused(&format!("{tags}[FEN \"{fen}\"]\n\n*\n"), Form::Games);
            assert!(error.contains("this is a FEN of crazyhouse"), "{error}");
        }
        assert!(game(&format!("[Variant \"Standard\"][SetUp \"1\"][FEN \"{fen}\"]")).starts_with("bad-fen"));
        assert_eq!(game("[Variant \"Atomic\"][FEN \"x\"][SetUp \"1\"]").split(':').next(), Some("bad-fen@18"));
        assert_eq!(game("[Variant \"Atomic\"][FEN \"startpos\"][SetUp \"1\"]"), "initial");
    }

    #[test]
    fn the_variant_of_a_position_on_a_line_is_that_of_its_form_or_of_the_text_around_it() {
        let start = |variants, line: &str| {
            let options = ReplayOptions { variants, ..ReplayOptions::default() };
            let text = Chunk { form: Form::Positions, ..Chunk::whole(line.as_bytes()) };
            let game = Games::within(text, 0..line.len()).next().unwrap();
            game.replay_with(&options).map(|replay| (replay.position().rules(), replay.position().to_string()))
        };
        let around = |fen: &str, rules: Rules, read: &str| {
            for line in [
                format!("{fen} # note"),
                format!("\"{fen}\","),
                format!("fen={fen}"),
                format!("[\"{fen}\"]"),
                format!("[{fen}]"),
                format!("{{\"fen\":\"{fen}\",\"cp\":20}}"),
                format!("#3: {fen}"),
                format!("WAC.001: {fen}"),
                format!("{fen};20"),
                format!("{fen},0.35"),
                format!("position fen {fen}"),
                fen.replace('/', "&#47;"),
                format!("https://a.b/{}", fen.replace(' ', "_")),
            ] {
                assert_eq!(start(VariantPolicy::Play, &line), Ok((rules, read.to_owned())), "{line}");
                let fault = start(VariantPolicy::Refuse, &line).unwrap_err();
                assert_eq!(fault.kind, Kind::UnsupportedVariant, "{line}");
            }
        };
        let house = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQ~KBNR[Pp] b KQkq - 0 3";
        around(house, Rules::Crazyhouse, house);
        around(&house.replace("[Pp]", "/Pp"), Rules::Crazyhouse, house);
        let check = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 3+1 0 1";
        around(check, Rules::ThreeCheck, check);
        around(&format!("{} +0+2", check.replace(" 3+1", "")), Rules::ThreeCheck, check);
        let link = FEN.replace(' ', "_");
        for line in [
            format!("{{\"fen\":\"{FEN}\",\"variant\":\"atomic\"}}"),
            format!("{{\"variant\":\"atomic\",\"fen\":\"{FEN}\"}}"),
            format!("https://lichess.org/analysis/atomic/{link}"),
            format!("lichess.org/editor/{link}?variant=atomic&color=white"),
        ] {
            assert_eq!(start(VariantPolicy::Play, &line), Ok((Rules::Atomic, FEN.to_owned())), "{line}");
            assert!(start(VariantPolicy::Refuse, &line).is_err(), "{line}");
        }
        let other = format!("{{\"fen\":\"{FEN}\",\"variant\":\"bughouse\"}}");
        assert_eq!(start(VariantPolicy::Play, &other).unwrap_err().kind, Kind::UnsupportedVariant);
    }

    #[test]
    fn a_fen_may_be_written_in_an_odd_way_unless_the_standard_must_be_followed() {
        let tags = |fen: &str| format!("[FEN \"{fen}\"][SetUp \"1\"]");
        let [odd, short] = ["4k3/8/8/8/8/8/4P3/4K2R W K - 0 1", "4k3/8/8/8/8/8/4P3/4K2R w K -"].map(tags);
        check(Auto, &[(&odd, "FEN | repaired-fen@0"), (&short, "FEN | repaired-fen@0")]);
        check(Strict, &[(&odd, "bad-fen@0: a letter in the wrong case"), (&short, "FEN | repaired-fen@0")]);
    }

    #[test]
    fn a_line_that_begins_with_a_board_has_no_text_before_it() {
        check_line(Auto, "8/8/8/8/8/8/8/8 w - - 0 1", "bad-fen@0: white has no king");
    }

    #[test]
    fn the_number_of_the_first_move_tells_the_side() {
        for (movetext, expected) in [
            ("1. e4", Some(Color::White)),
            ("{c} $1 12... e5", Some(Color::Black)),
            ("(1... e5) 1. e4", Some(Color::Black)),
            ("e4 1. d4", None),
            ("1-0", None),
            ("", None),
        ] {
            assert_eq!(first_side(movetext.as_bytes()), expected, "{movetext}");
        }
    }
}
