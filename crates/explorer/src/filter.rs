//! The filters of a request: which games count.

use crate::parameters::Parameters;
use crate::refusal::Refusal;
use pgn2fen_chess::piece::Color;
use pgn2fen_chess::rules::Rules;
use pgn2fen_games::pgn::speed::Speed;
use pgn2fen_games::pgn::token::Outcome;
use pgn2fen_games::players::{PlayerSet, Players};
use pgn2fen_games::selection::TagFilter;
use pgn2fen_index::{GameColumn, GameKind, GameKinds, Index, StartVariant, Summary};

/// The least means of the rating groups of the public explorer.
const GROUPS: [u32; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The games of chess of the parameter `variant`, as the public explorer names them.
const CHESS: [(&str, StartVariant); 3] = [
    ("standard", StartVariant::Standard),
    ("chess960", StartVariant::Chess960),
    ("fromPosition", StartVariant::FromPosition),
];

/// The greatest number of filters on tags.
const MOST_TAGS: usize = 20;

/// A year and a month.
type Month = (u32, u32);

/// The filters of a request. A game counts if it passes all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    since: Option<Month>,
    until: Option<Month>,
    /// The rating groups that are wanted, by their indices in [`GROUPS`]; empty if all are.
    groups: Vec<usize>,
    least_mean: Option<u32>,
    greatest_mean: Option<u32>,
    result: Option<Outcome>,
    /// The rules by which positions are read. No game of other rules reaches them.
    rules: Rules,
    kinds: KindFilter,
    texts: TextFilter,
}

/// The filters on the speeds of games and on the kinds of their starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KindFilter {
    /// The speeds that are wanted; empty if all are.
    speeds: Vec<Speed>,
    variant: Option<StartVariant>,
}

/// The filters that need texts of the games table.
#[derive(Clone, Debug, Default)]
pub(super) struct TextFilter {
    /// A part of the name of a player in lower case, and the colour of that player if it is given.
    player: Option<(String, Option<Color>)>,
    /// The whole name of a player in lower case, and the colour of that player.
    whole: Option<(String, Color)>,
    /// The players whom `player` and `whole` mean, under all their names.
    players: [Option<PlayerSet>; 2],
    /// The filters on tags.
    tags: Vec<TagFilter>,
}

/// A filter that needs texts of the games table of one index.
#[derive(Debug)]
pub(super) struct IndexFilter<'f> {
    filter: &'f TextFilter,
    /// For each filter on tags, the columns of its conditions.
    columns: Vec<Vec<GameColumn>>,
}

impl Filter {
    /// Reads the filters of `/masters`, which every route has: `since`, `until`, `player` and `color`.
    ///
    /// # Errors
    ///
    /// Refuses values that make no sense.
    pub(super) fn read_masters(parameters: &Parameters) -> Result<Self, Refusal> {
        let since = parameters.one("since")?.map(|text| month("since", text, 1)).transpose()?;
        let until = parameters.one("until")?.map(|text| month("until", text, 12)).transpose()?;
        if since.zip(until).is_some_and(|(since, until)| since > until) {
            return Err(Refusal::senseless("since: it is later than until"));
        }
        let color = match parameters.one("color")? {
            None => None,
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            Some(other) => return Err(Refusal::senseless(format!("color: it is white or black, not {other}"))),
        };
        let player = match (parameters.one("player")?, color) {
            (Some(name), color) => Some((name.to_lowercase(), color)),
            (None, Some(_)) => {
                return Err(Refusal::senseless("color: it is the color of a player; give player as well"));
            }
            (None, None) => None,
        };
        Ok(Self { since, until, texts: TextFilter { player, ..TextFilter::default() }, ..Self::default() })
    }

    /// Reads the filters of `/lichess`.
    ///
    /// # Errors
    ///
    /// Refuses values that make no sense.
    pub(super) fn read_lichess(parameters: &Parameters) -> Result<Self, Refusal> {
        let mut filter = Self::read_masters(parameters)?;
        for word in parameters.one("ratings")?.into_iter().flat_map(|ratings| ratings.split(',')) {
            let group = word.parse().ok().and_then(|least: u32| GROUPS.iter().position(|known| *known == least));
            let group = group.or((word == "400").then_some(0));
            filter.groups.push(group.ok_or_else(|| {
                let known = GROUPS.map(|least| least.to_string()).join(", ");
                Refusal::senseless(format!("ratings: {word:?} is not a group of ratings; these are {known}"))
            })?);
        }
        (filter.kinds, filter.rules) = KindFilter::read(parameters)?;
        Ok(filter)
    }

    /// Reads the filters of the page.
    ///
    /// # Errors
    ///
    /// Refuses values that make no sense. Whether an index keeps the tags that are asked for is found out
    /// [for each index](TextFilter::of_index).
    pub(super) fn read_page(parameters: &Parameters) -> Result<Self, Refusal> {
        let mut filter = Self::read_masters(parameters)?;
        (filter.kinds, filter.rules) = KindFilter::read(parameters)?;
        filter.least_mean = parameters.number("minRating")?;
        filter.greatest_mean = parameters.number("maxRating")?;
        if filter.least_mean.zip(filter.greatest_mean).is_some_and(|(least, greatest)| least > greatest) {
            return Err(Refusal::senseless("minRating: it is greater than maxRating"));
        }
        filter.result = match parameters.one("result")? {
            None => None,
            Some("1-0") => Some(Outcome::WhiteWins),
            Some("0-1") => Some(Outcome::BlackWins),
            Some("1/2-1/2") => Some(Outcome::Draw),
            Some("*") => Some(Outcome::Unknown),
            Some(other) => {
                return Err(Refusal::senseless(format!("result: it is 1-0, 1/2-1/2, 0-1 or *, not {other}")));
            }
        };
        // The further lines of a mistake show the filter.
        let parse =
            |text: &str| text.parse::<TagFilter>().map_err(|mistake| Refusal::new(400, format!("tags: {mistake}")));
        let tags = parameters.all("tags").map(parse).collect::<Result<Vec<_>, _>>()?;
        if tags.len() > MOST_TAGS {
            return Err(Refusal::senseless(format!("tags: there are more than {MOST_TAGS} filters")));
        }
        filter.texts.tags = tags;
        Ok(filter)
    }

    /// Whether a game passes the filters that its summary can answer. A game whose date or ratings are not known does
    /// not pass a filter on them. Nor does a game of whose month is only known that it may be in the range.
    pub(super) fn passes(&self, game: Summary) -> bool {
        let of_month =
            |unknown: u32| game.month().map(|(year, month)| (year, if month == 0 { unknown } else { month }));
        // An unknown month counts as the first or the last one, whichever is farther from the range.
        let is_since = self.since.is_none_or(|since| of_month(1).is_some_and(|month| month >= since));
        let is_until = self.until.is_none_or(|until| of_month(12).is_some_and(|month| month <= until));
        let mean = game.double_mean();
        is_since
            && is_until
            && self.least_mean.is_none_or(|least| mean.is_some_and(|mean| mean >= least.saturating_mul(2)))
            && self.greatest_mean.is_none_or(|greatest| mean.is_some_and(|mean| mean <= greatest.saturating_mul(2)))
            && (self.groups.is_empty() || mean.is_some_and(|mean| self.groups.contains(&group_of(mean))))
            && self.result.is_none_or(|result| game.result() == result)
    }

    /// Returns the rules by which positions are read.
    pub(super) fn rules(&self) -> Rules {
        self.rules
    }

    pub(super) fn kinds(&self) -> &KindFilter {
        &self.kinds
    }

    /// Takes only the games of a player with a colour, in place of other filters on players. `is_whole` says whether
    /// that is the whole name of the player or a part of it.
    pub(super) fn of_player(mut self, name: &str, color: Color, is_whole: bool) -> Self {
        let name = name.to_lowercase();
        (self.texts.player, self.texts.whole) =
            if is_whole { (None, Some((name, color))) } else { (Some((name, Some(color))), None) };
        self
    }

    /// Finds these players under all their names.
    pub(super) fn for_players(mut self, known: &Players) -> Self {
        if !known.is_empty() {
            let TextFilter { player, whole, players, tags } = &mut self.texts;
            let part = player.as_ref().map(|(part, _)| known.containing(part));
            *players = [part, whole.as_ref().and_then(|(name, _)| known.named(name))];
            tags.iter_mut().for_each(|filter| *filter = filter.for_players(known));
        }
        self
    }

    /// Whether every game passes.
    pub(super) fn takes_all(&self) -> bool {
        let Self { since, until, groups, least_mean, greatest_mean, result, rules: _, kinds, texts } = self;
        let has_none = since.is_none() && until.is_none() && least_mean.is_none() && greatest_mean.is_none();
        has_none && groups.is_empty() && result.is_none() && kinds.takes_all() && texts.takes_all()
    }

    pub(super) fn texts(&self) -> &TextFilter {
        &self.texts
    }
}

/// Writes the filter as a text that differs for different filters.
impl std::fmt::Display for Filter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { since, until, groups, least_mean, greatest_mean, result, rules: _, kinds, texts } = self;
        let KindFilter { speeds, variant } = kinds;
        write!(
            f,
            "{since:?} {until:?} {groups:?} {least_mean:?} {greatest_mean:?} {result:?} {speeds:?} {variant:?} "
        )?;
        f.write_str(&texts.name())
    }
}

impl KindFilter {
    /// Reads `speeds` and `variant`, which is a filter for games of chess, and names the rules of others.
    ///
    /// # Errors
    ///
    /// Refuses values that make no sense.
    fn read(parameters: &Parameters) -> Result<(Self, Rules), Refusal> {
        let mut speeds = Vec::new();
        for word in parameters.one("speeds")?.into_iter().flat_map(|speeds| speeds.split(',')) {
            let speed = Speed::ALL.into_iter().find(|speed| speed.name() == word).ok_or_else(|| {
                let known = Speed::ALL.map(Speed::name).join(", ");
                Refusal::senseless(format!("speeds: {word} is not a speed; these are {known}"))
            })?;
            speeds.push(speed);
        }
        // All speeds together are no filter, so games of unknown speed pass, too.
        if Speed::ALL.iter().all(|speed| speeds.contains(speed)) {
            speeds.clear();
        }
        let variant = parameters.one("variant")?.map(variant).transpose()?;
        match variant {
            // The position alone chooses these games.
            Some(StartVariant::Game(rules)) => Ok((Self { speeds, variant: None }, rules)),
            _ => Ok((Self { speeds, variant }, Rules::Chess)),
        }
    }

    /// Whether every game passes.
    pub(super) fn takes_all(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a game of an index passes. Speeds count only if the index keeps the tag from which they follow.
    pub(super) fn passes(&self, kinds: &GameKinds, game: u64) -> bool {
        self.passes_kind(kinds.of(game), kinds.has_speeds())
    }

    fn passes_kind(&self, kind: GameKind, has_speeds: bool) -> bool {
        let is_speed = |speed| self.speeds.contains(&speed);
        (self.speeds.is_empty() || !has_speeds || kind.speed().is_some_and(is_speed))
            && self.variant.is_none_or(|variant| kind.variant() == Some(variant))
    }
}

impl TextFilter {
    /// Prepares the filter for an index.
    ///
    /// # Errors
    ///
    /// Refuses tags that the index does not keep. The index is named, because others of the server may keep them.
    pub(super) fn of_index(&self, index: &Index) -> Result<IndexFilter<'_>, Refusal> {
        let columns = index.columns_of_filters(&self.tags).map_err(|unknown| {
            let folder = index.folder();
            let name = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
            let name = name.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Refusal::senseless(format!("tags: {name}: {unknown}"))
        })?;
        Ok(IndexFilter { filter: self, columns })
    }

    /// Whether every game passes.
    pub(super) fn takes_all(&self) -> bool {
        self.player.is_none() && self.whole.is_none() && self.tags.is_empty()
    }

    /// Returns a text that differs for different filters.
    pub(super) fn name(&self) -> String {
        let tags: Vec<String> = self.tags.iter().map(TagFilter::to_string).collect();
        format!("{:?} {:?} {tags:?}", self.player, self.whole)
    }
}

impl IndexFilter<'_> {
    /// Whether a game passes. `text` returns the value of a column.
    ///
    /// # Errors
    ///
    /// Fails if `text` does.
    pub(super) fn passes<E>(&self, mut text: impl FnMut(GameColumn) -> Result<Option<String>, E>) -> Result<bool, E> {
        let Self { filter: TextFilter { player, whole, players, tags }, columns } = self;
        let is_known = |of: usize, name: &str| players[of].as_ref().and_then(|players| players.contains(name, None));
        if let Some((part, color)) = player {
            let contains = |name: &str| is_known(0, name) == Some(true) || name.to_lowercase().contains(part);
            let mut is_there = false;
            for (column, of) in [(GameColumn::White, Color::White), (GameColumn::Black, Color::Black)] {
                let is_asked = color.is_none_or(|color| color == of);
                is_there |= is_asked && text(column)?.is_some_and(|name| contains(&name));
            }
            if !is_there {
                return Ok(false);
            }
        }
        if let Some((whole, color)) = whole {
            let name = text(color.pick(GameColumn::White, GameColumn::Black))?;
            let is_it = |name: &str| is_known(1, name).unwrap_or_else(|| name.to_lowercase() == *whole);
            if !name.is_some_and(|name| is_it(&name)) {
                return Ok(false);
            }
        }
        for (filter, columns) in tags.iter().zip(columns) {
            if !filter.try_holds(|at, condition| Ok(condition.holds_for_tag(text(columns[at])?.as_deref())))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Reads the name of a variant, as the public explorer has it. Those of FICS have the names of their rules.
fn variant(name: &str) -> Result<StartVariant, Refusal> {
    // The public explorer takes this name, too.
    let wanted = if name == "3check" { Rules::ThreeCheck.name() } else { name };
    let others = || Rules::ALL.into_iter().skip(1).map(|rules| (rules.name(), StartVariant::Game(rules)));
    let mut all = CHESS.into_iter().chain(others());
    all.find(|(known, _)| *known == wanted).map(|(_, variant)| variant).ok_or_else(|| {
        let names: Vec<&str> = CHESS.into_iter().chain(others()).map(|(name, _)| name).collect();
        Refusal::senseless(format!("variant: {name} is not a variant; these are {}", names.join(", ")))
    })
}

/// Returns the rating group for twice the mean of the ratings.
fn group_of(double_mean: u32) -> usize {
    GROUPS.partition_point(|least| 2 * least <= double_mean).saturating_sub(1)
}

/// Parses a year, or a year and a month. `month` is the month that a year alone stands for.
fn month(name: &str, text: &str, month: u32) -> Result<Month, Refusal> {
    let is_number = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = match text.split_once('-') {
        None if is_number(text, 4) => text.parse().ok().map(|year| (year, month)),
        Some((year, month)) if is_number(year, 4) && is_number(month, 2) => year.parse().ok().zip(month.parse().ok()),
        _ => None,
    };
    parsed
        .filter(|(_, month)| (1..=12).contains(month))
        .ok_or_else(|| Refusal::senseless(format!("{name}: it is a year (YYYY) or a month (YYYY-MM), not {text}")))
}

#[cfg(test)]
mod tests {
    use super::{Filter, IndexFilter, group_of};
    use crate::parameters::Parameters;
    use pgn2fen_chess::rules::Rules;
    use pgn2fen_games::pgn::speed::Speed;
    use pgn2fen_index::{GameColumn, GameKind, StartVariant, Summary};

    fn filter(query: &str) -> Filter {
        let parameters = Parameters::parse(query).unwrap();
        let lichess = Filter::read_lichess(&parameters).unwrap();
        if lichess.to_string() == Filter::default().to_string() {
            Filter::read_page(&parameters).unwrap()
        } else {
            lichess
        }
    }

    /// Whether a game with this date and these ratings passes.
    #[track_caller]
    fn check(query: &str, date: &str, elos: [u16; 2], passes: bool) {
        assert_eq!(filter(query).passes(Summary::made(date, elos)), passes, "{query}: {date} {elos:?}");
    }

    #[test]
    fn games_pass_by_their_month() {
        for (query, date, passes) in [
            ("since=2000", "2000.01.01", true),
            ("since=2000", "1999.12.31", false),
            ("since=2000", "2000.??.??", true),
            ("since=2000", "????.??.??", false),
            ("since=2000-06", "2000.??.??", false),
            ("since=2000-06", "2000.06.??", true),
            ("until=2000", "2000.12.31", true),
            ("until=2000", "2000.??.??", true),
            ("until=2000-06", "2000.??.??", false),
            ("until=2000-06", "2000.07.01", false),
            ("until=2000-06", "????.??.??", false),
            ("since=2000-06&until=2000-06", "2000.06.15", true),
        ] {
            check(query, date, [0, 0], passes);
        }
    }

    #[test]
    fn games_pass_by_the_mean_of_their_ratings() {
        for (query, elos, passes) in [
            ("ratings=2200", [2199, 2202], true),
            ("ratings=2200", [2199, 2200], false),
            ("ratings=2200", [2500, 2499], true),
            ("ratings=2200,2500", [2600, 2600], true),
            ("ratings=0", [900, 0], true),
            ("ratings=0", [0, 0], false),
            ("minRating=2400", [2399, 2401], true),
            ("minRating=2400", [2399, 2400], false),
            ("maxRating=2400", [2401, 2399], true),
            ("maxRating=2400", [2401, 2400], false),
            ("maxRating=2400", [0, 0], false),
        ] {
            check(query, "", elos, passes);
        }
        assert_eq!([0, 1999, 2000, 4999, 5000, 9000].map(group_of), [0, 0, 1, 7, 8, 8]);
    }

    #[track_caller]
    fn check_text(query: &str, white: &str, black: &str, passes: bool) {
        let names = |column| Ok::<_, ()>(Some(if column == GameColumn::White { white } else { black }.to_owned()));
        let parameters = Parameters::parse(query).unwrap();
        let filter = Filter::read_page(&parameters).unwrap();
        let of_name = |name: &str| if name == "White" { GameColumn::White } else { GameColumn::Black };
        let of_filter = |filter: &pgn2fen_games::selection::TagFilter| {
            filter.conditions().iter().map(|condition| of_name(condition.name())).collect()
        };
        let columns = filter.texts().tags.iter().map(of_filter).collect();
        let filter = IndexFilter { filter: filter.texts(), columns };
        assert_eq!(filter.passes(names), Ok(passes), "{query}");
    }

    #[test]
    fn games_pass_by_their_players_and_tags() {
        check_text("player=CARL", "Carlsen, M", "Anand", true);
        check_text("player=carl&color=black", "Carlsen, M", "Anand", false);
        check_text("player=carl&color=white", "Carlsen, M", "Anand", true);
        check_text("player=tal", "Carlsen, M", "Anand", false);
        check_text("tags=White~carlsen&tags=Black=Anand", "Carlsen, M", "Anand", true);
        check_text("tags=White~carlsen&tags=Black=Tal", "Carlsen, M", "Anand", false);
        check_text("tags=Player~anand", "Carlsen, M", "Anand", true);
        check_text("tags=Player~tal", "Carlsen, M", "Anand", false);
        check_text("tags=White~tal+or+Black=Anand", "Carlsen, M", "Anand", true);
    }

    #[track_caller]
    fn check_refused(query: &str, reason: &str) {
        let parameters = Parameters::parse(query).unwrap();
        let refusal = Filter::read_lichess(&parameters).and_then(|_| Filter::read_page(&parameters)).unwrap_err();
        assert!(refusal.status == 400 && refusal.line.contains(reason), "{query}: {}", refusal.line);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for query in [
            "since=x",
            "since=20000",
            "since=2000-13",
            "since=2000-00",
            "until=2000-1",
            "until=-200",
            "since=2000-01-01",
        ] {
            check_refused(query, ": it is a year (YYYY) or a month (YYYY-MM)");
        }
        check_refused("since=2001&until=2000", "since: it is later than until");
        check_refused("since=2001&since=2001", "since: given twice");
        check_refused("color=red", "white or black");
        check_refused("color=white", "give player as well");
        check_refused("ratings=2300", "ratings: \"2300\" is not a group");
        check_refused("ratings=1600,,1800", "ratings: \"\" is not a group");
        check_refused("ratings=2200,", "not a group");
        check_refused("speeds=warp", "speeds: warp is not");
        check_refused("variant=draughts", "variant: draughts is not a variant; these are standard, chess960, ");
        check_refused("minRating=high", "minRating: not a number");
        check_refused("minRating=2500&maxRating=2400", "greater than maxRating");
        check_refused("result=won", "result: it is 1-0");
        check_refused("tags=White", "tags: an operator");
        check_refused("tags=Date%3C2000&tags=White", "\n    White\n         ^");
        check_refused(&"tags=White~a&".repeat(21), "more than 20");
    }

    /// Whether a game of this speed and start passes.
    #[track_caller]
    fn check_kind(query: &str, speed: Option<Speed>, variant: Option<StartVariant>, passes: bool) {
        let parameters = Parameters::parse(query).unwrap();
        for read in [Filter::read_lichess, Filter::read_page] {
            let filter = read(&parameters).unwrap();
            let kind = GameKind::made(speed, variant);
            assert_eq!(filter.kinds().passes_kind(kind, true), passes, "{query}");
            // Without the tag TimeControl, no game has a speed.
            let of_variant = filter.kinds().passes_kind(GameKind::made(None, variant), false);
            assert_eq!(of_variant, passes || !query.contains("variant"), "{query}");
        }
    }

    #[test]
    fn games_pass_by_their_speed_and_start() {
        let standard = Some(StartVariant::Standard);
        check_kind("speeds=blitz,rapid", Some(Speed::Blitz), standard, true);
        check_kind("speeds=blitz,rapid", Some(Speed::Bullet), None, false);
        check_kind("speeds=blitz", None, standard, false);
        check_kind("speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence", None, standard, true);
        check_kind("variant=standard", None, standard, true);
        check_kind("variant=chess960", Some(Speed::Blitz), standard, false);
        check_kind("variant=fromPosition", None, None, false);
        check_kind("variant=atomic&speeds=blitz", Some(Speed::Blitz), Some(StartVariant::Game(Rules::Atomic)), true);
        check_kind("variant=chess960&speeds=", None, Some(StartVariant::Chess960), true);
        check_kind("", None, None, true);
    }

    #[test]
    fn a_variant_chooses_the_rules_of_the_position() {
        for (query, rules) in [
            ("", Rules::Chess),
            ("variant=standard", Rules::Chess),
            ("variant=chess960", Rules::Chess),
            ("variant=crazyhouse", Rules::Crazyhouse),
            ("variant=threeCheck", Rules::ThreeCheck),
            ("variant=3check", Rules::ThreeCheck),
            ("variant=kingOfTheHill", Rules::KingOfTheHill),
            ("variant=racingKings", Rules::RacingKings),
            ("variant=suicide", Rules::Suicide),
        ] {
            let filter = filter(query);
            assert_eq!(filter.rules(), rules, "{query}");
            assert!(rules == Rules::Chess || filter.takes_all(), "{query}: no game is looked at");
        }
    }

    #[test]
    fn filters_that_choose_alike_have_one_name() {
        for query in ["ratings=", "since=&until=", "source=x", "speeds=", "variant="] {
            assert_eq!(filter(query).to_string(), Filter::default().to_string(), "{query}");
        }
        for query in ["speeds=blitz,rapid", "variant=standard", "tags=Speed%3Dblitz"] {
            assert_ne!(filter(query).to_string(), Filter::default().to_string(), "{query}");
        }
    }
}
