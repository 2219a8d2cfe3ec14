//! Finds the name of a variant in the text around a position: in an address, or in an object of JSON.

use std::ops::Range;

use pgn2fen_chess::rules::Rules;

/// Returns the name of the variant that an address tells: the parameter `variant`, or a part of the path that is the
/// name of a variant of Lichess, as in `lichess.org/analysis/atomic/…`.
#[doc(hidden)]
pub fn told_variant(address: &[u8]) -> Option<&[u8]> {
    let (path, query) = address.split_at(address.iter().position(|byte| *byte == b'?').unwrap_or(address.len()));
    let mut parameters = query.split(|byte| b"?&#".contains(byte));
    let parameter = parameters.find_map(|parameter| parameter.strip_prefix(b"variant="));
    let is_variant = |part: &&[u8]| {
        let rules = str::from_utf8(part).ok().and_then(Rules::named);
        rules.is_some_and(|rules| rules != Rules::Chess)
    };
    parameter.filter(|name| !name.is_empty()).or_else(|| path.split(|byte| *byte == b'/').find(is_variant))
}

/// Returns the place of the member `variant` in the text of an object of JSON, and its value.
pub(crate) fn json_variant(text: &[u8]) -> Option<(Range<usize>, &[u8])> {
    const MEMBER: &[u8] = b"\"variant\"";
    if !text.trim_ascii_start().starts_with(b"{") {
        return None;
    }
    let start = memchr::memmem::find(text, MEMBER)?;
    let rest = text[start + MEMBER.len()..].trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let value = rest.strip_prefix(b"\"")?;
    let value = &value[..memchr::memchr(b'"', value)?];
    let end = value.as_ptr().addr() - text.as_ptr().addr() + value.len() + 1;
    Some((start..end, value))
}

#[cfg(test)]
mod tests {
    use super::{json_variant, told_variant};

    #[test]
    fn an_address_tells_a_variant_in_its_path_or_query() {
        for (address, expected) in [
            ("https://lichess.org/analysis/atomic/8/8_w", Some("atomic")),
            ("lichess.org/analysis/kingOfTheHill/8/8_w?color=black", Some("kingOfTheHill")),
            ("https://lichess.org/editor/8/8_w?variant=threeCheck&color=white", Some("threeCheck")),
            ("https://a.b/?fen=8/8%20w&variant=Bughouse#1", Some("Bughouse")),
            ("https://lichess.org/analysis/standard/8/8_w", None),
            ("https://a.b/chess/?variant=&fen=atomic", None),
        ] {
            let told = told_variant(address.as_bytes()).map(|name| str::from_utf8(name).unwrap());
            assert_eq!(told, expected, "{address}");
        }
    }

    #[test]
    fn a_member_of_json_tells_a_variant() {
        for (text, expected) in [
            (r#"{"fen":"8/8 w","variant":"atomic"}"#, Some(("\"variant\":\"atomic\"", "atomic"))),
            (r#" { "variant" : "Three-check", "fen": "#, Some(("\"variant\" : \"Three-check\"", "Three-check"))),
            (r#"{"variant":null}"#, None),
            (r#"{"variant":"#, None),
            (r#"x {"variant":"atomic"}"#, None),
            (r#"{"fen":"8/8 w"}"#, None),
        ] {
            let found = json_variant(text.as_bytes());
            let shown = found.map(|(place, name)| (&text[place], str::from_utf8(name).unwrap()));
            assert_eq!(shown, expected, "{text}");
        }
    }
}
