//! Law: a damaged database of Scid or ChessBase has the same results on one thread and on two. Without an error, the
//! copies of its games have the same positions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use pgn2fen_games::database::Source;
use pgn2fen_rows::Rows;
use tempfile::TempDir;

use crate::choices::Choices;
use crate::damage::{Damageable, files};
use crate::laws::scan::folder;
use crate::seeds::{fixtures, has_ending};
use crate::walking::{Job, agreed, has_copies_with_the_same_positions};

/// A database in a folder of its own.
struct Case {
    _folder: TempDir,
    files: Damageable,
    opened: PathBuf,
}

/// The files that are opened, below the fixtures. Files of the same name belong to them, but not to an archive.
const DATABASES: [&str; 4] = ["scid/games.si4", "scid/five.si5", "chessbase/games.cbh", "chessbase/games.cbv"];

static CASES: LazyLock<[Case; 4]> = LazyLock::new(|| {
    DATABASES.map(|name| {
        let (folder, original) = (folder(), fixtures().join(name));
        let is_alone = |path: &Path| has_ending(path, "cbv") || has_ending(path, "pgn");
        let belongs = |path: &Path| path.file_stem() == original.file_stem() && !is_alone(path);
        let copy = |path: &Path| folder.path().join(path.file_name().expect("a name"));
        for path in files(original.parent().expect("a folder")) {
            if path == original || !is_alone(&original) && belongs(&path) {
                fs::copy(&path, copy(&path)).expect("a copy");
            }
        }
        let opened = copy(&original);
        Case { files: Damageable::below(folder.path()), opened, _folder: folder }
    })
});

/// Checks the law. A byte chooses the database and the job. The rest damages its files: see `Damageable`.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let kind = choices.byte();
    let case = &CASES[usize::from(kind % 4)];
    let _damaged = case.files.damage(choices);
    let open = || Source::open(&case.opened, true, None).ok();
    let job = Job::Rows(Rows::new().variations(kind & 4 != 0));
    if let Some(said) = agreed(&job, &open) {
        has_copies_with_the_same_positions(&said, &job, &open);
    }
}
