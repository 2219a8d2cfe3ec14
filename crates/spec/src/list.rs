//! The options, in the order of guides.

use crate::entry::{Jobs, Kind, OptionEntry};

const ROWS: Jobs = Jobs::ROWS;
const STARTS: Jobs = Jobs::STARTS;
const FILES: Jobs = Jobs::FILES;
const BOARDS: Jobs = Jobs::BOARDS;
const RECORDS: Jobs = Jobs::RECORDS;
const TREES: Jobs = Jobs::TREES;
const TREE_TEXTS: Jobs = Jobs::TREE_TEXTS;
const COPIES: Jobs = Jobs::COPIES;
const COMPARE: Jobs = Jobs::COMPARE;
const INDEX: Jobs = Jobs::INDEX;
const FIND: Jobs = Jobs::FIND;
const SERVE: Jobs = Jobs::SERVE;
const ROWS_STARTS: Jobs = ROWS.and(STARTS);
const WHOLE_GAMES: Jobs = Jobs::WHOLE_GAMES;
/// Jobs that play the moves of games.
const PLAYED: Jobs = ROWS.and(Jobs::GAMES).and(WHOLE_GAMES);
/// All jobs that read games.
const ALL: Jobs = PLAYED.and(STARTS);
/// Jobs that write FENs.
const FENS: Jobs = ROWS_STARTS.and(WHOLE_GAMES);
/// Jobs that choose positions, or games by their positions.
const SHAPES: Jobs = ROWS_STARTS.and(Jobs::GAMES);

/// The options.
pub const OPTIONS: &[OptionEntry] = &[
    OptionEntry::new("columns", Kind::Names, ROWS_STARTS.and(WHOLE_GAMES), "--columns")
        .meaning("the columns of a row, with wildcards such as `White*`"),
    OptionEntry::new("per", Kind::Words(&["position", "game"]), ROWS, "--per")
        .default("position")
        .meaning("what a row is made of: each position, or each game"),
    OptionEntry::new("batch_rows", Kind::Positive, ROWS.and(WHOLE_GAMES), "")
        .meaning("the most rows of a record batch"),
    OptionEntry::new("kind", Kind::Words(&["chess960", "dfrc", "odds", "position", "invalid"]), STARTS, "--kind")
        .repeated()
        .meaning("the kinds of starting positions; without it, all but `invalid`"),
    OptionEntry::new("all", Kind::Switch, STARTS, "--all")
        .default("false")
        .meaning("a row for each game with another start than the initial position, and not for each start"),
    OptionEntry::new("exact", Kind::Switch, STARTS, "--exact")
        .default("false")
        .meaning("starting positions are equal only if all six fields of their FENs are"),
    OptionEntry::new("tags", Kind::Text, ALL, "-t")
        .repeated()
        .meaning("games whose tags pass a filter such as `WhiteElo>=2200`; all must hold")
        .help(
            "FILTER",
            "Only games whose tag satisfies the filter, such as 'WhiteElo>=2200', 'ECO=C42' or 'Player~carlsen'",
            "With several of these options, all must hold; with 'White~carlsen or Black~caruana', one of the two. \
             Player means White and Black, one of which must satisfy the filter; Elo means WhiteElo and BlackElo, both \
             of which must. The operators are = != < <= > >= ~ (contains, ignoring case) and !~ (does not contain). \
             The tag decides how values are compared. Date, EventDate: a year, a month or a day, such as 2019, 2019.06 \
             or 2019-06-01. A year or month means all of its days, so Date<=2019 includes 2019.12.31. Partly known \
             dates, such as 2019.??.??, are compared as far as they are known. UTCTime: a time of day, such as 18:30. \
             TimeControl: the base time in seconds. WhiteElo, PlyCount: numbers. Round: part by part, so 6.4 is before \
             6.10. Result: by its meaning, in any spelling. Other tags: numbers if both values are numbers, otherwise \
             text. A missing tag satisfies only != and !~. An unknown value (?, ????.??.??, *) is neither less nor \
             greater than any value; WhiteElo=? finds it. For a missing or unknown Date, UTCDate is compared, and for \
             such a Result, the result after the moves. Games that do not satisfy the filter are not replayed, so \
             errors in them are not reported.",
        )
        .short('t')
        .long("--tag"),
    OptionEntry::new("names", Kind::Path, ALL, "--names")
        .meaning("a names file, by which filters find players under all their names")
        .not_in_javascript("a page has no path of a file"),
    OptionEntry::new("start", Kind::Words(&["any", "standard", "nonstandard"]), PLAYED, "--start")
        .default("any")
        .meaning("games that start from the initial position, or from others")
        .help("WHERE", "Only games that start from this kind of position", "")
        .words(&["Any position", "The initial position", "Any position other than the initial position"])
        .with_shown_default()
        .rare(),
    OptionEntry::new("opening", Kind::Text, ALL, "--opening")
        .repeated()
        .meaning("games with an opening: a part of its name, or the beginning of its ECO code; one must fit")
        .help(
            "TEXT",
            "Only games with this opening: a part of its name, such as Najdorf, or the beginning of its ECO code, \
             such as B9",
            "The opening is that of the last position of the main line that has a name, whatever moves led to it; \
             the tags ECO and Opening do not matter. Upper and lower case and accents make no difference in \
             names. A letter from A to E with up to two digits is a code. With several of these options, one must \
             hold. Games with other openings are played only so far, and errors in them are not reported.",
        ),
    OptionEntry::new("reached", Kind::Text, ALL, "--reached")
        .repeated()
        .meaning("games that reached a position, as a FEN or as moves; one must be reached")
        .help(
            "POSITION",
            "Only games that reached this position: a FEN, or moves such as '1. e4 c5 2. Nf3'",
            "The main line must have reached the position at any ply, in whatever order of moves. Positions are \
             the same if their pieces, side to move, castling rights and legal en passant capture are the same. \
             Moves have English piece letters, or are written like e2e4. A position of a variant has a FEN whose form \
             tells it, such as RNBQKBNR[Qp], or the tag before its moves: '[Variant \"Atomic\"] 1. e4'. With several \
             of these options, one must be reached. Games are played as far as needed, and errors in games that are \
             left out are not reported.",
        )
        .rare(),
    OptionEntry::new("moves", Kind::Text, ALL, "--moves")
        .repeated()
        .meaning("games with these moves one after another, such as `Bxh7+ Kxh7 Ng5+`; one sequence must occur")
        .help(
            "MOVES",
            "Only games with these moves one after another, such as 'Bxh7+ Kxh7 Ng5+' or '12. Bxh7+'",
            "The main line must have the moves at consecutive plies. They are in SAN with English piece letters, or \
             squares such as e2e4, and are compared with what was played. * is any one move. + and # fit only \
             moves that give check or mate; without them, check makes no difference. 12. is White's and 12... \
             Black's move with this number, and ... any move of Black; without a number, the moves may be anywhere \
             and of either side. With several of these options, one must occur.",
        )
        .rare(),
    OptionEntry::new("ends", Kind::Text, ALL, "--ends")
        .repeated()
        .meaning(
            "games that end in `mate`, `mate:N` (by a knight), `stalemate`, `insufficient`, `threefold`, `fivefold`, \
             `fifty-moves` or `seventy-five-moves`; one must hold",
        )
        .help(
            "END",
            "Only games that end so on the board: mate, mate:N (by a knight), stalemate, insufficient, threefold, \
             fivefold, fifty-moves, seventy-five-moves",
            "The last position of the main line decides, up to the first error, and not the result. mate:Q, mate:R, \
             mate:B, mate:N and mate:P: such a piece gives check, alone or with another. insufficient: only the \
             kings are left with one knight, or with bishops on squares of one color. threefold, fivefold: the last \
             position occurs at least so often in the game. fifty-moves, seventy-five-moves: its halfmove clock is at \
             least 100 or 150, and the side to move has a legal move. With several of these options, one must hold.",
        )
        .rare(),
    OptionEntry::new("commented", Kind::Switch, ALL, "--commented")
        .default("false")
        .meaning("games with comments in words")
        .help(
            "",
            "Only games with comments in words",
            "A comment has a word of three letters or more, besides commands such as [%clk 0:01:00]. Evaluations of \
             engines and book are no words. Comments in variations count.",
        )
        .rare(),
    OptionEntry::new("length", Kind::Range, ALL, "--length")
        .meaning("games with this number of plies in the main line")
        .help(
            "PLIES",
            "Only games with this number of plies: 40.. (at least 40), ..20, 60..80",
            "A ply is a move of one side. The moves of the main line count, up to the first error.",
        )
        .rare(),
    OptionEntry::new("max_games", Kind::Whole, ALL, "-n")
        .meaning("the most games, of those that pass the filters")
        .not_in_spark("parts of files are read at the same time; use limit(…) on the rows")
        .help("N", "Only the first N of these games, counted over all files", "")
        .short('n')
        .long("--max-games"),
    OptionEntry::new("on_error", Kind::Words(&["keep", "drop", "stop", "raise"]), PLAYED, "--on-error")
        .default("keep")
        .meaning(
            "what happens to a game with an error: its positions before the error are kept or dropped, or the run ends",
        ),
    OptionEntry::new("plies", Kind::Range, ROWS, "--ply")
        .default("..")
        .meaning("a ply or a range of plies; negative numbers count from the end")
        .help(
            "PLIES",
            "Only these plies: 16, 8..20 (both included), ..30, 30.., 5,9,13, or -1 for the last",
            "Ply 0 is the starting position, and ply k the position after k moves of either side. Negative \
             numbers count from the end of the main line.",
        )
        .short('p')
        .with_hyphens(),
    OptionEntry::new("skip_start", Kind::Switch, ROWS, "--no-start")
        .default("false")
        .meaning("leave out the starting position of each game")
        .help("", "Leave out the starting position of each game", "")
        .rare(),
    OptionEntry::new("skip_checks", Kind::Switch, ROWS, "--skip-checks")
        .default("false")
        .meaning("leave out positions in check")
        .help("", "Leave out positions in which the side to move is in check", "")
        .rare(),
    OptionEntry::new("skip_captures", Kind::Switch, ROWS, "--skip-captures")
        .default("false")
        .meaning("leave out positions in which the next move is a capture or a promotion")
        .help("", "Leave out positions in which the next move of the game is a capture or a promotion", "")
        .rare(),
    OptionEntry::new("every", Kind::Positive, ROWS, "--every")
        .default("1")
        .meaning("only every n-th of the plies of a game that are chosen")
        .help("N", "Only every Nth of these plies, beginning with the first", "")
        .short('e')
        .rare(),
    OptionEntry::new("sample", Kind::Share, ROWS, "--sample")
        .meaning("a random share of the positions, the same in every run")
        .help("SHARE", "Only a random sample of the positions, such as 0.01; the same in every run", "")
        .short('s'),
    OptionEntry::new("seed", Kind::Whole, ROWS, "--seed")
        .default("0")
        .meaning("the seed of random choices")
        .help(
            "N",
            "The seed of `sample`, `shuffle` and `split`; another number gives other positions, orders and parts",
            "",
        )
        .rare(),
    OptionEntry::new("unique", Kind::Switch, ROWS, "--unique")
        .default("false")
        .meaning("each position only once")
        .not_in_spark("equal positions may be in different parts; use dropDuplicates(['fen']) on the rows")
        .help(
            "",
            "Print each position only once",
            "Positions are the same if their pieces, side to move, castling rights and legal en passant capture \
             are the same. All of them are kept in memory, in about 16 bytes each and at least 9 MB.",
        )
        .short('u'),
    OptionEntry::new("memory", Kind::Size, ROWS.and(RECORDS), "--memory")
        .meaning("the most memory for `unique`, and for `shuffle`")
        .not_in_spark("it limits `unique` and `shuffle`")
        .not_in_javascript("a module has at most 4 GiB")
        .help(
            "SIZE",
            "The most memory for `unique`, which then ends with an error, and for `shuffle`, such as 8G",
            "Each of the two may take so much. With `unique`, a run whose positions take more ends with an error, \
             and writes no file. With `shuffle`, more records go to a temporary file.",
        )
        .rare(),
    OptionEntry::new("variations", Kind::Switch, ROWS.and(TREES), "--variations")
        .default("false")
        .meaning("the positions of variations, too; in a tree, their moves have no result")
        .help("", "Print the positions of variations, too, in the order of the text", ""),
    OptionEntry::new("turn", Kind::Words(&["w", "b"]), ROWS, "--turn")
        .meaning("positions with this side to move")
        .help("w|b", "Only positions with this side to move", "")
        .aliases(&[("white", "w"), ("black", "b")])
        .rare(),
    OptionEntry::new("pieces", Kind::Range, ROWS, "--pieces")
        .meaning("positions with this number of pieces, kings and pawns included")
        .help("RANGE", "Only positions with this number of pieces, including kings and pawns: 32, ..7, 3..5", "")
        .rare(),
    OptionEntry::new("max_eval", Kind::Whole, ROWS, "--max-eval")
        .meaning("leave out positions with an evaluation of more centipawns for either side")
        .help(
            "N",
            "Leave out positions with an evaluation of more than N centipawns for either side, or a mate",
            "The evaluation is the column eval, which is read from comments. Positions without an evaluation are \
             kept.",
        )
        .rare(),
    OptionEntry::new("eval", Kind::Range, ROWS, "--eval")
        .meaning("positions with an evaluation in a range of centipawns, from White's side")
        .help(
            "RANGE",
            "Only positions with an evaluation in centipawns from White's side: 70..130, -130..-70, 300.., ..-300",
            "The evaluation is the column eval, in which mate in n moves is 32000 - n, or the same below zero for \
             Black. Positions without an evaluation are left out.",
        )
        .with_hyphens()
        .rare(),
    OptionEntry::new("judgement", Kind::Words(&["blunder", "mistake", "inaccuracy", "good"]), ROWS, "--judgement")
        .repeated()
        .meaning("positions before a move with this judgement; one must hold")
        .help(
            "WORD",
            "Only positions whose next move has this judgement",
            "The judgement is that of the column judgement in the row of the position after the move, by the formulas \
             of Lichess. Positions are left out if one of the two has no evaluation. With several of these options, \
             one must hold.",
        )
        .rare(),
    OptionEntry::new("min_loss", Kind::Positive, ROWS, "--min-loss")
        .meaning("positions before a move that lost at least this number of centipawns")
        .help(
            "N",
            "Only positions whose next move lost at least N centipawns",
            "The loss is that of the column cp_loss in the row of the position after the move. It is at most 2000, \
             because evaluations beyond 1000 count as 1000.",
        )
        .rare(),
    OptionEntry::new("material", Kind::Text, SHAPES, "--material")
        .repeated()
        .meaning("the pieces of White and Black, such as `KRP:KR`; one must hold")
        .help(
            "PIECES",
            "The material: the pieces of White and of Black, such as KRP:KR",
            "After a letter: 2 (exactly two), 2+ and 2.. (at least two), 2- and ..2 (at most two), 2..4, + (at \
             least one), * (any number). Compared with the other side: = and # (as many, not as many), +1 and -1 \
             (exactly one more, one fewer), > and < (more, fewer), 2> and 2< (by at least two). L is a bishop or \
             knight. ? stands for any other pieces; without it, there are none. 'RP+1:RP*' is a rook ending with \
             an extra pawn. With several of these options, one must hold; `material`, `pattern` and `pawns` must \
             hold together.",
        ),
    OptionEntry::new("pattern", Kind::Board, SHAPES, "--pattern")
        .repeated()
        .meaning("a board with wildcards; one must match")
        .help(
            "BOARD",
            "A board, written like that of a FEN: '*/*/*/*/*/*/?????PPP/*RK?'",
            "Digits are empty squares. ? is any square, * any number of squares of a rank, _ an empty square, ! a \
             square with any piece, A and a a white and a black piece, m a square without a pawn, [QR] one of \
             these, [^p_] none of these. With several of these options, one must match.",
        ),
    OptionEntry::new("pawns", Kind::Board, SHAPES, "--pawns")
        .repeated()
        .meaning("the squares of all pawns; one must hold")
        .help(
            "BOARD",
            "The squares of all pawns, written like the board of a FEN; other pieces do not matter",
            "In the board of a FEN, the other pieces are ignored. ? * [..] mean the same as in `pattern`. With \
             several of these options, one must hold.",
        )
        .rare(),
    OptionEntry::new("colors", Kind::Words(&["either", "given"]), SHAPES, "--shape-colors")
        .default("either")
        .meaning("whether White and Black of a shape may be exchanged")
        .help("WHICH", "Whether the colors of the shape may be exchanged", "")
        .words(&["As given, or with White and Black exchanged (the default)", "As given"])
        .rare(),
    OptionEntry::new("mirror", Kind::Switch, SHAPES, "--mirror")
        .default("false")
        .meaning("left and right of a shape may be exchanged")
        .help("", "The shape may also have left and right exchanged", "")
        .rare(),
    OptionEntry::new("for_plies", Kind::Positive, ROWS.and(Jobs::GAMES), "--for-plies")
        .default("1")
        .meaning("the number of positions in a row that must have the shape")
        .help(
            "N",
            "Only if the shape lasts for at least N positions in a row, such as 6 for three moves of each side",
            "",
        )
        .rare(),
    OptionEntry::new("ep", Kind::Words(&["always", "xfen", "legal"]), FENS, "--ep")
        .default("always")
        .meaning("when FENs have an en passant square")
        .help("WHEN", "When to write the en passant square", "")
        .words(&[
            "After every double push, as in the PGN standard of 1994",
            "If an enemy pawn stands next to the pushed pawn",
            "If a capture on it is legal",
        ])
        .with_shown_default(),
    OptionEntry::new("castling", Kind::Words(&["xfen", "shredder"]), FENS, "--castling")
        .default("xfen")
        .meaning("how FENs write castling rights")
        .help("STYLE", "How to write castling rights", "")
        .words(&[
            "KQkq, with the file of the rook only where it is needed",
            "Always the files of the rooks, such as HAha",
        ])
        .with_shown_default()
        .rare(),
    OptionEntry::new("fields", Kind::Numbers(&["4", "6"]), FENS, "--fields")
        .default("6")
        .meaning("the fields of FENs: six, or four without the move counters")
        .help("4|6", "The number of FEN fields: six, or four without the move counters", "")
        .with_shown_default()
        .rare(),
    OptionEntry::new("fen_style", Kind::Words(&["usual", "lichess"]), FENS, "--fen-style")
        .default("usual")
        .meaning("how FENs of crazyhouse and three-check write men in hand and checks")
        .help("STYLE", "How to write men in hand and checks in FENs of crazyhouse and three-check", "")
        .words(&[
            "Men in hand in brackets, as in RNBQKBNR[QNp], and the checks that remain before the clocks, as in 3+3",
            "Men in hand as a ninth rank, as in RNBQKBNR/NQp, and the checks that were given at the end, as in +0+0",
        ])
        .with_shown_default()
        .rare(),
    OptionEntry::new("lang", Kind::Text, ALL, "--lang")
        .default("en")
        .meaning("the language of the piece letters in moves, such as `de`"),
    OptionEntry::new("setup", Kind::Words(&["auto", "strict", "ignore"]), ALL, "--setup")
        .default("auto")
        .meaning("when a FEN tag is used: always, only with a SetUp tag, or never"),
    OptionEntry::new("encoding", Kind::Text, ALL, "--encoding")
        .default("auto")
        .meaning("the encoding of text that is not UTF-8, such as `windows-1251`"),
    OptionEntry::new("evals", Kind::Words(&["auto", "lichess", "engine", "tcec"]), PLAYED, "--evals")
        .default("auto")
        .meaning(
            "the comments in which evaluations are found: `[%eval 0.31]`, `+0.31/14 0.5s`, `wv=0.31`, or the first \
             kind of each game; of `games`, only streams have it",
        )
        .help(
            "KIND",
            "The comments in which evaluations are found",
            "They are the evaluations of the column eval, of `max_eval`, `eval`, `judgement` and `min_loss`, and of \
             training formats. auto: in each game, the kind of the first comment of the main line that has an \
             evaluation. lichess: [%eval 0.31], as Lichess, ChessBase and others write it, from White's side, of the \
             position after the move. engine: +0.31/14 0.5s, as cutechess, fastchess, fishtest, OpenBench, XBoard and \
             Arena write it, from the side that made the move. tcec: wv=0.31, as TCEC writes it, from White's side. \
             The evaluations of engine and tcec are those of the position before the move, in which the engine \
             searched, so they are in the row of that position. Comments of the other kinds are not read.",
        )
        .words(&["The kind that each game has", "[%eval 0.31]", "+0.31/14 0.5s", "wv=0.31"])
        .with_shown_default(),
    OptionEntry::new("movetext", Kind::Text, ALL, "--movetext")
        .meaning("the column with the moves, in tables of games")
        .not_in_javascript("columns are found by their names"),
    OptionEntry::new("verbose", Kind::Switch, ALL, "--verbose")
        .default("false")
        .meaning("report repeated warnings of a game, too"),
    OptionEntry::new("recursive", Kind::Switch, FILES, "--recursive")
        .default("false")
        .meaning("read the PGN files in folders and their subfolders")
        .not_in_javascript("an input is one file"),
    OptionEntry::new("range", Kind::Bytes, FILES, "--range")
        .meaning("the games that begin in these bytes of one file")
        .not_in_spark("Spark chooses the ranges, of `size` bytes each")
        .not_in_javascript("pass `file.slice(a, b)`"),
    OptionEntry::new("mmap", Kind::Switch, FILES, "--no-mmap")
        .default("true")
        .meaning("map files into memory; off for files that another program may truncate")
        .not_in_javascript("files are not mapped"),
    OptionEntry::new("skip_unreadable", Kind::Switch, FILES, "--skip-unreadable")
        .default("false")
        .meaning("leave out files that are missing or damaged, and name them")
        .not_in_spark("`unreadable=skip` leaves such files out, and reports them")
        .not_in_javascript("an input is one file, whose rows before a damaged place are given"),
    OptionEntry::new("threads", Kind::Whole, FILES, "--threads")
        .default("0")
        .meaning("the number of threads; 0 is one for each core")
        .not_in_javascript("`workers` is the most workers"),
    OptionEntry::new("max_messages", Kind::Whole, FILES, "--max-messages")
        .default("10000")
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
    OptionEntry::new("numbers", Kind::Switch, BOARDS, "--numbers")
        .default("false")
        .meaning("number the boards of a page")
        .not_in_spark(NO_PICTURES)
        .help("", "Number the boards of html", "")
        .rare(),
    OptionEntry::new("solutions", Kind::Switch, BOARDS, "--solutions")
        .default("false")
        .meaning("the solutions of numbered boards at the end of a page")
        .not_in_spark(NO_PICTURES)
        .help(
            "",
            "Number the boards of html, and list the solutions at the end of the page",
            "The solution of a position of an EPD is its operations bm, am and pv. Otherwise it is the moves that \
             follow in the game, at most 40, as in the puzzles of Lichess and in files of tactics. The captions do not \
             name it, unless `columns` does. In print, the solutions begin a new page.",
        )
        .rare(),
    OptionEntry::new("boards_per_row", Kind::Positive, BOARDS, "--boards-per-row")
        .meaning("the boards in a row of a page; without it, as many as fit")
        .not_in_spark(NO_PICTURES)
        .help("N", "The number of boards in a row of html; without it, as many as fit", "")
        .rare(),
    OptionEntry::new("boards_per_page", Kind::Positive, BOARDS, "--boards-per-page")
        .meaning("the boards on a printed page, which shrink until they fit on A4 and Letter")
        .not_in_spark(NO_PICTURES)
        .help(
            "N",
            "The number of boards of html on a printed page, which shrink until they fit on A4 and Letter",
            "Without `boards_per_row`, the boards are in rows in which they are largest.",
        )
        .rare(),
    OptionEntry::new("comment_arrows", Kind::Switch, BOARDS, "--no-comment-arrows")
        .default("true")
        .meaning("draw the arrows and circles of comments: `[%cal Ge2e4]` and `[%csl Rd5]`")
        .not_in_spark(NO_PICTURES)
        .help("", "Do not draw the arrows and circles of comments, such as [%cal Ge2e4] and [%csl Rd5]", "")
        .rare(),
    OptionEntry::new("shuffle", Kind::Switch, RECORDS, "--shuffle")
        .default("false")
        .meaning("write the rows or records in a random order, which is the same in every run")
        .not_in_spark("the order of parts is not known")
        .not_in_javascript("an array of rows can be shuffled")
        .help(
            "",
            "Write rows, or records for trainers, in a random order, which is the same in every run",
            "A record of viri is a game, and one of binpack a chain of positions. Other formats have a record for each \
             position. The order depends on `seed` and on the rows, not on threads or memory. Up to `memory`, 256M by \
             default, is used; more records go to a temporary file beside the output, as large as the output before \
             compression and 8 bytes more for each record. html, arrow and parquet are refused.",
        )
        .rare(),
    OptionEntry::new("split", Kind::Text, RECORDS, "--split")
        .meaning("write parts of the games to several files, such as `train=0.95,valid=0.05`")
        .not_in_spark("Spark writes files")
        .not_in_javascript("a page writes no files")
        .help(
            "SHARES",
            "Write parts of the games to several files, such as train=0.95,valid=0.05",
            "The name of the output has the placeholder {part}: -o '{part}.binpack'. Each game goes wholly into one \
             part, which depends only on its starting position, its moves and `seed`, as in `pgn2fen games --split`. \
             So copies of a game are in the same part, in every run. The shares add up to 1. All files appear at the \
             end.",
        )
        .rare(),
    OptionEntry::new("invert", Kind::Switch, COPIES, "--invert")
        .default("false")
        .meaning("copy the games that do not pass the filters")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("keep", Kind::Words(&["first", "longest", "annotated"]), COPIES, "--keep")
        .meaning("which of equal games is copied, if each is copied once")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("duplicates", Kind::Path, COPIES, "--duplicates")
        .meaning("a file for all of equal games but one")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("sort", Kind::Names, COPIES, "--sort")
        .meaning("an order by tags, such as `Date,-WhiteElo`")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("chapter_name", Kind::Text, COPIES, "--chapter-name")
        .meaning("the name of a chapter of a study, such as `{White} - {Black}, {opening}`")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("san", Kind::Switch, COPIES, "--san")
        .default("false")
        .meaning("write games anew, in the export format of the PGN standard")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("join", Kind::Switch, COPIES, "--join")
        .default("false")
        .meaning("make games of positions that follow one another by a legal move")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied"),
    OptionEntry::new("set_tags", Kind::Text, COPIES, "--set-tag")
        .repeated()
        .meaning("give games a tag, or another value of a tag, such as `Event=Club`")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied")
        .help(
            "NAME=VALUE",
            "Give games a tag, or another value of a tag they have: 'Event=Club championship', 'Annotator='",
            "The value may be empty. A new tag follows the other tags. Result is 1-0, 0-1, 1/2-1/2 or *, and is \
             written at the end of the moves, too. FEN, SetUp and Variant are refused, because the moves would be \
             others. Without `san`, only the lines of these tags change, and games keep all other bytes.",
        ),
    OptionEntry::new("remove_tags", Kind::Text, COPIES, "--remove-tag")
        .repeated()
        .meaning("remove tags of games; `*` stands for any text")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied")
        .help(
            "NAME",
            "Remove a tag: Annotator, '*Elo', 'Clock*'",
            "A * stands for any text. FEN, SetUp and Variant are never removed. In the export format, the tags of \
             the roster are always there; a removed one has its unknown value, and Result is that of the moves.",
        ),
    OptionEntry::new("add_opening", Kind::Switch, COPIES, "--add-opening")
        .default("false")
        .meaning("tags for the opening: ECO, Opening and Variation")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied")
        .help(
            "",
            "Write the tags ECO, Opening and Variation, by the last position of the main line that has a name",
            "Such tags of a game are replaced. A game whose positions have no names keeps its tags.",
        ),
    OptionEntry::new("rename", Kind::Switch, COPIES, "--rename")
        .default("false")
        .meaning("the main names of the names file for White and Black")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied")
        .help(
            "",
            "Write the main names of `names` for White and Black",
            "The main name of a player is the first one in the names file. Other players keep their names.",
        ),
    OptionEntry::new("repair", Kind::Switch, COPIES, "--repair")
        .default("false")
        .meaning("dates and results in the form of the standard")
        .not_in_javascript("games are copied by programs of the page")
        .not_in_spark("rows of Spark are not copied")
        .help(
            "",
            "Write dates and results that can be read in the form of the standard: 2023.07.09, 1/2-1/2",
            "Dates such as 2023-07-09, 9.7.2023 and 'Sun Jul 09 2023' are rewritten, if they can mean one day only. \
             Results such as 1/2 and 0:1 are rewritten in the tag and at the end of the moves. If one of the two is \
             unknown, it gets the value of the other. If they differ, or both are unknown, a mate or stalemate on the \
             board decides; otherwise they are kept. `verbose` prints the number of repaired games.",
        ),
    OptionEntry::new("player", Kind::Text, COMPARE.and(TREES), "--player")
        .meaning("the games of a player, a part of whose name this is")
        .not_in_spark(NO_TREES)
        .help(
            "NAME",
            "Only games of this player: a part of the name, in upper or lower case; with `side`, only those with this \
             side",
            "",
        ),
    OptionEntry::new("side", Kind::Words(&["w", "b"]), TREES.and(TREE_TEXTS), "--side")
        .meaning("the side of a tree, whose scores are written")
        .not_in_spark(NO_TREES)
        .help("w|b", "The side of the tree: scores are those of this side, and the board of a page is seen from it", "")
        .aliases(&[("white", "w"), ("black", "b")]),
    OptionEntry::new("position", Kind::Text, TREES, "--from")
        .meaning("where a tree begins: a FEN, moves such as `1. e4 c5`, or the name or ECO code of an opening")
        .not_in_spark(NO_TREES)
        .help(
            "POSITION",
            "Begin in this position: a FEN, moves such as '1. e4 c5', or the name or ECO code of an opening",
            "Without this option, the tree begins in the initial position.",
        )
        .long("--from"),
    OptionEntry::new("variant", Kind::Words(RULES), TREES.and(FIND), "--variant")
        .default("chess")
        .meaning("the rules of the positions and of the games: those of chess, Chess960 included, or of a variant")
        .not_in_spark(NO_TREES)
        .help(
            "NAME",
            "The rules: chess, which includes Chess960, or a variant, such as crazyhouse",
            "Positions are read by these rules: startpos and moves begin with the array of the variant, moves may be \
             drops such as N@f3, and FENs may have men in hand and checks. Only games of these rules reach them. With \
             chess, games of variants are left out. Upper and lower case are equal, and hyphens do not count; \
             standard and chess960 are chess.",
        ),
    OptionEntry::new("depth", Kind::Positive, TREES, "--depth")
        .meaning("the number of plies behind this position, at most 256; 30 without the option, 100 with `variations`")
        .not_in_spark(NO_TREES)
        .help("N", "The number of plies behind this position; 30 without this option, and 100 with `variations`", "")
        .short('p'),
    OptionEntry::new("min_games", Kind::Positive, TREES, "--min-games")
        .meaning(
            "the moves that were played in at least this number of games; 3 without the option, 1 with `variations`",
        )
        .not_in_spark(NO_TREES)
        .help(
            "N",
            "Only moves that were played in at least N games; 3 without this option, and 1 with `variations`",
            "",
        ),
    OptionEntry::new("order", Kind::Words(&["games", "score", "file"]), TREES, "--order")
        .default("games")
        .meaning("which moves come first: the most played, those with the best score, or as in the files")
        .not_in_spark(NO_TREES)
        .help(
            "ORDER",
            "The order of moves: the most played first, those with the best score for the side to move, or as in the \
             files",
            "The first move is the main line. Moves in the main lines of games come before moves of variations only. \
             Moves without a known result have no score, and come last. Of moves that are equal, the one that was \
             played first in the files is the first.",
        )
        .with_shown_default(),
    OptionEntry::new("max", Kind::Positive, TREES, "--max")
        .meaning("the most moves of a position: the first ones")
        .not_in_spark(NO_TREES)
        .help("N", "At most N moves of a position: the first ones", "")
        .short('m'),
    OptionEntry::new("models", Kind::Whole, TREES, "--models")
        .default("1")
        .meaning("the number of model games at the end of a line, at most 3: those with the best rated players")
        .not_in_spark(NO_TREES)
        .help("N", "The number of model games at the end of a line, at most 3: those with the best rated players", "")
        .with_shown_default()
        .rare(),
    OptionEntry::new("transpositions", Kind::Words(&["join", "write"]), TREE_TEXTS, "--transpositions")
        .default("join")
        .meaning("a line that comes to a position of another line ends with a remark, or goes on")
        .not_in_spark(NO_TREES)
        .help(
            "HOW",
            "End a line where it comes to a position of another line, or write its moves again",
            "join: it ends with a remark that names where it goes on. write: it goes on, so that moves are written \
             again, at most 200,000 of them. A line that comes to a position of its own always ends.",
        )
        .with_shown_default()
        .rare(),
    OptionEntry::new("comments", Kind::Names, TREE_TEXTS, "--comments")
        .meaning(
            "the contents of comments of a tree: all, none, or some of games, results, score, year, models and words, \
             which are the comments and glyphs of the games; without the option, words with `variations`, and all \
             others without",
        )
        .not_in_spark(NO_TREES)
        .help(
            "LIST",
            "The contents of comments, with commas between them: games, results, score, year, models, words; or all or \
             none",
            "With `variations` it is words, if this option is not given, and otherwise all but words. words: the \
             comments and glyphs of the games, with arrows and coloured squares, but without clocks and evaluations. \
             games: the number of games. results: wins, draws and losses of the side of `side`. score: its score in \
             per cent; games without a known result do not count. year: that of the latest game. models: games at the \
             ends of lines.",
        ),
    OptionEntry::new("glyphs", Kind::Switch, TREE_TEXTS, "--glyphs")
        .default("false")
        .meaning("`!`, `?!` and `?` for moves of a tree, by their scores")
        .not_in_spark(NO_TREES)
        .help(
            "",
            "Add glyphs by score: ! ?! ?",
            "The score of a move for the side that plays it is compared with that of all games in the position: ! if \
             it is better by 10 per cent or more, ?! if it is worse by 10, ? if it is worse by 20. Moves with fewer \
             than 10 known results get none. A table has no glyphs.",
        ),
    OptionEntry::new("title", Kind::Text, TREE_TEXTS, "--title")
        .meaning("the title of a tree")
        .not_in_spark(NO_TREES)
        .help("TEXT", "The title of the tree", "")
        .rare(),
    OptionEntry::new("front", Kind::Words(&["board", "fen"]), TREE_TEXTS, "--front")
        .meaning("the front of cards for Anki: a picture of the board, or the FEN")
        .not_in_spark(NO_TREES)
        .help("WHAT", "The front of cards for Anki: a picture of the board, or the FEN", "")
        .rare(),
    OptionEntry::new("manifest", Kind::Path, RECORDS, "--manifest")
        .meaning("a record of the files that were read, by which a run that was interrupted goes on")
        .only_in_the_command("a program calls again for the files that are missing"),
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

/// The names of the rules.
const RULES: &[&str] = &[
    "chess",
    "crazyhouse",
    "threeCheck",
    "kingOfTheHill",
    "antichess",
    "giveaway",
    "suicide",
    "atomic",
    "horde",
    "racingKings",
];

/// Why only the command has options that change an index.
const UPKEEP: &str = "the command changes an index";
const NO_PICTURES: &str = "rows of Spark are not drawn";
const NO_TREES: &str = "the command, Python and JavaScript make trees";

/// Returns the option with a name.
pub fn find(name: &str) -> Option<&'static OptionEntry> {
    OPTIONS.iter().find(|entry| entry.name == name)
}
