//! Reads the steps of a game: the positions that it reached behind the root, and the moves that it played there.

use crate::key::{is_passing, key};
use crate::notes::Note;
use crate::options::{MOST_PLIES, TreeOptions};
use crate::summary::Summary;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::zobrist;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::{Replay, VariantPolicy};
use pgn2fen_games::walk::{BlockResult, Choice, GameParts, GameTask, OpenGame, Out, Played, PositionChoice};
use pgn2fen_tables::Texts;

/// A position of a game, and the move that was played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) key: u64,
    /// The bits of the move; 0 if there is none.
    pub(crate) next: u16,
    /// Whether the move stands in a variation.
    pub(crate) is_variation: bool,
    /// Whether the position is counted with this step. Each position of a game is counted once.
    pub(crate) reached: Reached,
}

/// How a step counts for its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    Again,
    InMainLine,
    InVariation,
}

/// The steps of the games of a block.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    games: Vec<(usize, Summary)>,
    steps: Vec<Step>,
    /// The tags White, Black and Event of each game.
    texts: Texts,
    /// What is written behind moves: the keys of the positions before them, and the bits of the moves.
    pub(crate) notes: Vec<(u64, u16, Note)>,
    /// The number of games of other rules, which are left out.
    pub(crate) others: u64,
}

/// The number of texts of a game.
const TEXTS: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    games: usize,
    steps: usize,
    notes: usize,
    others: u64,
}

impl BlockResult for Steps {
    type Mark = Mark;

    fn mark(&self) -> Mark {
        Mark { games: self.games.len(), steps: self.steps.len(), notes: self.notes.len(), others: self.others }
    }

    fn go_back_to(&mut self, mark: Mark) {
        self.games.truncate(mark.games);
        self.steps.truncate(mark.steps);
        self.texts.truncate(mark.games * TEXTS);
        self.notes.truncate(mark.notes);
        self.others = mark.others;
    }

    fn weight(&self) -> usize {
        let notes: usize = self.notes.iter().map(|(_, _, note)| 10 + note.weight()).sum();
        let games = self.games.len() * size_of::<(usize, Summary)>() + self.steps.len() * size_of::<Step>();
        games + self.texts.weight() + notes
    }

    fn retain(&mut self, _: &[bool]) {}
}

impl Steps {
    /// Returns the games, each with the facts about it, its texts and its steps.
    pub(crate) fn games(&self) -> impl Iterator<Item = (Summary, [&[u8]; TEXTS], &[Step])> {
        let mut begin = 0;
        self.games.iter().enumerate().map(move |(nth, (end, summary))| {
            let texts = [0, 1, 2].map(|text| self.texts.get(nth * TEXTS + text).unwrap_or_default());
            let steps = &self.steps[begin..*end];
            begin = *end;
            (*summary, texts, steps)
        })
    }
}

/// Makes the steps of each game that reaches the root.
#[derive(Debug)]
pub(crate) struct MakeSteps {
    root: Position,
    root_key: u64,
    depth: u32,
    variations: bool,
    notes: bool,
    /// Whether games count wherever they begin.
    any_start: bool,
}

impl MakeSteps {
    /// Makes the steps of games with their variations, wherever they begin.
    pub(crate) fn of_any_start() -> Self {
        let options = TreeOptions { depth: MOST_PLIES, variations: true, ..TreeOptions::default() };
        Self { any_start: true, ..Self::new(&options) }
    }

    pub(crate) fn new(options: &TreeOptions) -> Self {
        let root = options.root.position().clone();
        let depth = options.depth.min(MOST_PLIES);
        let TreeOptions { variations, notes, .. } = *options;
        Self { root_key: key(&root), root, depth, variations, notes, any_start: false }
    }

    /// Plays the main line up to the last ply that counts.
    #[inline]
    fn main_line(
        &self,
        replay: &mut Replay<'_>,
        steps: &mut Vec<Step>,
        errors: &mut Vec<Diagnostic>,
        note: &mut impl FnMut(&Replay<'_>, u64, u16),
    ) -> u64 {
        let begin = steps.len();
        let is_orthodox = replay.position().castling_rules() == CastlingRules::Standard;
        let mut raw = zobrist::key(replay.position());
        let mut found = None;
        let mut ply = 0;
        loop {
            let before = replay.position();
            let inner = if is_orthodox { 0 } else { zobrist::inner_rooks(before) };
            let own = if is_passing(before) { key(before) } else { raw ^ inner };
            if found.is_none() && own == self.root_key {
                found = Some(ply);
                if ply == 0 {
                    note(replay, own, 0);
                }
            }
            let is_last = found.is_some_and(|found| ply - found == self.depth);
            if is_last {
                push(steps, begin, Step { key: own, ..MAIN }, before.halfmoves());
                break;
            }
            let before = before.clone();
            let next = match replay.next_ply() {
                Some(Ok(played)) => Some(played.played),
                Some(Err(error)) => {
                    errors.push(error);
                    None
                }
                None => None,
            };
            if found.is_some() {
                let rules = if is_orthodox { CastlingRules::Standard } else { before.castling_rules() };
                let next = next.map_or(0, |m| m.uci(rules).bits().get());
                push(steps, begin, Step { key: own, next, ..MAIN }, before.halfmoves());
                if next != 0 {
                    note(replay, own, next);
                }
            }
            let Some(m) = next else {
                break;
            };
            raw = zobrist::key_after(raw, &before, m);
            ply += 1;
        }
        u64::from(ply) + 1
    }

    /// Plays the game with its variations. Nothing is added if it does not reach the root.
    fn all_lines(
        &self,
        replay: &mut Replay<'_>,
        choice: &Choice<'_>,
        steps: &mut Vec<Step>,
        errors: &mut Vec<Diagnostic>,
        note: &mut impl FnMut(&Replay<'_>, u64, u16),
    ) -> u64 {
        let begin = steps.len();
        let mut positions = 1;
        let first = key(replay.position());
        // What lies deeper can matter only if the tree begins elsewhere.
        let begins_here = self.any_start || first == self.root_key && replay.position().is_same_position(&self.root);
        let mut has_root = self.any_start || first == self.root_key;
        steps.push(Step { key: first, ..MAIN });
        note(replay, first, 0);
        while let Some(played) = choice.next_ply(replay, errors) {
            positions += 1;
            let Some(before) = replay.before().filter(|_| !begins_here || played.number <= self.depth) else {
                continue;
            };
            let is_variation = replay.variation() > 0;
            let reached = if is_variation { Reached::InVariation } else { Reached::InMainLine };
            let next = played.played.uci(before.castling_rules()).bits().get();
            let behind = key(replay.position());
            has_root |= behind == self.root_key;
            let before = key(before);
            note(replay, before, next);
            steps.push(Step { key: before, next, is_variation, reached });
            steps.push(Step { key: behind, next: 0, is_variation, reached });
        }
        if !has_root {
            steps.truncate(begin);
        }
        count_once(steps, begin);
        positions
    }
}

/// Makes each position and each move of a game with variations count once: in the main line, if it is there. The moves
/// of a position stay in the order of the text.
fn count_once(steps: &mut Vec<Step>, begin: usize) {
    let mut places: Vec<(Step, usize)> = steps.drain(begin..).zip(0..).collect();
    // The moves of a position, each with its place in the text, and first where it is in the main line.
    places.sort_unstable_by_key(|(step, at)| (step.key, step.next, step.is_variation, *at));
    places.dedup_by(|(step, at), (first, first_at)| {
        let is_known = (step.key, step.next) == (first.key, first.next);
        if is_known {
            *first_at = (*first_at).min(*at);
        }
        is_known
    });
    places.sort_unstable_by_key(|(step, at)| (step.key, step.is_variation, *at));
    let mut last = None;
    for (step, _) in &mut places {
        if last.replace(step.key) == Some(step.key) {
            step.reached = Reached::Again;
        }
    }
    places.sort_unstable_by_key(|(_, at)| *at);
    steps.extend(places.into_iter().map(|(step, _)| step));
}

/// A step of the main line whose position was not reached before.
const MAIN: Step = Step { key: 0, next: 0, is_variation: false, reached: Reached::InMainLine };

/// Adds a step of the main line. A position and a move count once in a game. A position comes back only if no pawn was
/// moved and nothing captured since.
#[inline]
fn push(steps: &mut Vec<Step>, begin: usize, mut step: Step, halfmoves: u32) {
    if halfmoves >= 4 {
        let own = &steps[begin..];
        let recent = own.len().saturating_sub(halfmoves as usize);
        let mut earlier = own[recent..].iter().filter(|other| other.key == step.key).peekable();
        if earlier.peek().is_some() {
            step.reached = Reached::Again;
            if step.next == 0 || earlier.any(|other| other.next == step.next) {
                return;
            }
        }
    }
    steps.push(step);
}

impl GameTask for MakeSteps {
    type BlockResult = Steps;

    /// A tree has games of one set of rules, and leaves out the others. Without a root, it has those of chess.
    fn variants(&self) -> VariantPolicy {
        if self.any_start { VariantPolicy::Refuse } else { VariantPolicy::Play }
    }

    fn needs_offsets(&self) -> bool {
        false
    }

    fn parts(&self) -> GameParts {
        GameParts { tags: true, comments: self.notes, variations: self.variations, spelling: false }
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Steps>) -> Played {
        if game.position().is_some_and(|start| start.rules() != self.root.rules()) {
            out.made.others += 1;
            return Played::UNWANTED;
        }
        let begin = out.made.steps.len();
        // It says how errors are handled.
        let positions = PositionChoice { variations: true, ..PositionChoice::default() };
        let choice = positions.in_game(game);
        let mut result = Outcome::Unknown;
        let noted = out.made.notes.len();
        let (steps, notes) = (&mut out.made.steps, &mut out.made.notes);
        let encoding = game.encoding;
        let mut note = |replay: &Replay<'_>, key, next| {
            if self.notes {
                notes.extend(Note::read(replay, encoding).map(|note| (key, next, note)));
            }
        };
        let played = game.play(|replay| {
            let mut played = Played::default();
            played.positions = if self.variations {
                self.all_lines(replay, &choice, steps, &mut played.errors, &mut note)
            } else {
                self.main_line(replay, steps, &mut played.errors, &mut note)
            };
            if steps.len() > begin {
                result = replay.outcome();
            }
            played
        });
        if out.made.steps.len() > begin {
            let value = |name: &str| -> Option<String> {
                let value = game.tags.value(name)?.unescape();
                Some(game.encoding.decode(&value).into_owned())
            };
            let known = |name: &str| value(name).filter(|text| text.starts_with(|char: char| char.is_ascii_digit()));
            let date = known("Date").or_else(|| value("UTCDate"));
            let elos = ["WhiteElo", "BlackElo"].map(value);
            let summary = Summary::of(result, [date.as_deref(), elos[0].as_deref(), elos[1].as_deref()]);
            for name in ["White", "Black", "Event"] {
                out.made.texts.push(value(name).unwrap_or_default().as_bytes());
            }
            out.made.games.push((out.made.steps.len(), summary));
        } else {
            out.made.notes.truncate(noted);
        }
        played
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{MAIN, MakeSteps, Note, Step, Steps};
    use crate::GameTree;
    use crate::options::{Root, TreeOptions};
    use crate::testing::{from, lines, source, tree, tree_without_errors, written};
    use crate::tree::TreeMove;
    use crate::write::{Remarks, TreeFormat, TreeStyle};
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::{BlockResult, GameTask, Job, ReadOptions};

    #[test]
    fn a_game_counts_once_for_a_position_and_for_a_move() {
        let tree = tree("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Nd5 1-0\n", &TreeOptions::default());
        let line = "g1f3 g8f6 f3g1";
        assert_eq!(
            lines(&tree),
            [
                "g1f3 1 0 0 0".to_owned(),
                "g1f3 g8f6 1 0 0 0".to_owned(),
                format!("{line} 1 0 0 0"),
                format!("{line} f6d5 1 0 0 0"),
                format!("{line} f6g8 1 0 0 0"),
            ]
        );
        assert_eq!((tree.positions(), tree.root_node().results().games()), (5, 1));
    }

    #[test]
    fn a_game_counts_from_where_it_reaches_the_root() {
        let games = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 1-0\n\n1. Nf3 c5 2. e4 e6 0-1\n\n1. e4 e5 2. Nf3 c5 1/2-1/2\n";
        let options = TreeOptions { depth: 2, ..from("1. e4 c5 2. Nf3") };
        for variations in [false, true] {
            let options = TreeOptions { variations, ..options.clone() };
            assert_eq!(lines(&tree(games, &options)), ["d7d6 1 0 0 0", "d7d6 d2d4 1 0 0 0", "e7e6 0 0 1 0"]);
            assert!(tree(games, &TreeOptions { variations, ..from("1. d4") }).is_empty());
            // A game may end in the root.
            let at_end = tree("1. e4 1-0\n", &TreeOptions { variations, ..from("1. e4") });
            assert_eq!(at_end.root_node().results().white, 1);
        }
    }

    #[test]
    fn games_of_other_rules_are_left_out_and_counted() {
        let games = "1. e4 e5 1-0\n\n[Variant \"Atomic\"]\n\n1. e4 e5 0-1\n\n[Variant \"Atomic\"]\n\n1. e4 *\n";
        let chess = tree(games, &TreeOptions::default());
        assert_eq!(lines(&chess), ["e2e4 1 0 0 0", "e2e4 e7e5 1 0 0 0"]);
        assert_eq!(chess.other_games(), 2);
        let told = "2 games are left out, because the rules are not those of chess";
        assert_eq!(chess.why_left_out().as_deref(), Some(told));
        for variations in [false, true] {
            let options = TreeOptions { root: Root::of_rules(Rules::Atomic), variations, ..TreeOptions::default() };
            let atomic = tree(games, &options);
            assert_eq!(lines(&atomic), ["e2e4 0 0 1 1", "e2e4 e7e5 0 0 1 0"]);
            assert_eq!(atomic.other_games(), 1);
        }
    }

    #[test]
    fn a_game_that_is_dropped_counts_nowhere() {
        let game =
            |name: &str, moves: &str| format!("[White \"{name}\"]\n[Black \"{name} 2\"]\n\n{moves} {{{name}}} 1-0\n\n");
        let others = "[Variant \"Atomic\"]\n\n1. e4 Ke5 1-0\n\n[Variant \"Atomic\"]\n\n1. d4 1-0\n";
        let games =
            [game("A", "1. a4"), game("B", "1. b4"), game("X", "1. e4 Ke5"), game("C", "1. c4")].concat() + others;
        for variations in [false, true] {
            let options = TreeOptions { variations, notes: true, ..TreeOptions::default() };
            let tree = tree_without_errors(&games, &options);
            let models = |played: TreeMove<'_>| played.target().models().map(|game| game.white.to_owned()).collect();
            let models: Vec<Vec<String>> = tree.root_node().moves().map(models).collect();
            assert_eq!(models, [["A"], ["B"], ["C"]]);
            assert_eq!(lines(&tree), ["a2a4 1 0 0 0", "b2b4 1 0 0 0", "c2c4 1 0 0 0"]);
            let style = TreeStyle { remarks: Remarks { words: true, ..Remarks::NONE }, ..TreeStyle::default() };
            let text = written(&tree, TreeFormat::Pgn, &style).0;
            assert!(text.ends_with("\n\n1. a4 {A} (1. b4 {B}) (1. c4 {C}) *\n\n"), "{text}");
        }
    }

    #[test]
    fn a_game_is_used_up_to_its_error() {
        let games = "1. e4 e5 2. Ke3 Nc6 1-0\n\n1. e4 e5 2. Nf3 0-1\n";
        let expected = ["e2e4 1 0 1 0", "e2e4 e7e5 1 0 1 0", "e2e4 e7e5 g1f3 0 0 1 0"];
        assert_eq!(lines(&tree(games, &TreeOptions::default())), expected);
    }

    #[test]
    fn moves_of_variations_count_without_a_result() {
        let options = TreeOptions { variations: true, ..TreeOptions::default() };
        // 1... c5 is in a variation; so are the position behind 1. d4 and, once more, the move 1. e4.
        let games = "1. e4 (1. d4 d5) (1. e4 e6) 1... e5 (1... c5 2. Ke3 Nf3) (1... c6) 2. Nf3 1-0\n";
        let tree = tree(games, &options);
        assert_eq!(
            lines(&tree),
            [
                "d2d4 0 0 0 1",
                "d2d4 d7d5 0 0 0 1",
                "e2e4 1 0 0 0",
                "e2e4 c7c5 0 0 0 1",
                "e2e4 c7c6 0 0 0 1",
                "e2e4 e7e5 1 0 0 0",
                "e2e4 e7e5 g1f3 1 0 0 0",
                "e2e4 e7e6 0 0 0 1",
            ]
        );
        assert_eq!(tree.root_node().results().white, 1);
        // So does a game without moves.
        assert_eq!(super::tests::tree("*\n", &options).root_node().results().unknown, 1);
        // Without the option, only the main line counts.
        assert_eq!(lines(&super::tests::tree(games, &TreeOptions::default())).len(), 3);
        // A tree that begins in a variation.
        let inside = TreeOptions { variations: true, ..from("1. e4 c6") };
        assert!(super::tests::tree(games, &inside).is_empty());
        assert_eq!(super::tests::tree(games, &inside).root_node().results().unknown, 1);
    }

    #[test]
    fn the_main_line_and_variations_are_as_deep_as_the_tree() {
        let games = "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nc3 Nc6 3. f4 1-0\n";
        for depth in 0..7 {
            let options = TreeOptions { depth, variations: true, ..TreeOptions::default() };
            let lines = lines(&tree(games, &options));
            let is_deep = |line: &&String| line.split(' ').filter(|word| word.len() == 4).count() == depth as usize;
            assert_eq!(lines.iter().filter(is_deep).count(), [0, 1, 2, 2, 2, 2, 0][depth as usize], "{lines:?}");
        }
    }

    #[test]
    fn null_moves_and_castling_in_chess960_are_moves() {
        let game = "[FEN \"4k3/8/8/8/8/8/8/R3K1R1 w AG - 0 1\"]\n[Variant \"Chess960\"]\n\n1. O-O Kd7 2. -- Ke8 *\n";
        let tree = tree(game, &from("4k3/8/8/8/8/8/8/R3K1R1 w AG - 0 1"));
        assert_eq!(lines(&tree).last().unwrap(), "e1g1 e8d7 0000 d7e8 0 0 0 1");
    }

    #[test]
    fn a_root_of_chess960_is_reached_with_any_rook_and_castling() {
        let start = "[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/RR2K2R w BH - 0 1\"]\n\n";
        let root = from("4k3/8/8/8/8/8/8/RR2K2R w BH - 0 1");
        for (moves, line) in [("1. O-O Ke7", "e1h1 e8e7"), ("1. O-O-O Ke7", "e1b1 e8e7"), ("1. Rb8+ Ke7", "b1b8 e8e7")]
        {
            for variations in [false, true] {
                let options = TreeOptions { variations, ..root.clone() };
                let tree = tree(&format!("{start}{moves} 1-0\n"), &options);
                assert_eq!(lines(&tree).last().unwrap(), &format!("{line} 1 0 0 0"));
            }
        }
    }

    #[test]
    fn the_positions_that_were_played_are_counted() {
        let positions = |options: TreeOptions| {
            let games = "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 1-0\n";
            let mut job = GameTree::new(options, ReadOptions::default());
            job.read(&Workers::new(1).unwrap(), Path::new("games.pgn"), source(games), &mut ()).unwrap();
            job.totals().count.positions
        };
        let usual = TreeOptions::default;
        assert_eq!(positions(usual()), 4);
        assert_eq!(positions(TreeOptions { variations: true, ..usual() }), 6);
        assert_eq!(positions(TreeOptions { depth: 1, ..usual() }), 2);
    }

    #[test]
    fn only_the_parts_of_games_that_count_are_read() {
        let parts = |notes: bool, variations: bool| {
            let parts = MakeSteps::new(&TreeOptions { notes, variations, ..TreeOptions::default() }).parts();
            (parts.tags, parts.comments, parts.variations)
        };
        assert_eq!(parts(false, false), (true, false, false));
        assert_eq!((parts(true, false), parts(false, true)), ((true, true, false), (true, false, true)));
    }

    #[test]
    fn steps_and_notes_have_weight() {
        let note = Note { comments: vec!["x".repeat(1000).into()], nags: vec![1] };
        assert!(note.weight() > 1000);
        let noted = Steps { notes: vec![(0, 0, note)], ..Steps::default() };
        assert!(noted.weight() > 1000);
        let many = Steps { steps: vec![MAIN; 1000], ..Steps::default() };
        assert!(many.weight() >= 1000 * size_of::<Step>());
    }
}
