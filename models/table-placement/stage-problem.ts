import { Rational } from "../../src/exact/rational.js";
import { costUnit } from "./cost-unit.js";
import { directProgram, type PlacementProgram } from "./direct-program.js";
import { goalProgram } from "./goal-program.js";
import { sharedNeeds } from "./option-site.js";
import { deviceCount, type Incoming, type PlacementProblem, type ShardNeed, type StageGoal } from "./problem.js";
import { shardRunsOf } from "./shard-runs.js";
import { type Held, stagesOf } from "./stages.js";

/** A stage of a problem with several goals, as a problem of one. */
export interface StageProblem {
  readonly goal: StageGoal;
  /** With no more memory and moves than earlier stages leave. */
  readonly problem: PlacementProblem;
  /** What earlier stages hold of other goals. */
  readonly held: readonly Held[];
  /**
   * The same as a problem whose largest cost is to be least, and nothing else; `null` where it is none. Its placements are those
   * of the stage, and perhaps some that are above a held cost by rounding.
   */
  readonly plain: PlacementProblem | null;
}

/**
 * Stage `k` of a problem, after stages that hold so much each. Held memory is capacity, held moves a limit on moves. Where
 * memory is minimised, cost and that memory change places: a held largest cost is capacity then.
 */
export function stageProblem(whole: PlacementProblem, k: number, held: readonly Held[]): StageProblem {
  const goal = stagesOf(whole)[k]?.minimize as StageGoal;
  const { stages: _stages, thenMinimize: _then, goal: _goal, ...rest } = whole;
  let problem: PlacementProblem = goal === "phases" ? { ...rest, goal } : rest;
  const rows: Held[] = [];
  for (const one of held) {
    const narrowed = withHeld(problem, one);
    if (narrowed === null) rows.push(one);
    else problem = narrowed;
  }
  if (goal !== "moved-tables") problem = withoutFreeMoves(problem);
  if ([goal, ...rows.map((one) => one.goal)].includes("moved-bytes")) problem = withIncoming(problem);
  return { goal, problem, held: rows, plain: plainProblem(problem, goal, rows, k > 0) };
}

/** The program that a stage is proved on. Throws `RangeError` as the direct program does. */
export function stageProgram({ goal, problem, held, plain }: StageProblem, checkTime?: () => void): PlacementProgram {
  if (plain !== null) return directProgram(plain, checkTime);
  const isDirect = (goal === "largest-cost" || goal === "phases") && held.length === 0;
  return isDirect ? directProgram(problem, checkTime) : goalProgram(problem, goal, held, checkTime);
}

/** The problem with what is held as capacity, or a limit on moves; `null` where it is neither. */
function withHeld(problem: PlacementProblem, { goal, most }: Held): PlacementProblem | null {
  const { hbmBytes, hostBytes, hostIsPooled, gpusPerNode, stay } = problem;
  // In doubles, exact: beyond 2^53 the other is less.
  const limit = (bytes: number) => Math.min(bytes, Number(most.floor()));
  if (goal === "largest-hbm") return { ...problem, hbmBytes: hbmBytes.map(limit) };
  if (goal === "moved-tables" && stay !== undefined)
    return { ...problem, stay: { ...stay, mostMoved: limit(stay.mostMoved) } };
  if (goal !== "largest-host") return null;
  const own = hostBytes ?? new Array<number>(deviceCount(problem)).fill(Number.MAX_SAFE_INTEGER);
  if (!hostIsPooled) return { ...problem, hostBytes: own.map(limit) };
  // Of a pool only the sum counts.
  const poolOf = (d: number) => own.slice(d, d + gpusPerNode).reduce((sum, bytes) => sum + bytes, 0);
  return { ...problem, hostBytes: own.map((_, d) => (d % gpusPerNode === 0 ? limit(poolOf(d)) : 0)) };
}

/** Without a limit on moves that all tables are within. */
export function withoutFreeMoves(problem: PlacementProblem): PlacementProblem {
  const { stay, ...rest } = problem;
  return stay === undefined || stay.mostMoved < problem.tables.length ? problem : rest;
}

/** Shards told apart by what their devices have to receive. */
function withIncoming(problem: PlacementProblem): PlacementProblem {
  return withNeeds(problem, (need, incoming = { bytes: 0, held: [] }) => ({ ...need, incoming }));
}

/** What each shard needs, changed; equal needs are one. */
export function withNeeds(
  problem: PlacementProblem,
  change: (need: ShardNeed, incoming: Incoming | undefined) => ShardNeed,
): PlacementProblem {
  const one = sharedNeeds();
  const without = new Map<ShardNeed, ShardNeed>();
  const changed = (need: ShardNeed, incoming: Incoming | undefined): ShardNeed => {
    const before = incoming === undefined ? without.get(need) : undefined;
    if (before !== undefined) return before;
    const same = one(change(need, incoming));
    if (incoming === undefined) without.set(need, same);
    return same;
  };
  const tables = problem.tables.map((table) => ({
    ...table,
    options: table.options.map((option) => ({
      ...option,
      shards: option.shards.map((need, k) => changed(need, option.incoming?.[k])),
    })),
  }));
  return { ...problem, tables };
}

function plainProblem(
  problem: PlacementProblem,
  goal: StageGoal,
  held: readonly Held[],
  hasPlacement: boolean,
): PlacementProblem | null {
  if (problem.stay !== undefined || problem.setCost !== undefined) return null;
  const cost = held.find((one) => one.goal === "largest-cost");
  if (held.some((one) => one !== cost)) return null;
  if (goal === "largest-cost") return cost === undefined ? problem : null;
  if (goal === "largest-hbm") return exchanged(problem, "hbmBytes", cost?.most ?? null, hasPlacement);
  if (goal === "largest-host" && !problem.hostIsPooled) {
    return exchanged(problem, "hostBytes", cost?.most ?? null, hasPlacement);
  }
  return null;
}

/** Costs that are no whole numbers below 2^53 in all are rounded down to so many steps of what is held of them. */
const STEPS = 2 ** 46;

/**
 * The problem with its cost as a memory, of which a device has `most`, and bytes of that memory as its cost.
 *
 * The memory's own capacity is implied where all devices have the same and some placement is within it: then the least
 * largest is too. Elsewhere it stays as that of an SSD; `null` where there is one already. Costs are rounded down where they
 * are no whole numbers of a unit: the problem then has every placement of the stage, and a bound of it is one of the stage.
 */
function exchanged(
  problem: PlacementProblem,
  memory: "hbmBytes" | "hostBytes",
  most: Rational | null,
  hasPlacement: boolean,
): PlacementProblem | null {
  const capacity = problem[memory];
  const all = totalOf(problem, memory);
  const isImplied =
    capacity === null || capacity.every((bytes) => bytes >= all || (hasPlacement && bytes === capacity[0]));
  if (!isImplied && problem.ssdBytes !== undefined) return null;
  const { wholes, limit } = wholeCosts(problem, most);
  const exchange = ({ phases: _phases, ...need }: ShardNeed): ShardNeed => {
    const kept = isImplied ? {} : { ssdBytes: need[memory] };
    return { ...need, ...kept, cost: need[memory], [memory]: most === null ? 0 : wholes(need.cost) };
  };
  return {
    ...withNeeds(problem, exchange),
    ...(isImplied ? {} : { ssdBytes: capacity }),
    [memory]: new Array<number>(deviceCount(problem)).fill(limit),
  };
}

/** Of no placement is more anywhere. */
function totalOf({ tables }: PlacementProblem, memory: "hbmBytes" | "hostBytes"): number {
  return tables.reduce((sum, { options }) => {
    const totals = options.map(({ shards }) => shards.reduce((bytes, need) => bytes + need[memory], 0));
    return sum + Math.max(...totals);
  }, 0);
}

/** Costs as integers, all of which add up to less than 2^53, and how much of `most` they may come to. */
function wholeCosts({ tables }: PlacementProblem, most: Rational | null) {
  const runs = tables.map(({ options }) => options.map(shardRunsOf));
  const { unit, unitsOf } = costUnit(new Set(runs.flat(2).map(({ need }) => need.cost)));
  const total = runs.reduce((sum, options) => {
    const costs = options.map((own) =>
      own.reduce((all, { need, count }) => all + BigInt(count) * unitsOf(need.cost), 0n),
    );
    return sum + costs.reduce((a, b) => (a > b ? a : b), 0n);
  }, 0n);
  // In doubles, exact: used where the total is below 2^53.
  const least = (value: bigint) => Number(value < total ? value : total);
  if (most === null) return { wholes: () => 0, limit: Number.MAX_SAFE_INTEGER };
  if (total <= BigInt(Number.MAX_SAFE_INTEGER)) {
    // In doubles, exact: at most the total, which is below 2^53.
    return { wholes: (cost: number) => Number(unitsOf(cost)), limit: least(most.divide(unit).floor()) };
  }
  // A power of two, so that dividing by it is exact.
  const exponent = Math.ceil(
    // In doubles, searched: how coarse a step is, any is sound.
    Math.log2(Math.max(most.toNumber() / STEPS, unit.multiply(Rational.of(total)).toNumber() / 2 ** 52)),
  );
  const step = 2 ** exponent;
  return {
    wholes: (cost: number) => Math.floor(cost / step),
    // In doubles, exact: at most some 2^46 steps.
    limit: Number(most.divide(Rational.fromNumber(step)).floor()),
  };
}
