import type { Random } from "../../../../exact/random.js";
import { UNITS } from "../../../../search/work.js";
import type { Best } from "./incumbent.js";
import type { Layout } from "./layout.js";
import { FREE } from "./movable-shards.js";
import { changeDelta, exchange, mayMove, placeUnit, shift } from "./moves.js";
import type { State, Taken } from "./state.js";

export interface Schedule {
  readonly steps: number;
  /** First and last temperature, in energy; geometric between. */
  readonly from: number;
  readonly to: number;
  /** How likely each option is tried when it is drawn. */
  readonly odds: Float64Array;
}

/** The clock is looked at, and the temperature falls, once in so many steps. */
const CHECK = 1024;
/** An option that puts so many shards on devices is a step for each so many more. */
const SHARDS = 8;
/** Units that one step gives other options or devices at most. */
const CHAIN = 5;
/** Of all steps, those that try another option, where every unit has several. */
const OPTIONS = 0.15;
/** Of moves and exchanges of shards, moves. */
const MOVES = 0.4;

/**
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 220, 1983) of the state's energy: moves of a shard,
 * exchanges of two, other options or positions of a unit and of those in its way. Of two random shards the one on the
 * fuller device is tried. Every plan on the way that is better than the best is offered. Ends as soon as the energy is zero.
 */
export function anneal(state: State, schedule: Schedule, random: Random, best: Best): void {
  const { layout } = state;
  const units = layout.units.length;
  const { steps, from, to, odds } = schedule;
  const options = shareOfOptions(layout);
  const moves = options + MOVES * (1 - options);
  const cooling = (to / from) ** (CHECK / steps);
  let temperature = from;
  let better = 0;
  let looked = 0;
  let placed = state.placed;
  for (let step = 0; step < steps; step += 1 + Math.floor((state.placed - placed) / SHARDS)) {
    if (step === 0 || step - looked >= CHECK) {
      temperature *= cooling ** ((step - looked) / CHECK);
      if (best.isOver((step - looked) * UNITS.move)) return;
      looked = step;
      state.measure();
      better = improves(state, best);
    }
    placed = state.placed;
    const kind = random.next();
    const slot = fuller(anySlot(random.integer(units)), anySlot(random.integer(units)));
    let isChanged: boolean;
    if (kind < options) isChanged = tryOption(layout.unitOfSlot[slot] as number);
    else {
      const other = kind < moves ? null : anySlot(random.integer(units));
      const to = other === null ? random.integer(layout.deviceCount) : (state.place[other] as number);
      isChanged = tryChange(slot, to, other);
    }
    if (!isChanged || state.energy >= better || !state.isFeasible()) continue;
    if (best.offer(state)) better = improves(state, best);
    if (state.measure() <= 0) return;
  }

  function anySlot(unit: number): number {
    const shards = state.shardsOf(unit);
    return (layout.slotStart[unit] as number) + (shards === 1 ? 0 : random.integer(shards));
  }

  function fuller(a: number, b: number): number {
    const [loadA, loadB] = [
      state.load[state.place[a] as number] as number,
      state.load[state.place[b] as number] as number,
    ];
    return loadB > loadA ? b : a;
  }

  /** Moves a shard to another device, or exchanges it for one that is there. */
  function tryChange(slot: number, to: number, other: number | null): boolean {
    const from = state.place[slot] as number;
    if (to === from || !mayMove(state, slot, to) || (other !== null && !mayMove(state, other, from))) return false;
    if (
      state.isApart(layout.unitOfSlot[slot] as number) ||
      (other !== null && state.isApart(layout.unitOfSlot[other] as number))
    ) {
      const before = state.energy;
      change(slot, to, other);
      if (accepts(state.energy - before, temperature, random)) return true;
      change(slot, from, other);
      return false;
    }
    if (!accepts(changeDelta(state, slot, to, other), temperature, random)) return false;
    change(slot, to, other);
    return true;
  }

  function change(slot: number, to: number, other: number | null): void {
    if (other === null) shift(state, slot, to);
    else exchange(state, slot, other);
  }

  /**
   * Gives a unit another option or its shards other devices; while that is not accepted another one, of a device that is
   * over, and in the end takes all of it back (an ejection chain: Glover, Discrete Applied Mathematics 65, 1996). Where
   * memory nearly fills, what goes to the devices of a host needs others to leave them.
   */
  function tryOption(unit: number): boolean {
    const most = state.energy - temperature * Math.log(1 - random.next());
    const before: Taken[] = [];
    let next = unit;
    for (let k = 0; k < CHAIN; k++) {
      const reopened = reopen(next);
      if (reopened !== null) before.push(reopened);
      else if (k === 0) return false;
      if (state.energy <= most) return true;
      const items = state.items[state.overDevice(random)] as number[];
      if (items.length > 0) next = layout.unitOfSlot[items[random.integer(items.length)] as number] as number;
    }
    for (const taken of before.reverse()) {
      state.removeUnit(taken.unit);
      state.putBack(taken);
    }
    return false;
  }

  /** `null` where the option drawn is not tried. */
  function reopen(unit: number): Taken | null {
    const from = layout.optionStart[unit] as number;
    const option = from + random.integer((layout.optionStart[unit + 1] as number) - from);
    if (option !== state.option[unit] && random.next() >= (odds[option] as number)) return null;
    const taken = state.takeUnit(unit);
    placeUnit(state, unit, option, random, 1 + random.integer(SAMPLE));
    return taken;
  }
}

/** A plan of less energy than this is better than the best: every load is below the best largest. */
export function improves(state: State, best: Best): number {
  if (best.snapshot === null) return Number.POSITIVE_INFINITY;
  return (best.largest - state.target) * state.costWeight;
}

/** Whether chance takes a step that adds so much (Metropolis and others 1953). */
export function accepts(delta: number, temperature: number, random: Random): boolean {
  return delta <= 0 || random.next() < Math.exp(-delta / temperature);
}

/** How often another option or position is tried: never where every unit has one free option. */
function shareOfOptions({ units }: Layout): number {
  const several = units.filter(({ options }) => options.length > 1 || options.some(({ freedom }) => freedom !== FREE));
  return (OPTIONS * several.length) / units.length;
}

/** A shard placed anew goes to the best of up to so many devices. */
export const SAMPLE = 8;
