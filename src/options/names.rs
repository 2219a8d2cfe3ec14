//! The option for players under several names.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};

use pgn2fen_games::messages::shown;
use pgn2fen_games::players::{Players, read_text};

#[derive(Debug, Args)]
#[command(next_help_heading = "Games")]
pub(crate) struct NamesArguments {
    /// A file that says which names are those of one player, so that -t finds a player under all of them
    ///
    /// A line of the file is a player; the indented lines below it are further names, and FIDE ids, such as FIDE
    /// 1503014. `pgn2fen players` writes such a file. -t 'White=Carlsen, Magnus' then finds DrNykterstein, too, and -t
    /// 'Player~carlsen' all players one of whose names contains carlsen. If the file has the id in the tag WhiteFideId
    /// or BlackFideId, that decides who the player is.
    #[arg(long = "names", value_name = "FILE", value_parser = names_file(), value_hint = ValueHint::FilePath)]
    #[arg(hide_short_help = true)]
    names: Option<Players>,
}

impl NamesArguments {
    /// Returns the players of the file; none if there is no file.
    pub(crate) fn players(&self) -> Players {
        self.names.clone().unwrap_or_default()
    }
}

/// Reads the file of `--names`.
fn names_file() -> impl TypedValueParser<Value = Players> {
    OsStringValueParser::new().try_map(|path: OsString| {
        let path = Path::new(&path);
        let name = shown(path);
        let text = read_text(path).map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        Players::read(&text).map_err(|error| io::Error::other(format!("{name}:{error}")))
    })
}
