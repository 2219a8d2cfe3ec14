//! The identity of a game, by which duplicates are found.

use pgn2fen_games::diagnostic::Diagnostic;
use pgn2fen_games::replay::Replay;
use pgn2fen_games::selection::Identity;

/// Plays the main line of a game up to this ply and returns the identity of its starting position and its moves. None
/// for a game without moves, and for one that cannot be played to its end, because these cannot be known to be
/// duplicates. Adds the errors in the moves to `errors`.
pub(crate) fn play(replay: &mut Replay<'_>, last_ply: u32, errors: &mut Vec<Diagnostic>) -> Option<Identity> {
    let start = Identity::of_start(replay.position());
    let mut identity = start;
    let mut number = 0;
    while number < last_ply
        && let Some(ply) = replay.next_ply()
    {
        match ply {
            Ok(ply) => {
                identity = identity.then(ply.played);
                number = ply.number;
            }
            Err(error) => errors.push(error),
        }
    }
    (identity != start && errors.is_empty()).then_some(identity)
}
