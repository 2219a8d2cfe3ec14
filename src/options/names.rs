//! The option for players under several names.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};

use pgn2fen_files::{OutputError, refuse_to_replace};
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
    names: Option<NamesFile>,
}

/// The file of `--names`.
#[derive(Clone, Debug)]
struct NamesFile {
    path: PathBuf,
    players: Players,
}

impl NamesArguments {
    /// Returns the players of the file; none if there is no file.
    pub(crate) fn players(&self) -> Players {
        self.names.as_ref().map_or_else(Players::default, |names| names.players.clone())
    }

    /// Refuses to replace the file by an output.
    pub(crate) fn refuse_output(&self, output: Option<&Path>) -> Result<(), OutputError> {
        match (&self.names, output) {
            (Some(names), Some(output)) => refuse_to_replace(&[(names.path.clone(), Ok(()))], output),
            _ => Ok(()),
        }
    }
}

/// Reads the file of `--names`.
fn names_file() -> impl TypedValueParser<Value = NamesFile> {
    OsStringValueParser::new().try_map(|path: OsString| {
        let path = PathBuf::from(path);
        let name = shown(&path);
        let text = read_text(&path).map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        let players = Players::read(&text).map_err(|error| io::Error::other(format!("{name}:{error}")))?;
        Ok::<_, io::Error>(NamesFile { path, players })
    })
}
