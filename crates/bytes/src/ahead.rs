//! Decoding ahead of the reader: other threads decode the pieces of a database in parallel, and the reader gets them in
//! order.
//!
//! The amount of decoded text that waits to be read is bounded, for pieces of any size. The piece that is being read
//! may always have a few chunks waiting, whatever the bound, so that the threads and the reader never block each other.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::fill::fill;

/// A reader that decodes one piece of the text.
#[doc(hidden)]
pub type DecodedPiece = Box<dyn Read + Send>;

/// The size of a chunk, in bytes: the text that is passed to the reader at once.
const CHUNK: usize = 128 * 1024;

/// The most chunks that may wait of the piece that is being read.
const NEXT: usize = 8;

/// A reader of pieces that other threads decode.
#[doc(hidden)]
#[allow(missing_debug_implementations, reason = "readers have none")]
pub struct Ahead {
    shared: Arc<Shared>,
    chunk: Option<Vec<u8>>,
    at: usize,
}

struct Shared {
    /// The pieces that no thread has begun to decode.
    pieces: Mutex<Box<dyn Iterator<Item = io::Result<DecodedPiece>> + Send>>,
    state: Mutex<State>,
    changed: Condvar,
    /// The number of waiting chunks from which on the decoding of later pieces pauses.
    limit: usize,
}

struct State {
    /// One queue of decoded text for each piece, beginning with the piece that is being read.
    queues: VecDeque<Queue>,
    /// The number of the piece that is being read.
    first: usize,
    /// The number of chunks that wait in the queues or are being filled.
    chunks: usize,
    /// Buffers that are used again.
    spare: Vec<Vec<u8>>,
    threads: usize,
    /// Whether the reader has been dropped.
    is_over: bool,
}

#[derive(Default)]
struct Queue {
    chunks: VecDeque<Vec<u8>>,
    is_whole: bool,
    /// The error that ended the piece too early.
    failure: Option<io::Error>,
}

impl Ahead {
    /// Starts threads that decode pieces. About `ready` bytes of text are kept ready from pieces that are not being
    /// read yet.
    ///
    /// # Errors
    ///
    /// No thread can be started.
    #[doc(hidden)]
    pub fn new(
        threads: usize,
        ready: usize,
        pieces: impl Iterator<Item = io::Result<DecodedPiece>> + Send + 'static,
    ) -> io::Result<Self> {
        let state =
            State { queues: VecDeque::new(), first: 0, chunks: 0, spare: Vec::new(), threads: 0, is_over: false };
        let shared = Arc::new(Shared {
            pieces: Mutex::new(Box::new(pieces)),
            state: Mutex::new(state),
            changed: Condvar::new(),
            limit: ready / CHUNK,
        });
        // From here on, dropping `ahead` ends the threads.
        let ahead = Self { shared, chunk: None, at: 0 };
        for started in 0..threads {
            let shared = Arc::clone(&ahead.shared);
            lock(&shared.state).threads += 1;
            let thread = thread::Builder::new().name("decoder".to_owned()).spawn({
                let shared = Arc::clone(&shared);
                move || decode(&shared)
            });
            if let Err(error) = thread {
                lock(&shared.state).threads -= 1;
                // Fewer threads do the same work.
                let failed = |error: io::Error| io::Error::new(error.kind(), format!("cannot start a thread: {error}"));
                return if started > 0 { Ok(ahead) } else { Err(failed(error)) };
            }
        }
        Ok(ahead)
    }

    /// Takes the next chunk. Returns false at the end of the text.
    fn next_chunk(&mut self) -> io::Result<bool> {
        let changed = &self.shared.changed;
        let mut state = lock(&self.shared.state);
        if let Some(chunk) = self.chunk.take() {
            state.spare.push(chunk);
            state.chunks -= 1;
            changed.notify_all();
        }
        self.at = 0;
        loop {
            let Some(queue) = state.queues.front_mut() else {
                if state.threads == 0 {
                    return Ok(false);
                }
                state = wait(changed, state);
                continue;
            };
            if let Some(chunk) = queue.chunks.pop_front() {
                self.chunk = Some(chunk);
                return Ok(true);
            }
            if let Some(error) = queue.failure.take() {
                return Err(error);
            }
            if queue.is_whole {
                state.queues.pop_front();
                state.first += 1;
                changed.notify_all();
            } else {
                state = wait(changed, state);
            }
        }
    }
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.as_ref().is_none_or(|chunk| self.at == chunk.len()) {
            if !self.next_chunk()? {
                return Ok(0);
            }
        }
        let count = self.chunk.as_ref().map_or(Ok(0), |chunk| (&chunk[self.at..]).read(buffer))?;
        self.at += count;
        Ok(count)
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        lock(&self.shared.state).is_over = true;
        self.shared.changed.notify_all();
    }
}

/// Decodes one piece after another, until there are none left or the reader has been dropped.
fn decode(shared: &Shared) {
    let mut worker = Worker { shared, piece: None };
    while let Some((number, piece)) = shared.begin() {
        worker.piece = Some(number);
        let end = piece.and_then(|piece| shared.fill(number, piece));
        match end {
            Ok(true) => shared.finish(number, None),
            Ok(false) => break,
            Err(error) => shared.finish(number, Some(error)),
        }
        worker.piece = None;
    }
}

impl Shared {
    /// Takes the next piece and its number, and adds its queue. The order of the queues is that of the pieces.
    fn begin(&self) -> Option<(usize, io::Result<DecodedPiece>)> {
        let mut pieces = lock(&self.pieces);
        let piece = pieces.next()?;
        let mut state = lock(&self.state);
        state.queues.push_back(Queue::default());
        Some((state.first + state.queues.len() - 1, piece))
    }

    /// Decodes a piece into its queue. Returns false if the reader has been dropped.
    fn fill(&self, number: usize, mut piece: DecodedPiece) -> io::Result<bool> {
        while let Some(mut chunk) = self.room(number) {
            let read = fill(&mut piece, &mut chunk, 0, CHUNK);
            let is_last = chunk.len() < CHUNK;
            // The reader gets the text before an error first.
            self.put(number, chunk);
            read?;
            if is_last {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Waits until another chunk of a piece may be filled. Returns `None` if the reader has been dropped.
    fn room(&self, number: usize) -> Option<Vec<u8>> {
        let mut state = lock(&self.state);
        loop {
            if state.is_over {
                return None;
            }
            // The piece that is being read needs only a few chunks, but it always gets them.
            let has_room =
                if number == state.first { state.queues[0].chunks.len() < NEXT } else { state.chunks < self.limit };
            if has_room {
                state.chunks += 1;
                return Some(state.spare.pop().unwrap_or_default());
            }
            state = wait(&self.changed, state);
        }
    }

    fn put(&self, number: usize, chunk: Vec<u8>) {
        let mut state = lock(&self.state);
        let place = number - state.first;
        state.queues[place].chunks.push_back(chunk);
        drop(state);
        self.changed.notify_all();
    }

    fn finish(&self, number: usize, failure: Option<io::Error>) {
        let mut state = lock(&self.state);
        let place = number - state.first;
        state.queues[place].is_whole = true;
        state.queues[place].failure = failure;
        drop(state);
        self.changed.notify_all();
    }
}

/// A guard in each thread that reports the end of the thread to the reader, even after a panic.
struct Worker<'s> {
    shared: &'s Shared,
    piece: Option<usize>,
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.piece.filter(|_| thread::panicking()) {
            self.shared.finish(number, Some(io::Error::other("the decoder failed")));
        }
        lock(&self.shared.state).threads -= 1;
        self.shared.changed.notify_all();
    }
}

/// Locks a mutex and ignores poison: a panic is reported by [`Worker`], and the state under a lock is always
/// consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'s, T>(changed: &Condvar, state: MutexGuard<'s, T>) -> MutexGuard<'s, T> {
    changed.wait(state).unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::{Ahead, CHUNK, DecodedPiece, NEXT};

    /// Returns pieces of these lengths. The bytes of a piece are its number.
    fn pieces(lengths: &'static [usize]) -> impl Iterator<Item = io::Result<DecodedPiece>> + Send {
        let piece = |number: usize, length: usize| -> DecodedPiece {
            Box::new(io::repeat(u8::try_from(number % 256).unwrap()).take(length as u64))
        };
        lengths.iter().enumerate().map(move |(number, length)| Ok(piece(number, *length)))
    }

    fn text(lengths: &[usize]) -> Vec<u8> {
        let bytes = |(number, length): (usize, &usize)| vec![u8::try_from(number % 256).unwrap(); *length];
        lengths.iter().enumerate().flat_map(bytes).collect()
    }

    #[track_caller]
    fn check(lengths: &'static [usize]) {
        for threads in [1, 2, 7] {
            for ready in [0, CHUNK, 100 * CHUNK] {
                let mut read = Vec::new();
                Ahead::new(threads, ready, pieces(lengths)).unwrap().read_to_end(&mut read).unwrap();
                assert!(read == text(lengths), "{threads} threads, {ready} bytes ready");
            }
        }
    }

    #[test]
    fn pieces_are_read_in_order_whatever_their_sizes() {
        check(&[]);
        check(&[0]);
        check(&[0, 1, 0, 0, CHUNK, 5]);
        check(&[20 * CHUNK, 1, 3, 30 * CHUNK + 7, 2 * CHUNK]);
        check(&[100; 300]);
    }

    /// An endless reader that counts the bytes that are read from it.
    struct Counting(Arc<AtomicUsize>);

    impl Read for Counting {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.fetch_add(buffer.len(), Ordering::SeqCst);
            Ok(buffer.len())
        }
    }

    #[test]
    fn text_that_waits_is_bounded() {
        let count = Arc::new(AtomicUsize::new(0));
        let endless = (0..5).map({
            let count = Arc::clone(&count);
            move |_| Ok(Box::new(Counting(Arc::clone(&count))) as DecodedPiece)
        });
        let mut ahead = Ahead::new(3, 20 * CHUNK, endless).unwrap();
        for _ in 0..100 {
            ahead.read_exact(&mut [0; CHUNK]).unwrap();
            // Gives the threads time to get ahead.
            thread::sleep(Duration::from_millis(1));
        }
        // One chunk is being read, and each thread may be filling one.
        assert!(count.load(Ordering::SeqCst) <= (100 + 1 + NEXT + 20 + 3) * CHUNK);
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }

    struct Panicking;

    impl Read for Panicking {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("on purpose")
        }
    }

    #[test]
    fn what_stands_before_an_error_is_read() {
        for (last, words) in [(Box::new(Broken) as DecodedPiece, "broken"), (Box::new(Panicking), "the decoder failed")]
        {
            let pieces = pieces(&[7, CHUNK]).chain([Ok(last)]);
            let mut read = Vec::new();
            let error = Ahead::new(3, CHUNK, pieces).unwrap().read_to_end(&mut read).unwrap_err();
            assert_eq!((read.len(), error.to_string().as_str()), (7 + CHUNK, words));
        }
    }
}
