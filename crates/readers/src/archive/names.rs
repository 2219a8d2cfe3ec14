//! The names of members: text in UTF-8, by which each member can be named in a path.

use std::borrow::Cow;
use std::collections::HashMap;

use flate2::Crc;

/// The characters of the bytes from 0x80 in code page 437, in which names are written that are not marked as UTF-8.
const CODE_PAGE_437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ\
                             áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
                             └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
                             αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}";

/// The most parts of a name: folders and the file. More take more time, and no file system has them.
const MOST_PARTS: usize = 64;

/// Returns a checksum of the name of a member as it is stored. A backslash is the same as a slash.
pub(super) fn name_sum(raw: &[u8]) -> u32 {
    let mut crc = Crc::new();
    for part in raw.split_inclusive(|byte| *byte == b'\\') {
        crc.update(part.strip_suffix(b"\\").unwrap_or(part));
        crc.update(if part.ends_with(b"\\") { b"/" } else { b"" });
    }
    crc.sum()
}

/// Gives each member a name that no other member has.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The names that have been given, with the number of the last copy.
    given: HashMap<Box<str>, u64>,
}

impl Names {
    /// Returns the name for a member with this name in the list, or None if the name is that of a folder. `is_utf8` is
    /// what the list says of it; `unicode` is its extra field with a name in UTF-8.
    ///
    /// Backslashes are written as slashes, as some programs for Windows write them. Parts that are empty, `.` or `..`
    /// are left out, and so are folders before the last 64 parts. The second member of a name is called `name (2).pgn`.
    pub(super) fn name(&mut self, raw: &[u8], is_utf8: bool, unicode: Option<&[u8]>) -> Option<Box<str>> {
        let text = unicode.and_then(|field| of_extra_field(field, raw)).unwrap_or_else(|| decoded(raw, is_utf8));
        let separators = ['/', '\\'];
        if text.ends_with(separators) {
            return None;
        }
        let parts: Vec<&str> = text.split(separators).filter(|part| !["", ".", ".."].contains(part)).collect();
        let parts = &parts[parts.len().saturating_sub(MOST_PARTS)..];
        let name = if parts.is_empty() { "unnamed".to_owned() } else { parts.join("/") };
        let name = self.unused(name.into());
        self.given.insert(name.clone(), 1);
        Some(name)
    }

    /// Returns the name, or one with a number if it has been given.
    fn unused(&mut self, name: Box<str>) -> Box<str> {
        let Some(last) = self.given.get(&name).copied() else {
            return name;
        };
        let file = name.rfind('/').map_or(0, |slash| slash + 1);
        let ending = name[file..].char_indices().skip(1).find(|(_, char)| *char == '.');
        let ending = ending.map_or(name.len(), |(at, _)| file + at);
        let (stem, endings) = name.split_at(ending);
        let copies = (last + 1..).map(|copy| (copy, format!("{stem} ({copy}){endings}").into_boxed_str()));
        // One of the numbers is unused.
        let unused = copies.into_iter().find(|(_, name)| !self.given.contains_key(name));
        let (copy, unused) = unused.unwrap_or_else(|| (last, name.clone()));
        self.given.insert(name, copy);
        unused
    }
}

/// Decodes a name. Names that are not marked as UTF-8 may be UTF-8 nevertheless.
fn decoded(raw: &[u8], is_utf8: bool) -> Cow<'_, str> {
    match str::from_utf8(raw) {
        Ok(text) => text.into(),
        Err(_) if is_utf8 => String::from_utf8_lossy(raw),
        Err(_) => {
            let upper: Vec<char> = CODE_PAGE_437.chars().collect();
            let char = |byte: &u8| match byte {
                // It may be the second byte of a character of another code page.
                b'\\' => '_',
                0..0x80 => char::from(*byte),
                byte => upper[usize::from(byte - 0x80)],
            };
            raw.iter().map(char).collect::<String>().into()
        }
    }
}

/// Returns the name in an extra field, if it is about this name: a version, the checksum of the name, and the name in
/// UTF-8.
fn of_extra_field<'f>(field: &'f [u8], raw: &[u8]) -> Option<Cow<'f, str>> {
    let (version, rest) = field.split_first()?;
    let (sum, name) = rest.split_first_chunk()?;
    let mut crc = Crc::new();
    crc.update(raw);
    let is_of_this_name = *version == 1 && u32::from_le_bytes(*sum) == crc.sum();
    str::from_utf8(name).ok().filter(|name| is_of_this_name && !name.is_empty()).map(Cow::from)
}

#[cfg(test)]
mod tests {
    use flate2::Crc;

    use super::{CODE_PAGE_437, Names};

    #[track_caller]
    fn check(names: &[&[u8]], expected: &[Option<&str>]) {
        let mut given = Names::default();
        let names: Vec<Option<Box<str>>> = names.iter().map(|name| given.name(name, false, None)).collect();
        assert_eq!(names.iter().map(Option::as_deref).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_name_has_no_way_out_of_the_archive() {
        check(&[b"a.pgn", b"a/b.pgn", b"a\\c.pgn"], &[Some("a.pgn"), Some("a/b.pgn"), Some("a/c.pgn")]);
        check(&[b"../../etc/passwd", b"/b", b"./c//d"], &[Some("etc/passwd"), Some("b"), Some("c/d")]);
        check(
            &[b"C:\\games\\a.pgn", b"a/", b"a\\", b"..", b""],
            &[Some("C:/games/a.pgn"), None, None, Some("unnamed"), Some("unnamed (2)")],
        );
    }

    #[test]
    fn a_name_of_many_folders_keeps_the_last() {
        let long = [b"x/".repeat(32_000), b"a.pgn".to_vec()].concat();
        check(&[&long], &[Some(&format!("{}a.pgn", "x/".repeat(63)))]);
        check(&[&b"/".repeat(32_000), &[b"/".repeat(32_000), b"a".to_vec()].concat()], &[None, Some("a")]);
    }

    #[test]
    fn each_member_has_a_name_of_its_own() {
        check(
            &[b"a.pgn.gz", b"a.pgn.gz", b"../a.pgn.gz", b"a (2).pgn.gz"],
            &[Some("a.pgn.gz"), Some("a (2).pgn.gz"), Some("a (3).pgn.gz"), Some("a (2) (2).pgn.gz")],
        );
        check(
            &[b"x.y/.a", b"x.y/.a", b"x.y/b", b"x.y/b"],
            &[Some("x.y/.a"), Some("x.y/.a (2)"), Some("x.y/b"), Some("x.y/b (2)")],
        );
    }

    #[test]
    fn names_are_read_in_their_encoding() {
        assert_eq!(CODE_PAGE_437.chars().count(), 128);
        check(
            &[b"K\x94ln.pgn", "Köln 2.pgn".as_bytes(), b"\xff\\z"],
            &[Some("Köln.pgn"), Some("Köln 2.pgn"), Some("\u{a0}_z")],
        );
        let mut names = Names::default();
        assert_eq!(names.name(b"K\x94ln", true, None).as_deref(), Some("K\u{fffd}ln"));
        let mut crc = Crc::new();
        crc.update(b"?.pgn");
        let field = [&[1][..], &crc.sum().to_le_bytes(), "Ж.pgn".as_bytes()].concat();
        assert_eq!(names.name(b"?.pgn", false, Some(&field)).as_deref(), Some("Ж.pgn"));
        assert_eq!(names.name(b"!.pgn", false, Some(&field)).as_deref(), Some("!.pgn"));
    }
}
