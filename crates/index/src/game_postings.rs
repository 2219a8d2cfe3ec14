//! Makes the postings of a game.

use crate::games_table::GamesLayout;
use crate::postings::{Posting, Postings};
use pgn2fen_chess::castling::CastlingRules;
use pgn2fen_chess::zobrist;
use pgn2fen_games::players::Players;
use pgn2fen_games::walk::{GameTask, OpenGame, Out, Played, PositionChoice};

/// Makes a posting for each position of the main line.
#[doc(hidden)]
#[derive(Debug)]
pub struct GamePostings {
    choice: PositionChoice,
    layout: GamesLayout,
    /// The players under several names, of whom the main names are kept.
    players: Players,
}

impl GameTask for GamePostings {
    type BlockResult = Postings;

    fn game(&self, game: &mut OpenGame<'_, '_>, out: &mut Out<'_, Postings>) -> Played {
        let (line, movetext) = (game.count_line(), game.movetext().clone());
        out.made.begin_game(game.offset(), line, (game.tags, &movetext), game.encoding, (&self.layout, &self.players));
        let played = self.play(game, out.made);
        let offset = game.text.offset;
        let movetext = game.movetext();
        movetext.finish();
        out.made.end_game(offset + movetext.offset() as u64);
        played
    }
}

impl GamePostings {
    /// Makes the postings of these positions, for an index that keeps the tags of every index.
    pub fn new(choice: PositionChoice) -> Self {
        Self::for_index(choice, GamesLayout::default(), Players::default())
    }

    /// Makes the postings of these positions, for an index whose games table has this layout and the main names of
    /// these players.
    pub(super) fn for_index(choice: PositionChoice, layout: GamesLayout, players: Players) -> Self {
        Self { choice, layout, players }
    }

    /// Replays a game and adds its postings.
    fn play(&self, game: &mut OpenGame<'_, '_>, postings: &mut Postings) -> Played {
        let mut choice = self.choice.in_game(game);
        let Some(replay) = game.replay() else {
            return Played::default();
        };
        postings.begin_at(replay.position());
        // Orthodox castling rights stay orthodox, and then there are no inner rooks.
        let is_orthodox = replay.position().castling_rules() == CastlingRules::Standard;
        let mut key = zobrist::key(replay.position());
        let mut played = Played::default();
        let mut ply = 0;
        loop {
            let is_wanted = choice.wants(replay, ply);
            let before = replay.position().clone();
            let next = choice.next_ply(replay, &mut played.errors).map(|ply| ply.played);
            if is_wanted {
                let inner = if is_orthodox { 0 } else { zobrist::inner_rooks(&before) };
                // The position decides how castling is written, and not the game, so that games of standard chess and
                // of Chess960 which reach the position agree about its moves.
                let castling = if is_orthodox { CastlingRules::Standard } else { before.castling_rules() };
                let next = next.map(|m| m.uci(castling));
                postings.push(Posting { key: key ^ inner, ply, next });
                played.positions += 1;
            }
            let Some(m) = next else {
                break;
            };
            key = zobrist::key_after(key, &before, m);
            ply += 1;
        }
        postings.end_moves(ply, replay.outcome());
        played
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::tests::{Desk, FIRST};
    use crate::{BuildOptions, Builder};
    use pgn2fen_chess::testing::position;
    use pgn2fen_games::database::{Source, SourceOptions};
    use pgn2fen_games::parallel::Workers;
    use pgn2fen_games::walk::{Job, ReadOptions};

    #[test]
    fn positions_in_which_different_rooks_may_castle_are_different() {
        let fens = ["HA", "GA"].map(|rights| format!("4k3/8/8/8/8/8/8/R3K1RR w {rights} - 0 1"));
        let game = |fen: &String| format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n1. O-O-O *\n\n");
        let desk = Desk::of(&[("a.pgn", fens.each_ref().map(game).concat())]);
        // The rights of the corner rooks are those of standard chess.
        for ((fen, number), castling) in fens.iter().zip(1..).zip(["e1c1", "e1a1"]) {
            let hits: Vec<_> = desk.index.hits(&position(fen)).unwrap().map(Result::unwrap).collect();
            let moves = hits.iter().map(|hit| (hit.game, hit.next.map(|next| next.to_string()))).collect::<Vec<_>>();
            assert_eq!(moves, [(number, Some(castling.to_owned()))], "{fen}");
        }
    }

    #[test]
    fn the_positions_of_all_games_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let (workers, file) = (Workers::new(1).unwrap(), folder.path().join("a.pgn"));
        fs::write(&file, FIRST).unwrap();
        let builder = Builder::new(&folder.path().join("games.idx"), BuildOptions::default(), &workers).unwrap();
        let mut indexing = builder.begin(ReadOptions::default());
        let source = Source::open_with(&file, &SourceOptions::default()).unwrap();
        indexing.read(&workers, Path::new("a.pgn"), source, &mut ()).unwrap();
        let count = indexing.totals().count;
        assert_eq!((count.games, count.positions), (3, 12));
    }
}
