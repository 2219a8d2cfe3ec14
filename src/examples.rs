//! Command lines in the help, quoted for the shells of this system.

/// The widest line of an example.
const WIDTH: usize = 78;

/// The column of what examples do, if there is room for it.
const COLUMN: usize = 46;

/// Returns examples that are quoted for `sh` as they are typed here. In cmd, only double quotes quote; PowerShell takes
/// both.
///
/// A line that begins with two blanks is a command, and behind three blanks or more what it does. That stands on a line
/// of its own if there is no room for it, so neither a terminal nor a manual page has to wrap the line. The lines of a
/// paragraph are joined.
pub(crate) fn examples(text: &str) -> String {
    let mut shown = String::new();
    let mut is_paragraph = false;
    for line in text.lines() {
        let is_example = line.starts_with("  ");
        if is_paragraph && !is_example && !line.is_empty() {
            shown.push(' ');
        } else if !shown.is_empty() {
            shown.push('\n');
        }
        is_paragraph = !is_example && !line.is_empty() && !line.ends_with(':');
        match line.split_once("   ").filter(|_| is_example) {
            Some((command, effect)) => shown += &example(command, effect.trim()),
            None => shown += line,
        }
    }
    if cfg!(windows) { shown.replace('\'', "\"") } else { shown }
}

fn example(command: &str, effect: &str) -> String {
    let length = |text: &str| text.chars().count();
    if length(command) + 2 <= COLUMN && COLUMN + length(effect) <= WIDTH {
        format!("{command:<COLUMN$}{effect}")
    } else if length(command) + 4 + length(effect) <= WIDTH {
        format!("{command}    {effect}")
    } else {
        format!("{command}\n      {effect}")
    }
}

#[cfg(test)]
mod tests {
    use super::examples;

    #[test]
    #[cfg(unix)]
    fn what_an_example_does_stands_beside_it_or_below_it() {
        let long = "  a --long-option-1 --long-option-2 'x y z' -o some.file.pgn";
        let text =
            format!("Examples:\n  a b        do it\n{long}   do it in quite another way\n\nExit: 0 if it\nis done.");
        let short = format!("  a b{}do it", " ".repeat(41));
        let expected =
            format!("Examples:\n{short}\n{long}\n      do it in quite another way\n\nExit: 0 if it is done.");
        assert_eq!(examples(&text), expected);
    }
}
