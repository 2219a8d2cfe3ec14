// The package in Node, as `init.js` has it for pages. There is nothing to wait for.

export async function init() {}

export * from "./node.js";
