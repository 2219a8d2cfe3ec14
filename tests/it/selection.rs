//! Choosing games and positions: what comes out is what a slow reader would choose, on any number of threads and with
//! any cuts.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::sync::LazyLock;

use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle, Fields, VariantStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_games::database::{Database, Source};
use pgn2fen_games::diagnostic::{Diagnostic, Kind};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_games::parallel::Workers;
use pgn2fen_games::pgn::annotation::EvalSource;
use pgn2fen_games::pgn::games::{Game, Games};
use pgn2fen_games::replay::Ply;
use pgn2fen_games::selection::{GameFilter, PositionFilter, Sample, Share, Start};
use pgn2fen_games::walk::{OnError, ReadOptions};
use pgn2fen_rows::{Format, Rows, Shape};
use proptest::prelude::*;

use crate::laws::{everything, stream, sweeps, whole};
use crate::walking::{self, Said, same, walk};

/// Runs the job over some files.
fn run(job: &Rows, workers: &Workers, sources: Vec<Source>) -> Said {
    let said = walk(job, workers, (0..).zip(sources).map(|(file, source)| (format!("{file}.pgn"), source)));
    assert!(said.error.is_none(), "{:?}", said.error);
    said
}

/// The lines that a job writes of a text, read on one thread.
fn chosen(job: &Rows, text: &[u8]) -> Vec<String> {
    run(job, &one(), vec![whole(text)]).lines().into_iter().map(str::to_owned).collect()
}

/// Options that are not the usual ones. Of warnings of a kind only the first of a game is told.
fn read_options(change: impl FnOnce(&mut ReadOptions)) -> ReadOptions {
    walking::read_options(|read| {
        read.replay.first_warnings_only = true;
        change(read);
    })
}

fn rows(columns: &str) -> Rows {
    let shape = Shape { format: Format::Tsv, columns: Some(columns.parse().unwrap()), no_header: true };
    Rows::new().shape(shape).read_options(read_options(|_| {}))
}

/// The same positions as lines of FEN.
fn as_lines(job: Rows) -> Rows {
    job.shape(Shape::default())
}

fn one() -> Workers {
    Workers::new(1).unwrap()
}

/// A style in which two FENs are the same where the positions are.
const IDENTITY: FenStyle = FenStyle {
    ep: EpStyle::Legal,
    castling: CastlingStyle::Shredder,
    fields: Fields::Four,
    variant: VariantStyle::Usual,
};

const COLUMNS: &str = "game ply turn san next_san fen eval";
const WITHOUT_EVAL: &str = "game ply turn san next_san fen";

/// A row of everything that can be read, by which the slow reader chooses.
#[derive(Debug)]
struct Row {
    line: String,
    game: usize,
    ply: i64,
    /// Of the main line.
    last_ply: i64,
    turn: char,
    next_san: String,
    fen: String,
    eval: Option<u32>,
    is_check: bool,
}

/// A game as the slow reader sees it.
#[derive(Debug)]
struct Seen {
    /// None if it has no usable start.
    is_standard: Option<bool>,
    elo: Option<i64>,
    white: Option<String>,
}

static TEXT: LazyLock<Vec<u8>> = LazyLock::new(everything);

static GAMES: LazyLock<Vec<Seen>> = LazyLock::new(|| {
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha -";
    let see = |game: Game<'_>| Seen {
        is_standard: game.replay().ok().map(|replay| fen::to_string(replay.position(), IDENTITY) == initial),
        elo: game.tags().find_any_case("WhiteElo").and_then(|tag| tag.value.decode().parse().ok()),
        white: game.tags().value("White").map(|value| value.decode().to_lowercase()),
    };
    Games::new(&TEXT).map(see).collect()
});

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut read: Vec<Row> = Vec::new();
    for line in chosen(&rows(COLUMNS).style(IDENTITY), &TEXT) {
        let [game, ply, turn, _, next_san, fen, eval] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let row = Row {
            game: game.parse().unwrap(),
            ply: ply.parse().unwrap(),
            last_ply: 0,
            turn: turn.chars().next().unwrap(),
            next_san: next_san.to_owned(),
            fen: fen.to_owned(),
            eval: eval.parse().ok().map(i32::unsigned_abs),
            is_check: fen::read(fen.as_bytes()).unwrap().position.is_check(),
            line: line.clone(),
        };
        read.push(row);
    }
    let mut last = (0, 0);
    for row in read.iter_mut().rev() {
        last = if row.game == last.0 { last } else { (row.game, row.ply) };
        row.last_ply = last.1;
    }
    assert!(read.len() > 10_000 && GAMES.len() > 500, "there is something to choose from");
    read
});

/// What is asked for.
#[derive(Clone, Debug, Default)]
struct Asked {
    elo: Option<i64>,
    white: Option<&'static str>,
    start: Start,
    max_games: Option<u64>,
    plies: Option<(Option<i64>, Option<i64>)>,
    every: u32,
    no_start: bool,
    turn: Option<Color>,
    men: Option<(u32, u32)>,
    skip_checks: bool,
    skip_captures: bool,
    max_eval: Option<u32>,
    unique: bool,
    sample: Option<u64>,
}

impl Asked {
    fn read(&self) -> ReadOptions {
        let mut tags = Vec::new();
        tags.extend(self.elo.map(|elo| format!("WhiteElo>={elo}").parse().unwrap()));
        tags.extend(self.white.map(|name| format!("White~{name}").parse().unwrap()));
        read_options(|read| {
            read.games = GameFilter { tags, start: self.start, ..GameFilter::default() };
            read.max_games = self.max_games;
        })
    }

    fn job(&self, columns: &str) -> Rows {
        let end = |end: Option<i64>| end.map_or_else(String::new, |end| end.to_string());
        let plies = self.plies.map_or("..".to_owned(), |(first, last)| format!("{}..{}", end(first), end(last)));
        let positions = PositionFilter {
            plies: plies.parse().unwrap(),
            every: NonZeroU32::new(self.every.max(1)).unwrap(),
            skip_start: self.no_start,
            sample: self.sample.map(|seed| Sample { share: Share::new(0.3).unwrap(), seed }),
            turn: self.turn,
            men: self.men.map(|(few, many)| format!("{few}..{many}").parse().unwrap()),
            skip_checks: self.skip_checks,
            skip_captures: self.skip_captures,
            max_eval: self.max_eval,
            ..PositionFilter::default()
        };
        rows(columns).style(IDENTITY).positions(positions).unique(self.unique).read_options(self.read())
    }

    /// The rows that are asked for, chosen one by one from all there are.
    fn choose(&self) -> Vec<&'static Row> {
        let is_wanted = |game: &Seen| {
            self.elo.is_none_or(|least| game.elo.is_some_and(|elo| elo >= least))
                && self.white.is_none_or(|name| game.white.as_ref().is_some_and(|white| white.contains(name)))
                && match self.start {
                    Start::Standard => game.is_standard == Some(true),
                    Start::Nonstandard => game.is_standard == Some(false),
                    any => any == Start::Any,
                }
        };
        let numbers = (1..).zip(GAMES.iter()).filter(|(_, game)| is_wanted(game)).map(|(number, _)| number);
        let most = self.max_games.map_or(usize::MAX, |most| usize::try_from(most).unwrap());
        let games: HashSet<usize> = numbers.take(most).collect();
        let sample: Option<HashSet<String>> = self.sample.map(|_| {
            let only_sample = Self { sample: self.sample, ..Self::default() };
            chosen(&only_sample.job(COLUMNS), &TEXT).into_iter().collect()
        });
        let mut seen = HashSet::new();
        let (first, last) = self.plies.unwrap_or_default();
        ROWS.iter()
            .filter(|row| {
                let number = |end: i64| if end < 0 { row.last_ply + 1 + end } else { end };
                let first = first.map_or(0, number).max(0);
                let men =
                    u32::try_from(row.fen.split(' ').next().unwrap().matches(char::is_alphabetic).count()).unwrap();
                games.contains(&row.game)
                    && row.ply >= first
                    && last.is_none_or(|last| row.ply <= number(last))
                    && (row.ply - first) % i64::from(self.every.max(1)) == 0
                    && !(self.no_start && row.ply == 0)
                    && self.turn.is_none_or(|turn| turn.pick('w', 'b') == row.turn)
                    && self.men.is_none_or(|(few, many)| (few..=many).contains(&men))
                    && !(self.skip_checks && row.is_check)
                    && !(self.skip_captures && row.next_san.contains(['x', '=']))
                    && self.max_eval.is_none_or(|most| row.eval.is_none_or(|eval| eval <= most))
                    && sample.as_ref().is_none_or(|sample| sample.contains(&row.line))
            })
            .filter(|row| !self.unique || seen.insert(&row.fen))
            .collect()
    }

    #[track_caller]
    fn check(&self) {
        let wanted = self.choose();
        let rows = chosen(&self.job(COLUMNS), &TEXT);
        let expected: Vec<&str> = wanted.iter().map(|row| row.line.as_str()).collect();
        assert_eq!(rows.len(), expected.len(), "{self:?}");
        assert!(rows == expected, "{self:?}");
        // Rows without evaluations do not read the text behind a move.
        let rows = chosen(&self.job(WITHOUT_EVAL), &TEXT);
        assert!(rows.iter().eq(wanted.iter().map(|row| row.line.rsplit_once('\t').unwrap().0)), "{self:?}");
        // Lines of FEN go another way.
        let lines = chosen(&as_lines(self.job(COLUMNS)), &TEXT);
        assert!(lines.iter().eq(wanted.iter().map(|row| &row.fen)), "{self:?}");
    }
}

#[test]
fn each_filter_alone_chooses_what_a_slow_reader_would() {
    let one = Asked::default();
    for asked in [
        Asked { elo: Some(2200), ..one.clone() },
        Asked { white: Some("morphy"), ..one.clone() },
        Asked { start: Start::Standard, ..one.clone() },
        Asked { start: Start::Nonstandard, ..one.clone() },
        Asked { max_games: Some(0), ..one.clone() },
        Asked { max_games: Some(100), ..one.clone() },
        Asked { max_games: Some(1 << 40), ..one.clone() },
        Asked { plies: Some((Some(16), Some(16))), ..one.clone() },
        Asked { plies: Some((None, Some(7))), ..one.clone() },
        Asked { plies: Some((Some(100), None)), ..one.clone() },
        Asked { plies: Some((Some(-1), Some(-1))), ..one.clone() },
        Asked { plies: Some((Some(4), Some(-4))), ..one.clone() },
        Asked { every: 7, ..one.clone() },
        Asked { no_start: true, ..one.clone() },
        Asked { turn: Some(Color::Black), ..one.clone() },
        Asked { men: Some((0, 7)), ..one.clone() },
        Asked { skip_checks: true, ..one.clone() },
        Asked { skip_captures: true, ..one.clone() },
        Asked { max_eval: Some(50), ..one.clone() },
        Asked { max_eval: Some(0), ..one.clone() },
        Asked { max_eval: Some(10_000), ..one.clone() },
        Asked { unique: true, ..one.clone() },
        Asked { sample: Some(3), ..one.clone() },
    ] {
        asked.check();
    }
}

fn asked() -> impl Strategy<Value = Asked> {
    let games = (
        proptest::option::of(1500..2600i64),
        proptest::option::weighted(0.2, prop_oneof![Just("a"), Just("carlsen"), Just("morphy")]),
        prop_oneof![Just(Start::Any), Just(Start::Standard), Just(Start::Nonstandard)],
        proptest::option::of(0..2000u64),
    );
    let end = || proptest::option::of(-40..40i64);
    let ends = (end(), end()).prop_filter("they are in order", |ends| match *ends {
        (Some(first), Some(last)) => first <= last || (first < 0) != (last < 0),
        _ => true,
    });
    let plies = (proptest::option::of(ends), 1..9u32, any::<bool>());
    let board = (
        proptest::option::of(prop_oneof![Just(Color::White), Just(Color::Black)]),
        proptest::option::of((2..32u32, 0..20u32).prop_map(|(few, more)| (few, few + more))),
        any::<bool>(),
        any::<bool>(),
        proptest::option::of(0..1000u32),
    );
    (games, plies, board, any::<bool>(), proptest::option::of(0..5u64)).prop_map(
        |(games, plies, board, unique, sample)| Asked {
            elo: games.0,
            white: games.1,
            start: games.2,
            max_games: games.3,
            plies: plies.0,
            every: plies.1,
            no_start: plies.2,
            turn: board.0,
            men: board.1,
            skip_checks: board.2,
            skip_captures: board.3,
            max_eval: board.4,
            unique,
            sample,
        },
    )
}

/// Cases of a property; each reads all fixtures several times.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(if sweeps() { 24 } else { 5 }))]

    #[test]
    fn filters_together_choose_what_a_slow_reader_would(asked in asked()) {
        asked.check();
    }
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn neither_threads_nor_cuts_nor_pipes_change_what_is_chosen(
        asked in asked(),
        variations in any::<bool>(),
        is_lines in any::<bool>(),
        on_error in prop_oneof![Just(OnError::Keep), Just(OnError::Drop), Just(OnError::Stop)],
        threads in 2..5usize,
        block in prop_oneof![Just(300usize), Just(5_000), Just(64 * 1024)],
    ) {
        let mut read = asked.read();
        read.on_error = on_error;
        let job = asked.job(COLUMNS).variations(variations).read_options(read);
        let job = if is_lines { as_lines(job) } else { job };
        let (head, tail) = TEXT.split_at(TEXT.len() / 3);
        let expected = run(&job, &one().with_cuts(Cuts::Likely(usize::MAX / 4)), vec![whole(head), whole(tail)]);
        let workers = Workers::new(threads).unwrap().with_cuts(Cuts::Likely(block));
        same(&run(&job, &workers, vec![whole(head), whole(tail)]), &expected, "mapped");
        same(&run(&job, &workers, vec![stream(head), stream(tail)]), &expected, "streamed");
        let cuts = Cuts::At((0..TEXT.len() as u64).step_by(7919).collect());
        same(&run(&job, &workers.with_cuts(cuts), vec![whole(head), whole(tail)]), &expected, "cut anywhere");
    }
}

#[test]
fn the_tags_that_are_missing_are_the_same_however_the_games_are_read() {
    for max_games in [None, Some(700)] {
        let filters = ["WhitElo!=1", "Evnt!=1", "Annotator!=x"].map(|filter| filter.parse().unwrap());
        let job = rows("Annotato,White,FideId").read_options(read_options(|read| {
            read.games.tags = filters.to_vec();
            read.max_games = max_games;
        }));
        let expected = run(&job, &one(), vec![whole(&TEXT)]).totals.missing_tags;
        let names: Vec<&str> = expected.iter().map(|tag| &*tag.name).collect();
        assert_eq!(names, ["WhitElo", "Evnt", "Annotato", "FideId"]);
        assert_eq!((&*expected[0].nearest[0], &*expected[1].nearest[0]), ("WhiteElo", "Event"));
        for cuts in [Cuts::Likely(300), Cuts::Likely(20_000), Cuts::At((0..TEXT.len() as u64).step_by(7919).collect())]
        {
            let workers = Workers::new(3).unwrap().with_cuts(cuts);
            assert_eq!(run(&job, &workers, vec![whole(&TEXT)]).totals.missing_tags, expected);
            assert_eq!(run(&job, &workers, vec![stream(&TEXT)]).totals.missing_tags, expected);
        }
    }
}

#[test]
fn variations_leave_the_main_line_as_it_is() {
    let mut variations = 0;
    for game in Games::new(&TEXT) {
        let (Ok(mut mainline), Ok(mut walk)) = (game.replay(), game.replay()) else {
            continue;
        };
        loop {
            let next = walk.next_in_text();
            if walk.branch().is_some() || next.as_ref().is_some_and(is_in_variation) {
                variations += 1;
                continue;
            }
            assert_eq!(next, mainline.next_ply());
            assert_eq!(walk.position(), mainline.position());
            if next.is_none() {
                break;
            }
        }
        assert_eq!(walk.finish(), mainline.finish());
    }
    assert!(variations > 200, "there are variations");
}

/// After an error in a variation the walk may stand in the main line again.
fn is_in_variation(ply: &Result<Ply<'_>, Diagnostic>) -> bool {
    ply.as_ref().is_err_and(|error| error.reason.ends_with("(in a variation)"))
}

#[test]
fn a_sample_has_the_same_positions_of_the_main_line_with_and_without_variations() {
    let columns = "offset ply san fen";
    let sample = Sample { share: Share::new(0.5).unwrap(), seed: 1 };
    let job = rows(columns).positions(PositionFilter { sample: Some(sample), ..PositionFilter::default() });
    let all = chosen(&rows(columns).variations(true), &TEXT);
    let mainline = chosen(&rows(columns), &TEXT);
    let sampled = chosen(&job, &TEXT);
    let with_variations = chosen(&job.variations(true), &TEXT);
    let mut rest = with_variations.iter();
    assert!(sampled.iter().all(|row| rest.any(|other| other == row)), "in order, among others");
    let more = with_variations.len() - sampled.len();
    assert!(more.abs_diff((all.len() - mainline.len()) / 2) < 60, "half of the variations, more or less: {more}");
}

#[test]
fn an_error_in_a_variation_ends_or_drops_what_it_should() {
    let text = "1. e4 (1. d4 d4) e5 *\n\n1. c4 *\n";
    let walk = |on_error| {
        let job = rows("san").variations(true).read_options(read_options(|read| read.on_error = on_error));
        let said = run(&job, &one(), vec![whole(text.as_bytes())]);
        assert_eq!(said.faults(), [(Kind::IllegalMove, 13, Some(1), Some(2))]);
        said.lines().join(" ")
    };
    assert_eq!(walk(OnError::Keep), " e4 d4 e5  c4");
    assert_eq!(walk(OnError::Drop), " c4");
    assert_eq!(walk(OnError::Stop), " e4 d4");
}

#[test]
fn nothing_is_said_of_games_that_are_not_wanted() {
    let bad = "[White \"a\"]\n[White \"a\"]\n\n1. e4 Ke6 *\n\n[White \"a\"]\n[FEN \"x\"]\n\n*\n\n";
    let text = format!("{bad}[White \"b\"]\n\n1. e4 *\n");
    let read = |games, max_games| {
        let job = rows("game san").read_options(read_options(|read| {
            read.games = games;
            read.max_games = max_games;
        }));
        let said = run(&job, &one(), vec![whole(text.as_bytes())]);
        (said.lines().join("|"), said.faults().iter().map(|it| it.0).collect::<Vec<_>>(), said.count().wanted)
    };
    let tags = vec!["White=b".parse().unwrap()];
    assert_eq!(read(GameFilter { tags, ..GameFilter::default() }, None), ("3\t|3\te4".to_owned(), vec![], 1));
    // A game without a usable start has one neither here nor there, and that is an error.
    let kinds = [Kind::BadFen];
    let start = |start| GameFilter { start, ..GameFilter::default() };
    assert_eq!(read(start(Start::Nonstandard), None), (String::new(), kinds.to_vec(), 0));
    let kinds = [Kind::RepairedTag, Kind::IllegalMove];
    assert_eq!(read(start(Start::Standard), Some(1)), ("1\t|1\te4".to_owned(), kinds.to_vec(), 1));
}

#[test]
fn hostile_variations_are_walked_in_linear_time() {
    let hostile = [
        "(",
        ")",
        "( ",
        "(1. e4 ",
        "1. e4 (",
        "(e4)",
        "e4 (zz) ",
        "(e4 (d4) ",
        "(e4)(",
        "({",
        "(;\n",
        "( <)",
        "1. e4 e5 ((",
        "$1 (-- ",
    ];
    let job = rows("next_san eval key fen").variations(true);
    for text in hostile {
        let text = format!("[A \"\"]\n\n1. e4 {}", text.repeat(200_000 / text.len()));
        // A quadratic walk would not be done today.
        let said = run(&job, &one(), vec![whole(text.as_bytes())]);
        assert!(said.diagnostics.len() < 200, "{}: {}", &text[..20], said.diagnostics.len());
        run(&job, &Workers::new(2).unwrap().with_cuts(Cuts::Likely(4000)), vec![stream(text.as_bytes())]);
    }
}

#[test]
fn damaged_variations_are_walked_without_panic_and_alike_however_they_are_cut() {
    let game = "[A \"\"]\n\n1. e4 (1. d4 {(} d5 (1... Nf6 2. c4 (2. g3) e6) 2. c4 -- (2... e6)) 1... e5 (1... c5 $1 ; \
        )\n 2. Nf3 *) 2. f4 *\n\n";
    let text = game.repeat(3);
    let job = rows("game offset ply san next_san eval key fen").variations(true);
    let marks = b"(){};<>[]*%1.- \n";
    for at in 0..game.len() {
        for (i, mark) in (0..).zip(marks) {
            let mut damaged = text.clone().into_bytes();
            match (at + i) % 3 {
                0 => damaged[game.len() + at] = *mark,
                1 => damaged.insert(game.len() + at, *mark),
                _ => drop(damaged.drain(game.len() + at..game.len() + at + i % 7)),
            }
            let expected = run(&job, &one(), vec![whole(&damaged)]);
            let cuts = Cuts::At(vec![(game.len() + at) as u64, (game.len() + at + 20) as u64]);
            let said = run(&job, &one().with_cuts(cuts), vec![whole(&damaged)]);
            same(&said, &expected, &String::from_utf8_lossy(&damaged));
        }
    }
}

#[test]
fn ranges_that_tile_a_file_give_its_sample() {
    let sample = Sample { share: Share::new(0.1).unwrap(), seed: 4 };
    let filter = PositionFilter { sample: Some(sample), ..PositionFilter::default() };
    let job = rows("offset ply fen").positions(filter);
    let expected = chosen(&job, &TEXT);
    let tiles = (0..).step_by(TEXT.len() / 5 + 1).zip((0..).step_by(TEXT.len() / 5 + 1).skip(1)).take(5);
    let mut joined = Vec::new();
    for (from, to) in tiles {
        let tile = Source::Whole(Database::from(TEXT.clone()).within(from..to));
        joined.extend(run(&job, &one(), vec![tile]).lines().into_iter().map(str::to_owned));
    }
    assert_eq!(joined, expected);
}

/// A method of a builder never undoes another one, in whatever order they are called.
#[test]
fn the_order_of_calls_does_not_matter() {
    let text =
        b"[WhiteElo \"2500\"]\n[ECO \"A\"]\n\n1. e4 {0.5/9} c5 *\n[WhiteElo \"2500\"]\n\n1. d4 *\n1. c4 *\n".to_vec();
    let written = |rows: Rows| rows.write([Database::from(text.clone())], Vec::new()).unwrap().0;
    let read = read_options(|read| read.games.tags.push("ECO=A".parse().unwrap()));
    let positions = PositionFilter { skip_start: true, ..PositionFilter::default() };
    let rows = || Rows::columns("game,ply,san,eval").unwrap();
    let first = rows().tags("WhiteElo>2000").unwrap().plies("..1").unwrap().evals(EvalSource::Engine).max_games(1);
    let first = first.read_options(read.clone()).positions(positions.clone());
    let last = rows().read_options(read).positions(positions);
    let last = last.max_games(1).evals(EvalSource::Engine).plies("..1").unwrap().tags("WhiteElo>2000").unwrap();
    let expected = "game\tply\tsan\teval\n1\t1\te4\t\n";
    assert_eq!(String::from_utf8(written(first)).unwrap(), expected);
    assert_eq!(String::from_utf8(written(last)).unwrap(), expected);
}
