//! What a call answers if something is wrong.

/// An error of a call.
#[derive(Debug)]
pub(crate) struct Failure {
    /// What is wrong: the kind of a message, such as `illegal-move`, or `bad-argument`.
    pub(crate) code: &'static str,
    /// The ply of the error, from 1.
    pub(crate) ply: Option<u32>,
    pub(crate) text: String,
}

impl From<String> for Failure {
    fn from(text: String) -> Self {
        Self { code: "bad-argument", ply: None, text }
    }
}

#[cfg(feature = "full")]
impl From<&str> for Failure {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

#[cfg(feature = "full")]
impl Failure {
    /// The error of an input that cannot be read.
    pub(crate) fn of_input(error: &std::io::Error) -> Self {
        Self { code: "unreadable-input", ply: None, text: error.to_string() }
    }
}
