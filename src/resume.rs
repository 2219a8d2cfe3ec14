//! `--manifest`: an output for each input, and a list of the inputs that are done, which a later run leaves out.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::CommandFactory;
use clap::parser::ValueSource;

use crate::command::Arguments;
use crate::input;
use crate::outcome::Outcome;
use crate::positions::{PositionsArguments, write};
use crate::say;
use pgn2fen_files::{Compression, Found, InputStamp, InputState, Manifest};
use pgn2fen_games::database::remote;
use pgn2fen_games::messages::{counted, quoted, shown};

/// The placeholder for the name of the input in the name of the output.
const INPUT: &str = "{input}";

/// The options that do not change what is written of an input. The input files may be others in a later run.
const NOT_WRITTEN: &[&str] = &[
    "files",
    "recursive",
    "manifest",
    "memory",
    "threads",
    "progress",
    "color",
    "max_messages",
    "quiet",
    "verbose",
    "exit_zero",
    "no_mmap",
];

/// Writes an output of each input that is not done according to the manifest.
pub(crate) fn each_input(arguments: &PositionsArguments, typed: &[OsString], manifest: &Path) -> Result<Outcome> {
    ensure!(remote::address(manifest).is_none(), "--manifest: the list of inputs must be a file on the disk");
    let jobs = jobs(arguments)?;
    for job in &jobs {
        let is_output = arguments.records.files(&job.target)?.iter().any(|output| output == manifest);
        ensure!(!is_output, "{} is both the manifest and an output", shown(manifest));
    }
    let mut manifest = Manifest::open(manifest, &options(typed)?)?;
    for Job { found: (path, _), stamp, target } in &jobs {
        let outputs = arguments.records.files(target)?;
        if let Some(other) = stamp.and_then(|stamp| manifest.other_input(path, stamp, &outputs)) {
            bail!(both(Path::new(other), path, target));
        }
    }
    let (mut outcome, mut before, count) = (Outcome::Clean, 0, jobs.len() as u64);
    for Job { found: (path, found), stamp, target } in jobs {
        if let Some(stamp) = stamp {
            let why = match manifest.state(&path, stamp) {
                InputState::Done => {
                    before += 1;
                    continue;
                }
                InputState::New => None,
                InputState::Changed => Some("has changed since it was read"),
                InputState::Missing => Some("was read, but an output is missing"),
            };
            if let Some(why) = why.filter(|_| !arguments.running.quiet) {
                say::warning(&format!("{} {why}; it is read again", shown(&path)));
            }
        }
        let (ended, written) = write(arguments, Some(vec![(path.clone(), found)]), Some(&target))?;
        outcome = outcome.max(ended);
        if let (Some(stamp), Some(totals)) = (stamp, written) {
            manifest.add(&path, stamp, &arguments.records.files(&target)?, &totals)?;
        }
    }
    if before > 0 && !arguments.running.quiet {
        say::hint(&format!("{} of {} had been done before", before, counted(count, "input")));
    }
    Ok(outcome)
}

/// The reason why two inputs do not have the same output.
fn both(one: &Path, other: &Path, target: &Path) -> String {
    format!(
        "{} and {} would both be written to {}; read one of them with another manifest and another name for its output",
        shown(one),
        shown(other),
        shown(target)
    )
}

/// The work on an input.
struct Job {
    found: Found,
    /// The stamp of the input. None if it cannot be read.
    stamp: Option<InputStamp>,
    /// The name of the output.
    target: PathBuf,
}

/// Returns the work on each input.
fn jobs(arguments: &PositionsArguments) -> Result<Vec<Job>> {
    let PositionsArguments { input, games, positions, output, .. } = arguments;
    let refused = [
        ("--unique", positions.has("unique"), "compares the positions of all inputs"),
        ("--max-games", games.max_games().is_some(), "counts the games of all inputs"),
        ("--range", input.range.is_some(), "is for one input"),
    ];
    if let Some((option, _, why)) = refused.into_iter().find(|(_, is_given, _)| *is_given) {
        bail!("{option} {why}, and --manifest reads each by itself; leave one of them out");
    }
    let is_stream = |file: &PathBuf| file == Path::new("-");
    ensure!(
        !input.files.is_empty() && !input.files.iter().any(is_stream),
        "--manifest needs names of files; standard input cannot be recognised again"
    );
    ensure!(!output.draws_pictures()?, "--manifest does not go with pictures, each of which is a file");
    let template = output.output.as_deref().filter(|output| *output != Path::new("-"));
    let template = template.with_context(|| {
        format!("--manifest writes a file for each input; name them with -o, such as -o '{INPUT}.binpack'")
    })?;
    let template = template.to_str().with_context(|| format!("{} is not UTF-8", shown(template)))?;
    let named = if template.contains("{part}") { "{part}" } else { "" };
    ensure!(
        template.contains(INPUT),
        "--manifest writes a file for each input; use a name with {INPUT}, such as -o '{INPUT}{}{named}.binpack'",
        if named.is_empty() { "" } else { "-" }
    );
    ensure!(
        !arguments.records.has_parts() || !named.is_empty(),
        "--split writes a file for each part; use a name with {{part}}, such as -o {}",
        quoted(OsStr::new(&template.replacen(INPUT, &format!("{INPUT}-{{part}}"), 1)))
    );
    let mut jobs: Vec<Job> = Vec::new();
    let mut inputs: HashMap<String, PathBuf> = HashMap::new();
    for (path, found) in input::files(input)? {
        let mut stem = stem(&path);
        if arguments.records.has_parts() {
            // The names of parts are read once more, for their placeholder.
            stem = stem.replace('{', "{{").replace('}', "}}");
        }
        let target = PathBuf::from(template.replace(INPUT, &stem));
        // Some systems do not distinguish upper and lower case.
        if let Some(other) = inputs.insert(target.to_string_lossy().to_lowercase(), path.clone()) {
            bail!(both(&other, &path, &target));
        }
        // An input that cannot be found is reported when it is its turn.
        let stamp = InputStamp::of(&path);
        if let Err(error) = &stamp
            && error.kind() == std::io::ErrorKind::InvalidInput
        {
            bail!("--manifest: {} {error}", shown(&path));
        }
        jobs.push(Job { found: (path, found), stamp: stamp.ok(), target });
    }
    Ok(jobs)
}

/// Returns the name of an input without its folder and without the endings for its format and compression.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let is_compressed = Compression::of_ending(&ending.to_ascii_lowercase()).is_some();
    let name = if is_compressed { Path::new(name).file_stem().unwrap_or_default() } else { name };
    Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the options on the command line that change what is written, in the order of the help.
fn options(typed: &[OsString]) -> Result<Vec<String>> {
    let mut command = Arguments::command();
    command.build();
    let matches = command.clone().try_get_matches_from(typed)?;
    let mut options = Vec::new();
    for argument in command.get_arguments().filter(|argument| !NOT_WRITTEN.contains(&argument.get_id().as_str())) {
        let id = argument.get_id().as_str();
        if matches.try_contains_id(id).is_ok_and(|contains| contains)
            && matches.value_source(id) == Some(ValueSource::CommandLine)
        {
            let mut option = format!("--{}", argument.get_long().unwrap_or(id));
            if argument.get_action().takes_values() {
                for value in matches.get_raw(id).into_iter().flatten() {
                    option += " ";
                    option += &value.to_string_lossy();
                }
            }
            options.push(option);
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{options, stem};

    #[test]
    fn the_name_of_an_input_has_no_endings() {
        for (path, expected) in [
            ("games/lichess_2024-01.pgn.zst", "lichess_2024-01"),
            ("a.b.pgn", "a.b"),
            ("A.PGN.GZ", "A"),
            ("games", "games"),
            ("train.binpack", "train"),
        ] {
            assert_eq!(stem(Path::new(path)), expected);
        }
    }

    #[test]
    fn options_are_those_that_change_what_is_written() {
        let of = |line: &str| options(&line.split(' ').map(Into::into).collect::<Vec<_>>()).unwrap();
        let line = "pgn2fen -q -j4 --evals engine -t ECO=B90 -t White=A --manifest m -o {input}.viri a.pgn --no-start";
        let expected = ["--output {input}.viri", "--evals engine", "--no-start", "--tag ECO=B90 White=A"];
        let mut found = of(line);
        found.sort();
        let mut sorted = expected.map(str::to_owned);
        sorted.sort();
        assert_eq!(found, sorted);
        assert_eq!(
            of("pgn2fen --no-start -t ECO=B90 -t White=A --evals engine -o {input}.viri b.pgn --manifest m"),
            of(line)
        );
        assert!(of("pgn2fen a.pgn --evals lichess") != of("pgn2fen a.pgn"));
    }
}
