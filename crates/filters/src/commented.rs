//! Games with comments in words.

use pgn2fen_pgn::annotation::{CommentReading, EvalSource, sections};
use pgn2fen_pgn::encoding::Fallback;
use pgn2fen_pgn::movetext::Movetext;
use pgn2fen_pgn::token::Token;

/// Whether a comment of a game has words, in the main line or in a variation. Comments that are not UTF-8 are decoded
/// from `encoding`.
pub(crate) fn is_commented(mut movetext: Movetext<'_>, encoding: &Fallback) -> bool {
    while let Some(token) = movetext.next_token() {
        if let Token::Comment(comment) = token
            && may_have_words(comment)
            && has_words(&encoding.decode(comment))
        {
            return true;
        }
    }
    false
}

/// Whether a comment is none that programs write for programs.
fn may_have_words(comment: &[u8]) -> bool {
    let is_other = |source: EvalSource| source.read(comment) == CommentReading::Other;
    is_other(EvalSource::Engine) && is_other(EvalSource::Tcec)
}

/// Whether there is a word outside commands such as `[%clk 0:01:00]`. Three letters are a word, or one letter of a
/// writing without blanks between words.
fn has_words(comment: &str) -> bool {
    let has_word = |text: &str| text.split(|char: char| !char.is_alphanumeric()).any(is_word);
    sections(comment).any(|(text, _)| has_word(text))
}

fn is_word(word: &str) -> bool {
    word.chars().all(char::is_alphabetic) && (word.chars().nth(2).is_some() || word.chars().any(is_of_many_words))
}

/// Whether a character is a letter of a writing without blanks between words, such as Chinese.
fn is_of_many_words(char: char) -> bool {
    matches!(
        char,
        '\u{0e00}'..='\u{0e7f}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::is_commented;
    use pgn2fen_pgn::encoding::Fallback;
    use pgn2fen_pgn::movetext::Movetext;

    #[track_caller]
    fn check(movetext: &str, expected: bool) {
        let read = is_commented(Movetext::new(movetext.as_bytes(), 0), &Fallback::default());
        assert_eq!(read, expected, "{movetext}");
    }

    #[test]
    fn words_are_a_comment() {
        check("1. e4 {Best by test.} *", true);
        check("{Played in Paris} 1. e4 *", true);
        check("1. e4 e5 (1... c5 {the Sicilian}) *", true);
        check("1. e4 ; why not\n e5 *", true);
        check("1. e4 {[%clk 0:01:00] a good start} *", true);
        check("1. e4 {[%clk 0:01:00] [%eval 0.3] sharp [%csl Ge4]} *", true);
        check("1. e4 {好棋} *", true);
        check("1. e4 {Eröffnung} *", true);
        // A command that nothing closes is text.
        check("1. e4 {[%mdl abc} *", true);
    }

    #[test]
    fn what_programs_write_for_programs_is_none() {
        check("1. e4 e5 *", false);
        check("1. e4 {} {  } *", false);
        check("1. e4 {[%clk 0:01:00]} {[%eval 0.31] [%emt 0:00:02]} *", false);
        check("1. e4 {[%csl Ge4][%cal Re2e4,Gd1h5]} *", false);
        check("1. e4 {+0.31/14 0.5s} e5 {book} *", false);
        check("1. e4 {-M5/20 0.1s, White mates} *", false);
        check("1. e4 {d=32, mt=12345, tl=600000, s=100, n=5, pv=e4 e5 Nf3, tb=null, wv=0.31, } *", false);
        check("1. e4 {0:12} {Qxf7 Kd8 2} *", false);
        check("% a line for programs\n1. e4 *", false);
    }
}
