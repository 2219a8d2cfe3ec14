//! Reads the games of one block: makes the results of each game and notes its faults.

use std::ops::Range;

use crate::walk::batch::{Batch, Out};
use crate::walk::game_task::{GameState, GameTask, OpenGame, Played};
use crate::walk::options::{OnError, ReadOptions, Verdict};
use crate::walk::tag_names::AskedTags;
use pgn2fen_filters::Start;
use pgn2fen_pgn::chunk::StopPoint;
use pgn2fen_pgn::diagnostic::{Kind, LineCount};
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
    let mut reading =
        BlockReader { make, options, asked, file, batch, tags: Tags::default(), encoding, lines: LineCount::default() };
    read_games(text, until, &mut reading)
}

struct BlockReader<'b, 't, M: GameTask> {
    make: &'b M,
    options: &'b ReadOptions,
    asked: &'b AskedTags,
    file: u64,
    batch: &'b mut Batch<M::BlockResult>,
    /// The tags of the current game. The memory is used again for each game.
    tags: Tags<'t>,
    encoding: Fallback,
    lines: LineCount,
}

impl<'t, M: GameTask> Reader<'t> for BlockReader<'_, 't, M> {
    fn game(&mut self, text: Chunk<'t>, start: usize) -> usize {
        let Self { make, options, asked, file, batch, tags, encoding, lines } = self;
        batch.found.sums.count.games += 1;
        text.read_tags(start, tags);
        if tags.is_open() && !text.is_last {
            return text.bytes.len();
        }
        batch.found.tag_names.note(asked, tags);
        let movetext = text.movetext(tags);
        let has_tags = options.games.wants_game(tags, &movetext, encoding);
        if !has_tags && options.games.tags.iter().any(|filter| filter.cannot_read(tags, encoding)) {
            batch.found.sums.unread += 1;
        }
        let verdict =
            if has_tags { options.wants_moves(tags, &movetext, text.offset, encoding) } else { Verdict::Fails };
        let passes = verdict == Verdict::Passes;
        if !passes && !options.invert {
            batch.found.sums.other_rules += u64::from(verdict == Verdict::HasOtherRules);
            return movetext.end_offset();
        }
        let mut warnings = Vec::new();
        let (begun, refused) = if M::PLAYS {
            match Replay::begin(tags, movetext.clone(), text.offset, &options.replay) {
                Ok(replay) => (GameState::Replay(replay), None),
                Err(error) => (GameState::Refused(movetext), Some(error)),
            }
        } else {
            match replay::start(tags, text.offset, &options.replay, &mut warnings) {
                Ok(start) => (GameState::Start(start.position, movetext), None),
                Err(error) => (GameState::Refused(movetext), Some(error)),
            }
        };
        let before = batch.mark();
        let (number, on_error) = (batch.found.sums.count.games, options.on_error);
        let mut game = OpenGame { text, start, number, file: *file, tags, encoding, on_error, lines, begun };
        // A game without a usable start passes only the filter `Start::Any`.
        let has_start = match game.position() {
            Some(position) => options.games.wants_start(position),
            None => options.games.start == Start::Any,
        };
        let is_wanted = (passes && has_start) != options.invert;
        if !is_wanted && (options.invert || refused.is_none()) {
            let movetext = game.movetext();
            movetext.finish();
            return movetext.offset();
        }
        batch.found.note_repairs(before.found, text, tags);
        batch.found.diagnostics.append(&mut warnings);
        let mut out = Out { made: &mut batch.made, identities: &mut batch.identities };
        let played = if is_wanted || !options.invert { make.game(&mut game, &mut out) } else { Played::UNWANTED };
        let Played { mut errors, positions, evals, is_unwanted, is_left_out, is_repaired } = played;
        batch.found.sums.count.positions += positions;
        batch.found.sums.evals += evals;
        let movetext = match &mut game.begun {
            GameState::Replay(replay) => {
                replay.take_warnings().for_each(|warning| batch.found.note(before.found, warning));
                replay.skip_rest()
            }
            GameState::Start(_, movetext) | GameState::Refused(movetext) => {
                movetext.finish();
                movetext
            }
        };
        let is_wanted = is_wanted && !is_unwanted;
        batch.found.sums.count.wanted += u64::from(is_wanted);
        let end = movetext.offset();
        if !is_unwanted || refused.is_some() {
            batch.found.note_encoding(text, start..if M::PLAYS { end } else { tags.end() });
        }
        errors.extend(refused);
        let open = errors.iter().find(|error| error.kind == Kind::UnterminatedComment);
        batch.found.note_lost_braces(text, start, tags, movetext, open.map(|error| error.offset));
        let is_dropped = is_left_out || !errors.is_empty() && options.on_error == OnError::Drop;
        batch.found.sums.dropped += u64::from(is_wanted && is_dropped);
        batch.found.sums.repaired += u64::from(is_wanted && is_repaired && !is_dropped);
        if !errors.is_empty() {
            match options.on_error {
                OnError::Keep => {}
                OnError::Drop => batch.drop_positions(before),
                OnError::Stop => batch.found.is_stopped = true,
            }
        }
        for mut error in errors {
            error.players = players(tags);
            batch.found.diagnostics.push(error);
        }
        batch.found.number_notes(before.found);
        if options.max_games.is_some() && is_wanted {
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
