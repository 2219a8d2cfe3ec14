// The pages of the guide: the search, the list of pages, and buttons that copy code. The rest works without a script.

import { excerpt, marked, Search, wordsOf } from "./search.js";

const element = (id) => document.getElementById(id);
const top = document.documentElement.dataset.top;
const query = element("ui-query");
const found = element("ui-found");

/** Makes an element with children, which are elements or texts. */
function make(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// The search. Its texts are a script and not data, so that pages that were opened as files can load them.

let loading;

function load() {
  loading ??= new Promise((resolve, reject) => {
    const script = make("script", { src: `${top}texts.js` });
    script.onload = () => resolve(new Search(globalThis.guideTexts));
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

const withMarks = (text, words) => marked(text, words).map((part, at) => (at % 2 ? make("mark", {}, part) : part));

function choose(option) {
  for (const other of found.children) other.removeAttribute("aria-selected");
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) query.setAttribute("aria-activedescendant", option.id);
  else query.removeAttribute("aria-activedescendant");
}

function close() {
  found.hidden = true;
  query.setAttribute("aria-expanded", "false");
  choose(null);
}

async function search() {
  const asked = query.value;
  const words = wordsOf(asked);
  if (words.length === 0) {
    close();
    found.replaceChildren();
    element("ui-count").textContent = "";
    return;
  }
  const search = await load();
  if (query.value !== asked) return;
  const sections = search.find(asked);
  const options = sections.map((section, at) => {
    const [name, title] = search.pages[section.page];
    const hash = section.anchor ? `#${section.anchor}` : "";
    const heading = make("strong", {}, ...withMarks(section.heading, words));
    const attributes = { role: "option", id: `found-${at}`, href: `${top}${name}${hash}`, tabindex: "-1" };
    const link = make("a", attributes, heading);
    if (hash) link.append(make("small", {}, title));
    if (section.text) link.append(make("span", {}, ...withMarks(excerpt(section.text, words), words)));
    return link;
  });
  if (options.length === 0) options.push(make("div", { role: "option", "aria-disabled": "true" }, "Nothing found"));
  found.replaceChildren(...options);
  found.scrollTop = 0;
  found.hidden = false;
  query.setAttribute("aria-expanded", "true");
  element("ui-count").textContent = `${sections.length} found`;
  choose(sections.length > 0 ? found.firstElementChild : null);
}

query.addEventListener("input", search);
query.addEventListener("focus", () => {
  load();
  if (query.value) search();
});
query.addEventListener("keydown", (event) => {
  const chosen = found.querySelector("[aria-selected]");
  if (event.key === "Escape") {
    if (found.hidden) query.value = "";
    close();
  } else if (found.hidden || !chosen) {
    return;
  } else if (event.key === "ArrowDown") {
    choose(chosen.nextElementSibling ?? found.firstElementChild);
  } else if (event.key === "ArrowUp") {
    choose(chosen.previousElementSibling ?? found.lastElementChild);
  } else if (event.key === "Enter") {
    chosen.click();
  } else {
    return;
  }
  event.preventDefault();
});
// A link to this page leaves it as it is, with the list open.
found.addEventListener("click", (event) => event.target.closest("a") && close());
document.addEventListener("pointerdown", (event) => event.target.closest("search") || close());
document.addEventListener("focusin", (event) => event.target.closest("search") || close());
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  query.focus();
  query.select();
});
document.querySelector("search").hidden = false;

// The page in the list of pages is in view.

const current = document.querySelector("#ui-pages [aria-current]");
const showCurrent = () => {
  const list = element("ui-pages");
  if (current) list.scrollTo({ top: current.offsetTop - list.clientHeight / 3 });
};
showCurrent();
element("ui-pages").addEventListener("toggle", showCurrent);
element("ui-pages").addEventListener("click", (event) => {
  if (event.target.closest("a") && element("ui-pages").matches(":popover-open")) element("ui-pages").hidePopover();
});

// The list of headings is open where it has a column of its own.

const contents = element("ui-on-this-page");
const wide = matchMedia("(min-width: 80rem)");
const unfold = () => contents && (contents.open = wide.matches);
wide.addEventListener("change", unfold);
unfold();

// A button copies code. Of a session, it copies the commands.

function copied(pre) {
  const commands = [...pre.querySelectorAll(".command")];
  if (commands.length === 0) return pre.textContent;
  return commands.map((command) => command.textContent).join("\n");
}

if (navigator.clipboard) {
  for (const pre of document.querySelectorAll("pre:not([data-language=text])")) {
    const button = make("button", { type: "button", class: "copy" }, "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(copied(pre));
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    const frame = make("div", { class: "frame" });
    pre.replaceWith(frame);
    frame.append(pre, button);
  }
}
