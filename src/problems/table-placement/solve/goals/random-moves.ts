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
 * to its home. Memory, `apart` and how many tables move are not looked at. `now`: where tables are, which are then their homes.
 */
export function randomMoves(problem: PlacementProblem, random: Random, now: Placement | null = null) {
  const { nodes, gpusPerNode } = problem;
  const all = deviceCount(problem);
  const homes = now?.choices.map((choice) => [choice]) ?? problem.stay?.homes ?? null;
  const grouped = new Set(problem.together.flat());
  // Tables that belong together are one unit, all others are one by themselves.
  const single = problem.tables.map((_, t) => [t]).filter(([t]) => !grouped.has(t as number));
  const units: readonly (readonly number[])[] = [...problem.together, ...single];
  return { start, next, unloading };

  /** A placement by chance; `null` where a table has no place. */
  function start(): PlacementChoice[] | null {
    const choices: PlacementChoice[] = [];
    for (const unit of units) {
      const move = tries(() => anywhere(unit));
      if (move === null) return null;
      for (const [t, choice] of move) choices[t] = choice;
    }
    return choices;
  }

  /** `null` where the draw came to nothing. */
  function next(choices: readonly PlacementChoice[]): Move | null {
    const unit = of(units);
    const [t] = unit as [number];
    if (unit.length > 1) return anywhere(unit);
    const draw = random.integer(8);
    if (draw < 2 && homes !== null) return home(t);
    if (draw < 4) return exchange(t, choices);
    if (draw < 6) return oneShard(t, choices[t] as PlacementChoice);
    return anywhere(unit);
  }

  /**
   * A shard that may be anywhere leaves a device that has more than it may: for another that has not, or in exchange for a
   * shard there. `null` where the draw came to nothing.
   */
  function unloading(state: SearchState): Move | null {
    let device = random.integer(all);
    for (let k = 0; k < all && !state.isOver(device); k++) device = (device + 1) % all;
    const other = random.integer(all);
    if (!state.isOver(device) || state.isOver(other)) return null;
    const left = state.free.draw(device, random);
    if (left === null) return null;
    const moved = elsewhere(left, state.choices, other);
    if (random.integer(2) === 0) return checked([moved]);
    const come = state.free.draw(other, random);
    if (come === null || come.table === left.table) return null;
    return checked([moved, elsewhere(come, state.choices, device)]);
  }

  function elsewhere({ table, shard }: TableShard, choices: readonly PlacementChoice[], device: number): Move[number] {
    const { option, devices } = choices[table] as PlacementChoice;
    return [table, { option, devices: devices.with(shard, device) }];
  }

  function anywhere(unit: readonly number[]): Move | null {
    if (unit.length > 1) return together(unit, random.integer(all));
    const [t] = unit as [number];
    const option = random.integer(tableAt(t).options.length);
    const devices = devicesFor(tableAt(t).options[option] as PlacementOption, t);
    return checked([[t, { option, devices }]]);
  }

  /** All shards of the tables on one device, each table with an option that can be there. */
  function together(unit: readonly number[], device: number): Move | null {
    const moves = unit.map((t) => {
      const { options } = tableAt(t);
      const fitting = [...options.keys()].filter((o) => fitsOn(options[o] as PlacementOption, device));
      if (fitting.length === 0) return null;
      const option = of(fitting);
      const { length } = (options[option] as PlacementOption).shards;
      return [t, { option, devices: new Array<number>(length).fill(device) }] as const;
    });
    return moves.includes(null) ? null : checked(moves as Move);
  }

  /** Whether all shards of an option may be on one device. */
  function fitsOn(option: PlacementOption, device: number): boolean {
    const { partitionBy, shards } = option;
    if (option.hot !== undefined || (option.distinctDevices && shards.length > 1)) return false;
    if (partitionBy === "device" || all === 1) return true;
    if (partitionBy === "uniform") return shards.length === 1 && device === 0;
    return shards.length === 1 || (partitionBy === "host" && !hasFixedSlots(problem, option));
  }

  function home(t: number): Move | null {
    const own = homes?.[t] ?? [];
    return own.length === 0 ? null : checked([[t, of(own)]]);
  }

  /** Two tables that are both free to be anywhere take one another's devices. */
  function exchange(t: number, choices: readonly PlacementChoice[]): Move | null {
    const other = (of(units) as [number])[0];
    const [own, others] = [choices[t] as PlacementChoice, choices[other] as PlacementChoice];
    const isFree = (table: number, { option }: PlacementChoice) => {
      const own = tableAt(table).options[option] as PlacementOption;
      return own.partitionBy === "device" && own.hot === undefined;
    };
    if (other === t || !isFree(t, own) || !isFree(other, others)) return null;
    if (own.devices.length !== others.devices.length || grouped.has(other)) return null;
    return checked([
      [t, { option: own.option, devices: others.devices }],
      [other, { option: others.option, devices: own.devices }],
    ]);
  }

  function oneShard(t: number, { option, devices }: PlacementChoice): Move | null {
    const { partitionBy, hot } = tableAt(t).options[option] as PlacementOption;
    if (partitionBy !== "device") return anywhere([t]);
    const next = devices.slice();
    next[random.integer(devices.length - (hot?.copies ?? 0))] = random.integer(all);
    return checked([[t, { option, devices: next }]]);
  }

  function devicesFor(option: PlacementOption, t: number): readonly number[] {
    return withCopies(option, coldDevicesFor(coldPart(option), t));
  }

  function coldDevicesFor(option: PlacementOption, t: number): number[] {
    const { shards, partitionBy, distinctDevices } = option;
    if (partitionBy === "uniform") return shards.map((_, shard) => shard);
    if (partitionBy === "device") {
      const allowed = tableAt(t).devices;
      if (distinctDevices) return drawn(allowed ?? upTo(all), shards.length);
      return shards.map(() => (allowed === null ? random.integer(all) : of(allowed)));
    }
    if (partitionBy === "host") {
      const first = random.integer(nodes) * gpusPerNode;
      const isFixed = hasFixedSlots(problem, option);
      if (distinctDevices && !isFixed) {
        return drawn(upTo(gpusPerNode), shards.length).map((slot) => first + slot);
      }
      return shards.map((_, shard) => first + (isFixed ? shard : random.integer(gpusPerNode)));
    }
    const hosts = drawn(upTo(nodes), nodes);
    return shards.map(
      (_, k) => (hosts[Math.floor(k / gpusPerNode) % nodes] as number) * gpusPerNode + (k % gpusPerNode),
    );
  }

  /** As many of the items by chance, each once as far as they go: what shares one is refused then. */
  function drawn(items: readonly number[], count: number): number[] {
    const drawn = items.slice();
    for (let k = drawn.length - 1; k > 0; k--) {
      const other = random.integer(k + 1);
      [drawn[k], drawn[other]] = [drawn[other] as number, drawn[k] as number];
    }
    return Array.from({ length: count }, (_, k) => drawn[k % drawn.length] as number);
  }

  /** The move if its shards are on devices that their tables may use, and that they need not share. */
  function checked(move: Move): Move | null {
    const isAllowed = move.every(([t, { option, devices }]) => {
      const { devices: allowed, options } = tableAt(t);
      const own = options[option] as PlacementOption;
      const cold = own.distinctDevices ? withoutCopies(own, devices) : [];
      if (new Set(cold).size < cold.length) return false;
      return allowed === null || devices.every((device) => allowed.includes(device));
    });
    return isAllowed ? move : null;
  }

  function tries(draw: () => Move | null): Move | null {
    for (let tries = 0; tries < 200; tries++) {
      const move = draw();
      if (move !== null) return move;
    }
    return null;
  }

  function tableAt(t: number): PlacementTable {
    return problem.tables[t] as PlacementTable;
  }

  function of<Item>(items: readonly Item[]): Item {
    return items[random.integer(items.length)] as Item;
  }
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, k) => k);
}
