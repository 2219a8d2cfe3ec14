//! The files of the page, which are part of the program.

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
const SVG: &str = "image/svg+xml";

/// Returns the files of the page. Nothing in them comes from an index.
pub(super) fn files() -> [PageFile; 18] {
    [
        PageFile { path: "/", kind: HTML, text: include_str!("page/index.html") },
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
        PageFile { path: "/pieces.svg", kind: SVG, text: pieces() },
    ]
}
