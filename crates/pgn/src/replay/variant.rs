//! Decides which game the value of a Variant tag names.
//!
//! The tag names a set of rules, but people and programs also write starting positions, time controls, events and
//! openings into it. The first of these rules that applies decides:
//!
//! 1. A name of chess in any language is standard chess: `Standard`, `normal`, `Classical`, `Schach`, `Шахматы`. The
//!    value names these rules; python-chess counts `Classical` and `Normal` among them.
//! 2. A value with the name of another game is another game, because its moves have another meaning. If the game is one
//!    of [`PLAYED`], and the other words are those of [`TIME`], [`EVENT`], [`FILLER`] and [`CHESS960`], its rules are
//!    known: `Three-check`, `Atomic960`.
//! 3. A name of Chess960, with no other words than those of [`TIME`], [`EVENT`] and [`FILLER`], is Chess960: `FRC`,
//!    `Freestyle Blitz`.
//! 4. Fischer's name alone or with chess is Chess960: `Fischer`, `Шахматы Фишера`. People call it so. With a number or
//!    a speed it is his clock: `Fischer 3+2`.
//! 5. A kind of starting position is chess from a position: `From Position`, `Odds`, `Handicap`, `Shuffle`, `Puzzle`,
//!    `wild/5`. The rules are those of chess, and the FEN tag tells the position and its castling rights.
//! 6. Nothing (`?`), a time control, an event or an opening is a mistake: `Blitz`, `Rapid`, `League`, `Najdorf`. None
//!    of these is played by other rules.
//! 7. Any other value is another game, because it may be one.

use crate::replay::options::VariantPolicy;
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::rules::Rules;

/// The meaning of a Variant tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    /// Standard chess, without the castling rights of Chess960.
    Standard,
    /// Chess from a position that the FEN tag tells, with its castling rights.
    Position,
    Chess960,
    /// Another game with these rules. The rules of castling are those of Chess960 if the value names it too.
    Game(Rules, CastlingRules),
    /// A time control, an event, an opening, or nothing. The tag is used by mistake, and the game is chess. Its FEN
    /// tag, if it has one, tells the castling rights.
    Mistaken,
    /// Another game whose rules are not known, or a name that may be another game.
    Other,
}

/// The kind of the start that a value of the tag Variant names, besides the standard one.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedStart {
    /// A start of Chess960.
    Chess960,
    /// A position that the FEN tag tells.
    Position,
}

/// Returns the kind of the start that a value of the tag Variant names; None if it names no such kind.
#[doc(hidden)]
pub fn named_start(variant: &str) -> Option<NamedStart> {
    match Variant::named(variant) {
        Variant::Chess960 => Some(NamedStart::Chess960),
        Variant::Position => Some(NamedStart::Position),
        Variant::Standard | Variant::Mistaken | Variant::Game(..) | Variant::Other => None,
    }
}

/// Returns the rules that the name of a variant tells, as in a tag Variant. None if it tells none, such as `From
/// Position`, `Blitz` and nothing.
///
/// # Errors
///
/// The name is that of another game, whose rules are not known. The error is the reason in a message.
#[doc(hidden)]
pub fn named_rules(variant: &str) -> Result<Option<Rules>, &'static str> {
    match Variant::named(variant) {
        Variant::Standard | Variant::Chess960 => Ok(Some(Rules::Chess)),
        Variant::Game(rules, _) => Ok(Some(rules)),
        Variant::Position | Variant::Mistaken => Ok(None),
        Variant::Other => Err(only_played(VariantPolicy::Play)),
    }
}

/// Returns the reason why a game of another variant is not read.
#[doc(hidden)]
pub fn only_played(policy: VariantPolicy) -> &'static str {
    match policy {
        VariantPolicy::Play if Rules::HAVE_VARIANTS => {
            "only chess, Chess960, Giveaway, Suicide and the variants of Lichess are read"
        }
        VariantPolicy::Play | VariantPolicy::Refuse => "only chess and Chess960 are read",
    }
}

/// The words for chess.
const CHESS: &str = "
    chess schach schachspiel schachpartie ajedrez escacs echecs scacchi xadrez schaken schaak skak sjakk schack shakki
    szachy sachy sach sah sahovski sakk sakkjatszma satranc sachmatai
    шахматы шахмат шахматная шахи шах шахматна сах σκακι 国际象棋 國際象棋 チェス 체스 شطرنج שחמט शतरंज catur";

/// Words that say that a game is played by the usual rules.
const USUAL: &str = "
    standard standart std standaard estandar standarte normal normale normales normalne regular orthodox orthodoxes
    ortodoxo usual ordinary traditional tradicional conventional classical classic classique classico clasico clasica
    klassisch klassisches klassiek klasyczne klassik
    стандарт стандартные стандартная стандартный обычные обычная обычный классика классические классическая
    классический нормальные";

/// The names of the games that are played, without spaces and hyphens.
const PLAYED: &[(&str, Rules)] = &[
    ("crazyhouse", Rules::Crazyhouse),
    ("house", Rules::Crazyhouse),
    ("zh", Rules::Crazyhouse),
    ("threecheck", Rules::ThreeCheck),
    ("3check", Rules::ThreeCheck),
    ("kingofthehill", Rules::KingOfTheHill),
    ("koth", Rules::KingOfTheHill),
    ("antichess", Rules::Antichess),
    ("anti", Rules::Antichess),
    ("giveaway", Rules::Giveaway),
    ("suicide", Rules::Suicide),
    ("atomic", Rules::Atomic),
    ("horde", Rules::Horde),
    ("racingkings", Rules::RacingKings),
];

/// Names of other games, without spaces and hyphens. A value that contains one of these names is refused.
const OTHER_GAMES: &str = "
    atomic crazyhouse bughouse capahouse shouse antichess suicide giveaway losers loserschess losingchess misere
    threecheck 3check fivecheck 5check 6check ncheck kingofthehill racingking horde duck fogofwar darkchess kriegspiel
    gothic capablanca caparandom shogi xiangqi janggi makruk sittuyin shatranj chaturanga courierchess seirawan
    placement prechess torpedo knightmate berolina grandchess grandhouse janus amazon almostchess cylinder twokings
    wildcastle nocastl selfcapture sideways 4player fourplayer hexagonal glinski alicechess marseillais progressive
    doublemove monsterchess maharaja dunsany peasantsrevolt extinction threekings coregal riflechess benedict checkers
    draughts minichess losalamos gardner microchess orda synochess shinobi spartan fairy musketeer hoppelpoppel
    newzealand omegachess falconchess shako embassy pocket chessgi dragonchess looping spellchess 5dchess
    circularchess andernach avalanche jesonmor upsidedown";

/// Short names of other games. They must be the whole value, apart from `chess`, `variant` and `960`.
const SHORT_GAMES: &str = "zh koth anti s s8 schess rk 3c 3 fow bug loser losing";

/// Words that name another game if `chess` is part of the value as well.
const GAMES_WITH_CHESS: &str = "dark grand dragon modern monster alice advance";

/// Names of other games that are also the names of players, and so of openings.
const PLAYERS: [&str; 2] = ["capablanca", "seirawan"];

/// Words about the speed, the place and the seriousness of a game.
const TIME: &str = "
    rapid rapidplay blitz bullet hyperbullet ultrabullet superblitz superfast correspondence daily lightning active
    quick slow long longplay fast tournament match simul simultaneous exhibition blindfold armageddon rated unrated
    casual friendly training analysis online otb live thematic time control tc min mins minute minutes sec secs second
    seconds inc increment clock schnellschach blitzschach fernschach turnier rapide relampago rapidas semirapid rapido
    rapida lampo semilampo snelschaak szybkie blyskawiczne рапид блиц пуля быстрые молниеносные минут";

/// Words about the event of a game.
const EVENT: &str = "
    championship championships league liga cup pokal open swiss arena knockout tiebreak tiebreaks playoff playoffs
    final finals semifinal semifinals qualifier qualifiers olympiad memorial festival challenge team teams club
    tuesday titled computer engine engines human consultation турнир чемпионат матч";

/// Words that change nothing about a name of chess or Chess960.
const FILLER: &str = "
    variant rules game games the of and a at de no nr number position pos start starting sp id from uci lichess icc
    fics double";

/// The words in names of Chess960.
const CHESS960: &str = "
    960 chess960 schach960 9lx chess9lx c960 ch960 fischer fischers fisher bobby random fischerandom fischerrandom
    fisherrandom fischerrandomchess fischerrandom960 fischerschach fischerchess frc960 frc dfrc freestyle
    freestylechess aleatorio aleatoire aleatoires
    фишера фишер фишерандом фишеровские";

/// Words about the position from which a game of chess starts.
const POSITIONS: &str = "
    odds handicap handicaps vorgabe vorgabepartie vantaggio ventaja avantage фора shuffle shuffled shufflechess
    chess324 fromposition fromfen setup custom customposition fen puzzle puzzles problem problems study studies
    endgame endgames endspiel composition compositions tactic tactics exercise exercises diagram illegal";

/// Words beside those of [`POSITIONS`]: what is given at odds, and what is to be done.
const GIVEN: &str = "
    pawn pawns knight knights bishop bishops rook rooks queen queens king kings exchange piece pieces material move
    moves one two three minor s and up set mate in win draw white black to play against with";

/// Words that mean "no value".
const NOTHING: &str = "none na nil null unknown undefined false no";

/// The ends of words that are used only in names of openings and their lines.
const OPENING_ENDS: &str = "
    gambit gambito gambetto defence defense defensa difesa verteidigung attack ataque attaque attacco angriff
    opening apertura ouverture eroffnung eroeffnung variation variante system sistema systeme declined accepted
    mainline";

/// Words in the names of openings. A value with no other words is an opening.
const OPENINGS: &str = "
    accelerated advance alapin albin alekhine alekhin anderssen anti averbakh benko benoni berlin bird birds bishop
    bishops blackmar blumenfeld bogo bogoindian boleslavsky botvinnik breyer budapest cambridge capablanca caro
    carokann catalan center central centre chebanenko chigorin closed colle counter cozio czech danish deferred
    delayed diemer dragon dutch english evans exchange fajarowicz fianchetto four fried french georgian giuoco grand
    prix grunfeld gruenfeld grob hanham hedgehog hungarian hyper indian irregular italian italienisch italiana
    jaenisch janowski kalashnikov kan kann karpov keres king kings knight knights koltanowski larsen lasker latvian
    leningrad liver line lines lopez london lowenthal main maroczy marshall max lange meran mieses modern moller
    moscow morphy najdorf neo nimzo nimzoindian nimzowitsch noteboom ohanian old open orthodox orangutan oriental owen
    panno panov paulsen pawn pawns pelikan petroff petrosian petrov philidor piano pianissimo pirc poisoned polish
    ponziani portuguese pseudo queen queens ragozin rat rauzer reti reversed richter robatsch rossolimo rubinstein
    russian ruy samisch saemisch scandinavian schliemann scheveningen schmid scotch seirawan semi semislav
    semitarrasch sicilian sizilianisch siciliana slav smith smyslov sokolsky spanish spanisch spassky steinitz
    stonewall sveshnikov symmetrical taimanov tarrasch tartakower tchigorin three torre trompowsky two veresov vienna
    vinohrady volga winawer wing worrall yugoslav zaitsev zukertort qgd qga qid kid kia nid without with by the and of
    in vs to";

/// Words in the names of openings that name no opening alone.
const GENERIC: &str = "
    king kings queen queens pawn pawns two three four max semi hyper neo anti pseudo line lines main reversed wing
    without with by the and of in vs to";

/// Whether a list contains the word.
fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

impl Variant {
    pub(super) fn named(value: &str) -> Self {
        // Nearly all values are those that Lichess writes.
        match value {
            "Standard" => return Self::Standard,
            "Chess960" => return Self::Chess960,
            "From Position" => return Self::Position,
            _ => {}
        }
        if let Some(rules) = Rules::ALL.into_iter().skip(1).find(|rules| rules.tag_value() == value) {
            return Self::Game(rules, CastlingRules::Standard);
        }
        let value = fold(value);
        if let Some(array) = value.trim().strip_prefix("wild/") {
            return Self::wild(array);
        }
        let words: Vec<&str> = value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let together = words.concat();
        if names_chess(&words, &together) {
            Self::Standard
        } else if let Some((rules, castling)) = played_game(&words) {
            Self::Game(rules, castling)
        } else if names_other_game(&words, &together) {
            Self::Other
        } else if names_chess960(&words, &together) {
            Self::Chess960
        } else if names_position(&words, &together) {
            Self::Position
        } else if says_nothing(&words, &value) || names_opening(&words) {
            Self::Mistaken
        } else {
            Self::Other
        }
    }

    /// Returns the rules of the game.
    pub(super) fn rules(self) -> Rules {
        match self {
            Self::Game(rules, _) => rules,
            _ => Rules::Chess,
        }
    }

    /// The arrays of FICS: chess from odd positions, which the FEN tag holds, and Chess960.
    fn wild(array: &str) -> Self {
        match array.as_bytes() {
            b"fr" => Self::Chess960,
            [b'0'..=b'8'] | [b'0'..=b'8', b'a'] => Self::Position,
            _ => Self::Other,
        }
    }
}

/// Returns the value in lower case, without accents and apostrophes.
fn fold(value: &str) -> String {
    let plain = |c: char| match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => 'a',
        'ç' | 'č' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        _ => c,
    };
    let is_apostrophe = |c: char| matches!(c, '\'' | '`' | '´' | '‘' | '’');
    value.to_lowercase().chars().filter(|c| !is_apostrophe(*c)).map(plain).collect()
}

/// Whether the value is the name of chess: words for chess, words for the usual rules, or both.
fn names_chess(words: &[&str], together: &str) -> bool {
    let is_name = |word: &&str| has(CHESS, word) || has(USUAL, word);
    let is_beside =
        |word: &&str| is_name(word) || matches!(*word, "game" | "rules" | "the" | "of" | "fide" | "western");
    words.iter().any(is_name) && words.iter().all(is_beside) || together == "standardchess"
}

/// Returns the rules of a game of [`PLAYED`] that the words name. Other words may tell that it starts as Chess960 does,
/// or how it was played.
fn played_game(words: &[&str]) -> Option<(Rules, CastlingRules)> {
    let is_beside = |word: &&str| is_usual_word(word) || has(TIME, word) || has(EVENT, word) || has(CHESS960, word);
    let mut names = (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| from..to));
    names.find_map(|name| {
        let bare = words[name.clone()].concat();
        let (bare, is_glued) = bare.strip_suffix("960").map_or((&*bare, false), |bare| (bare, true));
        let (_, rules) = PLAYED.iter().find(|(known, _)| *known == bare)?;
        let others = || words[..name.start].iter().chain(&words[name.end..]);
        let is_chess960 = is_glued || others().any(|word| has(CHESS960, word));
        let castling = if is_chess960 { CastlingRules::Chess960 } else { CastlingRules::Standard };
        others().all(is_beside).then_some((*rules, castling))
    })
}

fn names_other_game(words: &[&str], together: &str) -> bool {
    // `Atomic chess (960)` becomes `atomic`, and `3-check` becomes `3check`.
    let bare: String = words.iter().filter(|word| !matches!(**word, "chess" | "variant" | "960")).copied().collect();
    let is_opening = words.iter().any(|word| is_opening_end(word))
        && !words.iter().any(|word| word.contains("chess") || word.contains("960") || *word == "random");
    let occurs = |name: &&str| together.contains(*name) && !(is_opening && PLAYERS.contains(name));
    let is_short = has(SHORT_GAMES, &bare) || bare.len() < together.len() && has(GAMES_WITH_CHESS, &bare);
    is_short || OTHER_GAMES.split_whitespace().any(|name| occurs(&name))
}

fn names_chess960(words: &[&str], together: &str) -> bool {
    let is_fischer = ["fischer", "fisher", "фишер"].iter().any(|name| together.contains(name));
    let is_speed = |word: &&str| has(TIME, word) || is_number(word);
    let is_chess = |word: &&str| has(CHESS, word) || word.contains("chess") || word.contains("schach");
    let is_named = together.contains("960")
        || together.contains("9lx")
        || is_fischer && (together.contains("random") || words.iter().any(is_chess))
        // Alone, or with a speed: then it is the clock that Fischer invented.
        || is_fischer && !words.iter().any(&is_speed)
        || words.iter().any(|word| matches!(*word, "frc" | "dfrc" | "freestyle" | "freestylechess"));
    let is_chess960 = |word: &str| word.strip_suffix("960").is_some_and(|word| has(CHESS, word));
    let is_beside = |word: &&str| {
        has(CHESS960, word) || is_chess960(word) || is_usual_word(word) || is_speed(word) || has(EVENT, word)
    };
    is_named && words.iter().all(is_beside)
}

/// Whether the value is about the position from which a game of chess starts: `From Position`, `Odds`, `Pawn and move`.
fn names_position(words: &[&str], together: &str) -> bool {
    let is_position = |word: &&str| has(POSITIONS, word);
    let is_beside = |word: &&str| is_position(word) || has(GIVEN, word) || is_usual_word(word) || is_number(word);
    let is_named = has(POSITIONS, together)
        || words.iter().any(is_position)
        || matches!(words, ["from" | "custom" | "set", .., "position" | "pos" | "fen"])
        || matches!(words, ["set", "up", ..] | ["pawn", .., "move" | "moves"] | ["mate", "in", _]);
    is_named && words.iter().all(is_beside)
}

/// Whether a word changes nothing about the name of a game.
fn is_usual_word(word: &str) -> bool {
    has(CHESS, word) || has(USUAL, word) || has(FILLER, word)
}

/// Whether the value is empty or only describes how chess was played: `?`, `Rapid Chess`, `Blitz 5+3`, `10 min`,
/// `League`.
fn says_nothing(words: &[&str], value: &str) -> bool {
    let is_said = |word: &&str| has(TIME, word) || has(EVENT, word) || has(NOTHING, word);
    let is_clock = |word: &&str| matches!(*word, "fischer" | "fisher" | "odds" | "handicap") || is_measured(word);
    let is_all_known =
        words.iter().all(|word| is_said(word) || is_usual_word(word) || is_number(word) || is_clock(word));
    let is_time_control =
        words.len() == 2 && words.iter().all(|word| is_number(word)) && value.contains(['+', '|', '/']);
    let is_usual = words.iter().any(|word| has(USUAL, word) || is_measured(word));
    words.is_empty()
        || is_time_control
        || is_all_known && (is_usual || words.iter().any(|word| is_said(word) || is_clock(word)))
        || value.trim() == "n/a"
}

/// Whether the value is the name of an opening: `Najdorf`, `Sicilian Defense`, `B90`. One of its words has an end from
/// [`OPENING_ENDS`], or all its words come from such names.
fn names_opening(words: &[&str]) -> bool {
    let is_code =
        |word: &str| matches!(word.as_bytes(), [b'a'..=b'e', b'0'..=b'9', b'0'..=b'9', ..] if word[3..].len() < 2);
    let is_name = |word: &str| has(OPENINGS, word) && !has(GENERIC, word) || is_code(word) || is_move(word);
    let is_known = |word: &&str| is_name(word) || has(GENERIC, word) || is_opening_end(word) || is_number(word);
    let has_end = words.iter().any(|word| is_opening_end(word));
    let is_chess = words.iter().any(|word| matches!(*word, "chess" | "variant" | "variants"));
    let has_name = words.iter().any(|word| is_name(word)) || words.iter().any(|word| matches!(*word, "pawn" | "pawns"));
    let without_game = |word: &&&str| !matches!(**word, "game" | "partie" | "partita");
    !is_chess && (has_end || has_name && words.iter().filter(without_game).all(is_known))
}

/// Whether the word is a square, with or without a piece before it.
fn is_move(word: &str) -> bool {
    let Some((piece, square)) = word.split_at_checked(word.len().saturating_sub(2)) else {
        return false;
    };
    matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8']) && matches!(piece, "" | "n" | "b" | "q" | "r" | "k")
}

fn is_opening_end(word: &str) -> bool {
    OPENING_ENDS.split_whitespace().any(|end| word.strip_suffix('s').unwrap_or(word).ends_with(end))
}

/// Whether the word is a number with its unit: `10min`, `3s`.
fn is_measured(word: &str) -> bool {
    let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    unit.len() < word.len() && matches!(unit, "m" | "min" | "mins" | "s" | "sec" | "secs" | "h" | "d")
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{NamedStart, Variant, fold, is_measured, named_rules, named_start};
    use pgn2fen_chess::castling::CastlingRules;
    use pgn2fen_chess::rules::Rules;

    #[track_caller]
    fn check(expected: Variant, values: &[&str]) {
        for value in values {
            assert_eq!(Variant::named(value), expected, "{value:?}");
            assert_eq!(Variant::named(&format!(" {} ", value.to_uppercase())), expected, "{value:?} in capitals");
        }
    }

    #[test]
    fn the_names_of_chess_need_no_word() {
        check(
            Variant::Standard,
            &[
                "chess",
                "Standard",
                "standard chess",
                "Chess (Standard)",
                "Std",
                "normal",
                "regular",
                "orthodox",
                "Classical",
                "classical chess",
                "Classic",
                "Normal Chess",
                "Regular Chess",
                "Traditional Chess",
                "Schach",
                "Normales Schach",
                "ajedrez",
                "Ajedrez clásico",
                "Échecs",
                "Scacchi",
                "xadrez",
                "szachy",
                "Шахматы",
                "классические шахматы",
                "Стандарт",
                "国际象棋",
                "チェス",
            ],
        );
    }

    #[test]
    fn a_kind_of_starting_position_is_chess_from_there() {
        check(
            Variant::Position,
            &[
                "From Position",
                "from-position",
                "FromPosition",
                "Custom Position",
                "Set-up position",
                "Setup",
                "Odds",
                "Rook odds",
                "Queen's Rook Odds",
                "Chess at odds",
                "Handicap",
                "Knight Handicap",
                "Pawn and move",
                "Pawn and two moves",
                "Vorgabe",
                "Shuffle",
                "Shuffle Chess",
                "Puzzle",
                "Chess Problem",
                "Endgame Study",
                "Chess324",
                "Illegal Position",
                "Mate in 2",
                "wild/0",
                "wild/5",
                "wild/8a",
            ],
        );
    }

    #[test]
    fn chess960_has_many_names() {
        check(
            Variant::Chess960,
            &[
                "Chess960",
                "chess 960",
                "Chess-960",
                "960",
                "Fischerandom",
                "Fischer Random",
                "Fischer Random Chess",
                "Fisher Random",
                "fischerrandom960",
                "FRC",
                "DFRC",
                "Freestyle",
                "Freestyle Chess",
                "UCI_Chess960",
                "Chess960 Blitz",
                "Rapid Chess 960",
                "Chess960 (position 518)",
                "Chess960 #518",
                "Schach960",
                "Double Fischer Random",
                "Double Chess960",
                "Fischer",
                "Fischer Chess",
                "Fischer's Chess",
                "Bobby Fischer",
                "Fischerschach",
                "Fischer Blitz Chess",
                "Fischer Random Blitz",
                "Chess9LX",
                "Chess 9LX",
                "Chess960 Championship",
                "Ajedrez 960",
                "Ajedrez aleatorio de Fischer",
                "Échecs 960",
                "Шахматы 960",
                "Шахматы960",
                "Шахматы Фишера",
                "wild/fr",
            ],
        );
    }

    #[test]
    fn what_names_another_game_is_another_game() {
        check(
            Variant::Other,
            &[
                "Losers",
                "Bughouse",
                "bughouse960",
                "Duck Chess",
                "Fog of War",
                "Fog-of-war blitz",
                "Gothic",
                "Capablanca",
                "Capablanca Chess",
                "Capablanca Random",
                "Shogi",
                "Xiangqi",
                "Makruk",
                "Seirawan",
                "Seirawan960",
                "S-Chess",
                "S-House",
                "Placement",
                "Torpedo",
                "Dark Chess",
                "Dragon Chess",
                "Modern Chess",
                "Atomic Opening",
                "Crazyhouse Sicilian Defense",
                "Standard Bughouse",
                "Duck Atomic",
                "Antichess Horde",
                "Odds Crazyhouse",
                "Shuffle Atomic",
                "5check",
                "wild/9",
                "wild/28",
            ],
        );
    }

    #[track_caller]
    fn check_game(rules: Rules, values: &[&str]) {
        check(Variant::Game(rules, CastlingRules::Standard), values);
        let shuffled: Vec<String> = values.iter().map(|value| format!("{value} 960")).collect();
        check(Variant::Game(rules, CastlingRules::Chess960), &shuffled.iter().map(|it| &**it).collect::<Vec<_>>());
    }

    #[test]
    fn the_games_of_lichess_and_fics_have_their_rules() {
        check_game(Rules::Crazyhouse, &["Crazyhouse", "Crazy House", "zh", "House", "Rated Crazyhouse game"]);
        check_game(Rules::ThreeCheck, &["Three-check", "3-check", "3 Check", "Three check chess", "threeCheck"]);
        check_game(Rules::KingOfTheHill, &["King of the Hill", "KOTH", "kingOfTheHill", "King of the Hill Blitz"]);
        check_game(Rules::Antichess, &["Antichess", "Anti chess", "anti"]);
        check_game(Rules::Giveaway, &["Giveaway", "Give away chess"]);
        check_game(Rules::Suicide, &["Suicide", "Suicide chess"]);
        check_game(Rules::Atomic, &["Atomic", "Atomic Blitz", "Atomic chess"]);
        check_game(Rules::Horde, &["Horde", "Horde chess"]);
        check_game(Rules::RacingKings, &["Racing Kings", "racingkings", "RacingKings Arena"]);
        check(
            Variant::Game(Rules::Crazyhouse, CastlingRules::Chess960),
            &["Crazyhouse960", "Fischer Random Crazyhouse", "Crazyhouse (Chess960)"],
        );
    }

    #[test]
    fn what_is_not_known_may_be_another_game() {
        check(
            Variant::Other,
            &[
                "rapÿk",
                "ÿ1",
                "Foo",
                "Foo960",
                "Foo Chess",
                "Foo Game",
                "Chess 2",
                "518",
                "Najdorf Chess",
                "Game",
                "x",
                "Two Queens",
                "King",
                "Chess Variant",
                "Variant",
                "Starting Position",
                "Поддавки",
                "Räuberschach",
            ],
        );
    }

    #[test]
    fn a_time_control_or_an_opening_is_no_variant() {
        check(
            Variant::Mistaken,
            &[
                "",
                "?",
                "-",
                "--",
                "??",
                "n/a",
                "none",
                "unknown",
                "Rapid",
                "Blitz",
                "Rapid Chess",
                "standard blitz",
                "Bullet",
                "Blitz 5+3",
                "Fischer 3+2",
                "Fischer clock",
                "Fischer Blitz",
                "10min",
                "Standard 10m",
                "No",
                "Блиц",
                "Рапид",
                "Schnellschach",
                "League",
                "Club Championship",
                "Titled Tuesday",
                "Time odds",
                "Fischer Defence",
                "5+0",
                "15|10",
                "10 min",
                "Correspondence",
                "Najdorf",
                "Sicilian Defense",
                "Sicilian Defence: Najdorf Variation",
                "Sicilian, Najdorf",
                "Ruy Lopez",
                "Italian Game",
                "King's Indian",
                "King\u{2019}s Gambit Accepted",
                "Queen's Gambit Declined",
                "Caro-Kann",
                "Caro-Kann Defence, Capablanca Variation",
                "Nimzo-Indian",
                "Grünfeld",
                "Réti",
                "Evans Gambit",
                "Four Knights",
                "Dragon",
                "Modern",
                "Dutch",
                "English Opening",
                "London System",
                "Drachenvariante",
                "Spanische Verteidigung",
                "B90",
                "QGD",
                "Trompowsky Attack",
                "Whatsit Gambit",
                "Queen's Pawn",
                "Two Knights",
                "French: 3. Nc3",
                "40/120",
            ],
        );
    }

    #[test]
    fn accents_capitals_and_apostrophes_do_not_count() {
        for (value, expected) in [
            ("ÀÁÂÃÄÅ ÇČ ÈÉÊË", "aaaaaa cc eeee"),
            ("ÌÍÎÏ Ñ ÒÓÔÕÖØ ÙÚÛÜ", "iiii n oooooo uuuu"),
            ("Queen's King’s ‘x´ `y", "queens kings x y"),
            ("Шахматы 5+3, n/a", "шахматы 5+3, n/a"),
        ] {
            assert_eq!(fold(value), expected);
        }
        check(Variant::Standard, &["Satranç", "Clássico", "Ajedrez clásico", "Scacchi clàssico"]);
    }

    #[test]
    fn a_time_control_is_two_numbers_and_a_sign() {
        check(Variant::Mistaken, &["5+3", "5 | 3", "40/7200"]);
        check(Variant::Other, &["5", "5 3", "5-3", "5+3+2", "1/2/3", "Foo+Bar", "Foo/3", "3|Foo", "+5"]);
    }

    #[test]
    fn a_number_with_its_unit_is_a_measure() {
        for word in ["10min", "5m", "3s", "30secs", "1h", "3d"] {
            assert!(is_measured(word), "{word}");
        }
        for word in ["", "10", "min", "m", "h", "10x", "x10min", "10mi"] {
            assert!(!is_measured(word), "{word}");
        }
    }

    #[test]
    fn the_rules_are_those_of_the_game() {
        for (value, rules) in [("Atomic", Rules::Atomic), ("Crazyhouse 960", Rules::Crazyhouse)] {
            assert_eq!(Variant::named(value).rules(), rules, "{value}");
        }
        for value in ["Standard", "Chess960", "From Position", "Blitz", "Bughouse"] {
            assert_eq!(Variant::named(value).rules(), Rules::Chess, "{value}");
        }
    }

    #[test]
    fn a_start_is_named_unless_it_is_the_usual_one() {
        assert_eq!(named_start("Fischerandom"), Some(NamedStart::Chess960));
        assert_eq!(named_start("From Position"), Some(NamedStart::Position));
        for value in ["Standard", "Blitz", "Atomic", "Bughouse", ""] {
            assert_eq!(named_start(value), None, "{value}");
        }
    }

    #[test]
    fn a_name_tells_rules_or_none_or_another_game() {
        for (name, rules) in [
            ("threeCheck", Ok(Some(Rules::ThreeCheck))),
            ("Crazyhouse 960", Ok(Some(Rules::Crazyhouse))),
            ("chess960", Ok(Some(Rules::Chess))),
            ("fromPosition", Ok(None)),
            ("", Ok(None)),
        ] {
            assert_eq!(named_rules(name), rules, "{name}");
        }
        assert!(named_rules("bughouse").is_err());
    }

    #[test]
    fn a_short_name_of_another_game_may_stand_beside_chess_or_960() {
        check(
            Variant::Other,
            &["3 chess", "Chess 3 960", "3 (960)", "S-Chess 960", "Dragon chess", "Dragon 960", "Grand 960"],
        );
        // Alone these are names of openings.
        check(Variant::Mistaken, &["Dragon", "Grand Prix"]);
    }

    #[test]
    fn a_player_after_whom_a_game_is_named_may_have_an_opening() {
        check(Variant::Mistaken, &["Capablanca variation", "Seirawan attack"]);
        check(
            Variant::Other,
            &["Capablanca", "Capablanca random variation", "Capablanca chess variation", "Seirawan 960 system"],
        );
    }

    #[test]
    fn a_game_that_is_played_may_start_as_chess960_does() {
        let atomic = |castling| Variant::Game(Rules::Atomic, castling);
        check(atomic(CastlingRules::Standard), &["Atomic chess", "Blitz Atomic", "Atomic (rated)"]);
        check(
            atomic(CastlingRules::Chess960),
            &["Atomic 960", "Atomic960", "960 Atomic", "Atomic Fischer random chess"],
        );
        check(Variant::Other, &["Atomic duck", "Foo Atomic"]);
    }
}
