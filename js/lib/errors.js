// Errors with codes, which do not change between releases.

import { spelled } from "./spelling.js";

/** Returns an error with a code. */
export const coded = (code, error) => Object.assign(error, { code });

/** Returns the error of an argument of a wrong type. */
export const wrongType = (message) => coded("bad-argument", new TypeError(message));

/** Names the input in an error that says what is wrong with it. */
export function named(error, name) {
  if (error.code === "unreadable-input") error.message = `${name}: ${error.message}`;
  return error;
}

/** Returns the error of an input that cannot be read further. */
export const unreadable = (message, cause) =>
  // The message of a cause is that of a program, and names no options.
  coded("unreadable-input", new Error(cause ? message : spelled(message), { cause }));
