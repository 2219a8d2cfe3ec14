//! Source files as tokens: the paths and words in them, without comments, texts and tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::token::{Token, closing, tokens};

/// The folder of the package.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file under `src`.
pub(super) struct Source {
    /// Its path without `src/` and `.rs`.
    pub(super) name: String,
    /// Its tokens outside tests.
    code: Vec<Token>,
    /// All its tokens.
    all: Vec<Token>,
}

/// A path in the code, such as `crate::fen::read`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodePath {
    pub(super) segments: Vec<String>,
    /// Whether it stands in a `use` declaration.
    pub(super) is_import: bool,
    /// Whether that is a `pub use`, with any visibility.
    pub(super) is_handed_on: bool,
    /// The name that a `use` declaration gives it.
    pub(super) alias: Option<String>,
}

/// Reads every file under `src` that is not only there for tests.
pub(super) fn sources() -> Vec<Source> {
    let folder = root().join("src");
    let mut found: Vec<Source> = files(&folder)
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
            Source::new(name.trim_end_matches(".rs").replace('\\', "/"), &fs::read_to_string(path).unwrap())
        })
        .collect();
    let test_files: Vec<String> = found.iter().flat_map(Source::test_files).collect();
    found.retain(|source| !test_files.iter().any(|test| source.is_in(test)));
    assert!(found.len() > 30, "the sources are there");
    found
}

/// Every Rust file in a folder and its folders.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

impl Source {
    pub(super) fn new(name: String, text: &str) -> Self {
        let all = tokens(text);
        Self { name, code: without_tests(&all), all }
    }

    /// The room it belongs to: `pgn` for `pgn.rs` and every file in `pgn/`.
    pub(super) fn room(&self) -> &str {
        Self::room_of(&self.name)
    }

    /// The room of a file with this name.
    pub(super) fn room_of(name: &str) -> &str {
        name.split('/').next().unwrap()
    }

    /// Whether it is this file or lies in its folder.
    pub(super) fn is_in(&self, door: &str) -> bool {
        self.name.strip_prefix(door).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The paths in its code outside tests.
    pub(super) fn paths(&self) -> Vec<CodePath> {
        let mut found = Vec::new();
        add_paths(&self.code, (false, false), &[], &mut found);
        found
    }

    /// What it imports: the names in its code, and the paths they stand for.
    pub(super) fn imports(&self) -> BTreeMap<String, Vec<String>> {
        let imports = self.paths().into_iter().filter(|path| path.is_import);
        imports.map(|path| (path.alias.unwrap_or(path.segments.last().unwrap().clone()), path.segments)).collect()
    }

    /// The names that it makes public: its own items, and what it hands on.
    pub(super) fn exports(&self) -> BTreeSet<String> {
        const BEFORE_NAMES: [&str; 5] = ["const", "unsafe", "async", "static", "mut"];
        let mut found = BTreeSet::new();
        let public = (0..self.code.len()).filter(|at| self.code[*at] == Token::Word("pub".to_owned()));
        for at in public {
            let item = &self.code[at + 1..];
            match item {
                // `pub(crate)`
                [Token::Group('(', _), ..] => {}
                [Token::Word(word), ..] if word == "use" => {
                    let end = item.iter().position(|token| *token == Token::Mark(';')).unwrap();
                    let mut paths = Vec::new();
                    add_paths(&item[..end], (false, false), &[], &mut paths);
                    found.extend(paths.into_iter().filter_map(|path| path.alias.or(path.segments.last().cloned())));
                }
                _ => {
                    let mut words = item.iter().filter_map(|token| match token {
                        Token::Word(word) if !BEFORE_NAMES.contains(&word.as_str()) => Some(word),
                        _ => None,
                    });
                    // `fn name`, and `NAME` of a constant.
                    let first = words.next().unwrap();
                    let is_keyword =
                        ["mod", "fn", "struct", "enum", "trait", "type", "union"].contains(&first.as_str());
                    found.insert(if is_keyword { words.next().unwrap() } else { first }.clone());
                }
            }
        }
        found
    }

    /// Whether its code outside tests names the package: in a path, an import or an attribute.
    pub(super) fn uses(&self, package: &str) -> bool {
        let is_local = self.imports().get(package).is_some_and(|path| path[0] == "crate");
        let is_of_package =
            |path: &CodePath| path.segments[0] == package && (path.is_import || path.segments.len() > 1);
        let externs = words(&self.code);
        let is_extern = externs.windows(3).any(|three| three[..2] == ["extern", "crate"] && three[2] == package);
        is_extern || !is_local && self.paths().iter().any(is_of_package)
    }

    /// The words of its code outside tests.
    pub(super) fn words(&self) -> Vec<String> {
        words(&self.code)
    }

    /// The conditions of `cfg`, `cfg!` and `cfg_attr`, tests included, without blanks.
    pub(super) fn conditions(&self) -> Vec<String> {
        let mut found = Vec::new();
        add_conditions(&self.all, &mut found);
        found
    }

    /// The files that `#[cfg(test)] mod name;` declares.
    fn test_files(&self) -> Vec<String> {
        let starts = (0..self.all.len()).filter_map(|at| after_test_attribute(&self.all, at));
        let declared = starts.filter_map(|at| match &self.all[at..] {
            [Token::Word(word), Token::Word(name), Token::Mark(';'), ..] if word == "mod" => {
                Some(format!("{}/{name}", self.name))
            }
            _ => None,
        });
        declared.collect()
    }
}

/// Leaves out the items, wherever they stand, that are marked `#[cfg(test)]`.
fn without_tests(tokens: &[Token]) -> Vec<Token> {
    let mut code = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(item) = after_test_attribute(tokens, at) {
            let is_end = |token: &Token| matches!(token, Token::Mark(';') | Token::Group('{', _));
            at = tokens[item..].iter().position(is_end).map_or(tokens.len(), |end| item + end + 1);
            continue;
        }
        code.push(match &tokens[at] {
            Token::Group(open, inside) => Token::Group(*open, without_tests(inside)),
            token => token.clone(),
        });
        at += 1;
    }
    code
}

/// Where the item begins that the attribute `#[cfg(test)]` at this token belongs to. Of what is no item, such as a field or a
/// statement, nothing is left out.
fn after_test_attribute(tokens: &[Token], at: usize) -> Option<usize> {
    const ITEMS: [&str; 13] = [
        "mod",
        "fn",
        "const",
        "static",
        "use",
        "impl",
        "struct",
        "enum",
        "trait",
        "type",
        "pub",
        "unsafe",
        "macro_rules",
    ];
    let attribute = |at: usize| match tokens.get(at..at + 2) {
        Some([Token::Mark('#'), Token::Group('[', inside)]) => Some(plain(inside)),
        _ => None,
    };
    if attribute(at)? != "cfg(test)" {
        return None;
    }
    let mut item = at + 2;
    while attribute(item).is_some() {
        item += 2;
    }
    matches!(tokens.get(item)?, Token::Word(word) if ITEMS.contains(&word.as_str())).then_some(item)
}

/// Tokens as text without blanks.
fn plain(tokens: &[Token]) -> String {
    let plain = |token: &Token| match token {
        Token::Word(word) => word.clone(),
        Token::Mark(mark) => mark.to_string(),
        Token::Group(open, inside) => format!("{open}{}{}", plain(inside), closing(*open)),
        Token::Literal => "\"\"".to_owned(),
    };
    tokens.iter().map(plain).collect()
}

/// The words in all groups.
fn words(tokens: &[Token]) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            Token::Word(word) => found.push(word.clone()),
            Token::Group(_, inside) => found.extend(words(inside)),
            _ => {}
        }
    }
    found
}

fn add_conditions(tokens: &[Token], found: &mut Vec<String>) {
    for (at, token) in tokens.iter().enumerate() {
        let Token::Group(_, inside) = token else { continue };
        let name = plain(&tokens[at.saturating_sub(2)..at]);
        if let Some(name) = ["cfg", "cfg!", "cfg_attr"].into_iter().find(|kind| name.ends_with(kind)) {
            found.push(format!("{name}({})", plain(inside)));
        }
        add_conditions(inside, found);
    }
}

/// Adds the paths in tokens, those in groups included. Those in the groups of an import begin with its prefix.
fn add_paths(tokens: &[Token], (is_import, is_handed_on): (bool, bool), prefix: &[String], found: &mut Vec<CodePath>) {
    let is_colons = |at: usize| matches!(tokens.get(at..at + 2), Some([Token::Mark(':'), Token::Mark(':')]));
    let (mut in_use, mut in_pub) = (is_import, is_handed_on);
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            Token::Mark(';') => (in_use, in_pub) = (is_import, is_handed_on),
            // `pub(in crate::index)` uses nothing.
            Token::Group('(', _) if at > 0 && tokens[at - 1] == Token::Word("pub".to_owned()) => {}
            Token::Group(open, inside) => {
                add_paths(inside, (in_use && *open == '{', in_pub && *open == '{'), prefix, found);
            }
            Token::Word(word) if word == "use" => {
                in_use = true;
                // `pub use` or `pub(crate) use`
                let before = at.checked_sub(1).map(|before| &tokens[before]);
                in_pub = matches!(before, Some(Token::Group('(', _))) || before == Some(&Token::Word("pub".to_owned()));
            }
            Token::Word(word) => {
                let mut segments = prefix.to_vec();
                // In the groups of an import, `self` is the module itself.
                if word != "self" || prefix.is_empty() {
                    segments.push(word.clone());
                }
                let mut group = None;
                while is_colons(at + 1) {
                    match tokens.get(at + 3) {
                        Some(Token::Word(next)) => segments.push(next.clone()),
                        Some(Token::Group(_, inside)) if in_use => group = Some(inside),
                        _ => break,
                    }
                    at += 3;
                }
                match group {
                    Some(inside) => add_paths(inside, (true, in_pub), &segments, found),
                    None => {
                        let alias = match tokens.get(at + 1..at + 3) {
                            Some([Token::Word(word), Token::Word(alias)]) if in_use && word == "as" => {
                                at += 2;
                                Some(alias.clone())
                            }
                            _ => None,
                        };
                        found.push(CodePath { segments, is_import: in_use, is_handed_on: in_use && in_pub, alias });
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Source;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let paths = Source::new("room".to_owned(), text).paths();
        let paths = paths.iter().filter(|path| path.is_import || path.segments.len() > 1);
        let names = paths.map(|path| path.segments.join("::") + path.alias.as_ref().map_or("", |_| " as"));
        assert_eq!(names.collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn paths_are_found_wherever_they_stand() {
        check(
            "use crate::fen::{self, read::{X, Y as Z}, write};",
            "crate::fen, crate::fen::read::X, crate::fen::read::Y as, crate::fen::write",
        );
        check("use {nom::IResult, memchr};", "nom::IResult, memchr");
        check(
            "fn f<'a>(x: &'a crate::b::C<d::E>) -> ::g::H { vec![i::j(); k::l::<m::N>()] }",
            "crate::b::C, d::E, g::H, i::j, k::l, m::N",
        );
        check("#[derive(Debug, serde::Serialize)] struct S;", "serde::Serialize");
        check("// a::b\n/// c::d\nconst E: &str = \"f::g\"; const H: char = '\"'; const I: J = k::L;", "k::L");
    }

    #[test]
    fn tests_are_left_out_and_what_follows_them_is_not() {
        check("#[cfg(test)] mod tests { use a::B; mod inner { use c::D; } } use e::F;", "e::F");
        check("mod m { #[cfg(test)] #[allow(dead_code)] fn f() { a::b() } fn g() { c::d() } }", "c::d");
        check("impl S { #[cfg(test)] const T: U = V { w: a::B }; fn f() { c::d() } }", "c::d");
        check("struct S { #[cfg(test)] t: a::B, u: c::D }", "a::B, c::D");
        check("#[cfg(not(test))] fn f() { a::b() }", "a::b");
    }

    #[test]
    fn what_is_public_is_exported() {
        let text = "mod a; pub mod b; pub(crate) mod c; pub use crate::r::{D, e::F as G}; pub(crate) use crate::r::H; \
                    #[derive(Debug)] pub struct I<T> { pub j: T } pub const fn k() {} pub const L: u8 = 1; fn m() {} \
                    impl I<u8> { pub fn n() {} } #[cfg(test)] pub fn o() {}";
        let exports = Source::new("room".to_owned(), text).exports();
        assert_eq!(exports.into_iter().collect::<Vec<_>>(), ["D", "G", "I", "L", "b", "k"]);
    }

    #[test]
    fn a_package_is_used_by_any_of_its_names() {
        let uses = |text: &str| Source::new("room".to_owned(), text).uses("csv");
        for text in [
            "use csv::Reader;",
            "use csv;",
            "use csv as c;",
            "extern crate csv;",
            "fn f() { csv::g() }",
            "#[csv::h] fn f() {}",
            "use ::csv::I;",
        ] {
            assert!(uses(text), "{text}");
        }
        for text in
            ["use crate::rows::csv; fn f() { csv::g() }", "fn csv() { csv() }", "#[cfg(test)] mod t { use csv::X; }"]
        {
            assert!(!uses(text), "{text}");
        }
    }
}
