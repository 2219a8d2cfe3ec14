//! The values of a column.

use crate::columns::packed::PackedPosition;
use crate::table::value::Value;
use pgn2fen_tables::Texts;

/// The values of a column, one for each row. The first value decides their type.
#[derive(Debug, Default)]
pub(crate) enum Buffer {
    #[default]
    Empty,
    /// Texts in UTF-8.
    Texts(Texts),
    /// Texts that need no quotes in any format: see [`Value::Ascii`].
    Ascii(Texts),
    /// Lists of numbers of 8 bits, a byte for each.
    SmallNumbers(Texts),
    Names(Vec<Option<&'static str>>),
    Numbers(Vec<Option<i64>>),
    Seconds(Vec<Option<f64>>),
    Keys(Vec<u64>),
    Evaluations(Vec<Option<Evaluation>>),
    Positions(Vec<PackedPosition>),
    /// Packed moves.
    Moves(Vec<u16>),
}

/// An evaluation, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Evaluation {
    /// The value of the column `eval`. Mate in n moves is ±(32000 − n).
    pub(crate) centipawns: i32,
    /// Whether it is a mate, such as `#3` or `31979,24`.
    pub(crate) is_mate: bool,
}

/// Values that can be removed.
pub(crate) trait Removable {
    /// Keeps the first `len` values.
    fn truncate(&mut self, len: usize);

    /// Keeps only the values at these indices. Indices that are too large are ignored.
    fn keep(&mut self, indices: &[usize]);
}

impl<T: Copy> Removable for Vec<T> {
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn keep(&mut self, indices: &[usize]) {
        *self = indices.iter().filter_map(|index| self.get(*index).copied()).collect();
    }
}

impl Removable for Texts {
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    fn keep(&mut self, indices: &[usize]) {
        self.keep(indices.iter().copied());
    }
}

/// Defines methods that return the values of one type, to which others are appended.
macro_rules! values {
    ($($method:ident: $kind:ident($values:ty);)*) => {
        $(#[inline]
        pub(crate) fn $method(&mut self) -> &mut $values {
            if !matches!(self, Self::$kind(_)) {
                self.begin(Self::$kind(<$values>::default()));
            }
            match self {
                Self::$kind(values) => values,
                _ => unreachable!("they have just been begun"),
            }
        })*
    };
}

impl Buffer {
    values! {
        texts: Texts(Texts);
        ascii: Ascii(Texts);
        small_numbers: SmallNumbers(Texts);
        names: Names(Vec<Option<&'static str>>);
        numbers: Numbers(Vec<Option<i64>>);
        seconds: Seconds(Vec<Option<f64>>);
        keys: Keys(Vec<u64>);
        evaluations: Evaluations(Vec<Option<Evaluation>>);
        positions: Positions(Vec<PackedPosition>);
        moves: Moves(Vec<u16>);
    }

    #[cold]
    fn begin(&mut self, values: Self) {
        *self = values;
    }

    /// Returns the values, if there are any.
    pub(crate) fn values_mut(&mut self) -> Option<&mut dyn Removable> {
        Some(match self {
            Self::Empty => return None,
            Self::Texts(texts) | Self::Ascii(texts) | Self::SmallNumbers(texts) => texts,
            Self::Names(values) => values,
            Self::Numbers(values) => values,
            Self::Seconds(values) => values,
            Self::Keys(values) => values,
            Self::Evaluations(values) => values,
            Self::Positions(values) => values,
            Self::Moves(values) => values,
        })
    }

    /// Returns the value at an index.
    #[inline]
    pub(crate) fn value(&self, index: usize) -> Value<'_> {
        let value = match self {
            Self::Texts(texts) => texts.get(index).map(Value::Text),
            Self::Ascii(texts) => texts.get(index).map(Value::Ascii),
            Self::SmallNumbers(texts) => texts.get(index).map(Value::SmallNumbers),
            Self::Names(names) => names.get(index).copied().flatten().map(|name| Value::Text(name.as_bytes())),
            Self::Numbers(numbers) => numbers.get(index).copied().flatten().map(Value::Number),
            Self::Seconds(seconds) => seconds.get(index).copied().flatten().map(Value::Seconds),
            Self::Keys(keys) => keys.get(index).copied().map(Value::Key),
            Self::Evaluations(_) => self.eval(index).map(|eval| Value::Number(eval.centipawns.into())),
            Self::Empty | Self::Positions(_) | Self::Moves(_) => None,
        };
        value.unwrap_or(Value::Missing)
    }

    /// Returns the evaluation at an index, if there is one.
    pub(crate) fn eval(&self, index: usize) -> Option<Evaluation> {
        match self {
            Self::Evaluations(evals) => evals.get(index).copied().flatten(),
            _ => None,
        }
    }
}

/// Converts a number of bytes, lines, games or nodes, cut to 63 bits.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
