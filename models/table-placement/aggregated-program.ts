import { Rational } from "../../src/exact/rational.js";
import type { Program } from "../../src/program/program.js";
import { pooledMemory } from "./aggregated-relaxation.js";
import { allowedDevices, effectivePartition } from "./constraints.js";
import { type CostUnit, costNear, costUnit } from "./cost-unit.js";
import type { PointedProgram } from "./direct-program.js";
import { coldPart, hotCopies } from "./hot-rows.js";
import { isPlaceable } from "./option-columns.js";
import { largestOf, leastOf, loadsOf, MOST_STEPS, rationalPoint } from "./placement-draft.js";
import { deviceCount, type Placement, type PlacementOption, type PlacementProblem } from "./problem.js";
import { type IntegerTerms, ProgramDraft, sumOf } from "./program-draft.js";
import { runsOfShards, type ShardRun, shardRunsOf } from "./shard-runs.js";

/** What an option brings to the aggregated program, all its shards together; doubles, to search with. */
export interface AggregatedOption {
  /** Index into the table's options. */
  readonly option: number;
  /** The column that chooses it. */
  readonly column: number;
  readonly cost: number;
  readonly hbm: number;
  readonly host: number;
  readonly ssd: number;
  /** What every device has of it at least; 0 where it is not on all. */
  readonly least: number;
  /** What its largest shard costs beyond `least`. */
  readonly peak: number;
}

/** Which rows and columns of the aggregated program play which part; indices are the program's. */
export interface AggregatedStructure {
  readonly tables: readonly (readonly AggregatedOption[])[];
  readonly unit: Rational;
  /** Σ cost − devices · z ≤ 0. */
  readonly mean: number;
  /** Σ bytes ≤ memory of all devices; `null` where that holds whatever is chosen. */
  readonly memory: Readonly<Record<"hbm" | "host" | "ssd", number | null>>;
  /** The base of all devices in whole steps, rounded down; `null` where no option is on all devices. */
  readonly base: { readonly column: number; readonly row: number; readonly step: bigint; readonly most: bigint } | null;
}

/** All devices as one: a column for each option, whatever the number of devices. README.md beside this file has the proof. */
export interface AggregatedProgram extends PointedProgram {
  readonly structure: AggregatedStructure;
}

/** A step of the base is this part of the least mean load. */
const FINENESS = 1n << 14n;

/**
 * The aggregated program of the largest device cost: options y, their largest cost z, and the base b, what every device
 * carries of options that are on all of them.
 *
 *   option_t  Σ_o y = 1
 *   mean      Σ cost·y ≤ devices·z                     bytes alike, for each memory
 *   base      0 ≤ Σ least·y − k·b ≤ k − 1
 *   peak_t    Σ_o peak·y + k·b ≤ z                     the device with a table's largest shard has the base beside it
 *
 * Every placement has a point, with its own largest cost as z: no bound of the program is above what the best placement
 * costs. Throws `RangeError` as `directProgram` does.
 */
export function aggregatedProgram(problem: PlacementProblem): AggregatedProgram {
  if (problem.setCost !== undefined) throw new RangeError("the aggregated program is of costs that add up on a device");
  const devices = deviceCount(problem);
  const { unit, unitsOf } = aggregatedCostUnit(problem);
  const draft = new ProgramDraft();
  const tables = problem.tables.map((table, t) => {
    const allowed = allowedDevices(problem, table);
    const own = table.options.flatMap((option, o) => {
      if (!isPlaceable(problem, option, allowed)) return [];
      return [{ option: o, column: draft.addCount(`y_${t}_${o}`), ...aggregatedNeeds(problem, option, unitsOf) }];
    });
    // With no option that can be placed the row reads 0 = 1: the program is infeasible, as it should be.
    const columns = own.map(({ column }) => column);
    draft.addEquation(`option_${t}`, sumOf(columns), 1n);
    return own;
  });
  const all = tables.flat();
  const terms = (read: (one: AggregatedNeeds) => bigint): IntegerTerms =>
    all.map((one) => [one.column, read(one)] as const);
  const mostOf = (read: (one: AggregatedNeeds) => bigint) =>
    tables.reduce((sum, own) => sum + own.reduce((most, one) => (read(one) > most ? read(one) : most), 0n), 0n);
  const largest = draft.addAmount("z", Rational.of(mostOf(({ cost }) => cost)));
  const mean = draft.addLimit("mean", [...terms(({ cost }) => cost), [largest, -BigInt(devices)]]);
  const pool = pooledMemory(problem);
  const memoryRow = (name: "hbm" | "host" | "ssd") =>
    Number.isFinite(pool[name]) && mostOf((one) => one[name]) > BigInt(Math.floor(pool[name]))
      ? draft.addLimit(
          name,
          terms((one) => one[name]),
          BigInt(Math.floor(pool[name])),
        )
      : null;
  const memory = { hbm: memoryRow("hbm"), host: memoryRow("host"), ssd: memoryRow("ssd") };
  const least = tables.reduce((sum, own) => sum + leastOf(own.map(({ cost }) => cost)), 0n);
  const whole = mostOf((one) => one.least);
  const step = largestOf([1n, least / (BigInt(devices) * FINENESS), whole / MOST_STEPS]);
  const base = addBase(draft, terms, { whole, step });
  for (const [t, own] of tables.entries()) {
    const peaks = own.map(({ column, peak }) => [column, peak] as const);
    const baseTerm = base === null ? [] : [[base.column, base.step] as const];
    draft.addLimit(`peak_${t}`, [...peaks, ...baseTerm, [largest, -1n]]);
  }
  const program = draft.minimising(largest, unit, problem.name);
  const costOf = (units: bigint) => costNear(units, unit);
  const inDoubles = ({ option, column, ...one }: (typeof all)[number]): AggregatedOption => ({
    ...{ option, column, cost: costOf(one.cost), least: costOf(one.least), peak: costOf(one.peak) },
    // In doubles, searched: the program has integers.
    ...{ hbm: Number(one.hbm), host: Number(one.host), ssd: Number(one.ssd) },
  });
  return {
    program,
    name: "aggregated",
    structure: { tables: tables.map((own) => own.map(inDoubles)), unit, mean, memory, base },
    pointOf: (placement) => pointOf({ problem, program, tables, base, largest, unitsOf }, placement),
  };
}

/** What all shards of an option need together, in whole units of cost, and bytes. */
export interface AggregatedNeeds {
  readonly cost: bigint;
  readonly hbm: bigint;
  readonly host: bigint;
  readonly ssd: bigint;
  /** What every device has of it at least; 0 where it is not on all. */
  readonly least: bigint;
  /** What its largest shard costs beyond `least`. */
  readonly peak: bigint;
}

/** What an option that can be placed brings to the aggregated program. */
export function aggregatedNeeds(
  problem: PlacementProblem,
  option: PlacementOption,
  unitsOf: CostUnit["unitsOf"],
): AggregatedNeeds {
  let [cost, hbm, host, ssd] = [0n, 0n, 0n, 0n];
  for (const { need, count } of shardRunsOf(option)) {
    const times = BigInt(count);
    cost += times * unitsOf(need.cost);
    hbm += times * BigInt(need.hbmBytes);
    host += times * BigInt(need.hostBytes);
    ssd += times * BigInt(need.ssdBytes ?? 0);
  }
  const unitsIn = (runs: readonly ShardRun[]) => runs.map(({ need }) => unitsOf(need.cost));
  const cold = coldPart(option);
  const ofCold = unitsIn(shardRunsOf(cold));
  const isOnAll = effectivePartition(problem, option) === "uniform" && cold.shards.length === deviceCount(problem);
  const inBase = isOnAll ? leastOf(ofCold) : 0n;
  const ofCopies = option.hot === undefined ? 0n : leastOf(unitsIn(runsOfShards(hotCopies(option))));
  // The device with the largest of the other shards has a copy of the hot rows too, which costs no less than the least.
  return { cost, hbm, host, ssd, least: inBase + ofCopies, peak: largestOf(ofCold) - inBase };
}

function addBase(
  draft: ProgramDraft,
  terms: (read: (one: AggregatedNeeds) => bigint) => IntegerTerms,
  { whole, step }: { readonly whole: bigint; readonly step: bigint },
): AggregatedStructure["base"] {
  if (whole === 0n) return null;
  const most = whole / step;
  const column = draft.addCount("b", most);
  const row = draft.addRow("base", [...terms(({ least }) => least), [column, -step]], 0n, step - 1n);
  return { column, row, step, most };
}

interface Built extends Pick<AggregatedStructure, "base"> {
  readonly problem: PlacementProblem;
  readonly program: Program;
  readonly tables: readonly (readonly (AggregatedNeeds & Pick<AggregatedOption, "option" | "column">)[])[];
  readonly largest: number;
  readonly unitsOf: CostUnit["unitsOf"];
}

/** Throws `RangeError` for an option that cannot be placed. */
function pointOf(
  { problem, program, tables, base, largest, unitsOf }: Built,
  placement: Placement,
): readonly Rational[] {
  const point = new Array<bigint>(program.columns.length).fill(0n);
  let everywhere = 0n;
  placement.choices.forEach(({ option }, t) => {
    const own = tables[t]?.find((one) => one.option === option);
    if (own === undefined) throw new RangeError(`option ${option} of table ${t} cannot be placed`);
    point[own.column] = 1n;
    everywhere += own.least;
  });
  if (base !== null) point[base.column] = everywhere / base.step;
  point[largest] = largestOf(loadsOf(problem, placement, ({ cost }) => unitsOf(cost)));
  return rationalPoint(point);
}

/** The unit of all costs of a problem. */
export function aggregatedCostUnit({ tables }: PlacementProblem): CostUnit {
  const costs = new Set<number>();
  for (const { options } of tables) {
    for (const option of options) for (const { need } of shardRunsOf(option)) costs.add(need.cost);
  }
  return costUnit(costs);
}
