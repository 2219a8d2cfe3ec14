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
    /// The view of a shape as it was given.
    pub(super) const GIVEN: Self = Self { swap: false, mirror: false };
    /// The view with the colors exchanged.
    pub(super) const SWAPPED: Self = Self { swap: true, mirror: false };

    /// The four views. Each stands at its [index](Self::index).
    pub(super) const ALL: [Self; 4] =
        [Self::GIVEN, Self::SWAPPED, Self { swap: false, mirror: true }, Self { swap: true, mirror: true }];

    /// Returns the index of the view, from 0 to 3.
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.swap) | usize::from(self.mirror) << 1
    }
}

/// A set of views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Views(u8);

impl Views {
    /// Returns the set of the views for which the closure returns true.
    #[inline]
    pub(super) fn where_each(is_in: impl Fn(View) -> bool) -> Self {
        let bit = |view: View| u8::from(is_in(view)) << view.index();
        Self(View::ALL.into_iter().fold(0, |views, view| views | bit(view)))
    }

    /// Whether a view is in the set.
    #[inline]
    pub(super) fn contains(self, view: View) -> bool {
        self.0 >> view.index() & 1 == 1
    }

    /// Whether the set has no views.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns those of the views for which the closure returns true.
    #[inline]
    pub(super) fn keep(self, is_kept: impl Fn(View) -> bool) -> Self {
        Self::where_each(|view| self.contains(view) && is_kept(view))
    }

    /// Whether the closure returns true for one of the views.
    #[inline(always)]
    pub(super) fn has_any(self, holds: impl Fn(View) -> bool) -> bool {
        let mut rest = self.0;
        while rest != 0 {
            if holds(View::ALL[rest.trailing_zeros() as usize & 3]) {
                return true;
            }
            rest &= rest - 1;
        }
        false
    }
}
