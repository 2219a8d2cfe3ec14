//! The scalar functions on positions.
//!
//! A position is a FEN or an EPD, and is read quickly then; or `startpos`, or moves such as `1. e4 c5`, as in the
//! command. The form of a FEN tells whether it is of crazyhouse (`[]`) or three-check (`3+3`).

use std::borrow::Cow;

use pgn2fen_board::{Board, Colors};
use pgn2fen_chess::fen::{self, EpStyle, FenError, FenStyle, Reading};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::opening;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::san::{self, Letters};
use pgn2fen_chess::square::Square;
use pgn2fen_chess::start::StartKind;
use pgn2fen_chess::{Move, Position};
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::selection::ShapeFilter;
use pgn2fen_games::typed::{read_diagram_by, read_position_by};
use pgn2fen_rows::append_material;
use pgn2fen_rows::options::{JobOptions, choose};

use crate::door::{Apply, ScalarFunction, Type, Value};
use crate::options::spelled;

/// The functions.
pub(crate) const FUNCTIONS: &[ScalarFunction] = &[
    of_position("fen_key", Type::Bigint, || each(|position| Value::Bigint(pgn2fen_index::key(position).cast_signed()))),
    of_position("fen_turn", Type::Varchar, || {
        each(|position| Value::Text(if position.turn() == Color::White { "w" } else { "b" }.to_owned()))
    }),
    of_position("fen_material", Type::Varchar, || {
        each(|position| {
            let mut material = Vec::new();
            append_material(position.board(), &mut material);
            Value::Text(String::from_utf8_lossy(&material).into_owned())
        })
    }),
    ScalarFunction {
        name: "fen_legal_moves",
        arguments: 1,
        has_more: true,
        returns: Type::Texts,
        make: || Box::new(legal_moves),
    },
    ScalarFunction {
        name: "fen_play",
        arguments: 2,
        has_more: false,
        returns: Type::Varchar,
        make: || Box::new(|arguments| play(arguments[0], arguments[1])),
    },
    ScalarFunction { name: "fen_matches", arguments: 1, has_more: true, returns: Type::Boolean, make: matches },
    ScalarFunction {
        name: "fen_board_svg",
        arguments: 1,
        has_more: true,
        returns: Type::Varchar,
        make: || Box::new(|arguments| board_svg(arguments[0], &arguments[1..])),
    },
    of_position("opening_name", Type::Varchar, || {
        each(|position| opening(position).map_or(Value::Null, |opening| Value::Text(opening.name.to_owned())))
    }),
    of_position("opening_eco", Type::Varchar, || {
        each(|position| opening(position).map_or(Value::Null, |opening| Value::Text(opening.eco.to_owned())))
    }),
    of_position("chess960_number", Type::Integer, || {
        each(|position| match StartKind::of(position).numbers() {
            Some((white, black)) if white == black => Value::Integer(white.into()),
            _ => Value::Null,
        })
    }),
    of_position("fen_valid", Type::Boolean, || {
        Box::new(|arguments| Ok(Value::Boolean(problem(arguments[0]).is_none())))
    }),
    of_position("fen_problem", Type::Varchar, || {
        Box::new(|arguments| Ok(problem(arguments[0]).map_or(Value::Null, Value::Text)))
    }),
];

/// Describes a function of a position.
const fn of_position(name: &'static str, returns: Type, make: fn() -> Apply) -> ScalarFunction {
    ScalarFunction { name, arguments: 1, has_more: false, returns, make }
}

/// Makes a function of a position.
fn each(value: fn(&Position) -> Value) -> Apply {
    Box::new(move |arguments| Ok(value(&position(arguments[0])?)))
}

/// Reads a position.
fn position(text: &str) -> Result<Position, String> {
    match read_fen(text) {
        Ok(reading) => Ok(reading.position),
        Err(_) => read_position_by(text, &Letters::ENGLISH, None)
            .map(|typed| typed.position)
            .map_err(|mistake| mistake.to_string()),
    }
}

/// Reads a FEN by the rules that its form tells.
fn read_fen(text: &str) -> Result<Reading, FenError> {
    fen::read_by(fen::rules_of_form(text.as_bytes()).unwrap_or_default(), text.as_bytes())
}

/// Returns what is wrong with a FEN: the error, or what must be repaired.
fn problem(text: &str) -> Option<String> {
    match read_fen(text) {
        Ok(reading) if reading.repairs.is_empty() => None,
        Ok(reading) => Some(reading.repairs.to_string()),
        Err(error) => Some(error.to_string()),
    }
}

/// Lists the legal moves in the notation of UCI engines, or as SAN.
fn legal_moves(arguments: &[&str]) -> Result<Value, String> {
    let position = position(arguments[0])?;
    let is_san = match arguments[1..] {
        [] => false,
        [notation] => {
            choose("the notation", notation, &[("uci", false), ("san", true)]).map_err(|error| spelled(&error))?
        }
        _ => return Err("give a position, and uci or san".to_owned()),
    };
    let castling = position.castling_rules();
    let written = |m: &Move| if is_san { m.to_san(&position) } else { m.to_uci(castling) };
    Ok(Value::Texts(position.legal_moves().iter().map(written).collect()))
}

/// Returns the position after moves, which are written as SAN or in the notation of UCI engines. Numbers of moves are
/// skipped, and a result may end them.
fn play(text: &str, moves: &str) -> Result<Value, String> {
    let mut position = position(text)?;
    let mut words = moves.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if words.peek().is_none() && Outcome::from_ascii(word.as_bytes()).is_some() {
            break;
        }
        let word = word.trim_start_matches(|char: char| char.is_ascii_digit() && word.contains('.'));
        let word = word.trim_start_matches('.');
        if !word.is_empty() {
            let found = find(&position, word)?;
            position.play_unchecked(found);
        }
    }
    Ok(Value::Text(fen::to_string(&position, FenStyle { ep: EpStyle::Always, ..FenStyle::default() })))
}

/// Finds a legal move.
fn find(position: &Position, text: &str) -> Result<Move, String> {
    if let Some(m) = Uci::from_ascii(text.as_bytes()).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    let resolved = san::resolve(text.as_bytes(), position, &Letters::ENGLISH);
    resolved.map(|resolved| resolved.mv).map_err(|error| format!("{}: {error} (in {position})", short(text)))
}

/// Returns a text for a message, cut if it is long.
fn short(text: &str) -> Cow<'_, str> {
    text.char_indices().nth(60).map_or(text.into(), |(end, _)| format!("{}…", &text[..end]).into())
}

/// Makes the function that says whether a position has a shape. The options are names and values.
fn matches() -> Apply {
    let mut last: Option<(Vec<String>, ShapeFilter)> = None;
    Box::new(move |arguments| {
        let (text, options) = (arguments[0], &arguments[1..]);
        let shape = match &last {
            Some((given, shape)) if given.iter().eq(options) => shape,
            _ => {
                let shape = shape(options)?;
                &last.insert((options.iter().map(ToString::to_string).collect(), shape)).1
            }
        };
        Ok(Value::Boolean(shape.holds(&position(text)?)))
    })
}

/// The options for the shape of one position.
const SHAPE: [&str; 5] = ["material", "pattern", "pawns", "colors", "mirror"];

fn shape(options: &[&str]) -> Result<ShapeFilter, String> {
    let mut job = JobOptions::new();
    for (name, value) in pairs(options, "'material', 'KRP:KR'")? {
        job.set(name, value).map_err(|error| spelled(&error))?;
    }
    job.refuse_all_but(&SHAPE).map_err(|error| spelled(&error))?;
    let shape = job.shape().map_err(|error| spelled(&error))?;
    if shape.is_empty() { Err("give a shape: material, pattern or pawns".to_owned()) } else { Ok(shape) }
}

/// Returns options that are names and values. `example` is such a pair.
fn pairs<'a>(options: &'a [&'a str], example: &str) -> Result<impl Iterator<Item = (&'a str, &'a str)>, String> {
    if !options.len().is_multiple_of(2) {
        return Err(format!("an option has no value; options are names and values, such as {example}"));
    }
    Ok(options.chunks_exact(2).map(|pair| (pair[0], pair[1])))
}

/// Returns the SVG document of a position, which may be one of which no game can be played.
fn board_svg(text: &str, options: &[&str]) -> Result<Value, String> {
    let typed = read_diagram_by(text, &Letters::ENGLISH, None).map_err(|mistake| mistake.to_string())?;
    let mut board = Board::of_setup(&typed.setup);
    for (name, value) in pairs(options, "'size', '400'")? {
        let is_on = || choose(name, value, &[("true", true), ("false", false)]).map_err(|error| spelled(&error));
        board = match name {
            "orientation" => {
                let sides = [("white", Color::White), ("black", Color::Black), ("turn", typed.setup.turn)];
                board.orientation(choose(name, value, &sides).map_err(|error| spelled(&error))?)
            }
            "last_move" => {
                let (from, to) = squares(value).ok_or_else(|| {
                    format!("last_move is '{}', but must be the squares of a move, such as e2e4", short(value))
                })?;
                board.last_move(from, to)
            }
            "check" => board.check(is_on()?),
            "coordinates" => board.coordinates(is_on()?),
            "colors" => board.colors(value.parse::<Colors>().map_err(|error| format!("{name}: {error}"))?),
            "size" => match value.parse() {
                Ok(size) if size > 0 => board.size(size),
                _ => {
                    return Err(format!(
                        "size is '{}', but must be a whole number from 1 to {}",
                        short(value),
                        u32::MAX
                    ));
                }
            },
            _ => {
                let known = "orientation, last_move, check, coordinates, colors, size";
                return Err(format!("there is no option '{}'; the options are {known}", short(name)));
            }
        };
    }
    Ok(Value::Text(board.to_svg()))
}

/// Parses the squares of a move in the notation of UCI engines.
fn squares(text: &str) -> Option<(Square, Square)> {
    let uci = Uci::from_ascii(text.as_bytes()).filter(|uci| *uci != Uci::NULL);
    uci.and_then(|_| Square::from_ascii(&text.as_bytes()[..2]).zip(Square::from_ascii(&text.as_bytes()[2..4])))
}

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;
    use crate::door::Value;

    #[track_caller]
    fn check(name: &str, arguments: &[&str], expected: Result<Value, &str>) {
        let function = FUNCTIONS.iter().find(|function| function.name == name).expect("there is such a function");
        assert_eq!((function.make)()(arguments), expected.map_err(str::to_owned));
    }

    const LUCENA: &str = "1K1k4/1P6/8/8/8/8/r7/2R5 w - - 0 1";

    #[test]
    fn shapes_have_options_in_pairs() {
        check("fen_matches", &[LUCENA, "material", "KRP:KR"], Ok(Value::Boolean(true)));
        check("fen_matches", &[LUCENA, "material", "KR:KRP", "colors", "given"], Ok(Value::Boolean(false)));
        check("fen_matches", &[LUCENA], Err("give a shape: material, pattern or pawns"));
        check(
            "fen_matches",
            &[LUCENA, "mirror", "true"],
            Err("mirror exchanges left and right, and needs pattern or pawns"),
        );
        check("fen_matches", &[LUCENA, "tags", "White=A"], Err("there is no option 'tags'"));
        let without_value = "an option has no value; options are names and values, such as";
        for (name, example) in [("fen_matches", "'material', 'KRP:KR'"), ("fen_board_svg", "'size', '400'")] {
            check(name, &[LUCENA, "size"], Err(&format!("{without_value} {example}")));
        }
        let wrong = Err("size is 'x', but must be a whole number from 1 to 4294967295");
        check("fen_board_svg", &[LUCENA, "size", "x"], wrong);
    }

    #[test]
    fn moves_are_played_with_and_without_numbers() {
        let after = Ok(Value::Text("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2".to_owned()));
        for moves in ["1. e4 c5 2. Nf3", "1.e4 c5 2.Nf3 *", "e2e4 c7c5 g1f3 1-0"] {
            check("fen_play", &["startpos", moves], after.clone());
        }
        let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
        check("fen_play", &["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O"], Ok(Value::Text(castled.to_owned())));
    }

    #[test]
    fn problems_are_errors_and_repairs() {
        check("fen_problem", &[LUCENA], Ok(Value::Null));
        check("fen_valid", &["8/8/8/8/8/8/8/8 w - - 0 1"], Ok(Value::Boolean(false)));
        check("fen_valid", &["4k3/8/8/8/8/8/8/4K3 w K - 0 1"], Ok(Value::Boolean(false)));
    }

    #[test]
    fn numbers_of_starts_are_those_of_both_sides() {
        check("chess960_number", &["startpos"], Ok(Value::Integer(518)));
        check("chess960_number", &[LUCENA], Ok(Value::Null));
    }

    #[test]
    fn the_form_of_a_fen_tells_its_variant() {
        let crazyhouse = "nqrnbkrb/pppppppp/8/8/8/8/PPPPPPPP/NQRNBKRB[] w KQkq - 0 1";
        check("chess960_number", &[crazyhouse], Ok(Value::Integer(123)));
        check("fen_problem", &[crazyhouse], Ok(Value::Null));
        let (before, after) = ("4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1", "3Qk3/8/8/8/8/8/8/4K3[] b - - 1 1");
        check("fen_play", &[before, "Q@d8"], Ok(Value::Text(after.to_owned())));
        let three_check = Ok(Value::Text("4k3/8/8/8/8/8/4P3/3K4 b - - 1+2 1 1".to_owned()));
        for before in ["4k3/8/8/8/8/8/4P3/4K3 w - - 1+2 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 +2+1"] {
            check("fen_play", &[before, "Kd1"], three_check.clone());
        }
    }
}
