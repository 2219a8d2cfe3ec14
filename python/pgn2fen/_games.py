"""`games`: the games of files, one by one."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any, Literal

from pgn2fen import _inputs
from pgn2fen._inputs import Paths
from pgn2fen._pgn2fen import Game, GamesPlan, Report
from pgn2fen._progress import ProgressOption
from pgn2fen._source import Source, chosen, joined, spelled, tag_value, texts, usual


class Games(Source):
    """The games of files, in order. Made by `games`. Each iteration reads the files from the start."""

    _plan: GamesPlan

    def _make(self) -> GamesPlan:
        # The moves of a game are played when they are asked for, so its errors cannot end the run.
        return GamesPlan(self._files, self._options | {"on_error": "keep"})

    def __iter__(self) -> Iterator[Game]:
        with self._watch() as watch, closing(self._plan.open(watch.run, watch)) as games:
            yield from games

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        join: bool = False,
        unique: bool | str | Iterable[str] = False,
        duplicates: str | os.PathLike[str] | None = None,
        keep: Literal["first", "longest", "annotated"] | None = None,
        sort: str | Iterable[str] | None = None,
        shuffle: bool = False,
        split: str | int | None = None,
        chapter_name: str | None = None,
        seed: int | None = None,
        invert: bool = False,
        set_tags: str | Iterable[str] | Mapping[str, str] = (),
        remove_tags: str | Iterable[str] = (),
        add_opening: bool = False,
        rename: bool = False,
        repair: bool = False,
        san: bool = False,
        comments: bool | Literal["all", "words", "commands", "none"] = True,
        variations: bool = True,
        nags: bool = True,
        keep_tags: str | Iterable[str] | None = None,
        add_fen: Literal["last", "every"] | None = None,
        width: int | None = None,
        plies: str | tuple[int | None, int] | None = None,
        on_error: Literal["keep", "drop", "stop", "raise"] | None = None,
    ) -> Report:
        """Writes the games to a PGN file, or to several, as the command `pgn2fen games -o` does. Returns the report of the run.

        `join` makes games of positions that follow one another by a legal move, such as those of a list of FENs.

        The games are copied byte for byte, in the order of the files. `unique` leaves out games with the same start and the same moves as
        one before, or with the same values of what it names (`"moves,players"`, `"White,Black,Date"`), and `duplicates` is a file for these.
        `"beginnings"` stands for moves, and leaves out games that break off where another goes on. `keep` says which of equal games stays: the
        first, the longest, or the one with the most annotation. `sort` is an order by tags, such as `"Date,-WhiteElo"` (`-`: the greatest first), and
        `shuffle` puts the games into a random order. `invert` writes the other games, which are not chosen.

        A path with placeholders stands for several files: `"players/{White}.pgn"` for each value of a tag, `"games-{part}.pgn"` for each part
        of `split`, which is a number of games in each part (`1000`), a size (`"100MB"`), shares such as `"train=0.9,test=0.1"`, or `"study"`. The
        part of a game with shares depends only on its start, its moves and the `seed`. A study is a file that Lichess takes: at most 64 chapters,
        which are games in the export format; one that is too large is divided at its variations, with a warning. `chapter_name` is the name of a
        chapter, such as `"{White} - {Black}, {opening}"`. Double braces stand for a brace. Folders are created.

        `seed` is that of `shuffle` and of shares, 0 if it is not given. All games wait until the files have been read if they are sorted,
        shuffled, or divided by tags: 64 MiB in memory, more in a temporary file beside the output.

        `set_tags` gives games tags, such as `{"Event": "Club"}` or `"Event=Club"`, and `remove_tags` removes some, such as `["*Elo"]`.
        `add_opening` writes the tags ECO, Opening and Variation by the moves, `rename` the main names of `names` for White and Black, and
        `repair` dates and results that can be read in the form of the standard. All else of a game stays as it is.

        `san` writes the games anew in the export format of the PGN standard. So do `comments=False`, `variations=False` and `nags=False`,
        which leave these out; `comments="words"`, which leaves out commands such as `[%clk …]`, and `"commands"`, which leaves out the words; `keep_tags`, which is `"all"`, `"roster"`, `"none"` or names of tags; `add_fen`, which adds a comment with the
        FEN behind the last or every move; `width`, the most characters of a line (79), 0 for one line; and `plies`, a range such as `"..24"` or `(None, 24)`, behind
        which games are cut. Games that are written anew are
        played, and `on_error` says what happens to one with an error: `"keep"` what is before the error (None means this), `"drop"` the game, or
        end the run with a `GameError` (`"stop"` and `"raise"`).

        A further ending `.zst`, `.gz` or `.bz2` compresses the file. It appears when it is complete; an existing file is replaced. Several files
        appear together.

            >>> pgn2fen.games("games.pgn.zst", tags="WhiteElo>=2500").write("strong.pgn", unique=True, sort="Date")
            >>> pgn2fen.games("games.pgn.zst").write("{part}.pgn", split="train=0.9,test=0.1")

        Raises `ValueError` for a wrong option, and `OSError` if a file cannot be read or written.
        """
        options = dict(locals())
        options |= {"sort": joined(sort, "sort"), "keep_tags": joined(keep_tags, "keep_tags")}
        if isinstance(set_tags, Mapping):
            set_tags = [f"{name}={tag_value(name, value)}" for name, value in set_tags.items()]
        options |= {"set_tags": texts(set_tags, "set_tags"), "remove_tags": texts(remove_tags, "remove_tags")}
        options["comments"] = ("all" if comments else "none") if isinstance(comments, bool) else comments
        options["plies"] = None if plies is None else spelled(plies)
        options["unique"] = ("moves" if unique else None) if isinstance(unique, bool) else joined(unique, "unique")
        options["split"] = None if split is None else str(split)
        options["duplicates"] = None if duplicates is None else _inputs.named(duplicates)
        with self._watch() as watch:
            self._plan.write(_inputs.named(path), options, watch.run, watch)
        return watch.run.report


def games(
    paths: Paths,
    *,
    # Options from the list, written by UPDATE_EXPECT=1 cargo test --test it options:
    tags: str | Iterable[str] = (),
    names: str | os.PathLike[str] | None = None,
    start: Literal["any", "standard", "nonstandard"] = "any",
    opening: str | Iterable[str] = (),
    reached: str | Iterable[str] = (),
    moves: str | Iterable[str] = (),
    ends: str | Iterable[str] = (),
    commented: bool = False,
    length: str | int | tuple[int | None, int | None] | None = None,
    max_games: int | None = None,
    material: str | Iterable[str] = (),
    pattern: str | Iterable[str] = (),
    pawns: str | Iterable[str] = (),
    colors: Literal["either", "given"] = "either",
    mirror: bool = False,
    for_plies: int = 1,
    lang: str = "en",
    setup: Literal["auto", "strict", "ignore"] = "auto",
    encoding: str = "auto",
    evals: Literal["auto", "lichess", "engine", "tcec"] = "auto",
    movetext: str | None = None,
    verbose: bool = False,
    recursive: bool = False,
    range: tuple[int, int | None] | None = None,
    mmap: bool = True,
    skip_unreadable: bool = False,
    threads: int = 0,
    max_messages: int = 10000,
    # The end of the options.
    messages: Literal["warn", "log", "ignore"] = "warn",
    progress: ProgressOption = None,
) -> Games:
    """Returns the games of files, one by one, with tags, moves, comments, variations and positions.

        >>> for game in pgn2fen.games("games.pgn", tags="White~carlsen"):
        ...     print(game["White"], game.result, len(game.moves), game.moves.end.fen())

    Files are read ahead on other threads; memory is bounded. The moves of a game are played when they are first asked for, so that tags
    alone cost little. The options are those of `scan`; `material`, `pattern`, `pawns` and `for_plies` choose games whose main line had such a
    position. `evals` says which comments have the evaluations of moves; `"auto"` reads in each game those of the first kind it has.

    Errors in tags are in `report` at the end, as for `scan`; errors in the moves of a game are in `game.errors`.

    Raises `ValueError` for a wrong option, `FileNotFoundError` for a missing file, and `OSError` while games are read if a file cannot be
    read.
    """
    options: dict[str, Any] = dict(locals())
    files = _inputs.listed(options.pop("paths"))
    return Games(files, chosen(options))


Games._usual = usual(games)
