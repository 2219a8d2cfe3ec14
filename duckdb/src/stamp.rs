//! Writes a library as an extension that DuckDB loads: `stamp LIBRARY PLATFORM EXTENSION`.
//!
//! DuckDB reads the last 512 bytes of an extension: eight fields of 32 bytes, the last of which comes first, and a
//! signature of 256 bytes, which is zero here. They are the contents of a custom section of WebAssembly named
//! `duckdb_signature`, whose header stands before them.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

/// The header of the section: its kind, the lengths as LEB128, and its name.
const HEADER: &[u8] = b"\0\x93\x04\x10duckdb_signature\x80\x04";

/// The length of a field.
const FIELD: usize = 32;

/// The length of the signature.
const SIGNATURE: usize = 256;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let stamped = match &arguments[..] {
        [library, platform, extension] => write(Path::new(library), platform, Path::new(extension)),
        _ => Err("give LIBRARY PLATFORM EXTENSION".to_owned()),
    };
    match stamped {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error);
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "it is a program")]
fn report(error: &str) {
    eprintln!("stamp: {error}");
}

fn write(library: &Path, platform: &str, extension: &Path) -> Result<(), String> {
    let wrong = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut bytes = fs::read(library).map_err(|error| wrong(library, error))?;
    bytes.extend(footer(platform)?);
    fs::write(extension, bytes).map_err(|error| wrong(extension, error))
}

/// Returns what stands at the end of an extension for a platform.
fn footer(platform: &str) -> Result<Vec<u8>, String> {
    // The ABI of the C API, the version of the extension, that of the API, the platform, and the version of the format.
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let fields = ["", "", "", "C_STRUCT", version, "v1.2.0", platform, "4"];
    let mut footer = HEADER.to_vec();
    for field in fields {
        let padding = FIELD.checked_sub(field.len()).ok_or_else(|| format!("'{field}' has more than {FIELD} bytes"))?;
        footer.extend(field.bytes());
        footer.resize(footer.len() + padding, 0);
    }
    footer.resize(footer.len() + SIGNATURE, 0);
    Ok(footer)
}

#[cfg(test)]
mod tests {
    use super::{HEADER, footer};

    #[test]
    fn the_footer_has_512_bytes_behind_its_header() {
        let footer = footer("linux_amd64").expect("the name is short");
        assert_eq!(footer.len() - HEADER.len(), 512);
        let field = |number: usize| {
            let start = HEADER.len() + 256 - 32 * number;
            String::from_utf8_lossy(&footer[start..start + 32]).trim_end_matches('\0').to_owned()
        };
        assert_eq!([1, 2, 3, 5].map(field), ["4", "linux_amd64", "v1.2.0", "C_STRUCT"]);
        assert!(super::footer(&"x".repeat(33)).is_err());
    }
}
