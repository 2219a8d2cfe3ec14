//! The piece letters of different languages (PGN standard §17, and Russian).

use std::fmt::{self, Debug, Formatter};

use crate::piece::Role;

/// The piece letters of one language.
///
/// English letters that have no meaning in the language keep their English meaning. With German letters, `Sf3` and
/// `Nf3` mean the same move, but `Bb5` is not a bishop's move, because `B` is the pawn (*Bauer*).
#[derive(Clone, Copy)]
pub struct Letters(&'static Language);

impl Letters {
    /// The English letters, which are those of SAN: `P N B R Q K`.
    pub const ENGLISH: Self = Self(&LANGUAGES[0]);

    /// Returns the letters of the language with this ISO 639-1 code, such as `de`; `None` if the language is not
    /// supported.
    pub fn of(code: &str) -> Option<Self> {
        languages().find(|letters| letters.code() == code)
    }

    /// Returns the ISO 639-1 code of the language.
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// Returns the English name of the language.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the piece for which this byte stands by itself, as in SAN. The result is never a pawn.
    #[inline]
    pub(super) fn piece(self, letter: u8) -> Option<Role> {
        self.0.pieces[usize::from(letter)]
    }

    /// Returns the role of a symbol that begins with this byte: a piece for its letter, a pawn for the letter of a
    /// file. None for a byte that is not an ASCII letter.
    #[inline]
    pub(super) fn mover(self, first: u8) -> Option<Role> {
        self.0.movers[usize::from(first)]
    }

    /// Returns the spelling of a role in the language.
    #[doc(hidden)]
    pub fn spelling(self, role: Role) -> &'static str {
        self.0.letters[role as usize - 1]
    }
}

/// English letters.
impl Default for Letters {
    fn default() -> Self {
        Self::ENGLISH
    }
}

impl PartialEq for Letters {
    fn eq(&self, other: &Self) -> bool {
        self.code() == other.code()
    }
}

impl Eq for Letters {}

impl Debug for Letters {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Letters({})", self.code())
    }
}

/// Returns an iterator over the supported languages. Languages that are likelier to be met come first, because some
/// letters are used by several.
pub fn languages() -> impl Iterator<Item = Letters> {
    LANGUAGES.iter().map(Letters)
}

struct Language {
    code: &'static str,
    name: &'static str,
    /// The spellings of the roles, from pawn to king.
    letters: [&'static str; 6],
    /// The role of each byte: the ASCII piece letters of the language, and the English letters that it leaves unused.
    pieces: [Option<Role>; 256],
    /// The entries of `pieces`, and a pawn for each letter of a file.
    movers: [Option<Role>; 256],
}

static LANGUAGES: [Language; 18] = [
    language("en", "English", ["P", "N", "B", "R", "Q", "K"]),
    language("de", "German", ["B", "S", "L", "T", "D", "K"]),
    language("fr", "French", ["P", "C", "F", "T", "D", "R"]),
    language("es", "Spanish", ["P", "C", "A", "T", "D", "R"]),
    language("it", "Italian", ["P", "C", "A", "T", "D", "R"]),
    language("nl", "Dutch", ["O", "P", "L", "T", "D", "K"]),
    language("pt", "Portuguese", ["P", "C", "B", "T", "D", "R"]),
    language("ru", "Russian", ["П", "К", "С", "Л", "Ф", "Кр"]),
    language("pl", "Polish", ["P", "S", "G", "W", "H", "K"]),
    language("cs", "Czech", ["P", "J", "S", "V", "D", "K"]),
    language("hu", "Hungarian", ["G", "H", "F", "B", "V", "K"]),
    language("ro", "Romanian", ["P", "C", "N", "T", "D", "R"]),
    language("sv", "Swedish", ["B", "S", "L", "T", "D", "K"]),
    language("da", "Danish", ["B", "S", "L", "T", "D", "K"]),
    language("no", "Norwegian", ["B", "S", "L", "T", "D", "K"]),
    language("fi", "Finnish", ["P", "R", "L", "T", "D", "K"]),
    language("et", "Estonian", ["P", "R", "O", "V", "L", "K"]),
    language("is", "Icelandic", ["P", "R", "B", "H", "D", "K"]),
];

const fn language(code: &'static str, name: &'static str, letters: [&'static str; 6]) -> Language {
    let mut pieces = [None; 256];
    // The English letters are assigned first, so that the language overrides them. Its pawn letter is assigned too, as
    // no piece.
    assign(&mut pieces, ["P", "N", "B", "R", "Q", "K"]);
    assign(&mut pieces, letters);
    let mut movers = pieces;
    let mut file = b'a';
    while file <= b'h' {
        movers[file as usize] = Some(Role::Pawn);
        file += 1;
    }
    Language { code, name, letters, pieces, movers }
}

const fn assign(pieces: &mut [Option<Role>; 256], letters: [&str; 6]) {
    let mut i = 0;
    while i < 6 {
        if let [letter] = *letters[i].as_bytes() {
            pieces[letter as usize] = match Role::ALL[i] {
                Role::Pawn => None,
                piece => Some(piece),
            };
        }
        i += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Letters, languages};
    use crate::piece::Role;

    /// Checks the pieces of the ASCII letters of a language, in alphabetical order.
    #[track_caller]
    fn check(code: &str, expected: &str) {
        let letters = Letters::of(code).expect(code);
        let pieces = (b'A'..=b'Z').filter_map(|letter| Some((letter, letters.piece(letter)?)));
        let words: Vec<String> = pieces.map(|(letter, role)| format!("{}={role}", char::from(letter))).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn a_language_leaves_the_english_letters_that_it_does_not_use() {
        check("en", "B=bishop K=king N=knight Q=queen R=rook");
        check("de", "D=queen K=king L=bishop N=knight Q=queen R=rook S=knight T=rook");
        check("fr", "B=bishop C=knight D=queen F=bishop K=king N=knight Q=queen R=king T=rook");
        check("nl", "B=bishop D=queen K=king L=bishop N=knight P=knight Q=queen R=rook T=rook");
        check("ru", "B=bishop K=king N=knight Q=queen R=rook");
    }

    #[test]
    fn every_language_has_a_code_and_six_different_letters() {
        for letters in languages() {
            assert_eq!(Letters::of(letters.code()), Some(letters));
            let mut spellings = Role::ALL.map(|role| letters.spelling(role));
            spellings.sort_unstable();
            assert!(spellings.windows(2).all(|pair| pair[0] != pair[1]), "{}", letters.name());
            let is_letter = |byte: u8| byte.is_ascii_alphabetic() || letters.mover(byte).is_none();
            assert!((0..=u8::MAX).all(is_letter), "{}", letters.name());
        }
        assert_eq!(Letters::of("xx"), None);
    }
}
