import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import { type Random, seededRandom } from "../../../exact/random.js";
import { predictedGreedy } from "./greedy.js";
import { type PlacementContext, underSetCost } from "./heuristic.js";
import { drawPlan } from "./random.js";
import { type Bytes, emptyRoom, type Room } from "./room.js";
import { onWholeTables, partsOf, type WholeTable } from "./whole-tables.js";

/** Moves that are tried for each table. */
const MOVES_PER_TABLE = 1500;

/** The temperature at the first and the last move, as a share of the largest cost at the start. */
const HOTTEST = 0.02;
const COLDEST = 1e-5;

/** How often a table of the device that costs most is moved, and how often two tables change places. */
const COSTLIEST_SHARE = 0.5;
const SWAP_SHARE = 0.5;

/** Moves between two looks at whether to stop. */
const PATIENCE = 1000;

/**
 * Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) over whole tables, under a learned cost: a table moves to another
 * device, or changes places with a table there, within the memory of both. What lifts the energy by Δ stays with probability
 * exp(−Δ / temperature); the temperature falls geometrically. The energy is the 16-norm of the device costs. It starts from
 * the plan of `predicted-greedy`, or from a random one where that finds none, and gives the plan with the smallest largest
 * cost that it saw.
 */
export const simulatedAnnealing = underSetCost((setCost) =>
  onWholeTables((tables, problem, context) => {
    const random = seededRandom(context.seed);
    const start = firstHomes(problem, tables, random, context);
    if (start === null) {
      return { kind: "none", reason: "neither predicted-greedy nor a random plan keeps to the memory of the devices" };
    }
    const state = new AnnealingState(problem, setCost, tables, start);
    const hottest = HOTTEST * Math.max(0, state.largest);
    const moves = MOVES_PER_TABLE * tables.length;
    for (let tried = 0; tried < moves; tried++) {
      if (tried % PATIENCE === 0 && context.shouldStop?.() === true) break;
      const temperature = hottest * (COLDEST / HOTTEST) ** (tried / moves);
      const move = drawMove(state, tables.length, deviceCount(problem), random);
      const chance = random.next();
      state.attempt(move, (rise) => chance < Math.exp(-rise / temperature));
    }
    return state.best;
  }),
);

function firstHomes(
  problem: PlacementProblem,
  tables: readonly WholeTable[],
  random: Random,
  context: PlacementContext,
): readonly number[] | null {
  const greedy = predictedGreedy(problem, context);
  if (greedy.kind === "plan") return greedy.placement.choices.map(({ devices }) => devices[0] as number);
  const draw = drawPlan(problem, tables, random);
  return draw.full === null ? draw.homes : null;
}

/** One that changes nothing, as a table to its own device, counts as tried. */
function drawMove(state: AnnealingState, tables: number, devices: number, random: Random): Move {
  const { costliest } = state;
  const isOfCostliest = random.next() < COSTLIEST_SHARE && costliest.length > 0;
  const table = isOfCostliest ? (costliest[random.integer(costliest.length)] as number) : random.integer(tables);
  if (random.next() >= SWAP_SHARE) return [{ table, to: random.integer(devices) }];
  const other = random.integer(tables);
  return [
    { table, to: state.home(other) },
    { table: other, to: state.home(table) },
  ];
}

/** Tables with the devices that they go to. */
type Move = readonly { readonly table: number; readonly to: number }[];

/** What fits wherever no memory is over. */
const NO_BYTES: Bytes = { hbmBytes: 0, hostBytes: 0 };

/** The norm that stands for the largest cost: it also feels what happens on the devices just below. */
const NORM = 16;

/** Where tables are while annealing moves them, with the cost of each device. */
class AnnealingState {
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
    this.#parts = partsOf(setCost, tables);
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
    if (devices.size < 2) return;
    this.#carry(move);
    if (!move.every(({ to }) => this.#room.fits(to, NO_BYTES))) {
      this.#carry(move, true);
      return;
    }
    const before = [...devices].map((device) => [device, this.#costs[device] as number] as const);
    for (const device of devices) this.#costs[device] = this.#costOf(device, move);
    const energy = energyOf(this.#costs);
    if (energy > this.#energy && !accepts(energy - this.#energy)) {
      for (const [device, cost] of before) this.#costs[device] = cost;
      this.#carry(move, true);
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

  /** Takes the memory where tables go, and gives it back where they come from; `isBack`: undoes that. */
  #carry(move: Move, isBack = false): void {
    for (const { table, to } of move) this.#room.take(isBack ? to : this.home(table), this.#freed(table));
    for (const { table, to } of move) this.#room.take(isBack ? this.home(table) : to, this.#needs[table] as ShardNeed);
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
