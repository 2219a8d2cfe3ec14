//! Writes a tree as a page that unfolds: one file, without scripts.

use std::io::Write;

use crate::counts::Counts;
use crate::notes::Note;
use crate::tree::Tree;
use crate::write::guide::{Fate, Guide, Played, line_of, numbered};
use crate::write::words::mark;
use crate::write::{TreeError, TreeStyle, WrittenTree};
use pgn2fen_board::Board;
use pgn2fen_chess::position::Position;
use pgn2fen_rows::page;

const STYLE: &str = include_str!("page.css");

/// The number of bytes after which the text so far is written.
const BUFFER: usize = 1 << 16;

pub(super) fn write(tree: &Tree, style: &TreeStyle, output: &mut impl Write) -> Result<WrittenTree, TreeError> {
    let mut writer = PageWriter { guide: Guide::new(tree, style.transpositions), style, out: Vec::new(), output };
    page::append_head_with(&style.title, STYLE, &mut writer.out);
    let root = tree.nodes[0];
    let mut position = tree.root().start().clone();
    let mut name = String::new();
    for m in tree.root().moves() {
        crate::write::guide::append_move(&position, &m.to_san(&position), &mut name);
        position.play_unchecked(*m);
    }
    let name = if name.is_empty() { position.turn().pick("White to move", "Black to move").to_owned() } else { name };
    let words = style.first_note(tree).into_iter().flat_map(Note::words);
    let variant = position.rules().variant_title().map(str::to_owned);
    let counts = style.words(root.counts, root.year);
    let caption: Vec<String> = [Some(name), variant, Some(counts)].into_iter().flatten().chain(words).collect();
    writer.text("<div class=\"start\" id=\"n0\">\n");
    let board = Board::of(&position).orientation(style.side);
    page::append_figure(Some(&board), &caption, &mut writer.out);
    writer.text("</div>\n<div class=\"tree\">\n");
    writer.moves(&position, true)?;
    writer.text("</div>\n");
    page::append_end(&mut writer.out);
    writer.output.write_all(&writer.out)?;
    Ok(writer.guide.written)
}

struct PageWriter<'t, W> {
    guide: Guide<'t>,
    style: &'t TreeStyle,
    out: Vec<u8>,
    output: &'t mut W,
}

impl<W: Write> PageWriter<'_, W> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes the moves of the current node and everything behind them. A line without a choice is written move under
    /// move; where there is a choice, each move unfolds. The main line is open.
    fn moves(&mut self, position: &Position, is_main: bool) -> Result<(), TreeError> {
        let mut position = position.clone();
        let mut entered = 0;
        loop {
            let moves = self.guide.tree.range(self.guide.node());
            if moves.len() == 1 {
                let Some(played) = self.guide.play(moves.start, &position) else {
                    break;
                };
                self.id("<p", moves.start);
                self.played(&played, &position);
                self.text("</p>\n");
                self.ends(&played);
                if played.fate != Fate::GoesOn {
                    break;
                }
                self.guide.enter(&played);
                entered += 1;
                position = played.after;
                continue;
            }
            for (nth, at) in moves.enumerate() {
                let Some(played) = self.guide.play(at, &position) else {
                    continue;
                };
                if played.fate != Fate::GoesOn {
                    self.id("<p", at);
                    self.played(&played, &position);
                    self.text("</p>\n");
                    self.ends(&played);
                    continue;
                }
                let is_open = is_main && nth == 0;
                self.id(if is_open { "<details open=\"open\"" } else { "<details" }, at);
                self.text("<summary>");
                self.played(&played, &position);
                self.text("</summary>\n");
                self.guide.enter(&played);
                self.moves(&played.after, is_open)?;
                self.guide.leave();
                self.text("</details>\n");
            }
            break;
        }
        (0..entered).for_each(|_| self.guide.leave());
        if self.out.len() > BUFFER {
            self.output.write_all(&self.out)?;
            self.out.clear();
        }
        Ok(())
    }

    /// Begins an element, which gets the number of the position if the position stands here.
    fn id(&mut self, element: &str, edge: u32) {
        let tree = self.guide.tree;
        self.text(element);
        if tree.holds(edge) && self.guide.is_here() {
            self.text(&format!(" id=\"n{}\"", tree.edge(edge).to));
        }
        self.text(">");
    }

    fn played(&mut self, played: &Played<'_>, before: &Position) {
        let (style, edge) = (self.style, played.edge);
        let note = style.note(self.guide.tree, edge);
        let by_score = style.glyph(self.guide.tree, edge, before.turn());
        let glyph = mark(note.and_then(Note::glyph).or(by_score));
        let name = numbered(before, &played.played.to_san(before), true);
        self.text(&format!("<b>{name}{glyph}</b>"));
        if style.remarks.results {
            self.bar(edge.counts);
        }
        let words = style.words(edge.counts, edge.year);
        self.text("<small>");
        page::append_escaped(&words, &mut self.out);
        if let Some(elsewhere) = self.guide.goes_on(played) {
            let line = line_of(self.guide.tree, edge.to);
            let blank = if words.is_empty() { "" } else { "; " };
            self.text(&format!("{blank}<a href=\"#n{}\" title=\"{line}\">{elsewhere}</a>", edge.to));
        }
        self.text("</small>");
        for words in note.into_iter().flat_map(Note::words) {
            self.text(" <span class=\"note\">");
            page::append_escaped(&words, &mut self.out);
            self.text("</span>");
        }
    }

    /// Writes the model games of a line that ends.
    fn ends(&mut self, played: &Played<'_>) {
        if played.fate == Fate::Ends {
            for game in self.style.models(self.guide.tree, played.edge.to) {
                self.text("<p class=\"game\">");
                page::append_escaped(&game, &mut self.out);
                self.text("</p>\n");
            }
        }
    }

    fn bar(&mut self, counts: Counts) {
        if let Some(shares) = counts.results().per_cent() {
            page::append_bar(shares, &mut self.out);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::options::TreeOptions;
    use crate::testing::{from, tree, written};
    use crate::write::{Remarks, Transpositions, TreeFormat, TreeStyle};

    /// Returns what the page has of the tree, without the first position.
    fn page(games: &str, style: &TreeStyle) -> String {
        let options = TreeOptions { variations: true, notes: true, ..TreeOptions::default() };
        let (text, _) = written(&tree(games, &options), TreeFormat::Html, style);
        let (_, tree) = text.split_once("<div class=\"tree\">\n").unwrap();
        tree.split_once("</div>\n").unwrap().0.to_owned()
    }

    #[test]
    fn a_choice_unfolds_and_a_line_without_one_is_moves_below_one_another() {
        let style = TreeStyle { remarks: Remarks { games: true, ..Remarks::NONE }, ..TreeStyle::default() };
        let games = "1. d4 d5 2. c4 (2. Nf3) 1-0\n\n1. c4 (1. a4) 1... d5 2. d4 *\n";
        assert_eq!(
            page(games, &style),
            "<details open=\"open\" id=\"n1\"><summary><b>1. d4</b><small>1 game</small></summary>\n\
             <p id=\"n4\"><b>1... d5</b><small>1 game</small></p>\n\
             <p id=\"n6\"><b>2. c4</b><small>1 game</small></p>\n\
             <p id=\"n7\"><b>2. Nf3</b><small>1 game</small></p>\n\
             </details>\n\
             <details id=\"n2\"><summary><b>1. c4</b><small>1 game</small></summary>\n\
             <p id=\"n5\"><b>1... d5</b><small>1 game</small></p>\n\
             <p><b>2. d4</b><small>1 game; \
             <a href=\"#n6\" title=\"1. d4 d5 2. c4\">transposes to 2. c4</a></small></p>\n\
             </details>\n\
             <p id=\"n3\"><b>1. a4</b><small>1 game</small></p>\n"
        );
    }

    #[test]
    fn a_line_that_is_written_again_has_no_numbers() {
        let style =
            TreeStyle { remarks: Remarks::NONE, transpositions: Transpositions::WrittenOut, ..TreeStyle::default() };
        let games = "1. d4 d5 2. c4 e6 *\n\n1. c4 d5 2. d4 *\n";
        let page = page(games, &style);
        let again = page.split_once("<b>1. c4</b>").unwrap().1;
        assert_eq!(
            again,
            "<small></small></summary>\n\
             <p id=\"n4\"><b>1... d5</b><small></small></p>\n\
             <p><b>2. d4</b><small></small></p>\n\
             <p><b>2... e6</b><small></small></p>\n\
             </details>\n"
        );
        assert!(page.contains("<p id=\"n6\"><b>2... e6</b>"), "{page}");
    }

    #[test]
    fn a_move_has_its_glyph_its_results_its_words_and_its_model_games() {
        let games = "[White \"A<B\"]\n[Black \"C\"]\n\n1. e4! {The <best> move} {[%cal Ge2e4]} 1/2-1/2\n";
        let style = TreeStyle {
            remarks: Remarks { results: true, models: true, words: true, ..Remarks::NONE },
            ..TreeStyle::default()
        };
        let page = page(games, &style);
        assert!(page.starts_with("<p id=\"n1\"><b>1. e4!</b><"), "{page}");
        assert!(
            page.ends_with(
                "<small>+0 =1 -0</small> <span class=\"note\">The &lt;best&gt; move</span></p>\n\
                 <p class=\"game\">A&lt;B - C, 1/2-1/2</p>\n"
            ),
            "{page}"
        );
        let bar = page.split_once("</b>").unwrap().1.split_once("<small>").unwrap().0;
        assert!(!bar.is_empty(), "{page}");
    }

    #[test]
    fn a_page_begins_with_the_first_position_and_the_words_about_it() {
        let options = TreeOptions { variations: true, notes: true, ..from("1. e4") };
        let style =
            TreeStyle { remarks: Remarks { games: true, words: true, ..Remarks::NONE }, ..TreeStyle::default() };
        let (text, _) = written(&tree("1. e4 c5 *\n", &options), TreeFormat::Html, &style);
        let start = text.split_once("id=\"n0\">").unwrap().1.split_once("<div class=\"tree\">").unwrap().0;
        assert!(start.contains("1. e4") && start.contains("1 game") && start.contains("<svg"), "{start}");
        let games = "{About <it>} 1. e4 *\n";
        let whole = TreeOptions { variations: true, notes: true, ..TreeOptions::default() };
        let (text, _) = written(&tree(games, &whole), TreeFormat::Html, &style);
        let start = text.split_once("id=\"n0\">").unwrap().1.split_once("<div class=\"tree\">").unwrap().0;
        assert!(start.contains("White to move") && start.contains("About &lt;it&gt;"), "{start}");
    }
}
