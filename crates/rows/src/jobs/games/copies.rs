//! A game → its copy, or its text written anew.

use crate::jobs::games::chapters::Chapters;
use crate::jobs::games::contest::{Claim, annotation};
use crate::jobs::games::copying::Copied;
use crate::jobs::games::edits::GameEdits;
use crate::jobs::games::identity;
use crate::jobs::games::labelling::Labelling;
use crate::jobs::games::unique_keys::UniqueKeys;
use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::export::Exporter;
use pgn2fen_games::pgn::edit::GameEdit;
use pgn2fen_games::players::Players;
use pgn2fen_games::selection::Identity;
use pgn2fen_games::walk::{GameTask, OpenGame, Out, Played, Repeats};

/// Copies each game that passes the filters, or writes it anew. Its moves are played only if `PLAYS` is set.
#[derive(Debug)]
pub(super) struct GameCopies<const PLAYS: bool> {
    /// Whether games without a usable starting position are copied.
    pub(super) takes_unusable: bool,
    /// By what keys games are equal, of which only the first is copied. Needs the identity if moves count.
    pub(super) unique: Option<UniqueKeys>,
    /// The players under several names, of whom the main names are compared.
    pub(super) players: Players,
    /// The tags that labels and keys read.
    pub(super) tags: Vec<Box<str>>,
    /// Whether one of the games that are the same is kept when all are known, and not the first at once.
    pub(super) has_contest: bool,
    /// Whether the identity of games is used. Needs `PLAYS`.
    pub(super) needs_identity: bool,
    /// The labels of the copies, if they are not written one after another.
    pub(super) labelling: Option<Labelling>,
    /// Writes games anew; None if they are copied. A game without a usable starting position cannot be written and is
    /// left out. Needs `PLAYS`.
    pub(super) exporter: Option<Exporter>,
    /// Makes chapters of games that are written anew.
    pub(super) chapters: Option<Chapters>,
    /// The changes of games.
    pub(super) edits: Option<GameEdits>,
}

impl<const PLAYS: bool> GameTask for GameCopies<PLAYS> {
    type BlockResult = Copied;
    const PLAYS: bool = PLAYS;

    fn needs_offsets(&self) -> bool {
        self.unique.is_some() || self.labelling.is_some()
    }

    fn repeats(&self) -> Repeats {
        if self.unique.is_some() && !self.has_contest { Repeats::Drop { memory: None } } else { Repeats::Keep }
    }

    fn tags(&self) -> &[Box<str>] {
        &self.tags
    }

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Copied>) -> Played {
        if game.position().is_none() && !self.takes_unusable {
            return Played::UNWANTED;
        }
        let mut errors = Vec::new();
        let of_place = Identity::of_place(game.file, game.offset());
        let (edit, is_repaired) = self.edit(game);
        let (start, mut moves) = (self.start(game), Vec::new());
        let of_moves = self.identity(game, &mut errors, &mut moves);
        match &self.exporter {
            None => out.made.push_edited(game, &edit),
            // These are the same errors, and those in variations.
            Some(exporter) => match out.made.push_written(game, exporter, &edit, self.chapters.as_ref()) {
                Some(of_all_lines) => errors = of_all_lines,
                None => return Played { is_left_out: true, ..Played::default() },
            },
        }
        if let Some(labelling) = &self.labelling {
            labelling.label(game, &edit, of_moves.unwrap_or(of_place), out.made);
        }
        if let Some(keys) = self.unique.as_ref().filter(|_| self.has_contest) {
            let claim = self.claim(game, keys, (start, of_moves, &moves)).unwrap_or_else(|| Claim::alone(of_place));
            out.made.claim(&claim);
        } else if let Some(keys) = &self.unique {
            out.identities.push(keys.identity(game, of_moves, &self.players).unwrap_or(of_place));
        }
        Played { errors, positions: 1, is_repaired, ..Played::default() }
    }
}

impl<const PLAYS: bool> GameCopies<PLAYS> {
    /// Returns the changes of a game, and whether it is repaired.
    fn edit(&self, game: &mut OpenGame<'_, '_>) -> (GameEdit, bool) {
        let (tags, encoding) = (game.tags, game.encoding);
        let edits = self.edits.as_ref();
        edits.map_or_else(Default::default, |edits| {
            edits.of(tags, encoding, &self.players, game.replay().map(|it| &*it))
        })
    }

    /// Returns the identity of the moves of a game, if it has one, and it is needed.
    ///
    /// For a contest, the moves are appended to `moves`.
    fn identity(
        &self,
        game: &mut OpenGame<'_, '_>,
        errors: &mut Vec<Diagnostic>,
        moves: &mut Vec<u8>,
    ) -> Option<Identity> {
        let is_written_anew = self.exporter.is_some();
        let take = |played| {
            if self.has_contest {
                identity::append(played, moves);
            }
        };
        // Moves that are not written do not count.
        let last_ply = self.exporter.as_ref().and_then(|exporter| exporter.options().last_ply).unwrap_or(u32::MAX);
        match game.replay().filter(|_| self.needs_identity) {
            None => None,
            // The game is played once more when it is written.
            Some(replay) if is_written_anew => identity::play_each(&mut replay.clone(), last_ply, errors, take),
            Some(replay) => identity::play_each(replay, last_ply, errors, take),
        }
    }

    /// Returns the identity of the starting position of a game that has not been played, for a contest.
    fn start(&self, game: &OpenGame<'_, '_>) -> Option<Identity> {
        game.position().filter(|_| self.has_contest).map(Identity::of_start)
    }

    /// Returns the claim of a game with this start and these moves. None for a game that is the same as no other.
    fn claim(
        &self,
        game: &OpenGame<'_, '_>,
        keys: &UniqueKeys,
        (start, of_moves, moves): (Option<Identity>, Option<Identity>, &[u8]),
    ) -> Option<Claim> {
        let of_line = if keys.beginnings() { of_moves.and(start) } else { of_moves };
        let identity = keys.identity(game, of_line, &self.players)?;
        let moves_of_key = if keys.beginnings() { moves } else { &[] };
        let plies = u32::try_from(moves.len() / 2).unwrap_or(u32::MAX);
        Some(Claim::new(identity, moves_of_key, (plies, annotation(game.text.bytes, game.tags.end()))))
    }
}

#[cfg(test)]
mod tests {
    use crate::games::{Copies, GameEdits, Keep, Order};
    use crate::testing::{Told, games};
    use pgn2fen_games::database::Database;
    use pgn2fen_games::diagnostic::Kind;
    use pgn2fen_games::export::ExportOptions;
    use pgn2fen_games::walk::{OnError, ReadOptions};

    /// Compares the copies of these games.
    #[track_caller]
    fn check(copies: &Copies, text: &str, expected: &str) {
        let (copied, _) = copies.write(games(text), Vec::new()).unwrap();
        assert_eq!(String::from_utf8(copied).unwrap(), expected);
    }

    const ONE: &str = "[Event \"one\"]\n\n1. e4 {first} e5 *\n\n";
    const TWO: &str = "[Event \"two\"]\n\n1. e4 e5 2. Nf3 *\n\n";
    const THREE: &str = "[Event \"three\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Ke3 *\n\n";
    const FOUR: &str = "[Event \"four\"]\n\n1. e4 e5 {a longer comment} *\n\n";
    const BAD: &str = "[Event \"bad\"]\n[FEN \"8/8\"]\n\n1. e4 *\n\n";

    fn all() -> String {
        [ONE, TWO, BAD, THREE, FOUR].concat()
    }

    #[test]
    fn games_are_copied_byte_for_byte() {
        check(&Copies::new(), &all(), &all());
        check(&Copies::new().invert(true), &all(), "");
        check(&Copies::new().tags("Event=two").unwrap(), &all(), TWO);
        let others = Copies::new().tags("Event=two").unwrap().invert(true);
        check(&others, &all(), &[ONE, BAD, THREE, FOUR].concat());
    }

    #[test]
    fn one_of_equal_games_is_copied() {
        let unique = Copies::new().unique(true);
        check(&unique, &all(), &[ONE, TWO, BAD, THREE].concat());
        check(&unique.clone().unique(false), &all(), &all());
        check(&unique.clone().keep(Keep::First), &all(), &[ONE, TWO, BAD, THREE].concat());
        check(&unique.keep(Keep::Annotated), &all(), &[TWO, BAD, THREE, FOUR].concat());
        // A game that cannot be played to its end is the beginning of no other.
        let beginnings = Copies::new().unique_by("beginnings".parse().unwrap());
        check(&beginnings, &all(), &[TWO, BAD, THREE].concat());
        check(&beginnings.keep(Keep::First), &all(), &[ONE, BAD, THREE].concat());
    }

    #[test]
    fn duplicates_are_written_beside_the_copies() {
        let aside = |copies: &Copies| {
            let (written, totals) = copies.begin_aside(Vec::new(), Vec::new()).read_all_of(games(&all())).unwrap();
            let text = |bytes| String::from_utf8(bytes).unwrap();
            (text(written.0), text(written.1), totals.left_out.duplicates)
        };
        let kept = [ONE, TWO, BAD, THREE].concat();
        assert_eq!(aside(&Copies::new()), (kept, FOUR.to_owned(), 0));
        let kept = [TWO, BAD, THREE, FOUR].concat();
        assert_eq!(aside(&Copies::new().keep(Keep::Annotated)), (kept, ONE.to_owned(), 1));
        let files = |copies: &Copies| {
            let names = "{Event}.pgn".parse().unwrap();
            let writing = copies.begin_files_aside(names, crate::testing::Files::default(), Vec::new()).unwrap();
            let ((files, duplicates), _) = writing.read_all_of(games(&all())).unwrap();
            let paths: Vec<String> = files.texts().into_iter().map(|(path, _)| path.to_owned()).collect();
            (paths.join(" "), String::from_utf8(duplicates).unwrap())
        };
        assert_eq!(files(&Copies::new()), ("one.pgn two.pgn bad.pgn three.pgn".to_owned(), FOUR.to_owned()));
        let annotated = Copies::new().keep(Keep::Annotated);
        assert_eq!(files(&annotated), ("two.pgn bad.pgn three.pgn four.pgn".to_owned(), ONE.to_owned()));
    }

    #[test]
    fn games_are_written_anew() {
        let export = Copies::new().export(ExportOptions::default());
        let (written, totals) = export.write(games(&all()), Vec::new()).unwrap();
        let written = String::from_utf8(written).unwrap();
        // A game without a usable start cannot be written. What follows an error is a comment.
        assert!(!written.contains("bad") && written.contains("1. e4 e5 (1... c5 2. Nf3) {Ke3} *\n"), "{written}");
        assert_eq!((totals.count.games, written.matches("[Event ").count()), (5, 4));
        let dropping = ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() };
        let (written, _) = export.clone().read_options(dropping).write(games(&all()), Vec::new()).unwrap();
        assert!(!String::from_utf8(written).unwrap().contains("three"));
        // Moves that are not written do not count.
        let cut = ExportOptions { last_ply: Some(2), ..ExportOptions::default() };
        let (written, _) = Copies::new().export(cut).unique(true).write(games(&all()), Vec::new()).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert!(written.contains("\n1. e4 {first} 1... e5 *\n") && !written.contains("two"), "{written}");
    }

    #[test]
    fn a_game_that_is_dropped_leaves_the_others_as_they_are() {
        let dropping = ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() };
        let kept = |copies: &Copies, text: &str| {
            let (copied, totals) =
                copies.clone().read_options(dropping.clone()).write(games(text), Vec::new()).unwrap();
            assert_eq!(totals.count.positions, String::from_utf8_lossy(&copied).matches("[Event ").count() as u64);
            String::from_utf8(copied).unwrap()
        };
        let text = [ONE, TWO, THREE, FOUR].concat();
        for copies in [
            Copies::new().unique_by("moves,Event".parse().unwrap()),
            Copies::new().unique_by("moves,Event".parse().unwrap()).keep(Keep::Longest),
        ] {
            assert_eq!(kept(&copies, &text), [ONE, TWO, FOUR].concat());
            let sorted = copies.order(Order::Sorted("Event".parse().unwrap()));
            assert_eq!(kept(&sorted, &text), [FOUR, ONE, TWO].concat());
        }
    }

    #[test]
    fn copies_have_an_order() {
        let sorted = |copies: Copies| copies.order(Order::Sorted("Event".parse().unwrap()));
        check(&sorted(Copies::new()), &all(), &[BAD, FOUR, ONE, THREE, TWO].concat());
        check(&sorted(Copies::new().unique(true)), &all(), &[BAD, ONE, THREE, TWO].concat());
        let shuffled = |seed: u64| {
            let copies = Copies::new().order(Order::Shuffled { seed });
            String::from_utf8(copies.write(games(&all().repeat(9)), Vec::new()).unwrap().0).unwrap()
        };
        assert!(shuffled(1) != shuffled(2) && shuffled(1).len() == 9 * all().len());
        // A tag that gives the order may be missing, but is told.
        let missing = |copies: &Copies| {
            let (_, totals) = copies.write(games(ONE), Vec::new()).unwrap();
            totals.missing_tags.iter().map(|tag| tag.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(missing(&Copies::new().order(Order::Sorted("Foo".parse().unwrap()))), ["Foo"]);
        assert_eq!(missing(&Copies::new().unique_by("Bar".parse().unwrap())), ["Bar"]);
        let edits = GameEdits { set_tags: vec!["Foo=x".parse().unwrap()], ..GameEdits::default() };
        assert!(missing(&Copies::new().order(Order::Sorted("Foo".parse().unwrap())).edits(edits.clone())).is_empty());
        // The order is that of the tags as they are written.
        let edits = GameEdits { set_tags: vec!["Round=2".parse().unwrap()], ..edits };
        let text = "[Round \"3\"]\n\n1. e4 *\n\n[Round \"1\"]\n\n1. d4 *\n\n";
        let by_round = Copies::new().order(Order::Sorted("Round".parse().unwrap())).edits(edits);
        let (copied, _) = by_round.write(games(text), Vec::new()).unwrap();
        let copied = String::from_utf8(copied).unwrap();
        assert!(copied.find("e4") < copied.find("d4"), "{copied}");
    }

    #[cfg(feature = "variants")]
    #[test]
    fn games_of_variants_are_compared_by_their_moves() {
        let house = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n";
        check(&Copies::new().unique(true), &house.repeat(2), house);
    }

    #[test]
    fn games_that_cannot_be_played_are_equal_to_no_others() {
        check(&Copies::new().unique(true), &BAD.repeat(2), &BAD.repeat(2));
    }

    #[test]
    fn a_game_that_cannot_be_written_anew_is_counted_as_dropped() {
        let (_, totals) = Copies::new().export(ExportOptions::default()).write(games(&all()), Vec::new()).unwrap();
        assert_eq!(totals.dropped, 1);
        let (_, totals) = Copies::new().write(games(&all()), Vec::new()).unwrap();
        assert_eq!(totals.dropped, 0);
    }

    #[test]
    fn duplicates_of_several_files_stand_apart() {
        // Both duplicates begin at the byte where the other ends, but in another file.
        let one = "1. e4 *\n\n1. e4 *";
        let two = "1. d4 {xxxx} *\n\n1. d4 *";
        let files = [one, two].map(|text| Database::from(text.as_bytes().to_vec()));
        let ((_, duplicates), _) = Copies::new().begin_aside(Vec::new(), Vec::new()).read_all_of(files).unwrap();
        assert_eq!(String::from_utf8(duplicates).unwrap(), "1. e4 *\n\n1. d4 *\n");
    }

    #[test]
    fn the_warnings_about_games_that_are_compared_are_told() {
        for copies in [Copies::new().unique(true), Copies::new().unique(true).export(ExportOptions::default())] {
            let mut told = Told::default();
            copies.begin(Vec::new()).read_all(1, games("1. e4 -- 2. d4 *"), &mut told).unwrap();
            assert_eq!(told.0, [(Kind::NullMove, 6)]);
        }
    }

    #[test]
    fn games_are_not_played_where_only_their_tags_count() {
        let dropping = ReadOptions { on_error: OnError::Drop, ..ReadOptions::default() };
        let by_event = Copies::new().unique_by("Event".parse().unwrap()).read_options(dropping);
        let sorted = by_event.order(Order::Sorted("Event".parse().unwrap()));
        check(&sorted, &[THREE, ONE].concat(), &[ONE, THREE].concat());
    }

    #[test]
    fn labels_of_duplicates_go_with_them() {
        let sorted = Copies::new().unique(true).order(Order::Sorted("Event".parse().unwrap()));
        check(&sorted, &[TWO, ONE, FOUR, THREE].concat(), &[ONE, THREE, TWO].concat());
    }
}
