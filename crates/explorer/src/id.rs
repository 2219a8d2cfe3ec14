//! The identifiers of games: eight letters and digits.

/// The digits of base 62.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The length of an identifier.
const LENGTH: usize = 8;

/// Returns the identifier of a game. Identifiers of several indexes differ, and adding games to an index changes none
/// of them.
pub(super) fn encode(index: usize, indexes: usize, game: u64) -> String {
    let mut number = game.saturating_mul(indexes.max(1) as u64).saturating_add(index as u64);
    let mut id = [b'0'; LENGTH];
    for digit in id.iter_mut().rev() {
        *digit = DIGITS[(number % 62) as usize];
        number /= 62;
    }
    id.iter().map(|digit| char::from(*digit)).collect()
}

/// Returns the index and the number of the game with an identifier.
pub(super) fn decode(id: &str, indexes: usize) -> Option<(usize, u64)> {
    if id.len() != LENGTH {
        return None;
    }
    let mut number = 0u64;
    for byte in id.bytes() {
        let digit = DIGITS.iter().position(|digit| *digit == byte)?;
        number = number * 62 + digit as u64;
    }
    let indexes = indexes.max(1) as u64;
    Some((usize::try_from(number % indexes).ok()?, number / indexes))
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn an_identifier_names_one_game() {
        assert_eq!(encode(0, 1, 1), "00000001");
        assert_eq!(encode(0, 1, 184_213), "00000lvB");
        for (index, indexes, game) in [(0, 1, 1), (2, 3, 184_213), (1, 2, 1 << 36), (6, 7, 61)] {
            assert_eq!(decode(&encode(index, indexes, game), indexes), Some((index, game)));
        }
        for id in ["", "0000001", "000000001", "0000000-", "0000000é", "../../etc"] {
            assert_eq!(decode(id, 1), None, "{id}");
        }
        assert!(decode("zzzzzzzz", 1).is_some());
    }
}
