//! A filter for games by their tags: `Elo>=2200 or White~carlsen`.

use std::convert::Infallible;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::parse_error::ParseError;
use crate::players::Players;
use crate::tag_condition::{ConditionParts, TagCondition};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::tags::Tags;

/// A filter for games by their tags, as in `WhiteElo>=2200`, `ECO=C42`, `Date<2000` and `White~carlsen`. It consists of
/// the name of a tag, an operator and a value. Several of these may be joined by the word `or`, and one of them must
/// hold: `White~carlsen or Black~carlsen`.
///
/// Two names stand for the tags of both players. `Player` means White and Black, one of which must satisfy the
/// condition: `Player~carlsen`; for `!=` and `!~`, both. `Elo` means WhiteElo and BlackElo, both of which must satisfy
/// it: `Elo>=2500`. `Speed` means the [speed](pgn2fen_pgn::speed::Speed) that follows from TimeControl: `Speed=blitz`,
/// and `Speed<=blitz` for the speeds up to that. Tags that are really called Player, Elo or Speed cannot be asked for.
///
/// If a game has no tag with exactly this name, a tag whose name differs only in case is used. The names of the tags
/// that every index keeps mean the same in any capitals. Of a value at most 4,096 bytes are compared. If the Date of a
/// game is missing or unknown, it is that of UTCDate; if its Result is, it is the result behind the moves. White space
/// around the parts of a filter is ignored. A value may be quoted; a quoted value may be empty, may begin and end with
/// white space, and may contain the word `or`.
///
/// The [kind](pgn2fen_pgn::tag_kind::TagKind) of the tag decides how `=`, `!=`, `<`, `<=`, `>` and `>=` compare values:
///
/// - A **date** in a filter is a year, a year and month, or a day: `2019`, `2019.06`, `2019-06-01`, `2019/6/1`. It
///   stands for all of its days, so `Date=2019` and `Date<=2019` hold for 2019.12.31. A date in a game may be known in
///   part, and the known part is compared: `2019.??.??` is before 2020, and is neither before nor after 2019.06.
/// - A **time of day** is compared in the same way: `UTCTime>=18:30`.
/// - A **time control** is compared by its base time in seconds, and then by its increment if the filter has one:
///   `TimeControl>=180` holds for `180+2`. If there are several periods, only the first is compared. If the value of
///   `=` or `!=` contains `/`, `:` or `*`, the texts are compared.
/// - **Ratings and numbers** are compared as numbers. A rating of 0 is unknown, and `2650?` is 2650.
/// - **Rounds** are compared part by part, so 6.4 is before 6.10, and `Round=6` holds for 6.4.
/// - **Results** are compared by what they mean, in any [spelling](pgn2fen_pgn::token::Outcome::from_ascii), and
///   ordered by White's score: `Result=1/2-1/2` holds for `1/2`, and `Result>=1/2-1/2` if White did not lose. `*` is
///   unknown.
/// - All other tags are **texts**. `=` and `!=` compare the whole value, case included, but compare whole numbers as
///   numbers. The other operators use the order of numbers if both values are numbers, and otherwise the byte order of
///   UTF-8.
///
/// `~` holds if the text of the value contains the text of the filter, and `!~` if it does not. Both ignore case.
///
/// If the tag is missing, only `!=` and `!~` hold. A value that is unknown (`?`, `????.??.??`, `-` or empty), or that
/// cannot be read as its kind, is neither less nor greater than any value. `WhiteElo=?` and `WhiteElo=""` hold for
/// unknown values, but not if the tag is missing.
///
/// A filter for the games of an index holds for the same games as in their files. The only exception is a game in which
/// two tags differ only in upper and lower case: of other tags than those that every index keeps, an index has the one
/// that is spelled as the tag was spelled when the index was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFilter {
    /// The filter as it was given.
    text: String,
    /// The conditions of all alternatives, one alternative after another.
    conditions: Vec<TagCondition>,
    /// The alternatives. One of them must hold.
    alternatives: Vec<Alternative>,
    /// Whether the filter was made for players under several names.
    finds_players: bool,
}

/// An alternative of a filter: conditions with the same operator and value.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alternative {
    /// The end of its conditions.
    end: usize,
    /// Whether all conditions must hold; otherwise one of them.
    needs_all: bool,
}

/// The names that stand for the tags of both players: the tags, and whether both must satisfy a condition.
const OF_BOTH_PLAYERS: [(&str, [&str; 2], bool); 2] =
    [("Player", ["White", "Black"], false), ("Elo", ["WhiteElo", "BlackElo"], true)];

impl TagFilter {
    /// Whether the filter holds for these tags. Values that are not UTF-8 are decoded from `encoding`.
    pub fn holds(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        self.holds_in(tags, None, encoding)
    }

    /// Whether the filter holds for a game with these tags and this movetext. Values that are not UTF-8 are decoded
    /// from `encoding`.
    ///
    /// The movetext is read to its end if the tag Result is asked for and does not tell who won. Then the result behind
    /// the moves is compared.
    pub fn holds_for_game<'a>(&self, tags: &Tags<'a>, movetext: &Movetext<'a>, encoding: &Fallback) -> bool {
        self.holds_in(tags, Some(movetext), encoding)
    }

    /// Returns this filter for players under several names: conditions on White and Black hold for a player under all
    /// names.
    ///
    /// `=` and `!=` compare players if the names file has the name in the filter. `~` holds if one of the names of the
    /// player contains the text, or the name in the game, and `!~` if `~` does not. The other operators compare the
    /// names in games. The tags WhiteFideId and BlackFideId decide who the players of a game are, if the names file has
    /// their ids.
    ///
    /// ```
    /// use pgn2fen_filters::players::Players;
    /// use pgn2fen_filters::TagFilter;
    ///
    /// let players: Players = "Carlsen, Magnus\n  DrNykterstein\n".parse()?;
    /// let filter: TagFilter = "White=Carlsen,Magnus".parse()?;
    /// let condition = |filter: &TagFilter| filter.conditions()[0].holds_for_tag(Some("DrNykterstein"));
    /// assert_eq!((condition(&filter), condition(&filter.for_players(&players))), (false, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_players(&self, players: &Players) -> Self {
        let conditions = self.conditions.iter().map(|condition| condition.for_players(players)).collect();
        Self { conditions, finds_players: !players.is_empty(), ..self.clone() }
    }

    /// Whether the filter was made for players under several names.
    pub(super) fn finds_players(&self) -> bool {
        self.finds_players
    }

    fn holds_in<'a>(&self, tags: &Tags<'a>, movetext: Option<&Movetext<'a>>, encoding: &Fallback) -> bool {
        let holds = |_, condition: &TagCondition| Ok::<_, Infallible>(condition.holds_in(tags, movetext, encoding));
        self.try_holds(holds).unwrap_or_else(|never| match never {})
    }

    /// Whether the value of a tag in these tags is known and cannot be compared with that of the filter: a Date that is
    /// not a date, for example.
    pub fn cannot_read(&self, tags: &Tags<'_>, encoding: &Fallback) -> bool {
        self.conditions.iter().any(|condition| condition.cannot_read(tags, encoding))
    }

    /// Returns the filter for games whose value contains the text with which this one compares the whole value:
    /// `White~carlsen` for `White=carlsen`. None if this is no such filter.
    pub fn containing(&self) -> Option<String> {
        // A code has no parts that somebody would look for.
        let is_such = |condition: &TagCondition| condition.is_equality_of_text() && condition.name() != "ECO";
        let is_such = self.alternatives.len() == 1 && self.conditions.iter().all(is_such);
        is_such.then(|| self.text.replacen('=', "~", 1))
    }

    /// Returns the conditions on single tags of which the filter consists.
    pub fn conditions(&self) -> &[TagCondition] {
        &self.conditions
    }

    /// Whether the filter holds, if `holds` says so of each of the [conditions](Self::conditions), with its index.
    /// Conditions that make no difference are not asked.
    ///
    /// ```
    /// use pgn2fen_filters::{TagCondition, TagFilter};
    ///
    /// let filter: TagFilter = "Player~tal or Result=1/2-1/2".parse()?;
    /// let value = |name: &str| if name == "Black" { Some("Tal, Mikhail") } else { None };
    /// let holds = |_, condition: &TagCondition| Ok::<_, ()>(condition.holds_for_tag(value(condition.name())));
    /// assert_eq!(filter.try_holds(holds), Ok(true));
    /// # Ok::<(), pgn2fen_filters::ParseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if `holds` does.
    pub fn try_holds<E>(&self, mut holds: impl FnMut(usize, &TagCondition) -> Result<bool, E>) -> Result<bool, E> {
        let mut start = 0;
        for Alternative { end, needs_all } in &self.alternatives {
            let mut is_true = *needs_all;
            for at in start..*end {
                is_true = holds(at, &self.conditions[at])?;
                if is_true != *needs_all {
                    break;
                }
            }
            if is_true {
                return Ok(true);
            }
            start = *end;
        }
        Ok(false)
    }

    /// Adds an alternative.
    fn push(&mut self, condition: TagCondition) {
        let of_both = OF_BOTH_PLAYERS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(condition.name()));
        let needs_all = match of_both {
            Some((_, names, needs_both)) => {
                self.conditions.extend(names.map(|name| condition.of(name)));
                *needs_both || condition.is_negative()
            }
            None => {
                self.conditions.push(condition);
                true
            }
        };
        self.alternatives.push(Alternative { end: self.conditions.len(), needs_all });
    }
}

/// Writes the filter as it was given.
impl fmt::Display for TagFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for TagFilter {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let mut filter = Self {
            text: text.trim().to_owned(),
            conditions: Vec::new(),
            alternatives: Vec::new(),
            finds_players: false,
        };
        let mut start = 0;
        loop {
            let (end, next) = end_of_alternative(text, start);
            if start > 0 && !is_condition(text, start) {
                let at = text.len() - text[start..].trim_start().len();
                let reason = "or is followed by another filter; a value that contains the word or is put in quotes";
                return Err(ParseError::new(text, at..end.max(at), reason));
            }
            if let Some(and) = word_and(text, start..end) {
                let reason = format!(
                    "a filter cannot contain {}; give two filters, which must both hold, or put the value in quotes",
                    &text[and.clone()].to_lowercase()
                );
                return Err(ParseError::new(text, and, reason));
            }
            filter.push(TagCondition::read(text, start..end)?);
            match next {
                Some(next) => start = next,
                None => return Ok(filter),
            }
        }
    }
}

/// Whether a condition seems to begin at a place of a text: a name and an operator.
fn is_condition(text: &str, start: usize) -> bool {
    let ConditionParts { name, sign, .. } = ConditionParts::find(text, start);
    !name.is_empty() && !sign.is_empty()
}

/// Returns the place of the word `and` before something like a condition, in the alternative in a range of a text. None
/// if the value is quoted.
fn word_and(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let text = &text[..range.end];
    let value = ConditionParts::find(text, range.start).value;
    if text[value..].starts_with('"') {
        return None;
    }
    let mut words = std::iter::successors(next_word(text, value), |word| next_word(text, word.end));
    let is_and = |word: &str| word.eq_ignore_ascii_case("and") || word == "&&";
    words.find(|word| is_and(&text[word.clone()]) && is_condition(text, word.end))
}

/// Returns the end of the alternative that begins at `start`, and the start of the next one behind the word `or`, if
/// there is one.
fn end_of_alternative(text: &str, start: usize) -> (usize, Option<usize>) {
    let value = ConditionParts::find(text, start).value;
    if text[value..].starts_with('"') {
        // A quote ends the value if the text ends there, or goes on with the next alternative.
        for (at, _) in text[value + 1..].match_indices('"') {
            let end = value + 1 + at + 1;
            match next_word(text, end) {
                Some(word) if is_or(text, &word) => return (end, Some(word.end)),
                None => return (end, None),
                Some(_) => {}
            }
        }
    }
    let mut end = value;
    while let Some(word) = next_word(text, end) {
        if word.start > value && is_or(text, &word) {
            return (text[..word.start].trim_end().len(), Some(word.end));
        }
        end = word.end;
    }
    (text.len(), None)
}

fn is_or(text: &str, word: &Range<usize>) -> bool {
    let word = &text[word.clone()];
    word.eq_ignore_ascii_case("or") || word == "||"
}

/// Returns the place of the next word of a text, or `None` if only white space is left.
fn next_word(text: &str, from: usize) -> Option<Range<usize>> {
    let start = from + text[from..].find(|char: char| !char.is_whitespace())?;
    let end = text[start..].find(char::is_whitespace).map_or(text.len(), |length| start + length);
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::TagFilter;
    use pgn2fen_pgn::encoding::{Fallback, Label};
    use pgn2fen_pgn::tags::Tags;

    /// Whether a filter with one condition holds for a value.
    fn holds(filter: &TagFilter, value: &str) -> bool {
        filter.try_holds(|_, condition| Ok::<_, ()>(condition.holds_for_tag(Some(value)))).unwrap()
    }

    /// Compares the values for which the filter holds.
    #[track_caller]
    fn check(filter: &str, values: &[&str], wanted: &[&str]) {
        let filter: TagFilter = filter.parse().expect(filter);
        let held: Vec<&str> = values.iter().copied().filter(|value| holds(&filter, value)).collect();
        assert_eq!(held, wanted, "{filter:?}");
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let elos = ["2200", "900", "02200", "12000", "+2200", "2200.5"];
        check("E=2200", &elos, &["2200", "02200", "+2200"]);
        check("E!=2200", &elos, &["900", "12000", "2200.5"]);
        check("E<2200", &elos, &["900"]);
        check("E<=2200", &elos, &["2200", "900", "02200", "+2200"]);
        check("E>2200", &elos, &["12000", "2200.5"]);
        check("E>=2200", &elos, &["2200", "02200", "12000", "+2200", "2200.5"]);
        check("D>=-7", &["-12", "-7", "3", "+5"], &["-7", "3", "+5"]);
        check("A>=95.5", &["9.6", "95.5", "95.49", "100.0"], &["95.5", "100.0"]);
        check("E=1.1", &["1.1", "1.10"], &["1.1"]);
        check("E>1", &["9223372036854775808", "-99999999999999999999"], &["9223372036854775808"]);
    }

    #[test]
    fn dates_are_compared_however_they_are_written() {
        let dates = ["2019.05.31", "2019.06.01", "2019-06-02", "2020/1/1", "1851.06.21"];
        for filter in ["Date>=2019.06.01", "Date>=2019-06-01", "Date>=2019/6/1", "EventDate >= \"2019-6-1\""] {
            check(filter, &dates, &["2019.06.01", "2019-06-02", "2020/1/1"]);
        }
        check("Date<2019-06-01", &dates, &["2019.05.31", "1851.06.21"]);
        check("UTCDate=2019/6/1", &dates, &["2019.06.01"]);
        check("Date!=2019/6/1", &dates, &["2019.05.31", "2019-06-02", "2020/1/1", "1851.06.21"]);
        check("Date~2019.06", &dates, &["2019.06.01"]);
        check("Result!~-", &["1-0", "*"], &["*"]);
    }

    #[test]
    fn a_year_means_all_its_days_and_a_month_too() {
        let dates = ["2018.12.31", "2019.01.01", "2019.06.15", "2019.12.31", "2020.01.01"];
        check("Date=2019", &dates, &dates[1..4]);
        check("Date=2019.??.??", &dates, &dates[1..4]);
        check("Date!=2019", &dates, &[dates[0], dates[4]]);
        check("Date<=2019", &dates, &dates[..4]);
        check("Date<2019", &dates, &dates[..1]);
        check("Date>2019", &dates, &dates[4..]);
        check("Date>=2019", &dates, &dates[1..]);
        check("Date=2019.06", &dates, &["2019.06.15"]);
        check("Date<=2019-06", &dates, &dates[..3]);
        check("Date>2019/6", &dates, &dates[3..]);
    }

    #[test]
    fn what_is_not_known_of_a_date_decides_nothing() {
        let dates = ["2019.??.??", "2019.06.??", "????.??.??", "?", "2019"];
        let known = ["2019.??.??", "2019.06.??", "2019"];
        for filter in ["Date=2019", "Date<=2019", "Date>=2019", "Date<2020", "Date>2018.12.31", "Date>=2019.01.01"] {
            check(filter, &dates, &known);
        }
        for filter in ["Date>=2019.06.01", "Date<=2019.06.30", "Date=2019.06", "Date<2019.07.01", "Date>2019.05"] {
            check(filter, &dates, &["2019.06.??"]);
        }
        for filter in ["Date>2019", "Date<2019", "Date>=2019.06.02", "Date<2019.06.30", "Date=2019.06.15"] {
            check(filter, &dates, &[]);
        }
        check("Date!=2019", &dates, &["????.??.??", "?"]);
        check("Date=?", &dates, &["????.??.??", "?"]);
        check("Date=????.??.??", &dates, &["????.??.??", "?"]);
        check("Date!=?", &dates, &known);
    }

    #[test]
    fn times_of_day_are_compared_as_far_as_they_are_known() {
        let times = ["18:29:59", "18:30:00", "18:??:??", "??:??:??", "9:00", "23:11:04 GMT+0000"];
        check("UTCTime>=18:30", &times, &["18:30:00", "23:11:04 GMT+0000"]);
        check("Time<18:30", &times, &["18:29:59", "9:00"]);
        check("UTCTime=18", &times, &["18:29:59", "18:30:00", "18:??:??"]);
    }

    #[test]
    fn time_controls_are_compared_by_their_seconds() {
        let controls = ["60", "180", "180+2", "300+0", "40/7200:3600", "*180", "-", "?", "1/259200", "blitz", "60+0.6"];
        check("TimeControl>=180", &controls, &["180", "180+2", "300+0", "40/7200:3600", "*180", "1/259200"]);
        check("TimeControl>180", &controls, &["300+0", "40/7200:3600", "1/259200"]);
        check("TimeControl<=180", &controls, &["60", "180", "180+2", "*180", "60+0.6"]);
        check("TimeControl=180", &controls, &["180", "180+2", "*180"]);
        check("TimeControl=180+2", &controls, &["180+2"]);
        check("TimeControl=180+0", &controls, &["180", "*180"]);
        check("TimeControl=300", &controls, &["300+0"]);
        check("TimeControl>=60.5", &controls, &["180", "180+2", "300+0", "40/7200:3600", "*180", "1/259200"]);
        check("TimeControl=40/7200:3600", &controls, &["40/7200:3600"]);
        check("TimeControl=-", &controls, &["-"]);
        check("TimeControl=blitz", &controls, &["blitz"]);
    }

    #[test]
    fn a_speed_follows_from_the_time_control() {
        let controls = ["15", "60", "180+2", "600", "1800", "-", "1/86400", "?", "", "fast"];
        check("Speed=blitz", &controls, &["180+2"]);
        check("speed = UltraBullet", &controls, &["15"]);
        check("Speed=blitz or Speed=rapid", &controls, &["180+2", "600"]);
        check("Speed<=blitz", &controls, &["15", "60", "180+2"]);
        check("Speed>classical", &controls, &["-", "1/86400"]);
        check("Speed!=correspondence", &controls, &["15", "60", "180+2", "600", "1800", "?", "", "fast"]);
        check("Speed=?", &controls, &["?", "", "fast"]);
        check("Speed!=\"\"", &controls, &controls[..7]);
        check_game("Speed=blitz", b"[TimeControl \"300\"] [Speed \"rapid\"]", None, true);
        check_game("Speed!=blitz", b"[Speed \"blitz\"]", None, true);
        check_game("Speed=?", b"[Speed \"?\"]", None, false);
    }

    #[test]
    fn ratings_are_numbers_and_may_be_unknown() {
        let elos = ["2650", "2650?", "987", "?", "-", "", "0", "unrated", "10000"];
        check("WhiteElo>=2600", &elos, &["2650", "2650?", "10000"]);
        check("BlackElo<2600", &elos, &["987"]);
        check("WhiteElo=2650", &elos, &["2650", "2650?"]);
        check("WhiteElo>0", &elos, &["2650", "2650?", "987", "10000"]);
        for filter in ["WhiteElo=?", "WhiteElo=-", "WhiteElo=\"\"", "WhiteElo=0"] {
            check(filter, &elos, &["?", "-", "", "0"]);
        }
        check("whiteelo!=2650", &elos, &["987", "?", "-", "", "0", "unrated", "10000"]);
        check("WhiteElo~unr", &elos, &["unrated"]);
        check("WhiteRatingDiff>=0", &["+7", "-7", "0", "?"], &["+7", "0"]);
        check("PlyCount<=100", &["99", "100", "101", "?"], &["99", "100"]);
    }

    #[test]
    fn rounds_are_compared_part_by_part() {
        let rounds = ["6", "6.4", "6.10", "7", "10.1", "?", "-", "Final", "6.?"];
        check("Round<6.10", &rounds, &["6", "6.4"]);
        check("Round>=6.4", &rounds, &["6.4", "6.10", "7", "10.1"]);
        check("Round=6", &rounds, &["6", "6.4", "6.10", "6.?"]);
        check("Round<=6", &rounds, &["6", "6.4", "6.10", "6.?"]);
        check("Round>6", &rounds, &["7", "10.1"]);
        check("Round=6.1", &["6.1", "6.10", "6.1.2", "6.01"], &["6.1", "6.1.2", "6.01"]);
        check("Round=Final", &rounds, &["Final"]);
        check("Round=?", &rounds, &["?"]);
    }

    #[test]
    fn other_tags_are_texts() {
        check("ECO<=B99", &["A00", "B99", "C00", "E60/10", "?"], &["A00", "B99"]);
    }

    #[test]
    fn results_are_compared_by_what_they_mean() {
        let results = ["1-0", "1:0", "1/2-1/2", "1/2", "½-½", " 1/2-1/2 ", "0-1", "*", "", "?", "0-0", "Oslo"];
        let draws = &results[2..6];
        for filter in ["Result=1/2-1/2", "Result=1/2", "result=½–½", "Result=\"1/2-1/2\""] {
            check(filter, &results, draws);
        }
        check("Result=1-0", &results, &["1-0", "1:0"]);
        check("Result!=1-0", &results, &results[2..]);
        for filter in ["Result=*", "Result=?", "Result=\"\""] {
            check(filter, &results, &["*", "", "?"]);
        }
        check("Result!=*", &results[..11], &[&results[..7], &["0-0"]].concat());
        check("Result>=1/2-1/2", &results, &results[..6]);
        check("Result<1-0", &results, &results[2..7]);
        check("Result=0-0", &results, &["0-0"]);
        check("Result~1/2", &results, &["1/2-1/2", "1/2", " 1/2-1/2 "]);
    }

    #[test]
    fn of_a_long_value_the_beginning_is_compared() {
        let (cut, long) = ("x".repeat(4096), "x".repeat(5000));
        check(&format!("Event={long}"), &[&cut, &long], &[&cut, &long]);
        check(&format!("Player={long}"), &[&cut, &long], &[&cut, &long]);
        check("Site~y", &[&format!("{cut}y"), "y"], &["y"]);
        check("Annotator~y", &[&format!("{cut}y"), "y"], &["y"]);
        check(&format!("Annotator={long}"), &[&cut, &long], &[&cut, &long]);
    }

    #[test]
    fn what_is_not_known_is_neither_less_nor_more() {
        let unknown = ["?", "????.??.??", "-", "", "unrated", "GM 2500"];
        for filter in ["X>=0", "X<9999"] {
            check(filter, &unknown, &[]);
        }
        for filter in ["X>=A", "X<=z"] {
            check(filter, &unknown, &["unrated", "GM 2500"]);
        }
        check("X!=2200", &unknown, &unknown);
        check("X=?", &unknown, &["?"]);
        check("X=\"\"", &unknown, &[""]);
        check("X~?", &unknown, &["?", "????.??.??"]);
    }

    #[test]
    fn text_is_the_same_letter_for_letter_and_contained_in_any_letters() {
        let names = ["Carlsen, Magnus", "CARLSEN", "Müller, Karl", "Карпов"];
        check("White=Carlsen, Magnus", &names, &["Carlsen, Magnus"]);
        check(" White = \"Carlsen, Magnus\" ", &names, &["Carlsen, Magnus"]);
        check("White~carlsen", &names, &["Carlsen, Magnus", "CARLSEN"]);
        check("White~MÜLL", &names, &["Müller, Karl"]);
        check("White~карп", &names, &["Карпов"]);
        check("White~\"\"", &names, &names);
        check("White!~carlsen", &["Carlsen, Magnus", "Anand", "?"], &["Anand", "?"]);
        check("White!~\"\"", &names, &[]);
        check("Event=\"=x\"", &["=x"], &["=x"]);
    }

    /// Checks whether the filter holds for the tags of a game.
    #[track_caller]
    fn check_game(filter: &str, tags: &[u8], encoding: Option<&str>, expected: bool) {
        let encoding = Fallback::new(encoding.and_then(Label::find));
        let filter: TagFilter = filter.parse().expect(filter);
        assert_eq!(filter.holds(&Tags::read(tags, 0), &encoding), expected, "{filter:?}");
    }

    #[test]
    fn a_missing_tag_is_unlike_any_value() {
        let tags = b"[White \"A\"] [White \"B\"]";
        for (filter, expected) in [("Elo!=1", true), ("Elo=1", false), ("Elo<1", false), ("Elo~\"\"", false)] {
            check_game(filter, tags, None, expected);
        }
        // If a tag is given twice, the last one counts, as everywhere.
        check_game("White=B", tags, None, true);
    }

    #[test]
    fn a_name_in_other_capitals_is_found_if_there_is_none_in_these() {
        check_game("whiteelo>=2200", b"[WhiteElo \"2300\"]", None, true);
        check_game("white=b", b"[white \"b\"]", None, true);
        check_game("odd=b", b"[odd \"b\"] [Odd \"A\"]", None, true);
        // The name of a tag that an index stores means the same in any capitals, since an index has one value.
        check_game("white=a", b"[white \"b\"] [White \"a\"]", None, true);
    }

    #[cfg(feature = "encodings")]
    #[test]
    fn values_are_compared_as_text_in_whatever_encoding() {
        check_game("White=M\u{fc}ller \"K\"", b"[White \"M\xfcller \\\"K\\\"\"]", None, true);
        check_game("White~\u{43a}\u{430}\u{440}\u{43f}", b"[White \"\xca\xe0\xf0\xef\xee\xe2\"]", Some("cp1251"), true);
    }

    #[track_caller]
    fn check_players(filter: &str, [white, black]: [&str; 2], expected: bool) {
        let elos = white.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?');
        let names = if elos { ["WhiteElo", "BlackElo"] } else { ["White", "Black"] };
        let tags = format!("[{} \"{white}\"] [{} \"{black}\"]", names[0], names[1]);
        check_game(filter, tags.as_bytes(), None, expected);
    }

    #[test]
    fn a_player_has_either_colour() {
        check_players("Player~carlsen", ["Carlsen", "Anand"], true);
        check_players("Player~carlsen", ["Anand", "Carlsen"], true);
        check_players("Player!~carlsen", ["Anand", "Carlsen"], false);
        check_players("Player!~tal", ["Anand", "Carlsen"], true);
        check_players("player=Tal", ["Anand", "Carlsen"], false);
        check_players("Player!=Tal", ["Anand", "Carlsen"], true);
        check_players("Player!=Tal", ["Anand", "Tal"], false);
        check_players("Player>=B", ["Anand", "Carlsen"], true);
        check_game("Player~carlsen", b"[Player \"Carlsen\"]", None, false);
        check_game("Player=\"\"", b"[Black \"\"]", None, true);
    }

    #[test]
    fn both_players_have_the_rating() {
        check_players("Elo>=2500", ["2500", "2600"], true);
        check_players("Elo>=2500", ["2499", "2600"], false);
        check_players("Elo>=2500", ["2600", "?"], false);
        check_players("ELO!=2600", ["2600", "2500"], false);
        check_players("Elo=?", ["?", "?"], true);
        check_game("Elo>=1", b"[WhiteElo \"2\"]", None, false);
        check_game("Elo!=1", b"[WhiteElo \"2\"]", None, true);
    }

    #[test]
    fn one_of_the_alternatives_holds() {
        let tags = b"[White \"Carlsen or Tal\"] [Event \"Oslo\"] [WhiteElo \"2800\"] [BlackElo \"2700\"]";
        for (filter, expected) in [
            ("White~carlsen or Black~caruana", true),
            ("Black~caruana or White~carlsen", true),
            ("Black~caruana OR White~tal", true),
            ("Black~caruana or Black~carlsen", false),
            ("Black~a or Black~b or Event=Oslo", true),
            ("Black~a or Elo>=2700", true),
            ("Elo>2700 or Player~anand", false),
            ("White=\"Carlsen or Tal\"", true),
            ("Event~x or White = \"Carlsen or Tal\" or Event~y", true),
            ("White=\"Carlsen or Tal\" or Event~y", true),
            ("Event~orlando or Event~oregon", false),
            ("Event = or", false),
        ] {
            check_game(filter, tags, None, expected);
        }
        check("A=or", &["or", "a"], &["or"]);
        check("A~x \"or\" y", &["x \"or\" y", "x"], &["x \"or\" y"]);
        check("A~rock and roll", &["rock and roll", "rock"], &["rock and roll"]);
    }

    #[track_caller]
    fn check_mistake(filter: &str, expected: &Expect) {
        let mistake = filter.parse::<TagFilter>().expect_err(filter);
        expected.assert_eq(&mistake.to_string());
    }

    #[track_caller]
    fn check_unread(filter: &str, game: &[u8], expected: bool) {
        let filter: TagFilter = filter.parse().unwrap();
        let (tags, encoding) = (Tags::read(game, 0), Fallback::default());
        assert_eq!(filter.cannot_read(&tags, &encoding), expected, "{filter}");
    }

    #[test]
    fn a_value_of_another_kind_cannot_be_read() {
        check_unread("Date>=2020", b"[Date \"Sun Jul 09 2023\"]", true);
        check_unread("TimeControl>=60", b"[TimeControl \"60 mins\"]", true);
        check_unread("Speed=rapid", b"[TimeControl \"60 mins\"]", true);
        check_unread("Elo>=2000 or White=a", b"[BlackElo \"unrated\"]", true);
        check_unread("Date>=2020", b"[Date \"????.??.??\"]", false);
        check_unread("Date>=2020", b"[Date \"2019.??.??\"]", false);
        check_unread("Date>=2020", b"[White \"x\"]", false);
        check_unread("Date~2020", b"[Date \"Sun Jul 09 2023\"]", false);
        check_unread("WhiteElo>=2000", b"[WhiteElo \"0\"]", false);
        check_unread("Round>=2", b"[Round \"final\"]", false);
    }

    #[test]
    fn a_caret_stands_under_what_is_wrong() {
        check_mistake(
            "WhiteElo=>2200",
            &expect![[r#"
                => is not an operator; did you mean >=?
                    WhiteElo=>2200
                            ^^"#]],
        );
        check_mistake(
            "WhiteElo",
            &expect![[r#"
                an operator is missing: = != < <= > >= ~ (contains) or !~; quotes keep < and > from the shell
                    WhiteElo
                            ^"#]],
        );
        check_mistake(
            "White Elo>=2200",
            &expect![[r#"
                an operator is missing: = != < <= > >= ~ (contains) or !~; quotes keep < and > from the shell
                    White Elo>=2200
                          ^"#]],
        );
        check_mistake(
            "Größe>=3",
            &expect![[r#"
                an operator is missing: = != < <= > >= ~ (contains) or !~; quotes keep < and > from the shell
                    Größe>=3
                      ^"#]],
        );
        check_mistake(
            ">=2200",
            &expect![[r#"
            a filter begins with the name of a tag, as in WhiteElo>=2200
                >=2200
                ^"#]],
        );
        check_mistake("", &expect!["a filter begins with the name of a tag, as in WhiteElo>=2200"]);
        check_mistake(
            "White= ",
            &expect![[r#"
            the value is missing; an empty value is written ""
                White= 
                       ^"#]],
        );
        check_mistake(
            "WhiteElo>=abc",
            &expect![[r#"
                this tag is a rating, which is a number
                    WhiteElo>=abc
                              ^^^"#]],
        );
        check_mistake(
            "Date >= yesterday",
            &expect![[r#"
                this tag is a date: a year, a year and month, or a day, as in 2019, 2019.06 and 2019-06-01
                    Date >= yesterday
                            ^^^^^^^^^"#]],
        );
        check_mistake(
            "Date=2019.02.30",
            &expect![[r#"
            there is no such day; ~ finds any text
                Date=2019.02.30
                     ^^^^^^^^^^"#]],
        );
        check_mistake(
            "EventDate<2019.13",
            &expect![[r#"
            there is no such month
                EventDate<2019.13
                          ^^^^^^^"#]],
        );
        check_mistake(
            "Date>=?",
            &expect![[r#"
            an unknown value is neither less nor greater than any value
                Date>=?
                      ^"#]],
        );
        check_mistake(
            "TimeControl>=fast",
            &expect![[r#"
            this tag is a time control, which is compared by its seconds, such as 180 or 180+2
                TimeControl>=fast
                             ^^^^"#]],
        );
        check_mistake(
            "Speed=fast",
            &expect![[r#"
            a speed is ultraBullet, bullet, blitz, rapid, classical or correspondence
                Speed=fast
                      ^^^^"#]],
        );
        check_mistake(
            "Speed~bullet",
            &expect![[r#"
            a speed is not a text; it is compared by = != < <= > and >=
                Speed~bullet
                      ^^^^^^"#]],
        );
        check_mistake(
            "Speed<?",
            &expect![[r#"
            an unknown value is neither less nor greater than any value
                Speed<?
                      ^"#]],
        );
        check_mistake(
            "UTCTime>=noon",
            &expect![[r#"
            this tag is a time of day, such as 18:30 or 18:30:00
                UTCTime>=noon
                         ^^^^"#]],
        );
        check_mistake(
            "Round>QF",
            &expect![[r#"
            this tag is the number of a round, such as 6, or 6.4 for part 4 of it
                Round>QF
                      ^^"#]],
        );
        check_mistake(
            "WhiteElo=GM",
            &expect![[r#"
            this tag is a rating, which is a number; ~ finds any text
                WhiteElo=GM
                         ^^"#]],
        );
        check_mistake(
            "Event~Swiss or Open",
            &expect![[r#"
                or is followed by another filter; a value that contains the word or is put in quotes
                    Event~Swiss or Open
                                   ^^^^"#]],
        );
        check_mistake(
            "Event~Swiss or ",
            &expect![[r#"
                or is followed by another filter; a value that contains the word or is put in quotes
                    Event~Swiss or 
                                   ^"#]],
        );
        check_mistake(
            "White~carlsen and Date>=2019 or Black~x",
            &expect![[r#"
                a filter cannot contain and; give two filters, which must both hold, or put the value in quotes
                    White~carlsen and Date>=2019 or Black~x
                                  ^^^"#]],
        );
        check_mistake(
            "White~carlsen && Date>=2019",
            &expect![[r#"
                a filter cannot contain &&; give two filters, which must both hold, or put the value in quotes
                    White~carlsen && Date>=2019
                                  ^^"#]],
        );
        check_mistake(
            "White~a or WhiteElo=>2200",
            &expect![[r#"
                => is not an operator; did you mean >=?
                    White~a or WhiteElo=>2200
                                       ^^"#]],
        );
        check_mistake(
            "White~a or Elo>=strong or Black~b",
            &expect![[r#"
                this tag is a rating, which is a number
                    White~a or Elo>=strong or Black~b
                                    ^^^^^^"#]],
        );
        check_mistake(
            "White~!x",
            &expect![[r#"
                ~! is not an operator; did you mean !~?
                    White~!x
                         ^^"#]],
        );
        check_mistake(
            "White!<x",
            &expect![[r#"
                !< is not an operator; the operators are = != < <= > >= ~ (contains) and !~
                    White!<x
                         ^^"#]],
        );
    }
}
