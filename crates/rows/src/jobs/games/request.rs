//! The options of copies of games, and which of them do not go together.

use crate::jobs::games::builder::Copies;
use crate::jobs::games::chapters::ChapterNames;
use crate::jobs::games::contest::Keep;
use crate::jobs::games::edits::GameEdits;
use crate::jobs::games::order::Order;
use crate::jobs::games::split::Split;
use crate::jobs::games::unique_keys::UniqueKeys;
use crate::jobs::options::OptionError;
use pgn2fen_games::export::ExportOptions;
use pgn2fen_games::selection::SortKeys;
use pgn2fen_games::walk::ReadOptions;

/// The options of copies of games, as programs are given them.
///
/// ```
/// use pgn2fen_games::walk::ReadOptions;
/// use pgn2fen_rows::games::CopyRequest;
///
/// let request = CopyRequest { seed: Some(1), ..CopyRequest::default() };
/// let error = request.copies(ReadOptions::default()).unwrap_err();
/// assert!(error.to_string().starts_with("`seed` needs `shuffle`"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct CopyRequest {
    /// Whether the other games are copied: those that do not pass all filters.
    pub invert: bool,
    /// Whether games are made of positions instead: see [`JoinedGames`](crate::games::JoinedGames).
    pub join: bool,
    /// The keys by which games are equal. Only one of equal games is copied.
    pub unique: Option<UniqueKeys>,
    /// Whether duplicates go to a file of their own.
    pub duplicates: bool,
    /// Which of equal games is copied.
    pub keep: Option<Keep>,
    /// The tags that make the order.
    pub sort: Option<SortKeys>,
    /// Whether the order is random.
    pub shuffle: bool,
    /// The seed of a random order and of shares.
    pub seed: Option<u64>,
    /// The parts of the games.
    pub split: Option<Split>,
    /// The names of chapters of studies.
    pub chapter_name: Option<ChapterNames>,
    /// The changes of games.
    pub edits: GameEdits,
    /// How games are written anew. None if they are copied byte for byte.
    pub export: Option<ExportOptions>,
    /// Whether it was said what is written of games with errors.
    pub on_error: bool,
}

impl CopyRequest {
    /// Returns the builder for the copies.
    ///
    /// # Errors
    ///
    /// Options do not go together.
    pub fn copies(&self, read: ReadOptions) -> Result<Copies, OptionError> {
        self.check(&read).map_err(OptionError::new)?;
        let seed = self.seed.unwrap_or(0);
        let order = match &self.sort {
            Some(keys) => Order::Sorted(keys.clone()),
            None if self.shuffle => Order::Shuffled { seed },
            None => Order::Files,
        };
        let mut copies = Copies::new().read_options(read).invert(self.invert).order(order).edits(self.edits.clone());
        if let Some(keys) = &self.unique {
            copies = copies.unique_by(keys.clone());
        }
        if let Some(keep) = self.keep {
            copies = copies.keep(keep);
        }
        if let Some(split) = &self.split {
            copies = copies.split(match split.clone() {
                Split::Shares(shares) => Split::Shares(shares.seed(seed)),
                split => split,
            });
        }
        if let Some(names) = &self.chapter_name {
            copies = copies.chapter_names(names.clone());
        }
        Ok(match &self.export {
            Some(options) => copies.export(options.clone()),
            None => copies,
        })
    }

    /// Checks that the options go together. The error is a message.
    fn check(&self, read: &ReadOptions) -> Result<(), &'static str> {
        let is_study = self.split == Some(Split::Study);
        let is_random = self.shuffle || matches!(self.split, Some(Split::Shares(_)));
        match () {
            () if self.sort.is_some() && self.shuffle => {
                Err("`sort` and `shuffle` are two orders; leave one of them out")
            }
            () if self.seed.is_some() && !is_random => {
                Err("`seed` needs `shuffle`, or shares such as `split=train=0.9,test=0.1`")
            }
            () if self.keep.is_some() && self.unique.is_none() && !self.duplicates => {
                Err("`keep` chooses one of equal games; add `unique` or `duplicates`")
            }
            () if self.chapter_name.is_some() && !is_study => Err("`chapter_name` needs `split=study`"),
            () if self.edits.rename && read.games.players.is_empty() => {
                Err("`rename=true` needs `names`, the file with the names of players")
            }
            // Chapters are written anew as well.
            () if self.on_error && self.export.is_none() && !is_study => {
                Err("`on_error` needs `san=true`: games that are copied byte for byte are not played")
            }
            () => Ok(()),
        }
    }

    /// Refuses all options of copies, for a job that makes something else of games: that of the option `wanted`, which
    /// is told in this way.
    ///
    /// # Errors
    ///
    /// There is such an option.
    pub fn refuse_beside(&self, wanted: &str) -> Result<(), OptionError> {
        let options = [
            ("`invert`", self.invert),
            ("`join`", wanted != "`join`" && self.join),
            ("`unique`", self.unique.is_some()),
            ("`duplicates`", self.duplicates),
            ("`keep`", self.keep.is_some()),
            ("`sort`", self.sort.is_some()),
            ("`shuffle`", self.shuffle),
            ("`seed`", self.seed.is_some()),
            ("`split`", self.split.is_some()),
            ("`chapter_name`", self.chapter_name.is_some()),
            ("an option of the group of `set_tags`", !self.edits.is_empty()),
            ("an option of the group of `san`", self.export.is_some()),
            ("`on_error`", self.on_error),
        ];
        match options.into_iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => {
                Err(OptionError::new(format!("{option} is for copies of games; leave it out, or leave out {wanted}")))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CopyRequest;
    use crate::jobs::games::contest::Keep;
    use crate::jobs::games::edits::GameEdits;
    use crate::jobs::games::split::Split;
    use crate::jobs::games::unique_keys::UniqueKeys;
    use pgn2fen_games::database::Database;
    use pgn2fen_games::export::ExportOptions;
    use pgn2fen_games::walk::ReadOptions;

    fn refused(request: &CopyRequest) -> String {
        request.copies(ReadOptions::default()).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let usual = CopyRequest::default;
        let sort = Some("Date".parse().expect("a tag"));
        let study = || CopyRequest { split: Some(Split::Study), ..usual() };
        let shares = "train=0.9,test=0.1".parse().ok();
        for (request, said) in [
            (usual(), ""),
            (CopyRequest { sort, shuffle: true, ..usual() }, "`sort` and `shuffle` are"),
            (CopyRequest { seed: Some(1), ..study() }, "`seed` needs `shuffle`"),
            (CopyRequest { seed: Some(1), split: shares, ..usual() }, ""),
            (CopyRequest { seed: Some(1), shuffle: true, ..usual() }, ""),
            (CopyRequest { keep: Some(Keep::Longest), ..usual() }, "`keep` chooses"),
            (CopyRequest { keep: Some(Keep::Longest), duplicates: true, ..usual() }, ""),
            (CopyRequest { keep: Some(Keep::Longest), unique: Some(UniqueKeys::MOVES), ..usual() }, ""),
            (CopyRequest { chapter_name: "{White}".parse().ok(), ..usual() }, "`chapter_name` needs"),
            (CopyRequest { chapter_name: "{White}".parse().ok(), ..study() }, ""),
            (
                CopyRequest { edits: GameEdits { rename: true, ..GameEdits::default() }, ..usual() },
                "`rename=true` needs",
            ),
            (CopyRequest { on_error: true, ..usual() }, "`on_error` needs"),
            (CopyRequest { on_error: true, ..study() }, ""),
            (CopyRequest { on_error: true, export: Some(ExportOptions::default()), ..usual() }, ""),
        ] {
            let error = refused(&request);
            assert!(error.starts_with(said) && error.is_empty() == said.is_empty(), "{error}: {request:?}");
        }
    }

    #[test]
    fn what_makes_no_copies_has_no_options_of_copies() {
        let join = CopyRequest { join: true, ..CopyRequest::default() };
        assert_eq!(join.refuse_beside("`join`"), Ok(()));
        let said =
            |request: &CopyRequest, wanted| request.refuse_beside(wanted).expect_err("it is refused").to_string();
        assert_eq!(said(&join, "trees"), "`join` is for copies of games; leave it out, or leave out trees");
        let edits = GameEdits { repair: true, ..GameEdits::default() };
        let said = said(&CopyRequest { edits, ..join }, "`join`");
        assert!(said.starts_with("an option of the group of `set_tags` is for copies"), "{said}");
    }

    #[test]
    fn options_reach_the_copies() {
        let games = b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n\n[White \"C\"]\n\n1. e4 *\n".to_vec();
        let copied = |request: &CopyRequest| {
            let copies = request.copies(ReadOptions::default()).expect("they go together");
            let (text, _) = copies.write([Database::from(games.clone())], Vec::new()).expect("they are written");
            let text = String::from_utf8(text).expect("it is text");
            text.lines().filter_map(|line| line.strip_prefix("[White \"")?.chars().next()).collect::<String>()
        };
        let usual = CopyRequest::default;
        assert_eq!(copied(&usual()), "ABC");
        for seed in 0..20 {
            let shares = CopyRequest { split: "a=0.5,b=0.5".parse().ok(), seed: Some(seed), ..usual() };
            assert_eq!(copied(&shares), "ABC", "the seed of shares gives no order");
        }
        assert_eq!(copied(&CopyRequest { invert: true, ..usual() }), "");
        assert_eq!(copied(&CopyRequest { unique: Some(UniqueKeys::MOVES), ..usual() }), "AB");
        assert_eq!(copied(&CopyRequest { sort: "-White".parse().ok(), ..usual() }), "CBA");
        let orders = (0..20).map(|seed| copied(&CopyRequest { shuffle: true, seed: Some(seed), ..usual() }));
        assert!(orders.collect::<std::collections::BTreeSet<_>>().len() > 3);
    }
}
