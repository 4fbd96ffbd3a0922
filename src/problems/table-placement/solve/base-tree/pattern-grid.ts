import type { PricedPart, Room } from "../core/pattern-lp.js";

/** Cells of cost, and as many of bytes. */
const CELLS = 100;

/** Room is looked up a little larger, so that rounding takes none of it. */
const LOOSE = 1 + 1e-9;

/** Bounds of partial patterns. */
export interface GridBounds {
  /** The most that the first `open` tables add with so much left of cost and of bytes. */
  readonly rest: (open: number, cost: number, bytes: number) => number;
  /** The most that all of them come to. */
  readonly most: number;
  /** Cells that were gone through. */
  readonly cells: number;
}

/**
 * The best values of at most one part per table by what is left of cost and of bytes, both in cells: dynamic programming over the
 * two together, with what parts take rounded down, so that no pattern is worth more.
 */
export function boundsOnGrid(
  tables: readonly (readonly PricedPart<Room>[])[],
  capacity: number,
  memory: number,
): GridBounds {
  const [costCell, byteCell] = [capacity / CELLS, memory / CELLS];
  const side = CELLS + 1;
  const before = [new Float64Array(side * side)];
  let count = 0;
  for (const items of tables) {
    const known = before.at(-1) as Float64Array;
    const best = known.slice();
    const inCells = items.map(({ part, value }) => ({
      ...{ cost: cellOf(part.cost, costCell), bytes: cellOf(part.hbm, byteCell), value },
    }));
    for (const { cost, bytes, value } of undominated(inCells)) {
      count++;
      const shift = cost * side + bytes;
      for (let x = cost; x <= CELLS; x++) {
        for (let at = x * side + bytes; at < (x + 1) * side; at++) {
          const sum = (known[at - shift] as number) + value;
          if (sum > (best[at] as number)) best[at] = sum;
        }
      }
    }
    before.push(best);
  }
  const [perCost, perByte] = [perCell(costCell), perCell(byteCell)];
  const cells = (room: number, per: number) => (per === 0 ? 0 : Math.min(CELLS, Math.floor(room * per)));
  const rest = (open: number, cost: number, bytes: number) =>
    (before[open] as Float64Array)[cells(cost, perCost) * side + cells(bytes, perByte)] as number;
  return { rest, most: rest(tables.length, capacity, memory), cells: count * side * side };
}

/** What takes so many cells of cost and of bytes. */
interface InCells {
  readonly cost: number;
  readonly bytes: number;
  readonly value: number;
}

/** Without those where another takes no more, and is worth as much. */
function undominated(items: readonly InCells[]): readonly InCells[] {
  const kept: InCells[] = [];
  for (const item of items.toSorted((a, b) => a.cost - b.cost || a.bytes - b.bytes || b.value - a.value)) {
    if (!kept.some(({ bytes, value }) => bytes <= item.bytes && value >= item.value)) kept.push(item);
  }
  return kept;
}

/** Cells of one unit of room. */
function perCell(cell: number): number {
  return cell > 0 && cell < Number.POSITIVE_INFINITY ? LOOSE / cell : 0;
}

/** In whole cells, rounded down; what is not limited, or of which there is none, has one cell. */
function cellOf(value: number, cell: number): number {
  return cell > 0 && cell < Number.POSITIVE_INFINITY ? Math.min(CELLS, Math.floor(value / cell)) : 0;
}
