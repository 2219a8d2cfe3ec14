// Piece letters of other languages: the answer to moves such as Sf3, where messages advise an option: `lang=de` between backticks
// from the server, and `lang: "de"` from the package.

import { make } from "./dom.js";

/** The languages by the names that messages have for them. */
export const LANGUAGES = {
  German: "de",
  French: "fr",
  Spanish: "es",
  Italian: "it",
  Dutch: "nl",
  Portuguese: "pt",
  Russian: "ru",
  Polish: "pl",
  Czech: "cs",
  Hungarian: "hu",
  Romanian: "ro",
  Swedish: "sv",
  Danish: "da",
  Norwegian: "no",
  Finnish: "fi",
  Estonian: "et",
  Icelandic: "is",
};

const OPTION = '(?:`lang=\\w+`|lang: "\\w+")';
const ADVICE = new RegExp(`([A-Z][A-Za-z, ]+) piece letters\\? try ${OPTION}`);
const CALL = new RegExp(` try ${OPTION}`);

/** The names of the languages whose letters a message advises. */
export const advised = (text) => (text.match(ADVICE)?.[1].match(/[A-Z][a-z]+/g) ?? []).filter((name) => name in LANGUAGES);

/** A message without the option that it advises. */
export const withoutAdvice = (text) => text.replace(CALL, "");

/** Shows buttons that read the moves again with the letters of a language, or nothing. `read` gets the code of the language. */
export function offer(element, names, read) {
  element.hidden = !names.length;
  if (!names.length) return element.replaceChildren();
  const button = (name) => make("button", { type: "button", click: () => read(LANGUAGES[name]) }, name);
  return element.replaceChildren(make("span", {}, "Piece letters:"), ...names.map(button));
}
