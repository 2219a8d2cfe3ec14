//! Files behind addresses: the command gives for them what it gives for the same files on the disk, and hides what may
//! be secret. Most of these tests need the feature `remote`.

use crate::cli::Desk;

/// Commands that write to an address, or look for an index there.
#[test]
fn outputs_and_indexes_are_on_this_machine() {
    let desk = Desk::with(&[("a.pgn", b"[White \"A\"]\n\n1. e4 *")]);
    let written = "is an address, and outputs are local files; write a file and copy it there";
    let indexed = "this is an address, and an index is a folder on this machine; copy it here";
    let cases: [(&[&str], &str); 10] = [
        (&["a.pgn", "-o", "s3://bucket/a.fen"], written),
        (&["a.pgn", "-o", "https://me:pw@example.org/a.csv.zst"], written),
        (&["games", "a.pgn", "-o", "gs://bucket/a.pgn"], written),
        (&["games", "a.pgn", "-o", "gs://bucket/{White}.pgn"], written),
        (&["index", "a.pgn", "-o", "s3://bucket/games.idx"], indexed),
        (&["find", "s3://bucket/games.idx", "1. e4"], indexed),
        (&["serve", "s3://bucket/games.idx"], indexed),
        (&["find", "https://me:pw@example.org/games.idx?sig=pw", "1. e4"], indexed),
        (&["index", "a.pgn", "-o", "https://me:pw@example.org/games.idx"], indexed),
        (&["book", "s3://bucket/games.idx", "-o", "a.bin"], indexed),
    ];
    for (arguments, expected) in cases {
        let ran = desk.run(arguments);
        assert!(ran.stderr.contains(expected) && !ran.stderr.contains("pw"), "{arguments:?}: {}", ran.stderr);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{arguments:?}");
    }
    let ran = desk.run(&["site", "a.idx", "-o", "https://me:pw@example.org/site"]);
    assert!(ran.stderr.contains("a site is written to a folder on this machine"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("pw"), "{}", ran.stderr);
    assert_eq!(desk.files(), ["a.pgn"]);
}

/// Addresses with secrets where something else, or nothing, is wrong.
#[test]
fn no_message_has_the_secrets_of_an_address() {
    let desk = Desk::with(&[("a.pgn", b"[White \"A\"]\n\n1. e4 *")]);
    let secrets = [
        "ftp://user:secret@host/x.pgn",
        "ftp://host/x.pgn?token=secret",
        "s3://user:secret@bucket/x.pgn",
        "s3://user:/secret@bucket/x.pgn",
        "az://user:secret@container/x.pgn",
        "https://user:?secret@127.0.0.1/x.pgn",
        "http://user:secret@example.org/x.pgn?X-Amz-Signature=secret",
        "hf://user:secret@datasets/x.pgn",
        "file://user:secret@host/x.pgn",
    ];
    for secret in secrets {
        let lines: [&[&str]; 13] = [
            &[secret],
            &["-r", secret],
            &["games", secret],
            &["starts", secret],
            &["check", secret],
            &["players", secret],
            &["index", "-o", "a.idx", secret],
            &["find", secret, "1. e4"],
            &["games", "--tree", secret, "a.pgn"],
            &["a.pgn", "--names", secret],
            &["a.pgn", "-o", secret],
            &["find", "a.idx", "1. e4", "-o", secret],
            &["games", "a.pgn", "-o", secret, "--unknown"],
        ];
        for line in lines {
            let ran = desk.run(line);
            assert!(!ran.stderr.contains("secret") && !ran.stdout.contains("secret"), "{line:?}: {}", ran.stderr);
            assert!(!ran.stderr.contains("panic") && ran.code == Some(2), "{line:?}: {ran:?}");
        }
    }
    let ran = desk.run(&["ftp://user:secret@host/x.pgn"]);
    assert!(ran.stderr.starts_with("pgn2fen: ftp://host/x.pgn: "), "{}", ran.stderr);
    // The folder of an index that is not written stays on Windows.
    assert_eq!(desk.files(), if cfg!(windows) { &["a.idx", "a.pgn"][..] } else { &["a.pgn"] });
}

#[cfg(not(feature = "remote"))]
#[test]
fn a_build_without_the_feature_says_what_is_missing() {
    let desk = Desk::with(&[]);
    desk.run(&["https://me:pw@example.org/a.pgn?sig=1"]).is(
        "",
        "pgn2fen: https://example.org/a.pgn: is an address, and this program reads local files; the programs of a \
         release read it, and so does a build with --features remote\n",
        2,
    );
}

#[cfg(feature = "remote")]
mod reading {
    use std::fs;
    use std::iter;
    use std::path::Path;
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use pgn2fen_testing::{Manner, RawAnswer, RawServer, Server};

    use crate::cli::{Desk, Ran, gzip};

    fn fixture(name: &str) -> Vec<u8> {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)).unwrap()
    }

    /// Runs the command without the settings of the machine for stores and proxies.
    fn run(desk: &Desk, arguments: &[&str]) -> Ran {
        Ran::from(clean(&mut desk.command(arguments)).output().unwrap())
    }

    fn clean(command: &mut std::process::Command) -> &mut std::process::Command {
        let of_stores = ["AWS_", "GOOGLE_", "AZURE_", "HF_"];
        for (name, _) in std::env::vars() {
            if of_stores.iter().any(|store| name.starts_with(store)) || name.to_lowercase().ends_with("_proxy") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Compares what the command says of files on the disk and of the same files on a server.
    #[track_caller]
    fn check_same(files: &[(&str, Vec<u8>)], manner: &Manner, arguments: &[&str]) {
        let desk = Desk::with(&[]);
        for (name, bytes) in files {
            fs::write(desk.path(name), bytes).unwrap();
        }
        let served: [(&str, Vec<u8>); 4] = std::array::from_fn(|nth| {
            let (name, bytes) = &files[nth.min(files.len() - 1)];
            (&*format!("/{name}").leak(), bytes.clone())
        });
        let server = Server::of_files(served, manner.clone());
        let here: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
        let there: Vec<String> = here.iter().map(|name| server.address(&format!("/{name}"))).collect();
        let there: Vec<&str> = there.iter().map(|address| &**address).collect();
        let expected = run(&desk, &[arguments, &here].concat());
        let mut ran = run(&desk, &[arguments, &there].concat());
        let address = server.address("/");
        (ran.stdout, ran.stderr) = (ran.stdout.replace(&address, ""), ran.stderr.replace(&address, ""));
        assert_eq!(ran, expected, "{arguments:?}, {manner:?}");
        assert_ne!(expected.stdout, "", "{arguments:?}");
    }

    #[test]
    fn every_command_reads_addresses_as_it_reads_files() {
        let pgn = fixture("games/tournaments_2020.pgn");
        let zst = zstd::encode_all(&pgn[..], 3).unwrap();
        let files = [("a.pgn", pgn.clone()), ("b.pgn.zst", zst), ("c.pgn.gz", gzip(&pgn))];
        let breaking = Manner { breaks_after: Some(50_000), ..Manner::default() };
        let without_ranges = Manner { sends_ranges: false, ..Manner::default() };
        for manner in [Manner::default(), breaking, without_ranges] {
            check_same(&files, &manner, &["-C", "file,game,line,offset,ply,san,fen"]);
            check_same(&files, &manner, &["games", "-t", "White~Carlsen"]);
        }
        let starts = [("a.pgn", fixture("games/fischer_random_2018.pgn"))];
        check_same(&starts, &Manner::default(), &["starts"]);
        check_same(&files, &Manner::default(), &["-C", "game,White*,ply,san"]);
        check_same(&files[..1], &Manner::default(), &["--per", "game", "-f", "jsonl"]);
    }

    #[test]
    fn tables_are_read_at_any_offset() {
        let table = ("a.parquet", fixture("tables/pyarrow_row_groups_gzip.parquet"));
        check_same(std::slice::from_ref(&table), &Manner::default(), &["-C", "file,game,White,ply,san"]);
        let stream = ("a.arrows", fixture("tables/pyarrow_dictionary.arrows"));
        check_same(&[stream], &Manner::default(), &["-C", "file,game,White,ply,san"]);
        let server = Server::of_files([("/a.parquet", table.1)], Manner { sends_ranges: false, ..Manner::default() });
        let ran = run(&Desk::with(&[]), &[&server.address("/a.parquet")]);
        assert!(ran.stderr.contains("Parquet") && ran.code == Some(2), "{}", ran.stderr);
    }

    #[test]
    fn secrets_are_in_no_message_and_no_row() {
        let desk = Desk::with(&[]);
        let server = Server::of(b"[White \"A\"]\n\n1. e4 e5 2. Ke7 *", Manner::default());
        let address = |path: &str| {
            server.address(path).replace("http://", "http://me:secret@") + "?X-Amz-Signature=secret&sig=secret"
        };
        let (good, missing) = (address("/games.pgn"), address("/none.pgn"));
        let ran = run(&desk, &["-v", "-C", "file,id,ply", &good, &missing]);
        let all = ran.stdout + &ran.stderr;
        assert!(!all.contains("secret") && !all.contains("me:"), "{all}");
        let name = server.address("/games.pgn");
        assert!(all.contains(&format!("{name}:3:13: illegal-move")), "{all}");
        assert!(all.contains("none.pgn: does not exist on the server (status 404)"), "{all}");
        // The server got what was given.
        assert!(server.requests()[0].contains("/games.pgn?X-Amz-Signature=secret&sig=secret"));
    }

    #[test]
    fn what_breaks_is_an_error_and_leaves_no_output() {
        let desk = Desk::with(&[]);
        let pgn = fixture("games/tournaments_2020.pgn");
        let manner = Manner { sends_ranges: false, breaks_after: Some(100_000), ..Manner::default() };
        let server = Server::of(&pgn, manner);
        let ran = run(&desk, &["-o", "a.fen", &server.address("/games.pgn")]);
        let expected = "the connection broke at byte 100000 of ";
        assert!(ran.stderr.contains(expected) && ran.stderr.contains("a.fen is not written"), "{}", ran.stderr);
        assert_eq!((ran.code, desk.files().len()), (Some(2), 0));
        let ran = run(&desk, &["--skip-unreadable", "-o", "a.fen", &server.address("/games.pgn")]);
        assert_eq!((ran.code, desk.files().len()), (Some(1), 1), "{}", ran.stderr);
    }

    #[test]
    fn an_index_is_built_from_addresses_and_a_range_is_refused() {
        let desk = Desk::with(&[]);
        let server = Server::of(&fixture("games/opening_book.pgn"), Manner::default());
        let address = server.address("/games.pgn");
        assert_eq!(run(&desk, &["index", "-q", "-o", "a.idx", &address]).code, Some(0));
        let found = run(&desk, &["find", "a.idx", "1. Nf3"]);
        assert!(found.stdout.contains("games"), "{found:?}");
        let ran = run(&desk, &["--range", "0..100", &address]);
        assert!(ran.stderr.contains("is an address, and a range of bytes needs a local file"), "{}", ran.stderr);
    }

    #[test]
    fn data_sets_are_listed_and_read() {
        let desk = Desk::with(&[]);
        let list = r#"[{"type": "file", "path": "data/a.pgn", "size": 7},
            {"type": "file", "path": "data/b.txt", "size": 9}, {"type": "directory", "path": "data"}]"#;
        let files = [
            ("/api/datasets/me/games/tree/main/data?recursive=true", list.as_bytes().to_vec()),
            ("/datasets/me/games/resolve/main/data/a.pgn", b"1. e4 *".to_vec()),
        ];
        let secret = Some("Bearer hf_secret".to_owned());
        let server = Server::of_files(files, Manner { secret, ..Manner::default() });
        let hub = |arguments: &[&str], token: &str| {
            let mut command = desk.command(arguments);
            clean(&mut command).env("HF_ENDPOINT", server.address("")).env("HF_TOKEN", token);
            Ran::from(command.output().unwrap())
        };
        let rows = "file,ply,san\nhf://datasets/me/games/data/a.pgn,0,\nhf://datasets/me/games/data/a.pgn,1,e4\n";
        for address in ["data/a.pgn", "data/*.pgn", "data/?.pgn"] {
            let address = format!("hf://datasets/me/games/{address}");
            hub(&["-q", "-f", "csv", "-C", "file,ply,san", &address], "hf_secret").is(rows, "", 0);
        }
        hub(&["-q", "-f", "csv", "-C", "file,ply,san", "-r", "hf://datasets/me/games/data"], "hf_secret")
            .is(rows, "", 0);
        let ran = hub(&["hf://datasets/me/games/data/a.pgn"], "hf_wrong");
        assert!(ran.stderr.contains("needs credentials") && !ran.stderr.contains("hf_wrong"), "{}", ran.stderr);
        let ran = hub(&["hf://datasets/me/games/data/*.zst"], "hf_secret");
        assert!(ran.stderr.contains("no file matches the pattern"), "{}", ran.stderr);
    }

    /// Runs the command with a server in the place of Hugging Face or of Amazon S3.
    fn run_with(desk: &Desk, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
        let mut command = desk.command(arguments);
        clean(&mut command).envs(variables.iter().copied());
        Ran::from(command.output().unwrap())
    }

    fn run_with_hub(server: &RawServer, arguments: &[&str]) -> Ran {
        run_with(&Desk::with(&[]), &[("HF_ENDPOINT", &server.address("")), ("HF_TOKEN", "hf_secret")], arguments)
    }

    fn run_with_s3(server: &RawServer, arguments: &[&str]) -> Ran {
        let endpoint = server.address("");
        let variables = [
            ("AWS_ENDPOINT_URL", &*endpoint),
            ("AWS_ALLOW_HTTP", "true"),
            ("AWS_REGION", "eu-west-1"),
            ("AWS_ACCESS_KEY_ID", "id"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("AWS_SESSION_TOKEN", "session"),
        ];
        run_with(&Desk::with(&[]), &variables, arguments)
    }

    /// A page of a list of Amazon S3, with the token of the next page.
    fn page_of_s3(key: &str, token: &str) -> RawAnswer {
        let body = format!(
            "<ListBucketResult><IsTruncated>true</IsTruncated>
            <NextContinuationToken>{token}</NextContinuationToken><Contents><Key>{key}</Key>
            <LastModified>2024-01-01T00:00:00.000Z</LastModified><Size>7</Size></Contents></ListBucketResult>"
        );
        RawAnswer::whole("200 OK", &body)
    }

    #[track_caller]
    fn check_failed(ran: &Ran, expected: &str) {
        assert!(ran.stderr.contains(expected), "{}", ran.stderr);
        assert_eq!((ran.stdout.as_str(), ran.code), ("", Some(2)), "{}", ran.stderr);
    }

    #[test]
    fn a_body_whose_end_nothing_marks_is_not_read() {
        let heads = ["HTTP/1.1 200 OK\nTransfer-Encoding: identity", "HTTP/1.0 200 OK", "HTTP/1.1 200 OK"];
        for head in heads {
            let server = RawServer::new(|_, _| RawAnswer::of(head, iter::once(b"1. e4 *\n\n".to_vec())));
            let ran = run(&Desk::with(&[]), &[&server.address("/x.pgn")]);
            check_failed(&ran, "x.pgn: cannot be read, because the server does not say how long the file is");
        }
    }

    #[test]
    fn a_file_that_is_not_the_one_that_was_begun_is_an_error() {
        let desk = Desk::with(&[]);
        let pgn = b"1. e4 *\n\n".repeat(100_000);
        for has_etag in [true, false] {
            let manner =
                Manner { has_etag, has_time: true, forgets_after: 1, knows_conditions: false, ..Manner::default() };
            let server = Server::of(&pgn, manner);
            let ran = run(&desk, &["-o", "a.fen", &server.address("/games.pgn")]);
            check_failed(&ran, "the file changed on the server while it was read");
            assert_eq!(desk.files().len(), 0);
        }
    }

    #[test]
    fn a_request_is_not_sent_on_to_another_host() {
        let server = Server::of(b"", Manner { redirect: Some("http://example.org".to_owned()), ..Manner::default() });
        let ran = run(&Desk::with(&[]), &[&server.address("/games.pgn?sig=secret")]);
        check_failed(&ran, "the server sends the request on to http://example.org, which is not encrypted");
        assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
        // The token of a session would stay in the headers.
        let there = Server::of(b"1. e4 *", Manner::default());
        let location = format!("HTTP/1.1 307 X\nLocation: {}\nContent-Length: 0", there.address("/games.pgn"));
        let here = RawServer::new(move |_, _| RawAnswer::of(&location, iter::empty()));
        check_failed(&run_with_s3(&here, &["s3://bucket/games.pgn"]), "and a store answers itself");
        assert_eq!(there.requests(), Vec::<String>::new());
    }

    #[test]
    fn lists_of_files_that_do_not_end_are_errors() {
        let s3 = ["-r", "s3://bucket/games"];
        let same = RawServer::new(|number, _| page_of_s3(&format!("games/{number}.pgn"), "same"));
        check_failed(&run_with_s3(&same, &s3), "it comes back to a page that it has sent");
        assert_eq!(same.requests().len(), 3);
        let new = RawServer::new(|number, _| page_of_s3("games/a.pgn", &format!("token{number}")));
        check_failed(&run_with_s3(&new, &s3), "it has more than 10000 pages");
        let endless = RawServer::new(|_, _| RawAnswer::endless("200 OK", "<ListBucketResult>", &" ".repeat(1 << 16)));
        check_failed(&run_with_s3(&endless, &s3), "the server sends more than 16 MiB where it should send little");
        assert!(endless.sent() < 64 << 20, "{}", endless.sent());
    }

    #[test]
    fn lists_of_data_sets_that_do_not_end_are_errors() {
        let hub = ["-r", "hf://datasets/me/games"];
        let entry = r#"{"type": "file", "path": "data/a.pgn", "size": 7}"#;
        for next in [format!(", {entry}"), " ".repeat(1 << 16)] {
            let endless = RawServer::new(move |_, _| RawAnswer::endless("200 OK", &format!("[{entry}"), &next));
            check_failed(
                &run_with_hub(&endless, &hub),
                "the server sends more than 16 MiB where it should send little",
            );
            assert!(endless.sent() < 64 << 20, "{}", endless.sent());
            assert_eq!(endless.requests().len(), 1);
        }
        let page =
            |next: &str| RawAnswer::whole(&format!("200 OK\nLink: <?recursive=true&{next}>; rel=\"next\""), "[]");
        let same = RawServer::new(move |_, _| page("cursor=same"));
        check_failed(&run_with_hub(&same, &hub), "it comes back to a page that it has sent");
        let new = RawServer::new(move |number, _| page(&format!("cursor={number}")));
        check_failed(&run_with_hub(&new, &hub), "it has more than 10000 pages");
    }

    #[test]
    fn what_a_server_says_of_a_failure_has_a_bound() {
        // A length is announced that no memory has.
        let vast = || {
            let head = "HTTP/1.1 404 X\nContent-Length: 999999999999999";
            RawAnswer::of(head, iter::repeat(vec![b'x'; 1 << 16]))
        };
        let endless = || RawAnswer::endless("404 X", "", &"x".repeat(1 << 16));
        for server in [RawServer::new(move |_, _| vast()), RawServer::new(move |_, _| endless())] {
            let missing = "does not exist on the server (status 404";
            check_failed(&run(&Desk::with(&[]), &[&server.address("/games.pgn")]), missing);
            check_failed(&run_with_hub(&server, &["-r", "hf://datasets/me/games"]), missing);
            check_failed(&run_with_s3(&server, &["-r", "s3://bucket/games"]), "status code: 404 Not Found");
            assert!(server.sent() < 64 << 20, "{}", server.sent());
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupt_ends_the_program_at_once() {
        let desk = Desk::with(&[]);
        let server = Server::of(&[b' '; 9_000_000], Manner { pause: Duration::from_secs(9), ..Manner::default() });
        let address = server.address("/games.pgn");
        let mut command = desk.command(&["-o", "a.fen", &address]);
        let mut child = clean(&mut command).stderr(Stdio::piped()).spawn().unwrap();
        while server.requests().is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        let begun = Instant::now();
        assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        child.wait().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(2));
        assert_eq!(desk.files().len(), 0);
    }
}
