"""Pages that the command writes, on screens of several widths."""

from pathlib import Path

import pytest
from conftest import ROOT

STARTS = ROOT / "fixtures/starts/mixed.pgn"


@pytest.mark.parametrize(("width", "least", "most"), [(390, 150, 200), (1100, 300, 340), (1920, 300, 340)])
def test_a_page_of_few_boards_has_large_ones_where_there_is_space(written, width: int, least: int, most: int) -> None:
    page = written("starts", "-q", "--exit-zero", STARTS)
    page.set_viewport_size({"width": width, "height": 800})
    widths = page.locator("figure > svg").evaluate_all("all => all.map((board) => board.getBoundingClientRect().width)")
    assert len(widths) == 3 and all(least < board < most for board in widths), widths
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_chosen_number_of_boards_in_a_row_is_kept(written) -> None:
    page = written("starts", "-q", "--exit-zero", "--boards-per-row", "2", STARTS)
    page.set_viewport_size({"width": 1920, "height": 800})
    assert page.locator("figure > svg").first.bounding_box()["width"] > 700


@pytest.mark.parametrize(("width", "is_beside"), [(390, False), (1100, True), (1920, True)])
def test_games_of_an_answer_stand_beside_its_board(written, index_folder: Path, width: int, is_beside: bool) -> None:
    page = written("find", index_folder, "1. e4 e5")
    page.set_viewport_size({"width": width, "height": 800})
    board, games = page.locator(".boards").bounding_box(), page.locator(".hits").bounding_box()
    assert (games["x"] > board["x"] + board["width"]) == is_beside
    assert page.evaluate("document.documentElement.scrollWidth") <= width
