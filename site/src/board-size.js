// The size of the board, as a share of the place that it has. The browser remembers it.

import { $, settings } from "../../crates/explorer/src/page/dom.js";

/** Connects the slider of the size. */
export function listenToSize() {
  const slider = $("board-size");
  const use = () => {
    $("workbench").style.setProperty("--share", slider.value / 100);
    slider.setAttribute("aria-valuetext", `${slider.value}% of its place`);
  };
  const before = Number(settings.get("board-size"));
  if (before) slider.value = before;
  slider.addEventListener("input", use);
  slider.addEventListener("change", () => settings.set("board-size", slider.value));
  use();
}
