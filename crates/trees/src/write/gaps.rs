//! What a repertoire lacks, or has twice: rows of positions of a tree.

use std::io::{self, Write};

use crate::tree::{Tree, TreeMove, TreeNode};
use crate::write::RowFormat;
use crate::write::guide::append_move;
use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_rows::lines::{Cell, Lines};

/// The kind of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GapKind {
    /// The side has several moves in the position.
    Choice,
    /// A line ends with a move of the opponent, so the side has no answer.
    NoAnswer,
}

impl GapKind {
    /// Returns the name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Choice => "choice",
            Self::NoAnswer => "no_answer",
        }
    }
}

/// A position of a repertoire in which its side has several moves, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gap {
    /// The kind.
    pub kind: GapKind,
    /// The moves from the start to the position.
    pub path: String,
    /// The FEN of the position.
    pub fen: String,
    /// The moves that the repertoire has there, with blanks between them, as SAN.
    pub moves: String,
}

impl Gap {
    /// The columns of rows, all of which are text.
    pub const COLUMNS: [&str; 4] = ["gap", "path", "fen", "moves"];
}

impl Tree {
    /// Returns the gaps of the repertoire of a side, in the order of the tree: positions in which the side has several
    /// moves, and positions behind the last move of a line in which it is to move and could.
    pub fn gaps(&self, side: Color) -> Vec<Gap> {
        let mut line = String::new();
        let mut position = self.root().start().clone();
        for m in self.root().moves() {
            append_move(&position, &m.to_san(&position), &mut line);
            position.play_unchecked(*m);
        }
        let mut gaps = Vec::new();
        let mut open = vec![(self.root_node(), line, position)];
        while let Some((node, line, position)) = open.pop() {
            if position.turn() == side {
                gaps.extend(gap(node, &line, &position));
            }
            let moves: Vec<TreeMove<'_>> = node.moves().filter(|played| !played.transposes()).collect();
            for played in moves.into_iter().rev() {
                let Some(m) = played.uci().find(&position) else {
                    continue;
                };
                let (mut line, mut after) = (line.clone(), position.clone());
                append_move(&position, &m.to_san(&position), &mut line);
                after.play_unchecked(m);
                open.push((played.target(), line, after));
            }
        }
        gaps
    }

    /// Writes the [gaps](Self::gaps) as rows. Returns their number.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn write_gaps(&self, side: Color, format: RowFormat, output: &mut impl Write) -> io::Result<usize> {
        let lines = Lines::new(format.into(), &Gap::COLUMNS);
        let mut out = Vec::new();
        lines.header(&mut out);
        let gaps = self.gaps(side);
        for Gap { kind, path, fen, moves } in &gaps {
            lines.row([kind.name(), path, fen, moves].into_iter().map(Cell::Text), &mut out);
        }
        output.write_all(&out)?;
        Ok(gaps.len())
    }
}

/// Returns the gap in a position whose side is to move; None if it has one answer, or the game is over.
fn gap(node: TreeNode<'_>, path: &str, position: &Position) -> Option<Gap> {
    let moves = node.moves().filter_map(|played| played.uci().find(position));
    let sans: Vec<String> = moves.map(|m| m.to_san(position)).collect();
    let kind = match sans.len() {
        0 if !position.legal_moves().is_empty() => GapKind::NoAnswer,
        0 | 1 => return None,
        _ => GapKind::Choice,
    };
    let fen = fen::to_string(position, FenStyle::default());
    Some(Gap { kind, path: path.to_owned(), fen, moves: sans.join(" ") })
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::tree;
    use pgn2fen_chess::piece::Color;

    #[track_caller]
    fn check(games: &str, side: Color, expected: &[&str]) {
        let tree = tree(games, &TreeOptions::usual(true));
        let gaps: Vec<String> =
            tree.gaps(side).iter().map(|gap| format!("{} [{}] {}", gap.kind.name(), gap.path, gap.moves)).collect();
        assert_eq!(gaps, expected);
    }

    #[test]
    fn gaps_are_choices_of_the_side_and_moves_without_an_answer() {
        let games = "1. e4 e5 (1... c5 2. Nf3 (2. c3)) (1... e6) 2. Nf3 Nc6 3. Bb5 *\n";
        check(games, Color::White, &["choice [1. e4 c5] Nf3 c3", "no_answer [1. e4 e6] "]);
        check(
            games,
            Color::Black,
            &[
                "choice [1. e4] e5 c5 e6",
                "no_answer [1. e4 e5 2. Nf3 Nc6 3. Bb5] ",
                "no_answer [1. e4 c5 2. Nf3] ",
                "no_answer [1. e4 c5 2. c3] ",
            ],
        );
        // A game that is over needs no answer, and a transposition is answered where the position stands.
        check("1. f3 e5 2. g4 Qh4# *\n", Color::White, &[]);
        check("1. Nf3 d5 2. d4 Nf6 3. c4 *\n\n1. Nf3 Nf6 2. d4 d5 *\n", Color::White, &[]);
    }
}
