//! The reasons of errors, without credentials.

use std::error::Error;
use std::io;

use pgn2fen_bytes::remote;

/// Returns the reason at the end of a chain of errors, on one line and without credentials.
pub(crate) fn cause(error: &(dyn Error + 'static)) -> String {
    let text = innermost(error);
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason is given").trim().to_owned();
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Returns the text at the end of a chain of errors, without credentials.
pub(crate) fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    scrubbed(&last.to_string())
}

/// The most characters of a reason, which may come from a server.
const MOST: usize = 200;

/// Removes queries, and names and passwords of users, from the addresses in a text. They may be credentials.
pub(crate) fn scrubbed(text: &str) -> String {
    let mut rest = text;
    let mut clean = String::new();
    while let Some(at) = rest.find("://") {
        let (before, behind) = rest.split_at(at + 3);
        clean.push_str(before);
        let is_end = |char: char| char.is_whitespace() || char.is_control() || "\"'<>()`".contains(char);
        let (address, behind) = behind.split_at(behind.find(is_end).unwrap_or(behind.len()));
        clean.push_str(&remote::without_secrets(address));
        rest = behind;
    }
    clean + rest
}

/// Returns the message for an answer of a server with this status. `text` is what the server says.
pub(crate) fn of_status(status: u16, text: &str) -> io::Error {
    let (kind, message) = match status {
        401 => (io::ErrorKind::PermissionDenied, "needs credentials, or those that are given are wrong"),
        403 => (io::ErrorKind::PermissionDenied, "must not be read with the credentials that are given"),
        404 | 410 => (io::ErrorKind::NotFound, "does not exist on the server"),
        429 => (io::ErrorKind::ResourceBusy, "is not sent, because there are too many requests"),
        300..=399 => (io::ErrorKind::Other, "is elsewhere, and the server does not say where"),
        500..=599 => (io::ErrorKind::Other, "cannot be read, because the server fails"),
        _ => (io::ErrorKind::Other, "cannot be read from the server"),
    };
    let said = said(text).map(|said| format!(": {said}")).unwrap_or_default();
    io::Error::new(kind, format!("{message} (status {status}{said})"))
}

/// Returns the code and the message in an answer of a store, which is in XML.
fn said(text: &str) -> Option<String> {
    let element = |name: &str| {
        let (_, behind) = text.split_once(&format!("<{name}>"))?;
        let (content, _) = behind.split_once(&format!("</{name}>"))?;
        let line = scrubbed(content.lines().next()?.trim());
        (!line.is_empty() && line.len() <= MOST).then_some(line)
    };
    let words = [element("Code"), element("Message")].into_iter().flatten();
    Some(words.collect::<Vec<_>>().join(", ")).filter(|said| !said.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{cause, of_status, scrubbed};

    #[test]
    fn addresses_lose_what_may_be_secret() {
        let text = "at https://me:secret@example.org/a?X-Amz-Signature=1&sig=2 and \"https://b.org/c#d\", a://b@c?d";
        assert_eq!(scrubbed(text), "at https://example.org/a and \"https://b.org/c\", a://c");
        assert_eq!(scrubbed("no address?"), "no address?");
    }

    #[test]
    fn the_last_reason_is_told_on_a_line() {
        let inner = std::io::Error::other("\nrefused by http://x/?sig=1\nmore");
        assert_eq!(cause(&std::io::Error::other(inner)), "refused by http://x/");
        let long = std::io::Error::other("é".repeat(999));
        assert_eq!(cause(&long).chars().count(), 201);
    }

    #[test]
    fn a_status_is_told_with_the_words_of_the_store() {
        let xml = "<Error><Code>AccessDenied</Code><Message>Access Denied</Message><Secret>x</Secret></Error>";
        let error = of_status(403, xml).to_string();
        assert_eq!(
            error,
            "must not be read with the credentials that are given (status 403: AccessDenied, Access Denied)"
        );
        assert_eq!(of_status(404, "<html>").to_string(), "does not exist on the server (status 404)");
    }
}
