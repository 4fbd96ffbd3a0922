import { Rational } from "../../../../../exact/rational.js";
import { linearForm, makeProgram, type Row } from "../../../../../program/program.js";
import { type ShouldStop, UNITS } from "../../../../../search/work.js";
import { inputOf } from "../relu-switch.js";
import type { DeviceBlock } from "./device-block.js";
import { DualSimplex } from "./dual-simplex.js";

/** How far a ReLU, or a device's being empty, may be from what it is, in milliseconds of the objective. */
const SLACK = 1e-7;

/** A ceiling may be reached exactly: what is infeasible by rounding alone could not be proved to be. */
const ROW_SLACK = 1e-8;

/** Why nothing in a part of the box is below a bound, or why it is empty. */
export type SignTree =
  | { readonly kind: "branch"; readonly column: number; readonly off: SignTree; readonly on: SignTree }
  | { readonly kind: "bound" | "infeasible"; readonly multipliers: Float64Array };

export type SignSearch = ReturnType<typeof signSearch>;

export interface SignAnswer {
  /** The least that a device is worth, tables taken in parts; `null` where the search gave up. */
  readonly least: number | null;
  /** Points of the block, with all ReLUs as they are, the least among them. */
  readonly points: readonly Float64Array[];
  readonly tree: SignTree;
  /** Of the tree: each takes a bound in exact arithmetic, where the tree is made a proof. */
  readonly leaves: number;
}

/**
 * The least of a device's cost less the prices of its tables, where tables may be taken in parts: branch and bound over the
 * signs of the ReLUs that make the device cheaper, each node a linear program. With all signs decided a device's cost is convex.
 */
export function signSearch(block: DeviceBlock, shouldStop: ShouldStop) {
  const { shards, costs } = block;
  const root = DualSimplex.of(block.program, ROW_SLACK);
  return { evenPrices, solve };

  /** A subgradient of the relaxation where every table is shared evenly: the prices of Jensen's bound. */
  function evenPrices(): Float64Array {
    const { program, tables, devices } = block;
    const share = Rational.of(1n, BigInt(devices));
    const rows = Array.from({ length: tables }, (_, t): Row => {
      const own = shards.filter(({ table }) => table === t);
      const form = linearForm(own.map((shard) => [shard.column, Rational.of(1n, BigInt(shard.shards))]));
      return { name: `table_${t}`, form, lower: share, upper: share };
    });
    const mean = DualSimplex.of(makeProgram({ ...program, rows: [...program.rows, ...rows] })).withCosts(costs);
    mean.solve(Number.POSITIVE_INFINITY);
    shouldStop(UNITS.tableau * mean.work);
    return mean.multipliers().subarray(program.rows.length);
  }

  function solve(prices: ArrayLike<number>): SignAnswer {
    const priced = costs.slice();
    for (const { column, table, shards: count } of shards) {
      priced[column] = (priced[column] as number) - (prices[table] as number) / count;
    }
    const points: Float64Array[] = [];
    let best = Number.POSITIVE_INFINITY;
    let gaveUp = false;
    let leaves = 0;
    const search = (simplex: DualSimplex): SignTree => {
      gaveUp ||= shouldStop();
      const outcome = gaveUp ? "cutoff" : simplex.solve(best);
      shouldStop(UNITS.tableau * simplex.work);
      leaves++;
      if (outcome === "infeasible") return { kind: "infeasible", multipliers: simplex.ray() };
      const { bound } = simplex;
      const column = outcome === "optimal" ? undecided(simplex) : null;
      if (column === null) {
        if (outcome === "failed") gaveUp = true;
        if (outcome === "optimal" && bound < best) {
          best = bound;
          points.push(simplex.point());
        }
        return { kind: "bound", multipliers: simplex.multipliers() };
      }
      leaves--;
      const half = (side: 0 | 1) => {
        const copied = simplex.copy();
        copied.setBounds(column.at, side, side);
        return search(copied);
      };
      // The side that the point is on first: what is found there leaves branches on the other.
      const first = column.isOn ? half(1) : half(0);
      const second = column.isOn ? half(0) : half(1);
      const [off, on] = column.isOn ? [second, first] : [first, second];
      return { kind: "branch", column: column.at, off, on };
    };
    const tree = search(root.withCosts(priced));
    return { least: gaveUp ? null : best, points, tree, leaves };
  }

  /** The binary to branch on: that of the ReLU that the relaxation gains most from. */
  function undecided(simplex: DualSimplex): { readonly at: number; readonly isOn: boolean } | null {
    const { switches, empty } = block;
    const point = simplex.point();
    let most = SLACK;
    let found: { readonly at: number; readonly isOn: boolean } | null = null;
    for (const one of switches) {
      const input = inputOf(one, (column) => point[column] as number);
      const gain = one.weight * ((point[one.column] as number) - Math.max(0, input));
      if (gain <= most || simplex.isFixed(one.on)) continue;
      most = gain;
      found = { at: one.on, isOn: input > 0 };
    }
    if (empty === null || simplex.isFixed(empty)) return found;
    const part = point[empty] as number;
    const gain = Math.abs(costs[empty] as number) * Math.min(part, 1 - part);
    return gain > most ? { at: empty, isOn: part > 0.5 } : found;
  }
}
