//! The 781 random numbers that the Polyglot book format publishes
//! (<http://hgm.nubati.net/book_format.html>): 64 for each of the twelve kinds of piece, four for the castling
//! rights, eight for the en passant files, one for the side to move.

/// The numbers in the order of the format, from the hexadecimal digits of `numbers.txt`.
pub(crate) static NUMBERS: [u64; 781] = {
    const TEXT: &[u8] = include_bytes!("numbers.txt");
    const DIGITS: usize = 16;
    let (mut numbers, mut digits, mut at) = ([0; 781], 0, 0);
    while at < TEXT.len() {
        if let Some(digit) = (TEXT[at] as char).to_digit(16) {
            numbers[digits / DIGITS] = numbers[digits / DIGITS] << 4 | digit as u64;
            digits += 1;
        }
        at += 1;
    }
    assert!(digits == DIGITS * numbers.len());
    numbers
};
