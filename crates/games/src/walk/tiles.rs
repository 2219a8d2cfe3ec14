//! Tests of tiles: a walk through the tiles of a text says what a walk through the whole text says.

use std::io::{self, Cursor, Read};
use std::path::Path;

use crate::parallel::Workers;
use crate::walk::{Check, Job, Listener, Place, ReadOptions, census};
use pgn2fen_pgn::diagnostic::Diagnostic;
use pgn2fen_pgn::lists::Form;
use pgn2fen_sources::{ReadAt, Source, Tile, Tiles};

/// Text with games, comments, text between games and errors, of which each game is a little different.
fn text() -> Vec<u8> {
    let mut text = String::new();
    for game in 0..400 {
        text += &match game % 5 {
            0 => format!("[White \"A{game}\"]\n\n1. e4 {{ [x \"y\"] {game} }} e5 1-0\n\n"),
            1 => format!("; a comment\n[White \"B\"]\n[Round \"{game}\"]\r\n\r\n1. d4 Qx{game} *\r\n"),
            2 => format!("\n\n1. c4 {{ one\n\n[White \"no\"]\n\n1. e4 * }} c5 2. Nf{game} 0-1 lost text\n"),
            3 => format!("% escaped {game}\n[White \"C\"]\n[White \"C\"]\n\n1. e4 e5 1/2-1/2 1. d4 *\n"),
            _ => "some words\n".repeat(game % 7),
        };
    }
    text.into_bytes()
}

#[derive(Default)]
struct Told(Vec<(String, Option<u64>, Place)>);

impl Listener for Told {
    fn diagnostic(&mut self, diagnostic: &Diagnostic, place: Place) {
        self.0.push((diagnostic.to_string(), diagnostic.game, place));
    }
}

fn check(sources: impl IntoIterator<Item = Source>, workers: &Workers) -> (u64, Told) {
    let (mut job, mut told) = (Check::new(ReadOptions::default()), Told::default());
    for source in sources {
        job.read(workers, Path::new(""), source, &mut told).unwrap();
    }
    (job.totals().count.games, told)
}

fn whole(text: &[u8]) -> Source {
    Source::stream(Box::new(Cursor::new(text.to_vec())), None).unwrap()
}

#[test]
fn tiles_of_a_stream_say_what_the_whole_says() {
    let (text, workers) = (text(), Workers::new(1).unwrap());
    let expected = check([whole(&text)], &workers);
    assert!(expected.0 > 300 && expected.1.0.len() > 100);
    for size in [1, 100, 5000, 1_000_000] {
        let (mut job, mut told) = (Check::new(ReadOptions::default()), Told::default());
        let mut tiles = Tiles::new(whole(&text)).unwrap();
        let mut lines = (0, 0);
        while let Some(tile) = tiles.next(size) {
            let source = tile.source(job.totals().count.games, lines);
            job.read(&workers, Path::new(""), source, &mut told).unwrap();
            lines = tile.lines_after(lines);
        }
        assert_eq!((job.totals().count.games, told.0), (expected.0, expected.1.0.clone()), "{size}");
    }
}

struct Bytes<'t>(&'t [u8]);

impl ReadAt for Bytes<'_> {
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (&self.0[usize::try_from(offset).unwrap()..]).read(buffer)
    }
}

#[test]
fn tiles_of_a_file_say_what_the_whole_says() {
    let (text, workers) = (text(), Workers::new(1).unwrap());
    let expected = check([whole(&text)], &workers);
    let length = text.len() as u64;
    for size in [1, 777, 5000, 1_000_000] {
        let (mut games, mut lines, mut end, mut memory) = (0, (0, 0), 0, Vec::new());
        let mut sources = Vec::new();
        while end < length {
            let range = (end, end + size);
            let tile = Tile::read(&mut Bytes(&text), length, (Form::Games, None), range, std::mem::take(&mut memory));
            let tile = tile.unwrap();
            assert_eq!(tile.span().start, end);
            sources.push(tile.source(games, lines));
            games += census(&workers, tile.source(0, (0, 0)), &ReadOptions::default()).unwrap().games;
            (lines, end) = (tile.lines_after(lines), tile.span().end);
            // A source still holds the text, which must not change.
            memory = tile.into_memory();
        }
        let told = check(sources, &workers);
        assert_eq!((told.0, told.1.0), (expected.0, expected.1.0.clone()), "{size}");
    }
}
