import { WIDTH_STEP } from "../placement/formula-options.js";

/**
 * The lists of widths that a table of width `dim` can be cut into by halving it, then any of its parts, and so on
 * (NeuroShard's column-wise sharding): at most `mostShards` parts, all of a width that is a multiple of four, the widest
 * first. The whole table is the first list; lists come by rising number of parts, each once. Ends after `mostLists`.
 */
export function halvings(dim: number, mostShards: number, mostLists: number): readonly (readonly number[])[] {
  const lists: (readonly number[])[] = [[dim]];
  const known = new Set([widthsKey([dim])]);
  // Lists that are found join the end, and are looked at in their turn.
  for (const widths of lists) {
    if (widths.length >= mostShards || lists.length >= mostLists) break;
    for (const width of new Set(widths)) {
      if (width % (2 * WIDTH_STEP) !== 0) continue;
      const halved = halve(widths, width);
      const key = widthsKey(halved);
      if (!known.has(key)) lists.push(halved);
      known.add(key);
    }
  }
  return lists.slice(0, mostLists);
}

/** One of the parts of this width becomes two. */
function halve(widths: readonly number[], width: number): readonly number[] {
  const rest = widths.toSpliced(widths.indexOf(width), 1);
  return [...rest, width / 2, width / 2].sort((a, b) => b - a);
}

/** One text per list of widths, whatever their order. */
export function widthsKey(widths: readonly number[]): string {
  return widths.toSorted((a, b) => b - a).join();
}
