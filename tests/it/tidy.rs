//! The house keeps its plan: imports run as ARCHITECTURE.md draws them, and each dependency has one door.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file, with the name of its room: `pgn` for `src/pgn.rs` and all in `src/pgn/`.
fn sources() -> Vec<(String, PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let inside = path.strip_prefix(root().join("src")).unwrap();
            let room = inside.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs");
            found.push((room.to_owned(), path.clone(), fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(found.len() > 30, "the sources are there");
    found
}

/// The rows of a table in ARCHITECTURE.md under a heading: first cell → words of the second.
fn table(heading: &str) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split(&format!("\n## {heading}\n")).nth(1).expect("the section is there");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.split('|').map(|cell| cell.replace('`', "")).collect::<Vec<_>>());
    cells.map(|cells| (cells[1].trim().to_owned(), cells[2].split_whitespace().map(str::to_owned).collect())).collect()
}

/// The code of a file without its tests and comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("\n#[cfg(test)]").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn imports_run_as_the_plan_draws_them() {
    let plan = table("Who may import whom");
    for (room, path, text) in sources() {
        if room == "lib" || room == "main" {
            continue;
        }
        let allowed = plan.get(&room).unwrap_or_else(|| panic!("ARCHITECTURE.md does not know the room {room}"));
        for line in code(&text) {
            for used in line.split("crate::").skip(1) {
                let used = used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                let is_allowed = used == room || allowed.iter().any(|name| name == used);
                assert!(is_allowed, "{} imports {used}, which the plan does not allow: {line}", path.display());
            }
        }
    }
}

#[test]
fn each_dependency_has_its_doors() {
    let doors = table("Doors");
    assert!(doors.len() >= 6);
    for (package, doors) in doors {
        let name = package.replace('-', "_");
        for (_, path, text) in sources() {
            let inside =
                path.strip_prefix(root().join("src")).unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
            let uses = code(&text).any(|line| {
                line.trim_start().starts_with(&format!("use {name}::")) || line.contains(&format!(" {name}::"))
            });
            let is_door = doors.iter().any(|door| inside == *door || inside.starts_with(&format!("{door}/")));
            assert!(!uses || is_door, "{} uses {package}", path.display());
        }
    }
}

#[test]
fn every_dependency_has_a_row() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
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
    let mut everything = String::new();
    for folder in ["tests/it", "src"] {
        let mut folders = vec![root().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { everything += &fs::read_to_string(path).unwrap() }
            }
        }
    }
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
    for (room, path, text) in sources() {
        let is_library = room != "cli" && room != "main";
        assert!(!is_library || !code(&text).any(|line| line.contains("env::")), "{}", path.display());
    }
}

#[test]
fn unsafe_stands_at_the_map_only() {
    for (_, path, text) in sources() {
        let is_unsafe = code(&text).any(|line| line.contains("unsafe ") || line.contains("unsafe_code"));
        assert_eq!(is_unsafe, path.ends_with("src/database.rs"), "{}", path.display());
    }
}
