//! `pgn2fen site`: the published data, and how a folder is replaced.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::MultiGzDecoder;
use pgn2fen_chess::position::Position;
use pgn2fen_explorer::{Damage, PublishError, PublishOptions, check_site, publish};
use pgn2fen_games::database::Database;
use pgn2fen_games::parallel::Workers;
use pgn2fen_index::{Index, keys};
use serde_json::Value;

use crate::cli::Desk;
use crate::laws::{one_in, sweeps};

/// Games that reach one position with two keys: after a double push that cannot be captured en passant, because the
/// pawn is pinned, and after a single push.
const PINNED: &str = r#"[FEN "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1"]
[White "Double"]
[WhiteElo "2000"]
[Date "2001.01.01"]
[Result "1-0"]

1... d5 2. Kd1 Kf7 1-0

[FEN "4r1k1/8/3p4/4P3/8/8/8/4K3 b - - 0 1"]
[White "Single"]
[Date "2002.02.02"]
[Result "0-1"]

1... d5 2. Kd1 Kg7 0-1

[FEN "4r1k1/8/3p4/4P3/8/8/8/4K3 b - - 0 1"]
[White "Single again"]
[Date "2003.??.??"]
[Result "1/2-1/2"]

1... d5 2. Kd2 1/2-1/2

[White "There and back again"]
[Black "<script>alert(1)</script>"]
[Event "\\ \"quoted\""]
[Result "*"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 *

[White "There and back again, in another way"]
[Result "1-0"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1-0

"#;

const FIXTURES: [&str; 3] = ["opening_book.pgn", "tournaments_2020.pgn", "fischer_random_2018.pgn"];

/// A folder with the games, their index and a page.
fn desk() -> (Desk, Vec<PathBuf>) {
    let desk = Desk::with(&[("pinned.pgn", PINNED.as_bytes())]);
    fs::create_dir_all(desk.path("page/explorer")).unwrap();
    fs::write(desk.path("page/explorer/index.html"), "the explorer").unwrap();
    fs::write(desk.path("page/index.html"), "files of one's own").unwrap();
    fs::write(desk.path("page/pgn2fen.wasm.js"), "for pages that are opened as files").unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games");
    let mut files: Vec<PathBuf> = FIXTURES.iter().map(|name| fixtures.join(name)).collect();
    files.push(desk.path("pinned.pgn"));
    let mut arguments = vec!["index", "-q", "--exit-zero", "-o", "games.idx"];
    arguments.extend(files.iter().map(|file| file.to_str().unwrap()));
    assert_eq!(desk.run(&arguments).code, Some(0));
    (desk, files)
}

fn options(desk: &Desk) -> PublishOptions {
    PublishOptions { page: desk.path("page"), ..PublishOptions::default() }
}

/// Publishes the index, and returns the folder of the site.
fn published(desk: &Desk, name: &str, options: &PublishOptions, threads: usize) -> PathBuf {
    let (folder, workers) = (desk.path(name), Workers::new(threads).unwrap());
    let mut told = Vec::new();
    let index = [desk.path("games.idx")];
    publish(&index, &folder, options, &workers, &mut |warning| told.push(warning), &|_, _| ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(told, []);
    folder
}

/// Returns the paths of all files with their contents.
fn files_of(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// Reads the blocks of a kind, as `gunzip | jq` does, and returns all entries.
fn entries(folder: &Path, kind: &str) -> BTreeMap<String, Value> {
    let mut entries = BTreeMap::new();
    let (mut number, mut site) = (0, None);
    let mut files: Vec<(String, Vec<u8>)> = files_of(folder).into_iter().collect();
    // Blocks that are files of their own are in the order of their numbers.
    files.sort_by_key(|(name, _)| (name.len(), name.clone()));
    for (name, content) in files {
        // data/NAME-ID/positions-000.bin, or data/NAME-ID/positions/000/0.bin
        let is_kind = name.split('/').nth(2).is_some_and(|part| part.starts_with(kind));
        if !is_kind || name.contains("directory") {
            continue;
        }
        let mut text = String::new();
        MultiGzDecoder::new(&*content).read_to_string(&mut text).unwrap();
        for block in serde_json::Deserializer::from_str(&text).into_iter::<Value>() {
            let block = block.unwrap();
            assert_eq!((block["block"].as_str(), block["number"].as_u64()), (Some(kind), Some(number)));
            assert_eq!(*site.get_or_insert_with(|| block["site"].clone()), block["site"]);
            number += 1;
            entries.extend(block["entries"].as_object().unwrap().clone());
        }
    }
    entries
}

/// Returns all positions of the games.
fn positions(files: &[PathBuf]) -> BTreeMap<u64, Position> {
    let mut positions = BTreeMap::new();
    for file in files {
        let database = Database::from(fs::read(file).unwrap());
        for game in database.games() {
            let Ok(mut replay) = game.replay() else {
                continue;
            };
            positions.insert(pgn2fen_index::key(replay.position()), replay.position().clone());
            while let Some(Ok(_)) = replay.next_ply() {
                positions.insert(pgn2fen_index::key(replay.position()), replay.position().clone());
            }
        }
    }
    positions
}

/// A move as `find -M` counts it: its name, the results, the average rating and the last year. These are 0 if games
/// played another move before, because `find -M` counts theirs too.
type Counted = (String, [u64; 4], u64, u64);

/// Reads the moves of an entry.
fn counted(entry: &Value) -> Vec<Counted> {
    let number = |value: &Value| value.as_u64().unwrap();
    let row = |row: &Value| {
        // Games that played another move before are behind the others, if there are any.
        let results = [1, 2, 3, 4].map(|at| number(&row[at]) + row.get(at + 6).map_or(0, number));
        let [rating, year] = [5, 6].map(|at| if row.get(7).is_none() { number(&row[at]) } else { 0 });
        (row[0].as_str().unwrap().to_owned(), results, rating, year)
    };
    let mut moves: Vec<Counted> = entry["moves"].as_array().unwrap().iter().map(row).collect();
    moves.sort();
    moves
}

/// Counts the moves of a position as `find -M` does.
fn expected(index: &Index, position: &Position) -> (Vec<Counted>, u64) {
    let explored = index.explore(position).unwrap();
    let mut moves: Vec<Counted> = explored
        .moves()
        .iter()
        .map(|count| {
            let results = &count.results;
            let results = [results.white, results.draws, results.black, results.unknown];
            let (mut rating, mut year) = (count.average_elo(), count.last_date());
            if count.first_results() != count.results {
                (rating, year) = (None, None);
            }
            let year = year.map_or(0, |date| u64::try_from(date / 10_000).unwrap());
            let uci = count.next.map_or_else(String::new, |next| next.to_string());
            (uci, results, rating.unwrap_or(0), year)
        })
        .collect();
    moves.sort();
    (moves, explored.results().games())
}

#[test]
fn every_position_has_the_numbers_of_find() {
    let (desk, files) = desk();
    let site = published(&desk, "site", &options(&desk), 2);
    let found = entries(&site, "positions");
    let index = Index::open(desk.path("games.idx")).unwrap();
    let positions = positions(&files);
    let mut reached = BTreeSet::new();
    for (nth, (key, position)) in positions.iter().enumerate() {
        let name = format!("{key:016x}");
        if nth % one_in(5) > 0 {
            reached.extend(found.contains_key(&name).then_some(name));
            continue;
        }
        let (moves, games) = expected(&index, position);
        match found.get(&name) {
            Some(entry) => {
                assert_eq!(counted(entry), moves, "{position}");
                let listed = entry["games"].as_array().unwrap().len() as u64;
                assert!(listed >= games.min(8) && listed <= games.min(12), "{position}: {listed} of {games}");
                reached.insert(name);
            }
            None => assert!(games < 2, "{position} is missing"),
        }
    }
    assert_eq!(reached.len(), found.len());
    assert!(found.len() > 3000, "{}", found.len());
    // A position with two keys is found under both.
    let games = self::positions(&[desk.path("pinned.pgn")]);
    let pinned: Vec<&Position> = games.values().filter(|position| keys(position).len() > 1).collect();
    assert_eq!(pinned.len(), 2);
    for key in pinned.iter().flat_map(|position| keys(position)) {
        let entry = &found[&format!("{key:016x}")];
        assert_eq!(entry["moves"][0], serde_json::json!(["e1d1", 1, 0, 1, 0, 2000, 2002]));
        assert_eq!(entry["games"].as_array().unwrap().len(), 3);
    }
}

#[test]
fn only_positions_that_were_asked_for_are_published() {
    let (desk, files) = desk();
    let index = Index::open(desk.path("games.idx")).unwrap();
    let all = PublishOptions { min_games: 1, ..options(&desk) };
    let found = entries(&published(&desk, "all", &all, 2), "positions");
    let expected: BTreeSet<String> = positions(&files).keys().map(|key| format!("{key:016x}")).collect();
    assert!(expected.is_subset(&found.keys().cloned().collect()));
    let few = PublishOptions { min_games: 20, max_plies: Some(4), top_games: 1, recent_games: 0, ..options(&desk) };
    let found = entries(&published(&desk, "few", &few, 2), "positions");
    assert!(!found.is_empty() && found.len() < 200);
    for entry in found.values() {
        assert!(counted(entry).iter().map(|played| played.1.iter().sum::<u64>()).sum::<u64>() >= 20);
        assert_eq!(entry["games"].as_array().unwrap().len(), 1);
    }
    drop(index);
}

#[test]
fn listed_games_are_there_as_they_are_written() {
    let (desk, _) = desk();
    let site = published(&desk, "site", &options(&desk), 2);
    let (positions, games) = (entries(&site, "positions"), entries(&site, "games"));
    let mut listed = BTreeSet::new();
    for head in positions.values().flat_map(|entry| entry["games"].as_array().unwrap()) {
        let text = games[&head[0].to_string()].as_str().unwrap();
        listed.insert(head[0].to_string());
        let quoted = |name: &Value| name.as_str().unwrap().replace('\\', "\\\\").replace('"', "\\\"");
        for (tag, name) in [("White", &head[1]), ("Black", &head[3]), ("Event", &head[7])] {
            let tag = format!("[{tag} \"{}\"]", quoted(name));
            assert!(text.contains(&tag) || *name == "", "{tag} is not in {text}");
        }
    }
    assert_eq!(listed, games.keys().cloned().collect());
    assert!(games.values().any(|text| text.as_str().unwrap().contains("<script>alert(1)</script>")));
}

#[test]
fn the_bytes_do_not_depend_on_the_threads() {
    let (desk, _) = desk();
    let one = files_of(&published(&desk, "one", &options(&desk), 1));
    for threads in [2, 3] {
        assert!(one == files_of(&published(&desk, "more", &options(&desk), threads)), "{threads} threads");
    }
    assert!(one.keys().any(|name| name == "own/index.html"));
    assert!(!one.keys().any(|name| name.ends_with(".wasm.js")));
}

#[test]
fn files_are_as_small_as_the_host_wants() {
    let (desk, _) = desk();
    let whole = published(&desk, "whole", &options(&desk), 2);
    let shards = PublishOptions { shard: 100_000, ..options(&desk) };
    let shards = published(&desk, "shards", &shards, 2);
    let files = files_of(&shards);
    assert!(files.iter().filter(|(name, _)| name.contains("-00")).all(|(_, content)| content.len() <= 100_000));
    assert!(files.keys().filter(|name| name.contains("/positions-00")).count() > 1);
    let small = published(&desk, "small", &PublishOptions { ranges: false, ..options(&desk) }, 2);
    assert!(files_of(&small).keys().filter(|name| name.contains("/positions/000/")).count() > 1);
    for kind in ["positions", "games"] {
        let expected = entries(&whole, kind);
        assert!(expected == entries(&shards, kind) && expected == entries(&small, kind), "{kind}");
    }
}

#[test]
fn a_site_is_replaced_as_a_whole_or_not_at_all() {
    let (desk, _) = desk();
    let site = published(&desk, "site", &options(&desk), 2);
    let before = files_of(&site);
    let index = [desk.path("games.idx")];
    let workers = Workers::new(2).unwrap();
    let stopped = |calls: usize| {
        let left = std::sync::atomic::AtomicUsize::new(calls);
        let go_on = move |_, _| {
            let left =
                left.fetch_update(std::sync::atomic::Ordering::Relaxed, std::sync::atomic::Ordering::Relaxed, |left| {
                    left.checked_sub(1)
                });
            if left.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        let other = PublishOptions { min_games: 3, ..options(&desk) };
        publish(&index, &site, &other, &workers, &mut |_| (), &go_on)
    };
    for calls in 0..3 {
        assert!(matches!(stopped(calls), Err(PublishError::Stopped)), "{calls}");
        assert!(before == files_of(&site));
        assert_eq!(
            fs::read_dir(desk.path(""))
                .unwrap()
                .filter(|entry| { entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.') })
                .count(),
            0
        );
    }
    stopped(1000).unwrap();
    assert!(before != files_of(&site));
    assert_eq!(check_site(&site).unwrap().0, []);
    // What is not part of the site would be lost.
    fs::write(site.join("CNAME"), "chess.example").unwrap();
    assert!(matches!(stopped(1000), Err(PublishError::Refused(text)) if text.contains("CNAME")));
    fs::create_dir(desk.path("mine")).unwrap();
    fs::write(desk.path("mine/letter.txt"), "dear").unwrap();
    let refused =
        publish(&index, &desk.path("mine"), &options(&desk), &workers, &mut |_| (), &|_, _| ControlFlow::Continue(()));
    assert!(matches!(refused, Err(PublishError::Refused(text)) if text.contains("neither empty nor a site")));
    assert!(desk.path("mine/letter.txt").exists());
}

#[test]
fn a_check_finds_every_damaged_missing_and_extra_file() {
    let (desk, _) = desk();
    let site = published(&desk, "site", &options(&desk), 2);
    let (damage, files) = check_site(&site).unwrap();
    assert_eq!((damage, files), (vec![], files_of(&site).len() as u64 - 1));
    let names: Vec<String> = files_of(&site).into_keys().filter(|name| *name != ".nojekyll").collect();
    for name in names.iter().filter(|name| *name != "files.json") {
        let path = site.join(name);
        let content = fs::read(&path).unwrap();
        let mut other = content.clone();
        other[content.len() / 2] ^= 1;
        fs::write(&path, other).unwrap();
        assert_eq!(check_site(&site).unwrap().0, [Damage::Changed(name.clone())]);
        fs::write(&path, &content[1..]).unwrap();
        let length = content.len() as u64;
        assert_eq!(check_site(&site).unwrap().0, [Damage::Length(name.clone(), length - 1, length)]);
        fs::remove_file(&path).unwrap();
        assert_eq!(check_site(&site).unwrap().0, [Damage::Missing(name.clone())]);
        fs::write(&path, content).unwrap();
    }
    fs::write(site.join("data/more.bin"), "more").unwrap();
    assert_eq!(check_site(&site).unwrap().0, [Damage::Extra("data/more.bin".to_owned())]);
    fs::write(site.join("files.json"), "{").unwrap();
    assert!(check_site(&site).is_err());
}

#[test]
fn games_that_cannot_be_read_are_told_and_the_rest_is_published() {
    let (desk, _) = desk();
    fs::write(desk.path("pinned.pgn"), PINNED.replace("2001", "2002")).unwrap();
    let ran = desk.run(&["site", "games.idx", "-o", "site", "--page", "page"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("pinned.pgn").count(), 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("left out"), "{}", ran.stderr);
    let (positions, games) = (entries(&desk.path("site"), "positions"), entries(&desk.path("site"), "games"));
    assert!(games.values().any(Value::is_null) && games.values().any(Value::is_string));
    // The numbers of a position with two keys are not known without its games.
    let index = Index::open(desk.path("games.idx")).unwrap();
    for position in self::positions(&[desk.path("pinned.pgn")]).values().filter(|position| keys(position).len() > 1) {
        assert_eq!(index.explore(position).unwrap().results().games(), 3);
        assert!(keys(position).iter().all(|key| !positions.contains_key(&format!("{key:016x}"))));
    }
}

#[test]
fn the_command_says_what_is_missing() {
    let (desk, _) = desk();
    let ran = desk.run(&["site", "games.idx", "-o", "site", "--page", "games.idx"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("not the built page"), "{}", ran.stderr);
    assert!(!desk.path("site").exists());
    let ran = desk.run(&["site", "--check", "page"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("not a site"), "{}", ran.stderr);
    assert_eq!(desk.run(&["site", "games.idx", "-o", "site", "--page", "page"]).code, Some(0));
    let ran = desk.run(&["site", "--check", "site"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(0), "site is sound: 8 files\n"));
}

/// Returns the title of the site; None if there is no site.
fn title(site: &Path) -> Option<String> {
    let manifest: Value = serde_json::from_slice(&fs::read(site.join("manifest.json")).ok()?).unwrap();
    Some(manifest["title"].as_str().unwrap().to_owned())
}

#[test]
fn a_killed_run_leaves_the_old_site_or_the_new_one_and_the_next_removes_what_it_left() {
    let (desk, _) = desk();
    let write = |title: &str| {
        let arguments = ["site", "-q", "games.idx", "--page", "page", "--title", title, "-o", "site"];
        desk.command(&arguments).spawn().unwrap()
    };
    let begun = std::time::Instant::now();
    assert!(write("0").wait().unwrap().success());
    let takes = begun.elapsed();
    let hidden = || desk.files().into_iter().filter(|name| name.starts_with('.')).count();
    let (tries, mut had_left) = (if sweeps() { 24 } else { 6 }, 0);
    for nth in 1..=tries {
        let old = title(&desk.path("site")).unwrap();
        let new = nth.to_string();
        let mut child = write(&new);
        if nth % 3 == 0 {
            // As soon as the new folder is there. The old one is removed now.
            while title(&desk.path("site")).is_none_or(|title| title == old) && child.try_wait().unwrap().is_none() {}
        } else {
            std::thread::sleep(takes * nth / tries);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // Linux and macOS exchange the folders in one step.
        let is_exchanged = cfg!(any(target_os = "linux", target_os = "macos"));
        let found = title(&desk.path("site"));
        assert!(found.as_ref().is_some_and(|title| [&old, &new].contains(&title)) || !is_exchanged, "{found:?}");
        assert_eq!(check_site(&desk.path("site")).unwrap().0, [], "{nth}");
        had_left += hidden();
        assert!(write(&new).wait().unwrap().success());
        assert_eq!((title(&desk.path("site")), hidden()), (Some(new), 0), "{nth}");
    }
    assert!(had_left > 0, "no kill came while a folder was built or removed");
}

#[cfg(unix)]
#[test]
fn no_file_outside_of_a_site_is_read_or_counted_as_part_of_it() {
    use std::os::unix::fs::symlink;

    let (desk, _) = desk();
    let site = published(&desk, "site", &options(&desk), 2);
    let list = fs::read_to_string(site.join("files.json")).unwrap();
    fs::create_dir(desk.path("mine")).unwrap();
    fs::write(desk.path("mine/letter.txt"), "dear").unwrap();
    let (mine, up) = (desk.path("mine/letter.txt"), "../mine/letter.txt");
    let write = ["site", "-q", "games.idx", "--page", "page", "-o", "site"];
    for path in
        ["/dev/zero", "/etc/passwd", "..", up, "own/../../mine/letter.txt", "./index.html", mine.to_str().unwrap()]
    {
        let entry = serde_json::json!([path, 5, "00000000"]).to_string();
        fs::write(site.join("files.json"), list.replacen("[\n", &format!("[\n{entry},\n"), 1)).unwrap();
        for arguments in [&["site", "--check", "site"][..], &write] {
            let ran = desk.run(arguments);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{path}");
            assert!(
                ran.stderr.contains(&format!("files.json names '{path}', which is not the path of")),
                "{}",
                ran.stderr
            );
        }
    }
    fs::write(site.join("files.json"), &list).unwrap();
    // Links and pipes are not followed or opened, whether they are listed or not.
    let index = fs::read(site.join("index.html")).unwrap();
    let end = format!(",\n{}\n]}}\n", serde_json::json!(["linked/letter.txt", 4, "00000000"]));
    for (name, listed) in [("index.html", None), ("pipe", None), ("linked", Some(list.replace("\n]}\n", &end)))] {
        let path = site.join(name);
        fs::write(site.join("files.json"), listed.as_ref().unwrap_or(&list)).unwrap();
        match name {
            "index.html" => {
                fs::remove_file(&path).unwrap();
                symlink("/dev/zero", &path).unwrap();
            }
            "pipe" => assert!(Command::new("mkfifo").arg(&path).status().unwrap().success()),
            _ => symlink("../mine", &path).unwrap(),
        }
        let expected = match name {
            "index.html" => vec![Damage::NotPlain(name.to_owned())],
            "pipe" => vec![Damage::Extra(name.to_owned())],
            _ => vec![Damage::Missing("linked/letter.txt".to_owned()), Damage::Extra(name.to_owned())],
        };
        assert_eq!(check_site(&site).unwrap().0, expected);
        let ran = desk.run(&write);
        assert!(
            ran.code == Some(2) && ran.stderr.contains(&format!("{name} is not part of the site")),
            "{}",
            ran.stderr
        );
        fs::remove_file(&path).unwrap();
        fs::write(site.join("index.html"), &index).unwrap();
    }
    // The list itself may be anything, too.
    fs::remove_file(site.join("files.json")).unwrap();
    assert!(Command::new("mkfifo").arg(site.join("files.json")).status().unwrap().success());
    assert!(matches!(check_site(&site), Err(PublishError::Refused(text)) if text.contains("no readable files.json")));
    fs::remove_file(site.join("files.json")).unwrap();
    fs::write(site.join("files.json"), &list).unwrap();
    assert_eq!(check_site(&site).unwrap().0, []);
    assert_eq!(desk.run(&write).code, Some(0));
    assert_eq!(desk.read("mine/letter.txt"), b"dear");
}

#[test]
fn a_program_finds_the_page_or_says_how_it_is_built() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 *\n")]);
    assert_eq!(desk.run(&["index", "-q", "-o", "a.idx", "a.pgn"]).code, Some(0));
    // A program in a folder of its own, beside which somebody else's page cannot be.
    let name = format!("target/release/pgn2fen{}", std::env::consts::EXE_SUFFIX);
    let (built, program) = (env!("CARGO_BIN_EXE_pgn2fen"), desk.path(&name));
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::hard_link(built, &program).or_else(|_| fs::copy(built, &program).map(|_| ())).unwrap();
    let write = |folder: &str| {
        let ran =
            Command::new(&program).args(["site", "-q", "a.idx", "-o", folder]).current_dir(desk.path("")).output();
        let ran = ran.unwrap();
        (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, said) = write("out");
    assert!(code == Some(2) && said.contains("`js/build && node site/build.mjs`"), "{said}");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(["js/build", "site/build.mjs"].iter().all(|script| source.join(script).is_file()));
    assert_eq!(desk.files(), ["a.idx", "a.pgn", "target"]);
    for page in ["target/site", "target/share/pgn2fen/site", "target/release/site"] {
        fs::create_dir_all(desk.path(page).join("explorer")).unwrap();
        fs::write(desk.path(page).join("explorer/index.html"), page).unwrap();
        assert_eq!(write("out"), (Some(0), String::new()), "{page}");
        assert_eq!(desk.read("out/index.html"), page.as_bytes());
    }
}
