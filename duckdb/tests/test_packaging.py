"""The stamp of the file, and the descriptor for the repository of community extensions."""

import re

from conftest import ROOT

FOLDERS = sorted((ROOT / "target" / "duckdb").glob("*/pgn2fen.duckdb_extension"))


def test_the_footer_names_platform_and_version():
    assert FOLDERS
    version = re.search(r'^version = "(.*)"', (ROOT / "duckdb/Cargo.toml").read_text(), re.MULTILINE).group(1)
    for path in FOLDERS:
        footer = path.read_bytes()[-512:-256]
        fields = [footer[at : at + 32].rstrip(b"\0").decode() for at in range(224, -1, -32)]
        assert fields == ["4", path.parent.name, "v1.2.0", f"v{version}", "C_STRUCT", "", "", ""]


def descriptor():
    """Returns the descriptor: keys of two levels, whose values are texts."""
    found, section, key = {}, None, None
    for line in (ROOT / "duckdb/description.yml").read_text().splitlines():
        if match := re.fullmatch(r"(\w+):", line):
            section = match.group(1)
        elif match := re.fullmatch(r"  (\w+): ?(.*)", line):
            key = (section, match.group(1))
            found[key] = match.group(2).strip('"').removeprefix("|")
        elif line.startswith("    ") and key:
            found[key] += line[4:] + "\n"
    return found


def test_the_descriptor_has_what_the_repository_asks_for(con):
    found = descriptor()
    for key in ["name", "description", "version", "language", "build", "license", "maintainers", "excluded_platforms"]:
        assert found["extension", key], key
    manifest = (ROOT / "duckdb/Cargo.toml").read_text()
    assert f'version = "{found["extension", "version"]}"' in manifest
    assert f'license = "{found["extension", "license"]}"' in manifest
    assert found["extension", "name"] == "pgn2fen" and found["extension", "build"] == "cargo"
    assert re.fullmatch(r"[\w-]+/[\w-]+", found["repo", "github"]) and re.fullmatch(r"[0-9a-f]{40}", found["repo", "ref"])
    assert found["repo", "github"] in (ROOT / "Cargo.toml").read_text()
    assert con.execute(found["docs", "hello_world"]).fetchall() == [("Sicilian Defense", [])]
    functions = re.findall(r"`(\w+)`", found["docs", "extended_description"])
    known = {name for (name,) in con.execute("SELECT DISTINCT function_name FROM duckdb_functions()").fetchall()}
    assert len(functions) > 12 and set(functions) <= known
