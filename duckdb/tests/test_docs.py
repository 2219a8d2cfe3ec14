"""The pages about DuckDB: their queries print what the pages show.

A `text` block that follows a block of `sql` is the answer of its last query. With the environment variable `UPDATE_EXPECT=1`, the answers in the pages
are written anew.
"""

import json
import os
import re

import pytest
from conftest import ROOT

PAGES = ["docs/duckdb.md", "duckdb/README.md"]

BLOCK = re.compile(r"```sql\n(.*?)```\n(\n```text\n(.*?)```\n)?", re.DOTALL)


def shown(relation) -> str:
    """Returns an answer as a table of text."""
    rows = [relation.columns, *relation.fetchall()]
    cells = [["" if cell is None else json.dumps(cell) if isinstance(cell, bool) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("─" * width for width in widths))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("page", PAGES)
def test_queries_print_what_the_page_shows(con, page, monkeypatch):
    monkeypatch.chdir(ROOT)
    path = ROOT / page
    text = path.read_text()
    answers = []

    def answered(match):
        answer = shown(con.sql(match.group(1)))
        answers.append((match.group(1), match.group(3), answer))
        return f"```sql\n{match.group(1)}```\n\n```text\n{answer}```\n"

    new = BLOCK.sub(answered, text)
    if os.environ.get("UPDATE_EXPECT"):
        path.write_text(new)
        return
    assert answers
    for query, expected, answer in answers:
        assert expected == answer, query
