//! Rules of the sources that neither Cargo nor clippy checks. Cargo keeps the order of the crates: a crate can use only
//! those that its manifest names.

use std::fs;
use std::path::{Path, PathBuf};

use crate::laws::files_below;

/// The longest line of Rust, documentation included, in columns.
const LONGEST_LINE: usize = 120;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust sources in these folders, with their paths from the root.
fn sources(folders: &[&str]) -> Vec<(PathBuf, String)> {
    let paths = folders.iter().flat_map(|folder| files_below(&root().join(folder)));
    let rust = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let sources: Vec<_> =
        rust.map(|path| (path.strip_prefix(root()).unwrap().to_owned(), fs::read_to_string(&path).unwrap())).collect();
    assert!(sources.len() > 50, "{folders:?}");
    sources
}

#[test]
fn lines_have_at_most_120_columns() {
    for (path, text) in sources(&["src", "crates", "tests", "benches", "fuzz/src", "python/src", "duckdb/src"]) {
        for (number, line) in (1..).zip(text.lines()) {
            assert!(line.chars().count() <= LONGEST_LINE, "{}:{number} is too long", path.display());
        }
    }
}

#[test]
fn the_library_reads_no_environment() {
    let reads = |(path, text): (PathBuf, String)| {
        // Tests and examples may.
        let code = text.split("#[cfg(test)]").next().unwrap();
        let mut code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        code.any(|line| line.contains("std::env") || line.contains("env::var")).then_some(path)
    };
    let reads: Vec<PathBuf> = sources(&["crates"]).into_iter().filter_map(reads).collect();
    // Credentials for object stores stand nowhere else. Only programs link this crate.
    assert_eq!(reads, [PathBuf::from("crates/remote/src/settings.rs")]);
}

/// `unsafe_code` is denied; these files are excepted from it.
#[test]
fn unsafe_code_only_maps_files() {
    let excepted = |(path, text): (PathBuf, String)| text.contains("unsafe_code").then_some(path);
    let excepted: Vec<PathBuf> = sources(&["src", "crates"]).into_iter().filter_map(excepted).collect();
    assert_eq!(excepted, [PathBuf::from("crates/bytes/src/map.rs")]);
}

/// The extension for DuckDB calls a C API in one module. The package of the crate does not have it.
#[test]
fn unsafe_code_of_the_extension_is_in_its_door() {
    let rust = files_below(&root().join("duckdb/src")).into_iter();
    for path in rust.filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        if !name.starts_with("duckdb/src/door") {
            let text = fs::read_to_string(&path).unwrap();
            let mut code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            assert!(!code.any(|line| line.contains("unsafe")), "{name}");
        }
    }
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let section = text.split("\n## Invariants").nth(1).unwrap().split("\n## ").next().unwrap();
    let everything: String = sources(&["tests/it", "crates", "src"]).into_iter().map(|(_, text)| text).collect();
    let is_numbered = |paragraph: &&str| paragraph.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let invariants: Vec<&str> = section.split("\n\n").filter(is_numbered).collect();
    assert!(invariants.len() >= 9);
    for paragraph in invariants {
        let tests: Vec<&str> = paragraph.split('`').skip(1).step_by(2).filter(|name| name.contains('_')).collect();
        assert!(!tests.is_empty(), "no test named in: {paragraph}");
        for name in tests {
            // A test of proptest has parameters, and stands in a macro.
            let is_test = ["", "    ", "        "]
                .iter()
                .any(|indent| everything.contains(&format!("#[test]\n{indent}fn {name}(")));
            assert!(is_test, "there is no test {name}");
        }
    }
}
