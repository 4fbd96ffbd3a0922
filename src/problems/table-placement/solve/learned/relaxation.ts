import { grouped } from "../../../../../models/table-placement/grouped.js";
import type {
  DeviceColumns,
  NeuralProgram,
  NeuralStructure,
} from "../../../../../models/table-placement/learned/build.js";
import { headValue } from "../../../../../models/table-placement/learned/head.js";
import { Rational } from "../../../../exact/rational.js";
import type { Box } from "../../../../proof/kernel/view.js";
import type { OpenRelaxation } from "../../../../search/branch-and-bound/relaxation.js";
import { inputOf, switchesOf } from "./relu-switch.js";

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
  const switches = structure.devices.flatMap((device) =>
    switchesOf(structure.head, device).map((own) => ({ ...own, costRow: device.costRow })),
  );
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
        const slackIn = (own: (typeof switches)[number]) => {
          const weight = Math.abs(answer.multipliers.get(own.costRow)?.toNumber() ?? 0);
          return weight * (pointAt(own.column) - Math.max(0, inputOf(own, pointAt)));
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
        const multipliers = settledMultipliers(structure, space.within(box).programBounds());
        if (multipliers === null) return null;
        const unknown = { kind: "solved", point: new Float64Array(space.view.columns.length), candidates: [] } as const;
        return { ...(answer.kind === "solved" ? answer : unknown), multipliers };
      },
    };
  };
}

/** Columns of which the first open group is branched on: single ones, or the places of a table. */
function branchOrder({ devices, symmetry }: NeuralStructure): readonly (readonly number[])[] {
  const empties = devices.flatMap(({ empty }) => (empty === null ? [] : [[empty]])).reverse();
  const places = grouped(
    devices.flatMap(({ shards }) => shards),
    ({ table }) => table,
  );
  const rank = (table: number) => symmetry.ranks?.[table] ?? table;
  const byRank = [...places].sort(([a], [b]) => rank(a) - rank(b)).map(([, own]) => own.map(({ column }) => column));
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

/** Bounds of the program's columns. */
interface ProgramBounds {
  readonly lower: readonly (Rational | null)[];
  readonly upper: readonly (Rational | null)[];
}

/**
 * The best multipliers where every table has its place, by row; `null` where one has not. They are those of the costliest
 * device: every ReLU counts with the side of 0 that it is on.
 */
function settledMultipliers(
  { devices, head, idle }: NeuralStructure,
  bounds: ProgramBounds,
): ReadonlyMap<number, Rational> | null {
  let worst: { readonly device: DeviceColumns; readonly parts: readonly number[]; readonly value: bigint } | null =
    null;
  for (const device of devices) {
    const parts = partsIn(device, bounds);
    if (parts === null) return null;
    const value = headValue(head, parts) - (parts.length === 0 ? idle : 0n);
    if (worst === null || value > worst.value) worst = { device, parts, value };
  }
  return worst === null ? null : deviceMultipliers(worst.device, worst.parts, bounds);
}

/** The parts of a device; `null` where one of its columns is open. */
function partsIn({ shards }: DeviceColumns, { lower, upper }: ProgramBounds): readonly number[] | null {
  const parts: number[] = [];
  for (const { column, part } of shards) {
    const count = lower[column] as Rational;
    if (!count.equals(upper[column] as Rational)) return null;
    for (let k = 0n; k < count.numerator; k++) parts.push(part);
  }
  return parts;
}

function deviceMultipliers(
  { costRow, units }: DeviceColumns,
  parts: readonly number[],
  { lower, upper }: ProgramBounds,
): ReadonlyMap<number, Rational> {
  const multipliers = new Map([[costRow, Rational.one.negate()]]);
  for (const { unit, reluRow, activeRow, offRow, on, least, most } of units) {
    const isOn = parts.reduce((sum, part) => sum + (unit.slopes[part] as bigint), unit.offset) > 0n;
    if (activeRow === null || offRow === null || on === null) {
      if (isOn) multipliers.set(reluRow, Rational.one);
      continue;
    }
    const isDecided = (lower[on] as Rational).equals(upper[on] as Rational);
    // Undecided, it is as cheap as its chord; decided, as its own side says.
    const slope = isDecided ? (upper[on] as Rational) : Rational.of(most, most - least);
    multipliers.set(activeRow, slope.negate());
    multipliers.set(offRow, slope.subtract(Rational.one));
  }
  return multipliers;
}
