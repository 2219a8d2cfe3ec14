//! Every case of `fixtures/cases`: the FENs in each style, the errors and warnings, the exit code.
//!
//! A case is an input, `<name>.pgn`, and beside it what is to come of it, `<name>.expected`; README.md there explains
//! the form. Each is read by the real binary in five ways, and whatever differs is told at the end, all cases
//! together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cases::expected::{Case, Style};
use crate::cases::message::Message;

mod expected;
pub(crate) mod message;

/// So many lie there at least: none may get lost on its way to the test.
const CASES: usize = 124;

/// The five ways in which each case is read, and the FENs that are to come.
const WAYS: [(&str, Style); 5] = [
    ("--ep always", Style::Always),
    ("--ep xfen", Style::Xfen),
    ("--ep legal", Style::Legal),
    ("--castling shredder", Style::Shredder),
    ("-v", Style::Always),
];

#[test]
fn every_case_comes_out_as_expected() {
    let names = names();
    let mut complaints = String::new();
    for name in &names {
        let complaint = match case(name) {
            Ok(case) => complaints_about(&case, name),
            Err(fault) => format!("  {fault}\n"),
        };
        if !complaint.is_empty() {
            let _ = write!(complaints, "\n{name}.expected\n{complaint}");
        }
    }
    assert!(complaints.is_empty(), "not as expected:\n{complaints}");
    assert!(names.len() >= CASES, "{} of {CASES} cases lie in {}", names.len(), directory().display());
}

#[test]
fn no_two_cases_have_the_same_id() {
    let mut names_by_id = BTreeMap::new();
    for name in names() {
        let case = case(&name).unwrap_or_else(|fault| panic!("{name}.expected: {fault}"));
        if let Some(other) = names_by_id.insert(case.id, name.clone()) {
            panic!("{name} and {other} have the same id");
        }
    }
    assert!(names_by_id.len() >= CASES, "{} of {CASES} cases lie in {}", names_by_id.len(), directory().display());
}

/// What comes out otherwise than expected, in whole lines; nothing if all is well.
fn complaints_about(case: &Case, name: &str) -> String {
    // Named from where the cases lie, so that each message begins with a short path.
    let file = format!("{name}.pgn");
    let mut complaints = String::new();
    for (way, style) in WAYS {
        let options: Vec<&str> = way.split(' ').chain(case.options.iter().map(String::as_str)).collect();
        let output = Command::new(env!("CARGO_BIN_EXE_pgn2fen"))
            .current_dir(directory())
            .args(&options)
            .arg(&file)
            .output()
            .expect("the binary runs");
        let stderr = String::from_utf8_lossy(&output.stderr);

        let mut complaint = difference(&case.fens(style), &String::from_utf8_lossy(&output.stdout));
        if output.status.code() != Some(case.exit) {
            let _ = writeln!(complaint, "    exit {} expected, {} came", case.exit, output.status);
        }
        match message::all(&stderr, &file) {
            Ok(messages) => complaint += &disagreement(case, &messages),
            Err(line) => {
                let _ = writeln!(complaint, "    no message of a known form: {line}");
            }
        }
        if !complaint.is_empty() {
            let _ = writeln!(complaints, "  pgn2fen {} {file}\n{complaint}", options.join(" "));
            for line in stderr.lines() {
                let _ = writeln!(complaints, "    | {line}");
            }
        }
    }
    complaints
}

/// The first line in which two outputs differ, and how long they are.
fn difference(expected: &str, came: &str) -> String {
    let [expected_lines, came_lines] =
        [expected, came].map(|text| text.split('\n').map(Some).chain([None]).collect::<Vec<_>>());
    let Some(at) = (0..expected_lines.len()).find(|&at| expected_lines[at] != came_lines[at]) else {
        return String::new();
    };
    let [expected_line, came_line] = [expected_lines[at], came_lines[at]].map(|line| line.unwrap_or("nothing more"));
    format!(
        "    line {}, of {} expected and {} that came\n      expected {expected_line}\n      came     {came_line}\n",
        at + 1,
        expected.lines().count(),
        came.lines().count(),
    )
}

/// Warnings are compared as a set of kinds, errors one by one.
fn disagreement(case: &Case, messages: &[Message]) -> String {
    let mut complaint = String::new();
    let warnings: BTreeSet<String> = messages.iter().filter(|it| it.warning).map(|it| it.kind.clone()).collect();
    if warnings != case.warnings {
        let _ = writeln!(complaint, "    warnings {:?} expected, {warnings:?} came", case.warnings);
    }

    let expected: Vec<_> = case.errors().collect();
    let came: Vec<_> = messages.iter().filter(|it| !it.warning).collect();
    let agree = expected.len() == came.len()
        && expected.iter().zip(&came).all(|((game, error), message)| {
            // Where no ply is expected, the message may still name one.
            let ply_agrees = error.ply.is_none() || error.ply == message.ply;
            message.game == Some(*game) && message.kind == error.kind && ply_agrees
        });
    if !agree {
        let _ = writeln!(complaint, "    errors {expected:?} expected,\n      {came:?} came");
    }
    complaint
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cases")
}

/// `group/name` of every file there, whatever its ending, so that a half of a case is found, too.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for group in directory().read_dir().expect("fixtures/cases can be listed") {
        let group = group.expect("fixtures/cases can be listed").path();
        if group.ends_with("README.md") {
            continue;
        }
        for file in group.read_dir().unwrap_or_else(|_| panic!("{} is no group of cases", group.display())) {
            let file = file.expect("a group can be listed").path();
            let [group, name] = [group.file_name(), file.file_stem()]
                .map(|part| part.and_then(|part| part.to_str()).expect("names are in ASCII"));
            names.insert(format!("{group}/{name}"));
        }
    }
    names
}

fn case(name: &str) -> Result<Case, String> {
    if !directory().join(format!("{name}.pgn")).is_file() {
        return Err("has no .pgn beside it".to_owned());
    }
    let text = fs::read_to_string(directory().join(format!("{name}.expected"))).map_err(|error| error.to_string())?;
    Case::read(&text)
}
