// How files come to the page: dropped, chosen, pasted, or typed. They are read by the page itself.

import { $ } from "../../crates/explorer/src/page/dom.js";

/** Text as a file, so that messages have a name for it. */
export const textFile = (text, name = "pasted text.pgn") => new File([text], name, { type: "application/x-chess-pgn" });

/** Connects everything that opens files. `open` gets a list of files. */
export function listenToFiles(open) {
  const input = $("file-input");
  for (const button of document.querySelectorAll(".choose-files")) button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    if (input.files.length) open([...input.files]);
    // The same file can be chosen again.
    input.value = "";
  });
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].some((type) => type === "Files" || type === "text/plain");
  const show = (isOver) => document.body.classList.toggle("dragging", isOver);
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    show(true);
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && show(false));
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    show(false);
    const files = [...event.dataTransfer.files];
    const text = event.dataTransfer.getData("text/plain");
    if (files.length) open(files);
    else if (text.trim()) open([textFile(text, "dropped text.pgn")]);
  });
  addEventListener("paste", (event) => {
    if (event.target.matches?.("input, textarea")) return;
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData("text/plain");
    if (files.length) open(files);
    else if (text.trim()) open([textFile(text)]);
  });
  const dialog = $("paste-dialog");
  for (const button of document.querySelectorAll(".paste-text")) button.addEventListener("click", () => dialog.showModal());
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  $("paste-form").addEventListener("submit", () => {
    const text = $("paste-text").value;
    if (text.trim()) open([textFile(text)]);
    $("paste-text").value = "";
  });
}
