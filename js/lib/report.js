// Reports of runs: what was read, and what was wrong with it.

import { coded, unreadable } from "./errors.js";
import { pairsOf } from "./options.js";
import { platform } from "./platform.js";
import { spelled } from "./spelling.js";
import { stepsLater } from "./stepping.js";

/** The most messages that are kept one by one. */
const MOST_MESSAGES = 10_000;

/** Returns a message whose text is the line that the command prints, with options as they are written here. */
export function messageOf(message) {
  for (const part of ["reason", "text", "full"]) message[part] = spelled(message[part]);
  return Object.defineProperty(message, "toString", { value: () => message.full });
}

/** Returns the objects of lines of JSON. */
export const linesOf = (text) => text.split("\n").filter(Boolean).map((line) => JSON.parse(line));

/** Collects the messages and counts of a run. */
export class Recorder {
  #report = { games: 0, chosen: 0, positions: 0, errors: 0, warnings: 0, messages: [], hidden: 0, hints: [], isComplete: false, isStopped: false };

  /** Adds a step. Returns the report so far. */
  record({ state, end }) {
    const report = this.#report;
    if (state) {
      for (const name of ["games", "chosen", "positions", "errors", "warnings"]) report[name] = state[name];
      for (const message of state.messages) {
        if (report.messages.length < MOST_MESSAGES) report.messages.push(messageOf(message));
      }
      report.hidden = report.errors + report.warnings - report.messages.length;
      state.messages = [];
      this.isFailed = Boolean(state.failure);
    }
    if (end) Object.assign(report, { hints: end.hints.map(spelled), isComplete: !this.isFailed, isStopped: end.isStopped });
    const { games, chosen, positions, errors, warnings } = report;
    report.summary = platform.engine.text("summary", ...[games, chosen, positions, errors, warnings].map(String));
    return report;
  }

  /** Throws the error of a step behind which the input cannot be read. */
  fail({ state }) {
    if (state?.failure) throw unreadable(state.failure);
  }
}

/**
 * Reads an input and reports what is in it and what is wrong with it.
 * @returns {Promise<object>}
 */
export async function report(input, options = {}) {
  const job = { kind: "check", pairs: pairsOf(options), encoding: options.encoding };
  const tournament = options.tournament ?? false;
  // The list has no such option.
  if (![true, false, "true", "false"].includes(tournament)) throw coded("bad-argument", new Error(`tournament is '${String(tournament)}', but must be one of true, false`));
  const recorder = new Recorder();
  const pieces = [];
  let made = recorder.record({});
  for await (const step of stepsLater(input, job, options)) {
    made = recorder.record(step);
    recorder.fail(step);
    if (step.bytes?.length) pieces.push(step.bytes);
  }
  if (String(tournament) === "true") made.findings = linesOf(await new Blob(pieces).text());
  return made;
}
