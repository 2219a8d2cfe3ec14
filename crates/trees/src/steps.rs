//! Reads the steps of a game: the positions that it reached behind the root, and the moves that it played there.

use crate::key::{is_passing, key};
use crate::options::{MOST_PLIES, TreeOptions};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::zobrist;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::replay::Replay;
use pgn2fen_games::walk::{BlockResult, Choice, GameTask, OpenGame, Out, Played, PositionChoice};
use pgn2fen_index::Summary;
use pgn2fen_tables::Texts;

/// A position of a game, and the move that was played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
}

/// The number of texts of a game.
const TEXTS: usize = 3;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mark {
    games: usize,
    steps: usize,
}

impl BlockResult for Steps {
    type Mark = Mark;

    fn mark(&self) -> Mark {
        Mark { games: self.games.len(), steps: self.steps.len() }
    }

    fn go_back_to(&mut self, mark: Mark) {
        self.games.truncate(mark.games);
        self.steps.truncate(mark.steps);
        self.texts.truncate(mark.games * TEXTS);
    }

    fn weight(&self) -> usize {
        self.games.len() * size_of::<(usize, Summary)>() + self.steps.len() * size_of::<Step>() + self.texts.weight()
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
}

impl MakeSteps {
    pub(crate) fn new(options: &TreeOptions) -> Self {
        let root = options.root.position().clone();
        let depth = options.depth.min(MOST_PLIES);
        Self { root_key: key(&root), root, depth, variations: options.variations }
    }

    /// Plays the main line up to the last ply that counts.
    #[inline]
    fn main_line(&self, replay: &mut Replay<'_>, steps: &mut Vec<Step>, errors: &mut Vec<Diagnostic>) -> u64 {
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
            }
            let is_last = found.is_some_and(|found| ply - found == self.depth);
            if is_last {
                push(steps, begin, Step { key: own, next: 0, ..MAIN }, before.halfmoves());
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
    ) -> u64 {
        let begin = steps.len();
        let mut positions = 1;
        let first = key(replay.position());
        // What lies deeper can matter only if the tree begins elsewhere.
        let begins_here = first == self.root_key && replay.position().is_same_position(&self.root);
        let mut has_root = first == self.root_key;
        steps.push(Step { key: first, next: 0, ..MAIN });
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
            steps.push(Step { key: key(before), next, is_variation, reached });
            steps.push(Step { key: behind, next: 0, is_variation, reached });
        }
        if !has_root {
            steps.truncate(begin);
        }
        // Of equal moves, that of the main line comes first; so does the position.
        let own = &mut steps[begin..];
        own.sort_unstable_by_key(|step| (step.key, step.is_variation, step.next));
        let mut last = None;
        for step in own.iter_mut() {
            if last.replace(step.key) == Some(step.key) {
                step.reached = Reached::Again;
            }
        }
        own.sort_unstable_by_key(|step| (step.key, step.next, step.is_variation, step.reached == Reached::Again));
        let mut kept = begin;
        for at in begin..steps.len() {
            let step = steps[at];
            let is_known = kept > begin && (steps[kept - 1].key, steps[kept - 1].next) == (step.key, step.next);
            if is_known && step.reached != Reached::Again {
                steps[kept - 1].reached = step.reached;
            }
            if !is_known {
                steps[kept] = step;
                kept += 1;
            }
        }
        steps.truncate(kept);
        positions
    }
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

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Steps>) -> Played {
        let begin = out.made.steps.len();
        // It says how errors are handled.
        let positions = PositionChoice { variations: true, ..PositionChoice::default() };
        let choice = positions.in_game(game);
        let mut result = Outcome::Unknown;
        let steps = &mut out.made.steps;
        let played = game.play(|replay| {
            let mut played = Played::default();
            played.positions = if self.variations {
                self.all_lines(replay, &choice, steps, &mut played.errors)
            } else {
                self.main_line(replay, steps, &mut played.errors)
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
            let summary = Summary::of(result, [date.as_deref(), elos[0].as_deref(), elos[1].as_deref(), None]);
            for name in ["White", "Black", "Event"] {
                out.made.texts.push(value(name).unwrap_or_default().as_bytes());
            }
            out.made.games.push((out.made.steps.len(), summary));
        }
        played
    }
}
