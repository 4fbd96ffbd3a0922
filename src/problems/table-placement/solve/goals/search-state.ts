import { receivedBytes } from "../../../../../models/table-placement/moved-bytes.js";
import {
  deviceCount,
  type Placement,
  type PlacementChoice,
  type PlacementOption,
  type PlacementProblem,
  type ShardNeed,
} from "../../../../../models/table-placement/problem.js";
import { stays } from "../../../../../models/table-placement/stay.js";
import type { Random } from "../../../../exact/random.js";
import { deviceExcess } from "./device-excess.js";
import type { Measure, Sums } from "./goal-in-doubles.js";

/** New choices for some tables, made at once. */
export type Move = readonly (readonly [table: number, choice: PlacementChoice])[];

/** Numbers of a shard beside those of the measure: HBM, host memory and SSD. */
const MEMORIES = 3;

/** A placement under search: loads of every device, what is above their limits, and bytes that move, kept as tables move. */
export class SearchState {
  readonly #problem: PlacementProblem;
  readonly #measure: Measure;
  readonly #choices: PlacementChoice[] = [];
  readonly #loads = new Map<PlacementOption, OptionLoads>();
  readonly #excess: ReturnType<typeof deviceExcess>;
  readonly #sums: { -readonly [Key in keyof Sums]: Sums[Key] };
  readonly #moved: boolean[] = [];
  /** Shards that may be anywhere, by the device where they are. */
  readonly free: ShardsByDevice;

  /** `choices` has shards in places that they may have. */
  constructor(problem: PlacementProblem, measure: Measure, { choices }: Placement) {
    this.#problem = problem;
    this.#measure = measure;
    const first = problem.tables[0]?.options[0]?.shards[0];
    const hbm = first === undefined ? 1 : measure.partsOf(first).length;
    const width = hbm + MEMORIES;
    this.#excess = deviceExcess(problem, measure.caps, hbm, width);
    this.free = new ShardsByDevice(problem);
    const parts = new Float64Array(deviceCount(problem) * width);
    this.#sums = { parts, width, movedTables: 0, movedBytes: 0 };
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
    let penalty = this.#excess.total() + this.#measure.excess(this.#sums);
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
    const { loads, received } = this.#loadsOf(this.#problem.tables[t]?.options[option] as PlacementOption);
    const { parts, width } = this.#sums;
    const all = parts.length / width;
    const isFree = this.free.isFree(t, option);
    for (let k = 0; k < devices.length; k++) {
      const device = devices[k] as number;
      if (same !== null && same[k] === device) continue;
      this.#sums.movedBytes += sign * (received[k * all + device] as number);
      for (let part = 0, at = device * width, from = k * width; part < width; part++, at++, from++) {
        parts[at] = (parts[at] as number) + sign * (loads[from] as number);
      }
      if (!isFree) continue;
      if (sign === 1) this.free.add(t, k, device);
      else this.free.remove(t, k, device);
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

  /** Found when they are asked for first. */
  #loadsOf(option: PlacementOption): OptionLoads {
    const known = this.#loads.get(option);
    if (known !== undefined) return known;
    const { shards } = option;
    const row = (need: ShardNeed) => {
      const { hbmBytes, hostBytes, ssdBytes = 0 } = need;
      return [...this.#measure.partsOf(need), hbmBytes, hostBytes, ssdBytes];
    };
    const devices = deviceCount(this.#problem);
    const received = new Float64Array(shards.length * devices);
    if (option.incoming !== undefined) {
      for (let at = 0; at < received.length; at++) {
        received[at] = receivedBytes(option, Math.floor(at / devices), at % devices);
      }
    }
    const found = { loads: Float64Array.from(shards.flatMap(row)), received };
    this.#loads.set(option, found);
    return found;
  }
}

/** The numbers of an option's shards in rows, so that a search adds them up without objects. */
interface OptionLoads {
  /** Shard by shard: what the measure adds up, then HBM, host memory and SSD. */
  readonly loads: Float64Array;
  /** Shard by shard: the bytes that each device would receive for it. */
  readonly received: Float64Array;
}

/** A shard of the option that its table has. */
export interface TableShard {
  readonly table: number;
  readonly shard: number;
}

/** Which shards that may be on any device, of tables by themselves, are on which: one is drawn, added or taken away in constant time. */
class ShardsByDevice {
  readonly #problem: PlacementProblem;
  readonly #grouped: ReadonlySet<number>;
  /** Most shards of an option: a shard's number is its table's times this, and its own. */
  readonly #most: number;
  readonly #on: number[][];
  /** Of each shard where it is in its device's list. */
  readonly #at: Int32Array;

  constructor(problem: PlacementProblem) {
    const { tables } = problem;
    this.#problem = problem;
    this.#grouped = new Set(problem.together.flat());
    this.#most = Math.max(1, ...tables.flatMap(({ options }) => options.map(({ shards }) => shards.length)));
    this.#on = Array.from({ length: deviceCount(problem) }, () => []);
    this.#at = new Int32Array(tables.length * this.#most);
  }

  /** Whether the shards of an option may each be on any device. */
  isFree(t: number, option: number): boolean {
    const own = this.#problem.tables[t]?.options[option];
    return own?.partitionBy === "device" && own.hot === undefined && !this.#grouped.has(t);
  }

  add(t: number, shard: number, device: number): void {
    const own = t * this.#most + shard;
    const there = this.#on[device] as number[];
    this.#at[own] = there.length;
    there.push(own);
  }

  remove(t: number, shard: number, device: number): void {
    const there = this.#on[device] as number[];
    const at = this.#at[t * this.#most + shard] as number;
    const last = there.pop() as number;
    if (at === there.length) return;
    there[at] = last;
    this.#at[last] = at;
  }

  /** `null` where there is none. */
  draw(device: number, random: Random): TableShard | null {
    const there = this.#on[device] as number[];
    if (there.length === 0) return null;
    const own = there[random.integer(there.length)] as number;
    return { table: Math.floor(own / this.#most), shard: own % this.#most };
  }
}
