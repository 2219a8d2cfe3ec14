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
pub(super) fn files() -> [PageFile; 5] {
    [
        PageFile { path: "/", kind: HTML, text: include_str!("page/index.html") },
        PageFile { path: "/explorer.css", kind: CSS, text: include_str!("page/explorer.css") },
        PageFile { path: "/explorer.js", kind: SCRIPT, text: include_str!("page/explorer.js") },
        PageFile { path: "/board.js", kind: SCRIPT, text: include_str!("page/board.js") },
        PageFile { path: "/pieces.svg", kind: SVG, text: pieces() },
    ]
}
