//! Numbers and colours as attributes of SVG.

use std::fmt;

use crate::paint::Rgba;

/// A number with as few digits as possible, to an exactness of a hundred-thousandth below 1 and a tenth above.
pub(super) struct Short(pub(super) f32);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if self.0.abs() < 1.0 { format!("{:.5}", self.0) } else { format!("{:.1}", self.0) };
        let text = text.trim_end_matches('0').trim_end_matches('.');
        match text {
            "-0" | "" => f.write_str("0"),
            _ => match text.strip_prefix("0.") {
                Some(fraction) => write!(f, ".{fraction}"),
                None => f.write_str(text),
            },
        }
    }
}

/// A colour as the attributes `fill` or `stroke`, with its opacity in an attribute of its own.
pub(super) struct Painted(pub(super) &'static str, pub(super) Rgba);

impl fmt::Display for Painted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, color) = self;
        write!(f, r#"{name}="{}""#, color.opaque())?;
        if color.alpha == 255 {
            return Ok(());
        }
        let hundredths = (u16::from(color.alpha) * 100 + 127) / 255;
        write!(f, r#" {name}-opacity="{}""#, Short(f32::from(hundredths) / 100.0))
    }
}
