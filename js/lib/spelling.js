// Messages with options as they are written in JavaScript.

import { OPTIONS } from "./option-names.js";

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** `skip_checks` → `skipChecks`; with a value, `lang: "de"`. */
function spelledOption(name, value) {
  const { isSwitch, flag } = OPTIONS[name];
  const written = flag ?? camel(name);
  if (value === undefined) return written;
  return `${written}: ${isSwitch || /^\d+$/.test(value) ? value : JSON.stringify(value)}`;
}

/** What the module says of itself is said of the package, which has no features. */
const ofPackage = (message) => message.replace(/this build of pgn2fen ([^()]*) \(feature `\w+`\)/, "this package $1");

/** Returns a message of the module, which refers to options between backticks, with the options as they are written here. */
export const spelled = (message) =>
  ofPackage(message).replace(/`([a-z_]+)(?:=([^`]*))?`/g, (reference, name, value) => (Object.hasOwn(OPTIONS, name) ? spelledOption(name, value) : reference));
