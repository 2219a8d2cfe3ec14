// Messages with options as they are written in JavaScript.

import { OPTIONS } from "./option-names.js";

/** `max_games` → `maxGames`. */
export const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** `skip_checks` → `skipChecks`; with a value, `lang: "de"`. */
function spelledOption(name, value) {
  const { isSwitch, flag } = OPTIONS[name];
  const written = flag ?? camel(name);
  if (value === undefined) return written;
  return `${written}: ${isSwitch || /^\d+$/.test(value) ? value : JSON.stringify(value)}`;
}

/** What the module says of itself is said of the package, which has no features, no pipes and no paths of members. */
const ofPackage = (message) =>
  message
    .replace(/this build of pgn2fen ([^()]*) \(feature `\w+`\)/, "this package $1")
    .replace(/cannot be read from a pipe because its end is read first; give its name/, "this package does not read")
    .replace(/; if (?:one of them|a column) has the moves, name it with the option movetext/, "")
    .replace(/name one of them behind the archive and a slash/, "`await members(input)` gives them one by one")
    .replace(/(there is no option )'(\w+)'/, (_, words, name) => `${words}'${camel(name)}'`);

/** Returns a message of the module, which refers to options between backticks, with the options as they are written here. */
export const spelled = (message) =>
  ofPackage(message).replace(/`([a-z_]+)(?:=([^`]*))?`/g, (reference, name, value) => (Object.hasOwn(OPTIONS, name) ? spelledOption(name, value) : reference));
