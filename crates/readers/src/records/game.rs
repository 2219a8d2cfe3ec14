//! Games in JSON: of the Lichess API, of the archives of chess.com, and others.
//!
//! If an object has PGN, that is the game. Otherwise its moves are, with tags from its other members, as the PGN export
//! of Lichess has them.

use serde::Deserialize;

use crate::game_text::{Spacing, movetext, unreadable};
use crate::games::GameParts;
use crate::records::json::{Lenient, Object, RawList, Value, Words, reason};
use crate::records::object;
use crate::records::players::{Player, Players};
use pgn2fen_pgn::tag_pair::begins_pair;
use pgn2fen_pgn::token::Outcome;

/// A game. What is missing, or is of another type than is expected, is left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Game<'a> {
    #[serde(borrow)]
    pgn: Words<'a>,
    #[serde(borrow, rename = "PGN")]
    pgn_in_capitals: Words<'a>,
    #[serde(borrow)]
    moves: Words<'a>,
    #[serde(borrow)]
    movetext: Words<'a>,
    #[serde(borrow)]
    pub(super) players: Object<Players<'a>>,
    #[serde(borrow)]
    pub(super) white: Object<Player<'a>>,
    #[serde(borrow)]
    pub(super) black: Object<Player<'a>>,
    #[serde(borrow)]
    result: Value<'a>,

    // Lichess.
    #[serde(borrow)]
    pub(super) id: Value<'a>,
    #[serde(borrow)]
    pub(super) rated: Value<'a>,
    #[serde(borrow)]
    pub(super) variant: Object<Named<'a>>,
    #[serde(borrow)]
    pub(super) perf: Object<Named<'a>>,
    #[serde(borrow)]
    pub(super) speed: Value<'a>,
    #[serde(borrow, rename = "createdAt")]
    pub(super) created_at: Value<'a>,
    #[serde(borrow)]
    pub(super) status: Value<'a>,
    #[serde(borrow)]
    pub(super) source: Value<'a>,
    #[serde(borrow)]
    winner: Value<'a>,
    #[serde(borrow, rename = "initialFen")]
    pub(super) initial_fen: Value<'a>,
    #[serde(borrow)]
    pub(super) opening: Object<Opening<'a>>,
    #[serde(borrow)]
    pub(super) clock: Object<Clock<'a>>,
    #[serde(borrow)]
    pub(super) clocks: RawList<'a>,
    #[serde(borrow)]
    pub(super) analysis: RawList<'a>,
    #[serde(borrow)]
    pub(super) evals: RawList<'a>,
    #[serde(borrow, rename = "daysPerTurn")]
    pub(super) days_per_turn: Value<'a>,
    #[serde(borrow, rename = "arenaTour")]
    pub(super) arena: Object<Named<'a>>,
    #[serde(borrow)]
    pub(super) tournament: Object<Named<'a>>,

    // Chess.com.
    #[serde(borrow)]
    pub(super) url: Value<'a>,
    #[serde(borrow)]
    pub(super) rules: Value<'a>,
    #[serde(borrow)]
    pub(super) time_control: Value<'a>,
    #[serde(borrow)]
    pub(super) end_time: Value<'a>,
    #[serde(borrow)]
    pub(super) initial_setup: Value<'a>,
    #[serde(borrow)]
    pub(super) time_class: Value<'a>,
    #[serde(borrow)]
    pub(super) accuracies: Object<Accuracies<'a>>,
}

/// The accuracies of the players, for chess.com.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Accuracies<'a> {
    #[serde(borrow)]
    pub(super) white: Value<'a>,
    #[serde(borrow)]
    pub(super) black: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for Accuracies<'a> {}

/// Something with a name: a key, or an object with one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Named<'a> {
    #[serde(borrow)]
    id: Value<'a>,
    #[serde(borrow)]
    key: Value<'a>,
    #[serde(borrow)]
    name: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for Named<'a> {
    fn of_value(key: Value<'de>) -> Self {
        Self { key, ..Self::default() }
    }
}

impl Named<'_> {
    pub(super) fn name(&self) -> Option<&str> {
        self.key.text().or_else(|| self.name.text())
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.text().or_else(|| self.key.text())
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Opening<'a> {
    #[serde(borrow)]
    pub(super) eco: Value<'a>,
    #[serde(borrow)]
    pub(super) name: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for Opening<'a> {
    fn of_value(name: Value<'de>) -> Self {
        Self { name, ..Self::default() }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Clock<'a> {
    #[serde(borrow)]
    pub(super) initial: Value<'a>,
    #[serde(borrow)]
    pub(super) increment: Value<'a>,
}

impl<'de: 'a, 'a> Lenient<'de> for Clock<'a> {}

/// What an engine said of a move.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Analysis<'a> {
    #[serde(borrow)]
    pub(super) eval: Value<'a>,
    #[serde(borrow)]
    pub(super) mate: Value<'a>,
    #[serde(borrow)]
    pub(super) judgment: Object<Named<'a>>,
}

impl<'de: 'a, 'a> Lenient<'de> for Analysis<'a> {
    fn of_value(eval: Value<'de>) -> Self {
        Self { eval, ..Self::default() }
    }
}

/// Appends an object as a game.
pub(super) fn append(json: &[u8], spacing: Spacing, parts: GameParts, out: &mut Vec<u8>) {
    if !json.starts_with(b"{") {
        return unreadable(out, "this is no object of JSON", json, spacing);
    }
    match serde_json::from_slice(json) {
        Ok(game) => append_game(&game, json, spacing, parts, out),
        Err(error) => unreadable(out, &reason(&error), json, spacing),
    }
}

/// Appends the object with which a text begins as a game. Returns its end, or None if the text begins with something
/// else or ends before the object does.
pub(super) fn append_first(json: &[u8], spacing: Spacing, parts: GameParts, out: &mut Vec<u8>) -> Option<usize> {
    if !json.starts_with(b"{") {
        return None;
    }
    let mut objects = serde_json::Deserializer::from_slice(json).into_iter();
    let game = objects.next()?.ok()?;
    let end = objects.byte_offset();
    append_game(&game, &json[..end], spacing, parts, out);
    Some(end)
}

/// Appends the game that was read from an object.
fn append_game(game: &Game<'_>, json: &[u8], spacing: Spacing, parts: GameParts, out: &mut Vec<u8>) {
    let start = out.len();
    let whole = [&game.pgn, &game.pgn_in_capitals].into_iter().find_map(Words::text);
    let whole = whole.map(|pgn| pgn.trim_start_matches('\u{feff}').trim()).filter(|pgn| !pgn.is_empty());
    if let Some(pgn) = whole.filter(|pgn| begins_pair(pgn.as_bytes(), 0)) {
        game.append_missing_tags(pgn.as_bytes(), spacing, parts, out);
        return movetext(out, start, pgn.as_bytes(), game.outcome().as_str(), spacing);
    }
    if !game.is_of_site() {
        if let Err(reason) = object::append(json, spacing, out) {
            out.truncate(start);
            unreadable(out, &reason, json, spacing);
        }
        return;
    }
    if let Some(pgn) = whole {
        game.append_tags(spacing, parts, out);
        spacing.before_moves(out);
        return movetext(out, start, pgn.as_bytes(), game.outcome().as_str(), spacing);
    }
    let moves = [&game.moves, &game.movetext].into_iter().find_map(Words::text);
    let moves = match moves {
        Some(moves) => moves,
        // An export without moves.
        None if game.is_of_lichess() => "",
        // Games of some variants of chess.com have no PGN. The name of the variant says more than that it is missing.
        None if game.variant_name().is_some_and(|name| !matches!(&*name, "Standard" | "Chess960")) => "",
        None => return unreadable(out, object::NO_MOVES, json, spacing),
    };
    game.append_tags(spacing, parts, out);
    spacing.before_moves(out);
    game.append_moves(moves, start, spacing, parts, out);
}

impl Game<'_> {
    /// Whether a site has made the object, or somebody from an object of a site.
    fn is_of_site(&self) -> bool {
        let has_lists = !(self.analysis.is_empty() && self.evals.is_empty() && self.clocks.is_empty());
        self.is_of_lichess() || self.rules.text().is_some() || matches!(self.moves, Words::Text(_)) && has_lists
    }

    pub(super) fn is_of_lichess(&self) -> bool {
        self.id.text().is_some() && (self.perf.0.name().is_some() || self.speed.text().is_some())
    }

    pub(super) fn outcome(&self) -> Outcome {
        let is_win = |player: &Object<Player<'_>>| player.0.result.text() == Some("win");
        match self.winner.text() {
            Some("white") => return Outcome::WhiteWins,
            Some("black") => return Outcome::BlackWins,
            _ if is_win(&self.white) => return Outcome::WhiteWins,
            _ if is_win(&self.black) => return Outcome::BlackWins,
            _ => {}
        }
        let named = self.result.text().and_then(|text| Outcome::from_ascii(text.as_bytes()));
        let ended = match self.status.text() {
            None => self.white.0.result.text().is_some(),
            Some(status) => !matches!(status, "created" | "started" | "aborted"),
        };
        named.unwrap_or(if ended { Outcome::Draw } else { Outcome::Unknown })
    }
}

#[cfg(test)]
mod tests {
    use super::{GameParts, Spacing, append, append_first};

    fn made(json: &str, spacing: Spacing) -> String {
        let mut out = Vec::new();
        append(json.as_bytes(), spacing, GameParts::ALL, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[track_caller]
    fn check(json: &str, expected: &str) {
        assert_eq!(made(json, Spacing::OneLine), format!("{expected}\n"));
    }

    #[test]
    fn a_game_of_lichess_has_the_tags_of_its_export() {
        check(
            r#"{"id":"q7ZvsdUF","rated":true,"variant":"standard","speed":"blitz","perf":"blitz",
             "createdAt":1514505150384,"lastMoveAt":1514505592843,"status":"draw",
             "players":{"white":{"user":{"name":"Lance5500","title":"LM","patron":true,"id":"lance5500"},
             "rating":2389,"ratingDiff":4},"black":{"user":{"name":"TryingHard87","id":"tryinghard87"},
             "rating":2498,"ratingDiff":-4}},"opening":{"eco":"D31","name":"Semi-Slav, \"M\"","ply":7},
             "moves":"d4 d5 c4","clock":{"initial":300,"increment":3,"totalTime":420},"clocks":[30003,30003,
             29915],"analysis":[{"eval":31},{"eval":-7,"best":"a2a3","judgment":{"name":"Blunder",
             "comment":"x"}},{"mate":-3}]}"#,
            "[Event \"rated blitz game\"] [Site \"https://lichess.org/q7ZvsdUF\"] [GameId \"q7ZvsdUF\"] \
             [Date \"2017.12.28\"] [Round \"-\"] [White \"Lance5500\"] [Black \"TryingHard87\"] [Result \"1/2-1/2\"] \
             [UTCDate \"2017.12.28\"] [UTCTime \"23:52:30\"] [WhiteElo \"2389\"] [BlackElo \"2498\"] \
             [WhiteRatingDiff \"+4\"] [BlackRatingDiff \"-4\"] [WhiteTitle \"LM\"] [Variant \"Standard\"] \
             [TimeControl \"300+3\"] [ECO \"D31\"] [Opening \"Semi-Slav, \\\"M\\\"\"] [Termination \"Normal\"] \
             1. d4 { [%eval 0.31] [%clk 0:05:00.03] } 1... d5?? { [%eval -0.07] [%clk 0:05:00.03] } \
             2. c4 { [%eval #-3] [%clk 0:04:59.15] } 1/2-1/2",
        );
    }

    #[test]
    fn players_of_old_games_of_lichess_have_the_names_of_their_accounts() {
        let made = made(
            r#"{"id":"abcdefgh","rated":true,"speed":"blitz","status":"mate","winner":"black",
             "players":{"white":{"userId":"thibault","rating":1500},"black":{"userId":null,"rating":1488}},
             "moves":"f3 e5 g4 Qh4#"}"#,
            Spacing::Lines,
        );
        for tag in ["[White \"thibault\"]\n[Black \"Anonymous\"]", "[WhiteElo \"1500\"]\n[BlackElo \"1488\"]"] {
            assert!(made.contains(tag), "{made}");
        }
    }

    #[test]
    fn a_game_of_lichess_may_begin_anywhere() {
        let made = made(
            r#"{"id":"abc","rated":false,"variant":"fromPosition","perf":"correspondence","status":"aborted",
             "source":"friend","players":{"white":{"aiLevel":3},"black":{}},"daysPerTurn":2,
             "initialFen":"4k3/4p3/8/8/8/8/8/4K3 b - - 0 12","moves":"e5 Ke2 e4"}"#,
            Spacing::Lines,
        );
        assert_eq!(
            made,
            "[Event \"casual correspondence game\"]\n[Site \"https://lichess.org/abc\"]\n[GameId \"abc\"]\n\
             [Round \"-\"]\n[White \"lichess AI level 3\"]\n[Black \"Anonymous\"]\n[Result \"*\"]\n[WhiteElo \"?\"]\n\
             [BlackElo \"?\"]\n[Variant \"From Position\"]\n[TimeControl \"2 days per move\"]\n[ECO \"?\"]\n\
             [Opening \"?\"]\n[Termination \"Abandoned\"]\n[FEN \"4k3/4p3/8/8/8/8/8/4K3 b - - 0 12\"]\n\
             [SetUp \"1\"]\n\n12... e5 13. Ke2 e4 *\n\n"
        );
    }

    #[test]
    fn the_pgn_of_an_object_is_the_game() {
        let pgn = "[White \"A\"]\n\n1. e4 {a} e5 *\n".replace('"', "\\\"").replace('\n', "\\n");
        check(
            &format!("{{\"id\":\"x\",\"perf\":\"blitz\",\"moves\":\"d4\",\"pgn\":\"{pgn}\"}}"),
            "[White \"A\"]  1. e4 {a} e5 *",
        );
        assert_eq!(made(&format!("{{\"pgn\":\"{pgn}\"}}"), Spacing::Lines), "[White \"A\"]\n\n1. e4 {a} e5 *\n\n");
        check(r#"{"pgn":"1. e4 e5"}"#, "[Event \"?\"] 1. e4 e5 *");
        check(
            r#"{"movetext":"1. e4 e5 1-0","white":"A","black":{"name":"B"}}"#,
            "[White \"A\"] [Black \"B\"] 1. e4 e5 1-0",
        );
        check(r#"{"moves":["e2e4","e7e5"],"result":"1-0"}"#, "[Result \"1-0\"] e2e4 e7e5 1-0");
    }

    #[test]
    fn a_game_of_chess_com_has_its_variant() {
        let pgn = r#""pgn":"[White \"A\"]\n\n1. e4 *""#;
        check(&format!("{{\"rules\":\"chess\",{pgn}}}"), "[White \"A\"]  1. e4 *");
        check(&format!("{{\"rules\":\"chess960\",{pgn}}}"), "[Variant \"Chess960\"] [White \"A\"]  1. e4 *");
        check(&format!("{{\"rules\":\"crazyhouse\",{pgn}}}"), "[Variant \"Crazyhouse\"] [White \"A\"]  1. e4 *");
        check(
            r#"{"rules":"bughouse","url":"https://x/1","end_time":1514505150,"time_control":"180",
             "white":{"username":"A","rating":1200,"result":"win"},"black":{"username":"B","result":"timeout"}}"#,
            "[Site \"Chess.com\"] [Link \"https://x/1\"] [Date \"2017.12.28\"] [White \"A\"] [Black \"B\"] \
             [Result \"1-0\"] [EndDate \"2017.12.28\"] [EndTime \"23:52:30\"] [WhiteElo \"1200\"] \
             [Variant \"Bughouse\"] [TimeControl \"180\"] 1-0",
        );
    }

    #[test]
    fn what_the_sites_say_of_players_becomes_tags() {
        let analysis = r#""analysis":{"inaccuracy":2,"mistake":1,"blunder":0,"acpl":30,"accuracy":88}"#;
        let lichess = format!(
            r#"{{"id":"x","speed":"blitz","players":{{"white":{{"name":"A",{analysis}}},"black":{{"analysis":7}}}}"#
        );
        let tags = "[WhiteInaccuracies \"2\"] [WhiteMistakes \"1\"] [WhiteBlunders \"0\"] [WhiteACPL \"30\"] \
                    [WhiteAccuracy \"88\"] ";
        let made = made(&format!("{lichess},\"moves\":\"e4\"}}"), Spacing::OneLine);
        assert!(made.ends_with(&format!("[Opening \"?\"] {tags}1. e4 *\n")), "{made}");
        check(&format!("{lichess},\"pgn\":\"[White \\\"A\\\"] 1. e4 *\"}}"), &format!("{tags}[White \"A\"] 1. e4 *"));
        let chess_com = r#"{"url":"https://x/1","time_class":"blitz","rules":"chess","rated":true,
            "accuracies":{"white":83.4,"black":90},"pgn":"#;
        check(
            &format!("{chess_com}\"[White \\\"A\\\"] 1. e4 *\"}}"),
            "[Link \"https://x/1\"] [TimeClass \"blitz\"] [WhiteAccuracy \"83.4\"] [BlackAccuracy \"90\"] \
             [White \"A\"] 1. e4 *",
        );
        check(
            &format!("{chess_com}\"[Link \\\"y\\\"][WhiteAccuracy \\\"1\\\"] 1. e4 *\"}}"),
            "[TimeClass \"blitz\"] [BlackAccuracy \"90\"] [Link \"y\"][WhiteAccuracy \"1\"] 1. e4 *",
        );
    }

    #[test]
    fn members_of_other_types_are_left_out() {
        check(
            r#"{"rules":"chess","moves":"e4","players":["A"],"white":[1],"black":null,"clock":"5+3","clocks":{"a":1},
             "analysis":7,"opening":[],"variant":{"key":"standard"},"rated":"yes","createdAt":{},"winner":1,"x":[{}]}"#,
            "[Variant \"Standard\"] 1. e4 *",
        );
        check(
            r#"{"rules":"chess","moves":"e4 {","result":"0-1"}"#,
            "[Result \"0-1\"] [Variant \"Standard\"] e4 { }0-1",
        );
    }

    #[test]
    fn an_object_without_moves_is_told() {
        let made = made(r#"{"white":"A","pgn":null}"#, Spacing::OneLine);
        assert!(made.starts_with("[FEN \"unreadable record: the object has neither pgn nor moves\"]"), "{made}");
    }

    #[test]
    fn parts_that_are_not_read_are_left_out() {
        let json = r#"{"id":"abcdefgh","rated":true,"speed":"blitz","perf":"blitz","variant":"chess960",
            "winner":"white","status":"resign",
            "players":{"white":{"user":{"name":"A"},"rating":1500},"black":{"user":{"name":"B"}}},
            "initialFen":"4k3/8/8/8/8/8/4P3/4K3 b - - 0 7","opening":{"eco":"A00","name":"X"},"createdAt":1700000000000,
            "moves":"Kd7 e4 Kd6","clocks":[100,200,300],"analysis":[{"eval":20,"judgment":{"name":"Blunder"}}]}"#;
        let tags = r#"[White "A"] [Black "B"] [Result "1-0"] [Variant "Chess960"] "#;
        let start = r#"[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"] [SetUp "1"] "#;
        for (parts, expected) in [
            (GameParts::NONE, format!("{tags}{start}7... Kd7 8. e4 Kd6 1-0\n")),
            (
                GameParts { comments: true, ..GameParts::NONE },
                format!(
                    "{tags}{start}7... Kd7?? {{ [%eval 0.20] [%clk 0:00:01] }} 8. e4 {{ [%clk 0:00:02] }} \
                     8... Kd6 {{ [%clk 0:00:03] }} 1-0\n"
                ),
            ),
        ] {
            let mut out = Vec::new();
            append_first(json.as_bytes(), Spacing::OneLine, parts, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn tags_beside_a_whole_game_are_left_out_but_for_the_variant() {
        let json =
            r#"{"url":"https://a/1","rules":"crazyhouse","time_class":"blitz","pgn":"[White \"A\"]\n\n1. e4 *"}"#;
        for (parts, expected) in
            [(GameParts::NONE, ""), (GameParts::ALL, r#"[Link "https://a/1"] [TimeClass "blitz"] "#)]
        {
            let mut out = Vec::new();
            append(json.as_bytes(), Spacing::OneLine, parts, &mut out);
            let expected = format!("[Variant \"Crazyhouse\"] {expected}[White \"A\"]  1. e4 *\n");
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
