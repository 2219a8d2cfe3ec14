//! Lists of positions: files with a FEN or EPD on each line and no games.

/// Whether a FEN begins here: a word with eight ranks, and behind it the side to move.
pub(crate) fn begins_fen(text: &[u8]) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'_');
    let board = text.iter().position(is_blank).unwrap_or(text.len());
    let (board, rest) = text.split_at(board);
    let is_board_byte = |byte: &u8| matches!(byte, b'1'..=b'8' | b'/') || b"pnbrqkPNBRQK".contains(byte);
    let turn = &rest[rest.iter().take_while(|byte| is_blank(byte)).count()..];
    let is_turn = match turn {
        [b'w' | b'b' | b'W' | b'B'] => true,
        [b'w' | b'b' | b'W' | b'B', next, ..] => is_blank(next) || next.is_ascii_whitespace(),
        _ => false,
    };
    is_turn && board.iter().filter(|byte| **byte == b'/').count() == 7 && board.iter().all(is_board_byte)
}
