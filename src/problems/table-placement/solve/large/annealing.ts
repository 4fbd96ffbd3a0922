import type { Random } from "../../../../exact/random.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { Regret } from "./lower.js";
import { excessOf, type Packing, type Piece } from "./packing.js";

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
 * for one another, and tables their options.
 */
export class Annealing {
  readonly #packing: Packing;
  readonly #options: readonly (readonly Regret[])[];
  readonly #random: Random;
  readonly #shouldStop: ShouldStop;
  #target = 0;
  #temperature = 0;
  /** What is above the target. */
  #energy = 0;
  /** By table, options of no more regret than what all devices together have below the target. */
  #cheap: readonly (readonly Regret[])[] = [];

  /** `options`: by table, in rising order of regret. */
  constructor(
    packing: Packing,
    options: readonly (readonly Regret[])[],
    { random, shouldStop }: { readonly random: Random; readonly shouldStop: ShouldStop },
  ) {
    [this.#packing, this.#options, this.#random, this.#shouldStop] = [packing, options, random, shouldStop];
  }

  /** From what the packing is, so many steps towards a target; whether it came to their end or to the target. */
  coolTo(target: number, steps: number): boolean {
    this.#target = target;
    this.#energy = this.#packing.excess(this.#target);
    const slack = this.#packing.load.reduce((sum, load) => sum + target - load, 0);
    this.#cheap = this.#options.map((own) => own.filter(({ regret }) => regret <= slack));
    const random = this.#random;
    const tables = this.#options.length;
    for (let step = 0; step < steps && this.#energy > 0; step++) {
      if (step % STEPS_PER_LOOK === 0) {
        this.#temperature = target * HOTTEST * (COLDEST / HOTTEST) ** (step / steps);
        // Differences were added many times.
        this.#energy = this.#packing.excess(this.#target);
        if (this.#shouldStop(STEPS_PER_LOOK * UNITS.annealing)) return false;
      }
      const table = random.integer(tables);
      if (random.next() < OPTIONS) this.#changeOption(table);
      else this.#movePiece(table);
    }
    return true;
  }

  /** Whether a change is taken that adds so much above the target. */
  #isTaken(change: number): boolean {
    return change <= 0 || change < -Math.log(1 - this.#random.next()) * this.#temperature;
  }

  /** Moves a piece, or exchanges it for another. */
  #movePiece(table: number): void {
    const packing = this.#packing;
    const random = this.#random;
    const pieces = packing.piecesOf(table);
    if (pieces.length === 0) return;
    const piece = (pieces.length === 1 ? pieces[0] : pieces[random.integer(pieces.length)]) as Piece;
    const lists = piece.isGroup ? packing.groups : packing.free;
    const from = packing.placeOf(piece);
    const to = random.integer(lists.length);
    if (to === from) return;
    const there = lists[to] as readonly Piece[];
    const isExchange = there.length > 0 && random.next() < EXCHANGES;
    const other = isExchange ? (there[random.integer(there.length)] as Piece) : null;
    const change = this.#changeBy(piece, other, from, to);
    if (!this.#isTaken(change)) return;
    packing.take(piece);
    if (other !== null) packing.take(other);
    const isAllowed = packing.fits(piece, to) && (other === null || packing.fits(other, from));
    packing.put(piece, isAllowed ? to : from);
    if (other !== null) packing.put(other, isAllowed ? from : to);
    if (isAllowed) this.#energy += change;
  }

  /** What is above the target changes by so much where a piece goes, and another one comes. */
  #changeBy({ needs, isGroup, peak }: Piece, other: Piece | null, from: number, to: number): number {
    const { problem } = this.#packing;
    if (!isGroup) return this.#changeOn(from, to, peak - (other?.peak ?? 0));
    const [first, second] = [from * problem.gpusPerNode, to * problem.gpusPerNode];
    let sum = 0;
    for (let slot = 0; slot < needs.length; slot++) {
      const moved = (needs[slot]?.cost as number) - (other === null ? 0 : (other.needs[slot]?.cost as number));
      sum += this.#changeOn(first + slot, second + slot, moved);
    }
    return sum;
  }

  /** The same of two devices, where so much more goes than comes. */
  #changeOn(from: number, to: number, moved: number): number {
    const target = this.#target;
    const { load } = this.#packing;
    const [here, there] = [load[from] as number, load[to] as number];
    return (
      excessOf(here - moved, target) -
      excessOf(here, target) +
      excessOf(there + moved, target) -
      excessOf(there, target)
    );
  }

  /** Gives a table another option, the likelier the less its regret. */
  #changeOption(table: number): void {
    const packing = this.#packing;
    const random = this.#random;
    const own = this.#cheap[table] as readonly Regret[];
    const before = packing.optionOf(table);
    const option = own[Math.floor(own.length * random.next() ** 2)]?.option ?? before;
    if (option === before) return;
    const places = packing.piecesOf(table).map((piece) => packing.placeOf(piece));
    for (const piece of packing.piecesOf(table)) packing.take(piece);
    if (packing.fitsEverywhere(table, option) && this.#place(packing.choose(table, option))) {
      const excess = packing.excess(this.#target);
      if (this.#isTaken(excess - this.#energy)) {
        this.#energy = excess;
        return;
      }
      for (const piece of packing.piecesOf(table)) packing.take(piece);
    }
    packing.choose(table, before).forEach((piece, k) => {
      packing.put(piece, places[k] as number);
    });
  }

  /** Puts pieces to the emptiest of drawn places; whether all fit, and where one does not, none is put. */
  #place(pieces: readonly Piece[]): boolean {
    const packing = this.#packing;
    const placed: Piece[] = [];
    for (const piece of pieces) {
      const place = this.#drawnPlace(piece);
      if (place === -1) {
        for (const other of placed) packing.take(other);
        return false;
      }
      packing.put(piece, place);
      placed.push(piece);
    }
    return true;
  }

  /** The emptiest of some places that are drawn; −1 where a piece fits none. */
  #drawnPlace(piece: Piece): number {
    const { load, problem, groups } = this.#packing;
    const [count, width] = piece.isGroup ? [groups.length, problem.gpusPerNode] : [load.length, 1];
    let [best, least] = [-1, Number.POSITIVE_INFINITY];
    for (let k = 0; k < DRAWN; k++) {
      const place = this.#random.integer(count);
      const full = load[place * width] as number;
      if (full >= least || !this.#packing.fits(piece, place)) continue;
      [best, least] = [place, full];
    }
    return best;
  }
}
