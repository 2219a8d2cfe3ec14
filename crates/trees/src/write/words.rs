//! The words about a move.

use crate::counts::{Counts, score};
use crate::notes::Note;
use crate::tree::{Edge, ModelGame, Tree, is_known};
use crate::write::TreeStyle;
use pgn2fen_chess::piece::Color;
use pgn2fen_games::messages::counted;

/// The least number of known results with which a move gets a glyph.
const GLYPH_GAMES: u64 = 10;

impl TreeStyle {
    /// Returns the words about the games of a position or of a move: `1,234 games, +512 =400 -322, 58%, last 2024`.
    pub(super) fn words(&self, counts: Counts, year: u16) -> String {
        let results = counts.results();
        let mut words = Vec::new();
        if self.remarks.games {
            words.push(counted(results.games(), "game"));
        }
        let score = score(&results, self.side);
        if self.remarks.results && score.is_some() {
            let [wins, losses] = match self.side {
                Color::White => [results.white, results.black],
                Color::Black => [results.black, results.white],
            };
            words.push(format!("+{wins} ={} -{losses}", results.draws));
        }
        if let Some(score) = score.filter(|_| self.remarks.score) {
            words.push(format!("{}%", (score + 5) / 10));
        }
        if self.remarks.year && year > 0 {
            words.push(format!("last {year}"));
        }
        words.join(", ")
    }

    /// Returns what people wrote about a move, if it is wanted.
    pub(super) fn note<'t>(&self, tree: &'t Tree, edge: &Edge) -> Option<&'t Note> {
        let key = tree.nodes[edge.from as usize].key;
        tree.notes.get(key, edge.next.bits().get()).filter(|_| self.remarks.words)
    }

    /// Returns what people wrote before the first move, if it is wanted.
    pub(super) fn first_note<'t>(&self, tree: &'t Tree) -> Option<&'t Note> {
        tree.notes.get(tree.nodes[0].key, 0).filter(|_| self.remarks.words)
    }

    /// Returns the words about the model games of a line.
    pub(super) fn models(&self, tree: &Tree, node: u32) -> Vec<String> {
        if !self.remarks.models {
            return Vec::new();
        }
        tree.models(node).filter_map(|game| model(&game)).collect()
    }

    /// Returns the number of the glyph of a move, if glyphs are wanted: 1 (`!`) for a score that is better than that of
    /// all games in the position by ten per cent or more, 6 (`?!`) for one that is worse by as much, and 2 (`?`) for
    /// one that is worse by twenty per cent or more. The score is that of the side that plays the move, and at least
    /// ten games have a known result.
    pub(super) fn glyph(&self, tree: &Tree, edge: &Edge, mover: Color) -> Option<u8> {
        let results = edge.counts.results();
        if !self.glyphs || results.games() - results.unknown < GLYPH_GAMES {
            return None;
        }
        let own = score(&results, mover)?;
        let all = score(&tree.nodes[edge.from as usize].counts.results(), mover)?;
        match (own.checked_sub(all), all.checked_sub(own)) {
            (Some(100..), _) => Some(1),
            (_, Some(200..)) => Some(2),
            (_, Some(100..)) => Some(6),
            _ => None,
        }
    }
}

/// Returns a glyph as it is printed.
pub(super) fn mark(glyph: Option<u8>) -> &'static str {
    match glyph {
        Some(1) => "!",
        Some(2) => "?",
        Some(3) => "!!",
        Some(4) => "??",
        Some(5) => "!?",
        Some(6) => "?!",
        _ => "",
    }
}

/// Returns the words about a game: its players, or else its event. None if neither is known.
fn model(game: &ModelGame<'_>) -> Option<String> {
    fn known(name: &str) -> Option<&str> {
        Some(name).filter(|name| is_known(name))
    }
    let names = match [game.white, game.black].map(known) {
        [None, None] => known(game.event)?.to_owned(),
        names => names.map(|name| name.unwrap_or("?")).join(" - "),
    };
    let year = game.year.map(|year| format!(", {year}")).unwrap_or_default();
    let result = game.result.as_str();
    let result = if result == "*" { String::new() } else { format!(", {result}") };
    Some(format!("{names}{year}{result}"))
}

#[cfg(test)]
mod tests {
    use super::mark;
    use crate::options::TreeOptions;
    use crate::testing::{from, tree, written};
    use crate::write::{Remarks, TreeFormat, TreeStyle};
    use pgn2fen_chess::piece::Color;

    /// A game for each letter: w, d, b or u for the result.
    fn games(moves: &str, results: &str) -> String {
        let results = results.chars().map(|letter| match letter {
            'w' => "1-0",
            'd' => "1/2-1/2",
            'b' => "0-1",
            _ => "*",
        });
        results.map(|result| format!("{moves} {result}\n\n")).collect()
    }

    fn comments(games: &str, style: &TreeStyle) -> String {
        let pgn = written(&tree(games, &TreeOptions::default()), TreeFormat::Pgn, style).0;
        pgn.split_once("\n\n").unwrap().1.trim().replace('\n', " ")
    }

    #[test]
    fn comments_tell_what_is_wanted() {
        let text = format!("[White \"A\"]\n[Black \"B\"]\n[Date \"2019.??.??\"]\n\n{}", games("1. e4", "wwdbu"));
        let told = |remarks: Remarks, side| {
            let style = TreeStyle { side, remarks, ..TreeStyle::default() };
            comments(&text, &style).split_once("1. e4").unwrap().1.trim().to_owned()
        };
        let all = "{5 games, +2 =1 -1, 63%, last 2019; A - B, 2019, 1-0} *";
        assert_eq!(told(Remarks::ALL, Color::White), all);
        let counted = Remarks { models: false, year: false, ..Remarks::ALL };
        assert_eq!(told(counted, Color::Black), "{5 games, +1 =1 -2, 38%} *");
        assert_eq!(told(Remarks { games: true, ..Remarks::NONE }, Color::White), "{5 games} *");
        assert_eq!(told(Remarks { score: true, ..Remarks::NONE }, Color::White), "{63%} *");
        assert_eq!(told(Remarks { models: true, ..Remarks::NONE }, Color::White), "{A - B, 2019, 1-0} *");
        assert_eq!(told(Remarks::NONE, Color::White), "*");
    }

    #[test]
    fn results_that_nobody_knows_are_not_told() {
        assert_eq!(comments("1. e4 *\n", &TreeStyle::default()), "{1 game} 1. e4 {1 game} *");
    }

    #[test]
    fn a_model_game_has_the_name_of_its_event_if_its_players_are_unknown() {
        let named = |tags: &str| {
            comments(
                &format!("{tags}\n\n1. e4 0-1\n"),
                &TreeStyle { remarks: Remarks { models: true, ..Remarks::NONE }, ..TreeStyle::default() },
            )
        };
        assert_eq!(named("[Event \"Lines with [ and }\"]"), "1. e4 {Lines with ( and ), 0-1} *");
        assert_eq!(named("[White \"?\"]\n[Black \"B\"]"), "1. e4 {? - B, 0-1} *");
        assert_eq!(named("[White \"?\"]\n[Event \" \"]"), "1. e4 *");
    }

    /// The scores of moves of White are compared with 50 per cent, that of all games.
    #[test]
    fn glyphs_compare_the_score_with_that_of_the_position() {
        let glyphs = |own: &str, others: &str| {
            let games = games("1. e4", own) + &games("1. d4", others);
            let style = TreeStyle { glyphs: true, remarks: Remarks::NONE, ..TreeStyle::default() };
            let text = comments(&games, &style);
            let behind = text.split_once("e4").unwrap().1.trim_start();
            let glyph = behind.split([' ', ')']).next().unwrap_or_default();
            glyph.starts_with('$').then(|| glyph.to_owned())
        };
        assert_eq!(glyphs("wwwwwwbbbb", "wwwwbbbbbb").as_deref(), Some("$1"));
        assert_eq!(glyphs("wwwwwdbbbb", "wwwwdbbbbb"), None);
        assert_eq!(glyphs("wwwwbbbbbb", "wwwwwwbbbb").as_deref(), Some("$6"));
        assert_eq!(glyphs("wwwdbbbbbb", "wwwwwwdbbb").as_deref(), Some("$6"));
        assert_eq!(glyphs("wwwbbbbbbb", "wwwwwwwbbb").as_deref(), Some("$2"));
        // Nine results are too few, and games without one do not count.
        assert_eq!(glyphs("wwwwwwwww", "bbbbbbbbb"), None);
        assert_eq!(glyphs("wwwwwwwwwuuuu", "bbbbbbbbb"), None);
        assert_eq!(glyphs("wwwwwwwwwwuuuu", "bbbbbbbbb").as_deref(), Some("$1"));
    }

    #[test]
    fn a_glyph_of_black_goes_by_the_score_of_black() {
        let games = games("1. e4 e5", "wwwwwwwwww") + &games("1. e4 c5", "bbbbbbbbbb");
        let style = TreeStyle { glyphs: true, remarks: Remarks::NONE, ..TreeStyle::default() };
        assert_eq!(comments(&games, &style), "1. e4 e5 $2 (1... c5 $1) *");
    }

    #[test]
    fn the_first_position_has_a_comment_behind_the_moves_before_it() {
        let style = TreeStyle { remarks: Remarks { games: true, ..Remarks::NONE }, ..TreeStyle::default() };
        let pgn = written(&tree("1. e4 c5 2. Nf3 *\n", &from("1. e4 c5")), TreeFormat::Pgn, &style).0;
        assert!(pgn.ends_with("\n\n1. e4 c5 {1 game} 2. Nf3 {1 game} *\n\n"), "{pgn}");
    }

    #[test]
    fn glyphs_of_moves_are_printed_as_marks() {
        assert_eq!([1, 2, 3, 4, 5, 6].map(|glyph| mark(Some(glyph))), ["!", "?", "!!", "??", "!?", "?!"]);
        assert_eq!([None, Some(7)].map(mark), ["", ""]);
    }
}
