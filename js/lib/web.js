// The package in a page or a bundle for pages.

import { init } from "./init.js";

await init();

export * from "./api.js";
