//! Law: a damaged index gives the right answer or an error. It never gives a wrong answer and never panics. The same
//! holds after its runs are merged.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use pgn2fen_chess::position::Position;
use pgn2fen_index::{BuildOptions, Builder, Hit, Index, IndexError, LEAST_MEMORY};
use tempfile::TempDir;

use crate::choices::Choices;
use crate::damage::Damageable;
use crate::laws::scan::{Scan, add, folder};
use crate::seeds;
use crate::walking::with_one;

/// An index, with questions and the right answers.
struct Case {
    folder: TempDir,
    files: Damageable,
    /// Positions, with the answers of the undamaged index.
    questions: Vec<(Position, Vec<Hit>, String)>,
}

static CASE: LazyLock<Case> = LazyLock::new(|| {
    let text = seeds::some_games();
    let (first, second) = text.split_at(text.len() / 2);
    let folder = folder();
    with_one(|workers| {
        add(folder.path(), first, false, workers);
        add(folder.path(), second, true, workers);
    });
    let files = Damageable::below(folder.path());
    let mut positions: Vec<Position> =
        Scan::of(&[first, second]).hits.into_values().map(|(position, _)| position).collect();
    positions.sort_by_key(pgn2fen_index::key);
    positions.truncate(8);
    positions.push(Position::initial());
    let index = Index::open(folder.path()).expect("the index is sound");
    let answered = positions.into_iter().map(|position| {
        let (hits, counted) = ask(&index, &position).expect("the index is sound");
        (position, hits, counted)
    });
    Case { questions: answered.collect(), folder, files }
});

/// Checks the law. The first byte chooses whether the damaged index is merged. The rest damages it: see `Damageable`.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let case = &*CASE;
    let mut choices = Choices::new(data);
    let is_merged = choices.byte() % 4 == 1;
    let _damaged = case.files.damage(choices);
    if is_merged {
        merge(case);
    } else {
        check_answers(case, case.folder.path());
    }
}

/// Checks that each answer is right or an error.
fn check_answers(case: &Case, folder: &Path) {
    let Ok(index) = Index::open(folder) else { return };
    let is_sound = with_one(|workers| index.check(workers)).is_empty();
    for (position, hits, counted) in &case.questions {
        match ask(&index, position) {
            Ok(answer) => assert_eq!((&answer.0, &answer.1), (hits, counted), "{position:?}"),
            Err(error) => assert!(!is_sound, "a check found nothing, but {error}"),
        }
    }
}

/// Returns the answers of an index for a position.
fn ask(index: &Index, position: &Position) -> Result<(Vec<Hit>, String), IndexError> {
    let hits = index.hits(position)?.collect::<Result<_, _>>()?;
    let counted = format!("{:?} {:?}", index.count(position)?, index.explore(position)?.moves());
    Ok((hits, counted))
}

/// Merges the runs of a copy of the index.
fn merge(case: &Case) {
    let copy = folder();
    for path in case.files.paths() {
        let inside = path.strip_prefix(case.folder.path()).expect("it lies in the folder");
        let to = copy.path().join(inside);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder can be made");
        fs::copy(path, to).expect("a file can be copied");
    }
    let options = BuildOptions { append: true, memory: LEAST_MEMORY, ..BuildOptions::default() };
    with_one(|workers| -> Result<(), IndexError> {
        let go_on = |_, _| ControlFlow::Continue(());
        Builder::new(copy.path(), options, workers)?.finish(workers, &go_on)?.merge(true, workers, &go_on)?;
        Ok(())
    })
    .unwrap_or_default();
    check_answers(case, copy.path());
}
