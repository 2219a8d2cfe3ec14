//! The index: what it says is what a scan says, and whatever happens while it is built, it says that or nothing.

mod assembled;
mod command;
mod damage;
mod files;
mod filters;
#[cfg(unix)]
mod interrupted;
mod large;
mod query;
mod robust;
mod scan;
mod tags;
mod variants;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::cli::Desk;
use crate::laws::fixtures;

/// A desk with copies of the fixtures in the order of their names, `0001.pgn` and so on.
pub(crate) fn desk() -> (Desk, Vec<String>) {
    let desk = Desk::with(&[]);
    let mut names = Vec::new();
    for (number, (_, bytes)) in fixtures().into_iter().enumerate() {
        let name = format!("{number:04}.pgn");
        fs::write(desk.path(&name), bytes).unwrap();
        names.push(name);
    }
    (desk, names)
}

/// Runs `pgn2fen index` on some files. Errors in games do not matter.
#[track_caller]
pub(crate) fn build(desk: &Desk, options: &[&str], files: &[String]) {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let ran = desk.run(&[&["index", "-q"], options, &files].concat());
    assert!(matches!(ran.code, Some(0 | 1)) && ran.stdout.is_empty(), "{ran:?}");
}

/// The tables of all runs of an index, without the names of the folders they lie in.
fn tables(folder: &Path) -> BTreeMap<String, Vec<Vec<u8>>> {
    let mut tables: BTreeMap<String, Vec<Vec<u8>>> = BTreeMap::new();
    let mut runs: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    runs.sort();
    for run in runs.into_iter().filter(|path| path.is_dir()) {
        for entry in fs::read_dir(run).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            tables.entry(name).or_default().push(fs::read(&path).unwrap());
        }
    }
    tables
}
