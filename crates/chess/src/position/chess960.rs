//! The 960 starting positions of Chess960 and their numbers.

use crate::castling::CastlingRights;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{File, Square};

impl Position {
    /// Returns the starting position of Chess960 with this number, 0 to 959 (Scharnagl's numbering); `None` for greater
    /// numbers. 518 is the standard one.
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// Returns the starting position of Double Chess960 with these numbers, in which each side is shuffled
    /// independently.
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        let mut setup = Setup { castling: CastlingRights::NONE, ..Setup::initial() };
        for (color, number) in Color::ALL.into_iter().zip([white, black]) {
            for (file, role) in File::ALL.into_iter().zip(back_rank(number)?) {
                let sq = Square::new(file, color.back_rank());
                setup.board.set(sq, role.of(color));
                if role == Role::Rook {
                    setup.castling = setup.castling.with(sq);
                }
            }
        }
        Some(Self { setup })
    }

    /// Returns the Chess960 number of this position; `None` if it is no starting position of Chess960. The counters are
    /// ignored.
    pub fn chess960_number(&self) -> Option<u16> {
        self.double_chess960_numbers().filter(|(white, black)| white == black).map(|(white, _)| white)
    }

    /// Returns the Double Chess960 numbers of this position, White's first; `None` if it is no such starting position.
    /// The counters are ignored.
    pub fn double_chess960_numbers(&self) -> Option<(u16, u16)> {
        let number = |color: Color| {
            number(&File::ALL.map(|file| {
                let piece = self.board().piece_at(Square::new(file, color.back_rank()));
                piece.filter(|piece| piece.color == color).map(|piece| piece.role)
            }))
        };
        let (white, black) = (number(Color::White)?, number(Color::Black)?);
        // The rules do not matter, but men in hand and checks do.
        let mut start = Self::double_chess960(white, black)?;
        start.setup.rules = self.setup.rules;
        self.is_same_position(&start).then_some((white, black))
    }
}

/// The pairs of free files on which the knights can stand, in the order of their number.
const KNIGHTS: [(usize, usize); 10] = [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// Returns the pieces of a number: `number = light bishop + 4 · (dark bishop + 4 · (queen + 6 · knights))`. The other
/// files hold rook, king, rook.
fn back_rank(number: u16) -> Option<[Role; 8]> {
    let number = usize::from(number);
    let &knights = KNIGHTS.get(number / 96)?;

    let mut files = [None; 8];
    files[number % 4 * 2 + 1] = Some(Role::Bishop);
    files[number / 4 % 4 * 2] = Some(Role::Bishop);
    // The other pieces are placed on the files that are still free.
    let place = |files: &mut [Option<Role>; 8], nth: usize, role| {
        if let Some(file) = files.iter_mut().filter(|file| file.is_none()).nth(nth) {
            *file = Some(role);
        }
    };
    place(&mut files, number / 16 % 6, Role::Queen);
    place(&mut files, knights.1, Role::Knight);
    place(&mut files, knights.0, Role::Knight);
    place(&mut files, 1, Role::King);
    Some(files.map(|role| role.unwrap_or(Role::Rook)))
}

/// Returns the number of a rank made by [`back_rank`]. For other ranks, the result has no meaning.
fn number(roles: &[Option<Role>; 8]) -> Option<u16> {
    let is = |role: Role| move |&file: &usize| roles[file] == Some(role);
    let light = (1..8).step_by(2).position(|file| is(Role::Bishop)(&file))?;
    let dark = (0..8).step_by(2).position(|file| is(Role::Bishop)(&file))?;

    let free: Vec<usize> = (0..8).filter(|file| !is(Role::Bishop)(file)).collect();
    let queen = free.iter().position(is(Role::Queen))?;
    let free: Vec<usize> = free.into_iter().filter(|file| !is(Role::Queen)(file)).collect();
    let knights = (free.iter().position(is(Role::Knight))?, free.iter().rposition(is(Role::Knight))?);
    let knights = KNIGHTS.iter().position(|&pair| pair == knights)?;
    u16::try_from(light + 4 * (dark + 4 * (queen + 6 * knights))).ok()
}

#[cfg(test)]
mod tests {
    use super::back_rank;
    use crate::piece::Role;
    use crate::position::Position;

    #[track_caller]
    fn check(number: u16, expected: &str) {
        assert_eq!(
            back_rank(number).expect("a number below 960").map(Role::char).into_iter().collect::<String>(),
            expected
        );
    }

    #[test]
    fn numbers_name_their_arrays() {
        check(0, "BBQNNRKR");
        check(518, "RNBQKBNR");
        check(959, "RKRNNQBB");
    }

    #[test]
    fn every_number_comes_back_from_its_position() {
        for number in 0..960 {
            let position = Position::chess960(number).expect("a number below 960");
            assert_eq!(position.chess960_number(), Some(number));
        }
        assert_eq!(Position::chess960(960), None);
    }

    #[test]
    fn each_side_may_have_its_own_number() {
        for (white, black) in [(0, 959), (518, 0), (959, 518), (7, 7)] {
            let position = Position::double_chess960(white, black).expect("two numbers below 960");
            assert_eq!(position.double_chess960_numbers(), Some((white, black)));
            assert_eq!(position.chess960_number(), (white == black).then_some(white));
        }
        assert_eq!(Position::double_chess960(0, 960), None);
    }

    #[test]
    fn number_518_is_the_orthodox_start() {
        assert_eq!(Position::chess960(518), Some(Position::initial()));
    }
}
