//! An error in one line.

use std::error::Error;

/// Returns the message of an error and of the errors that caused it:
/// `cannot write a.fen: Permission denied (os error 13)`. A cause is left out if the message before it ends with it.
pub fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.ends_with(&text) {
            message += ": ";
            message += &text;
        }
        cause = error.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::fmt;

    use super::with_causes;

    /// An error with a message, and its cause.
    #[derive(Debug)]
    struct Failure(&'static str, Option<Box<Self>>);

    impl fmt::Display for Failure {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Failure {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|error| error as _)
        }
    }

    #[track_caller]
    fn check(messages: [&'static str; 3], expected: &str) {
        let error = messages.into_iter().rev().fold(None, |cause, text| Some(Box::new(Failure(text, cause))));
        assert_eq!(with_causes(&*error.unwrap()), expected);
    }

    #[test]
    fn each_cause_is_named_once() {
        check(["cannot write a", "disk full", "quota"], "cannot write a: disk full: quota");
        check(["cannot read a: damaged", "damaged", "byte 7"], "cannot read a: damaged: byte 7");
    }
}
