//! The files of a folder under `/site/`.

use super::{Running, index};
use crate::cli::Desk;

const GAME: &str = "[Event \"A\"]\n[Result \"*\"]\n\n1. e4 *\n";

/// A desk with an index and a folder `page`.
fn desk() -> Desk {
    let desk = index(GAME);
    let page = desk.path("page");
    std::fs::create_dir(&page).unwrap();
    std::fs::create_dir(page.join("folder")).unwrap();
    for (name, text) in [
        ("index.html", "<!doctype html>"),
        ("site.js", "let a;"),
        ("engine.wasm", "\0asm"),
        (".secret", "x"),
        ("folder/inner.txt", "x"),
    ] {
        std::fs::write(page.join(name), text).unwrap();
    }
    desk
}

#[test]
fn a_folder_is_served_under_site() {
    let desk = desk();
    let page = desk.path("page");
    let server = Running::with(&[&desk.path("games.idx")], |options| options.site = Some(page.clone()));
    // The files are those of the start.
    std::fs::write(page.join("late.txt"), "x").unwrap();
    for (path, kind, text) in [
        ("/site/", "text/html; charset=utf-8", "<!doctype html>"),
        ("/site/index.html", "text/html; charset=utf-8", "<!doctype html>"),
        ("/site/site.js", "text/javascript; charset=utf-8", "let a;"),
        ("/site/engine.wasm", "application/wasm", "\0asm"),
    ] {
        let answer = server.get(path);
        assert_eq!((answer.status, &*answer.text), (200, text), "{path}");
        assert!(answer.headers.contains(&format!("content-type: {kind}")), "{answer:?}");
        assert!(answer.headers.contains("script-src 'self' 'wasm-unsafe-eval'"), "{answer:?}");
        assert!(answer.headers.contains("x-content-type-options: nosniff"), "{answer:?}");
        assert_eq!(server.request("POST", path, "Content-Length: 0\r\n").status, 405);
    }
    let moved = server.get("/site");
    assert_eq!(moved.status, 308);
    assert!(moved.headers.contains("location: /site/"), "{moved:?}");
    for path in [
        "/site/.secret",
        "/site/folder",
        "/site/folder/inner.txt",
        "/site/late.txt",
        "/site/../games.idx",
        "/site/%2e%2e/games.pgn",
        "/site//etc/passwd",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // The rules for the rest of the server stay as they are.
    assert!(!server.get("/").headers.contains("wasm-unsafe-eval"));
    assert_eq!(server.json("/api/index")["hasSite"], true);
    let foreign = server.send(b"GET /site/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(foreign.status, 421);
}

#[test]
fn without_a_folder_there_is_no_site() {
    let desk = index(GAME);
    let server = Running::start(&[&desk.path("games.idx")]);
    assert_eq!(server.get("/site/").status, 404);
    assert_eq!(server.json("/api/index")["hasSite"], false);
}

#[test]
fn a_folder_without_a_page_is_refused() {
    let desk = index(GAME);
    std::fs::create_dir(desk.path("empty")).unwrap();
    let done = desk.run(&["serve", "--listen", "127.0.0.1:0", "--site", "empty", "games.idx"]);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("empty: there is no index.html in this folder"), "{}", done.stderr);
    let done = desk.run(&["serve", "--listen", "127.0.0.1:0", "--site", "missing", "games.idx"]);
    assert_eq!(done.code, Some(2));
    assert!(done.stderr.contains("missing: "), "{}", done.stderr);
}
