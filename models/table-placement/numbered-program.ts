import { Rational } from "../../src/exact/rational.js";
import { aggregatedCostUnit } from "./aggregated-program.js";
import type { PointedProgram } from "./direct-program.js";
import { isRich } from "./hot-rows.js";
import { keyOf, largeShards, type ShardKind, shardKinds } from "./large-shards.js";
import { largestOf, loadsOf, rationalPoint } from "./placement-draft.js";
import { deviceCount, type Placement, type PlacementProblem } from "./problem.js";
import { type IntegerTerms, ProgramDraft, sumOf } from "./program-draft.js";

/** Shards of one option that need the same, and their columns. */
export interface NumberedShards extends ShardKind {
  /** The column that chooses the option, and by numbered device the one that counts the shards there. */
  readonly chosen: number;
  readonly columns: readonly number[];
}

/** Devices numbered by their large shards; README.md beside this file has the proof. */
export interface NumberedProgram extends PointedProgram {
  /** The large shards, in the order in which they number devices. */
  readonly order: readonly NumberedShards[];
  /** All shards that devices have room for. */
  readonly shards: readonly NumberedShards[];
}

/** The most devices that are numbered, and columns. */
const MOST_NUMBERED = 8;
const MOST_COLUMNS = 20_000;

/**
 * The program of the largest device cost in which some of like devices have numbers, in the order in which the large shards (r = 1, 2, …)
 * come to them, and all others are one:
 *
 *   option_t   Σ_o y[t, o] = 1                     peak_t    Σ_o (largest shard)·y[t, o] ≤ z
 *   rest_s     0 ≤ count·y − Σ_d n[s, d] =: rest
 *   load_d     Σ_s cost·n[s, d] ≤ z                load      Σ_s cost·rest ≤ (devices without numbers)·z
 *   hbm_d      Σ_s bytes·n[s, d] ≤ memory          hbm       alike
 *   first_r_d  n[r, d] ≤ most·Σ_{r' ≤ r} n[r', d−1], and of the last number for what of r is on devices without one
 *
 * Every placement has a point, with its own largest cost as z: no bound of the program is above what the best placement costs. `null`
 * for phases, several hosts, unlike devices, and where hot rows or sizes of caches are chosen, there would be too many columns, or no
 * shard is large.
 */
export function numberedProgram(problem: PlacementProblem): NumberedProgram | null {
  const [bytes] = problem.hbmBytes;
  const isUnlike = problem.hbmBytes.some((own) => !Number.isFinite(own) || own !== bytes);
  if (problem.setCost !== undefined || problem.goal === "phases" || problem.nodes > 1 || isRich(problem) || isUnlike)
    return null;
  const devices = deviceCount(problem);
  const numbered = Math.min(MOST_NUMBERED, devices - 1);
  const kinds = shardKinds(problem);
  const large = largeShards(problem);
  if (numbered < 1 || large.length === 0 || kinds.length * numbered > MOST_COLUMNS) return null;
  const { unit, unitsOf } = aggregatedCostUnit(problem);
  const draft = new ProgramDraft();
  const chosen = problem.tables.map(({ options }, t) =>
    options.map((_, o) =>
      kinds.some((own) => own.table === t && own.option === o) ? draft.addCount(`y_${t}_${o}`) : -1,
    ),
  );
  const memory = BigInt(Math.floor(bytes as number));
  const all = kinds.map((kind, s): NumberedShards => {
    const count = BigInt(kind.shards.length);
    const fitting = kind.hbmBytes === 0 ? count : memory / BigInt(kind.hbmBytes);
    const most = fitting < count ? fitting : count;
    const columns = Array.from({ length: numbered }, (_, d) => draft.addCount(`n_${s}_${d}`, most));
    return { ...kind, chosen: chosen[kind.table]?.[kind.option] as number, columns };
  });
  const whole = all.reduce((sum, { cost, shards }) => sum + unitsOf(cost) * BigInt(shards.length), 0n);
  const largest = draft.addAmount("z", Rational.of(whole));
  problem.tables.forEach((_, t) => {
    const own = (chosen[t] as readonly number[]).filter((column) => column !== -1);
    draft.addEquation(`option_${t}`, sumOf(own), 1n);
    const peaks = own.map((column): [number, bigint] => {
      return [column, largestOf(all.filter((kind) => kind.chosen === column).map(({ cost }) => unitsOf(cost)))];
    });
    draft.addLimit(`peak_${t}`, [...peaks, [largest, -1n]]);
  });
  all.forEach((kind, s) => {
    draft.addRow(`rest_${s}`, restOf(kind), 0n, null);
  });
  const addDevices = (suffix: string, count: bigint, shardsOf: (kind: NumberedShards) => IntegerTerms) => {
    const sum = (needOf: (kind: NumberedShards) => bigint) => summed(all.map((kind) => [needOf(kind), shardsOf(kind)]));
    const bytes = sum(({ hbmBytes }) => BigInt(hbmBytes));
    draft.addLimit(`load${suffix}`, [...sum(({ cost }) => unitsOf(cost)), [largest, -count]]);
    draft.addLimit(`hbm${suffix}`, bytes, count * memory);
  };
  for (let d = 0; d < numbered; d++) addDevices(`_${d}`, 1n, ({ columns }) => sumOf([columns[d] as number]));
  addDevices("", BigInt(devices - numbered), restOf);
  const byOption = new Map(all.map((kind) => [keyOf(kind), kind]));
  const order = large.flatMap((kind) => byOption.get(keyOf(kind)) ?? []);
  order.forEach((kind, r) => {
    const before = order.slice(0, r + 1);
    const most = BigInt(kind.shards.length);
    for (let d = 1; d <= numbered; d++) {
      const own = d < numbered ? sumOf([kind.columns[d] as number]) : restOf(kind);
      const sooner = before.map(({ columns }) => [columns[d - 1] as number, -most] as const);
      draft.addLimit(`first_${r}_${d}`, summed([[1n, [...own, ...sooner]]]));
    }
  });
  const program = draft.minimising(largest, unit, problem.name);
  const pointOf = (placement: Placement): readonly Rational[] => {
    const { choices } = placement;
    const point = new Array<bigint>(program.columns.length).fill(0n);
    choices.forEach(({ option }, t) => {
      const column = chosen[t]?.[option] ?? -1;
      if (column === -1) throw new RangeError(`option ${option} of table ${t} has no room on any device`);
      point[column] = 1n;
    });
    numbersOf(order, choices, devices)
      .slice(0, numbered)
      .forEach((device, d) => {
        for (const { table, option, shards, columns } of all) {
          const choice = choices[table] as Placement["choices"][number];
          if (choice.option !== option) continue;
          point[columns[d] as number] = BigInt(shards.filter((shard) => choice.devices[shard] === device).length);
        }
      });
    point[largest] = largestOf(loadsOf(problem, placement, ({ cost }) => unitsOf(cost)));
    return rationalPoint(point);
  };
  return { program, name: "numbered", order, shards: all, pointOf };
}

/** The devices, those first that the large shards come to first. */
function numbersOf(order: readonly NumberedShards[], choices: Placement["choices"], devices: number): number[] {
  const numbers = new Set<number>();
  for (const { table, option, shards } of order) {
    const choice = choices[table] as Placement["choices"][number];
    if (choice.option !== option) continue;
    const on = new Set(shards.map((shard) => choice.devices[shard] as number));
    for (const device of [...on].sort((a, b) => a - b)) numbers.add(device);
  }
  for (let device = 0; device < devices; device++) numbers.add(device);
  return [...numbers];
}

/** What of some shards is on devices without numbers. */
function restOf({ chosen, shards, columns }: NumberedShards): IntegerTerms {
  return [[chosen, BigInt(shards.length)], ...columns.map((column) => [column, -1n] as const)];
}

function summed(parts: readonly (readonly [factor: bigint, terms: IntegerTerms])[]): IntegerTerms {
  const sums = new Map<number, bigint>();
  for (const [factor, terms] of parts) {
    for (const [column, value] of terms) sums.set(column, (sums.get(column) ?? 0n) + factor * value);
  }
  return [...sums].filter(([, value]) => value !== 0n);
}
