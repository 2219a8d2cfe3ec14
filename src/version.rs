//! The version of the program, as `--version` prints it.

use std::sync::LazyLock;

/// The version with the commit and the platform of this build, for reports of errors. A build for development has
/// no commit.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("PGN2FEN_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
    let target = option_env!("PGN2FEN_TARGET").unwrap_or("unknown");
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}{commit}\nplatform: {target}")
});
