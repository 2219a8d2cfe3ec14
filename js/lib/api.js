// Everything that the package exports.

export { Position } from "./position.js";
export { games } from "./games.js";
export { writeGame, annotate, promote } from "./writing.js";
export { scan, starts } from "./scan.js";
export { tree } from "./tree.js";
export { report } from "./report.js";
export { members } from "./archives.js";
export { load } from "./platform.js";
export { Collection } from "./collection.js";
