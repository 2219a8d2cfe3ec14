//! The options that choose files and say how their text is read.

use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::options::running::RunningArguments;
use pgn2fen_chess::san::{Letters, languages};
use pgn2fen_files::OpenOptions;
use pgn2fen_games::pgn::encoding::Label;
use pgn2fen_games::replay::{ReplayOptions, SetupPolicy};

#[derive(Debug, Args)]
pub(crate) struct InputArguments {
    /// PGN and other files of games, compressed or not. Standard input if there are none
    ///
    /// Compressed files are .zst, .gz, .bz2 and archives .zip. Other files of games are Parquet and Arrow files,
    /// databases of Scid (.si4, .si5) and ChessBase (.cbh, .cbv), puzzles and evaluations of Lichess, games in JSON,
    /// and training data (.binpack, .viri, .bulletformat). `-` is the standard input.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Whether the name of a command may stand among the files, because the command line has none.
    #[arg(skip)]
    pub(crate) may_be_command: bool,
    /// Read the PGN files in folders and their subfolders
    #[arg(short, long, help_heading = "Input")]
    pub(crate) recursive: bool,
    /// Write what can be read, even if a file is missing or damaged
    ///
    /// Without this option, a file that cannot be read leaves the output file unwritten and gives status 2. With it,
    /// such files are named, the games before a damaged place are written, and the status is 1, as for games with
    /// errors. If no file at all can be read, nothing is written.
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub(crate) skip_unreadable: bool,
    /// The column with the moves of the games, for tables: Parquet, Arrow, CSV and TSV files
    ///
    /// By default it is the first of these names that the file has, in upper or lower case, with or without
    /// underscores: movetext, pgn, moves, moves_san, moves_uci, uci, transcript, text. It has text or lists of moves.
    /// The other columns become tags.
    #[arg(long, value_name = "COLUMN", help_heading = "Input", hide_short_help = true)]
    pub(crate) movetext: Option<String>,
    /// When to use the FEN tag
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = SetupArgument::Auto, help_heading = "Input")]
    #[arg(hide_short_help = true)]
    setup: SetupArgument,
    /// Read files instead of mapping them into memory
    ///
    /// Use this for files that another program may truncate during the run.
    #[arg(long, help_heading = "Input", hide_short_help = true)]
    pub(crate) no_mmap: bool,
    /// The encoding of text that is not UTF-8, such as latin1, windows-1251, utf-16 or gbk
    ///
    /// latin1, windows-1251 and other encodings with one byte for each character apply only to text that is not UTF-8.
    /// utf-16, gbk, big5 and similar encodings apply to the whole file; UTF-16 is recognised without this option.
    #[arg(long, value_name = "auto|LABEL", default_value = "auto", value_parser = encoding, help_heading = "Input")]
    #[arg(hide_short_help = true)]
    pub(crate) encoding: Encoding,
    /// Read only the games that begin in these bytes of one file, which is not compressed or has many zstd frames
    ///
    /// The range begins with byte A and ends before byte B. A or B may be left out. Ranges that cover a file without
    /// gaps give together the same output as the whole file. For a file of zstd frames, as pzstd writes it, the range
    /// has the games that begin in the text of the frames that begin in these bytes. Columns and messages have the
    /// numbers of games and lines in the file; to count them, the file is read up to the range.
    #[arg(long, value_name = "A..B", value_parser = byte_range, conflicts_with = "recursive")]
    #[arg(help_heading = "Input", hide_short_help = true)]
    pub(crate) range: Option<ByteRange>,
}

impl InputArguments {
    /// Returns the arguments for files that are read with default options.
    pub(crate) fn of_files(files: Vec<PathBuf>) -> Self {
        Self {
            files,
            may_be_command: false,
            recursive: false,
            skip_unreadable: false,
            range: None,
            encoding: Encoding::default(),
            movetext: None,
            setup: SetupArgument::Auto,
            no_mmap: false,
        }
    }

    /// Returns the options for opening the files.
    pub(crate) fn open_options(&self) -> OpenOptions {
        let range = self.range.as_ref().map(|ByteRange(range)| range.clone());
        let movetext = self.movetext.clone();
        OpenOptions { map: !self.no_mmap, encoding: self.encoding.0, movetext, range, ..OpenOptions::default() }
    }

    pub(crate) fn setup(&self) -> SetupPolicy {
        match self.setup {
            SetupArgument::Auto => SetupPolicy::Auto,
            SetupArgument::Strict => SetupPolicy::Strict,
            SetupArgument::Ignore => SetupPolicy::Ignore,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct MoveArguments {
    /// The language of the piece letters in moves, such as de, fr, es, ru
    ///
    /// One of cs da de en es et fi fr hu is it nl no pl pt ro ru sv. Figurines are always read.
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = letters, help_heading = "Input")]
    lang: Letters,
}

impl MoveArguments {
    /// Whether the piece letters are those of English.
    pub(crate) fn is_english(&self) -> bool {
        self.lang.code() == Letters::ENGLISH.code()
    }

    /// Returns the options for playing games.
    pub(crate) fn replay(&self, input: &InputArguments, running: &RunningArguments) -> ReplayOptions {
        ReplayOptions {
            setup: input.setup(),
            letters: self.lang,
            encoding: input.encoding.0,
            first_warnings_only: !running.verbose,
            ..ReplayOptions::default()
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SetupArgument {
    /// Use the FEN tag, whatever the SetUp tag says
    Auto,
    /// Use the FEN tag only with [SetUp "1"]
    Strict,
    /// Start every game from the initial position
    Ignore,
}

/// The encoding of text that is not UTF-8; None to guess it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Encoding(pub(crate) Option<Label>);

/// Parses the value of `--encoding`.
fn encoding(name: &str) -> Result<Encoding, String> {
    if name.eq_ignore_ascii_case("auto") {
        return Ok(Encoding(None));
    }
    let label = Label::find(name).ok_or("unknown encoding; try utf-8, latin1, windows-1251, koi8-r, cp866 or gbk")?;
    Ok(Encoding(Some(label)))
}

/// A range of bytes in a file. The end is not part of the range.
#[derive(Clone, Debug)]
pub(crate) struct ByteRange(pub(crate) Range<u64>);

/// Parses the value of `--range`. A missing start is 0, and a missing end is the end of the file.
fn byte_range(text: &str) -> Result<ByteRange, String> {
    let number = |text: &str, default| if text.is_empty() { Some(default) } else { text.parse().ok() };
    let range = text.split_once("..").and_then(|(start, end)| Some(number(start, 0)?..number(end, u64::MAX)?));
    match range {
        Some(range) if range.start <= range.end => Ok(ByteRange(range)),
        Some(_) => Err("the end of the range is before its start".to_owned()),
        None => Err("not a range of bytes; write 0..1000000, 1000000.. or ..1000000".to_owned()),
    }
}

/// Parses the value of `--lang`: the code of a language.
pub(crate) fn letters(language: &str) -> Result<Letters, String> {
    Letters::of(language).ok_or_else(|| {
        let known: Vec<&str> = languages().map(Letters::code).collect();
        format!("unknown language; choose one of {}", known.join(", "))
    })
}
