//! Seeds for the fuzz targets: the fixtures of pgn2fen, and fragments that broke a law in the past.

use std::fs;
use std::path::{Path, PathBuf};

use pgn2fen_chess::fen::{self, FenStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san;
use pgn2fen_games::pgn::games::Games;

use crate::damage::files;

/// The greatest length of a seed from a fixture, in bytes. Longer fixtures are cut to this length.
const LONGEST: usize = 1000;

/// Returns the seeds of a target with their names.
///
/// # Panics
///
/// There is no such target, or the fixtures cannot be read.
pub fn of(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        "walk" => with_heads(
            texts(),
            &[
                &[0, 0, 0, 0],
                &[1, 1, 0, 1],
                &[2, 0, 0, 2],
                &[3, 1, 0, 1],
                &[3, 33, 0, 1],
                &[5, 0, 0, 3],
                &[1, 1, 16, 1],
                &[1, 0, 32, 1],
            ],
        ),
        "hop" => with_heads(texts(), &[&[0, 0, 0], &[3, 1, 7]]),
        "fen" => named(fens().into_iter().map(String::into_bytes)),
        "moves" => moves(),
        "san" => symbols(),
        "filters" => filters(),
        "typed" => typed(),
        "compressed" => {
            let heads: [&[u8]; 5] = [&[0, 0, 0, 0], &[1, 2, 0, 90], &[3, 1, 0, 99], &[5, 2, 0, 40], &[6, 1, 1, 0]];
            // The text before the damage looks like UTF-16.
            let zeros = b"[FEN \"4\x01\x02\0Z[Event \"RatePPPPP/4K3 w --  0 1\"]\n[SetUp \"1\"]\n\nd".to_vec();
            let texts = texts().into_iter().step_by(3).chain([("zeros".to_owned(), zeros)]);
            let mut found = with_heads(texts.collect(), &heads);
            // Before the damage stands a line without a game, and then a game that is longer than a block.
            let line =
                b"\x06\x01\x68\x01rnb\x1F\x8B\x08qkbnr/pppppppp/8/8/8/8/P\xB0\xAFPPPPP/RNBQKBNR\x001. e4\x01\xFF e5 \
                2. Nf3\x01\xFF\n";
            let end = b" d4\x01\xFF\n\x01\xFF\n\x01\xFF\n *";
            found.push(("long-line".to_owned(), [&line[..], &[0xFF; 66], end].concat()));
            // The damage is behind a number and tags, without which the number would be a game.
            let number = b"\x22\x31-0\"]2\"]\nSf3 \n1. [SetUp \"1\"]d\n\n[Event \"2\"]\n\n1. [SetUp \"1\"]d4 *\n";
            found.push(("number".to_owned(), number.to_vec()));
            // The damage is in the text behind a result.
            let tail =
                b"\x06\x01\x01\x001. e4 \n\x02<\x01e@5 *\n\n[Event \"x\"]\n\n1. d4 *1.4\xE0 e\xF6\x02<\xBC\x01e@5 *\n";
            found.push(("tail".to_owned(), tail.to_vec()));
            found
        }
        "archive" => {
            let heads: [&[u8]; 5] = [&[0, 0, 0, 0], &[1, 1, 0, 90], &[0, 2, 1, 99], &[1, 6, 0, 40], &[0, 3, 1, 9]];
            with_heads(texts().into_iter().step_by(3).collect(), &heads)
        }
        "ranges" => {
            let mut found = with_heads(texts(), &[&[2, 0, 40, 0, 90, 1, 99], &[0, 0, 7]]);
            // The text looks like a frame of zstd.
            found.push(("frame".to_owned(), b"\0\0\x07P*M\x18[FEN \"4k2P/8\"]\n\n1. e4 *\n".to_vec()));
            found
        }
        "copies" => with_heads(texts(), &[&[0, 0, 0, 0], &[0, 60, 1, 20]]),
        "anew" => with_heads([texts(), games_of_variants()].concat(), &[&[0], &[1], &[2]]),
        "formats" => with_heads(texts(), &[&[1], &[5], &[9]]),
        "scan" => with_heads(texts().into_iter().step_by(4).collect(), &[&[0, 99]]),
        "damaged_index" => named((0..40_u8).map(|n| vec![n % 2, n, n / 8, n.wrapping_mul(37), 1 << (n % 8)])),
        "trainers" => {
            let heads: [&[u8]; 8] = [
                &[0, 0, 0, 0],
                &[1, 0, 0, 0],
                &[2, 0, 0, 0],
                &[0, 1, 0, 77],
                &[0, 2, 0, 50],
                &[1, 6, 0, 60],
                &[2, 3, 0, 9],
                &[3, 0, 0, 0],
            ];
            with_heads(texts().into_iter().step_by(3).collect(), &heads)
        }
        "records" => with_heads(records(), &[&[7], &[0]]),
        "databases" => {
            let flip = |n: u8| vec![n % 8, n / 4, n / 9, n.wrapping_mul(37), 1 << (n % 8)];
            named((0..8).map(|kind| vec![kind]).chain((0..40).map(flip)))
        }
        "linear" => linear(),
        other => panic!("{other} is no target"),
    }
}

/// Returns a few real games.
pub(crate) fn some_games() -> Vec<u8> {
    let path = fixtures().join("games/tournaments_2020.pgn");
    let text = fs::read(path).expect("the fixture is there");
    let games = Games::new(&text).take(12);
    games.flat_map(|game| [game.bytes(), b"\n\n"].concat()).collect()
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|it| it == ending)
}

/// Returns texts of games, and fragments that were hard to read.
fn texts() -> Vec<(String, Vec<u8>)> {
    let pgn = files(&fixtures()).into_iter().filter(|path| has_ending(path, "pgn"));
    let read = |path: PathBuf| {
        let mut bytes = fs::read(&path).expect("the fixture is there");
        bytes.truncate(LONGEST);
        (path.file_stem().expect("a name").to_string_lossy().into_owned(), bytes)
    };
    pgn.map(read).chain(named(attacks().into_iter())).collect()
}

/// Returns the records of the fixtures, one by one.
fn records() -> Vec<(String, Vec<u8>)> {
    let text = |name: &str| fs::read_to_string(fixtures().join("records").join(name)).expect("the fixture is there");
    let mut found = vec![text("chesscom.json")];
    for name in ["lichess.ndjson", "evaluations.jsonl"] {
        found.extend(text(name).lines().map(str::to_owned));
    }
    let puzzles = text("puzzles.csv");
    let (head, rows) = puzzles.split_once('\n').expect("a header");
    found.extend(rows.lines().map(|row| format!("{head}\n{row}\n")));
    found.extend(
        [
            "eco\tname\tpgn\nA00\tAmar Opening\t1. Nh3\nA00\tAmar Gambit\t1. Nh3 d5 2. g3 e5 3. f4\n",
            "id,moves,winner,white_rating\na,e4 e5 Nf3,white,1500\nb,d4 d5,black,?\n",
            "fen,cp\n8/8/8/3k4/8/8/4P3/4K3 w - - 0 1,31\n",
            "{\"games\": [{\"pgn\": \"1. e4 e5 *\"}, {\"pgn\": null}, {}]}",
        ]
        .map(str::to_owned),
    );
    named(found.into_iter().map(String::into_bytes))
}

/// Returns fragments that are repeated by the control characters of inputs.
fn attacks() -> Vec<Vec<u8>> {
    let repeated = [
        "1.",
        " .",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        ";",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "\n%",
        "$1",
        "1... ",
        "e4 ",
        "*",
        "1-0 ",
        "\\",
        "[Event \"",
        "[FEN \"",
        "<",
        ">",
        "-- ",
        "½",
        "{[%eval 1]} ",
        "{[%clk ",
        "{+0.31/14 0.5s} ",
        "{+0.31/ ",
        "{d=9, mt=5, wv=-M3} e4 ",
        "O-O ",
        "e8=Q ",
        "\u{feff}",
        "\0",
        "\n[a\"",
        "x",
        ".. ",
    ];
    let mut found: Vec<Vec<u8>> = Vec::new();
    for fragment in repeated {
        let length = u8::try_from(fragment.len()).expect("short");
        for (head, tail) in [("", " e4 *"), ("1. e4 ", "e5 *\n\n[Event \"x\"]\n\n1. d4 *\n")] {
            found.push([head.as_bytes(), fragment.as_bytes(), &[2, 60, length], tail.as_bytes()].concat());
        }
    }
    let odd: [&[u8]; 16] = [
        b"\xAE [ \x05 1. e4 *",
        b"1. e4 (1. d4 d5 e5 *\n\n1. e4 *",
        b"\x01\x01\0;;\n\x01\x01\0;\n[ent \x01\x01\0\n[ent \x01\x01\0\n ..  d4 *",
        b"[Variant \"Rap\xffK\"]\n\n1. e4 *",
        b"1. e4 1-0 {time}\n\n1. d4 *\n",
        b"1. e4\x0f\n\n\x01\x01\x05e5 *",
        b"[Event \"a\"]\n[White \"b\"] ]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *",
        b"1. e4 { lost\n\n[Event \"a\"]\n\n1. d4 *\n\n[Event \"b\"]\n\n1. c4 {x} *",
        b"\xFF\xFE1\0.\0 \0e\x004\0 \0*\0\n\0",
        b"1. e4\x01\xff e5 2. Nf3\x01\xff\n\x01\xff\n*\n\x01\xff\n1. d4\x01\xff\n\x01\xff\n\x01\xff\n *",
        b"1. e4 (. {a} 1. d4 d5) e5 *",
        b"*\x02<>=e4 *",
        b"1. e4 )\x1A@\x08 e5 *\n",
        b"1. e4 e{[%clk 0:01:02.5] [%eval 0.3]}5 2. Nf3 *",
        b"[x \"]\n1. e4 1-0\n1.\n[SetUp \"2\"\n",
        b"[FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"]\n1. c7 Rd6+ 2. Kb5 Rd5+ 3. Kb4 Rd4+ 4. Kb3 Rd3+ 5. Kc2 Rd4 6. c8=R",
    ];
    found.extend(odd.map(<[u8]>::to_vec));
    found
}

fn named(seeds: impl Iterator<Item = Vec<u8>>) -> Vec<(String, Vec<u8>)> {
    (0..).zip(seeds).map(|(nth, seed): (u32, _)| (format!("seed-{nth:03}"), seed)).collect()
}

/// Returns each seed after each of the heads, whose bytes choose the job.
fn with_heads(seeds: Vec<(String, Vec<u8>)>, heads: &[&[u8]]) -> Vec<(String, Vec<u8>)> {
    let both = seeds.iter().flat_map(|(name, seed)| {
        (0..).zip(heads).map(move |(nth, head): (u32, _)| (format!("{name}-{nth}"), [head, seed.as_slice()].concat()))
    });
    both.collect()
}

fn fens() -> Vec<String> {
    let epd = files(&fixtures().join("perft")).into_iter().filter(|path| has_ending(path, "epd"));
    let lines = epd.flat_map(|path| {
        let text = fs::read_to_string(path).expect("the fixture is there");
        text.lines().filter_map(|line| line.split(" ;").next()).map(str::to_owned).collect::<Vec<_>>()
    });
    let mut fens: Vec<String> = lines.step_by(3).collect();
    fens.extend(VARIANTS.iter().map(|(_, fen)| (*fen).to_owned()));
    fens.extend(
        [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "4k3/8/8/8/8/8/4P3/4K3_w_-_-_5_39",
            "4k3/8/44/8/8/8/4P3/4K111 W - - 0 0",
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a; fmvn 7;\"; fmvn 39;",
            "4k3/8/8/8/8/8/8/4KR1R w F - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "4k3/8/8/8/8/NNNNNNNN/PPPPPPPP/4K3 w KQkq e3 4294967295 4294967295",
            "r1nkbbrq/p1pp1p1p/n5p1/1p2p3/8/4PNPP/PPPP1P2/QKQRKr1N w FDga b6 0 5",
        ]
        .map(str::to_owned),
    );
    fens
}

fn moves() -> Vec<(String, Vec<u8>)> {
    let plies = [200, 3, 255, 131, 17, 140, 128, 60, 129, 9, 200, 77, 5, 250, 33, 190];
    let of_fens = fens().into_iter().map(move |fen| [&[0], fen.as_bytes(), b"\n", &plies].concat());
    let of_numbers = (0..8_u8).map(move |n| [&[1 + n % 2, n, n.wrapping_mul(91), 1, n][..], &plies].concat());
    // The starts of all games, and positions of variants.
    let starts = (0..10_u8).map(move |rules| [&[3, rules, b'\n'][..], &plies].concat());
    let of_variants = VARIANTS.iter().map(move |(rules, fen)| [&[3, *rules], fen.as_bytes(), b"\n", &plies].concat());
    named(of_fens.chain(of_numbers).chain(starts).chain(of_variants))
}

/// Positions of variants, with the places of their rules in `Rules::ALL`.
const VARIANTS: &[(u8, &str)] = &[
    (1, "r1bQ~kb1r/ppp2ppp/2n5/8/8/5N2/PPP2PPP/RNB1KB1R[QPPnnp] b KQkq - 0 9"),
    (1, "4k3/P6P/8/8/8/8/p6p/4K3/QRBNPqrbnp w - - 0 1"),
    (2, "4k3/8/8/8/8/8/8/R3K2R w KQ - 1+1 0 1"),
    (2, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 +2+2"),
    (3, "8/3k4/8/8/8/8/3K4/8 w - - 0 1"),
    (4, "8/1P6/8/3k4/8/8/6p1/7R w - - 0 1"),
    (5, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    (6, "8/8/8/8/8/8/p7/1N6 b - - 0 1"),
    (7, "r3k2r/pppqpppp/8/3pP3/3Kn3/8/PPPP1PPP/RNBQ1B1R w kq d6 0 9"),
    (8, "r3k2r/8/8/8/8/8/PPPPPPPP/PPPPPPPP w kq - 0 1"),
    (9, "5k2/2K5/8/8/8/8/8/qrbnNBRQ w - - 0 1"),
];

/// Returns games from the positions of variants, with and without the tag that names the variant. Each move has a
/// variation before the next one.
fn games_of_variants() -> Vec<(String, Vec<u8>)> {
    let game = |rules: Rules, fen: &str, nth: usize| {
        let mut position = fen::read_by(rules, fen.as_bytes()).expect(fen).position;
        let mut moves = Vec::new();
        for ply in 0..12_usize {
            let legal = position.legal_moves();
            let choose = |nth: usize| legal.get(nth % legal.len().max(1)).copied();
            let (Some(m), Some(other)) = (choose(ply * 31 + nth), choose(ply * 7)) else { break };
            let periods = if position.turn() == Color::White { "." } else { "..." };
            moves.push(format!("{}{periods}", position.fullmoves()));
            moves.extend([m.to_san(&position), format!("({})", other.to_san(&position))]);
            position.play_unchecked(m);
        }
        moves.join(" ")
    };
    let mut found = Vec::new();
    for (nth, (rules, fen)) in VARIANTS.iter().enumerate() {
        let rules = Rules::ALL[usize::from(*rules)];
        let rest = format!("[FEN \"{fen}\"]\n\n{} *\n", game(rules, fen, nth));
        found.extend(["", " 960"].map(|also| format!("[Variant \"{}{also}\"]\n{rest}", rules.tag_value())));
        found.push(rest);
    }
    named(found.into_iter().map(String::into_bytes))
}

/// Returns the moves of some games, with the positions in which they are played.
fn symbols() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for (_, text) in texts() {
        for game in Games::new(&text).take(2) {
            let Ok(mut replay) = game.replay() else { continue };
            loop {
                let before = fen::to_string(replay.position(), FenStyle::default());
                let Some(Ok(ply)) = replay.next_ply() else { break };
                if ply.number % 5 == 1 {
                    found.push([b"\xff", before.as_bytes(), b"\n", ply.san].concat());
                }
            }
        }
    }
    let crowd = "r3k2r/1P1n1b2/2pPp3/1qB1N3/2b1n3/3PPQ2/1p2N1B1/R3K2R w KQkq - 0 1";
    let words = "e2e4 b1b5 bxc4 bxc3 bc3 BXC3 exd ed exd8=Q b8=Q b8Q b8(Q) b8/Q 00 000 0-0 O-O-O e1g1 e1-c1 Ke1-g1 Pe4 \
        N@f3 Nf3+- e4= Bxf7ch ♘f3 exd6e.p. exd6/ep -- Z0 null Ngf3 N1f3 Nd2-f3 Sf3 Кf3 Крe2 a1xa8 R1a2 Qa3b4";
    found.extend(words.split_whitespace().map(|word| [b"\xff", crowd.as_bytes(), b"\n", word.as_bytes()].concat()));
    let (_, house) = VARIANTS[0];
    for word in "N@f3 n@f3 @e6 P@e6 P@e1 Q@e4 N@c7 @@ N@ N@f9 N@f3+ Nd4 d8 Kxd8".split_whitespace() {
        found.push([b"\xff", house.as_bytes(), b"\n", word.as_bytes()].concat());
    }
    for language in 0..20_u8 {
        let symbol = san::languages().nth(usize::from(language)).map_or("Nf3", |_| "Sf3");
        found.push([&[language], crowd.as_bytes(), b"\n", symbol.as_bytes()].concat());
    }
    named(found.into_iter())
}

fn filters() -> Vec<(String, Vec<u8>)> {
    let values = [
        "2200",
        "02200",
        "+5",
        "-7",
        "95.5",
        "?",
        "-",
        "",
        "2019",
        "2019.06.01",
        "2019-06-01",
        "2019/6/1",
        "2019.??.??",
        "1/2-1/2",
        "180+2",
        "40/7200:3600",
        "*180",
        "1.1",
        "1.10",
        "C42",
        "GM",
        "12:30:59",
        "9223372036854775808",
        "nan",
    ];
    let typed = ["WhiteElo>=2200", "Date=2019", "White~carlsen", " White = \"a b\" ", "Date=>1", "-2..", "..7", "0.01"];
    let mut found = Vec::new();
    for tag in 0..10_u8 {
        for (nth, a) in values.iter().enumerate() {
            let b = values[(nth * 7 + usize::from(tag)) % values.len()];
            found.push([&[tag], a.as_bytes(), b"\n", b.as_bytes(), b"\n", typed[nth % 8].as_bytes()].concat());
        }
    }
    named(found.into_iter())
}

fn typed() -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<Vec<u8>> = fens().into_iter().step_by(2).map(String::into_bytes).collect();
    found.extend(
        [
            "startpos",
            "position startpos moves e2e4 c7c5 g1f3",
            "1. e4 c5 2. Nf3",
            "1. e4! {best} c5 (1... e5) 2. Nf3 *",
            "4k3/8/8/8/8/8/8/5KR1 w G - moves f1g1",
            "fen 8/8/8/3k4/8/8/4P3/4K3 w - - moves e2e4",
            "[FEN \"8/8/1KP5/3r4/8/8/8/k7 w - - 0 1\"] 1. c7 *",
            "[Event \"x\"] 1. e4 *",
            "*",
            ")",
            "{e4",
            "1-0 e4",
            "e4 1-0 e5",
            "e4 c5 [Event \"x\"] d4 *",
            "x <4 \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \"1\"]\n\n1. b4 b5 *",
            "1. e4 a6 2. e5 f5 3. exf(\u{2}<6 e.p. Nxf2 4. d4 h5 *\n",
            "1.''startpos''\n[Event \"x\"]\n\n'e4 * words -0) e5 *\n",
            "%[Variant \"Atomic480\"]\n\n1. e4; \n",
            "Ng1 [E[x \"]'\"] [E[x \"]\n1. e4 1-0[x \"]\n1. e4 1-0\n",
            "[FEN \"1r1k~1r2/5p2/8/8/8/8/3N4/R5KR b KQka - 0 1\"]\n1... O- O 2. Kf2 *\n",
            "9 e3&\r\n\r\n*",
            "9! e3&\r*",
            "900e3%{ ev \u{1}/ *\nveE\n[et`x\"x\"]\n\n1. d4 a .p.1} e5 /",
            "1.2e4%{ ev \u{2}<\u{5}e5 *\nveE\n[et x\"x\"]\n\n1. d4 a .0.1} e5 /",
            "fmvn 39; words [Va\n[Variant \"Three-check (960)\"]\n\n1. e4 *\n",
            "From: a@b.\"??\"]\n[Round \"?\"]\n\n1. e4 Rc\nSubject: games\n\n[Event \"1\"]\n\n1. e4 *\n",
        ]
        .map(|text| text.as_bytes().to_vec()),
    );
    found.extend(texts().into_iter().map(|(_, text)| text).filter(|text| text.len() < 300));
    named(found.into_iter())
}

/// Returns all pairs of fragments, of which the second is repeated.
fn linear() -> Vec<(String, Vec<u8>)> {
    let heads = ["", "1.", "}", "x", "1. e4 }", "[Event \"", "{", "(", "1. e4 (", ";"];
    let bodies = [
        " .",
        "\n\n",
        "\r\n",
        "\n",
        "(",
        "[",
        "{",
        "[a \"b\"]\n",
        "1. e4 e5\n\n",
        "\n%",
        "\"",
        "$",
        "e8(",
        "- ",
        "{+0.3/1 1s} ",
    ];
    let mut found = Vec::new();
    for (nth, head) in (0_u8..).zip(heads) {
        for (other, body) in (0_u8..).zip(bodies).skip(usize::from(nth % 3)).step_by(3) {
            let length = |text: &str| u8::try_from(text.len()).expect("short");
            let job = (nth * 3 + other) % 7;
            found.push([&[job, length(head), length(body)], head.as_bytes(), body.as_bytes(), b" e4 *"].concat());
        }
    }
    named(found.into_iter())
}
