import type { Random } from "../../../../exact/random.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { excessOf, type Packing, type Piece } from "./packing.js";

/** An option of a table and what it costs beyond the table's best at the prices of the relaxation. */
export interface Regret {
  readonly option: number;
  readonly regret: number;
}

/** Shards of two devices that are dealt anew at most. */
const MAX_DEALT = 11;
/** Devices that a full one is compared with: so many of the emptiest, and so many drawn. */
const EMPTIEST = 12;
const DRAWN = 12;
/** Steps in vain after which a target is given up, by device. */
const IN_VAIN = 6;
const LEAST_IN_VAIN = 400;
/** A change is taken where it is worse by less than this part of the target, times a drawn number. */
const WORSE = 2e-2;

/** Brings a packing's largest load down to targets: what is above the target on all devices together falls step by step. */
export class Lowering {
  readonly #packing: Packing;
  readonly #options: readonly (readonly Regret[])[];
  readonly #random: Random;
  readonly #shouldStop: ShouldStop;
  #target = 0;

  /** `options`: by table, in rising order of regret. */
  constructor(
    packing: Packing,
    options: readonly (readonly Regret[])[],
    { random, shouldStop }: { readonly random: Random; readonly shouldStop: ShouldStop },
  ) {
    this.#packing = packing;
    this.#options = options;
    this.#random = random;
    this.#shouldStop = shouldStop;
  }

  /** Whether no load is above the target in the end. */
  lowerTo(target: number): boolean {
    this.#target = target;
    const { load } = this.#packing;
    let inVain = 0;
    let least = this.#packing.excess(this.#target);
    const patience = Math.max(LEAST_IN_VAIN, IN_VAIN * load.length);
    while (!this.#shouldStop(load.length * UNITS.exchange)) {
      const device = this.#aboveTarget();
      if (device === -1) return true;
      if (!this.#dealAnew(device) && !this.#moveGroups(device) && !this.#changeOptions(device)) this.#disturb(device);
      const excess = this.#packing.excess(this.#target);
      inVain = excess < least * 0.999 ? 0 : inVain + 1;
      least = Math.min(least, excess);
      if (inVain > patience) return false;
    }
    return false;
  }

  /** The fullest device, or any above the target, by turns; −1 where there is none. */
  #aboveTarget(): number {
    const { load } = this.#packing;
    const above: number[] = [];
    let fullest = -1;
    for (let d = 0; d < load.length; d++) {
      if ((load[d] as number) <= this.#target) continue;
      above.push(d);
      if (fullest === -1 || (load[d] as number) > (load[fullest] as number)) fullest = d;
    }
    if (above.length === 0) return -1;
    return this.#random.next() < 0.5 ? fullest : (above[this.#random.integer(above.length)] as number);
  }

  /** Deals the shards of a device and of another one anew, with the other that helps most; whether one does. */
  #dealAnew(device: number): boolean {
    let best: Deal | null = null;
    for (const other of this.#others(device)) {
      const deal = this.#bestDeal(device, other);
      if (deal !== null && (best === null || deal.gain > best.gain)) best = deal;
    }
    if (best === null) return false;
    this.#take(best);
    return true;
  }

  /** The emptiest devices, and some that are drawn. */
  #others(device: number): Set<number> {
    const { load } = this.#packing;
    const others = new Set<number>();
    while (others.size < Math.min(DRAWN, load.length - 1)) {
      const drawn = this.#random.integer(load.length);
      if (drawn !== device) others.add(drawn);
    }
    const emptiest: number[] = [];
    for (let d = 0; d < load.length; d++) {
      if (d === device) continue;
      let at = Math.min(emptiest.length, EMPTIEST);
      while (at > 0 && (load[d] as number) < (load[emptiest[at - 1] as number] as number)) at--;
      if (at < EMPTIEST) emptiest.splice(at, 0, d);
      if (emptiest.length > EMPTIEST) emptiest.pop();
    }
    for (const d of emptiest) others.add(d);
    return others;
  }

  #bestDeal(one: number, other: number): Deal | null {
    const target = this.#target;
    const pieces = this.#dealt(one, other);
    const { load } = this.#packing;
    const n = pieces.length;
    this.#shouldStop(UNITS.exchange * (1 << n));
    const [first, second] = [load[one] as number, load[other] as number];
    const before = excessOf(first, target) + excessOf(second, target);
    const onOne = pieces.filter((piece) => this.#packing.placeOf(piece) === one).length;
    // Those of the first device come first: their bits are set as things are.
    const now = (1 << onOne) - 1;
    const cost = pieces.map(({ peak }) => peak);
    const mine = cost.slice(0, onOne).reduce((sum, value) => sum + value, 0);
    const sums = new Float64Array(1 << n);
    const all = cost.reduce((sum, value) => sum + value, 0);
    const rest = [first - mine, second - (all - mine)] as const;
    let [least, at] = [before - 1e-9 * this.#target, -1];
    for (let set = 0; set < sums.length; set++) {
      if (set > 0) {
        const low = 31 - Math.clz32(set & -set);
        sums[set] = (sums[set & (set - 1)] as number) + (cost[low] as number);
      }
      if (set === now) continue;
      const sum = sums[set] as number;
      const after = excessOf(rest[0] + sum, target) + excessOf(rest[1] + all - sum, target);
      if (after >= least || !this.#mayDeal(pieces, now, set, one, other)) continue;
      [least, at] = [after, set];
    }
    if (at === -1) return null;
    return { pieces, one, other, now, after: at, gain: before - least };
  }

  #dealt(one: number, other: number): Piece[] {
    const { free } = this.#packing;
    const own = [...(free[one] as Piece[])];
    const theirs = [...(free[other] as Piece[])];
    while (own.length + theirs.length > MAX_DEALT) {
      const list = own.length >= theirs.length ? own : theirs;
      list.splice(this.#random.integer(list.length), 1);
    }
    return [...own, ...theirs];
  }

  #mayDeal(pieces: readonly Piece[], now: number, after: number, one: number, other: number): boolean {
    const leaving = pieces.filter((_, k) => (now >> k) & 1 && !((after >> k) & 1));
    const coming = pieces.filter((_, k) => (after >> k) & 1 && !((now >> k) & 1));
    const packing = this.#packing;
    return (
      leaving.every((piece) => packing.isAllowed(piece, other)) &&
      coming.every((piece) => packing.isAllowed(piece, one)) &&
      packing.fitsExchanged(one, leaving, coming) &&
      packing.fitsExchanged(other, coming, leaving)
    );
  }

  #take({ pieces, one, other, now, after }: Deal): void {
    const packing = this.#packing;
    const moving = pieces.filter((_, k) => ((now ^ after) >> k) & 1);
    const targets = moving.map((piece) => (packing.placeOf(piece) === one ? other : one));
    for (const piece of moving) packing.take(piece);
    moving.forEach((piece, k) => {
      packing.put(piece, targets[k] as number);
    });
  }

  /** Moves a group of the device's node to another node where that helps. */
  #moveGroups(device: number): boolean {
    const packing = this.#packing;
    const node = Math.floor(device / packing.problem.gpusPerNode);
    for (const piece of [...(packing.groups[node] as Piece[])]) {
      const before = this.#packing.excess(this.#target);
      packing.take(piece);
      const [to, excess] = this.#bestPlace(piece, node);
      this.#shouldStop(packing.load.length * 3 * UNITS.exchange);
      if (to !== -1 && excess < before - 1e-9 * this.#target) {
        packing.put(piece, to);
        return true;
      }
      packing.put(piece, node);
    }
    return false;
  }

  /** Where a piece that was taken away adds the least above the target, but for one place; then the fullest such place. */
  #bestPlace(piece: Piece, but = -1): [place: number, excess: number] {
    const target = this.#target;
    const packing = this.#packing;
    const { load, problem } = packing;
    const places = piece.isGroup ? problem.nodes : load.length;
    let [best, least, fullest] = [-1, Number.POSITIVE_INFINITY, 0];
    for (let place = 0; place < places; place++) {
      if (place === but) continue;
      const first = piece.isGroup ? place * problem.gpusPerNode : place;
      let [more, full] = [0, 0];
      for (let slot = 0; slot < piece.needs.length; slot++) {
        const now = load[first + slot] as number;
        const then = now + (piece.needs[slot]?.cost as number);
        more += excessOf(then, target) - excessOf(now, target);
        full = Math.max(full, then);
      }
      if (more > least || (more === least && full <= fullest) || !packing.fits(piece, place)) continue;
      [best, least, fullest] = [place, more, full];
    }
    return [best, this.#packing.excess(this.#target) + least];
  }

  /** Another option for a table on the device, where that helps. */
  #changeOptions(device: number): boolean {
    const { free, groups, problem } = this.#packing;
    const node = Math.floor(device / problem.gpusPerNode);
    const tables = new Set([...(free[device] as Piece[]), ...(groups[node] as Piece[])].map(({ table }) => table));
    for (const table of tables) {
      for (const { option, regret } of this.#options[table] as readonly Regret[]) {
        if (regret > this.#slack()) break;
        if (this.#change(table, option, -1e-9 * this.#target)) return true;
      }
    }
    return false;
  }

  /** What all devices together have below the target. */
  #slack(): number {
    const { load } = this.#packing;
    let sum = 0;
    for (const one of load) sum += this.#target - one;
    return Math.max(0, sum);
  }

  /** Gives a table another option where what is above the target changes by less than `most`; whether it does. */
  #change(table: number, option: number, most: number): boolean {
    const packing = this.#packing;
    const before = packing.optionOf(table);
    if (option === before) return false;
    this.#shouldStop(packing.load.length * 4 * UNITS.exchange);
    const excess = this.#packing.excess(this.#target);
    const places = packing.piecesOf(table).map((piece) => packing.placeOf(piece));
    for (const piece of packing.piecesOf(table)) packing.take(piece);
    const back = () => {
      packing.choose(table, before).forEach((piece, k) => {
        packing.put(piece, places[k] as number);
      });
    };
    if (!packing.fitsEverywhere(table, option)) {
      back();
      return false;
    }
    const placed: Piece[] = [];
    const pieces = packing.choose(table, option);
    for (const piece of pieces) {
      const [place] = this.#bestPlace(piece);
      if (place === -1) break;
      packing.put(piece, place);
      placed.push(piece);
    }
    if (placed.length === pieces.length && this.#packing.excess(this.#target) - excess < most) return true;
    for (const piece of placed) packing.take(piece);
    back();
    return false;
  }

  /** Changes something at little loss: an option for a cheaper one, or one drawn, or shards of two devices. */
  #disturb(device: number): void {
    const random = this.#random;
    const worse = -Math.log(1 - random.next()) * WORSE * this.#target;
    if (random.next() < 0.4) {
      const table = random.integer(this.#options.length);
      const own = this.#options[table] as readonly Regret[];
      const cheap = own.filter(({ regret }) => regret <= this.#slack());
      const { option } = cheap[Math.floor(cheap.length * random.next() ** 2)] ?? (own[0] as Regret);
      if (this.#change(table, option, worse)) return;
    }
    this.#swap(random.next() < 0.5 ? device : random.integer(this.#packing.load.length), worse);
  }

  /** Deals a shard of one device, or two, and one of another or none, the other way round. */
  #swap(one: number, worse: number): void {
    const target = this.#target;
    const { load } = this.#packing;
    const random = this.#random;
    const other = random.integer(load.length);
    if (other === one) return;
    const pieces = this.#dealt(one, other);
    if (pieces.length === 0) return;
    const onOne = pieces.filter((piece) => this.#packing.placeOf(piece) === one).length;
    const now = (1 << onOne) - 1;
    const after = random.integer(1 << pieces.length);
    const sum = (set: number) => pieces.reduce((total, { peak }, k) => total + ((set >> k) & 1 ? peak : 0), 0);
    const moved = sum(after) - sum(now);
    const [first, second] = [load[one] as number, load[other] as number];
    const change =
      excessOf(first + moved, target) +
      excessOf(second - moved, target) -
      excessOf(first, target) -
      excessOf(second, target);
    if (change > worse || !this.#mayDeal(pieces, now, after, one, other)) return;
    this.#take({ pieces, one, other, now, after, gain: 0 });
  }
}

/** Which of two devices' shards are on the first one: now, and after it. */
interface Deal {
  readonly pieces: readonly Piece[];
  readonly one: number;
  readonly other: number;
  readonly now: number;
  readonly after: number;
  readonly gain: number;
}
