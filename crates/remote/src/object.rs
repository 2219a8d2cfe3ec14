//! A file of a web server or of a store, and the parts of it that are asked for.

use std::ops::Range;

use crate::address::Web;
use crate::answer::{Answer, Failure, Version};
use crate::core::Core;
use crate::store::StoreObject;
use crate::web;

/// A file.
#[derive(Debug)]
pub(crate) enum Object {
    Web(Web),
    Store(StoreObject),
}

impl Object {
    /// Asks for a range of bytes of a version.
    pub(crate) async fn get(&self, core: &Core, range: Range<u64>, version: &Version) -> Result<Answer, Failure> {
        match self {
            Self::Web(file) => web::get(core, file, Some(range), version).await,
            Self::Store(object) => object.get(range, version).await,
        }
    }
}
