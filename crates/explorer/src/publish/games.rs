//! The blocks of games: the PGN of the games that lists name, by their numbers.

use crate::publish::block::{BlockKind, add_entry, block};
use crate::publish::block_files::BlockFiles;
use crate::publish::database::Database;
use crate::publish::error::{PublishError, PublishWarning};
use crate::publish::file_list::FileList;
use crate::publish::game_set::GameSet;
use crate::publish::heads::quoted;
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{GameColumn, GameTexts, Index, IndexError, NoText, Progress};

/// The size of the texts in a block in bytes, about. Compressed, it has a third.
const BLOCK: usize = 64 * 1024;

/// The greatest size of a game in bytes.
const LONGEST: u64 = 4 << 20;

/// The blocks of games that were written.
pub(super) struct WrittenGames {
    pub(super) blocks: serde_json::Value,
    /// The number of games.
    pub(super) count: u64,
    /// The number of games whose text is missing.
    pub(super) unread: u64,
}

/// The entries of a block, and its first game.
struct Texts {
    first: u64,
    entries: String,
}

/// Writes the blocks of games. `listed` has the games, from 0.
pub(super) fn write(
    database: &Database<'_>,
    listed: &GameSet,
    mut blocks: BlockFiles<'_>,
    files: &mut FileList,
    workers: &Workers,
    tell: &mut dyn FnMut(PublishWarning),
    progress: &Progress<'_>,
) -> Result<WrittenGames, PublishError> {
    let index = database.index;
    let mut texts = GameTexts::new(index);
    let mut columns = index.games();
    let (mut count, mut unread) = (0, 0);
    let all = usize::try_from(index.game_count()).unwrap_or(usize::MAX);
    let mut batch: Vec<Texts> = Vec::new();
    let mut open = Texts { first: 0, entries: String::new() };
    let mut flush = |batch: &mut Vec<Texts>| {
        let first = blocks.next();
        let made = workers.share(batch.len(), workers.count(), |nth| {
            let number = first + nth as u64;
            Ok::<_, PublishError>(block(&database.id, BlockKind::Games, number, &batch[nth].entries))
        })?;
        made.iter().zip(&*batch).try_for_each(|(bytes, texts)| blocks.write(bytes, Some(texts.first), files))?;
        batch.clear();
        Ok::<_, PublishError>(())
    };
    for at in listed.iter() {
        let game = database.first_game + at;
        let length = columns.number(game, GameColumn::Length)?.map_or(0, i64::cast_unsigned);
        let text = if length > LONGEST { None } else { read(index, &mut texts, game, tell)? };
        let entry = match &text {
            Some(text) => format!("\"{game}\":{}", quoted(text)),
            None => format!("\"{game}\":null"),
        };
        count += u64::from(text.is_some());
        unread += u64::from(text.is_none());
        if open.entries.is_empty() {
            open.first = game;
        }
        add_entry(&mut open.entries, &entry);
        if open.entries.len() < BLOCK {
            continue;
        }
        batch.push(std::mem::replace(&mut open, Texts { first: 0, entries: String::new() }));
        if batch.len() >= 4 * workers.count() {
            flush(&mut batch)?;
            if progress(usize::try_from(at).unwrap_or(0), all).is_break() {
                return Err(PublishError::Stopped);
            }
        }
    }
    if !open.entries.is_empty() {
        batch.push(open);
    }
    flush(&mut batch)?;
    Ok(WrittenGames { blocks: blocks.finish(files)?, count, unread })
}

/// Reads the text of a game as UTF-8; None if it cannot be read.
fn read(
    index: &Index,
    texts: &mut GameTexts<'_>,
    game: u64,
    tell: &mut dyn FnMut(PublishWarning),
) -> Result<Option<String>, IndexError> {
    let bytes = match texts.read(game) {
        Ok(bytes) => bytes,
        Err(NoText::Index(error)) => return Err(error),
        Err(NoText::File(name, reason)) => {
            tell(PublishWarning::Unread { name, reason });
            return Ok(None);
        }
        Err(NoText::Told) => return Ok(None),
    };
    Ok(Some(index.decode(game, bytes)))
}
