//! Compares the games of an index with a repertoire.

use std::io::{self, Write};
use std::sync::Arc;

use crate::compare::judge::Visit;
use crate::compare::{Annotator, Comparison};
use crate::indexed::IndexTreeError;
use crate::repertoire::Repertoire;
use crate::tree::left_out;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::selection::TagFilter;
use pgn2fen_index::{GameColumn, Index, IndexError, QueryWarning};

/// The number that stands for a game that does not pass the filters.
const LEFT_OUT: u32 = u32::MAX;

/// Compares the games of an index that pass all filters with a repertoire for this side: the comparison that the files
/// of the index would give, if the index has all plies of their games.
///
/// The index is asked for each position of the repertoire, and no game is read. Besides the comparison, memory is
/// needed for 4 bytes for each game of the index, and for 16 bytes each time that a game is in a position of the
/// repertoire.
///
/// # Errors
///
/// Fails if the index cannot be read, or does not keep a tag of the filters.
pub fn compare_index(
    index: &Index,
    tags: Vec<TagFilter>,
    repertoire: Arc<Repertoire>,
    side: Color,
) -> Result<Comparison, IndexTreeError> {
    let all = usize::try_from(index.game_count()).unwrap_or(usize::MAX);
    let mut wanted: Vec<u64> = Vec::new();
    let mut places = vec![LEFT_OUT; all];
    // Nothing is reported, because no game is read.
    let mut query = index.query(|_| ()).tags(tags)?;
    for found in query.all_games() {
        let game = found?.game;
        if let Some(place) = usize::try_from(game - 1).ok().and_then(|game| places.get_mut(game)) {
            *place = u32::try_from(wanted.len()).unwrap_or(LEFT_OUT);
            wanted.push(game);
        }
    }
    let mut visits: Vec<(u32, Visit)> = Vec::new();
    repertoire.each_position(&mut |node, position| {
        for hit in index.hits(position)? {
            let hit = hit?;
            let place = usize::try_from(hit.game).ok().and_then(|game| places.get(game.wrapping_sub(1)));
            if let Some(place) = place.filter(|place| **place != LEFT_OUT) {
                let next = hit.next.map_or(0, |next| next.bits().get());
                visits.push((*place, Visit { ply: hit.ply, node, next }));
            }
        }
        Ok::<(), IndexError>(())
    })?;
    visits.sort_unstable_by_key(|(place, visit)| (*place, visit.ply));
    let mut comparison = Comparison::new(repertoire, side);
    let summaries = index.summaries()?;
    let mut headings = index.headings();
    let mut columns = index.games();
    let mut own = Vec::new();
    let mut visits = visits.into_iter().peekable();
    for (game, place) in wanted.into_iter().zip(0..) {
        own.clear();
        while let Some((_, visit)) = visits.next_if(|(other, _)| *other == place) {
            own.push(visit);
        }
        let event = columns.text(game, GameColumn::Event)?.unwrap_or_default().to_owned();
        let heading = headings.view(game)?;
        let names = &mut comparison.names;
        let file = names.number(heading.file.as_bytes());
        let texts = [heading.white, heading.black, &event, heading.date, heading.site];
        let texts = texts.map(|text| names.number(text.as_bytes()));
        comparison.add((file, texts), (game, heading.line), summaries.of(game).into(), &own);
    }
    Ok(comparison)
}

/// Returns in words how many games of an index no comparison has, because they are games of variants; None if there are
/// none. A repertoire is one of chess.
///
/// # Errors
///
/// Fails if the index cannot be read.
pub fn why_games_are_left_out(index: &Index) -> Result<Option<String>, IndexTreeError> {
    Ok(left_out(index.rules()?.others(Rules::Chess), Rules::Chess))
}

/// Writes the games of an index that pass all filters as PGN, each with comments where it leaves the repertoire: see
/// [`Annotator`]. Returns the number of games. `report` is called for each file that has changed since it was indexed,
/// or cannot be read; its games are left out.
///
/// # Errors
///
/// Fails if the index cannot be read, does not keep a tag of the filters, or if the output cannot be written.
pub fn annotate_index(
    index: &Index,
    tags: Vec<TagFilter>,
    annotator: &Annotator,
    report: impl FnMut(&QueryWarning),
    output: &mut impl Write,
) -> Result<io::Result<u64>, IndexTreeError> {
    let mut query = index.query(report).tags(tags)?;
    let mut games = query.all_games();
    let mut written = 0;
    let mut out = Vec::new();
    while let Some(found) = games.next().transpose()? {
        let Some(text) = games.text(found.game)? else {
            continue;
        };
        out.clear();
        if annotator.append(&text, &mut out) {
            written += 1;
        }
        if let Err(error) = output.write_all(&out) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(written))
}
