//! What other languages declare of the options: parameters of Python, parsers of Spark, properties of TypeScript. They
//! are written from the list between two lines of a file, and a test says if they are stale.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use pgn2fen_spec::{Dialect, Jobs, Kind, OPTIONS, OptionEntry};

/// How a file is told that lines of it are written.
const BEGIN: &str = "Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:";
const END: &str = "The end of the options.";

/// Compares the lines between marks with what the list gives, or writes them. A file may have several such places.
#[track_caller]
fn check(path: &str, comment: &str, blocks: &[String]) {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if !place.parent().is_some_and(Path::exists) {
        // The package of the crate has no other languages.
        return;
    }
    let text = fs::read_to_string(&place).expect(path);
    let (begin, end) = (format!("{comment} {BEGIN}\n"), format!("{comment} {END}\n"));
    let mut parts = text.split(&begin);
    let mut expected = parts.next().unwrap_or_default().to_owned();
    let mut blocks = blocks.iter();
    for part in parts {
        let (written, rest) = part.split_once(&end).expect("the line behind the options");
        let indent = &written[written.rfind('\n').map_or(0, |at| at + 1)..];
        let block = blocks.next().expect("a block for each place");
        let _ = write!(expected, "{begin}{block}{indent}{end}{rest}");
    }
    assert!(blocks.next().is_none(), "{path} has a place for each block");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&place, &expected).expect(path);
    } else {
        assert!(text == expected, "{path} is stale: UPDATE_EXPECT=1 cargo test --test it options");
    }
}

/// The options of jobs that other languages have, without those that a function has in another form.
fn entries(jobs: Jobs, without: &[&str]) -> impl Iterator<Item = &'static OptionEntry> {
    OPTIONS.iter().filter(move |entry| entry.jobs.contains(jobs) && !without.contains(&entry.name))
}

fn quoted(words: &[&str], between: &str) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(between)
}

/// Parameters of Python, with their types and values.
fn parameters(jobs: Jobs, without: &[&str]) -> String {
    let mut parameters = String::new();
    for entry in entries(jobs, without).filter(|entry| entry.not_in_python.is_empty()) {
        let text = format!("\"{}\"", entry.default);
        let (kind, value) = match (entry.kind, entry.default) {
            (Kind::Text | Kind::Board | Kind::Words(_), _) if entry.is_repeated => {
                ("str | Iterable[str]".to_owned(), "()")
            }
            (Kind::Switch, default) => ("bool".to_owned(), if default == "true" { "True" } else { "False" }),
            (Kind::Whole | Kind::Positive | Kind::Limit, default) => ("int".to_owned(), default),
            (Kind::Share, default) => ("float".to_owned(), default),
            (Kind::Numbers(words), default) => (format!("Literal[{}]", words.join(", ")), default),
            (Kind::Words(words), "") => (format!("Literal[{}]", quoted(words, ", ")), ""),
            (Kind::Words(words), _) => (format!("Literal[{}]", quoted(words, ", ")), &*text),
            (Kind::Range, "") => ("str | int | tuple[int | None, int | None]".to_owned(), ""),
            (Kind::Range, _) => ("str | int | tuple[int | None, int | None]".to_owned(), &*text),
            (Kind::Bytes, default) => ("tuple[int, int | None]".to_owned(), default),
            (Kind::Size, default) => ("str | int".to_owned(), default),
            (Kind::Path, default) => ("str | os.PathLike[str]".to_owned(), default),
            (Kind::Names, default) => ("str | Iterable[str]".to_owned(), default),
            (_, "") => ("str".to_owned(), ""),
            (_, _) => ("str".to_owned(), &*text),
        };
        let parameter = match value {
            "" => format!("    {}: {kind} | None = None,\n", entry.name),
            value => format!("    {}: {kind} = {value},\n", entry.name),
        };
        parameters += &wrapped(parameter);
    }
    parameters
}

/// Writes a parameter of more than 120 columns with a line for each word, as ruff does.
fn wrapped(parameter: String) -> String {
    let parts = parameter.split_once("Literal[").and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    match parts {
        Some((before, (words, behind))) if parameter.len() > 121 => {
            let words: String = words.split(", ").map(|word| format!("        {word},\n")).collect();
            format!("{before}Literal[\n{words}    ]{behind}")
        }
        _ => parameter,
    }
}

#[test]
fn parameters_of_python_are_written_from_the_list() {
    let files_and = |jobs: Jobs| jobs.and(Jobs::FILES);
    // Moves of these games are played when they are asked for.
    let games = parameters(files_and(Jobs::GAMES), &["on_error"]);
    check("python/pgn2fen/_scan.py", "#", &[parameters(files_and(Jobs::ROWS), &["columns"])]);
    check("python/pgn2fen/_games.py", "#", &[games]);
    check("python/pgn2fen/_starts.py", "#", &[parameters(files_and(Jobs::STARTS), &["columns"])]);
    // A question to an index has shapes, but a tree and a comparison are those of whole games.
    let shapes = ["on_error", "material", "pattern", "pawns", "colors", "mirror", "for_plies", "evals"];
    let games = parameters(files_and(Jobs::GAMES), &shapes);
    let lines = parameters(Jobs::TREES, &["position"]);
    let text = |without: &[&str]| parameters(Jobs::TREE_TEXTS, without).replace("    ", "        ");
    let blocks = [text(&["front"]), text(&["front"]), text(&[]), lines + &games];
    check("python/pgn2fen/_tree.py", "#", &blocks);
    check("python/pgn2fen/_answers.py", "#", &[games.clone(), games.clone()]);
    check("python/pgn2fen/_comparison.py", "#", &[games]);
}

/// The parser of each option in Spark, whose options are texts.
#[test]
fn parsers_of_spark_are_written_from_the_list() {
    let (mut parsers, mut refused) = (String::new(), String::new());
    for entry in entries(Jobs::ROWS.and(Jobs::FILES), &[]).filter(|entry| entry.not_in_python.is_empty()) {
        let name = entry.name;
        if !entry.not_in_spark.is_empty() {
            let reason = Dialect::Python.spell(entry.not_in_spark).replace('`', "");
            let _ = writeln!(refused, "    \"{name}\": \"{reason}\",");
            continue;
        }
        let parser = match entry.kind {
            // It cannot be the word `stop`.
            _ if name == "on_error" => "_on_error",
            Kind::Switch => "_is_true",
            Kind::Whole | Kind::Positive | Kind::Limit | Kind::Numbers(_) => "_whole",
            Kind::Share => "_number",
            Kind::Board if entry.is_repeated => "_lines",
            _ if entry.is_repeated => "_filters",
            _ => "_text",
        };
        let _ = writeln!(parsers, "    \"{name}\": {parser},");
    }
    check("python/pyspark_pgn2fen/_options.py", "    #", &[parsers, refused]);
}

/// The type of a property in TypeScript.
fn property(entry: &OptionEntry) -> String {
    let kind = match entry.kind {
        Kind::Switch => "boolean".to_owned(),
        Kind::Whole | Kind::Positive | Kind::Limit | Kind::Share => "number".to_owned(),
        Kind::Numbers(words) => words.join(" | "),
        // A run of a page ends with a report, and not with an error.
        Kind::Words(words) => quoted(&words.iter().copied().filter(|word| *word != "raise").collect::<Vec<_>>(), " | "),
        Kind::Range => "Range".to_owned(),
        Kind::Names => "string | string[]".to_owned(),
        _ => "string".to_owned(),
    };
    match (entry.is_repeated, kind.contains('|')) {
        (true, true) => format!("{kind} | ({kind})[]"),
        (true, false) => format!("{kind} | {kind}[]"),
        (false, _) => kind,
    }
}

/// Properties of TypeScript, with what they mean.
fn properties(jobs: Jobs, outside: Jobs, without: &[&str]) -> String {
    let mut properties = String::new();
    for entry in entries(jobs, without).filter(|entry| !entry.jobs.contains(outside)) {
        let Some(name) = Dialect::JavaScript.name(entry) else {
            continue;
        };
        let mut meaning = Dialect::JavaScript.spell(entry.meaning).into_owned();
        meaning.get_mut(..1).expect("a letter").make_ascii_uppercase();
        let default = match entry.default {
            "" | "false" | "true" => String::new(),
            default => format!(" The default is `{default}`."),
        };
        let _ = writeln!(properties, "  /** {meaning}.{default} */\n  {name}?: {};", property(entry));
    }
    properties
}

#[test]
fn properties_of_typescript_are_written_from_the_list() {
    let nothing = Jobs::SERVE;
    let blocks = [
        properties(Jobs::GAMES, nothing, &[]),
        properties(Jobs::ROWS.and(Jobs::BOARDS), Jobs::GAMES, &["columns"]),
        properties(Jobs::STARTS, Jobs::GAMES, &[]),
        properties(Jobs::TREES.and(Jobs::TREE_TEXTS), nothing, &[]),
    ];
    check("js/lib/index.d.ts", "  //", &blocks);
}
