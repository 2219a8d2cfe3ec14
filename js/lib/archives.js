// Zip archives: their members are inputs of their own.

import { named } from "./errors.js";
import { isRead, Member, opened } from "./inputs.js";
import { checked } from "./options.js";
import { giveBack, takeHand } from "./pool.js";
import { fullModule, platform } from "./platform.js";

/**
 * Returns the inputs in an input: the members of a zip archive that are read as games, each named like `archive.zip/games.pgn`; a stream as a
 * File; and any other input itself.
 */
export async function members(given, options = {}) {
  const { name } = checked(options, ["name"]);
  const whole = await opened(given, platform, { name });
  const input = await platform.shared(whole);
  const module = await fullModule();
  const hand = takeHand(module);
  let isWell = false;
  try {
    const found = await membersBy(hand, input);
    isWell = true;
    return found ?? [isRead(given) ? new File([whole.blob], whole.name) : given];
  } catch (error) {
    throw named(error, input.name);
  } finally {
    if (isWell) giveBack(module, hand);
    else hand.end();
  }
}

/** Returns the members of an opened input, and null if it is no zip archive. */
export async function membersBy(hand, input) {
  const found = input.member === undefined ? await hand.ask("members", { input }) : null;
  return found && found.map((member) => new Member(input, member));
}
