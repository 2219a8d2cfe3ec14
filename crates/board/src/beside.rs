//! The panel beside the board of a variant, with the men in hand or the checks that were given.
//!
//! Each side has its half of a panel at the right: the side at the top of the board the upper half.

use std::fmt::Write as _;

use crate::attributes::{Painted, Short};
use crate::diagram::Board;
use crate::glyphs::{DIGITS, NINE, PLUS, STROKE, WIDTH, ZERO};
use pgn2fen_chess::hands::Hands;
use pgn2fen_chess::piece::{Color, Piece, Role};
use pgn2fen_chess::rules::Rules;
use pgn2fen_chess::setup::Setup;
use pgn2fen_chess::square::Square;

/// The space between the board, or the mark of the side to move, and the panel.
const GAP: u16 = 8;

/// The width of the panel with men in hand, and of that with checks.
const HANDS: u16 = 66;
const CHECKS: u16 = 48;

/// The height of the half of a side in the panel with men in hand, and in that with checks.
const HAND: u16 = 176;
const CHECK: u16 = 34;

/// The height of a man in hand with the space around it, and the side of its drawing.
const ROW: u16 = 34;
pub(super) const MAN: u16 = 32;

/// The space between the edge of the panel and the men in it.
const INDENT: u16 = 4;

/// The factors by which the numbers of men and the checks are larger than coordinates.
const COUNT_SCALE: f32 = 2.0;
const CHECK_SCALE: f32 = 3.0;

/// The space between two characters, in the units of coordinates.
const SPACE: f32 = 1.4;

/// Men of one role in the hand of a side, and the place of the upper left corner of their drawing.
pub(super) struct InHand {
    pub(super) piece: Piece,
    pub(super) count: u8,
    pub(super) x: u16,
    pub(super) y: u16,
}

impl Board {
    /// Returns the width of the picture without the board, in units of which the board has 360.
    pub(super) fn margin(&self) -> u16 {
        let turn = if self.turn_mark { 20 } else { 0 };
        turn + if self.has_panel() { GAP + self.panel_width() } else { 0 }
    }

    /// Whether there is a panel beside the board.
    pub(super) fn has_panel(&self) -> bool {
        self.panel_width() > 0
    }

    fn panel_width(&self) -> u16 {
        let rules = self.setup.rules;
        if !Rules::HAVE_VARIANTS {
            // The compiler then leaves out what draws the panel.
            0
        } else if rules.have_hands() {
            HANDS
        } else if rules.count_checks() {
            CHECKS
        } else {
            0
        }
    }

    /// Returns the left edge of the panel.
    fn panel_left(&self) -> u16 {
        360 + self.margin() - self.panel_width()
    }

    /// Returns the men in hand, those of each side as they stand from the top to the bottom.
    pub(super) fn in_hand(&self) -> Vec<InHand> {
        let hands = &self.setup.hands;
        let mut men = Vec::new();
        if !self.has_panel() {
            return men;
        }
        for color in Color::ALL {
            let roles = Hands::ROLES.into_iter().rev().filter(|role| hands.count(color, *role) > 0);
            let top = if color == self.orientation {
                // They end at the bottom.
                359 - ROW * (0..).zip(roles.clone()).map(|(nth, _)| nth + 1).last().unwrap_or(0)
            } else {
                1
            };
            let x = self.panel_left() + INDENT;
            for (nth, role) in (0..).zip(roles) {
                let y = top + ROW * nth + (ROW - MAN) / 2;
                men.push(InHand { piece: role.of(color), count: hands.count(color, role), x, y });
            }
        }
        men
    }

    /// Appends the ground of the panel.
    pub(super) fn panel(&self, svg: &mut String) {
        let (left, width) = (self.panel_left(), self.panel_width());
        let height = if self.setup.rules.have_hands() { HAND } else { CHECK };
        let ground = self.colors.light.opaque();
        let _ = write!(svg, r#"<path fill="{ground}" d="M{left} 0h{width}v{height}h-{width}z"#);
        let _ = write!(svg, r#"M{left} {}h{width}v{height}h-{width}z"/>"#, 360 - height);
    }

    /// Appends the numbers of men in hand above 1, or the checks that were given.
    pub(super) fn numbers(&self, svg: &mut String) {
        let mut path = String::new();
        let scale = if self.setup.rules.have_hands() {
            for man in self.in_hand().iter().filter(|man| man.count > 1) {
                let (left, base) = (man.x + MAN + 4, man.y + MAN - 9);
                characters(&man.count.to_string(), (f32::from(left), f32::from(base)), COUNT_SCALE, &mut path);
            }
            COUNT_SCALE
        } else {
            for color in Color::ALL {
                let left =
                    f32::from(self.panel_left()) + (f32::from(CHECKS) - CHECK_SCALE * (2.0 * WIDTH + SPACE)) / 2.0;
                let base = if color == self.orientation { 360 - CHECK + 27 } else { 27 };
                let text = format!("+{}", self.checks_given(color));
                characters(&text, (left, f32::from(base)), CHECK_SCALE, &mut path);
            }
            CHECK_SCALE
        };
        if !path.is_empty() {
            let stroke = Painted("stroke", self.colors.coordinates);
            let round = r#"stroke-linecap="round" stroke-linejoin="round""#;
            let _ = write!(
                svg,
                r#"<path transform="scale({})" {stroke} fill="none" stroke-width="{STROKE}" {round} d="{path}"/>"#,
                Short(scale)
            );
        }
    }

    /// Appends a disc in the upper right corner of the square of each promoted man.
    pub(super) fn promoted_marks(&self, svg: &mut String) {
        for square in self.promoted() {
            let (x, y) = self.corner(square);
            let fill = Painted("fill", self.colors.mark);
            let _ = write!(svg, r##"<circle cx="{}" cy="{}" r="4.5" {fill} stroke="#fff"/>"##, x + 39, y + 6);
        }
    }

    /// Returns the squares of promoted men.
    pub(super) fn promoted(&self) -> impl Iterator<Item = Square> {
        (self.setup.promoted & self.setup.board.occupied()).into_iter()
    }

    /// Returns the number of checks that a side has given.
    pub(super) fn checks_given(&self, color: Color) -> u8 {
        let side = color.index();
        Setup::CHECKS[side].saturating_sub(self.setup.checks[side])
    }

    /// Returns what stands beside the board for a side, as text: the letters or figures of its men in hand, or `+1`.
    pub(super) fn beside(&self, color: Color, man: impl Fn(Piece) -> char) -> String {
        let rules = self.setup.rules;
        if rules.count_checks() {
            return format!("+{}", self.checks_given(color));
        }
        let mut text = String::new();
        for role in Hands::ROLES.into_iter().rev() {
            let count = self.setup.hands.count(color, role);
            text.extend((0..count).map(|_| man(role.of(color))));
        }
        text
    }

    /// Appends the men in hand, the promoted men and the checks in words, each as a sentence with a space behind it.
    pub(super) fn words_beside(&self, words: &mut String) {
        if self.setup.rules.have_hands() {
            let named = |color: Color| {
                let count = |role: Role| self.setup.hands.count(color, role);
                let roles = Hands::ROLES.into_iter().rev().filter(|role| count(*role) > 0);
                let named = roles.map(|role| match count(role) {
                    1 => role.to_string(),
                    count => format!("{count} {role}s"),
                });
                let named: Vec<String> = named.collect();
                if named.is_empty() { "nothing".to_owned() } else { named.join(", ") }
            };
            let _ = write!(words, "White has in hand: {}. ", named(Color::White));
            let _ = write!(words, "Black has in hand: {}. ", named(Color::Black));
            let promoted: Vec<String> = self.promoted().map(|square| square.to_string()).collect();
            if !promoted.is_empty() {
                let _ = write!(words, "Promoted: {}. ", promoted.join(", "));
            }
        }
        if self.setup.rules.count_checks() {
            let [white, black] = Color::ALL.map(|color| self.checks_given(color));
            let _ = write!(words, "Checks given: {white} by White, {black} by Black. ");
        }
    }
}

/// Appends digits and plus signs to a path that is drawn larger by a factor. The place is that of the base line.
fn characters(text: &str, (left, base): (f32, f32), scale: f32, path: &mut String) {
    let mut left = left / scale;
    for char in text.chars() {
        let glyph = match char {
            '+' => PLUS,
            '0' => ZERO,
            '9' => NINE,
            digit => DIGITS[usize::from(digit as u8 - b'1') % DIGITS.len()],
        };
        let _ = write!(path, "M{} {}{glyph}", Short(left), Short(base / scale));
        left += WIDTH + SPACE;
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::{Board, TextStyle};
    use pgn2fen_chess::fen;
    use pgn2fen_chess::piece::Color;
    use pgn2fen_chess::rules::Rules;

    fn board(rules: Rules, text: &str) -> Board {
        Board::of(&fen::read_by(rules, text.as_bytes()).expect(text).position)
    }

    const HOUSE: &str = "r1bQ~kb1r/ppp2ppp/2n5/8/8/5N2/PPP2PPP/RNB1KB1R[QPPnnp] b KQkq - 0 9";

    #[test]
    fn a_board_of_chess_is_as_wide_as_it_was() {
        let chess = board(Rules::Chess, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!([chess.width(360), chess.clone().turn_mark(true).width(360)], [360, 380]);
        assert_eq!(chess.turn_mark(true).width(100), 106);
    }

    #[test]
    fn the_men_in_hand_stand_beside_their_side_and_inside_the_picture() {
        for (orientation, turn_mark) in [(Color::White, false), (Color::Black, true)] {
            let board = board(Rules::Crazyhouse, HOUSE).orientation(orientation).turn_mark(turn_mark);
            let men = board.in_hand();
            let named: Vec<(char, u8)> = men.iter().map(|man| (man.piece.char(), man.count)).collect();
            assert_eq!(named, [('Q', 1), ('P', 2), ('n', 2), ('p', 1)]);
            for man in men {
                assert!(u32::from(man.x) > 360 && u32::from(man.x) + 60 <= board.width(360));
                let is_below = man.y >= 184;
                assert!(man.y + super::MAN <= 360 && is_below == (man.piece.color == orientation), "{}", man.y);
            }
        }
    }

    #[test]
    fn what_stands_beside_the_board_is_told_in_words() {
        let words = board(Rules::Crazyhouse, HOUSE).description();
        let told = "White has in hand: queen, 2 pawns. Black has in hand: 2 knights, pawn. Promoted: d8. \
                    Black to move, in check.";
        assert!(words.ends_with(told), "{words}");
        let words = board(Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1").description();
        assert!(words.ends_with("Checks given: 2 by White, 0 by Black. White to move."), "{words}");
    }

    #[test]
    fn what_stands_beside_the_board_is_told_in_text() {
        let text = board(Rules::Crazyhouse, HOUSE).to_text(TextStyle { ascii: true, ansi: false });
        expect![[r#"
            8  r  .  b  Q  k  b  .  r   nnp
            7  p  p  p  .  .  p  p  p
            6  .  .  n  .  .  .  .  .
            5  .  .  .  .  .  .  .  .
            4  .  .  .  .  .  .  .  .
            3  .  .  .  .  .  N  .  .
            2  P  P  P  .  .  P  P  P
            1  R  N  B  .  K  B  .  R   QPP
               a  b  c  d  e  f  g  h
            promoted: d8
        "#]]
        .assert_eq(&text);
        let text = board(Rules::ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1");
        let text = text.orientation(Color::Black).to_text(TextStyle::default());
        let ends: Vec<&str> = text.lines().filter_map(|line| line.rsplit_once("   +").map(|(_, end)| end)).collect();
        assert_eq!(ends, ["2", "0"]);
    }

    #[test]
    fn only_the_rules_of_the_game_put_a_king_in_check() {
        let touching = "8/8/8/3kK3/8/8/8/4R3 b - - 0 1";
        assert!(board(Rules::Atomic, touching).king_in_check().is_none());
        assert!(board(Rules::Antichess, "8/8/8/3k4/8/8/8/3R4 b - - 0 1").king_in_check().is_none());
        assert!(board(Rules::Horde, "4k3/3P4/8/8/8/8/8/8 b - - 0 1").king_in_check().is_some());
    }
}
