//! What a tree knows of a game.

use pgn2fen_games::pgn::date::Date;
use pgn2fen_games::pgn::tag_kind::TagKind;
use pgn2fen_games::pgn::token::Outcome;

/// The result, the date and the ratings of a game. An index has the same facts of its games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Summary {
    result: Outcome,
    /// The year; 0 if it is unknown.
    year: u16,
    /// The date as a number that grows with time; 0 if it is unknown.
    age: u32,
    rating_rank: u32,
}

/// The greatest year and the greatest rating that an index has. Greater values are unknown.
const MAX_YEAR: u16 = 4095;
const MAX_ELO: u32 = (1 << ELO_BITS) - 1;
const ELO_BITS: u32 = 14;

impl Summary {
    /// Returns the facts of a game with this result, and these values of the tags Date, WhiteElo and BlackElo.
    pub(crate) fn of(result: Outcome, [date, white, black]: [Option<&str>; 3]) -> Self {
        let date = date.and_then(Date::read).filter(|date| date.year() <= MAX_YEAR);
        let age = date.map_or(0, |date| {
            let [month, day] = [date.month(), date.day()].map(|part| u32::from(part.unwrap_or(0)));
            u32::from(date.year()) << 9 | month << 5 | day
        });
        let elo = |text: Option<&str>| {
            let elo = TagKind::Rating.number(text?).and_then(|elo| u32::try_from(elo).ok());
            elo.filter(|elo| (1..=MAX_ELO).contains(elo))
        };
        let elos = [elo(white), elo(black)];
        let known: u32 = elos.iter().flatten().map(|_| 1).sum();
        let double_mean = match elos {
            [Some(white), Some(black)] => white + black,
            [one, other] => one.or(other).map_or(0, |elo| 2 * elo),
        };
        // Games with both ratings come before those with one, and these before those with none.
        let rating_rank = known << (ELO_BITS + 1) | double_mean;
        Self { result, year: date.map_or(0, Date::year), age, rating_rank }
    }

    pub(crate) fn result(self) -> Outcome {
        self.result
    }

    /// Returns the year; 0 if it is unknown.
    pub(crate) fn year(self) -> u16 {
        self.year
    }

    /// Returns the date as a number that grows with time; 0 if it is unknown.
    pub(crate) fn age(self) -> u32 {
        self.age
    }

    /// Returns the rank of the game by its ratings. The greatest is the best.
    pub(crate) fn rating_rank(self) -> u32 {
        self.rating_rank
    }
}

#[cfg(feature = "index")]
impl From<pgn2fen_index::Summary> for Summary {
    fn from(summary: pgn2fen_index::Summary) -> Self {
        let year = summary.month().and_then(|(year, _)| u16::try_from(year).ok()).unwrap_or(0);
        Self { result: summary.result(), year, age: summary.age(), rating_rank: summary.rating_rank() }
    }
}

#[cfg(all(test, feature = "index"))]
mod tests {
    use super::Summary;
    use pgn2fen_games::pgn::token::Outcome;

    #[test]
    fn the_facts_of_a_game_are_those_that_an_index_has() {
        let dates = ["2020.01.02", "1851.06.??", "1999.??.??", "????.01.02", "4095.12.31", "4096.01.01", "", "x"];
        let elos = ["2500", "1", "0", "16383", "16384", "-", "?", "2500.5", " 2500 ", "99999999999", "-3", ""];
        let mut years = 0;
        for date in dates {
            for white in elos {
                for (black, result) in elos.into_iter().zip([Outcome::Draw, Outcome::WhiteWins].into_iter().cycle()) {
                    let texts = [date, white, black].map(Some);
                    let ours = Summary::of(result, texts);
                    let theirs = pgn2fen_index::Summary::of(result, [texts[0], texts[1], texts[2], None]);
                    assert_eq!(ours, theirs.into(), "{texts:?}");
                    years += u32::from(ours.year() > 0);
                }
            }
        }
        assert!(years > 100);
    }
}
