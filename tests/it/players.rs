//! Players under several names: the list of names and the file that is made of it; filters, indexes, books, the
//! explorer and duplicates with that file.

use std::fmt::Write;

use crate::cli::Desk;
use pgn2fen_games::players::Players;

const GAMES: &[u8] = include_bytes!("../../fixtures/players/several_names.pgn");
const NAMES: &[u8] = include_bytes!("../../fixtures/players/names.txt");

fn desk() -> Desk {
    Desk::with(&[("games.pgn", GAMES), ("names.txt", NAMES)])
}

/// Returns a list without its first lines and without the comments behind the names.
fn bare(list: &str) -> String {
    let lines = list.lines().skip(2).map(|line| line.split("  #").next().unwrap_or_default().trim_end());
    lines.filter(|line| !line.trim_start().is_empty()).fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn the_list_says_what_is_the_same_and_what_may_be() {
    let desk = desk();
    let ran = desk.run(&["players", "games.pgn"]);
    assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
    assert_eq!(
        bare(&ran.stdout),
        "Carlsen, Magnus\n  CARLSEN, MAGNUS\n  Magnus Carlsen\n  FIDE 1503014\n#?  Carlsen,M\n\
         Wang, Li\n  FIDE 8600001\n\
         Anand, Viswanathan\n  Viswanathan Anand\n  FIDE 5000017\n#?  Anand,V\n\
         DrNykterstein\nMueller, Juergen\n#?  Müller, Jürgen\nWang, Li (8600002)\n  FIDE 8600002\n\
         Wang,L\npenguingim1\n"
    );
    let wang = "Wang, Li (8600002)                       # no games\n  \
                # Wang, Li                             # 1 game, Black, 2006, Elo 1900\n";
    assert!(ran.stdout.contains(wang), "{}", ran.stdout);
    let carlsen = "Carlsen, Magnus                          # 1 game, White, 2013, Elo 2870\n";
    assert!(ran.stdout.contains(carlsen), "{}", ran.stdout);
    // The list does not depend on threads and cuts.
    for threads in ["-j1", "-j3"] {
        assert_eq!(desk.run(&["players", threads, "games.pgn"]), ran);
    }
    assert_eq!(desk.pipe(&["players"], GAMES).stdout, ran.stdout);
    let several = bare(&desk.run(&["players", "--several", "games.pgn"]).stdout);
    assert!(several.contains("Mueller") && !several.contains("penguin") && !several.contains("Wang,L\n"), "{several}");
    let frequent = bare(&desk.run(&["players", "--min-games", "4", "games.pgn"]).stdout);
    assert!(frequent.contains("Anand") && !frequent.contains("Wang"), "{frequent}");
    let of_2012 = bare(&desk.run(&["players", "-t", "Date=2012", "games.pgn"]).stdout);
    assert_eq!(of_2012, "Anand,V\nCarlsen,M\n");
}

#[test]
fn an_edited_list_is_a_names_file() {
    let desk = desk();
    desk.run(&["players", "games.pgn", "-o", "list.txt"]).is("", "", 0);
    let list = String::from_utf8(desk.read("list.txt")).unwrap();
    let count = |list: &str, filter: &str| {
        std::fs::write(desk.path("edited.txt"), list).unwrap();
        let ran = desk.run(&["games", "-q", "--names", "edited.txt", "-t", filter, "games.pgn"]);
        assert!(ran.code == Some(0), "{}", ran.stderr);
        ran.stdout.matches("[Event ").count()
    };
    // Without a change, only what is certain counts.
    assert_eq!([count(&list, "Player=Carlsen, Magnus"), count(&list, "Player=Carlsen,M")], [3, 2]);
    let edited = list
        .replace("#?", "")
        .replace("\nDrNykterstein", "")
        .replace("  Magnus Carlsen", "  \"DrNykterstein\" # online\n  Magnus Carlsen");
    assert_eq!([count(&edited, "Player=Carlsen, Magnus"), count(&edited, "Player=DrNykterstein")], [6, 6]);
    assert_eq!([count(&edited, "Player=Wang, Li"), count(&edited, "Player=Wang, Li (8600002)")], [3, 1]);
    assert_eq!(count(&edited, "Player=Muller, Jurgen"), 2);
    // The list of the same games with the edited file has the same players.
    let again = desk.run(&["players", "--names", "edited.txt", "games.pgn"]).stdout;
    let players = |text: &str| {
        let players: Players = text.parse().unwrap();
        let mut all: Vec<String> = players
            .iter()
            .map(|player| {
                let mut names: Vec<&str> = player.further_names().collect();
                names.sort_unstable();
                format!("{} {names:?} {:?}", player.name(), player.fide_ids())
            })
            .collect();
        all.sort();
        all
    };
    assert_eq!(players(&again), players(&edited));
    assert!(!again.contains("\n#?"), "{again}");
}

#[test]
fn known_players_are_listed_with_new_names() {
    let desk = desk();
    let file = "Carlsen, Magnus\n  Carlsen,M\n  FIDE 1503014\nTal, Mikhail\n  FIDE 13300005\nWang, Li\n  FIDE 1\n";
    std::fs::write(desk.path("known.txt"), file).unwrap();
    let list = bare(&desk.run(&["players", "--names", "known.txt", "games.pgn"]).stdout);
    let carlsen = "Carlsen, Magnus\n  Carlsen,M\n  CARLSEN, MAGNUS\n  Magnus Carlsen\n  FIDE 1503014\n";
    assert!(list.starts_with(carlsen), "{list}");
    assert!(list.contains("\nTal, Mikhail\n  FIDE 13300005\n"), "{list}");
    // A player of that name with another id is not the one in the file; games without an id are.
    for line in ["\nWang, Li\n  FIDE 1\n", "\nWang, Li (8600001)\n  FIDE 8600001\n", "\nWang, Li (8600002)\n"] {
        assert!(list.contains(line), "{list}");
    }
    list.parse::<Players>().unwrap();
}

#[test]
fn rows_have_each_name_with_its_reason() {
    let desk = desk();
    let rows = desk.run(&["players", "-f", "csv", "-t", "Player~wang", "games.pgn"]).stdout;
    assert_eq!(
        rows,
        "player,name,same,games,white,black,first_year,last_year,min_elo,max_elo,fide_ids\n\
         \"Wang, Li\",\"Wang, Li\",main,3,2,1,2005,2007,2250,2270,8600001\n\
         \"Mueller, Juergen\",\"Mueller, Juergen\",main,1,1,0,2005,2005,2310,2310,\n\
         \"Wang, Li (8600002)\",\"Wang, Li (8600002)\",main,0,0,0,,,,,8600002\n\
         \"Wang, Li (8600002)\",\"Wang, Li\",namesake,1,0,1,2006,2006,1900,1900,8600002\n\
         \"Wang,L\",\"Wang,L\",main,1,0,1,2007,2007,,,\n"
    );
    desk.run(&["players", "games.pgn", "-o", "a.jsonl"]).is("", "", 0);
    let first = String::from_utf8(desk.read("a.jsonl")).unwrap().lines().next().unwrap().to_owned();
    assert!(
        first.starts_with("{\"player\":\"Carlsen, Magnus\",\"name\":\"Carlsen, Magnus\",\"same\":\"main\""),
        "{first}"
    );
    let header = rows.lines().next().unwrap().to_owned() + "\n";
    assert_eq!(desk.run(&["players", "-f", "csv", "--min-games", "999", "games.pgn"]).stdout, header);
    let stats = desk.run(&["players", "--stats", "zzz", "-f", "csv", "games.pgn"]).stdout;
    assert_eq!(stats, "by,group,color,games,wins,draws,losses,unknown,score,opponents,performance\n");
    let tsv = desk.run(&["players", "-f", "tsv", "--no-header", "games.pgn"]).stdout;
    assert!(tsv.starts_with("Carlsen, Magnus\tCarlsen, Magnus\tmain\t1\t"), "{tsv}");
    for (arguments, words) in [
        (&["--no-header"][..], "no header row"),
        (&["-o", "games.pgn"], "has the ending of a PGN file, which cannot be written here; use .txt for a names file"),
        (&["-o", "a.parquet"], "has the ending of parquet, which cannot be written here; use .txt for a names file"),
        (&["-f", "csv", "-o", "a.arrow"], "has the ending of arrow"),
        (&["-o", "a.html"], "has the ending of html"),
        (&["-o", "a.fen"], "has the ending of fen"),
        (&["names.txt", "-o", "names.txt"], "is both input and output"),
        (&["none.pgn"], "none.pgn"),
    ] {
        let ran = desk.run(&[&["players", "games.pgn"], arguments].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_wrong_names_file_is_told_with_line_and_column() {
    let desk = desk();
    std::fs::write(desk.path("wrong.txt"), "A\n  B\nC\n   B # x\n").unwrap();
    let words = "wrong.txt:4:4: this is a name of A (line 1), too; a name belongs to one player";
    for command in [&["games.pgn"][..], &["games", "games.pgn"], &["players", "games.pgn"], &["starts", "games.pgn"]] {
        let ran = desk.run(&[command, &["--names", "wrong.txt"]].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words) && ran.stdout.is_empty(), "{}", ran.stderr);
    }
    let ran = desk.run(&["--names", "none.txt", "games.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("none.txt: "), "{}", ran.stderr);
}

/// The games that pass a filter, by their dates.
fn dates(desk: &Desk, arguments: &[&str]) -> String {
    let ran =
        desk.run(&[&["-q", "--no-header", "-p", "0", "-C", "Date", "-f", "tsv", "games.pgn"], arguments].concat());
    assert_eq!((&*ran.stderr, ran.code), ("", Some(0)));
    ran.stdout.split_whitespace().map(|date| &date[..4]).collect::<Vec<_>>().join(" ")
}

#[test]
fn filters_find_a_player_under_all_names() {
    let desk = desk();
    let check = |filter: &str, without: &str, with: &str| {
        assert_eq!(dates(&desk, &["-t", filter]), without, "{filter}");
        assert_eq!(dates(&desk, &["--names", "names.txt", "-t", filter]), with, "{filter}");
    };
    check("White=Carlsen, Magnus", "2013", "2013 2014 2020 2004 2012");
    check("White=carlsen m", "", "2013 2014 2020 2004 2012");
    check("White~carlsen", "2013 2014 2004 2012", "2013 2014 2020 2004 2012");
    check("White~nykter", "2020", "2013 2014 2020 2004 2012");
    check("Player=DrNykterstein", "2020", "2013 2012 2014 2020 2004 2012");
    check("Player!=Carlsen,M", "2013 2014 2020 2004 2005 2006 2007", "2005 2006 2007");
    check("White!=Carlsen,M or Date=2012", "2013 2012 2014 2020 2004 2005 2006 2007 2012", "2012 2005 2006 2007 2012");
    // A name that the file does not have is compared as it is.
    check("White=Wang, Li", "2006 2007", "2006 2007");
    check("White=wang li", "", "");
    check("WhiteElo>=2800", "2013 2014 2020 2012", "2013 2014 2020 2012");
    // The id decides, whatever the name is.
    std::fs::write(desk.path("names.txt"), "X\n  FIDE 8600002\nWang, Li\n").unwrap();
    check("Player=X", "", "2006");
    check("Black=Wang, Li", "2005 2006", "2005");
    assert_eq!(dates(&desk, &["--names", "names.txt", "-t", "Black=X", "-j3"]), "2006");
}

#[test]
fn an_index_keeps_main_names_or_finds_all_names() {
    let desk = desk();
    desk.run(&["index", "-q", "--names", "names.txt", "-o", "main.idx", "games.pgn"]).is("", "", 0);
    desk.run(&["index", "-q", "-o", "plain.idx", "games.pgn"]).is("", "", 0);
    let games = |arguments: &[&str]| {
        let ran = desk.run(&[&["find", "-c", "--no-header"], arguments, &["startpos"]].concat());
        ran.stdout.split('\t').nth(1).unwrap_or_default().to_owned()
    };
    for filter in ["Player=Carlsen, Magnus", "Player~carlsen"] {
        assert_eq!(games(&["-t", filter, "main.idx"]), "6", "{filter}");
        assert_eq!(games(&["--names", "names.txt", "-t", filter, "main.idx"]), "6", "{filter}");
        assert_eq!(games(&["--names", "names.txt", "-t", filter, "plain.idx"]), "6", "{filter}");
    }
    assert_eq!(games(&["--names", "names.txt", "-t", "Player=DrNykterstein", "main.idx"]), "6");
    assert_eq!(games(&["-t", "Player=DrNykterstein", "main.idx"]), "0");
    assert_eq!(games(&["-t", "Player=DrNykterstein", "plain.idx"]), "1");
    let hits = desk.run(&["find", "main.idx", "1. e4", "-f", "tsv", "--no-header"]).stdout;
    let whites: Vec<&str> = hits.lines().map(|line| line.split('\t').nth(3).unwrap()).collect();
    assert_eq!(whites, ["Carlsen, Magnus"; 4]);
    // Games under other names would not be found.
    std::fs::write(desk.path("more.pgn"), "[White \"Carlsen,M\"]\n\n1. e4 *\n").unwrap();
    let by_another = "main.idx: the index has the main names of players by another list; add games with that list as \
                      --names, or build the index again\n";
    let ran = desk.run(&["index", "-q", "--append", "-o", "main.idx", "more.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.ends_with(by_another), "{}", ran.stderr);
    let ran = desk.run(&["index", "-q", "--append", "--names", "names.txt", "-o", "plain.idx", "more.pgn"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("as its files have them; leave out --names"), "{}", ran.stderr);
    // The games themselves do not change.
    let copied = desk.run(&["find", "main.idx", "-t", "White=Carlsen, Magnus", "-f", "pgn", "1. e4"]).stdout;
    assert!(copied.contains("[White \"DrNykterstein\"]"), "{copied}");
    desk.run(&["index", "-q", "--check", "main.idx"]).is("", "", 0);
    let book = |arguments: &[&str], name: &str| {
        let ran = desk.run(&[&["book", "-q", "--min-games", "1", "--weight", "games", "-o", name], arguments].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        desk.read(name)
    };
    let main = book(&["--player", "carlsen", "main.idx"], "a.bin");
    assert_eq!(book(&["--player", "drnykterstein", "--names", "names.txt", "plain.idx"], "b.bin"), main);
    assert_ne!(book(&["--player", "carlsen", "plain.idx"], "c.bin"), main);
}

#[test]
fn duplicates_have_the_same_players_under_all_names() {
    let games =
        b"[White \"Carlsen,M\"]\n[Black \"Anand,V\"]\n\n1. e4 e5 *\n\n[White \"DrNykterstein\"]\n[Black \"ANAND, \
                  Viswanathan\"]\n\n1. e4 e5 *\n\n[White \"Carlsen, Henrik\"]\n[Black \"Anand,V\"]\n\n1. e4 e5 *\n\n";
    let desk = Desk::with(&[("a.pgn", games), ("names.txt", NAMES)]);
    let count = |arguments: &[&str]| {
        let ran = desk.run(&[&["games", "a.pgn"], arguments].concat());
        ran.stdout.matches("[White ").count()
    };
    assert_eq!(count(&["-u=moves,players"]), 3);
    assert_eq!(count(&["-u=moves,players", "--names", "names.txt"]), 2);
    assert_eq!(count(&["-u=White", "--names", "names.txt"]), 2);
    desk.run(&["games", "-q", "a.pgn", "--names", "names.txt", "-o", "p/{White}.pgn"]).is("", "", 0);
    let mut files: Vec<String> = std::fs::read_dir(desk.path("p"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["Carlsen, Henrik.pgn", "Carlsen, Magnus.pgn"]);
    assert_eq!(String::from_utf8(desk.read("p/Carlsen, Magnus.pgn")).unwrap().matches("[White ").count(), 2);
}

#[test]
fn hostile_names_are_listed_in_a_file_that_is_read_again() {
    let mut games = String::new();
    let names = [
        "#1 Fan",
        "Player #2",
        "FIDE 5",
        "\\\"x\\\" y",
        "a\tb",
        "  c  ",
        "Wang, Li",
        "Wang, Li (7)",
        "?",
        "",
        "-",
        "N. N.",
        "Ünïcödé, Ä",
        "李, 超",
        "A,",
        ",B",
        "#",
        "a # b",
        "A B C D E F G H I J",
        "\u{feff}mark",
    ];
    for (at, name) in names.iter().enumerate() {
        for (of, id) in [("7", "8"), ("", "9"), ("7", "")] {
            let black = names[(at + 5) % names.len()];
            let _ = write!(
                games,
                "[White \"{name}\"]\n[Black \"{black}\"]\n[WhiteFideId \"{of}\"]\n[BlackFideId \"{id}\"]\n\n1. e4 *\n\n"
            );
        }
    }
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let ran = desk.run(&["players", "a.pgn"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stdout.parse::<Players>().unwrap();
    let accepted = ran.stdout.replace("\n#?", "\n");
    accepted.parse::<Players>().unwrap();
}

#[test]
fn a_list_that_is_read_again_is_the_same() {
    let names = ["a\tb", "c\u{1b}d", "e\u{85}f", "\u{a0}g", "h  i", " j", "k # l", "#m", "\\\"n\\\"", "\u{feff}o"];
    let games: String = names.iter().map(|name| format!("[White \"{name}\"]\n\n1. e4 *\n\n")).collect();
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    desk.run(&["players", "-o", "first.txt", "a.pgn"]);
    let again = desk.run(&["players", "--names", "first.txt", "a.pgn"]);
    let first = String::from_utf8(desk.read("first.txt")).expect("UTF-8");
    assert_eq!(again.stdout, first, "{}", again.stderr);
    assert_eq!(first.lines().count(), 2 + names.len());
}

/// Many names take time in proportion, and a bounded memory for each.
#[test]
fn many_names_take_time_in_proportion() {
    let games = |count: usize| {
        let mut text = String::new();
        for number in 0..count {
            let (family, first) = (number / 7, ["Anna", "A", "Anna B", "A B", "An", "", "Bo"][number % 7]);
            let id = if number % 3 == 0 { number / 14 + 1 } else { 0 };
            let _ = write!(text, "[White \"F{family}, {first}\"]\n[Black \"Same\"]\n[WhiteFideId \"{id}\"]\n");
            let _ = write!(text, "[BlackFideId \"{number}\"]\n\n*\n\n");
        }
        text
    };
    let time = |count: usize| {
        let desk = Desk::with(&[("a.pgn", games(count).as_bytes())]);
        let begun = std::time::Instant::now();
        let ran = desk.run(&["players", "-q", "-j1", "a.pgn"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout.parse::<Players>().unwrap();
        begun.elapsed()
    };
    let (few, many) = (time(2_000), time(20_000));
    assert!(many < few * 60, "{few:?} {many:?}");
}

#[test]
fn games_of_variants_have_players() {
    let games = "[White \"Tal, M\"]\n[Black \"B\"]\n[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. Nf3 f6 1-0\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let list = desk.run(&["players", "a.pgn"]);
    assert_eq!((&*bare(&list.stdout), &*list.stderr, list.code), ("B\nTal, M\n", "", Some(0)));
    let stats = desk.run(&["players", "-q", "--stats", "tal", "-f", "csv", "a.pgn"]);
    let expected = "by,group,color,games,wins,draws,losses,unknown,score,opponents,performance\n\
                    all,all games,white,1,1,0,0,0,100,,\n\
                    opening,unknown,white,1,1,0,0,0,100,,\n\
                    speed,unknown,white,1,1,0,0,0,100,,\n\
                    opponent,unknown,white,1,1,0,0,0,100,,\n";
    stats.is(expected, "", 0);
}

#[test]
fn the_results_of_a_player_are_counted() {
    let games = "[White \"Tal, M\"]\n[Black \"B\"]\n[BlackElo \"2500\"]\n[TimeControl \"180+2\"]\n\n\
                 1. e4 c5 2. Nf3 1-0\n\n\
                 [White \"C\"]\n[Black \"Mikhail Tal\"]\n[WhiteElo \"2399\"]\n\n1. e4 c5 2. c3 1-0\n\n\
                 [White \"Tal, M\"]\n[Black \"D\"]\n\n1. e4 c5 1/2-1/2\n\n[White \"Tal, M\"]\n[Black \"E\"]\n\n*\n\n\
                 [White \"X\"]\n[Black \"Y\"]\n\n1. d4 1-0\n";
    let desk = Desk::with(&[("a.pgn", games.as_bytes())]);
    let ran = desk.run(&["players", "-q", "--stats", "tal", "-f", "csv", "a.pgn"]);
    let expected = "by,group,color,games,wins,draws,losses,unknown,score,opponents,performance\n\
                    all,all games,white,3,1,1,0,1,75,2500,2900\n\
                    all,all games,black,1,0,0,1,0,0,2399,1999\n\
                    opening,Sicilian Defense,white,2,1,1,0,0,75,2500,2900\n\
                    opening,Sicilian Defense,black,1,0,0,1,0,0,2399,1999\n\
                    opening,unknown,white,1,0,0,0,1,,,\n\
                    speed,blitz,white,1,1,0,0,0,100,2500,2900\n\
                    speed,unknown,white,2,0,1,0,1,50,,\n\
                    speed,unknown,black,1,0,0,1,0,0,2399,1999\n\
                    opponent,2400-2599,white,1,1,0,0,0,100,2500,2900\n\
                    opponent,2200-2399,black,1,0,0,1,0,0,2399,1999\n\
                    opponent,unknown,white,2,0,1,0,1,50,,\n";
    assert_eq!((&*ran.stdout, &*ran.stderr, ran.code), (expected, "", Some(0)));
    assert_eq!(desk.run(&["players", "-q", "--threads", "3", "--stats", "tal", "-f", "csv", "a.pgn"]).stdout, expected);
    let table = desk.run(&["players", "-q", "--stats", "tal", "-t", "Result=1-0", "a.pgn"]).stdout;
    assert!(table.starts_with("by        group             color  games ") && table.contains(" 100% "), "{table}");
    desk.run(&["players", "-q", "--stats", "tal", "a.pgn", "-o", "a.jsonl"]).is("", "", 0);
    assert!(
        desk.read("a.jsonl").starts_with(b"{\"by\":\"all\",\"group\":\"all games\",\"color\":\"white\",\"games\":3,")
    );
    let none = "warning: none of 5 games satisfies --stats\n";
    assert_eq!(desk.run(&["players", "--stats", "zzz", "a.pgn"]).stderr, none);
    for (arguments, words) in
        [(&["--stats", "a\"b"][..], "without quotes"), (&["--stats", "a", "-f", "names"], "no names file")]
    {
        let ran = desk.run(&[&["players"], arguments, &["a.pgn"]].concat());
        assert!(ran.code == Some(2) && ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}
