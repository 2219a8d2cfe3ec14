// The service worker of a published site: keeps the files of the page, so that the page opens without a network. The data is kept by the page
// itself. `site/build.mjs` replaces the two constants.

/* global FILES, VERSION */

const SCOPE = new URL(".", location.href).pathname;
const PREFIX = `pgn2fen-page ${SCOPE} `;
const CACHE = PREFIX + VERSION;

self.addEventListener("install", (event) => {
  const add = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
    await self.skipWaiting();
  };
  event.waitUntil(add());
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(clean());
});

/** The manifest comes from the host, and without a network it is the last one that was seen. */
async function freshest(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put("manifest.json", response.clone());
    return response;
  } catch (error) {
    const before = await cache.match("manifest.json");
    if (before) return before;
    throw error;
  }
}

async function kept(name, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(name)) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !pathname.startsWith(SCOPE)) return;
  const name = pathname.slice(SCOPE.length) || "index.html";
  if (name === "manifest.json") event.respondWith(freshest(event.request));
  else if (FILES.includes(name)) event.respondWith(kept(name, event.request));
});
