// Which games of a collection are listed: a search as one types, and filters by column.

const folded = new Map();

/** Returns a text in small letters and without accents, for comparing. */
export function fold(text) {
  let result = folded.get(text);
  if (result === undefined) {
    if (folded.size > 500_000) folded.clear();
    result = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    folded.set(text, result);
  }
  return result;
}

const SEARCHED = ["White", "Black", "Event", "Site", "Date", "ECO", "opening"];

/** The year of a game, or 0. */
export const yearOf = (collection, index) => Number(collection.text("Date", index).match(/^\d{4}/)?.[0] ?? 0);

/** The mean of the known ratings of a game, or 0. */
function ratingOf(collection, index) {
  const known = [collection.number("WhiteElo", index), collection.number("BlackElo", index)].filter(Boolean);
  return known.length ? known.reduce((sum, rating) => sum + rating, 0) / known.length : 0;
}

/** Reads an ECO code or a range of codes, as `B90`, `B9` or `B20-B99`. Returns a test of codes, or null if the text is none of these. */
function ecoTest(text) {
  const found = text.toUpperCase().match(/^([A-E]\d{0,2})(?:\s*[-–]\s*([A-E]\d{0,2}))?$/);
  if (!found) return null;
  const [first, last] = [found[1].padEnd(3, "0"), (found[2] ?? found[1]).padEnd(3, "9")];
  return (code) => code >= first && code.slice(0, 3) <= last;
}

/**
 * Returns a function that says whether a game of the collection is listed. `criteria` are the texts of the form, by the names of its fields,
 * and `games`: a set of indices, or null.
 */
export function filter(collection, criteria) {
  const tests = [];
  const text = (name) => fold((criteria[name] ?? "").trim());
  const number = (name) => Number(criteria[name]) || null;
  for (const term of text("search").split(/\s+/).filter(Boolean)) {
    tests.push((index) => SEARCHED.some((column) => fold(collection.text(column, index)).includes(term)));
  }
  if (text("player")) {
    const columns = { white: ["White"], black: ["Black"] }[criteria.color] ?? ["White", "Black"];
    tests.push((index) => columns.some((column) => fold(collection.text(column, index)).includes(text("player"))));
  }
  if (number("minRating")) tests.push((index) => ratingOf(collection, index) >= number("minRating"));
  if (number("maxRating")) tests.push((index) => ratingOf(collection, index) > 0 && ratingOf(collection, index) <= number("maxRating"));
  if (number("since")) tests.push((index) => yearOf(collection, index) >= number("since"));
  if (number("until")) tests.push((index) => yearOf(collection, index) > 0 && yearOf(collection, index) <= number("until"));
  if (criteria.result) tests.push((index) => collection.result(index) === criteria.result);
  if (text("opening")) {
    const isCode = ecoTest(criteria.opening.trim());
    const isNamed = (index) => fold(collection.text("opening", index)).includes(text("opening"));
    tests.push(isCode ? (index) => isCode(collection.text("ECO", index)) : isNamed);
  }
  if (text("event")) tests.push((index) => fold(collection.text("Event", index)).includes(text("event")));
  if (criteria.start) tests.push((index) => (collection.text("start", index) === "") === (criteria.start === "standard"));
  if (criteria.errors) tests.push((index) => collection.number("errors", index) > 0);
  if (criteria.games) tests.push((index) => criteria.games.has(index));
  return { isEmpty: !tests.length, passes: (index) => tests.every((test) => test(index)) };
}
