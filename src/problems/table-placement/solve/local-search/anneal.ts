import type { Random } from "../../../../exact/random.js";
import { UNITS } from "../../../../search/work.js";
import type { Best } from "./incumbent.js";
import { FREE } from "./movable-shards.js";
import { exchange, mayMove, moveDelta, placeUnit, shift, swapDelta } from "./moves.js";
import type { State } from "./state.js";

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
  const options = shareOfOptions(state);
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
    const slot = fuller(
      state,
      anySlot(state, random.integer(units), random),
      anySlot(state, random.integer(units), random),
    );
    let isChanged: boolean;
    if (kind < options) isChanged = tryOption(state, layout.unitOfSlot[slot] as number, odds, temperature, random);
    else if (kind < moves) isChanged = tryMove(state, slot, temperature, random);
    else isChanged = trySwap(state, slot, anySlot(state, random.integer(units), random), temperature, random);
    if (!isChanged || state.energy >= better || !state.isFeasible()) continue;
    if (best.offer(state)) better = improves(state, best);
    if (state.measure() <= 0) return;
  }
}

/** A plan of less energy than this is better than the best: every load is below the best largest. */
export function improves(state: State, best: Best): number {
  if (best.snapshot === null) return Number.POSITIVE_INFINITY;
  return (best.largest - state.target) * state.costWeight;
}

function accepts(delta: number, temperature: number, random: Random): boolean {
  return delta <= 0 || random.next() < Math.exp(-delta / temperature);
}

function anySlot(state: State, unit: number, random: Random): number {
  const shards = state.shardsOf(unit);
  return (state.layout.slotStart[unit] as number) + (shards === 1 ? 0 : random.integer(shards));
}

function fuller(state: State, a: number, b: number): number {
  const [loadA, loadB] = [
    state.load[state.place[a] as number] as number,
    state.load[state.place[b] as number] as number,
  ];
  return loadB > loadA ? b : a;
}

/** How often another option or position is tried: never where every unit has one free option. */
function shareOfOptions({ layout: { units } }: State): number {
  const several = units.filter(({ options }) => options.length > 1 || options.some(({ freedom }) => freedom !== FREE));
  return (OPTIONS * several.length) / units.length;
}

function tryMove(state: State, slot: number, temperature: number, random: Random): boolean {
  const from = state.place[slot] as number;
  const to = random.integer(state.layout.deviceCount);
  if (to === from || !mayMove(state, slot, to)) return false;
  if (state.isApart(state.layout.unitOfSlot[slot] as number)) {
    const before = state.energy;
    shift(state, slot, to);
    if (accepts(state.energy - before, temperature, random)) return true;
    shift(state, slot, from);
    return false;
  }
  if (!accepts(moveDelta(state, slot, to), temperature, random)) return false;
  shift(state, slot, to);
  return true;
}

function trySwap(state: State, a: number, b: number, temperature: number, random: Random): boolean {
  const { unitOfSlot } = state.layout;
  const [here, there] = [state.place[a] as number, state.place[b] as number];
  if (here === there || !mayMove(state, a, there) || !mayMove(state, b, here)) return false;
  if (state.isApart(unitOfSlot[a] as number) || state.isApart(unitOfSlot[b] as number)) {
    const before = state.energy;
    exchange(state, a, b);
    if (accepts(state.energy - before, temperature, random)) return true;
    exchange(state, a, b);
    return false;
  }
  if (!accepts(swapDelta(state, a, b), temperature, random)) return false;
  exchange(state, a, b);
  return true;
}

/** What a unit had before a step. */
interface Reopened {
  readonly unit: number;
  readonly option: number;
  readonly places: Int32Array;
}

/**
 * Gives a unit another option or its shards other devices; while that is not accepted another one, of a device that is
 * over, and in the end takes all of it back (an ejection chain: Glover, Discrete Applied Mathematics 65, 1996). Where
 * memory nearly fills, what goes to the devices of a host needs others to leave them.
 */
function tryOption(state: State, unit: number, odds: Float64Array, temperature: number, random: Random): boolean {
  const most = state.energy - temperature * Math.log(1 - random.next());
  const before: Reopened[] = [];
  let next = unit;
  for (let k = 0; k < CHAIN; k++) {
    const reopened = reopen(state, next, odds, random);
    if (reopened !== null) before.push(reopened);
    else if (k === 0) return false;
    if (state.energy <= most) return true;
    const items = state.items[state.overDevice(random)] as number[];
    if (items.length > 0) next = state.layout.unitOfSlot[items[random.integer(items.length)] as number] as number;
  }
  for (const { unit, option, places } of before.reverse()) {
    state.removeUnit(unit);
    state.option[unit] = option;
    const slots = state.layout.slotStart[unit] as number;
    for (let k = 0; k < places.length; k++) state.add(slots + k, places[k] as number);
  }
  return false;
}

/** `null` where the option drawn is not tried. */
function reopen(state: State, unit: number, odds: Float64Array, random: Random): Reopened | null {
  const { optionStart, slotStart } = state.layout;
  const from = optionStart[unit] as number;
  const before = state.option[unit] as number;
  const option = from + random.integer((optionStart[unit + 1] as number) - from);
  if (option !== before && random.next() >= (odds[option] as number)) return null;
  const slots = slotStart[unit] as number;
  const places = state.place.slice(slots, slots + state.shardsOf(unit));
  state.removeUnit(unit);
  placeUnit(state, unit, option, random, 1 + random.integer(SAMPLE));
  return { unit, option: before, places };
}

/** A shard placed anew goes to the best of up to so many devices. */
const SAMPLE = 8;
