// The drawings of the pieces, as part of the document. A page that was opened as a file may not refer to another file, so they are taken from
// the picture of the initial position, which has all twelve.

import { Position } from "pgn2fen";
import { svg } from "../../crates/explorer/src/page/dom.js";

/** Adds the set of pieces to the document, as symbols `p2f-wP` to `p2f-bK`. */
export function addPieces() {
  const picture = new DOMParser().parseFromString(new Position().board(), "image/svg+xml");
  const symbols = [...picture.querySelectorAll("defs > g")].map((drawing) => {
    const id = drawing.id.replace(/-45$/, "");
    drawing.removeAttribute("id");
    return svg("symbol", { id, viewBox: "0 0 45 45" }, document.importNode(drawing, true));
  });
  document.body.prepend(svg("svg", { display: "none" }, ...symbols));
}
