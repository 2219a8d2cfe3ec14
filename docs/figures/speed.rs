//! Draws `speed-light.svg` and `speed-dark.svg` from the first table of `docs/speed.md`:
//! `cargo run --example speed_figure`.

use std::path::Path;
use std::{fs, io};

mod chart;

fn main() -> io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = fs::read_to_string(docs.join("speed.md"))?;
    for theme in &chart::THEMES {
        fs::write(docs.join(format!("figures/speed-{}.svg", theme.name)), chart::draw(&page, theme))?;
    }
    Ok(())
}
