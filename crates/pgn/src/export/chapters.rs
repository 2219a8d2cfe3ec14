//! Divides a game that was written anew into chapters of a Lichess study.
//!
//! A study refuses a chapter with too many moves or too much text. So a game that is too large is divided at its
//! branches: each chapter repeats the moves from the start of the game to its own variations. Every line of the game,
//! from its start to an end, is in exactly one chapter, and so is every comment and glyph.

use std::collections::HashMap;
use std::ops::Range;

use crate::export::comment;
use crate::export::lines;

/// The greatest chapter that a Lichess study takes. The default has the limits of Lichess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChapterLimits {
    /// The number of moves of either side, those of variations included.
    pub moves: usize,
    /// The number of bytes of the text, with its tags.
    pub bytes: usize,
    /// The number of characters of the name.
    pub name: usize,
}

impl ChapterLimits {
    /// The number of chapters of a study.
    pub const CHAPTERS: u64 = 64;
}

impl Default for ChapterLimits {
    fn default() -> Self {
        Self { moves: 3000, bytes: 100_000, name: 80 }
    }
}

/// The chapters that were made of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Divided {
    /// The number of chapters, at least 1.
    pub chapters: usize,
    /// The number of those that are too large and have no branch at which they could be divided.
    pub too_large: usize,
    /// The number of moves of the game, those of variations included.
    pub moves: usize,
}

/// Appends the chapters of a game that [`Exporter`](crate::export::Exporter) has written, with lines of movetext of at
/// most `width` characters. `name` is the name of the chapter, which is written as the tag ChapterName, unless it is
/// empty.
///
/// Each chapter begins with a tag pair, and no other paragraph does, because Lichess divides a file there. So comments
/// before the tags are written before the first move.
///
/// The first chapter has the main line. The result of the others is `*`, and their names end with their number and
/// their first move that is not in an earlier chapter.
///
/// ```
/// use pgn2fen_pgn::export::{ChapterLimits, append_chapters};
///
/// let game = b"[Event \"?\"]\n\n1. e4 (1. d4 d5) (1. c4) 1... e5 *\n\n";
/// let mut chapters = Vec::new();
/// let limits = ChapterLimits { moves: 3, ..ChapterLimits::default() };
/// assert_eq!(append_chapters(game, "Openings", limits, 79, &mut chapters).chapters, 2);
/// let expected = "[Event \"?\"]\n[ChapterName \"Openings (1/2)\"]\n\n1. e4 e5 *\n\n\
///     [Event \"?\"]\n[ChapterName \"Openings (2/2: 1. d4)\"]\n\n1. d4 (1. c4) 1... d5 *\n\n";
/// assert_eq!(String::from_utf8(chapters)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn append_chapters(game: &[u8], name: &str, limits: ChapterLimits, width: usize, out: &mut Vec<u8>) -> Divided {
    let head = Head::read(game);
    let tree = Tree::read(game, head.movetext, head.comments.clone());
    let moves = tree.nodes.len() - 1;
    let tags: usize = head.tags.iter().map(|tag| tag.len() + 1).sum();
    // The name, and the blank lines.
    let room = limits.bytes.saturating_sub(tags + limits.name * 4 + 40);
    let plan = tree.plan(limits.moves, room);
    let chapters = plan.chapters.len();
    for (nth, chapter) in plan.chapters.iter().enumerate() {
        let suffix = match (nth, chapters, chapter.first()) {
            (_, 1, _) => String::new(),
            (1.., _, Some(first)) => format!(" ({}/{chapters}: {})", nth + 1, tree.named(*first)),
            _ => format!(" ({}/{chapters})", nth + 1),
        };
        let most = limits.name.saturating_sub(suffix.chars().count());
        let name: String = name.chars().take(most).collect();
        let name = format!("{}{suffix}", name.trim_end());
        head.append(name.trim_start(), nth > 0, out);
        let mut movetext = Vec::new();
        let is_marked = tree.append(chapter, nth, &plan.owners, &mut movetext);
        movetext.extend_from_slice(if nth > 0 { b"*" } else { tree.result });
        lines::append(&movetext, width, is_marked, out);
        out.extend_from_slice(b"\n\n");
    }
    Divided { chapters, too_large: plan.too_large, moves }
}

/// Splits text that [`append_chapters`] has written into its chapters.
pub fn split_chapters(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memmem::find(rest, b"\n\n[").filter(|at| !rest[at + 2..].is_empty());
        let end = end.map_or(rest.len(), |at| at + 2);
        let (chapter, others) = rest.split_at(end);
        rest = others;
        Some(chapter)
    })
}

/// The text before the movetext.
struct Head<'g> {
    /// The tag pairs, without the name of the chapter.
    tags: Vec<&'g [u8]>,
    /// The comments before the tags.
    comments: Vec<Range<usize>>,
    /// The start of the movetext.
    movetext: usize,
}

impl<'g> Head<'g> {
    fn read(game: &'g [u8]) -> Self {
        let mut head = Head { tags: Vec::new(), comments: Vec::new(), movetext: 0 };
        let mut at = 0;
        for line in game.split(|byte| *byte == b'\n') {
            let end = at + line.len();
            match line {
                [b';', ..] if head.tags.is_empty() => head.comments.push(at + 1..end),
                [b'[', ..] if line.starts_with(b"[ChapterName \"") => {}
                [b'[', ..] => head.tags.push(line),
                _ => {
                    head.movetext = at;
                    break;
                }
            }
            at = end + 1;
            head.movetext = at.min(game.len());
        }
        head
    }

    /// Appends the tags with the name of the chapter, and a blank line. Other results than that of the game are
    /// unknown.
    fn append(&self, name: &str, is_other_line: bool, out: &mut Vec<u8>) {
        const ROSTER: [&[u8]; 7] = [b"[Event ", b"[Site ", b"[Date ", b"[Round ", b"[White ", b"[Black ", b"[Result "];
        let is_before = |tag: &&&[u8]| ROSTER.iter().any(|name| tag.starts_with(name)) || **tag < &b"[ChapterName "[..];
        let before = self.tags.iter().take_while(is_before).count();
        for (nth, tag) in self.tags.iter().enumerate() {
            if nth == before {
                append_name(name, out);
            }
            let is_result = is_other_line && tag.starts_with(b"[Result ");
            out.extend_from_slice(if is_result { b"[Result \"*\"]" } else { tag });
            out.push(b'\n');
        }
        if before == self.tags.len() {
            append_name(name, out);
        }
        if self.tags.is_empty() && name.is_empty() {
            out.extend_from_slice(b"[Event \"?\"]\n");
        }
        out.push(b'\n');
    }
}

/// Appends the tag with the name of a chapter, unless the name is empty.
fn append_name(name: &str, out: &mut Vec<u8>) {
    if name.is_empty() {
        return;
    }
    out.extend_from_slice(b"[ChapterName \"");
    for char in name.chars() {
        match char {
            '"' | '\\' => out.extend_from_slice(&[b'\\', char as u8]),
            char if char.is_control() => out.push(b' '),
            char => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out.extend_from_slice(b"\"]\n");
}

/// The moves of a game. The node 0 is its start.
struct Tree<'g> {
    game: &'g [u8],
    nodes: Vec<Node>,
    result: &'g [u8],
}

#[derive(Default)]
struct Node {
    parent: usize,
    children: Vec<usize>,
    /// The number of the move, and whether it is a move of Black.
    number: (u32, bool),
    san: Range<usize>,
    glyphs: Vec<Range<usize>>,
    /// The comments before the move, which begins a variation.
    before: Vec<Range<usize>>,
    /// The comments behind the move.
    after: Vec<Range<usize>>,
}

impl Node {
    /// The greatest number of bytes of the move alone, with its number and parentheses.
    fn bare(&self) -> usize {
        self.san.len() + 18
    }

    /// The greatest number of bytes of its comments and glyphs.
    fn notes(&self) -> usize {
        self.glyphs.iter().chain(&self.before).chain(&self.after).map(|note| note.len() + 4).sum()
    }
}

/// A plan of the chapters of a game.
struct Plan {
    /// The subtrees of each chapter, by their first moves. The moves that lead to them belong to the chapter, too.
    chapters: Vec<Vec<usize>>,
    /// The chapter in which the notes of a move are written, for moves that are repeated.
    owners: HashMap<usize, usize>,
    too_large: usize,
}

impl<'g> Tree<'g> {
    fn read(game: &'g [u8], start: usize, comments: Vec<Range<usize>>) -> Self {
        let mut nodes = vec![Node { after: comments, ..Node::default() }];
        let mut result: &[u8] = b"*";
        let mut current = 0;
        let mut open: Vec<usize> = Vec::new();
        // The number of the next move, if one is written, and the comments before the first move of a variation.
        let mut number = None;
        let mut before = None;
        let mut at = start;
        while let Some(byte) = game.get(at) {
            let rest = &game[at..];
            let length = match byte {
                b' ' | b'\n' => 1,
                b'{' => {
                    let length = memchr::memchr(b'}', rest).unwrap_or(rest.len());
                    let text = at + 1..at + length;
                    match &mut before {
                        Some(before) => Vec::push(before, text),
                        None => nodes[current].after.push(text),
                    }
                    length + 1
                }
                b'(' => {
                    open.push(current);
                    current = nodes[current].parent;
                    before = Some(Vec::new());
                    1
                }
                b')' => {
                    current = open.pop().unwrap_or(current);
                    1
                }
                _ => {
                    let ends = |byte: &u8| matches!(byte, b' ' | b'\n' | b'(' | b')' | b'{');
                    let length = rest.iter().position(ends).unwrap_or(rest.len());
                    let word = &rest[..length];
                    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
                    if word[0] == b'$' {
                        nodes[current].glyphs.push(at..at + length);
                    } else if digits > 0 && word.ends_with(b".") {
                        let value = str::from_utf8(&word[..digits]).ok().and_then(|digits| digits.parse().ok());
                        number = value.map(|value: u32| (value, word.ends_with(b"...")));
                    } else if word == b"*" || word[0].is_ascii_digit() {
                        result = word;
                    } else {
                        let number = number.take().unwrap_or_else(|| match nodes[current].number {
                            (number, false) => (number, true),
                            (number, true) => (number + 1, false),
                        });
                        let before = before.take().unwrap_or_default();
                        let this = nodes.len();
                        let san = at..at + length;
                        nodes.push(Node { parent: current, number, san, before, ..Node::default() });
                        nodes[current].children.push(this);
                        current = this;
                    }
                    length
                }
            };
            at += length;
        }
        Self { game, nodes, result }
    }

    /// Distributes the lines in the order of the tree, each main line before its variations. A subtree that fits into a
    /// chapter is not divided.
    fn plan(&self, moves: usize, room: usize) -> Plan {
        let whole = |too_large| Plan { chapters: vec![vec![0]], owners: HashMap::new(), too_large };
        let nodes = &self.nodes;
        let count = nodes.len();
        // Of each subtree, and of the moves from the start to the node.
        let mut weights: Vec<(usize, usize)> = nodes.iter().map(|node| (1, node.bare() + node.notes())).collect();
        let mut paths = vec![(0, 0); count];
        for nth in (1..count).rev() {
            let (moves, bytes) = weights[nth];
            let parent = &mut weights[nodes[nth].parent];
            *parent = (parent.0 + moves, parent.1 + bytes);
        }
        for nth in 1..count {
            let (moves, bytes) = paths[nodes[nth].parent];
            paths[nth] = (moves + 1, bytes + nodes[nth].bare());
        }
        let fits = |size: (usize, usize)| size.0 <= moves && size.1 <= room;
        let all = (weights[0].0 - 1, weights[0].1);
        if fits(all) {
            return whole(0);
        }
        let mut plan = Plan { chapters: vec![Vec::new()], owners: HashMap::new(), too_large: 0 };
        let (mut size, mut total) = ((0, 0), 0);
        // The end of the path that the chapter and the next subtree have in common, and the notes of divided moves
        // that no chapter has yet.
        let mut common = (0, 0);
        let mut pending = nodes[0].notes();
        let mut divided = vec![0];
        let mut stack: Vec<usize> = nodes[0].children.iter().rev().copied().collect();
        while let Some(nth) = stack.pop() {
            let path = paths[nodes[nth].parent];
            common = common.min(path);
            let weight = weights[nth];
            let added = |common: (usize, usize), size: (usize, usize)| {
                (size.0 + path.0 - common.0 + weight.0, size.1 + path.1 - common.1 + weight.1 + pending)
            };
            let is_empty = plan.chapters.last().is_none_or(Vec::is_empty);
            let (joined, alone) = (added(common, size), added((0, 0), (0, 0)));
            let is_leaf = nodes[nth].children.is_empty();
            if !fits(joined) && !fits(alone) && !is_leaf {
                pending += nodes[nth].notes();
                divided.push(nth);
                stack.extend(nodes[nth].children.iter().rev());
                continue;
            }
            if fits(joined) || is_empty {
                size = joined;
            } else {
                total += size.0;
                plan.chapters.push(Vec::new());
                size = alone;
            }
            plan.too_large += usize::from(!fits(size));
            let this = plan.chapters.len() - 1;
            plan.owners.extend(divided.drain(..).map(|node| (node, this)));
            plan.chapters[this].push(nth);
            pending = 0;
            common = path;
        }
        // A long line with very many ends would be repeated for each of them.
        if plan.chapters.len() < 2 || total + size.0 > 16 * (count + moves) { whole(1) } else { plan }
    }

    /// Returns a move with its number.
    fn numbered(&self, nth: usize) -> String {
        let node = &self.nodes[nth];
        let (number, is_black) = node.number;
        let san = String::from_utf8_lossy(&self.game[node.san.clone()]);
        format!("{number}{} {san}", if is_black { "..." } else { "." })
    }

    /// Returns a move with its number, and with the move of White before it.
    fn named(&self, nth: usize) -> String {
        let node = &self.nodes[nth];
        match node.parent {
            parent if parent > 0 && node.number.1 => {
                let san = String::from_utf8_lossy(&self.game[node.san.clone()]);
                format!("{} {san}", self.numbered(parent))
            }
            _ => self.numbered(nth),
        }
    }

    /// Appends the movetext of a chapter without its result, with a blank behind it. Returns whether it has
    /// [marks](lines::append).
    fn append(&self, chapter: &[usize], number: usize, owners: &HashMap<usize, usize>, out: &mut Vec<u8>) -> bool {
        enum Step {
            /// Writes what follows a move.
            Follow(usize),
            Open(usize),
            Close,
        }
        // The moves of the paths, with their children in this chapter.
        let mut paths: HashMap<usize, Vec<usize>> = HashMap::new();
        for first in chapter.iter().filter(|first| **first > 0) {
            let mut child = *first;
            loop {
                let parent = self.nodes[child].parent;
                let is_new = !paths.contains_key(&parent);
                paths.entry(parent).or_default().push(child);
                if !is_new || parent == 0 {
                    break;
                }
                child = parent;
            }
        }
        let is_owned = |nth: usize| owners.get(&nth).is_none_or(|owner| *owner == number);
        let mut writer = Writer { tree: self, out, is_numbered: true, is_marked: false };
        if is_owned(0) {
            writer.comments(&self.nodes[0].after, false);
        }
        let mut steps = vec![Step::Follow(0)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Follow(nth) => {
                    let children = paths.get(&nth).unwrap_or(&self.nodes[nth].children);
                    if let Some((first, others)) = children.split_first() {
                        if is_owned(*first) {
                            writer.comments(&self.nodes[*first].before, true);
                        }
                        writer.play(*first, is_owned(*first));
                        steps.push(Step::Follow(*first));
                        for other in others.iter().rev() {
                            steps.extend([Step::Close, Step::Follow(*other), Step::Open(*other)]);
                        }
                    }
                }
                Step::Open(nth) => {
                    writer.out.push(b'(');
                    writer.is_numbered = true;
                    if is_owned(nth) {
                        writer.comments(&self.nodes[nth].before, false);
                    }
                    writer.play(nth, is_owned(nth));
                }
                Step::Close => {
                    // A blank stands behind the last word.
                    writer.out.pop();
                    writer.out.extend_from_slice(b") ");
                    writer.is_numbered = true;
                }
            }
        }
        writer.is_marked
    }
}

/// Writes movetext on one line, with a blank behind each word.
struct Writer<'t, 'g, 'o> {
    tree: &'t Tree<'g>,
    out: &'o mut Vec<u8>,
    /// Whether a move of Black needs its number.
    is_numbered: bool,
    is_marked: bool,
}

impl Writer<'_, '_, '_> {
    fn play(&mut self, nth: usize, has_notes: bool) {
        let node = &self.tree.nodes[nth];
        if !node.number.1 || self.is_numbered {
            self.out.extend_from_slice(self.tree.numbered(nth).as_bytes());
        } else {
            self.out.extend_from_slice(&self.tree.game[node.san.clone()]);
        }
        self.out.push(b' ');
        self.is_numbered = false;
        if has_notes {
            for glyph in &node.glyphs {
                self.out.extend_from_slice(&self.tree.game[glyph.clone()]);
                self.out.push(b' ');
                self.is_numbered = true;
            }
            self.comments(&node.after, false);
        }
    }

    /// Writes comments. If they have moved behind another move, no evaluation and no clock of that move is read from
    /// them.
    fn comments(&mut self, comments: &[Range<usize>], is_moved: bool) {
        for text in comments {
            let text = String::from_utf8_lossy(&self.tree.game[text.clone()]);
            let text = if is_moved { comment::inert(&text) } else { text.into_owned() };
            self.is_marked |= comment::append(&text, self.out);
            self.out.push(b' ');
            self.is_numbered = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChapterLimits, Divided, append_chapters, split_chapters};

    const GAME: &str = "[Event \"?\"]\n[Result \"1-0\"]\n[Annotator \"x\"]\n[Zebra \"y\"]\n\n{start} 1. e4 $1 {good} \
                        (1. d4 {a} 1... d5 (1... Nf6 2. c4) 2. c4) ({b} 1. c4) 1... e5 {c} (1... c5 2. Nf3) 2. Nf3 \
                        1-0\n\n";

    #[test]
    fn a_game_that_fits_is_one_chapter_with_its_name() {
        for (game, name, expected) in [
            (GAME, "", GAME),
            (
                GAME,
                "A \"b\"\\\n",
                "[Event \"?\"]\n[Result \"1-0\"]\n[Annotator \"x\"]\n[ChapterName \"A \\\"b\\\"\\\\\"]\n[Zebra \
                 \"y\"]\n\n{start} 1. e4 $1 {good} (1. d4 {a} 1... d5 (1... Nf6 2. c4) 2. c4) ({b} 1. c4) 1... e5 {c} \
                 (1... c5 2. Nf3) 2. Nf3 1-0\n\n",
            ),
            ("1. e4 *\n\n", "", "[Event \"?\"]\n\n1. e4 *\n\n"),
            ("1. e4 *\n\n", "new", "[ChapterName \"new\"]\n\n1. e4 *\n\n"),
            (
                ";before\n[Event \"x\"]\n[ChapterName \"old\"]\n\n1. e4 *\n\n",
                "new",
                "[Event \"x\"]\n[ChapterName \"new\"]\n\n{before} 1. e4 *\n\n",
            ),
        ] {
            let mut out = Vec::new();
            let divided = append_chapters(game.as_bytes(), name, ChapterLimits::default(), 0, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert_eq!(divided, Divided { chapters: 1, too_large: 0, moves: if game == GAME { 11 } else { 1 } });
        }
    }

    /// Compares the names of the chapters and their movetext, and the number of those that are too large.
    #[track_caller]
    fn check(name: &str, limits: ChapterLimits, expected: &[&str], too_large: usize) {
        let mut out = Vec::new();
        let divided = append_chapters(GAME.as_bytes(), name, limits, 0, &mut out);
        let out = String::from_utf8(out).unwrap();
        let chapters = out.split("[ChapterName \"").skip(1).map(|chapter| {
            let (name, rest) = chapter.split_once("\"]\n[Zebra \"y\"]\n\n").unwrap();
            format!("{name}: {}", rest.split_once("\n\n").unwrap().0)
        });
        let chapters: Vec<String> = chapters.collect();
        assert_eq!(chapters, expected, "{limits:?}");
        assert_eq!(divided, Divided { chapters: expected.len(), too_large, moves: 11 }, "{limits:?}");
        // Other lines than the first have no result.
        assert_eq!(out.matches("[Result \"*\"]").count(), chapters.len() - 1);
    }

    #[test]
    fn a_game_is_divided_at_its_branches() {
        let limits = |moves| ChapterLimits { moves, ..ChapterLimits::default() };
        check(
            "Game",
            limits(9),
            &[
                "Game (1/2): {start} 1. e4 $1 {good} 1... e5 {c} (1... c5 2. Nf3) 2. Nf3 1-0",
                "Game (2/2: 1. d4): 1. d4 {a} ({b} 1. c4) 1... d5 (1... Nf6 2. c4) 2. c4 *",
            ],
            0,
        );
        check(
            "Game",
            limits(5),
            &[
                "Game (1/3): {start} 1. e4 $1 {good} 1... e5 {c} (1... c5 2. Nf3) 2. Nf3 1-0",
                "Game (2/3: 1. d4): 1. d4 {a} 1... d5 (1... Nf6 2. c4) 2. c4 *",
                "Game (3/3: 1. c4): {b} 1. c4 *",
            ],
            0,
        );
        check(
            "Game",
            limits(4),
            &[
                "Game (1/4): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "Game (2/4: 1. e4 c5): 1. e4 c5 2. Nf3 *",
                "Game (3/4: 1. d4 d5): 1. d4 {a} 1... d5 2. c4 *",
                "Game (4/4: 1. d4 Nf6): 1. d4 ({b} 1. c4) 1... Nf6 2. c4 *",
            ],
            0,
        );
        check(
            "Game",
            limits(3),
            &[
                "Game (1/5): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "Game (2/5: 1. e4 c5): 1. e4 c5 2. Nf3 *",
                "Game (3/5: 1. d4 d5): 1. d4 {a} 1... d5 2. c4 *",
                "Game (4/5: 1. d4 Nf6): 1. d4 Nf6 2. c4 *",
                "Game (5/5: 1. c4): {b} 1. c4 *",
            ],
            0,
        );
        check(
            "Game",
            limits(2),
            &[
                "Game (1/5): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "Game (2/5: 2. Nf3): 1. e4 c5 2. Nf3 *",
                "Game (3/5: 2. c4): 1. d4 {a} 1... d5 2. c4 *",
                "Game (4/5: 2. c4): 1. d4 Nf6 2. c4 *",
                "Game (5/5: 1. c4): {b} 1. c4 *",
            ],
            4,
        );
    }

    #[test]
    fn a_chapter_has_no_more_bytes_than_it_may() {
        let limits = |bytes| ChapterLimits { bytes, ..ChapterLimits::default() };
        check(
            "Game",
            limits(550),
            &[
                "Game (1/2): {start} 1. e4 $1 {good} 1... e5 {c} (1... c5 2. Nf3) 2. Nf3 1-0",
                "Game (2/2: 1. d4): 1. d4 {a} ({b} 1. c4) 1... d5 (1... Nf6 2. c4) 2. c4 *",
            ],
            0,
        );
        check(
            "Game",
            limits(480),
            &[
                "Game (1/5): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "Game (2/5: 1. e4 c5): 1. e4 c5 2. Nf3 *",
                "Game (3/5: 1. d4 d5): 1. d4 {a} 1... d5 2. c4 *",
                "Game (4/5: 1. d4 Nf6): 1. d4 Nf6 2. c4 *",
                "Game (5/5: 1. c4): {b} 1. c4 *",
            ],
            1,
        );
        check(
            "Game",
            limits(440),
            &[
                "Game (1/5): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "Game (2/5: 2. Nf3): 1. e4 c5 2. Nf3 *",
                "Game (3/5: 2. c4): 1. d4 {a} 1... d5 2. c4 *",
                "Game (4/5: 2. c4): 1. d4 Nf6 2. c4 *",
                "Game (5/5: 1. c4): {b} 1. c4 *",
            ],
            4,
        );
    }

    #[test]
    fn a_line_is_not_repeated_for_each_of_very_many_ends() {
        let line: Vec<String> = (1..=16).map(|number| format!("{number}. Nf3 Nf6")).collect();
        let line = line.join(" ");
        let limits = ChapterLimits { moves: 32, ..ChapterLimits::default() };
        for (ends, expected) in [
            (64, Divided { chapters: 64, too_large: 0, moves: 31 + 64 }),
            (65, Divided { chapters: 1, too_large: 1, moves: 31 + 65 }),
        ] {
            let game = format!("[Event \"?\"]\n\n{line} {}*\n\n", "(16... Nc6) ".repeat(ends - 1));
            assert_eq!(append_chapters(game.as_bytes(), "", limits, 0, &mut Vec::new()), expected);
        }
    }

    #[test]
    fn written_chapters_are_split_again() {
        let mut out = Vec::new();
        append_chapters(GAME.as_bytes(), "", ChapterLimits { moves: 9, ..ChapterLimits::default() }, 0, &mut out);
        let chapters: Vec<&[u8]> = split_chapters(&out).collect();
        assert_eq!((chapters.len(), chapters.concat()), (2, out.clone()));
        assert!(chapters.iter().all(|chapter| chapter.starts_with(b"[Event ") && chapter.ends_with(b"\n\n")));
        assert_eq!(split_chapters(b"").count(), 0);
    }

    #[test]
    fn a_name_is_shortened_before_the_number_of_its_chapter() {
        let limits = |name| ChapterLimits { moves: 4, name, ..ChapterLimits::default() };
        check(
            "A long name",
            limits(29),
            &[
                "A long name (1/4): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "A long name (2/4: 1. e4 c5): 1. e4 c5 2. Nf3 *",
                "A long name (3/4: 1. d4 d5): 1. d4 {a} 1... d5 2. c4 *",
                "A long name (4/4: 1. d4 Nf6): 1. d4 ({b} 1. c4) 1... Nf6 2. c4 *",
            ],
            0,
        );
        check(
            "A long name",
            limits(20),
            &[
                "A long name (1/4): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "A lo (2/4: 1. e4 c5): 1. e4 c5 2. Nf3 *",
                "A lo (3/4: 1. d4 d5): 1. d4 {a} 1... d5 2. c4 *",
                "A l (4/4: 1. d4 Nf6): 1. d4 ({b} 1. c4) 1... Nf6 2. c4 *",
            ],
            0,
        );
        check(
            "A long name",
            limits(4),
            &[
                "(1/4): {start} 1. e4 $1 {good} 1... e5 {c} 2. Nf3 1-0",
                "(2/4: 1. e4 c5): 1. e4 c5 2. Nf3 *",
                "(3/4: 1. d4 d5): 1. d4 {a} 1... d5 2. c4 *",
                "(4/4: 1. d4 Nf6): 1. d4 ({b} 1. c4) 1... Nf6 2. c4 *",
            ],
            0,
        );
    }

    #[test]
    fn all_tags_are_counted_as_part_of_a_chapter() {
        let tags: String = (0..200).map(|number| format!("[T{number} \"\"]\n")).collect();
        let game = format!("{tags}\n1. e4 (1. d4 d5) (1. c4 c5) 1... e5 2. Nf3 (2. f4) 2... Nc6 *\n\n");
        let mut numbers = Vec::new();
        for bytes in game.len() - 100..game.len() + 200 {
            let limits = ChapterLimits { bytes, name: 0, ..ChapterLimits::default() };
            let mut out = Vec::new();
            let divided = append_chapters(game.as_bytes(), "", limits, 0, &mut out);
            numbers.push(divided.chapters);
            if divided.too_large == 0 {
                assert!(split_chapters(&out).all(|chapter| chapter.len() <= bytes), "{bytes}");
            }
        }
        // The least limit leaves no room for any line, and the greatest for all.
        assert!(numbers.is_sorted_by(|one, other| one >= other), "{numbers:?}");
        assert_eq!((numbers[0], numbers.last()), (4, Some(&1)));
    }

    #[test]
    fn chapters_are_split_where_they_were_joined() {
        let split =
            |text: &'static str| split_chapters(text.as_bytes()).map(|part| str::from_utf8(part).unwrap()).collect();
        let parts: Vec<&str> = split("[A \"1\"]\n\n1. e4 *\n\n[A \"2\"]\n\n*\n\n");
        assert_eq!(parts, ["[A \"1\"]\n\n1. e4 *\n\n", "[A \"2\"]\n\n*\n\n"]);
        let parts: Vec<&str> = split("");
        assert!(parts.is_empty());
    }

    #[test]
    fn the_name_of_a_chapter_is_on_one_line() {
        let mut out = Vec::new();
        append_chapters(b"1. e4 *\n\n", "a\tb\u{7f}é", ChapterLimits::default(), 0, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "[ChapterName \"a b é\"]\n\n1. e4 *\n\n");
    }
}
