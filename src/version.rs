//! The version of the program, as `--version` prints it.

use std::sync::LazyLock;

/// The features of the library, and whether this build has them.
const FEATURES: [(&str, bool); 8] = [
    ("arrow", cfg!(feature = "arrow")),
    ("compress", cfg!(feature = "compress")),
    ("files", cfg!(feature = "files")),
    ("index", cfg!(feature = "index")),
    ("parquet", cfg!(feature = "parquet")),
    ("png", cfg!(feature = "png")),
    ("serve", cfg!(feature = "serve")),
    ("tables", cfg!(feature = "tables")),
];

/// The version with the commit, the platform and the features of this build, for reports of errors. A build for development has
/// no commit.
pub(crate) static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("PGN2FEN_COMMIT").map(|commit| format!(" ({commit})")).unwrap_or_default();
    let target = option_env!("PGN2FEN_TARGET").unwrap_or("unknown");
    let features: Vec<&str> = FEATURES.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    let version = env!("CARGO_PKG_VERSION");
    format!("{version}{commit}\nplatform: {target}\nfeatures: {}", features.join(" "))
});
