//! The builder for copies of games.

use std::io::Write;
use std::path::PathBuf;

use crate::jobs::games::arranged::{Arranged, OneFile};
use crate::jobs::games::aside::Aside;
use crate::jobs::games::chapters::{ChapterNames, Chapters};
use crate::jobs::games::contest::{Contest, Keep};
use crate::jobs::games::copies::GameCopies;
use crate::jobs::games::copying::{Bind, Copied};
use crate::jobs::games::edits::GameEdits;
use crate::jobs::games::labelling::Labelling;
use crate::jobs::games::names::{GameFileNames, GameNameError};
use crate::jobs::games::order::Order;
use crate::jobs::games::parts::Parts;
use crate::jobs::games::sink::GameSink;
use crate::jobs::games::split::Split;
use crate::jobs::games::spool::Spool;
use crate::jobs::games::unique_keys::UniqueKeys;
use crate::jobs::shared::{Shared, SharedWriter};
use crate::jobs::writing::{AnyOutput, End, Writing, write_methods};
use pgn2fen_games::export::{ExportOptions, Exporter};
use pgn2fen_games::read_methods;
use pgn2fen_games::selection::Start;
use pgn2fen_games::walk::{ReadChoice, Walk};

/// A builder for copies of the games that pass the filters, byte for byte, in the order of the files.
///
/// A copy begins with the comment before the tags, if there is one, and ends with the line of the result and the blank
/// lines after it. Text that belongs to no game is not copied. Games that were not neighbours are separated by a blank
/// line; a game without a result gets a `*` if it would otherwise run into the next. So a copy of all games of a file
/// of nothing but games is the file.
#[derive(Clone, Debug, Default)]
pub struct Copies {
    read: ReadChoice,
    export: Option<ExportOptions>,
    edits: GameEdits,
    unique: Option<UniqueKeys>,
    keep: Option<Keep>,
    order: Order,
    split: Option<Split>,
    chapter_names: Option<ChapterNames>,
    temporary_folder: Option<PathBuf>,
}

impl Copies {
    /// Creates a builder for copies of all games.
    pub fn new() -> Self {
        Self::default()
    }

    read_methods!();
    write_methods!();

    /// Selects the other games instead: those that do not pass all filters.
    #[must_use]
    pub fn invert(mut self, invert: bool) -> Self {
        self.read.invert = Some(invert);
        self
    }

    /// Writes the games anew in the export format of the PGN standard, instead of copying them byte for byte: see
    /// [`export`](pgn2fen_games::export). Moves are played, and errors in them are reported.
    /// [`ReadOptions::on_error`](pgn2fen_games::walk::ReadOptions::on_error) decides what is written of a game with an
    /// error. A game without a usable starting position is left out.
    #[must_use]
    pub fn export(self, options: ExportOptions) -> Self {
        Self { export: Some(options), ..self }
    }

    /// Sets the changes of games while they are written. If they tell the openings, the games are played as far as
    /// needed.
    #[must_use]
    pub fn edits(self, edits: GameEdits) -> Self {
        Self { edits, ..self }
    }

    /// Sets whether only the first of equal games is written. Games are equal if they have the same starting position,
    /// by the repetition rule (FIDE Laws of Chess, 9.2), and the same moves of the main line. Tags, comments,
    /// variations and the result may differ. A game without moves, and one that cannot be played to its end, is equal
    /// to no other.
    ///
    /// The games are played, and errors in their moves are reported. The
    /// [limit](pgn2fen_games::walk::ReadOptions::max_games) on the number of games counts the others, too. Memory grows
    /// with the number of different games, about 16 bytes each.
    #[must_use]
    pub fn unique(self, is_unique: bool) -> Self {
        Self { unique: is_unique.then_some(UniqueKeys::MOVES), ..self }
    }

    /// Writes only the first of the games that are equal by these keys, such as their moves and players. Values of tags
    /// are compared without regard to case. A game in which none of the tags is known is equal to no other, unless
    /// moves count. Of the [players](pgn2fen_games::selection::GameFilter::players) of the filter, the main names are
    /// compared. In all else this is like [`unique`](Self::unique).
    #[must_use]
    pub fn unique_by(self, keys: UniqueKeys) -> Self {
        Self { unique: Some(keys), ..self }
    }

    /// Sets which of the games that are the same is kept: the first, or if a game counts as the same as one with whose
    /// moves it [begins](UniqueKeys::beginnings), the longest. Unless the first is kept, all games are held like those
    /// in another [order](Self::order), because which one is kept is known only at the end. Memory grows by 24 bytes
    /// for each game, and if beginnings count, by two bytes for each of its plies.
    #[must_use]
    pub fn keep(self, keep: Keep) -> Self {
        Self { keep: Some(keep), ..self }
    }

    /// Returns which game is kept, if that is known only when all games are.
    fn contest(&self) -> Option<Keep> {
        let beginnings = self.unique.as_ref()?.beginnings();
        let keep = self.keep.unwrap_or(if beginnings { Keep::Longest } else { Keep::First });
        (beginnings || keep != Keep::First).then_some(keep)
    }

    /// Sets the order in which games are written. In another order than that of the files, each copy ends with a blank
    /// line, and the text of all copies is held until the last file has been read: the first 64 MiB in memory, more in
    /// a temporary file, or all in memory without the feature `files`. Memory grows with the number of games, 40 to 80
    /// bytes and the values of the tags for each.
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_rows::games::{Copies, Order};
    ///
    /// let games = b"[Round \"10\"]\n\n1. e4 *\n\n[Round \"9\"]\n\n1. d4 *\n".to_vec();
    /// let by_round = Copies::new().order(Order::Sorted("Round".parse()?));
    /// let (sorted, _) = by_round.write([Database::from(games)], Vec::new())?;
    /// assert!(sorted.starts_with(b"[Round \"9\"]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Sets how games are split into parts. Only [`begin_files`](Self::begin_files) does so. For
    /// [`Shares`](crate::jobs::games::Shares), the games are played, and errors in their moves are reported.
    #[must_use]
    pub fn split(self, split: Split) -> Self {
        Self { split: Some(split), ..self }
    }

    /// Sets the names of chapters, if games are [split](Split::Study) for studies. By default a chapter is named by its
    /// tag ChapterName, or else by its players, its Event tag, or its opening.
    #[must_use]
    pub fn chapter_names(self, names: ChapterNames) -> Self {
        Self { chapter_names: Some(names), ..self }
    }

    /// Sets the folder for the temporary file of games in another order. The default is that of the system.
    #[cfg(feature = "files")]
    #[must_use]
    pub fn temporary_folder(self, folder: impl Into<PathBuf>) -> Self {
        Self { temporary_folder: Some(folder.into()), ..self }
    }

    /// Begins to write to `out`, and returns a job that reads files one after another.
    pub fn begin<'w, W: Write + Send + 'w>(&self, out: W) -> Writing<'w, W> {
        let out = Shared::new(out);
        Writing::new(self.begin_job(out.writer()), || out.into_inner())
    }

    fn begin_job<'w>(&self, out: SharedWriter<'w>) -> Box<dyn End + 'w> {
        self.job(self.output(out, None), None)
    }

    /// Begins to write to the files with these names, which `sink` creates, and returns a job that reads files one
    /// after another.
    ///
    /// If the names have tags, all copies are held like those in another [order](Self::order), and then written to one
    /// file after another. Otherwise, they are written as they come. Each copy ends with a blank line.
    ///
    /// # Errors
    ///
    /// Games are [split](Self::split), and the names do not have the placeholder `{part}`, or the other way round.
    pub fn begin_files<'w, S: GameSink + 'w>(
        &self,
        names: GameFileNames,
        sink: S,
    ) -> Result<Writing<'w, S>, GameNameError> {
        let sink = Shared::new(sink);
        let output = self.arranged(&names, sink.clone(), None)?;
        Ok(Writing::new(self.job(output, Some(names)), || sink.into_inner()))
    }

    /// Begins to write the first of equal games to files like [`begin_files`](Self::begin_files), and the others to
    /// `duplicates` like [`begin_aside`](Self::begin_aside).
    ///
    /// # Errors
    ///
    /// Games are [split](Self::split), and the names do not have the placeholder `{part}`, or the other way round.
    pub fn begin_files_aside<'w, S, D>(
        &self,
        names: GameFileNames,
        sink: S,
        duplicates: D,
    ) -> Result<Writing<'w, (S, D)>, GameNameError>
    where
        S: GameSink + 'w,
        D: Write + Send + 'w,
    {
        let (sink, duplicates) = (Shared::new(sink), Shared::new(duplicates));
        let job = self.with_keys();
        let job = match job.contest() {
            Some(_) => job.job(job.arranged(&names, sink.clone(), Some(duplicates.writer()))?, Some(names)),
            None => job.job_aside(job.arranged(&names, sink.clone(), None)?, duplicates.writer(), Some(names)),
        };
        Ok(Writing::new(job, || (sink.into_inner(), duplicates.into_inner())))
    }

    /// Returns the output for the files with these names.
    fn arranged<'w, S: GameSink + 'w>(
        &self,
        names: &GameFileNames,
        sink: Shared<S>,
        duplicates: Option<SharedWriter<'w>>,
    ) -> Result<AnyOutput<'w, Copied>, GameNameError> {
        names.check(self.split.as_ref())?;
        let parts = Parts::new(sink, self.split.clone(), names.has_tags());
        let contest = self.contest().map(Contest::new);
        let arranged = Arranged::new(self.spool(Some(names)), parts);
        Ok(Box::new(arranged.contest(contest, duplicates.map(OneFile::new))))
    }

    /// Begins to write the first of equal games to `out` and the others, its duplicates, to `duplicates`, and returns a
    /// job that reads files one after another. Duplicates are written in the order of the files. See
    /// [`unique`](Self::unique).
    ///
    /// ```
    /// use pgn2fen_games::database::Database;
    /// use pgn2fen_rows::games::Copies;
    ///
    /// let games = b"1. e4 *\n\n1. d4 *\n\n1. e4 {again} *\n\n".to_vec();
    /// let writing = Copies::new().begin_aside(Vec::new(), Vec::new());
    /// let ((copies, duplicates), _) = writing.read_all_of([Database::from(games)])?;
    /// assert_eq!((&*copies, &*duplicates), (&b"1. e4 *\n\n1. d4 *\n\n"[..], &b"1. e4 {again} *\n\n"[..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_aside<'w, W, D>(&self, out: W, duplicates: D) -> Writing<'w, (W, D)>
    where
        W: Write + Send + 'w,
        D: Write + Send + 'w,
    {
        let (out, duplicates) = (Shared::new(out), Shared::new(duplicates));
        let job = self.with_keys();
        let job = match job.contest() {
            Some(_) => job.job(job.output(out.writer(), Some(duplicates.writer())), None),
            None => job.job_aside(job.output(out.writer(), None), duplicates.writer(), None),
        };
        Writing::new(job, || (out.into_inner(), duplicates.into_inner()))
    }

    /// Returns the output for one file, and for one of the games that lose a contest.
    fn output<'w>(&self, out: SharedWriter<'w>, duplicates: Option<SharedWriter<'w>>) -> AnyOutput<'w, Copied> {
        match self.spool(None) {
            None => Box::new(Bind::new(out)),
            spool => {
                let contest = self.contest().map(Contest::new);
                let arranged = Arranged::new(spool, OneFile::new(out));
                Box::new(arranged.contest(contest, duplicates.map(OneFile::new)))
            }
        }
    }

    /// Returns an empty spool, if copies are not written in the order in which they come.
    fn spool(&self, names: Option<&GameFileNames>) -> Option<Spool> {
        let is_arranged = !matches!(self.order, Order::Files) || self.contest().is_some();
        let is_spooled = is_arranged || names.is_some_and(GameFileNames::has_tags);
        is_spooled.then(|| Spool::new(self.temporary_folder.as_deref()))
    }

    /// Returns this job with keys by which games are equal: their moves, if none are chosen.
    fn with_keys(&self) -> Self {
        let unique = self.unique.clone().unwrap_or(UniqueKeys::MOVES);
        Self { unique: Some(unique), ..self.clone() }
    }

    /// Returns a job with this output, and perhaps with names of several files.
    fn job<'w>(&self, output: AnyOutput<'w, Copied>, names: Option<GameFileNames>) -> Box<dyn End + 'w> {
        let read = self.read.options();
        let is_split = names.is_some() && matches!(self.split, Some(Split::Shares(_) | Split::Study));
        if self.unique.is_some() || self.export.is_some() || is_split || self.edits.needs_moves() {
            Box::new(Walk::new(self.make::<true>(names), output, read))
        } else {
            Box::new(Walk::new(self.make::<false>(names), output, read))
        }
    }

    /// Returns a job with this output for the first of equal games, which writes the others to `duplicates`.
    fn job_aside<'w>(
        &self,
        main: AnyOutput<'w, Copied>,
        duplicates: SharedWriter<'w>,
        names: Option<GameFileNames>,
    ) -> Box<dyn End + 'w> {
        let duplicates = Box::new(Bind::new(duplicates));
        self.job(Box::new(Aside { main, duplicates }), names)
    }

    fn make<const PLAYS: bool>(&self, names: Option<GameFileNames>) -> GameCopies<PLAYS> {
        let read = self.read.options();
        let takes_unusable = read.invert || read.games.start == Start::Any;
        let players = read.games.players.clone();
        let names_are_given = names.is_some();
        let has_contest = self.contest().is_some();
        let is_labelled = names_are_given || has_contest || !matches!(self.order, Order::Files);
        let split = self.split.clone().filter(|_| names.is_some());
        let labelling = is_labelled.then(|| Labelling::new(self.order.clone(), names, split, players.clone()));
        let by_moves = self.unique.as_ref().is_some_and(UniqueKeys::moves);
        let needs_identity = by_moves || has_contest || labelling.as_ref().is_some_and(Labelling::needs_identity);
        let of_labels = labelling.as_ref().map_or(&[][..], Labelling::tags);
        let of_chapters = self.chapter_names.as_ref().map_or(&[][..], ChapterNames::tags);
        let of_keys = self.unique.as_ref().map_or(&[][..], UniqueKeys::tags);
        let is_new = |tag: &str| self.edits.new_tags().any(|name| name == tag);
        // Duplicates are compared as they were.
        let of_written = of_labels.iter().chain(of_chapters).filter(|tag| !is_new(tag.as_ref()));
        let tags = of_written.chain(of_keys).cloned().collect();
        let is_study = names_are_given && self.split == Some(Split::Study);
        let export = self.export.clone().or_else(|| is_study.then(ExportOptions::default));
        let exporter = export.map(Exporter::new);
        let chapters = is_study.then(|| Chapters::new(self.chapter_names.clone()));
        let unique = self.unique.clone();
        let edits = (!self.edits.is_empty()).then(|| self.edits.clone());
        GameCopies {
            takes_unusable,
            unique,
            players,
            has_contest,
            needs_identity,
            tags,
            labelling,
            exporter,
            chapters,
            edits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Copies, Order};
    use pgn2fen_games::walk::GameTask;

    #[test]
    fn games_are_told_apart_and_shuffled_by_their_places() {
        let needs_offsets = |copies: &Copies| copies.make::<true>(None).needs_offsets();
        assert!(needs_offsets(&Copies::new().unique(true)));
        assert!(needs_offsets(&Copies::new().order(Order::Shuffled { seed: 0 })));
        assert!(!needs_offsets(&Copies::new()));
    }
}
