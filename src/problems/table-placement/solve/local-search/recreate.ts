import type { Random } from "../../../../exact/random.js";
import { UNITS } from "../../../../search/work.js";
import { bestOption } from "./construct.js";
import type { Best } from "./incumbent.js";
import type { Layout } from "./layout.js";
import { FREE } from "./movable-shards.js";
import { placeUnit } from "./moves.js";
import type { State, Taken } from "./state.js";

/** Steps for all units together, and at most: of many units moves of a few find more. */
const STEPS_OF_ALL = 20_000;
const MOST_STEPS = 1000;
/** The first temperature, in energy; it falls to 0 evenly. */
const WARM = 0.05;
/** Units that a step takes away at most. */
const MOST_TAKEN = 24;
/** How many of those on a device that is over are among them, and how many keep their option. */
const FROM_OVER = 0.5;
const KEPT = 0.6;
/** The target is so much of the way from the best plan to the floor below it. */
const REACH = 0.1;

/** A unit that was taken away, and how much of devices it took, disturbed. */
interface Sized extends Taken {
  readonly size: number;
}

/**
 * Takes units off their devices and places them anew, largest first, from the best plan on (ruin and recreate: Schrimpf, Schneider,
 * Stamm-Wilbrandt and Dueck, Journal of Computational Physics 159, 2000), with the odds of annealing. Where memory nearly fills, what
 * fills whole hosts changes them only together with what makes way. `improve`: brings a better plan further down; the state is as it
 * was in the end. `floor`: no largest cost is below it.
 */
export function ruinAndRecreate(state: State, floor: number, random: Random, best: Best, improve: () => void): void {
  if (best.snapshot === null) return;
  const before = state.save();
  const { target } = state;
  const aim = () => {
    state.target = best.largest - REACH * (best.largest - floor);
    state.measure();
  };
  state.restore(best.snapshot);
  aim();
  let units = 0;
  const steps = Math.min(MOST_STEPS, Math.ceil(STEPS_OF_ALL / state.layout.units.length));
  for (let step = 0; step < steps && !best.isOver(units); step++) {
    const energy = state.energy;
    const taken = takeAway(state, random);
    units = recreate(state, taken, random);
    const temperature = WARM * (1 - step / steps);
    if (state.energy - energy > -temperature * Math.log(1 - random.next())) {
      for (const { unit } of taken) state.removeUnit(unit);
      for (const one of taken) state.putBack(one);
    } else if (state.isFeasible() && best.offer(state)) {
      improve();
      aim();
    }
  }
  state.restore(before);
  state.target = target;
  state.measure();
}

function takeAway(state: State, random: Random): readonly Sized[] {
  const { layout } = state;
  const all = layout.units.length;
  const chosen = new Set<number>();
  for (const slot of state.items[state.overDevice(random)] as number[]) {
    if (random.next() < FROM_OVER) chosen.add(layout.unitOfSlot[slot] as number);
  }
  const count = Math.min(all, 2 + random.integer(Math.min(all, MOST_TAKEN)));
  while (chosen.size < count) chosen.add(random.integer(all));
  return [...chosen].map((unit) => {
    const taken = state.takeUnit(unit);
    // Disturbed, so that the same units are not placed in the same order.
    return { ...taken, size: sizeOf(layout, taken) * (0.5 + random.next()) };
  });
}

/** What all shards of a unit take of the devices that they were on, as shares of them: what fills hosts comes first. */
export function sizeOf({ average, cost, hbm, hbmCapacity, shardStart }: Layout, { option, places }: Taken): number {
  const first = shardStart[option] as number;
  return places.reduce((size, device, k) => {
    const capacity = (hbmCapacity[device] as number) || 1;
    return size + ((cost[first + k] as number) / (average || 1) + (hbm[first + k] as number) / capacity);
  }, 0);
}

/** The units of work that it takes. */
function recreate(state: State, taken: readonly Sized[], random: Random): number {
  const { layout } = state;
  const { placed } = state;
  let free = 0;
  for (const { unit, option } of [...taken].sort((a, b) => b.size - a.size)) {
    const isKept = random.next() < KEPT;
    placeUnit(state, unit, isKept ? option : bestOption(state, unit), null, 0);
    const from = isKept ? option : (layout.optionStart[unit] as number);
    const to = isKept ? option + 1 : (layout.optionStart[unit + 1] as number);
    for (let tried = from; tried < to; tried++) {
      const shards = (layout.shardStart[tried + 1] as number) - (layout.shardStart[tried] as number);
      if (layout.freedom[tried] === FREE) free += shards;
    }
  }
  return free * layout.deviceCount * UNITS.placing + (state.placed - placed) * UNITS.move;
}
