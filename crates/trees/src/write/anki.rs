//! Writes a tree as cards for Anki: a text file that Anki imports, with a note for each position in which the side of
//! the tree is to move.
//!
//! The id of a note follows from the position and the side, so Anki updates the notes that it has when it imports a
//! later file.

use std::io::Write;

use crate::key::key;
use crate::tree::Tree;
use crate::write::guide::{append_move, numbered};
use crate::write::{CardFront, TreeError, TreeStyle, WrittenTree};
use pgn2fen_board::Board;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::openings::Tracker;
use pgn2fen_chess::position::Position;
use pgn2fen_rows::cards::{self, Note, escaped};

/// The width of a board, in pixels.
const SIZE: u32 = 360;

pub(super) fn write(tree: &Tree, style: &TreeStyle, output: &mut impl Write) -> Result<WrittenTree, TreeError> {
    let mut head = Vec::new();
    cards::append_head(&style.title, &mut head);
    output.write_all(&head)?;
    let mut line = String::new();
    let mut position = tree.root().start().clone();
    let mut tracker = Tracker::default();
    tracker.see(&position);
    let mut last = None;
    for m in tree.root().moves() {
        append_move(&position, &m.to_san(&position), &mut line);
        last = Some((position.clone(), *m));
        position.play_unchecked(*m);
        tracker.see(&position);
    }
    let mut writer = CardWriter { tree, style, output, row: Vec::new(), written: WrittenTree::default() };
    // The nodes below one another, so that memory does not grow with the tree.
    let mut below = vec![Level { moves: tree.range(0), position, line, tracker }];
    writer.card(0, &below[0], last.as_ref())?;
    while let Some(level) = below.last_mut() {
        let Some(at) = level.moves.next() else {
            below.pop();
            continue;
        };
        let edge = tree.edge(at);
        let Some(played) = edge.next.find(&level.position).filter(|_| tree.holds(at)) else {
            continue;
        };
        let mut line = level.line.clone();
        append_move(&level.position, &played.to_san(&level.position), &mut line);
        let before = level.position.clone();
        let mut position = before.clone();
        position.play_unchecked(played);
        let mut tracker = level.tracker;
        tracker.see(&position);
        let next = Level { moves: tree.range(edge.to), position, line, tracker };
        writer.card(edge.to, &next, Some(&(before, played)))?;
        below.push(next);
    }
    Ok(writer.written)
}

/// A node of the current line.
struct Level {
    /// The moves that are still to be walked through.
    moves: std::ops::Range<u32>,
    position: Position,
    /// The moves that lead to it.
    line: String,
    tracker: Tracker,
}

struct CardWriter<'t, W> {
    tree: &'t Tree,
    style: &'t TreeStyle,
    output: &'t mut W,
    row: Vec<u8>,
    written: WrittenTree,
}

impl<W: Write> CardWriter<'_, W> {
    /// Writes the note of a node, if the side is to move there and the tree has a move.
    fn card(&mut self, node: u32, level: &Level, last: Option<&(Position, Move)>) -> Result<(), TreeError> {
        let Level { position, line, tracker, .. } = level;
        let moves = self.tree.range(node);
        if position.turn() != self.style.side || moves.is_empty() {
            return Ok(());
        }
        let answers: Vec<String> = moves
            .filter_map(|at| self.tree.edge(at).next.find(position))
            .map(|m| numbered(position, &m.to_san(position), true))
            .collect();
        let side = self.style.side;
        let letter = side.pick('w', 'b');
        let opening = tracker.opening();
        let name = opening.map(|opening| format!("{} {}", opening.eco, opening.name));
        let code = opening.map(|opening| format!(" chess::{}", opening.eco)).unwrap_or_default();
        let note = Note {
            id: &format!("pgn2fen-{letter}-{:016x}", key(position)),
            front: &self.front(position, last),
            back: &back(&answers, (position, line), name.as_deref()),
            tags: &format!("chess::{}{code}", side.pick("white", "black")),
        };
        self.row.clear();
        cards::append_note(&note, &mut self.row);
        self.output.write_all(&self.row)?;
        self.written.moves += 1;
        Ok(())
    }

    /// Returns the front of a card: the position, and what was played.
    fn front(&self, position: &Position, last: Option<&(Position, Move)>) -> String {
        let side = self.style.side.pick("White", "Black");
        let mut front = match self.style.card_front {
            CardFront::Fen => escaped(&fen::to_string(position, FenStyle::default())),
            CardFront::Board => {
                let board = Board::of(position).orientation(self.style.side).size(SIZE);
                let squares = last.and_then(|(_, m)| m.from().zip(m.to()));
                let board = match squares {
                    Some((from, to)) => board.last_move(from, to),
                    None => board,
                };
                cards::picture(&board)
            }
        };
        let after = last.map(|(before, m)| numbered(before, &m.to_san(before), true));
        let after = after.map_or_else(String::new, |after| format!(", after {}", escaped(&after)));
        front.push_str(&format!("<div>{side} to move{after}</div>"));
        front
    }
}

/// Returns the back of a card: the moves of the tree, and the line with the first of them.
fn back(answers: &[String], (position, line): (&Position, &str), opening: Option<&str>) -> String {
    let (first, others) = answers.split_first().map_or(("", &[][..]), |(first, others)| (&**first, others));
    let mut back = format!("<b>{}</b>", escaped(first));
    if !others.is_empty() {
        back.push_str(&format!("<div>or {}</div>", escaped(&others.join(", "))));
    }
    let mut line = line.to_owned();
    let san = first.split_once(' ').map_or(first, |(_, san)| san);
    append_move(position, san, &mut line);
    back.push_str(&format!("<div>{}</div>", escaped(&line)));
    if let Some(name) = opening {
        back.push_str(&format!("<div>{}</div>", escaped(name)));
    }
    back
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::{from, tree, written};
    use crate::write::{CardFront, TreeFormat, TreeStyle};
    use pgn2fen_chess::piece::Color;

    fn cards(games: &str, side: Color, options: &TreeOptions) -> Vec<Vec<String>> {
        let style = TreeStyle { side, card_front: CardFront::Fen, title: "My deck".to_owned(), ..TreeStyle::default() };
        let tree = tree(games, &TreeOptions { variations: true, ..options.clone() });
        let (text, count) = written(&tree, TreeFormat::Anki, &style);
        let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(count.moves, rows.len() as u64);
        let cell = |cell: &str| {
            let quoted = cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"'));
            quoted.map_or(cell.to_owned(), |cell| cell.replace("\"\"", "\""))
        };
        rows.iter().map(|row| row.split('\t').map(cell).collect()).collect()
    }

    #[test]
    fn there_is_a_card_for_each_position_in_which_the_side_moves() {
        let games = "1. e4 c5 (1... e5 2. Nf3 (2. Bc4)) 2. Nf3 d6 3. d4 *\n";
        let white = cards(games, Color::White, &TreeOptions::default());
        let backs: Vec<&str> = white.iter().map(|row| &*row[2]).collect();
        assert_eq!(
            backs,
            [
                "<b>1. e4</b><div>1. e4</div>",
                "<b>2. Nf3</b><div>1. e4 c5 2. Nf3</div><div>B20 Sicilian Defense</div>",
                "<b>3. d4</b><div>1. e4 c5 2. Nf3 d6 3. d4</div><div>B50 Sicilian Defense: Modern Variations</div>",
                "<b>2. Nf3</b><div>or 2. Bc4</div><div>1. e4 e5 2. Nf3</div><div>C20 King&#39;s Pawn Game</div>",
            ]
        );
        assert_eq!(white[1][3], "chess::white chess::B20");
        assert_eq!(
            white[1][1],
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2<div>White to move, after 1... c5</div>"
        );
        let black = cards(games, Color::Black, &TreeOptions::default());
        assert_eq!(black.len(), 2);
        assert_eq!(
            black[0][2],
            "<b>1... c5</b><div>or 1... e5</div><div>1. e4 c5</div><div>B00 King&#39;s Pawn Game</div>"
        );
    }

    /// Notes that people have are found by these ids, so they must never change.
    #[test]
    fn the_id_of_a_position_depends_on_nothing_else() {
        let one = cards("1. d4 d5 2. c4 e6 3. Nc3 *\n", Color::White, &TreeOptions::default());
        let other = cards("1. c4 e6 2. d4 d5 3. Nf3 *\n\n1. e4 *\n", Color::White, &TreeOptions::default());
        assert_eq!(one[0][0], "pgn2fen-w-463b96181691fc9c");
        let last = |rows: &[Vec<String>]| rows.iter().find(|row| row[2].starts_with("<b>3. N")).unwrap()[0].clone();
        assert_eq!(last(&one), last(&other));
        assert_ne!(one[0][0], cards("1. d4 d5 *\n", Color::Black, &TreeOptions::default())[0][0]);
    }

    #[test]
    fn cards_of_a_tree_that_begins_elsewhere_have_the_moves_before_it() {
        let rows = cards("1. e4 c5 2. Nf3 d6 *\n", Color::White, &from("1. e4 c5"));
        assert_eq!(rows[0][2], "<b>2. Nf3</b><div>1. e4 c5 2. Nf3</div><div>B20 Sicilian Defense</div>");
        assert!(rows[0][1].contains("after 1... c5"), "{}", rows[0][1]);
    }

    #[test]
    fn a_file_begins_with_what_anki_must_know_and_has_a_line_for_each_note() {
        let style = TreeStyle { title: "White\n\tlines".to_owned(), ..TreeStyle::default() };
        let (text, _) = written(&tree("1. e4 *\n", &TreeOptions::default()), TreeFormat::Anki, &style);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..4], ["#separator:tab", "#html:true", "#notetype:Basic", "#deck:White  lines"]);
        assert_eq!(lines[4..7], ["#columns:Id\tFront\tBack\tTags", "#guid column:1", "#tags column:4"]);
        assert_eq!(lines.len(), 8);
        assert_eq!(lines[7].split('\t').count(), 4);
        assert!(lines[7].contains("<svg "), "{}", lines[7]);
    }
}
