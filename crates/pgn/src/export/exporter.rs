//! Writes one game.

use std::borrow::Cow;

use crate::annotation::RawComment;
use crate::diagnostic::Diagnostic;
use crate::edit::GameEdit;
use crate::encoding::Fallback;
use crate::export::comment;
use crate::export::lines;
use crate::export::movetext::MovetextWriter;
use crate::export::options::{CommentChoice, ExportOptions};
use crate::export::tags::{self, Facts};
use crate::games::Game;
use crate::movetext::Movetext;
use crate::replay::{Event, Replay, ReplayOptions};
use crate::tags::Tags;
use crate::token::Token;
use pgn2fen_chess::position::Position;

/// A writer of games in the export format of the PGN standard: see the [module](crate::export).
///
/// If a move cannot be played, the game is written up to that move. The rest of its text becomes a comment, and the
/// result follows, so that nothing is lost and the game reads back without an error. An error in a variation is handled
/// in the same way.
#[derive(Clone, Debug, Default)]
pub struct Exporter {
    options: ExportOptions,
}

impl Exporter {
    /// Creates a writer.
    pub fn new(options: ExportOptions) -> Self {
        Self { options }
    }

    /// Returns the options.
    pub fn options(&self) -> &ExportOptions {
        &self.options
    }

    /// Returns a game as text, read with default options.
    ///
    /// ```
    /// use pgn2fen_pgn::export::Exporter;
    /// use pgn2fen_pgn::games::Games;
    ///
    /// let mut games = Games::new(b"1. d2-d4 {solid} Ke6 1/2");
    /// let game = games.next().unwrap();
    /// let text = Exporter::default().to_pgn(&game)?;
    /// assert!(text.ends_with("[Result \"1/2-1/2\"]\n\n1. d4 {solid} {Ke6} 1/2-1/2\n\n"));
    /// # Ok::<(), pgn2fen_pgn::diagnostic::Diagnostic>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// played.
    pub fn to_pgn(&self, game: &Game<'_>) -> Result<String, Diagnostic> {
        let mut out = Vec::new();
        self.append(game, &ReplayOptions::default(), &mut out)?;
        Ok(String::from_utf8(out).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// Appends a game, in UTF-8. Returns the errors in its moves.
    ///
    /// # Errors
    ///
    /// The game has no usable starting position: its FEN tag is wrong, or its Variant tag names a game that is not
    /// chess. Nothing is appended.
    pub fn append(
        &self,
        game: &Game<'_>,
        options: &ReplayOptions,
        out: &mut Vec<u8>,
    ) -> Result<Vec<Diagnostic>, Diagnostic> {
        let encoding = Fallback::new(options.encoding);
        let mut replay = game.replay_with(options)?;
        let text = game.text();
        let start = usize::try_from(game.offset() - text.offset).unwrap_or(text.bytes.len());
        Ok(self.append_replay(start, game.tags(), &encoding, &mut replay, out))
    }

    /// Appends a game that has not been played yet. `start` is its start, in bytes from the start of the text. Returns
    /// the errors in its moves.
    #[doc(hidden)]
    pub fn append_replay(
        &self,
        start: usize,
        tags: &Tags<'_>,
        encoding: &Fallback,
        replay: &mut Replay<'_>,
        out: &mut Vec<u8>,
    ) -> Vec<Diagnostic> {
        self.append_edited(start, tags, encoding, replay, &GameEdit::default(), out)
    }

    /// Appends a game like [`append_replay`](Self::append_replay), with changes of its tags and its result.
    #[doc(hidden)]
    pub fn append_edited(
        &self,
        start: usize,
        tags: &Tags<'_>,
        encoding: &Fallback,
        replay: &mut Replay<'_>,
        edit: &GameEdit,
        out: &mut Vec<u8>,
    ) -> Vec<Diagnostic> {
        let first = replay.position().clone();
        let text = replay.ahead().text();
        let mut writer = MovetextWriter::new(&self.options);
        let has_comments = self.options.comments != CommentChoice::None;
        let preface = if has_comments { comments_among_tags(text, start, tags) } else { Vec::new() };
        let (errors, cut) = self.write_events(replay, encoding, &mut writer);
        let played = replay.outcome();
        let outcome = edit.outcome().unwrap_or(played);
        let movetext = writer.end(cut.as_ref().unwrap_or_else(|| replay.position()), outcome);
        let facts = Facts { start: &first, castling: replay.castling_rules(), outcome };
        let edited = (!edit.is_empty()).then(|| edit.tags(tags));
        let preface = preface.into_iter().map(|comment| encoding.decode(comment));
        self.append_parts(edited.as_ref().unwrap_or(tags), encoding, &facts, preface, movetext, out);
        errors
    }

    /// Appends the parts of a game. The movetext stands on one line, and is marked or not: see [`lines::append`].
    ///
    /// The comments among the tags are comments of no move. They stand before the tags, or before the first move if no
    /// tag is written.
    pub(super) fn append_parts<'c>(
        &self,
        tags: &Tags<'_>,
        encoding: &Fallback,
        facts: &Facts<'_>,
        preface: impl Iterator<Item = Cow<'c, str>>,
        (mut movetext, mut is_marked): (Vec<u8>, bool),
        out: &mut Vec<u8>,
    ) {
        let mut section = Vec::new();
        tags::append(tags, encoding, facts, &self.options, &mut section);
        let mut before = Vec::new();
        for comment in preface.filter_map(|comment| self.options.comments.of(comment)) {
            if section.is_empty() {
                is_marked |= comment::append(&comment::inert(&comment), &mut before);
                before.push(b' ');
            } else {
                comment::append_line(&comment, out);
            }
        }
        if !before.is_empty() {
            movetext.splice(..0, before);
        }
        out.extend_from_slice(&section);
        lines::append(&movetext, self.options.width, is_marked, out);
        out.extend_from_slice(b"\n\n");
    }

    /// Writes the events of a game. Returns the errors in its moves, and the last position if moves behind it are left
    /// out.
    fn write_events(
        &self,
        replay: &mut Replay<'_>,
        encoding: &Fallback,
        writer: &mut MovetextWriter<'_>,
    ) -> (Vec<Diagnostic>, Option<Position>) {
        let mut errors: Vec<Diagnostic> = Vec::new();
        let last = self.options.last_ply.unwrap_or(u32::MAX);
        // The last ply of the main line so far, and the depth of the variation of which the rest is left out.
        let (mut main_ply, mut cut) = (0, None);
        // Whether the last error stands in the variation that ends next.
        let mut is_broken = false;
        loop {
            let next = if self.options.variations { replay.next_event::<true>() } else { replay.next_main_event() };
            let Some(event) = next else {
                return (errors, None);
            };
            if self.options.last_ply.is_some() {
                let depth = replay.depth();
                match &event {
                    Ok(Event::Move(ply)) if depth == 0 && ply.number > last => {
                        return (errors, Some(replay.before().unwrap_or_else(|| replay.position()).clone()));
                    }
                    Err(_) if depth == 0 && main_ply >= last => return (errors, None),
                    Ok(Event::Move(ply)) if depth == 0 => main_ply = ply.number,
                    Ok(Event::Move(ply)) if cut.is_none() && ply.number > last => cut = Some(depth),
                    _ => {}
                }
                match event {
                    // The end of a variation comes when it has been left.
                    Ok(Event::VariationEnd) if cut.is_some_and(|cut| depth < cut) => cut = None,
                    _ if cut.is_some() => continue,
                    _ => {}
                }
            }
            match event {
                Ok(Event::Move(ply)) => {
                    let before = replay.before().unwrap_or_else(|| replay.position());
                    writer.play(before, ply.played, replay.position());
                }
                Ok(Event::Comment(comment)) => writer.comment(&encoding.decode(comment.0)),
                Ok(Event::Nag(nag)) => writer.glyph(nag),
                Ok(Event::VariationStart) => writer.begin_variation(),
                Ok(Event::VariationEnd) => {
                    if std::mem::take(&mut is_broken)
                        && let Some(error) = errors.last()
                    {
                        writer.unread(&encoding.decode(replay.unread_in_variation(error)));
                    }
                    writer.end_variation();
                }
                Err(error) => {
                    is_broken = replay.depth() > 0;
                    if !is_broken {
                        let unread = replay.unread(&error).into_iter().filter(|text| !text.trim_ascii().is_empty());
                        unread.for_each(|text| writer.unread(&encoding.decode(text)));
                    }
                    errors.push(error);
                }
            }
        }
    }
}

impl<'a> Game<'a> {
    /// Returns the comments before and between the tags, which are comments of no move.
    pub fn comments_among_tags(&self) -> Vec<RawComment<'a>> {
        let text = self.text();
        let start = usize::try_from(self.offset() - text.offset).unwrap_or(text.bytes.len());
        comments_among_tags(text.bytes, start, self.tags()).into_iter().map(RawComment).collect()
    }
}

/// Returns the comments before and between the tags of a game that begins at `start`.
fn comments_among_tags<'a>(text: &'a [u8], start: usize, tags: &Tags<'a>) -> Vec<&'a [u8]> {
    let mut comments = Vec::new();
    if tags.is_position() {
        return comments;
    }
    let mut from = start;
    for tag in tags.iter() {
        let gap = text.get(from..tag.offset).unwrap_or_default();
        if gap.iter().any(|byte| matches!(byte, b'{' | b';')) {
            // The gap behind a tag begins with the quote and the bracket at its end.
            let skipped =
                if from == start { 0 } else { gap.iter().position(|byte| *byte == b']').map_or(0, |at| at + 1) };
            let mut between = Movetext::new(&text[..tag.offset], from + skipped);
            while let Some(token) = between.next_token() {
                if let Token::Comment(comment) = token {
                    comments.push(comment);
                }
            }
        }
        // The value is a part of the text.
        from = (tag.value.0.as_ptr().addr() + tag.value.0.len()).saturating_sub(text.as_ptr().addr()).max(tag.offset);
    }
    comments
}

#[cfg(test)]
mod tests {
    use super::Exporter;
    use crate::chunk::Chunk;
    use crate::export::options::{CommentChoice, ExportOptions, FenComments, TagChoice};
    use crate::games::Games;

    /// Compares games as they are written with these options.
    #[track_caller]
    fn check(options: &ExportOptions, games: &[(&str, &str)]) {
        for (text, expected) in games {
            let game = Games::new(text.as_bytes()).next().expect(text);
            let written = Exporter::new(options.clone()).to_pgn(&game).expect(text);
            assert_eq!(written, *expected, "{text}");
        }
    }

    fn movetext() -> ExportOptions {
        ExportOptions { tags: TagChoice::None, width: 0, ..ExportOptions::default() }
    }

    #[test]
    fn numbers_stand_where_the_standard_has_them() {
        check(
            &movetext(),
            &[
                ("1.e4 e5 2.Nf3 Nc6 *", "1. e4 e5 2. Nf3 Nc6 *\n\n"),
                (
                    "1.e4 {a} e5 $1 2.Nf3 $2 Nc6 (2...d6 3.d4) 3.Bb5 *",
                    "1. e4 {a} 1... e5 $1 2. Nf3 $2 2... Nc6 (2... d6 3. d4) 3. Bb5 *\n\n",
                ),
                (
                    "1.e4 e5 (1...c5 2.Nf3 (2.c3 d5) 2...d6) (1...e6) 2.Nf3 1-0",
                    "1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) (1... e6) 2. Nf3 1-0\n\n",
                ),
                (
                    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1234\"] 1234... Kd8 1235. e4 *",
                    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1234\"]\n[SetUp \"1\"]\n\n1234... Kd8 1235. e4 *\n\n",
                ),
            ],
        );
    }

    #[test]
    fn glyphs_and_variations_stand_behind_moves() {
        check(
            &movetext(),
            &[
                ("[Event \"x\"] $1 1.e4 *", "1. e4 $1 *\n\n"),
                ("[Event \"x\"] (1.d4 d5) 1.e4 e5 *", "1. e4 (1. d4 d5) 1... e5 *\n\n"),
                ("[Event \"x\"] (1.d4 {x} d5 $4) {y} (1.c4) *", "{y} {(1. d4 (x) 1... d5 $4) (1. c4)} *\n\n"),
                ("1.e4 (1.d4) $1 e5 *", "1. e4 $1 (1. d4) 1... e5 *\n\n"),
                ("1.e4 (1.d4 (1.c4) $5) $1 {z} e5 *", "1. e4 $1 (1. d4 $5 (1. c4)) {z} 1... e5 *\n\n"),
                ("1.e4 ({a} {b} $3 1.d4) e5 *", "1. e4 ({a} {b} 1. d4 $3) 1... e5 *\n\n"),
                ("1.e4 ({a} $3) e5 *", "1. e4 {a} {$3} 1... e5 *\n\n"),
                ("1.e4 () e5 *", "1. e4 e5 *\n\n"),
                ("1.e4 ((1.d4) 1.c4) e5 *", "1. e4 (1. d4) (1. c4) 1... e5 *\n\n"),
                ("[Event \"x\"] $7 *", "{$7} *\n\n"),
                ("1.e4 (1.d4 ({[%eval 0.3]}) 1...d5) e5 *", "1. e4 (1. d4 {(%eval 0.3)} 1... d5) 1... e5 *\n\n"),
            ],
        );
    }

    #[test]
    fn what_is_not_wanted_is_left_out() {
        let text = "1.e4 $1 {[%eval 0.3] best [%clk 0:01:00]} e5 (1...c5 {x}) 2.Nf3 {y} *";
        check(
            &ExportOptions { comments: CommentChoice::None, ..movetext() },
            &[(text, "1. e4 $1 1... e5 (1... c5) 2. Nf3 *\n\n")],
        );
        check(
            &ExportOptions { comments: CommentChoice::Words, ..movetext() },
            &[(text, "1. e4 $1 {best} 1... e5 (1... c5 {x}) 2. Nf3 {y} *\n\n")],
        );
        check(
            &ExportOptions { comments: CommentChoice::Commands, ..movetext() },
            &[(text, "1. e4 $1 {[%eval 0.3] [%clk 0:01:00]} 1... e5 (1... c5) 2. Nf3 *\n\n")],
        );
        check(
            &ExportOptions { variations: false, ..movetext() },
            &[(text, "1. e4 $1 {[%eval 0.3] best [%clk 0:01:00]} 1... e5 2. Nf3 {y} *\n\n")],
        );
        check(
            &ExportOptions { nags: false, ..movetext() },
            &[(text, "1. e4 {[%eval 0.3] best [%clk 0:01:00]} 1... e5 (1... c5 {x}) 2. Nf3 {y} *\n\n")],
        );
        check(
            &ExportOptions { nags: false, comments: CommentChoice::None, ..movetext() },
            &[("[Event \"x\"] $1 *", "*\n\n"), (text, "1. e4 e5 (1... c5) 2. Nf3 *\n\n")],
        );
    }

    #[test]
    fn a_fen_is_added_behind_each_move_or_the_last() {
        let text = "1.e4 $1 {a} (1.d4) e5 *";
        check(
            &ExportOptions { add_fen: FenComments::Every, ..movetext() },
            &[(
                text,
                "1. e4 $1 {rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1} {a} (1. d4 \
                 {rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1}) 1... e5 \
                 {rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2} *\n\n",
            )],
        );
        check(
            &ExportOptions { add_fen: FenComments::Last, ..movetext() },
            &[
                (
                    text,
                    "1. e4 $1 {a} (1. d4) 1... e5 {rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2} *\n\
                     \n",
                ),
                ("*", "{rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1} *\n\n"),
            ],
        );
    }

    #[test]
    fn a_game_may_be_cut_behind_a_ply() {
        let text = "1.e4 {a} (1.d4 d5 2.c4 {b} (2.Nf3) 2...e6) (1.c4) 1...e5 {c} (1...c5 2.Nf3) 2.Nf3 {d} Nc6 *";
        for (last, expected) in [
            (0, "*\n\n"),
            (1, "1. e4 {a} (1. d4) (1. c4) *\n\n"),
            (2, "1. e4 {a} (1. d4 d5) (1. c4) 1... e5 {c} (1... c5) *\n\n"),
            (3, "1. e4 {a} (1. d4 d5 2. c4 {b} (2. Nf3)) (1. c4) 1... e5 {c} (1... c5 2. Nf3) 2. Nf3 {d} *\n\n"),
        ] {
            check(&ExportOptions { last_ply: Some(last), ..movetext() }, &[(text, expected)]);
        }
        check(&ExportOptions { last_ply: Some(1), ..movetext() }, &[("1.e4 Ke7 2.d4 *", "1. e4 *\n\n")]);
        check(&ExportOptions { last_ply: Some(2), ..movetext() }, &[("1.e4 Ke7 2.d4 *", "1. e4 {Ke7 2.d4} *\n\n")]);
    }

    #[test]
    fn text_behind_an_error_becomes_a_comment() {
        check(
            &movetext(),
            &[
                ("1.e4 e5 2.Ke3 {[%eval 1]} Nc6 *", "1. e4 e5 {Ke3 ((%eval 1)) Nc6} *\n\n"),
                ("1.e4 (1.d4 Kd7 {[%clk 0:01]}) e5 *", "1. e4 (1. d4 {Kd7 ((%clk 0:01))}) 1... e5 *\n\n"),
                ("1.e4 e5 2.Ke3", "1. e4 e5 {Ke3} *\n\n"),
            ],
        );
    }

    #[test]
    fn comments_before_tags_stand_before_them_or_before_the_first_move() {
        let text = "{first} [Event \"{x}\"] {second} [Site \"y\"] ; third\n[Round \"1\"]\n\n{fourth} 1.e4 *";
        check(
            &ExportOptions { tags: TagChoice::Roster, ..movetext() },
            &[(
                text,
                "; first\n; second\n; third\n[Event \"{x}\"]\n[Site \"y\"]\n[Date \"????.??.??\"]\n[Round \"1\"]\n\
                 [White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n{fourth} 1. e4 *\n\n",
            )],
        );
        check(&movetext(), &[(text, "{first} {second} {third} {fourth} 1. e4 *\n\n")]);
        check(&ExportOptions { comments: CommentChoice::None, ..movetext() }, &[(text, "1. e4 *\n\n")]);
    }

    #[test]
    fn tags_have_the_order_of_the_standard() {
        let all = ExportOptions::default();
        check(
            &all,
            &[
                (
                    "[Zebra \"z\"] [White \"x\"] [ECO \"A00\"] [White \"y\"] [Date \"1.6.2019\"] [event \"e\"] 1.e4 \
                     1-0",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"2019.06.01\"]\n[Round \"?\"]\n[White \"y\"]\n[Black \"?\"]\n\
                     [Result \"1-0\"]\n[ECO \"A00\"]\n[Zebra \"z\"]\n[event \"e\"]\n\n1. e4 1-0\n\n",
                ),
                (
                    "[Result \"?\"] 1.e4 1-0",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"1-0\"]\n\n1. e4 1-0\n\n",
                ),
                (
                    "[Result \"\u{a0}1/2-1/2\"] 1.e4 1-0",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n\
                    [Black \"?\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n",
                ),
                (
                    "[Result \"0-0\"] 1.e4 *",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"0-0\"]\n\n1. e4 *\n\n",
                ),
                (
                    "[SetUp \"0\"] 1.e4 *",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n[SetUp \"0\"]\n\n1. e4 *\n\n",
                ),
                (
                    "[UTCDate \"2019-6-1\"] [EventDate \"2019.06.01 18:00\"] 1.e4 *",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n[EventDate \"2019.06.01 18:00\"]\n[UTCDate \"2019.06.01\"]\n\n1. e4 *\n\n",
                ),
                (
                    "[Variant \"Chess960\"] [FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"] [A \"a\"] 1.O-O *",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n[A \"a\"]\n[FEN \"4k3/8/8/8/8/8/8/4KR2 w F - 0 1\"]\n[SetUp \"1\"]\n[Variant \
                     \"Chess960\"]\n\n1. O-O *\n\n",
                ),
                (
                    "[FEN \"4k3/8/8/8/8/8/8/4K3 w\"] [Event \"x\"] *",
                    "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n",
                ),
                (
                    "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"] *",
                    "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
                     [Result \"*\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[SetUp \
                     \"1\"]\n\n*\n\n",
                ),
            ],
        );
        let text = "[White \"x\"] [ECO \"A00\"] [FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"] *";
        let names = TagChoice::Names(vec!["ECO".into(), "White".into(), "Black".into(), "Result".into()]);
        check(
            &ExportOptions { tags: names, ..ExportOptions::default() },
            &[(
                text,
                "[White \"x\"]\n[Result \"*\"]\n[ECO \"A00\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \
                 \"1\"]\n\n*\n\n",
            )],
        );
        check(
            &ExportOptions { tags: TagChoice::Roster, ..ExportOptions::default() },
            &[(
                text,
                "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"x\"]\n[Black \"?\"]\n\
                 [Result \"*\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n",
            )],
        );
        check(
            &ExportOptions { tags: TagChoice::None, ..ExportOptions::default() },
            &[(text, "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n")],
        );
    }

    #[test]
    fn comments_before_and_between_tags_are_those_of_a_game() {
        let text = "{fi]rst} ; second\n[A \"x ] {\"] {third}\n[B \"\"]\n{behind} 1. e4 {a move} *";
        for offset in [0, 100] {
            let chunk = Chunk { offset, ..Chunk::whole(text.as_bytes()) };
            let game = Games::within(chunk, 0..text.len()).next().unwrap();
            let comments: Vec<_> = game
                .comments_among_tags()
                .iter()
                .map(|comment| String::from_utf8_lossy(comment.0).into_owned())
                .collect();
            assert_eq!(comments, ["fi]rst", " second", "third"]);
            let written = Exporter::default().to_pgn(&game).unwrap();
            assert!(written.starts_with("; fi]rst\n; second\n; third\n[Event"), "{written}");
        }
        let list =
            Chunk { form: crate::form::Form::Positions, ..Chunk::whole(b"4k3/8/8/8/8/8/8/4K3 w - - c0 \"{x}\";") };
        assert!(Games::within(list, 0..list.bytes.len()).next().unwrap().comments_among_tags().is_empty());
    }

    #[test]
    fn a_game_of_a_variant_is_written_with_its_name_and_its_moves() {
        let text = "[Variant \"Atomic\"]\n[Zebra \"x\"]\n\n1. e4 d5 2. exd5 Nf6 *";
        let expected = "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 Nf6 *\n\n";
        for tags in [TagChoice::None, TagChoice::Names(vec!["Variant".into()]), TagChoice::Names(vec!["ECO".into()])] {
            check(&ExportOptions { tags, ..movetext() }, &[(text, expected)]);
        }
        // The form of the FEN tells the game.
        let told = "[FEN \"4k3/8/8/8/8/8/4P3/4K3[Q] w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Q@d4 *\n\n";
        check(&movetext(), &[(told, told)]);
        let chess960 =
            "[FEN \"4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1\"]\n[SetUp \"1\"]\n[Variant \"Chess960\"]\n\n1. O-O-O *\n\n";
        check(&movetext(), &[(chess960, chess960)]);
    }

    #[test]
    fn a_date_is_written_as_the_standard_has_it() {
        let options = ExportOptions {
            tags: TagChoice::Names(vec!["Date".into(), "UTCDate".into(), "Update".into()]),
            ..movetext()
        };
        for (date, expected) in [
            ("2020-1-2", "2020.01.02"),
            ("2020-1-2 10:00", "2020-1-2 10:00"),
            ("2020-1-2T10:00", "2020-1-2T10:00"),
            ("x", "x"),
        ] {
            let text = format!("[Date \"{date}\"]\n[UTCDate \"{date}\"]\n[Update \"{date}\"]\n\n*");
            let expected = format!("[Date \"{expected}\"]\n[UTCDate \"{expected}\"]\n[Update \"{date}\"]\n\n*\n\n");
            check(&options, &[(&text, &expected)]);
        }
    }

    #[test]
    fn a_setup_tag_of_zero_says_that_a_game_starts_as_usual() {
        check(
            &ExportOptions { tags: TagChoice::Names(vec!["SetUp".into()]), ..movetext() },
            &[
                ("[SetUp \"0\"]\n\n1. e4 *", "[SetUp \"0\"]\n\n1. e4 *\n\n"),
                ("[SetUp \"1\"]\n\n1. e4 *", "1. e4 *\n\n"),
                ("[setup \"0\"]\n\n1. e4 *", "1. e4 *\n\n"),
            ],
        );
        let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. e4 *\n\n";
        check(&movetext(), &[(&fen.replace("\"1\"", "\"0\""), fen)]);
    }

    #[test]
    fn a_line_may_be_written_up_to_a_ply() {
        let text = "1.e4 (1.d4 d5 2.c4 {x} (2.Nf3) e6) e5 (1...c5 2.Nf3 {y}) 2.Nf3 {z} Nc6 *";
        for (last, expected) in [
            (1, "1. e4 (1. d4) *\n\n"),
            (2, "1. e4 (1. d4 d5) 1... e5 (1... c5) *\n\n"),
            (3, "1. e4 (1. d4 d5 2. c4 {x} (2. Nf3)) 1... e5 (1... c5 2. Nf3 {y}) 2. Nf3 {z} *\n\n"),
        ] {
            check(&ExportOptions { last_ply: Some(last), ..movetext() }, &[(text, expected)]);
        }
    }
}
