//! A bar chart as SVG, drawn from a table in Markdown: one bar for each row.

use std::fmt::Write as _;

/// One bar.
struct Bar<'t> {
    program: &'t str,
    /// Positions per second.
    rate: f64,
}

/// The colours of a chart. The background is transparent.
pub(crate) struct Theme {
    /// The name of the theme, as in `speed-NAME.svg`.
    pub(crate) name: &'static str,
    text: &'static str,
    muted: &'static str,
    line: &'static str,
    ours: &'static str,
    others: &'static str,
}

/// A theme for pages with a light background, and one for pages with a dark background.
pub(crate) const THEMES: [Theme; 2] = [
    Theme { name: "light", text: "#1f2328", muted: "#59636e", line: "#d1d9e0", ours: "#1a7f37", others: "#8592a0" },
    Theme { name: "dark", text: "#f0f6fc", muted: "#9198a1", line: "#3d444d", ours: "#3fb950", others: "#66717e" },
];

/// The width of the picture. All lengths are in pixels.
const WIDTH: f64 = 780.0;
/// The left end of the bars. The longest name fits before it in wide typefaces, too.
const LEFT: f64 = 272.0;
/// The length of the longest bar. Its rate fits behind it.
const LONGEST: f64 = 390.0;
const TOP: f64 = 74.0;
const ROW: f64 = 36.0;
const THICKNESS: f64 = 22.0;

/// Draws the table under the column heading `positions/s` of a page.
///
/// # Panics
///
/// If the page has no such table.
pub(crate) fn draw(page: &str, theme: &Theme) -> String {
    let bars = bars(page);
    let Theme { text, muted, line, ours, others, .. } = theme;
    let fastest = bars.iter().map(|bar| bar.rate).fold(0.0, f64::max);
    let bottom = TOP + ROW * bars.len() as f64;
    let height = bottom + 14.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" role=\"img\" aria-label=\"Positions per second, one thread\" \
         font-family=\"-apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n\
         <text x=\"4\" y=\"30\" font-size=\"19\" font-weight=\"600\" fill=\"{text}\">A FEN for every position: \
         positions per second</text>\n\
         <text x=\"4\" y=\"53\" font-size=\"14\" fill=\"{muted}\">CPU time of one thread, 15.3 million positions of \
         master games; a longer bar is better</text>\n\
         <line x1=\"{LEFT}\" y1=\"{}\" x2=\"{LEFT}\" y2=\"{bottom}\" stroke=\"{line}\"/>\n",
        TOP - 2.0,
    );
    for (row, Bar { program, rate }) in bars.iter().enumerate() {
        let is_ours = program.starts_with("pgn2fen");
        let (fill, weight, ink) = if is_ours { (ours, 600, text) } else { (others, 400, text) };
        let middle = TOP + ROW * (row as f64 + 0.5);
        let length = (rate / fastest * LONGEST).max(2.0);
        let y = middle - THICKNESS / 2.0;
        let baseline = middle + 5.0;
        // The right end of the bar is rounded.
        let radius = 4f64.min(length / 2.0);
        let (straight, end) = (LEFT + length - radius, LEFT + length);
        let side = THICKNESS - 2.0 * radius;
        writeln!(
            svg,
            "<text x=\"4\" y=\"{baseline:.1}\" font-size=\"15\" font-weight=\"{weight}\" \
             fill=\"{ink}\">{program}</text>\n\
             <path d=\"M{LEFT} {y:.1}H{straight:.1}q{radius:.1} 0 {radius:.1} {radius:.1}v{side:.1}q0 {radius:.1} \
             -{radius:.1} {radius:.1}H{LEFT}z\" fill=\"{fill}\"/>\n\
             <text x=\"{:.1}\" y=\"{baseline:.1}\" font-size=\"15\" font-weight=\"{weight}\" fill=\"{ink}\">{}</text>",
            end + 8.0,
            in_words(*rate),
        )
        .expect("writing to a string cannot fail");
    }
    svg + "</svg>\n"
}

/// Reads the rows of the table, in its order.
fn bars(page: &str) -> Vec<Bar<'_>> {
    let table = page.split("| positions/s |\n").nth(1).expect("the page has a table with the column positions/s");
    let rows = table.lines().skip(1).take_while(|line| line.starts_with('|'));
    let bar = |line| {
        let mut cells = str::split(line, '|').map(str::trim).skip(1);
        let (program, rate) = (cells.next().unwrap_or(""), cells.next().unwrap_or(""));
        let rate = rate.replace(',', "").parse().expect("a rate is a number, such as 14,900,000");
        Bar { program, rate }
    };
    rows.map(bar).collect()
}

/// Returns a rate in millions, with at least two digits that are not zero: `14.9 million`, `0.65 million`,
/// `0.010 million`.
fn in_words(rate: f64) -> String {
    let millions = rate / 1e6;
    let decimals = if millions >= 1.0 {
        1
    } else if millions >= 0.1 {
        2
    } else {
        3
    };
    format!("{millions:.decimals$} million")
}
