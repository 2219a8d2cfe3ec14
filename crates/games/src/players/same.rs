//! The names that are certainly of one player.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::players::groups::Groups;
use crate::players::listed::{ListedName, ListedPlayer, Sameness};
use crate::players::name_count::NameCount;
use crate::players::parts::Parts;
use pgn2fen_filters::players::{Player, Players, folded};

/// A player in the making.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) player: ListedPlayer,
    /// Whether the names file has the player.
    pub(super) is_known: bool,
    /// Whether all names are the same when they are folded, and no other player has them.
    pub(super) has_one_name: bool,
}

/// Returns the players of these names, which are sorted, and each of which occurs once with each FIDE id. Players of
/// the names file without games come last.
pub(super) fn listed(names: &[NameCount], known: &Players) -> Vec<Made> {
    let folds = fold_all(names);
    let mut groups = Groups::new(names.iter().map(|name| known_number(name, known)).collect());
    join(names, &folds, &mut groups);
    let mut members: Vec<(usize, usize)> = (0..names.len()).map(|name| (groups.of(name), name)).collect();
    members.sort_unstable();
    let owners = owners(names, &folds, &members, (known, &groups));

    let mut made = Vec::new();
    let mut is_met = vec![false; known.iter().len()];
    for group in members.chunk_by(|a, b| a.0 == b.0) {
        let of = group[0].0;
        let is_own = |name: &usize| owners[folds[*name] as usize] == Some(of);
        let (own, foreign): (Vec<usize>, Vec<usize>) = group.iter().map(|(_, name)| *name).partition(is_own);
        let player = groups.known(of).and_then(|number| {
            is_met[number as usize] = true;
            known.get(number)
        });
        made.push(Made::of(names, (&own, &foreign), player));
    }
    for (player, _) in known.iter().zip(is_met).filter(|(_, is_met)| !is_met) {
        made.push(Made::of(names, (&[], &[]), Some(player)));
    }
    name_apart(&mut made);
    made
}

/// Returns the number of each name among the names that are different when they are folded.
fn fold_all(names: &[NameCount]) -> Vec<u32> {
    let mut numbers: HashMap<Box<str>, u32> = HashMap::new();
    let number = |name: &NameCount| {
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        *numbers.entry(folded(&name.name).into()).or_insert(next)
    };
    names.iter().map(number).collect()
}

/// Returns the number of the player in the names file with this name. If the file has other FIDE ids of the player, it
/// is another player of the same name.
fn known_number(name: &NameCount, known: &Players) -> Option<u32> {
    let number = known.number(&name.name, name.fide_id)?;
    let ids = known.get(number)?.fide_ids();
    name.fide_id.is_none_or(|id| ids.is_empty() || ids.contains(&id)).then_some(number)
}

/// Joins names that are certainly of one player.
fn join(names: &[NameCount], folds: &[u32], groups: &mut Groups) {
    let (mut by_player, mut by_id) = (HashMap::new(), HashMap::new());
    for at in 0..names.len() {
        if let Some(number) = groups.known(at) {
            groups.join(*by_player.entry(number).or_insert(at), at);
        }
    }
    for (at, name) in names.iter().enumerate() {
        if let Some(id) = name.fide_id {
            groups.join(*by_id.entry(id).or_insert(at), at);
        }
    }
    let mut by_fold: Vec<usize> = (0..names.len()).collect();
    by_fold.sort_by_key(|at| folds[*at]);
    for same in by_fold.chunk_by(|a, b| folds[*a] == folds[*b]) {
        // Games without an id are those of the id with the most games.
        let mut games: BTreeMap<u32, (u64, usize)> = BTreeMap::new();
        for at in same {
            if let Some(id) = names[*at].fide_id {
                games.entry(id).or_insert((0, *at)).0 += names[*at].games();
            }
        }
        let without_id = same.iter().copied().filter(|at| names[*at].fide_id.is_none());
        let most = games.values().max_by_key(|(games, _)| *games).map(|(_, at)| *at);
        let first = without_id.clone().next();
        for at in without_id {
            groups.join(first.unwrap_or(at), at);
        }
        if let (Some(first), Some(most)) = (first, most) {
            let (of_first, of_most) = (groups.of(first), groups.of(most));
            // A name that the names file has is not that of somebody with another id.
            if groups.known(of_first).is_none() || groups.known(of_first) == groups.known(of_most) {
                groups.join(first, most);
            }
        }
    }
}

/// Returns for each folded name the group to which it belongs: that of the names file, or else the one with the most
/// games. None if the names file gives it to a player without games.
fn owners(
    names: &[NameCount],
    folds: &[u32],
    members: &[(usize, usize)],
    (known, groups): (&Players, &Groups),
) -> Vec<Option<usize>> {
    let count = folds.iter().max().map_or(0, |last| *last as usize + 1);
    let mut owners = vec![None; count];
    let mut of_player = HashMap::new();
    let mut games: Vec<(u32, usize, u64)> = Vec::with_capacity(members.len());
    for (group, name) in members {
        games.push((folds[*name], *group, names[*name].games()));
        if let Some(number) = groups.known(*group) {
            of_player.insert(number, *group);
        }
    }
    games.sort_unstable();
    let mut most = vec![0; count];
    for same in games.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let (fold, group) = (same[0].0 as usize, same[0].1);
        let sum = same.iter().map(|(_, _, games)| games).sum();
        if owners[fold].is_none() || sum > most[fold] {
            (owners[fold], most[fold]) = (Some(group), sum);
        }
    }
    if !known.is_empty() {
        for (name, fold) in names.iter().zip(folds) {
            if let Some(number) = known.number(&name.name, None) {
                owners[*fold as usize] = of_player.get(&number).copied();
            }
        }
    }
    owners
}

impl Made {
    /// Makes the player with these names, of which the `foreign` ones belong to others. `of_file` is the player in the
    /// names file.
    fn of(names: &[NameCount], (own, foreign): (&[usize], &[usize]), of_file: Option<&Player>) -> Self {
        let is_known = of_file.is_some();
        let mut ids: BTreeSet<u32> = own.iter().chain(foreign).filter_map(|name| names[*name].fide_id).collect();
        let mut listed = merged(names, own, Sameness::FideId);
        let namesakes = merged(names, foreign, Sameness::Namesake);
        let (main, further): (Box<str>, Vec<&str>) = match of_file {
            Some(player) => {
                ids.extend(player.fide_ids());
                (player.name().into(), player.further_names().collect())
            }
            None => match listed.iter().max_by_key(|name| fitness(&name.count)) {
                Some(main) => (main.count.name.clone(), Vec::new()),
                None => (namesake(&namesakes, &ids), Vec::new()),
            },
        };
        let main_fold = folded(&main);
        let in_file: HashSet<&str> = further.iter().copied().collect();
        let file_folds: HashSet<String> = further.iter().map(|name| folded(name)).collect();
        for name in &mut listed {
            let fold = folded(&name.count.name);
            name.sameness = match () {
                () if name.count.name == main => Sameness::Main,
                () if in_file.contains(&*name.count.name) => Sameness::Known,
                () if fold == main_fold || file_folds.contains(&fold) => Sameness::Spelling,
                () => Sameness::FideId,
            };
        }
        let has_one_name = foreign.is_empty() && listed.iter().all(|name| folded(&name.count.name) == main_fold);
        let met: HashSet<Box<str>> = listed.iter().map(|name| name.count.name.clone()).collect();
        let of_file = std::iter::once((&*main, Sameness::Main));
        let of_file = of_file.chain(further.iter().map(|name| (*name, Sameness::Known)));
        for (name, sameness) in of_file.filter(|(name, _)| !met.contains(*name)) {
            listed.push(ListedName { count: NameCount::none(name), sameness, fide_ids: Vec::new() });
        }
        listed.extend(namesakes);
        listed.sort_by_key(|name| (name.sameness != Sameness::Main, std::cmp::Reverse(name.count.games())));
        let fide_ids = ids.into_iter().collect();
        let player = ListedPlayer { name: main, names: listed, guesses: Vec::new(), related: Vec::new(), fide_ids };
        Self { player, is_known, has_one_name }
    }
}

/// Returns these names, each once, however many FIDE ids it has.
fn merged(names: &[NameCount], of: &[usize], sameness: Sameness) -> Vec<ListedName> {
    let mut merged: Vec<ListedName> = Vec::new();
    for name in of.iter().map(|name| &names[*name]) {
        match merged.last_mut() {
            Some(last) if last.count.name == name.name => {
                last.count.add(name);
                last.fide_ids.extend(name.fide_id);
            }
            _ => {
                let fide_ids = name.fide_id.into_iter().collect();
                merged.push(ListedName { count: NameCount { fide_id: None, ..name.clone() }, sameness, fide_ids });
            }
        }
    }
    merged
}

/// Returns how well a name fits as the main one: full names with a comma are best, then full names, then those with
/// more games.
fn fitness(name: &NameCount) -> (u8, u64, usize) {
    let parts = Parts::of(&name.name);
    let form = match parts {
        Some(parts) if !parts.has_initials_only() => 1 + u8::from(parts.has_comma),
        _ => 0,
    };
    (form, name.games(), name.name.len())
}

/// Returns the main name of a player all of whose names belong to others: a name with the FIDE id.
fn namesake(names: &[ListedName], ids: &BTreeSet<u32>) -> Box<str> {
    let name = names.iter().max_by_key(|name| fitness(&name.count)).map_or("", |name| &name.count.name);
    let id = ids.first().map_or_else(|| "2".to_owned(), u32::to_string);
    format!("{name} ({id})").into()
}

/// Changes main names that were made up and that somebody else has.
fn name_apart(made: &mut [Made]) {
    let is_made_up = |made: &Made| made.player.names.iter().any(|name| name.sameness == Sameness::Namesake);
    if !made.iter().any(is_made_up) {
        return;
    }
    let of_others = |made: &Made| {
        let own = made.player.names.iter().filter(|name| name.sameness != Sameness::Namesake && name.count.games() > 0);
        own.map(|name| folded(&name.count.name)).collect::<Vec<_>>()
    };
    let mut taken: HashSet<String> = made.iter().flat_map(of_others).collect();
    for Made { player, .. } in made.iter_mut().filter(|made| is_made_up(made)) {
        let has_games = player.names.first().is_some_and(|name| name.count.games() > 0);
        while !has_games && !taken.insert(folded(&player.name)) {
            player.name = format!("{} (2)", player.name).into();
            if let Some(main) = player.names.first_mut() {
                main.count.name = player.name.clone();
            }
        }
    }
}
