//! Colours: four by name, and any other by its parts.

use std::fmt;
use std::str::FromStr;

use crate::error::BoardError;

/// A colour by its red, green and blue parts, and its opacity. Each is 0 to 255; an opacity of 255 hides what is below.
///
/// It is parsed from `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`, the notation of CSS, with or without `#`, and displayed
/// as `#rrggbb` or `#rrggbbaa`.
#[expect(missing_docs, reason = "the fields are described above")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgba {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
    pub alpha: u8,
}

impl Rgba {
    /// Returns the colour of the number `0xrrggbbaa`.
    pub const fn from_u32(number: u32) -> Self {
        let [red, green, blue, alpha] = number.to_be_bytes();
        Self { red, green, blue, alpha }
    }

    /// Returns the colour with full opacity.
    #[must_use]
    pub const fn opaque(self) -> Self {
        Self { alpha: 255, ..self }
    }
}

impl fmt::Display for Rgba {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)?;
        if self.alpha == 255 { Ok(()) } else { write!(f, "{:02x}", self.alpha) }
    }
}

impl FromStr for Rgba {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        let digits: Option<Vec<u8>> =
            digits.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect::<Option<_>>();
        let pair = |high: u8, low: u8| high << 4 | low;
        match digits.as_deref() {
            Some(&[r, g, b]) => Ok(Self { red: pair(r, r), green: pair(g, g), blue: pair(b, b), alpha: 255 }),
            Some(&[r, g, b, a]) => Ok(Self { red: pair(r, r), green: pair(g, g), blue: pair(b, b), alpha: pair(a, a) }),
            Some(&[r1, r2, g1, g2, b1, b2]) => {
                Ok(Self { red: pair(r1, r2), green: pair(g1, g2), blue: pair(b1, b2), alpha: 255 })
            }
            Some(&[r1, r2, g1, g2, b1, b2, a1, a2]) => {
                Ok(Self { red: pair(r1, r2), green: pair(g1, g2), blue: pair(b1, b2), alpha: pair(a1, a2) })
            }
            _ => Err(BoardError(format!(
                "{text:?} is not a colour; give one such as #c33 or #cc3333, or #cc333380 with its opacity"
            ))),
        }
    }
}

/// The colour of an arrow, a circle or a square.
///
/// It is parsed from `green`, `red`, `yellow`, `blue`, or a colour as [`Rgba`] reads it.
#[expect(missing_docs, reason = "a colour is its name")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Paint {
    #[default]
    Green,
    Red,
    Yellow,
    Blue,
    /// Any other colour.
    Custom(Rgba),
}

impl Paint {
    /// Returns the colour with its opacity. The colours with names let the board shine through.
    pub const fn rgba(self) -> Rgba {
        match self {
            Self::Green => Rgba::from_u32(0x1f_8a_3b_b8),
            Self::Red => Rgba::from_u32(0xc2_25_2d_b8),
            Self::Yellow => Rgba::from_u32(0xe2_a3_00_c8),
            Self::Blue => Rgba::from_u32(0x1f_5f_c2_b8),
            Self::Custom(rgba) => rgba,
        }
    }
}

impl From<Rgba> for Paint {
    fn from(rgba: Rgba) -> Self {
        Self::Custom(rgba)
    }
}

impl FromStr for Paint {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        match text {
            "green" => Ok(Self::Green),
            "red" => Ok(Self::Red),
            "yellow" => Ok(Self::Yellow),
            "blue" => Ok(Self::Blue),
            _ => text.parse().map(Self::Custom).map_err(|_| {
                BoardError(format!("{text:?} is not a colour; give green, red, yellow, blue, or one such as #cc3333"))
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Paint, Rgba};

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(text.parse::<Rgba>().expect(text).to_string(), expected);
    }

    #[test]
    fn colours_are_read_as_css_writes_them() {
        check("#fff", "#ffffff");
        check("#1a2b", "#11aa22bb");
        check("#1a2b3c", "#1a2b3c");
        check("1A2B3C", "#1a2b3c");
        check("#1a2b3c80", "#1a2b3c80");
        check("#1a2b3cff", "#1a2b3c");
    }

    #[test]
    fn what_is_no_colour_is_refused() {
        for text in ["", "#", "#ff", "#fffff", "#1a2b3c8", "#ggg", "#+1+1+1", "pink", "##fff", "#fff ", "#ſss", "Red"]
        {
            let error = text.parse::<Paint>().expect_err(text).to_string();
            assert!(error.starts_with(&format!("{text:?} is not a colour")), "{error}");
        }
    }

    #[test]
    fn four_colours_have_names() {
        assert_eq!("green".parse(), Ok(Paint::Green));
        assert_eq!("red".parse(), Ok(Paint::Red));
        assert_eq!("yellow".parse(), Ok(Paint::Yellow));
        assert_eq!("blue".parse(), Ok(Paint::Blue));
        assert_eq!("#000".parse(), Ok(Paint::Custom(Rgba::from_u32(0x0000_00ff))));
    }
}
