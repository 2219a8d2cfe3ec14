// Blocks of rows: columns as typed arrays over the bytes that the module wrote. The layout is described in the crate
// pgn2fen-rows, `formats/blocks`.
