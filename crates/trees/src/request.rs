//! The options of a tree, as programs are given them.

use crate::options::{MoveOrder, Root, RootRemark, TreeOptions, player_filter};
use crate::write::{CardFront, Remarks, Transpositions, TreeFormat, TreeStyle};
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::san::Letters;
use pgn2fen_games::selection::TagFilter;
use pgn2fen_rows::options::{OptionError, SetOption, choose, is_on, number, parsed, rules, unknown, zero};
use pgn2fen_spec::{Jobs, names};

/// The options of a tree, set by their names in the list of options: those for growing it and those for writing it.
///
/// ```
/// use pgn2fen_rows::options::SetOption;
/// use pgn2fen_trees::{Root, TreeRequest};
///
/// let mut request = TreeRequest::default();
/// request.set("depth", "12")?;
/// request.set("variations", "true")?;
/// let options = request.options(Root::default());
/// assert_eq!((options.depth, options.min_games), (12, 1));
/// # Ok::<(), pgn2fen_rows::options::OptionError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct TreeRequest {
    rules: Rules,
    position: Option<String>,
    player: Option<String>,
    side: Option<Color>,
    depth: Option<u32>,
    min_games: Option<u64>,
    order: MoveOrder,
    max: Option<usize>,
    variations: bool,
    models: Option<usize>,
    transpositions: Transpositions,
    comments: Option<Remarks>,
    glyphs: bool,
    title: Option<String>,
    front: Option<CardFront>,
}

impl SetOption for TreeRequest {
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let mut next = self.clone();
        next.assign(name, value)?;
        if let Some(mistake) = next.options(Root::default()).mistake() {
            return Err(OptionError::new(mistake));
        }
        *self = next;
        Ok(())
    }
}

impl TreeRequest {
    fn assign(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match name {
            "position" => self.position = Some(value.to_owned()),
            "variant" => self.rules = rules(name, value)?,
            "player" => self.player = Some(value.to_owned()),
            "side" => self.side = Some(choose(name, value, &[("w", Color::White), ("b", Color::Black)])?),
            "depth" => self.depth = Some(number(name, value)?),
            "min_games" => match number(name, value)? {
                0 => return Err(zero(name)),
                least => self.min_games = Some(least),
            },
            "order" => self.order = choose(name, value, &MoveOrder::NAMES)?,
            "max" => self.max = Some(number(name, value)?),
            "variations" => self.variations = is_on(name, value)?,
            "models" => self.models = Some(number(name, value)?),
            "transpositions" => self.transpositions = choose(name, value, &Transpositions::NAMES)?,
            "comments" => self.comments = Some(parsed(name, value)?),
            "glyphs" => self.glyphs = is_on(name, value)?,
            "title" => self.title = Some(value.to_owned()),
            "front" => self.front = Some(choose(name, value, &CardFront::NAMES)?),
            _ => return Err(unknown(name, &names!(Jobs::TREES.and(Jobs::TREE_TEXTS)))),
        }
        Ok(())
    }

    /// Returns the position in which the tree begins, and a remark about its text.
    ///
    /// # Errors
    ///
    /// The text is no position.
    pub fn root(&self, letters: &Letters) -> Result<(Root, Option<RootRemark>), OptionError> {
        let Some(text) = &self.position else {
            return Ok((Root::of_rules(self.rules), None));
        };
        Root::read_by(self.rules, text, letters)
            .map_err(|mistake| OptionError::of_value(format!("`position`: {mistake}"), mistake.to_string()))
    }

    /// Returns the rules of the games.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the text of the position in which the tree begins, if there is one.
    pub fn position(&self) -> Option<&str> {
        self.position.as_deref()
    }

    /// Returns the options of the tree, which begins in a position.
    pub fn options(&self, root: Root) -> TreeOptions {
        let usual = TreeOptions::usual(self.variations);
        TreeOptions {
            root,
            depth: self.depth.unwrap_or(usual.depth),
            min_games: self.min_games(),
            order: self.order,
            max_moves: self.max,
            models: self.models.unwrap_or(usual.models),
            notes: self.remarks().words,
            ..usual
        }
    }

    /// Returns the least number of games of a move.
    pub fn min_games(&self) -> u64 {
        self.min_games.unwrap_or(TreeOptions::usual(self.variations).min_games)
    }

    /// Returns the side of the tree, if one is chosen.
    pub fn side(&self) -> Option<Color> {
        self.side
    }

    /// Whether the moves of variations count.
    pub fn variations(&self) -> bool {
        self.variations
    }

    /// Returns the filter for the games of the player, if one is chosen.
    ///
    /// # Errors
    ///
    /// The name is empty or has a quote in it.
    pub fn player_filter(&self) -> Result<Option<TagFilter>, OptionError> {
        let Some(name) = &self.player else {
            return Ok(None);
        };
        let wrong = || OptionError::new("`player` needs a name, without quotes in it");
        player_filter(name, self.side).ok_or_else(wrong).map(Some)
    }

    fn remarks(&self) -> Remarks {
        self.comments.unwrap_or_else(|| Remarks::usual(self.variations))
    }

    /// Returns the options for writing the tree. The title is the given one, if none is chosen.
    pub fn style(&self, title: &str) -> TreeStyle {
        TreeStyle {
            title: self.title.clone().unwrap_or_else(|| title.to_owned()),
            side: self.side.unwrap_or(Color::White),
            transpositions: self.transpositions,
            remarks: self.remarks(),
            glyphs: self.glyphs,
            card_front: self.front.unwrap_or_default(),
        }
    }

    /// Checks that the options have a meaning for an index, which has no variations, comments and order of files.
    ///
    /// # Errors
    ///
    /// The reference to the option that has none.
    pub fn check_index(&self) -> Result<(), &'static str> {
        let has_words = self.comments.is_some_and(|remarks| remarks.words && remarks != Remarks::ALL);
        match () {
            () if self.variations => Err("`variations=true`"),
            () if self.order == MoveOrder::File => Err("`order=file`"),
            () if has_words => Err("`comments=words`"),
            () => Ok(()),
        }
    }

    /// Checks that the options have a meaning for a format.
    ///
    /// # Errors
    ///
    /// An option has none.
    pub fn check_format(&self, format: TreeFormat) -> Result<(), OptionError> {
        let is_written_again = self.transpositions == Transpositions::WrittenOut;
        let (is_cards, has_comments) = (format == TreeFormat::Anki, self.comments.is_some());
        let mistake = match format {
            TreeFormat::Graphviz | TreeFormat::Mermaid if is_written_again => {
                "a graph has each position once; `transpositions=write` is for other formats"
            }
            TreeFormat::Rows(_) | TreeFormat::Parquet if self.glyphs => "a table has no glyphs; leave out `glyphs`",
            TreeFormat::Rows(_) | TreeFormat::Parquet if has_comments => {
                "a table has all counts in columns; leave out `comments`"
            }
            TreeFormat::Anki if self.side.is_none() => {
                "cards are for one side, which answers the moves of the other; give `side=w` or `side=b`"
            }
            TreeFormat::Anki if is_written_again => {
                "a position is one card; `transpositions=write` is for other formats"
            }
            TreeFormat::Anki if self.glyphs => "cards have no glyphs; leave out `glyphs`",
            TreeFormat::Anki if has_comments => "cards have no comments; leave out `comments`",
            _ if !is_cards && self.front.is_some() => "`front` is for cards; choose the format anki",
            _ => return Ok(()),
        };
        Err(OptionError::new(mistake))
    }
}

#[cfg(test)]
mod tests {
    use super::{Jobs, TreeRequest};
    use crate::options::{MoveOrder, Root, TreeOptions, player_filter};
    use crate::write::{CardFront, Remarks, RowFormat, Transpositions, TreeFormat, TreeStyle};
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_chess::san::Letters;
    use pgn2fen_rows::options::{OptionError, SetOption};
    use pgn2fen_spec::OPTIONS;

    fn request(given: &[(&str, &str)]) -> Result<TreeRequest, OptionError> {
        let mut request = TreeRequest::default();
        given.iter().try_for_each(|(name, value)| request.set(name, value))?;
        Ok(request)
    }

    #[test]
    fn each_option_of_the_list_is_known() {
        let jobs = Jobs::TREES.and(Jobs::TREE_TEXTS);
        for entry in OPTIONS.iter().filter(|entry| entry.jobs.contains(jobs)) {
            let said = request(&[(entry.name, "\0")]).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(!said.starts_with("there is no option"), "{said}");
        }
        assert!(request(&[("depht", "1")]).is_err());
    }

    #[test]
    fn values_have_bounds() {
        for (name, value, said) in [
            ("depth", "0", "depth is 0, but must be from 1 to 256"),
            ("depth", "257", "depth is 257, but must be from 1 to 256"),
            ("models", "4", "models is 4, but must be at most 3"),
            ("max", "0", "max is 0, but must be 1 or more"),
            ("min_games", "0", "`min_games` is 0, but must be 1 or more"),
            ("side", "x", "`side` is 'x', but must be one of w, b"),
            ("comments", "game", "`comments`: \"game\" is none of games"),
        ] {
            let error = request(&[(name, value)]).expect_err(said).to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }

    #[test]
    fn what_is_not_given_is_usual() -> Result<(), OptionError> {
        let (many, repertoire) = (request(&[])?, request(&[("variations", "true"), ("side", "b")])?);
        let options = many.options(Root::default());
        assert_eq!((options.depth, options.min_games, options.models, options.notes), (30, 3, 1, false));
        assert_eq!(many.style("Tree").side, Color::White);
        let options = repertoire.options(Root::default());
        assert_eq!((options.depth, options.min_games, options.notes), (100, 1, true));
        let style = repertoire.style("Tree");
        assert_eq!((style.side, style.remarks, &*style.title), (Color::Black, Remarks::usual(true), "Tree"));
        let (root, remark) = request(&[("position", "najdorf")])?.root(&Letters::ENGLISH)?;
        assert_eq!((root.moves().len(), remark.is_some()), (10, true));
        assert!(request(&[("position", "1. e5")])?.root(&Letters::ENGLISH).is_err());
        assert!(request(&[("player", " ")])?.player_filter().is_err());
        Ok(())
    }

    #[test]
    fn each_option_has_its_effect() -> Result<(), OptionError> {
        let given = [
            ("variant", "atomic"),
            ("position", "1. e4"),
            ("player", "Anand"),
            ("side", "b"),
            ("depth", "12"),
            ("min_games", "7"),
            ("order", "score"),
            ("max", "5"),
            ("models", "2"),
            ("transpositions", "write"),
            ("comments", "words,score"),
            ("glyphs", "true"),
            ("title", "Mine"),
            ("front", "fen"),
        ];
        let request = request(&given)?;
        assert_eq!(
            (request.rules(), request.position(), request.side()),
            (Rules::Atomic, Some("1. e4"), Some(Color::Black))
        );
        assert_eq!(request.player_filter()?, player_filter("Anand", Some(Color::Black)));
        let (root, remark) = request.root(&Letters::ENGLISH)?;
        assert_eq!((root.start().rules(), root.moves().len(), remark), (Rules::Atomic, 1, None));
        let expected = TreeOptions {
            root: root.clone(),
            depth: 12,
            min_games: 7,
            order: MoveOrder::Score,
            max_moves: Some(5),
            models: 2,
            variations: false,
            notes: true,
        };
        assert_eq!((request.options(root), request.variations()), (expected, false));
        let style = TreeStyle {
            title: "Mine".to_owned(),
            side: Color::Black,
            transpositions: Transpositions::WrittenOut,
            remarks: Remarks { words: true, score: true, ..Remarks::NONE },
            glyphs: true,
            card_front: CardFront::Fen,
        };
        assert_eq!(request.style("Tree"), style);
        let repertoire = super::tests::request(&[("variations", "true")])?;
        assert_eq!((repertoire.variations(), repertoire.position(), repertoire.side()), (true, None, None));
        assert_eq!(repertoire.root(&Letters::ENGLISH)?, (Root::default(), None));
        assert_eq!(repertoire.player_filter()?, None);
        Ok(())
    }

    #[test]
    fn options_without_a_meaning_for_a_format_are_refused() -> Result<(), OptionError> {
        let table = TreeFormat::Rows(RowFormat::Csv);
        for (given, format, is_right) in [
            (&[][..], TreeFormat::Pgn, true),
            (&[("transpositions", "write")], TreeFormat::Pgn, true),
            (&[("transpositions", "write")], TreeFormat::Mermaid, false),
            (&[("glyphs", "true")], table, false),
            (&[("comments", "all")], TreeFormat::Parquet, false),
            (&[("front", "fen")], TreeFormat::Html, false),
            (&[("front", "fen")], TreeFormat::Anki, false),
            (&[("front", "fen"), ("side", "w")], TreeFormat::Anki, true),
            (&[("glyphs", "true"), ("side", "w")], TreeFormat::Anki, false),
            (&[("comments", "all"), ("side", "w")], TreeFormat::Anki, false),
            (&[("transpositions", "write"), ("side", "w")], TreeFormat::Anki, false),
            (&[("side", "w")], TreeFormat::Anki, true),
            (&[("side", "w")], TreeFormat::Mermaid, true),
            (&[("side", "w")], table, true),
        ] {
            assert_eq!(request(given)?.check_format(format).is_ok(), is_right, "{given:?} {format:?}");
        }
        assert_eq!(request(&[("order", "file")])?.check_index(), Err("`order=file`"));
        assert_eq!(request(&[("variations", "true")])?.check_index(), Err("`variations=true`"));
        assert_eq!(request(&[("comments", "words")])?.check_index(), Err("`comments=words`"));
        assert_eq!(request(&[("comments", "all")])?.check_index(), Ok(()));
        assert_eq!(request(&[("comments", "games")])?.check_index(), Ok(()));
        Ok(())
    }
}
