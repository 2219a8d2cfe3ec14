// Zip archives: their members are inputs of their own.

import { Member, opened } from "./inputs.js";
import { checked } from "./options.js";
import { giveBack, takeHand } from "./pool.js";
import { fullModule, platform } from "./platform.js";

/**
 * Returns the inputs in an input: the members of a zip archive that are read as games, each named like `archive.zip/games.pgn`, and of any other
 * input itself.
 */
export async function members(given, options = {}) {
  const { name } = checked(options, ["name"]);
  const input = await platform.shared(await opened(given, name, platform));
  const module = await fullModule();
  const hand = takeHand(module);
  let isWell = false;
  try {
    const found = await membersBy(hand, input);
    isWell = true;
    return found ?? [given];
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
