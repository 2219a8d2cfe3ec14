"""The page of the explorer in a real browser."""

import csv
import json
import os
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import FLAGS, ROOT, WHOLE_BROWSER, Visit, one_in, run
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, Route, expect

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}


def square(page: Page, name: str) -> Locator:
    return page.locator(f'#board [data-square="{name}"]')


def drag(page: Page, start: str, end: str) -> None:
    for name, press in ((start, page.mouse.down), (end, page.mouse.up)):
        square(page, name).scroll_into_view_if_needed()
        box = square(page, name).bounding_box()
        assert box
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        press()


def click(page: Page, *names: str) -> None:
    for name in names:
        square(page, name).click()


def expect_line(page: Page, moves: str) -> None:
    """Expects the moves that have been played on the board, as SAN."""
    played = page.locator("#line .played .san")
    expect(played).to_have_text(moves.split())
    expect_answer(page)


def expect_answer(page: Page) -> None:
    """Expects that the tables are those of the position that is shown."""
    expect(page.locator("#answers")).to_have_attribute("aria-busy", "false")


def expect_piece(page: Page, name: str, piece: str) -> None:
    expect(square(page, name)).to_have_accessible_name(re.compile(f"^{name}, {piece}"))


def rows(page: Page) -> list[tuple[str, int]]:
    """The table of moves: SAN and the number of games."""
    texts = page.locator("#moves tbody tr").all()
    return [(row.locator("th").inner_text(), int(row.locator("td span").first.inner_text())) for row in texts]


def moves_in_index(folder: Path, position: str, *options: str) -> list[dict[str, str]]:
    """The table of moves as the command prints it. A row without a move counts the games that end in the position."""
    table = list(csv.DictReader(run("find", "-M", "-f", "csv", *options, folder, position).splitlines()))
    return [row for row in table if row["san"]]


def games_in_index(folder: Path, position: str, *options: str) -> int:
    done = run("find", "-c", "--no-header", *options, folder, position)
    return int(done.split("\t")[1])


# Moves.


def test_the_table_shows_what_find_prints(visit: Visit, index_folder: Path) -> None:
    page = visit.open()
    expected = moves_in_index(index_folder, "startpos")
    assert rows(page) == [(row["san"], int(row["games"])) for row in expected]
    for row, shown in zip(expected, page.locator("#moves tbody tr").all(), strict=True):
        results = [int(row[name]) for name in ("white", "draws", "black")]
        text = shown.locator(".results .unseen").inner_text()
        shares = [int(number) for number in re.findall(r"(\d+)%", text)]
        assert sum(shares) == 100
        assert all(abs(share - 100 * result / sum(results)) < 1 for share, result in zip(shares, results, strict=True))
        assert shown.locator("td.number:not(.performance)").nth(2).inner_text() == row["avg_elo"]
        assert shown.locator("td.number:not(.performance)").nth(3).inner_text() == row["last_date"][:4]
    expect(page.locator("#moves tfoot td span").first).to_have_text(str(sum(int(row["games"]) for row in expected)))
    expect(page.locator("#board .piece")).to_have_count(32)
    sizes = page.locator("#board use").evaluate_all(
        "all => all.map((use) => use.getBBox().width * use.getBBox().height)"
    )
    assert len(sizes) == 32
    assert min(sizes) > 0
    expect(page.locator("#index")).to_contain_text("games.idx")


def test_pieces_are_dragged(visit: Visit) -> None:
    page = visit.open()
    drag(page, "e2", "e4")
    expect_line(page, "e4")
    drag(page, "c7", "c5")
    expect_line(page, "e4 c5")
    assert page.url.endswith("#play=e2e4,c7c5")
    expect(page.locator("#board .last")).to_have_count(2)
    # Dropped on a square that it cannot reach, or outside of the board, a piece returns.
    drag(page, "g1", "g5")
    expect_piece(page, "g1", "white knight")
    expect_line(page, "e4 c5")
    page.keyboard.press("Escape")
    drag(page, "g1", "f3")
    expect_line(page, "e4 c5 Nf3")


def test_a_piece_is_clicked_and_then_its_target(visit: Visit) -> None:
    page = visit.open()
    click(page, "g1")
    expect(page.locator("#board .target")).to_have_count(2)
    click(page, "g1")
    expect(page.locator("#board .target")).to_have_count(0)
    click(page, "g1", "b1", "c3")
    expect_line(page, "Nc3")
    # The other side is to move.
    click(page, "e2")
    expect(page.locator("#board .selected")).to_have_count(0)


def test_moves_are_played_with_keys_alone(visit: Visit) -> None:
    page = visit.open()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the board")).to_be_focused()
    page.keyboard.press("Enter")
    expect(square(page, "e2")).to_be_focused()
    for key in ("Enter", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect_line(page, "e4")
    expect(square(page, "e4")).to_be_focused()
    expect_piece(page, "e4", "white pawn")
    # Escape lets a piece go; with no piece taken, the keys only move the focus.
    for key in ("ArrowUp", "ArrowUp", "ArrowUp", "Enter", "Escape", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect_line(page, "e4")
    expect(page.locator('#board [tabindex="0"]')).to_have_count(1)


@pytest.mark.parametrize("options", [PHONE])
def test_pieces_are_tapped_on_a_phone(visit: Visit) -> None:
    page = visit.open()
    for start, end, moves in (("d2", "d4", "d4"), ("d7", "d5", "d4 d5")):
        square(page, start).tap()
        square(page, end).tap()
        expect_line(page, moves)


def test_a_promotion_asks_for_the_piece(visit: Visit) -> None:
    page = visit.open("#fen=8/P6k/8/8/8/8/6p1/K7 w - - 0 1")
    drag(page, "a7", "a8")
    dialog = page.get_by_role("dialog", name="Promote the pawn to")
    for name in ("queen", "knight", "rook", "bishop"):
        expect(dialog.get_by_role("button", name=name)).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect_piece(page, "a7", "white pawn")
    click(page, "a7", "a8")
    dialog.get_by_role("button", name="knight").click()
    expect_line(page, "a8=N")
    expect_piece(page, "a8", "white knight")
    # The queen has the focus.
    click(page, "g2", "g1")
    page.keyboard.press("Enter")
    expect_line(page, "a8=N g1=Q+")
    expect(page.locator("#board .check")).to_have_attribute("data-square", "a1")


@pytest.mark.parametrize(
    ("fen", "king", "target", "san", "expected"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "g1", "O-O", {"g1": "king", "f1": "rook"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "h1", "O-O", {"g1": "king", "f1": "rook"}),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "a1", "O-O-O", {"c1": "king", "d1": "rook"}),
        # In Chess960, the king may be on its target already, or reach it with a step, too.
        ("6k1/8/8/8/8/8/8/6KR w H - 0 1", "g1", "h1", "O-O", {"g1": "king", "f1": "rook"}),
        ("6k1/8/8/8/8/8/8/5K1R w H - 0 1", "f1", "g1", "Kg1", {"g1": "king", "h1": "rook"}),
        ("6k1/8/8/8/8/8/8/5K1R w H - 0 1", "f1", "h1", "O-O", {"g1": "king", "f1": "rook"}),
    ],
)
@pytest.mark.parametrize("how", [drag, click])
def test_castling(visit: Visit, how, fen: str, king: str, target: str, san: str, expected: dict[str, str]) -> None:
    page = visit.open(f"#fen={fen}")
    how(page, king, target)
    played = page.locator("#line .played .san")
    expect(played).to_have_text(re.compile(re.escape(san)))
    for name, piece in expected.items():
        expect_piece(page, name, f"white {piece}")


def test_a_click_on_the_table_plays_the_move_and_the_pointer_shows_it(visit: Visit) -> None:
    page = visit.open()
    row = page.locator("#moves tbody tr").filter(has=page.get_by_role("link", name="d4", exact=True))
    row.hover()
    expect(page.locator("#board .arrows polygon")).to_have_count(1)
    page.get_by_role("heading", name="Opening explorer").hover()
    expect(page.locator("#board .arrows polygon")).to_have_count(0)
    row.locator("td").last.click()
    expect_line(page, "d4")
    # With the keyboard, the move is a link.
    page.locator("#moves tbody a").first.focus()
    expect(page.locator("#board .arrows polygon")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#line .played")).to_have_count(2)
    # A key does nothing until the answer is there. Then the focus is still in the table: key after key follows the main line.
    expect_answer(page)
    expect(page.locator("#moves tbody a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#line .played")).to_have_count(3)


def test_keys_step_through_the_line(visit: Visit) -> None:
    page = visit.open("#play=e2e4,c7c5,g1f3")
    expect_line(page, "e4 c5 Nf3")
    for key, moves in (
        ("ArrowLeft", "e4 c5"),
        ("Home", ""),
        ("ArrowLeft", ""),
        ("ArrowRight", "e4"),
        ("End", "e4 c5 Nf3"),
        ("ArrowRight", "e4 c5 Nf3"),
    ):
        page.keyboard.press(key)
        expect_line(page, moves)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#line .ahead .san")).to_have_text("Nf3")
    # The next move of the line is a step. Another one is a branch, and the old line stays.
    drag(page, "g1", "f3")
    expect_line(page, "e4 c5 Nf3")
    page.keyboard.press("Home")
    drag(page, "d2", "d4")
    expect_line(page, "d4")
    expect(page.locator("#line .ahead")).to_have_count(0)
    expect(page.locator("#line")).to_have_text(
        re.compile(r"^Start 1\.e4 \(1\.d4\) c5 2\.Nf3$|^Start 1\.e4 \(1\.d4\) 1…c5 2\.Nf3$")
    )
    page.locator("#line a", has_text="Nf3").click()
    expect_line(page, "e4 c5 Nf3")
    page.locator("#line a", has_text="d4").click()
    expect_line(page, "d4")
    # The button for a new beginning forgets them.
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.locator("#line .move")).to_have_count(0)


def test_the_wheel_over_the_board_steps_through_the_line(visit: Visit) -> None:
    page = visit.open("#play=e2e4&next=c7c5")
    square(page, "d4").hover()
    page.mouse.wheel(0, 100)
    expect_line(page, "e4 c5")
    page.mouse.wheel(0, -100)
    expect_line(page, "e4")
    page.mouse.wheel(0, -100)
    expect_line(page, "")
    assert page.evaluate("scrollY") == 0


def test_the_right_button_draws_arrows_and_circles(visit: Visit) -> None:
    page = visit.open()
    drawn = page.locator("#board .arrows > *")

    def draw(start: str, end: str) -> None:
        square(page, start).hover()
        page.mouse.down(button="right")
        square(page, end).hover()
        page.mouse.up(button="right")

    draw("e2", "e4")
    draw("d4", "d4")
    expect(page.locator("#board .arrows polygon")).to_have_count(1)
    expect(page.locator("#board .arrows circle")).to_have_count(1)
    draw("e2", "e4")
    expect(drawn).to_have_count(1)
    click(page, "a5")
    expect(drawn).to_have_count(0)
    draw("e2", "e4")
    drag(page, "d2", "d4")
    expect(drawn).to_have_count(0)


def test_the_piece_moves_before_the_server_answers(visit: Visit) -> None:
    page = visit.open()
    held: list[Route] = []
    page.route("**/api/explore**", lambda route: held.append(route))
    # The second move is in no game: its position is known from the answer before.
    page.locator("#moves tbody a").first.click()
    expect_piece(page, "e4", "white pawn")
    expect(page.locator("#answers")).to_have_attribute("aria-busy", "true")
    assert len(held) == 1
    # The table is that of the position before: a click on it plays nothing, and the pointer shows nothing.
    page.locator("#moves tbody a").nth(1).click()
    assert len(held) == 1
    page.locator("#moves tbody tr").nth(2).hover()
    expect(page.locator("#board .arrows polygon")).to_have_count(0)
    held.pop().continue_()
    expect_answer(page)
    drag(page, "b8", "a6")
    expect_piece(page, "a6", "black knight")
    expect(page.locator("#line .played .san")).to_have_text(["e4", "Na6"])
    expect(page.get_by_label("FEN or moves")).to_have_value(re.compile("^r1bqkbnr/pppppppp/n7/"))
    held.pop().continue_()
    expect_line(page, "e4 Na6")


def test_the_board_is_seen_from_the_other_side(visit: Visit) -> None:
    page = visit.open()
    first = page.locator("#board .square").first
    expect(first).to_have_attribute("data-square", "a8")
    page.keyboard.press("f")
    expect(first).to_have_attribute("data-square", "h1")
    expect(page.get_by_role("button", name="Flip")).to_have_attribute("aria-pressed", "true")
    drag(page, "e2", "e4")
    expect_line(page, "e4")
    page.reload()
    expect(first).to_have_attribute("data-square", "h1")
    expect_line(page, "e4")


# Filters.


def test_filters_leave_the_games_that_find_counts(visit: Visit, index_folder: Path) -> None:
    page = visit.open()
    everything = rows(page)
    page.get_by_label("Tags, one filter on each line").fill("White~carlsen\nEvent~Prelim")
    page.get_by_role("button", name="Apply").click()
    filters = ("-t", "White~carlsen", "-t", "Event~Prelim")
    expected = moves_in_index(index_folder, "startpos", *filters)
    expect(page.locator("#moves tbody tr")).to_have_count(len(expected))
    assert rows(page) == [(row["san"], int(row["games"])) for row in expected]
    number = games_in_index(index_folder, "startpos", *filters)
    expect(page.locator("#passing")).to_have_text(f"{number} games here")
    expect(page.locator("#filter-count")).to_have_text("(1 in use)")
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#moves tbody tr")).to_have_count(len(everything))
    assert rows(page) == everything
    assert "tags" not in page.url


def test_years_players_colours_and_results_are_filters(visit: Visit, index_folder: Path) -> None:
    page = visit.open()

    def expect_games(*filters: str) -> None:
        options = [option for text in filters for option in ("-t", text)]
        number = games_in_index(index_folder, "startpos", *options)
        assert number > 1
        expect(page.locator("#passing")).to_have_text(f"{number} games here")

    page.get_by_role("combobox", name="Player", exact=True).fill("carlsen")
    page.get_by_label("Player's colour").select_option("black")
    expect_games("Black~carlsen")
    page.get_by_label("Result").select_option("0-1")
    expect_games("Black~carlsen", "Result=0-1")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("group", name="Years").get_by_label("from").fill("2020")
    page.keyboard.press("Enter")
    expect_games("Date>=2020")
    page.get_by_role("group", name="Years").get_by_label("to").fill("2019")
    page.keyboard.press("Enter")
    # No game is both, or the server says that the years are the wrong way round.
    expect(page.locator("#moves tbody tr")).to_have_count(0)
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("group", name="Average rating").get_by_label("from").fill("2700")
    page.keyboard.press("Enter")
    expect(page.locator("#passing")).to_have_text(re.compile(r"^\d+ games here$"))
    for row in page.locator("#games tbody tr").all():
        ratings = [
            int(text)
            for text in re.findall(r"\b\d{4}\b", row.locator("th").inner_text() + row.locator("td").first.inner_text())
        ]
        assert sum(ratings) / len(ratings) >= 2700


def test_a_colour_needs_a_player(visit: Visit) -> None:
    page = visit.open("#player=carlsen&color=black")
    player, color = page.get_by_role("combobox", name="Player", exact=True), page.get_by_label("Player's colour")
    expect(page.locator("#filter-count")).to_have_text("(2 in use)")
    player.fill("")
    expect(color).to_be_disabled()
    player.press("Enter")
    expect(page.locator("#filter-count")).to_be_empty()
    expect(color).to_have_value("")
    expect(page.locator("#filter-fault")).to_be_hidden()
    assert "color" not in page.url
    player.fill("carlsen")
    expect(color).to_be_enabled()
    color.select_option("white")
    expect(page.locator("#whose")).to_have_text("What carlsen plays as White.")
    # An address with nothing but a colour has no filter.
    visit.open("#color=black")
    expect(page.locator("#filter-fault")).to_be_hidden()
    expect(page.locator("#moves tbody tr").first).to_be_visible()


def test_a_wrong_filter_is_explained_and_play_goes_on(visit: Visit) -> None:
    page = visit.open()
    page.get_by_label("Tags, one filter on each line").fill("hello")
    page.get_by_role("button", name="Apply").click()
    fault = page.locator("#filter-fault")
    expect(fault).to_be_visible()
    expect(fault).to_contain_text(re.compile("^The filters are not applied.\nTags: ", re.DOTALL))
    expect(fault).to_contain_text("hello")
    expect(page.get_by_label("Tags, one filter on each line")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#moves tbody tr")).to_have_count(0)
    drag(page, "e2", "e4")
    expect_line(page, "e4")
    expect(fault).to_be_visible()
    page.get_by_label("Tags, one filter on each line").fill("White~carlsen")
    page.get_by_role("button", name="Apply").click()
    expect(fault).to_be_hidden()
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    assert visit.refused


@pytest.mark.parametrize(
    ("filters", "reason"),
    [
        ("minRating=2400&maxRating=2000", "Average rating from: it is greater than “Average rating to”"),
        ("since=2021&until=2020", "Years from: it is later than “Years to”"),
    ],
)
def test_a_wrong_filter_is_explained_by_the_names_of_its_fields(visit: Visit, filters: str, reason: str) -> None:
    page = visit.open(f"#{filters}")
    expect(page.locator("#filter-fault")).to_have_text(f"The filters are not applied.\n{reason}")


# Games.


def test_a_game_is_played_over_on_the_board(visit: Visit, server: str) -> None:
    page = visit.open("#play=e2e4,c7c5")
    row = page.locator("#games tbody tr").first
    white = row.locator("th a").evaluate("node => node.firstChild.textContent")
    row.locator("td").first.click()
    title = page.locator("#game-title")
    expect(title).to_contain_text(white)
    # It opens at the position that was asked for.
    expect_line(page, "e4 c5")
    number = re.search(r"#game=(\w+)&ply=2$", page.url)
    assert number
    pgn = page.request.get(f"{server}/masters/pgn/{number[1]}").text()
    assert f'[White "{white}' in pgn
    plies = page.locator("#line :is(.played, .ahead) .san")
    movetext = re.sub(r"\{[^}]*\}|\d+\.+|1-0|0-1|1/2-1/2|\*", " ", pgn.split("\n\n")[1])
    assert plies.all_inner_texts() == movetext.split()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#line .played")).to_have_count(3)
    page.keyboard.press("End")
    expect(page.locator("#line .ahead")).to_have_count(0)
    page.get_by_text("Tags", exact=True).click()
    expect(page.locator("#tag-list dt").first).to_have_text("Event")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PGN").click()
    assert Path(download.value.path()).read_text() == pgn
    assert download.value.suggested_filename.endswith(".pgn")
    # Another move is a variation, and the game stays.
    page.keyboard.press("Home")
    drag(page, "b2", "b3")
    expect_line(page, "b3")
    expect(title).to_be_visible()
    expect(page.locator("#line .tried")).to_have_text("1.b3")
    page.reload()
    expect_line(page, "b3")
    expect(page.locator("#line .tried")).to_have_text("1.b3")
    page.go_back()
    expect(page.locator("#line .turn .move").first).to_have_accessible_name("1. e4")
    page.get_by_role("button", name="Close game").click()
    expect(title).to_be_hidden()
    expect_line(page, "e4 c5")


def open_annotated(visit: Visit) -> Page:
    page = visit.open("#play=h2h4,h7h5,a2a4")
    page.get_by_role("link", name="Annotator").click()
    expect(page.locator("#game-title")).to_be_visible()
    # Until the answer is there, the tables are pale.
    expect_answer(page)
    return page


def test_a_game_shows_what_is_written_in_it(visit: Visit) -> None:
    page = open_annotated(visit)
    line = page.locator("#line")
    expect(page.locator("#game-title .result")).to_have_text("½-½")
    expect(line.locator(".end")).to_have_text("½-½")
    expect(line.get_by_text("Before the game.")).to_have_count(1)
    first = line.locator(".turn .move").first
    expect(first).to_have_accessible_name("1. h4, dubious move, evaluation -0.50, clock 1:30:00")
    expect(first.locator(".glyph")).to_have_text("?!")
    expect(line.locator(".variation").first).to_have_text(re.compile(r"1\.e4.*Better\..*e5.*\(.*1…c5.*\)", re.DOTALL))
    # A move of a variation is a place as others, and an address.
    line.locator(".variation a", has_text="c5").click()
    expect_line(page, "e4 c5")
    expect(page.get_by_role("status")).to_contain_text("1… c5. ")
    page.reload()
    expect_line(page, "e4 c5")
    expect(page.locator("#game-title")).to_contain_text("Annotator")
    # The address of the game is a short link, and the event has none.
    expect(page.locator("#game-place")).to_have_text("Rated game · 2020.01.01 · lichess.org/abcdefgh")
    expect(page.locator("#game-place a")).to_have_attribute("href", "https://lichess.org/abcdefgh")
    expect(page.locator("#games td.roomy", has_text="http")).to_have_count(0)


def test_the_moves_of_a_game_scroll_in_their_box_by_whole_lines(visit: Visit) -> None:
    page = visit.open("#play=e2e4,c7c5")
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game-title")).to_be_visible()
    page.evaluate("scrollTo(0, 0)")
    for key in ["ArrowRight"] * 30 + ["End"]:
        page.keyboard.press(key)
        where = page.evaluate(
            """() => {
              const box = document.getElementById("line");
              const [outer, inner] = [box, box.querySelector("[aria-current]")].map((node) => node.getBoundingClientRect());
              const unit = parseFloat(getComputedStyle(box).lineHeight);
              return { scrolled: scrollY, above: outer.top - inner.top, below: inner.bottom - outer.bottom,
                       cut: [box.scrollTop % unit, box.clientHeight % unit] };
            }"""
        )
        assert where["scrolled"] == 0
        assert where["above"] <= 0.5
        assert where["below"] <= 0.5
        if key != "End":
            assert all(min(rest, 28 - rest) < 1 for rest in where["cut"]), where
    # A move that comes is not greyer than one that was played.
    page.keyboard.press("Home")
    colors = page.locator("#line .move").evaluate_all("all => [...new Set(all.map((a) => getComputedStyle(a).color))]")
    assert len(colors) == 1


def test_tables_are_sorted_by_their_columns(visit: Visit) -> None:
    page = visit.open()
    usual = rows(page)
    games = page.locator("#moves").get_by_role("button", name="Games")
    games.click()
    assert rows(page) == sorted(usual, key=lambda row: -row[1])
    expect(page.get_by_role("columnheader", name="Games")).to_have_attribute("aria-sort", "descending")
    games.click()
    assert [row[1] for row in rows(page)] == sorted(row[1] for row in usual)
    page.locator("#moves").get_by_role("button", name="Move").click()
    names = [row[0] for row in rows(page)]
    assert names == sorted(names, key=str.casefold)
    page.locator("#games").get_by_role("button", name="Year").click()
    years = page.locator("#games tbody td.number").all_inner_texts()
    assert years == sorted(years, reverse=True)
    assert page.url.endswith("#sort=san&order=year")
    page.reload()
    expect(page.get_by_role("columnheader", name="Move")).to_have_attribute("aria-sort", "ascending")
    # The number of games and their share are two cells.
    cells = page.locator("#moves tbody tr").first.locator("td").all_inner_texts()
    assert re.fullmatch(r"\d+", cells[0])
    assert re.fullmatch(r"(\d+|<1)%", cells[1])


def test_a_table_that_is_sorted_has_the_rows_of_the_last_answer(visit: Visit) -> None:
    page = visit.open()
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("#games tbody tr")).to_have_count(100)
    page.locator("#moves").get_by_role("button", name="Games").click()
    expect(page.locator("#games tbody tr")).to_have_count(100)
    drag(page, "e2", "e4")
    expect_line(page, "e4")
    expected = sorted(rows(page))
    page.locator("#moves").get_by_role("button", name="Move").click()
    assert sorted(rows(page)) == expected


def stub(page: Page, path: str, change) -> None:
    """Changes the answers of a route."""

    def handle(route: Route) -> None:
        answer = route.fetch().json()
        route.fulfill(json=change(answer) or answer)

    page.route(path, handle)


def test_recent_games_stand_beside_the_top_ones(visit: Visit) -> None:
    page = visit.page
    stub(page, "**/api/explore**", lambda answer: answer.update(recent=answer["games"][3:5]))
    visit.open()
    top = page.locator("#games tbody tr")
    expect(top).to_have_count(15)
    third = top.nth(3).inner_text()
    page.get_by_role("button", name="Recent").click()
    expect(top).to_have_count(2)
    assert top.first.inner_text() == third
    expect(page.locator("#games-left")).to_contain_text("latest first")
    assert page.url.endswith("#list=recent")
    page.reload()
    expect(page.get_by_role("button", name="Recent")).to_have_attribute("aria-pressed", "true")
    expect(top).to_have_count(2)


def test_a_player_has_a_view(visit: Visit) -> None:
    page = visit.page

    def perform(answer) -> None:
        answer.update(performance=2801, averageOpponentRating=2650)
        answer["moves"][0]["performance"] = 2790

    stub(page, "**/api/explore**", lambda answer: perform(answer) if answer["moves"] else None)
    players = {"players": [{"name": "Carlsen, Magnus", "games": 7}]}
    page.route("**/api/players?part=carl", lambda route: route.fulfill(json=players))
    visit.open()
    field = page.get_by_role("combobox", name="Player", exact=True)
    field.press_sequentially("carl")
    expect(page.locator("#players option")).to_have_attribute("value", "Carlsen, Magnus")
    field.fill("carlsen")
    page.get_by_label("Player's colour").select_option("black")
    expect(page.locator("#whose")).to_have_text("What is played against carlsen, who is Black.")
    expect(page.locator("#board .square").first).to_have_attribute("data-square", "h1")
    expect(page.locator("#counts")).to_contain_text("Performance 2801 against opponents of 2650 on average.")
    expect(page.locator("#moves tbody td.performance").first).to_have_text("2790")
    page.locator("#moves tbody a").first.click()
    expect(page.locator("#whose")).to_have_text("What carlsen plays as Black.")
    assert "player=carlsen" in page.url


def test_databases_speeds_and_starts_are_those_of_the_index(visit: Visit) -> None:
    page = visit.page
    databases = [{"name": "club", "games": 1200}, {"name": "masters", "games": 3}]
    more = {"databases": databases, "hasSpeeds": True, "starts": 5}
    stub(page, "**/api/index", lambda answer: answer.update(more))
    fen = "bqnb1rkr/pppppppp/5n2/8/8/8/PPPPPPPP/BQNB1RKR w KQkq - 0 1"
    starts = {"total": 1, "starts": [{"fen": fen, "kind": "chess960", "number": 12, "games": 5}]}
    page.route("**/api/starts**", lambda route: route.fulfill(json=starts))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def answer_from_all(route: Route) -> None:
        # The server of the tests has one index, whose name is another.
        route.fulfill(response=route.fetch(url=re.sub(r"database=\w+&?", "", route.request.url)))

    page.route("**/api/explore**", answer_from_all)
    visit.open("#database=masters")
    database = page.get_by_label("Database")
    expect(database).to_have_value("masters")
    expect(database.locator("option")).to_have_text(["all", "club (1,200)", "masters (3)"])
    database.select_option("club")
    page.get_by_label("Blitz").check()
    page.get_by_label("Rapid").check()
    expect_answer(page)
    assert "database=club" in asked[-1]
    assert "speeds=blitz,rapid" in asked[-1]
    assert "speeds=blitz,rapid" in page.url
    page.get_by_text("Other starting positions").click()
    page.get_by_role("button", name=re.compile("^Chess960 12: ")).click()
    expect_piece(page, "a1", "white bishop")
    assert any("/api/starts?database=club" in url for url in asked)


def test_texts_are_copied(visit: Visit, server: str) -> None:
    visit.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = visit.open("#play=e2e4")

    def copied(button: str) -> str:
        page.get_by_role("button", name=button).click()
        expect(page.locator("#status")).to_have_text(f"{button}: copied.")
        return page.evaluate("navigator.clipboard.readText()")

    assert copied("Copy FEN").startswith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq ")
    assert copied("Copy link") == page.url
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game-title")).to_be_visible()
    number = re.search(r"game=(\w+)", page.url)
    assert number
    assert copied("Copy PGN") == page.request.get(f"{server}/masters/pgn/{number[1]}").text()
    # Browsers lend their clipboard to pages of this computer and of HTTPS only. Elsewhere the older way must do.
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Copy FEN").click()
    expect(page.locator("#status")).to_have_text("Copy FEN: copied.")


def test_texts_of_games_are_never_html(visit: Visit) -> None:
    page = visit.open("#play=a2a4,a7a5")
    page.get_by_role("link", name="<img src=x onerror=document.title='hacked'>").click()
    expect(page.locator("#game-title")).to_contain_text("<img src=x")
    expect(page.locator("#game-place")).to_contain_text("<script>")
    expect(page.locator("main img, main script")).to_have_count(0)
    assert "hacked" not in page.title()


# The left ends of the texts of a line, in the order in which they are written.
ENDS = """(node) => {
  const range = document.createRange();
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const ends = [];
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode);
    if (texts.currentNode.data.trim()) ends.push(range.getBoundingClientRect().left);
  }
  return ends;
}"""


def test_names_from_right_to_left_do_not_turn_a_line_round(visit: Visit) -> None:
    page = visit.page
    white, black, event = "כהן דוד", "לוי משה", "אליפות ישראל"

    def rename(answer) -> None:
        for game in answer["games"]:
            game["white"], game["black"] = {"name": white, "rating": 2500}, {"name": black, "rating": 2400}
            game.update(event=event, eco="C42")

    tags = {"White": white, "WhiteElo": "2500", "Black": black, "BlackElo": "2400", "Event": event, "Site": "תל אביב"}
    stub(page, "**/api/explore**", rename)
    stub(page, "**/api/game/*", lambda answer: answer.update(tags=[*tags.items(), ("Date", "2020.01.01")]))
    visit.open(f"#player={white}&play=e2e4")
    expect(page.locator("#whose")).to_have_text(f"The games of {white} with either colour.")
    visit.open("#play=e2e4")
    lines = [page.locator(f"#games tbody tr:first-child > :nth-child({cell})") for cell in (1, 2, 5)]
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game-title")).to_have_text(re.compile(rf"^{white} \(2500\) – {black} \(2400\)\s+\S+$"))
    for line in (*lines, page.locator("#game-title"), page.locator("#game-place")):
        ends = line.evaluate(ENDS)
        assert len(ends) > 1
        assert ends == sorted(ends), line.inner_text()


def test_a_game_with_an_error_is_played_up_to_it(visit: Visit) -> None:
    page = visit.open("#play=a2a4,h7h5")
    page.get_by_role("link", name="Careless").click()
    expect(page.locator("#game-fault")).to_contain_text("This game has an error after 2 plies")
    expect(page.locator("#line .played, #line .ahead")).to_have_count(2)


def test_more_games_are_shown_on_request(visit: Visit) -> None:
    page = visit.open("#play=e2e4")
    expect(page.locator("#games tbody tr")).to_have_count(15)
    page.get_by_role("button", name="Show more").click()
    expect(page.locator("#games tbody tr")).to_have_count(100)
    drag(page, "c7", "c5")
    expect(page.locator("#games tbody tr")).to_have_count(15)


# Positions that are typed, and the address.


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("1. e4 c5 2. Nf3", "e4 c5 Nf3"),
        ("startpos moves d2d4", "d4"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", ""),
        ("1. b3", "b3"),
        ("After 1. e4 e5 White has a choice.", "e4 e5"),
        (
            'Look:\n\n[Event "x"]\n[Site "y"]\n\n1. e4 {[%clk 0:01] ; x} e5 ; why?\n2. Nf3 (2. f4) *\n\nThanks!',
            "e4 e5 Nf3",
        ),
        (f"1. e4 {{{'long ' * 5000}}} e5", "e4 e5"),
    ],
)
def test_a_position_is_typed(visit: Visit, text: str, moves: str) -> None:
    page = visit.open()
    field = page.get_by_label("FEN or moves")
    field.fill(text)
    field.press("Enter")
    expect_line(page, moves)
    if text.startswith("rnbq"):
        expect(page.get_by_role("gridcell", name="e4, white pawn")).to_be_visible()


@pytest.mark.parametrize(
    ("position", "name"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Initial position"),
        ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "Initial position"),
        ("1n2k3/P7/8/8/8/8/7p/4K3 w - - 0 1", "Unnamed position"),
        ("8/8/4k3/8/8/4K3/4P3/8", "Unnamed position"),
        # Without the right to castle, and with Black to move, no game begins.
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "Unnamed position"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "Unnamed position"),
    ],
)
def test_initial_positions_are_those_of_games(visit: Visit, position: str, name: str) -> None:
    page = visit.open("#play=e2e4")
    page.get_by_label("FEN or moves").fill(position)
    page.get_by_label("FEN or moves").press("Enter")
    expect(page.locator("#opening")).to_have_text(name)


def test_a_wrong_position_is_shown_with_its_place(visit: Visit) -> None:
    page = visit.open("#play=d2d4")
    field = page.get_by_label("FEN or moves")
    field.fill("1. e4 Ke6")
    page.get_by_role("button", name="Show", exact=True).click()
    fault = page.locator("#text-fault")
    expect(fault).to_contain_text("cannot reach e6")
    line, carets = fault.inner_text().splitlines()[-2:]
    assert line[carets.index("^") :].startswith("Ke6")
    assert "monospace" in fault.evaluate("node => getComputedStyle(node).fontFamily")
    assert field.input_value() == "1. e4 Ke6"
    expect_line(page, "d4")
    drag(page, "d7", "d5")
    expect_line(page, "d4 d5")
    expect(fault).to_be_hidden()


def test_piece_letters_of_other_languages_are_offered(visit: Visit) -> None:
    page = visit.open()
    field = page.get_by_label("FEN or moves")
    field.fill("1. e4 e5 2. Sf3 Sc6 3. Lb5")
    field.press("Enter")
    expect(page.locator("#text-fault")).to_contain_text("piece letters?")
    expect(page.locator("#text-fault")).not_to_contain_text("--lang")
    expect(page.locator("#text-fault")).not_to_contain_text("lang=")
    letters = page.get_by_role("group", name="Piece letters")
    expect(letters.get_by_role("button")).to_have_text(["German", "Polish", "Swedish", "Danish", "Norwegian"])
    letters.get_by_role("button", name="German").click()
    expect_line(page, "e4 e5 Nf3 Nc6 Bb5")
    expect(letters).to_be_hidden()


def test_a_wrong_address_is_explained(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.server}/#play=e2e4,e2e4")
    expect(page.locator("#text-fault")).to_be_visible()
    page.goto(f"{visit.server}/#game=zzzzzzzz")
    expect(page.locator("#text-fault")).to_contain_text("zzzzzzzz")
    page.get_by_role("button", name="Start", exact=True).click()
    drag(page, "e2", "e4")
    expect_line(page, "e4")


def test_the_browser_goes_back_and_forward(visit: Visit) -> None:
    page = visit.open()
    drag(page, "e2", "e4")
    expect_line(page, "e4")
    drag(page, "e7", "e5")
    expect_line(page, "e4 e5")
    page.go_back()
    expect_line(page, "e4")
    page.go_back()
    expect_line(page, "")
    page.go_forward()
    expect_line(page, "e4")
    page.go_forward()
    expect_line(page, "e4 e5")
    # Steps in a row are one entry of the history.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect_line(page, "")
    page.go_back()
    expect_line(page, "e4 e5")


def test_after_back_and_forward_the_line_goes_on_to_its_end(visit: Visit) -> None:
    page = visit.open()
    for start, end, moves in (("e2", "e4", "e4"), ("e7", "e5", "e4 e5"), ("g1", "f3", "e4 e5 Nf3")):
        drag(page, start, end)
        expect_line(page, moves)
    page.go_back()
    page.go_back()
    expect_line(page, "e4")
    page.go_forward()
    expect_line(page, "e4 e5")
    expect(page.locator("#line .ahead .san")).to_have_text("Nf3")
    page.get_by_role("button", name="One move forward").click()
    expect_line(page, "e4 e5 Nf3")
    for _ in range(3):
        page.go_back()
    expect_line(page, "")
    page.keyboard.press("End")
    expect_line(page, "e4 e5 Nf3")


def test_an_address_restores_everything(visit: Visit) -> None:
    page = visit.open()
    drag(page, "d2", "d4")
    drag(page, "g8", "f6")
    expect_line(page, "d4 Nf6")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("group", name="Years").get_by_label("from").fill("2020")
    page.get_by_label("Tags, one filter on each line").fill("Result=1-0")
    page.get_by_role("button", name="Apply").click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Flip").click()
    expect(page.locator("#passing")).not_to_be_empty()

    def shown() -> list[object]:
        expect(page.locator("#line .ahead .san")).to_have_text("Nf6")
        expect_line(page, "d4")
        names = ("#board", "#counts", "#opening", "#filters form")
        return [
            rows(page),
            *(page.locator(name).inner_text() for name in names),
            page.get_by_label("Tags").input_value(),
        ]

    before = shown()
    page.reload()
    assert shown() == before
    other = visit.page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#line .played .san")).to_have_text(["d4"])
    other.close()
    page.goto(f"{visit.server}/#play=e2e4")
    expect_line(page, "e4")
    page.locator("#games tbody a").first.click()
    expect(page.locator("#game-title")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#line .played")).to_have_count(2)
    title = page.locator("#game-title").inner_text()
    page.reload()
    expect(page.locator("#game-title")).to_have_text(title)
    expect(page.locator("#line .played")).to_have_count(2)


# The network.


def test_a_late_answer_never_replaces_a_newer_one(visit: Visit) -> None:
    page = visit.open()
    held: list[Route] = []
    page.route(re.compile(r"explore\?play=e2e4&"), lambda route: held.append(route))
    drag(page, "e2", "e4")
    page.wait_for_function("() => location.hash === '#play=e2e4'")
    page.wait_for_timeout(50)
    page.keyboard.press("ArrowLeft")
    drag(page, "d2", "d4")
    expect_line(page, "d4")
    before = rows(page)
    assert len(held) == 1
    held[0].continue_()
    page.wait_for_timeout(200)
    expect_line(page, "d4")
    assert rows(page) == before


def test_a_server_that_does_not_answer_is_reported(visit: Visit) -> None:
    page = visit.open()
    page.route("**/api/explore**", lambda route: route.abort())
    drag(page, "e2", "e4")
    trouble = page.get_by_role("alert").filter(has_text="does not answer")
    expect(trouble).to_be_visible()
    page.unroute("**/api/explore**")
    trouble.get_by_role("button", name="Try again").click()
    expect_line(page, "e4")
    expect(trouble).to_be_hidden()
    page.route("**/api/explore**", lambda route: route.fulfill(status=500, body="the index is damaged"))
    drag(page, "e7", "e5")
    expect(page.get_by_role("alert").filter(has_text="the index is damaged")).to_be_visible()
    # The browser logs both.
    assert len(visit.complaints) >= 2
    visit.complaints.clear()


def test_without_an_answer_nothing_of_another_position_is_shown(visit: Visit) -> None:
    page = visit.open("#player=carlsen")
    page.route("**/api/explore**", lambda route: route.abort())
    drag(page, "e2", "e4")
    expect(page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    expect(page.locator("#opening")).to_have_text("No answer")
    expect(page.locator("#moves tbody tr, #games tbody tr")).to_have_count(0)
    for name in ("turn", "whose", "description", "passing"):
        expect(page.locator(f"#{name}")).to_be_empty()
    assert page.title() == "games.idx"
    page.unroute("**/api/explore**")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#opening")).to_contain_text("King's Pawn")
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    # A text that is not read leaves the answer to the position that is shown.
    page.route("**/api/explore**", lambda route: route.abort())
    page.get_by_label("FEN or moves").fill("1. d4")
    page.get_by_label("FEN or moves").press("Enter")
    expect(page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    expect(page.locator("#opening")).to_contain_text("King's Pawn")
    visit.complaints.clear()


def test_a_piece_that_moves_needs_no_server(visit: Visit) -> None:
    page = visit.open()
    page.context.set_offline(True)
    drag(page, "e2", "e4")
    expect(page.get_by_role("alert").filter(has_text="does not answer")).to_be_visible()
    drawing = square(page, "e4").locator("use")
    assert drawing.evaluate("(use) => use.getBBox().width * use.getBBox().height") > 0
    visit.complaints.clear()


# Everybody.


@pytest.mark.parametrize("width", one_in(2, [320, 360, 768, 1280, 1920]))
def test_no_width_needs_scrolling_sideways(visit: Visit, width: int) -> None:
    page = visit.page
    page.set_viewport_size({"width": width, "height": 740})
    game = "#game=" + visit.page.request.get(f"{visit.server}/api/explore?games=1").json()["games"][0]["id"]
    for address in ("", "#play=e2e4,c7c5,g1f3&tags=White~carlsen", "#play=a2a4", game, "#since=hello"):
        visit.open(address)
        wide = page.evaluate(
            """() => [...document.body.querySelectorAll("main *, header *")]
                .filter((node) => node.getBoundingClientRect().right > innerWidth + 1 && !node.closest(".unseen, pre, .skips"))
                .map((node) => node.outerHTML.slice(0, 80))"""
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, wide)
        assert not wide, address


@pytest.mark.parametrize("width", one_in(4, [320, 360, 390, 768, 960, 1180, 1280, 1440, 1920]))
def test_fields_of_years_have_room_for_months(visit: Visit, width: int) -> None:
    page = visit.page
    page.set_viewport_size({"width": width, "height": 900})
    visit.open("#since=2025-06&until=2025-12&minRating=2400&maxRating=2600")
    page.evaluate("document.getElementById('filters').open = true")
    for name in ("since", "until", "minRating", "maxRating"):
        field = page.locator(f'#filters [name="{name}"]')
        assert field.evaluate("(field) => field.scrollWidth <= field.clientWidth"), name


SIZES = {"computer": (1280, 800), "tablet": (768, 1024), "phone": (390, 844), "wide": (1920, 1080)}


@pytest.mark.parametrize("size", ["tablet", "phone"])
@pytest.mark.parametrize("options", [{**PHONE}])
def test_the_path_and_the_moves_are_on_the_first_screen(visit: Visit, size: str) -> None:
    page = visit.page
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    visit.open("#play=e2e4,c7c5")
    boxes = [page.locator(name).bounding_box() for name in ("#board", "#line", "#moves tbody tr:nth-child(3)")]
    board, line, row = [box for box in boxes if box]
    assert board["y"] + board["height"] <= line["y"]
    assert line["y"] + line["height"] <= row["y"]
    assert row["y"] + row["height"] <= height
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, .button, select, input:not([type=checkbox]), textarea, summary, tbody th a, #line a")]
            .filter((node) => node.checkVisibility() && !node.closest(".skips") && node.getBoundingClientRect().height < 44)
            .map((node) => [node.outerHTML.slice(0, 80), node.getBoundingClientRect().height])"""
    )
    assert not small


def test_wide_screens_have_three_columns(visit: Visit) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    visit.open("#play=e2e4")
    boxes = [page.locator(name).bounding_box() for name in ("#board", "#moves", "#games")]
    lefts = [box["x"] for box in boxes if box]
    assert lefts == sorted(set(lefts))
    assert all(box["y"] < 1080 for box in boxes if box)


@pytest.mark.parametrize(
    ("size", "theme"),
    one_in(
        3,
        [
            ("computer", "light"),
            ("computer", "dark"),
            ("tablet", "light"),
            ("phone", "dark"),
            ("phone", "light"),
            ("tablet", "dark"),
        ],
    ),
)
def test_axe_finds_no_violation(visit: Visit, theme, size: str) -> None:
    page = visit.page
    page.emulate_media(color_scheme=theme)
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})
    visit.open("#play=e2e4&next=c7c5&sort=games")
    reports = [Axe().run(page)]
    open_annotated(visit)
    reports.append(Axe().run(page))
    for report in reports:
        assert not report.response["violations"], report.generate_report()


# Contrast of texts by WCAG 2.2, 1.4.3: 4.5, or 3 for large text.
CONTRAST = """() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    probe.clearRect(0, 0, 1, 1); probe.fillStyle = color; probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([r, g, b]) => [r, g, b]
    .map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const page_color = (node) => {
    for (; node; node = node.parentElement) {
      const color = rgba(getComputedStyle(node).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !node.checkVisibility() || node.closest(".unseen, noscript, .skips")) continue;
    seen += 1;
    const style = getComputedStyle(node);
    const [a, b] = [luminance(rgba(style.color)), luminance(page_color(node))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push([texts.currentNode.data, ratio]);
  }
  for (const name of document.querySelectorAll(".square:not(.last, .selected, .check)")) {
    const style = getComputedStyle(name);
    const [a, b] = [luminance(rgba(style.color)), luminance(rgba(style.backgroundColor))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) found.push([name.dataset.square, (a + 0.05) / (b + 0.05)]);
  }
  for (const control of document.querySelectorAll("input, select, textarea, button:not([aria-disabled=true])")) {
    if (!control.checkVisibility() || control.type === "checkbox") continue;
    const [a, b] = [luminance(rgba(getComputedStyle(control).borderTopColor)), luminance(page_color(control.parentElement))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 3) found.push([control.outerHTML, (a + 0.05) / (b + 0.05)]);
  }
  return [seen, found];
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_light_and_dark_have_the_contrast_of_wcag_aa(visit: Visit, theme) -> None:
    page = visit.page
    page.emulate_media(color_scheme=theme)
    game = "#game=" + page.request.get(f"{visit.server}/api/explore?games=1").json()["games"][0]["id"] + "&ply=5"
    for address in ("#play=e2e4,c7c5&next=g1f3", "#since=hello", game):
        visit.open(address)
        seen, found = page.evaluate(CONTRAST)
        assert seen > 20
        assert not found, address
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (int(re.findall(r"\d+", background)[0]) < 128) == (theme == "dark")


def test_controls_have_roles_and_names(visit: Visit) -> None:
    page = visit.open("#play=e2e4,c7c5")
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    nodes = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]}
    expected = {
        ("grid", "Chessboard"),
        ("gridcell", "e4, white pawn"),
        ("gridcell", "d5, empty"),
        ("gridcell", "e8, black king"),
        ("button", "First position"),
        ("button", "One move back"),
        ("button", "One move forward"),
        ("button", "Last position"),
        ("button", "Flip"),
        ("button", "Start"),
        ("button", "Show"),
        ("button", "Copy FEN"),
        ("button", "Copy link"),
        ("button", "Apply"),
        ("button", "Reset"),
        ("button", "Help"),
        ("textbox", "FEN or moves"),
        ("group", "Years"),
        ("group", "Average rating"),
        ("combobox", "Player"),
        ("combobox", "Player's colour"),
        ("combobox", "Result"),
        ("textbox", "Tags, one filter on each line"),
        ("navigation", "Moves played"),
        ("link", "1… c5"),
        ("table", "The moves that were played in this position, most frequent first"),
        ("columnheader", "Games"),
        ("rowheader", "Nf3"),
        ("table", "Games that reached this position"),
        ("heading", "Moves"),
        ("heading", "Games"),
        ("main", ""),
        ("status", ""),
    }
    assert not expected - nodes, expected - nodes
    # Everything that takes the focus has a name.
    nameless = [
        node
        for node in tree
        if not node["ignored"]
        and any(it["name"] == "focusable" and it["value"]["value"] for it in node.get("properties", []))
        and node["role"]["value"] not in ("RootWebArea",)
        and not node.get("name", {}).get("value")
    ]
    assert not nameless
    assert sum(role == "gridcell" for role in (node["role"]["value"] for node in tree)) == 64


def test_a_screen_reader_hears_the_move_and_can_read_the_position(visit: Visit) -> None:
    page = visit.open()
    status = page.get_by_role("status")
    drag(page, "e2", "e4")
    expect(status).to_contain_text(re.compile(r"^1\. e4\. .*King's Pawn.*\d+ games here\."))
    drag(page, "c7", "c5")
    expect(status).to_contain_text(re.compile(r"^1… c5\. .*Sicilian"))
    expect(page.get_by_role("grid")).to_have_accessible_description(
        re.compile("White.*king e1.*White to move", re.DOTALL)
    )
    visit.open("#fen=4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    expect(page.get_by_role("gridcell", name="e8, black king, in check")).to_be_visible()
    visit.open("#play=f2f3,e7e5,g2g4,d8h4")
    expect(status).to_contain_text("Checkmate.")
    expect(page.get_by_text("Checkmate.", exact=True)).to_be_visible()


def test_help_lists_the_keys_and_letters_can_be_turned_off(visit: Visit) -> None:
    page = visit.open()
    page.keyboard.press("?")
    help_dialog = page.get_by_role("dialog", name="Help")
    expect(help_dialog).to_be_visible()
    help_dialog.get_by_role("checkbox").uncheck()
    help_dialog.get_by_role("button", name="Close").click()
    expect(help_dialog).to_be_hidden()
    page.reload()
    expect_answer(page)
    page.keyboard.press("?")
    page.keyboard.press("f")
    expect(help_dialog).to_be_hidden()
    expect(page.locator("#board .square").first).to_have_attribute("data-square", "a8")
    page.get_by_role("button", name="Help").click()
    expect(help_dialog).to_be_visible()


def use_the_page(visit: Visit) -> None:
    """Plays a move, and turns the letters off, which hold off until the page is closed."""
    page = visit.open("#play=e2e4")
    drag(page, "c7", "c5")
    expect_line(page, "e4 c5")
    expect(page.locator("#moves tbody tr").first).to_be_visible()
    page.get_by_role("button", name="Help").click()
    help_dialog = page.get_by_role("dialog", name="Help")
    expect(help_dialog.get_by_role("checkbox")).to_be_checked()
    help_dialog.get_by_role("checkbox").uncheck()
    help_dialog.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    expect(help_dialog).to_be_hidden()


# What scripts of the page see where a browser has no storage for it: it throws, is missing, or cannot be read or written.
NO_STORAGE = {
    "throws": "get() { throw new DOMException('The operation is insecure.', 'SecurityError'); }",
    "missing": "get() { return undefined; }",
    "null": "get() { return null; }",
    "full": """get() {
        const fail = () => { throw new DOMException('The quota has been exceeded.', 'QuotaExceededError'); };
        return { getItem: () => null, setItem: fail };
    }""",
    "broken": """get() {
        const fail = () => { throw new DOMException('The database is damaged.', 'UnknownError'); };
        return { getItem: fail, setItem: fail };
    }""",
}


@pytest.mark.parametrize("kind", NO_STORAGE)
def test_the_page_needs_no_storage(visit: Visit, kind: str) -> None:
    for name in ("localStorage", "sessionStorage", "indexedDB", "caches"):
        visit.page.add_init_script(f"Object.defineProperty(window, '{name}', {{ {NO_STORAGE[kind]} }})")
    use_the_page(visit)


@pytest.mark.skipif(not WHOLE_BROWSER, reason="there is no Chromium or Chrome with settings")
def test_a_browser_that_blocks_storage_shows_the_page(browser: Browser, server: str, tmp_path: Path) -> None:
    """Chromium as it is with all cookies blocked, which is a setting for people."""
    (tmp_path / "Default").mkdir()
    preferences = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (tmp_path / "Default/Preferences").write_text(json.dumps(preferences), encoding="utf-8")
    context = browser.browser_type.launch_persistent_context(tmp_path, executable_path=WHOLE_BROWSER, args=FLAGS)
    try:
        blocking = Visit(context, server)
        use_the_page(blocking)
        blocked = "(() => { try { return localStorage.length; } catch (error) { return error.name; } })()"
        assert blocking.page.evaluate(blocked) == "SecurityError"
        blocking.check()
    finally:
        context.close()


@pytest.mark.parametrize(("motion", "count"), [("no-preference", 1), ("reduce", 0)])
def test_pieces_slide_unless_motion_is_unwanted(visit: Visit, motion, count: int) -> None:
    page = visit.page
    page.emulate_media(reduced_motion=motion)
    visit.open("#play=e2e4")
    page.evaluate(
        """() => {
          window.slides = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...given) { window.slides += 1; return animate.apply(this, given); };
        }"""
    )
    page.keyboard.press("ArrowLeft")
    expect_line(page, "")
    assert page.evaluate("window.slides") == count


# Pictures of the guide.


@pytest.mark.skipif(
    "PGN2FEN_PICTURES" not in os.environ, reason="PGN2FEN_PICTURES=1 draws the pictures of the guide again"
)
def test_pictures_of_the_guide(browser: Browser, server: str) -> None:
    figures = ROOT / "docs/figures"
    pictures = {
        "explorer": ({"viewport": {"width": 1180, "height": 760}}, "#play=e2e4,c7c5,g1f3"),
        "explorer-phone": (
            {**PHONE, "color_scheme": "dark", "viewport": {"width": 360, "height": 900}},
            "#play=d2d4,g8f6",
        ),
    }
    for name, (options, address) in pictures.items():
        context = browser.new_context(**options)
        page = Visit(context, server).open(address)
        if name == "explorer":
            page.locator("#moves tbody tr").nth(1).hover()
        path = figures / f"{name}.png"
        page.screenshot(path=path)
        context.close()
        with Image.open(path) as picture:
            picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
        assert path.stat().st_size < 80_000, f"{path} has {path.stat().st_size} bytes"
