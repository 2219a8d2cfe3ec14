// The address of what is shown: `#/games?game=3&ply=12`. In place of a ply of the main line, it has the moves to another position:
// `#/games?game=3&play=e2e4,c7c5`.

/** Reads an address: the view, the index of the game or null, and the place in it. */
export function placeOf(hash) {
  const [view, query = ""] = hash.replace(/^#\//, "").split("?");
  const values = new URLSearchParams(query);
  const number = Number(values.get("game"));
  const line = values.get("play")?.split(",").filter(Boolean) ?? null;
  return { view, index: Number.isInteger(number) && number > 0 ? number - 1 : null, at: line ? { line } : { ply: Number(values.get("ply")) || 0 } };
}

/** Writes the address of a view and of the game and the place that `shown` has. */
export function addressOf(view, { index, place }) {
  if (index === null) return `#/${view}`;
  const at = place.line ? `&play=${place.line.join(",")}` : place.ply ? `&ply=${place.ply}` : "";
  return `#/${view}?game=${index + 1}${at}`;
}

/** Writes the address of another view with the game and the place of an address. */
export function withPlace(view, hash) {
  const [, query] = hash.split("?");
  return `#/${view}${query ? `?${query}` : ""}`;
}
