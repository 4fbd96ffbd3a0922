/** NeuroShard cuts columns into parts whose width is a multiple of this: 16 bytes of fp32. */
export const WIDTH_STEP = 4;

/**
 * The numbers of equal parts, of at most `most`, into which a table of width `dim` may be cut by columns: 1, and every k
 * that leaves parts whose width is a multiple of four (as NeuroShard's halvings do). Rising.
 */
export function columnCuts(dim: number, most: number): readonly number[] {
  const cuts = [1];
  for (let parts = 2; parts <= most && parts * WIDTH_STEP <= dim; parts++) {
    if (dim % (parts * WIDTH_STEP) === 0) cuts.push(parts);
  }
  return cuts;
}
