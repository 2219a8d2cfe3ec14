//! A board as text that other programs turn into a picture: HTML, Markdown, LaTeX, and the tags of forums.

use std::fmt::Write as _;

use crate::diagram::{Board, DEFAULT_SIZE};
use pgn2fen_chess::piece::Color;

impl Board {
    /// Returns the picture as an `img` element of HTML, which contains the SVG document, so that no other file is
    /// needed.
    pub fn to_html(&self) -> String {
        let size = self.size.unwrap_or(DEFAULT_SIZE);
        let (data, words) = (self.to_data_uri(), self.description());
        let width = if self.has_panel() { self.width(size) } else { size };
        format!("<img src=\"{data}\" width=\"{width}\" height=\"{size}\" alt=\"{words}\">\n")
    }

    /// Returns the picture as an image of Markdown, which contains the SVG document. Not every site shows such images;
    /// a link to a file works everywhere.
    pub fn to_markdown(&self) -> String {
        format!("![{}]({})\n", self.description(), self.to_data_uri())
    }

    /// Returns a command of the LaTeX package `chessboard`, which draws the position with its own fonts.
    ///
    /// The orientation and the coordinates are those of the board. The package has no colours by default, so everything
    /// else is left out, and so are men in hand and checks.
    pub fn to_latex(&self) -> String {
        let inverse = if self.orientation == Color::Black { ",inverse" } else { "" };
        let label = if self.coordinates { "" } else { ",label=false" };
        let setup = self.setup.in_chess();
        format!("\\chessboard[setfen={setup}{inverse}{label}]\n")
    }

    /// Returns the FEN between the tags of forums that draw it: `[fen]…[/fen]`.
    pub fn to_bbcode(&self) -> String {
        format!("[fen]{}[/fen]\n", self.setup)
    }

    /// Returns the SVG document as an address that contains it.
    fn to_data_uri(&self) -> String {
        let svg = self.to_svg();
        let mut uri = String::with_capacity(svg.len() * 3 / 2);
        uri.push_str("data:image/svg+xml,");
        for char in svg.trim_end().chars() {
            match char {
                'A'..='Z' | 'a'..='z' | '0'..='9' | '-' | '.' | '_' | '~' | '/' | ':' | '=' | ',' | ';' => {
                    uri.push(char);
                }
                // Attributes may be in quotes of either kind, and these need not be escaped.
                '"' => uri.push('\''),
                _ => {
                    let mut bytes = [0; 4];
                    for byte in char.encode_utf8(&mut bytes).bytes() {
                        let _ = write!(uri, "%{byte:02X}");
                    }
                }
            }
        }
        uri
    }
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use crate::Board;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::testing::position;

    fn board() -> Board {
        Board::of(&position("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"))
    }

    /// Returns the text of an address that contains it.
    fn decoded(uri: &str) -> String {
        let mut parts = uri.strip_prefix("data:image/svg+xml,").unwrap().split('%');
        let mut text = parts.next().unwrap().to_owned();
        for part in parts {
            text.push(char::from(u8::from_str_radix(&part[..2], 16).unwrap()));
            text += &part[2..];
        }
        text
    }

    #[test]
    fn an_image_contains_the_document() {
        let html = board().size(200).to_html();
        let page = Document::parse(&html.replace("\">\n", "\"/>")).unwrap().root_element().attributes().len();
        assert_eq!(page, 4);
        let uri = html.split('"').nth(1).unwrap();
        assert_eq!(decoded(uri), board().size(200).to_svg().trim_end().replace('"', "'"));
        assert!(Document::parse(&decoded(uri)).is_ok());
        assert!(html.contains(r#" width="200" height="200" alt="White: king g1, "#) && html.lines().count() == 1);
        let markdown = board().to_markdown();
        assert!(markdown.starts_with("![White: king g1, ") && markdown.ends_with(")\n"));
        let uri = markdown.trim_end_matches([')', '\n']).split_once("](").unwrap().1;
        assert!(!uri.contains(['(', ')', ' ', '<', '>', '"']));
        assert_eq!(decoded(uri), board().to_svg().trim_end().replace('"', "'"));
    }

    #[test]
    fn forums_and_latex_get_the_fen() {
        let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
        assert_eq!(board().to_bbcode(), format!("[fen]{fen}[/fen]\n"));
        assert_eq!(board().to_latex(), format!("\\chessboard[setfen={fen}]\n"));
        let turned = board().orientation(Color::Black).coordinates(false);
        assert_eq!(turned.to_latex(), format!("\\chessboard[setfen={fen},inverse,label=false]\n"));
    }
}
