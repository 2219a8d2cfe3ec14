//! The data of an index, as it is published.

use std::fs;
use std::path::Path;

use crate::publish::block::BlockKind;
use crate::publish::block_files::BlockFiles;
use crate::publish::database::Database;
use crate::publish::error::{PublishError, PublishWarning};
use crate::publish::file_list::FileList;
use crate::publish::manifest::DatabaseEntry;
use crate::publish::{Published, games, positions};
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Progress, Summary};

impl Database<'_> {
    /// Writes the data.
    pub(super) fn write(
        self,
        site: &Path,
        files: &mut FileList,
        workers: &Workers,
        published: &mut Published,
        tell: &mut dyn FnMut(PublishWarning),
        progress: &Progress<'_>,
    ) -> Result<DatabaseEntry, PublishError> {
        let path = site.join(&self.folder);
        fs::create_dir_all(&path).map_err(PublishError::file(&path))?;
        let summaries = self.index.summaries()?;
        let shard = self.options.ranges.then_some(self.options.shard);
        let blocks = |kind| BlockFiles::new(site, &self.folder, &self.id, kind, shard);
        let mut told = Vec::new();
        // A file that cannot be read is told once.
        let mut tell = |warning: PublishWarning| {
            if !told.contains(&warning) {
                told.push(warning.clone());
                tell(warning);
            }
        };
        let others = self.index.rules()?.others(Rules::Chess);
        if others > 0 {
            tell(PublishWarning::Variants { database: self.name.clone(), games: others });
        }
        let positions = blocks(BlockKind::Positions);
        let positions = positions::write(&self, &summaries, positions, files, workers, &mut tell, progress)?;
        let games = blocks(BlockKind::Games);
        let games = games::write(&self, &positions.listed, games, files, workers, &mut tell, progress)?;
        published.positions += positions.count;
        published.games += games.count;
        published.unread += games.unread;
        let years = || summaries.iter().filter_map(Summary::month).map(|(year, _)| year);
        Ok(DatabaseEntry {
            name: self.name,
            games: self.index.game_count() - others,
            postings: self.index.posting_count(),
            files: self.index.files().len() as u64,
            years: years().min().zip(years().max()),
            has_ratings: summaries.iter().any(|game| game.double_mean().is_some()),
            published: (positions.count, games.count),
            bits: positions.bits,
            blocks: [positions.blocks, games.blocks],
            folder: self.folder,
            id: self.id,
        })
    }
}
