//! Moves and dates of an index as people write them.

use pgn2fen_chess::notation::uci::Uci;
use pgn2fen_chess::position::Position;

/// Returns a move of a position as SAN, or as UCI if it is not legal there.
pub fn written_move(next: Uci, position: &Position) -> String {
    next.find(position).map_or_else(|| next.to_string(), |m| m.to_san(position))
}

/// Returns a date as PGN has it, `1972.07.??`, from a number of eight digits (year, month, day) with zeros for unknown
/// parts.
pub fn written_date(number: i32) -> String {
    let part = |number: i32, width| match number {
        0 => "?".repeat(width),
        number => format!("{number:0width$}"),
    };
    format!("{}.{}.{}", part(number / 10_000, 4), part(number / 100 % 100, 2), part(number % 100, 2))
}

#[cfg(test)]
mod tests {
    use super::written_date;

    #[test]
    fn dates_are_written_as_pgn_has_them() {
        assert_eq!([19_720_711, 19_720_700, 8_510_000].map(written_date), ["1972.07.11", "1972.07.??", "0851.??.??"]);
    }
}
