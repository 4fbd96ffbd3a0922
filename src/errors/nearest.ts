/**
 * Asks whoever wrote `word` whether they meant the known words that begin with it or, where there are none, the nearest one.
 * `undefined` where none is near.
 */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const begun = known.filter((one) => word.length > 2 && one.toLowerCase().startsWith(word.toLowerCase()));
  const last = begun.pop() ?? nearestWord(word, known);
  if (last === undefined) return undefined;
  return `did you mean ${begun.length === 0 ? "" : `${begun.join(", ")} or `}${last}?`;
}

/** The known word fewest edits away from `word`, or undefined when none is near enough to be what was meant. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of known) {
    // So many letters have to be put in or left out.
    if (Math.abs(word.length - candidate.length) >= fewest) continue;
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) {
      fewest = edits;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Levenshtein's distance: insertions, deletions and substitutions of one character that turn `from` into `to`. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const substituted = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
