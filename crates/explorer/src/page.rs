//! The files of the page, which are part of the program.

use std::sync::LazyLock;

use pgn2fen_board::pieces;

/// A file of the page: its path, its type and its text.
pub(super) struct PageFile {
    pub(super) path: &'static str,
    pub(super) kind: &'static str,
    pub(super) text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The place of the drawings of the pieces in the page.
const PIECES: &str = "<!-- the pieces -->";

/// The page with the drawings of the pieces: a move needs no request to be seen.
static INDEX: LazyLock<String> = LazyLock::new(|| include_str!("page/index.html").replace(PIECES, pieces().trim_end()));

/// Returns the files of the page. Nothing in them comes from an index.
pub(super) fn files() -> [PageFile; 17] {
    [
        PageFile { path: "/", kind: HTML, text: &INDEX },
        PageFile { path: "/common.css", kind: CSS, text: include_str!("page/common.css") },
        PageFile { path: "/explorer.css", kind: CSS, text: include_str!("page/explorer.css") },
        PageFile { path: "/explorer.js", kind: SCRIPT, text: include_str!("page/explorer.js") },
        PageFile { path: "/board.js", kind: SCRIPT, text: include_str!("page/board.js") },
        PageFile { path: "/choices.js", kind: SCRIPT, text: include_str!("page/choices.js") },
        PageFile { path: "/dom.js", kind: SCRIPT, text: include_str!("page/dom.js") },
        PageFile { path: "/glyphs.js", kind: SCRIPT, text: include_str!("page/glyphs.js") },
        PageFile { path: "/http.js", kind: SCRIPT, text: include_str!("page/http.js") },
        PageFile { path: "/keys.js", kind: SCRIPT, text: include_str!("page/keys.js") },
        PageFile { path: "/letters.js", kind: SCRIPT, text: include_str!("page/letters.js") },
        PageFile { path: "/line.js", kind: SCRIPT, text: include_str!("page/line.js") },
        PageFile { path: "/movetext.js", kind: SCRIPT, text: include_str!("page/movetext.js") },
        PageFile { path: "/tables.js", kind: SCRIPT, text: include_str!("page/tables.js") },
        PageFile { path: "/tree.js", kind: SCRIPT, text: include_str!("page/tree.js") },
        PageFile { path: "/values.js", kind: SCRIPT, text: include_str!("page/values.js") },
        PageFile { path: "/view.js", kind: SCRIPT, text: include_str!("page/view.js") },
    ]
}

#[cfg(test)]
mod tests {
    use super::{PIECES, files};

    #[test]
    fn the_page_has_the_pieces() {
        let page = files().into_iter().find(|file| file.path == "/").unwrap();
        assert_eq!(page.text.matches("<symbol id=\"p2f-").count(), 12);
        assert!(!page.text.contains(PIECES));
    }
}
