"""Pages on paper: each of them is printed to a PDF in Chromium, which must have every text of the page."""

import io
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, Visit, one_in
from playwright.sync_api import Page, expect
from pypdf import PdfReader

GAMES = ROOT / "fixtures/games"
TOURNAMENTS = GAMES / "tournaments_2020.pgn"

# The texts of the page or of a part of it, but for those of pictures and those that only screen readers read.
TEXTS = """(part) => {
  const texts = [], walker = document.createTreeWalker(document.querySelector(part), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (!parentElement.closest("svg, style, script, .unseen, [hidden]") && data.trim()) texts.push(data);
  }
  return texts;
}"""


def squeezed(text: str) -> str:
    """The text without white space and ligatures, because lines are broken on paper."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def printed(page: Page) -> PdfReader:
    return PdfReader(io.BytesIO(page.pdf(format="A4")))


def check(page: Page, part: str = "body") -> int:
    """Fails if a text of a page is not on paper as often as on the page. Returns the number of words of the page."""
    # Texts of the page stand between two page breaks, so that each is looked for on each sheet.
    sheets = [squeezed(sheet.extract_text()) for sheet in printed(page).pages]
    texts = page.evaluate(TEXTS, part)
    lost = {}
    for text, count in Counter(map(squeezed, texts)).items():
        if (found := sum(sheet.count(text) for sheet in sheets)) < count:
            lost[text] = (found, count)
    assert not lost, f"{len(lost)} texts are not on paper: {dict(list(lost.items())[:10])}"
    return sum(len(text.split()) for text in texts)


def test_folded_lines_of_a_tree_are_printed(written) -> None:
    page = written("tree", "-q", "--min-games", "2", TOURNAMENTS)
    assert page.locator("details:not([open])").count() > 50
    assert check(page) > 4000


@pytest.mark.parametrize(("games", "least"), one_in(2, [("lichess_2012.pgn", 800), ("tournaments_2020.pgn", 4000)]))
def test_a_comparison_is_printed_with_all_columns(written, games: str, least: int) -> None:
    page = written("games", "-q", "--tree", GAMES / "opening_book.pgn", GAMES / games)
    assert check(page) > least


@pytest.mark.parametrize(("games", "least"), one_in(2, [("1", 60), ("2", 100)]))
def test_a_gallery_is_printed_with_all_boards(written, games: str, least: int) -> None:
    page = written("-q", "-n", games, TOURNAMENTS)
    count = page.locator("figure").count()
    assert count > least
    assert check(page) > count


def test_a_sheet_of_puzzles_is_one_page_and_its_answers_another(written, tmp_path: Path) -> None:
    puzzles = (ROOT / "fixtures/records/puzzles.csv").read_text(encoding="utf-8").splitlines()
    (tmp_path / "twelve.csv").write_text("\n".join([puzzles[0], *(puzzles[1:] * 3)[:12]]), encoding="utf-8")
    page = written("-q", "-p", "0", "--solutions", "--boards-per-page", "12", tmp_path / "twelve.csv")
    assert check(page) > 40
    for format in ("A4", "Letter"):
        sheets = [sheet.extract_text() for sheet in PdfReader(io.BytesIO(page.pdf(format=format))).pages]
        assert len(sheets) == 2, format
        assert sheets[0].count("to move") == 12 and "Solutions" not in sheets[0]
        assert sheets[1].startswith("Solutions") and "Qf8#" in sheets[1]
    # More boards than one page has.
    page = written("-q", "-p", "0", "--numbers", "--boards-per-page", "5", tmp_path / "twelve.csv")
    counts = [sheet.extract_text().count("to move") for sheet in printed(page).pages]
    assert counts == [5, 5, 2]


def test_starting_positions_are_printed(written) -> None:
    assert check(written("starts", "-q", GAMES / "fischer_random_2018.pgn")) > 10


def test_answers_of_an_index_are_printed(written, index_folder: Path) -> None:
    for shape in ([], ["-M"]):
        page = written("find", *shape, index_folder, "1. e4 e5")
        assert check(page) > 100


def test_the_explorer_is_printed_with_the_whole_game(visit: Visit) -> None:
    page = visit.open("#play=e2e4")
    page.locator("#games tbody tr").first.click()
    expect(page.locator("#game-tools")).to_be_visible()
    expect(page.locator("#answers")).to_have_attribute("aria-busy", "false")
    assert page.locator("#game-tools details").get_attribute("open") is None
    moves = page.locator("#line .san").count()
    assert moves > 40
    assert check(page, "#path") > moves
    assert check(page, "#tag-list") > 10
    assert check(page, "#games") > 10
