import { Rational } from "../../src/exact/rational.js";
import { aggregatedCostUnit } from "./aggregated-program.js";
import { type CountedNeed, compareNeeds, countedClasses, kindOf, type OptionNeeds } from "./counted-options.js";
import {
  COUNTED,
  type CountedShards,
  type CountedStructure,
  type Counts,
  kindsAt,
  placementOf,
} from "./counted-placement.js";
import type { PointedProgram } from "./direct-program.js";
import type { CountedBase } from "./host-base.js";
import { isRich } from "./hot-rows.js";
import { largestOf, loadsOf, mostOnOne, rationalPoint } from "./placement-draft.js";
import { deviceCount, type Placement, type PlacementProblem } from "./problem.js";
import { type IntegerTerms, ProgramDraft, sumOf } from "./program-draft.js";

/** Tables of the same needs counted; README.md beside this file has the proof. */
export interface CountedProgram extends PointedProgram {
  readonly structure: CountedStructure;
  /** A placement with the counts of a feasible point; it may need more memory than there is, or have shards where they may not be. */
  placementOf(counts: Counts): Placement;
}

/** Bases are counted in units of cost, unless there are more of them: patterns that come to a limit exactly are told from those below. */
const MOST_STEPS = 1n << 68n;

/** Tables of a class, on average, from which counting them says more than the direct program; and the most columns. */
const LIKE = 2.5;
const MOST_COLUMNS = 4000;

/**
 * The program of the largest device cost that counts tables of the same needs, with `hasMemory` of cost and of device memory, and
 * otherwise of cost alone, but for shards that no device has room for:
 *
 *   option_c   Σ_o y[c, o] = tables of class c
 *   place_s    Σ_d n[s, d] = Σ shards of cost s·y               fill_s   Σ_ν h[s, ν] = Σ groups of cost s·y
 *   base_ν     0 ≤ β_ν − k·b_ν ≤ k − 1                           β_ν = Σ (cost on every device)·y + Σ s·h[s, ν]
 *   load_d     Σ s·n[s, d] + β_ν ≤ z                             spare_d  Σ s·n[s, d] + k·b_ν ≤ z
 *   order_ν    b_ν ≤ b_{ν+1}                                     hbm_d    bytes of all that d has ≤ its memory
 *
 * Every placement has a point, with its own largest cost as z: no bound of the program is above what the best placement
 * costs. `null` for phases, and where few tables are alike, there would be too many columns, hot rows or sizes of caches are chosen, a
 * table has no option that can be placed, or devices have unlike memory that counts. Throws `RangeError` as `directProgram` does.
 */
export function countedProgram(problem: PlacementProblem, hasMemory: boolean): CountedProgram | null {
  if (problem.setCost !== undefined) throw new RangeError("the counted program is of costs that add up on a device");
  if (problem.goal === "phases" || isRich(problem)) return null;
  const { unit, unitsOf } = aggregatedCostUnit(problem);
  const classes = countedClasses(problem, hasMemory, unitsOf);
  const devices = deviceCount(problem);
  const { nodes, gpusPerNode } = problem;
  const kindsOf = (kind: "free" | "filling") => {
    const all = (classes ?? []).flatMap(({ options }) => options.flatMap((needs) => needs[kind]));
    return [...new Map(all.map((need) => [kindOf(need), need])).values()].sort((a, b) => compareNeeds(b, a));
  };
  const [freeKinds, fillingKinds] = [kindsOf("free"), kindsOf("filling")];
  const isSmall = freeKinds.length * devices + fillingKinds.length * nodes <= MOST_COLUMNS;
  const isUnlike =
    hasMemory && problem.hbmBytes.some((bytes) => !Number.isFinite(bytes) || bytes !== problem.hbmBytes[0]);
  if (classes === null || LIKE * classes.length > problem.tables.length || !isSmall || isUnlike) return null;
  const draft = new ProgramDraft();
  const chosen = classes.map(({ tables, options }, c) =>
    options.map((_, o) => draft.addCount(`y_${c}_${o}`, BigInt(tables.length))),
  );
  const terms = (read: (needs: OptionNeeds) => number | bigint): IntegerTerms =>
    classes.flatMap(({ options }, c) =>
      options.flatMap((needs, o) => {
        const value = BigInt(read(needs));
        return value === 0n ? [] : [[chosen[c]?.[o] as number, value] as const];
      }),
    );
  const optionRows = classes.map(({ tables }, c) =>
    draft.addEquation(`option_${c}`, sumOf(chosen[c] as readonly number[]), BigInt(tables.length)),
  );
  const counted = (kind: "free" | "filling", all: readonly CountedNeed[], places: number): CountedShards[] => {
    const [letter, rows] = kind === "free" ? ["n", "place"] : ["h", "fill"];
    return all.map((need, s) => {
      const text = kindOf(need);
      const timesOf = (needs: OptionNeeds) => needs[kind].filter((own) => kindOf(own) === text).length;
      const most = classes.reduce(
        (sum, { tables, options }) => sum + tables.length * Math.max(...options.map(timesOf)),
        0,
      );
      const columns = Array.from({ length: places }, (_, place) =>
        draft.addCount(`${letter}_${s}_${place}`, BigInt(most)),
      );
      const wanted = terms(timesOf).map(([column, times]) => [column, -times] as const);
      const row = draft.addEquation(`${rows}_${s}`, [...sumOf(columns), ...wanted], 0n);
      return { need, row, columns };
    });
  };
  const free = counted("free", freeKinds, devices);
  const filling = counted("filling", fillingKinds, nodes);
  const everywhere = terms(({ base }) => base.units);
  const everywhereBytes = terms(({ base }) => base.bytes);
  const baseOf = ({ base, filling: own }: OptionNeeds) => own.reduce((sum, { units }) => sum + units, base.units);
  const mostBase = classes.reduce(
    (sum, { tables, options }) => sum + BigInt(tables.length) * largestOf(options.map(baseOf)),
    0n,
  );
  const step = largestOf([1n, mostBase / MOST_STEPS]);
  const largest = draft.addAmount("z", Rational.of(mostOnOne(problem, ({ cost }) => unitsOf(cost))));
  const loadRows: number[] = [];
  const spareRows: number[] = [];
  const hbmRows: number[] = [];
  const hbmBytes = Math.floor(problem.hbmBytes[0] as number);
  const bases = Array.from({ length: nodes }, (_, node): CountedBase => {
    const upper = Rational.of(largestOf([1n, mostBase / step]));
    const column = draft.columns.push({ name: `b_${node}`, lower: Rational.zero, upper, integer: true }) - 1;
    const own = [...everywhere, ...filling.map(({ need, columns }) => [columns[node] as number, need.units] as const)];
    const bytes = ({ need, columns }: CountedShards, place: number) =>
      [columns[place] as number, BigInt(need.bytes)] as const;
    const ownBytes = [...everywhereBytes, ...filling.map((kind) => bytes(kind, node))];
    const row = draft.addRow(`base_${node}`, [...own, [column, -step]], 0n, step - 1n);
    for (let d = node * gpusPerNode; d < (node + 1) * gpusPerNode; d++) {
      const here = free.map(({ need, columns }) => [columns[d] as number, need.units] as const);
      loadRows.push(draft.addLimit(`load_${d}`, [...here, ...own, [largest, -1n]]));
      spareRows.push(draft.addLimit(`spare_${d}`, [...here, [column, step], [largest, -1n]]));
      const hereBytes = [...free.map((kind) => bytes(kind, d)), ...ownBytes].filter(([, value]) => value !== 0n);
      if (hasMemory) hbmRows.push(draft.addLimit(`hbm_${d}`, hereBytes, BigInt(hbmBytes)));
    }
    return { column, row };
  });
  for (let node = 0; node + 1 < nodes; node++) {
    const [own, next] = [bases[node] as CountedBase, bases[node + 1] as CountedBase];
    draft.addLimit(`order_${node}`, [
      [own.column, 1n],
      [next.column, -1n],
    ]);
  }
  const program = draft.minimising(largest, unit, problem.name);
  const structure = {
    ...{ unit, largest, classes, chosen, optionRows, free, filling, bases, step },
    ...{ loadRows, spareRows, hbmRows, hbmBytes },
  };
  return {
    program,
    name: hasMemory ? "counted-memory" : "counted",
    structure,
    placementOf: (counts) => placementOf(problem, structure, counts),
    pointOf: (placement) => pointOf(problem, structure, unitsOf, placement, program.columns.length),
  };
}

/** Throws `RangeError` for an option that the program does not have. */
function pointOf(
  problem: PlacementProblem,
  structure: CountedStructure,
  unitsOf: (cost: number) => bigint,
  placement: Placement,
  columns: number,
): readonly Rational[] {
  const { nodes, gpusPerNode } = problem;
  const { classes, chosen, free, filling, bases, step, largest } = structure;
  const point = new Array<bigint>(columns).fill(0n);
  const on = {
    free: free.map(() => new Array<bigint>(deviceCount(problem)).fill(0n)),
    filling: filling.map(() => new Array<bigint>(nodes).fill(0n)),
  };
  const base = new Array<bigint>(nodes).fill(0n);
  const kindAt = { free: kindsAt(free), filling: kindsAt(filling) };
  classes.forEach(({ tables, options, taken }, c) => {
    for (const t of tables) {
      const { option, devices } = placement.choices[t] as Placement["choices"][number];
      const own = taken.get(t)?.get(option);
      if (own === undefined) throw new RangeError(`option ${option} of table ${t} has no room on any device`);
      const needs = options[own.option] as OptionNeeds;
      const column = chosen[c]?.[own.option] as number;
      point[column] = (point[column] as bigint) + 1n;
      for (let node = 0; node < nodes; node++) base[node] = (base[node] as bigint) + needs.base.units;
      for (const counted of COUNTED) {
        needs[counted].forEach((need, k) => {
          const device = devices[own[counted][k] as number] as number;
          const place = counted === "free" ? device : Math.floor(device / gpusPerNode);
          const here = on[counted][kindAt[counted].get(kindOf(need)) as number] as bigint[];
          here[place] = (here[place] as bigint) + 1n;
          if (counted === "filling") base[place] = (base[place] as bigint) + need.units;
        });
      }
    }
  });
  // Nodes are alike: in the point their bases rise.
  const order = base.map((_, node) => node).sort((a, b) => compare(base[a] as bigint, base[b] as bigint) || a - b);
  order.forEach((from, to) => {
    point[(bases[to] as CountedBase).column] = (base[from] as bigint) / step;
    filling.forEach((own, s) => {
      point[own.columns[to] as number] = on.filling[s]?.[from] as bigint;
    });
    for (let slot = 0; slot < gpusPerNode; slot++) {
      free.forEach((own, s) => {
        point[own.columns[to * gpusPerNode + slot] as number] = on.free[s]?.[from * gpusPerNode + slot] as bigint;
      });
    }
  });
  point[largest] = largestOf(loadsOf(problem, placement, ({ cost }) => unitsOf(cost)));
  return rationalPoint(point);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
