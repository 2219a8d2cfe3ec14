//! Files of servers that do everything wrong: read whole, and as they are, or with an error.

mod bounds;
mod web;
