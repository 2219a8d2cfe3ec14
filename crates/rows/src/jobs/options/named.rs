//! The trait of options that are set by their names: those of rows, and those of lists of starting positions.

use crate::jobs::options::error::OptionError;
use crate::jobs::options::job::JobOptions;
use crate::jobs::options::starts::StartsOptions;

/// Options that are set by their names in the list of options.
pub trait SetOption {
    /// Sets an option, or adds a value to one that may have several.
    ///
    /// # Errors
    ///
    /// There is no such option, or the value is wrong. Nothing is changed then.
    fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError>;
}

/// The options of a job with columns: [`JobOptions`] and [`StartsOptions`].
pub trait NamedOptions: SetOption {
    /// Whether the columns need the names of tags: see [`JobOptions::needs_tag_names`].
    ///
    /// # Errors
    ///
    /// The columns are wrong.
    fn needs_tag_names(&self) -> Result<bool, OptionError>;

    /// Whether the names of tags change the columns: see [`JobOptions::may_use_tag_names`].
    ///
    /// # Errors
    ///
    /// The columns are wrong.
    fn may_use_tag_names(&self) -> Result<bool, OptionError>;

    /// Sets the names of the tags that the games have, for columns with wildcards.
    fn set_tag_names(&mut self, names: Vec<String>);
}

/// Implements [`SetOption`] and [`NamedOptions`] by the methods of a type.
macro_rules! named_options {
    ($type:ty) => {
        impl SetOption for $type {
            fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
                Self::set(self, name, value)
            }
        }

        impl NamedOptions for $type {
            fn needs_tag_names(&self) -> Result<bool, OptionError> {
                Self::needs_tag_names(self)
            }

            fn may_use_tag_names(&self) -> Result<bool, OptionError> {
                Self::may_use_tag_names(self)
            }

            fn set_tag_names(&mut self, names: Vec<String>) {
                Self::set_tag_names(self, names);
            }
        }
    };
}

named_options!(JobOptions);
named_options!(StartsOptions);
