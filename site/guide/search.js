// The search. All sections are read for each query, which takes a few milliseconds. A query has words, parts of words,
// and options such as `--per`.

/** Small letters without accents, with the same length as the text, so that places agree. */
export const folded = (text) =>
  [...text].map((char) => {
    const small = char.normalize("NFD")[0].toLowerCase();
    return small.length === char.length ? small : char;
  }).join("");

export const wordsOf = (query) => [...new Set(folded(query).split(/\s+/).filter(Boolean))];

const isLetter = (char) => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** How well a text has a word: as a whole word, at the beginning of one, or inside of one; at most five times. */
function weight(text, word) {
  let best = 0;
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < 5; at = text.indexOf(word, at + word.length)) {
    const begins = !isLetter(word[0]) || !isLetter(text[at - 1]);
    const ends = !isLetter(word.at(-1)) || !isLetter(text[at + word.length]);
    best = Math.max(best, begins && ends ? 6 : begins ? 4 : 1);
    count += 1;
  }
  return best === 0 ? 0 : best + count / 2;
}

export class Search {
  constructor({ pages, sections }) {
    const titles = pages.map(([, title]) => folded(title));
    this.pages = pages;
    this.sections = sections.map(([page, heading, anchor, text, terms]) => ({
      page, heading, anchor, text,
      heads: folded(heading), title: titles[page], body: folded(text), terms: folded(terms), isBehind: pages[page][2],
    }));
  }

  /** The best sections: those with the most words and, if they are few, those with one word less. */
  find(query, most = 30) {
    const words = wordsOf(query);
    if (words.length === 0) return [];
    const phrase = folded(query.trim());
    const scored = this.sections.map((section) => {
      let score = 0;
      let met = 0;
      for (const word of words) {
        const own = 5 * weight(section.heads, word) + 3 * weight(section.terms, word) + weight(section.body, word);
        const title = weight(section.title, word);
        if (own + title > 0) met += 1;
        score += own + 2 * title;
      }
      if (words.length > 1 && section.heads.includes(phrase)) score += 30;
      if (words.length > 1 && section.body.includes(phrase)) score += 10;
      // The page about something comes before its sections.
      if (section.anchor === "" && section.heads.startsWith(phrase)) score += 15;
      // A section that has nothing but the title of its page would be found for each section of it.
      const isOwn = words.some((word) => section.heads.includes(word) || section.body.includes(word));
      return { section, score: section.isBehind ? score / 3 : score, met: isOwn ? met : 0 };
    });
    const best = Math.max(...scored.map(({ met }) => met));
    const enough = scored.filter(({ met }) => met === best).length < 5 ? best - 1 : best;
    const found = scored.filter(({ met }) => met >= Math.max(1, enough));
    found.sort((left, right) => right.met - left.met || right.score - left.score);
    return found.slice(0, most).map(({ section }) => section);
  }
}

/** Cuts a text into parts, of which every second one is one of the words. */
export function marked(text, words) {
  const body = folded(text);
  const parts = [];
  let from = 0;
  while (from < text.length) {
    const hits = words.map((word) => [body.indexOf(word, from), word.length]).filter(([at]) => at >= 0);
    if (hits.length === 0) break;
    const [[at, length]] = hits.sort((left, right) => left[0] - right[0] || right[1] - left[1]);
    parts.push(text.slice(from, at), text.slice(at, at + length));
    from = at + length;
  }
  return [...parts, text.slice(from)];
}

/** The part of a text around the first place that has one of the words, as whole a word as there is. */
export function excerpt(text, words, length = 160) {
  const body = folded(text);
  const places = words.flatMap((word) => {
    const whole = weight(body, word) >= 6 ? wholeWord(body, word) : body.indexOf(word);
    return whole >= 0 ? [whole] : [];
  });
  const at = places.length > 0 ? Math.min(...places) : 0;
  let from = Math.max(0, at - 50);
  if (from > 0) from = text.indexOf(" ", from) + 1 || from;
  if (from > at) from = at;
  const to = text.length - from > length ? text.lastIndexOf(" ", from + length) : text.length;
  return `${from > 0 ? "… " : ""}${text.slice(from, to > at ? to : from + length)}${to < text.length ? " …" : ""}`;
}

function wholeWord(body, word) {
  for (let at = body.indexOf(word); at >= 0; at = body.indexOf(word, at + 1)) {
    if (weight(body.slice(Math.max(0, at - 1), at + word.length + 1), word) >= 6) return at;
  }
  return body.indexOf(word);
}
