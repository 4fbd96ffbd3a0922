import {
  deviceCount,
  type Placement,
  type PlacementChoice,
  type PlacementProblem,
} from "../../../../../models/table-placement/problem.js";
import { stays } from "../../../../../models/table-placement/stay.js";
import { DeviceExcess } from "./device-excess.js";
import type { Measure } from "./goal-in-doubles.js";
import type { Move } from "./placement-move.js";
import { ShardLoads } from "./shard-loads.js";
import { ShardsByDevice } from "./shards-by-device.js";

/** A placement under search: loads of every device, what is above their limits, and bytes that move, kept as tables move. */
export class SearchState {
  readonly #problem: PlacementProblem;
  readonly #measure: Measure;
  readonly #choices: PlacementChoice[] = [];
  readonly #loads: ShardLoads;
  readonly #devices: number;
  readonly #excess: DeviceExcess;
  readonly #free: ShardsByDevice;
  readonly #sums: { readonly parts: Float64Array; readonly width: number; movedTables: number; movedBytes: number };
  readonly #moved: boolean[] = [];

  /** `choices` has shards in places that they may have. */
  constructor(problem: PlacementProblem, measure: Measure, { choices }: Placement) {
    this.#problem = problem;
    this.#measure = measure;
    this.#devices = deviceCount(problem);
    this.#loads = new ShardLoads(problem, measure);
    const { hbm, width } = this.#loads;
    this.#excess = new DeviceExcess(problem, measure.caps, hbm, width);
    this.#free = new ShardsByDevice(problem);
    this.#sums = { parts: new Float64Array(this.#devices * width), width, movedTables: 0, movedBytes: 0 };
    for (const [t, choice] of choices.entries()) {
      this.#choices[t] = choice;
      this.#add(t, choice, null, 1);
      this.#look(choice, null);
      this.#count(t, choice);
    }
  }

  get choices(): readonly PlacementChoice[] {
    return this.#choices;
  }

  /** Shards that may be anywhere, by the device where they are. */
  get free(): ShardsByDevice {
    return this.#free;
  }

  /** Makes a move; returns the one that undoes it. */
  make(move: Move): Move {
    const back = move.map(([t]) => [t, this.#choices[t] as PlacementChoice] as const);
    for (let k = 0; k < move.length; k++) {
      const [t, choice] = move[k] as Move[number];
      this.#replace(t, choice);
    }
    return back;
  }

  get value(): number {
    return this.#measure.value(this.#sums);
  }

  /** How much the placement breaks, 0 where it breaks nothing: bytes and costs over capacity as shares of it, and counts. */
  get penalty(): number {
    const { stay, apart } = this.#problem;
    let penalty = this.#excess.total + this.#measure.excess(this.#sums);
    if (stay !== undefined) penalty += Math.max(0, this.#sums.movedTables - stay.mostMoved);
    if (apart.length > 0) penalty += this.#conflicts();
    return penalty;
  }

  /** Whether a device has more than it may. */
  isOver(device: number): boolean {
    return this.#excess.isOver(device);
  }

  /** Shards that stay where they are are not touched: most moves are of one shard. */
  #replace(t: number, choice: PlacementChoice): void {
    const before = this.#choices[t] as PlacementChoice;
    const stayed = before.option === choice.option ? before.devices : null;
    this.#add(t, before, stayed === null ? null : choice.devices, -1);
    if (this.#moved[t]) this.#sums.movedTables--;
    this.#choices[t] = choice;
    this.#add(t, choice, stayed, 1);
    this.#look(before, stayed === null ? null : choice.devices);
    this.#look(choice, stayed);
    this.#count(t, choice);
  }

  #count(t: number, choice: PlacementChoice): void {
    if (this.#problem.stay === undefined) return;
    this.#moved[t] = !stays(this.#problem, t, choice);
    if (this.#moved[t]) this.#sums.movedTables++;
  }

  /** The shards that are not on these devices, added or taken away. */
  #add(t: number, { option, devices }: PlacementChoice, same: readonly number[] | null, sign: 1 | -1): void {
    const { loads, received } = this.#loads.of(t, option);
    const { parts, width } = this.#sums;
    const isFree = this.#free.isFree(t, option);
    for (let k = 0; k < devices.length; k++) {
      const device = devices[k] as number;
      if (same !== null && same[k] === device) continue;
      this.#sums.movedBytes += sign * (received[k * this.#devices + device] as number);
      for (let part = 0, at = device * width, from = k * width; part < width; part++, at++, from++) {
        parts[at] = (parts[at] as number) + sign * (loads[from] as number);
      }
      if (!isFree) continue;
      if (sign === 1) this.#free.add(t, k, device);
      else this.#free.remove(t, k, device);
    }
  }

  #look({ devices }: PlacementChoice, same: readonly number[] | null): void {
    for (let k = 0; k < devices.length; k++) {
      const device = devices[k] as number;
      if (same === null || same[k] !== device) this.#excess.look(device, this.#sums.parts);
    }
  }

  /** Pairs of tables that belong apart and share a device, each device counted. */
  #conflicts(): number {
    let conflicts = 0;
    for (const group of this.#problem.apart) {
      const seen = new Set<number>();
      for (const t of group) {
        const own = new Set((this.#choices[t] as PlacementChoice).devices);
        for (const device of own) if (seen.has(device)) conflicts++;
        for (const device of own) seen.add(device);
      }
    }
    return conflicts;
  }
}
