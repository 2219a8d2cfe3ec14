"""The page of the explorer with an index that has games of variants."""

from collections.abc import Iterator

import pytest
from conftest import ROOT, Visit, run, serving
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("variants") / "games.idx"
    files = [ROOT / "fixtures/variants" / f"{name}.pgn" for name in ("crazyhouse", "three_check", "horde", "atomic")]
    run("index", "-q", "--exit-zero", "-o", folder, *files, ROOT / "fixtures/games/tournaments_2020.pgn")
    with serving(folder) as address:
        yield address


def test_a_variant_is_chosen_and_men_in_hand_are_dropped(visit: Visit) -> None:
    page = visit.open()
    expect(page.locator(".hand.near")).to_be_hidden()
    page.locator('[name="variant"]').select_option("crazyhouse")
    expect(page.locator("#opening")).to_have_text("Crazyhouse: initial position")
    expect(page.locator("#counts")).to_contain_text("3 games")
    moves = [("e2", "e4"), ("d7", "d6"), ("d1", "h5"), ("c8", "f5"), ("h5", "f5"), ("e7", "e5")]
    for source, target in moves:
        page.locator(f'[data-square="{source}"]').click()
        page.locator(f'[data-square="{target}"]').click()
        expect(page.locator("#answers")).to_have_attribute("aria-busy", "false")
    page.get_by_role("group", name="In the hand of White").get_by_role("button", name="1 bishop").click()
    page.locator('[data-square="d5"]').click()
    expect(page.locator('#line [aria-current="step"]')).to_contain_text("B@d5")
    expect(page.locator("#counts")).to_contain_text("1 game")
    page.locator("#games tbody tr").click()
    expect(page.locator("#game-title")).to_contain_text("python-chess")
    expect(page.locator("#line .end")).to_have_text("1-0")
    # The address has the variant and the game.
    page.reload()
    expect(page.locator('#line [aria-current="step"]')).to_contain_text("B@d5")
    page.go_back()
    expect(page.locator('[data-square="d5"]')).to_have_attribute("data-piece", "wB")


def test_each_variant_begins_with_its_own_position(visit: Visit) -> None:
    page = visit.open("#variant=horde")
    expect(page.locator('[data-square="b5"]')).to_have_attribute("data-piece", "wP")
    expect(page.locator("#opening")).to_have_text("Horde: initial position")
    page.reload()
    expect(page.locator("#opening")).to_have_text("Horde: initial position")
    page.locator('[name="variant"]').select_option("threeCheck")
    expect(page.locator(".hand.near")).to_have_text("Checks of White: 0")
    # In the same position, other moves are legal: a king of atomic chess may not capture.
    fen = "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1"
    visit.open(f"#fen={fen}".replace(" ", "+"))
    target = page.locator('[data-square="d2"]')
    page.locator('[data-square="e1"]').click()
    expect(target).to_have_class("square dark target")
    page.locator('[name="variant"]').select_option("atomic")
    expect(page.locator('[data-square="e1"]')).to_have_attribute("data-piece", "wK")
    expect(page.locator("#opening")).to_have_text("Atomic: initial position")
    visit.open(f"#fen={fen}&variant=atomic".replace(" ", "+"))
    expect(page.locator("#opening")).to_have_text("Atomic: unnamed position")
    page.locator('[data-square="e1"]').click()
    expect(target).to_have_class("square dark")
    page.locator('[name="variant"]').select_option("")
    expect(page.locator("#opening")).to_have_text("Initial position")
