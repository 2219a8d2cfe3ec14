//! The limits on the length of a game. What is made of a game is held in memory until the game ends, and a compressed
//! file of one kilobyte may hold a game of millions of moves. No real game reaches a limit.

/// The greatest number of plies of a line. The longest game that the rule of 75 moves allows has 17,697 plies.
pub const MOST_PLIES: u32 = 100_000;

/// The greatest number of moves of a game with its variations. Repertoires that were merged into one game have up to a
/// million.
pub(super) const MOST_MOVES: u32 = 1_500_000;

#[cfg(test)]
mod tests {
    use super::{MOST_MOVES, MOST_PLIES};
    use crate::chunk::Chunk;
    use crate::diagnostic::{Diagnostic, Kind};
    use crate::games::Games;
    use crate::replay::{Event, Replay};

    /// Knights that go out and home again, ply by ply.
    fn knights(plies: u32) -> String {
        ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].into_iter().cycle().take(plies as usize).collect()
    }

    /// Plays the text with and without variations, and compares the number of moves, and the kind and the ply of the
    /// error.
    #[track_caller]
    fn check(text: &str, moves: u32, expected: Option<(Kind, u32)>) {
        let game = Games::new(text.as_bytes()).next().unwrap();
        let count = |next: &mut dyn FnMut(&mut Replay<'_>) -> Option<Result<bool, Diagnostic>>| {
            let mut replay = game.replay().unwrap();
            let (mut moves, mut errors) = (0, Vec::new());
            while let Some(event) = next(&mut replay) {
                match event {
                    Ok(is_move) => moves += u32::from(is_move),
                    Err(error) => {
                        let at = usize::try_from(error.offset).unwrap();
                        assert!(text.as_bytes()[at..].starts_with(&error.subject));
                        errors.push((error.kind, error.ply.unwrap_or_default()));
                    }
                }
            }
            assert_eq!((moves, errors), (moves, expected.into_iter().collect()));
            moves
        };
        let is_move = |event: Result<Event<'_>, Diagnostic>| event.map(|event| matches!(event, Event::Move(_)));
        let counts = [
            count(&mut |replay| Some(replay.next_ply()?.map(|_| true))),
            count(&mut |replay| Some(replay.next_in_text()?.map(|_| true))),
            count(&mut |replay| replay.next_main_event().map(is_move)),
            count(&mut |replay| replay.next_event::<true>().map(is_move)),
        ];
        assert_eq!(counts, [moves; 4]);
        assert_eq!(game.replay().unwrap().last_ply(), moves);
    }

    #[test]
    fn a_line_ends_at_the_limit() {
        let too_long = Some((Kind::TooLong, MOST_PLIES + 1));
        check(&format!("{}*", knights(MOST_PLIES - 1)), MOST_PLIES - 1, None);
        check(&format!("{}*", knights(MOST_PLIES)), MOST_PLIES, None);
        check(&format!("{} {{a}} $1 +- 1-0 {{b}}", knights(MOST_PLIES)), MOST_PLIES, None);
        check(&format!("{}Nf3 *", knights(MOST_PLIES)), MOST_PLIES, too_long);
        check(&format!("{}{{a}} 50001. Nf3! *", knights(MOST_PLIES)), MOST_PLIES, too_long);
        check(&format!("{}zz *", knights(MOST_PLIES)), MOST_PLIES, too_long);
        check(&format!("{}1-0", knights(3 * MOST_PLIES)), MOST_PLIES, too_long);
        check(&format!("{}zz 1-0", knights(MOST_PLIES - 1)), MOST_PLIES - 1, Some((Kind::BadSan, MOST_PLIES)));
        check(&format!("{}{{", knights(MOST_PLIES)), MOST_PLIES, Some((Kind::UnterminatedComment, 0)));
    }

    #[test]
    fn no_move_is_promised_behind_the_limit() {
        let text = format!("{}Nf3 *", knights(MOST_PLIES));
        let chunk = Chunk { offset: 100, ..Chunk::whole(text.as_bytes()) };
        let mut replay = Games::within(chunk, 0..text.len()).next().unwrap().replay().unwrap();
        for _ in 1..MOST_PLIES {
            replay.next_ply().unwrap().unwrap();
        }
        assert!(replay.next_move().is_some());
        replay.next_ply().unwrap().unwrap();
        assert_eq!(replay.next_move(), None);
        let error = replay.next_ply().unwrap().unwrap_err();
        let place = 100 + text.len() as u64 - 5;
        assert_eq!((error.kind, error.ply, error.offset), (Kind::TooLong, Some(MOST_PLIES + 1), place));
        assert!(error.reason.starts_with("a line has more than 100000 plies"), "{}", error.reason);
        assert_eq!(replay.next_ply(), None);
    }

    #[test]
    fn a_variation_beyond_the_limit_of_a_line_ends_alone() {
        let text = format!("{}(Ng8 Nf3) (Ng8 Nf3) *", knights(MOST_PLIES));
        let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
        let kinds: Vec<_> = std::iter::from_fn(|| replay.next_in_text())
            .map(|ply| ply.map(|_| ()).map_err(|error| error.kind))
            .collect();
        assert_eq!(kinds[MOST_PLIES as usize..], [Ok(()), Err(Kind::TooLong), Ok(()), Err(Kind::TooLong)]);
    }

    #[test]
    fn the_main_line_goes_on_when_there_are_too_many_moves_in_variations() {
        for (before, expected) in [(3, "e4 d4 d5 c4 !too-long e5 Nf3"), (9, "e4 d4 d5 c4 c5 g3 g6 e5 c5 Nc3 Nf3")] {
            let text = "1. e4 (1. d4 d5 2. c4 c5 3. g3 g6) e5 (1... c5 2. Nc3) 2. Nf3 *";
            let mut replay = Games::new(text.as_bytes()).next().unwrap().replay().unwrap();
            let mut walked = vec![replay.next_in_text().unwrap().unwrap().to_string()];
            // So many moves are left, as if the others had been played in variations before.
            replay.branches.as_mut().unwrap().moves = MOST_MOVES - before;
            while let Some(ply) = replay.next_in_text() {
                walked.push(match ply {
                    Ok(ply) => ply.to_string(),
                    Err(error) => {
                        assert!(error.reason.starts_with("the game has more than 1500000 moves"));
                        assert!(error.reason.ends_with("the other variations of the game are skipped"));
                        format!("!{}", error.kind.as_str())
                    }
                });
            }
            assert_eq!(walked.join(" "), expected);
        }
    }
}
