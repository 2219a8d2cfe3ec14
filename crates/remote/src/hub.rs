//! Data sets of Hugging Face.

use std::io;
use std::sync::Arc;

use http::header::LINK;
use serde::Deserialize;
use url::Url;

use crate::address::{Hub, Web};
use crate::core::Core;
use crate::pages::{Listed, Pages};
use crate::settings::{Settings, hub_endpoint, hub_token};
use crate::web;

impl Hub {
    /// Returns the address of the file on the web.
    pub(crate) fn web(&self) -> io::Result<Web> {
        self.request(&["datasets"], "resolve")
    }

    /// Returns an address of the server that has the data set, with this word between its name and the path.
    fn request(&self, before: &[&str], word: &str) -> io::Result<Web> {
        let mut web = Web::read(&hub_endpoint())?;
        let revision = self.server_revision();
        {
            let invalid =
                |()| io::Error::new(io::ErrorKind::InvalidInput, "HF_ENDPOINT is not the address of a server");
            let mut segments = web.url.path_segments_mut().map_err(invalid)?;
            segments.pop_if_empty().extend(before).extend(self.dataset.split('/'));
            segments.push(word).push(&revision).extend(self.path.split('/').filter(|part| !part.is_empty()));
        }
        web.authorization = hub_token().map(|token| format!("Bearer {token}")).or(web.authorization);
        Ok(web)
    }
}

/// A file or a folder in a list. What else the server says of it is not kept.
#[derive(Deserialize)]
struct Entry {
    r#type: Type,
    path: String,
    size: Option<u64>,
}

#[derive(PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Type {
    File,
    #[serde(other)]
    Other,
}

/// Returns the files in a folder and below it, with their sizes.
pub(crate) async fn list(core: &Core, settings: &Arc<Settings>, folder: &Hub) -> io::Result<Vec<(String, u64)>> {
    let mut page = folder.request(&["api", "datasets"], "tree")?;
    page.url.set_query(Some("recursive=true"));
    let (mut listed, mut pages) = (Listed::default(), Pages::default());
    loop {
        pages.turn(page.url.as_str())?;
        let (text, headers) = web::text_of(core, settings, &page).await?;
        pages.send(text.len())?;
        let odd = || io::Error::other("the list of files that the server sends cannot be read");
        let entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|_| odd())?;
        for entry in entries.into_iter().filter(|entry| entry.r#type == Type::File) {
            listed.push(folder.sibling(&entry.path), entry.size.unwrap_or(0))?;
        }
        let next = headers.get_all(LINK).iter().filter_map(|link| next_page(link.to_str().ok()?, &page.url)).next();
        match next {
            Some(url) if url.origin() == page.url.origin() => page.url = url,
            // The token must not be sent elsewhere.
            Some(_) => return Err(odd()),
            None => return Ok(listed.files),
        }
    }
}

/// Returns the address of the next page in the value of a header `Link`.
fn next_page(link: &str, page: &Url) -> Option<Url> {
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let (_, behind) = next.split_once('<')?;
    page.join(behind.split_once('>')?.0).ok()
}
