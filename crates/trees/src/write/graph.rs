//! Writes a tree as a graph of positions, for Graphviz or Mermaid.

use std::fmt::Write as _;
use std::io::Write;

use crate::tree::Tree;
use crate::write::guide::{Guide, numbered};
use crate::write::words::mark;
use crate::write::{Transpositions, TreeError, TreeStyle, WrittenTree};
use pgn2fen_chess::position::Position;

/// The language of a graph.
pub(super) trait Language {
    fn begin(&self, title: &str, out: &mut String);

    /// Writes a position, and the move on which it hangs. The lines of its text are the move and the words about it.
    fn node(&self, nodes: (Option<u32>, u32), text: [&str; 2], out: &mut String);

    /// Writes another move to a position. The lines of its text are the move and the words about it.
    fn joint(&self, nodes: (u32, u32), text: [&str; 2], out: &mut String);

    fn end(&self, out: &mut String);
}

/// The language DOT of Graphviz.
pub(super) struct Graphviz;

impl Language for Graphviz {
    fn begin(&self, title: &str, out: &mut String) {
        let title = quoted(title);
        let _ = writeln!(
            out,
            "digraph {title} {{\n  graph [rankdir=LR, label={title}, labelloc=t, fontname=\"sans-serif\"];\n  \
             node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];"
        );
    }

    fn node(&self, (from, to): (Option<u32>, u32), text: [&str; 2], out: &mut String) {
        let _ = writeln!(out, "  n{to} [label={}];", quoted_lines(text));
        if let Some(from) = from {
            let _ = writeln!(out, "  n{from} -> n{to};");
        }
    }

    fn joint(&self, (from, to): (u32, u32), text: [&str; 2], out: &mut String) {
        let _ = writeln!(out, "  n{from} -> n{to} [style=dashed, label={}];", quoted_lines(text));
    }

    fn end(&self, out: &mut String) {
        out.push_str("}\n");
    }
}

/// Returns a move and the words about it, if there are any, as a string of DOT.
fn quoted_lines([played, words]: [&str; 2]) -> String {
    if words.is_empty() { quoted(played) } else { quoted(&format!("{played}\n{words}")) }
}

/// Returns a text as a string of DOT.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            '\n' => quoted.push_str("\\n"),
            char if char.is_control() => quoted.push(' '),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

/// The language of Mermaid.
pub(super) struct Mermaid;

impl Language for Mermaid {
    fn begin(&self, title: &str, out: &mut String) {
        // A title stands between the lines of a preamble in YAML.
        let title: String = title.chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        let title = title.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "---\ntitle: \"{title}\"\n---\nflowchart LR");
    }

    fn node(&self, (from, to): (Option<u32>, u32), text: [&str; 2], out: &mut String) {
        let from = from.map(|from| format!("n{from} --> ")).unwrap_or_default();
        let _ = writeln!(out, "  {from}n{to}[\"{}\"]", escaped_lines(text));
    }

    fn joint(&self, (from, to): (u32, u32), text: [&str; 2], out: &mut String) {
        let _ = writeln!(out, "  n{from} -. \"{}\" .-> n{to}", escaped_lines(text));
    }

    fn end(&self, _: &mut String) {}
}

/// Returns a move and the words about it, if there are any, as two lines of Mermaid. The move has no blanks: Mermaid
/// takes `1. e4` for a list, which it does not draw.
fn escaped_lines([played, words]: [&str; 2]) -> String {
    let line_break = if words.is_empty() { "" } else { "<br/>" };
    escaped(&played.replace(". ", ".")) + line_break + &escaped(words)
}

/// Returns a text with the characters that have a meaning in Mermaid as their numbers.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for char in text.chars() {
        match char {
            '"' | '#' | '<' | '>' | '&' | ';' | '`' => escaped.push_str(&format!("#{};", u32::from(char))),
            char if char.is_control() => escaped.push(' '),
            char => escaped.push(char),
        }
    }
    escaped
}

/// The number of bytes after which the text so far is written.
const BUFFER: usize = 1 << 16;

pub(super) fn write(
    tree: &Tree,
    style: &TreeStyle,
    output: &mut impl Write,
    language: &impl Language,
) -> Result<WrittenTree, TreeError> {
    let mut out = String::new();
    language.begin(&style.title, &mut out);
    let root = tree.nodes[0];
    let first = match tree.root().moves() {
        [] => match tree.root().start().rules().variant_title() {
            Some(variant) => format!("Start ({variant})"),
            None => "Start".to_owned(),
        },
        moves => {
            let mut position = tree.root().start().clone();
            let mut name = String::new();
            for m in moves {
                name = numbered(&position, &m.to_san(&position), true);
                position.play_unchecked(*m);
            }
            name
        }
    };
    language.node((None, 0), [&first, &style.words(root.counts, root.year)], &mut out);
    let mut guide = Guide::new(tree, Transpositions::Joined);
    lines(&mut guide, style, tree.root().position(), language, &mut out, output)?;
    language.end(&mut out);
    output.write_all(out.as_bytes())?;
    Ok(guide.written)
}

fn lines(
    guide: &mut Guide<'_>,
    style: &TreeStyle,
    position: &Position,
    language: &impl Language,
    out: &mut String,
    output: &mut impl Write,
) -> Result<(), TreeError> {
    for at in guide.tree.range(guide.node()) {
        let Some(played) = guide.play(at, position) else {
            continue;
        };
        let edge = played.edge;
        let glyph = mark(style.glyph(guide.tree, edge, position.turn()));
        let text = format!("{}{glyph}", numbered(position, &played.played.to_san(position), true));
        let words = style.words(edge.counts, edge.year);
        if guide.tree.holds(at) {
            language.node((Some(edge.from), edge.to), [&text, &words], out);
            guide.enter(&played);
            lines(guide, style, &played.after, language, out, output)?;
            guide.leave();
        } else {
            language.joint((edge.from, edge.to), [&text, &words], out);
        }
        if out.len() > BUFFER {
            output.write_all(out.as_bytes())?;
            out.clear();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::{from, tree, written};
    use crate::write::{Remarks, TreeFormat, TreeStyle};

    #[track_caller]
    fn check(games: &str, options: &TreeOptions, format: TreeFormat, expected: &str) {
        let style = TreeStyle {
            title: "My \"tree\"\n\\ <&;>\t".to_owned(),
            remarks: Remarks { games: true, ..Remarks::NONE },
            ..TreeStyle::default()
        };
        let (text, _) = written(&tree(games, options), format, &style);
        assert_eq!(text, expected);
    }

    const GAMES: &str = "1. d4 d5 2. c4 1-0\n\n1. c4 d5 2. d4 *\n\n1. d4 d5 *\n";

    #[test]
    fn graphviz_draws_each_position_once() {
        check(
            GAMES,
            &TreeOptions::default(),
            TreeFormat::Graphviz,
            r#"digraph "My \"tree\"\n\\ <&;> " {
  graph [rankdir=LR, label="My \"tree\"\n\\ <&;> ", labelloc=t, fontname="sans-serif"];
  node [shape=box, style=rounded, fontname="sans-serif"];
  edge [fontname="sans-serif"];
  n0 [label="Start\n3 games"];
  n1 [label="1. d4\n2 games"];
  n0 -> n1;
  n3 [label="1... d5\n2 games"];
  n1 -> n3;
  n5 [label="2. c4\n1 game"];
  n3 -> n5;
  n2 [label="1. c4\n1 game"];
  n0 -> n2;
  n4 [label="1... d5\n1 game"];
  n2 -> n4;
  n4 -> n5 [style=dashed, label="2. d4\n1 game"];
}
"#,
        );
    }

    #[test]
    fn mermaid_draws_each_position_once() {
        check(
            GAMES,
            &TreeOptions::default(),
            TreeFormat::Mermaid,
            r#"---
title: "My \"tree\" \\ <&;> "
---
flowchart LR
  n0["Start<br/>3 games"]
  n0 --> n1["1.d4<br/>2 games"]
  n1 --> n3["1...d5<br/>2 games"]
  n3 --> n5["2.c4<br/>1 game"]
  n0 --> n2["1.c4<br/>1 game"]
  n2 --> n4["1...d5<br/>1 game"]
  n4 -. "2.d4<br/>1 game" .-> n5
"#,
        );
    }

    #[test]
    fn a_graph_begins_with_the_last_move_before_it() {
        let (text, _) = written(
            &tree("1. e4 c5 2. Nf3 *\n", &from("1. e4 c5")),
            TreeFormat::Mermaid,
            &TreeStyle { remarks: Remarks::NONE, ..TreeStyle::default() },
        );
        let nodes: Vec<&str> = text.lines().skip(4).collect();
        assert_eq!(nodes, ["  n0[\"1...c5\"]", "  n0 --> n1[\"2.Nf3\"]"]);
    }

    #[test]
    fn what_has_a_meaning_in_mermaid_is_written_as_numbers() {
        assert_eq!(super::escaped("a\"#<>&;`\t1"), "a#34;#35;#60;#62;#38;#59;#96; 1");
    }
}
