//! An index that is damaged says so, or answers as before; it causes no panic.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use pgn2fen::chess::position::Position;
use pgn2fen::index::{Explored, Hit, Index, IndexError, Results};
use tempfile::TempDir;

use crate::choices::Choices;
use crate::laws::scan::{Scan, add, folder};
use crate::seeds;
use crate::walking::with_one;

/// An index, and what is asked of it.
struct Case {
    folder: TempDir,
    files: Vec<(PathBuf, Vec<u8>)>,
    positions: Vec<Position>,
    /// What it says of them when nothing is damaged.
    answers: Vec<Answer>,
}

type Answer = (Vec<Hit>, Results, Explored);

static CASE: LazyLock<Case> = LazyLock::new(|| {
    let text = seeds::some_games();
    let folder = folder();
    with_one(|workers| add(folder.path(), &text, false, workers));
    let mut files = Vec::new();
    for run in fs::read_dir(folder.path()).expect("the folder is there").map(|entry| entry.expect("an entry").path()) {
        if run.is_dir() {
            files.extend(fs::read_dir(run).expect("a run").map(|entry| entry.expect("a file").path()));
        } else if run.ends_with("manifest.json") {
            files.push(run);
        }
    }
    files.sort();
    let files = files.into_iter().map(|path| (path.clone(), fs::read(&path).expect("a file"))).collect();
    let mut positions: Vec<Position> = Scan::of(&[&text]).hits.into_values().map(|(position, _)| position).collect();
    positions.sort_by_key(pgn2fen::postings::key);
    positions.truncate(12);
    positions.push(Position::initial());
    let index = Index::open(folder.path()).expect("an index");
    let answers = positions.iter().map(|position| ask(&index, position).expect("an answer")).collect();
    Case { folder, files, positions, answers }
});

/// What damages the index: a byte chooses a file of it, a number a place in it, a byte the bits that are flipped; and so on.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let case = &*CASE;
    let mut choices = Choices::new(data);
    let mut damaged: Vec<usize> = Vec::new();
    for _ in 0..(data.len() / 4).min(8) {
        let file = usize::from(choices.byte()) % case.files.len();
        let place = choices.number();
        let bits = choices.byte();
        let (path, _) = &case.files[file];
        let mut bytes = fs::read(path).expect("a file");
        let at = place % bytes.len();
        bytes[at] ^= bits;
        fs::write(path, bytes).expect("a file");
        damaged.push(file);
    }
    let answered = std::panic::catch_unwind(|| ask_all(case));
    for file in damaged {
        let (path, bytes) = &case.files[file];
        fs::write(path, bytes).expect("a file");
    }
    if let Err(panic) = answered {
        std::panic::resume_unwind(panic);
    }
}

fn ask_all(case: &Case) {
    let Ok(index) = Index::open(case.folder.path()) else { return };
    for (position, expected) in case.positions.iter().zip(&case.answers) {
        if let Ok(answer) = ask(&index, position) {
            assert_eq!(&answer, expected, "a wrong answer without a word");
        }
    }
}

fn ask(index: &Index, position: &Position) -> Result<Answer, IndexError> {
    let hits = index.hits(position)?.collect::<Result<_, _>>()?;
    Ok((hits, index.count(position)?, index.explore(position)?))
}
