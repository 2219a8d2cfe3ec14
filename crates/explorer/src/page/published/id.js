// The identifiers of games: eight letters and digits, as those of the server (`id.rs`).

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns the identifier of a game of a database. */
export function encode(database, databases, game) {
  let number = game * databases + database;
  let id = "";
  for (let at = 0; at < 8; at++) {
    id = DIGITS[number % 62] + id;
    number = Math.floor(number / 62);
  }
  return id;
}

/** Returns the database and the number of a game; null if it is no identifier. */
export function decode(id, databases) {
  if (!/^[0-9A-Za-z]{8}$/.test(id)) return null;
  const number = [...id].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
  return { database: number % databases, game: Math.floor(number / databases) };
}
