//! The functions that JavaScript calls, and those that it gives: bytes in, bytes out. Everything unsafe is here, but
//! for the allocator (`memory`).
//!
//! A call has a list of texts, which are separated by zero bytes and begin with the name of the function, and bytes. It
//! leaves texts and bytes that are valid until the next call. A panic leaves its message, and JavaScript drops the
//! instance of the module: see `lib/engine.js`.
#![allow(unsafe_code, reason = "memory that JavaScript writes and reads")]

use std::cell::RefCell;
#[cfg(feature = "full")]
use std::io;
use std::panic;

use crate::call::{Answer, call};

thread_local! {
    /// The answer to the last call, or the message of a panic.
    static ANSWER: RefCell<Answer> = RefCell::default();
}

#[cfg(feature = "full")]
#[link(wasm_import_module = "pgn2fen")]
unsafe extern "C" {
    /// Reads bytes of a source at an offset, to which JavaScript gave the number. Returns how many were read, or -1.
    safe fn read_source(source: u32, offset: f64, into: *mut u8, length: usize) -> i32;
}

/// Reads bytes of a source, and fails if JavaScript cannot.
#[cfg(feature = "full")]
pub(crate) fn read(source: u32, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    // A file has fewer bytes than 2^53.
    let read = read_source(source, offset as f64, buffer.as_mut_ptr(), buffer.len());
    usize::try_from(read).map_err(|_| io::Error::other("the input cannot be read"))
}

/// Returns memory of a length, which is given back with a call.
#[unsafe(no_mangle)]
extern "C" fn allocate(length: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; length].into_boxed_slice()).cast()
}

/// Takes memory back.
///
/// # Safety
///
/// [`allocate`] returned the memory for this length, and it has not been taken back.
unsafe fn take(start: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: it is a boxed slice of this length, by the condition of this function.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)) }.into_vec()
}

/// Calls a function. Returns 0, or 1 if the answer is an error, whose bytes are its code and its ply.
///
/// # Safety
///
/// Both pieces of memory were allocated for their lengths, and are not used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn invoke(texts: *mut u8, texts_length: usize, bytes: *mut u8, bytes_length: usize) -> u32 {
    // SAFETY: by the condition of this function.
    let (texts, bytes) = unsafe { (take(texts, texts_length), take(bytes, bytes_length)) };
    let texts = String::from_utf8_lossy(&texts);
    let texts: Vec<&str> = texts.split('\0').collect();
    let (status, answer) = match call(&texts, bytes) {
        Ok(answer) => (0, answer),
        Err(failure) => (1, failure.into()),
    };
    ANSWER.set(answer);
    status
}

/// Returns the start of a part of the answer: 0 for its text, 1 for its bytes.
#[unsafe(no_mangle)]
extern "C" fn answer(part: u32) -> *const u8 {
    ANSWER.with_borrow(|answer| if part == 0 { answer.text.as_ptr() } else { answer.bytes.as_ptr() })
}

/// Returns the length of a part of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer_length(part: u32) -> usize {
    ANSWER.with_borrow(|answer| if part == 0 { answer.text.len() } else { answer.bytes.len() })
}

/// Prepares the module. Is called once, before everything else.
#[unsafe(no_mangle)]
extern "C" fn initialise() {
    panic::set_hook(Box::new(|panic| {
        // Behind a panic within a panic there is no message.
        let text = panic.to_string();
        let _ = ANSWER.try_with(|answer| answer.try_borrow_mut().map(|mut answer| answer.text = text));
    }));
}

// All other tests of the package are in JavaScript. These are for Miri: see `.ci/miri`.
#[cfg(test)]
mod tests {
    use super::*;

    /// Does what JavaScript does for a call: `lib/engine.js`.
    fn call_with(texts: &str, bytes: &[u8]) -> (u32, String, Vec<u8>) {
        let [texts, bytes] = [texts.as_bytes(), bytes].map(|given| {
            let start = allocate(given.len());
            // SAFETY: the memory has this length, and nobody else knows it.
            unsafe { start.copy_from_nonoverlapping(given.as_ptr(), given.len()) };
            (start, given.len())
        });
        // SAFETY: both were allocated for these lengths, and are not used again.
        let status = unsafe { invoke(texts.0, texts.1, bytes.0, bytes.1) };
        // SAFETY: an answer has this length, and is valid until the next call.
        let part = |part| unsafe { std::slice::from_raw_parts(answer(part), answer_length(part)) }.to_vec();
        (status, String::from_utf8(part(0)).expect("UTF-8"), part(1))
    }

    #[test]
    fn texts_and_bytes_go_in_and_out() {
        let pgn = "[White \"Müller\"]\n\n1. e4 e5 2. Nf3 *\n";
        let (status, id, _) = call_with("read\0games.pgn\0en\0auto\0auto", pgn.as_bytes());
        assert_eq!(status, 0, "{id}");
        let (status, text, games) = call_with(&format!("games\0{id}\x0010"), b"");
        assert_eq!(status, 0, "{text}");
        let games = String::from_utf8_lossy(&games);
        assert!(games.contains("Müller"), "{games}");
        assert_eq!(call_with(&format!("close\0{id}"), b"").0, 0);
    }

    #[test]
    fn an_error_has_its_text_and_its_code() {
        let (status, text, bytes) = call_with("position\0not a position\0\0", b"");
        assert_eq!(status, 1);
        assert!(!text.is_empty() && bytes.ends_with(b" "), "{text:?} {bytes:?}");
    }

    #[test]
    fn nothing_is_a_text_without_a_name() {
        let (status, text, _) = call_with("", b"");
        assert_eq!((status, text.as_str()), (1, "there is no function \"\""));
    }

    #[test]
    fn each_answer_takes_the_place_of_the_last_one() {
        let (_, long, _) = call_with("pieces", b"");
        let (_, short, _) = call_with("summary\x001\x001\x002\x000\x000", b"");
        assert!(long.len() > short.len() && !short.is_empty(), "{short}");
    }
}
