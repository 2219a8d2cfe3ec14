//! The tags of a game in JSON, as the PGN export of Lichess has them.

use std::borrow::Cow;

use crate::game_text::{Spacing, digits, pair, pair_of};
use crate::games::GameParts;
use crate::records::game::Game;
use crate::records::json::Object;
use crate::records::players::Player;
use pgn2fen_pgn::token::Outcome;

/// Takes the name of a tag and its value, each in parts.
type TagVisitor<'v> = dyn FnMut([&str; 2], &[&[u8]]) + 'v;

impl Game<'_> {
    /// Returns the name of the variant, as the tag has it.
    pub(super) fn variant_name(&self) -> Option<Cow<'static, str>> {
        let key = self.variant.0.name().or_else(|| self.rules.text())?;
        Some(match key {
            "standard" | "chess" => "Standard".into(),
            "fromPosition" => "From Position".into(),
            "kingOfTheHill" | "kingofthehill" => "King of the Hill".into(),
            "threeCheck" | "threecheck" => "Three-check".into(),
            "racingKings" => "Racing Kings".into(),
            key => {
                let mut letters = key.chars();
                letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect()).into()
            }
        })
    }

    /// Appends tags that a game has beside its PGN: the variant, its address on chess.com, and what the sites say of
    /// it.
    pub(super) fn append_missing_tags(&self, pgn: &[u8], spacing: Spacing, parts: GameParts, out: &mut Vec<u8>) {
        let variant = self.variant_name().filter(|name| name != "Standard" && name != "From Position");
        if !parts.tags && variant.is_none() {
            return;
        }
        let names = tag_names(pgn);
        let mut tag = |name: [&str; 2], value: &str| {
            if !names.iter().any(|text| is_name(text, name)) {
                pair_of(out, name.map(str::as_bytes), &[value.as_bytes()], spacing);
            }
        };
        if let Some(variant) = variant {
            tag(["Variant", ""], &variant);
        }
        if !parts.tags {
            return;
        }
        if let Some(link) = self.url.text().filter(|_| !self.is_of_lichess()) {
            tag(["Link", ""], link);
        }
        self.visit_site_tags(tag);
    }

    /// Visits the tags that no PGN of the sites has: the speed of games of chess.com, and what the analysis of either
    /// site says of the players. A name has two parts.
    fn visit_site_tags(&self, mut visit: impl FnMut([&str; 2], &str)) {
        if let Some(speed) = self.time_class.text() {
            visit(["TimeClass", ""], speed);
        }
        let (players, accuracies) = (&self.players.0, &self.accuracies.0);
        let both = [("White", &players.white.0, &accuracies.white), ("Black", &players.black.0, &accuracies.black)];
        for (color, player, accuracy) in both {
            for (name, value) in player.analysis.0.tags().into_iter().chain([("Accuracy", accuracy)]) {
                if let Some(value) = value.shown() {
                    visit([color, name], &value);
                }
            }
        }
    }

    /// Appends the tags of a game without PGN, in the order of the PGN export of Lichess.
    pub(super) fn append_tags(&self, spacing: Spacing, parts: GameParts, out: &mut Vec<u8>) {
        let start = out.len();
        let mut tag = |name: [&str; 2], value: &[&[u8]]| {
            if value.iter().any(|part| !part.is_empty()) {
                pair_of(out, name.map(str::as_bytes), value, spacing);
            }
        };
        if parts.tags {
            self.visit_event_tags(&mut tag);
        }
        let lichess = self.is_of_lichess();
        let of = |both: &Object<Player<'_>>, players: &Object<Player<'_>>| both.0.name().or_else(|| players.0.name());
        let anonymous = || lichess.then(|| "Anonymous".to_owned());
        let players = &self.players.0;
        for (color, player, other) in [("White", &players.white, &self.white), ("Black", &players.black, &self.black)] {
            tag([color, ""], &[of(player, other).or_else(anonymous).unwrap_or_default().as_bytes()]);
        }
        let outcome = self.outcome();
        if lichess || outcome != Outcome::Unknown {
            tag(["Result", ""], &[outcome.as_str().as_bytes()]);
        }
        if parts.tags {
            self.visit_player_tags(&mut tag);
        }
        tag(["Variant", ""], &[self.variant_name().unwrap_or_default().as_bytes()]);
        if parts.tags {
            self.visit_course_tags(&mut tag);
        }
        if let Some(fen) = self.initial_fen.text().or_else(|| self.initial_setup.text()) {
            tag(["FEN", ""], &[fen.as_bytes()]);
            tag(["SetUp", ""], &[b"1"]);
        }
        if out.len() == start {
            // A tag pair ends whatever the record before has left open.
            pair(out, b"Event", b"?", spacing);
        }
    }

    /// Visits the tags before those of the players: the event, the place and the date.
    fn visit_event_tags(&self, tag: &mut TagVisitor<'_>) {
        if self.is_of_lichess() {
            self.event(|event| tag(["Event", ""], event));
            let id = self.id.text().unwrap_or_default().as_bytes();
            tag(["Site", ""], &[b"https://lichess.org/", id]);
            tag(["GameId", ""], &[id]);
        } else if let Some(url) = self.url.text() {
            tag(["Site", ""], &[b"Chess.com"]);
            tag(["Link", ""], &[url.as_bytes()]);
        }
        let mut moment = Vec::new();
        let [created, ended] = self.created_and_ended();
        if let Some((day, _)) = created.or(ended).and_then(|seconds| day_and_time(seconds, &mut moment)) {
            tag(["Date", ""], &[day]);
        }
        if self.is_of_lichess() {
            tag(["Round", ""], &[b"-"]);
        }
    }

    /// Visits the tags behind the result: the times, and what is known of the players.
    fn visit_player_tags(&self, tag: &mut TagVisitor<'_>) {
        let mut moment = Vec::new();
        for (prefix, seconds) in ["UTC", "End"].into_iter().zip(self.created_and_ended()) {
            if let Some((day, time)) = seconds.and_then(|seconds| day_and_time(seconds, &mut moment)) {
                tag([prefix, "Date"], &[day]);
                tag([prefix, "Time"], &[time]);
            }
        }
        let unknown = self.unknown();
        let players = &self.players.0;
        let both = [("White", &players.white.0, &self.white.0), ("Black", &players.black.0, &self.black.0)];
        for (color, player, other) in both {
            let rating = player.rating.shown().or_else(|| other.rating.shown());
            tag([color, "Elo"], &[rating.as_deref().unwrap_or(unknown).as_bytes()]);
        }
        for (color, player, _) in both {
            if let Some(diff) = player.rating_diff.integer() {
                tag([color, "RatingDiff"], &[format!("{diff:+}").as_bytes()]);
            }
        }
        for (color, player, _) in both {
            tag([color, "Title"], &[player.title().unwrap_or_default().as_bytes()]);
        }
        for (color, player, _) in both {
            tag([color, "Team"], &[player.team.text().unwrap_or_default().as_bytes()]);
            tag([color, "Berserk"], &[if player.berserk.is_true() { b"true" } else { b"" }]);
        }
    }

    /// Visits the tags behind the variant: the clock, the opening, the end, and what only JSON has.
    fn visit_course_tags(&self, tag: &mut TagVisitor<'_>) {
        let unknown = self.unknown();
        tag(["TimeControl", ""], &[self.time_control(self.is_of_lichess()).as_bytes()]);
        tag(["ECO", ""], &[self.opening.0.eco.text().unwrap_or(unknown).as_bytes()]);
        tag(["Opening", ""], &[self.opening.0.name.text().unwrap_or(unknown).as_bytes()]);
        tag(["Termination", ""], &[self.termination().as_bytes()]);
        self.visit_site_tags(|name, value| tag(name, &[value.as_bytes()]));
    }

    /// Returns the value of the tags that Lichess always writes, where it is not known.
    fn unknown(&self) -> &'static str {
        if self.is_of_lichess() { "?" } else { "" }
    }

    /// Returns the times at which the game began and ended, in seconds since 1970.
    fn created_and_ended(&self) -> [Option<i64>; 2] {
        [self.created_at.integer().map(|milliseconds| milliseconds.div_euclid(1000)), self.end_time.integer()]
    }

    /// Calls a function with the parts of the name of the event.
    fn event(&self, name: impl FnOnce(&[&[u8]])) {
        if self.source.text() == Some("import") {
            return name(&[b"Import"]);
        }
        let rated: &[u8] = if self.rated.is_true() { b"rated " } else { b"casual " };
        let perf = self.perf.0.name().or_else(|| self.speed.text()).unwrap_or_default().as_bytes();
        match self.arena.0.id().or_else(|| self.tournament.0.id()) {
            Some(id) => name(&[rated, perf, b" tournament https://lichess.org/tournament/", id.as_bytes()]),
            None => name(&[rated, perf, b" game"]),
        }
    }

    fn time_control(&self, lichess: bool) -> String {
        let clock = &self.clock.0;
        match (clock.initial.integer(), self.days_per_turn.integer()) {
            (Some(initial), _) => format!("{initial}+{}", clock.increment.integer().unwrap_or(0)),
            (None, Some(1)) => "1 day per move".to_owned(),
            (None, Some(days)) => format!("{days} days per move"),
            (None, None) => self.time_control.text().unwrap_or(if lichess { "-" } else { "" }).to_owned(),
        }
    }

    fn termination(&self) -> &'static str {
        match self.status.text() {
            Some("created" | "started") => "Unterminated",
            Some("aborted" | "noStart") => "Abandoned",
            Some("timeout" | "outoftime") => "Time forfeit",
            Some("resign" | "draw" | "stalemate" | "mate" | "variantEnd") => "Normal",
            Some("insufficientMaterialClaim") => "Insufficient material",
            Some("cheat") => "Rules infraction",
            Some("unknownFinish") => "Unknown",
            _ => "",
        }
    }
}

/// Returns the text behind each bracket that may open a tag pair, up to the first empty line.
fn tag_names(pgn: &[u8]) -> Vec<&[u8]> {
    let mut names = Vec::with_capacity(32);
    for at in memchr::memchr2_iter(b'[', b'\n', pgn) {
        match &pgn[at..] {
            [b'[', name @ ..] => names.push(name),
            [b'\n', b'\n', ..] | [b'\n', b'\r', b'\n', ..] => break,
            _ => {}
        }
    }
    names
}

/// Whether a text begins with a name of these parts.
fn is_name(text: &[u8], [first, second]: [&str; 2]) -> bool {
    let rest = text.strip_prefix(first.as_bytes()).and_then(|rest| rest.strip_prefix(second.as_bytes()));
    rest.is_some_and(|rest| rest.starts_with(b" "))
}

/// Returns the date and the time of a number of seconds since 1970, as tags have them. They are written into a buffer.
fn day_and_time(seconds: i64, buffer: &mut Vec<u8>) -> Option<(&[u8], &[u8])> {
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400).unsigned_abs());
    buffer.clear();
    pgn2fen_pgn::date::append_day(day, buffer);
    let end = buffer.len();
    digits(buffer, second / 3600, 2);
    for rest in [second / 60 % 60, second % 60] {
        buffer.push(b':');
        digits(buffer, rest, 2);
    }
    (end > 0).then(|| buffer.split_at(end))
}
