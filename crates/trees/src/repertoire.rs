//! A repertoire: the lines of games with their variations, with which other games are compared.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use crate::games::Gathered;
use crate::grow::grow;
use crate::key::key;
use crate::options::{MOST_PLIES, Root, TreeOptions};
use crate::steps::{MakeSteps, Mark as StepsMark, Steps};
use crate::tree::{NONE, Tree, TreeNode};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::Position;
use pgn2fen_games::job_methods;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::tags::RawValue;
use pgn2fen_games::replay::VariantPolicy;
use pgn2fen_games::walk::{BlockResult, GameTask, Job, OpenGame, Out, Output, OutputStages, Played, ReadOptions, Walk};

/// A repertoire: the positions and moves of games with their variations.
///
/// It has a tree for each starting position that is not in the tree of another one. Like a [`Tree`], it has positions
/// and not orders of moves: a position is the same whatever moves lead to it.
#[derive(Debug)]
pub struct Repertoire {
    trees: Vec<Tree>,
    /// The number of the first position of each tree, when the positions of all trees are counted.
    first: Vec<u32>,
    /// The numbers of the positions. A position that several trees have is that of the first one.
    by_key: HashMap<u64, u32>,
    /// The side in the Orientation tags of the games, if there are any and all agree.
    orientation: Option<Color>,
}

impl Repertoire {
    fn new(trees: Vec<Tree>, orientation: Option<Color>) -> Self {
        let mut first = Vec::with_capacity(trees.len());
        let mut by_key = HashMap::new();
        let mut number = 0;
        for tree in &trees {
            first.push(number);
            for node in &tree.nodes {
                by_key.entry(node.key).or_insert(number);
                number += 1;
            }
        }
        Self { trees, first, by_key, orientation }
    }

    /// Returns the trees: that of the initial position first, if a game begins there, and others in the order of the
    /// games.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// Whether the repertoire has no move.
    pub fn is_empty(&self) -> bool {
        self.trees.iter().all(Tree::is_empty)
    }

    /// Returns the number of positions.
    pub fn positions(&self) -> usize {
        self.by_key.len()
    }

    /// Returns the number of lines: the positions behind which the repertoire has no move.
    pub fn lines(&self) -> usize {
        self.numbers().filter(|number| self.is_end(*number)).count()
    }

    /// Returns the node of a position, whatever moves lead to it. None if the repertoire does not have it.
    pub fn node(&self, position: &Position) -> Option<TreeNode<'_>> {
        self.by_key.get(&key(position)).map(|number| self.node_of(*number))
    }

    /// Returns the side in the Orientation tags of the games, if there are any and all agree.
    pub fn orientation(&self) -> Option<Color> {
        self.orientation
    }

    /// Returns the side for which the repertoire is: that of the Orientation tags of its games, if all that have one
    /// agree, as in studies of Lichess; or else the side that has less choice, since a repertoire has one answer to
    /// each of several moves. None if that says nothing.
    pub fn side(&self) -> Option<Color> {
        self.orientation.or_else(|| {
            let mut choices = [0_usize; 2];
            for number in self.numbers() {
                let more = self.moves(number).len().saturating_sub(1);
                choices[self.turn(number).pick(0, 1)] += more;
            }
            match choices[0].cmp(&choices[1]) {
                std::cmp::Ordering::Less => Some(Color::White),
                std::cmp::Ordering::Greater => Some(Color::Black),
                std::cmp::Ordering::Equal => None,
            }
        })
    }

    /// Returns the number of a position.
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    /// Returns the numbers of all positions, in the order of the trees.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        let all = self.trees.iter().flat_map(|tree| &tree.nodes).zip(0..);
        all.filter(|(node, number)| self.by_key.get(&node.key) == Some(number)).map(|(_, number)| number)
    }

    /// Calls a function for each position, with its number.
    #[cfg(feature = "index")]
    pub(crate) fn each_position<E>(&self, take: &mut dyn FnMut(u32, &Position) -> Result<(), E>) -> Result<(), E> {
        for (tree, first) in self.trees.iter().zip(&self.first) {
            // The nodes below one another, so that memory does not grow with the tree.
            let mut line = vec![(tree.range(0), tree.root().position().clone())];
            let mut visit = |node: u32, position: &Position| {
                let number = first + node;
                let is_own = self.by_key.get(&tree.nodes[node as usize].key) == Some(&number);
                if is_own { take(number, position) } else { Ok(()) }
            };
            visit(0, tree.root().position())?;
            while let Some((range, position)) = line.last_mut() {
                let Some(at) = range.next() else {
                    line.pop();
                    continue;
                };
                let edge = tree.edge(at);
                let Some(played) = edge.next.find(position).filter(|_| tree.holds(at)) else {
                    continue;
                };
                let mut after = position.clone();
                after.play_unchecked(played);
                visit(edge.to, &after)?;
                line.push((tree.range(edge.to), after));
            }
        }
        Ok(())
    }

    /// Returns the number of numbers, some of which stand for no position.
    pub(crate) fn end(&self) -> usize {
        self.trees.iter().map(|tree| tree.nodes.len()).sum()
    }

    /// Returns the tree of a position, and its node in it.
    pub(crate) fn place(&self, number: u32) -> (&Tree, u32) {
        let at = self.first.partition_point(|first| *first <= number).saturating_sub(1);
        (&self.trees[at], number - self.first[at])
    }

    pub(crate) fn node_of(&self, number: u32) -> TreeNode<'_> {
        let (tree, node) = self.place(number);
        tree.node_at(node)
    }

    /// Returns the moves of a position.
    pub(crate) fn moves(&self, number: u32) -> std::ops::Range<u32> {
        let (tree, node) = self.place(number);
        tree.range(node)
    }

    /// Whether the repertoire has no move in a position.
    pub(crate) fn is_end(&self, number: u32) -> bool {
        self.moves(number).is_empty()
    }

    /// Returns the side to move in a position.
    pub(crate) fn turn(&self, number: u32) -> Color {
        let (tree, node) = self.place(number);
        let turn = tree.root().position().turn();
        if tree.nodes[node as usize].ply.is_multiple_of(2) { turn } else { !turn }
    }

    /// Returns the position before the move on which a position hangs. None for the first position of a tree.
    pub(crate) fn parent(&self, number: u32) -> Option<u32> {
        let (tree, node) = self.place(number);
        let edge = tree.nodes[node as usize].parent;
        (edge != NONE).then(|| self.find(tree.nodes[tree.edge(edge).from as usize].key)).flatten()
    }
}

/// A job that reads a repertoire: games with their variations, from any starting positions.
///
/// A game or a variation with an error is used up to the error.
///
/// ```
/// use std::path::Path;
///
/// use pgn2fen_chess::piece::Color;
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::walk::{Job, ReadOptions};
/// use pgn2fen_trees::RepertoireReader;
///
/// let text = b"1. e4 e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Bb5 *\n".to_vec();
/// let workers = Workers::new(1)?;
/// let mut job = RepertoireReader::new(ReadOptions::default());
/// job.read(&workers, Path::new("white.pgn"), Source::Whole(Database::from(text)), &mut ())?;
/// let repertoire = job.finish(&workers);
/// assert_eq!((repertoire.positions(), repertoire.lines()), (8, 2));
/// assert_eq!(repertoire.side(), Some(Color::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RepertoireReader(Walk<MakeChapters, Chapters>);

impl RepertoireReader {
    /// Creates a job that reads a repertoire.
    pub fn new(read: ReadOptions) -> Self {
        let chapters = Chapters {
            gathered: Gathered::new(0),
            starts: vec![Position::initial()],
            known: HashSet::from([key(&Position::initial())]),
            has_initial: false,
            orientations: [0; 2],
        };
        let make = MakeChapters { steps: MakeSteps::of_any_start(), initial: key(&Position::initial()) };
        Self(Walk::new(make, chapters, read))
    }

    /// Returns the repertoire that was read.
    pub fn finish(self, workers: &Workers) -> Repertoire {
        let Chapters { mut gathered, starts, has_initial, orientations, .. } = self.0.end().0;
        gathered.sort();
        let mut trees: Vec<Tree> = Vec::new();
        for (nth, start) in starts.into_iter().enumerate() {
            let key = key(&start);
            if nth == 0 && !has_initial || trees.iter().any(|tree| tree.by_key.contains_key(&key)) {
                continue;
            }
            let options = TreeOptions { root: Root::from(start), depth: MOST_PLIES, ..TreeOptions::default() };
            match grow(&gathered, &options, workers) {
                Ok(tree) => trees.push(tree),
            }
        }
        let orientation = match orientations {
            [white, 0] if white > 0 => Some(Color::White),
            [0, black] if black > 0 => Some(Color::Black),
            _ => None,
        };
        Repertoire::new(trees, orientation)
    }
}

impl Job for RepertoireReader {
    job_methods!(0);
}

/// Makes the steps of each game, with its start.
#[derive(Debug)]
struct MakeChapters {
    steps: MakeSteps,
    /// The key of the initial position.
    initial: u64,
}

/// The steps of the games of a block, with their starts.
#[derive(Debug, Default)]
struct ChapterSteps {
    steps: Steps,
    /// The start of each game, and the side in its Orientation tag. No position is the initial one.
    starts: Vec<(Option<Position>, Option<Color>)>,
}

impl BlockResult for ChapterSteps {
    type Mark = (StepsMark, usize);

    fn mark(&self) -> Self::Mark {
        (self.steps.mark(), self.starts.len())
    }

    fn go_back_to(&mut self, (steps, starts): Self::Mark) {
        self.steps.go_back_to(steps);
        self.starts.truncate(starts);
    }

    fn weight(&self) -> usize {
        self.steps.weight() + self.starts.len() * size_of::<(Option<Position>, Option<Color>)>()
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl GameTask for MakeChapters {
    type BlockResult = ChapterSteps;

    /// A repertoire is one of chess.
    fn variants(&self) -> VariantPolicy {
        VariantPolicy::Refuse
    }

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, ChapterSteps>) -> Played {
        let Some(start) = game.position() else {
            return Played::default();
        };
        let start = (key(start) != self.initial).then(|| start.clone());
        let orientation = game.tags.value("Orientation").map(RawValue::unescape);
        let orientation = orientation.and_then(|side| match side.to_ascii_lowercase().as_slice() {
            b"white" => Some(Color::White),
            b"black" => Some(Color::Black),
            _ => None,
        });
        out.made.starts.push((start, orientation));
        self.steps.game(game, &mut Out { made: &mut out.made.steps, identities: &mut *out.identities })
    }
}

/// What was gathered of a repertoire.
#[derive(Debug)]
struct Chapters {
    gathered: Gathered,
    /// The initial position, and the other starting positions in the order of the games.
    starts: Vec<Position>,
    known: HashSet<u64>,
    has_initial: bool,
    /// The number of games with each orientation.
    orientations: [u64; 2],
}

impl Output<ChapterSteps> for Chapters {
    fn stages(&mut self) -> OutputStages<'_, ChapterSteps> {
        OutputStages::deliver(|chapters: &mut ChapterSteps| {
            for (start, orientation) in chapters.starts.drain(..) {
                match start {
                    None => self.has_initial = true,
                    Some(start) if self.known.insert(key(&start)) => self.starts.push(start),
                    Some(_) => {}
                }
                if let Some(side) = orientation {
                    self.orientations[side.pick(0, 1)] += 1;
                }
            }
            for (summary, texts, steps) in chapters.steps.games() {
                self.gathered.add(summary, texts, steps);
            }
            ControlFlow::Continue(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockResult, ChapterSteps};

    #[test]
    fn chapters_have_weight() {
        let starts = vec![(None, None); 1000];
        assert!(ChapterSteps { starts, ..ChapterSteps::default() }.weight() >= 2000);
    }
}
