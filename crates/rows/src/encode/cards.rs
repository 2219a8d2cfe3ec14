//! The parts of a file of cards for Anki: a text file that Anki imports, with a note on each line.
//!
//! The first lines of the file tell Anki what its columns are (Anki's manual: Importing, Text Files, File Headers).
//! When Anki imports a later file, it updates the notes that it has, which it knows by their ids.

use crate::encode::page;
use pgn2fen_board::Board;

/// A note: its id, the front and the back of its card in HTML, and its tags with blanks between them.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "they are named above")]
pub struct Note<'n> {
    pub id: &'n str,
    pub front: &'n str,
    pub back: &'n str,
    pub tags: &'n str,
}

/// Appends the first lines of a file, whose notes go into this deck.
pub fn append_head(deck: &str, out: &mut Vec<u8>) {
    let deck: String = deck.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
    let head = format!(
        "#separator:tab\n#html:true\n#notetype:Basic\n#deck:{}\n#columns:Id\tFront\tBack\tTags\n#guid column:1\n\
         #tags column:4\n",
        deck.trim()
    );
    out.extend_from_slice(head.as_bytes());
}

/// Appends the line of a note.
pub fn append_note(note: &Note<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(note.id.as_bytes());
    for field in [note.front, note.back, note.tags] {
        out.extend_from_slice(b"\t\"");
        out.extend_from_slice(field.replace('"', "\"\"").replace('\n', " ").as_bytes());
        out.push(b'"');
    }
    out.push(b'\n');
}

/// Returns the picture of a board for a side of a card.
pub fn picture(board: &Board) -> String {
    board.to_svg().trim_end().replace('\n', " ")
}

/// Returns a text as HTML.
pub fn escaped(text: &str) -> String {
    let mut out = Vec::new();
    page::append_escaped(text, &mut out);
    String::from_utf8(out).unwrap_or_default()
}
