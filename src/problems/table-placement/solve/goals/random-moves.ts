import { hasFixedSlots } from "../../../../../models/table-placement/constraints.js";
import { coldPart, withCopies, withoutCopies } from "../../../../../models/table-placement/hot-rows.js";
import {
  deviceCount,
  type Placement,
  type PlacementChoice,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
} from "../../../../../models/table-placement/problem.js";
import type { Random } from "../../../../exact/random.js";
import type { Move, SearchState, TableShard } from "./search-state.js";

/**
 * Random moves between placements whose shards are all in places that they may have: a table with another option or on
 * other devices, one shard elsewhere, two tables that change places, tables that belong together as one, and a table back
 * to its home. Memory, `apart` and how many tables move are not looked at.
 */
export class RandomMoves {
  readonly #problem: PlacementProblem;
  readonly #random: Random;
  readonly #homes: readonly (readonly PlacementChoice[] | null)[] | null;
  /** Tables that belong together are one unit, all others are one by themselves. */
  readonly #units: readonly (readonly number[])[];
  readonly #grouped: ReadonlySet<number>;

  /** `now`: where tables are, which are then their homes. */
  constructor(problem: PlacementProblem, random: Random, now: Placement | null = null) {
    this.#problem = problem;
    this.#random = random;
    this.#homes = now?.choices.map((choice) => [choice]) ?? problem.stay?.homes ?? null;
    this.#grouped = new Set(problem.together.flat());
    const single = problem.tables.map((_, t) => [t]).filter(([t]) => !this.#grouped.has(t as number));
    this.#units = [...problem.together, ...single];
  }

  /** A placement by chance; `null` where a table has no place. */
  start(): PlacementChoice[] | null {
    const choices: PlacementChoice[] = [];
    for (const unit of this.#units) {
      const move = this.#tries(() => this.#anywhere(unit));
      if (move === null) return null;
      for (const [t, choice] of move) choices[t] = choice;
    }
    return choices;
  }

  /** `null` where the draw came to nothing. */
  next(choices: readonly PlacementChoice[]): Move | null {
    const unit = this.#of(this.#units);
    const [t] = unit as [number];
    if (unit.length > 1) return this.#anywhere(unit);
    const draw = this.#random.integer(8);
    if (draw < 2 && this.#homes !== null) return this.#home(t);
    if (draw < 4) return this.#exchange(t, choices);
    if (draw < 6) return this.#oneShard(t, choices[t] as PlacementChoice);
    return this.#anywhere(unit);
  }

  /**
   * A shard that may be anywhere leaves a device that has more than it may: for another that has not, or in exchange for a
   * shard there. `null` where the draw came to nothing.
   */
  unloading(state: SearchState): Move | null {
    const devices = deviceCount(this.#problem);
    let device = this.#random.integer(devices);
    for (let k = 0; k < devices && !state.isOver(device); k++) device = (device + 1) % devices;
    const other = this.#random.integer(devices);
    if (!state.isOver(device) || state.isOver(other)) return null;
    const left = state.free.draw(device, this.#random);
    if (left === null) return null;
    const moved = this.#moved(left, state.choices, other);
    if (this.#random.integer(2) === 0) return this.#checked([moved]);
    const come = state.free.draw(other, this.#random);
    if (come === null || come.table === left.table) return null;
    return this.#checked([moved, this.#moved(come, state.choices, device)]);
  }

  #moved({ table, shard }: TableShard, choices: readonly PlacementChoice[], device: number): Move[number] {
    const { option, devices } = choices[table] as PlacementChoice;
    return [table, { option, devices: devices.with(shard, device) }];
  }

  #anywhere(unit: readonly number[]): Move | null {
    if (unit.length > 1) return this.#together(unit, this.#random.integer(deviceCount(this.#problem)));
    const [t] = unit as [number];
    const option = this.#random.integer(this.#table(t).options.length);
    const devices = this.#devicesFor(this.#table(t).options[option] as PlacementOption, t);
    return this.#checked([[t, { option, devices }]]);
  }

  /** All shards of the tables on one device, each table with an option that can be there. */
  #together(unit: readonly number[], device: number): Move | null {
    const moves = unit.map((t) => {
      const { options } = this.#table(t);
      const fitting = [...options.keys()].filter((o) => this.#fitsOn(options[o] as PlacementOption, device));
      if (fitting.length === 0) return null;
      const option = this.#of(fitting);
      const { length } = (options[option] as PlacementOption).shards;
      return [t, { option, devices: new Array<number>(length).fill(device) }] as const;
    });
    return moves.includes(null) ? null : this.#checked(moves as Move);
  }

  /** Whether all shards of an option may be on one device. */
  #fitsOn(option: PlacementOption, device: number): boolean {
    const { partitionBy, shards } = option;
    if (option.hot !== undefined || (option.distinctDevices && shards.length > 1)) return false;
    if (partitionBy === "device" || deviceCount(this.#problem) === 1) return true;
    if (partitionBy === "uniform") return shards.length === 1 && device === 0;
    return shards.length === 1 || (partitionBy === "host" && !hasFixedSlots(this.#problem, option));
  }

  #home(t: number): Move | null {
    const homes = this.#homes?.[t] ?? [];
    return homes.length === 0 ? null : this.#checked([[t, this.#of(homes)]]);
  }

  /** Two tables that are both free to be anywhere take one another's devices. */
  #exchange(t: number, choices: readonly PlacementChoice[]): Move | null {
    const other = (this.#of(this.#units) as [number])[0];
    const [own, others] = [choices[t] as PlacementChoice, choices[other] as PlacementChoice];
    const isFree = (table: number, { option }: PlacementChoice) => {
      const own = this.#table(table).options[option] as PlacementOption;
      return own.partitionBy === "device" && own.hot === undefined;
    };
    if (other === t || !isFree(t, own) || !isFree(other, others)) return null;
    if (own.devices.length !== others.devices.length || this.#grouped.has(other)) return null;
    return this.#checked([
      [t, { option: own.option, devices: others.devices }],
      [other, { option: others.option, devices: own.devices }],
    ]);
  }

  #oneShard(t: number, { option, devices }: PlacementChoice): Move | null {
    const { partitionBy, hot } = this.#table(t).options[option] as PlacementOption;
    if (partitionBy !== "device") return this.#anywhere([t]);
    const next = devices.slice();
    next[this.#random.integer(devices.length - (hot?.copies ?? 0))] = this.#random.integer(deviceCount(this.#problem));
    return this.#checked([[t, { option, devices: next }]]);
  }

  #devicesFor(option: PlacementOption, t: number): readonly number[] {
    return withCopies(option, this.#coldDevicesFor(coldPart(option), t));
  }

  #coldDevicesFor(option: PlacementOption, t: number): number[] {
    const { nodes, gpusPerNode } = this.#problem;
    const { shards, partitionBy, distinctDevices } = option;
    if (partitionBy === "uniform") return shards.map((_, shard) => shard);
    if (partitionBy === "device") {
      const allowed = this.#table(t).devices;
      if (distinctDevices) return this.#drawn(allowed ?? upTo(nodes * gpusPerNode), shards.length);
      return shards.map(() => (allowed === null ? this.#random.integer(nodes * gpusPerNode) : this.#of(allowed)));
    }
    if (partitionBy === "host") {
      const first = this.#random.integer(nodes) * gpusPerNode;
      const isFixed = hasFixedSlots(this.#problem, option);
      if (distinctDevices && !isFixed) {
        return this.#drawn(upTo(gpusPerNode), shards.length).map((slot) => first + slot);
      }
      return shards.map((_, shard) => first + (isFixed ? shard : this.#random.integer(gpusPerNode)));
    }
    const hosts = this.#drawn(upTo(nodes), nodes);
    return shards.map(
      (_, k) => (hosts[Math.floor(k / gpusPerNode) % nodes] as number) * gpusPerNode + (k % gpusPerNode),
    );
  }

  /** As many of the items by chance, each once as far as they go: what shares one is refused then. */
  #drawn(items: readonly number[], count: number): number[] {
    const drawn = items.slice();
    for (let k = drawn.length - 1; k > 0; k--) {
      const other = this.#random.integer(k + 1);
      [drawn[k], drawn[other]] = [drawn[other] as number, drawn[k] as number];
    }
    return Array.from({ length: count }, (_, k) => drawn[k % drawn.length] as number);
  }

  /** The move if its shards are on devices that their tables may use, and that they need not share. */
  #checked(move: Move): Move | null {
    const isAllowed = move.every(([t, { option, devices }]) => {
      const { devices: allowed, options } = this.#table(t);
      const own = options[option] as PlacementOption;
      const cold = own.distinctDevices ? withoutCopies(own, devices) : [];
      if (new Set(cold).size < cold.length) return false;
      return allowed === null || devices.every((device) => allowed.includes(device));
    });
    return isAllowed ? move : null;
  }

  #tries(draw: () => Move | null): Move | null {
    for (let tries = 0; tries < 200; tries++) {
      const move = draw();
      if (move !== null) return move;
    }
    return null;
  }

  #table(t: number): PlacementTable {
    return this.#problem.tables[t] as PlacementTable;
  }

  #of<Item>(items: readonly Item[]): Item {
    return items[this.#random.integer(items.length)] as Item;
  }
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}
