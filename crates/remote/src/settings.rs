//! Numbers and times, and the variables of the environment.

use std::env;
use std::time::Duration;

/// How files are read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The number of bytes of the ranges in which a file is read; 8 MiB by default. The first ranges of a file are
    /// smaller.
    pub range: u64,
    /// The number of ranges that are under way at once; 4 by default. So a file takes up to 32 MiB of memory.
    pub ahead: usize,
    /// The number of times that a request is repeated before the reading ends with an error; 7 by default. A connection
    /// that broke after it had sent bytes does not count.
    pub repeats: u32,
    /// The pause before a request is repeated, which is doubled each time; 0.1 seconds by default.
    pub pause: Duration,
    /// The time after which a server that sends nothing has failed; 30 seconds by default.
    pub patience: Duration,
    /// The number of bytes that a server must send in that time; 4 KiB by default. One that sends fewer has failed, and
    /// so has one that sends fewer each time before its connection breaks.
    pub floor: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            range: 8 << 20,
            ahead: 4,
            repeats: 7,
            pause: Duration::from_millis(100),
            patience: Duration::from_secs(30),
            floor: 4 << 10,
        }
    }
}

/// The longest pause before a request is repeated.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl Settings {
    /// Returns the pause before the request is repeated for this time, counted from 0.
    pub(crate) fn pause(&self, repeat: u32) -> Duration {
        self.pause.saturating_mul(2u32.saturating_pow(repeat)).min(LONGEST_PAUSE)
    }
}

/// Returns the address of Hugging Face, or of a server that stands in for it.
pub(crate) fn hub_endpoint() -> String {
    let given = env::var("HF_ENDPOINT").ok().filter(|endpoint| !endpoint.is_empty());
    given.unwrap_or_else(|| "https://huggingface.co".to_owned())
}

/// Returns the token for Hugging Face, if there is one.
pub(crate) fn hub_token() -> Option<String> {
    env::var("HF_TOKEN").ok().filter(|token| !token.is_empty())
}
