//! The ways in which a shape may be seen: with its colors or its sides exchanged.

/// A way to see a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// Whether the colors are exchanged, and the ranks are counted from the other side.
    pub(super) swap: bool,
    /// Whether left and right are exchanged.
    pub(super) mirror: bool,
}

impl View {
    /// The four views. Each stands at its [index](Self::index).
    pub(super) const ALL: [Self; 4] = [
        Self { swap: false, mirror: false },
        Self { swap: true, mirror: false },
        Self { swap: false, mirror: true },
        Self { swap: true, mirror: true },
    ];

    /// Returns the index of the view, from 0 to 3.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.swap) | usize::from(self.mirror) << 1
    }
}
