//! Law: a member of a zip archive is read like a plain file. Of a damaged archive, each member has the same results on
//! one thread and on two, and either an error or the results of the plain file.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use pgn2fen_games::database::{Archive, RandomAccess, Source, SourceOptions};
use pgn2fen_games::parallel::Cuts;
use pgn2fen_rows::Rows;
use pgn2fen_testing::zip::{Member, archive};

use crate::choices::Choices;
use crate::walking::{Job, Said, same, stream, walk, with_one, with_workers};

/// The bytes of an archive.
#[derive(Debug)]
struct Bytes(Vec<u8>);

impl RandomAccess for Bytes {
    fn length(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, mut buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.0.len());
        buffer.write(&self.0[start..])
    }
}

/// The greatest size of a member that is read, as the archive gives it.
const LONGEST: u64 = 256 * 1024;

/// Checks the law. A byte chooses the kind of archive, a byte the kind of damage, and two bytes are its offset from the
/// end. The rest is the text of the members, or the bytes of an archive.
///
/// # Panics
///
/// The law is broken.
pub fn check(data: &[u8]) {
    let mut choices = Choices::new(data);
    let (kind, damage, place) = (choices.byte(), choices.byte(), choices.number());
    let job = Job::Rows(Rows::new());
    if kind % 8 == 7 {
        read(&job, choices.bytes().to_vec());
        return;
    }
    let text = choices.text();
    let members = [
        Member::deflated("a.pgn", &text),
        Member::stored("b.pgn", &text),
        Member::with("c.pgn", 12, &text, bzip2(&text)),
        Member::with("d.pgn", 93, &text, zstd::encode_all(&*text, 1).expect("memory can be written to")),
        Member { method: 9, ..Member::deflated("e.pgn", &text) },
    ];
    let good = archive(&members, kind % 2 == 0);
    let mut damaged = good.clone();
    let at = damaged.len() - 1 - place % damaged.len();
    match damage % 4 {
        0 => {}
        1 => damaged.truncate(at),
        2 => damaged[at] ^= 1 << (damage >> 2 & 7),
        _ => damaged.insert(at, damage),
    }
    let is_good = damaged == good;
    let Ok(plain) = stream(&text, 1009) else { return };
    if plain.compression().is_some() {
        return;
    }
    let expected = with_one(|one| walk(&job, one, plain));
    for (name, said) in read(&job, damaged) {
        // Deflate and deflate64 differ in matches of 258 bytes.
        if said.error.is_none() && (is_good || name == "b.pgn") {
            same(&said, &expected, &name);
        }
        assert!(!is_good || said.error.is_none() || name == "e.pgn", "{name}: {:?}", said.error);
    }
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).and_then(|()| encoder.finish()).expect("memory can be written to")
}

/// Reads the members of an archive, each with the same results on one thread and on two.
fn read(job: &Job, bytes: Vec<u8>) -> Vec<(String, Said)> {
    let Ok(archive) = Archive::of(Path::new("archive.zip"), Arc::new(Bytes(bytes))) else { return Vec::new() };
    let members = archive.readable().into_iter().take(20).filter(|member| member.size() <= LONGEST);
    let read = |member| {
        let open = || Source::member(&member, &SourceOptions::default());
        let comparable = |mut said: Said| {
            // Whether the text between the last whole game and the damage is reported, or counts as read, is not
            // specified.
            if said.error.is_some() {
                said.diagnostics.retain(|(diagnostic, _)| diagnostic.game.is_some());
                said.bytes = None;
            }
            said
        };
        let failed = |error: io::Error| Said { error: Some(error.to_string()), ..Said::default() };
        let said = open().map_or_else(failed, |source| with_one(|one| walk(job, one, source)));
        let again = open()
            .map_or_else(failed, |source| with_workers(2, Cuts::Likely(1000), |workers| walk(job, workers, source)));
        let said = comparable(said);
        same(&comparable(again), &said, member.name());
        (member.name().to_owned(), said)
    };
    members.map(read).collect()
}
