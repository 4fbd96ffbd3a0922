import type { Packing, Piece } from "./packing.js";

/** Longest processing time first over chosen options: whether everything found a place. */
export function packLongestFirst(packing: Packing, chosen: readonly number[]): boolean {
  const pieces: Piece[] = [];
  for (const [table, option] of chosen.entries()) {
    if (!packing.fitsEverywhere(table, option)) return false;
    for (const piece of packing.choose(table, option)) pieces.push(piece);
  }
  pieces.sort((a, b) => b.peak - a.peak || a.table - b.table || a.shard - b.shard);
  for (const piece of pieces) {
    const place = leastLoaded(packing, piece);
    if (place === -1) return false;
    packing.put(piece, place);
  }
  return true;
}

/** Where a piece makes the least largest load; −1 where it fits nowhere. */
function leastLoaded(packing: Packing, piece: Piece): number {
  const { load, problem } = packing;
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  const places = piece.isGroup ? problem.nodes : load.length;
  for (let place = 0; place < places; place++) {
    const largest = loadWith(packing, piece, place);
    if (largest >= least || !packing.fits(piece, place)) continue;
    [best, least] = [place, largest];
  }
  return best;
}

function loadWith({ load, problem }: Packing, { isGroup, needs, peak }: Piece, place: number): number {
  if (!isGroup) return (load[place] as number) + peak;
  const first = place * problem.gpusPerNode;
  let most = 0;
  for (let slot = 0; slot < needs.length; slot++) {
    most = Math.max(most, (load[first + slot] as number) + (needs[slot]?.cost ?? 0));
  }
  return most;
}
