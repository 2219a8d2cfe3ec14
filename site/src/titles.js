// What a game is called: its players, or else its chapter, puzzle or event.

/** Whether a text of a tag says anything: not `?` or `????.??.??`. */
export const isTold = (text) => Boolean(text) && !/^[?.-]*$/.test(text);

/** The title of a game that names no player. `tag(name)` returns the text of a tag, and `number` is the number of the game. */
export function titleWithoutPlayers(tag, number) {
  const puzzle = tag("PuzzleId");
  return [tag("ChapterName"), isTold(puzzle) ? `Puzzle ${puzzle}` : "", tag("Event"), `Game ${number}`].find(isTold);
}
