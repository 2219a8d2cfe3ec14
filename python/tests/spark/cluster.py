"""A Spark cluster on this computer: a standalone master and workers that can be killed.

`python cluster.py` starts one with two workers, prints its address, and stops it at the end of standard input.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 60
"""The seconds that a master or a worker has to start."""


def is_possible() -> bool:
    """Whether Java and the whole of Spark are installed. The package `pyspark-client` does not suffice."""
    try:
        import pyspark
    except ImportError:
        return False
    return shutil.which("java") is not None and (Path(pyspark.__file__).parent / "jars").is_dir()


class Process:
    """A master or a worker, with the executors that it starts."""

    def __init__(self, folder: Path, name: str, arguments: list[str]) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        self.log = folder / f"{name}.log"
        environment = {
            # Executors get credentials by the settings of a session.
            **{name: value for name, value in os.environ.items() if not name.startswith("AWS_")},
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "PYSPARK_PYTHON": sys.executable,
        }
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [home / "bin" / "spark-class", *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=folder,
                # A process group of its own, so that its executors can be killed with it.
                start_new_session=True,
            )

    def wait_for(self, pattern: str) -> str:
        """Waits for a line in the log, and returns the first group of the pattern."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if match := re.search(pattern, self.log.read_text()):
                return match[1]
            time.sleep(0.1)
        raise RuntimeError(f"no {pattern} in its log:\n{self.log.read_text()}")

    def kill(self) -> None:
        """Kills the process and its executors with SIGKILL."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class Cluster:
    """A running cluster. Each worker has one core."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.workers: list[Process] = []
        arguments = ["org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        self.master = Process(folder, "master", arguments)
        self.address = ""

    def start(self, workers: int) -> None:
        """Waits for the master, and starts workers."""
        self.address = self.master.wait_for(r"Starting Spark master at (spark://\S+)")
        for _ in range(workers):
            self.add_worker()
        for worker in self.workers:
            worker.wait_for(r"(Successfully registered with master)")

    def add_worker(self) -> Process:
        """Starts a worker."""
        name = f"worker-{len(self.workers)}"
        kind = "org.apache.spark.deploy.worker.Worker"
        limits = ["--cores", "1", "--memory", "1200m", "--work-dir", str(self.folder / name)]
        ports = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        worker = Process(self.folder, name, [kind, *limits, *ports, self.address])
        self.workers.append(worker)
        return worker

    def executor_logs(self) -> str:
        """Returns the standard errors of all executors that the workers started."""
        return "\n".join(log.read_text() for log in sorted(self.folder.glob("worker-*/*/*/stderr")))

    def stop(self) -> None:
        """Ends all processes."""
        for process in [*self.workers, self.master]:
            process.kill()


@contextlib.contextmanager
def running(workers: int = 2) -> Iterator[Cluster]:
    """A cluster that is stopped in any case."""
    with tempfile.TemporaryDirectory(prefix="pgn2fen-spark-") as folder:
        cluster = Cluster(Path(folder))
        try:
            cluster.start(workers)
            yield cluster
        finally:
            cluster.stop()


if __name__ == "__main__":
    with running() as cluster:
        print(cluster.address, flush=True)
        sys.stdin.read()
