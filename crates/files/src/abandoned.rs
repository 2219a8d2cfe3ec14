//! Files that killed processes have left beside their outputs. They are removed, or the outputs are finished.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::pending::{COMMIT, DONE, GROUP, Line, OPEN, PREFIX, id_of, is_waiting, lines};
use crate::sync::sync_folder;
use crate::unfinished::{is_ours, rename};

/// The time after which a file is abandoned if it was not changed, and no list and no lock tells whose it is.
pub(super) const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes the temporary files in a folder that processes have left behind which were killed. If such a process had
/// begun to give several outputs their names, all of them get their names. Errors are ignored: such files do no harm.
pub(super) fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut groups = BTreeSet::new();
    let mut waiting = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX) && !is_ours(name)) else {
            continue;
        };
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        if name.starts_with(OPEN) {
            remove_unlocked(&entry.path());
        } else if let Some(id) = id_of(name, GROUP).or_else(|| id_of(name, COMMIT)) {
            groups.insert(id.to_owned());
        } else if name.starts_with(DONE) {
            waiting.push(entry);
        } else {
            remove_old(&entry);
        }
    }
    for id in &groups {
        settle(folder, id);
    }
    // The lists of these groups have decided about their files.
    let is_listed = |entry: &fs::DirEntry| groups.iter().any(|id| is_waiting(&entry.file_name(), id));
    waiting.iter().filter(|entry| !is_listed(entry)).for_each(remove_old);
}

/// Removes a file unless a process has locked it. The lock is held meanwhile, so that a process that has just created
/// the file notices.
fn remove_unlocked(path: &Path) {
    if let Ok(file) = File::options().read(true).write(true).open(path)
        && file.try_lock().is_ok()
    {
        let _ = fs::remove_file(path);
    }
}

/// Removes a file that was not changed for so long that no process waits with it.
fn remove_old(entry: &fs::DirEntry) {
    if entry.metadata().is_ok_and(|metadata| is_old(&metadata)) {
        let _ = fs::remove_file(entry.path());
    }
}

fn is_old(metadata: &Metadata) -> bool {
    let age = metadata.modified().map(|changed| SystemTime::now().duration_since(changed));
    age.is_ok_and(|age| age.is_ok_and(|age| age > ABANDONED))
}

/// How far a group has come.
enum State {
    /// Its process goes on, or nobody can know.
    GoesOn,
    /// The first folder of the group has no file of it any more.
    Ended,
}

/// Finishes a group with a list in this folder, or removes its files, if its process has ended.
fn settle(folder: &Path, id: &str) {
    let list = folder.join(format!("{GROUP}{id}"));
    match home_of(folder, id) {
        // The first folder of a group.
        None => drop(settle_home(folder, id)),
        Some(Ok(home)) => {
            if matches!(settle_home(&home, id), State::Ended) {
                remove_waiting(folder, id);
                let _ = fs::remove_file(list);
            }
        }
        // The first folder is gone, or is another one from here.
        Some(Err(_)) if fs::metadata(&list).is_ok_and(|metadata| is_old(&metadata)) => {
            remove_waiting(folder, id);
            let _ = fs::remove_file(list);
        }
        Some(Err(_)) => {}
    }
}

/// Returns the first folder of a group, by the list of another folder. None if there is no such list.
fn home_of(folder: &Path, id: &str) -> Option<io::Result<PathBuf>> {
    let list = File::open(folder.join(format!("{GROUP}{id}"))).ok()?;
    match lines(&list).next() {
        Some(Line::Home(home)) => Some(folder.join(home.as_path()).canonicalize()),
        _ => None,
    }
}

/// Finishes a group, or removes its files, if its process has ended. This is its first folder.
fn settle_home(home: &Path, id: &str) -> State {
    // The list is renamed once, so it is found under one of the names if they are tried in this order.
    for beginning in [GROUP, COMMIT] {
        let path = home.join(format!("{beginning}{id}"));
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Ok(found) if found.is_file() => {}
            _ => return State::GoesOn,
        }
        let list = match File::options().read(true).write(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(_) => return State::GoesOn,
            Ok(list) => list,
        };
        // The lock is held meanwhile, so that two processes do not settle the same group.
        if list.try_lock().is_err() {
            return State::GoesOn;
        }
        // The process may have renamed or removed the list before it ended.
        let commit = home.join(format!("{COMMIT}{id}"));
        if fs::symlink_metadata(&commit).is_ok() {
            if finish(home, id, &list) {
                let _ = fs::remove_file(&commit);
            }
        } else {
            roll_back(home, id, &list);
            let _ = fs::remove_file(home.join(format!("{GROUP}{id}")));
        }
        return if fs::symlink_metadata(&path).is_ok() { State::GoesOn } else { State::Ended };
    }
    State::Ended
}

/// Returns the other folders of a group that have a list of it.
fn folders<'l>(home: &'l Path, id: &'l str, list: &'l File) -> impl Iterator<Item = PathBuf> + 'l {
    let folders = lines(list).filter_map(|line| match line {
        Line::Folder(folder) => home.join(folder.as_path()).canonicalize().ok(),
        _ => None,
    });
    // The list there must lead back, so that a list that was put here does not concern other groups.
    let home = home.canonicalize().ok();
    folders.filter(move |folder| matches!((home_of(folder, id), &home), (Some(Ok(of)), Some(home)) if of == *home))
}

/// Removes the outputs of a group that was not complete.
fn roll_back(home: &Path, id: &str, list: &File) {
    for folder in folders(home, id, list) {
        remove_waiting(&folder, id);
        let _ = fs::remove_file(folder.join(format!("{GROUP}{id}")));
    }
    remove_waiting(home, id);
}

/// Gives the outputs of a group that was complete their names. Returns whether nothing is left to do.
fn finish(home: &Path, id: &str, list: &File) -> bool {
    let mut is_done = finish_folder(home, id, list);
    // The lines have been read to their end.
    let Ok(again) = File::open(home.join(format!("{COMMIT}{id}"))) else {
        return false;
    };
    for folder in folders(home, id, &again) {
        let path = folder.join(format!("{GROUP}{id}"));
        if File::open(&path).is_ok_and(|list| finish_folder(&folder, id, &list)) {
            let _ = fs::remove_file(path);
        } else {
            is_done = false;
        }
    }
    is_done
}

/// Gives the outputs of a list their names. Returns whether nothing is left to do.
fn finish_folder(folder: &Path, id: &str, list: &File) -> bool {
    let metadata = list.metadata().ok();
    let written = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
    let mut is_done = true;
    for line in lines(list) {
        let Line::Rename(from, to) = line else { continue };
        let (Some(from), Some(to)) = (from.as_waiting(id), to.as_target()) else { continue };
        let (from, to) = (folder.join(from), folder.join(to));
        // Those that have their names already are not there.
        if !fs::symlink_metadata(&from).is_ok_and(|found| found.is_file()) {
            continue;
        }
        // What somebody has written since stays.
        let changed = fs::metadata(&to).and_then(|target| target.modified()).ok();
        let is_newer = changed.zip(written).is_some_and(|(changed, written)| changed > written);
        is_done &= if is_newer { fs::remove_file(&from) } else { rename(&from, &to) }.is_ok();
    }
    is_done |= metadata.is_some_and(|metadata| is_old(&metadata));
    if is_done {
        remove_waiting(folder, id);
        let _ = sync_folder(folder);
    }
    is_done
}

/// Removes the outputs of a group that wait in a folder.
fn remove_waiting(folder: &Path, id: &str) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let names: HashSet<PathBuf> = entries
        .flatten()
        .filter(|entry| is_waiting(&entry.file_name(), id) && entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .collect();
    for path in names {
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Write;
    use std::path::Path;
    use std::time::{Duration, SystemTime};

    use super::{ABANDONED, remove_abandoned};
    use crate::compress::Compression;
    use crate::group::FileGroup;
    use crate::output::OutputFile;
    use crate::unfinished::Unfinished;

    const ID: &str = "0123456789ab";
    const OTHER: &str = "0123456789cd";

    /// Returns the paths of all files below a folder with their texts, in order.
    fn files(folder: &Path) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                    found.push((name, fs::read_to_string(path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    /// Writes files below a folder.
    fn write(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    #[track_caller]
    fn check(folder: &Path, expected: &[(&str, &str)]) {
        let found = files(folder);
        let found: Vec<(&str, &str)> = found.iter().map(|(name, text)| (&**name, &**text)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_nobody_has_locked_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let old = SystemTime::now() - ABANDONED - Duration::from_secs(60);
        for (name, is_old) in [
            (".pgn2fen-open-killed", false),
            (".pgn2fen-done-waiting", false),
            (".pgn2fen-done-killed", true),
            (".pgn2fen-killed", true),
            ("pgn2fen-open-kept", true),
            (".pgn2fen", true),
        ] {
            let file = File::create(at(name)).unwrap();
            if is_old {
                file.set_modified(old).unwrap();
            }
        }
        fs::create_dir(at(".pgn2fen-open-folder")).unwrap();
        let locked = File::create(at(".pgn2fen-open-locked")).unwrap();
        locked.lock().unwrap();
        let (_file, ours) = Unfinished::create(folder.path(), None).unwrap();
        remove_abandoned(folder.path());
        assert!(ours.path().exists());
        let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.filter(|name| *name != ours.name()).collect();
        names.sort();
        let expected =
            [".pgn2fen", ".pgn2fen-done-waiting", ".pgn2fen-open-folder", ".pgn2fen-open-locked", "pgn2fen-open-kept"];
        assert_eq!(names, expected);
    }

    /// The lists of a group of three files in the folders `a` and `b`, of which one has its name.
    fn half_finished(folder: &Path, is_complete: bool) {
        let beginning = if is_complete { "commit" } else { "group" };
        let home = format!(
            "{{\"folder\":\"../b\"}}\n{{\"rename\":[\".pgn2fen-done-{ID}-1\",\"1.pgn\"]}}\n\
             {{\"rename\":[\".pgn2fen-done-{ID}-2\",\"2.pgn\"]}}\n"
        );
        let other = format!("{{\"home\":\"../a\"}}\n{{\"rename\":[\".pgn2fen-done-{ID}-3\",\"3.pgn\"]}}\n");
        let first = if is_complete { "a/1.pgn" } else { &format!("a/.pgn2fen-done-{ID}-1") };
        write(
            folder,
            &[
                (first, "new 1"),
                ("a/2.pgn", "old 2"),
                ("b/3.pgn", "old 3"),
                (&format!("a/.pgn2fen-done-{ID}-2"), "new 2"),
                (&format!("b/.pgn2fen-done-{ID}-3"), "new 3"),
                (&format!("a/.pgn2fen-done-{OTHER}-2"), "of another group"),
                (&format!("a/.pgn2fen-{beginning}-{ID}"), &home),
                (&format!("b/.pgn2fen-group-{ID}"), &other),
            ],
        );
    }

    #[test]
    fn outputs_that_were_complete_get_their_names_and_others_are_removed() {
        let kept = format!("a/.pgn2fen-done-{OTHER}-2");
        for visited in ["a", "b"] {
            let folder = tempfile::tempdir().unwrap();
            half_finished(folder.path(), true);
            remove_abandoned(&folder.path().join(visited));
            let new = [(&*kept, "of another group"), ("a/1.pgn", "new 1"), ("a/2.pgn", "new 2"), ("b/3.pgn", "new 3")];
            check(folder.path(), &new);

            let folder = tempfile::tempdir().unwrap();
            half_finished(folder.path(), false);
            remove_abandoned(&folder.path().join(visited));
            check(folder.path(), &[(&kept, "of another group"), ("a/2.pgn", "old 2"), ("b/3.pgn", "old 3")]);
        }
    }

    #[test]
    fn a_group_whose_process_goes_on_is_left_alone() {
        for is_complete in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            half_finished(folder.path(), is_complete);
            let before = files(folder.path());
            let beginning = if is_complete { "commit" } else { "group" };
            let list = File::open(folder.path().join(format!("a/.pgn2fen-{beginning}-{ID}"))).unwrap();
            list.lock().unwrap();
            for visited in ["a", "b"] {
                remove_abandoned(&folder.path().join(visited));
                assert_eq!(files(folder.path()), before, "{visited}");
            }
            drop(list);
            remove_abandoned(&folder.path().join("b"));
            assert_ne!(files(folder.path()), before);
        }
        // The same with a group of this process.
        let folder = tempfile::tempdir().unwrap();
        let mut group = FileGroup::new();
        for name in ["a/1.pgn", "b/2.pgn"] {
            write(folder.path(), &[(name, "old")]);
            let mut output = OutputFile::create(folder.path().join(name), Compression::None).unwrap();
            output.write_all(b"new").unwrap();
            group.add(output).unwrap();
            remove_abandoned(&folder.path().join("a"));
            remove_abandoned(&folder.path().join("b"));
        }
        assert_eq!(group.finish().unwrap(), 2);
        check(folder.path(), &[("a/1.pgn", "new"), ("b/2.pgn", "new")]);
    }

    #[test]
    fn what_was_written_since_stays() {
        let folder = tempfile::tempdir().unwrap();
        half_finished(folder.path(), true);
        let mine = File::options().write(true).open(folder.path().join("a/2.pgn")).unwrap();
        mine.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
        remove_abandoned(&folder.path().join("a"));
        let kept = format!("a/.pgn2fen-done-{OTHER}-2");
        let expected = [(&*kept, "of another group"), ("a/1.pgn", "new 1"), ("a/2.pgn", "old 2"), ("b/3.pgn", "new 3")];
        check(folder.path(), &expected);
    }

    #[test]
    fn a_list_that_somebody_made_touches_no_file_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let waiting = format!(".pgn2fen-done-{ID}-1");
        let list = format!(
            "{{\"folder\":\"../mine\"}}\n{{\"rename\":[\"{waiting}\",\"../mine/letter.txt\"]}}\n\
             {{\"rename\":[\"../mine/letter.txt\",\"x.pgn\"]}}\n{{\"rename\":[\"mine.txt\",\"x.pgn\"]}}\nno JSON\n"
        );
        write(
            folder.path(),
            &[
                (&format!("bad/.pgn2fen-commit-{ID}"), &list),
                (&format!("bad/{waiting}"), "evil"),
                ("bad/mine.txt", "dear"),
                ("mine/letter.txt", "dear"),
                (&format!("mine/{waiting}"), "of a group that has its list elsewhere"),
            ],
        );
        remove_abandoned(&folder.path().join("bad"));
        let kept = format!("mine/{waiting}");
        let expected =
            [("bad/mine.txt", "dear"), (&kept, "of a group that has its list elsewhere"), ("mine/letter.txt", "dear")];
        check(folder.path(), &expected);
    }
}
