import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../exact/random.js";
import { AnnealingState, type Move } from "./annealing/state.js";
import type { PlacementContext } from "./heuristic.js";
import { underSetCost } from "./learned.js";
import { predictedGreedy } from "./predicted-greedy.js";
import { drawPlan } from "./random.js";
import { type WholeTable, wholePlacement, wholeTables } from "./whole-tables.js";

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
export const simulatedAnnealing = underSetCost((problem, setCost, context) => {
  const whole = wholeTables(problem, context);
  if (whole.kind !== "tables") return whole;
  const { tables } = whole;
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
  return { kind: "plan", placement: wholePlacement(tables, state.best) };
});

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
