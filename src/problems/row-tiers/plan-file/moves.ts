import { movedStretches } from "../../../access/moved-stretches.js";
import { isSameTier, receivedPerByte } from "../../../cost/row-moves.js";
import { Rational } from "../../../exact/rational.js";
import type { Assignment, Run } from "../../../instance/types/assignment.js";
import type { RowsBefore, RowTiersInstance, Table, TableFrom, Tier } from "../../../instance/types/row-tiers.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { PlanMoves } from "./plan-file.js";

/** Rows of one table that go from one tier to another. */
export interface RowMove {
  readonly table: string;
  readonly from: Tier;
  readonly to: Tier;
  readonly rows: number;
  /** That a GPU receives. */
  readonly bytes: Rational;
}

/** What changes between where rows were and a plan; bytes are those that a GPU receives. */
export interface RowMoves {
  readonly rows: Rational;
  readonly bytes: Rational;
  readonly moves: readonly RowMove[];
}

/** Evaluates moves straight from the runs, as `evaluateRuns` does with the rest. */
export function evaluateMoves(
  instance: RowTiersInstance,
  before: readonly RowsBefore[],
  assignment: Assignment,
): RowMoves {
  const moves = instance.tables.flatMap((table, t) =>
    movesOfTable(instance, table, before[t] as RowsBefore, assignment[t] as readonly Run[]),
  );
  return {
    rows: moves.reduce((sum, { rows }) => sum.add(Rational.of(BigInt(rows))), Rational.zero),
    bytes: moves.reduce((sum, { bytes }) => sum.add(bytes), Rational.zero),
    moves,
  };
}

function movesOfTable(
  instance: RowTiersInstance,
  { name, dim, elementBytes }: Table,
  before: RowsBefore,
  runs: readonly Run[],
): readonly RowMove[] {
  const counts = new Map<string, { from: Tier; to: Tier; rows: number }>();
  for (const { rows, from, to } of movedStretches(before, runs)) {
    if (from === null || isSameTier(from, to)) continue;
    const key = `${from} ${to}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { from, to, rows });
    else known.rows += rows;
  }
  return [...counts.values()].map(({ from, to, rows }) => {
    const parameters = Rational.of(BigInt(rows) * BigInt(dim) * BigInt(elementBytes));
    return { table: name, from, to, rows, bytes: receivedPerByte(instance, from, to).multiply(parameters) };
  });
}

/** As the plan file has them; `null` where there is no plan. */
export function describeMoves({ from, tables }: RowTiersInstance, moves: RowMoves | null): PlanMoves | null {
  if (moves === null || from === undefined) return null;
  return {
    plan: from.plan,
    rows: nearest(moves.rows),
    bytesPerGpu: nearest(moves.bytes),
    knownBy: tables.map(({ name }, t) => ({ table: name, by: (from.tables[t] as TableFrom | null)?.by ?? "new" })),
    moves: moves.moves.map(({ bytes, ...move }) => ({ ...move, bytesPerGpu: nearest(bytes) })),
  };
}
