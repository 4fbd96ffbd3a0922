import type { Random } from "../../../../exact/random.js";
import { UNITS } from "../../../../search/work.js";
import { accepts, improves, SAMPLE, type Schedule } from "./anneal.js";
import { heatBath } from "./heat-bath.js";
import type { Best } from "./incumbent.js";
import { placeUnit } from "./moves.js";
import type { State } from "./state.js";

/** The clock is looked at, and the temperature falls, once in so many steps. */
const CHECK = 64;
/** Of all steps, those that try another option, where every unit has several. */
const OPTIONS = 0.5;
/** Devices that are dealt anew after another option. */
const DEALT = 3;
/** An option is drawn up to so many times. */
const DRAWS = 20;
/** What a step takes beside the ways it looks at, and the shards that it then may put on devices. */
const STEP = 20;
const SHARDS = 64;

/**
 * Simulated annealing whose steps deal the shards of two devices anew (`heat-bath.ts`), one of them over its target or
 * memory; or give a unit another option, deal anew what it comes to, and take all of it back unless accepted.
 */
export function annealByPairs(state: State, { steps, from, to, odds }: Schedule, random: Random, best: Best): void {
  const { layout } = state;
  const { units, optionStart, slotStart, unitOfSlot } = layout;
  const bath = heatBath(state);
  const cooling = (to / from) ** (CHECK / steps);
  const several = units.filter(({ options }) => options.length > 1).length;
  const optionShare = (OPTIONS * several) / units.length;
  let temperature = from;
  let ways = 0;
  const deal = (device: number) => {
    const other = random.integer(state.load.length - 1);
    ways += bath.deal(device, other < device ? other : other + 1, temperature, random);
  };
  const drawnOption = (unit: number): number => {
    const first = optionStart[unit] as number;
    for (let k = 0; k < DRAWS; k++) {
      const option = first + random.integer((optionStart[unit + 1] as number) - first);
      if (option !== state.option[unit] && random.next() < (odds[option] as number)) return option;
    }
    return state.option[unit] as number;
  };
  /** Another option for a unit on the device; devices over what they may hold are dealt anew before it is judged. */
  const tryOption = (device: number) => {
    const items = state.items[device] as number[];
    if (items.length === 0) return;
    const unit = unitOfSlot[items[random.integer(items.length)] as number] as number;
    const option = drawnOption(unit);
    if (option === state.option[unit]) return;
    const { energy } = state;
    const taken = state.takeUnit(unit);
    placeUnit(state, unit, option, random, 1 + random.integer(SAMPLE));
    const slots = slotStart[unit] as number;
    const touched = new Set([device, ...state.place.slice(slots, slots + state.shardsOf(unit))]);
    let dealt = 0;
    for (const one of touched) {
      if (one !== device && state.energyOf(one) <= 0) continue;
      if (dealt++ === DEALT) break;
      deal(one);
    }
    if (accepts(state.energy - energy, temperature, random)) return;
    bath.undo();
    state.removeUnit(unit);
    state.putBack(taken);
  };
  let better = 0;
  for (let step = 0; step < steps; step++) {
    if (step % CHECK === 0) {
      if (step > 0) temperature *= cooling;
      if (best.isOver(ways * UNITS.exchange)) return;
      ways = 0;
      state.measure();
      better = improves(state, best);
    }
    ways += STEP;
    const { placed } = state;
    const device = state.overDevice(random);
    bath.begin();
    if (random.next() < optionShare) tryOption(device);
    else deal(device);
    if (state.placed - placed > SHARDS) ways += state.placed - placed;
    if (state.energy >= better || !state.isFeasible()) continue;
    if (best.offer(state)) better = improves(state, best);
    if (state.measure() <= 0) return;
  }
}
