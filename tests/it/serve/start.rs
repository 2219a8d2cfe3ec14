//! What the command says on start, and the browser that it opens.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::cli::Desk;
use crate::serve::index;

/// A server that the command runs. It is ended when it is dropped.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the command with these options and changes, and reads its first lines of standard output and standard error.
fn started(desk: &Desk, options: &[&str], change: impl FnOnce(&mut Command)) -> (Served, String, String) {
    let mut command = desk.command(&[&["serve", "games.idx"], options].concat());
    change(command.stdout(Stdio::piped()).stderr(Stdio::piped()));
    let mut served = Served(command.spawn().unwrap());
    let line = |pipe: &mut dyn Read| {
        let mut line = String::new();
        BufReader::with_capacity(1, pipe).read_line(&mut line).unwrap();
        line
    };
    let output = line(served.0.stdout.as_mut().unwrap());
    let error = line(served.0.stderr.as_mut().unwrap());
    (served, output, error)
}

#[test]
fn the_command_says_what_to_do_next() {
    let desk = index("1. e4 *\n");
    let (_served, address, next) = started(&desk, &["--port", "0"], |_| {});
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    assert_eq!(next, format!("open {} in a browser, or start with --open; Ctrl-C ends the server\n", address.trim()));
    let (_other, address, next) = started(&desk, &["--listen", "0.0.0.0:0"], |_| {});
    assert!(next.contains("warning: every computer that reaches"), "{address} {next}");
    assert!(address.starts_with("http://localhost:"), "{address}");
}

#[test]
fn a_port_in_use_is_answered_with_another_one() {
    let desk = index("1. e4 *\n");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let ran = desk.run(&["serve", "--port", &port.to_string(), "games.idx"]);
    let text =
        format!("pgn2fen: another program uses the address 127.0.0.1:{port}; choose another port, such as --port");
    ran.is("", &format!("{text} {}\n", port.wrapping_add(1)), 2);
    let ran = desk.run(&["serve", "--port", "1", "--listen", "127.0.0.1:0", "games.idx"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("cannot be used with"), "{ran:?}");
    assert_eq!(desk.run(&["serve", "--port", "70000", "games.idx"]).code, Some(2));
    for wrong in ["localhost", ":9401", "localhost:70000"] {
        let ran = desk.run(&["serve", "--listen", wrong, "games.idx"]);
        assert!(ran.code == Some(2) && ran.stderr.contains("write 127.0.0.1:9002, or"), "{ran:?}");
    }
    let (_served, address, _) = started(&desk, &["--listen", "localhost:0"], |_| {});
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
}

#[cfg(unix)]
#[test]
fn the_browser_is_opened_at_the_page() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};
    use std::{fs, thread};

    let desk = index("1. e4 *\n");
    let browser = desk.path("browser");
    fs::write(&browser, "#!/bin/sh\nprintf '%s\\n' \"$*\" > opened.part && mv opened.part opened\n").unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let (_served, address, next) = started(&desk, &["--port", "0", "--open"], |command| {
        command.env("BROWSER", &browser);
    });
    assert_eq!(next, "the page opens in the browser; Ctrl-C ends the server\n");
    let began = Instant::now();
    while !desk.path("opened").exists() {
        assert!(began.elapsed() < Duration::from_secs(60));
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(String::from_utf8(desk.read("opened")).unwrap(), address);

    // Without a browser, the server answers nevertheless.
    let (mut served, address, _) = started(&desk, &["--port", "0", "--open"], |command| {
        command.env("BROWSER", "no-such-browser").env("PATH", "");
    });
    let mut warning = String::new();
    BufReader::new(served.0.stderr.as_mut().unwrap()).read_line(&mut warning).unwrap();
    assert!(warning.contains("the browser cannot be opened: ") && warning.contains(address.trim()), "{warning}");
    let host = address.trim().trim_start_matches("http://").trim_end_matches('/');
    assert!(std::net::TcpStream::connect(host).is_ok());
}
