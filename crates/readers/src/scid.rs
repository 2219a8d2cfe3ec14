//! Scid databases: `base.si4` or `base.si5` is read as PGN, with the files of names and games beside it.
//!
//! # Inside
//!
//! - `base`, `error`: the three files of a database; why it cannot be read
//! - `entry`, `names`, `record`: an entry of the index; the names of players, events, sites and rounds; the parts of
//!   the record of a game
//! - `outline`: what the index states about the moves of a game, with which they are compared
//! - `line`: a position whose pieces have numbers, by which moves are stored
//! - `game`, `movetext`, `comments`: a game as PGN; its moves; its comments, which are stored behind the moves
//! - `text`, `pieces`: a reader of the text of some games; the readers of all games
//!
//! As for tables, everything behind `database` treats the games as a stream of PGN text. Some games at a time are a
//! piece that `Ahead` decodes on its own threads. Memory holds the names of the database and a few windows of the other
//! files.
//!
//! Each length, place and number of a file is checked where it is used, each move against the rules, and all moves of a
//! game against its entry in the index. So damage in a game has no effect on others. It is told by the text itself: a
//! line in the tag section, or a word in place of a move, which `walk` reports with the number of the game. What is
//! wrong with the index or the names as a whole is an error behind the last game.
//!
//! Facts about si4 come from asdfjkl/si4spec and from databases that Scid has written, those about si5 from the
//! description in the source of Scid.

mod base;
mod comments;
mod entry;
mod error;
mod game;
mod line;
mod movetext;
mod names;
mod outline;
mod pieces;
mod record;
mod text;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

pub use crate::scid::error::ScidError;

use crate::database::files::companions;
use crate::foreign::{Foreign, ForeignError};
use crate::games::TableGames;
use crate::input_format::{Input, InputFormat, Known, Origin};
use crate::scid::base::Base;
use crate::scid::pieces::Pieces;
use pgn2fen_bytes::Meter;

/// The kinds of files.
pub(crate) const NAMES: &[&str] = &[Version::Four.name(), Version::Five.name()];

/// A version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Four,
    Five,
}

impl Version {
    /// Returns the version of an index with these first bytes and this name. The index of si5 has no magic number.
    pub(super) fn detect(head: &[u8], path: &Path) -> Option<Self> {
        if head.starts_with(b"Scid.si\0") {
            return Some(Self::Four);
        }
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("si5")).then_some(Self::Five)
    }

    /// Returns the name of the format, as in "a Scid database".
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Four => "a Scid database (si4)",
            Self::Five => "a Scid database (si5)",
        }
    }

    /// Returns the ending of the file of names.
    fn names(self) -> &'static str {
        match self {
            Self::Four => "sn4",
            Self::Five => "sn5",
        }
    }

    /// Returns the ending of the file of games.
    fn games(self) -> &'static str {
        match self {
            Self::Four => "sg4",
            Self::Five => "sg5",
        }
    }

    /// Returns the number of bytes of an entry of the index.
    fn entry_size(self) -> usize {
        match self {
            Self::Four => 47,
            Self::Five => 56,
        }
    }

    /// Returns the offset of the entry of a game in the index. The first game has the number 0.
    fn entry_offset(self, game: u64) -> u64 {
        let header = match self {
            Self::Four => 182,
            Self::Five => 0,
        };
        header + game * self.entry_size() as u64
    }
}

/// Recognises the index of a database. The database has further files, so it must be on the disk.
pub(crate) fn detect(known: &Known<'_>) -> Option<Box<dyn InputFormat>> {
    let version = known.name.filter(|_| known.is_file).and_then(|path| Version::detect(known.head, path))?;
    Some(Box::new(version))
}

impl InputFormat for Version {
    fn name(&self) -> &'static str {
        Self::name(*self)
    }

    fn companions(&self, path: &Path) -> Vec<PathBuf> {
        companions(path, &[self.names(), self.games()])
    }

    fn open(&self, input: Input<'_>) -> io::Result<TableGames> {
        let (Origin::File(index), Some(path)) = (input.origin, input.name) else {
            return Err(ForeignError::within(Foreign::Scid, input.layers).into());
        };
        input.meter.restart();
        open(index, path, *self, input.meter)
    }
}

/// Opens the database with this index.
fn open(index: File, path: &Path, version: Version, meter: Meter) -> io::Result<TableGames> {
    let (base, damage) = Base::open(index.into(), path, version, meter)?;
    let guess = base.names.guess();
    let games = TableGames::new(|parts| Pieces::new(base, damage, parts));
    Ok(games.on_all_threads().with_guess(guess))
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::path::Path;
    use std::sync::Arc;
    use std::{fs, iter};

    use crate::games::GameParts;
    use crate::scid::Version;
    use crate::scid::base::{Base, FileNames};
    use crate::scid::entry::Entry;
    use crate::scid::names::{NameKind, Names};
    use crate::scid::outline::Outline;
    use crate::scid::pieces::Pieces;
    use pgn2fen_bytes::Meter;
    use pgn2fen_bytes::RandomAccess;
    use pgn2fen_pgn::games::Games;
    use pgn2fen_pgn::replay::Event;

    /// The three files of a database, in memory.
    #[derive(Clone)]
    struct Files {
        index: Vec<u8>,
        names: Vec<u8>,
        games: Vec<u8>,
        version: Version,
    }

    #[derive(Debug)]
    struct Memory(Vec<u8>);

    impl RandomAccess for Memory {
        fn length(&self) -> io::Result<u64> {
            Ok(self.0.len() as u64)
        }

        fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
            let at = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
            (&self.0[at..]).read(buffer)
        }
    }

    fn fixture(name: &str) -> Vec<u8> {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scid").join(name)).unwrap()
    }

    /// Returns the database that Scid has made of `games.pgn`.
    fn four() -> Files {
        let [index, names, games] = ["games.si4", "games.sn4", "games.sg4"].map(fixture);
        Files { index, names, games, version: Version::Four }
    }

    /// Returns the same games as a database of version 5. It is made here, from the description of the format.
    fn five() -> Files {
        let Files { index, names, games, .. } = four();
        let (names, damage) = Names::read(names, Version::Four);
        assert_eq!(damage, None);
        let mut five = Vec::new();
        // A note about the database, which is no name.
        five.extend([5 << 3 | 4, b't', b'y', b'p', b'e', b'2']);
        for (number, kind) in (0..).zip([NameKind::Player, NameKind::Event, NameKind::Site, NameKind::Round]) {
            for name in (0..).map_while(|number| names.get(kind, number)) {
                let head = name.len() << 3 | number;
                // No name of the fixture is longer than 15 bytes.
                five.push(u8::try_from(head).ok().filter(|head| *head < 128).unwrap());
                five.extend(name);
            }
        }
        let entries = index[182..].chunks(47).map(|bytes| Entry::read(bytes, Version::Four).unwrap());
        let index = entries.flat_map(|entry| entry_of_five(&entry)).collect();
        Files { index, names: five, games, version: Version::Five }
    }

    /// Returns the database of version 5 that Scid has made of `five.pgn`.
    fn made_by_scid_five() -> Files {
        let [index, names, games] = ["five.si5", "five.sn5", "five.sg5"].map(fixture);
        Files { index, names, games, version: Version::Five }
    }

    /// Returns all places of a file and what is flipped there: each bit, and all of them.
    fn flips(length: usize) -> impl Iterator<Item = (usize, u8)> {
        (0..length).flat_map(|at| (0..8).map(move |bit| (at, 1 << bit)).chain([(at, 0xFF)]))
    }

    /// Writes an entry of version 5 from its description.
    fn entry_of_five(entry: &Entry) -> Vec<u8> {
        let bits = |date: (u32, u32, u32)| date.0 << 9 | date.1 << 5 | date.2;
        let [white_kind, black_kind] = entry.rating_kinds.map(u32::from);
        let [white_rating, black_rating] = entry.ratings.map(u32::from);
        let Outline { plies, material, pawns, variations, nags } = &entry.outline;
        let words = [
            7 << 28 | entry.white,
            u32::from(*variations) << 28 | entry.black,
            u32::from(*nags) << 28 | entry.event,
            entry.site,
            u32::from(entry.is_chess960) << 31 | entry.round,
            white_rating << 20 | bits(entry.date.fields()),
            black_rating << 20 | bits(entry.event_date.fields()),
            u32::from(*plies) << 22 | entry.flags,
            entry.length << 15 | (entry.offset >> 32) as u32,
            (entry.offset & 0xFFFF_FFFF) as u32,
            0xFF << 24 | material,
            (u32::from(pawns.count) << 8 | white_kind << 5 | black_kind << 2 | u32::from(entry.result)) << 16
                | u32::from(entry.eco),
        ];
        words.iter().flat_map(|word| word.to_le_bytes()).chain(pawns.pawns).collect()
    }

    /// Returns the text of all games, and whether the database is damaged as a whole.
    fn read(files: &Files) -> (Vec<u8>, bool) {
        let Files { index, names, games, version } = files.clone();
        let (index, games) = (Arc::new(Memory(index)), Arc::new(Memory(games)));
        let [index_name, names_name, games_name] = ["base.si", "base.sn", "base.sg"].map(str::to_owned);
        let file_names = FileNames { index: index_name, names: names_name, games: games_name };
        let Ok((base, damage)) = Base::new(index, names, games, file_names, version, Meter::default()) else {
            return (Vec::new(), true);
        };
        let mut text = Vec::new();
        for piece in Pieces::new(base, damage, GameParts::ALL) {
            match piece {
                Ok(mut piece) => piece.read_to_end(&mut text).map(drop).unwrap(),
                Err(_) => return (text, true),
            }
        }
        (text, false)
    }

    /// Returns the text of each game. Plays all of their moves.
    fn play(text: &[u8]) -> Vec<Vec<u8>> {
        let games = Games::new(text);
        let games = games.map(|game| {
            for event in game.moves().into_iter().flatten() {
                if event.is_err() {
                    break;
                }
            }
            game.bytes().to_vec()
        });
        games.collect()
    }

    #[test]
    fn the_games_of_a_database_are_those_of_its_pgn() {
        let pgn = String::from_utf8(fixture("games.pgn")).unwrap();
        for files in [four(), five()] {
            let (text, is_damaged) = read(&files);
            assert_eq!(String::from_utf8(text).unwrap(), pgn, "{:?}", files.version);
            assert!(!is_damaged);
        }
        let (text, is_damaged) = read(&made_by_scid_five());
        assert_eq!(text, fixture("five.pgn"));
        assert!(!is_damaged);
    }

    /// What can be read of a line or of all lines of a game.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Reading {
        plies: usize,
        has_error: bool,
    }

    /// Returns what can be read of each game: of its main line, and with its variations.
    fn readings(text: &[u8]) -> Vec<[Reading; 2]> {
        let games = Games::new(text).map(|game| {
            let mut readings = [Reading { plies: 0, has_error: false }; 2];
            let Ok(moves) = game.moves() else {
                return [Reading { plies: 0, has_error: true }; 2];
            };
            let mut depth = 0;
            for event in moves {
                // What is in a variation is nothing of the main line.
                let lines = &mut readings[usize::from(depth > 0)..];
                match event {
                    Ok(Event::Move(_)) => lines.iter_mut().for_each(|reading| reading.plies += 1),
                    Ok(Event::VariationStart) => depth += 1,
                    Ok(Event::VariationEnd) => depth -= 1,
                    Ok(_) => {}
                    Err(_) => lines.iter_mut().for_each(|reading| reading.has_error = true),
                }
            }
            readings
        });
        games.collect()
    }

    #[test]
    fn a_flipped_byte_of_a_record_is_an_error_or_loses_no_ply() {
        for files in [four(), five(), made_by_scid_five()] {
            let whole = readings(&read(&files).0);
            assert!(whole.as_flattened().iter().all(|reading| !reading.has_error));
            for (at, flip) in flips(files.games.len()) {
                let mut files = files.clone();
                files.games[at] ^= flip;
                let (text, is_damaged) = read(&files);
                assert!(!is_damaged);
                let read = readings(&text);
                assert_eq!(read.len(), whole.len());
                for ([main, all], [whole_main, whole_all]) in read.iter().zip(&whole) {
                    let is_main_told = main.has_error || main == whole_main;
                    let are_all_told = all.has_error || all.plies >= whole_all.plies;
                    assert!(is_main_told && are_all_told, "byte {at}, {flip:#x}: {read:?} instead of {whole:?}");
                }
            }
        }
    }

    #[test]
    fn a_flipped_byte_of_the_index_is_an_error_or_loses_no_ply() {
        for files in [four(), five(), made_by_scid_five()] {
            let whole = readings(&read(&files).0);
            for (at, flip) in flips(files.index.len()) {
                let mut files = files.clone();
                files.index[at] ^= flip;
                let (text, is_damaged) = read(&files);
                let read = readings(&text);
                let is_told = is_damaged || read.iter().any(|[main, _]| main.has_error);
                assert!(is_told || read == whole, "byte {at}, {flip:#x}: {read:?}");
            }
        }
    }

    #[test]
    fn damage_in_the_record_of_a_game_touches_no_other_game() {
        let whole = play(&read(&four()).0);
        assert_eq!(whole.len(), 6);
        let files = four();
        for at in 0..files.games.len() {
            for flip in [0x01, 0x08, 0x10, 0x7F, 0x80, 0xFF] {
                let mut files = files.clone();
                files.games[at] ^= flip;
                let games = play(&read(&files).0);
                assert_eq!(games.len(), 6, "byte {at}, {flip}");
                let changed = games.iter().zip(&whole).filter(|(game, whole)| game != whole).count();
                assert!(changed <= 1, "byte {at}, {flip}: {changed} games");
            }
            let mut files = files.clone();
            files.games.truncate(at);
            assert_eq!(play(&read(&files).0).len(), 6, "{at} bytes");
        }
    }

    #[test]
    fn any_damage_to_the_index_or_the_names_leaves_games_to_read() {
        for files in [four(), five()] {
            let part = |files: &Files, nth| if nth == 0 { files.index.len() } else { files.names.len() };
            for (nth, at) in [0, 1].into_iter().flat_map(|nth| (0..part(&files, nth)).map(move |at| (nth, at))) {
                for flip in iter::once(None).chain([0x01, 0x08, 0x7F, 0x80, 0xFF].map(Some)) {
                    let mut files = files.clone();
                    let bytes = if nth == 0 { &mut files.index } else { &mut files.names };
                    match flip {
                        None => bytes.truncate(at),
                        Some(flip) => bytes[at] ^= flip,
                    }
                    let (text, is_damaged) = read(&files);
                    let games = play(&text).len();
                    assert!(games == 6 || games < 6 && nth == 0 && is_damaged || flip.is_none() && nth == 0);
                }
            }
        }
    }

    #[test]
    fn comments_without_marks_belong_to_the_moves_behind_the_last_mark() {
        use crate::scid::movetext::MovetextWriter;
        use crate::scid::record::Record;
        use pgn2fen_pgn::token::Outcome;

        #[track_caller]
        fn check(moves: &[u8], comments: &[u8], expected: &str) {
            let bytes = [b"\0\0", moves, &[15], comments].concat();
            let record = Record::read(&bytes).unwrap();
            let mut writer = MovetextWriter::default();
            let text = writer.write(&record, Outcome::Unknown, &Outline::default());
            assert_eq!(String::from_utf8_lossy(text), expected);
        }
        const E4: u8 = 0xCF;
        const D4: u8 = 0xBF;
        check(&[D4, 12, D4, E4, 11, 1, E4], b"a\0b\0\0c\0", "1. d4 {a} 1... d5 {b} 2. e4 $1 e5 {c} *");
        check(&[E4, E4], b"a\0b\0", "{a} 1. e4 {b} 1... e5 *");
        check(&[E4, 12, 13, D4, 14, E4], b"a\0b\0c\0d\0", "1. e4 {a} ({b} 1. d4 {c}) 1... e5 {d} *");
        check(&[E4, 12], b"a {b} c\n d}\0", "1. e4\n;a {b} c\n; d}\n*");
    }
}
