//! A game → its postings.

use crate::chess::zobrist;
use crate::pgn::games::Text;
use crate::positions::choice::Choice;
use crate::positions::{Played, Walk};
use crate::postings::Posting;
use crate::replay::Replay;

impl<'t> Walk<'_, 't> {
    /// Plays a game over and adds its postings.
    pub(super) fn play_postings(&mut self, text: Text<'t>, start: usize, mut replay: Replay<'t>) -> Played<'t> {
        let choice = Choice::new(self.job, &replay, text.offset + start as u64);
        let postings = &mut self.batch.postings;
        postings.begin_at(replay.position());
        // Rights that are orthodox stay so, and among them are no inner rooks.
        let is_orthodox = replay.position().castling().are_orthodox(replay.position().board());
        let mut key = zobrist::key(replay.position());
        let mut errors = Vec::new();
        let mut ply = 0;
        loop {
            let is_wanted = choice.wants(&replay, ply);
            let before = replay.position().clone();
            let played = match replay.next_ply() {
                Some(Ok(ply)) => Some(ply.played),
                Some(Err(error)) => {
                    errors.push(error);
                    None
                }
                None => None,
            };
            if is_wanted {
                let inner = if is_orthodox { 0 } else { zobrist::inner_rooks(&before) };
                let next = played.map(|m| m.uci(&before));
                postings.push(Posting { key: key ^ inner, ply, next });
                self.batch.count.positions += 1;
            }
            let Some(m) = played else {
                break;
            };
            key = zobrist::key_after(key, &before, m);
            ply += 1;
        }
        self.batch.diagnostics.extend(replay.take_warnings());
        postings.end_moves(ply, replay.outcome());
        Played { movetext: replay.into_finished(), errors }
    }
}
