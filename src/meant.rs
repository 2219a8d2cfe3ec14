//! Options and commands that other programs have, and what does the same here.

use std::path::Path;

use clap::CommandFactory;

use crate::command::Arguments;

/// The meaning of some names of options in other programs.
struct Meaning {
    /// The words, without hyphens at the front.
    words: &'static [&'static str],
    /// The purpose of such an option, as in "to choose games, use …".
    aim: &'static str,
    /// The options that do it: each with its name, and an example. Those that a command has come first.
    options: &'static [(&'static str, &'static str)],
    /// The command line that does it if the command has none of these options.
    elsewhere: &'static str,
}

const fn meaning(
    words: &'static [&'static str],
    aim: &'static str,
    options: &'static [(&'static str, &'static str)],
    elsewhere: &'static str,
) -> Meaning {
    Meaning { words, aim, options, elsewhere }
}

const MEANINGS: [Meaning; 39] = [
    meaning(
        &["player", "players", "name"],
        "choose the games of a player",
        &[("tag", "-t 'Player~carlsen'")],
        "pgn2fen games -t 'Player~carlsen'",
    ),
    meaning(
        &["white"],
        "choose games by a player",
        &[("tag", "-t 'White~carlsen'")],
        "pgn2fen games -t 'White~carlsen'",
    ),
    meaning(
        &["black"],
        "choose games by a player",
        &[("tag", "-t 'Black~carlsen'")],
        "pgn2fen games -t 'Black~carlsen'",
    ),
    meaning(
        &["where", "filter", "query", "select", "tagged", "match", "grep", "header", "headers", "criteria"],
        "choose games by their tags",
        &[("tag", "-t 'WhiteElo>=2200'")],
        "pgn2fen games -t 'WhiteElo>=2200'",
    ),
    meaning(
        &["elo", "rating", "min-elo", "minelo", "min-rating", "max-elo", "max-rating", "rated"],
        "choose games by ratings",
        &[("tag", "-t 'Elo>=2200'")],
        "pgn2fen games -t 'Elo>=2200'",
    ),
    meaning(
        &["year", "years", "date", "since", "until", "from", "after", "before", "month"],
        "choose games by their date",
        &[("tag", "-t 'Date>=2019'")],
        "pgn2fen games -t 'Date>=2019'",
    ),
    meaning(
        &["result", "results", "winner", "won", "outcome"],
        "choose games by their result",
        &[("tag", "-t Result=1-0")],
        "pgn2fen games -t Result=1-0",
    ),
    meaning(
        &["event", "tournament", "site"],
        "choose the games of an event",
        &[("tag", "-t 'Event~candidates'")],
        "pgn2fen games -t 'Event~candidates'",
    ),
    meaning(
        &["time-control", "timecontrol", "speed"],
        "choose games by their time control",
        &[("tag", "-t 'TimeControl>=600'")],
        "pgn2fen games -t 'TimeControl>=600'",
    ),
    meaning(
        &["eco", "openings"],
        "choose games by their opening",
        &[("opening", "--opening B90, or -t ECO=B90 for the tag"), ("tag", "-t ECO=B90")],
        "pgn2fen games --opening B90",
    ),
    meaning(
        &[
            "dedupe",
            "dedup",
            "deduplicate",
            "duplicates",
            "distinct",
            "uniq",
            "no-duplicates",
            "noduplicates",
            "noduplicate",
            "nodups",
            "remove-duplicates",
        ],
        "leave out duplicates",
        &[("unique", "-u")],
        "pgn2fen games -u for games, or pgn2fen -u for positions",
    ),
    meaning(
        &["flip", "flipped", "rotate", "perspective", "side", "view", "black-bottom"],
        "draw the board from Black's side",
        &[("orientation", "--orientation black")],
        "pgn2fen board --orientation black",
    ),
    meaning(
        &["limit", "head", "first", "top", "take", "max", "max-count", "num", "number", "stop-after", "stopafter"],
        "limit the output",
        &[("max", "-m 10"), ("max-games", "-n 10 for the first ten games")],
        "pgn2fen -n 10 for the first ten games",
    ),
    meaning(
        &["out", "outfile", "output-file", "out-file", "save", "dest", "destination", "to-file", "write"],
        "write to a file",
        &[("output", "-o FILE")],
        "> FILE",
    ),
    meaning(
        &["to", "type", "as", "convert", "output-format", "outformat", "fmt"],
        "choose the format",
        &[("format", "-f FORMAT, or -o FILE with its ending")],
        "pgn2fen -f FORMAT",
    ),
    meaning(&["epd"], "choose the format", &[("format", "-f epd")], "pgn2fen -f epd"),
    meaning(&["parquet"], "choose the format", &[("output", "-o FILE.parquet")], "pgn2fen -o FILE.parquet"),
    meaning(
        &["delimiter", "separator", "sep"],
        "choose the character between columns",
        &[("format", "-f csv or -f tsv")],
        "pgn2fen -f csv or -f tsv",
    ),
    meaning(
        &["compress", "compression", "gzip"],
        "compress the output",
        &[("output", "-o FILE.gz or -o FILE.zst")],
        "| gzip",
    ),
    meaning(&["csv"], "choose the format", &[("format", "-f csv")], "pgn2fen -f csv"),
    meaning(&["tsv"], "choose the format", &[("format", "-f tsv")], "pgn2fen -f tsv"),
    meaning(&["json", "jsonl", "ndjson"], "choose the format", &[("format", "-f jsonl")], "pgn2fen -f jsonl"),
    meaning(&["html", "page"], "write a page of boards", &[("format", "-f html")], "pgn2fen -f html"),
    meaning(&["pgn"], "copy games", &[], "pgn2fen games"),
    meaning(&["svg", "png", "image", "picture"], "draw boards", &[("format", "-f svg or -f png")], "pgn2fen board"),
    meaning(
        &["cols", "select-columns", "column"],
        "choose the columns",
        &[("columns", "-C White,Black,fen")],
        "pgn2fen -C White,Black,fen",
    ),
    meaning(
        &["jobs", "cores", "workers", "parallel", "thread", "cpus"],
        "choose the number of threads",
        &[("threads", "-j 4")],
        "pgn2fen -j 4",
    ),
    meaning(
        &["depth", "plies", "max-ply", "min-ply", "max-plies", "from-ply", "to-ply", "move", "moves", "max-moves"],
        "choose positions by their ply",
        &[("ply", "-p 8..20"), ("depth", "-p 20"), ("length", "--length 40.. for the length of games")],
        "pgn2fen -p 8..20",
    ),
    meaning(
        &["min-moves", "minmoves", "maxmoves", "minply", "maxply"],
        "choose games by their length",
        &[("length", "--length 40..")],
        "pgn2fen games --length 40..",
    ),
    meaning(
        &["line-length", "linelength", "line-width"],
        "choose the length of lines",
        &[("width", "--width 79")],
        "pgn2fen games --san --width 79",
    ),
    meaning(
        &["fencomments", "fen-comments"],
        "write FENs in comments",
        &[("add-fen", "--add-fen every")],
        "pgn2fen games --san --add-fen every",
    ),
    meaning(&["no-tags", "notags"], "leave out tags", &[("tags", "--tags none")], "pgn2fen games --san --tags none"),
    meaning(
        &["novars", "no-variation"],
        "leave out variations",
        &[("no-variations", "--no-variations")],
        "pgn2fen games --san --no-variations",
    ),
    meaning(
        &["reverse", "descending", "desc"],
        "sort from the greatest value to the least",
        &[("sort", "--sort -Date")],
        "pgn2fen games --sort -Date",
    ),
    meaning(&["silent"], "print no messages", &[("quiet", "-q")], "-q"),
    meaning(
        &["position", "fen", "reaches", "contains"],
        "choose games that reached a position",
        &[("reached", "--reached '1. e4 c5'")],
        "pgn2fen games --reached '1. e4 c5'",
    ),
    meaning(
        &["ignore-errors", "skip-errors", "skip-bad", "continue", "keep-going", "force", "lenient", "skip-damaged"],
        "read on after an error in a file",
        &[("skip-unreadable", "--skip-unreadable; games with errors end no run")],
        "pgn2fen games --skip-unreadable",
    ),
    meaning(
        &["colors", "colours", "colour"],
        "choose colours",
        &[("colors", "--colors gray"), ("shape-colors", "--shape-colors given"), ("color", "--color always")],
        "pgn2fen board --colors gray",
    ),
    meaning(
        &["random", "randomize", "subset"],
        "choose at random",
        &[("sample", "-s 0.01"), ("shuffle", "--shuffle")],
        "pgn2fen -s 0.01 for positions, or pgn2fen games --shuffle for the order of games",
    ),
];

/// Words for commands, with what they stand for and the command line that does it.
const COMMANDS: [(&[&str], &str, &str); 15] = [
    (
        &["merge", "join", "concat", "concatenate", "cat", "combine"],
        "join files",
        "pgn2fen games a.pgn b.pgn -o all.pgn",
    ),
    (
        &["dedupe", "dedup", "deduplicate", "unique", "uniq", "duplicates"],
        "leave out duplicates",
        "pgn2fen games -u games.pgn -o once.pgn",
    ),
    (
        &["convert", "export", "dump", "to-csv", "tocsv"],
        "convert games",
        "pgn2fen games.pgn -o positions.csv, or pgn2fen games --san games.pgn -o standard.pgn",
    ),
    (&["sort", "order"], "sort games", "pgn2fen games --sort Date games.pgn -o sorted.pgn"),
    (
        &["filter", "grep", "select", "query", "where", "extract"],
        "choose games",
        "pgn2fen games -t 'Player~carlsen' games.pgn -o carlsen.pgn",
    ),
    (&["split", "partition"], "split games into files", "pgn2fen games --split 1000 games.pgn -o 'games-{part}.pgn'"),
    (&["shuffle", "randomize"], "shuffle games", "pgn2fen games --shuffle games.pgn -o shuffled.pgn"),
    (
        &["clean", "fix", "normalize", "normalise", "format", "repair"],
        "write games by the standard",
        "pgn2fen games --san games.pgn -o clean.pgn",
    ),
    (
        &["validate", "verify", "lint", "stats", "stat", "count", "summary"],
        "check and count games",
        "pgn2fen check games.pgn",
    ),
    (&["search", "lookup"], "search for positions", "pgn2fen find games.idx '1. e4 c5'"),
    (
        &["draw", "diagram", "render", "svg", "png", "image", "show"],
        "draw a board",
        "pgn2fen board '1. e4 c5' -o board.svg",
    ),
    (
        &["explore", "explorer", "browse", "web", "gui", "server"],
        "look at an index in a browser",
        "pgn2fen serve games.idx",
    ),
    (&["fen", "fens", "positions"], "print positions", "pgn2fen games.pgn"),
    (
        &["info", "information"],
        "describe games or an index",
        "pgn2fen check games.pgn, or pgn2fen index --info games.idx",
    ),
    (&["opening", "openings", "eco", "classify"], "name openings", "pgn2fen -C game,eco,opening -p -1 games.pgn"),
];

/// Returns the command line that does what an unknown command is meant to do. None if there is a file of that name.
pub(crate) fn meant_command(word: &str) -> Option<String> {
    let (_, aim, line) = COMMANDS.iter().find(|(words, ..)| words.contains(&word))?;
    (!Path::new(word).exists()).then(|| format!("to {aim}, use {line}"))
}

/// Words for options for a position, in commands that take it as an argument.
const POSITION: [&str; 3] = ["position", "fen", "epd"];

/// Whether a command takes a position as an argument.
fn takes_position(command: &clap::Command) -> bool {
    command.get_positionals().any(|argument| {
        let mut names = argument.get_value_names().into_iter().flatten();
        names.any(|name| name.as_str() == "POSITION")
    })
}

/// Returns advice about an option, such as `--player`, that a command does not have. The command is empty for pgn2fen
/// itself.
pub(crate) fn meant_option(option: &str, command: &str) -> Option<String> {
    let word = option.trim_start_matches('-');
    if !option.starts_with("--") || word.is_empty() {
        return None;
    }
    let all = Arguments::command();
    let this = all.get_subcommands().find(|known| known.get_name() == command).unwrap_or(&all);
    let has = |command: &clap::Command, long: &str| {
        command.get_arguments().any(|argument| argument.get_long() == Some(long) && !argument.is_hide_set())
    };
    if POSITION.contains(&word) && takes_position(this) {
        return Some(format!("the position stands without an option: pgn2fen {command} … '1. e4 c5'"));
    }
    let found = MEANINGS.iter().find(|meaning| meaning.words.contains(&word));
    let here = found.and_then(|meaning| {
        let (_, example) = meaning.options.iter().find(|(long, _)| has(this, long))?;
        Some(format!("to {}, use {example}", meaning.aim))
    });
    here.or_else(|| {
        let main = (has(&all, word) && !command.is_empty()).then(|| "pgn2fen without a command".to_owned());
        let commands = all.get_subcommands().filter(|known| has(known, word));
        let others: Vec<String> =
            main.into_iter().chain(commands.map(|known| format!("pgn2fen {}", known.get_name()))).collect();
        (!others.is_empty()).then(|| format!("{option} is an option of {}", others.join(", ")))
    })
    .or_else(|| found.map(|meaning| format!("to {}, use {}", meaning.aim, meaning.elsewhere)))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{COMMANDS, MEANINGS, meant_command, meant_option};
    use crate::command::Arguments;

    #[track_caller]
    fn check(option: &str, command: &str, expected: &str) {
        assert_eq!(meant_option(option, command).unwrap_or_default(), expected, "{option} of {command}");
    }

    #[test]
    fn an_unknown_option_leads_to_what_does_it() {
        check("--player", "games", "to choose the games of a player, use -t 'Player~carlsen'");
        check("--player", "board", "--player is an option of pgn2fen games, pgn2fen find, pgn2fen book, pgn2fen tree");
        check("--eco", "", "to choose games by their opening, use --opening B90, or -t ECO=B90 for the tag");
        check("--eco", "find", "to choose games by their opening, use -t ECO=B90");
        check("--flip", "board", "to draw the board from Black's side, use --orientation black");
        check("--limit", "find", "to limit the output, use -m 10");
        check("--limit", "games", "to limit the output, use -n 10 for the first ten games");
        check("--sort", "", "--sort is an option of pgn2fen games");
        check("--where", "serve", "to choose games by their tags, use pgn2fen games -t 'WhiteElo>=2200'");
        check("--reverse", "games", "to sort from the greatest value to the least, use --sort -Date");
        check("--fen", "board", "the position stands without an option: pgn2fen board … '1. e4 c5'");
        check("--fen", "games", "to choose games that reached a position, use --reached '1. e4 c5'");
        check("--xyzzy", "games", "");
        check("-x", "games", "");
        check("--", "games", "");
    }

    #[test]
    fn an_unknown_command_leads_to_what_does_it() {
        assert_eq!(meant_command("merge").as_deref(), Some("to join files, use pgn2fen games a.pgn b.pgn -o all.pgn"));
        assert_eq!(meant_command("src"), None);
    }

    #[test]
    fn options_in_hints_exist_and_words_have_one_meaning() {
        let all = Arguments::command();
        let longs: Vec<&str> = std::iter::once(&all)
            .chain(all.get_subcommands())
            .flat_map(|command| command.get_arguments().filter_map(clap::Arg::get_long))
            .collect();
        for meaning in &MEANINGS {
            assert!(meaning.options.iter().all(|(long, _)| longs.contains(long)), "{}", meaning.aim);
        }
        let mut words: Vec<&str> = MEANINGS.iter().flat_map(|meaning| meaning.words).copied().collect();
        words.sort_unstable();
        assert!(words.windows(2).all(|pair| pair[0] != pair[1]), "{words:?}");
        for (words, ..) in &COMMANDS {
            assert!(words.iter().all(|word| all.get_subcommands().all(|command| command.get_name() != *word)));
        }
    }
}
