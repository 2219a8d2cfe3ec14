//! Search by shape: material, patterns and pawns choose what a slow reader chooses, and a stretch is as long as it is
//! said to be.

use std::fmt::Write;
use std::fs;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::LazyLock;

use pgn2fen_chess::fen;
use pgn2fen_chess::position::Position;
use pgn2fen_games::database::Database;
use pgn2fen_games::selection::{CourseFilter, PositionFilter, ShapeColors, ShapeFilter};
use pgn2fen_games::walk::ReadOptions;
use pgn2fen_rows::Rows;

use crate::cli::{Desk, gzip};
use crate::laws::sweeps;

/// A board as the slow reader sees it: the ranks from the eighth to the first, with a period for an empty square.
type Grid = [[char; 8]; 8];

fn grid(fen: &str) -> Grid {
    let mut grid = [['.'; 8]; 8];
    for (rank, written) in grid.iter_mut().zip(fen.split([' ', '/'])) {
        let mut file = 0;
        for char in written.chars() {
            match char.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    rank[file] = char;
                    file += 1;
                }
            }
        }
    }
    grid
}

/// The board with its colors exchanged, or with left and right exchanged.
fn seen(mut grid: Grid, swap: bool, mirror: bool) -> Grid {
    if swap {
        grid.reverse();
        let swapped =
            |char: char| if char.is_uppercase() { char.to_ascii_lowercase() } else { char.to_ascii_uppercase() };
        grid.iter_mut().flatten().for_each(|char| *char = swapped(*char));
    }
    if mirror {
        grid.iter_mut().for_each(|rank| rank.reverse());
    }
    grid
}

/// A symbol of a pattern: the characters that may stand on a square, or any number of squares.
#[derive(Clone, Debug)]
enum Symbol {
    OneOf(String),
    Any,
}

const CONTENTS: &str = ".PNBRQKpnbrqk";

fn contents(symbol: char) -> String {
    let is_in = |content: &char| match symbol {
        '_' => *content == '.',
        '?' => true,
        '!' => *content != '.',
        'A' => content.is_uppercase(),
        'a' => content.is_lowercase(),
        'm' => !"Pp".contains(*content),
        piece => *content == piece,
    };
    CONTENTS.chars().filter(is_in).collect()
}

fn symbols(rank: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut rest = rest_of(rank);
    while let Some((symbol, behind)) = rest {
        rest = rest_of(behind);
        match symbol {
            '*' => symbols.push(Symbol::Any),
            '[' => {
                let (set, behind) = behind.split_once(']').unwrap();
                let (is_inverted, set) = set.strip_prefix('^').map_or((false, set), |set| (true, set));
                let listed: String = set.chars().map(contents).collect();
                symbols.push(Symbol::OneOf(
                    CONTENTS.chars().filter(|char| listed.contains(*char) != is_inverted).collect(),
                ));
                rest = rest_of(behind);
            }
            digit if digit.is_ascii_digit() => {
                (0..digit.to_digit(10).unwrap()).for_each(|_| symbols.push(Symbol::OneOf(".".to_owned())));
            }
            symbol => symbols.push(Symbol::OneOf(contents(symbol))),
        }
    }
    symbols
}

fn rest_of(text: &str) -> Option<(char, &str)> {
    text.chars().next().map(|char| (char, &text[1..]))
}

fn matches_rank(symbols: &[Symbol], squares: &[char]) -> bool {
    match symbols {
        [] => squares.is_empty(),
        [Symbol::Any, rest @ ..] => (0..=squares.len()).any(|skipped| matches_rank(rest, &squares[skipped..])),
        [Symbol::OneOf(set), rest @ ..] => {
            squares.split_first().is_some_and(|(square, behind)| set.contains(*square) && matches_rank(rest, behind))
        }
    }
}

/// A pattern, and its ranks as symbols.
#[derive(Clone, Debug)]
struct Pattern {
    text: String,
    ranks: Vec<Vec<Symbol>>,
}

impl Pattern {
    fn new(text: String) -> Self {
        Self { ranks: text.split('/').map(symbols).collect(), text }
    }

    /// A pawn structure. Other pieces are taken out of it.
    fn of_pawns(text: String) -> Self {
        let pawns: String = text.chars().map(|char| if "NBRQKnbrqk".contains(char) { '_' } else { char }).collect();
        Self { text, ..Self::new(pawns) }
    }

    fn matches(&self, grid: &Grid) -> bool {
        self.ranks.iter().zip(grid).all(|(rank, squares)| matches_rank(rank, squares))
    }
}

/// The pawns of a board.
fn only_pawns(grid: &Grid) -> Grid {
    let pawn = |char: &char| if "Pp".contains(*char) { *char } else { '.' };
    grid.each_ref().map(|rank| rank.each_ref().map(pawn))
}

/// The number of some men of a side: its letter, the text behind it, and whether it holds for the own and the other
/// number.
#[derive(Clone, Debug)]
struct Men {
    letter: char,
    least: i32,
    most: i32,
    /// The least and the greatest difference to the other side.
    difference: (i32, i32),
    is_different: bool,
    text: String,
}

impl Men {
    fn new(letter: char, text: String, (least, most): (i32, i32), difference: (i32, i32), is_different: bool) -> Self {
        Self { letter, least, most, difference, is_different, text }
    }

    fn hold(&self, grid: &Grid, is_white: bool) -> bool {
        let letters = if self.letter == 'L' { "BN" } else { &self.letter.to_string() };
        let of = |is_white: bool| {
            let is_counted =
                |char: &&char| char.is_uppercase() == is_white && letters.contains(char.to_ascii_uppercase());
            i32::try_from(grid.iter().flatten().filter(is_counted).count()).unwrap()
        };
        let (own, other) = (of(is_white), of(!is_white));
        (self.least..=self.most).contains(&own)
            && (self.difference.0..=self.difference.1).contains(&(own - other))
            && (!self.is_different || own != other)
    }
}

/// The material of both sides.
#[derive(Clone, Debug)]
struct Sides(Vec<Men>, Vec<Men>);

impl Sides {
    fn text(&self) -> String {
        let side = |men: &[Men]| men.iter().map(|men| format!("{}{}", men.letter, men.text)).collect::<String>();
        format!("{}:{}", side(&self.0), side(&self.1))
    }

    fn hold(&self, grid: &Grid) -> bool {
        self.0.iter().all(|men| men.hold(grid, true)) && self.1.iter().all(|men| men.hold(grid, false))
    }
}

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// Makes a pattern from a board: some squares are kept more or less as they are, the others may be anything.
fn pattern_of(grid: &Grid, numbers: &mut Numbers, pawns_only: bool) -> String {
    let kept = 1 + numbers.below(12);
    let mut ranks = Vec::new();
    for rank in grid {
        let mut pattern = String::new();
        for square in rank {
            let is_pawn = "Pp".contains(*square);
            let square = if pawns_only && !is_pawn { '.' } else { *square };
            let exact = if square == '.' { '_' } else { square };
            if numbers.below(64) >= kept * 3 {
                pattern.push('?');
            } else if pawns_only {
                match numbers.below(4) {
                    0 => write!(pattern, "[{exact}{}]", numbers.pick(&['P', 'p', '_'])).unwrap(),
                    1 if exact != 'P' => pattern.push_str("[^P]"),
                    2 if exact == '_' => pattern.push(numbers.pick(&['1', 'N', 'k'])),
                    _ => pattern.push(exact),
                }
            } else {
                match numbers.below(8) {
                    0 if square != '.' => pattern.push('!'),
                    1 if square != '.' => pattern.push(if square.is_uppercase() { 'A' } else { 'a' }),
                    2 if !is_pawn => pattern.push('m'),
                    3 => write!(pattern, "[{exact}{}]", numbers.pick(&['Q', 'n', '_', 'a', 'm'])).unwrap(),
                    4 if exact != 'p' && exact != 'K' => pattern.push_str("[^pK]"),
                    5 if exact == '_' => pattern.push('1'),
                    _ => pattern.push(exact),
                }
            }
        }
        // Any number of squares in the place of some, or between squares that are kept.
        match numbers.below(6) {
            0 | 1 => {
                let runs = ["????????", "????", "???", "??", "?"];
                pattern = pattern.replacen(numbers.pick(&runs), "*", 1 + numbers.below(2));
            }
            2 => pattern = stars_around(rank, numbers, pawns_only),
            _ => {}
        }
        ranks.push(pattern);
    }
    ranks.join("/")
}

/// Makes a rank in which some squares of a board are kept in their order, with `*` before, between and behind them.
fn stars_around(rank: &[char; 8], numbers: &mut Numbers, pawns_only: bool) -> String {
    let mut pattern = numbers.pick(&["*", "*", "*", ""]).to_owned();
    for square in rank {
        if numbers.below(3) > 0 {
            continue;
        }
        match *square {
            '.' => pattern.push_str(numbers.pick(&["_", "?", "[P_]"])),
            man if pawns_only && !"Pp".contains(man) => pattern.push_str(numbers.pick(&["_", "?", "[_p]"])),
            man => match numbers.below(4) {
                0 => write!(pattern, "[{man}{}]", numbers.pick(&['P', 'p', '_'])).unwrap(),
                _ => pattern.push(man),
            },
        }
        pattern.push_str(numbers.pick(&["*", "*", ""]));
    }
    pattern.push('*');
    pattern
}

/// Makes a material from a board: some numbers are kept, others are ranges around them.
fn material_of(grid: &Grid, numbers: &mut Numbers) -> Sides {
    let any = (0, 64);
    let sides = [true, false].map(|is_white| {
        let mut men = Vec::new();
        let has_minors = numbers.below(4) == 0;
        for letter in if has_minors { "QRLP" } else { "QRBNP" }.chars() {
            let letters = if letter == 'L' { "BN" } else { &letter.to_string() };
            let of = |is_white: bool| {
                let is_counted =
                    |char: &&char| char.is_uppercase() == is_white && letters.contains(char.to_ascii_uppercase());
                i32::try_from(grid.iter().flatten().filter(is_counted).count()).unwrap()
            };
            let (own, other) = (of(is_white), of(!is_white));
            let difference = own - other;
            let man = |text: String, count, difference| Men::new(letter, text, count, difference, false);
            let free = (-64, 64);
            men.push(match numbers.below(14) {
                0 | 1 if own == 0 => continue,
                0 => man(own.to_string(), (own, own), free),
                1 if own == 1 => man(String::new(), (1, 1), free),
                2 => man(format!("{own}+"), (own, 64), free),
                3 => man(format!("{own}-"), (0, own), free),
                4 => man(format!("{own}..{}", own + 1), (own, own + 1), free),
                5 if own > 0 => man("+".to_owned(), (1, 64), free),
                6 if own == other => man("=".to_owned(), any, (0, 0)),
                7 if own != other => Men::new(letter, "#".to_owned(), any, free, true),
                8 if own > other => man(">".to_owned(), any, (1, 64)),
                9 if own < other => man(format!("{}<", other - own), any, (-64, difference)),
                10 if own > other => man(format!("+{difference}"), any, (difference, difference)),
                11 if own < other => man(format!("-{}", other - own), any, (difference, difference)),
                12 => man(format!("..{own}"), (0, own), free),
                _ => man("*".to_owned(), any, free),
            });
        }
        // There are none of the men that are not listed.
        for letter in "QRBNP".chars() {
            let is_listed = |men: &Men| men.letter == letter || men.letter == 'L' && "BN".contains(letter);
            if !men.iter().any(is_listed) {
                men.push(Men::new(letter, "0".to_owned(), (0, 0), (-64, 64), false));
            }
        }
        men
    });
    let [white, black] = sides;
    Sides(white, black)
}

/// What is asked for, for the slow reader.
#[derive(Clone, Debug, Default)]
struct Asked {
    material: Vec<Sides>,
    patterns: Vec<Pattern>,
    pawns: Vec<Pattern>,
    given: bool,
    mirror: bool,
    for_plies: u32,
}

impl Asked {
    fn random(numbers: &mut Numbers) -> Self {
        let mut asked = Self { given: numbers.below(2) == 0, mirror: numbers.below(3) == 0, ..Self::default() };
        let row = &ROWS[numbers.below(ROWS.len())];
        let view = seen(row.grid, numbers.below(2) == 0, numbers.below(2) == 0);
        for _ in 0..1 + numbers.below(2) {
            match numbers.below(5) {
                0 | 1 => asked.material.push(material_of(&view, numbers)),
                2 | 3 => asked.patterns.push(Pattern::new(pattern_of(&view, numbers, false))),
                _ => asked.pawns.push(Pattern::of_pawns(pattern_of(&view, numbers, true))),
            }
        }
        asked
    }

    fn filter(&self) -> ShapeFilter {
        let parsed = "these are shapes";
        ShapeFilter {
            material: self.material.iter().map(|sides| sides.text().parse().expect(parsed)).collect(),
            patterns: self.patterns.iter().map(|pattern| pattern.text.parse().expect(parsed)).collect(),
            pawns: self.pawns.iter().map(|pawns| pawns.text.parse().expect(parsed)).collect(),
            colors: if self.given { ShapeColors::Given } else { ShapeColors::Either },
            mirror: self.mirror,
            for_plies: NonZeroU32::new(self.for_plies).unwrap_or(NonZeroU32::MIN),
        }
    }

    fn holds(&self, grid: &Grid) -> bool {
        let views = [(false, false), (true, false), (false, true), (true, true)];
        views.into_iter().filter(|(swap, mirror)| (!swap || !self.given) && (!mirror || self.mirror)).any(
            |(swap, mirror)| {
                let grid = &seen(*grid, swap, mirror);
                (self.material.is_empty() || self.material.iter().any(|sides| sides.hold(grid)))
                    && (self.patterns.is_empty() || self.patterns.iter().any(|pattern| pattern.matches(grid)))
                    && (self.pawns.is_empty() || self.pawns.iter().any(|pawns| pawns.matches(&only_pawns(grid))))
            },
        )
    }

    /// Returns whether each row is chosen: whether it is in as many rows in a row of its game as are asked for.
    fn choose(&self) -> Vec<bool> {
        let mut chosen = Vec::new();
        for game in ROWS.chunk_by(|row, next| row.game == next.game) {
            let holds: Vec<bool> = game.iter().map(|row| self.holds(&row.grid)).collect();
            for run in holds.chunk_by(|holds, next| holds == next) {
                let is_long = run[0] && run.len() >= self.for_plies as usize;
                chosen.extend(run.iter().map(|_| is_long));
            }
        }
        chosen
    }
}

/// A position of the fixtures.
struct Row {
    game: u64,
    fen: String,
    grid: Grid,
    position: Position,
}

/// Games of every kind, which a slow reader can read in a short time.
static TEXT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/games");
    let files =
        ["morphy_ascii_crlf", "lichess_2012", "fischer_random_2018", "promotion_without_equals_sign", "long_game"];
    files.iter().flat_map(|name| fs::read(folder.join(format!("{name}.pgn"))).unwrap()).collect()
});

/// The games and the FENs that a job writes.
fn read(job: &Rows) -> Vec<(u64, String)> {
    let (rows, _) = job.write([Database::from(TEXT.clone())], Vec::new()).unwrap();
    let lines = String::from_utf8(rows).unwrap();
    let row = |line: &str| {
        let (game, fen) = line.split_once('\t').unwrap();
        (game.parse().unwrap(), fen.to_owned())
    };
    lines.lines().skip(1).map(row).collect()
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let row = |(game, fen): (u64, String)| Row {
        game,
        grid: grid(&fen),
        position: fen::read(fen.as_bytes()).unwrap().position,
        fen,
    };
    read(&Rows::columns("game,fen").unwrap()).into_iter().map(row).collect()
});

#[test]
fn random_shapes_hold_where_a_slow_reader_says_so() {
    let mut numbers = Numbers(1);
    let mut found = 0;
    for _ in 0..if sweeps() { 300 } else { 100 } {
        let asked = Asked::random(&mut numbers);
        let filter = asked.filter();
        let first = numbers.below(19);
        for row in ROWS.iter().skip(first).step_by(19) {
            let holds = filter.holds(&row.position);
            assert_eq!(holds, asked.holds(&row.grid), "{}\n{asked:?}", row.fen);
            found += u32::from(holds);
        }
    }
    assert!(found > 600, "{found} positions were found");
}

#[test]
fn a_walk_finds_the_positions_and_the_games_of_a_shape() {
    let mut numbers = Numbers(2);
    let mut found = 0;
    for round in 0..12 {
        let asked = Asked { for_plies: [1, 2, 5][round % 3], ..Asked::random(&mut numbers) };
        let chosen = asked.choose();
        let expected: Vec<&Row> =
            ROWS.iter().zip(&chosen).filter(|(_, is_chosen)| **is_chosen).map(|(row, _)| row).collect();
        let rows = Rows::columns("game,fen").unwrap();
        let shape = asked.filter();
        let came = read(&rows.clone().positions(PositionFilter { shape: shape.clone(), ..PositionFilter::default() }));
        assert!(
            came.iter().map(|(game, fen)| (*game, fen)).eq(expected.iter().map(|row| (row.game, &row.fen))),
            "{asked:?}"
        );
        // The games, of which the first row is printed.
        let mut options = ReadOptions::default();
        options.games.course = CourseFilter { shape, ..CourseFilter::default() };
        let games: Vec<u64> =
            read(&rows.plies("0").unwrap().read_options(options)).into_iter().map(|(game, _)| game).collect();
        let mut expected: Vec<u64> = expected.iter().map(|row| row.game).collect();
        expected.dedup();
        assert_eq!(games, expected, "{asked:?}");
        found += games.len();
    }
    assert!(found > 20, "{found} games were found");
}

#[test]
fn a_game_passes_by_its_length_and_by_what_it_reached() {
    let games: &[u8] = b"[White \"a\"] 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *
[White \"b\"] 1. Nf3 Nc6 2. e4 e5 (2... d5) 3. d4 *
[White \"c\"] 1. e4 (1. d4 d5 2. c4) c5 2. Nf3 d6 3. Ke3 *
[White \"d\"] [FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"] [SetUp \"1\"] 1. O-O *
[White \"e\"] [FEN \"junk\"] 1. e4 *
";
    let desk = Desk::with(&[("a.pgn", games)]);
    let check = |options: &[&str], expected: &str| {
        let ran = desk.run(&[&["-q", "--no-header", "-p0", "-C", "White", "a.pgn"], options].concat());
        let names: String = ran.stdout.lines().collect();
        assert_eq!(names, expected, "{options:?} {}", ran.stderr);
    };
    check(&["--reached", "1. e4 e5 2. Nf3 Nc6"], "ab");
    check(&["--reached", "1. e4 e5 2. Nf3 Nc6", "--length", "6.."], "a");
    check(&["--reached", "1. e4 e5 2. Nf3 Nc6", "--length", "..5"], "b");
    check(&["--reached", "e4", "--reached", "4k3/8/8/8/8/8/8/5RK1 b - - 7 9"], "acd");
    check(&["--reached", "startpos"], "abc");
    check(&["--reached", "1. d4 d5 2. c4"], "");
    check(&["--reached", "4k3/8/8/8/8/8/8/4K2R w - -"], "");
    check(&["--reached", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"], "d");
    // The moves before an error count.
    check(&["--length", "4"], "c");
    check(&["--length", "4..5"], "bc");
    check(&["--length", "0.."], "abcd");
    check(&["--length", "..1", "-n", "1"], "d");
    check(&["--reached", "e4", "-t", "White=c"], "c");
    check(&["--reached", "e4", "--opening", "Ruy Lopez"], "a");
    check(&["--moves", "Nf3 Nc6"], "ab");
    check(&["--moves", "1. Nf3 Nc6"], "b");
    check(&["--moves", "... Nc6 Bb5"], "a");
    check(&["--moves", "e4", "--moves", "O-O"], "abcd");
    check(&["--moves", "g1f3 *", "--length", "..5"], "bc");
    // How it ends.
    check(&["--ends", "mate"], "");
    check(&["--ends", "insufficient", "--ends", "stalemate"], "");
    // What is no move of the main line does not count.
    check(&["--moves", "d4 d5"], "");
    check(&["--moves", "Ke3"], "");
    check(&["--moves", "d4", "--reached", "e4"], "");
    check(&["--moves", "e1g1", "--start", "nonstandard"], "d");
    // An error that was reached only in a game that is left out is not reported.
    let checked = desk.run(&["check", "--length", "5..", "a.pgn"]);
    assert!(checked.stdout.starts_with("summary: 2 of 5 games, 14 positions, 0 errors"), "{}", checked.stdout);
    desk.run(&["--reached", "1. a4", "--length", "9..", "a.pgn"]).is(
        "",
        "warning: none of 5 games satisfies --reached and --length\n",
        0,
    );
}

#[test]
fn a_game_passes_by_a_repetition_or_moves_without_progress() {
    let games: &[u8] = b"[White \"a\"] 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2
[White \"b\"] 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 1/2-1/2
[White \"c\"] 1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *
[White \"d\"] 1. e4 e5 2. Ke2 Ke7 3. Ke1 Ke8 4. Ke2 Ke7 5. Ke1 Ke8 *
[White \"e\"] [FEN \"4k2r/8/8/8/8/8/8/4K2R w - - 98 90\"] [SetUp \"1\"] 1. Rh2 Rh7 *
[White \"f\"] [FEN \"4k2r/8/8/8/8/8/8/4K2R w - - 98 90\"] [SetUp \"1\"] 1. Rh2 Rxh2 *
[White \"g\"] [FEN \"4k2r/8/8/8/8/8/8/4K2R w - - 149 90\"] [SetUp \"1\"] 1. Rh2 (1. Rxh8+) *
";
    let desk = Desk::with(&[("a.pgn", games)]);
    let check = |options: &[&str], expected: &str| {
        let ran = desk.run(&[&["-q", "--no-header", "-p0", "-C", "White", "a.pgn"], options].concat());
        assert_eq!(ran.stdout.lines().collect::<String>(), expected, "{options:?} {}", ran.stderr);
    };
    // In d, the kings may castle in the first of the positions, so it is another one; c goes on behind the repetition.
    check(&["--ends", "threefold"], "ab");
    check(&["--ends", "fivefold"], "b");
    check(&["--ends", "fifty-moves"], "eg");
    check(&["--ends", "seventy-five-moves"], "g");
    check(&["--ends", "threefold", "--ends", "fifty-moves", "--length", "..8"], "aeg");
}

#[test]
fn a_game_passes_by_its_end_and_its_comments() {
    let games: &[u8] = b"[White \"a\"] 1. f3 e5 2. g4 Qh4# 0-1
[White \"b\"] 1. e4 {[%clk 0:01:00]} e5 2. Nc3 {+0.31/14 0.5s} Nge7 (2... Nf6 {the usual move}) 3. Nd5 *
[White \"c\"] [FEN \"7k/8/6K1/5Q2/8/8/8/8 w - - 0 1\"] [SetUp \"1\"] 1. Qf7 1/2-1/2
[White \"d\"] [FEN \"4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1\"] [SetUp \"1\"] {It is drawn.} 1. Nxe2 1/2-1/2
[White \"e\"] [FEN \"6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1\"] [SetUp \"1\"] 1. Nf7# Kh1 *
";
    let desk = Desk::with(&[("a.pgn", games)]);
    let check = |options: &[&str], expected: &str| {
        let ran = desk.run(&[&["-q", "--no-header", "-p0", "-C", "White", "a.pgn"], options].concat());
        let names: String = ran.stdout.lines().collect();
        assert_eq!(names, expected, "{options:?} {}", ran.stderr);
    };
    // The moves before an error count.
    check(&["--ends", "mate"], "ae");
    check(&["--ends", "mate:N"], "e");
    check(&["--ends", "mate:Q", "--ends", "stalemate"], "ac");
    check(&["--ends", "insufficient"], "d");
    check(&["--ends", "mate", "--length", "2.."], "a");
    check(&["--ends", "mate", "--length", "..2"], "e");
    check(&["--ends", "mate", "--moves", "... Qh4#"], "a");
    check(&["--ends", "stalemate", "--reached", "e4"], "");
    check(&["--commented"], "bd");
    check(&["--commented", "--ends", "insufficient"], "d");
    check(&["--commented", "-t", "White=a"], "");
    let copied = desk.run(&["games", "-q", "--commented", "--invert", "a.pgn"]).stdout;
    assert_eq!(copied.matches("[White").count(), 3, "{copied}");
    let list = desk.run(&["players", "--ends", "stalemate", "a.pgn"]).stdout;
    assert!(list.contains("\nc  ") && !list.contains("\na  "), "{list}");
    desk.run(&["--commented", "--ends", "mate", "a.pgn"]).is(
        "",
        "warning: none of 5 games satisfies --commented and --ends\n",
        0,
    );
    let ran = desk.run(&["index", "-q", "-o", "idx", "--ends", "mate", "--commented", "a.pgn"]);
    assert!(ran.code == Some(0) || ran.code == Some(1), "{}", ran.stderr);
    let info = desk.run(&["index", "--info", "idx"]).stdout;
    assert!(info.contains("--commented --ends mate"), "{info}");
}

#[test]
fn a_stretch_is_counted_along_its_line() {
    let games: &[u8] = b"[FEN \"4k3/8/8/8/8/1p6/P7/R3K3 w - - 0 1\"] [SetUp \"1\"]
1. axb3 (1. Kd1 bxa2 (1... b2 2. Ra1b1 Kd7 3. Kc2) 2. Rxa2 Kd7 3. Ra8) 1... Kd8 2. Kd2 Ke8 3. b4 Kf8 4. Ra8+ *
";
    let desk = Desk::with(&[("a.pgn", games)]);
    let check = |options: &[&str], expected: &str| {
        let ran = desk.run(&[&["-q", "--no-header", "-C", "ply,san", "a.pgn"], options].concat());
        let plies: Vec<&str> = ran.stdout.lines().map(|line| line.split('\t').next().unwrap()).collect();
        assert_eq!(plies.join(" "), expected, "{options:?} {} {}", ran.stdout, ran.stderr);
    };
    check(&["--material", "RP:P"], "0");
    check(&["--material", "RP:P", "--for-plies", "2"], "");
    // The line of a variation begins with what leads to it.
    check(&["--material", "RP:P", "--variations"], "0 1 2 3 4 5");
    check(&["--material", "RP:P", "--variations", "--for-plies", "2"], "1 2 3 4 5");
    check(&["--material", "RP:P", "--variations", "--for-plies", "6"], "2 3 4 5");
    check(&["--material", "RP:P", "--variations", "--for-plies", "7"], "");
    check(&["--material", "RP:"], "1 2 3 4 5 6 7");
    check(&["--material", "RP:", "--for-plies", "7"], "1 2 3 4 5 6 7");
    check(&["--material", "RP:", "--for-plies", "7", "-p", "-2.."], "6 7");
    check(&["--material", "RP:", "--for-plies", "8"], "");
    check(&["--material", "R:", "--variations", "--for-plies", "3"], "3 4 5");
    check(&["--material", "R:", "--variations", "--for-plies", "4"], "");
}

#[test]
fn options_of_shapes_go_together() {
    let desk = Desk::with(&[("a.pgn", b"1. e4 e5 2. Nf3 *")]);
    desk.run(&["-C", "ply", "--no-header", "--pattern", "*/*/*/4p3/*/*/*/*", "a.pgn"]).is("1\n2\n3\n", "", 0);
    desk.run(&["-C", "ply", "--no-header", "--pattern", "*/*/*/*/4P3/*/*/*", "a.pgn"]).is("1\n2\n3\n", "", 0);
    desk.run(&["-C", "ply", "--no-header", "--pattern", "*/*/*/4p3/*/*/*/*", "--shape-colors", "given", "a.pgn"])
        .is("2\n3\n", "", 0);
    desk.run(&["-C", "ply", "--no-header", "--pattern", "*/*/*/*/3P4/*/*/*", "--mirror", "a.pgn"]).is(
        "1\n2\n3\n",
        "",
        0,
    );
    desk.run(&["--material", "K:K", "a.pgn"]).is("", "warning: no position of 1 game satisfies --material\n", 0);
    let initial_pawns = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    desk.run(&["-C", "ply", "--no-header", "--pawns", initial_pawns, "a.pgn"]).is("0\n", "", 0);
    for (options, told) in [
        (&["--mirror"][..], "--mirror exchanges left and right, and needs --pattern or --pawns"),
        (&["--mirror", "--material", "K:K"], "--mirror exchanges left and right"),
        (&["--shape-colors", "given"], "--shape-colors needs --material, --pattern or --pawns"),
        (&["--for-plies", "4"], "--for-plies needs --material, --pattern or --pawns"),
        (&["--for-plies", "0", "--material", "K:K"], "not a number of 1 or more"),
        (&["--material", "KRX:K"], "this is not a piece"),
        (&["--pattern", "8/8"], "there are 2 ranks, not 8"),
        (&["--pawns", "8/8/8/8/8/8/8/7!"], "this is not a symbol of a pawn structure"),
        (&["--reached", "1. e5"], "no white pawn can reach e5"),
        (&["--moves", "1. e4 e5 3. Nf3"], "by the moves before it, this is move 2"),
        (&["--ends", "mate:K"], "mate is given by a piece: mate:Q, mate:R, mate:B, mate:N or mate:P"),
        (&["--eval", "130..70"], "the range 130 to 70 is empty"),
        (&["--length", "ten"], "this is not a number"),
    ] {
        let ran = desk.run(&[options, &["a.pgn"]].concat());
        assert_eq!(ran.code, Some(2), "{options:?}");
        assert!(ran.stderr.contains(told), "{}", ran.stderr);
    }
    // What is repaired in a position is told, as in `find`.
    let ran = desk.run(&["games", "--reached", "4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", "a.pgn"]);
    let warning = "warning: --reached '4k3/8/8/8/8/8/8/4K3 w KQ - 0 1': ";
    let is_told = ran.stderr.replace('"', "'").starts_with(warning) && ran.stderr.contains("none of 1 game satisfies");
    assert!(is_told && ran.code == Some(0), "{}", ran.stderr);
}

#[test]
fn games_are_copied_that_have_the_shape_for_long_enough() {
    let [first, second] =
        ["[White \"a\"]\n\n1. e4 d5 2. exd5 Qxd5 *\n\n", "[White \"b\"]\n\n1. d4 e5 2. dxe5 Qh4 3. a3 Qh5 *\n\n"];
    let desk = Desk::with(&[("a.pgn", format!("{first}{second}").as_bytes())]);
    let copied = |options: &[&str]| desk.run(&[&["games", "a.pgn"], options].concat());
    let extra_pawn = "P+1?:?";
    copied(&["--material", extra_pawn]).is(&format!("{first}{second}"), "", 0);
    copied(&["--material", extra_pawn, "--for-plies", "2"]).is(second, "", 0);
    copied(&["--material", extra_pawn, "--for-plies", "4"]).is(second, "", 0);
    copied(&["--material", extra_pawn, "--for-plies", "5"]).is(
        "",
        "warning: none of 2 games satisfies --material\n",
        0,
    );
    copied(&["--material", extra_pawn, "--pattern", "*/*/*/*/*/P*/*/*"]).is(second, "", 0);
    // The pawn on a3 is that of the side with the extra pawn, not of the other.
    copied(&["--material", extra_pawn, "--pattern", "*/*/p*/*/*/*/*/*"]).is(
        "",
        "warning: none of 2 games satisfies --material and --pattern\n",
        0,
    );
    copied(&["--pawns", "8/ppp1pppp/8/8/8/8/PPPP1PPP/8", "--mirror"]).is(first, "", 0);
    copied(&["--material", extra_pawn, "--for-plies", "2", "--invert"]).is(first, "", 0);
    copied(&["--pattern", "*/*/*/3q4/*/*/*/*", "--length", "..4"]).is(first, "", 0);
    copied(&["--moves", "exd5 Qxd5"]).is(first, "", 0);
    copied(&["--moves", "exd5 Qxd5", "--invert"]).is(second, "", 0);
}

#[test]
fn starts_are_chosen_by_their_shape() {
    let games: &[u8] = b"[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"] [SetUp \"1\"] 1. Ra8+ *

[FEN \"4k2r/8/8/8/8/8/8/4K3 w - - 0 1\"] [SetUp \"1\"] 1. Kd1 Rh1+ *

[FEN \"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\"] [SetUp \"1\"] *

[White \"x\"] 1. e4 *

";
    let desk = Desk::with(&[("a.pgn", games)]);
    let [rook, black_rook] = ["4k3/8/8/8/8/8/8/R3K3 w - - 0 1\n", "4k2r/8/8/8/8/8/8/4K3 w - - 0 1\n"];
    desk.run(&["starts", "--material", "R:", "a.pgn"]).is(&format!("{rook}{black_rook}"), "", 0);
    desk.run(&["starts", "--material", "R:", "--shape-colors", "given", "a.pgn"]).is(rook, "", 0);
    desk.run(&["starts", "--reached", "4k3/8/8/8/8/8/8/3K3r w - -", "a.pgn"]).is(black_rook, "", 0);
    desk.run(&["starts", "--length", "2..", "--lang", "de", "a.pgn"]).is(black_rook, "", 0);
    let copies = |options: &[&str]| desk.run(&[&["starts", "-f", "pgn", "a.pgn"], options].concat()).stdout;
    desk.run(&["starts", "--moves", "... Rh1+", "a.pgn"]).is(black_rook, "", 0);
    let (these, others) = (copies(&["--material", "R:"]), copies(&["--material", "R:", "--invert"]));
    assert_eq!((these.matches("[FEN").count(), others.matches("[FEN").count()), (2, 1));
    assert_eq!(others.matches("[White").count(), 1);
    let ran = desk.run(&["starts", "-C", "line", "--kind", "invalid", "--material", "R:", "a.pgn"]);
    assert!(ran.stderr.contains("has no positions; leave out --material"), "{}", ran.stderr);
}

#[test]
fn an_index_has_the_games_of_a_course() {
    let games = b"1. e4 e5 2. Nf3 Nc6 *\n1. d4 d5 *\n".as_slice();
    let desk = Desk::with(&[("a.pgn", games)]);
    let ran = desk.run(&["index", "-o", "idx", "--reached", "e4", "--moves", "Nf3 *", "--length", "3..", "a.pgn"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    desk.run(&["find", "-c", "--no-header", "idx", "startpos"]).is(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\t1\t0\t0\t0\t1\n",
        "",
        0,
    );
    let info = desk.run(&["index", "--info", "idx"]).stdout;
    assert!(
        info.contains(
            "--reached 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -' --moves 'Nf3 *' --length 3.."
        ),
        "{info}"
    );
}

#[test]
fn an_index_finds_the_games_that_had_a_shape() {
    let games = "[White \"a\"]\n\n1. e4 d5 2. exd5 Qxd5 1-0\n\n[White \"b\"]\n\n1. d4 e5 2. dxe5 Qh4 3. a3 Qh5 0-1\n\n\
        [White \"c\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"d\"]\n[FEN \"junk\"]\n\n1. e4 *\n\n";
    for (name, text) in [("a.pgn", games.as_bytes().to_vec()), ("a.pgn.gz", gzip(games.as_bytes()))] {
        let desk = Desk::with(&[(name, &text)]);
        assert_eq!(desk.run(&["index", "-q", "-o", "idx", name]).code, Some(1));
        let find =
            |options: &[&str]| desk.run(&[&["find", "idx", "--no-header", "--material", "P+1?:?"], options].concat());
        let row = |rows: &[&str]| rows.iter().map(|row| format!("{name}:{row}\n")).collect::<String>();
        // All games of the index, at the first ply of the stretch.
        let [first, second] = ["1\t1\t3\ta\t\t1-0\t\t", "5\t2\t3\tb\t\t0-1\t\t"];
        find(&[]).is(&row(&[first, second]), "", 0);
        find(&["-m", "1"]).is(&row(&[first]), "", 0);
        find(&["--for-plies", "4"]).is(&row(&[second]), "", 0);
        find(&["--for-plies", "5"]).is("", "warning: none of 4 games satisfies --material\n", 1);
        find(&["-c"]).is("\t2\t1\t0\t1\t0\n", "", 0);
        find(&["-t", "White=b", "-c"]).is("\t1\t0\t0\t1\t0\n", "", 0);
        let copied = games.split_inclusive("\n\n").skip(2).take(2).collect::<String>();
        find(&["-f", "pgn", "--for-plies", "2"]).is(&format!("{}\n", copied.trim_end()), "", 0);
        // The games of a position.
        find(&["e4"]).is(&row(&["1\t1\t1\ta\t\t1-0\t\t"]), "", 0);
        find(&["-c", "startpos"]).is("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\t2\t1\t0\t1\t0\n", "", 0);
        find(&["-c", "1. e4 e5"]).is(
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\t0\t0\t0\t0\t0\n",
            "warning: none of 1 game satisfies --material\n",
            1,
        );
        let moves = find(&["-M", "startpos"]).stdout;
        assert!(moves.starts_with("d4\td2d4\t1\t") && moves.lines().count() == 2, "{moves}");
        for (options, told) in [
            (&["-M"][..], "give a position"),
            (&["--order", "date"], "--order sets the order of the hits of a position"),
            (&["-f", "html"], "a page of boards shows positions"),
            (&["--mirror"], "--mirror exchanges left and right"),
        ] {
            let ran = find(options);
            assert!(ran.code == Some(2) && ran.stderr.contains(told), "{options:?} {}", ran.stderr);
        }
        std::fs::write(desk.path(name), b"1. a4 *\n").unwrap();
        let ran = find(&[]);
        assert!(ran.stdout.is_empty() && ran.stderr.contains("has changed since it was indexed"), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
}
