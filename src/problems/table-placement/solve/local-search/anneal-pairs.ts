import type { Random } from "../../../../exact/random.js";
import { UNITS } from "../../../../search/work.js";
import { improves, type Schedule } from "./anneal.js";
import { HeatBath } from "./heat-bath.js";
import type { Best } from "./incumbent.js";
import { placeUnit } from "./moves.js";
import type { State } from "./state.js";

/** The clock is looked at, and the temperature falls, once in so many steps. */
const CHECK = 64;
/** Of all steps, those that try another option, where every unit has several. */
const OPTIONS = 0.5;
/** Devices that are dealt anew after another option. */
const DEALT = 3;
/** An option is drawn up to so many times, and a shard placed anew goes to the best of up to so many devices. */
const DRAWS = 20;
const SAMPLE = 8;
/** What a step takes beside the ways it looks at, and the shards that it then may put on devices. */
const STEP = 20;
const SHARDS = 64;

/**
 * Simulated annealing whose steps deal the shards of two devices anew (`heat-bath.ts`), one of them over its target or
 * memory; or give a unit another option, deal anew what it comes to, and take all of it back unless accepted.
 */
export function annealByPairs(state: State, schedule: Schedule, random: Random, best: Best): void {
  new PairAnnealing(state, schedule, random, best).run();
}

class PairAnnealing {
  readonly #state: State;
  readonly #schedule: Schedule;
  readonly #random: Random;
  readonly #best: Best;
  readonly #bath: HeatBath;
  #temperature: number;
  #ways = 0;

  constructor(state: State, schedule: Schedule, random: Random, best: Best) {
    this.#state = state;
    this.#schedule = schedule;
    this.#random = random;
    this.#best = best;
    this.#bath = new HeatBath(state);
    this.#temperature = schedule.from;
  }

  run(): void {
    const state = this.#state;
    const { steps, from, to } = this.#schedule;
    const cooling = (to / from) ** (CHECK / steps);
    const several = state.layout.units.filter(({ options }) => options.length > 1).length;
    const options = (OPTIONS * several) / state.layout.units.length;
    let better = 0;
    for (let step = 0; step < steps; step++) {
      if (step % CHECK === 0) {
        if (step > 0) this.#temperature *= cooling;
        if (this.#best.isOver(this.#ways * UNITS.exchange)) return;
        this.#ways = 0;
        state.measure();
        better = improves(state, this.#best);
      }
      this.#ways += STEP;
      const { placed } = state;
      const device = state.overDevice(this.#random);
      this.#bath.begin();
      if (this.#random.next() < options) this.#tryOption(device);
      else this.#deal(device);
      if (state.placed - placed > SHARDS) this.#ways += state.placed - placed;
      if (state.energy >= better || !state.isFeasible()) continue;
      if (this.#best.offer(state)) better = improves(state, this.#best);
      if (state.measure() <= 0) return;
    }
  }

  #deal(device: number): void {
    const other = this.#random.integer(this.#state.load.length - 1);
    this.#ways += this.#bath.deal(device, other < device ? other : other + 1, this.#temperature, this.#random);
  }

  /** Another option for a unit on the device; devices over what they may hold are dealt anew before it is judged. */
  #tryOption(device: number): void {
    const state = this.#state;
    const { layout } = state;
    const random = this.#random;
    const items = state.items[device] as number[];
    if (items.length === 0) return;
    const unit = layout.unitOfSlot[items[random.integer(items.length)] as number] as number;
    const before = state.option[unit] as number;
    const option = this.#draw(unit);
    if (option === before) return;
    const from = layout.slotStart[unit] as number;
    const places = state.place.slice(from, from + state.shardsOf(unit));
    const energy = state.energy;
    state.removeUnit(unit);
    placeUnit(state, unit, option, random, 1 + random.integer(SAMPLE));
    const touched = new Set([device, ...state.place.slice(from, from + state.shardsOf(unit))]);
    let dealt = 0;
    for (const one of touched) {
      if (one !== device && state.energyOf(one) <= 0) continue;
      if (dealt++ === DEALT) break;
      this.#deal(one);
    }
    const added = state.energy - energy;
    if (added <= 0 || random.next() < Math.exp(-added / this.#temperature)) return;
    this.#bath.undo();
    state.removeUnit(unit);
    state.option[unit] = before;
    for (let k = 0; k < places.length; k++) state.add(from + k, places[k] as number);
  }

  #draw(unit: number): number {
    const { optionStart } = this.#state.layout;
    const from = optionStart[unit] as number;
    const count = (optionStart[unit + 1] as number) - from;
    for (let k = 0; k < DRAWS; k++) {
      const option = from + this.#random.integer(count);
      if (option !== this.#state.option[unit] && this.#random.next() < (this.#schedule.odds[option] as number))
        return option;
    }
    return this.#state.option[unit] as number;
  }
}
