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
import type { Measure } from "./goal-in-doubles.js";
import type { Move } from "./random-moves.js";

/** A placement under search: sums of costs and bytes on every device, kept as tables move. */
export class SearchState {
  readonly #problem: PlacementProblem;
  readonly #measure: Measure;
  readonly #choices: PlacementChoice[] = [];
  readonly #parts: number;
  readonly #sums: Float64Array;
  readonly #hbm: Float64Array;
  readonly #host: Float64Array;
  readonly #ssd: Float64Array;
  readonly #moved: boolean[] = [];
  #movedCount = 0;
  #movedBytes = 0;

  /** `choices` has shards in places that they may have. */
  constructor(problem: PlacementProblem, measure: Measure, { choices }: Placement) {
    const devices = deviceCount(problem);
    const first = problem.tables[0]?.options[0]?.shards[0];
    this.#problem = problem;
    this.#measure = measure;
    this.#parts = first === undefined ? 1 : measure.partsOf(first).length;
    this.#sums = new Float64Array(devices * this.#parts);
    this.#hbm = new Float64Array(devices);
    this.#host = new Float64Array(devices);
    this.#ssd = new Float64Array(devices);
    for (const [t, choice] of choices.entries()) this.#put(t, choice);
  }

  get choices(): readonly PlacementChoice[] {
    return this.#choices;
  }

  /** Makes a move; returns the one that undoes it. */
  make(move: Move): Move {
    const back = move.map(([t]) => [t, this.#choices[t] as PlacementChoice] as const);
    for (const [t, choice] of back) this.#add(t, choice, -1);
    for (const [t, choice] of move) {
      if (this.#moved[t]) this.#movedCount--;
      this.#put(t, choice);
    }
    return back;
  }

  get value(): number {
    return this.#measure.value({ parts: this.#sums, movedTables: this.#movedCount, movedBytes: this.#movedBytes });
  }

  /** How much the placement breaks, 0 where it breaks nothing: bytes over capacity as shares of it, and counts. */
  get penalty(): number {
    const { hbmBytes, hostBytes, hostIsPooled, ssdBytes, gpusPerNode, stay } = this.#problem;
    const sums = { parts: this.#sums, movedTables: this.#movedCount, movedBytes: this.#movedBytes };
    let penalty = this.#measure.excess(sums) + over(this.#hbm, hbmBytes, 1);
    if (hostBytes !== null) penalty += over(this.#host, hostBytes, hostIsPooled ? gpusPerNode : 1);
    if (ssdBytes !== undefined) penalty += over(this.#ssd, ssdBytes, 1);
    if (stay !== undefined) penalty += Math.max(0, this.#movedCount - stay.mostMoved);
    return penalty + this.#conflicts();
  }

  /** Devices that hold more than they may. */
  get overfull(): readonly number[] {
    const { hbmBytes } = this.#problem;
    const sums = { parts: this.#sums, movedTables: this.#movedCount, movedBytes: this.#movedBytes };
    const isOver = (d: number) => (this.#hbm[d] as number) > (hbmBytes[d] as number) || this.#measure.isOver(sums, d);
    return hbmBytes.flatMap((_, d) => (isOver(d) ? [d] : []));
  }

  #put(t: number, choice: PlacementChoice): void {
    this.#choices[t] = choice;
    this.#add(t, choice, 1);
    if (this.#problem.stay === undefined) return;
    this.#moved[t] = !stays(this.#problem, t, choice);
    if (this.#moved[t]) this.#movedCount++;
  }

  #add(t: number, { option, devices }: PlacementChoice, sign: 1 | -1): void {
    const chosen = this.#problem.tables[t]?.options[option] as PlacementOption;
    for (const [k, device] of devices.entries()) {
      const need = chosen.shards[k] as ShardNeed;
      this.#movedBytes += sign * receivedBytes(chosen, k, device);
      this.#hbm[device] = (this.#hbm[device] as number) + sign * need.hbmBytes;
      this.#host[device] = (this.#host[device] as number) + sign * need.hostBytes;
      this.#ssd[device] = (this.#ssd[device] as number) + sign * (need.ssdBytes ?? 0);
      const parts = this.#measure.partsOf(need);
      for (let part = 0, at = device * this.#parts; part < this.#parts; part++, at++) {
        this.#sums[at] = (this.#sums[at] as number) + sign * (parts[part] as number);
      }
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

/** Bytes over capacity, as a share of it, where `size` devices after one another are one. */
function over(used: Float64Array, capacity: readonly number[], size: number): number {
  let total = 0;
  for (let first = 0; first < used.length; first += size) {
    let [bytes, limit] = [0, 0];
    for (let d = first; d < first + size; d++) {
      bytes += used[d] as number;
      limit += capacity[d] as number;
    }
    if (bytes > limit) total += (bytes - limit) / Math.max(1, limit);
  }
  return total;
}
