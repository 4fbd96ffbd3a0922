import type { Random } from "../../../../exact/random.js";
import type { Without } from "../../../../search/strategies.js";
import { UNITS } from "../../../../search/work.js";
import type { Best } from "./incumbent.js";
import type { Layout } from "./layout.js";
import { FREE, UNIFORM } from "./movable-shards.js";
import { exchange, mayMove, placeUnit, shift } from "./moves.js";
import type { State } from "./state.js";
import { Subsets } from "./subsets.js";

/** Other devices that a kick changes. */
const KICKED = 4;

/** Units of work within a step after which the clock is looked at. */
const ASKED = 20;

/** What sorting a set of shards takes beside a comparison. */
const SORTED = 10;

/** Loads closer than this, relatively, are equal: steps below it may be rounding. */
const ROUNDING = 1e-12;

/**
 * Brings the fullest device down, step by step, from a state within memory: by exchanging up to three of its shards for up
 * to three of another device (the pair's larger load becomes as small as it can), else by another option or other
 * devices for one of its units. Every step lowers the loads lexicographically; ends where none is left.
 */
export function descentOf(state: State, without: Without) {
  const { layout } = state;
  // By option, the least that it puts on every device.
  const least = everywhere(layout);
  const isOfSeveral = !without.has("exchanges of several");
  const giving = new Subsets(isOfSeveral);
  const taking = new Subsets(isOfSeveral);
  // Units of work since it was last asked whether to stop.
  let spent = 0;
  return { run, shuffle, kick };

  function run(best: Best): void {
    for (;;) {
      const device = fullest(state);
      const isLast = !exchangeSets(device, best) && (without.has("reopened units") || !reopen(device, best));
      if (best.isOver(takeUnits()) || isLast) break;
    }
    best.offer(state);
  }

  /** Asked within a step: one of many devices takes long. */
  function isOver(best: Best): boolean {
    return spent >= ASKED && best.isOver(takeUnits());
  }

  function takeUnits(): number {
    const units = spent;
    spent = 0;
    return units;
  }

  /**
   * Exchanges at random between devices other than the fullest, all within memory and below the fullest load: another
   * state to descend from that is no worse.
   */
  function shuffle(times: number, random: Random): void {
    const units = layout.units.length;
    const top = fullest(state);
    const limit = (state.load[top] as number) * (1 - ROUNDING);
    spent += times * UNITS.move;
    for (let k = 0; k < times; k++) {
      const a = slotOf(state, random.integer(units), random);
      const b = slotOf(state, random.integer(units), random);
      const [here, there] = [state.place[a] as number, state.place[b] as number];
      if (here === there || here === top || there === top) continue;
      if (!mayMove(state, a, there) || !mayMove(state, b, here)) continue;
      exchange(state, a, b);
      const isOver = (state.load[here] as number) >= limit || (state.load[there] as number) >= limit;
      if (isOver || !state.isFeasible()) exchange(state, a, b);
    }
  }

  /**
   * Exchanges at random, all within memory, between the emptiest device (which memory may keep from taking more) and a few
   * others: a worse state, near the present one.
   */
  function kick(times: number, random: Random): void {
    const devices = [emptiest(state), ...Array.from({ length: KICKED }, () => random.integer(state.load.length))];
    spent += times * UNITS.move;
    for (let k = 0; k < times; k++) {
      const here = devices[random.integer(devices.length)] as number;
      const there = devices[random.integer(devices.length)] as number;
      const a = anyItem(state, here, random);
      const b = anyItem(state, there, random);
      if (here === there || a === undefined || b === undefined) continue;
      if (!mayMove(state, a, there) || !mayMove(state, b, here)) continue;
      exchange(state, a, b);
      if (!state.isFeasible()) exchange(state, a, b);
    }
  }

  function exchangeSets(device: number, best: Best): boolean {
    const load = state.load[device] as number;
    const enough = (load + layout.average) / 2;
    const partners = Array.from({ length: layout.deviceCount }, (_, other) => other)
      .filter((other) => other !== device)
      .sort((a, b) => (state.load[a] as number) - (state.load[b] as number));
    let found = load * (1 - ROUNDING);
    let partner = -1;
    let give: number[] = [];
    let take: number[] = [];
    for (const other of partners) {
      if (isOver(best)) break;
      if (Math.max(state.load[other] as number, (load + (state.load[other] as number)) / 2) >= found) continue;
      giving.fill(state, movable(device, other));
      taking.fill(state, movable(other, device));
      taking.sort();
      spent += (SORTED * taking.count + giving.count) * UNITS.exchange;
      const pair = bestPair(device, other, found);
      if (pair === null) continue;
      found = pair.larger;
      partner = other;
      give = slotsOf(giving, pair.give);
      take = slotsOf(taking, pair.take);
      if (found <= enough) break;
    }
    if (partner < 0) return false;
    for (const slot of give) shift(state, slot, partner);
    for (const slot of take) shift(state, slot, device);
    return true;
  }

  function movable(from: number, to: number): number[] {
    return (state.items[from] as number[]).filter(
      (slot) => mayMove(state, slot, to) && !state.isApart(layout.unitOfSlot[slot] as number),
    );
  }

  /** The sets to exchange after which the larger of the two loads is least and below `limit`, within memory. */
  function bestPair(
    device: number,
    other: number,
    limit: number,
  ): { larger: number; give: number; take: number } | null {
    const [here, there] = [giving, taking];
    const [load, otherLoad] = [state.load[device] as number, state.load[other] as number];
    let larger = limit;
    let [give, take] = [-1, -1];
    for (let a = 0; a < here.count; a++) {
      const cost = here.cost[a] as number;
      // What comes back lies around here; outwards from it both ways while the larger load would be smaller.
      const middle = cost - (load - otherLoad) / 2;
      const start = there.find(middle);
      for (let step = 1; step >= -1; step -= 2) {
        for (let k = step > 0 ? start : start - 1; k >= 0 && k < there.count; k += step) {
          const b = there.order[k] as number;
          const here2 = load - cost + (there.cost[b] as number);
          const there2 = otherLoad + cost - (there.cost[b] as number);
          // Of the two loads this one rises on the way.
          if ((step > 0 ? here2 : there2) >= larger) break;
          if ((step > 0 ? there2 : here2) >= larger || !fits(device, other, a, b)) continue;
          larger = Math.max(here2, there2);
          [give, take] = [a, b];
          break;
        }
      }
    }
    return give < 0 ? null : { larger, give, take };
  }

  function fits(device: number, other: number, a: number, b: number): boolean {
    const { hbm } = state;
    const bytes = (giving.hbm[a] as number) - (taking.hbm[b] as number);
    if ((hbm[device] as number) - bytes > (layout.hbmCapacity[device] as number)) return false;
    if ((hbm[other] as number) + bytes > (layout.hbmCapacity[other] as number)) return false;
    return layout.further.every(({ bytes: of, poolOf, capacity }, m) => {
      const [from, to] = [poolOf[device] as number, poolOf[other] as number];
      if (from === to) return true;
      const used = state.further[m] as Float64Array;
      const more = bytesOf(giving, a, of) - bytesOf(taking, b, of);
      if ((used[from] as number) - more > (capacity[from] as number)) return false;
      return (used[to] as number) + more <= (capacity[to] as number);
    });
  }

  /** What the shards of a set have of a further memory. */
  function bytesOf(sets: Subsets, set: number, of: Float64Array): number {
    return slotsOf(sets, set).reduce((sum, slot) => sum + (of[state.shardOf(slot)] as number), 0);
  }

  /** Another option, or the same on other devices, for a unit of the device, where it lowers the fullest load. */
  function reopen(device: number, best: Best): boolean {
    const load = state.load[device] as number;
    const limit = load * (1 - ROUNDING);
    const target = state.target;
    const units = new Set((state.items[device] as number[]).map((slot) => layout.unitOfSlot[slot] as number));
    // Placing looks at loads above the target: what lies below the fullest load is as good as anything.
    state.target = limit - (load - layout.average) / 2;
    try {
      for (const unit of units) {
        const taken = state.takeUnit(unit);
        const room = limit - state.largest();
        const to = layout.optionStart[unit + 1] as number;
        for (let option = layout.optionStart[unit] as number; option < to && !isOver(best); option++) {
          // The fullest of the other devices has no room for it, or no device at all.
          if ((least[option] as number) >= room || (layout.peak[option] as number) >= limit) continue;
          placeUnit(state, unit, option, null, 0);
          const tried = layout.freedom[option] === FREE ? layout.deviceCount * UNITS.placing : 0;
          spent += state.shardsOf(unit) * (tried + UNITS.move);
          if (state.isFeasible() && isBelow(unit, limit) && (state.load[device] as number) < limit) return true;
          state.removeUnit(unit);
        }
        state.putBack(taken);
      }
      return false;
    } finally {
      state.target = target;
      state.measure();
    }
  }

  function isBelow(unit: number, limit: number): boolean {
    const slots = state.layout.slotStart[unit] as number;
    for (let slot = slots + state.shardsOf(unit) - 1; slot >= slots; slot--) {
      if ((state.load[state.place[slot] as number] as number) >= limit) return false;
    }
    return true;
  }
}

function everywhere({ freedom, copies, shardStart, cost }: Layout): Float64Array {
  return Float64Array.from(freedom, (how, option) => {
    const end = shardStart[option + 1] as number;
    const from = how === UNIFORM ? (shardStart[option] as number) : end - (copies[option] as number);
    return from === end ? 0 : cost.subarray(from, end).reduce((least, one) => Math.min(least, one));
  });
}

function fullest({ load }: State): number {
  return load.indexOf(Math.max(...load));
}

function emptiest({ load }: State): number {
  return load.indexOf(Math.min(...load));
}

function anyItem(state: State, device: number, random: Random): number | undefined {
  const items = state.items[device] as number[];
  return items[random.integer(items.length)];
}

function slotsOf({ members }: Subsets, set: number): number[] {
  return members.slice(3 * set, 3 * set + 3).filter((slot) => slot >= 0);
}

function slotOf(state: State, unit: number, random: Random): number {
  return (state.layout.slotStart[unit] as number) + random.integer(state.shardsOf(unit));
}
