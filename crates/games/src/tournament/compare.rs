//! Findings in several games of a tournament: pairings that occur twice, rounds that a player misses, and several names
//! of a player.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use crate::messages::{counted, shown};
use crate::players::{ListedName, ListedPlayer, NameCount, PlayerList, Sameness};
use crate::tournament::finding::{Finding, FindingKind};
use crate::tournament::game::{Entry, short};
use pgn2fen_filters::players::Players;
use pgn2fen_pgn::tag_kind::TagKind;

/// Compares all games. Returns findings without the path of their file, with its number.
pub(super) fn compare(entries: &[Entry], known: &Players, files: &[PathBuf]) -> Vec<(usize, Finding)> {
    let list = PlayerList::new(&counts(entries), known);
    let numbers = numbers(&list);
    let mut comparison = Comparison { entries, files, findings: Vec::new() };
    comparison.spellings(&list);
    for games in tournaments(entries).values() {
        comparison.pairings(games, &numbers);
        comparison.rounds(games, &list, &numbers);
    }
    comparison.findings
}

/// Returns the names in games, sorted, each once with each FIDE id.
fn counts(entries: &[Entry]) -> Vec<NameCount> {
    let mut counts: BTreeMap<(&str, Option<u32>), NameCount> = BTreeMap::new();
    for entry in entries {
        for side in 0..2 {
            let (name, id) = (&entry.players[side], entry.fide_ids[side]);
            if name.is_empty() {
                continue;
            }
            let count = counts.entry((name, id)).or_insert_with(|| NameCount {
                name: name.clone(),
                fide_id: id,
                white: 0,
                black: 0,
                years: None,
                ratings: None,
            });
            *(if side == 0 { &mut count.white } else { &mut count.black }) += 1;
            if entry.year > 0 {
                let (first, last) = count.years.unwrap_or((entry.year, entry.year));
                count.years = Some((first.min(entry.year), last.max(entry.year)));
            }
        }
    }
    counts.into_values().collect()
}

/// Returns the number in the list of the player with each name.
fn numbers(list: &PlayerList) -> HashMap<&str, usize> {
    let mut numbers = HashMap::new();
    for (number, player) in list.players().iter().enumerate() {
        // A namesake has more games under another number.
        let names = player.names().iter().filter(|name| name.sameness != Sameness::Namesake);
        names.for_each(|name| {
            numbers.entry(&*name.count.name).or_insert(number);
        });
        for name in player.guesses() {
            // A guess is a player of its own, behind all others.
            let next = list.players().len() + numbers.len();
            numbers.entry(&*name.count.name).or_insert(next);
        }
    }
    numbers
}

/// The games of a tournament have the same event and year, or are in the same file if the event is unknown.
fn tournaments(entries: &[Entry]) -> BTreeMap<(&str, u16, usize), Vec<&Entry>> {
    let mut tournaments: BTreeMap<_, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        let file = if entry.event.is_empty() { entry.file + 1 } else { 0 };
        tournaments.entry((&*entry.event, entry.year, file)).or_default().push(entry);
    }
    tournaments
}

struct Comparison<'e> {
    entries: &'e [Entry],
    files: &'e [PathBuf],
    findings: Vec<(usize, Finding)>,
}

impl Comparison<'_> {
    fn add(&mut self, at: &Entry, kind: FindingKind, text: String) {
        let (line, column) = at.place;
        self.findings.push((at.file, Finding { file: PathBuf::new(), line, column, kind, text }));
    }

    /// Returns where a game is, for a message about another one.
    fn place(&self, of: &Entry, seen_from: &Entry) -> String {
        let line = of.place.0;
        if of.file == seen_from.file {
            format!("on line {line}")
        } else {
            format!("in {}:{line}", shown(&self.files[of.file]))
        }
    }

    fn pairings(&mut self, games: &[&Entry], numbers: &HashMap<&str, usize>) {
        let mut first: HashMap<(&str, usize, usize), &Entry> = HashMap::new();
        for game in games {
            let [white, black] = [0, 1].map(|side| numbers.get(&*game.players[side]).copied());
            let (Some(white), Some(black), false) = (white, black, game.round.is_empty()) else { continue };
            // An engine that plays itself plays many games.
            if white == black {
                continue;
            }
            match first.get(&(&*game.round, white, black)) {
                Some(other) => {
                    let [white, black] = [0, 1].map(|side| short(&game.players[side]));
                    let place = self.place(other, game);
                    let text = format!("{white} – {black} is in round {} twice, first {place}", short(&game.round));
                    self.add(game, FindingKind::PairingTwice, text);
                }
                None => {
                    first.insert((&game.round, white, black), game);
                }
            }
        }
    }

    fn rounds(&mut self, games: &[&Entry], list: &PlayerList, numbers: &HashMap<&str, usize>) {
        // For each player the rounds, each with its first game.
        let mut rounds: BTreeMap<usize, BTreeMap<i32, &Entry>> = BTreeMap::new();
        for game in games {
            let Some(round) = TagKind::Round.number(&game.round) else { continue };
            for name in &game.players {
                if let Some(player) = numbers.get(&**name) {
                    rounds.entry(*player).or_default().entry(round).or_insert(game);
                }
            }
        }
        let played: BTreeSet<i32> = rounds.values().flat_map(BTreeMap::keys).copied().collect();
        for round in played {
            let mut missing = Vec::new();
            for (player, of_player) in &rounds {
                let before = of_player.range(..round).next_back();
                let behind = of_player.range(round..).next();
                if let (Some((before, _)), Some((behind, next))) = (before, behind)
                    && *behind != round
                {
                    missing.push((*player, *before, *behind, *next));
                }
            }
            // In each round one of an odd number of players has no opponent. If many have no game, as the reserves of
            // teams, the tournament is played so.
            let has_bye = missing.len() == 1 && !rounds.len().is_multiple_of(2);
            if has_bye || missing.len() * 4 > rounds.len() {
                continue;
            }
            for (player, before, behind, next) in missing {
                let listed = list.players().get(player).map(ListedPlayer::name);
                let name = listed.unwrap_or_else(|| {
                    let mut names = next.players.iter().map(|name| &**name);
                    names.find(|name| numbers.get(name) == Some(&player)).unwrap_or("a player")
                });
                let text =
                    format!("{} has games in rounds {before} and {behind}, and none in round {round}", short(name));
                self.add(next, FindingKind::MissingRound, text);
            }
        }
    }

    fn spellings(&mut self, list: &PlayerList) {
        let mut first: HashMap<&str, &Entry> = HashMap::new();
        for entry in self.entries {
            for name in entry.players.iter().filter(|name| !name.is_empty()) {
                first.entry(name).or_insert(entry);
            }
        }
        for player in list.players() {
            let Some(main) = player.names().iter().find(|name| name.sameness == Sameness::Main) else { continue };
            let is_other = |name: &&ListedName| matches!(name.sameness, Sameness::Spelling | Sameness::FideId);
            for name in player.names().iter().filter(is_other).chain(player.guesses()) {
                let Some(at) = first.get(&*name.count.name) else { continue };
                let (written, usual) = (short(&name.count.name), short(&main.count.name));
                let games = counted(main.count.games(), "game");
                let (kind, text) = if name.sameness.is_guess() {
                    let text = format!("{written} may be {usual}, who has {games}");
                    (FindingKind::PossibleSpelling, text)
                } else {
                    (FindingKind::Spelling, format!("{written} is {usual}, as the player is written in {games}"))
                };
                self.add(at, kind, text);
            }
        }
    }
}
