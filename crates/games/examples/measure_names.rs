use pgn2fen_games::players::{PlayerSurvey, Players};
use pgn2fen_games::walk::{Check, Job, ReadOptions, census};
use pgn2fen_games::{Database, Source, Workers};
use std::path::Path;
use std::time::Instant;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read(&path).unwrap();
    let workers = Workers::new(1).unwrap();
    let database = Database::from(text);
    let mut survey = PlayerSurvey::new(ReadOptions::default());
    let now = Instant::now();
    survey.read(&workers, Path::new("a"), Source::Whole(database.clone()), &mut ()).unwrap();
    println!("survey {:?}", now.elapsed());
    let now = Instant::now();
    let list = survey.list();
    println!("list {:?} {}", now.elapsed(), list.players().len());
    let mut file = Vec::new();
    list.write(&mut file).unwrap();
    let file = String::from_utf8(file).unwrap().replace("#?  ", "  ");
    let now = Instant::now();
    let players = Players::read(file.as_bytes()).unwrap();
    println!("names file {:?} {} bytes", now.elapsed(), file.len());
    for round in 0..3 {
        for (with, filter) in [
            (false, ""),
            (false, "White=Tal, Mihail"),
            (true, "White=Tal, Mihail"),
            (false, "Player~tal"),
            (true, "Player~tal"),
        ] {
            let mut read = ReadOptions::default();
            if !filter.is_empty() {
                read.games.tags.push(filter.parse().unwrap());
            }
            if with {
                read.games.players = players.clone();
            }
            let now = Instant::now();
            let found = census(&workers, Source::Whole(database.clone()), &read).unwrap();
            println!("{round} {with} {filter:20} {:?} {}", now.elapsed(), found.chosen);
        }
    }
    let mut check = Check::new(ReadOptions::default());
    let now = Instant::now();
    check.read(&workers, Path::new("a"), Source::Whole(database.clone()), &mut ()).unwrap();
    println!("check {:?}", now.elapsed());
}
