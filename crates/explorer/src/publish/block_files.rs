//! The files with the blocks of a database: large files with many blocks each, which are read as ranges of bytes, or a
//! file for each block. Directories, in pages, tell where each block is.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::publish::block::BlockKind;
use crate::publish::compressed::compressed;
use crate::publish::error::PublishError;
use crate::publish::file_list::FileList;
use flate2::Crc;
use serde_json::{Value, json};

/// The most blocks of a page of a directory.
const PAGE: u64 = 16_384;

/// The number of files in a folder, if each block is a file.
const FOLDER: u64 = 1000;

/// Writes blocks in the order of their numbers.
#[derive(Debug)]
pub(super) struct BlockFiles<'s> {
    site: &'s Path,
    /// The folder of the database in the site.
    folder: &'s str,
    id: &'s str,
    kind: BlockKind,
    /// The greatest size of a file; None if each block is a file.
    shard: Option<u64>,
    count: u64,
    open: Option<OpenShard>,
    shards: Vec<Value>,
    /// The page of the directory that is being filled, and those before it.
    page: Page,
    pages: Vec<Value>,
}

#[derive(Debug)]
struct OpenShard {
    name: String,
    path: PathBuf,
    file: File,
    first: u64,
    bytes: u64,
    crc: Crc,
}

/// A page of a directory: consecutive blocks.
#[derive(Debug, Default)]
struct Page {
    first: u64,
    /// The offset of the first block in its file.
    offset: u64,
    lengths: Vec<u64>,
    /// The first game of each block; empty for positions.
    games: Vec<u64>,
}

impl<'s> BlockFiles<'s> {
    pub(super) fn new(site: &'s Path, folder: &'s str, id: &'s str, kind: BlockKind, shard: Option<u64>) -> Self {
        let (shards, pages, page) = (Vec::new(), Vec::new(), Page::default());
        Self { site, folder, id, kind, shard, count: 0, open: None, shards, page, pages }
    }

    /// Returns the number of the next block.
    pub(super) fn next(&self) -> u64 {
        self.count
    }

    /// Writes the next block. `game` is the first game in it, if there are games in it.
    pub(super) fn write(&mut self, bytes: &[u8], game: Option<u64>, files: &mut FileList) -> Result<(), PublishError> {
        let (number, length) = (self.count, bytes.len() as u64);
        let mut offset = 0;
        match self.shard {
            None => {
                let part = format!("{}/{}/{:03}", self.folder, self.kind.name(), number / FOLDER);
                if number % FOLDER == 0 {
                    let folder = self.site.join(&part);
                    fs::create_dir_all(&folder).map_err(PublishError::file(&folder))?;
                }
                files.write(self.site, &format!("{part}/{number}.bin"), bytes)?;
            }
            Some(most) => {
                if self.open.as_ref().is_some_and(|open| open.bytes + length > most) {
                    self.close(files)?;
                }
                let shard = match &mut self.open {
                    Some(open) => open,
                    none => none.insert(OpenShard::create(
                        &self.site.join(self.folder),
                        format!("{}-{:03}.bin", self.kind.name(), self.shards.len()),
                        number,
                    )?),
                };
                offset = shard.bytes;
                shard.file.write_all(bytes).map_err(PublishError::file(&shard.path))?;
                shard.crc.update(bytes);
                shard.bytes += length;
            }
        }
        if self.page.lengths.len() as u64 == PAGE {
            self.end_page(files)?;
        }
        if self.page.lengths.is_empty() {
            (self.page.first, self.page.offset) = (number, offset);
        }
        self.page.lengths.push(length);
        self.page.games.extend(game);
        self.count += 1;
        Ok(())
    }

    /// Ends the file that is being written.
    fn close(&mut self, files: &mut FileList) -> Result<(), PublishError> {
        if let Some(OpenShard { name, path, file, first, bytes, crc }) = self.open.take() {
            file.sync_all().map_err(PublishError::file(&path))?;
            files.add(&format!("{}/{name}", self.folder), bytes, format!("{:08x}", crc.sum()));
            self.shards.push(json!({ "file": name, "first": first, "bytes": bytes }));
        }
        Ok(())
    }

    /// Writes a page of the directory.
    fn end_page(&mut self, files: &mut FileList) -> Result<(), PublishError> {
        let Page { first, offset, lengths, games } = std::mem::take(&mut self.page);
        let (kind, number) = (self.kind.name(), self.pages.len());
        let mut page = json!({
            "site": self.id,
            "directory": kind,
            "number": number,
            "first": first,
            "offset": offset,
            "lengths": lengths,
        });
        let name = format!("{kind}-directory-{number:03}.bin");
        let mut entry = json!({ "file": name, "first": first });
        if let Some(game) = games.first() {
            entry["game"] = json!(game);
            page["games"] = json!(games);
        }
        files.write(self.site, &format!("{}/{name}", self.folder), &compressed(&page.to_string()))?;
        self.pages.push(entry);
        Ok(())
    }

    /// Ends the files. Returns what the page must know of them.
    pub(super) fn finish(mut self, files: &mut FileList) -> Result<Value, PublishError> {
        self.close(files)?;
        if !self.page.lengths.is_empty() {
            self.end_page(files)?;
        }
        let (shards, pages) = (self.shards, self.pages);
        Ok(match self.shard {
            Some(_) => json!({ "count": self.count, "files": shards, "directories": pages }),
            None => json!({ "count": self.count, "directories": pages }),
        })
    }
}

impl OpenShard {
    fn create(folder: &Path, name: String, first: u64) -> Result<Self, PublishError> {
        let path = folder.join(&name);
        let file = File::create(&path).map_err(PublishError::file(&path))?;
        Ok(Self { name, path, file, first, bytes: 0, crc: Crc::new() })
    }
}
