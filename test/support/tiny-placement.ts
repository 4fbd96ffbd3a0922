import { constraintViolations } from "../../models/table-placement/constraints.js";
import {
  deviceCount,
  type Incoming,
  type Partition,
  type Placement,
  type PlacementChoice,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
  type ShardNeed,
  type StageGoal,
} from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import { STAGE_GOALS } from "../../src/instance/types/table-placement.js";
import type { Draw } from "../fuzz/oracle/draw.js";
import { waysOf } from "./brute-force-placement.js";
import { movedCount } from "./moved-placement.js";

/** A random problem small enough for {@link bestPlacement}: all partitions and constraints, costs in quarters. */
export function tinyPlacement(draw: Draw): PlacementProblem {
  const [nodes, gpusPerNode] = draw.of([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 1],
    [2, 2],
  ] as const);
  const devices = nodes * gpusPerNode;
  const tableCount = draw.int(1, devices > 3 ? 3 : 4);
  const scale = draw.of([1, 4, 1000]);
  const need = (): ShardNeed => ({
    cost: (draw.int(0, 12) * scale) / 4,
    hbmBytes: draw.int(0, 9),
    hostBytes: draw.oneIn(3) ? draw.int(0, 5) : 0,
  });
  const shardsOf = (count: number): ShardNeed[] => {
    const first = need();
    return Array.from({ length: count }, () => (draw.oneIn(4) ? need() : first));
  };
  const option = (): PlacementOption => {
    const partitionBy = draw.of<Partition>(["device", "device", "device", "uniform", "host", "multi_host"]);
    const rowWise = partitionBy === "host" && draw.oneIn(2);
    const count = {
      device: draw.int(1, 2),
      uniform: devices,
      host: rowWise ? gpusPerNode : draw.int(1, 2),
      // More groups than nodes go round them.
      multi_host: gpusPerNode * draw.int(1, nodes + 1),
    }[partitionBy];
    const shardingType = partitionBy === "host" ? (rowWise ? "table_row_wise" : "table_column_wise") : partitionBy;
    return { shardingType, kernel: "fused", partitionBy, shards: shardsOf(count) };
  };
  const tables = Array.from({ length: tableCount }, (_, t): PlacementTable => {
    const some = Array.from({ length: devices }, (__, d) => d).filter(() => !draw.oneIn(4));
    return {
      name: `t${t}`,
      options: Array.from({ length: draw.oneIn(2) ? 1 : draw.int(2, 3) }, option),
      devices: draw.oneIn(6) ? some : null,
    };
  });
  const anyTables = (): number[] => tables.map((_, t) => t).filter(() => draw.oneIn(2));
  const groups = (): number[][] => (draw.oneIn(4) ? [anyTables()].filter(({ length }) => length > 1) : []);
  const even = draw.int(5, 25);
  return {
    name: "tiny",
    nodes,
    gpusPerNode,
    hbmBytes: Array.from({ length: devices }, () => (draw.oneIn(5) ? draw.int(0, 25) : even)),
    hostBytes: draw.oneIn(2) ? null : Array.from({ length: devices }, () => draw.int(2, 12)),
    hostIsPooled: draw.oneIn(2),
    tables,
    together: groups(),
    apart: groups(),
  };
}

/** The same with goals and limited moves: phases in place of the largest cost, a second goal, a plan to stay at. */
export function tinyGoalPlacement(draw: Draw): PlacementProblem {
  const problem = tinyPlacement(draw);
  const kind = draw.of(["phases", "stay", "phases and stay", "second", "second and stay"] as const);
  const phased = (need: ShardNeed): ShardNeed => {
    const phases = [draw.int(0, 12), draw.int(0, 12), draw.oneIn(2) ? draw.int(0, 12) : 0].map((cost) => cost / 4);
    return { ...need, cost: phases.reduce((sum, cost) => sum + cost, 0), phases };
  };
  const isPhased = kind.startsWith("phases");
  const tables = !isPhased
    ? problem.tables
    : problem.tables.map((table) => ({
        ...table,
        options: table.options.map((option) => {
          const known = new Map<ShardNeed, ShardNeed>();
          for (const need of option.shards) if (!known.has(need)) known.set(need, phased(need));
          return { ...option, shards: option.shards.map((need) => known.get(need) as ShardNeed) };
        }),
      }));
  const home = (table: PlacementTable, t: number): PlacementChoice[] => {
    const choices = choicesOf(problem, draw.oneIn(8) ? { ...table, devices: null } : table, t);
    return choices.length === 0 ? [] : [draw.of(choices)];
  };
  return {
    ...problem,
    tables,
    ...(isPhased ? { goal: "phases" } : {}),
    ...(kind.startsWith("second") ? { thenMinimize: draw.of(["sum", "second-largest"]) } : {}),
    ...(kind.endsWith("stay")
      ? { stay: { homes: problem.tables.map(home), mostMoved: draw.int(0, problem.tables.length) } }
      : {}),
  };
}

/** A random problem with two to four goals in order, every kind of them, and allowances as shares and as amounts. */
export function tinyStagedPlacement(draw: Draw): PlacementProblem {
  const problem = tinyPlacement(draw);
  const phased = new Map<ShardNeed, ShardNeed>();
  const withPhases = (need: ShardNeed): ShardNeed => {
    const phases = [draw.int(0, 12) / 4, draw.int(0, 12) / 4];
    const known = phased.get(need) ?? { ...need, cost: (phases[0] as number) + (phases[1] as number), phases };
    phased.set(need, known);
    return known;
  };
  const tables = problem.tables.map((table) => ({
    ...table,
    options: table.options.map((option) => ({ ...option, shards: option.shards.map(withPhases) })),
  }));
  const homes = problem.tables.map((table, t) => {
    const choices = choicesOf(problem, table, t);
    return choices.length === 0 ? [] : [draw.of(choices)];
  });
  const count = draw.int(2, 4);
  const goals: StageGoal[] = [];
  while (goals.length < count) {
    const goal = draw.of(STAGE_GOALS);
    if (!goals.includes(goal)) goals.push(goal);
  }
  const hasMoves = goals.includes("moved-tables");
  const incoming = (): Incoming => {
    const bytes = draw.int(0, 9);
    const holders = Array.from({ length: deviceCount(problem) }, (_, d) => d).filter(() => draw.oneIn(2));
    return { bytes, held: holders.map((d) => [d, draw.int(0, bytes)] as const) };
  };
  const withIncoming = (option: PlacementOption) => ({ ...option, incoming: option.shards.map(incoming) });
  return {
    ...problem,
    tables: goals.includes("moved-bytes")
      ? tables.map((table) => ({ ...table, options: table.options.map(withIncoming) }))
      : tables,
    stages: goals.map((minimize) => ({
      minimize,
      allow: draw.oneIn(2) ? { percent: draw.of(["0", "5", "25", "50"]) } : { amount: draw.int(0, 2) },
    })),
    ...(hasMoves ? { stay: { homes, mostMoved: draw.oneIn(3) ? draw.int(0, tables.length) : tables.length } } : {}),
  };
}

/** What the goals in order come to by trying every placement, each within the allowances before it; `null` where there is none. */
export function bestByStages(problem: PlacementProblem): Rational[] | null {
  const all: Rational[][] = [];
  forEachPlacement(problem, (placement) => {
    const { choices } = placement;
    if (problem.stay !== undefined && movedCount(problem, choices) > problem.stay.mostMoved) return;
    all.push((problem.stages ?? []).map(({ minimize }) => stageGoalOf(problem, placement, minimize)));
  });
  let left = all;
  const best: Rational[] = [];
  for (const [k, { allow }] of (problem.stages ?? []).entries()) {
    if (left.length === 0) return null;
    const least = left.map((values) => values[k] as Rational).reduce((a, b) => (a.compare(b) <= 0 ? a : b));
    best.push(least);
    const most =
      "amount" in allow
        ? least.add(Rational.of(BigInt(allow.amount)))
        : least.multiply(Rational.of(100n + BigInt(allow.percent), 100n));
    left = left.filter((values) => (values[k] as Rational).compare(most) <= 0);
  }
  return best;
}

/** One goal of a placement, written down anew, in exact arithmetic. */
function stageGoalOf(problem: PlacementProblem, { choices }: Placement, goal: StageGoal): Rational {
  const devices = deviceCount(problem);
  const here: ShardNeed[][] = Array.from({ length: devices }, () => []);
  choices.forEach(({ option, devices: places }, t) => {
    for (const [k, d] of places.entries()) here[d]?.push(problem.tables[t]?.options[option]?.shards[k] as ShardNeed);
  });
  const all = (values: readonly Rational[]) => values.reduce((a, b) => a.add(b), Rational.zero);
  const sums = (read: (need: ShardNeed) => number) =>
    here.map((needs) => all(needs.map((need) => Rational.fromNumber(read(need)))));
  const most = (values: readonly Rational[]) => values.reduce((a, b) => (a.compare(b) >= 0 ? a : b));
  const perNode = (host: readonly Rational[]) =>
    Array.from({ length: problem.nodes }, (_, node) =>
      all(host.slice(node * problem.gpusPerNode, (node + 1) * problem.gpusPerNode)),
    );
  const host = () => sums(({ hostBytes }) => hostBytes);
  const costs = () => sums(({ cost }) => cost);
  const phases = problem.tables[0]?.options[0]?.shards[0]?.phases ?? [];
  const values: Record<StageGoal, () => Rational | number> = {
    "largest-cost": () => most(costs()),
    phases: () => all(phases.map((_, k) => most(sums((need) => need.phases?.[k] as number)))),
    "largest-hbm": () => most(sums(({ hbmBytes }) => hbmBytes)),
    "largest-host": () => most(problem.hostIsPooled ? perNode(host()) : host()),
    "second-largest": () => costs().sort((a, b) => b.compare(a))[1] ?? Rational.zero,
    sum: () => all(costs()),
    "moved-bytes": () =>
      choices.reduce((sum, { option, devices: places }, t) => {
        const { incoming = [] } = (problem.tables[t] as PlacementTable).options[option] as PlacementOption;
        const received = places.map((d, k) => {
          const own = incoming[k] as Incoming;
          return own.bytes - (new Map(own.held).get(d) ?? 0);
        });
        return sum + received.reduce((a, b) => a + b, 0);
      }, 0),
    "moved-tables": () => movedCount(problem, choices),
  };
  const value = values[goal]();
  return typeof value === "number" ? Rational.fromNumber(value) : value;
}

/** What the goals of a problem come to. */
export interface GoalValues {
  readonly first: number;
  /** `null` where the problem has no second goal. */
  readonly second: number | null;
}

/** What one placement's goals come to, written down anew. Costs must add up without rounding. */
export function goalsOf(problem: PlacementProblem, { choices }: Placement): GoalValues {
  const devices = deviceCount(problem);
  const here: ShardNeed[][] = Array.from({ length: devices }, () => []);
  choices.forEach(({ option, devices: places }, t) => {
    for (const [k, d] of places.entries()) here[d]?.push(problem.tables[t]?.options[option]?.shards[k] as ShardNeed);
  });
  const add = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const loads = here.map((needs) => add(needs.map(({ cost }) => cost)));
  const maximum = (phase: number) =>
    Math.max(...here.map((needs) => add(needs.map(({ phases = [] }) => phases[phase] as number))));
  const first = problem.goal === "phases" ? maximum(0) + maximum(1) + maximum(2) : Math.max(...loads);
  const [, second = 0] = loads.toSorted((a, b) => b - a);
  const values = { sum: add(loads), "second-largest": second };
  return { first, second: problem.thenMinimize === undefined ? null : values[problem.thenMinimize] };
}

/** The best that the goals can come to, by trying every placement; `null` where there is none. */
export function bestByGoals(problem: PlacementProblem): GoalValues | null {
  let best: GoalValues | null = null;
  forEachPlacement(problem, (placement) => {
    if (problem.stay !== undefined && movedCount(problem, placement.choices) > problem.stay.mostMoved) return;
    const values = goalsOf(problem, placement);
    const isBetter =
      best === null ||
      values.first < best.first ||
      (values.first === best.first && values.second !== null && values.second < (best.second as number));
    if (isBetter) best = values;
  });
  return best;
}

/** Every placement within the memory and the constraints, moves and goals aside. */
export function forEachPlacement(problem: PlacementProblem, visit: (placement: Placement) => void): void {
  const perTable = problem.tables.map((_, t) => waysOf(problem, t));
  const memory = new MemoryUse(problem);
  const chosen: PlacementChoice[] = [];
  const place = (t: number): void => {
    if (!memory.fits()) return;
    if (t === problem.tables.length) {
      const placement = { choices: chosen.slice() };
      if (constraintViolations(problem, placement).length === 0) visit(placement);
      return;
    }
    for (const choice of perTable[t] as PlacementChoice[]) {
      chosen[t] = choice;
      memory.add(choice, t, 1);
      place(t + 1);
      memory.add(choice, t, -1);
    }
  };
  place(0);
}

/** Bytes on every device as tables are put there and taken away. */
class MemoryUse {
  readonly #problem: PlacementProblem;
  readonly #hbm: number[];
  readonly #host: number[];
  readonly #ssd: number[];

  constructor(problem: PlacementProblem) {
    this.#problem = problem;
    this.#hbm = new Array<number>(deviceCount(problem)).fill(0);
    this.#host = this.#hbm.slice();
    this.#ssd = this.#hbm.slice();
  }

  add({ option, devices }: PlacementChoice, t: number, sign: number): void {
    const { shards } = (this.#problem.tables[t] as PlacementTable).options[option] as PlacementOption;
    devices.forEach((d, k) => {
      const { hbmBytes, hostBytes, ssdBytes = 0 } = shards[k] as ShardNeed;
      this.#hbm[d] = (this.#hbm[d] as number) + sign * hbmBytes;
      this.#host[d] = (this.#host[d] as number) + sign * hostBytes;
      this.#ssd[d] = (this.#ssd[d] as number) + sign * ssdBytes;
    });
  }

  fits(): boolean {
    const { hbmBytes, hostBytes, hostIsPooled, ssdBytes, gpusPerNode } = this.#problem;
    if (this.#hbm.some((used, d) => used > (hbmBytes[d] as number))) return false;
    if (ssdBytes?.some((limit, d) => (this.#ssd[d] as number) > limit)) return false;
    if (hostBytes === null) return true;
    const size = hostIsPooled ? gpusPerNode : 1;
    for (let first = 0; first < hostBytes.length; first += size) {
      const sum = (list: readonly number[]) => list.slice(first, first + size).reduce((a, b) => a + b, 0);
      if (sum(this.#host) > sum(hostBytes)) return false;
    }
    return true;
  }
}

/** The least largest cost by trying every placement; `null` where there is none. Costs must add up without rounding. */
export function bestPlacement(problem: PlacementProblem): { largest: number; placement: Placement } | null {
  let best: { largest: number; placement: Placement } | null = null;
  forEachPlacement(problem, (placement) => {
    const { first: largest } = goalsOf(problem, placement);
    if (best === null || largest < best.largest) best = { largest, placement };
  });
  return best;
}

/** All ways to place one table that its partition and its devices allow. */
export function choicesOf(problem: PlacementProblem, table: PlacementTable, t: number): PlacementChoice[] {
  const alone = { ...problem, tables: [table], together: [], apart: [] };
  const devices = deviceCount(problem);
  return problem.tables[t]?.options.flatMap(({ shards }, option) => {
    const tuples = shards.reduce<number[][]>(
      (list) => list.flatMap((tuple) => Array.from({ length: devices }, (_, d) => [...tuple, d])),
      [[]],
    );
    return tuples
      .map((places): PlacementChoice => ({ option, devices: places }))
      .filter((choice) => constraintViolations(alone, { choices: [choice] }).length === 0);
  }) as PlacementChoice[];
}
