//! Positions in the addresses of web pages: analysis boards, editors, pictures of boards and explorers.

use pgn2fen_chess::fen;
use pgn2fen_chess::rules::Rules;
use pgn2fen_pgn::lists::board::{is_board_byte, is_rank};

/// Whether a text is the address of a web page, with or without `https://`.
pub(super) fn is_link(text: &str) -> bool {
    if text.starts_with("https://") || text.starts_with("http://") {
        return true;
    }
    let Some((host, _)) = text.split_once('/') else {
        return false;
    };
    let mut labels = host.rsplit('.');
    let is_letters = |label: &str| label.len() >= 2 && label.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    labels.next().is_some_and(is_letters) && labels.next().is_some_and(is_label) && labels.all(is_label)
}

/// Returns the position in an address, as a person would type it. None if there is none, or if there are several
/// boards.
///
/// A position is a FEN anywhere in the address, or moves: the parameters `play`, `moves` and `pgn`, and the path behind
/// `/pgn/` and `/opening/NAME/`.
pub(super) fn position_of(link: &str) -> Option<String> {
    let (path, parameters) = link.split_once(['?', '#']).unwrap_or((link, ""));
    let parameters = parameters.split(['&', '#', '?']);
    let parameter = |names: &[&str]| {
        let mut pairs = parameters.clone().filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, value)| names.contains(name) && !value.is_empty()).map(|(_, value)| decoded(value))
    };
    let moves = parameter(&["play", "moves"]).map(|moves| moves.replace(',', " "));
    let mut boards: Vec<String> = link.split(['?', '#', '&', '=']).filter_map(fen_in).collect();
    boards.dedup();
    match (boards.pop(), boards.is_empty(), moves) {
        (Some(_), false, _) => None,
        (Some(fen), true, None) => Some(fen),
        (Some(fen), true, Some(moves)) => Some(format!("{fen} moves {moves}")),
        (None, _, Some(moves)) => Some(moves),
        (None, _, None) => parameter(&["pgn"]).or_else(|| moves_in(path)),
    }
}

/// Returns the moves in the path of an address.
fn moves_in(path: &str) -> Option<String> {
    let mut segments = path.split('/').skip_while(|segment| !matches!(*segment, "pgn" | "opening"));
    let behind = match segments.next()? {
        "pgn" => segments.next(),
        _ => segments.nth(1),
    };
    behind.map(decoded).filter(|moves| !moves.trim().is_empty())
}

/// Returns the FEN in a part of an address: the first eight ranks of eight squares each, and the fields behind them.
fn fen_in(part: &str) -> Option<String> {
    let part = &with_blanks(part);
    let starts = std::iter::once(0).chain(part.match_indices(['/', ' ']).map(|(at, _)| at + 1));
    starts.map(|at| &part[at..]).find(|text| begins_with_board(text)).map(|text| {
        // The men in hand may be a ninth rank.
        let has_hand = fen::rules_of_form(text.as_bytes()) == Some(Rules::Crazyhouse);
        let slashes = 7 + usize::from(has_hand && is_ninth_rank(text));
        let end = text.match_indices('/').nth(slashes).map_or(text.len(), |(at, _)| at);
        text[..end].trim().to_owned()
    })
}

/// Whether the board of a FEN has a ninth rank.
fn is_ninth_rank(fen: &str) -> bool {
    fen.split(' ').next().is_some_and(|board| board.matches('/').count() == 8)
}

fn begins_with_board(text: &str) -> bool {
    let board = text.split([' ', '[']).next().unwrap_or_default();
    let mut ranks = board.split('/');
    let is_placed = |byte: u8| is_board_byte(byte) || byte == b'~';
    (0..8).all(|_| ranks.next().is_some_and(|rank| rank.bytes().all(is_placed) && is_rank(rank.as_bytes())))
}

/// Decodes a part of an address. An underscore or a plus is a blank, as many pages have them in positions. In a text
/// with other blanks, a plus stands between numbers of checks.
fn with_blanks(part: &str) -> String {
    let has_others = part.contains([' ', '_']) || part.contains("%20");
    if has_others { decoded(&part.replace('+', "%2B")) } else { decoded(part) }
}

/// Decodes `%20` and the like. An underscore or a plus is a blank.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let code = match (first, behind) {
            (b'%', [high, low, ..]) => {
                let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                digit(high).zip(digit(low)).map(|(high, low)| high << 4 | low)
            }
            _ => None,
        };
        rest = if code.is_some() { &behind[2..] } else { behind };
        bytes.push(match (code, first) {
            (Some(b'_'), _) | (None, b'_' | b'+') => b' ',
            (Some(byte), _) | (None, &byte) => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{is_link, position_of};

    #[track_caller]
    fn check(link: &str, expected: Option<&str>) {
        assert!(is_link(link), "{link}");
        assert_eq!(position_of(link).as_deref(), expected, "{link}");
    }

    #[test]
    fn a_position_in_an_address_is_found() {
        let e4 = Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        for link in [
            "https://lichess.org/analysis/rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1",
            "https://lichess.org/analysis/standard/rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1\
             ?color=black#3",
            "lichess.org/editor/rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1",
            "https://lichess1.org/export/fen.gif?fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-%200\
             %201&color=white",
            "https://www.chess.com/analysis?fen=rnbqkbnr%2Fpppppppp%2F8%2F8%2F4P3%2F8%2FPPPP1PPP%2FRNBQKBNR\
             +b+KQkq+-+0+1&flip=true",
            "www.chess.com/dynboard?size=2&fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR%20b%20KQkq%20-%200%201",
            "https://www.chessdb.cn/queryc_en/?rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b_KQkq_-_0_1",
            "https://lichess.org/analysis/rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ] {
            check(link, e4);
        }
        check(
            "https://explorer.lichess.ovh/masters?fen=4k3/8/8/8/8/8/4P3/4K3%20w%20-%20-&play=e2e4,e8d7",
            Some("4k3/8/8/8/8/8/4P3/4K3 w - - moves e2e4 e8d7"),
        );
        check("http://127.0.0.1:9002/#play=e2e4,c7c5,g1f3&since=2000", Some("e2e4 c7c5 g1f3"));
        check("https://lichess.org/analysis/pgn/e4_c5+Nf3", Some("e4 c5 Nf3"));
        check("https://lichess.org/opening/Sicilian_Defense/e4_c5", Some("e4 c5"));
    }

    #[test]
    fn men_in_hand_and_checks_are_part_of_a_position() {
        let board = "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQ~KBNR";
        let analysis = |fen: &str| format!("https://lichess.org/analysis/x/{fen}");
        for hand in ["/Pp", "/", "[Pp]", "[]", ""] {
            let fen = format!("{board}{hand} b KQkq - 0 3");
            check(&analysis(&fen.replace(' ', "_")), Some(&fen));
            check(&format!("https://a.b/?fen={}&x=y", fen.replace(' ', "%20").replace('[', "%5B")), Some(&fen));
        }
        for (before, behind) in [(" 3+1", ""), ("", " +1+0")] {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 w - -{before} 0 1{behind}");
            check(&analysis(&fen.replace(' ', "_")), Some(&fen));
            check(&analysis(&fen.replace(' ', "%20")), Some(&fen));
            check(&format!("https://a.b/?fen={}", fen.replace('+', "%2B").replace(' ', "+")), Some(&fen));
        }
    }

    #[test]
    fn an_address_without_a_position_has_none() {
        check("https://lichess.org/j1dkb5dw/black#20", None);
        check("https://www.chess.com/game/live/123456789", None);
        check("https://lichess.org/analysis", None);
        check("https://lichess.org/analysis/rnbqkbnr/ppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR_b", None);
        check("https://x.org/4k3/8/8/8/8/8/8/4K3_w?fen=8/4k3/8/8/8/8/8/4K3_w", None);
        check("https://x.org/%zz%4", None);
        for text in ["e4/d4", "1.e4/", "8/8/8/8/8/8/8/8 w", "rnbqkbnr/pppppppp", "a..b/", "games.pgn", ""] {
            assert!(!is_link(text), "{text}");
        }
    }
}
