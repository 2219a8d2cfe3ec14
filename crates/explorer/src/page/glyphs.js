// Numeric annotation glyphs: the signs that people write for them, and their meaning in words.

const GLYPHS = {
  1: ["!", "good move"],
  2: ["?", "mistake"],
  3: ["!!", "brilliant move"],
  4: ["??", "blunder"],
  5: ["!?", "interesting move"],
  6: ["?!", "dubious move"],
  7: ["□", "only move"],
  10: ["=", "equal position"],
  11: ["=", "equal position"],
  13: ["∞", "unclear position"],
  14: ["⩲", "White is slightly better"],
  15: ["⩱", "Black is slightly better"],
  16: ["±", "White is better"],
  17: ["∓", "Black is better"],
  18: ["+−", "White is winning"],
  19: ["−+", "Black is winning"],
  22: ["⊙", "zugzwang"],
  23: ["⊙", "zugzwang"],
  32: ["⟳", "lead in development"],
  33: ["⟳", "lead in development"],
  36: ["↑", "initiative"],
  37: ["↑", "initiative"],
  40: ["→", "attack"],
  41: ["→", "attack"],
  44: ["=∞", "compensation"],
  45: ["=∞", "compensation"],
  132: ["⇆", "counterplay"],
  133: ["⇆", "counterplay"],
  138: ["⊕", "time trouble"],
  139: ["⊕", "time trouble"],
  140: ["∆", "with the idea"],
  142: ["better:", "better is"],
  145: ["RR", "editorial comment"],
  146: ["N", "novelty"],
};

/** The signs of glyphs as one text, such as `!?`. Those about the position stand apart from the move. */
export const signs = (nags) => nags.map((nag, at) => (at || nag > 6 ? " " : "") + (GLYPHS[nag]?.[0] ?? `$${nag}`)).join("");

/** The meaning of glyphs, for screen readers. */
export const meanings = (nags) => nags.map((nag) => GLYPHS[nag]?.[1] ?? `glyph ${nag}`).join(", ");

/** A class for the colour of a move: good moves and bad moves are seen at a glance. */
export const kindOf = (nags) => ({ 1: "good", 2: "bad", 3: "good", 4: "bad", 6: "dubious" })[nags.find((nag) => nag <= 6)] ?? "";
