//! Progress: a bar on a terminal, or a line every few seconds elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::options::running::{RunningArguments, When};
use crate::unit::Unit;
use pgn2fen_games::database::{Meter, Source};
use pgn2fen_games::messages::counted;
use pgn2fen_games::walk::Count;

/// The time before the bar appears. Short runs show none.
const PATIENCE: Duration = Duration::from_millis(300);
/// The time between two updates of the bar.
const FRAME: Duration = Duration::from_millis(100);
/// The time between two lines if there is no terminal.
const LINE: Duration = Duration::from_secs(5);

/// Shows progress. Dropping it removes the bar.
#[derive(Debug)]
pub(crate) struct Progress {
    display: Display,
    /// The size of all files in bytes, if known.
    total: Option<u64>,
    /// The number of bytes read from earlier files. Without a meter, the bytes delivered from this file are included.
    read: u64,
    /// The exact count of bytes read from this file; None if the source has none.
    meter: Option<Meter>,
    begun: Instant,
    /// The time of the next update.
    next: Instant,
    unit: Unit,
}

#[derive(Debug)]
enum Display {
    Nothing,
    Bar { bar: ProgressBar, is_drawn: bool },
    Lines,
}

impl Progress {
    /// Begins to show progress through `total` bytes, which are counted only if it is shown. With `output_is_terminal`,
    /// `--progress auto` shows no bar, because it would disturb the output.
    pub(crate) fn new(
        arguments: &RunningArguments,
        output_is_terminal: bool,
        total: impl FnOnce() -> Option<u64>,
        unit: Unit,
    ) -> Self {
        let is_terminal = io::stderr().is_terminal();
        let is_wanted = match arguments.progress {
            When::Auto => is_terminal && !output_is_terminal && !arguments.quiet,
            When::Always => true,
            When::Never => false,
        };
        let total = if is_wanted { total().filter(|total| *total > 0) } else { None };
        let begun = Instant::now();
        let (display, next) = match (is_wanted, is_terminal) {
            (false, _) => (Display::Nothing, begun),
            (true, true) => (Display::Bar { bar: bar(total), is_drawn: false }, begun + PATIENCE),
            (true, false) => (Display::Lines, begun),
        };
        Self { display, total, read: 0, meter: None, begun, next, unit }
    }

    /// Notes that the next deliveries come from this source.
    pub(crate) fn begin_file(&mut self, source: &Source) {
        self.read = self.position();
        self.meter = source.meter();
    }

    /// Notes a delivery of bytes. `count` is the total of the run so far.
    pub(crate) fn deliver(&mut self, bytes: usize, count: Count) {
        if matches!(self.display, Display::Nothing) {
            return;
        }
        if self.meter.is_none() {
            self.read += bytes as u64;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        let position = self.position();
        let message = describe(position, self.total, self.unit, count, now - self.begun);
        self.show(now, position, message);
    }

    /// Shows the progress of writing: `done` of `all` parts.
    pub(crate) fn show_writing(&mut self, done: usize, all: usize) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        let share = done as u64 * self.total.unwrap_or(0) / all.max(1) as u64;
        self.show(now, share, format!("writing, {done} of {all} parts"));
    }

    fn show(&mut self, now: Instant, position: u64, message: String) {
        match &mut self.display {
            Display::Nothing => {}
            Display::Bar { bar, is_drawn } => {
                *is_drawn = true;
                bar.set_position(position);
                bar.set_message(message);
                self.next = now + FRAME;
            }
            Display::Lines => {
                // A line that cannot be written is not an error.
                let _ = writeln!(io::stderr(), "progress: {message}");
                self.next = now + LINE;
            }
        }
    }

    /// Hides the bar while `print` runs.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        match &self.display {
            Display::Bar { bar, is_drawn: true } => bar.suspend(print),
            _ => print(),
        }
    }

    /// Returns the number of bytes read so far.
    fn position(&self) -> u64 {
        self.read + self.meter.as_ref().map_or(0, Meter::bytes)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Display::Bar { bar, .. } = &self.display {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let template = if total.is_some() { "[{bar:10}] {wide_msg}" } else { "{wide_msg}" };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total.unwrap_or(0)).with_style(style.progress_chars("=> "))
}

/// Describes the progress: `1.2 of 3.4 GiB, 12 s left, 1,204,332 games, 9.81 M positions/s`. The bar and this text fit
/// in 80 columns.
fn describe(position: u64, total: Option<u64>, unit: Unit, count: Count, elapsed: Duration) -> String {
    let games = counted(count.games, "game");
    let seconds = elapsed.as_secs_f64().max(1e-6);
    let rate = match unit {
        Unit::Position => rate(count.positions as f64 / seconds, "positions"),
        // Only a few games are printed, but all are read.
        Unit::Start | Unit::Game | Unit::Copy => rate(count.games as f64 / seconds, "games"),
    };
    let Some(total) = total else {
        let (read, unit) = in_unit(position, position);
        return format!("{read} {unit}, {games}, {rate}");
    };
    let (read, _) = in_unit(position, total);
    let (whole, unit) = in_unit(total, total);
    // The average over the whole run varies less than a recent rate.
    let left = u128::from(total.saturating_sub(position)) * elapsed.as_millis() / u128::from(position.max(1));
    format!("{read} of {whole} {unit}, {} left, {games}, {rate}", time(left / 1000))
}

/// Returns a number of bytes in the unit that fits `whole`, and the unit.
fn in_unit(bytes: u64, whole: u64) -> (String, &'static str) {
    let (size, unit) = match whole {
        0..0x400 => return (bytes.to_string(), "B"),
        0x400..0x10_0000 => (0x400u64, "KiB"),
        0x10_0000..0x4000_0000 => (0x10_0000, "MiB"),
        _ => (0x4000_0000, "GiB"),
    };
    (format!("{:.1}", bytes as f64 / size as f64), unit)
}

fn rate(rate: f64, unit: &str) -> String {
    if rate < 1e6 { format!("{rate:.0} {unit}/s") } else { format!("{:.2} M {unit}/s", rate / 1e6) }
}

fn time(seconds: u128) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::describe;
    use crate::unit::Unit;
    use pgn2fen_games::walk::Count;

    #[track_caller]
    fn check(position: u64, total: Option<u64>, milliseconds: u64, expected: &str) {
        let count = Count { games: 1_204, wanted: 1_204, positions: 100_000 };
        assert_eq!(describe(position, total, Unit::Position, count, Duration::from_millis(milliseconds)), expected);
    }

    #[test]
    fn progress_is_told_in_bytes_games_and_time() {
        check(1024, Some(4096), 10_000, "1.0 of 4.0 KiB, 30 s left, 1,204 games, 10000 positions/s");
        check(100, Some(1 << 20), 20, "0.0 of 1.0 MiB, 3 min 29 s left, 1,204 games, 5.00 M positions/s");
        check(1 << 30, Some(1 << 40), 10_000, "1.0 of 1024.0 GiB, 2 h 50 min left, 1,204 games, 10000 positions/s");
        check(1 << 30, None, 500, "1.0 GiB, 1,204 games, 200000 positions/s");
        check(4096, Some(1023), 1000, "4096 of 1023 B, 0 s left, 1,204 games, 100000 positions/s");
    }

    #[test]
    fn nothing_is_divided_by_at_the_beginning() {
        check(0, Some(10), 0, "0 of 10 B, 0 s left, 1,204 games, 100000.00 M positions/s");
    }
}
