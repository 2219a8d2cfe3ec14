//! The parts of a page of boards: one HTML document that needs no other file and no network. It is well-formed XML,
//! too.
//!
//! The pieces and the squares are defined once, at the start of the page, and each board refers to them. The browser
//! lays out only the boards that are on the screen. Texts are escaped, so nothing in a game becomes markup.
//!
//! ```
//! use pgn2fen_chess::Position;
//! use pgn2fen_board::Board;
//! use pgn2fen_rows::page;
//!
//! let position = Position::initial();
//! let mut html = Vec::new();
//! page::append_head("A page", &mut html);
//! page::begin_boards(&mut html);
//! page::append_figure(Some(&Board::of(&position)), &["The <initial> position".to_owned()], &mut html);
//! page::end_boards(&mut html);
//! page::append_end(&mut html);
//! let html = String::from_utf8(html)?;
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<b>The &lt;initial&gt; position</b>"));
//! # Ok::<(), std::string::FromUtf8Error>(())
//! ```

use std::ffi::OsStr;
use std::path::Path;

use pgn2fen_board::{Board, definitions};

/// The style sheet of a page.
const STYLE: &str = include_str!("page.css");

/// Appends the start of a page: its title, its style, and the pieces.
pub fn append_head(title: &str, out: &mut Vec<u8>) {
    append_head_with(title, "", out);
}

/// Appends the start of a page that has a style sheet of its own besides that of all pages.
pub fn append_head_with(title: &str, style: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    // The page contains texts from games, which are escaped. If one were not, no script would run and nothing would be
    // loaded.
    out.extend_from_slice(
        b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n",
    );
    out.extend_from_slice(b"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    append_escaped(title, out);
    out.extend_from_slice(b"</title>\n<style>\n");
    out.extend_from_slice(STYLE.as_bytes());
    out.extend_from_slice(style.as_bytes());
    out.extend_from_slice(b"</style>\n</head>\n<body>\n");
    out.extend_from_slice(definitions().as_bytes());
    out.extend_from_slice(b"\n<main>\n<h1>");
    append_escaped(title, out);
    out.extend_from_slice(b"</h1>\n");
}

/// Appends the end of a page.
pub fn append_end(out: &mut Vec<u8>) {
    out.extend_from_slice(b"</main>\n</body>\n</html>\n");
}

/// Begins a group of boards, which are placed in columns.
pub fn begin_boards(out: &mut Vec<u8>) {
    out.extend_from_slice(b"<div class=\"boards\">\n");
}

/// Ends a group of boards.
pub fn end_boards(out: &mut Vec<u8>) {
    out.extend_from_slice(b"</div>\n");
}

/// Appends a board with its caption, whose first line is a heading. Without a board, there is only the caption.
pub fn append_figure(board: Option<&Board>, caption: &[String], out: &mut Vec<u8>) {
    append_figure_with_bar(board, None, caption, out);
}

/// Appends a figure like [`append_figure`], with a bar below the board that shows the shares of games that White won,
/// that were drawn and that Black won, in per cent. The caption has these numbers in words.
pub fn append_figure_with_bar(board: Option<&Board>, shares: Option<[u64; 3]>, caption: &[String], out: &mut Vec<u8>) {
    begin_figure(board, out);
    if let Some(shares) = shares {
        append_bar(shares, out);
    }
    if !caption.is_empty() {
        out.extend_from_slice(b"<figcaption>");
        append_lines(caption, out);
        out.extend_from_slice(b"</figcaption>");
    }
    out.extend_from_slice(b"</figure>\n");
}

/// Appends a figure like [`append_figure`], whose caption begins with the number of the board. Returns the place for
/// the number, which may not be known yet, in bytes from the start of `out`.
pub fn append_numbered_figure(board: Option<&Board>, caption: &[String], out: &mut Vec<u8>) -> usize {
    begin_figure(board, out);
    out.extend_from_slice(b"<figcaption><span class=\"number\">");
    let place = out.len();
    out.extend_from_slice(b"</span>");
    if !caption.is_empty() {
        out.push(b' ');
        append_lines(caption, out);
    }
    out.extend_from_slice(b"</figcaption></figure>\n");
    place
}

fn begin_figure(board: Option<&Board>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"<figure>");
    if let Some(board) = board {
        out.extend_from_slice(board.to_page_element().as_bytes());
    }
}

/// Appends the lines of a caption, of which the first is a heading.
fn append_lines(caption: &[String], out: &mut Vec<u8>) {
    if let Some((heading, lines)) = caption.split_first() {
        out.extend_from_slice(b"<b>");
        append_escaped(heading, out);
        out.extend_from_slice(b"</b>");
        for line in lines {
            out.extend_from_slice(b"<br/>");
            append_escaped(line, out);
        }
    }
}

/// Appends a figure like [`append_figure`], whose caption ends with these lines, which may have addresses.
pub fn append_figure_with_links(
    board: &Board,
    caption: &[String],
    links: &[(String, Option<&str>)],
    out: &mut Vec<u8>,
) {
    begin_figure(Some(board), out);
    out.extend_from_slice(b"<figcaption>");
    append_lines(caption, out);
    for (text, address) in links {
        out.extend_from_slice(b"<br/>");
        append_link(text, *address, out);
    }
    out.extend_from_slice(b"</figcaption></figure>\n");
}

/// Appends a text as a link, if it has an address. Only `https` and `http` lead anywhere, so no address is a script.
pub fn append_link(text: &str, address: Option<&str>, out: &mut Vec<u8>) {
    let is_link = |address: &&str| {
        let has_scheme = address.starts_with("https://") || address.starts_with("http://");
        has_scheme && address.bytes().all(|byte| byte.is_ascii_graphic())
    };
    let Some(address) = address.filter(is_link) else {
        append_escaped(text, out);
        return;
    };
    out.extend_from_slice(b"<a href=\"");
    append_escaped(address, out);
    out.extend_from_slice(b"\" rel=\"noreferrer\">");
    append_escaped(text, out);
    out.extend_from_slice(b"</a>");
}

/// Appends a bar that shows the shares of games that White won, that were drawn and that Black won, in per cent.
pub fn append_bar([white, draws, black]: [u64; 3], out: &mut Vec<u8>) {
    let bar = format!(
        "<svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect width=\"{white}\" height=\"4\" fill=\"#f4f2ee\"/>\
         <rect x=\"{white}\" width=\"{draws}\" height=\"4\" fill=\"#9a9a9a\"/>\
         <rect x=\"{}\" width=\"{black}\" height=\"4\" fill=\"#3a3a3a\"/></svg>",
        white + draws
    );
    out.extend_from_slice(bar.as_bytes());
}

/// Appends the solutions of numbered boards, which are printed on a page of their own.
pub fn append_solutions(solutions: &[(u64, String)], out: &mut Vec<u8>) {
    out.extend_from_slice(b"<section class=\"solutions\">\n<h2>Solutions</h2>\n<ul>\n");
    for (number, solution) in solutions {
        out.extend_from_slice(format!("<li><b>{number}</b> ").as_bytes());
        append_escaped(solution, out);
        out.extend_from_slice(b"</li>\n");
    }
    out.extend_from_slice(b"</ul>\n</section>\n");
}

/// Appends a paragraph about the page, such as the number of boards that are not on it.
pub fn append_note(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"<p class=\"note\">");
    append_escaped(text, out);
    out.extend_from_slice(b"</p>\n");
}

/// Returns the title of a page about these files, such as `Positions of games.pgn and 2 more files`. Folders are not
/// named.
pub fn title<'p>(what: &str, files: impl IntoIterator<Item = &'p Path>) -> String {
    let mut files = files.into_iter();
    let name = files.next().and_then(Path::file_name).map(OsStr::to_string_lossy).unwrap_or_default();
    match (&*name, files.count()) {
        ("" | "-", 0) => what.to_owned(),
        (name, 0) => format!("{what} of {name}"),
        (name, 1) => format!("{what} of {name} and 1 more file"),
        (name, more) => format!("{what} of {name} and {more} more files"),
    }
}

/// Returns the note about boards that are not on the page because of the limit on their number.
pub fn left_out(boards: u64) -> String {
    let boards = if boards == 1 { "1 more board is".to_owned() } else { format!("{boards} more boards are") };
    format!("{boards} not on this page, because their number is limited.")
}

/// Appends a text so that it is text wherever it stands in a page, also as the value of an attribute in quotes.
/// Characters that a page cannot contain, such as control characters, become U+FFFD.
pub fn append_escaped(text: &str, out: &mut Vec<u8>) {
    for char in text.chars() {
        match char {
            '&' => out.extend_from_slice(b"&amp;"),
            '<' => out.extend_from_slice(b"&lt;"),
            '>' => out.extend_from_slice(b"&gt;"),
            '"' => out.extend_from_slice(b"&quot;"),
            '\'' => out.extend_from_slice(b"&#39;"),
            '\t' | '\n' => out.push(b' '),
            char if char.is_control() || is_noncharacter(char) => out.extend_from_slice("\u{fffd}".as_bytes()),
            char => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Whether Unicode reserves the code point for internal use. HTML does not allow such characters.
fn is_noncharacter(char: char) -> bool {
    matches!(u32::from(char), 0xFDD0..=0xFDEF) || u32::from(char) & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{
        append_escaped, append_figure, append_figure_with_bar, append_figure_with_links, append_head, append_head_with,
        left_out, title,
    };
    use pgn2fen_board::Board;
    use pgn2fen_chess::Position;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut out = Vec::new();
        append_escaped(text, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn nothing_in_a_text_becomes_markup() {
        check("</b><script>alert('x')</script>", "&lt;/b&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
        check("\" onload=\"x", "&quot; onload=&quot;x");
        check("Müller & Sön 🏰", "Müller &amp; Sön 🏰");
        check(
            "a\0b\u{1b}[0m\u{85}\u{ffff}\u{1fffe}\u{fdd0}\r\n\t",
            "a\u{fffd}b\u{fffd}[0m\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}  ",
        );
    }

    #[test]
    fn only_addresses_of_the_web_become_links() {
        let link = |address| {
            let mut out = Vec::new();
            super::append_link("a<b", address, &mut out);
            String::from_utf8(out).unwrap()
        };
        let address = "https://lichess.org/abcdefgh?a=\"&b";
        let expected = "<a href=\"https://lichess.org/abcdefgh?a=&quot;&amp;b\" rel=\"noreferrer\">a&lt;b</a>";
        assert_eq!(link(Some(address)), expected);
        for other in [None, Some("javascript:alert(1)"), Some("https://a b"), Some("Berlin GER"), Some("")] {
            assert_eq!(link(other), "a&lt;b");
        }
    }

    #[test]
    fn a_title_names_the_first_file() {
        let of = |files: &[&'static str]| title("Positions", files.iter().map(|file| Path::new(*file)));
        assert_eq!([of(&[]), of(&["-"])], ["Positions", "Positions"]);
        assert_eq!(of(&["a/b.pgn"]), "Positions of b.pgn");
        assert_eq!(of(&["a/b.pgn", "c"]), "Positions of b.pgn and 1 more file");
        assert_eq!(of(&["b", "c", "d"]), "Positions of b and 2 more files");
    }

    #[test]
    fn the_boards_that_are_left_out_are_counted() {
        assert_eq!(left_out(1), "1 more board is not on this page, because their number is limited.");
        assert!(left_out(1200).starts_with("1200 more boards are not on this page"));
    }

    #[test]
    fn a_page_has_its_parts_in_order() {
        let text = |append: &dyn Fn(&mut Vec<u8>)| {
            let mut out = Vec::new();
            append(&mut out);
            String::from_utf8(out).unwrap()
        };
        let head = text(&|out| append_head("A & B", out));
        assert_eq!(head, text(&|out| append_head_with("A & B", "", out)));
        assert!(head.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"), "{head}");
        assert!(head.ends_with("\n<main>\n<h1>A &amp; B</h1>\n"), "{head}");
        let styled = text(&|out| append_head_with("A & B", ".x{}\n", out));
        assert_eq!(styled.replacen(".x{}\n</style>", "</style>", 1), head);
        assert!(head.contains("<title>A &amp; B</title>\n<style>\n") && head.contains("default-src 'none'"));
        let caption = ["one".to_owned(), "two".to_owned()];
        assert_eq!(
            text(&|out| append_figure_with_bar(None, Some([50, 30, 20]), &caption, out)),
            "<figure><svg class=\"bar\" viewBox=\"0 0 100 4\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <rect width=\"50\" height=\"4\" fill=\"#f4f2ee\"/>\
             <rect x=\"50\" width=\"30\" height=\"4\" fill=\"#9a9a9a\"/>\
             <rect x=\"80\" width=\"20\" height=\"4\" fill=\"#3a3a3a\"/></svg>\
             <figcaption><b>one</b><br/>two</figcaption></figure>\n"
        );
        assert_eq!(text(&|out| append_figure(None, &[], out)), "<figure></figure>\n");
        let board = Board::of(&Position::initial());
        let links = [("a".to_owned(), None), ("b".to_owned(), Some("https://x.y"))];
        assert_eq!(
            text(&|out| append_figure_with_links(&board, &caption, &links, out)),
            format!(
                "<figure>{}<figcaption><b>one</b><br/>two<br/>a<br/><a href=\"https://x.y\" rel=\"noreferrer\">b</a>\
                 </figcaption></figure>\n",
                board.to_page_element()
            )
        );
    }
}
