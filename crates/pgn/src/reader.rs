//! Reads the games of a text that may end within a game, as the blocks of a database do.

use std::ops::Range;

use crate::between::{BetweenGames, Passed, look};
use crate::chunk::{Chunk, StopPoint};
use crate::lexical::LOOKAHEAD;

/// A receiver of the games of a text, in order. The last games may have to be read again.
pub trait Reader<'t> {
    /// Reads the game that begins at `start`. Returns its end, or the end of the text if the end of the game is not in
    /// the text.
    fn game(&mut self, text: Chunk<'t>, start: usize) -> usize;
    /// Takes text between games that is neither white space nor a comment.
    fn skipped(&mut self, text: Chunk<'t>, range: Range<usize>) {
        let _ = (text, range);
    }
    /// Marks everything that was read as certain.
    fn keep(&mut self);
    /// Drops everything that was read since the last [`keep`](Self::keep). It will be read again with more text behind
    /// it.
    fn forget(&mut self);
    /// Whether no more games are wanted.
    fn is_done(&self) -> bool {
        false
    }
}

/// Reads the games that begin in the text before `until`, each to its end. Returns where reading must go on: at the
/// first place behind `until` that is between games, or at an earlier place if the text behind it is too short for a
/// decision.
pub fn read_games<'t>(text: Chunk<'t>, until: usize, reader: &mut impl Reader<'t>) -> StopPoint {
    let is_certain = |end: usize| text.is_last || end + LOOKAHEAD <= text.bytes.len();
    let mut at = 0;
    while !reader.is_done() {
        // Text behind the start of a comment is reported again if the comment has to be read again.
        let mut comment = None;
        let found = look(text, at, until, |passed| match passed {
            Passed::Skipped(range) => reader.skipped(text, range),
            Passed::Comment(start) => {
                reader.keep();
                comment = Some(start);
            }
        });
        match found {
            BetweenGames::Nothing(left) if comment != Some(left.at) => {
                reader.keep();
                return left;
            }
            // The comment belongs to no game, or the game behind it is not in the text.
            BetweenGames::Nothing(_) if text.is_last => {
                reader.keep();
                return text.left_at(text.bytes.len());
            }
            BetweenGames::Nothing(left) => {
                reader.forget();
                return left;
            }
            BetweenGames::Game(start) => {
                if comment != Some(start) {
                    reader.keep();
                }
                if start >= until {
                    return text.left_at(start);
                }
                if is_certain(start) {
                    at = reader.game(text, start);
                    if is_certain(at) {
                        reader.keep();
                        continue;
                    }
                }
                reader.forget();
                return text.left_at(start);
            }
        }
    }
    text.left_at(at)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::{Reader, read_games};
    use crate::chunk::Chunk;
    use crate::lexical::LOOKAHEAD;

    /// Collects the games and the skipped text that are kept, in their order.
    #[derive(Default)]
    struct Parts {
        kept: Vec<String>,
        new: Vec<String>,
    }

    impl<'t> Reader<'t> for Parts {
        fn skipped(&mut self, text: Chunk<'t>, range: Range<usize>) {
            self.new.push(format!("skipped {}", String::from_utf8_lossy(&text.bytes[range])));
        }

        fn game(&mut self, text: Chunk<'t>, start: usize) -> usize {
            let end = text.game_end(start);
            self.new.push(String::from_utf8_lossy(&text.bytes[start..end]).trim().to_owned());
            end
        }

        fn keep(&mut self) {
            self.kept.append(&mut self.new);
        }

        fn forget(&mut self) {
            self.new.clear();
        }
    }

    #[track_caller]
    fn check(text: Chunk<'_>, until: usize, parts: &[&str], at: usize) {
        let mut read = Parts::default();
        let stop = read_games(text, until, &mut read);
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        assert_eq!((read.kept, stop.at, read.new), (parts, at, Vec::new()));
    }

    #[test]
    fn games_are_read_with_the_text_between_them() {
        let text = b"prose\n1. e4 *\n{a}\n1. d4 *\n";
        let whole = Chunk::whole(text);
        check(whole, text.len(), &["skipped prose", "1. e4 *", "{a}\n1. d4 *"], text.len());
        // A game that begins before the place is read to its end.
        check(whole, 7, &["skipped prose", "1. e4 *"], 13);
        check(whole, 0, &[], 0);
    }

    #[test]
    fn a_comment_that_belongs_to_no_game_is_passed_over_at_the_end() {
        check(Chunk::whole(b"1. e4 *\n{a}\n"), 12, &["1. e4 *"], 12);
    }

    #[test]
    fn what_may_go_on_behind_the_text_is_left() {
        let text = [&b"prose\n1. e4 *\n"[..], b"{a} 1. d4 *\n"].concat();
        let chunk = Chunk { is_last: false, ..Chunk::whole(&text) };
        check(chunk, text.len(), &[], 0);
        let long = [&text[..], &b" ".repeat(LOOKAHEAD - 13)].concat();
        let chunk = Chunk { is_last: false, ..Chunk::whole(&long) };
        check(chunk, text.len(), &["skipped prose", "1. e4 *"], 14);
    }

    #[test]
    fn a_comment_before_a_game_that_is_not_whole_is_read_again() {
        // The comment is read again with its game, and what stands before it is kept.
        let text = [&b"prose\n{a}\n1. e4 *\n"[..], &b" ".repeat(LOOKAHEAD - 10)].concat();
        let chunk = Chunk { is_last: false, ..Chunk::whole(&text) };
        check(chunk, text.len(), &["skipped prose"], 6);
        let text = [&b"prose\n{a}\n% "[..], &b"x".repeat(LOOKAHEAD)].concat();
        let chunk = Chunk { is_last: false, ..Chunk::whole(&text) };
        check(chunk, text.len(), &["skipped prose"], 6);
    }
}
