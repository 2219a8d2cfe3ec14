//! A board as SVG.
//!
//! The picture uses only what every program that reads SVG can draw: no style sheet, no gradient, no mask and no text.
//! A square has a side of 45 units. The dark squares are one path: stripes across and stripes down, which leave a
//! square empty where they cross.

use std::fmt::Write as _;

use crate::arrow::Arrow;
use crate::attributes::{Painted, Short};
use crate::beside::MAN;
use crate::colors::Colors;
use crate::diagram::{Board, DEFAULT_SIZE};
use crate::glyphs::{DIGIT_HEIGHT, DIGITS, LETTERS, STROKE, WIDTH};
use crate::paint::Rgba;
use crate::pieces::{PIECE_BOX, drawing, name, pieces};
use pgn2fen_chess::bitboard::Bitboard;
use pgn2fen_chess::piece::{Color, Role};
use pgn2fen_chess::position::Position;
use pgn2fen_chess::square::Square;

/// The side of a square.
const SQUARE: u8 = 45;

/// The stripes of the dark squares: the even ranks across and the odd files down, seen from White. It is the same seen
/// from Black.
const STRIPES: &str = "M0 45h360v45H0zm0 90h360v45H0zm0 90h360v45H0zm0 90h360v45H0zM45 0h45v360H45zm90 \
    0h45v360h-45zm90 0h45v360h-45zm90 0h45v360h-45z";

impl Board {
    /// Returns the picture as an SVG document, which contains the drawings of its pieces.
    ///
    /// The side of a square is 45 units, and the upper left corner of the board is at (0, 0). The only margin
    /// is at the right: for the [mark](Self::turn_mark) of the side to move, and in variants for men in hand and
    /// checks. The document is also valid as an element of an HTML page. Its `title` and `desc` describe the
    /// position in words.
    pub fn to_svg(&self) -> String {
        let mut svg = String::with_capacity(32 << 10);
        let size = self.size.unwrap_or(DEFAULT_SIZE);
        let namespaces = r#"xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink""#;
        let (units, width) = (self.width(360), self.width(size));
        let _ =
            write!(svg, r#"<svg {namespaces} viewBox="0 0 {units} 360" width="{width}" height="{size}" role="img">"#);
        self.words(&mut svg);
        self.definitions(&mut svg);
        self.below(self.coordinate_scale(DEFAULT_SIZE), &mut svg);
        for man in self.in_hand() {
            let scale = Short(f32::from(MAN) / f32::from(SQUARE));
            let (name, x, y) = (name(man.piece), man.x, man.y);
            let _ =
                write!(svg, r##"<use xlink:href="#p2f-{name}-45" transform="translate({x} {y}) scale({scale})"/>"##);
        }
        for (name, x, y) in self.placed() {
            // Programs that do not know SVG 2 need the prefix, and all others accept it.
            let _ = write!(svg, r##"<use xlink:href="#p2f-{name}-45" x="{x}" y="{y}"/>"##);
        }
        self.above(&mut svg);
        svg.push_str("</svg>\n");
        svg
    }

    /// Returns the picture as an `svg` element of the class `p2f-board`, for a page that contains
    /// [`pieces`](crate::pieces).
    pub fn to_svg_element(&self) -> String {
        self.element(false, self.coordinate_scale(DEFAULT_SIZE))
    }

    /// Returns the picture as an `svg` element of the class `p2f-board`, for a page that contains
    /// [`definitions`](crate::definitions). It is about a third shorter than [`to_svg_element`](Self::to_svg_element)
    /// if the board has the usual colours and no size. Its coordinates are large enough for a small board.
    pub fn to_page_element(&self) -> String {
        let is_usual = self.colors == Colors::default() && self.size.is_none();
        self.element(is_usual, self.coordinate_scale(PAGE_SIZE))
    }

    /// Returns an `svg` element. Its squares and coordinates are those of the definitions of the page if `is_shared`.
    fn element(&self, is_shared: bool, scale: f32) -> String {
        let mut svg = String::with_capacity(4 << 10);
        let _ = write!(svg, r#"<svg class="p2f-board" viewBox="0 0 {} 360""#, self.width(360));
        if let Some(size) = self.size {
            let _ = write!(svg, r#" width="{}" height="{size}""#, self.width(size));
        }
        svg.push_str(r#" role="img">"#);
        self.words(&mut svg);
        if is_shared {
            let _ = write!(svg, r##"<use href="#{SQUARES}"/>"##);
            self.highlights(&mut svg);
            if self.coordinates {
                let _ = write!(svg, r##"<use href="#{}"/>"##, coordinates(self.orientation));
            }
        } else {
            self.below(scale, &mut svg);
        }
        if is_shared && self.has_panel() {
            self.panel(&mut svg);
        }
        for man in self.in_hand() {
            let (name, x, y) = (name(man.piece), man.x, man.y);
            let _ = write!(svg, r##"<use href="#p2f-{name}" x="{x}" y="{y}" width="{MAN}" height="{MAN}"/>"##);
        }
        for (name, x, y) in self.placed() {
            let _ = write!(svg, r##"<use href="#p2f-{name}" x="{x}" y="{y}" width="45" height="45"/>"##);
        }
        self.above(&mut svg);
        svg.push_str("</svg>");
        svg
    }

    /// Appends the title and the description.
    fn words(&self, svg: &mut String) {
        let turn = self.turn().trim_end_matches('.');
        let _ = write!(svg, "<title>Chess diagram, {turn}</title><desc>{}</desc>", self.description());
    }

    /// Appends the drawings of the pieces that are on the board, in the units of the board.
    fn definitions(&self, svg: &mut String) {
        svg.push_str("<defs>");
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                if !self.setup.board.by_piece(piece).is_empty() || self.setup.hands.count(color, role) > 0 {
                    let scale = Short(f32::from(SQUARE) / PIECE_BOX as f32);
                    let _ = write!(
                        svg,
                        r#"<g id="p2f-{}-45" transform="scale({scale})">{}</g>"#,
                        name(piece),
                        drawing(piece)
                    );
                }
            }
        }
        svg.push_str("</defs>");
    }

    /// Returns the name of each piece and the place of its upper left corner.
    fn placed(&self) -> impl Iterator<Item = (String, u16, u16)> {
        let board = &self.setup.board;
        board.occupied().into_iter().filter_map(|square| {
            let (x, y) = self.corner(square);
            Some((name(board.piece_at(square)?), x, y))
        })
    }

    /// Returns the factor by which coordinates are larger than on a picture of the usual size, so that they are legible
    /// on a small picture, too. `usual` is its size if none is chosen.
    pub(super) fn coordinate_scale(&self, usual: u32) -> f32 {
        let size = self.size.unwrap_or(usual).clamp(1, DEFAULT_SIZE);
        let scale = (DEFAULT_SIZE as f32 / size as f32).min(LARGEST_SCALE);
        // Numbers are written with one decimal place.
        (10.0 * scale).round() / 10.0
    }

    /// Appends everything below the pieces.
    pub(super) fn below(&self, scale: f32, svg: &mut String) {
        self.light_and_dark(svg);
        self.highlights(svg);
        if self.coordinates {
            self.letters_and_digits(scale, svg);
        }
        if self.has_panel() {
            self.panel(svg);
        }
    }

    /// Appends the light and dark squares.
    fn light_and_dark(&self, svg: &mut String) {
        let colors = &self.colors;
        let _ = write!(svg, r#"<path fill="{}" d="M0 0h360v360H0z"/>"#, colors.light.opaque());
        let _ = write!(svg, r#"<path fill="{}" fill-rule="evenodd" d="{STRIPES}"/>"#, colors.dark.opaque());
    }

    /// Appends the colours of single squares.
    fn highlights(&self, svg: &mut String) {
        let colors = &self.colors;
        if let Some((from, to)) = self.last_move {
            self.squares(Bitboard::EMPTY.with(from).with(to), colors.last_move, svg);
        }
        for (square, paint) in &self.fills {
            self.squares(Bitboard::EMPTY.with(*square), paint.rgba(), svg);
        }
        if let Some(king) = self.king_in_check() {
            let (x, y) = self.centre(king);
            // Translucent circles on one another are darkest in the middle, as a gradient is.
            for radius in [22.0, 19.5, 16.0] {
                let fill = Painted("fill", colors.check);
                let _ = write!(svg, r#"<circle cx="{}" cy="{}" r="{}" {fill}/>"#, Short(x), Short(y), Short(radius));
            }
        }
    }

    /// Appends everything above the pieces.
    pub(super) fn above(&self, svg: &mut String) {
        self.promoted_marks(svg);
        if self.has_panel() {
            self.numbers(svg);
        }
        if !self.marks.is_empty() {
            let stroke = Painted("stroke", self.colors.mark);
            let _ = write!(svg, r#"<path {stroke} fill="none" stroke-width="4" stroke-linecap="round" d=""#);
            for square in self.marks {
                let (x, y) = self.corner(square);
                let _ = write!(svg, "M{} {}l27 27m-27 0l27-27", x + 9, y + 9);
            }
            svg.push_str(r#""/>"#);
        }
        for arrow in &self.arrows {
            self.arrow_or_circle(arrow, svg);
        }
        if self.turn_mark {
            let turn = self.setup.turn;
            let (fill, y) = (turn.pick("#fff", "#000"), if turn == self.orientation { 350 } else { 10 });
            let _ =
                write!(svg, r##"<circle cx="370" cy="{y}" r="7" fill="{fill}" stroke="#000" stroke-width="1.5"/>"##);
        }
    }

    /// Appends squares in one colour.
    fn squares(&self, squares: Bitboard, color: Rgba, svg: &mut String) {
        let _ = write!(svg, r#"<path {} d=""#, Painted("fill", color));
        for square in squares {
            let (x, y) = self.corner(square);
            let _ = write!(svg, "M{x} {y}h45v45h-45z");
        }
        svg.push_str(r#""/>"#);
    }

    /// Appends the digits in the upper left corners of the first column, and the letters in the lower right corners of
    /// the last row.
    fn letters_and_digits(&self, scale: f32, svg: &mut String) {
        let stroke = Painted("stroke", self.colors.coordinates);
        let (drawn, round) = (r#"fill="none""#, r#"stroke-linecap="round" stroke-linejoin="round""#);
        let transform = if scale > 1.0 { format!("transform=\"scale({})\" ", Short(scale)) } else { String::new() };
        let _ = write!(svg, r#"<path {transform}{stroke} {drawn} stroke-width="{STROKE}" {round} d=""#);
        for at in 0..8 {
            let digit = DIGITS[self.at(0, at).rank().index()];
            let letter = LETTERS[self.at(at, 7).file().index()];
            let near = f32::from(at) * f32::from(SQUARE);
            let far = near + f32::from(SQUARE) - 1.6 - WIDTH * scale;
            let top = near + 2.2 + DIGIT_HEIGHT * scale;
            let [left, top, far, bottom] = [1.6, top, far, 357.2].map(|place| Short(place / scale));
            let _ = write!(svg, "M{left} {top}{digit}M{far} {bottom}{letter}");
        }
        svg.push_str(r#""/>"#);
    }

    /// Appends an arrow as one outline, so that it is translucent all over alike, or a circle.
    fn arrow_or_circle(&self, arrow: &Arrow, svg: &mut String) {
        let color = arrow.paint.rgba();
        let ((x1, y1), (x2, y2)) = (self.centre(arrow.from), self.centre(arrow.to));
        if arrow.from == arrow.to {
            let stroke = Painted("stroke", color);
            let _ = write!(
                svg,
                r#"<circle cx="{}" cy="{}" r="20" fill="none" {stroke} stroke-width="4"/>"#,
                Short(x1),
                Short(y1)
            );
            return;
        }
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // A point so far along the arrow, counted from its end, and so far to its side.
        let point = |along: f32, aside: f32| (Short(x2 - dx * along - dy * aside), Short(y2 - dy * along + dx * aside));
        let _ = write!(svg, r#"<path {} d=""#, Painted("fill", color));
        let tail = length - 12.0;
        let outline = [(tail, 3.5), (17.0, 3.5), (17.0, 10.0), (0.0, 0.0), (17.0, -10.0), (17.0, -3.5), (tail, -3.5)];
        for (at, (along, aside)) in outline.into_iter().enumerate() {
            let (x, y) = point(along, aside);
            let _ = write!(svg, "{}{x} {y}", if at == 0 { "M" } else { " " });
        }
        svg.push_str(r#"z"/>"#);
    }

    /// Returns the upper left corner of a square.
    pub(super) fn corner(&self, square: Square) -> (u16, u16) {
        let (column, row) = self.place(square);
        (u16::from(column) * u16::from(SQUARE), u16::from(row) * u16::from(SQUARE))
    }

    /// Returns the middle of a square.
    fn centre(&self, square: Square) -> (f32, f32) {
        let (x, y) = self.corner(square);
        let half = f32::from(SQUARE) / 2.0;
        (f32::from(x) + half, f32::from(y) + half)
    }
}

/// The usual width of a board on a page of boards, in pixels.
const PAGE_SIZE: u32 = 220;

/// The largest factor by which coordinates grow. Larger ones would cover pieces.
const LARGEST_SCALE: f32 = 1.7;

/// The id of the squares among the definitions of a page.
const SQUARES: &str = "p2f-squares";

/// Returns the id of the coordinates, as seen from this side, among the definitions of a page.
fn coordinates(orientation: Color) -> &'static str {
    orientation.pick("p2f-white", "p2f-black")
}

/// Returns `svg` elements that show nothing, for a page with boards: the [`pieces`], and the squares and coordinates in
/// the usual colours. [`Board::to_page_element`] refers to them.
pub fn definitions() -> String {
    let board = Board::of(&Position::initial());
    let mut svg = format!("{}\n<svg display=\"none\"><defs><g id=\"{SQUARES}\">", pieces().trim_end());
    board.light_and_dark(&mut svg);
    svg.push_str("</g>");
    for orientation in Color::ALL {
        let _ = write!(svg, r#"<g id="{}">"#, coordinates(orientation));
        board.clone().orientation(orientation).letters_and_digits(board.coordinate_scale(PAGE_SIZE), &mut svg);
        svg.push_str("</g>");
    }
    svg.push_str("</defs></svg>");
    svg
}

#[cfg(test)]
mod tests {
    use roxmltree::{Document, Node};

    use super::{PAGE_SIZE, SQUARES, Short, definitions};
    use crate::{Arrow, Board, Colors, Paint, Rgba};
    use pgn2fen_chess::bitboard::Bitboard;
    use pgn2fen_chess::piece::{Color, Piece, Role};
    use pgn2fen_chess::square::Square;
    use pgn2fen_chess::testing::position;

    const POSITIONS: [&str; 8] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
        "4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "r1bqkbnr/pppp1Qpp/2n5/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4",
        "QQQQQQQQ/8/8/8/8/7k/8/K7 b - - 0 1",
        "k7/8/8/8/3Pp3/8/8/7K b - d3 0 1",
        "1nnnk3/pp6/8/8/8/8/6PP/3KQQQ1 b - - 0 1",
    ];

    fn boards() -> impl Iterator<Item = Board> {
        let boards = POSITIONS.into_iter().map(|fen| Board::of(&position(fen)));
        boards.flat_map(|board| [board.clone(), board.orientation(Color::Black)])
    }

    /// Returns the number of an attribute.
    #[track_caller]
    fn number(node: Node<'_, '_>, name: &str) -> f32 {
        let text = node.attribute(name).unwrap_or_else(|| panic!("{node:?} has no {name}"));
        text.parse().unwrap_or_else(|_| panic!("{name} of {node:?}"))
    }

    /// Returns the pieces of a picture by their squares, as somebody finds them who knows the board only from its
    /// picture.
    fn pieces_in(svg: &str, is_flipped: bool, before: &str, behind: &str) -> Vec<(Square, char)> {
        let document = Document::parse(svg).expect(svg);
        let is_use = |node: &Node<'_, '_>| node.tag_name().name() == "use";
        let mut pieces: Vec<(Square, char)> = Vec::new();
        for node in document.descendants().filter(is_use) {
            let href = node.attributes().find(|attribute| attribute.name() == "href").expect("a link").value();
            let name = href.strip_prefix(before).and_then(|rest| rest.strip_suffix(behind)).expect(href);
            let (x, y) = (number(node, "x") / 45.0, number(node, "y") / 45.0);
            let (x, y) = if is_flipped { (7.0 - x, 7.0 - y) } else { (x, y) };
            let square = (0..64).find(|at| f32::from(at % 8) == x && f32::from(7 - at / 8) == y).expect(href);
            let role = Role::from_char(name.chars().nth(1).expect(href)).expect(href);
            let color = if name.starts_with('w') { Color::White } else { Color::Black };
            pieces.push((Square::from_index(square).expect(href), role.of(color).char()));
        }
        pieces.sort();
        pieces
    }

    #[test]
    fn a_disc_shows_the_side_to_move() {
        for (fen, orientation, place) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Color::White, r##"cy="350" r="7" fill="#fff""##),
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Color::White, r##"cy="10" r="7" fill="#000""##),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Color::Black, r##"cy="10" r="7" fill="#fff""##),
            ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", Color::Black, r##"cy="350" r="7" fill="#000""##),
        ] {
            let board = Board::of(&position(fen)).orientation(orientation);
            let svg = board.clone().turn_mark(true).size(180).to_svg();
            assert!(svg.contains(place), "{svg}");
            assert!(svg.contains(r#"viewBox="0 0 380 360" width="190" height="180""#), "{svg}");
            assert!(!board.to_svg().contains(place));
        }
    }

    #[test]
    fn every_piece_stands_on_its_square_and_nothing_else_does() {
        for board in boards() {
            let pieces = &board.setup.board;
            let placed = |square| pieces.piece_at(square).map(|piece: Piece| (square, piece.char()));
            let expected: Vec<(Square, char)> = Bitboard::FULL.into_iter().filter_map(placed).collect();
            let is_flipped = board.orientation == Color::Black;
            assert_eq!(pieces_in(&board.to_svg(), is_flipped, "#p2f-", "-45"), expected, "{}", board.setup);
            assert_eq!(pieces_in(&board.to_svg_element(), is_flipped, "#p2f-", ""), expected, "{}", board.setup);
        }
    }

    #[test]
    fn a_document_defines_the_pieces_it_shows_and_no_others() {
        for board in boards() {
            let svg = board.to_svg();
            let document = Document::parse(&svg).unwrap();
            let mut defined: Vec<String> =
                document.descendants().filter_map(|node| node.attribute("id")).map(|id| format!("#{id}")).collect();
            let links = document.descendants().flat_map(|node| node.attributes()).filter(|a| a.name() == "href");
            let mut used: Vec<String> = links.map(|link| link.value().to_owned()).collect();
            used.sort();
            used.dedup();
            defined.sort();
            assert_eq!(defined, used);
            assert!(!svg.contains("url(") && !svg.contains("style="), "{svg}");
        }
    }

    #[test]
    fn a_board_of_a_page_shows_what_the_others_show() {
        let page = definitions();
        let page = format!("<page>{page}</page>");
        let page = Document::parse(&page).unwrap();
        let part = |id: &str| {
            let defined = page.descendants().find(|node| node.attribute("id") == Some(id)).expect(id).range();
            let group = &page.input_text()[defined];
            group[group.find('>').unwrap() + 1..].strip_suffix("</g>").unwrap().to_owned()
        };
        for board in boards() {
            // The coordinates are those of a small board.
            let alone = board.clone().size(PAGE_SIZE).to_svg_element();
            let alone = alone.replace(r#" width="220" height="220""#, "");
            let mut shared = board.to_page_element();
            assert!(shared.len() < alone.len() || board.colors != Colors::default());
            for id in [SQUARES, "p2f-white", "p2f-black"] {
                shared = shared.replace(&format!("<use href=\"#{id}\"/>"), &part(id));
            }
            assert_eq!(shared, alone);
        }
    }

    #[test]
    fn coordinates_are_as_large_on_a_small_picture() {
        let scale = |size| Board::of(&position(POSITIONS[0])).size(size).coordinate_scale(360);
        assert_eq!([800, 360, 300, 220, 100].map(scale), [1.0, 1.0, 1.2, 1.6, 1.7]);
        let small = Board::of(&position(POSITIONS[0])).size(220).to_svg();
        // The letter h: its left end is 1.6 and its width from the edge.
        assert!(small.contains(r#"transform="scale(1.6)""#) && small.contains("M220.2 223.2m0-7v7"), "{small}");
    }

    #[test]
    fn a_picture_is_small() {
        let bytes = |fen: &str| {
            let board = Board::of(&position(fen));
            (board.to_svg().len(), board.to_svg_element().len())
        };
        let (document, element) = bytes(POSITIONS[0]);
        assert!(document < 34_000 && element < 4_600, "{document} {element}");
        let (document, element) = bytes(POSITIONS[1]);
        assert!(document < 9_000 && element < 2_000, "{document} {element}");
        assert!(Board::of(&position(POSITIONS[0])).to_page_element().len() < 2_600);
    }

    /// Returns the values of an attribute of all elements that have it, with the attribute that gives their colour.
    fn paths(svg: &str) -> Vec<(String, String)> {
        let document = Document::parse(svg).expect(svg);
        let color = |node: Node<'_, '_>| {
            let stroke = node.attribute("stroke").map(|color| format!("stroke {color}"));
            stroke.or_else(|| node.attribute("fill").map(str::to_owned)).unwrap_or_default()
        };
        let drawn =
            document.root_element().children().filter(|node| matches!(node.tag_name().name(), "path" | "circle"));
        let place = |node: Node<'_, '_>| match node.attribute("d") {
            Some(path) => path.to_owned(),
            None => format!("{} {} {}", number(node, "cx"), number(node, "cy"), number(node, "r")),
        };
        drawn.map(|node| (color(node), place(node))).collect()
    }

    #[track_caller]
    fn check(board: &Board, color: &str, expected: &[&str]) {
        for svg in [board.to_svg(), board.to_svg_element()] {
            let paths = paths(&svg);
            let found: Vec<&str> = paths.iter().filter(|(of, _)| of == color).map(|(_, path)| path.as_str()).collect();
            assert_eq!(found, expected, "{paths:?}");
        }
    }

    fn plain() -> Board {
        Board::of(&position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
    }

    #[test]
    fn squares_are_where_the_orientation_puts_them() {
        let color = Colors::BROWN.last_move.opaque().to_string();
        let board = plain().last_move(Square::A1, Square::E4);
        check(&board, &color, &["M0 315h45v45h-45zM180 180h45v45h-45z"]);
        check(&board.orientation(Color::Black), &color, &["M315 0h45v45h-45zM135 135h45v45h-45z"]);
        let board = plain().fill(Square::H8, Paint::Red).fill(Square::A8, Paint::Custom(Rgba::from_u32(0x0102_03ff)));
        check(&board, &Paint::Red.rgba().opaque().to_string(), &["M315 0h45v45h-45z"]);
        check(&board, "#010203", &["M0 0h45v45h-45z"]);
    }

    #[test]
    fn arrows_circles_and_crosses_are_drawn_where_they_are_meant() {
        let blue = Paint::Blue.rgba().opaque().to_string();
        let board = plain().arrow(Arrow::new(Square::A1, Square::A8, Paint::Blue));
        check(&board, &blue, &["M26 325.5 26 39.5 32.5 39.5 22.5 22.5 12.5 39.5 19 39.5 19 325.5z"]);
        check(&plain().arrow(Arrow::circle(Square::B2, Paint::Blue)), &format!("stroke {blue}"), &["67.5 292.5 20"]);
        let mark = format!("stroke {}", Colors::BROWN.mark.opaque());
        check(
            &plain().mark(Square::H1).mark(Square::A1),
            &mark,
            &["M9 324l27 27m-27 0l27-27M324 324l27 27m-27 0l27-27"],
        );
    }

    #[test]
    fn the_king_in_check_is_marked_unless_it_is_not_wished() {
        let red = Colors::BROWN.check.opaque().to_string();
        let board = Board::of(&position("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1"));
        check(&board, &red, &["202.5 22.5 22", "202.5 22.5 19.5", "202.5 22.5 16"]);
        check(&board.check(false), &red, &[]);
        check(&plain(), &red, &[]);
    }

    #[test]
    fn size_coordinates_and_words_are_told() {
        let attribute =
            |svg: &str, name: &str| Document::parse(svg).unwrap().root_element().attribute(name).map(str::to_owned);
        assert_eq!(attribute(&plain().to_svg(), "width").as_deref(), Some("360"));
        assert_eq!(attribute(&plain().size(128).to_svg(), "height").as_deref(), Some("128"));
        assert_eq!(attribute(&plain().to_svg_element(), "width"), None);
        assert_eq!(attribute(&plain().size(128).to_svg_element(), "width").as_deref(), Some("128"));
        let stroke = format!("stroke {}", Colors::GREEN.coordinates);
        let board = plain().colors(Colors::GREEN);
        assert_eq!(paths(&board.to_svg()).iter().filter(|(color, _)| *color == stroke).count(), 1);
        check(&board.coordinates(false), &stroke, &[]);
        let svg = plain().to_svg();
        let document = Document::parse(&svg).unwrap();
        let words: Vec<&str> = document.root_element().children().filter_map(|node| node.text()).collect();
        assert_eq!(words[..2], ["Chess diagram, White to move", plain().description().as_str()]);
    }

    #[test]
    fn numbers_are_short() {
        let short = |number| Short(number).to_string();
        assert_eq!(
            [0.0, -0.0, 0.05625, 0.5, 1.0, 10.0, 22.46, 360.0].map(short),
            ["0", "0", ".05625", ".5", "1", "10", "22.5", "360"]
        );
    }
}
