"""A store with the interface of S3 on this computer, for the tests of files in object stores."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

BUCKET = "games"

KEYS = {"AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "verysecret", "AWS_REGION": "us-east-1"}


class Store:
    """A server with the bucket `games`, and the variables of the environment with which it is read."""

    def __init__(self) -> None:
        boto3 = pytest.importorskip("boto3")
        servers = pytest.importorskip("moto.server")
        # Otherwise each request is a line on the standard error.
        self.server = servers.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        _, port = self.server.get_host_and_port()
        self.address = f"s3://{BUCKET}"
        endpoint = f"http://127.0.0.1:{port}"
        self.environment = {**KEYS, "AWS_ENDPOINT_URL": endpoint, "AWS_ALLOW_HTTP": "true", "NO_PROXY": "127.0.0.1"}
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
            region_name=KEYS["AWS_REGION"],
        )
        self.client.create_bucket(Bucket=BUCKET)

    def put(self, key: str, content: bytes) -> str:
        """Stores a file, and returns its address."""
        self.client.put_object(Bucket=BUCKET, Key=key, Body=content)
        return f"{self.address}/{key}"


def running() -> Iterator[Store]:
    """A store that this process reads, until the end of a fixture."""
    store = Store()
    before = dict(os.environ)
    os.environ.update(store.environment)
    yield store
    os.environ.clear()
    os.environ.update(before)
    store.server.stop()
