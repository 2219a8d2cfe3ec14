//! An option: its name, the kind of its value, the jobs that have it, and its meaning.

/// An option of jobs that read games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionEntry {
    /// The name, in lower case and with `_` between words: that of Python, SQL and Spark.
    pub name: &'static str,
    /// The kind of the value.
    pub kind: Kind,
    /// Whether there may be several values.
    pub is_repeated: bool,
    /// The value without the option, as text. Empty if there is none.
    pub default: &'static str,
    /// The jobs that have the option.
    pub jobs: Jobs,
    /// The option of the command, as it is written there.
    pub flag: &'static str,
    /// What the option does, as a phrase for tables.
    pub meaning: &'static str,
    /// How the command shows the option. None for an option that a command describes itself.
    pub help: Option<Help>,
    /// Why Python and SQL do not have the option. Empty if they have.
    pub not_in_python: &'static str,
    /// Why JavaScript does not have the option. Empty if it has.
    pub not_in_javascript: &'static str,
    /// Why Spark does not have the option. Empty if it has.
    pub not_in_spark: &'static str,
}

impl OptionEntry {
    pub(crate) const fn new(name: &'static str, kind: Kind, jobs: Jobs, flag: &'static str) -> Self {
        Self {
            name,
            kind,
            is_repeated: false,
            default: "",
            jobs,
            flag,
            meaning: "",
            help: None,
            not_in_python: "",
            not_in_javascript: "",
            not_in_spark: "",
        }
    }

    /// The option may have several values.
    pub(crate) const fn repeated(self) -> Self {
        Self { is_repeated: true, ..self }
    }

    /// Without the option, it has this value.
    pub(crate) const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// JavaScript does not have the option, for this reason.
    pub(crate) const fn not_in_javascript(self, not_in_javascript: &'static str) -> Self {
        Self { not_in_javascript, ..self }
    }

    /// Spark does not have the option, for this reason.
    pub(crate) const fn not_in_spark(self, not_in_spark: &'static str) -> Self {
        Self { not_in_spark, ..self }
    }

    /// Only the command has the option, for this reason.
    pub(crate) const fn only_in_the_command(self, why: &'static str) -> Self {
        Self { not_in_python: why, not_in_javascript: why, not_in_spark: why, ..self }
    }

    /// Describes the option for the help of the command: its value, what it does, and further paragraphs.
    pub(crate) const fn help(self, value_name: &'static str, about: &'static str, details: &'static str) -> Self {
        let long = self.flag.as_bytes();
        let help = Help {
            value_name,
            about,
            details,
            short: None,
            long: if long.len() > 2 && long[1] == b'-' { self.flag } else { "" },
            is_rare: false,
            shows_default: false,
            takes_hyphens: false,
            words: &[],
            aliases: &[],
        };
        Self { help: Some(help), ..self }
    }

    const fn with_help(self, help: Help) -> Self {
        Self { help: Some(help), ..self }
    }

    const fn described(&self) -> Help {
        match self.help {
            Some(help) => help,
            // The list is a constant, so this is an error of the compiler.
            None => panic!("the option has no help"),
        }
    }

    /// The letter of the option.
    pub(crate) const fn short(self, short: char) -> Self {
        self.with_help(Help { short: Some(short), ..self.described() })
    }

    /// The long name of an option whose usual one is a letter.
    pub(crate) const fn long(self, long: &'static str) -> Self {
        self.with_help(Help { long, ..self.described() })
    }

    /// The option is only in the long help.
    pub(crate) const fn rare(self) -> Self {
        self.with_help(Help { is_rare: true, ..self.described() })
    }

    /// The help shows the default.
    pub(crate) const fn with_shown_default(self) -> Self {
        self.with_help(Help { shows_default: true, ..self.described() })
    }

    /// Values may begin with a hyphen.
    pub(crate) const fn with_hyphens(self) -> Self {
        self.with_help(Help { takes_hyphens: true, ..self.described() })
    }

    /// The meanings of the words, in their order.
    pub(crate) const fn words(self, words: &'static [&'static str]) -> Self {
        self.with_help(Help { words, ..self.described() })
    }

    /// Further words, each with the one whose meaning it has.
    pub(crate) const fn aliases(self, aliases: &'static [(&'static str, &'static str)]) -> Self {
        self.with_help(Help { aliases, ..self.described() })
    }

    pub(crate) const fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }
}

/// How the command shows an option. Texts refer to other options as messages do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Help {
    /// The name of the value, such as `FILTER`. Empty for a switch.
    pub value_name: &'static str,
    /// The effect of the option, in a line.
    pub about: &'static str,
    /// Further paragraphs of the long help. May be empty.
    pub details: &'static str,
    /// The letter of the option.
    pub short: Option<char>,
    /// The long name, with its hyphens.
    pub long: &'static str,
    /// Whether the option is only in the long help.
    pub is_rare: bool,
    /// Whether the help shows the default.
    pub shows_default: bool,
    /// Whether values may begin with a hyphen.
    pub takes_hyphens: bool,
    /// The meanings of the words, in their order. Empty if the words explain themselves.
    pub words: &'static [&'static str],
    /// Further words, each with the one whose meaning it has.
    pub aliases: &'static [(&'static str, &'static str)],
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// On or off: `true` or `false`.
    Switch,
    /// A whole number, from 0.
    Whole,
    /// A whole number, from 1.
    Positive,
    /// The most of something: a whole number. 0 is no limit, for which the command has the word `all`.
    Limit,
    /// A share from 0 to 1, such as `0.01`.
    Share,
    /// A number, or a range of numbers such as `8..20`, `40..` and `..30`, which includes both ends.
    Range,
    /// A range of bytes of a file, such as `0..1000`, of which the end is not included.
    Bytes,
    /// A size in bytes, such as `2G`.
    Size,
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these numbers.
    Numbers(&'static [&'static str]),
    /// The path of a file.
    Path,
    /// Any text.
    Text,
    /// A board, written like that of a FEN, with wildcards. It may begin with a bracket.
    Board,
    /// Names with commas, or a list of them.
    Names,
}

/// A set of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jobs(u16);

impl Jobs {
    /// Rows of positions or of games: `scan`, `read_pgn`.
    pub const ROWS: Self = Self(1);
    /// Lists of starting positions: `starts`, `read_pgn_starts`.
    pub const STARTS: Self = Self(2);
    /// Streams and copies of games: `games`.
    pub const GAMES: Self = Self(4);
    /// How files are opened, by every job that reads files.
    pub const FILES: Self = Self(8);
    /// Pages and pictures of boards.
    pub const BOARDS: Self = Self(16);
    /// Building and keeping an index: `index`.
    pub const INDEX: Self = Self(32);
    /// The server of an index: `serve`.
    pub const SERVE: Self = Self(64);
    /// Comparing games with a repertoire: `compare`.
    pub const COMPARE: Self = Self(128);
    /// Copies of games in files: `games`.
    pub const COPIES: Self = Self(256);
    /// Files of rows and of records for trainers.
    pub const RECORDS: Self = Self(512);
    /// Growing trees of games: `tree`.
    pub const TREES: Self = Self(1024);
    /// Rows of whole games: `read_pgn_games`, and `scan` whose `per` is `game`.
    pub const WHOLE_GAMES: Self = Self(2048);
    /// Trees that are written: as games, pages, graphs and cards.
    pub const TREE_TEXTS: Self = Self(4096);
    /// Questions to an index: `find`.
    pub const FIND: Self = Self(8192);

    /// Returns the jobs of both sets.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether one of the jobs is in the set.
    pub const fn contains(self, jobs: Self) -> bool {
        self.0 & jobs.0 != 0
    }
}
