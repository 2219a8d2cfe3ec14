//! The drawings of the pieces.

use pgn2fen_chess::piece::Piece;

/// An SVG document with a `symbol` on each line.
const PIECES: &str = include_str!("pieces/pieces.svg");

/// The side of the square in which the pieces are drawn.
pub(super) const PIECE_BOX: u32 = 800;

/// Returns an `svg` element with a `symbol` for each of the twelve pieces, from `p2f-wP` to `p2f-bK`.
///
/// It shows nothing by itself. A page contains it once, and `<use href="#p2f-wN" width="45" height="45"/>` then draws a
/// knight. It is also a document of its own, of 29 kB. The drawings are under the Apache License 2.0, as the
/// [module](crate) says.
pub fn pieces() -> &'static str {
    PIECES
}

/// Returns the name of a piece in the ids of its drawings, such as `wN`.
pub(super) fn name(piece: Piece) -> String {
    format!("{}{}", piece.color.pick('w', 'b'), piece.role.char())
}

/// Returns the elements that draw a piece in a square with a side of [`PIECE_BOX`].
pub(super) fn drawing(piece: Piece) -> &'static str {
    let opening = format!("<symbol id=\"p2f-{}\"", name(piece));
    let line = PIECES.lines().find_map(|line| line.strip_prefix(&opening));
    let content = line.and_then(|line| line.split_once('>')?.1.strip_suffix("</symbol>"));
    content.expect("there is a drawing of each piece")
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::{PIECE_BOX, drawing, name, pieces};
    use pgn2fen_chess::piece::{Color, Role};

    #[test]
    fn there_is_a_drawing_of_each_piece() {
        let document = Document::parse(pieces()).unwrap();
        let symbols: Vec<_> = document.root_element().children().filter(roxmltree::Node::is_element).collect();
        assert_eq!(symbols.len(), 12);
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                let id = format!("p2f-{}", name(piece));
                let symbol = symbols.iter().find(|symbol| symbol.attribute("id") == Some(&id)).expect(&id);
                assert_eq!(symbol.attribute("viewBox"), Some(format!("0 0 {PIECE_BOX} {PIECE_BOX}").as_str()));
                assert!(pieces()[symbol.range()].contains(drawing(piece)) && drawing(piece).starts_with('<'));
            }
        }
    }

    #[test]
    fn the_drawings_refer_to_nothing_and_carry_no_style() {
        let document = Document::parse(pieces()).unwrap();
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            assert!(matches!(node.tag_name().name(), "svg" | "symbol" | "g" | "path" | "circle" | "ellipse"));
            for attribute in node.attributes() {
                assert!(!matches!(attribute.name(), "style" | "class" | "href"), "{attribute:?}");
                assert!(!attribute.value().contains("url("), "{attribute:?}");
            }
        }
    }
}
