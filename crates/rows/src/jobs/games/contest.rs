//! Which of the games that are the same is kept, once all are known.

use pgn2fen_games::pgn::annotation::sections;
use pgn2fen_games::pgn::movetext::Movetext;
use pgn2fen_games::pgn::token::Token;
use pgn2fen_games::selection::Identity;
use pgn2fen_tables::Texts;

/// Which of the games that are the same is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Keep {
    /// The first.
    #[default]
    First,
    /// The one with the most moves in its main line; of several, the one with the most annotation.
    Longest,
    /// The one with the most annotation: letters and digits in comments, glyphs, and moves in variations. Of several,
    /// the one with the most moves.
    Annotated,
}

impl Keep {
    /// All values, with their names.
    pub const ALL: [(&'static str, Self); 3] =
        [("first", Self::First), ("longest", Self::Longest), ("annotated", Self::Annotated)];

    /// Returns what is kept, as a phrase.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::First => "The first",
            Self::Longest => "The one with the most moves; of several, that with the most annotation",
            Self::Annotated => "The one with the most annotation; of several, that with the most moves",
        }
    }
}

/// What a game brings into the contest with those that are the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Claim {
    /// What is the same in games that are the same. If one key begins with another, so does the game.
    pub(super) key: Vec<u8>,
    /// The number of plies of the main line.
    pub(super) plies: u32,
    /// The amount of annotation.
    pub(super) annotation: u32,
}

impl Claim {
    /// Creates the claim of a game that is the same as those with this identity, or with whose moves it begins.
    pub(super) fn new(identity: Identity, moves: &[u8], (plies, annotation): (u32, u32)) -> Self {
        Self { key: [&key(1, identity)[..], moves].concat(), plies, annotation }
    }

    /// Creates the claim of a game that is the same as no other.
    pub(super) fn alone(place: Identity) -> Self {
        Self { key: key(0, place), plies: 0, annotation: 0 }
    }

    /// Appends the claim as bytes.
    pub(super) fn append(&self, out: &mut Vec<u8>) {
        out.extend(self.plies.to_be_bytes());
        out.extend(self.annotation.to_be_bytes());
        out.extend(&self.key);
    }
}

fn key(kind: u8, identity: Identity) -> Vec<u8> {
    let [high, low] = identity.halves().map(u64::to_be_bytes);
    [&[kind][..], &high, &low].concat()
}

/// Returns the amount of annotation in the movetext that begins at `at`: letters and digits in comments, without
/// commands such as `[%clk 0:01:00]`, and one for each glyph and each move in a variation.
pub(super) fn annotation(text: &[u8], at: usize) -> u32 {
    let mut movetext = Movetext::new(text, at);
    let (mut amount, mut depth) = (0_u32, 0_u32);
    while let Some(token) = movetext.next_token() {
        amount += match token {
            Token::Comment(comment) => words(comment),
            Token::San(_) => u32::from(depth > 0),
            Token::Nag(_) => 1,
            _ => 0,
        };
        match token {
            Token::VariationStart => depth += 1,
            Token::VariationEnd => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    amount
}

/// Returns the number of letters and digits of a comment outside commands. Bytes that are not UTF-8 are letters.
fn words(comment: &[u8]) -> u32 {
    let comment = String::from_utf8_lossy(comment);
    let is_letter = |char: &char| char.is_ascii_alphanumeric() || !char.is_ascii();
    let count: usize = sections(&comment).map(|(text, _)| text.chars().filter(is_letter).count()).sum();
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The claims of all games, in the order in which they came.
#[derive(Debug)]
pub(super) struct Contest {
    keep: Keep,
    claims: Texts,
}

impl Contest {
    pub(super) fn new(keep: Keep) -> Self {
        Self { keep, claims: Texts::default() }
    }

    /// Adds the claim of the next game, as [`Claim::append`] writes it.
    pub(super) fn push(&mut self, claim: &[u8]) {
        self.claims.push(claim);
    }

    fn key(&self, game: usize) -> &[u8] {
        &self.claims.bytes(game)[8..]
    }

    /// Returns a number that is greater for a game that is to be kept rather than another.
    fn rank(&self, game: usize) -> u64 {
        let number = |at: usize| {
            let bytes = self.claims.bytes(game)[at..at + 4].iter();
            bytes.fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
        };
        match self.keep {
            Keep::First => 0,
            Keep::Longest => number(0) << 32 | number(4),
            Keep::Annotated => number(4) << 32 | number(0),
        }
    }

    /// Returns for each game whether it is kept. Of two games that are the same, or of which one is the beginning of
    /// the other, at most one is kept: games are taken in the order of their ranks, unless one that is the same has
    /// been taken.
    pub(super) fn kept(&self) -> Vec<bool> {
        let mut kept = vec![false; self.claims.len()];
        let mut nodes = self.nodes();
        let mut by_rank: Vec<usize> = (0..nodes.len()).collect();
        by_rank.sort_by_key(|node| {
            let game = nodes[*node].best;
            (std::cmp::Reverse(self.rank(game)), game)
        });
        for node in by_rank {
            let mut beginnings = Vec::new();
            let mut above = nodes[node].parent;
            while let Some(at) = above {
                beginnings.push(at);
                above = nodes[at].parent;
            }
            if nodes[node].is_followed || beginnings.iter().any(|at| nodes[*at].is_kept) {
                continue;
            }
            nodes[node].is_kept = true;
            kept[nodes[node].best] = true;
            beginnings.iter().for_each(|at| nodes[*at].is_followed = true);
        }
        kept
    }

    /// Returns the different keys, each with its parent: the longest other key with which it begins.
    fn nodes(&self) -> Vec<Node> {
        let mut order: Vec<usize> = (0..self.claims.len()).collect();
        // A key comes directly before those that begin with it.
        order.sort_by(|a, b| self.key(*a).cmp(self.key(*b)).then(a.cmp(b)));
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for game in order {
            while open.last().is_some_and(|node| !self.key(game).starts_with(self.key(nodes[*node].best))) {
                open.pop();
            }
            match open.last() {
                Some(last) if self.key(nodes[*last].best) == self.key(game) => {
                    let best = nodes[*last].best;
                    if self.rank(game) > self.rank(best) {
                        nodes[*last].best = game;
                    }
                }
                parent => {
                    let parent = parent.copied();
                    open.push(nodes.len());
                    nodes.push(Node { best: game, parent, is_kept: false, is_followed: false });
                }
            }
        }
        nodes
    }
}

/// A key, and the games that have it.
#[derive(Debug)]
struct Node {
    /// The best of the games.
    best: usize,
    parent: Option<usize>,
    is_kept: bool,
    /// Whether a game is kept that begins with this key.
    is_followed: bool,
}

#[cfg(test)]
mod tests {
    use super::{Claim, Contest, Keep, annotation};

    #[track_caller]
    fn check(keep: Keep, games: &[(&str, u32)], expected: &str) {
        let mut contest = Contest::new(keep);
        for (key, annotation) in games {
            let mut claim = Vec::new();
            let key = key.as_bytes().to_vec();
            Claim { plies: u32::try_from(key.len()).unwrap(), annotation: *annotation, key }.append(&mut claim);
            contest.push(&claim);
        }
        let kept: String = contest.kept().iter().map(|is_kept| if *is_kept { '+' } else { '-' }).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn one_of_equal_games_is_kept() {
        let games = [("ab", 0), ("ab", 5), ("cd", 0), ("ab", 5), ("cd", 0)];
        check(Keep::First, &games, "+-+--");
        check(Keep::Longest, &games, "-++--");
        check(Keep::Annotated, &games, "-++--");
        check(Keep::First, &[], "");
    }

    #[test]
    fn a_game_that_is_the_beginning_of_another_is_left_out() {
        let games = [("a", 9), ("abc", 0), ("ab", 3), ("abd", 1), ("b", 0), ("ba", 0), ("", 0)];
        check(Keep::Longest, &games, "-+-+-+-");
        // What has most annotation stays, and nothing that is its beginning, or begins with it.
        check(Keep::Annotated, &games, "+----+-");
        check(Keep::Annotated, &[("ab", 3), ("abc", 4), ("abd", 1)], "-++");
        check(Keep::First, &[("a", 0), ("ab", 0), ("b", 0)], "+-+");
        // Games that go on in different ways from the same beginning are not the same.
        check(Keep::Annotated, &[("a", 2), ("ab", 1), ("ac", 5)], "-++");
    }

    #[test]
    fn annotation_is_what_people_wrote() {
        let check = |text: &str, expected| assert_eq!(annotation(text.as_bytes(), 0), expected, "{text}");
        check("1. e4 e5 2. Nf3 *", 0);
        check("1. e4 { [%clk 0:01:00] } e5 { [%eval 0.3] good } *", 4);
        check("1. e4! $14 (1. d4 d5 (1... Nf6)) *", 5);
    }

    #[test]
    fn numbers_of_any_size_are_compared() {
        check(Keep::Annotated, &[("a", 1), ("a", 256), ("a", 255)], "-+-");
        check(Keep::Annotated, &[("a", 65_536), ("a", 511)], "+-");
        let long = "x".repeat(300);
        let contest = [(&*long, 0), ("x", 0)];
        check(Keep::Longest, &contest, "+-");
        // A variation ends, and what follows is the game.
        let amount = |text: &str| annotation(text.as_bytes(), 0);
        assert_eq!((amount("1. e4 (1. d4) 1... e5 2. Nf3 *"), amount("1. e4 (1. d4 (1. c4) d5) e5 *")), (1, 3));
        assert_eq!(Keep::ALL.map(|(name, _)| name), ["first", "longest", "annotated"]);
        let meanings = Keep::ALL.map(|(_, keep)| keep.meaning());
        assert_eq!(
            meanings,
            [
                "The first",
                "The one with the most moves; of several, that with the most annotation",
                "The one with the most annotation; of several, that with the most moves",
            ]
        );
    }
}
