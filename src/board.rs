//! `pgn2fen board`: draws a position.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use crate::color::{self, WARNING};
use crate::examples::examples;
use crate::options::reading::letters;
use crate::options::running::When;
use crate::outcome::Outcome;
use crate::output::Output;
use crate::say::Line;
use crate::stdout::print;
use pgn2fen_board::{Arrow, Board, BoardError, Colors, Paint, TextStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_chess::square::Square;
use pgn2fen_files::{Compression, EndingError, EndingRules, agreed};
use pgn2fen_games::messages::{plain, quoted, shown};
use pgn2fen_games::typed::{TypedDiagram, read_diagram_by};

/// The maximum length of a text on standard input, in bytes. A longer text is an error.
const LONGEST_TEXT: u64 = 1 << 20;

/// The endings of output files, for messages.
const ENDINGS: &str = ".svg, .png, .txt, .html, .md, .tex or .fen";

/// Draw the board of a position, or of the position after some moves.
///
/// On a terminal, the board is text in colours. Otherwise it is an SVG picture. With -o, the ending of the file
/// decides. If moves are given, the squares of the last one are coloured, and a king in check is marked.
#[derive(Debug, Args)]
#[command(after_long_help = examples(EXAMPLES))]
pub(crate) struct BoardArguments {
    /// A FEN, an EPD, startpos, or moves such as 1. e4 c5 2. Nf3. Standard input if there is none, or for `-`
    ///
    /// All words together are one position, with or without quotes.
    #[arg(value_name = "POSITION")]
    words: Vec<String>,
    /// Write to FILE, which appears when it is complete; its ending chooses the format
    ///
    /// The endings are .svg .png .txt .html .md .tex .fen; .gz .zst .bz2 after them (but .png) compress the file.
    /// Another ending needs --format.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// The output format
    #[arg(short, long, value_enum, value_name = "FORMAT", help_heading = "Output")]
    format: Option<BoardFormat>,
    /// Print the board as text, as -f text does
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    text: bool,
    /// The side at the bottom: white, black, or the side to move
    #[arg(long, value_enum, value_name = "SIDE", default_value_t = Orientation::White, help_heading = "Board")]
    orientation: Orientation,
    /// Colour the squares of this move, such as e2e4, instead of those of the last move in POSITION
    #[arg(long, value_name = "MOVE", value_parser = squares_of_move, conflicts_with = "no_last_move")]
    #[arg(help_heading = "Board")]
    last_move: Option<(Square, Square)>,
    /// Do not colour the squares of the last move
    #[arg(long, help_heading = "Board")]
    no_last_move: bool,
    /// Do not mark a king in check
    #[arg(long, help_heading = "Board")]
    no_check: bool,
    /// Draw arrows and circles, separated by commas, such as e2e4,g1f3:red,d5:blue
    ///
    /// An arrow is two squares, and a circle is one. The colour is green, red, yellow, blue or one such as #cc3333;
    /// green if none is given.
    #[arg(long = "arrow", value_name = "ARROWS", value_delimiter = ',', help_heading = "Board")]
    arrows: Vec<Arrow>,
    /// Colour squares, separated by commas, such as d4,e5:red
    #[arg(long = "fill", value_name = "SQUARES", value_delimiter = ',', value_parser = fill, help_heading = "Board")]
    fills: Vec<(Square, Paint)>,
    /// Mark squares with a cross, separated by commas, such as a3,b4
    #[arg(long = "mark", value_name = "SQUARES", value_delimiter = ',', value_parser = square, help_heading = "Board")]
    marks: Vec<Square>,
    /// Show the side to move by a disc beside the board
    #[arg(long, help_heading = "Board")]
    show_turn: bool,
    /// The width and height of the board in pixels; 360 if it is not given
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(1..=4096), help_heading = "Board")]
    size: Option<u32>,
    /// Leave out the letters and digits at the edges
    #[arg(long, help_heading = "Board")]
    no_coordinates: bool,
    /// The colours of the board: brown, green, blue, gray, or single ones
    ///
    /// light, dark, coordinates, last-move, check and mark are single colours, as in light=#fff,dark=#789. The name of
    /// a set may come first: green,last-move=#ff08.
    #[arg(long, value_name = "COLORS", help_heading = "Board")]
    colors: Option<Colors>,
    /// The game of POSITION, such as crazyhouse, threeCheck or horde; found in POSITION if it is not given
    ///
    /// The names are those of the column variant. The form of a FEN tells crazyhouse (RNBQKBNR[QNp]) and three-check
    /// (3+3), and the tag Variant of a game its variant. All else is chess.
    #[arg(long, value_name = "VARIANT", value_parser = variant)]
    variant: Option<Rules>,
    /// The language of the piece letters in POSITION, such as de, fr, es, ru
    #[arg(long, value_name = "LANGUAGE", default_value = "en", value_parser = letters)]
    lang: Letters,
    /// When to colour messages and boards that are text; auto does so on a terminal unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    // `color::choose` reads this option before the command line is parsed.
    color: When,
}

const EXAMPLES: &str = "\
Examples:
  pgn2fen board '1. e4 c5 2. Nf3'                     print the board on a terminal
  pgn2fen board '1. e4 c5 2. Nf3' -o sicilian.svg     write a picture, with the last move
  pgn2fen board startpos --size 800 -o start.png      write a PNG picture of 800 by 800 pixels
  pgn2fen board --orientation turn --arrow e7e5,g8f6:red '1. e4' > e4.svg
  pgn2fen board --variant crazyhouse '1. e4 d5 2. exd5 Qxd5 3. @e4' -o drop.png
  pgn2fen board -f html '8/8/8/4k3/8/4K3/4P3/8 w - - 0 1' >> page.html

Exit status: 0 if the board was drawn, 2 for wrong usage, for a text that is no position, or if a file could not be \
written.";

/// The format of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BoardFormat {
    /// An SVG picture
    Svg,
    /// A PNG picture
    Png,
    /// Text with the chess figures of Unicode
    Text,
    /// Text with the piece letters of a FEN
    Ascii,
    /// An img element of HTML that contains the picture
    Html,
    /// An image of Markdown that contains the picture
    Markdown,
    /// A command of the LaTeX package chessboard
    Latex,
    /// The FEN between the tags [fen] and [/fen], for forums
    Bbcode,
    /// The FEN
    Fen,
}

impl BoardFormat {
    /// Returns the format for an ending in lower case.
    fn of_ending(ending: &str) -> Option<Self> {
        Some(match ending {
            "svg" => Self::Svg,
            "png" => Self::Png,
            "txt" => Self::Text,
            "html" | "htm" => Self::Html,
            "md" => Self::Markdown,
            "tex" => Self::Latex,
            "fen" => Self::Fen,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Text => "text",
            Self::Ascii => "ascii",
            Self::Html => "html",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Bbcode => "bbcode",
            Self::Fen => "fen",
        }
    }

    fn rules(self) -> EndingRules {
        let is_png = self == Self::Png;
        EndingRules { name: self.name(), is_binary: is_png, is_compressed: is_png, may_be_bin: false }
    }

    /// Whether the format is a picture, or contains one.
    fn is_picture(self) -> bool {
        matches!(self, Self::Svg | Self::Png | Self::Html | Self::Markdown)
    }

    /// Whether the format is a board of characters.
    fn is_text(self) -> bool {
        matches!(self, Self::Text | Self::Ascii)
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Orientation {
    White,
    Black,
    Turn,
}

/// Parses the squares of a move in UCI notation.
fn squares_of_move(text: &str) -> Result<(Square, Square), String> {
    let uci = Uci::from_ascii(text.as_bytes()).filter(|uci| *uci != Uci::NULL);
    let squares =
        uci.and_then(|_| Square::from_ascii(&text.as_bytes()[..2]).zip(Square::from_ascii(&text.as_bytes()[2..4])));
    squares.ok_or_else(|| "give the squares of a move, such as e2e4".to_owned())
}

/// Parses the name of a game.
fn variant(text: &str) -> Result<Rules, String> {
    Rules::game_named(text).map(|(rules, _)| rules).ok_or_else(|| format!("give one of {}", Rules::game_names()))
}

/// Parses a square.
pub(crate) fn square(text: &str) -> Result<Square, String> {
    Square::from_ascii(text.as_bytes()).ok_or_else(|| "give a square, such as e4".to_owned())
}

/// Parses a square with its colour, which is green if none is given.
pub(crate) fn fill(text: &str) -> Result<(Square, Paint), String> {
    let (name, paint) = match text.split_once(':') {
        Some((name, paint)) => (name, paint.parse().map_err(|error: BoardError| error.to_string())?),
        None => (text, Paint::Green),
    };
    Square::from_ascii(name.as_bytes())
        .map(|square| (square, paint))
        .ok_or_else(|| "give a square, such as e4, or one with its colour, such as e4:red".to_owned())
}

/// Runs `pgn2fen board [POSITION]`.
pub(crate) fn board(arguments: &BoardArguments) -> Result<Outcome> {
    let output = arguments.output.as_deref().filter(|path| *path != Path::new("-"));
    let (format, compression) = arguments.format(output)?;
    arguments.check(format)?;
    let typed = arguments.position()?;
    let board = arguments.board(&typed);
    let drawn = match format {
        BoardFormat::Svg => board.to_svg().into_bytes(),
        BoardFormat::Png => board.to_png()?,
        BoardFormat::Text | BoardFormat::Ascii => {
            let ansi = matches!(arguments.color, When::Always) || output.is_none() && color::is_stdout_colored();
            board.to_text(TextStyle { ascii: format == BoardFormat::Ascii, ansi }).into_bytes()
        }
        BoardFormat::Html => board.to_html().into_bytes(),
        BoardFormat::Markdown => board.to_markdown().into_bytes(),
        BoardFormat::Latex => board.to_latex().into_bytes(),
        BoardFormat::Bbcode => board.to_bbcode().into_bytes(),
        BoardFormat::Fen => format!("{}\n", typed.setup).into_bytes(),
    };
    match output {
        Some(path) => {
            let mut output = Output::open(Some(path), compression)?;
            ensure!(
                format != BoardFormat::Png || !output.is_terminal(),
                "{} is a terminal, which cannot show PNG",
                shown(path)
            );
            let name = output.name();
            output.write_all(&drawn).with_context(|| format!("cannot write to {name}"))?;
            output.finish()?;
        }
        // The board is made of characters that are safe for a terminal. Its colours would not pass through an `Output`.
        None => print(&drawn)?,
    }
    Ok(Outcome::Clean)
}

impl BoardArguments {
    /// Returns the format and the compression of the output.
    fn format(&self, output: Option<&Path>) -> Result<(BoardFormat, Compression)> {
        let chosen = self.format.or(self.text.then_some(BoardFormat::Text));
        let Some(file) = output else {
            let is_terminal = io::stdout().is_terminal();
            let format = chosen.unwrap_or(if is_terminal { BoardFormat::Text } else { BoardFormat::Svg });
            ensure!(format != BoardFormat::Png || !is_terminal, "a terminal cannot show PNG; use -o FILE.png");
            return Ok((format, Compression::None));
        };
        match agreed(file, chosen, BoardFormat::of_ending, BoardFormat::rules) {
            Ok((Some(format), compression)) => Ok((format, compression)),
            Ok((None, _)) => bail!("the ending of {} names no format of boards; use {ENDINGS}, or -f", shown(file)),
            Err(EndingError::Foreign { file, what, .. }) => {
                bail!("{} has the ending of {what}, which cannot be written here; use {ENDINGS}", shown(&file))
            }
            Err(EndingError::CompressedTwice { .. }) => {
                bail!("PNG pictures have compression of their own; let the name end in .png")
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses options that the format cannot express.
    fn check(&self, format: BoardFormat) -> Result<()> {
        let only_pictures = [
            ("--arrow", !self.arrows.is_empty()),
            ("--fill", !self.fills.is_empty()),
            ("--mark", !self.marks.is_empty()),
            ("--size", self.size.is_some()),
            ("--show-turn", self.show_turn),
        ];
        let only_boards = [
            ("--last-move", self.last_move.is_some()),
            ("--no-last-move", self.no_last_move),
            ("--no-check", self.no_check),
            ("--colors", self.colors.is_some()),
        ];
        let only_diagrams = [
            ("--orientation", !matches!(self.orientation, Orientation::White)),
            ("--no-coordinates", self.no_coordinates),
        ];
        let name = format.name();
        let first =
            |options: &[(&'static str, bool)]| options.iter().find(|(_, is_used)| *is_used).map(|(name, _)| *name);
        if !format.is_picture()
            && let Some(option) = first(&only_pictures)
        {
            bail!("{option} needs a picture, and the format is {name}; use -f svg, png, html or markdown");
        }
        if !format.is_picture()
            && !format.is_text()
            && let Some(option) = first(&only_boards)
        {
            bail!("{option} has no effect on the format {name}; use -f svg, png, html, markdown, text or ascii");
        }
        if matches!(format, BoardFormat::Bbcode | BoardFormat::Fen)
            && let Some(option) = first(&only_diagrams)
        {
            bail!("{option} has no effect on the format {name}, which is a FEN");
        }
        Ok(())
    }

    /// Reads the position, and prints what had to be repaired in its text.
    fn position(&self) -> Result<TypedDiagram> {
        let is_stdin = self.words.is_empty() || self.words == ["-"];
        let text = if is_stdin { standard_input()? } else { self.words.join(" ") };
        let typed = match read_diagram_by(&text, &self.lang, self.variant) {
            Err(mistake) if !is_stdin && Path::new(&text).is_file() => {
                let file = quoted(OsStr::new(&text));
                bail!(
                    "{mistake}\n{} is a file; pgn2fen board < {file} draws its position or the end of its game, and \
                     pgn2fen -p -1 -o boards.html {file} the ends of all its games",
                    plain(&text)
                )
            }
            typed => typed?,
        };
        if let Some(repair) = &typed.repair {
            Line::painted(WARNING, "warning").and(&format!(": {repair}")).to_stderr();
        }
        Ok(typed)
    }

    /// Returns the board as the options want it.
    fn board(&self, typed: &TypedDiagram) -> Board {
        let mut board = Board::of_setup(&typed.setup)
            .orientation(match self.orientation {
                Orientation::White => Color::White,
                Orientation::Black => Color::Black,
                Orientation::Turn => typed.setup.turn,
            })
            .check(!self.no_check)
            .coordinates(!self.no_coordinates)
            .turn_mark(self.show_turn)
            .colors(self.colors.unwrap_or_default());
        // A drop has one square.
        let played = typed.moves.last().and_then(|played| played.from().or(played.to()).zip(played.to()));
        if let Some((from, to)) = self.last_move.or(played.filter(|_| !self.no_last_move)) {
            board = board.last_move(from, to);
        }
        if let Some(size) = self.size {
            board = board.size(size);
        }
        board = self.fills.iter().fold(board, |board, (square, paint)| board.fill(*square, *paint));
        board = self.marks.iter().fold(board, |board, square| board.mark(*square));
        self.arrows.iter().fold(board, |board, arrow| board.arrow(*arrow))
    }
}

/// Returns the text on standard input.
fn standard_input() -> Result<String> {
    ensure!(!io::stdin().is_terminal(), "give a position, such as startpos, a FEN or '1. e4 c5'");
    let mut text = Vec::new();
    io::stdin().lock().take(LONGEST_TEXT + 1).read_to_end(&mut text).context("cannot read standard input")?;
    ensure!(text.len() as u64 <= LONGEST_TEXT, "the text on standard input is too long for a position");
    Ok(String::from_utf8_lossy(&text).into_owned())
}
