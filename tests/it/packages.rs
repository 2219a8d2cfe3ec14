//! The licences and the sources of the packages that are linked, by the lists of `deny.toml`. cargo-deny checks more
//! (`.ci/dependencies`), but takes minutes to install; this test runs everywhere.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::Value;

/// Runs a program of the toolchain.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The texts in quotes.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.split('"').skip(1).step_by(2).collect()
}

/// Whether a licence expression can be satisfied with the licences that are allowed. (Old manifests write
/// `MIT/Apache-2.0` for a choice.)
fn is_satisfied(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "+WITH+");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (value, rest) = choice(&words, allowed);
    value && rest.is_empty()
}

fn choice<'w>(words: &'w [&'w str], allowed: &BTreeSet<&str>) -> (bool, &'w [&'w str]) {
    let (mut value, mut rest) = all_of(words, allowed);
    while let ["OR", after @ ..] = rest {
        let (other, behind) = all_of(after, allowed);
        (value, rest) = (value || other, behind);
    }
    (value, rest)
}

fn all_of<'w>(words: &'w [&'w str], allowed: &BTreeSet<&str>) -> (bool, &'w [&'w str]) {
    let (mut value, mut rest) = licence(words, allowed);
    while let ["AND", after @ ..] = rest {
        let (other, behind) = licence(after, allowed);
        (value, rest) = (value && other, behind);
    }
    (value, rest)
}

fn licence<'w>(words: &'w [&'w str], allowed: &BTreeSet<&str>) -> (bool, &'w [&'w str]) {
    match words {
        ["(", inner @ ..] => {
            let (value, rest) = choice(inner, allowed);
            assert_eq!(rest.first(), Some(&")"), "{words:?}");
            (value, &rest[1..])
        }
        [name, rest @ ..] => (allowed.contains(&*name.replace("+WITH+", " WITH ")), rest),
        [] => (false, words),
    }
}

#[test]
fn a_licence_is_a_choice_or_a_sum() {
    let allowed = BTreeSet::from(["MIT", "Zlib"]);
    for expression in
        ["MIT", "MIT/Unlicense", "GPL-3.0-only OR Zlib", "(MIT OR Apache-2.0) AND Zlib", "Zlib AND MIT OR GPL-3.0-only"]
    {
        assert!(is_satisfied(expression, &allowed), "{expression}");
    }
    for expression in
        ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT OR Apache-2.0) AND Unicode-3.0", "MIT WITH LLVM-exception"]
    {
        assert!(!is_satisfied(expression, &allowed), "{expression}");
    }
}

#[test]
fn linked_packages_have_known_sources_and_licences() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("deny.toml");
    let (version, rules) = (output("rustc", &["-vV"]), fs::read_to_string(rules).unwrap());
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    let metadata = output(env!("CARGO"), &["metadata", "--locked", "--format-version=1", "--filter-platform", host]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();

    let licences = rules.split("\nallow = [").nth(1).unwrap().split(']').next().unwrap();
    let licences = quoted(licences);
    assert!(licences.contains("MIT") && !licences.iter().any(|name| name.contains("GPL")), "{licences:?}");
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "{}", packages.len());
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let is_from_registry = package["source"] == "registry+https://github.com/rust-lang/crates.io-index";
        assert!(
            is_from_registry || name == "pgn2fen" || name.starts_with("pgn2fen-"),
            "{name} comes from {}",
            package["source"]
        );
        let mut allowed = licences.clone();
        if let Some(line) = rules.lines().find(|line| line.contains(&format!("crate = \"{name}\", allow"))) {
            allowed.extend(quoted(line));
        }
        let expression = package["license"].as_str().unwrap_or_default();
        assert!(is_satisfied(expression, &allowed), "deny.toml does not allow {name}: {expression}");
    }
}
