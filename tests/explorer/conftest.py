"""A server on an index of real games, and a browser. `.ci/explorer` builds the command and installs the packages."""

import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
COMMAND = ROOT / os.environ.get("PGN2FEN", "target/debug/pgn2fen")
GAMES = ["tournaments_2020.pgn", "lichess_2012.pgn", "fischer_random_2018.pgn", "morphy_utf8_mark_crlf.pgn"]

# The browser of all tests (`.ci/browser`), and one with settings, which the headless shell does not have.
CHROMIUM = os.environ.get("CHROMIUM")
WHOLE_BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# Root has no sandbox, and small machines have little shared memory.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]


def one_in(step: int, values: list) -> list:
    """One in so many of what is tried; all of them every week, with PGN2FEN_SWEEP=1."""
    return values if "PGN2FEN_SWEEP" in os.environ else values[::step]


# Tags that would be a script if the page read them as HTML, and a move that cannot be played.
ODD_GAMES = """\
[Event "<script>document.title = 'hacked'</script>"]
[White "<img src=x onerror=document.title='hacked'>"]
[Black "Ångström & Sons"]
[Result "1-0"]
[Date "1899.??.??"]

1. a4 a5 2. Ra3 Ra6 3. Rh3 1-0

[Event "A game with an error"]
[White "Careless"]
[Black "Careful"]
[Result "*"]

1. a4 h5 2. Ke5 *

[Event "Rated game https://lichess.org/abcdefgh"]
[Site "https://lichess.org/abcdefgh"]
[Date "2020.01.01"]
[White "Annotator"]
[Black "Reader"]
[Result "1/2-1/2"]

{Before the game.} 1. h4?! {[%eval -0.5] [%clk 1:30:00]} (1. e4 {Better.} e5 (1... c5)) 1... h5 2. a4 1/2-1/2
"""

expect.set_options(timeout=5_000)


def run(*arguments: str | Path) -> str:
    """Runs the command and returns what it prints."""
    done = subprocess.run([COMMAND, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="session")
def index_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index of games of the repository."""
    folder = tmp_path_factory.mktemp("explorer")
    (folder / "odd.pgn").write_text(ODD_GAMES, encoding="utf-8")
    files = [ROOT / "fixtures/games" / name for name in GAMES]
    run("index", "-q", "--exit-zero", "-o", folder / "games.idx", *files, folder / "odd.pgn")
    return folder / "games.idx"


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The address of a running server on an index, without a slash at its end."""
    process = subprocess.Popen(
        [COMMAND, "serve", "--listen", "127.0.0.1:0", folder],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout
        lines = []
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://[\w.:]+", line):
                yield found[0]
                break
        else:
            pytest.fail("the server did not say its address:\n" + "".join(lines))
    finally:
        process.terminate()
        assert process.wait(timeout=10) is not None


@pytest.fixture(scope="session")
def server(index_folder: Path) -> Iterator[str]:
    with serving(index_folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The browser, without a window."""
    assert CHROMIUM, "CHROMIUM is not set: run .ci/explorer, or CHROMIUM=$(.ci/browser)"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


class Visit:
    """A page in the browser, and what must not happen in it."""

    def __init__(self, context: BrowserContext, server: str) -> None:
        self.page: Page = context.new_page()
        self.server = server
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        self.refused: list[str] = []
        self.page.on("console", lambda message: self._hear(message.type, message.text, message.location["url"]))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def _hear(self, kind: str, text: str, url: str) -> None:
        # A browser logs every refused request, of which some are wanted. Violations of the content security policy are logged, too.
        if "/api/" in url and ("status of 400" in text or "status of 404" in text):
            self.refused.append(text)
        elif kind in ("error", "warning"):
            self.complaints.append(text)

    def open(self, address: str = "") -> Page:
        """Opens the page at an address such as `#play=e2e4`, and waits for its answers."""
        self.page.goto(f"{self.server}/{address}")
        expect(self.page.locator("#board .piece").first).to_be_visible()
        expect(self.page.locator("#answers")).to_have_attribute("aria-busy", "false")
        return self.page

    def check(self) -> None:
        """Fails if the page logged an error, or asked another host."""
        assert not self.complaints
        assert self.hosts - {""} == {urlsplit(self.server).netloc}
        entries = json.loads(
            self.page.evaluate("JSON.stringify(performance.getEntriesByType('resource').map(e => e.name))")
        )
        assert all(entry.startswith((self.server, "data:")) for entry in entries), entries


@pytest.fixture
def options() -> dict[str, object]:
    """The options of the browser for one test."""
    return {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"}


@pytest.fixture
def visit(browser: Browser, server: str, options: dict[str, object]) -> Iterator[Visit]:
    """A new browser profile, which is checked after the test."""
    context = browser.new_context(**options)  # type: ignore[arg-type]
    visit = Visit(context, server)
    yield visit
    # A request may be on its way. Its answer comes before the context is closed.
    visit.page.unroute_all(behavior="wait")
    visit.check()
    context.close()


@pytest.fixture
def written(browser: Browser, tmp_path: Path):
    """Opens a page that the command writes with these arguments."""
    context = browser.new_context()

    def open_page(*arguments: str | Path) -> Page:
        run(*arguments, "-o", tmp_path / "page.html")
        page = context.new_page()
        page.goto((tmp_path / "page.html").as_uri())
        return page

    yield open_page
    context.close()
