//! `--manifest`: what is done is left out, what is not is made, and the outputs are those of single runs.

use std::fs;

use crate::cli::{Desk, gzip};

const GAMES: &str = "[Result \"1-0\"]\n\n1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 {[%eval 0.3]} Nc6 1-0\n";

/// A desk with three inputs.
fn desk() -> Desk {
    let others = GAMES.replace("2. Nf3", "2. Nc3");
    let desk = Desk::with(&[("a.pgn", GAMES.as_bytes()), ("b.pgn.gz", &gzip(others.as_bytes()))]);
    fs::create_dir(desk.path("more")).unwrap();
    fs::write(desk.path("more/c.pgn"), [GAMES, &others].concat()).unwrap();
    desk
}

const INPUTS: [&str; 3] = ["a.pgn", "b.pgn.gz", "more/c.pgn"];

/// The inputs in the entries of the manifest.
fn entries(desk: &Desk) -> Vec<String> {
    let text = String::from_utf8(desk.read("done.jsonl")).unwrap();
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.map(|entry| entry["input"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_second_run_leaves_out_what_is_done() {
    let desk = desk();
    let options = ["--manifest", "done.jsonl", "-f", "bulletformat", "-o", "{input}.bin", "--shuffle"];
    let run = |inputs: &[&str]| desk.run(&[&options, inputs].concat());
    let first = run(&INPUTS[..1]);
    assert_eq!((first.stdout.as_str(), first.code), ("", Some(0)), "{}", first.stderr);
    assert_eq!(entries(&desk), ["a.pgn"]);
    let a = desk.read("a.bin");
    fs::write(desk.path("a.bin"), "it is not written again").unwrap();

    // A missing input does not keep the others from being read.
    let ran = run(&["a.pgn", "none.pgn", "b.pgn.gz", "more/c.pgn", "-j1"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("none.pgn: ") && ran.stderr.contains("none.bin is not written"), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("hint: 1 of 4 inputs had been done before\n"), "{}", ran.stderr);
    assert_eq!(entries(&desk), INPUTS);
    assert_eq!(desk.read("a.bin"), b"it is not written again");
    for (input, output) in [("b.pgn.gz", "b.bin"), ("more/c.pgn", "c.bin")] {
        desk.run(&["-q", "-f", "bulletformat", "-o", "single.bin", "--shuffle", input]);
        assert!(desk.read(output) == desk.read("single.bin") && !desk.read(output).is_empty(), "{input}");
    }

    // A changed input and a missing output are made again.
    fs::write(desk.path("more/c.pgn"), GAMES).unwrap();
    fs::remove_file(desk.path("a.bin")).unwrap();
    let ran = run(&INPUTS);
    assert_eq!(ran.code, Some(0));
    let again = "warning: a.pgn was read, but an output is missing; it is read again\n";
    assert!(ran.stderr.contains(again), "{}", ran.stderr);
    assert!(ran.stderr.contains("more/c.pgn has changed since it was read"), "{}", ran.stderr);
    assert!(desk.read("a.bin") == a && desk.read("c.bin") == a);
    desk.run(&[&options[..], &["-q"], &INPUTS].concat()).is("", "", 0);
}

#[test]
fn an_entry_has_the_counts_and_the_outputs() {
    let desk = desk();
    let split = ["--split", "train=0.5,valid=0.5", "-o", "out/{part}/{input}.viri", "--manifest", "done.jsonl", "-q"];
    desk.run(&[&split[..], &["more/c.pgn"]].concat()).is("", "", 0);
    let text = String::from_utf8(desk.read("done.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [head, entry] = &lines[..] else { panic!("{text}") };
    let options = ["--split train=0.5,valid=0.5", "--output out/{part}/{input}.viri"];
    let mut found: Vec<&str> = head["options"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    found.sort_unstable_by_key(|option| std::cmp::Reverse(option.len()));
    assert_eq!(found, [options[1], options[0]]);
    assert_eq!((&entry["games"], &entry["positions"], &entry["left_out"]), (&2.into(), &6.into(), &4.into()));
    let outputs = ["out/train/c.viri", "out/valid/c.viri"];
    assert_eq!(entry["outputs"], serde_json::json!(outputs));
    assert!(outputs.iter().all(|output| desk.path(output).exists()));
}

#[test]
fn a_run_that_ends_at_an_error_is_not_listed() {
    let desk = desk();
    fs::write(desk.path("bad.pgn"), "1. e4 e4 *").unwrap();
    let options = ["--manifest", "done.jsonl", "-q", "-o", "{input}.fen", "--on-error=stop"];
    let ran = desk.run(&[&options[..], &["bad.pgn", "a.pgn"]].concat());
    assert_eq!(ran.code, Some(2));
    assert_eq!((entries(&desk), desk.path("bad.fen").exists()), (vec!["a.pgn".to_owned()], false));
    // Errors in games do not keep an output from being written.
    let options = ["--manifest", "other.jsonl", "-q", "-o", "{input}.fen"];
    assert_eq!(desk.run(&[&options[..], &["bad.pgn"]].concat()).code, Some(1));
    desk.run(&[&options[..], &["bad.pgn"]].concat()).is("", "", 0);
}

#[test]
fn what_cannot_be_resumed_is_refused() {
    let desk = desk();
    desk.run(&["--manifest", "done.jsonl", "-q", "-o", "{input}.fen", "-p", "..8", "a.pgn"]).is("", "", 0);
    let files = desk.files();
    for (options, expected) in [
        (
            &["-o", "{input}.fen", "a.pgn"][..],
            "done.jsonl was begun with --ply ..8, which is missing now; use the same",
        ),
        (&["-o", "{input}.fen"], "--manifest needs names of files"),
        (&["-o", "{input}.fen", "-"], "--manifest needs names of files"),
        (&["a.pgn"], "--manifest writes a file for each input; name them with -o"),
        (&["-o", "out.fen", "a.pgn"], "use a name with {input}, such as -o '{input}"),
        (&["-o", "{input}.fen", "-u", "a.pgn"], "--unique compares the positions of all inputs"),
        (&["-o", "{input}.fen", "-n", "3", "a.pgn"], "--max-games counts the games of all inputs"),
        (&["-o", "{input}.svg", "a.pgn"], "--manifest does not go with pictures"),
        (&["-o", "s{input}.csv", "--split", "a=0.5,b=0.5", "a.pgn"], "s{input}-{part}.csv"),
        (&["-o", "{input}.jsonl", "done.pgn"], "done.jsonl is both the manifest and an output"),
        (&["-o", "{input}.fen", "a.pgn", "more/../a.pgn"], "would both be written to a.fen"),
    ] {
        let ran = desk.run(&[&["--manifest", "done.jsonl"], options].concat());
        assert_eq!((&*ran.stdout, ran.code), ("", Some(2)), "{options:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(expected), "{options:?}: {}", ran.stderr);
        assert_eq!(desk.files(), files, "{options:?}");
    }
    // What does not change the outputs may be different.
    let ran = desk.run(&["-p", "..8", "-j1", "-v", "-o", "{input}.fen", "--manifest", "done.jsonl", "a.pgn"]);
    assert_eq!((&*ran.stderr, ran.code), ("hint: 1 of 1 input had been done before\n", Some(0)));
    // A run that is refused leaves no manifest.
    let ran = desk.run(&["--manifest", "new.jsonl", "-o", "{input}.viri", "-C", "ply", "a.pgn"]);
    assert!(ran.code == Some(2) && desk.files() == files, "{}", ran.stderr);
    // The output of another input is not replaced. The same file under another name may be read again.
    fs::write(desk.path("more/a.pgn"), [GAMES, GAMES].concat()).unwrap();
    let options = ["-q", "-p", "..8", "-o", "{input}.fen", "--manifest", "done.jsonl"];
    let ran = desk.run(&[&options[..], &["more/c.pgn", "more/a.pgn"]].concat());
    assert!(ran.stderr.contains("a.pgn and more/a.pgn would both be written to a.fen; read one of"), "{}", ran.stderr);
    fs::remove_file(desk.path("more/a.pgn")).unwrap();
    assert!(ran.code == Some(2) && desk.files() == files, "nothing is begun");
    desk.run(&[&options[..], &["more/../a.pgn"]].concat()).is("", "", 0);
    assert_eq!(entries(&desk), ["a.pgn", "more/../a.pgn"]);
    // A folder without the output, and one that cannot be found.
    let ran = desk.run(&["-o", "none/{input}.fen", "--manifest", "x.jsonl", "-q", "a.pgn"]);
    assert_eq!(ran.code, Some(2));
    assert!(entries(&desk).len() == 2 && !desk.path("none").exists());
}

#[test]
fn addresses_are_refused() {
    let desk = desk();
    for address in ["https://example.org/b.pgn", "s3://bucket/b.pgn"] {
        let ran = desk.run(&["--manifest", "done.jsonl", "-o", "{input}.csv", "a.pgn", address]);
        let reason = format!("--manifest: {address} is an address, which cannot be recognised again; download it");
        assert!(ran.stderr.contains(&reason) && ran.code == Some(2), "{}", ran.stderr);
        assert!(!desk.path("a.csv").exists(), "nothing is begun");
        let ran = desk.run(&["--manifest", address, "-o", "{input}.csv", "a.pgn"]);
        assert!(ran.stderr.contains("--manifest: the list of inputs must be a file on the disk"), "{}", ran.stderr);
        assert_eq!(ran.code, Some(2));
    }
}
