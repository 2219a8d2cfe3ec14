"""A published site in a real browser, from nginx and from Python's `http.server`. `PGN2FEN_SITE` is the folder of the built page."""

import csv
import functools
import gzip
import http.server
import json
import os
import re
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import COMMAND, GAMES, ODD_GAMES, ROOT, Visit, run
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, expect

PAGE = ROOT / os.environ.get("PGN2FEN_SITE", "target/site")

pytestmark = pytest.mark.skipif(
    os.environ.get("PGN2FEN_NO_SITE") == "1", reason="PGN2FEN_NO_SITE=1 leaves out the tests of the built page"
)


def publish(folder: Path, *arguments: str | Path) -> Path:
    """Publishes a site and returns its folder."""
    assert (PAGE / "explorer/index.html").exists(), "the page is not built: .ci/js builds it in target/site"
    run("site", "--page", PAGE, "-q", *arguments, "-o", folder)
    return folder


@pytest.fixture(scope="session")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the games of the repository, of some that are odd, and of a second copy of the odd ones."""
    folder = tmp_path_factory.mktemp("published")
    (folder / "odd.pgn").write_text(ODD_GAMES, encoding="utf-8")
    (folder / "again.pgn").write_text(ODD_GAMES.replace("1899", "1900"), encoding="utf-8")
    files = [ROOT / "fixtures/games" / name for name in [*GAMES, "opening_book.pgn"]]
    run("index", "-q", "--exit-zero", "-o", folder / "club.idx", *files, folder / "odd.pgn", folder / "again.pgn")
    return folder / "club.idx"


@pytest.fixture(scope="session")
def site(index: Path) -> Path:
    return publish(index.parent / "site", index)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def plain() -> Iterator[Callable[[Path], str]]:
    """Serves folders with Python's `http.server`, which has no ranges."""
    servers = []

    def serve(folder: Path) -> str:
        handler = functools.partial(Quiet, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in servers:
        server.shutdown()


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """Serves folders with nginx under a path, with compression on the fly."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    processes = []

    def serve(folder: Path) -> str:
        # A port that is free now.
        with http.server.HTTPServer(("127.0.0.1", 0), Quiet) as free:
            port = free.server_port
        root = tmp_path / f"nginx-{port}"
        (root / "temporary").mkdir(parents=True)
        temporary = "".join(
            f"{kind}_temp_path {root}/temporary;" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        # Workers of another user cannot read the folders of the tests.
        config = f"""
            {"user root;" if os.geteuid() == 0 else ""}
            daemon off; pid {root}/pid; error_log {root}/error.log; worker_processes 1;
            events {{}}
            http {{
                {temporary}
                access_log off; include /etc/nginx/mime.types; gzip on; gzip_types *; gzip_min_length 1;
                server {{ listen 127.0.0.1:{port}; location /clubs/chess/ {{ alias {folder}/; }} }}
            }}"""
        (root / "nginx.conf").write_text(config)
        process = subprocess.Popen([program, "-c", root / "nginx.conf", "-e", root / "error.log"])
        processes.append(process)
        for _ in range(100):
            if (root / "pid").exists() and (root / "pid").read_text().strip():
                break
            time.sleep(0.05)
        return f"http://127.0.0.1:{port}/clubs/chess"

    yield serve
    for process in processes:
        process.terminate()
        process.wait(timeout=10)


@pytest.fixture
def visit_to(browser: Browser) -> Iterator[Callable[..., Visit]]:
    """Visits sites. Each visit is checked after the test."""
    visits: list[tuple[Visit, BrowserContext]] = []

    def begin(address: str, **options: object) -> Visit:
        settings = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        context = browser.new_context(**settings)  # type: ignore[arg-type]
        visits.append((Visit(context, address), context))
        return visits[-1][0]

    yield begin
    for visit, context in visits:
        assert not visit.complaints
        context.close()


def rows(page: Page) -> list[tuple[str, int]]:
    texts = page.locator("#moves tbody tr").all()
    number = lambda row: int(row.locator("td span").first.inner_text().replace(",", ""))
    return [(row.locator("th").inner_text(), number(row)) for row in texts]


def expected_rows(index: Path, position: str) -> list[tuple[str, int]]:
    table = csv.DictReader(run("find", "-M", "-f", "csv", index, position).splitlines())
    return [(row["san"], int(row["games"])) for row in table if row["san"]]


def expect_trouble(page: Page, text: str) -> None:
    """Expects that a fault is told, and that no numbers are shown for it."""
    expect(page.locator("#trouble")).to_contain_text(text)
    expect(page.locator("#moves tbody tr")).to_have_count(0)


LINES = [
    "",
    "e2e4",
    "d2d4",
    "e2e4,c7c5",
    "d2d4,g8f6,c2c4",
    "e2e4,e7e5,g1f3",
    "e2e4,e7e5,g1f3,b8c6,f1b5",
    "c2c4",
    "g1f3",
]


def test_the_page_shows_what_find_prints(site: Path, index: Path, nginx, visit_to) -> None:
    address = nginx(site)
    visit = visit_to(address)
    for line in LINES:
        page = visit.open(f"#play={line}" if line else "")
        moves = " ".join(line.split(",")) or "startpos"
        assert sorted(rows(page)) == sorted(expected_rows(index, moves)), line
    visit.check()


def test_play_goes_on_behind_the_published_positions(site: Path, nginx, visit_to) -> None:
    page = visit_to(nginx(site)).open("#play=a2a4,h7h5,b2b3,b7b6,h2h3")
    expect(page.locator("#counts")).to_contain_text("at least 2 games")
    expect(page.locator("#line .played")).to_have_count(5)
    page.locator('#board [data-square="a7"]').click()
    page.locator('#board [data-square="a5"]').click()
    expect(page.locator("#line .played")).to_have_text(["1.a4", "h5", "2.b3", "b6", "3.h3", "a5"])
    expect(page.locator("#trouble")).to_be_hidden()


def test_a_game_is_opened_and_its_address_leads_to_it(site: Path, nginx, visit_to) -> None:
    address = nginx(site)
    page = visit_to(address).open("#play=e2e4,c7c5")
    players = page.locator("#games tbody th").first.inner_text()
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game")).to_be_visible()
    title = page.locator("#game-title").inner_text()
    assert players.split(",")[0].split()[0] in title
    expect(page.locator("#line .played")).to_have_text(["e4", "c5"])
    other = visit_to(address).open(page.url[page.url.index("#") :])
    expect(other.locator("#game-title")).to_have_text(title)


def test_typed_moves_are_shown(site: Path, nginx, visit_to) -> None:
    page = visit_to(nginx(site)).open()
    page.locator("#text").fill("1. e4 c5 2. Nf3")
    page.locator("#text").press("Enter")
    expect(page.locator("#line .played")).to_have_text(["1.e4", "c5", "2.Nf3"])
    page.locator("#text").fill("1. e4 Ke2")
    page.locator("#text").press("Enter")
    expect(page.locator("#text-fault")).to_contain_text("Ke2")


def test_tags_with_markup_are_text(site: Path, nginx, visit_to) -> None:
    page = visit_to(nginx(site)).open("#play=a2a4,a7a5")
    games = page.locator("#games tbody tr")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("<img src=x onerror=document.title='hacked'>")
    games.first.locator("a").click()
    expect(page.locator("#game-title")).to_contain_text("<img src=x")
    assert "hacked" not in page.title()
    assert page.locator("#game img, #games img, #game script").count() == 0


def test_two_indexes_are_two_databases(index: Path, tmp_path: Path, nginx, visit_to) -> None:
    run("index", "-q", "-o", tmp_path / "few.idx", ROOT / "fixtures/games/tournaments_2020.pgn")
    folder = publish(tmp_path / "site", "--title", "Two <b>clubs</b>", tmp_path / "few.idx", index)
    visit = visit_to(nginx(folder))
    page = visit.open()
    expect(page.locator("#index")).to_contain_text("Two <b>clubs</b>")
    assert sorted(rows(page)) == sorted(expected_rows(tmp_path / "few.idx", "startpos"))
    manifest = json.loads((folder / "manifest.json").read_text())
    assert [database["name"] for database in manifest["databases"]] == ["few.idx", "club.idx"]
    assert len({database["folder"] for database in manifest["databases"]}) == 2


# Hosts.


def test_a_host_without_ranges_gets_small_files(index: Path, tmp_path: Path, plain, visit_to) -> None:
    folder = publish(tmp_path / "site", "--no-ranges", index)
    visit = visit_to(plain(folder))
    page = visit.open("#play=e2e4,c7c5")
    assert sorted(rows(page)) == sorted(expected_rows(index, "e2e4 c7c5"))
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game")).to_be_visible()
    visit.check()


def test_a_host_without_ranges_sends_small_files_whole(site: Path, index: Path, plain, visit_to) -> None:
    page = visit_to(plain(site)).open("#play=e2e4")
    assert sorted(rows(page)) == sorted(expected_rows(index, "e2e4"))


def test_a_host_without_ranges_is_told_if_files_are_large(site: Path, tmp_path: Path, plain, visit_to) -> None:
    folder = shutil.copytree(site, tmp_path / "large")
    manifest = json.loads((folder / "manifest.json").read_text())
    for shard in manifest["databases"][0]["positionBlocks"]["files"]:
        shard["bytes"] = 20_000_000
    (folder / "manifest.json").write_text(json.dumps(manifest))
    page = visit_to(plain(folder))
    page.page.goto(f"{page.server}/")
    expect_trouble(page.page, "--no-ranges")
    page.complaints.clear()


# Damage.


def data_file(folder: Path, name: str) -> Path:
    return next(folder.glob(f"data/*/{name}"))


def flip(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 0x55
    file.write_bytes(content)


def damage_all(folder: Path) -> None:
    """Damages the middle of every block of positions."""
    directory = json.loads(gzip.decompress(data_file(folder, "positions-directory-000.bin").read_bytes()))
    start = 0
    for length in directory["lengths"]:
        flip(data_file(folder, "positions-000.bin"), start + length // 2)
        start += length


def shorten(folder: Path) -> None:
    file = data_file(folder, "positions-000.bin")
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 50])


def from_another_build(folder: Path) -> None:
    """Puts blocks of another build, of the same length, in the place of those of this one."""
    file = data_file(folder, "positions-000.bin")
    directory = json.loads(gzip.decompress(data_file(folder, "positions-directory-000.bin").read_bytes()))
    blocks, start = [], 0
    for length in directory["lengths"]:
        text = gzip.decompress(file.read_bytes()[start : start + length]).decode()
        start += length
        other = re.sub(r'"site":"\w+"', '"site":"0123456789abcdef"', text)
        blocks.append(gzip.compress(other.encode(), 9, mtime=0))
        directory["lengths"][len(blocks) - 1] = len(blocks[-1])
    file.write_bytes(b"".join(blocks))
    data_file(folder, "positions-directory-000.bin").write_bytes(gzip.compress(json.dumps(directory).encode()))
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["databases"][0]["positionBlocks"]["files"][0]["bytes"] = file.stat().st_size
    (folder / "manifest.json").write_text(json.dumps(manifest))


def swap_blocks(folder: Path) -> None:
    """Puts each block in the place of another one by turning the directory round."""
    file = data_file(folder, "positions-000.bin")
    directory = json.loads(gzip.decompress(data_file(folder, "positions-directory-000.bin").read_bytes()))
    blocks, start = [], 0
    for length in directory["lengths"]:
        blocks.append(file.read_bytes()[start : start + length])
        start += length
    file.write_bytes(b"".join(reversed(blocks)))
    directory["lengths"].reverse()
    data_file(folder, "positions-directory-000.bin").write_bytes(gzip.compress(json.dumps(directory).encode()))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (damage_all, "damaged"),
        (shorten, "too short"),
        (from_another_build, "another build"),
        (swap_blocks, "another build"),
        (lambda folder: data_file(folder, "positions-000.bin").unlink(), "missing"),
        (lambda folder: data_file(folder, "positions-directory-000.bin").unlink(), "missing"),
        (lambda folder: flip(data_file(folder, "positions-directory-000.bin"), 60), "damaged"),
        (lambda folder: (folder / "manifest.json").write_text('{"format": 1, "databases": ['), "damaged"),
        (lambda folder: (folder / "manifest.json").unlink(), "404"),
    ],
    ids=[
        "damaged",
        "short",
        "another build",
        "swapped",
        "missing",
        "no directory",
        "bad directory",
        "cut",
        "no manifest",
    ],
)
def test_a_damaged_or_half_uploaded_site_is_told(
    site: Path, tmp_path: Path, nginx, visit_to, change: Callable[[Path], object], message: str
) -> None:
    folder = shutil.copytree(site, tmp_path / "site")
    # A changed site is told by the command, too.
    change(folder)
    visit = visit_to(nginx(folder))
    visit.page.goto(f"{visit.server}/")
    expect_trouble(visit.page, message)
    # The browser logs missing files, and the page the fault.
    visit.complaints.clear()
    checked = subprocess.run([COMMAND, "site", "--check", folder], capture_output=True, text=True, check=False)
    assert checked.returncode == 2, checked


# Without a network, and on a slow one.


def test_the_page_works_without_a_network(site: Path, nginx, visit_to) -> None:
    visit = visit_to(nginx(site))
    page = visit.open("#play=e2e4")
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game")).to_be_visible()
    game = page.url
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.goto(f"{visit.server}/")
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    before = rows(page)
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    assert rows(page) == before
    page.goto(game)
    expect(page.locator("#game")).to_be_visible()
    # In a position that was not seen, moves are played, and it is told that there is no network.
    page.goto(f"{visit.server}/#play=h2h3,h7h6,a2a3,a7a6,g2g3")
    page.reload()
    expect(page.locator("#trouble")).to_contain_text("There is no network")
    expect(page.locator("#counts")).to_contain_text("There is no network")
    expect(page.locator("#line .move")).to_have_text(["1.h3", "h6", "2.a3", "a6", "3.g3"])
    page.locator('[data-square="b7"]').click()
    page.locator('[data-square="b5"]').click()
    expect(page.locator('#line [aria-current="step"]')).to_have_text("b5")
    expect(page.locator('[data-square="b5"]')).to_have_attribute("data-piece", "bP")
    assert page.locator('[data-square="b5"] use').evaluate("(use) => use.getBBox().width") > 0
    # A game that was not loaded leaves the moves of its address.
    page.goto(f"{visit.server}/#play=e2e4,c7c5&game=000000e1")
    page.reload()
    expect(page.locator("#text-fault")).to_contain_text("There is no network")
    expect(page.locator('#line [aria-current="step"]')).to_have_text("c5")
    page.context.set_offline(False)
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    visit.complaints.clear()


def test_a_missing_game_leaves_the_moves_of_its_address(site: Path, nginx, visit_to) -> None:
    page = visit_to(nginx(site)).open("#play=e2e4,c7c5&game=zzzzzzzz")
    expect(page.locator("#text-fault")).to_contain_text("this game is not on the site")
    expect(page.locator('#line [aria-current="step"]')).to_have_text("c5")
    expect(page.locator('[data-square="c5"]')).to_have_attribute("data-piece", "bP")


def test_the_bar_of_results_takes_its_place_on_a_phone(site: Path, nginx, visit_to) -> None:
    page = visit_to(nginx(site), viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True).open()
    left = """() => {
        const row = document.querySelector("#moves tbody tr");
        // The widths of the texts of the other cells, and the room that is left beside them.
        const others = [...row.cells].filter((cell) => !cell.matches(".outcome") && cell.checkVisibility());
        const range = document.createRange();
        const text = others.map((cell) => (range.selectNodeContents(cell), range.getBoundingClientRect().width));
        return row.offsetWidth - text.reduce((sum, width) => sum + width, 0);
    }"""
    bar = page.locator("#moves tbody .bar").first.bounding_box()
    assert bar and bar["width"] > 0.6 * page.evaluate(left)


# Plays the first move of the table, and returns the milliseconds until its answer is shown.
PLAY_FIRST_MOVE = """async () => {
    const answers = document.getElementById("answers");
    const begun = performance.now();
    const shown = new Promise((resolve) => {
        new MutationObserver(() => answers.getAttribute("aria-busy") === "false" && resolve()).observe(answers, { attributes: true });
    });
    document.querySelector("#moves tbody a").click();
    await shown;
    return performance.now() - begun;
}"""


def test_a_position_takes_two_requests_and_little_time(site: Path, nginx, browser: Browser) -> None:
    """On a link of 10 Mbit/s with a delay of 50 ms. The limit for the time is generous, because machines are busy."""
    context = browser.new_context(service_workers="block", reduced_motion="reduce")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    page.goto(f"{nginx(site)}/")
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    link = {"offline": False, "latency": 50, "downloadThroughput": 10e6 / 8, "uploadThroughput": 10e6 / 8}
    session.send("Network.emulateNetworkConditions", link)
    asked: list[str] = []
    sizes: list[int] = []
    page.on("request", lambda request: asked.append(request.url))
    session.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    times = []
    for _ in range(10):
        asked.clear()
        sizes.clear()
        times.append(page.evaluate(PLAY_FIRST_MOVE))
        assert len(asked) <= 2, asked
        assert sum(sizes) <= 100_000
    context.close()
    print(f"a position: {sorted(times)[len(times) // 2]:.0f} ms in the middle, {max(times):.0f} ms at most")
    assert sorted(times)[len(times) // 2] < 1000


# The guide.


def test_the_commands_of_the_guide_write_a_site(tmp_path: Path, plain, visit_to) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(ROOT / "fixtures/games/lichess_2012.pgn", tmp_path / "games")
    guide = (ROOT / "docs/publish.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sh needs=server\n(.*?)```", guide, re.DOTALL)
    for line in block.splitlines():
        name, *words = shlex.split(line)
        assert name == "pgn2fen"
        # Here, the page is not beside the program.
        words += ["--page", str(PAGE)] if words[0] == "site" else []
        subprocess.run([COMMAND, *words], cwd=tmp_path, check=True)
    page = visit_to(plain(tmp_path / "site")).open()
    expect(page.locator("#index")).to_contain_text("Chess club")
    assert sorted(rows(page)) == sorted(expected_rows(tmp_path / "club.idx", "startpos"))


@pytest.mark.skipif(
    "PGN2FEN_PICTURES" not in os.environ, reason="PGN2FEN_PICTURES=1 draws the pictures of the guide again"
)
def test_pictures_of_the_guide(site: Path, nginx, visit_to) -> None:
    visit = visit_to(nginx(site), viewport={"width": 1180, "height": 760})
    path = ROOT / "docs/figures/published.png"
    visit.open("#play=e2e4,c7c5").screenshot(path=path)
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size < 80_000, f"{path} has {path.stat().st_size} bytes"
