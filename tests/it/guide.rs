//! The README and the guide in `docs/`: their commands print what the pages show, and their links lead somewhere.
//!
//! A code block with the language `console` has commands behind `$ ` (and `> ` for further lines of a command), each
//! followed by what it prints. The commands of a page run in order, in one folder of their own, in which `fixtures`
//! and `crates` are links to those of the repository. A block with the language `pycon` is a Python session. Behind
//! the language may stand what a block needs: `needs=duckdb` runs it only if that program is there. Blocks that need
//! the network, a home folder or cargo never run. Python programs are run by the tests of the Python package, in
//! `python/tests/test_docs.py`, JavaScript by those of its package, in `js/tests/docs.test.mjs`,
//! and queries by those of the extension for DuckDB, in `duckdb/tests/test_docs.py`.
//!
//! With the environment variable `UPDATE_EXPECT=1` the pages are rewritten with what the commands print.

#![cfg_attr(not(unix), expect(dead_code, reason = "the commands are run by sh"))]

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use crate::cli::Desk;
use crate::laws::files_below;

#[path = "../../docs/figures/chart.rs"]
mod chart;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The READMEs and the pages of the guide.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    // The package of the crate has no Python, no JavaScript and no extension.
    let others = ["python/README.md", "js/README.md", "duckdb/README.md"].map(|page| root().join(page));
    pages.extend(others.into_iter().filter(|path| path.exists()));
    assert!(pages.len() > 9, "{pages:?}");
    pages
}

/// A code block between fences.
struct Block<'p> {
    language: &'p str,
    needs: Option<&'p str>,
    /// Its lines, by their places in the page.
    lines: Range<usize>,
}

fn blocks<'p>(lines: &[&'p str]) -> Vec<Block<'p>> {
    let fences: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].trim_start().starts_with("```")).collect();
    assert!(fences.len().is_multiple_of(2), "a fence is not closed");
    let block = |pair: &[usize]| {
        let mut info = lines[pair[0]].trim_start_matches('`').split(' ');
        let language = info.next().unwrap();
        let needs = info.next().map(|word| word.strip_prefix("needs=").expect("needs=SOMETHING"));
        Block { language, needs, lines: pair[0] + 1..pair[1] }
    };
    fences.chunks(2).map(block).collect()
}

/// The folder in which the commands of a page run.
pub(crate) struct Bench(Desk);

impl Bench {
    pub(crate) fn new() -> Self {
        let desk = Desk::with(&[]);
        #[cfg(unix)]
        for folder in ["fixtures", "crates"] {
            std::os::unix::fs::symlink(root().join(folder), desk.path(folder)).unwrap();
        }
        Self(desk)
    }

    pub(crate) fn desk(&self) -> &Desk {
        &self.0
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Option<Output> {
        let binaries = Path::new(env!("CARGO_BIN_EXE_pgn2fen")).parent().unwrap();
        let path = format!("{}:{}", binaries.display(), env::var("PATH").unwrap());
        let mut command = Command::new(program);
        command.args(arguments).current_dir(self.0.path("")).env("PATH", path).env("PYTHONUTF8", "1");
        command.output().ok()
    }

    /// Whether something that a block needs is at hand.
    fn has(&self, needed: &str) -> bool {
        let ran = match needed {
            "network" | "home" | "cargo" | "server" => return false,
            "duckdb" => self.run("duckdb", &["-version"]),
            "polars" => self.run("python3", &["-c", "import polars"]),
            other => panic!("it is not known how to look for {other}"),
        };
        ran.is_some_and(|output| output.status.success())
    }

    /// What a command of a shell prints, on standard output and then on standard error.
    pub(crate) fn shell(&self, command: &str) -> String {
        let output = self.run("sh", &["-c", command]).unwrap();
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    }
}

/// Runs the commands of a page. Gives the page as it should be, and how many commands ran.
fn played(page: &str) -> (String, usize) {
    let lines: Vec<&str> = page.lines().collect();
    let bench = Bench::new();
    let mut new = Vec::new();
    let mut copied = 0;
    let mut ran = 0;
    for Block { language, needs, lines: range } in blocks(&lines) {
        assert!(
            matches!(
                (language, needs),
                ("console" | "pycon" | "python" | "js", _)
                    | ("sh", Some(_))
                    | ("text" | "rust" | "rust,no_run" | "html" | "sql", None)
            ),
            "a block of {language} is neither run nor said to need something"
        );
        if matches!(language, "python" | "js" | "sql") || needs.is_some_and(|needed| !bench.has(needed)) {
            continue;
        }
        match language {
            "console" => {
                new.extend(lines[copied..range.start].iter().map(ToString::to_string));
                copied = range.end;
                let mut at = range.start;
                while at < range.end {
                    let mut command = lines[at].strip_prefix("$ ").expect("a block begins with a command").to_owned();
                    new.push(lines[at].to_owned());
                    at += 1;
                    while at < range.end && lines[at].starts_with("> ") {
                        command += &lines[at][1..];
                        new.push(lines[at].to_owned());
                        at += 1;
                    }
                    while at < range.end && !lines[at].starts_with("$ ") {
                        at += 1;
                    }
                    new.extend(bench.shell(&command).lines().map(str::to_owned));
                    ran += 1;
                }
            }
            "pycon" => {
                fs::write(bench.0.path("session.txt"), lines[range].join("\n") + "\n").unwrap();
                let output = bench.run("python3", &["-m", "doctest", "session.txt"]).unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
                ran += 1;
            }
            _ => {}
        }
    }
    new.extend(lines[copied..].iter().map(ToString::to_string));
    (without_times(&new.join("\n")) + "\n", ran)
}

/// Returns a text in which the summary of a short run took no time, as on a machine that does nothing else.
pub(crate) fn without_times(text: &str) -> String {
    let line = |line: &str| match line.rsplit_once(", 0.") {
        Some((before, tenths)) if line.starts_with("summary: ") && tenths.ends_with(" s") => format!("{before}, 0.0 s"),
        _ => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(unix)]
#[test]
fn the_commands_of_the_guide_print_what_it_shows() {
    let mut all = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let (played, ran) = played(&page);
        all += ran;
        if env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &played).unwrap();
        } else {
            let mut lines = page.lines().zip(played.lines());
            let differing = lines.find(|(shown, printed)| shown != printed);
            assert_eq!(page, played, "{}: {differing:?}; UPDATE_EXPECT=1 rewrites the page", path.display());
        }
    }
    assert!(all >= 40, "{all} commands");
}

#[test]
fn the_program_of_the_readme_is_one_that_is_compiled() {
    let [readme, library] = ["README.md", "docs/library.md"].map(|page| fs::read_to_string(root().join(page)).unwrap());
    let program = |page: &str| {
        let lines: Vec<&str> = page.lines().collect();
        let block = blocks(&lines).into_iter().find(|block| block.language == "rust").unwrap();
        let shown = lines[block.lines].iter().filter(|line| !line.starts_with("# "));
        shown.copied().collect::<Vec<_>>().join("\n")
    };
    // The programs of the library's page are doctests.
    assert_eq!(program(&readme), program(&library));
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150);
}

/// The anchors of a page, as GitHub makes them from headings.
fn anchors(page: &str) -> HashSet<String> {
    let mut is_code = false;
    let headings = page.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code && line.starts_with('#')
    });
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
        kept.map(|char| if char == ' ' { '-' } else { char }).collect()
    };
    headings.map(anchor).collect()
}

/// Where the links and pictures of a page lead.
fn links(page: &str) -> Vec<&str> {
    let ends = [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"')];
    let found = ends.iter().flat_map(|(start, end)| {
        page.split(start).skip(1).map(move |rest| rest.split(*end).next().expect("split gives something"))
    });
    found.collect()
}

#[test]
fn links_lead_to_pages_and_headings_that_exist() {
    let mut count = 0;
    for path in pages().into_iter().chain(["ARCHITECTURE.md", "CHANGELOG.md"].map(|page| root().join(page))) {
        let page = fs::read_to_string(&path).unwrap();
        for link in links(&page).into_iter().filter(|link| !link.starts_with("https://")) {
            let (file, anchor) = link.split_once('#').map_or((link, None), |(file, anchor)| (file, Some(anchor)));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link}", path.display());
            if let Some(anchor) = anchor {
                let has_anchor = anchors(&fs::read_to_string(&target).unwrap()).contains(anchor);
                assert!(has_anchor, "{}: {link}", path.display());
            }
            count += 1;
        }
    }
    assert!(count > 40, "{count} links");
}

/// The first section of the table of contents is also the list of pages of the site: `site/guide` builds no other.
#[test]
fn the_table_of_contents_names_every_page() {
    let contents = fs::read_to_string(root().join("docs/README.md")).unwrap();
    let first = contents.split("\n## ").take(2).collect::<Vec<_>>().join("\n");
    let named: HashSet<&str> = links(&first).into_iter().map(|link| link.split('#').next().unwrap()).collect();
    let docs = root().join("docs");
    for path in files_below(&docs).iter().filter(|path| path.extension().is_some_and(|it| it == "md")) {
        let name = path.strip_prefix(&docs).unwrap().to_string_lossy().replace('\\', "/");
        assert!(name == "README.md" || named.contains(&*name), "{name} is not in the tables of docs/README.md");
    }
    for page in ["../README.md", "../python/README.md", "../js/README.md", "../duckdb/README.md"] {
        assert!(named.contains(page), "{page} is not in the tables of docs/README.md");
    }
}

#[test]
fn the_figures_are_drawn_from_the_table() {
    let page = fs::read_to_string(root().join("docs/speed.md")).unwrap();
    for theme in &chart::THEMES {
        let path = root().join(format!("docs/figures/speed-{}.svg", theme.name));
        let drawn = fs::read_to_string(path).unwrap();
        assert_eq!(drawn, chart::draw(&page, theme), "draw it again: cargo run --example speed_figure");
    }
    let faster = page.replace("| pgn2fen | 26,", "| pgn2fen | 36,");
    assert_ne!(chart::draw(&faster, &chart::THEMES[0]), chart::draw(&page, &chart::THEMES[0]));
}

/// Every option that the help shows is explained somewhere in the guide.
#[test]
fn the_guide_knows_every_option() {
    let pages: String = pages().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let desk = Desk::with(&[]);
    for command in [
        ["--help"].as_slice(),
        &["games", "--help"],
        &["starts", "--help"],
        &["players", "--help"],
        &["index", "--help"],
        &["find", "--help"],
        &["serve", "--help"],
        &["board", "--help"],
        &["check", "--help"],
        &["tree", "--help"],
    ] {
        let help = desk.run(command).stdout;
        let is_option =
            |word: &str| word.starts_with('-') && word.chars().all(|char| char == '-' || char.is_ascii_alphabetic());
        let is_of_option = |line: &&str| is_option(line.split([' ', ',']).next().unwrap_or(""));
        for line in help.lines().map(str::trim_start).filter(is_of_option) {
            let mut names = line.split([' ', ',']).filter(|word| word.starts_with('-')).map(|word| format!("`{word}"));
            let is_known = names.any(|name| {
                let ends = [" ", "`", "="].map(|end| format!("{name}{end}"));
                ends.iter().any(|name| pages.contains(name))
                    || ["`-h", "`--help", "`-V", "`--version"].contains(&&*name)
            });
            assert!(is_known, "{command:?}: {line}");
        }
    }
}
