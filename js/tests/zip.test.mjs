// Zip archives: their members are inputs of their own.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, it } from "node:test";
import { Collection, games, members, report, scan } from "../dist/node.js";

const ARCHIVES = join(import.meta.dirname, "../../fixtures/archives");
const week = () => new File([readFileSync(join(ARCHIVES, "week.zip"))], "week.zip");

async function collected(inputs) {
  const collection = Collection.open(inputs);
  await new Promise((resolve) => {
    collection.onupdate = () => collection.progress.isDone && resolve();
  });
  return collection;
}

describe("zip archives", () => {
  it("are replaced by the members that are named like games", async () => {
    for (const input of [week(), pathToFileURL(join(ARCHIVES, "week.zip"))]) {
      const found = await members(input);
      assert.deepEqual(found.map(({ name }) => name), ["week.zip/open.pgn", "week.zip/club/blitz.pgn"]);
      const reports = await Promise.all(found.map((member) => report(member)));
      assert.deepEqual(reports.map((made) => [made.games, made.errors]), [[2, 0], [1, 1]]);
      assert.match(String(reports[1].messages[0]), /^week\.zip\/club\/blitz\.pgn:6:13: /);
      const rows = await scan(found[0], "file,ply,san", { plies: "-1" }).toArray();
      assert.deepEqual(rows, [{ file: "week.zip/open.pgn", ply: 7, san: "Qxf7#" }, { file: "week.zip/open.pgn", ply: 4, san: "Qh4#" }]);
    }
    const [only] = await members("1. e4 *");
    assert.equal(only, "1. e4 *");
  });

  it("are files of a collection", async () => {
    const collection = await collected([week(), "1. e4 *"]);
    assert.deepEqual(collection.files.map(({ name, games, error }) => [name, games, error]), [["week.zip/open.pgn", 2, null], ["week.zip/club/blitz.pgn", 1, null], ["games.pgn", 1, null]]);
    assert.equal((await collection.game(0)).tags.White, "Anna");
    assert.equal(collection.progress.bytes, collection.progress.total);
    collection.close();
  });

  it("with one member are read like a file, and others name their members", async () => {
    const bytes = readFileSync(join(ARCHIVES, "deflate64.zip"));
    assert.equal((await report(bytes)).games, 1200);
    let count = 0;
    for await (const game of games(bytes)) count += game.tags.Event ? 1 : 0;
    assert.equal(count, 1200);
    await assert.rejects(() => report(week()), { code: "unreadable-input", message: "week.zip: is a zip archive with several members (open.pgn, club/blitz.pgn); `await members(input)` gives them one by one" });
    await assert.rejects(() => members(bytes.subarray(0, 1000)), /cut short/);
    const [secret, open] = await members(readFileSync(join(ARCHIVES, "encrypted.zip")));
    await assert.rejects(() => report(secret), /is encrypted with a password/);
    assert.equal((await report(open)).games, 1);
  });
});
