//! Surveys that were made before anybody asked.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use pgn2fen_index::Survey;

/// Surveys without filters by their positions.
#[derive(Debug, Default)]
pub(super) struct Hot(pub(super) RwLock<HashMap<String, Arc<Survey>>>);

impl Hot {
    /// Returns the survey of a position, if it is kept.
    pub(super) fn get(&self, question: &str) -> Option<Arc<Survey>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned()
    }

    pub(super) fn add(&self, question: String, survey: Arc<Survey>) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).insert(question, survey);
    }
}
