//! A cache of what was used recently. Its memory is bounded, and several threads share it.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};

/// Values by their keys, in two generations. A value that is used goes to the young generation. When that is full, it
/// becomes the old one, and the values that were not used since then are dropped.
#[doc(hidden)]
#[derive(Debug)]
pub struct Recent<K, V> {
    /// The size of a generation from which the next one begins, in bytes.
    most_bytes: usize,
    generations: Mutex<Generations<K, V>>,
}

#[derive(Debug)]
struct Generations<K, V> {
    /// The values, each with its size.
    young: HashMap<K, (V, usize)>,
    young_bytes: usize,
    old: HashMap<K, (V, usize)>,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Creates an empty cache of about this size in bytes.
    pub fn new(bytes: usize) -> Self {
        let generations = Generations { young: HashMap::new(), young_bytes: 0, old: HashMap::new() };
        Self { most_bytes: bytes / 2, generations: Mutex::new(generations) }
    }

    /// Returns the value of a key, if it is kept.
    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let mut generations = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((value, _)) = generations.young.get(key) {
            return Some(value.clone());
        }
        let (key, (value, bytes)) = generations.old.remove_entry(key)?;
        generations.add(key, value.clone(), bytes, self.most_bytes);
        Some(value)
    }

    /// Keeps a value. `bytes` is the size of the key and the value, about.
    pub fn add(&self, key: K, value: V, bytes: usize) {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner).add(key, value, bytes, self.most_bytes);
    }
}

impl<K: Eq + Hash, V> Generations<K, V> {
    fn add(&mut self, key: K, value: V, bytes: usize, most_bytes: usize) {
        if self.young_bytes > most_bytes {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        if self.young.insert(key, (value, bytes)).is_none() {
            self.young_bytes += bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn what_is_used_stays_and_the_size_is_bounded() {
        let cache = Recent::new(20_000);
        cache.add("used".to_owned(), 1, 100);
        cache.add("not used".to_owned(), 2, 100);
        for number in 0..10_000 {
            cache.add(format!("value {number}"), number, 100);
            assert_eq!(cache.get("used"), Some(1));
        }
        assert_eq!(cache.get("not used"), None);
        assert_eq!(cache.get("value 9999"), Some(9999));
        let generations = cache.generations.lock().unwrap();
        assert!(generations.young.len() + generations.old.len() <= 204);
    }

    #[test]
    fn a_generation_ends_when_it_is_too_large() {
        // No sum of these sizes is that of a full generation.
        let cache = Recent::new(100);
        for number in 0..100 {
            cache.add(number, number, 7);
        }
        let generations = cache.generations.lock().unwrap();
        assert!(generations.young_bytes <= 50 + 7, "{}", generations.young_bytes);
        assert_eq!((generations.young.len(), generations.old.len()), (100 - 12 * 8, 8));
        assert_eq!(generations.young_bytes, 4 * 7);
    }

    #[test]
    fn a_value_that_is_added_again_is_counted_once() {
        let cache = Recent::new(100);
        for value in 0..100 {
            cache.add("key", value, 7);
        }
        assert_eq!(cache.get("key"), Some(99));
        assert_eq!(cache.generations.lock().unwrap().young_bytes, 7);
    }
}
