// Piece letters of other languages: the answer to moves such as Sf3, where a command-line program advises `--lang de`.

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

const ADVICE = /([A-Z][A-Za-z, ]+) piece letters\? try --lang \w+/;

/** The names of the languages whose letters a message advises. */
export const advised = (text) => (text.match(ADVICE)?.[1].match(/[A-Z][a-z]+/g) ?? []).filter((name) => name in LANGUAGES);

/** A message without the advice for the command line. */
export const withoutAdvice = (text) => text.replace(/ try --lang \w+/, "");

/** Shows buttons that read the moves again with the letters of a language, or nothing. `read` gets the code of the language. */
export function offer(element, names, read) {
  element.hidden = !names.length;
  if (!names.length) return element.replaceChildren();
  const button = (name) => make("button", { type: "button", click: () => read(LANGUAGES[name]) }, name);
  return element.replaceChildren(make("span", {}, "Piece letters:"), ...names.map(button));
}
