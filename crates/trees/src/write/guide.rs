//! Decides what becomes of each move of a tree when it is written.

use std::collections::HashMap;

use crate::tree::{Edge, Tree};
use crate::write::{MOST_WRITTEN_OUT, Transpositions, WrittenTree};
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;

/// What follows a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// The moves of the position behind it.
    GoesOn,
    /// Nothing: the line ends.
    Ends,
    /// Nothing here: the position stands elsewhere.
    Transposes,
    /// Nothing: the position stands before in the same line.
    Repeats,
}

/// A walk through a tree along its lines.
pub(super) struct Guide<'t> {
    pub(super) tree: &'t Tree,
    transpositions: Transpositions,
    depth: usize,
    /// The nodes of the current line, from the root on.
    path: Vec<u32>,
    left: u64,
    pub(super) written: WrittenTree,
    places: HashMap<u32, String>,
}

/// A move with the positions around it.
pub(super) struct Played<'t> {
    pub(super) edge: &'t Edge,
    pub(super) played: Move,
    pub(super) after: Position,
    pub(super) fate: Fate,
}

impl<'t> Guide<'t> {
    pub(super) fn new(tree: &'t Tree, transpositions: Transpositions) -> Self {
        let depth = tree.nodes.iter().map(|node| node.ply).max().unwrap_or(0) as usize;
        let mut guide = Self {
            tree,
            transpositions,
            depth,
            path: vec![0],
            left: MOST_WRITTEN_OUT,
            written: WrittenTree::default(),
            places: HashMap::new(),
        };
        guide.name_places();
        guide
    }

    /// Plays a move of the current node, and decides what becomes of it. None for a move that is not legal.
    pub(super) fn play(&mut self, at: u32, before: &Position) -> Option<Played<'t>> {
        let edge = self.tree.edge(at);
        let played = edge.next.find(before)?;
        let mut after = before.clone();
        after.play_unchecked(played);
        let holds = self.tree.holds(at);
        self.written.moves += 1;
        self.written.transpositions += u64::from(!holds);
        let has_moves = !self.tree.range(edge.to).is_empty();
        let is_again = !holds || self.transpositions == Transpositions::WrittenOut && !self.is_canonical();
        let fate = if self.path.contains(&edge.to) {
            Fate::Repeats
        } else if !is_again {
            if has_moves { Fate::GoesOn } else { Fate::Ends }
        } else if self.transpositions == Transpositions::Joined {
            Fate::Transposes
        } else if !has_moves || self.path.len() >= self.depth {
            Fate::Ends
        } else if self.left == 0 {
            self.written.is_cut = true;
            Fate::Transposes
        } else {
            Fate::GoesOn
        };
        if is_again {
            self.left = self.left.saturating_sub(1);
        }
        Some(Played { edge, played, after, fate })
    }

    /// Whether the current line is the one on which its last node hangs.
    fn is_canonical(&self) -> bool {
        let mut pairs = self.path.windows(2);
        pairs.all(|pair| {
            let parent = self.tree.nodes[pair[1] as usize].parent;
            self.tree.edges.get(parent as usize).is_some_and(|edge| edge.from == pair[0])
        })
    }

    /// Goes on to the node behind a move.
    pub(super) fn enter(&mut self, played: &Played<'_>) {
        self.path.push(played.edge.to);
    }

    /// Goes back to the node before.
    pub(super) fn leave(&mut self) {
        self.path.pop();
    }

    /// Returns the number of the current node.
    pub(super) fn node(&self) -> u32 {
        self.path.last().copied().unwrap_or(0)
    }

    /// Whether what hangs on the current line stands here, and is not written again.
    pub(super) fn is_here(&self) -> bool {
        self.transpositions == Transpositions::Joined || self.is_canonical()
    }

    /// Returns the number of plies of the current line.
    pub(super) fn ply(&self) -> usize {
        self.path.len() - 1
    }

    /// Returns the words about a line that goes on elsewhere.
    pub(super) fn goes_on(&self, played: &Played<'_>) -> Option<String> {
        let place = self.places.get(&played.edge.to).map_or("the first position", |place| place);
        match played.fate {
            Fate::Transposes => Some(format!("transposes to {place}")),
            Fate::Repeats if played.edge.to == 0 => Some("repeats the first position".to_owned()),
            Fate::Repeats => Some(format!("repeats the position after {place}")),
            Fate::GoesOn | Fate::Ends => None,
        }
    }

    /// Names the positions to which lines transpose: by the move on which they hang, or by the line if several moves of
    /// the tree have this name.
    fn name_places(&mut self) {
        let tree = self.tree;
        let edges = 0..u32::try_from(tree.edges.len()).unwrap_or(u32::MAX);
        let mut wanted = vec![false; tree.nodes.len()];
        for edge in edges.filter(|edge| !tree.holds(*edge)) {
            wanted[tree.edge(edge).to as usize] = true;
        }
        wanted[0] = false;
        if !wanted.contains(&true) {
            return;
        }
        let mut known: HashMap<String, u32> = HashMap::new();
        let mut names: Vec<(u32, String)> = Vec::new();
        // A position at a time, so that memory does not grow with the tree: the nodes below one another.
        let mut line: Vec<(std::ops::Range<u32>, Position)> = vec![(tree.range(0), tree.root.position().clone())];
        while let Some((range, position)) = line.last_mut() {
            let Some(at) = range.next() else {
                line.pop();
                continue;
            };
            let edge = tree.edge(at);
            let Some(played) = edge.next.find(position) else {
                continue;
            };
            let name = numbered(position, &played.to_san(position), true);
            if tree.holds(at) {
                if wanted[edge.to as usize] {
                    names.push((edge.to, name.clone()));
                }
                let mut after = position.clone();
                after.play_unchecked(played);
                line.push((tree.range(edge.to), after));
            }
            *known.entry(name).or_default() += 1;
        }
        for (node, name) in names {
            let is_only = known.get(&name) == Some(&1);
            self.places.insert(node, if is_only { name } else { line_of(tree, node) });
        }
    }
}

/// Returns the moves from the root on which a node hangs: `1. e4 c5 2. Nf3`.
pub(crate) fn line_of(tree: &Tree, node: u32) -> String {
    let mut position = tree.root.position().clone();
    let mut text = String::new();
    for edge in tree.line(node) {
        let Some(played) = tree.edge(edge).next.find(&position) else {
            break;
        };
        append_move(&position, &played.to_san(&position), &mut text);
        position.play_unchecked(played);
    }
    text
}

/// Appends a move to a line of moves.
pub(crate) fn append_move(before: &Position, san: &str, line: &mut String) {
    let is_first = line.is_empty();
    if !is_first {
        line.push(' ');
    }
    line.push_str(&numbered(before, san, is_first));
}

/// Returns a move with its number: `5. Nc3`, or `5... Nc6` if it `stands_alone`. A move of Black behind one of White
/// has no number.
pub(crate) fn numbered(before: &Position, san: &str, stands_alone: bool) -> String {
    match before.turn() {
        Color::White => format!("{}. {san}", before.fullmoves()),
        Color::Black if stands_alone => format!("{}... {san}", before.fullmoves()),
        Color::Black => san.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::{from, tree, written};
    use crate::write::{MOST_WRITTEN_OUT, Remarks, RowFormat, Transpositions, TreeFormat, TreeStyle};

    fn movetext(games: &str, options: &TreeOptions, transpositions: Transpositions) -> String {
        let style = TreeStyle { remarks: Remarks::NONE, transpositions, ..TreeStyle::default() };
        let pgn = written(&tree(games, options), TreeFormat::Pgn, &style).0;
        pgn.split_once("\n\n").unwrap().1.trim().replace('\n', " ")
    }

    #[test]
    fn a_line_that_transposes_names_where_it_goes_on() {
        let games = "1. d4 d5 2. c4 e6 *\n\n1. d4 d5 2. c4 e6 *\n\n1. c4 d5 2. d4 c6 *\n";
        let options = TreeOptions::default();
        let (_, counted) = written(&tree(games, &options), TreeFormat::Pgn, &TreeStyle::default());
        assert_eq!((counted.moves, counted.transpositions), (8, 1));
        assert_eq!(
            movetext(games, &options, Transpositions::Joined),
            "1. d4 (1. c4 d5 2. d4 {transposes to 2. c4}) 1... d5 2. c4 e6 (2... c6) *"
        );
        assert_eq!(
            movetext(games, &options, Transpositions::WrittenOut),
            "1. d4 (1. c4 d5 2. d4 e6 (2... c6)) 1... d5 2. c4 e6 (2... c6) *"
        );
    }

    #[test]
    fn a_place_whose_move_stands_twice_is_named_by_its_line() {
        // The move 2. d4 stands behind 1. e4 e6, too.
        let games = "1. d4 e6 2. c4 *\n\n1. c4 e6 2. d4 b6 *\n\n1. d4 e6 2. c4 *\n\n1. e4 c5 2. c4 *\n";
        assert_eq!(
            movetext(games, &TreeOptions::default(), Transpositions::Joined),
            "1. d4 (1. c4 e6 2. d4 {transposes to 1. d4 e6 2. c4}) (1. e4 c5 2. c4) 1... e6 2. c4 b6 *"
        );
    }

    #[test]
    fn a_line_that_comes_back_ends() {
        let games = "1. Nf3 Nf6 2. Ng1 Ng8 3. e4 *\n\n1. Nf3 Nf6 2. Nc3 Nc6 3. Nb1 Nb8 *\n";
        for transpositions in [Transpositions::Joined, Transpositions::WrittenOut] {
            assert_eq!(
                movetext(games, &TreeOptions::default(), transpositions),
                "1. Nf3 (1. e4) 1... Nf6 2. Ng1 (2. Nc3 Nc6 3. Nb1 Nb8 {repeats the position after 1... Nf6}) 2... Ng8 \
                 {repeats the first position} *"
            );
        }
    }

    #[test]
    fn paths_begin_with_the_moves_before_the_tree() {
        let games = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 *\n\n1. e4 c5 2. d4 d6 3. Nf3 *\n";
        let tree = tree(games, &from("1. e4 c5"));
        let (rows, _) = written(&tree, TreeFormat::Rows(RowFormat::Tsv), &TreeStyle::default());
        let cells = |row: &str| row.split('\t').map(str::to_owned).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = rows.lines().skip(1).map(cells).collect();
        assert_eq!(rows[0][..3], ["1. e4 c5 2. Nf3", "1", "Nf3"]);
        let joined: Vec<_> = rows.iter().filter(|row| !row[12].is_empty()).map(|row| [&*row[0], &*row[12]]).collect();
        assert_eq!(joined, [["1. e4 c5 2. d4 d6 3. Nf3", "1. e4 c5 2. Nf3 d6 3. d4"]]);
    }

    /// Both sides make their moves in pairs, in any order: 73 positions behind 305,830 moves.
    #[test]
    fn moves_are_written_again_up_to_a_limit() {
        let pairs = ["a3 h3", "a4 h4", "b3 g3", "c3 f3", "d3 e3", "Bb2 Bg2", "Ra2 Rh2", "Nd2 Ne2"];
        let mirrored = |san: &str| -> String {
            san.chars()
                .map(|char| char.to_digit(10).map_or(char, |rank| char::from_digit(9 - rank, 10).unwrap()))
                .collect()
        };
        let game = |turns: [bool; 2]| -> String {
            let pairs = pairs.iter().flat_map(|pair| {
                let sides = [(*pair).to_owned(), mirrored(pair)];
                let [white, black] = [0, 1].map(|side| {
                    let (one, other) = sides[side].split_once(' ').unwrap();
                    if turns[side] { [other.to_owned(), one.to_owned()] } else { [one.to_owned(), other.to_owned()] }
                });
                let ([white, whites], [black, blacks]) = (white, black);
                [white, black, whites, blacks]
            });
            pairs.collect::<Vec<_>>().join(" ") + " *\n\n"
        };
        let games: String = [[false, false], [false, true], [true, false], [true, true]].map(game).concat();
        let tree = tree(&games, &TreeOptions { depth: 100, ..TreeOptions::default() });
        assert_eq!((tree.positions(), tree.moves()), (73, 96));
        let style =
            TreeStyle { remarks: Remarks::NONE, transpositions: Transpositions::WrittenOut, ..TreeStyle::default() };
        let (text, cut) = written(&tree, TreeFormat::Pgn, &style);
        assert!(cut.is_cut && cut.moves.abs_diff(MOST_WRITTEN_OUT) < 2 * 96, "{cut:?}");
        // All of it is read again, and has nothing but the moves of the tree.
        let options = TreeOptions { depth: 100, variations: true, ..TreeOptions::default() };
        let again = crate::testing::tree(&text, &options);
        assert_eq!((again.positions(), again.moves()), (73, 96));
        // With seven of the pairs, there are few enough.
        let seven = TreeOptions { depth: 28, ..TreeOptions::default() };
        let (_, whole) = written(&crate::testing::tree(&games, &seven), TreeFormat::Pgn, &style);
        assert_eq!((whole.is_cut, whole.moves), (false, 14 * (4_u64.pow(7) - 1) / 3));
    }
}
