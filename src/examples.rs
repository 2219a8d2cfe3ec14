//! Command lines in the help, quoted for the shells of this system.

/// Returns examples that are quoted for `sh` as they are typed here. In cmd, only double quotes quote; PowerShell takes
/// both.
pub(crate) fn examples(text: &str) -> String {
    if cfg!(windows) { text.replace('\'', "\"") } else { text.to_owned() }
}
