//! Writes a game that a program has made or changed.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Kind};
use crate::encoding::Fallback;
use crate::export::exporter::Exporter;
use crate::export::movetext::MovetextWriter;
use crate::export::options::WrongTagName;
use crate::export::tags::Facts;
use crate::replay::{GameStart, Line, MoveNotes, ReplayOptions, read_position, start};
use crate::tag_pair::is_read_name;
use crate::tags::{RawValue, Tag, Tags};
use crate::token::Outcome;
use crate::written_tag::append_value;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::fen::{self, FenStyle};
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
    /// Result, SetUp, FEN and Variant tell the outcome and the start, whatever `tags` has.
    pub fn end(mut self, tags: &GameTags, preface: &[&str], outcome: Outcome, out: &mut Vec<u8>) {
        while self.lines.len() > 1 {
            self.end_variation();
        }
        let GameStart { position: start, castling, .. } = &self.start;
        let movetext = self.movetext.end(&self.lines[0].after, outcome);
        let facts = Facts { start, castling: *castling, outcome };
        let preface = preface.iter().map(|comment| Cow::Borrowed(*comment));
        let tags = tags.of_start(&self.start);
        self.exporter.append_parts(&tags.section(), &Fallback::default(), &facts, preface, movetext, out);
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
    /// A name cannot be that of a tag that is read: it has other characters than letters, digits and `_+#=:-`, or none.
    pub fn new<N: Into<String>, V: AsRef<str>>(pairs: impl IntoIterator<Item = (N, V)>) -> Result<Self, WrongTagName> {
        let pair = |(name, value): (N, V)| {
            let name = name.into();
            if !is_read_name(name.as_bytes()) {
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
        start(&self.section(), 0, &ReplayOptions::default(), &mut Vec::new())
    }

    /// Returns the start of the game of this name, such as `chess960` or `atomic`, whatever the tag Variant says. It is
    /// the position of the tag FEN. Without that tag, it is the initial position of the game.
    ///
    /// # Errors
    ///
    /// The FEN tag is wrong, or no game of this name, or of that of the tag Variant, is played.
    pub fn start_of(&self, game: &str) -> Result<GameStart, Diagnostic> {
        if let Err(error) = self.start()
            && error.kind == Kind::UnsupportedVariant
        {
            return Err(error);
        }
        let tags = self.section();
        let fen = tags.find_any_case("FEN").map(|tag| tag.value.decode());
        let fen = fen.filter(|fen| !fen.trim().is_empty());
        GameStart::of_fen(fen.as_deref().unwrap_or("startpos"), game)
    }

    fn section(&self) -> Tags<'_> {
        let pairs = self.pairs.iter();
        let pairs = pairs.map(|(name, value)| Tag { name: name.as_bytes(), value: RawValue(value), offset: 0 });
        Tags::default().with_pairs(pairs.collect())
    }

    /// Returns the tags of a game with this start. If the rules are not those of chess or a tag Variant contradicts
    /// them, the tag Variant tells them.
    fn of_start(&self, start: &GameStart) -> Cow<'_, Self> {
        let (rules, castling) = (start.position.rules(), start.castling);
        let without = |names: &[&str]| {
            let is_other = |name: &str| names.iter().all(|other| !name.eq_ignore_ascii_case(other));
            self.pairs.iter().filter(|(name, _)| is_other(name)).cloned().collect::<Vec<_>>()
        };
        let mut told = Self { pairs: without(&["FEN", "SetUp"]) };
        let is_named = told.section().find_any_case("Variant").is_some();
        // Castling rights in the FEN also tell that a game is Chess960.
        told.pairs.push(("FEN".to_owned(), written(&fen::to_string(&start.position, FenStyle::default()))));
        let is_told = told.start().is_ok_and(|told| told.position.rules() == rules && told.castling == castling);
        if is_told && is_named || !is_named && rules == Rules::Chess {
            return Cow::Borrowed(self);
        }
        let mut pairs = without(&["Variant"]);
        if rules != Rules::Chess {
            pairs.push(("Variant".to_owned(), written(&rules.game_tag_value(castling))));
        }
        Cow::Owned(Self { pairs })
    }
}

fn written(value: &str) -> Vec<u8> {
    let mut text = Vec::new();
    append_value(value.as_bytes(), &mut text);
    text
}

impl GameStart {
    /// Returns the start of a game in a position, which is a FEN, or `startpos`, the initial position of the game.
    /// `game` is the name of the game, such as `chess960` or `atomic`.
    ///
    /// # Errors
    ///
    /// The FEN is wrong, or no game of this name is played.
    pub fn of_fen(text: &str, game: &str) -> Result<Self, Diagnostic> {
        let (rules, castling) = Rules::game_named(game).ok_or_else(|| {
            let reason = format!("the games that are played are {}", Rules::game_names());
            Diagnostic::new(Kind::UnsupportedVariant, 0, reason).about(game.as_bytes())
        })?;
        let position = read_position(rules, text.as_bytes(), || None)
            .map_err(|reason| Diagnostic::new(Kind::BadFen, 0, reason).about(text.as_bytes()))?
            .0;
        let castling = if castling == CastlingRules::Chess960 { castling } else { position.castling_rules() };
        Ok(Self { position, castling, note: None })
    }
}

#[cfg(test)]
mod tests {
    use super::{GameStart, GameTags, GameWriter};
    use crate::diagnostic::Kind;
    use crate::encoding::Fallback;
    use crate::export::{CommentChoice, ExportOptions, Exporter, TagChoice};
    use crate::games::Games;
    use crate::replay::{Line, ReplayOptions};
    use crate::token::Outcome;
    use pgn2fen_chess::position::Position;
    use pgn2fen_chess::rules::Rules;

    /// Compares a game that was read and written again with what the exporter writes.
    #[track_caller]
    fn check_with(options: &ExportOptions, text: &str) {
        let exporter = Exporter::new(options.clone());
        let read = ReplayOptions::default();
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
    }

    /// Compares a game that is written with a name of the game and tags with its tags and moves.
    #[track_caller]
    fn check_named(tags: &[(&str, &str)], game: &str, moves: &[&str], expected: &str) {
        let tags = GameTags::new(tags.iter().copied()).unwrap();
        let options = ExportOptions { tags: TagChoice::Names(vec!["Variant".into()]), ..ExportOptions::default() };
        let exporter = Exporter::new(options);
        let mut writer = GameWriter::new(&exporter, tags.start_of(game).unwrap());
        for text in moves {
            writer.play(text).unwrap();
        }
        let mut text = Vec::new();
        writer.end(&tags, &[], Outcome::Unknown, &mut text);
        assert_eq!(String::from_utf8(text).unwrap().trim_end(), expected);
    }

    #[test]
    fn the_name_of_a_game_tells_its_initial_position_and_its_tag() {
        check_named(&[], "standard", &["e4"], "1. e4 *");
        check_named(&[], "chess960", &["e4"], "[Variant \"Chess960\"]\n\n1. e4 *");
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let with_fen = format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n1. e4 *");
        check_named(&[("fen", fen)], "standard", &["e4"], &with_fen);
        if !Rules::HAVE_VARIANTS {
            return;
        }
        check_named(&[], "atomic", &["Nf3", "a6"], "[Variant \"Atomic\"]\n\n1. Nf3 a6 *");
        check_named(&[("FEN", "startpos")], "horde", &["b6"], "[Variant \"Horde\"]\n\n1. b6 *");
        check_named(&[], "racingKings", &["Kh3"], "[Variant \"Racing Kings\"]\n\n1. Kh3 *");
        assert_eq!(GameTags::default().start_of("duck").unwrap_err().kind, Kind::UnsupportedVariant);
        let bughouse = GameTags::new([("Variant", "Bughouse")]).unwrap();
        assert_eq!(bughouse.start_of("standard").unwrap_err().kind, Kind::UnsupportedVariant);
    }

    #[test]
    fn the_start_decides_over_the_tag_variant() {
        check_named(&[("Variant", "Chess960")], "standard", &["e4"], "1. e4 *");
        check_named(&[("Variant", "From Position")], "standard", &["e4"], "[Variant \"From Position\"]\n\n1. e4 *");
        check_named(&[("Variant", "Standard")], "chess960", &["e4"], "[Variant \"Chess960\"]\n\n1. e4 *");
        check_named(&[("Variant", "Fischerandom")], "chess960", &["e4"], "[Variant \"Fischerandom\"]\n\n1. e4 *");
        if !Rules::HAVE_VARIANTS {
            return;
        }
        check_named(&[("variant", "Atomic")], "crazyhouse", &["e4"], "[Variant \"Crazyhouse\"]\n\n1. e4 *");
        check_named(&[("Variant", "Atomic")], "chess960", &["e4"], "[Variant \"Chess960\"]\n\n1. e4 *");
        check_named(&[("Variant", "Atomic")], "standard", &["e4"], "1. e4 *");
        check_named(&[("Variant", "Atomic Blitz")], "atomic", &["e4"], "[Variant \"Atomic Blitz\"]\n\n1. e4 *");
    }

    #[test]
    fn startpos_is_the_initial_position_of_the_game() {
        for game in
            ["standard", "atomic", "horde", "racingKings"].into_iter().take(if Rules::HAVE_VARIANTS { 4 } else { 1 })
        {
            let (rules, _) = Rules::game_named(game).unwrap();
            assert_eq!(GameStart::of_fen("startpos", game).unwrap().position, Position::start(rules));
        }
    }

    #[test]
    fn tags_have_every_name_with_which_they_are_read() {
        check("[_foo \"1\"] [a-b \"2\"] [a+b \"3\"] [a:b \"4\"] [a=b \"5\"] [a#b \"6\"] [White \"x\"] 1. e4 *");
        check(&format!("[{} \"1\"] 1. e4 *", "a".repeat(300)));
        for name in ["White Elo", "", "É", "a.b", "a]"] {
            assert!(GameTags::new([(name, "1")]).is_err(), "{name}");
        }
    }
}
