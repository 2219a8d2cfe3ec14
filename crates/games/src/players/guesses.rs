//! Players who may be the same.
//!
//! A guess leads from a player to another one whose name is fuller. It is found by a key that both names have, such as
//! the family name and the initials. If several players have the key, there is no guess.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash, Hasher};

use crate::players::listed::{ListedPlayer, Sameness};
use crate::players::parts::Parts;
use crate::players::same::Made;
use pgn2fen_filters::players::folded;

/// The greatest number of years between the games of one player.
const MOST_YEARS: u16 = 50;

/// The greatest number of first names that are compared.
const MOST_WORDS: usize = 6;

/// The greatest number of guesses that lead from one player to the next.
const MOST_STEPS: usize = 16;

/// The kinds of guesses. Players who are joined by one kind count as one for the next.
const KINDS: [Sameness; 5] =
    [Sameness::Order, Sameness::Letters, Sameness::FirstNames, Sameness::Abbreviation, Sameness::Initials];

/// The numbers of letters of an abbreviated first name.
const ABBREVIATED: std::ops::RangeInclusive<usize> = 2..=3;

/// Returns the players with guesses. Players with a single name who may be others become guesses of these.
pub(super) fn guess(mut made: Vec<Made>) -> Vec<ListedPlayer> {
    let years: Vec<Option<(u16, u16)>> = made.iter().map(years).collect();
    let mut links = Links(vec![None; made.len()]);
    for kind in KINDS {
        let targets = targets(&made, kind, &links);
        for (at, child) in made.iter().enumerate() {
            if child.is_known || links.0[at].is_some() {
                continue;
            }
            let key = Parts::of(&child.player.name).and_then(|parts| asked_key(kind, &child.player.name, &parts));
            let Some(Some(target)) = key.and_then(|key| targets.get(&key)).copied() else {
                continue;
            };
            let root = links.root(target);
            let may_be = |other: usize| {
                may_have_ids(&child.player.fide_ids, &made[other].player.fide_ids) && are_near(years[at], years[other])
            };
            if root != Some(at) && target != at && may_be(target) && root.is_some_and(may_be) {
                links.0[at] = Some((target, kind));
            }
        }
    }
    let is_block: Vec<bool> = (0..made.len()).map(|at| links.0[at].is_none() || !made[at].has_one_name).collect();
    for at in 0..made.len() {
        let Some((target, kind)) = links.0[at] else {
            continue;
        };
        let Some(block) = links.above(target).find(|above| is_block[*above]) else {
            continue;
        };
        if is_block[at] {
            let name = made[at].player.name.clone();
            made[block].player.related.push(name);
        } else {
            let names = std::mem::take(&mut made[at].player.names);
            let guesses = &mut made[block].player.guesses;
            guesses.extend(names.into_iter().map(|mut name| {
                name.sameness = kind;
                name
            }));
        }
    }
    let blocks = made.into_iter().zip(is_block).filter(|(_, is_block)| *is_block);
    let sorted = blocks.map(|(Made { mut player, .. }, _)| {
        player.guesses.sort_by(|a, b| {
            let key = |games| Reverse::<u64>(games);
            key(a.count.games()).cmp(&key(b.count.games())).then_with(|| a.count.name.cmp(&b.count.name))
        });
        player.related.sort();
        player
    });
    sorted.collect()
}

/// For each player, the one who may be the same, and why.
struct Links(Vec<Option<(usize, Sameness)>>);

impl Links {
    /// Returns a player and those to whom guesses lead, one after another.
    fn above(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(at), |at| self.0[*at].map(|(next, _)| next)).take(MOST_STEPS)
    }

    /// Returns the player to whom the guesses lead at last; None if there are too many steps.
    fn root(&self, at: usize) -> Option<usize> {
        self.above(at).last().filter(|last| self.0[*last].is_none())
    }
}

/// Returns the players with each key of a kind. None for a key of several players.
fn targets(made: &[Made], kind: Sameness, links: &Links) -> HashMap<u64, Option<usize>> {
    let mut targets: HashMap<u64, Option<usize>> = HashMap::new();
    for (at, target) in made.iter().enumerate() {
        let root = links.root(at);
        for name in target.player.names.iter().map(|name| &*name.count.name) {
            let Some(parts) = Parts::of(name) else {
                continue;
            };
            each_key(kind, name, &parts, |key| match targets.entry(key) {
                Entry::Vacant(free) => {
                    free.insert(Some(at));
                }
                Entry::Occupied(mut taken) => {
                    let Some(other) = *taken.get() else {
                        return;
                    };
                    if kind == Sameness::Letters {
                        let games = |at: usize| (made[at].is_known, made[at].player.games());
                        if games(at) > games(other) {
                            taken.insert(Some(at));
                        }
                    } else if other != at && (root.is_none() || links.root(other) != root) {
                        taken.insert(None);
                    }
                }
            });
        }
    }
    targets
}

/// Calls a function with the keys of a name to which guesses of a kind may lead.
fn each_key(kind: Sameness, name: &str, parts: &Parts, mut take: impl FnMut(u64)) {
    let Parts { family, first, has_comma } = parts;
    match kind {
        Sameness::Order if *has_comma && !first.is_empty() => take(hash(&(family, first))),
        Sameness::Letters => take(hash(&without_letters(name))),
        Sameness::FirstNames => {
            let count = first.len().min(MOST_WORDS);
            (1..count).for_each(|count| take(hash(&(family, &first[..count]))));
        }
        Sameness::Abbreviation => {
            for length in ABBREVIATED {
                // A name that is longer by one letter only is another name, such as Yue for Yu.
                let end = first.first().and_then(|first| first.char_indices().nth(length));
                if let Some((end, _)) = end.filter(|(end, _)| first[0][*end..].chars().count() > 1) {
                    take(hash(&(family, &first[0][..end])));
                }
            }
        }
        Sameness::Initials if !parts.has_initials_only() => {
            let initials: Vec<char> = parts.initials().take(MOST_WORDS).collect();
            (0..=initials.len()).for_each(|count| take(hash(&(family, &initials[..count]))));
        }
        _ => {}
    }
}

/// Returns the key of a name from which a guess of a kind may lead to another.
fn asked_key(kind: Sameness, name: &str, parts: &Parts) -> Option<u64> {
    let Parts { family, first, has_comma } = parts;
    match kind {
        Sameness::Order if !has_comma && !first.is_empty() => Some(hash(&(family, first))),
        Sameness::Letters => Some(hash(&without_letters(name))),
        Sameness::FirstNames if !parts.has_initials_only() => Some(hash(&(family, &first[..]))),
        Sameness::Abbreviation if first.len() == 1 && ABBREVIATED.contains(&first[0].chars().count()) => {
            Some(hash(&(family, &*first[0])))
        }
        Sameness::Initials if parts.has_initials_only() => {
            Some(hash(&(family, &parts.initials().collect::<Vec<_>>()[..])))
        }
        _ => None,
    }
}

/// Returns a name without blanks and without the second letters of `ae`, `oe` and `ue` within words. At the end of a
/// word these are no other form of a single letter, as in `Wang, Yue`.
fn without_letters(name: &str) -> String {
    let mut short = String::new();
    for word in folded(name).split(' ') {
        let (within, last) = word.split_at(word.char_indices().next_back().map_or(0, |(last, _)| last));
        short += &within.replace("ae", "a").replace("oe", "o").replace("ue", "u");
        short += last;
    }
    short
}

fn hash(key: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// Returns the years of the first and the last game of a player.
fn years(made: &Made) -> Option<(u16, u16)> {
    let years = made.player.names.iter().filter_map(|name| name.count.years);
    years.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn are_near(a: Option<(u16, u16)>, b: Option<(u16, u16)>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a.0.max(b.0).saturating_sub(a.1.min(b.1)) <= MOST_YEARS)
}

/// Whether players with these FIDE ids may be the same.
fn may_have_ids(a: &[u32], b: &[u32]) -> bool {
    a.is_empty() || b.is_empty() || a.iter().any(|id| b.contains(id))
}

#[cfg(test)]
mod tests {
    use crate::players::list::PlayerList;
    use crate::players::name_count::NameCount;
    use pgn2fen_filters::players::Players;

    /// Returns the list of these names: `Name;id;games;first year-last year`, of which all but the name may be missing.
    fn list(names: &[&str], known: &str) -> PlayerList {
        let mut counts: Vec<NameCount> = names
            .iter()
            .map(|text| {
                let mut parts = text.split(';');
                let name = parts.next().unwrap().into();
                let fide_id = parts.next().and_then(|id| id.parse().ok());
                let white = parts.next().and_then(|games| games.parse().ok()).unwrap_or(1);
                let years = parts.next().and_then(|years| years.split_once('-'));
                let years = years.map(|(first, last)| (first.parse().unwrap(), last.parse().unwrap()));
                NameCount { name, fide_id, white, black: 0, years, ratings: None }
            })
            .collect();
        counts.sort_by(|a, b| (&a.name, a.fide_id).cmp(&(&b.name, b.fide_id)));
        PlayerList::new(&counts, &known.parse::<Players>().unwrap())
    }

    /// Compares the players: `Main|further name = reason|guess? reason|~ related name`.
    #[track_caller]
    fn check_with(names: &[&str], known: &str, expected: &[&str]) {
        let list = list(names, known);
        let shown = list.players().iter().map(|player| {
            let names = player.names().iter().skip(1);
            let names = names.map(|name| format!("|{} = {}", name.count.name, name.sameness.name()));
            let guesses = player.guesses().iter();
            let guesses = guesses.map(|name| format!("|{}? {}", name.count.name, name.sameness.name()));
            let related = player.related().map(|name| format!("|~ {name}"));
            player.name().to_owned() + &names.chain(guesses).chain(related).collect::<String>()
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected);
        // Each list is a names file, with guesses and without them.
        let mut file = Vec::new();
        list.write(&mut file).unwrap();
        let file = String::from_utf8(file).unwrap();
        for file in [file.replace("#?", "  "), file] {
            file.parse::<Players>().expect(&file);
        }
    }

    #[track_caller]
    fn check(names: &[&str], expected: &[&str]) {
        check_with(names, "", expected);
    }

    #[test]
    fn names_with_the_same_id_or_spelling_are_one_player() {
        check(&["Carlsen,M;5;9", "Carlsen, Magnus;5", "MC;5"], &["Carlsen, Magnus|Carlsen,M = fide|MC = fide"]);
        check(&["Tal, M;;2", "TAL M.", "Tal,M"], &["Tal, M|TAL M. = spelling|Tal,M = spelling"]);
        check(&["Tal, M;7;2", "TAL M."], &["Tal, M|TAL M. = spelling"]);
        check(&["Wang, Li;1;5", "Wang, Li;2;3", "Wang, Li"], &["Wang, Li", "Wang, Li (2)|Wang, Li = namesake"]);
        check(&["A, B;1;2", "A, B;2", "X;2"], &["A, B", "X|A, B = namesake"]);
        check(&["A;1;2", "A;2", "A (2)"], &["A", "A (2)", "A (2) (2)|A = namesake"]);
    }

    #[test]
    fn a_guess_leads_to_a_fuller_name() {
        check(&["Carlsen, Magnus", "Magnus Carlsen"], &["Carlsen, Magnus|Magnus Carlsen? order"]);
        check(
            &["Carlsen, Magnus", "Carlsen,M", "M. Carlsen", "Carlsen"],
            &["Carlsen, Magnus|Carlsen? initials|Carlsen,M? initials|M. Carlsen? order"],
        );
        check(&["Wang, Yu", "Wang, Yue;;2"], &["Wang, Yue", "Wang, Yu"]);
        check(&["Vachier Lagrave", "VachierLagrave;;2"], &["VachierLagrave|Vachier Lagrave? letters"]);
        check(
            &["Smith, John", "Smith, John A", "Smith, J"],
            &["Smith, John A|Smith, J? initials|Smith, John? first-names"],
        );
        check(
            &["Nakamura,Hi", "Nakamura, Hikaru", "Nakamura,H"],
            &["Nakamura, Hikaru|Nakamura,H? initials|Nakamura,Hi? abbreviation"],
        );
        check(&["Smith,JR", "Smith, John Robert"], &["Smith, John Robert|Smith,JR? initials"]);
        check(&["Smith, J.R.", "Smith, John Robert"], &["Smith, John Robert|Smith, J.R.? initials"]);
        // Names in other scripts have letters of other lengths.
        check(
            &["Карпов, А", "Карпов, Анатолий", "Карпов, Ан"],
            &["Карпов, Анатолий|Карпов, А? initials|Карпов, Ан? abbreviation"],
        );
    }

    // Without the feature, letters keep their accents.
    #[cfg(feature = "names")]
    #[test]
    fn letters_with_accents_lead_to_their_spelling_without() {
        check(&["Müller, K", "Mueller, K;;2"], &["Mueller, K|Müller, K? letters"]);
    }

    #[test]
    fn what_fits_several_players_is_no_guess() {
        check(&["Wang, Li", "Wang, Lei", "Wang,L"], &["Wang, Lei", "Wang, Li", "Wang,L"]);
        check(&["Li, Wang", "Wang, Li"], &["Li, Wang", "Wang, Li"]);
        check(&["Smith, John A", "Smith, John B", "Smith, John"], &["Smith, John", "Smith, John A", "Smith, John B"]);
        check(&["A, Bcd;1", "A, B;2"], &["A, B", "A, Bcd"]);
        check(&["A, Bcd;;1;1850-1860", "A, B;;1;1911-1920"], &["A, B", "A, Bcd"]);
        check(&["A, Bcd;;1;1850-1860", "A, B;;1;1910-1920"], &["A, Bcd|A, B? initials"]);
    }

    #[test]
    fn a_player_with_several_names_stays_in_the_list() {
        check(&["Tal, Mikhail", "Tal,M;5", "Misha;5"], &["Tal,M|Misha = fide", "Tal, Mikhail|~ Tal,M"]);
    }

    #[test]
    fn the_names_file_comes_first() {
        let known = "Carlsen, M\n  MC\n  FIDE 5\nCarlsen\n";
        check_with(
            &["Carlsen, Magnus", "MC;;2", "carlsen", "X;5"],
            known,
            &["Carlsen, M|MC = known|X = fide", "Carlsen|carlsen = spelling", "Carlsen, Magnus"],
        );
        check_with(&[], known, &["Carlsen", "Carlsen, M|MC = known"]);
        check_with(
            &["Carlsen, M;6", "Carlsen, M;;2"],
            "Carlsen, M\n  FIDE 5\n",
            &["Carlsen, M", "Carlsen, M (6)|Carlsen, M = namesake"],
        );
    }
}
