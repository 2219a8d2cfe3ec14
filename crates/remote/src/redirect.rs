//! Which addresses a server may send a request on to.
//!
//! Whoever names a server trusts it to say what the file is, and not to reach what only this machine can reach. So a
//! request stays encrypted, stays among servers of the public internet, and leaves a server of this machine or of a
//! private network for no other host.

use std::net::Ipv4Addr;

use url::{Host, Url};

use crate::address::is_loopback;

/// The most times that a request is sent on.
pub(crate) const MOST_HOPS: usize = 5;

/// Whose requests are sent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those to a web server.
    Web,
    /// Those to a store. They are signed for one host, and some of their headers are credentials.
    Store,
}

/// Returns why a request must not be sent on to `next`, if so. `previous` are the addresses that it was sent to.
pub(crate) fn refusal(scope: Scope, previous: &[Url], next: &Url) -> Option<String> {
    let from = previous.last()?;
    if previous.len() > MOST_HOPS {
        return Some(format!("the server sends the request on more than {MOST_HOPS} times"));
    }
    // The rest of an address may be secret.
    let there = format!("{}://{}", next.scheme(), next.host_str().unwrap_or_default());
    let refused = |reason: &str| Some(format!("the server sends the request on to {there}, {reason}"));
    match next.scheme() {
        _ if scope == Scope::Store => {
            return (from.origin() != next.origin()).then(|| refused("and a store answers itself")).flatten();
        }
        "https" => {}
        "http" if from.scheme() == "http" && is_loopback(from) && is_loopback(next) => {}
        "http" => return refused("which is not encrypted"),
        _ => return refused("which is no web server"),
    }
    let is_one_host = from.host() == next.host() || is_loopback(from) && is_loopback(next);
    match (is_private(from), is_private(next)) {
        _ if is_one_host => None,
        (true, _) => refused("which is another host, from this machine or a private network; give that address itself"),
        (false, true) => refused("which is this machine or in a private network"),
        (false, false) => None,
    }
}

/// The ends of names that are for private networks.
const PRIVATE: [&str; 5] = [".localhost", ".local", ".internal", ".home.arpa", ".lan"];

/// Whether an address is one of this machine or of a private network, as it is written. Names are not looked up.
fn is_private(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.');
            !name.contains('.') || PRIVATE.iter().any(|end| name.ends_with(end))
        }
        Some(Host::Ipv4(address)) => is_private_number(address),
        Some(Host::Ipv6(address)) => {
            let first = address.segments()[0];
            let is_local = first & 0xfe00 == 0xfc00 || first & 0xffc0 == 0xfe80;
            let mapped = address.to_ipv4_mapped().is_some_and(is_private_number);
            is_local || mapped || address.is_loopback() || address.is_unspecified()
        }
        None => true,
    }
}

fn is_private_number(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && second & 0xc0 == 64;
    let is_this = first == 0 || address.is_loopback() || address.is_broadcast();
    is_this || is_shared || address.is_private() || address.is_link_local()
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{MOST_HOPS, Scope, refusal};

    fn refused(scope: Scope, from: &str, next: &str) -> Option<String> {
        refusal(scope, &[Url::parse(from).unwrap()], &Url::parse(next).unwrap())
    }

    #[test]
    fn public_servers_send_on_to_public_servers() {
        let hub = "https://huggingface.co/datasets/a/b/resolve/main/c";
        for next in
            ["https://cdn-lfs.hf.co/c?sig=1", "https://huggingface.co/d", "https://8.8.8.8/", "https://a.b:8443/"]
        {
            assert_eq!(refused(Scope::Web, hub, next), None, "{next}");
        }
        for next in ["https://192.168.1.2/", "https://10.0.0.1/", "https://172.31.0.1/", "https://169.254.169.254/"] {
            let reason = refused(Scope::Web, hub, next).unwrap();
            assert!(reason.ends_with("which is this machine or in a private network"), "{reason}");
        }
        let inside = ["127.1", "0x7f000001", "0.0.0.0", "100.64.0.1", "[::1]", "[::]", "[fd00::1]", "[fe80::1]"];
        for host in
            inside.iter().chain(&["[::ffff:10.0.0.1]", "localhost", "localhost.", "nas", "a.local", "m.internal"])
        {
            assert!(refused(Scope::Web, hub, &format!("https://{host}/")).is_some(), "{host}");
        }
    }

    #[test]
    fn requests_stay_encrypted_and_on_the_web() {
        let public = "https://example.org/a";
        for next in ["http://example.org/a", "http://127.0.0.1/a", "http://localhost/a"] {
            assert!(refused(Scope::Web, public, next).unwrap().ends_with("which is not encrypted"), "{next}");
        }
        assert!(refused(Scope::Web, "https://127.0.0.1/a", "http://127.0.0.1/a").is_some());
        let reason = refused(Scope::Web, public, "ftp://me:secret@example.org/a?secret").unwrap();
        assert_eq!(reason, "the server sends the request on to ftp://example.org, which is no web server");
    }

    #[test]
    fn private_servers_send_on_to_themselves_only() {
        let allowed = [
            ("http://127.0.0.1:1/a", "http://127.0.0.1:2/b"),
            ("http://127.0.0.1:1/a", "http://localhost:2/b"),
            ("http://localhost/a", "https://localhost/b"),
            ("https://192.168.1.2/a", "https://192.168.1.2:8443/b"),
        ];
        for (from, next) in allowed {
            assert_eq!(refused(Scope::Web, from, next), None, "{from} {next}");
        }
        let refusals = [
            ("http://127.0.0.1:1/a", "https://example.org/b"),
            ("http://127.0.0.1:1/a", "http://example.org/b"),
            ("http://127.0.0.1:1/a", "http://192.168.1.2/b"),
            ("https://192.168.1.2/a", "https://192.168.1.3/b"),
            ("https://nas/a", "https://example.org/b"),
        ];
        for (from, next) in refusals {
            assert!(refused(Scope::Web, from, next).is_some(), "{from} {next}");
        }
    }

    #[test]
    fn stores_answer_themselves_and_nobody_is_sent_on_for_ever() {
        let store = "https://s3.amazonaws.com/b";
        assert_eq!(refused(Scope::Store, store, "https://s3.amazonaws.com/c"), None);
        assert!(refused(Scope::Store, store, "https://example.org/c").is_some());
        assert!(refused(Scope::Store, store, "http://s3.amazonaws.com/c").is_some());
        let url = Url::parse("https://example.org/a").unwrap();
        for scope in [Scope::Web, Scope::Store] {
            assert_eq!(refusal(scope, &vec![url.clone(); MOST_HOPS], &url), None);
            let reason = refusal(scope, &vec![url.clone(); MOST_HOPS + 1], &url).unwrap();
            assert_eq!(reason, "the server sends the request on more than 5 times");
        }
    }
}
