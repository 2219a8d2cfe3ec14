"""Paths as users of Spark write them."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote, urlsplit

ADDRESSES = frozenset(("http", "https", "s3", "s3a", "s3n", "gs", "gcs", "az", "azure", "abfs", "abfss", "adl", "hf"))
"""The schemes of addresses that workers read themselves, with the credentials in their environment."""


def located(path: str) -> str:
    """Returns the absolute path of a file, a folder or a pattern. Workers have working folders of their own.

    `file:` URIs are accepted, and addresses of web servers and object stores, which stay as they are. Raises
    `ValueError` for other URIs, such as `hdfs:`.
    """
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path) or os.path.exists(path):
        return os.path.abspath(os.path.expanduser(path))
    uri = urlsplit(path, allow_fragments=False)
    if uri.scheme.lower() in ADDRESSES and path[len(uri.scheme) :].startswith("://"):
        return path
    if uri.scheme.lower() != "file":
        raise ValueError(
            f"{path}: {uri.scheme}: is not supported; files must be on a web server, in an object store (s3:, gs:, az:, abfs:, hf:), or on a "
            "local or shared file system that all workers see at the same path (NFS, a mounted bucket or volume), and be given by their paths"
        )
    if uri.netloc not in ("", "localhost"):
        raise ValueError(f"{path}: a file: URI must not name another computer")
    # A `?` is a pattern here, and does not begin a query.
    plain = path.split(":", 1)[1]
    plain = re.sub(r"^//[^/]*", "", plain)
    return os.path.abspath(plain if os.path.exists(plain) else unquote(plain))
