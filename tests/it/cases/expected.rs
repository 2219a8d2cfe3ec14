//! An `.expected` file: a header of keys, then the games. README.md of `fixtures/cases` has the form in words.
//!
//! Read strictly: an expectation misread is a test that tests nothing.

use std::collections::{BTreeMap, BTreeSet};

/// What is to come of a case.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) id: String,
    /// Options that it is read with.
    pub(super) options: Vec<String>,
    pub(super) warnings: BTreeSet<String>,
    pub(super) exit: i32,
    games: Vec<Game>,
}

#[derive(Debug, Default)]
struct Game {
    positions: Vec<Position>,
    error: Option<Error>,
}

/// A FEN as `--ep always` has it, and the fields that other styles write in another way.
#[derive(Debug)]
struct Position {
    fen: String,
    other: BTreeMap<Style, String>,
}

/// What ends a game early.
#[derive(Debug)]
pub(super) struct Error {
    pub(super) kind: String,
    pub(super) ply: Option<u32>,
}

/// How a FEN is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Style {
    /// `--ep always`, `--castling xfen`: the default.
    Always,
    Xfen,
    Legal,
    Shredder,
}

impl Case {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut lines = (1..).zip(text.lines());
        let mut header = BTreeMap::new();
        for (number, line) in lines.by_ref().take_while(|(_, line)| !line.is_empty()) {
            let (key, value) = line.split_once(' ').ok_or(format!("line {number}: a key without a value"))?;
            if !["case", "rule", "seen", "options", "warnings", "exit"].contains(&key) {
                return Err(format!("line {number}: unknown key {key}"));
            }
            if header.insert(key, value.trim()).is_some() {
                return Err(format!("line {number}: {key} a second time"));
            }
        }
        let value = |key| header.get(key).copied().ok_or(format!("the header has no {key}"));
        value("rule")?;

        let mut games: Vec<Game> = Vec::new();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
            add_line(&mut games, line).map_err(|fault| format!("line {number}: {fault}"))?;
        }

        let case = Self {
            id: value("case")?.to_owned(),
            options: header.get("options").map_or(Vec::new(), |it| it.split(' ').map(str::to_owned).collect()),
            warnings: match value("warnings")? {
                "-" => BTreeSet::new(),
                kinds => kinds.split(' ').map(|kind| kind_among(&WARNINGS, kind)).collect::<Result<_, _>>()?,
            },
            exit: value("exit")?.parse().map_err(|_| "exit is no number")?,
            games,
        };
        if case.exit != i32::from(case.errors().next().is_some()) {
            return Err(format!("exit {} does not fit the errors", case.exit));
        }
        Ok(case)
    }

    /// All that is to be written, in this style.
    pub(super) fn fens(&self, style: Style) -> String {
        self.games.iter().flat_map(|game| &game.positions).map(|position| position.fen(style) + "\n").collect()
    }

    /// The errors, with the numbers of their games.
    pub(super) fn errors(&self) -> impl Iterator<Item = (u32, &Error)> {
        (1..).zip(&self.games).filter_map(|(number, game)| Some((number, game.error.as_ref()?)))
    }
}

impl Position {
    fn fen(&self, style: Style) -> String {
        let mut fields: Vec<&str> = self.fen.split(' ').collect();
        if let Some(field) = self.other.get(&style) {
            fields[style.field()] = field;
        }
        fields.join(" ")
    }
}

impl Style {
    fn named(name: &str) -> Option<Self> {
        [("xfen", Self::Xfen), ("legal", Self::Legal), ("shredder", Self::Shredder)]
            .into_iter()
            .find_map(|(known, style)| (known == name).then_some(style))
    }

    /// The index of the FEN field that this style may write in another way.
    fn field(self) -> usize {
        if self == Self::Shredder { 2 } else { 3 }
    }
}

/// A line below the header: `game 1`, a position, or the error that ends the game.
fn add_line(games: &mut Vec<Game>, line: &str) -> Result<(), String> {
    if let Some(number) = line.strip_prefix("game ") {
        games.push(Game::default());
        let due = games.len();
        return if number == due.to_string() { Ok(()) } else { Err(format!("this is game {due}, not {number}")) };
    }
    let game = games.last_mut().ok_or("no game begins before this line")?;
    if game.error.is_some() {
        return Err("a game ends with its error".to_owned());
    }
    match line.strip_prefix("error ") {
        Some(text) => game.error = Some(error(text)?),
        None => game.positions.push(position(line)?),
    }
    Ok(())
}

/// `illegal-move at ply 3`, or the kind alone.
fn error(text: &str) -> Result<Error, String> {
    let (kind, ply) = match text.split_once(" at ply ") {
        Some((kind, ply)) => (kind, Some(ply.parse().map_err(|_| format!("{ply} is no ply"))?)),
        None => (text, None),
    };
    Ok(Error { kind: kind_among(&ERRORS, kind)?, ply })
}

/// A FEN, then what other styles write in its stead: `xfen -`, `legal -`, `shredder HAha`.
fn position(line: &str) -> Result<Position, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    // Three-check has a field for the checks that remain: `3+3`.
    let count = if words.get(4).is_some_and(|checks| checks.contains('+')) { 7 } else { 6 };
    let (fields, notes) = words.split_at_checked(count).ok_or("a FEN has six fields")?;
    if fields[0].matches('/').count() != 7 {
        return Err("a board has eight ranks".to_owned());
    }
    let mut other = BTreeMap::new();
    for note in notes.chunks(2) {
        let [name, field] = *note else {
            return Err(format!("{} what?", note[0]));
        };
        let style = Style::named(name).ok_or(format!("unknown style {name}"))?;
        if fields[style.field()] == field {
            return Err(format!("{name} {field} is what the FEN has"));
        }
        if other.insert(style, field.to_owned()).is_some() {
            return Err(format!("{name} a second time"));
        }
    }
    Ok(Position { fen: fields.join(" "), other })
}

fn kind_among(known: &[&str], kind: &str) -> Result<String, String> {
    if known.contains(&kind) { Ok(kind.to_owned()) } else { Err(format!("unknown kind {kind}")) }
}

const ERRORS: [&str; 9] = [
    "ambiguous-move",
    "bad-fen",
    "bad-san",
    "illegal-move",
    "no-games",
    "too-long",
    "unsupported-variant",
    "unterminated-comment",
    "unterminated-variation",
];

const WARNINGS: [&str; 9] = [
    "encoding",
    "null-move",
    "repaired-fen",
    "repaired-san",
    "repaired-tag",
    "result",
    "setup-tags",
    "skipped-text",
    "unreachable-fen",
];

const HEADER: &str = "case      X01\nrule      A rule\nwarnings  -\nexit      0\n";
const FEN: &str = "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1";

#[test]
fn a_style_writes_what_its_note_says_and_the_rest_as_the_fen_has_it() {
    #[track_caller]
    fn check(line: &str, style: Style, fen: &str) {
        let case = Case::read(&format!("{HEADER}\ngame 1\n{line}\n")).unwrap();
        assert_eq!(case.fens(style), format!("{fen}\n"));
    }
    const NO_SQUARE: &str = "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1";
    check(FEN, Style::Always, FEN);
    check(FEN, Style::Legal, FEN);
    check(&format!("{FEN}  xfen -  legal -"), Style::Always, FEN);
    check(&format!("{FEN}  xfen -  legal -"), Style::Xfen, NO_SQUARE);
    check(&format!("{FEN}  legal -"), Style::Xfen, FEN);
    check(&format!("{FEN}  legal -"), Style::Legal, NO_SQUARE);
    check("8/8/8/8/8/8/8/k3KR2 w K - 3 9  shredder F", Style::Shredder, "8/8/8/8/8/8/8/k3KR2 w F - 3 9");
}

#[test]
fn errors_are_told_with_the_numbers_of_their_games() {
    let text = "case X01\nrule A rule\nwarnings result null-move\nexit 1\n\n\
                game 1\nerror bad-fen\n\ngame 2\n\ngame 3\nerror bad-san at ply 12\n";
    let case = Case::read(text).unwrap();
    let errors: Vec<_> = case.errors().map(|(game, error)| (game, error.kind.as_str(), error.ply)).collect();
    assert_eq!(errors, [(1, "bad-fen", None), (3, "bad-san", Some(12))]);
    assert!(case.warnings.iter().eq(["null-move", "result"]));
}

#[test]
fn a_malformed_file_is_rejected() {
    #[track_caller]
    fn check(text: &str, fault: &str) {
        assert_eq!(Case::read(text).map(|case| case.id), Err(fault.to_owned()));
    }
    check("", "the header has no rule");
    check("case X01\nrule A rule\nexit 0\n", "the header has no warnings");
    check("case X01\ncase X02\n", "line 2: case a second time");
    check("case\n", "line 1: a key without a value");
    check("case X01\nwarning -\n", "line 2: unknown key warning");
    check("case X01\nrule A rule\nwarnings -\nexit one\n", "exit is no number");
    check("case X01\nrule A rule\nwarnings -\nexit 1\n", "exit 1 does not fit the errors");
    check("case X01\nrule A rule\nwarnings bad-fen\nexit 0\n", "unknown kind bad-fen");
    check(&format!("{HEADER}\n{FEN}\n"), "line 6: no game begins before this line");
    check(&format!("{HEADER}\ngame 2\n"), "line 6: this is game 1, not 2");
    check(&format!("{HEADER}\ngame 1\n\ngame 1\n"), "line 8: this is game 2, not 1");
    check(&format!("{HEADER}\ngame 1\n4k3/8/8/8/8/8/8/4K3 b - e3 0\n"), "line 7: a FEN has six fields");
    check(&format!("{HEADER}\ngame 1\n4k3/8/8/8/8/8/4K3 b - - 0 1\n"), "line 7: a board has eight ranks");
    check(&format!("{HEADER}\ngame 1\n{FEN} xfen\n"), "line 7: xfen what?");
    check(&format!("{HEADER}\ngame 1\n{FEN} always e3\n"), "line 7: unknown style always");
    check(&format!("{HEADER}\ngame 1\n{FEN} xfen e3\n"), "line 7: xfen e3 is what the FEN has");
    check(&format!("{HEADER}\ngame 1\n{FEN} xfen - xfen -\n"), "line 7: xfen a second time");
    check(&format!("{HEADER}\ngame 1\nerror illegal-move\n"), "exit 0 does not fit the errors");
    check(&format!("{HEADER}\ngame 1\nerror result\n"), "line 7: unknown kind result");
    check(&format!("{HEADER}\ngame 1\nerror bad-san at ply two\n"), "line 7: two is no ply");
    check(&format!("{HEADER}\ngame 1\nerror bad-san at ply 1\n{FEN}\n"), "line 8: a game ends with its error");
}
