//! The list of options: the page of the guide, and what each program has of it.

mod declared;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pgn2fen_rows::options::{JobOptions, StartsOptions};
use pgn2fen_rows::{Column, ColumnPatterns, Columns};
use pgn2fen_spec::{Dialect, Jobs, Kind, OPTIONS, OptionEntry};

use crate::cli::Desk;
use crate::laws::files_below;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect(path)
}

/// The lines between which the table stands.
const BEGIN: &str = "<!-- The table is written by the tests: UPDATE_EXPECT=1 cargo test --test it options -->\n";
const END: &str = "<!-- The end of the table. -->\n";

fn value(entry: &OptionEntry) -> String {
    let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    let value = match entry.kind {
        Kind::Switch => "on or off".to_owned(),
        Kind::Whole => "a number from 0".to_owned(),
        Kind::Positive => "a number from 1".to_owned(),
        Kind::Share => "a share from 0 to 1".to_owned(),
        Kind::Range => "a number or a range".to_owned(),
        Kind::Bytes => "a range of bytes".to_owned(),
        Kind::Limit => "a number; 0 or `all` is no limit".to_owned(),
        Kind::Size => "a size such as `2G`".to_owned(),
        Kind::Words(known) | Kind::Numbers(known) => words(known),
        Kind::Path => "a path".to_owned(),
        Kind::Names => "names".to_owned(),
        Kind::Board => "a board".to_owned(),
        _ => "text".to_owned(),
    };
    if entry.is_repeated { format!("{value}; several") } else { value }
}

/// The jobs, as the table names them.
const JOBS: [(Jobs, &str); 12] = [
    (Jobs::ROWS, "rows"),
    (Jobs::STARTS, "starts"),
    (Jobs::GAMES, "games"),
    (Jobs::FILES, "all"),
    (Jobs::BOARDS, "boards"),
    (Jobs::RECORDS, "files of rows"),
    (Jobs::COPIES, "copies of games"),
    (Jobs::COMPARE, "comparisons"),
    (Jobs::TREES, "trees"),
    (Jobs::INDEX, "indexes"),
    (Jobs::FIND, "questions"),
    (Jobs::SERVE, "servers"),
];

fn table() -> String {
    let mut table =
        "| Python, SQL, Spark | command | JavaScript | value | of | |\n|---|---|---|---|---|---|\n".to_owned();
    for entry in OPTIONS {
        let name = |dialect: Dialect| dialect.name(entry).map_or_else(|| "–".to_owned(), |name| format!("`{name}`"));
        let of = JOBS.into_iter().filter_map(|(jobs, name)| entry.jobs.contains(jobs).then_some(name));
        let of: Vec<&str> = of.collect();
        let [python, command, javascript] = [Dialect::Python, Dialect::Command, Dialect::JavaScript].map(name);
        let _ = writeln!(
            table,
            "| {python} | {command} | {javascript} | {} | {} | {} |",
            value(entry),
            of.join(", "),
            entry.meaning
        );
    }
    for (program, why) in [
        ("Python", (|entry| entry.not_in_python) as fn(&OptionEntry) -> &'static str),
        ("JavaScript", |entry| entry.not_in_javascript),
        ("Spark", |entry| entry.not_in_spark),
    ] {
        let missing = OPTIONS.iter().filter(|entry| !why(entry).is_empty());
        let missing: Vec<String> = missing.map(|entry| format!("`{}` ({})", entry.name, why(entry))).collect();
        let _ = writeln!(table, "\n{program} does not have {}.", missing.join(", "));
    }
    table
}

#[test]
fn the_page_of_options_is_written_from_the_list() {
    let page = read("docs/options.md");
    let (before, rest) = page.split_once(BEGIN).expect("the line before the table");
    let (_, behind) = rest.split_once(END).expect("the line behind the table");
    let expected = format!("{before}{BEGIN}\n{}\n{END}{behind}", table());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/options.md"), &expected).expect("the page");
    }
    assert!(page == expected || std::env::var_os("UPDATE_EXPECT").is_some(), "the table is stale");
}

/// The names by which the JavaScript package spells messages.
#[test]
fn javascript_has_the_names_of_the_list() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/lib/option-names.js");
    if !path.parent().is_some_and(Path::exists) {
        // The package of the crate has no JavaScript.
        return;
    }
    let mut names =
        "// Written by the tests from the list of options: UPDATE_EXPECT=1 cargo test --test it options\n\n\
         /** Each option: whether it is a switch, a range, or takes several values as a list, its name in the command \
         if only that has it, and why it is `missing` here. */\n\
         export const OPTIONS = {\n"
            .to_owned();
    for entry in OPTIONS {
        let kind = match entry.kind {
            Kind::Switch => "isSwitch: true",
            Kind::Range => "isRange: true",
            _ if entry.is_repeated => "isList: true",
            _ => "",
        };
        let flag = if entry.not_in_python.is_empty() { String::new() } else { format!("flag: \"{}\"", entry.flag) };
        let missing = match (entry.not_in_python, entry.not_in_javascript) {
            ("", why) if !why.is_empty() => format!("missing: \"{why}\""),
            _ => String::new(),
        };
        let parts: Vec<&str> = [kind, &flag, &missing].into_iter().filter(|part| !part.is_empty()).collect();
        let parts = if parts.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", parts.join(", ")) };
        let _ = writeln!(names, "  {}: {parts},", entry.name);
    }
    names += "};\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &names).expect("the names");
    }
    assert_eq!(fs::read_to_string(&path).unwrap_or_default(), names, "UPDATE_EXPECT=1 writes the names");
}

#[test]
fn each_name_of_the_list_is_an_option_of_the_library() {
    for name in JobOptions::NAMES {
        let said = JobOptions::new().set(name, "\0").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(!said.starts_with("there is no option"), "{said}");
    }
    for name in StartsOptions::NAMES {
        let said = StartsOptions::new().set(name, "\0").err().map(|error| error.to_string()).unwrap_or_default();
        assert!(!said.starts_with("there is no option"), "{said}");
    }
}

/// Messages of libraries refer to options, which each program writes in its own way.
#[test]
fn no_library_names_an_option_of_a_program() {
    let of_command = |text: &str| {
        let mut words = text.split("--").skip(1);
        words.any(|word| word.starts_with(|first: char| first.is_ascii_lowercase()))
    };
    let of_python = |text: &str| {
        OPTIONS.iter().any(|entry| {
            [format!("{}=True", entry.name), format!("{}='", entry.name)].iter().any(|it| text.contains(it))
        })
    };
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let sources = files_below(&crates).into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    let mut checked = 0;
    for path in sources {
        let name = path.strip_prefix(&crates).expect("it is below").display().to_string().replace('\\', "/");
        // The list itself, and programs for tests.
        if name.starts_with("spec/") || name.starts_with("testing/") || name.contains("/tests/") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()) {
            // What stands between quotation marks.
            let is_comment = line.trim_start().starts_with("//");
            let literals = line.split('"').skip(1).step_by(2).filter(|_| !is_comment);
            for literal in literals {
                assert!(!of_command(literal) && !of_python(literal), "{name}:{number}: {literal}");
                checked += 1;
            }
        }
    }
    assert!(checked > 3000, "{checked}");
}

/// What the list has, the command has. What other languages declare is written from the list: see `declared`.
#[test]
fn the_command_has_the_options_of_the_list() {
    let desk = Desk::with(&[]);
    let has = |help: &str, flag: &str| [" ", "\n", ","].iter().any(|end| help.contains(&format!("{flag}{end}")));
    let (rows, starts) = (desk.run(&["--help"]).stdout, desk.run(&["starts", "--help"]).stdout);
    for entry in OPTIONS {
        let Some(flag) = Dialect::Command.name(entry) else { continue };
        for (jobs, help) in [(Jobs::ROWS, &rows), (Jobs::STARTS, &starts)] {
            assert!(!entry.jobs.contains(jobs) || has(help, &flag), "the help has no {flag}");
        }
    }
}

/// Returns the text about an option in the long help.
fn help_of(help: &str, option: &str) -> String {
    let (_, text) = help.split_once(&format!("{option} <")).expect(option);
    let lines = text.lines().skip(1).take_while(|line| line.is_empty() || line.starts_with("        "));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_help_names_all_columns() {
    let help = Desk::with(&[]).run(&["--help"]).stdout;
    let no_tags: [&str; 0] = [];
    let of_positions = "*".parse::<ColumnPatterns>().unwrap().columns(&no_tags).unwrap();
    let of_games = ColumnPatterns::of_games("*").unwrap().columns(&no_tags).unwrap();
    for (option, columns) in [("--columns", of_positions), ("--per", of_games)] {
        let text = help_of(&help, option);
        let words: Vec<&str> = text.split(|char: char| !char.is_alphanumeric() && char != '_').collect();
        // The help has those of Black as "the same for black".
        let missing: Vec<&str> = columns
            .iter()
            .map(Column::name)
            .filter(|name| !words.contains(name) && !name.starts_with("black_"))
            .collect();
        assert!(missing.is_empty(), "{option}: {missing:?}");
    }
    let usual = Columns::games().iter().map(Column::name).collect::<Vec<_>>().join(", ");
    assert!(help_of(&help, "--per").contains(&format!("The default is {usual}.")), "{usual}");
}
