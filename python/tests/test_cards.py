"""Anki imports cards, and updates them from a later file without making them again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("anki.collection", exc_type=ImportError)

from anki.collection import Collection
from anki.import_export_pb2 import ImportCsvRequest


@pytest.fixture
def collection(tmp_path: Path):
    collection = Collection(str(tmp_path / "collection.anki2"))
    yield collection
    collection.close()


@pytest.fixture
def export(command, tmp_path: Path):
    """Writes the cards of a repertoire, whose name is part of the name of their deck."""

    def export(repertoire: str, side: str = "w") -> Path:
        file, cards = tmp_path / "white.pgn", tmp_path / "cards.txt"
        file.write_text(repertoire, encoding="utf-8")
        command("tree", "--variations", "--side", side, "-f", "anki", file, "-o", cards, statuses=(0,))
        return cards

    return export


def imported(collection: Collection, cards: Path) -> dict[str, int]:
    """Imports a file with the options that its first lines choose, as the dialog of Anki does if nothing is changed there."""
    metadata = collection.get_csv_metadata(path=str(cards), delimiter=None)
    assert (metadata.is_html, metadata.guid_column, metadata.tags_column) == (True, 1, 4)
    log = collection.import_csv(ImportCsvRequest(path=str(cards), metadata=metadata)).log
    kinds = ("new", "updated", "duplicate", "conflicting", "first_field_match", "missing_notetype", "missing_deck")
    return {kind: len(getattr(log, kind)) for kind in kinds if getattr(log, kind)}


def backs(collection: Collection) -> dict[str, str]:
    """The answers of all notes, by their ids."""
    notes = [collection.get_note(note) for note in collection.find_notes("")]
    return {note.guid: note.fields[1] for note in notes}


def test_a_later_file_updates_cards_and_makes_none_twice(collection, export, fixtures):
    repertoire = (fixtures / "repertoires" / "white_e4.pgn").read_text()
    assert imported(collection, export(repertoire)) == {"new": 48}
    assert collection.note_count() == collection.card_count() == 48
    first = backs(collection)
    cards = {card: collection.get_card(card).nid for card in collection.find_cards("")}
    assert [deck.name for deck in collection.decks.all_names_and_ids()] == ["Cards of white.pgn", "Default"]

    # Nothing has changed.
    assert imported(collection, export(repertoire)) == {"duplicate": 48}
    assert backs(collection) == first

    # Another move with another continuation: a card is changed, and two are new. That of a position that is gone stays.
    changed = repertoire.replace("6. d3 b5 7. Bb3 d6", "6. Re1 b5 7. Bb3 d6 8. c3")
    assert changed != repertoire
    assert imported(collection, export(changed)) == {"new": 2, "updated": 1, "duplicate": 46}
    later = backs(collection)
    different = [guid for guid in first if later[guid] != first[guid]]
    assert [re.findall("<b>(.*?)</b>", later[guid]) for guid in different] == [["6. Re1"]]
    assert len(later) == 50
    # The cards are those that were there, with what Anki knows of them.
    assert {card: collection.get_card(card).nid for card in cards} == cards


def test_puzzles_become_cards(collection, command, fixtures, tmp_path):
    cards = tmp_path / "cards.anki"
    command("-p", "0", fixtures / "records" / "puzzles.csv", "-o", cards, statuses=(0,))
    assert imported(collection, cards) == {"new": 5}
    assert imported(collection, cards) == {"duplicate": 5}
    (found,) = collection.find_notes("tag:chess::mateIn2")
    assert collection.get_note(found).fields[1] == "<b>18. Be6+ Kd8 19. Qf8#</b>"


def test_the_fields_of_a_note_are_those_of_the_file(collection, export):
    imported(collection, export("1. e4 c5 (1... e5 2. Nf3) 2. Nf3 *\n"))
    (found,) = collection.find_notes("tag:chess::B20 tag:chess::white")
    note = collection.get_note(found)
    assert note.note_type()["name"] == "Basic"
    assert note.fields[0].startswith("<svg ") and note.fields[0].endswith("<div>White to move, after 1... c5</div>")
    assert note.fields[1] == "<b>2. Nf3</b><div>1. e4 c5 2. Nf3</div><div>B20 Sicilian Defense</div>"
    # The other side has cards of its own.
    assert imported(collection, export("1. e4 c5 (1... e5 2. Nf3) 2. Nf3 *\n", "b")) == {"new": 1}
