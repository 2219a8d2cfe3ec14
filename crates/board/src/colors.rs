//! The colours of a board.

use std::str::FromStr;

use crate::error::BoardError;
use crate::paint::Rgba;

/// The colours of a board.
///
/// They are parsed from the name of a set (`brown`, `green`, `blue`, `gray`), from single colours such as
/// `light=#fff,dark=#789`, or from both: `green,last-move=#ff08`. Colours that are not given are those of the set,
/// which is `brown` if none is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Colors {
    /// The light squares.
    pub light: Rgba,
    /// The dark squares.
    pub dark: Rgba,
    /// The letters and digits at the edges.
    pub coordinates: Rgba,
    /// The two squares of the last move; usually translucent, because it lies on the colour of the square.
    pub last_move: Rgba,
    /// The square of the king in check. Circles of this colour lie on one another.
    pub check: Rgba,
    /// The crosses on marked squares.
    pub mark: Rgba,
}

const RED: Rgba = Rgba::from_u32(0xe3_1b_1b_70);
const CROSS: Rgba = Rgba::from_u32(0xa8_1c_2c_d0);

impl Colors {
    /// Light wood and brown, the default.
    pub const BROWN: Self = Self {
        light: Rgba::from_u32(0xf0_d9_b5_ff),
        dark: Rgba::from_u32(0xb5_88_63_ff),
        coordinates: Rgba::from_u32(0x4e_36_24_ff),
        last_move: Rgba::from_u32(0xcd_d2_2e_8c),
        check: RED,
        mark: CROSS,
    };
    /// Cream and green.
    pub const GREEN: Self = Self {
        light: Rgba::from_u32(0xee_ee_d5_ff),
        dark: Rgba::from_u32(0x7d_98_5c_ff),
        coordinates: Rgba::from_u32(0x2b_3a_1c_ff),
        last_move: Rgba::from_u32(0xf2_dc_2a_90),
        ..Self::BROWN
    };
    /// Light grey and blue.
    pub const BLUE: Self = Self {
        light: Rgba::from_u32(0xe6_ea_ee_ff),
        dark: Rgba::from_u32(0x89_a2_b8_ff),
        coordinates: Rgba::from_u32(0x27_3a_4a_ff),
        last_move: Rgba::from_u32(0x5f_b8_52_8c),
        ..Self::BROWN
    };
    /// White and grey, for print.
    pub const GRAY: Self = Self {
        light: Rgba::from_u32(0xff_ff_ff_ff),
        dark: Rgba::from_u32(0xc9_c9_c9_ff),
        coordinates: Rgba::from_u32(0x33_33_33_ff),
        last_move: Rgba::from_u32(0x7a_7a_7a_78),
        ..Self::BROWN
    };

    /// The sets and their names.
    pub const SETS: [(&'static str, Self); 4] =
        [("brown", Self::BROWN), ("green", Self::GREEN), ("blue", Self::BLUE), ("gray", Self::GRAY)];

    /// Sets a colour by its name.
    fn set(&mut self, name: &str, color: Rgba) -> Result<(), BoardError> {
        let field = match name {
            "light" => &mut self.light,
            "dark" => &mut self.dark,
            "coordinates" => &mut self.coordinates,
            "last-move" => &mut self.last_move,
            "check" => &mut self.check,
            "mark" => &mut self.mark,
            _ => {
                return Err(BoardError(format!(
                    "a board has no colour {name:?}; there are light, dark, coordinates, last-move, check and mark"
                )));
            }
        };
        *field = color;
        Ok(())
    }
}

impl Default for Colors {
    fn default() -> Self {
        Self::BROWN
    }
}

impl FromStr for Colors {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut colors = Self::BROWN;
        for (at, item) in text.split(',').enumerate() {
            match item.split_once('=') {
                Some((name, color)) => colors.set(name, color.parse()?)?,
                None if at == 0 => {
                    let set = Self::SETS.iter().find(|(name, _)| *name == item);
                    (_, colors) = *set.ok_or_else(|| {
                        let wish = "give brown, green, blue or gray, or single ones such as light=#fff,dark=#789";
                        BoardError(format!("{item:?} is not a set of colours; {wish}"))
                    })?;
                }
                None => {
                    return Err(BoardError(format!(
                        "{item:?} is not NAME=COLOUR, such as dark=#789; the name of a set comes first"
                    )));
                }
            }
        }
        Ok(colors)
    }
}

#[cfg(test)]
mod tests {
    use super::Colors;
    use crate::paint::Rgba;

    #[test]
    fn a_set_is_named_and_single_colours_replace_its_own() {
        assert_eq!("brown".parse(), Ok(Colors::BROWN));
        assert_eq!("gray".parse(), Ok(Colors::GRAY));
        let check = Rgba::from_u32(0x00ff_0080);
        assert_eq!("blue,check=#00ff0080".parse(), Ok(Colors { check, ..Colors::BLUE }));
        let dark = Rgba::from_u32(0x7788_99ff);
        let last_move = Rgba::from_u32(0xffff_0088);
        assert_eq!("dark=#789,last-move=#ff08".parse(), Ok(Colors { dark, last_move, ..Colors::BROWN }));
    }

    #[track_caller]
    fn check_mistake(text: &str, expected: &str) {
        let error = text.parse::<Colors>().expect_err(text).to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn what_is_no_colour_of_a_board_is_refused() {
        check_mistake("", "not a set");
        check_mistake("pink", "not a set");
        check_mistake("light=#fff,green", "the name of a set comes first");
        check_mistake("green,", "NAME=COLOUR");
        check_mistake("green,black=#000", "no colour \"black\"");
        check_mistake("dark=brown", "\"brown\" is not a colour");
    }
}
