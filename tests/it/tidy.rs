//! The house keeps its plan: imports run as ARCHITECTURE.md draws them, and each dependency has one door.

mod circles;
mod source;
mod token;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use source::{files, root, sources};

/// The rows of a table in ARCHITECTURE.md under a heading: first cell → words of the second.
fn table(heading: &str) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split(&format!("\n## {heading}\n")).nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').map(|cell| cell.replace('`', "")).collect::<Vec<_>>());
    cells.map(|cells| (cells[1].trim().to_owned(), cells[2].split_whitespace().map(str::to_owned).collect())).collect()
}

#[test]
fn imports_run_as_the_plan_draws_them() {
    let plan = table("Who may import whom");
    for source in sources() {
        let room = source.room();
        if room == "lib" || room == "main" {
            continue;
        }
        let allowed = plan.get(room).unwrap_or_else(|| panic!("ARCHITECTURE.md does not know the room {room}"));
        for path in source.paths() {
            if let [root, used, ..] = path.segments.as_slice()
                && root == "crate"
            {
                let is_allowed = used == room || allowed.contains(used);
                assert!(is_allowed, "src/{}.rs uses {}: not in the plan", source.name, path.segments.join("::"));
            }
        }
    }
}

#[test]
fn the_command_uses_public_items_only() {
    let sources = sources();
    let exports: BTreeMap<&str, BTreeSet<String>> =
        sources.iter().map(|source| (&*source.name, source.exports())).collect();
    let mut paths_seen = 0;
    for source in sources.iter().filter(|source| source.room() == "cli") {
        let imports = source.imports();
        for path in source.paths() {
            let imported = imports.get(&path.segments[0]).filter(|_| !path.is_import && path.segments.len() > 1);
            let path = imported.map_or(path.segments.clone(), |start| [start, &path.segments[1..]].concat());
            if path[0] != "crate" || path[1] == "cli" {
                continue;
            }
            let mut module = "lib".to_owned();
            for name in &path[1..] {
                let is_public = exports[&*module].contains(name);
                assert!(is_public, "src/{}.rs uses {}: {module} does not export it", source.name, path.join("::"));
                // In a module of this name the next name is exported; behind an item stand its own names.
                let next = if module == "lib" { name.clone() } else { format!("{module}/{name}") };
                if !exports.contains_key(&*next) {
                    break;
                }
                module = next;
            }
            paths_seen += 1;
        }
    }
    assert!(paths_seen > 100, "{paths_seen}");
}

#[test]
fn no_files_of_a_room_import_one_another_in_a_circle() {
    // The grammar is recursive: movetext is read to tell stray marks in it, and tags are read to find a game in a comment.
    const RECURSIVE: [&str; 1] = ["pgn"];
    let circles = circles::circles(&circles::uses(&sources()));
    let rooms: BTreeSet<&str> = circles.iter().flatten().map(|file| source::Source::room_of(file)).collect();
    assert_eq!(rooms, BTreeSet::from(RECURSIVE), "{circles:#?}");
}

#[test]
fn each_dependency_has_its_doors() {
    let doors = table("Doors");
    assert!(doors.len() >= 6);
    let sources = sources();
    for (package, doors) in doors {
        let name = package.replace('-', "_");
        let users: Vec<&str> = sources.iter().filter(|source| source.uses(&name)).map(|source| &*source.name).collect();
        for user in &users {
            let is_door =
                sources.iter().any(|source| source.name == *user && doors.iter().any(|door| source.is_in(door)));
            assert!(is_door, "src/{user}.rs uses {package}, which has other doors");
        }
        for door in doors {
            let is_used = sources.iter().any(|source| source.is_in(&door) && source.uses(&name));
            assert!(is_used, "the door {door} of {package} is not used");
        }
    }
}

#[test]
fn every_dependency_has_a_row() {
    // In a package, `Cargo.toml` has been rewritten.
    let manifest =
        ["Cargo.toml.orig", "Cargo.toml"].iter().find_map(|name| fs::read_to_string(root().join(name)).ok()).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let doors = table("Doors");
    for line in section.lines().filter(|line| line.contains('=')) {
        let name = line.split('=').next().unwrap().trim();
        assert!(doors.contains_key(name), "ARCHITECTURE.md names no door for {name}");
    }
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## Invariants").nth(1).unwrap().split("\n## ").next().unwrap();
    let everything: String = ["tests/it", "src"]
        .iter()
        .flat_map(|folder| files(&root().join(folder)))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let mut invariants = 0;
    for paragraph in
        section.split("\n\n").filter(|paragraph| paragraph.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    {
        invariants += 1;
        let tests: Vec<&str> = paragraph.split('`').skip(1).step_by(2).filter(|name| name.contains('_')).collect();
        assert!(!tests.is_empty(), "no test named in: {paragraph}");
        for name in tests {
            assert!(everything.contains(&format!("fn {name}(")), "there is no test {name}");
        }
    }
    assert!(invariants >= 9);
}

#[test]
fn the_library_reads_no_environment() {
    for source in sources().iter().filter(|source| !["cli", "main"].contains(&source.room())) {
        let reads = source
            .paths()
            .into_iter()
            .find(|path| path.segments.len() > 1 && path.segments.iter().any(|name| name == "env"));
        assert_eq!(reads, None, "src/{}.rs", source.name);
    }
}

#[test]
fn unsafe_stands_at_the_map_only() {
    for source in sources() {
        let is_unsafe = source.words().iter().any(|word| word == "unsafe" || word == "unsafe_code");
        assert_eq!(is_unsafe, source.name == "database/map", "src/{}.rs", source.name);
    }
}

#[test]
fn what_is_tested_is_what_runs() {
    for source in sources() {
        for condition in source.conditions() {
            let names_test =
                condition.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == "test");
            // Which warnings are given changes nothing that runs.
            let is_lint = condition.starts_with("cfg_attr(") && condition.contains(",allow(");
            // Items that are there for tests only; `internals` opens them.
            let is_added = ["cfg(test)", "cfg(any(test,feature=\"\"))"].contains(&condition.as_str());
            assert!(!names_test || is_lint || is_added, "src/{}.rs has {condition}", source.name);
        }
    }
}
