// What every part of a page uses: elements, numbers in words, settings, copying, and messages for screen readers.

export const $ = (id) => document.getElementById(id);

/** Returns what a function returns, or null if it throws. */
export function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Settings that the browser keeps. Storage may be blocked, full or missing; then a setting holds until the page is closed. */
export const settings = {
  get: (name) => attempt(() => localStorage.getItem(name)),
  set: (name, value) => attempt(() => localStorage.setItem(name, value)),
};

export const count = new Intl.NumberFormat("en");

/** Writes a number of things, as `1 game` or `2,000 games`. */
export const counted = (number, one, many = `${one}s`) => `${count.format(number)} ${number === 1 ? one : many}`;

export const games = (number) => counted(number, "game");

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Creates an element. A function is a listener for the event of that name. Text is always text: nothing from a game is read as HTML. */
export const make = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);

/** Creates an element of SVG. */
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

/** A name or another text of a game in a line of text: one that is written from right to left does not turn the rest round. */
export const isolated = (text) => make("bdi", {}, text);

/** Texts of games in a line of text. */
export const joined = (texts, separator) => texts.flatMap((text, at) => (at ? [separator, isolated(text)] : [isolated(text)]));

/** Replaces the content of an element. If the keyboard focus was in it, it moves to the element that `next` selects. */
export function replace(element, children, next) {
  const hadFocus = element.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  element.replaceChildren(...children);
  if (hadFocus) element.querySelector(next)?.focus();
}

/** Whether a click on a link is for this page. Other clicks open it elsewhere. */
export const isPlain = (event) => !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

/** Tells screen readers what has happened. */
export const say = (text) => ($("status").textContent = text);

/** Shows a reason, or nothing. Its last lines may be indented: a text, and carets under the wrong part. */
export function showError(element, text) {
  const [, reason, lines] = (text ?? "").match(/^(.*?)((?:\n {4}[^\n]*)*)$/s);
  element.replaceChildren(reason, ...(lines ? [make("span", {}, lines.slice(1))] : []));
  element.hidden = !text;
}

/** Copies text. Over plain HTTP from another computer, browsers have only the older way. */
export async function copy(button, text) {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    isCopied = document.execCommand("copy");
    area.remove();
    button.focus();
  }
  const label = (button.dataset.label ??= button.textContent);
  button.textContent = isCopied ? "Copied" : "Not copied";
  say(`${label}: ${isCopied ? "copied" : "not copied"}.`);
  setTimeout(() => (button.textContent = label), 1500);
}

/** Makes the skip links move the focus: into the board, or to a heading. */
export function listenToSkips() {
  for (const skip of document.querySelectorAll("[data-focus]")) {
    skip.addEventListener("click", (event) => {
      event.preventDefault();
      const target = $(skip.dataset.focus);
      (target.querySelector('[tabindex="0"]') ?? target).focus();
    });
  }
}
