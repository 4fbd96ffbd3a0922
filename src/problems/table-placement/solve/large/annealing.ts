import { UNITS } from "../../../../search/work.js";
import { excessOf, type Packing, type PackingSearch, type Piece, type Regret } from "./packing.js";

/** Temperatures, as shares of the target. */
const HOTTEST = 4e-3;
const COLDEST = 2e-4;

/** Of all steps, those that change a table's option. */
const OPTIONS = 0.1;
/** Of the others, those that exchange a piece for one of another place, where that has any. */
const EXCHANGES = 0.7;
/** Places that are drawn for a piece of another option, of which it goes to the emptiest. */
const DRAWN = 4;

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 1024;

/**
 * Simulated annealing of a packing: the energy is what is above a target on all devices together. Pieces change places, alone or
 * for one another, and tables their options. From what the packing is, so many steps; whether it came to their end or to the target.
 */
export function coolTo(
  packing: Packing,
  target: number,
  steps: number,
  { options, random, shouldStop }: PackingSearch,
): boolean {
  const { load, problem, groups, free } = packing;
  let temperature = 0;
  // What is above the target.
  let energy = packing.excess(target);
  // By table, options of no more regret than what all devices together have below the target.
  const slack = load.reduce((sum, load) => sum + target - load, 0);
  const cheap = options.map((own) => own.filter(({ regret }) => regret <= slack));
  const tables = options.length;
  for (let step = 0; step < steps && energy > 0; step++) {
    if (step % STEPS_PER_LOOK === 0) {
      temperature = target * HOTTEST * (COLDEST / HOTTEST) ** (step / steps);
      // Differences were added many times.
      energy = packing.excess(target);
      if (shouldStop(STEPS_PER_LOOK * UNITS.annealing)) return false;
    }
    const table = random.integer(tables);
    if (random.next() < OPTIONS) changeOption(table);
    else movePiece(table);
  }
  return true;

  /** Whether a change is taken that adds so much above the target. */
  function isTaken(change: number): boolean {
    return change <= 0 || change < -Math.log(1 - random.next()) * temperature;
  }

  /** Moves a piece, or exchanges it for another. */
  function movePiece(table: number): void {
    const pieces = packing.piecesOf(table);
    if (pieces.length === 0) return;
    const piece = (pieces.length === 1 ? pieces[0] : pieces[random.integer(pieces.length)]) as Piece;
    const lists = piece.isGroup ? groups : free;
    const from = packing.placeOf(piece);
    const to = random.integer(lists.length);
    if (to === from) return;
    const there = lists[to] as readonly Piece[];
    const isExchange = there.length > 0 && random.next() < EXCHANGES;
    const other = isExchange ? (there[random.integer(there.length)] as Piece) : null;
    const change = changeBy(piece, other, from, to);
    if (!isTaken(change)) return;
    packing.take(piece);
    if (other !== null) packing.take(other);
    const isAllowed = packing.fits(piece, to) && (other === null || packing.fits(other, from));
    packing.put(piece, isAllowed ? to : from);
    if (other !== null) packing.put(other, isAllowed ? from : to);
    if (isAllowed) energy += change;
  }

  /** What is above the target changes by so much where a piece goes, and another one comes. */
  function changeBy({ needs, isGroup, peak }: Piece, other: Piece | null, from: number, to: number): number {
    if (!isGroup) return changeOn(from, to, peak - (other?.peak ?? 0));
    const [first, second] = [from * problem.gpusPerNode, to * problem.gpusPerNode];
    let sum = 0;
    for (let slot = 0; slot < needs.length; slot++) {
      const moved = (needs[slot]?.cost as number) - (other === null ? 0 : (other.needs[slot]?.cost as number));
      sum += changeOn(first + slot, second + slot, moved);
    }
    return sum;
  }

  /** The same of two devices, where so much more goes than comes. */
  function changeOn(from: number, to: number, moved: number): number {
    const [here, there] = [load[from] as number, load[to] as number];
    return (
      excessOf(here - moved, target) -
      excessOf(here, target) +
      excessOf(there + moved, target) -
      excessOf(there, target)
    );
  }

  /** Gives a table another option, the likelier the less its regret. */
  function changeOption(table: number): void {
    const own = cheap[table] as readonly Regret[];
    const before = packing.optionOf(table);
    const option = own[Math.floor(own.length * random.next() ** 2)]?.option ?? before;
    if (option === before) return;
    packing.changeOption(table, option, drawnPlace, () => {
      const excess = packing.excess(target);
      if (!isTaken(excess - energy)) return false;
      energy = excess;
      return true;
    });
  }

  /** The emptiest of some places that are drawn; −1 where a piece fits none. */
  function drawnPlace(piece: Piece): number {
    const [count, width] = piece.isGroup ? [groups.length, problem.gpusPerNode] : [load.length, 1];
    let [best, least] = [-1, Number.POSITIVE_INFINITY];
    for (let k = 0; k < DRAWN; k++) {
      const place = random.integer(count);
      const full = load[place * width] as number;
      if (full >= least || !packing.fits(piece, place)) continue;
      [best, least] = [place, full];
    }
    return best;
  }
}
