//! The options, in the order of guides.

use crate::entry::{Jobs, Kind, OptionEntry};

const ROWS: Jobs = Jobs::ROWS;
const STARTS: Jobs = Jobs::STARTS;
const FILES: Jobs = Jobs::FILES;
const BOARDS: Jobs = Jobs::BOARDS;
const RECORDS: Jobs = Jobs::RECORDS;
const COPIES: Jobs = Jobs::COPIES;
const COMPARE: Jobs = Jobs::COMPARE;
const INDEX: Jobs = Jobs::INDEX;
const SERVE: Jobs = Jobs::SERVE;
const ROWS_STARTS: Jobs = ROWS.and(STARTS);
const ROWS_GAMES: Jobs = ROWS.and(Jobs::GAMES);
/// All jobs that read games.
const ALL: Jobs = ROWS_STARTS.and(Jobs::GAMES);

/// The options.
pub const OPTIONS: &[OptionEntry] = &[
    OptionEntry::new("columns", Kind::Names, ROWS_STARTS, "--columns")
        .meaning("the columns of a row, with wildcards such as `White*`"),
    OptionEntry::new("per", Kind::Words(&["position", "game"]), ROWS, "--per")
        .default("position")
        .meaning("what a row is made of: each position, or each game"),
    OptionEntry::new("batch_rows", Kind::Positive, ROWS, "").meaning("the most rows of a record batch"),
    OptionEntry::new("kind", Kind::Words(&["chess960", "dfrc", "odds", "position", "invalid"]), STARTS, "--kind")
        .repeated()
        .meaning("the kinds of starting positions; without it, all but `invalid`"),
    OptionEntry::new("all", Kind::Switch, STARTS, "--all")
        .default("false")
        .meaning("a row for each game, and not for each starting position"),
    OptionEntry::new("exact", Kind::Switch, STARTS, "--exact")
        .default("false")
        .meaning("starting positions are equal only if all six fields of their FENs are"),
    OptionEntry::new("tags", Kind::Text, ALL, "-t")
        .repeated()
        .meaning("games whose tags pass a filter such as `WhiteElo>=2200`; all must hold"),
    OptionEntry::new("names", Kind::Path, ALL, "--names")
        .meaning("a names file, by which filters find players under all their names")
        .not_in_javascript("a page has no path of a file"),
    OptionEntry::new("start", Kind::Words(&["any", "standard", "nonstandard"]), ALL, "--start")
        .default("any")
        .meaning("games that start from the initial position, or from others"),
    OptionEntry::new("opening", Kind::Text, ALL, "--opening")
        .repeated()
        .meaning("games with an opening: a part of its name, or the beginning of its ECO code; one must fit"),
    OptionEntry::new("reached", Kind::Text, ALL, "--reached")
        .repeated()
        .meaning("games that reached a position, as a FEN or as moves; one must be reached"),
    OptionEntry::new("length", Kind::Range, ALL, "--length")
        .meaning("games with this number of plies in the main line"),
    OptionEntry::new("max_games", Kind::Whole, ALL, "-n")
        .meaning("the most games that are read")
        .not_in_spark("parts of files are read at the same time"),
    OptionEntry::new("on_error", Kind::Words(&["keep", "drop", "stop", "raise"]), ALL, "--on-error")
        .default("keep")
        .meaning(
            "what happens to a game with an error: its positions before the error are kept or dropped, or the run ends",
        ),
    OptionEntry::new("plies", Kind::Range, ROWS, "--ply")
        .default("..")
        .meaning("a ply or a range of plies; negative numbers count from the end"),
    OptionEntry::new("skip_start", Kind::Switch, ROWS, "--no-start")
        .default("false")
        .meaning("leave out the starting position of each game"),
    OptionEntry::new("skip_checks", Kind::Switch, ROWS, "--skip-checks")
        .default("false")
        .meaning("leave out positions in check"),
    OptionEntry::new("skip_captures", Kind::Switch, ROWS, "--skip-captures")
        .default("false")
        .meaning("leave out positions in which the next move is a capture or a promotion"),
    OptionEntry::new("every", Kind::Positive, ROWS, "--every").default("1").meaning("only every n-th of these plies"),
    OptionEntry::new("sample", Kind::Share, ROWS, "--sample")
        .meaning("a random share of the positions, the same in every run"),
    OptionEntry::new("seed", Kind::Whole, ROWS, "--seed").default("0").meaning("the seed of random choices"),
    OptionEntry::new("unique", Kind::Switch, ROWS, "--unique")
        .default("false")
        .meaning("each position only once")
        .not_in_spark("equal positions may be in different parts"),
    OptionEntry::new("memory", Kind::Size, ROWS, "--memory")
        .meaning("the most memory for `unique`")
        .not_in_spark("it limits `unique`")
        .not_in_javascript("a module has at most 4 GiB"),
    OptionEntry::new("variations", Kind::Switch, ROWS, "--variations")
        .default("false")
        .meaning("the positions of variations, too"),
    OptionEntry::new("turn", Kind::Words(&["w", "b"]), ROWS, "--turn").meaning("positions with this side to move"),
    OptionEntry::new("pieces", Kind::Range, ROWS, "--pieces")
        .meaning("positions with this number of pieces, kings and pawns included"),
    OptionEntry::new("max_eval", Kind::Whole, ROWS, "--max-eval")
        .meaning("leave out positions with an evaluation of more centipawns for either side"),
    OptionEntry::new("material", Kind::Text, ALL, "--material")
        .repeated()
        .meaning("the pieces of White and Black, such as `KRP:KR`; one must hold"),
    OptionEntry::new("pattern", Kind::Text, ALL, "--pattern")
        .repeated()
        .meaning("a board with wildcards; one must match"),
    OptionEntry::new("pawns", Kind::Text, ALL, "--pawns").repeated().meaning("the squares of all pawns; one must hold"),
    OptionEntry::new("colors", Kind::Words(&["either", "given"]), ALL, "--shape-colors")
        .default("either")
        .meaning("whether White and Black of a shape may be exchanged"),
    OptionEntry::new("mirror", Kind::Switch, ALL, "--mirror")
        .default("false")
        .meaning("left and right of a shape may be exchanged"),
    OptionEntry::new("for_plies", Kind::Positive, ALL, "--for-plies")
        .default("1")
        .meaning("the number of positions in a row that must have the shape"),
    OptionEntry::new("ep", Kind::Words(&["always", "xfen", "legal"]), ROWS_STARTS, "--ep")
        .default("always")
        .meaning("when FENs have an en passant square"),
    OptionEntry::new("castling", Kind::Words(&["xfen", "shredder"]), ROWS_STARTS, "--castling")
        .default("xfen")
        .meaning("how FENs write castling rights"),
    OptionEntry::new("fields", Kind::Numbers(&["6", "4"]), ROWS_STARTS, "--fields")
        .default("6")
        .meaning("the fields of FENs: six, or four without the move counters"),
    OptionEntry::new("lang", Kind::Text, ALL, "--lang")
        .default("en")
        .meaning("the language of the piece letters in moves, such as `de`"),
    OptionEntry::new("setup", Kind::Words(&["auto", "strict", "ignore"]), ALL, "--setup")
        .default("auto")
        .meaning("when a FEN tag is used: always, only with a SetUp tag, or never"),
    OptionEntry::new("encoding", Kind::Text, ALL, "--encoding")
        .default("auto")
        .meaning("the encoding of text that is not UTF-8, such as `windows-1251`"),
    OptionEntry::new("evals", Kind::Words(&["auto", "lichess", "engine", "tcec"]), ROWS_GAMES, "--evals")
        .default("auto")
        .meaning("the comments in which evaluations are found"),
    OptionEntry::new("movetext", Kind::Text, ALL, "--movetext")
        .meaning("the column with the moves, in tables of games")
        .not_in_javascript("tables are not read"),
    OptionEntry::new("verbose", Kind::Switch, ALL, "--verbose")
        .default("false")
        .meaning("report repeated warnings of a game, too"),
    OptionEntry::new("recursive", Kind::Switch, FILES, "--recursive")
        .default("false")
        .meaning("read the PGN files in folders and their subfolders")
        .not_in_javascript("an input is one file"),
    OptionEntry::new("range", Kind::Range, FILES, "--range")
        .meaning("the games that begin in these bytes of one file")
        .not_in_spark("Spark chooses the ranges")
        .not_in_javascript("pass `file.slice(a, b)`"),
    OptionEntry::new("mmap", Kind::Switch, FILES, "--no-mmap")
        .default("true")
        .meaning("map files into memory; off for files that another program may truncate")
        .not_in_javascript("files are not mapped"),
    OptionEntry::new("skip_unreadable", Kind::Switch, FILES, "--skip-unreadable")
        .default("false")
        .meaning("leave out files that are missing or damaged, and name them")
        .not_in_spark("`unreadable` is `skip`")
        .not_in_javascript("an input is one file, whose rows before a damaged place are given"),
    OptionEntry::new("threads", Kind::Whole, FILES, "--threads")
        .default("0")
        .meaning("the number of threads; 0 is one for each core")
        .not_in_javascript("`workers` is the most workers"),
    OptionEntry::new("max_messages", Kind::Whole, FILES, "--max-messages")
        .meaning("the most messages that are kept")
        .not_in_javascript("the first 10,000 are kept"),
    OptionEntry::new("max_boards", Kind::Limit, BOARDS, "--max-boards")
        .default("1000")
        .meaning("the most boards of a page or of a folder of pictures")
        .not_in_spark(NO_PICTURES),
    OptionEntry::new("orientation", Kind::Words(&["white", "black", "turn"]), BOARDS, "--orientation")
        .default("white")
        .meaning("the side at the bottom of boards, or the side to move")
        .not_in_spark(NO_PICTURES),
    OptionEntry::new("shuffle", Kind::Switch, RECORDS, "--shuffle")
        .default("false")
        .meaning("write the rows or records in a random order, which is the same in every run")
        .not_in_spark("the order of parts is not known")
        .not_in_javascript("an array of rows can be shuffled"),
    OptionEntry::new("split", Kind::Text, RECORDS, "--split")
        .meaning("write parts of the games to several files, such as `train=0.95,valid=0.05`")
        .not_in_spark("Spark writes files")
        .not_in_javascript("a page writes no files"),
    OptionEntry::new("invert", Kind::Switch, COPIES, "--invert")
        .default("false")
        .meaning("copy the games that do not pass the filters")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("player", Kind::Text, COMPARE, "--player")
        .meaning("the games of a player, a part of whose name this is")
        .not_in_spark("the command and Python compare games"),
    OptionEntry::new("relocate", Kind::Switch, INDEX, "--relocate")
        .default("false")
        .meaning("find the files of an index that were moved")
        .only_in_the_command(UPKEEP),
    OptionEntry::new("remove", Kind::Switch, INDEX, "--remove")
        .default("false")
        .meaning("remove the games of files from an index")
        .only_in_the_command(UPKEEP),
    OptionEntry::new("allow_host", Kind::Text, SERVE, "--allow-host")
        .repeated()
        .meaning("a further name of the host, by which the explorer may be asked")
        .only_in_the_command("the command is the server"),
];

/// Why only the command has options that change an index.
const UPKEEP: &str = "the command changes an index";
const NO_PICTURES: &str = "rows of Spark are not drawn";

/// Returns the option with a name.
pub fn find(name: &str) -> Option<&'static OptionEntry> {
    OPTIONS.iter().find(|entry| entry.name == name)
}
