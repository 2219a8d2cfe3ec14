//! The tests that look at pgn2fen from outside: the command as its users meet it, and the crates as programs use them.
//! The first lines of each file say what it holds. Unit tests stand beside the code, in the crates.
//!
//! Laws, which hold for every input:
//!
//! - `borders`: where games begin and end
//! - `laws`, `cuts`, `damage`, `endless`, `hop`: the output does not depend on threads, cuts and pipes
//! - `compressed`, `zip`, `ranges`, `lists`, `table_input`, `text_tables`, `records`, `scid`, `chessbase`: the same for
//!   what is read in other ways
//! - `parts`: what a job does not read is left out of the text of records, and changes nothing
//! - `epd`: operations on the lines of a list are columns, and are written again
//! - `encodings`: old text is decoded alike in rows, messages and filters, however a file is read
//! - `remote`: files behind addresses, which servers send in every wrong way
//! - `linear`, `memory`, `bounds`: time is linear, and memory is bounded
//! - `playouts`, `perft`, `castling`, `spelling`, `openings`: the rules, and moves as they are written
//! - `variants`: games of variants, and the jobs that refuse them
//! - `pull`, `stream`, `background`, `walking`: games and jobs that are pulled, and any job
//! - `training_input`: training data is read as it was written, and what cannot be read is told
//! - `rows`, `game_rows`, `tree`, `evals`, `training`, `gallery`, `wildcards`: rows say the same in every format
//! - `shuffle`, `manifest`: records in random order, and parts that no game crosses; runs that go on where others ended
//! - `judgement`: moves and games are judged as Lichess judges them
//! - `studies`: games divided into chapters of studies
//! - `games_command`, `copies`, `edits`, `export`, `selection`, `shape`, `starts`: what is chosen, copied, changed and
//!   written anew
//! - `players`: one player under several names, in lists, filters, indexes, books and duplicates
//! - `index`, `books`, `serve`: an index says what a scan says, books and the explorer say what the index says
//! - `tournament`: what cannot be right in a tournament is found, wherever the games stand
//! - `trees`: trees of games say what a merge of the games says
//! - `compare`: games leave a repertoire where a comparison of positions says so; cards are its positions
//!
//! Examples, which are files in `fixtures`:
//!
//! - `cases`: one input each, with the FENs, messages and exit status that are expected
//! - `games`: real games, against another program's reading
//! - `published`: tables that others have published, made again
//! - `pgn_extract`: the commands of the guide, against pgn-extract
//!
//! The command:
//!
//! - `cli`, `first_minute`, `comfort`, `hands`, `messages`, `nothing_read`, `edges`, `kinds`, `windows`: its output
//! - `board`, `starts_command`, `export_command`: its subcommands
//!
//! The repository:
//!
//! - `guide`, `tasks`: the commands of the README and of `docs` print what the pages show, and links lead somewhere;
//!   tasks of the recipes end in files with what they should have
//! - `packages`, `tidy`: licences of packages; rules of the sources

mod background;
mod board;
mod books;
mod borders;
#[cfg(target_os = "linux")]
mod bounds;
mod cases;
mod castling;
mod chessbase;
mod cli;
mod comfort;
mod compare;
mod compressed;
mod copies;
mod cuts;
mod damage;
mod edges;
mod edits;
mod encodings;
mod endless;
mod epd;
mod evals;
mod export;
mod export_command;
mod first_minute;
mod gallery;
mod game_rows;
mod games;
mod games_command;
mod guide;
mod hands;
mod hop;
mod index;
mod inserted;
mod judgement;
mod kinds;
mod laws;
mod linear;
mod lists;
mod manifest;
// The system limits the memory.
#[cfg(target_os = "linux")]
mod memory;
mod messages;
mod nothing_read;
mod openings;
mod options;
mod packages;
mod parts;
mod perft;
// Its commands are run by sh.
#[cfg(unix)]
mod pgn_extract;
mod players;
mod playouts;
mod published;
mod pull;
mod ranges;
mod records;
mod remote;
mod rows;
mod scid;
mod selection;
mod serve;
mod shape;
mod shuffle;
mod site;
mod spelling;
mod starts;
mod starts_command;
mod stream;
mod studies;
mod table_input;
#[cfg(unix)]
mod tasks;
mod text_tables;
mod tidy;
mod tournament;
mod training;
mod training_input;
mod tree;
mod trees;
mod variants;
mod walking;
mod wildcards;
#[cfg(windows)]
mod windows;
mod zip;
