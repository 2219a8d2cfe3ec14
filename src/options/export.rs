//! The options for games in the export format of the PGN standard.

use clap::{Args, ValueEnum};

use pgn2fen_games::export::{CommentChoice, ExportOptions, FenComments, TagChoice, WrongTagName};
use pgn2fen_games::walk::OnError;
use pgn2fen_rows::games::Cut;

#[derive(Debug, Args)]
#[command(next_help_heading = "Standard form")]
pub(crate) struct ExportArguments {
    /// Write games in the export format of the PGN standard, instead of copying them byte for byte
    ///
    /// The seven tag roster comes first, the other tags follow in ASCII order, moves are written in SAN with English
    /// letters, and lines have at most 79 characters. The text is UTF-8. The other options of this group imply
    /// --san. If a move cannot be played, the rest of the game becomes a comment, and the error is reported. A game
    /// without a usable starting position is left out.
    #[arg(long)]
    san: bool,
    /// Leave out comments (implies --san)
    #[arg(long)]
    no_comments: bool,
    /// The comments to write (implies --san)
    #[arg(long, value_enum, value_name = "WHICH", conflicts_with = "no_comments")]
    comments: Option<CommentsArgument>,
    /// Leave out variations (implies --san)
    ///
    /// Variations are not read, so errors in them are not reported.
    #[arg(long)]
    no_variations: bool,
    /// Leave out annotation glyphs, such as $1 and !? (implies --san)
    #[arg(long)]
    no_nags: bool,
    /// The tags to write: all, roster (the seven tag roster), none, or names with commas between them (implies
    /// --san)
    ///
    /// Of the names, those that a game has are written, in the order of the standard. SetUp and FEN are always written
    /// if the game does not start from the initial position, and so is Variant if only Chess960 has such castling
    /// rights.
    #[arg(long = "tags", value_name = "all|roster|none|LIST", value_parser = tag_choice)]
    written_tags: Option<TagChoice>,
    /// Add a comment with the FEN after the last move of the main line, or after every move (implies --san)
    #[arg(long, value_enum, value_name = "last|every", hide_possible_values = true)]
    add_fen: Option<AddFenArgument>,
    /// The greatest length of a line of moves, in characters, or 0 for one line (implies --san)
    ///
    /// The default is 79. Lines are broken only at blanks, so a longer word has a line of its own.
    #[arg(long, value_name = "N")]
    width: Option<usize>,
    /// Cut games behind a ply, such as ..24 (implies --san)
    ///
    /// The moves of the main line and of variations behind this ply are left out, and not read. Tags, result and
    /// comments up to there stay. -u, --duplicates and shares compare the moves that are written.
    #[arg(short = 'p', long = "ply", value_name = "..N")]
    cut: Option<Cut>,
    /// The way to write games that have errors (with --san)
    #[arg(long, value_enum, value_name = "WHAT")]
    on_error: Option<OnErrorArgument>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CommentsArgument {
    /// All comments (the default)
    All,
    /// The words of people, without commands such as [%clk 0:01:00]
    Words,
    /// The commands, and what engine matches write
    Commands,
    /// No comments, like --no-comments
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AddFenArgument {
    Last,
    Every,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum OnErrorArgument {
    /// Write the moves before the error, and the rest of the game as a comment (the default)
    Keep,
    /// Leave out the game
    Drop,
    /// Write the game in this way and stop
    Stop,
}

impl ExportArguments {
    /// Returns how games are written in the export format, or nothing if they are copied.
    pub(crate) fn options(&self) -> Option<ExportOptions> {
        let Self { san, no_comments, comments, no_variations, no_nags, written_tags, add_fen, width, cut, .. } = self;
        let has_part = *no_comments
            || comments.is_some()
            || *no_variations
            || *no_nags
            || written_tags.is_some()
            || add_fen.is_some()
            || cut.is_some()
            || width.is_some();
        if !san && !has_part {
            return None;
        }
        let comments = match comments {
            _ if *no_comments => CommentChoice::None,
            None | Some(CommentsArgument::All) => CommentChoice::All,
            Some(CommentsArgument::Words) => CommentChoice::Words,
            Some(CommentsArgument::Commands) => CommentChoice::Commands,
            Some(CommentsArgument::None) => CommentChoice::None,
        };
        let add_fen = match add_fen {
            None => FenComments::None,
            Some(AddFenArgument::Last) => FenComments::Last,
            Some(AddFenArgument::Every) => FenComments::Every,
        };
        Some(ExportOptions {
            tags: written_tags.clone().unwrap_or_default(),
            comments,
            variations: !no_variations,
            nags: !no_nags,
            add_fen,
            width: width.unwrap_or(ExportOptions::STANDARD_WIDTH),
            last_ply: cut.map(|cut| cut.last_ply),
            ..ExportOptions::default()
        })
    }

    /// Whether it was said what is done with games that have errors.
    pub(crate) fn has_on_error(&self) -> bool {
        self.on_error.is_some()
    }

    /// Returns what is done with games that have errors.
    pub(crate) fn on_error(&self) -> OnError {
        match self.on_error {
            None | Some(OnErrorArgument::Keep) => OnError::Keep,
            Some(OnErrorArgument::Drop) => OnError::Drop,
            Some(OnErrorArgument::Stop) => OnError::Stop,
        }
    }
}

/// Reads a choice of tags. A text with an operator is taken for a filter.
fn tag_choice(text: &str) -> Result<TagChoice, String> {
    text.parse().map_err(|error: WrongTagName| {
        let hint = if text.contains(['=', '<', '>', '~']) { " (a filter for games is given with -t)" } else { "" };
        format!("{error}{hint}")
    })
}
