//! Tells the compiler which commit is built, so that `pgn2fen --version` can print it.

use std::env;
use std::fs;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PGN2FEN_COMMIT");
    let commit = env::var("PGN2FEN_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = commit.or_else(packaged).or_else(checked_out) {
        println!("cargo::rustc-env=PGN2FEN_COMMIT={}", commit.get(..10).unwrap_or(&commit));
    }
    if let Ok(target) = env::var("TARGET") {
        println!("cargo::rustc-env=PGN2FEN_TARGET={target}");
    }
}

/// Returns the commit of a package from crates.io, which `cargo package` has noted down.
fn packaged() -> Option<String> {
    let note = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, rest) = note.split_once("\"sha1\"")?;
    Some(rest.split('"').nth(1)?.to_owned())
}

/// Returns the commit of a clone. Builds for development do without, because every commit would compile the crate
/// again.
fn checked_out() -> Option<String> {
    if env::var("PROFILE").ok()? != "release" || !fs::exists(".git").ok()? {
        return None;
    }
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "HEAD"])
}

/// Returns what a git command prints, or None if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
