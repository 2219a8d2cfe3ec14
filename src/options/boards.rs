//! The options for formats that draw boards.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::board::{fill, square};
use crate::options::listed::{Group, Listed};
use pgn2fen_board::{Arrow, Colors, Paint};
use pgn2fen_chess::square::Square;
use pgn2fen_files::{Compression, EndingError, EndingRules, agreed};
use pgn2fen_games::messages::shown;
use pgn2fen_rows::options::JobOptions;
use pgn2fen_rows::{BoardOptions, FileNames, NameError, Orientation, PictureFormat};

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct BoardArguments {
    /// The side at the bottom of the boards of html, svg and png: white, black, or turn for the side to move. The
    /// default is white
    #[arg(long, value_name = "SIDE", value_parser = orientations(), hide_possible_values = true)]
    #[arg(hide_short_help = true)]
    orientation: Option<Orientation>,
    /// At most N boards in html, svg and png; 0 or all for no limit. The default is 1000
    ///
    /// Boards that are left out are counted in a warning, and on the page.
    #[arg(long, value_name = "N|all", value_parser = max_boards, hide_short_help = true)]
    max_boards: Option<Limit>,
    /// The title of a page of boards, or the deck of cards. The default names the file
    #[arg(long, value_name = "TEXT", hide_short_help = true)]
    title: Option<String>,
    /// The width and height of the boards of html, svg and png in pixels
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=4096), hide_short_help = true)]
    size: Option<u32>,
    /// The colours of the boards of html, svg and png: brown, green, blue, gray, or single ones, as in `pgn2fen board`
    #[arg(long, value_name = "COLORS", hide_short_help = true)]
    colors: Option<Colors>,
    /// Do not colour the squares of the last move
    #[arg(long, hide_short_help = true)]
    no_last_move: bool,
    /// Do not mark a king in check
    #[arg(long, hide_short_help = true)]
    no_check: bool,
    /// Leave out the letters and digits at the edges of the boards
    #[arg(long, hide_short_help = true)]
    no_coordinates: bool,
    /// Show the side to move by a disc beside each board
    #[arg(long, hide_short_help = true)]
    show_turn: bool,
    /// Draw arrows and circles on each board, such as e2e4,d5:blue
    #[arg(long = "arrow", value_name = "ARROWS", value_delimiter = ',', hide_short_help = true)]
    arrows: Vec<Arrow>,
    /// Colour squares of each board, such as d4,e5:red
    #[arg(long = "fill", value_name = "SQUARES", value_delimiter = ',', value_parser = fill, hide_short_help = true)]
    fills: Vec<(Square, Paint)>,
    /// Mark squares of each board with a cross, such as a3,b4
    #[arg(long = "mark", value_name = "SQUARES", value_delimiter = ',', value_parser = square, hide_short_help = true)]
    marks: Vec<Square>,
    #[command(flatten)]
    listed: Listed<PageBoards>,
}

/// The options of boards that the list describes.
#[derive(Debug)]
struct PageBoards;

impl Group for PageBoards {
    type Job = JobOptions;
    const HEADING: &'static str = "Output";
    const NAMES: &'static [&'static str] =
        &["numbers", "solutions", "boards_per_row", "boards_per_page", "comment_arrows"];
}

/// The maximum number of boards, or None for no limit.
#[derive(Clone, Copy, Debug)]
struct Limit(Option<u64>);

impl BoardArguments {
    /// Returns the options for boards. Refuses them for a format that draws no boards.
    pub(crate) fn options(&self, format: &str, has_boards: bool) -> Result<BoardOptions> {
        let chosen = [
            ("--orientation", self.orientation.is_some()),
            ("--max-boards", self.max_boards.is_some()),
            ("--title", self.title.is_some()),
            ("--size", self.size.is_some()),
            ("--colors", self.colors.is_some()),
            ("--no-last-move", self.no_last_move),
            ("--no-check", self.no_check),
            ("--no-coordinates", self.no_coordinates),
            ("--show-turn", self.show_turn),
            ("--arrow", !self.arrows.is_empty()),
            ("--fill", !self.fills.is_empty()),
            ("--mark", !self.marks.is_empty()),
        ];
        for (name, is_chosen) in chosen {
            ensure!(
                has_boards || !is_chosen,
                "{name} has no effect on the format {format}; only html, anki, svg and png draw boards"
            );
        }
        ensure!(
            self.title.is_none() || !matches!(format, "svg" | "png"),
            "--title has no effect on the format {format}; only html and anki have a title"
        );
        let listed = self.listed.job().boards((format, has_boards), String::new())?;
        let mut options = BoardOptions {
            orientation: self.orientation.unwrap_or(listed.orientation),
            size: self.size,
            colors: self.colors.unwrap_or_default(),
            coordinates: !self.no_coordinates,
            turn_mark: self.show_turn,
            last_move: !self.no_last_move,
            check: !self.no_check,
            arrows: self.arrows.clone(),
            fills: self.fills.clone(),
            marks: self.marks.clone(),
            ..listed
        };
        if let Some(Limit(limit)) = self.max_boards {
            options.max_boards = limit;
        }
        Ok(options)
    }

    /// Refuses options for boards that rows of positions have, for a command whose rows are others.
    pub(crate) fn refuse(&self, names: &[&'static str], instead: &str) -> Result<()> {
        match self.listed.chosen(names).first() {
            Some(option) => bail!("`{option}` has no effect here; {instead}"),
            None => Ok(()),
        }
    }

    /// Returns the title of a page, if it is chosen.
    pub(crate) fn title(&self) -> Option<String> {
        self.title.clone()
    }
}

fn orientations() -> impl TypedValueParser<Value = Orientation> {
    PossibleValuesParser::new(Orientation::ALL.map(Orientation::name))
        .try_map(|name| Orientation::ALL.into_iter().find(|side| side.name() == name).ok_or("not a side"))
}

/// Parses the value of `--max-boards`.
fn max_boards(text: &str) -> Result<Limit, &'static str> {
    match text {
        "all" | "0" => Ok(Limit(None)),
        text => text.parse().map(|limit| Limit(Some(limit))).map_err(|_| "not a number, and not all"),
    }
}

/// A format on the command line: one that is written to one file, or pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat<F> {
    OneFile(F),
    Pictures(PictureFormat),
}

impl<F: Copy> OutputFormat<F> {
    /// Returns the format with this name or file name ending.
    pub(crate) fn named(name: &str, of_one_file: impl Fn(&str) -> Option<F>) -> Option<Self> {
        PictureFormat::of_ending(name).map(Self::Pictures).or_else(|| of_one_file(name).map(Self::OneFile))
    }

    /// Returns the parser of names of formats: these, and those of pictures.
    pub(crate) fn parser(
        names: impl Iterator<Item = &'static str>,
        of_one_file: fn(&str) -> Option<F>,
    ) -> impl TypedValueParser<Value = Self>
    where
        F: Send + Sync + 'static,
    {
        let pictures = PictureFormat::ALL.iter().map(|format| format.name());
        PossibleValuesParser::new(names.chain(pictures))
            .try_map(move |name| Self::named(&name, of_one_file).ok_or("not a known format"))
    }
}

/// Returns the format and the compression of the output, from the format that was chosen and the name of the output
/// file.
pub(crate) fn agreed_format<F: Copy + PartialEq + Into<EndingRules>>(
    file: Option<&Path>,
    chosen: Option<OutputFormat<F>>,
    of_one_file: impl Fn(&str) -> Option<F>,
) -> Result<(Option<OutputFormat<F>>, Compression), EndingError> {
    let rules = |format: OutputFormat<F>| match format {
        OutputFormat::OneFile(format) => format.into(),
        OutputFormat::Pictures(format) => format.into(),
    };
    match file {
        Some(file) => agreed(file, chosen, |name| OutputFormat::named(name, &of_one_file), rules),
        None => Ok((chosen, Compression::None)),
    }
}

/// Returns the names of picture files. `example` is a name that works for the command.
pub(crate) fn file_names(
    format: PictureFormat,
    (output, compression): (Option<&Path>, Compression),
    parse: impl Fn(&str, PictureFormat) -> Result<FileNames, NameError>,
    example: &str,
) -> Result<FileNames> {
    let name = format.name();
    let output = output.with_context(|| {
        format!(
            "-f {name} writes a file for each board; give their names with -o, such as -o 'boards/{example}.{name}' \
             (`pgn2fen board` draws a single position)"
        )
    })?;
    ensure!(compression == Compression::None, "pictures are not compressed; let the name end in .{name}");
    let template = output.to_str().with_context(|| format!("{} is not UTF-8", shown(output)))?;
    Ok(parse(template, format)?)
}
