//! The blocks of positions. The number of a block is made of the first bits of the keys in it.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::publish::block::{BlockKind, add_entry, block};
use crate::publish::block_files::BlockFiles;
use crate::publish::database::Database;
use crate::publish::entry::Entry;
use crate::publish::error::{PublishError, PublishWarning};
use crate::publish::file_list::FileList;
use crate::publish::game_set::GameSet;
use crate::publish::heads::HeadReaders;
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Ended, GameHit, GameSummaries, IndexError, KeyChoice, KeySurvey, Lists, Progress};

/// The size of a compressed block in bytes, about. Keys are hashes, so blocks have nearly the same size.
const BLOCK: u64 = 28 * 1024;

/// The sizes in compressed blocks, about, in bytes: of a position, a move, and a game in a list.
const SIZES: [u64; 3] = [22, 12, 44];

/// The positions that are published.
#[derive(Debug, Default)]
struct Chosen {
    /// Their keys, in order.
    keys: Vec<u64>,
    /// The size of their blocks in bytes, about.
    bytes: u64,
}

/// The entries of a piece of the keys in one block: compressed if it is the whole block, else as text.
enum Made {
    Block(Vec<u8>),
    Part(u64, String),
}

/// Positions whose entries count several keys, by each of these keys; None if a position is left out.
type Several = BTreeMap<u64, Option<Entry>>;

/// The blocks of positions that were written.
pub(super) struct WrittenPositions {
    pub(super) blocks: serde_json::Value,
    /// The number of the first bits of a key that make the number of a block.
    pub(super) bits: u32,
    pub(super) count: u64,
    /// The numbers of the listed games, in the index, from 0.
    pub(super) listed: GameSet,
}

/// Writes the blocks of positions.
pub(super) fn write(
    database: &Database<'_>,
    summaries: &GameSummaries,
    mut blocks: BlockFiles<'_>,
    files: &mut FileList,
    workers: &Workers,
    tell: &mut dyn FnMut(PublishWarning),
    progress: &Progress<'_>,
) -> Result<WrittenPositions, PublishError> {
    let chosen = choose(database, summaries, workers, progress)?;
    let several = find_several(database, summaries, &chosen.keys, workers, tell, progress)?;
    let bits = bits_for(chosen.bytes);
    let left_out = several.iter().filter(|(key, entry)| entry.is_none() && chosen.has(**key)).count();
    let added = several.iter().filter(|(key, entry)| entry.is_some() && !chosen.has(**key)).count();
    let count = (chosen.keys.len() + added - left_out) as u64;
    drop(chosen);

    let index = database.index;
    let heads = HeadReaders::new(index);
    let listed = Mutex::new(GameSet::new(index.game_count()));
    let piece_bits = index.key_pieces().ilog2();
    let first_game = database.first_game;
    let end = |nth: usize, mut entries: Vec<Entry>| {
        add_several(&mut entries, &several, nth as u64, piece_bits);
        let hits: Vec<GameHit> = entries.iter().flat_map(Entry::games).copied().collect();
        {
            let mut listed = listed.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            hits.iter().for_each(|hit| listed.insert(hit.game.wrapping_sub(first_game)));
        }
        let heads = heads.of(hits)?;
        Ok::<_, PublishError>(blocks_of(
            &entries,
            nth as u64,
            (bits, piece_bits),
            |entry, text| {
                entry.write(&heads, text);
            },
            &database.id,
        ))
    };
    let make = |survey: &KeySurvey<'_>, entries: &mut Vec<Entry>| {
        if !several.contains_key(&survey.key) {
            entries.push(Entry::of_key(survey));
        }
        Ok(())
    };
    // The block whose parts come from several pieces.
    let mut open: Option<(u64, String)> = None;
    let mut take = |made: Vec<Made>| {
        for made in made {
            match made {
                Made::Block(bytes) => blocks.write(&bytes, None, files)?,
                Made::Part(number, text) => match &mut open {
                    Some((known, entries)) if *known == number => {
                        if !text.is_empty() {
                            add_entry(entries, &text);
                        }
                    }
                    other => {
                        if let Some((number, entries)) = other.replace((number, text)) {
                            blocks.write(&block(&database.id, BlockKind::Positions, number, &entries), None, files)?;
                        }
                    }
                },
            }
        }
        Ok(())
    };
    index.survey_keys(workers, (summaries, database.choice()), make, end, &mut take, progress)?;
    if let Some((number, entries)) = open {
        blocks.write(&block(&database.id, BlockKind::Positions, number, &entries), None, files)?;
    }
    let listed = listed.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    Ok(WrittenPositions { blocks: blocks.finish(files)?, bits, count, listed })
}

impl Chosen {
    fn has(&self, key: u64) -> bool {
        self.keys.binary_search(&key).is_ok()
    }
}

/// Returns the keys of the positions that are published.
fn choose(
    database: &Database<'_>,
    summaries: &GameSummaries,
    workers: &Workers,
    progress: &Progress<'_>,
) -> Result<Chosen, PublishError> {
    let choice = database.choice();
    let most = choice.lists.iter().sum::<usize>() as u64;
    let mut chosen = Chosen::default();
    let make = |survey: &KeySurvey<'_>, made: &mut Chosen| {
        let games: u64 = survey.moves.iter().map(|count| count.first_results().games()).sum();
        made.keys.push(survey.key);
        made.bytes += SIZES[0] + SIZES[1] * survey.moves.len() as u64 + SIZES[2] * games.min(most);
        Ok(())
    };
    let take = |made: Chosen| {
        chosen.keys.extend(made.keys);
        chosen.bytes += made.bytes;
        Ok(())
    };
    let counted = KeyChoice { lists: [0, 0], ..choice };
    database
        .index
        .survey_keys(workers, (summaries, counted), make, |_, made| Ok(made), take, progress)
        .map_err(|ended: Ended<IndexError>| PublishError::from(ended))?;
    Ok(chosen)
}

/// Returns the entries of the positions that have several keys.
fn find_several(
    database: &Database<'_>,
    summaries: &GameSummaries,
    chosen: &[u64],
    workers: &Workers,
    tell: &mut dyn FnMut(PublishWarning),
    progress: &Progress<'_>,
) -> Result<Several, PublishError> {
    let index = database.index;
    let [best, recent] = database.choice().lists;
    let mut report = |name, reason| tell(PublishWarning::Unread { name, reason });
    let mut several = Several::new();
    for found in index.several_keys(workers, chosen, &mut report, progress)? {
        let Some(position) = found.position else {
            several.extend(found.keys.map(|key| (key, None)));
            continue;
        };
        let lists = Lists { best, recent };
        let survey = index.survey(&position, summaries, &mut |_, _| Ok(true), lists, &|| false)?;
        if let Some(survey) = survey {
            several.extend(found.keys.map(|key| (key, Some(Entry::of_position(key, &survey, lists)))));
        }
    }
    let left_out = several.iter().filter(|(key, entry)| entry.is_none() && chosen.binary_search(key).is_ok()).count();
    if left_out > 0 {
        tell(PublishWarning::LeftOut { positions: left_out as u64 });
    }
    Ok(several)
}

/// Adds the entries of positions with several keys that are in a piece of the keys.
fn add_several(entries: &mut Vec<Entry>, several: &Several, piece: u64, piece_bits: u32) {
    let first = piece << (64 - piece_bits);
    let last = first | u64::MAX >> piece_bits;
    let before = entries.len();
    entries.extend(several.range(first..=last).filter_map(|(_, entry)| entry.clone()));
    if entries.len() > before {
        entries.sort_unstable_by_key(|entry| entry.key);
    }
}

/// Returns the number of bits for blocks of the usual size, if all of them have so many bytes.
fn bits_for(bytes: u64) -> u32 {
    (bytes / BLOCK).max(1).next_power_of_two().ilog2()
}

/// Makes the blocks of a piece of the keys, or its part of a block.
fn blocks_of(
    entries: &[Entry],
    piece: u64,
    (bits, piece_bits): (u32, u32),
    write: impl Fn(&Entry, &mut String),
    id: &str,
) -> Vec<Made> {
    let text_of = |entries: &[Entry]| {
        let mut text = String::new();
        for entry in entries {
            if !text.is_empty() {
                text.push_str(",\n");
            }
            write(entry, &mut text);
        }
        text
    };
    let Some(more) = bits.checked_sub(piece_bits) else {
        return vec![Made::Part(piece >> (piece_bits - bits), text_of(entries))];
    };
    let mut rest = entries;
    let first = piece << more;
    let numbers = first..first + (1 << more);
    numbers
        .map(|number| {
            let (mine, others) = rest.split_at(rest.partition_point(|entry| entry.key >> (64 - bits) <= number));
            rest = others;
            Made::Block(block(id, BlockKind::Positions, number, &text_of(mine)))
        })
        .collect()
}
