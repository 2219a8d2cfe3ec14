//! The arguments of table functions.

use std::ffi::{CStr, c_void};

use crate::door::api::{Handle, api};
use crate::door::c_text;
use crate::door::types::LISTS;
use crate::door::types::LogicalType;

/// An argument of a table function, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Null,
    One(String),
    Many(Vec<String>),
}

/// The arguments of a call of a table function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    /// The arguments without names. Each function has a fixed number of them.
    pub(crate) positional: Vec<Argument>,
    /// The arguments with names that were given and are not NULL.
    pub(crate) named: Vec<(&'static str, Argument)>,
}

impl Arguments {
    /// Reads the arguments of a call that is being bound.
    ///
    /// # Errors
    ///
    /// An element of a list is NULL.
    ///
    /// # Safety
    ///
    /// `info` must be what DuckDB passed to the function that binds, which takes so many arguments.
    pub(super) unsafe fn read(info: Handle, positional: usize, names: &[&[&'static str]]) -> Result<Self, String> {
        // SAFETY: the function has as many parameters without names, and all of them are given.
        let argument = |index| Value(unsafe { (api().bind_get_parameter)(info, index) }).read("the list");
        let positional = (0..positional as u64).map(argument).collect::<Result<_, _>>()?;
        let mut named = Vec::new();
        for name in names.iter().copied().flatten() {
            // SAFETY: the name ends with a NUL. The result is null if there is no such argument.
            let value = Value(unsafe { (api().bind_get_named_parameter)(info, c_text(name).as_ptr()) });
            match value.read(name)? {
                Argument::Null => {}
                argument => named.push((*name, argument)),
            }
        }
        Ok(Self { positional, named })
    }
}

/// A value that DuckDB has created, or a null pointer.
pub(super) struct Value(pub(super) Handle);

impl Value {
    /// Creates a text.
    pub(super) fn text(text: &str) -> Self {
        // SAFETY: DuckDB copies so many bytes.
        Self(unsafe { (api().create_varchar_length)(text.as_ptr().cast(), text.len() as u64) })
    }

    /// Reads the argument with a name, which the error has.
    fn read(self, name: &str) -> Result<Argument, String> {
        if self.is_null() {
            return Ok(Argument::Null);
        }
        // SAFETY: it is a value. Its type belongs to the value, and is not destroyed.
        let value_type = std::mem::ManuallyDrop::new(LogicalType(unsafe { (api().get_value_type)(self.0) }));
        if !LISTS.contains(&value_type.id()) {
            return Ok(self.to_text().map_or(Argument::Null, Argument::One));
        }
        // SAFETY: it is a value.
        let length = unsafe { (api().get_list_size)(self.0) };
        // SAFETY: the index is less than the length of the list. The result is a new value.
        let elements = (0..length).map(|index| Self(unsafe { (api().get_list_child)(self.0, index) }));
        let text = |element: Self| if element.is_null() { None } else { element.to_text() };
        let elements: Option<_> = elements.map(text).collect();
        elements.map(Argument::Many).ok_or_else(|| format!("{name} has an element that is NULL"))
    }

    fn is_null(&self) -> bool {
        // SAFETY: it is a value.
        self.0.is_null() || unsafe { (api().is_null_value)(self.0) }
    }

    /// Returns the value as text, as a cast to VARCHAR makes it.
    fn to_text(&self) -> Option<String> {
        // SAFETY: it is a value. The text is allocated for the caller.
        let text = unsafe { (api().get_varchar)(self.0) };
        if text.is_null() {
            return None;
        }
        // SAFETY: the text ends with a NUL, and is read before it is freed.
        let owned = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        // SAFETY: DuckDB allocated it, and nothing refers to it.
        unsafe { (api().free)(text.cast::<c_void>()) };
        Some(owned)
    }
}

impl Drop for Value {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: it was created for its owner, and is destroyed once.
            unsafe { (api().destroy_value)(&raw mut self.0) };
        }
    }
}
