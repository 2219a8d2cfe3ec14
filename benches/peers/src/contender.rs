//! Who takes part in a benchmark: `pgn2fen`, the walks of this crate, and what is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::child::{self, PgnExtract};
use crate::style::FenStyle;

/// Those that take many times longer run in so many rounds only.
const SLOW_ROUNDS: usize = 3;

/// A row of the table.
pub(crate) struct Contender {
    pub(crate) name: String,
    pub(crate) part: Part,
    /// It runs in the first so many rounds.
    pub(crate) rounds: usize,
    /// It walks a part of the corpus only: its times are multiplied by this.
    pub(crate) scale: f64,
    command: Command,
}

/// What a contender is to the others.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    OursAlone,
    OursByTwo,
    /// Idiomatic shakmaty, by which all ratios are taken.
    Reference,
    HandWritten,
    /// Writes FENs, maybe in a style of its own.
    Other,
    /// pgn-reader, which plays no move.
    Tokens,
    /// Our reader, which plays no move.
    OurTokens,
    /// Writes no FENs.
    Silent,
}

/// A corpus in numbers, as shakmaty plays it.
pub(crate) struct Counts {
    pub(crate) games: u64,
    pub(crate) plies: u64,
}

impl Contender {
    fn new(name: impl Into<String>, part: Part, command: Command) -> Contender {
        Contender { name: name.into(), part, rounds: usize::MAX, scale: 1.0, command }
    }

    fn slow(self) -> Contender {
        Contender { rounds: SLOW_ROUNDS, ..self }
    }

    fn scaled(self, scale: f64) -> Contender {
        Contender { scale, ..self }
    }

    /// What it runs.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(self.command.get_program());
        command.args(self.command.get_args());
        command
    }
}

impl Counts {
    pub(crate) fn of(corpus: &Path) -> Result<Counts> {
        let mut play = child::peer("play", FenStyle::COMMON, corpus)?;
        let output = play.stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let counts = text.trim().split_once('\t');
        let (games, plies) = counts.context("no counts from `peers fen play`")?;
        Ok(Counts { games: games.parse()?, plies: plies.parse()? })
    }
}

/// Everybody, in the order of the table. python-chess walks the prefix, a part of the corpus.
pub(crate) fn all(ours: &Path, also: &[String], corpus: &Path, prefix: &Path) -> Result<Vec<Contender>> {
    let ours = |threads, part| {
        let command = child::ours(ours, Some(threads), FenStyle::COMMON, corpus);
        Contender::new(format!("**pgn2fen** `-j{threads}`"), part, command)
    };
    let peer = |name, who, part| {
        let command = child::peer(who, FenStyle::COMMON, corpus)?;
        Ok::<_, anyhow::Error>(Contender::new(name, part, command))
    };
    let mut contenders = vec![
        ours(1, Part::OursAlone),
        ours(2, Part::OursByTwo),
        peer("shakmaty + pgn-reader, idiomatic", "shakmaty", Part::Reference)?,
        peer("the same with a FEN writer by hand", "shakmaty-fast", Part::HandWritten)?,
        peer("the same, parse and play only", "play", Part::Silent)?,
        peer("pgn-reader, tokens only", "tokens", Part::Tokens)?,
        peer("**pgn2fen**, tokens only", "our-tokens", Part::OurTokens)?,
        peer("cozy-chess, pgn-reader's moves", "cozy", Part::Other)?.slow(),
    ];
    if let Some(pgn_extract) = PgnExtract::find() {
        let name = format!("{} `-W{}`", pgn_extract.version, pgn_extract.format);
        contenders.push(Contender::new(name, Part::Other, pgn_extract.command(corpus)).slow());
    }
    if let Some(version) = child::python_chess_version() {
        let name = format!("python-chess {version}, of a part");
        let scale = Counts::of(corpus)?.plies as f64 / Counts::of(prefix)?.plies.max(1) as f64;
        let command = child::python_chess(FenStyle::COMMON, prefix);
        contenders.push(Contender::new(name, Part::Other, command).slow().scaled(scale));
    }
    for also in also {
        let mut words = also.split_whitespace();
        let mut command = Command::new(words.next().context("--also names no command")?);
        command.args(words.map(|word| word.replace("{}", &corpus.to_string_lossy())));
        contenders.push(Contender::new(format!("`{also}`"), Part::Silent, command));
    }
    Ok(contenders)
}
