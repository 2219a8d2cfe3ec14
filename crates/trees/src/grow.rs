//! Grows a tree from a source of counts: all positions of one length of lines after those of the length before.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::counts::{Counts, score};
use crate::key::key;
use crate::names::Names;
use crate::notes::Notes;
use crate::options::{MOST_MODELS, MOST_PLIES, MoveOrder, TreeOptions};
use crate::summary::Summary;
use crate::tree::{Edge, Game, NONE, Node, Tree};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_games::parallel::Workers;

/// What a source knows of a position.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub(crate) counts: Counts,
    pub(crate) year: u16,
    /// The games with the best ranks, best first.
    pub(crate) models: [u32; MOST_MODELS],
    /// The moves, in the order in which they were first played.
    pub(crate) moves: Vec<CountedMove>,
}

impl Default for Counted {
    fn default() -> Self {
        Self { counts: Counts::default(), year: 0, models: [NONE; MOST_MODELS], moves: Vec::new() }
    }
}

impl Counted {
    /// Returns what is known of a move, which is added if it is new.
    #[inline]
    pub(crate) fn played(&mut self, next: Uci) -> &mut CountedMove {
        let known = self.moves.iter().position(|played| played.next == next).unwrap_or_else(|| {
            self.moves.push(CountedMove { next, year: 0, counts: Counts::default(), in_variations: 0 });
            self.moves.len() - 1
        });
        &mut self.moves[known]
    }
}

/// A move that was played in a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountedMove {
    pub(crate) next: Uci,
    pub(crate) year: u16,
    pub(crate) counts: Counts,
    /// The number of games that have the move in a variation and not in their main line.
    pub(crate) in_variations: u32,
}

/// The names of a game, and what else is known of it.
pub(crate) struct NamedGame<'g> {
    pub(crate) white: &'g str,
    pub(crate) black: &'g str,
    pub(crate) event: &'g str,
    pub(crate) summary: Summary,
}

/// Games that were counted.
pub(crate) trait Counter: Sync {
    type Error: Send;

    /// Counts the games that reached a position.
    fn count(&self, position: &Position, key: u64) -> Result<Counted, Self::Error>;

    /// Calls a function for each of these games, whose numbers are in ascending order.
    fn name(&self, games: &[u32], take: impl FnMut(NamedGame<'_>)) -> Result<(), Self::Error>;
}

/// The rank of a game among model games. The greatest is the best.
pub(crate) fn rank(summary: Summary, game: u32) -> (u32, u32, Reverse<u32>) {
    (summary.rating_rank(), summary.age(), Reverse(game))
}

/// Puts a game among the best so far, which are sorted.
#[inline]
pub(crate) fn rate(models: &mut [u32], game: u32, summary: impl Fn(u32) -> Summary) {
    let Some(last) = models.last() else {
        return;
    };
    let mine = rank(summary(game), game);
    if *last != NONE && rank(summary(*last), *last) > mine {
        return;
    }
    let at = models.iter().position(|other| *other == NONE || rank(summary(*other), *other) < mine);
    if let Some(at) = at {
        models[at..].rotate_right(1);
        models[at] = game;
    }
}

/// A position with the moves that are kept.
struct Grown {
    counted: Counted,
    /// The keys of the positions behind the moves, and these positions.
    behind: Vec<(u64, Position)>,
}

/// The number of positions that a worker counts at a time.
const CHUNK: usize = 32;

/// Grows a tree.
pub(crate) fn grow<C: Counter>(counter: &C, options: &TreeOptions, workers: &Workers) -> Result<Tree, C::Error> {
    let root = options.root.clone();
    let node = |key, parent, ply| Node {
        key,
        counts: Counts::default(),
        first: 0,
        moves: 0,
        year: 0,
        parent,
        ply,
        models: [NONE; MOST_MODELS],
    };
    let root_key = key(root.position());
    let mut nodes = vec![node(root_key, NONE, 0)];
    let mut edges: Vec<Edge> = Vec::new();
    let mut by_key = HashMap::from([(root_key, 0)]);
    let mut level = vec![(0, root.position().clone())];
    let depth = options.depth.min(MOST_PLIES);
    for ply in 0..=depth {
        let chunks = level.len().div_ceil(CHUNK);
        let grown = workers.share(chunks, workers.count(), |chunk| {
            let positions = level.iter().skip(chunk * CHUNK).take(CHUNK);
            let grow = |(node, position): &(u32, Position)| {
                expand(counter, (position, nodes[*node as usize].key), options, ply < depth)
            };
            positions.map(grow).collect::<Result<Vec<_>, _>>()
        })?;
        let mut next = Vec::new();
        for ((at, _), Grown { counted, behind }) in level.iter().zip(grown.into_iter().flatten()) {
            let first = u32::try_from(edges.len()).unwrap_or(NONE);
            for (CountedMove { next: uci, year, counts, .. }, (key, position)) in counted.moves.iter().zip(behind) {
                let new = u32::try_from(nodes.len()).unwrap_or(NONE);
                let edge = u32::try_from(edges.len()).unwrap_or(NONE);
                let to = match by_key.entry(key) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(free) => {
                        nodes.push(node(key, edge, ply + 1));
                        next.push((new, position));
                        *free.insert(new)
                    }
                };
                edges.push(Edge { from: *at, to, next: *uci, year: *year, counts: *counts });
            }
            let node = &mut nodes[*at as usize];
            node.counts = counted.counts;
            node.year = counted.year;
            node.first = first;
            node.moves = u16::try_from(counted.moves.len()).unwrap_or(u16::MAX);
            if counted.moves.is_empty() {
                node.models = counted.models;
            }
        }
        level = next;
        if level.is_empty() {
            break;
        }
    }
    nodes.shrink_to_fit();
    edges.shrink_to_fit();
    by_key.shrink_to_fit();
    let mut tree = Tree {
        root,
        nodes,
        edges,
        by_key,
        games: Vec::new(),
        names: Names::default(),
        notes: Notes::default(),
        others: 0,
    };
    name_models(&mut tree, counter)?;
    Ok(tree)
}

/// Counts a position, and plays the moves that are kept.
fn expand<C: Counter>(
    counter: &C,
    (position, own_key): (&Position, u64),
    options: &TreeOptions,
    goes_on: bool,
) -> Result<Grown, C::Error> {
    let mut counted = counter.count(position, own_key)?;
    if !goes_on {
        counted.moves.clear();
    }
    counted.moves.retain(|played| played.counts.games() >= options.min_games);
    let score = |played: &CountedMove| match options.order {
        MoveOrder::Games | MoveOrder::File => None,
        MoveOrder::Score => score(&played.counts.results(), position.turn()),
    };
    // A move of main lines comes before those of variations only. Of equal moves, the one that was played first stays
    // the first. The moves are in the order of the files.
    if options.order != MoveOrder::File {
        counted.moves.sort_by_key(|played| {
            let games = played.counts.games();
            let in_main_lines = games.saturating_sub(played.in_variations.into());
            (Reverse(score(played)), Reverse(in_main_lines), Reverse(games))
        });
    }
    let mut behind = Vec::new();
    let most = options.max_moves.unwrap_or(usize::MAX);
    counted.moves.retain(|played| {
        let after = played.next.find(position).filter(|_| behind.len() < most).map(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            (key(&after), after)
        });
        let is_kept = after.is_some();
        behind.extend(after);
        is_kept
    });
    Ok(Grown { counted, behind })
}

/// Reads the names of the model games, of which the tree had the numbers.
fn name_models<C: Counter>(tree: &mut Tree, counter: &C) -> Result<(), C::Error> {
    let models = |tree: &Tree| tree.nodes.iter().flat_map(|node| node.models).collect::<Vec<_>>();
    let mut games = models(tree);
    games.retain(|game| *game != NONE);
    games.sort_unstable();
    games.dedup();
    let Tree { names, games: named, .. } = tree;
    counter.name(&games, |game| {
        let [white, black, event] = [game.white, game.black, game.event].map(|text| names.number(text.as_bytes()));
        named.push(Game { white, black, event, summary: game.summary });
    })?;
    for model in tree.nodes.iter_mut().flat_map(|node| &mut node.models).filter(|model| **model != NONE) {
        *model = games.binary_search(model).ok().and_then(|at| u32::try_from(at).ok()).unwrap_or(NONE);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{rank, rate};
    use crate::options::{MOST_MODELS, MoveOrder, TreeOptions};
    use crate::summary::Summary;
    use crate::testing::{lines, tree};
    use crate::tree::NONE;
    use pgn2fen_games::pgn::token::Outcome;

    proptest! {
        #[test]
        fn model_games_are_the_best(
            games in prop::collection::vec((1_000_u32..3_000, 1_900_u32..2_030), 0..20),
            wanted in 0..=MOST_MODELS,
        ) {
            let summary = |game: u32| {
                let (elo, year) = games[game as usize];
                let [elo, date] = [elo.to_string(), format!("{year}.01.01")];
                Summary::of(Outcome::Unknown, [Some(&date), Some(&elo), Some(&elo)])
            };
            let mut models = vec![NONE; wanted];
            let numbers = 0..u32::try_from(games.len()).unwrap();
            numbers.clone().for_each(|game| rate(&mut models, game, summary));
            let mut sorted: Vec<u32> = numbers.collect();
            sorted.sort_by_key(|game| std::cmp::Reverse(rank(summary(*game), *game)));
            sorted.resize(sorted.len().max(wanted), NONE);
            prop_assert_eq!(models, &sorted[..wanted]);
        }
    }

    const GAMES: &str =
        "1. e4 1-0\n\n1. e4 0-1\n\n1. e4 0-1\n\n1. d4 1/2-1/2\n\n1. d4 1/2-1/2\n\n1. c4 1-0\n\n1. b4 *\n";

    fn firsts(options: &TreeOptions) -> Vec<String> {
        let tree = tree(GAMES, options);
        tree.root_node().moves().map(|played| played.uci().to_string()).collect()
    }

    #[test]
    fn moves_are_in_their_order() {
        let options = TreeOptions::default();
        assert_eq!(firsts(&options), ["e2e4", "d2d4", "c2c4", "b2b4"]);
        // Scores of 100, 50 and 33 per cent, and one that is not known.
        let by_score = TreeOptions { order: MoveOrder::Score, ..options.clone() };
        assert_eq!(firsts(&by_score), ["c2c4", "d2d4", "e2e4", "b2b4"]);
        assert_eq!(firsts(&TreeOptions { max_moves: Some(2), ..by_score.clone() }), ["c2c4", "d2d4"]);
        assert_eq!(firsts(&TreeOptions { min_games: 2, ..by_score }), ["d2d4", "e2e4"]);
        assert_eq!(firsts(&TreeOptions { depth: 0, ..options }), [""; 0]);
    }

    #[test]
    fn main_lines_stay_main_lines() {
        let firsts = |games: &str, line: &str| {
            let options = TreeOptions { variations: true, ..crate::testing::from(line) };
            let tree = tree(games, &options);
            tree.root_node().moves().map(|played| played.uci().to_string()).collect::<Vec<_>>()
        };
        // A variation that transposes stands before the main line in the text.
        let transposed = "1. Nf3 d5 (1... Nf6 2. d4 d5 3. c4 e6) 2. d4 Nf6 3. c4 c6 *";
        assert_eq!(firsts(transposed, "1. d4 d5 2. Nf3 Nf6 3. c4"), ["c7c6", "e7e6"]);
        // More games have the other move, but in variations.
        let several = "1. e4 c5 (1... e5) *\n\n1. d4 d5 (1. e4 e5) *\n\n1. d4 Nf6 (1. e4 e5) *\n";
        assert_eq!(firsts(several, "1. e4"), ["c7c5", "e7e5"]);
        assert_eq!(firsts(several, "startpos"), ["d2d4", "e2e4"]);
    }

    #[test]
    fn the_model_games_of_a_line_have_the_best_ratings_or_are_the_latest() {
        let game = |white: &str, elos: [&str; 2], date: &str| {
            let [elo, other] = elos;
            format!(
                "[White \"{white}\"]\n[Date \"{date}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{other}\"]\n\n1. e4 *\n\n"
            )
        };
        let games = [
            game("no rating", ["", ""], "2024"),
            game("one rating", ["2800", ""], "2024"),
            game("older", ["2500", "2400"], "2019.05.01"),
            game("latest", ["2400", "2500"], "2019.05.02"),
            game("weaker", ["2400", "2499"], "2024"),
        ];
        let names = |models| {
            let tree = tree(&games.concat(), &TreeOptions { models, ..TreeOptions::default() });
            let end = tree.root_node().moves().next().unwrap().target();
            end.models().map(|game| game.white.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(3), ["latest", "older", "weaker"]);
        assert_eq!(names(1), ["latest"]);
        assert_eq!(names(0), [""; 0]);
    }

    #[test]
    fn the_score_is_that_of_the_side_to_move() {
        let games = "1. e4 e5 1-0\n\n1. e4 e5 1-0\n\n1. e4 c5 0-1\n";
        let tree = tree(games, &TreeOptions { order: MoveOrder::Score, ..TreeOptions::default() });
        let replies = tree.root_node().moves().next().unwrap().target();
        let replies: Vec<String> = replies.moves().map(|played| played.uci().to_string()).collect();
        assert_eq!(replies, ["c7c5", "e7e5"]);
    }

    #[test]
    fn a_position_is_reached_only_through_moves_that_are_kept() {
        // 1. d4 d5 2. c4 was played by three games, of which two came to it through 1. c4.
        let games = "1. d4 d5 2. c4 *\n\n1. c4 d5 2. d4 *\n\n1. c4 d5 2. d4 *\n";
        let kept = lines(&tree(games, &TreeOptions { min_games: 2, ..TreeOptions::default() }));
        assert_eq!(kept, ["c2c4 0 0 0 2", "c2c4 d7d5 0 0 0 2", "c2c4 d7d5 d2d4 0 0 0 2"]);
    }

    #[test]
    fn a_level_with_many_positions_has_the_moves_of_each() {
        let firsts: Vec<String> = ('a'..='h').flat_map(|file| [format!("{file}3"), format!("{file}4")]).collect();
        let game = |first: &str, reply: &str| {
            let last = if first.starts_with('b') { "c3" } else { "b3" };
            format!("1. {first} {reply} 2. {last} 1-0\n\n")
        };
        let games: String =
            firsts.iter().flat_map(|first| ["a6", "h6", "e6"].map(|reply| game(first, reply))).collect();
        let lines = lines(&tree(&games, &TreeOptions::default()));
        for (plies, expected) in [(1, 16), (2, 48), (3, 48)] {
            let of_plies = lines.iter().filter(|line| line.split(' ').count() == plies + 4);
            assert_eq!(of_plies.count(), expected);
        }
        let thirds = lines.iter().filter(|line| line.split(' ').count() == 7);
        assert!(thirds.filter(|line| line.ends_with("b2b3 1 0 0 0")).count() == 42);
    }
}
