//! Law: training data in binpack, viriformat and bulletformat is read and written anew as the same bytes. Damaged data
//! has the same results on one thread and on two.

use pgn2fen_games::database::Source;
use pgn2fen_rows::{Format, Rows};

use crate::choices::Choices;
use crate::walking::{Job, agreed, stream, walk, whole, with_one};

const FORMATS: [Format; 3] = [Format::Binpack, Format::Viri, Format::Bulletformat];

/// Checks the law. A byte chooses the format, a byte the kind of damage, and two bytes are its place. The rest is a
/// text of games, or the bytes of a chunk of binpack.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let (kind, damage, place) = (choices.byte(), choices.byte(), choices.number());
    let read = Job::Rows(Rows::new());
    let Some(format) = FORMATS.get(usize::from(kind % 4)) else {
        let bytes = choices.bytes();
        let size = u32::try_from(bytes.len()).expect("inputs are short").to_le_bytes();
        agreed(&read, &|| open(&[b"BINP", &size[..], bytes].concat()));
        return;
    };
    let write = Job::Rows(Rows::new().format(*format));
    let good = with_one(|one| walk(&write, one, whole(&choices.text()))).output;
    if damage % 4 == 0 {
        let again = agreed(&write, &|| open(&good));
        assert!(good.is_empty() || again.is_some_and(|again| again.error.is_none() && again.output == good));
        return;
    }
    let mut damaged = good;
    if damaged.is_empty() {
        return;
    }
    let at = place % damaged.len();
    match damage % 4 {
        1 => damaged.truncate(at),
        2 => damaged[at] ^= 1 << (damage >> 2 & 7),
        _ => damaged.insert(at, damage),
    }
    agreed(&read, &|| open(&damaged));
}

fn open(bytes: &[u8]) -> Option<Source> {
    stream(bytes, 101).ok()
}
