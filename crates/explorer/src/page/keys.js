// The keys of a page, and the buttons that do the same.

import { $, settings } from "./dom.js";

/**
 * Connects the controls: functions by the id of their button. The arrow keys, Home and End step through the moves, if there are such controls.
 * `letters` are keys that a person can turn off, as speech input and some keyboards press them by accident.
 */
export function listen(controls, letters = {}) {
  for (const [id, act] of Object.entries(controls)) $(id).addEventListener("click", act);
  const box = $("single-keys");
  box.checked = settings.get("single-keys") !== "off";
  box.addEventListener("change", () => settings.set("single-keys", box.checked ? "on" : "off"));
  const steps = { ArrowLeft: controls.back, ArrowRight: controls.forward, Home: controls.first, End: controls.last };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.matches?.("input:not([type=checkbox]), textarea, select");
    if (isTyping || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const act = steps[event.key] ?? (box.checked ? letters[event.key] : null);
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}
