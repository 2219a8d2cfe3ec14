//! Compares the games of files with a repertoire.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::compare::judge::{Visit, judge};
use crate::compare::{Comparison, Record, TEXTS};
use crate::key::{is_passing, key};
use crate::repertoire::Repertoire;
use crate::summary::Summary;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::zobrist;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::job_methods;
use pgn2fen_games::messages::shown;
use pgn2fen_games::replay::{Replay, VariantPolicy};
use pgn2fen_games::walk::{BlockResult, GameTask, Job, OpenGame, Out, Output, OutputStages, Played, ReadOptions, Walk};
use pgn2fen_tables::Texts;

/// A job that compares the main lines of games with a repertoire.
///
/// A game with an error is used up to the error. A game without a usable starting position is left out.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use pgn2fen_chess::piece::Color;
/// use pgn2fen_games::database::{Database, Source};
/// use pgn2fen_games::parallel::Workers;
/// use pgn2fen_games::walk::{Job, ReadOptions};
/// use pgn2fen_trees::{CompareGames, Leaving, RepertoireReader};
///
/// let workers = Workers::new(1)?;
/// let source = |text: &str| Source::Whole(Database::from(text.as_bytes().to_vec()));
/// let mut reader = RepertoireReader::new(ReadOptions::default());
/// reader.read(&workers, Path::new("white.pgn"), source("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *"), &mut ())?;
/// let repertoire = Arc::new(reader.finish(&workers));
///
/// let mut job = CompareGames::new(repertoire, Color::White, ReadOptions::default());
/// job.read(&workers, Path::new("games.pgn"), source("1. e4 c5 2. c3 d5 1-0\n\n1. e4 c6 2. d4 *"), &mut ())?;
/// let comparison = job.finish();
/// let games: Vec<_> = comparison.games().map(|game| (game.leaving, game.ply)).collect();
/// assert_eq!(games, [(Leaving::Player, 2), (Leaving::Opponent, 1)]);
/// assert_eq!(comparison.departures()[0].san.as_deref(), Some("c3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct CompareGames(Walk<MakeVisits, Gathered>);

impl CompareGames {
    /// Creates a job that compares games with a repertoire for this side.
    pub fn new(repertoire: Arc<Repertoire>, side: Color, read: ReadOptions) -> Self {
        let make = MakeVisits(Arc::clone(&repertoire));
        Self(Walk::new(make, Gathered { comparison: Comparison::new(repertoire, side), file: 0, games: 0 }, read))
    }

    /// Returns the comparison of the games that were read.
    pub fn finish(self) -> Comparison {
        self.0.end().0.comparison
    }
}

impl Job for CompareGames {
    job_methods!(0);
}

/// Finds the positions of each game that the repertoire has.
#[derive(Debug)]
struct MakeVisits(Arc<Repertoire>);

/// The games of a block.
#[derive(Debug, Default)]
struct Visits {
    games: Vec<VisitingGame>,
    visits: Vec<Visit>,
    texts: Texts,
    /// The number of lines and of games of the file before the block.
    before: (u64, u64),
}

#[derive(Debug)]
struct VisitingGame {
    /// The number of the game in its block, from 1.
    number: u64,
    /// The line on which it begins, from 0 in the block.
    line: u64,
    summary: Summary,
    /// The end of its visits.
    end: usize,
}

impl BlockResult for Visits {
    type Mark = (usize, usize);

    fn mark(&self) -> Self::Mark {
        (self.games.len(), self.visits.len())
    }

    fn go_back_to(&mut self, (games, visits): Self::Mark) {
        self.games.truncate(games);
        self.visits.truncate(visits);
        self.texts.truncate(games * TEXTS);
    }

    fn weight(&self) -> usize {
        self.games.len() * size_of::<VisitingGame>() + self.visits.len() * size_of::<Visit>() + self.texts.weight()
    }

    fn retain(&mut self, _: &[bool]) {}
}

/// Finds the positions of a main line that a repertoire has, and adds them to `visits`. Returns the number of positions
/// that were played.
pub(super) fn visit(
    repertoire: &Repertoire,
    replay: &mut Replay<'_>,
    visits: &mut Vec<Visit>,
    errors: &mut Vec<Diagnostic>,
) -> u64 {
    let is_orthodox = replay.position().castling_rules() == CastlingRules::Standard;
    let mut raw = zobrist::key(replay.position());
    let mut ply = 0;
    loop {
        let before = replay.position().clone();
        let inner = if is_orthodox { 0 } else { zobrist::inner_rooks(&before) };
        let own = if is_passing(&before) { key(&before) } else { raw ^ inner };
        let node = repertoire.find(own);
        let next = match replay.next_ply() {
            Some(Ok(played)) => Some(played.played),
            Some(Err(error)) => {
                errors.push(error);
                None
            }
            None => None,
        };
        if let Some(node) = node {
            let rules = if is_orthodox { CastlingRules::Standard } else { before.castling_rules() };
            let next = next.map_or(0, |m| m.uci(rules).bits().get());
            visits.push(Visit { ply, node, next });
        }
        let Some(m) = next else {
            return u64::from(ply) + 1;
        };
        raw = zobrist::key_after(raw, &before, m);
        ply += 1;
    }
}

impl GameTask for MakeVisits {
    type BlockResult = Visits;

    /// A repertoire is one of chess.
    fn variants(&self) -> VariantPolicy {
        VariantPolicy::Refuse
    }

    fn needs_offsets(&self) -> bool {
        false
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Visits>) -> Played {
        if game.replay().is_none() {
            return Played::default();
        }
        let visits = &mut out.made.visits;
        let mut result = None;
        let played = game.play(|replay| {
            let mut played = Played::default();
            played.positions = visit(&self.0, replay, visits, &mut played.errors);
            result = Some(replay.outcome());
            played
        });
        let value = |name: &str| -> Option<String> {
            let value = game.tags.value(name)?.unescape();
            Some(game.encoding.decode(&value).into_owned())
        };
        let known = |name: &str| value(name).filter(|text| text.starts_with(|char: char| char.is_ascii_digit()));
        let date = known("Date").or_else(|| value("UTCDate")).or_else(|| value("Date"));
        let elos = ["WhiteElo", "BlackElo"].map(value);
        let result = result.unwrap_or(pgn2fen_games::pgn::token::Outcome::Unknown);
        let summary = Summary::of(result, [date.as_deref(), elos[0].as_deref(), elos[1].as_deref()]);
        for text in [value("White"), value("Black"), value("Event"), date, value("Site")] {
            out.made.texts.push(text.unwrap_or_default().as_bytes());
        }
        let end = out.made.visits.len();
        out.made.games.push(VisitingGame { number: game.number, line: game.count_line(), summary, end });
        played
    }
}

#[derive(Debug)]
struct Gathered {
    comparison: Comparison,
    /// The name of the file, as a number.
    file: u32,
    /// The number of games of the file so far.
    games: u64,
}

impl Output<Visits> for Gathered {
    fn begin_file(&mut self, path: &Path) {
        self.file = self.comparison.names.number(shown(path).as_bytes());
        self.games = 0;
    }

    fn stages(&mut self) -> OutputStages<'_, Visits> {
        let Self { comparison, file, games } = self;
        let deliver = |block: &mut Visits| {
            comparison.take(block, *file);
            ControlFlow::Continue(())
        };
        OutputStages::deliver(deliver).order(|block, position| {
            block.before = (position.line(), position.before().games() + *games);
            *games += position.games;
        })
    }
}

impl Comparison {
    fn take(&mut self, block: &Visits, file: u32) {
        let Visits { games, visits, texts, before: (lines, before) } = block;
        let mut begin = 0;
        for (nth, VisitingGame { number, line, summary, end }) in games.iter().enumerate() {
            let texts =
                std::array::from_fn(|text| self.names.number(texts.get(nth * TEXTS + text).unwrap_or_default()));
            let place = (before + number, lines + line + 1);
            self.add((file, texts), place, *summary, &visits[begin..*end]);
            begin = *end;
        }
    }

    /// Adds a game with its visits.
    pub(super) fn add(
        &mut self,
        (file, texts): (u32, [u32; TEXTS]),
        (number, line): (u64, u64),
        summary: Summary,
        visits: &[Visit],
    ) {
        let mut nodes: Vec<u32> = visits.iter().map(|visit| visit.node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let met = &mut self.met[node as usize];
            *met = met.saturating_add(1);
        }
        let left = judge(&self.repertoire, self.side, visits, &mut self.returns);
        self.games.push(Record { file, texts, summary, number, line, left, returns: self.returns.len() });
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockResult, Visit, Visits};

    #[test]
    fn visits_have_weight() {
        let visits = vec![Visit { ply: 0, node: 0, next: 0 }; 1000];
        assert!(Visits { visits, ..Visits::default() }.weight() >= 1000 * size_of::<Visit>());
    }
}
