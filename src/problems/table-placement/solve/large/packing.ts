import { effectivePartition, groupsByNode, hasFixedSlots } from "../../../../../models/table-placement/constraints.js";
import { coldPart, hotCopies, withCopies } from "../../../../../models/table-placement/hot-rows.js";
import {
  deviceCount,
  type Placement,
  type PlacementOption,
  type PlacementProblem,
  type ShardNeed,
} from "../../../../../models/table-placement/problem.js";
import { runsOfShards, type ShardRun, shardRunsOf } from "../../../../../models/table-placement/shard-runs.js";
import type { Random } from "../../../../exact/random.js";
import type { ShouldStop } from "../../../../search/work.js";
import { type Memory, memoriesOf } from "../memories.js";

/** What goes to a place at once: one shard, or a group of shards that has its own slot on each device of a node. */
export interface Piece {
  readonly table: number;
  /** The first of its shards. */
  readonly shard: number;
  /** By slot of its node where it is a group; one need otherwise. */
  readonly needs: readonly ShardNeed[];
  readonly isGroup: boolean;
  /** What its largest shard costs. */
  readonly peak: number;
}

/** How an option's shards are placed here; `null`: in a way that is not known here. */
type Way = "free" | "everywhere" | "groups" | null;

/** A memory, and what of each part is used. */
interface UsedMemory extends Memory {
  readonly used: Float64Array;
}

/** An option of a table and what it costs beyond the table's best at the prices of the relaxation. */
export interface Regret {
  readonly option: number;
  readonly regret: number;
}

/** What a search over a packing is given. */
export interface PackingSearch {
  /** Options by table, in rising order of regret. */
  readonly options: readonly (readonly Regret[])[];
  readonly random: Random;
  readonly shouldStop: ShouldStop;
}

/** A placement that was saved. */
export interface SavedPacking {
  readonly option: Int32Array;
  readonly places: readonly (readonly number[])[];
  readonly largest: number;
}

/** A placement of many tables on many devices that changes piece by piece. Loads are doubles; bytes are integers, and exact. */
export class Packing {
  readonly problem: PlacementProblem;
  readonly load: Float64Array;
  /** Shards that may go to any device, by the device that they are on. */
  readonly free: Piece[][];
  /** Groups by node. */
  readonly groups: Piece[][];
  readonly #memories: readonly UsedMemory[];
  readonly #option: Int32Array;
  /** By table, its pieces and where each is. */
  readonly #pieces: (readonly Piece[])[];
  /** By table, the pieces of options that were chosen once. */
  readonly #made: readonly Map<number, readonly Piece[]>[];
  readonly #places: Map<Piece, number> = new Map();
  readonly #known = new Map<PlacementOption, Way>();
  readonly #everywhereOf = new Map<PlacementOption, readonly ShardRun[]>();

  constructor(problem: PlacementProblem) {
    const devices = deviceCount(problem);
    this.problem = problem;
    this.load = new Float64Array(devices);
    this.free = Array.from({ length: devices }, () => []);
    this.groups = Array.from({ length: problem.nodes }, () => []);
    this.#option = new Int32Array(problem.tables.length).fill(-1);
    this.#pieces = problem.tables.map(() => []);
    this.#made = problem.tables.map(() => new Map());
    const { hbm, host, ssd } = memoriesOf(problem);
    this.#memories = [hbm, host, ssd].flatMap((memory) =>
      memory === null ? [] : [{ ...memory, used: new Float64Array(memory.capacity.length) }],
    );
  }

  optionOf(table: number): number {
    return this.#option[table] as number;
  }

  piecesOf(table: number): readonly Piece[] {
    return this.#pieces[table] as readonly Piece[];
  }

  placeOf(piece: Piece): number {
    return this.#places.get(piece) as number;
  }

  /** Whether an option's shards can be placed here. */
  knows(table: number, option: number): boolean {
    return this.#wayOf(this.#needed(table, option)) !== null;
  }

  /** Chooses a table's option, after its pieces were taken away; those of the new one are returned, on no place yet. */
  choose(table: number, option: number): readonly Piece[] {
    const before = this.#option[table] as number;
    if (before !== -1) this.#everywhere(table, before, -1);
    this.#option[table] = option;
    this.#everywhere(table, option, 1);
    const made = this.#made[table] as Map<number, readonly Piece[]>;
    const pieces = made.get(option) ?? this.#make(table, option);
    made.set(option, pieces);
    this.#pieces[table] = pieces;
    return pieces;
  }

  /**
   * Gives a table another option, its pieces where `placeFor` says (−1: nowhere), unless that is not taken then; whether it has it,
   * and otherwise all is as it was.
   */
  changeOption(table: number, option: number, placeFor: (piece: Piece) => number, isTaken: () => boolean): boolean {
    const before = this.optionOf(table);
    const places = this.piecesOf(table).map((piece) => this.placeOf(piece));
    for (const piece of this.piecesOf(table)) this.take(piece);
    if (this.fitsEverywhere(table, option)) {
      const pieces = this.choose(table, option);
      let placed = 0;
      for (; placed < pieces.length; placed++) {
        const piece = pieces[placed] as Piece;
        const place = placeFor(piece);
        if (place === -1) break;
        this.put(piece, place);
      }
      if (placed === pieces.length && isTaken()) return true;
      for (const piece of pieces.slice(0, placed)) this.take(piece);
    }
    this.choose(table, before).forEach((piece, k) => {
      this.put(piece, places[k] as number);
    });
    return false;
  }

  /** Whether what every device would have of an option is within memory. */
  fitsEverywhere(table: number, option: number): boolean {
    const everywhere = this.#onEach(this.#needed(table, option));
    return this.#memories.every((memory) => {
      const runs = everywhere.filter(({ need }) => memory.bytesOf(need) !== 0);
      for (const run of runs) addRun(memory, run, 1);
      const fits = runs.every((run) => isWithin(memory, run));
      for (const run of runs) addRun(memory, run, -1);
      return fits;
    });
  }

  /** Whether a piece may be at a place: a device, or a node where it is a group. */
  fits(piece: Piece, place: number): boolean {
    const { table, isGroup, needs } = piece;
    const { devices } = this.problem.tables[table] as PlacementProblem["tables"][number];
    const first = isGroup ? place * this.problem.gpusPerNode : place;
    if (devices !== null && needs.some((_, slot) => !devices.includes(first + slot))) return false;
    // Groups of an option are on nodes of their own.
    if (isGroup && this.#pieces[table]?.some((other) => other !== piece && this.#places.get(other) === place))
      return false;
    for (const { capacity, used, size, bytesOf } of this.#memories) {
      let [at, more] = [-1, 0];
      for (let slot = 0; slot < needs.length; slot++) {
        const here = Math.floor((first + slot) / size);
        more = here === at ? more + bytesOf(needs[slot] as ShardNeed) : bytesOf(needs[slot] as ShardNeed);
        at = here;
        if ((used[at] as number) + more > (capacity[at] as number)) return false;
      }
    }
    return true;
  }

  /** Whether some shards of a device may be exchanged for others, as far as memory goes. */
  fitsExchanged(device: number, away: readonly Piece[], here: readonly Piece[]): boolean {
    return this.#memories.every(({ capacity, used, size, bytesOf }) => {
      const at = Math.floor(device / size);
      let bytes = used[at] as number;
      for (const { needs } of away) bytes -= bytesOf(needs[0] as ShardNeed);
      for (const { needs } of here) bytes += bytesOf(needs[0] as ShardNeed);
      return bytes <= (capacity[at] as number);
    });
  }

  isAllowed({ table }: Piece, device: number): boolean {
    return this.problem.tables[table]?.devices?.includes(device) ?? true;
  }

  put(piece: Piece, place: number): void {
    this.#places.set(piece, place);
    (piece.isGroup ? this.groups : this.free)[place]?.push(piece);
    this.#add(piece, place, 1);
  }

  take(piece: Piece): void {
    const place = this.#places.get(piece) as number;
    this.#places.delete(piece);
    const list = (piece.isGroup ? this.groups : this.free)[place] as Piece[];
    list.splice(list.indexOf(piece), 1);
    this.#add(piece, place, -1);
  }

  largest(): number {
    return this.load.reduce((most, load) => Math.max(most, load), 0);
  }

  /** What is above a target, on all devices together. */
  excess(target: number): number {
    let sum = 0;
    for (const load of this.load) sum += excessOf(load, target);
    return sum;
  }

  save(): SavedPacking {
    return {
      option: this.#option.slice(),
      places: this.#pieces.map((own) => own.map((piece) => this.#places.get(piece) as number)),
      largest: this.largest(),
    };
  }

  /** Nothing is chosen, and nothing on any device. */
  clear(): void {
    for (const own of [...this.free, ...this.groups]) own.length = 0;
    this.#pieces.fill([]);
    this.#places.clear();
    this.#option.fill(-1);
    this.#addAnew();
  }

  /** Back to a saved placement, its loads added anew. */
  restore({ option, places }: SavedPacking): void {
    this.clear();
    option.forEach((o, t) => {
      this.choose(t, o).forEach((piece, k) => {
        this.put(piece, places[t]?.[k] as number);
      });
    });
    this.#addAnew();
  }

  /** The placement that was saved; table by table. */
  placementOf({ option, places }: SavedPacking): Placement {
    const { gpusPerNode } = this.problem;
    return {
      choices: this.problem.tables.map((_, t) => {
        const o = option[t] as number;
        const own = this.#needed(t, o);
        const way = this.#wayOf(own);
        const at = places[t] as readonly number[];
        const devices = coldPart(own).shards.map((__, shard) => {
          if (way === "everywhere") return shard;
          if (way === "free") return at[shard] as number;
          return (at[Math.floor(shard / gpusPerNode)] as number) * gpusPerNode + (shard % gpusPerNode);
        });
        return { option: o, devices: withCopies(own, devices) };
      }),
    };
  }

  #needed(table: number, option: number): PlacementOption {
    return this.problem.tables[table]?.options[option] as PlacementOption;
  }

  #wayOf(option: PlacementOption): Way {
    const known = this.#known.get(option);
    if (known !== undefined) return known;
    const way = wayOf(this.problem, option);
    this.#known.set(option, way);
    return way;
  }

  #make(table: number, option: number): readonly Piece[] {
    const own = this.#needed(table, option);
    const way = this.#wayOf(own);
    const { gpusPerNode } = this.problem;
    const { shards } = coldPart(own);
    if (way === "free") {
      return shards.map((need, shard) => ({ table, shard, needs: [need], isGroup: false, peak: need.cost }));
    }
    if (way !== "groups") return [];
    return Array.from({ length: shards.length / gpusPerNode }, (_, group) => {
      const needs = shards.slice(group * gpusPerNode, (group + 1) * gpusPerNode);
      const peak = needs.reduce((most, { cost }) => Math.max(most, cost), 0);
      return { table, shard: group * gpusPerNode, needs, isGroup: true, peak };
    });
  }

  #everywhere(table: number, option: number, sign: 1 | -1): void {
    for (const { need, from, count } of this.#onEach(this.#needed(table, option))) {
      const cost = sign * need.cost;
      for (let device = from; device < from + count; device++) {
        this.load[device] = (this.load[device] as number) + cost;
      }
      for (const memory of this.#memories) addRun(memory, { need, from, count }, sign);
    }
  }

  /** What devices have of an option wherever its pieces go: neighbours that have the same, numbered from the first device on. */
  #onEach(option: PlacementOption): readonly ShardRun[] {
    const known = this.#everywhereOf.get(option);
    if (known !== undefined) return known;
    const own = this.#wayOf(option) === "everywhere" ? shardRunsOf(coldPart(option)) : [];
    const all = [...own, ...runsOfShards(hotCopies(option))];
    this.#everywhereOf.set(option, all);
    return all;
  }

  #add({ needs, isGroup }: Piece, place: number, sign: 1 | -1): void {
    const first = isGroup ? place * this.problem.gpusPerNode : place;
    for (let slot = 0; slot < needs.length; slot++) this.#addNeed(needs[slot] as ShardNeed, first + slot, sign);
  }

  #addNeed(need: ShardNeed, device: number, sign: 1 | -1): void {
    this.load[device] = (this.load[device] as number) + sign * need.cost;
    for (const { used, size, bytesOf } of this.#memories) {
      const at = Math.floor(device / size);
      used[at] = (used[at] as number) + sign * bytesOf(need);
    }
  }

  /** What was added and taken away many times has lost some digits. */
  #addAnew(): void {
    this.load.fill(0);
    for (const { used } of this.#memories) used.fill(0);
    for (const [t, o] of this.#option.entries()) {
      if (o === -1) continue;
      this.#everywhere(t, o, 1);
      for (const piece of this.piecesOf(t)) this.#add(piece, this.placeOf(piece), 1);
    }
  }
}

/** Adds or takes away what some devices after one another have alike; bytes are integers, so that nothing is lost. */
function addRun({ used, size, bytesOf }: UsedMemory, { need, from, count }: ShardRun, sign: 1 | -1): void {
  const bytes = sign * bytesOf(need);
  if (bytes === 0) return;
  for (let device = from; device < from + count; device++) {
    const at = size === 1 ? device : Math.floor(device / size);
    used[at] = (used[at] as number) + bytes;
  }
}

/** Whether some devices after one another have no more than their limit. */
function isWithin({ used, capacity, size }: UsedMemory, { from, count }: ShardRun): boolean {
  for (let at = Math.floor(from / size); at * size < from + count; at++) {
    if ((used[at] as number) > (capacity[at] as number)) return false;
  }
  return true;
}

/** What a load is above a target. */
export function excessOf(load: number, target: number): number {
  return load > target ? load - target : 0;
}

function wayOf(problem: PlacementProblem, whole: PlacementOption): Way {
  const option = coldPart(whole);
  const partition = effectivePartition(problem, option);
  // A piece knows nothing of the others of its table.
  if (partition === "device") return option.distinctDevices && option.shards.length > 1 ? null : "free";
  if (partition === "uniform") return "everywhere";
  if (partition === "host" && !hasFixedSlots(problem, option)) return null;
  // Groups that share a node because there are more of them than nodes are none of those that move alone.
  return groupsByNode(problem, option.shards.length).every(({ length }) => length === 1) ? "groups" : null;
}
