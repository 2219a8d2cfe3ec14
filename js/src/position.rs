//! Positions. JavaScript keeps a position as a FEN that loses nothing (Shredder-FEN), and the name of its game.

use pgn2fen_board::{Arrow, Board, Colors, Paint, TextStyle};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, CastlingStyle, EpStyle, FenStyle, Fields, VariantStyle};
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::openings::opening;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::position::EndReason;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::{self, Letters, languages};
use pgn2fen_chess::square::Square;
use pgn2fen_chess::zobrist;
use pgn2fen_chess::{Move, Position};
use pgn2fen_games::diagnostic::Kind;
use pgn2fen_games::typed::{read_diagram_by, read_position, read_position_by};
use serde::Serialize;

use crate::failure::Failure;

/// A position of JavaScript, and the rules of castling by which its moves are written.
pub(crate) struct Kept(Position, CastlingRules);

/// The FEN that loses nothing.
const WHOLE: FenStyle = FenStyle {
    ep: EpStyle::Always,
    castling: CastlingStyle::Shredder,
    fields: Fields::Six,
    variant: VariantStyle::Usual,
};

/// Returns a position as JavaScript keeps it: its FEN, and the name of its game, which is empty for standard chess.
pub(crate) fn kept(position: &Position, castling: CastlingRules) -> String {
    let name = match position.rules().game_name(castling) {
        "standard" => "",
        name => name,
    };
    format!("{}\n{name}", fen::to_string(position, WHOLE))
}

/// Returns the rules and the rules of castling of the game with a name. The game without a name is standard chess.
fn game(name: &str) -> Result<(Rules, CastlingRules), String> {
    let named = if name.is_empty() { "standard" } else { name };
    let game = Rules::game_named(named)
        .ok_or_else(|| format!("variant is '{name}', but must be one of {}", Rules::game_names()))?;
    if game.0 != Rules::Chess {
        needs_variants(game.0)?;
    }
    Ok(game)
}

/// Refuses a variant in the module that has no rules of variants.
fn needs_variants(rules: Rules) -> Result<(), String> {
    if Rules::HAVE_VARIANTS {
        return Ok(());
    }
    Err(format!("the small module does not play {rules}; load the whole package first: await load()"))
}

impl Kept {
    /// Reads what [`kept`] wrote.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (fen, name) = text.split_once('\n').unwrap_or((text, ""));
        let (rules, castling) = game(name)?;
        let position = fen::read_by(rules, fen.as_bytes()).map_err(|error| error.to_string())?.position;
        Ok(Self(position, castling))
    }

    #[cfg(feature = "full")]
    pub(crate) fn position(&self) -> &Position {
        &self.0
    }

    /// Returns a legal move in the notation of UCI engines, and as SAN.
    #[cfg(feature = "full")]
    pub(crate) fn names(&self, m: Move) -> (String, String) {
        (m.to_uci(self.1), m.to_san(&self.0))
    }
}

/// Returns the letters of a language.
pub(crate) fn letters(language: &str) -> Result<Letters, String> {
    Letters::of(language).ok_or_else(|| {
        let known: Vec<&str> = languages().map(Letters::code).collect();
        format!("lang is '{language}', but must be one of {}", known.join(", "))
    })
}

/// Reads a position as people type it, of the game with this name. Without a name, the text tells the game.
pub(crate) fn typed(text: &str, lang: &str, variant: &str) -> Result<String, Failure> {
    let named = if variant.is_empty() { None } else { Some(game(variant)?) };
    if let (None, Some(rules)) = (named, fen::rules_of_form(text.as_bytes())) {
        needs_variants(rules)?;
    }
    let rules = named.map(|(rules, _)| rules);
    let wrong = |text: String| Failure { code: Kind::BadFen.as_str(), ..text.into() };
    let typed = read_position_by(text, &letters(lang)?, rules).map_err(|mistake| wrong(mistake.to_string()))?;
    let castling = match named {
        Some((_, CastlingRules::Chess960)) => CastlingRules::Chess960,
        _ => typed.castling_rules,
    };
    Ok(kept(&typed.position, castling))
}

/// The way to a position as people type it.
#[derive(Serialize)]
struct TypedLine {
    /// The FEN of the position before the first move.
    start: String,
    /// The moves in the notation of UCI engines; castling is the king taking its rook.
    moves: Vec<String>,
}

/// Reads a position as people type it, and returns the way to it.
pub(crate) fn typed_line(text: &str, lang: &str) -> Result<String, String> {
    let typed = read_position(text, &letters(lang)?).map_err(|mistake| mistake.to_string())?;
    let moves = typed.moves.iter().map(|m| m.to_uci(CastlingRules::Chess960)).collect();
    json(&TypedLine { start: fen::to_string(&typed.start, WHOLE), moves })
}

/// Returns the key of a position in an index, as 16 hexadecimal digits. It is the Polyglot key, unless inner rooks may
/// castle.
pub(crate) fn index_key(text: &str) -> Result<String, String> {
    let Kept(position, _) = Kept::read(text)?;
    Ok(format!("{:016x}", zobrist::key(&position) ^ zobrist::inner_rooks(&position)))
}

/// Returns the FEN in a style.
pub(crate) fn write_fen(text: &str, [ep, castling, fields, style]: [&str; 4]) -> Result<String, String> {
    let Kept(position, _) = Kept::read(text)?;
    let ep = choose("ep", ep, &[("always", EpStyle::Always), ("xfen", EpStyle::Xfen), ("legal", EpStyle::Legal)])?;
    let castlings = [("xfen", CastlingStyle::Xfen), ("shredder", CastlingStyle::Shredder)];
    let castling = choose("castling", castling, &castlings)?;
    let fields = match fields {
        "4" => Fields::Four,
        "6" => Fields::Six,
        _ => return Err(format!("fields is {fields}, but must be 4 or 6")),
    };
    let variant = choose("fenStyle", style, &VariantStyle::NAMES)?;
    Ok(fen::to_string(&position, FenStyle { ep, castling, fields, variant }))
}

/// Returns the value for a word. The error lists all words.
pub(crate) fn choose<T: Copy>(option: &str, word: &str, known: &[(&str, T)]) -> Result<T, String> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        format!("{option} is '{word}', but must be one of {}", names.join(", "))
    })
}

/// What JavaScript asks about a position.
#[derive(Serialize)]
struct Description {
    /// The Polyglot key as a signed number, in decimal digits.
    key: String,
    opening: Option<OpeningName>,
    check: bool,
    checkmate: bool,
    stalemate: bool,
    end: Option<GameEnd>,
    words: String,
}

/// The end of the game that a position shows.
#[derive(Serialize)]
struct GameEnd {
    reason: String,
    result: &'static str,
}

#[derive(Serialize)]
struct OpeningName {
    eco: &'static str,
    name: &'static str,
}

/// Describes a position.
pub(crate) fn describe(text: &str) -> Result<String, String> {
    let Kept(position, _) = Kept::read(text)?;
    let end = position.end();
    let is_end = |reason| end.is_some_and(|end| end.reason == reason);
    json(&Description {
        key: zobrist::key(&position).cast_signed().to_string(),
        opening: opening(&position).map(|opening| OpeningName { eco: opening.eco, name: opening.name }),
        check: position.is_check(),
        checkmate: is_end(EndReason::Checkmate),
        stalemate: is_end(EndReason::Stalemate),
        end: end.map(|end| GameEnd { reason: end.to_string(), result: end.result() }),
        words: Board::of(&position).description(),
    })
}

/// A legal move: its names, and the squares from which and to which a piece is dragged to play it.
#[derive(Serialize)]
struct LegalMove {
    uci: String,
    san: String,
    from: Option<String>,
    to: Option<String>,
    /// The square of the rook, for castling: a king that is dropped on its rook castles, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    also: Option<[String; 1]>,
    promotion: Option<char>,
}

/// Lists the legal moves.
pub(crate) fn legal(text: &str) -> Result<String, String> {
    let Kept(position, castling) = Kept::read(text)?;
    let named = |m: &Move| LegalMove {
        uci: m.to_uci(castling),
        san: m.to_san(&position),
        from: m.from().map(|square| square.to_string()),
        to: m.to().map(|square| square.to_string()),
        also: if let Move::Castle { rook, .. } = m { Some([rook.to_string()]) } else { None },
        promotion: m.promotion().map(|role| role.char().to_ascii_lowercase()),
    };
    json(&position.legal_moves().iter().map(named).collect::<Vec<_>>())
}

/// Returns the position after moves.
pub(crate) fn play(text: &str, lang: &str, moves: &[&str]) -> Result<String, Failure> {
    let Kept(mut position, castling) = Kept::read(text)?;
    let letters = letters(lang)?;
    for (text, ply) in moves.iter().zip(1..) {
        let found = find(&position, text, &letters).map_err(|error| Failure { ply: Some(ply), ..error })?;
        position.play_unchecked(found);
    }
    Ok(kept(&position, castling))
}

/// Returns a legal move as SAN.
pub(crate) fn to_san(text: &str, lang: &str, played: &str) -> Result<String, Failure> {
    let Kept(position, _) = Kept::read(text)?;
    Ok(find(&position, played, &letters(lang)?)?.to_san(&position))
}

/// Returns a legal move in the notation of UCI engines.
pub(crate) fn to_uci(text: &str, lang: &str, played: &str) -> Result<String, Failure> {
    let Kept(position, castling) = Kept::read(text)?;
    Ok(find(&position, played, &letters(lang)?)?.to_uci(castling))
}

/// Finds a legal move, which is written in the notation of UCI or as SAN.
fn find(position: &Position, text: &str, letters: &Letters) -> Result<Move, Failure> {
    if let Some(m) = Uci::from_ascii(text.as_bytes()).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    match san::resolve(text.as_bytes(), position, letters) {
        Ok(resolved) => Ok(resolved.mv),
        Err(error) => {
            let code = Kind::from(error.kind()).as_str();
            Err(Failure { code, ply: None, text: format!("{text}: {error} (in {position})") })
        }
    }
}

/// Draws a board. The options are pairs of names and values. `form` is `svg`, `text` or `description`.
pub(crate) fn draw(text: &str, form: &str, options: &[&str]) -> Result<String, String> {
    // A kept position has the name of its game on a second line.
    let (text, name) = text.split_once('\n').unwrap_or((text, ""));
    let rules = if name.is_empty() { None } else { Some(game(name)?.0) };
    let setup = read_diagram_by(text, &Letters::ENGLISH, rules).map_err(|mistake| mistake.to_string())?.setup;
    let mut board = Board::of_setup(&setup);
    let mut style = TextStyle::default();
    for pair in options.chunks(2) {
        let &[name, value] = pair else {
            return Err("an option has no value".to_owned());
        };
        let flag = || choose(name, value, &[("true", true), ("false", false)]);
        let named = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        board = match name {
            "orientation" => {
                let sides = [("white", Color::White), ("black", Color::Black), ("turn", setup.turn)];
                board.orientation(choose(name, value, &sides)?)
            }
            "lastMove" => {
                let (from, to) = squares(value)
                    .ok_or_else(|| format!("lastMove is '{value}', but must be the squares of a move, such as e2e4"))?;
                board.last_move(from, to)
            }
            "check" => board.check(flag()?),
            "coordinates" => board.coordinates(flag()?),
            "turnMark" => board.turn_mark(flag()?),
            "colors" => board.colors(value.parse::<Colors>().map_err(|error| named(&error))?),
            "size" => match value.parse() {
                Ok(size) if size > 0 => board.size(size),
                _ => return Err(format!("size is {value}, but must be a whole number from 1")),
            },
            "arrows" => board.arrow(value.parse::<Arrow>().map_err(|error| named(&error))?),
            "marks" => board.mark(square(name, value)?),
            "fill" => {
                let (on, paint) = value.split_once('=').unwrap_or((value, ""));
                board.fill(square(name, on)?, paint.parse::<Paint>().map_err(|error| named(&error))?)
            }
            "ascii" => {
                style.ascii = flag()?;
                board
            }
            _ => return Err(format!("there is no option '{name}'")),
        };
    }
    Ok(match form {
        "svg" => board.to_svg(),
        "text" => board.to_text(style),
        _ => board.description(),
    })
}

fn square(option: &str, name: &str) -> Result<Square, String> {
    Square::from_ascii(name.as_bytes()).ok_or_else(|| format!("{option}: '{name}' is not a square, such as e4"))
}

/// Parses the squares of a move in the notation of UCI engines.
fn squares(text: &str) -> Option<(Square, Square)> {
    let uci = Uci::from_ascii(text.as_bytes()).filter(|uci| *uci != Uci::NULL);
    uci.and_then(|_| Square::from_ascii(&text.as_bytes()[..2]).zip(Square::from_ascii(&text.as_bytes()[2..4])))
}

/// Returns a value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
