//! Writes a game that a program has made or changed.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Kind};
use crate::encoding::Fallback;
use crate::export::exporter::Exporter;
use crate::export::movetext::MovetextWriter;
use crate::export::options::WrongTagName;
use crate::export::tags::Facts;
use crate::replay::{GameStart, Line, MoveNotes, ReplayOptions, VariantPolicy, start};
use crate::tag_pair::is_tag_name;
use crate::tags::{RawValue, Tag, Tags};
use crate::token::Outcome;
use crate::written_tag::append_value;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen;
use pgn2fen_chess::moves::Move;
use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::{self, Letters};

/// A writer of a game that is given as its events, in the order of [`Moves`](crate::replay::Moves): moves, comments,
/// glyphs and variations. The events of a game that was read give the text that [`Exporter::append`] writes.
///
/// ```
/// use pgn2fen_pgn::export::{Exporter, GameTags, GameWriter};
/// use pgn2fen_pgn::token::Outcome;
///
/// let tags = GameTags::new([("White", "Short")])?;
/// let exporter = Exporter::default();
/// let mut game = GameWriter::new(&exporter, tags.start()?);
/// game.play("e4")?;
/// game.glyph(1);
/// game.begin_variation();
/// game.play("d2d4")?;
/// game.comment("solid");
/// game.end_variation();
/// game.play("e5")?;
/// assert_eq!(game.play("Ke3").unwrap_err().ply, Some(3));
/// let mut text = Vec::new();
/// game.end(&tags, &[], Outcome::Unknown, &mut text);
/// assert!(text.ends_with(b"\n\n1. e4 $1 (1. d4 {solid}) 1... e5 *\n\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameWriter<'e> {
    exporter: &'e Exporter,
    movetext: MovetextWriter<'e>,
    start: GameStart,
    /// The open lines, of which the first is the main line.
    lines: Vec<OpenLine>,
    /// The number of open variations that are not written.
    skipped: usize,
}

/// An open line of a game.
#[derive(Debug)]
struct OpenLine {
    /// The positions before and after its last move. Without a move, both are the start of the line.
    before: Position,
    after: Position,
    /// The number of its last ply in the game.
    ply: u32,
}

impl<'e> GameWriter<'e> {
    /// Begins a game. The options of the exporter count, except for the last ply.
    pub fn new(exporter: &'e Exporter, start: GameStart) -> Self {
        let main = OpenLine { before: start.position.clone(), after: start.position.clone(), ply: 0 };
        Self { exporter, movetext: MovetextWriter::new(exporter.options()), start, lines: vec![main], skipped: 0 }
    }

    /// Plays a move, in SAN or in the notation of UCI engines.
    ///
    /// # Errors
    ///
    /// The text is not a move, or not a legal one; the error has its ply, from 1. The writer stays as it was.
    pub fn play(&mut self, text: &str) -> Result<(), Diagnostic> {
        let Some(line) = self.lines.last_mut().filter(|_| self.skipped == 0) else {
            return Ok(());
        };
        let m = find(text, &line.after).map_err(|error| error.at_ply(line.ply + 1))?;
        line.before.clone_from(&line.after);
        line.after.play_unchecked(m);
        line.ply += 1;
        self.movetext.play(&line.before, m, &line.after);
        Ok(())
    }

    /// Writes a line that was read or made, with its variations. The function is recursive, and lines that are read are
    /// not nested deeply.
    ///
    /// # Errors
    ///
    /// A move is not legal.
    pub fn line(&mut self, line: &Line) -> Result<(), Diagnostic> {
        self.notes(&line.before)?;
        for (at, played) in line.moves.iter().enumerate() {
            self.play(&played.played.to_san(line.before(at)))?;
            self.notes(&played.notes)?;
        }
        line.unread.iter().for_each(|text| self.unread(text));
        Ok(())
    }

    /// Writes what stands behind a move.
    fn notes(&mut self, notes: &MoveNotes) -> Result<(), Diagnostic> {
        let (mut nags, mut comments, mut variations) =
            (notes.nags.iter(), notes.comments.iter(), notes.variations.iter());
        for note in notes.order.chars().chain(notes.usual_order()) {
            match note {
                'n' => nags.next().into_iter().for_each(|nag| self.glyph(*nag)),
                'c' => comments.next().into_iter().for_each(|comment| self.comment(comment)),
                _ => {
                    if let Some(variation) = variations.next() {
                        self.begin_variation();
                        self.line(variation)?;
                        self.end_variation();
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes a comment.
    pub fn comment(&mut self, comment: &str) {
        if self.skipped == 0 {
            self.movetext.comment(comment);
        }
    }

    /// Writes the text of a line behind an error, which was not read, as a comment.
    pub fn unread(&mut self, text: &str) {
        if self.skipped == 0 {
            self.movetext.unread(text);
        }
    }

    /// Writes a numeric annotation glyph.
    pub fn glyph(&mut self, glyph: u8) {
        if self.skipped == 0 {
            self.movetext.glyph(glyph);
        }
    }

    /// Begins a variation, which replaces the last move of the line.
    pub fn begin_variation(&mut self) {
        let Some(line) = self.lines.last().filter(|_| self.skipped == 0 && self.exporter.options().variations) else {
            self.skipped += 1;
            return;
        };
        let (start, ply) = (line.before.clone(), line.ply.saturating_sub(1));
        self.lines.push(OpenLine { before: start.clone(), after: start, ply });
        self.movetext.begin_variation();
    }

    /// Ends the innermost variation.
    pub fn end_variation(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.lines.len() > 1 {
            self.lines.pop();
            self.movetext.end_variation();
        }
    }

    /// Ends the game and appends it, with its tags and its outcome. `preface` are the comments among the tags. The tags
    /// Result, SetUp and FEN, and the variant, are those of the outcome and of the start, whatever `tags` has.
    pub fn end(mut self, tags: &GameTags, preface: &[&str], outcome: Outcome, out: &mut Vec<u8>) {
        while self.lines.len() > 1 {
            self.end_variation();
        }
        let GameStart { position: start, castling, .. } = &self.start;
        let movetext = self.movetext.end(&self.lines[0].after, outcome);
        let facts = Facts { start, castling: *castling, outcome };
        let preface = preface.iter().map(|comment| Cow::Borrowed(*comment));
        let variant = tags.missing_variant(start.rules(), *castling);
        let tags = tags.with(variant.as_ref());
        self.exporter.append_parts(&tags, &Fallback::default(), &facts, preface, movetext, out);
    }
}

/// Finds the legal move that a text means.
fn find(text: &str, position: &Position) -> Result<Move, Diagnostic> {
    if let Some(m) = Uci::from_ascii(text.as_bytes()).and_then(|uci| uci.find(position)) {
        return Ok(m);
    }
    let resolved = san::resolve(text.as_bytes(), position, &Letters::ENGLISH);
    let refused =
        |error: san::SanError| Diagnostic::new(Kind::from(error.kind()), 0, error.to_string()).about(text.as_bytes());
    resolved.map(|resolved| resolved.mv).map_err(refused)
}

/// The tags of a game that a program has made or changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameTags {
    /// Names, and values as they are written between quotes.
    pairs: Vec<(String, Vec<u8>)>,
}

impl GameTags {
    /// Creates tags of names and values.
    ///
    /// # Errors
    ///
    /// A name has other characters than letters, digits and `_`.
    pub fn new<N: Into<String>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Result<Self, WrongTagName> {
        let pair = |(name, value): (N, V)| {
            let name = name.into();
            if !is_tag_name(name.as_bytes()) {
                return Err(WrongTagName { name });
            }
            Ok((name, written(value.as_ref())))
        };
        Ok(Self { pairs: pairs.into_iter().map(pair).collect::<Result<_, _>>()? })
    }

    /// Returns the start of the game that its tags FEN and Variant tell.
    ///
    /// # Errors
    ///
    /// The FEN tag is wrong, or the Variant tag names a game that is not played.
    pub fn start(&self) -> Result<GameStart, Diagnostic> {
        let options = ReplayOptions { variants: VariantPolicy::Play, ..ReplayOptions::default() };
        start(&self.with(None), 0, &options, &mut Vec::new())
    }

    fn with<'a>(&'a self, more: Option<&'a (String, Vec<u8>)>) -> Tags<'a> {
        let pairs = self.pairs.iter().chain(more);
        let pairs = pairs.map(|(name, value)| Tag { name: name.as_bytes(), value: RawValue(value), offset: 0 });
        Tags::default().with_pairs(pairs.collect())
    }

    /// Returns the tag Variant of a game with these rules, if no tag tells them.
    fn missing_variant(&self, rules: Rules, castling: CastlingRules) -> Option<(String, Vec<u8>)> {
        let others: Vec<_> = self.pairs.iter().filter(|(name, _)| !name.eq_ignore_ascii_case("FEN")).cloned().collect();
        let told = Self { pairs: others }.start().map(|start| start.position.rules());
        let also = if castling == CastlingRules::Chess960 { " 960" } else { "" };
        let is_told = rules == Rules::Chess || told.is_ok_and(|told| told == rules);
        (!is_told).then(|| ("Variant".to_owned(), written(&format!("{}{also}", rules.tag_value()))))
    }
}

fn written(value: &str) -> Vec<u8> {
    let mut text = Vec::new();
    append_value(value.as_bytes(), &mut text);
    text
}

impl GameStart {
    /// Returns the start of a game in a position, which is a FEN. `game` is the name of the game, such as `chess960` or
    /// `atomic`.
    ///
    /// # Errors
    ///
    /// The FEN is wrong, or no game of this name is played.
    pub fn of_fen(text: &str, game: &str) -> Result<Self, Diagnostic> {
        let (rules, castling) = Rules::game_named(game).ok_or_else(|| {
            let reason = format!("the games that are played are {}", Rules::game_names());
            Diagnostic::new(Kind::UnsupportedVariant, 0, reason).about(game.as_bytes())
        })?;
        let reading = fen::read_by(rules, text.as_bytes());
        let wrong = |error: fen::FenError| Diagnostic::new(Kind::BadFen, 0, error.to_string()).about(text.as_bytes());
        let position = reading.map_err(wrong)?.position;
        let castling = if castling == CastlingRules::Chess960 { castling } else { position.castling_rules() };
        Ok(Self { position, castling, note: None })
    }
}

#[cfg(test)]
mod tests {
    use super::{GameStart, GameTags, GameWriter};
    use crate::diagnostic::Kind;
    use crate::encoding::Fallback;
    use crate::export::{CommentChoice, ExportOptions, Exporter};
    use crate::games::Games;
    use crate::replay::{Line, ReplayOptions, VariantPolicy};
    use crate::token::Outcome;
    use pgn2fen_chess::rules::Rules;

    /// Compares a game that was read and written again with what the exporter writes.
    #[track_caller]
    fn check_with(options: &ExportOptions, text: &str) {
        let exporter = Exporter::new(options.clone());
        let read = ReplayOptions { variants: VariantPolicy::Play, ..ReplayOptions::default() };
        let game = Games::new(text.as_bytes()).next().unwrap();
        let mut expected = Vec::new();
        exporter.append(&game, &read, &mut expected).unwrap();

        let tags = GameTags::new(game.tags().iter().map(|tag| {
            let name = str::from_utf8(tag.name).unwrap();
            (name, tag.value.decode())
        }));
        let tags = tags.unwrap();
        let mut moves = game.moves_with(&read).unwrap();
        let line = Line::read(&mut moves, &Fallback::default(), &mut Vec::new());
        let outcome = moves.outcome();
        let mut writer = GameWriter::new(&exporter, tags.start().unwrap());
        writer.line(&line).unwrap();
        let mut written = Vec::new();
        writer.end(&tags, &[], outcome, &mut written);
        assert_eq!(String::from_utf8(written).unwrap(), String::from_utf8(expected).unwrap());
    }

    #[track_caller]
    fn check(text: &str) {
        check_with(&ExportOptions::default(), text);
    }

    #[test]
    fn a_game_that_was_read_is_written_as_it_is() {
        check("1. e4 e5 *");
        check("1. e4 $1 {a} {b} (1. d4 {c} d5) (1. c4) 1... e5 1-0");
        check("1. e4 {a} $1 (1. d4) {b} (1. c4) $2 {c} 1... e5 {d} $3 $4 1/2-1/2");
        check("[A \"1\"] {first} $5 (1. d4) {a} 1. e4 ({a} $6 (1. c4) 1. d4 -- 2. -- {b}) -- *");
        check("[SetUp \"1\"] [FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 39\"] 39... Kd7 {a} 40. e4 (40. e3 Ke6) 0-1");
        check("[Variant \"Chess960\"] [FEN \"4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\"] 1. O-O-O (1. O-O) Ke7 *");
        check("[White \"a \\\"b\\\"\"] 1. e4 *");
        check("[Result \"0-0\"] [B \"1\"] [A \"2\"] 1. e4 *");
    }

    #[test]
    fn the_text_behind_an_error_becomes_a_comment() {
        check("1. e4 (1. d4 Ke6 (zz) {a}) {b} (1. c4) 1... Ke6 {c} (zz) 1-0 {d}");
        check("1. e4 (1. d4 (1. zz) {a} zz) e5 {a");
        check("1. e4 (1. zz [%eval 0.3] x) e5 *");
    }

    #[test]
    fn the_options_of_the_exporter_count() {
        let text = "[Event \"a\"] [ECO \"B00\"] 1. e4 $1 {good [%clk 0:01:00]} (1. d4 (1. c4 e5)) 1... e5 *";
        let all = ExportOptions::default;
        check_with(&ExportOptions { variations: false, width: 10, ..all() }, text);
        check_with(&ExportOptions { comments: CommentChoice::Words, nags: false, ..all() }, text);
        let mut options = all();
        options.set("keep_tags", "ECO").unwrap();
        options.set("comments", "commands").unwrap();
        check_with(&options, text);
        assert_eq!(options.set("nags", "1").unwrap_err(), "nags is '1', but must be one of true, false");
        assert_eq!(options.set("nag", "true").unwrap_err(), "there is no option 'nag'");
    }

    #[test]
    fn an_illegal_move_is_an_error_with_its_ply() {
        let exporter = Exporter::default();
        let start = GameStart::of_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "standard").unwrap();
        let mut game = GameWriter::new(&exporter, start);
        game.play("e4").unwrap();
        game.begin_variation();
        game.play("e2e3").unwrap();
        let error = game.play("Ke6").unwrap_err();
        assert_eq!((error.kind, error.ply, &*error.subject), (Kind::IllegalMove, Some(2), &b"Ke6"[..]));
        assert_eq!(game.play("x").unwrap_err().kind, Kind::BadSan);
        let mut text = Vec::new();
        game.end(&GameTags::default(), &["early"], Outcome::Draw, &mut text);
        let expected = "; early\n[Event \"?\"]";
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(expected), "{text}");
        let expected = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 (1. e3) 1/2-1/2\n\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn the_start_tells_the_variant() {
        assert_eq!(GameStart::of_fen("8/8", "standard").unwrap_err().kind, Kind::BadFen);
        if !Rules::HAVE_VARIANTS {
            return;
        }
        check("[Variant \"Atomic\"] 1. Nf3 f6 2. Nd4 *");
        let atomic = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let exporter = Exporter::default();
        let writer = GameWriter::new(&exporter, GameStart::of_fen(atomic, "atomic").unwrap());
        let mut text = Vec::new();
        writer.end(&GameTags::default(), &[], Outcome::Unknown, &mut text);
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("[Variant \"Atomic\"]"), "{text}");
        assert_eq!(GameStart::of_fen(atomic, "duck").unwrap_err().kind, Kind::UnsupportedVariant);
        assert!(GameTags::new([("White Elo", "1")]).is_err());
    }
}
