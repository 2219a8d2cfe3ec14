//! Finds the positions of a game in which a shape holds for some plies in a row.

use pgn2fen_filters::{ShapeFilter, ShapeScan};
use pgn2fen_pgn::replay::Replay;

/// Returns, for each position of a game in the order of the text, whether the shape holds in it and in as many
/// positions in a row as the filter says. The position before the first move is one of them.
///
/// Each position is judged by its own line. For a position of the main line, variations do not matter. The line of a
/// variation consists of the moves that lead to it and of its own moves.
pub(super) fn in_stretches(shape: &ShapeFilter, mut replay: Replay<'_>, variations: bool) -> Vec<bool> {
    let least = shape.for_plies.get();
    let mut tree = Tree { least, wanted: Vec::new(), lines: vec![LineStretch::default()] };
    let mut scan = ShapeScan::new(shape);
    let mut holds = |replay: &Replay<'_>| {
        let position = replay.position();
        scan.may_hold(position, replay.variation()) && scan.matches(position)
    };
    tree.add(u32::from(holds(&replay)));
    loop {
        let next = if variations { replay.next_in_text() } else { replay.next_ply() };
        match next {
            Some(Ok(ply)) => {
                let before = tree.go_to(replay.depth(), ply.number);
                tree.add(if holds(&replay) { before + 1 } else { 0 });
            }
            // After an error in a variation, the next line goes on.
            Some(Err(_)) => {}
            None => break,
        }
    }
    while let Some(line) = tree.lines.pop() {
        tree.end(&line);
    }
    tree.wanted
}

/// The positions of a game, and the lines that are open.
struct Tree {
    least: u32,
    /// Whether each position belongs to a stretch that is long enough.
    wanted: Vec<bool>,
    /// The open lines, each in a variation of the one before. The first is the main line.
    lines: Vec<LineStretch>,
}

/// A line that is open.
#[derive(Default)]
struct LineStretch {
    /// The number of lines around it, in some of which no move has been played.
    depth: usize,
    /// The ply of its first position.
    first_ply: u32,
    /// The index of each position, and the number of positions in a row, up to it, in which the shape holds. The
    /// positions that lead to a variation are counted.
    positions: Vec<(usize, u32)>,
}

impl Tree {
    /// Opens or closes lines for a move at this ply. Returns the number of positions in a row, up to the one before the
    /// move, in which the shape holds.
    fn go_to(&mut self, depth: usize, ply: u32) -> u32 {
        while let Some(line) = self.lines.pop_if(|line| !line.goes_on(depth, ply)) {
            self.end(&line);
        }
        let before = ply - 1;
        let run = self.lines.iter().rev().find_map(|line| {
            let at = usize::try_from(before.checked_sub(line.first_ply)?).ok()?;
            line.positions.get(at).map(|(_, run)| *run)
        });
        if self.lines.last().is_none_or(|line| line.depth < depth) {
            self.lines.push(LineStretch { depth, first_ply: ply, positions: Vec::new() });
        }
        run.unwrap_or(0)
    }

    /// Adds a position to the last line.
    fn add(&mut self, run: u32) {
        if let Some(line) = self.lines.last_mut() {
            line.positions.push((self.wanted.len(), run));
        }
        self.wanted.push(false);
    }

    /// Marks the positions of a line that belong to stretches.
    fn end(&mut self, line: &LineStretch) {
        let mut is_long = false;
        let mut behind = 0;
        for (index, run) in line.positions.iter().rev() {
            // A run grows by one with each position. Where it does not, a stretch ends.
            is_long = *run > 0 && (is_long && behind == run + 1 || *run >= self.least);
            behind = *run;
            self.wanted[*index] = is_long;
        }
    }
}

impl LineStretch {
    /// Whether a move at this ply and depth belongs to the line, or to a variation of it.
    fn goes_on(&self, depth: usize, ply: u32) -> bool {
        let next = self.first_ply as usize + self.positions.len();
        self.depth < depth || self.depth == depth && next == ply as usize
    }
}
