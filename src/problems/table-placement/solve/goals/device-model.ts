import type { PlacementProgram } from "../../../../../models/table-placement/direct-program.js";
import type { DeviceBlocks, GoalProgram } from "../../../../../models/table-placement/goal-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import { type Part, partsOf } from "../../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { coefficientAt } from "../../../../program/program.js";
import { localIndex } from "../../../../proof/kernel/view.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";

/** A goal whose program has devices as blocks, tied together by where shards are placed alone. */
export interface DeviceProblem {
  readonly problem: PlacementProblem;
  readonly blocks: DeviceBlocks;
  /** All of the program. */
  readonly whole: SearchSpace;
}

/** `null` where devices are no such blocks. */
export function deviceProblem(problem: PlacementProblem, built: PlacementProgram | GoalProgram): DeviceProblem | null {
  if (!("blocks" in built) || built.blocks === null || built.blocks.capRows.length === 0) return null;
  return { problem, blocks: built.blocks, whole: SearchSpace.of(built.program) };
}

/** Alike shards of an option that are placed by one row of the program. */
export interface Kind {
  /** The program's row. */
  readonly row: number;
  readonly table: number;
  readonly option: number;
  /** Whether the option has a shard on every device, this one on its own. */
  readonly isUniform: boolean;
  /** What placing one comes to, by device; nowhere else may it be. */
  readonly prices: ReadonlyMap<number, number>;
}

/** Shards that an option of a table wants of each kind. */
export type Wanted = readonly (readonly [kind: number, count: number])[];

/** A goal that is a sum over shards, as what every device may hold: blocks that only the rows of placing tie together. */
export interface DeviceModel {
  readonly kinds: readonly Kind[];
  /** By table, what each option that is left wants; one has to be taken. */
  readonly tables: readonly (readonly Wanted[])[];
  readonly devices: readonly DeviceRoom[];
  /** Tables of which a device may hold only one. */
  readonly apart: readonly (readonly number[])[];
}

export interface DeviceRoom {
  /** By table; `orbits` are kinds. */
  readonly parts: readonly (readonly Part[])[];
  readonly cost: number;
  readonly hbm: number;
  readonly host: number;
}

/** What is left of the program in a space; `null` where options choose nodes, or a table has too many ways to be on a device. */
export function deviceModel({ problem, blocks }: DeviceProblem, space: SearchSpace): DeviceModel | null {
  if (blocks.tables.some(({ options }) => options.some(({ nodeChoices }) => nodeChoices.length > 0))) return null;
  const { view, box, program } = space;
  const local = localIndex(view, program.columns.length);
  const { objective } = view;
  const priceOf = new Map(objective.columns.map((j, k) => [j, coefficientAt(objective, k).toNumber()]));
  const kinds: (Kind & { readonly prices: Map<number, number> })[] = [];
  const kindOf = new Map<number, number>();
  const perDevice: ShardColumn[][] = blocks.capRows.map(() => []);
  for (const shard of blocks.shards) {
    const j = local[shard.column] as number;
    if (j === -1) continue;
    const { placeRow, table, option, device } = shard;
    const kind =
      kindOf.get(placeRow) ??
      kinds.push({ row: placeRow, table, option, isUniform: isUniform(problem, shard), prices: new Map() }) - 1;
    kindOf.set(placeRow, kind);
    (kinds[kind] as (typeof kinds)[number]).prices.set(device, priceOf.get(j) ?? 0);
    perDevice[device]?.push({ ...shard, most: Number((box.upper[j] as Rational).numerator) });
  }
  const tables = blocks.tables.map(({ options, chosen }) =>
    options.flatMap(({ shards }, k): Wanted[] => {
      const choice = chosen[k] as number | null;
      const j = choice === null ? -1 : (local[choice] as number);
      const rows = [...new Set(shards.map(({ placeRow }) => placeRow))];
      const wanted = rows.flatMap((row): Wanted[number][] => {
        const [kind, left] = [kindOf.get(row), view.rows.get(row)];
        if (kind === undefined || left === undefined) return [];
        const count =
          j === -1 ? (left.lower as Rational) : coefficientAt(left.form, left.form.columns.indexOf(j)).negate();
        return [[kind, count.toNumber()]];
      });
      // An option whose choice is substituted was taken, or left out.
      const isLeft = j !== -1 || wanted.some(([, count]) => count > 0);
      return isLeft ? [wanted] : [];
    }),
  );
  const rest = (row: number | null | undefined, unit: Rational) =>
    (row === null || row === undefined ? null : view.rows.get(row)?.upper)?.multiply(unit).toNumber() ??
    Number.POSITIVE_INFINITY;
  const devices: DeviceRoom[] = [];
  for (const [d, here] of perDevice.entries()) {
    const parts = partsOf(here, problem.tables.length, kindOf);
    if (parts === null) return null;
    const cost = rest(blocks.capRows[d], blocks.unit);
    devices.push({
      parts,
      cost,
      hbm: rest(blocks.hbmRows[d], Rational.one),
      host: rest(blocks.hostRows[d], Rational.one),
    });
  }
  return { kinds, tables, devices, apart: problem.apart };
}

function isUniform({ tables }: PlacementProblem, { table, option }: ShardColumn): boolean {
  return tables[table]?.options[option]?.partitionBy === "uniform";
}
