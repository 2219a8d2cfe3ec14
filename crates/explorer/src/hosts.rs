//! The check of the Host header.
//!
//! A web site can give a name of its own the address of this computer, and then its scripts may read what a server here
//! answers (DNS rebinding). The name is in the Host header, so requests for other names are refused. Addresses cannot
//! be abused in this way.

use std::net::{IpAddr, SocketAddr};

use axum::http::uri::Authority;

use crate::message::ServeError;

/// The names of the server that are allowed besides its address.
#[derive(Clone, Debug, Default)]
pub(super) struct Hosts(Vec<String>);

impl Hosts {
    /// # Errors
    ///
    /// Fails with a name that no Host header can have, such as an address with a scheme.
    pub(super) fn new(names: &[String]) -> Result<Self, ServeError> {
        let is_host = |name: &str| name.parse().is_ok_and(|host: Authority| !host.as_str().contains('@'));
        match names.iter().find(|name| !is_host(name)) {
            Some(name) => Err(ServeError::Host(name.clone())),
            None => Ok(Self(names.iter().map(|name| name.to_ascii_lowercase()).collect())),
        }
    }

    /// Whether a Host header names the server, with any port, as behind a forwarded one. `local` is the address at
    /// which the connection arrived.
    pub(super) fn allow(&self, host: &str, local: SocketAddr) -> bool {
        let host = host.to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => name,
            _ => &host,
        };
        if self.0.iter().any(|allowed| *allowed == host || *allowed == name) {
            return true;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let address = bare.unwrap_or(name).parse::<IpAddr>().ok().filter(|address| address.is_ipv6() == bare.is_some());
        let is_own = |address: IpAddr| {
            address == local.ip().to_canonical() || address == local.ip() || address.to_canonical().is_loopback()
        };
        name == "localhost" || address.is_some_and(is_own)
    }
}

#[cfg(test)]
mod tests {
    use super::Hosts;

    #[track_caller]
    fn check(names: &[&str], local: &str, host: &str, is_allowed: bool) {
        let hosts = Hosts::new(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
        assert_eq!(hosts.allow(host, local.parse().unwrap()), is_allowed, "{host} at {local} with {names:?}");
    }

    #[test]
    fn only_names_of_the_server_are_allowed() {
        for host in [
            "localhost:9002",
            "LOCALHOST:9002",
            "127.0.0.1:9002",
            "[::1]:9002",
            // Of a forwarded port.
            "localhost",
            "localhost:80",
            "127.0.0.1:9003",
            "[::1]",
        ] {
            check(&[], "127.0.0.1:9002", host, true);
        }
        for host in [
            "evil.example:9002",
            "evil.example",
            "localhost.evil.example:9002",
            "127.0.0.1.evil.example:9002",
            "192.168.1.5:9002",
            "::1:9002",
            "[127.0.0.1]:9002",
            "localhost:9002:9002",
            "localhost:",
            "",
        ] {
            check(&[], "127.0.0.1:9002", host, false);
        }
        check(&[], "192.168.1.5:9002", "192.168.1.5:9002", true);
        check(&[], "[::ffff:192.168.1.5]:9002", "192.168.1.5:9002", true);
        check(&[], "[2001:db8::1]:80", "[2001:db8::1]", true);
        check(&[], "127.0.0.1:80", "localhost", true);
    }

    #[test]
    fn further_names_can_be_allowed() {
        check(&["chess.example"], "127.0.0.1:9002", "chess.example", true);
        check(&["chess.example"], "127.0.0.1:9002", "Chess.Example:443", true);
        check(&["chess.example:443"], "127.0.0.1:9002", "chess.example:443", true);
        check(&["chess.example:443"], "127.0.0.1:9002", "chess.example:444", false);
        check(&["chess.example"], "127.0.0.1:9002", "www.chess.example", false);
        check(&["chess.example"], "127.0.0.1:9002", "localhost:9002", true);
    }
}
