import { UNITS } from "../../../../search/work.js";
import { excessOf, type Packing, type PackingSearch, type Piece, type Regret } from "./packing.js";

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

/**
 * Brings a packing's largest load down to a target: what is above it on all devices together falls step by step. Whether no load is
 * above it in the end.
 */
export function lowerTo(packing: Packing, target: number, { options, random, shouldStop }: PackingSearch): boolean {
  const { load, problem } = packing;
  let inVain = 0;
  let least = packing.excess(target);
  const patience = Math.max(LEAST_IN_VAIN, IN_VAIN * load.length);
  while (!shouldStop(load.length * UNITS.exchange)) {
    const device = aboveTarget();
    if (device === -1) return true;
    if (!dealAnew(device) && !moveGroups(device) && !changeOptions(device)) disturb(device);
    const excess = packing.excess(target);
    inVain = excess < least * 0.999 ? 0 : inVain + 1;
    least = Math.min(least, excess);
    if (inVain > patience) return false;
  }
  return false;

  /** The fullest device, or any above the target, by turns; −1 where there is none. */
  function aboveTarget(): number {
    const above: number[] = [];
    let fullest = -1;
    for (let d = 0; d < load.length; d++) {
      if ((load[d] as number) <= target) continue;
      above.push(d);
      if (fullest === -1 || (load[d] as number) > (load[fullest] as number)) fullest = d;
    }
    if (above.length === 0) return -1;
    return random.next() < 0.5 ? fullest : (above[random.integer(above.length)] as number);
  }

  /** Deals the shards of a device and of another one anew, with the other that helps most; whether one does. */
  function dealAnew(device: number): boolean {
    let best: Deal | null = null;
    for (const other of others(device)) {
      const deal = bestDeal(device, other);
      if (deal !== null && (best === null || deal.gain > best.gain)) best = deal;
    }
    if (best === null) return false;
    take(best);
    return true;
  }

  /** The emptiest devices, and some that are drawn. */
  function others(device: number): Set<number> {
    const others = new Set<number>();
    while (others.size < Math.min(DRAWN, load.length - 1)) {
      const drawn = random.integer(load.length);
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

  function bestDeal(one: number, other: number): Deal | null {
    const pieces = dealt(one, other);
    const n = pieces.length;
    shouldStop(UNITS.exchange * (1 << n));
    const [first, second] = [load[one] as number, load[other] as number];
    const before = excessOf(first, target) + excessOf(second, target);
    const onOne = pieces.filter((piece) => packing.placeOf(piece) === one).length;
    // Those of the first device come first: their bits are set as things are.
    const now = (1 << onOne) - 1;
    const cost = pieces.map(({ peak }) => peak);
    const mine = cost.slice(0, onOne).reduce((sum, value) => sum + value, 0);
    const sums = new Float64Array(1 << n);
    const all = cost.reduce((sum, value) => sum + value, 0);
    const rest = [first - mine, second - (all - mine)] as const;
    let [least, at] = [before - 1e-9 * target, -1];
    for (let set = 0; set < sums.length; set++) {
      if (set > 0) {
        const low = 31 - Math.clz32(set & -set);
        sums[set] = (sums[set & (set - 1)] as number) + (cost[low] as number);
      }
      if (set === now) continue;
      const sum = sums[set] as number;
      const after = excessOf(rest[0] + sum, target) + excessOf(rest[1] + all - sum, target);
      if (after >= least || !mayDeal(pieces, now, set, one, other)) continue;
      [least, at] = [after, set];
    }
    if (at === -1) return null;
    return { pieces, one, other, now, after: at, gain: before - least };
  }

  function dealt(one: number, other: number): Piece[] {
    const { free } = packing;
    const own = [...(free[one] as Piece[])];
    const theirs = [...(free[other] as Piece[])];
    while (own.length + theirs.length > MAX_DEALT) {
      const list = own.length >= theirs.length ? own : theirs;
      list.splice(random.integer(list.length), 1);
    }
    return [...own, ...theirs];
  }

  function mayDeal(pieces: readonly Piece[], now: number, after: number, one: number, other: number): boolean {
    const leaving = pieces.filter((_, k) => (now >> k) & 1 && !((after >> k) & 1));
    const coming = pieces.filter((_, k) => (after >> k) & 1 && !((now >> k) & 1));
    return (
      leaving.every((piece) => packing.isAllowed(piece, other)) &&
      coming.every((piece) => packing.isAllowed(piece, one)) &&
      packing.fitsExchanged(one, leaving, coming) &&
      packing.fitsExchanged(other, coming, leaving)
    );
  }

  function take({ pieces, one, other, now, after }: Deal): void {
    const moving = pieces.filter((_, k) => ((now ^ after) >> k) & 1);
    const targets = moving.map((piece) => (packing.placeOf(piece) === one ? other : one));
    for (const piece of moving) packing.take(piece);
    moving.forEach((piece, k) => {
      packing.put(piece, targets[k] as number);
    });
  }

  /** Moves a group of the device's node to another node where that helps. */
  function moveGroups(device: number): boolean {
    const node = Math.floor(device / packing.problem.gpusPerNode);
    for (const piece of [...(packing.groups[node] as Piece[])]) {
      const before = packing.excess(target);
      packing.take(piece);
      const [to, excess] = bestPlace(piece, node);
      shouldStop(packing.load.length * 3 * UNITS.exchange);
      if (to !== -1 && excess < before - 1e-9 * target) {
        packing.put(piece, to);
        return true;
      }
      packing.put(piece, node);
    }
    return false;
  }

  /** Where a piece that was taken away adds the least above the target, but for one place; then the fullest such place. */
  function bestPlace(piece: Piece, but = -1): [place: number, excess: number] {
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
    return [best, packing.excess(target) + least];
  }

  /** Another option for a table on the device, where that helps. */
  function changeOptions(device: number): boolean {
    const { free, groups } = packing;
    const node = Math.floor(device / problem.gpusPerNode);
    const tables = new Set([...(free[device] as Piece[]), ...(groups[node] as Piece[])].map(({ table }) => table));
    for (const table of tables) {
      for (const { option, regret } of options[table] as readonly Regret[]) {
        if (regret > slack()) break;
        if (change(table, option, -1e-9 * target)) return true;
      }
    }
    return false;
  }

  /** What all devices together have below the target. */
  function slack(): number {
    let sum = 0;
    for (const one of load) sum += target - one;
    return Math.max(0, sum);
  }

  /** Gives a table another option where what is above the target changes by less than `most`; whether it does. */
  function change(table: number, option: number, most: number): boolean {
    if (option === packing.optionOf(table)) return false;
    shouldStop(packing.load.length * 4 * UNITS.exchange);
    const excess = packing.excess(target);
    return packing.changeOption(
      table,
      option,
      (piece) => bestPlace(piece)[0],
      () => packing.excess(target) - excess < most,
    );
  }

  /** Changes something at little loss: an option for a cheaper one, or one drawn, or shards of two devices. */
  function disturb(device: number): void {
    const worse = -Math.log(1 - random.next()) * WORSE * target;
    if (random.next() < 0.4) {
      const table = random.integer(options.length);
      const own = options[table] as readonly Regret[];
      const cheap = own.filter(({ regret }) => regret <= slack());
      const { option } = cheap[Math.floor(cheap.length * random.next() ** 2)] ?? (own[0] as Regret);
      if (change(table, option, worse)) return;
    }
    swap(random.next() < 0.5 ? device : random.integer(packing.load.length), worse);
  }

  /** Deals a shard of one device, or two, and one of another or none, the other way round. */
  function swap(one: number, worse: number): void {
    const other = random.integer(load.length);
    if (other === one) return;
    const pieces = dealt(one, other);
    if (pieces.length === 0) return;
    const onOne = pieces.filter((piece) => packing.placeOf(piece) === one).length;
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
    if (change > worse || !mayDeal(pieces, now, after, one, other)) return;
    take({ pieces, one, other, now, after, gain: 0 });
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
