//! The formats of pictures.

/// A format of pictures. Each file has one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PictureFormat {
    /// A vector graphic.
    Svg,
    /// A bitmap.
    #[cfg(feature = "png")]
    Png,
}

impl PictureFormat {
    /// All formats that are enabled by the features of this build.
    pub const ALL: &[Self] = &[
        Self::Svg,
        #[cfg(feature = "png")]
        Self::Png,
    ];

    /// Returns the name of the format, which is also the ending of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            #[cfg(feature = "png")]
            Self::Png => "png",
        }
    }

    /// Returns the format for this file name extension, which is given without its period.
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name().eq_ignore_ascii_case(ending))
    }
}
