// Blocks of rows: columns as typed arrays over the bytes that the module wrote. Their layout is described in the crate pgn2fen-rows
// (`formats/blocks.rs`).

const decoder = new TextDecoder();
const KINDS = ["text", "int32", "int64", "float64", "date", "int32[]", "float64[]", "text[]", "map", "text"];
const ARRAYS = { int32: Int32Array, int64: BigInt64Array, float64: Float64Array, date: Int32Array, "int32[]": Int32Array, "float64[]": Float64Array };
const DAY = 24 * 60 * 60 * 1000;

/** Texts in UTF-8 with the places where they begin. */
class Texts {
  #bytes;
  #all = null;

  constructor(offsets, bytes) {
    this.offsets = offsets;
    this.#bytes = bytes;
  }

  get bytes() {
    return this.#bytes;
  }

  get(at) {
    const [start, end] = [this.offsets[at], this.offsets[at + 1]];
    if (start === end) return "";
    // Of texts in ASCII, the characters have the places of the bytes, so they are decoded at once.
    if (this.#all === null) {
      const all = decoder.decode(this.#bytes);
      this.#all = all.length === this.#bytes.length ? all : undefined;
    }
    return this.#all === undefined ? decoder.decode(this.#bytes.subarray(start, end)) : this.#all.slice(start, end);
  }
}

/** Whether a number is that of one of so many rows. */
const isWithin = (row, length) => Number.isInteger(row) && row >= 0 && row < length;

/** A column of a batch. `values` is a typed array; of a text column, `offsets` and `bytes` are. */
export class Column {
  #get;

  constructor(name, type, length, parts, get) {
    /** The name of the column. */
    this.name = name;
    /** Its type: `text`, `int32`, `int64`, `float64`, `date`, `int32[]`, `float64[]`, `text[]` or `map`. */
    this.type = type;
    this.length = length;
    Object.assign(this, parts);
    this.#get = get;
  }

  /** Returns the value of a row, and null if it is missing, or if there is no such row. */
  get(row) {
    if (!isWithin(row, this.length)) return null;
    return this.valid && !this.valid[row] ? null : this.#get(row);
  }

  *[Symbol.iterator]() {
    for (let row = 0; row < this.length; row++) yield this.get(row);
  }
}

/** Consecutive rows, as columns. */
export class Batch {
  constructor(columns, length) {
    this.length = length;
    /** The columns by their names. */
    this.columns = Object.fromEntries(columns.map((column) => [column.name, column]));
  }

  /** Returns a row as an object, and undefined if there is no such row. */
  row(at) {
    if (!isWithin(at, this.length)) return undefined;
    const row = {};
    for (const column of Object.values(this.columns)) row[column.name] = column.get(at);
    return row;
  }

  *[Symbol.iterator]() {
    for (let at = 0; at < this.length; at++) yield this.row(at);
  }
}

/** Yields the batches in the bytes of blocks. */
export function* batchesOf(bytes, names) {
  for (let start = 0; start < bytes.length; ) {
    const [length, rows, columns] = new Uint32Array(bytes.buffer, bytes.byteOffset + start, 3);
    yield readBlock(bytes.subarray(start, start + length), rows, columns, names);
    start += length;
  }
}

function readBlock(bytes, rows, count, names) {
  let at = 16;
  const numbers = () => new Uint32Array(bytes.buffer, bytes.byteOffset + at, 2);
  const buffer = (Kind = Uint8Array) => {
    const length = numbers()[0];
    const array = new Kind(bytes.buffer, bytes.byteOffset + at + 8, length / Kind.BYTES_PER_ELEMENT);
    at += 8 + Math.ceil(length / 8) * 8;
    return array;
  };
  const texts = () => new Texts(buffer(Uint32Array), buffer());
  const columns = [];
  for (let number = 0; number < count; number++) {
    const [kind, missing] = numbers();
    at += 8;
    const type = KINDS[kind];
    const valid = missing & 1 ? buffer() : null;
    const validElements = missing & 2 ? buffer() : null;
    columns.push(readColumn(names[number], { kind, type, rows, valid, validElements, buffer, texts }));
  }
  return new Batch(columns, rows);
}

function readColumn(name, { kind, type, rows, valid, validElements, buffer, texts }) {
  const column = (parts, get) => new Column(name, type, rows, { valid, ...parts }, get);
  const range = (offsets, row, get) => Array.from({ length: offsets[row + 1] - offsets[row] }, (_, nth) => get(offsets[row] + nth));
  switch (kind) {
    case 0: {
      const all = texts();
      return column({ offsets: all.offsets, bytes: all.bytes }, (row) => all.get(row) || null);
    }
    case 9: {
      const indices = buffer(Uint32Array);
      const all = texts();
      return column({ indices, offsets: all.offsets, bytes: all.bytes }, (row) => all.get(indices[row]) || null);
    }
    case 4: {
      const values = buffer(Int32Array);
      return column({ values }, (row) => new Date(values[row] * DAY).toISOString().slice(0, 10));
    }
    case 5:
    case 6: {
      const offsets = buffer(Uint32Array);
      const values = buffer(ARRAYS[type]);
      return column({ offsets, values, validElements }, (row) => range(offsets, row, (at) => (validElements && !validElements[at] ? null : values[at])));
    }
    case 7: {
      const offsets = buffer(Uint32Array);
      const all = texts();
      return column({ offsets, texts: all }, (row) => range(offsets, row, (at) => all.get(at)));
    }
    case 8: {
      const offsets = buffer(Uint32Array);
      const [keys, values] = [texts(), texts()];
      return column({ offsets, keys, texts: values }, (row) => Object.fromEntries(range(offsets, row, (at) => [keys.get(at), values.get(at)])));
    }
    case 2: {
      const values = buffer(BigInt64Array);
      // Only keys have more digits than a number holds.
      return column({ values }, name === "key" ? (row) => values[row] : (row) => Number(values[row]));
    }
    default: {
      const values = buffer(ARRAYS[type]);
      return column({ values }, (row) => values[row]);
    }
  }
}
