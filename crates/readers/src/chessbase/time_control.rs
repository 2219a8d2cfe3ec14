//! The time control of a game.

use std::io::Write;

/// The number of bytes of a stage: the time and the time for each move in hundredths of a second, the number of moves,
/// and a kind.
const STAGE: usize = 11;

/// The number of moves of a stage up to the end of the game.
const REST: u16 = 1000;

/// Appends the tag `TimeControl`: `40/7200+30:1800`. Without a stage, nothing is appended.
pub(super) fn append_time_control(data: &[u8], out: &mut Vec<u8>) {
    let mut separator: &[u8] = b"[TimeControl \"";
    for stage in data.chunks_exact(STAGE) {
        let number = |at: usize| u32::from_be_bytes([stage[at], stage[at + 1], stage[at + 2], stage[at + 3]]);
        let (time, increment, moves) = (number(0) / 100, number(4) / 100, u16::from_be_bytes([stage[8], stage[9]]));
        if time == 0 && increment == 0 {
            continue;
        }
        out.extend_from_slice(std::mem::replace(&mut separator, b":"));
        // Writing to memory cannot fail.
        if (1..REST).contains(&moves) {
            let _ = write!(out, "{moves}/");
        }
        let _ = write!(out, "{time}");
        if increment > 0 {
            let _ = write!(out, "+{increment}");
        }
        if moves >= REST {
            break;
        }
    }
    if separator == b":" {
        out.extend_from_slice(b"\"]\n");
    }
}

#[cfg(test)]
mod tests {
    use super::append_time_control;

    #[test]
    fn a_time_control_has_stages() {
        let stage = |time: u32, increment: u32, moves: u16| {
            [&(100 * time).to_be_bytes()[..], &(100 * increment).to_be_bytes(), &moves.to_be_bytes(), &[1]].concat()
        };
        let tag = |stages: &[Vec<u8>]| {
            let mut out = Vec::new();
            append_time_control(&stages.concat(), &mut out);
            String::from_utf8(out).unwrap()
        };
        let rest = stage(0, 0, 0);
        let stages = [stage(5400, 30, 40), stage(1800, 30, 1000), rest.clone()];
        assert_eq!(tag(&stages), "[TimeControl \"40/5400+30:1800+30\"]\n");
        assert_eq!(tag(&[stage(180, 2, 1000), rest.clone(), rest.clone()]), "[TimeControl \"180+2\"]\n");
        assert_eq!(tag(&[rest]), "");
    }
}
