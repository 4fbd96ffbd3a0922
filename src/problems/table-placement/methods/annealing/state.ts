import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../../cost/neural/set-cost.js";
import { partOfWhole } from "../learned.js";
import { type Bytes, emptyRoom, type Room } from "../room.js";
import type { WholeTable } from "../whole-tables.js";

/** Tables with the devices that they go to. */
export type Move = readonly { readonly table: number; readonly to: number }[];

/** The norm that stands for the largest cost: it also feels what happens on the devices just below. */
const NORM = 16;

/** Where tables are while annealing moves them, with the cost of each device. */
export class AnnealingState {
  readonly #setCost: SetCost;
  readonly #parts: readonly number[];
  readonly #needs: readonly ShardNeed[];
  readonly #homes: number[];
  /** The tables of each device. */
  readonly #here: number[][];
  readonly #costs: number[];
  readonly #room: Room;
  #energy: number;
  #best: { readonly homes: readonly number[]; readonly largest: number };

  constructor(problem: PlacementProblem, setCost: SetCost, tables: readonly WholeTable[], homes: readonly number[]) {
    this.#setCost = setCost;
    this.#parts = tables.map((table, t) => partOfWhole(setCost, table, t));
    this.#needs = tables.map(({ need }) => need);
    this.#homes = [...homes];
    this.#here = Array.from({ length: deviceCount(problem) }, () => []);
    this.#room = emptyRoom(problem);
    for (const [t, home] of homes.entries()) {
      this.#here[home]?.push(t);
      this.#room.take(home, this.#needs[t] as ShardNeed);
    }
    this.#costs = this.#here.map((_, device) => this.#costOf(device, []));
    this.#energy = energyOf(this.#costs);
    this.#best = { homes: [...homes], largest: this.largest };
  }

  get largest(): number {
    return Math.max(...this.#costs);
  }

  /** The homes with the smallest largest cost so far. */
  get best(): readonly number[] {
    return this.#best.homes;
  }

  home(table: number): number {
    return this.#homes[table] as number;
  }

  /** The tables of the device that costs most. */
  get costliest(): readonly number[] {
    return this.#here[this.#costs.indexOf(this.largest)] as readonly number[];
  }

  /** Makes a move if there is room for it and `accepts` takes the rise of the energy. */
  attempt(move: Move, accepts: (rise: number) => boolean): void {
    const devices = new Set(move.flatMap(({ table, to }) => [this.home(table), to]));
    if (devices.size < 2 || !this.#takes(move)) return;
    const before = [...devices].map((device) => [device, this.#costs[device] as number] as const);
    for (const device of devices) this.#costs[device] = this.#costOf(device, move);
    const energy = energyOf(this.#costs);
    if (energy > this.#energy && !accepts(energy - this.#energy)) {
      for (const [device, cost] of before) this.#costs[device] = cost;
      this.#return(move);
      return;
    }
    this.#energy = energy;
    for (const { table, to } of move) {
      const here = this.#here[this.home(table)] as number[];
      here.splice(here.indexOf(table), 1);
      this.#here[to]?.push(table);
      this.#homes[table] = to;
    }
    if (this.largest < this.#best.largest) this.#best = { homes: [...this.#homes], largest: this.largest };
  }

  /** Takes the memory that a move needs; takes nothing where there is not as much. */
  #takes(move: Move): boolean {
    for (const { table } of move) this.#room.take(this.home(table), this.#freed(table));
    for (const [m, { table, to }] of move.entries()) {
      const need = this.#needs[table] as ShardNeed;
      if (this.#room.fits(to, need)) this.#room.take(to, need);
      else {
        for (const { table: moved, to: device } of move.slice(0, m)) this.#room.take(device, this.#freed(moved));
        for (const { table: moved } of move) this.#room.take(this.home(moved), this.#needs[moved] as ShardNeed);
        return false;
      }
    }
    return true;
  }

  /** Gives back what {@link #takes} took. */
  #return(move: Move): void {
    for (const { table, to } of move) {
      this.#room.take(to, this.#freed(table));
      this.#room.take(this.home(table), this.#needs[table] as ShardNeed);
    }
  }

  #freed(table: number): Bytes {
    const { hbmBytes, hostBytes, ssdBytes = 0 } = this.#needs[table] as ShardNeed;
    return { hbmBytes: -hbmBytes, hostBytes: -hostBytes, ssdBytes: -ssdBytes };
  }

  #costOf(device: number, move: Move): number {
    const stays = (table: number) => !move.some((moved) => moved.table === table);
    const joins = move.filter(({ to }) => to === device).map(({ table }) => table);
    const tables = [...(this.#here[device] as number[]).filter(stays), ...joins];
    return this.#setCost.costOfSet(tables.map((table) => this.#parts[table] as number));
  }
}

/** The norm of the costs; a network may predict a little less than nothing, which counts as nothing. */
function energyOf(costs: readonly number[]): number {
  const largest = Math.max(...costs);
  if (largest <= 0) return 0;
  return largest * costs.reduce((sum, cost) => sum + Math.max(0, cost / largest) ** NORM, 0) ** (1 / NORM);
}
