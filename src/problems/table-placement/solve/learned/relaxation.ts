import type { NeuralProgram, NeuralStructure } from "../../../../../models/table-placement/learned/build.js";
import { doubleNear, type Rational } from "../../../../exact/rational.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { OpenRelaxation } from "../../../../search/branch-and-bound/relaxation.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import { settledMultipliers } from "./all-fixed.js";

/** How far from a whole number a column is that needs deciding. */
const FRACTIONAL = 1e-6;

/** The share of the largest cost by which a ReLU must be off for it to be decided before tables are. */
const SLACK = 0.01;

/**
 * A linear relaxation with what is known of the problem: ReLUs that it takes for much more than they are, are decided first,
 * then empty devices, then where each table is, the costliest first, then the other ReLUs; rounding puts every table where most of it is; and where all tables have
 * their place the multipliers are known without solving anything.
 */
export function neuralRelaxation({ program, structure }: NeuralProgram, openInner: OpenRelaxation): OpenRelaxation {
  const order = branchOrder(structure);
  const switches = switchesOf(structure);
  return (space) => {
    const inner = openInner(space);
    const fixed = space.programBounds().lower;
    const local = new Int32Array(program.columns.length).fill(-1);
    for (const [j, column] of space.view.columns.entries()) local[column] = j;
    const groups = order
      .map((columns) => columns.map((column) => local[column] as number).filter((j) => j !== -1))
      .filter((columns) => columns.length > 0);
    return {
      solve: (box) => {
        const answer = inner.solve(box);
        if (answer.kind !== "solved") return answer;
        const pointAt = (column: number) => {
          const j = local[column] as number;
          return j === -1 ? (fixed[column] as Rational).toNumber() : (answer.point[j] as number);
        };
        const slackIn = ({ costRow, column, offset, terms }: Switch) => {
          const input = terms.reduce((sum, [at, slope]) => sum + slope * pointAt(at), offset);
          const weight = Math.abs(answer.multipliers.get(costRow)?.toNumber() ?? 0);
          return weight * (pointAt(column) - Math.max(0, input));
        };
        const undecided = switches.filter(({ on }) => pointAt(on) > FRACTIONAL && pointAt(on) < 1 - FRACTIONAL);
        const slackest = undecided.toSorted((x, y) => slackIn(y) - slackIn(x))[0];
        const isSlack = slackest !== undefined && slackIn(slackest) > SLACK * Math.abs(pointAt(structure.largest));
        const isPlaced = !groups.some(
          (columns) => columns.length > 1 && columns.some((j) => isFractional(answer.point, j)),
        );
        const branch =
          slackest !== undefined && (isSlack || isPlaced)
            ? { column: local[slackest.on] as number, at: 0 }
            : firstUndecided(groups, answer.point, box);
        const candidates = [{ point: roundedTables(groups, answer.point, box), objective: Number.NEGATIVE_INFINITY }];
        return { ...answer, candidates, ...(branch === null ? {} : { branch }) };
      },
      refine: (box, answer) => {
        const multipliers = settledMultipliers(structure, boundsOf(space, box));
        if (multipliers === null) return null;
        const unknown = { kind: "solved", point: new Float64Array(space.view.columns.length), candidates: [] } as const;
        return { ...(answer.kind === "solved" ? answer : unknown), multipliers };
      },
    };
  };
}

/** A ReLU with a binary, in doubles. */
interface Switch {
  readonly on: number;
  readonly column: number;
  readonly costRow: number;
  readonly offset: number;
  readonly terms: readonly (readonly [column: number, slope: number])[];
}

function switchesOf({ devices, head }: NeuralStructure): readonly Switch[] {
  const scale = head.denominator;
  return devices.flatMap(({ shards, units, costRow }) =>
    units.flatMap(({ on, column, unit }): Switch[] => {
      if (on === null) return [];
      const terms = shards.map(
        (shard) => [shard.column, doubleNear(unit.slopes[shard.part] as bigint, scale)] as const,
      );
      return [{ on, column, costRow, offset: doubleNear(unit.offset, scale), terms }];
    }),
  );
}

/** Columns of which the first open group is branched on: single ones, or the places of a table. */
function branchOrder({ devices, symmetry }: NeuralStructure): readonly (readonly number[])[] {
  const empties = devices.flatMap(({ empty }) => (empty === null ? [] : [[empty]])).reverse();
  const places = new Map<number, number[]>();
  for (const { column, table } of devices.flatMap(({ shards }) => shards)) {
    places.set(table, [...(places.get(table) ?? []), column]);
  }
  const rank = (table: number) => symmetry.ranks?.[table] ?? table;
  const byRank = [...places].sort(([a], [b]) => rank(a) - rank(b)).map(([, columns]) => columns);
  const switches = devices.flatMap(({ units }) => units.flatMap(({ on }) => (on === null ? [] : [[on]])));
  return [...empties, ...byRank, ...switches];
}

/**
 * Where to split: in the first group with a column that the relaxation has between whole numbers, at the one that it has most
 * of; where there is none, in the first group with an open column.
 */
function firstUndecided(
  groups: readonly (readonly number[])[],
  point: Float64Array,
  box: Box,
): { readonly column: number; readonly at: number } | null {
  const open = groups.map((columns) => columns.filter((j) => isOpen(box, j))).filter((columns) => columns.length > 0);
  const group = open.find((columns) => columns.some((j) => isFractional(point, j))) ?? open[0];
  if (group === undefined) return null;
  const column = group.reduce((best, j) => ((point[j] as number) > (point[best] as number) ? j : best));
  const most = (box.upper[column] as Rational).toNumber() - 1;
  return { column, at: Math.min(Math.floor((point[column] as number) + FRACTIONAL), most) };
}

/** Every table where most of it is, where its counts are 0 or 1. */
function roundedTables(groups: readonly (readonly number[])[], point: Float64Array, box: Box): Float64Array {
  const rounded = point.slice();
  for (const columns of groups) {
    if (columns.length < 2) continue;
    const open = columns.filter((j) => isOpen(box, j));
    const best = open.reduce((most, j) => ((point[j] as number) > (point[most] as number) ? j : most), open[0] ?? -1);
    for (const j of open) rounded[j] = j === best ? 1 : 0;
  }
  return rounded;
}

function isFractional(point: Float64Array, j: number): boolean {
  return Math.abs((point[j] as number) - Math.round(point[j] as number)) > FRACTIONAL;
}

function isOpen({ lower, upper }: Box, j: number): boolean {
  return !(lower[j] as Rational).equals(upper[j] as Rational);
}

function boundsOf(space: SearchSpace, box: Box) {
  return space.within(box).programBounds();
}
