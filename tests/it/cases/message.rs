//! Messages on stderr: `FILE:LINE:COLUMN: [warning: ]KIND: … game N …, ply P: …`.

/// What a message says that a program would want to know.
#[derive(Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) warning: bool,
    pub(crate) kind: String,
    pub(crate) game: Option<u32>,
    pub(crate) ply: Option<u32>,
}

/// All messages about `file`, or the line that is none; only the summary may have another form.
pub(crate) fn all<'a>(stderr: &'a str, file: &str) -> Result<Vec<Message>, &'a str> {
    let lines = stderr.lines().filter(|line| !line.starts_with("summary: "));
    lines.map(|line| message(line, file).ok_or(line)).collect()
}

fn message(line: &str, file: &str) -> Option<Message> {
    let (place, text) = line.strip_prefix(file)?.strip_prefix(':')?.split_once(": ")?;
    let (line, column) = place.split_once(':')?;
    if [line, column].iter().any(|number| !number.parse().is_ok_and(|number: u64| number > 0)) {
        return None;
    }
    let (warning, text) = match text.strip_prefix("warning: ") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (kind, text) = text.split_once(": ")?;
    Some(Message { warning, kind: kind.to_owned(), game: number_after("game ", text), ply: number_after("ply ", text) })
}

/// The number that follows `word`, the first time that one does.
fn number_after(word: &str, text: &str) -> Option<u32> {
    text.split(word).skip(1).find_map(|rest| {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok()
    })
}

#[test]
fn a_message_names_its_kind_its_game_and_its_ply() {
    #[track_caller]
    fn check(line: &str, warning: bool, kind: &str, game: Option<u32>, ply: Option<u32>) {
        assert_eq!(all(line, "a.pgn"), Ok(vec![Message { warning, kind: kind.to_owned(), game, ply }]));
    }
    check(
        "a.pgn:1204:5: illegal-move: Nxe5 in game 37 (Carlsen – Anand 2013.11.16), ply 21: no white knight can reach \
         e5",
        false,
        "illegal-move",
        Some(37),
        Some(21),
    );
    check("a.pgn:88:7: bad-fen: game 6: Black may castle (k) but has no rook", false, "bad-fen", Some(6), None);
    check("a.pgn:3:1: warning: setup-tags: [FEN] without [SetUp \"1\"]", true, "setup-tags", None, None);
    check("a.pgn:7:4: bad-san: game in game 12, ply 3", false, "bad-san", Some(12), Some(3));
}

#[test]
fn a_summary_is_no_message() {
    let line = "summary: 20,253 games, 1,852,929 positions, 3 errors, 0.2 s";
    assert_eq!(all(line, "a.pgn"), Ok(vec![]));
}

#[test]
fn a_line_without_a_place_and_a_kind_is_a_fault() {
    #[track_caller]
    fn check(line: &str) {
        assert_eq!(all(line, "a.pgn"), Err(line));
    }
    check("thread 'main' panicked at src/main.rs:1:1:");
    check("a.pgn: bad-san: Cf3 in game 1");
    check("a.pgn:0:1: bad-san: Cf3 in game 1");
    check("a.pgn:1: bad-san: Cf3 in game 1");
    check("a.pgn:1:1: bad-san");
    check("b.pgn:1:1: bad-san: Cf3 in game 1");
}
