"""The commands of docs/explorer.md that start a server."""

import itertools
import re
import shlex
import shutil
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from conftest import COMMAND, ROOT

BLOCKS = re.findall(r"```sh needs=server\n(.*?)```", (ROOT / "docs/explorer.md").read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = [shlex.split(line) for block in BLOCKS for line in block.splitlines()]


def status(port: str, host: str) -> int:
    """Asks for the page by a name of the server."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", headers={"Host": host})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert b"Opening explorer" in answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_the_commands_of_the_guide_lead_to_the_page(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(ROOT / "fixtures/games/lichess_2012.pgn", tmp_path / "games")
    assert sum(words[1] == "serve" for words in COMMANDS) >= 2
    for name, *words in COMMANDS:
        assert name == "pgn2fen"
        if words[0] != "serve":
            subprocess.run([COMMAND, *words], cwd=tmp_path, check=True)
            continue
        # The port may be in use here, so any other does.
        listen = "--listen" in words
        words = [re.sub(r":\d+$", ":0", word) for word in words] if listen else [*words, "--listen", "127.0.0.1:0"]
        with subprocess.Popen([COMMAND, *words], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            address = server.stdout.readline()
            port = re.search(r":(\d+)/", address)
            assert port, address
            assert status(port[1], f"localhost:{port[1]}") == 200
            allowed = [word for before, word in itertools.pairwise(words) if before == "--allow-host"]
            for host in allowed:
                assert status(port[1], f"{host}:{port[1]}") == 200
            assert status(port[1], f"elsewhere.example:{port[1]}") in (403, 421)
            server.terminate()
            assert server.wait(timeout=10) == 0


@pytest.mark.parametrize(
    "address", re.findall(r"http://127.0.0.1:9002/(#\S+)", (ROOT / "docs/explorer.md").read_text())
)
def test_the_addresses_of_the_guide_lead_to_positions(visit, address: str) -> None:
    page = visit.open(address)
    moves = re.search(r"play=([^&]*)", address)
    assert moves
    assert page.locator("#line .played").count() == len(moves[1].split(","))
