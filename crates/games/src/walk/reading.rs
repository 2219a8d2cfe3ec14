//! Reads the games of one block: makes the results of each game and notes its faults.

use std::ops::Range;

use crate::walk::batch::{Batch, Found, Out};
use crate::walk::game_task::{GameState, GameTask, OpenGame, Played};
use crate::walk::options::{OnError, ReadOptions, Verdict};
use crate::walk::tag_names::AskedTags;
use pgn2fen_filters::Start;
use pgn2fen_pgn::chunk::StopPoint;
use pgn2fen_pgn::diagnostic::{Diagnostic, Kind, LineCount};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::games::Chunk;
use pgn2fen_pgn::reader::{Reader, read_games};
use pgn2fen_pgn::replay::{self, Replay, players};
use pgn2fen_pgn::tags::Tags;

/// Reads the games that begin in `text` before `until`, and returns where reading stopped. `encoding` is that of the
/// text of the file that is not UTF-8.
pub(super) fn read<M: GameTask>(
    make: &M,
    options: &ReadOptions,
    asked: &AskedTags,
    (file, encoding): (u64, Fallback),
    (text, until): (Chunk<'_>, usize),
    batch: &mut Batch<M::BlockResult>,
) -> StopPoint {
    let (tags, lines, state) = (Tags::default(), LineCount::default(), GameState::none());
    let games = GameReader { options, asked, file, plays: M::PLAYS, tags, encoding, lines, state };
    read_games(text, until, &mut BlockReader { make, games, batch })
}

struct BlockReader<'b, 't, M: GameTask> {
    make: &'b M,
    games: GameReader<'b, 't>,
    batch: &'b mut Batch<M::BlockResult>,
}

/// Reads what all jobs need of a game: whether it is wanted, its start, and its faults.
struct GameReader<'b, 't> {
    options: &'b ReadOptions,
    asked: &'b AskedTags,
    file: u64,
    /// Whether the job plays the moves.
    plays: bool,
    /// The tags of the current game. The memory is used again for each game.
    tags: Tags<'t>,
    encoding: Fallback,
    lines: LineCount,
    /// The state of the current game.
    state: GameState<'t>,
}

/// A game that the job works on: whether it is wanted, and the fault of its start.
struct Pending {
    is_wanted: bool,
    /// Whether the job plays the moves.
    plays: bool,
    /// The error of a game without a usable start.
    refused: Option<Diagnostic>,
    /// The number of diagnostics before those of the game.
    since: usize,
}

/// The end of a game that the job has worked on, and what becomes of its positions.
struct Closed {
    is_wanted: bool,
    /// Whether its positions are left out because of an error.
    is_dropped: bool,
    /// Where reading stopped, in bytes of the text.
    end: usize,
}

impl<'t> GameReader<'_, 't> {
    /// Opens the game at `start`, or returns its end if the job needs nothing of it.
    fn open(&mut self, text: Chunk<'t>, start: usize, found: &mut Found) -> Result<(OpenGame<'_, 't>, Pending), usize> {
        let Self { options, asked, file, plays, tags, encoding, lines, state } = self;
        found.sums.count.games += 1;
        text.read_tags(start, tags);
        if tags.is_open() && !text.is_last {
            return Err(text.bytes.len());
        }
        found.tag_names.note(asked, tags);
        let movetext = text.movetext(tags);
        let has_tags = options.games.wants_game(tags, &movetext, encoding);
        if !has_tags && options.games.tags.iter().any(|filter| filter.cannot_read(tags, encoding)) {
            found.sums.unread += 1;
        }
        let verdict =
            if has_tags { options.wants_moves(tags, &movetext, text.offset, encoding) } else { Verdict::Fails };
        let passes = verdict == Verdict::Passes;
        if !passes && !options.invert {
            found.sums.other_rules += u64::from(verdict == Verdict::HasOtherRules);
            return Err(movetext.end_offset());
        }
        let mut warnings = Vec::new();
        let opened = if *plays {
            Replay::begin(tags, movetext.clone(), text.offset, &options.replay).map(GameState::Replay)
        } else {
            replay::start(tags, text.offset, &options.replay, &mut warnings)
                .map(|start| GameState::Start(start.position, movetext.clone()))
        };
        let refused = match opened {
            Ok(opened) => {
                *state = opened;
                None
            }
            Err(error) => {
                *state = GameState::Refused(movetext);
                Some(error)
            }
        };
        let (number, on_error) = (found.sums.count.games, options.on_error);
        let mut game = OpenGame { text, start, number, file: *file, tags, encoding, on_error, lines, state };
        // A game without a usable start passes only the filter `Start::Any`.
        let has_start = match game.position() {
            Some(position) => options.games.wants_start(position),
            None => options.games.start == Start::Any,
        };
        let is_wanted = (passes && has_start) != options.invert;
        if !is_wanted && (options.invert || refused.is_none()) {
            let movetext = game.movetext();
            movetext.finish();
            return Err(movetext.offset());
        }
        let since = found.diagnostics.len();
        found.note_repairs(since, text, tags);
        found.diagnostics.append(&mut warnings);
        Ok((game, Pending { is_wanted, plays: *plays, refused, since }))
    }
}

impl Pending {
    /// Reads the rest of a game that the job has worked on, notes its faults and counts it.
    fn close(self, game: &mut OpenGame<'_, '_>, played: Played, found: &mut Found) -> Closed {
        let Self { is_wanted, plays, refused, since } = self;
        let Played { mut errors, positions, evals, is_unwanted, is_left_out, is_repaired } = played;
        found.sums.count.positions += positions;
        found.sums.evals += evals;
        let (text, start, tags, on_error) = (game.text, game.start, game.tags, game.on_error);
        let movetext = match game.state {
            GameState::Replay(replay) => {
                replay.take_warnings().for_each(|warning| found.note(since, warning));
                replay.skip_rest()
            }
            GameState::Start(_, movetext) | GameState::Refused(movetext) => {
                movetext.finish();
                movetext
            }
        };
        let is_wanted = is_wanted && !is_unwanted;
        found.sums.count.wanted += u64::from(is_wanted);
        let end = movetext.offset();
        if !is_unwanted || refused.is_some() {
            found.note_encoding(text, start..if plays { end } else { tags.end() });
        }
        errors.extend(refused);
        let open = errors.iter().find(|error| error.kind == Kind::UnterminatedComment);
        found.note_lost_braces(text, start, tags, movetext, open.map(|error| error.offset));
        let is_dropped = !errors.is_empty() && on_error == OnError::Drop;
        found.sums.dropped += u64::from(is_wanted && (is_left_out || is_dropped));
        found.sums.repaired += u64::from(is_wanted && is_repaired && !(is_left_out || is_dropped));
        found.is_stopped |= !errors.is_empty() && on_error == OnError::Stop;
        for mut error in errors {
            error.players = players(tags);
            found.diagnostics.push(error);
        }
        found.number_notes(since);
        Closed { is_wanted, is_dropped, end }
    }
}

impl<'t, M: GameTask> Reader<'t> for BlockReader<'_, 't, M> {
    fn game(&mut self, text: Chunk<'t>, start: usize) -> usize {
        let Self { make, games, batch } = self;
        let max_games = games.options.max_games;
        let (mut game, pending) = match games.open(text, start, &mut batch.found) {
            Ok(opened) => opened,
            Err(end) => return end,
        };
        let before = batch.mark();
        let mut out = Out { made: &mut batch.made, identities: &mut batch.identities };
        let played = make.game(&mut game, &mut out);
        let Closed { is_wanted, is_dropped, end } = pending.close(&mut game, played, &mut batch.found);
        if is_dropped {
            batch.drop_positions(before);
        }
        if max_games.is_some() && is_wanted {
            let end = batch.mark();
            batch.ends.push(end);
        }
        end
    }

    fn skipped(&mut self, text: Chunk<'t>, range: Range<usize>) {
        self.batch.found.note_skipped(text, range);
    }

    fn keep(&mut self) {
        self.batch.keep();
    }

    fn forget(&mut self) {
        self.batch.forget();
    }

    fn is_done(&self) -> bool {
        self.batch.found.is_stopped
    }
}
