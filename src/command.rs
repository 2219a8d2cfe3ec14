//! The whole command line: the arguments of every command, and the help.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

use crate::board::BoardArguments;
use crate::book::BookArguments;
use crate::check::CheckArguments;
use crate::examples::examples;
use crate::find::FindArguments;
use crate::games::GamesArguments;
use crate::index::IndexArguments;
use crate::players::PlayersArguments;
use crate::positions::PositionsArguments;
use crate::serve::ServeArguments;
use crate::site::SiteArguments;
use crate::starts::StartsArguments;
use crate::tree::TreeArguments;
use crate::version;

/// Print a FEN for every position of every game in PGN files.
///
/// Prints the starting position of each game and the position after each move of its main line: one FEN on each line,
/// games in the order of the files. A game with a FEN tag, Chess960 included, starts from the position of that tag. The
/// en passant square is written after every double push of a pawn, as in the PGN standard; --ep legal writes it only if
/// a capture is legal.
#[derive(Debug, Parser)]
#[command(name = "pgn2fen", version, long_version = version::LONG.as_str(), max_term_width = 100)]
#[command(args_conflicts_with_subcommands = true, after_help = MORE, after_long_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) positions: PositionsArguments,
}

const MORE: &str = "More options: pgn2fen --help. The options of a command: pgn2fen COMMAND --help.";

const EXAMPLES: &str = "\
Examples:
  pgn2fen games.pgn > positions.fen           write every position of every game
  pgn2fen games.pgn.zst -o all.fen            read a compressed file; all.fen appears when it is complete
  pgn2fen -r games                            read every PGN file in the folder games and its subfolders
  pgn2fen --ep legal --fields 4 games.pgn     leave out the move counters and useless e.p. squares
  pgn2fen -C White,Black,ply,fen -f csv games.pgn       write a table as CSV
  pgn2fen -C game,fen,eval,clk -o e.parquet games.pgn   write evaluations and clocks from the comments
  pgn2fen -t 'WhiteElo>=2200' -p 16 -u games.pgn        each position after 16 plies, once
  pgn2fen --lang de partien.pgn               read moves such as Sf3, Lb5, Dd8
  pgn2fen games -t 'WhiteElo>=2200' games.pgn -o strong.pgn   copy the games of strong players
  pgn2fen starts games.pgn                    list starting positions other than the initial position
  pgn2fen players games.pgn -o names.txt      list players, with all their names
  pgn2fen index -o games.idx games.pgn        build an index of all positions
  pgn2fen find games.idx '1. e4 c5'           find the games that reached a position
  pgn2fen serve games.idx                     look at the index in a browser
  pgn2fen site games.idx -o site              write the explorer of the index for any web host
  pgn2fen board '1. e4 c5' -o e4c5.svg        draw the board of a position
  pgn2fen book games.idx -o book.bin          write an opening book for engines
  pgn2fen tree games.pgn -o tree.pgn          make one tree of all games
  pgn2fen check games.pgn                     report errors and warnings only

Exit status: 0 if everything was read (warnings are allowed), 1 if some games had errors (0 with --exit-zero) or a \
format for
training got no positions, 2 for wrong usage or if a file could not be read or written.";

/// The commands. The help of a command comes from the documentation of its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(Box<GamesArguments>),
    Starts(Box<StartsArguments>),
    Players(Box<PlayersArguments>),
    Check(CheckArguments),
    Index(IndexArguments),
    Find(Box<FindArguments>),
    Serve(ServeArguments),
    Site(SiteArguments),
    Board(BoardArguments),
    Book(BookArguments),
    Tree(Box<TreeArguments>),
    /// Print a completion script for a shell
    #[command(after_help = "Example: pgn2fen completions bash > ~/.local/share/bash-completion/completions/pgn2fen")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of pgn2fen or of a command, or write all of them
    #[command(after_help = "Example: pgn2fen man -o ~/.local/share/man/man1")]
    Man {
        /// The command, such as find
        command: Option<String>,
        /// Write the pages of pgn2fen and of all commands to files in this folder
        #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
        output: Option<PathBuf>,
    },
}
