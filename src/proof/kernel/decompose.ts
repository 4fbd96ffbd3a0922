import { Rational } from "../../exact/rational.js";
import { type Column, integerForm, makeProgram, type Program, type Row } from "../../program/program.js";
import { lagrangianBound, type Multipliers } from "./bound.js";
import type { Box, View } from "./view.js";

/** A block of a node: rows that are kept, by the program's index. */
export type BlockRows = readonly number[];

/** A node taken apart: what is left outside the blocks, and each block's own program. */
export interface Decomposition {
  /** What the multipliers and the columns outside all blocks add up to at least; `null`: nothing is proved. */
  readonly rest: Rational | null;
  /** The box itself breaks its bounds or a group: nothing is in it. */
  readonly infeasible: boolean;
  /** Minimisations: what the columns of each block add to the bound, subject to the block's rows. */
  readonly blocks: readonly Program[];
}

/** How programs name rows and columns that a view knows by index. */
export interface Names {
  readonly row: (index: number) => string;
  readonly column: (index: number) => string;
}

/**
 * Takes a node apart (Lagrangian decomposition: Geoffrion 1974, with the blocks of Dantzig and Wolfe 1960). With
 * multipliers y for any rows,
 *
 *   min c·x ≥ constant + Σ_r y_r·side_r + min { (c − Aᵀy)·x : x in the box },
 *
 * and the last minimum stays one over fewer points where rows are kept. Rows are kept in blocks that share no column, so
 * that it is a sum: of one minimum per block over the block's columns, rows and integrality, and of the minimum
 * over the columns outside, as `lagrangianBound` takes it. Every other row is left out, priced or not.
 *
 * Columns that link blocks (`links`) belong to none. In a block's rows they stand at the bound of the box that makes the
 * row weakest: every point of the node then still satisfies the row.
 *
 * `blocks` lists the rows of each block; rows that the view has left out are satisfied and do not count. Throws `RangeError`
 * when two blocks share a column, a row is listed twice, or a multiplier prices a side that its row does not have.
 */
export function decompose(
  view: View,
  box: Box,
  multipliers: Multipliers,
  links: ReadonlySet<number>,
  blocks: readonly BlockRows[],
  purpose: "bound" | "infeasibility",
  names: Names,
): Decomposition {
  const members = blockMembers(view, links, blocks);
  const outside: View = {
    ...view,
    single: view.columns.flatMap((_, j) => (members.blockOf[j] === -1 && !members.grouped.has(j) ? [j] : [])),
    groups: view.groups.filter((_, g) => !members.brokenGroups.has(g)),
  };
  const { bound, infeasible, scaledCosts, scale } = lagrangianBound(outside, box, multipliers, purpose);
  if (infeasible) return { rest: null, infeasible, blocks: [] };
  const programs = blocks.map((rows, b) => {
    const columns = members.columns[b] as readonly number[];
    const local = new Map(columns.map((j, k) => [j, k]));
    return makeProgram({
      name: `block ${b}`,
      columns: columns.map((j) => blockColumn(view, box, j, names)),
      rows: rows.flatMap((r) => blockRow(view, box, r, local, names)),
      objective: {
        form: integerForm(
          columns.map((_, k) => k),
          columns.map((j) => scaledCosts[j] as bigint),
          scale,
        ),
      },
    });
  });
  return { rest: bound, infeasible: false, blocks: programs };
}

interface Members {
  /** The block of each column, −1 for none. */
  readonly blockOf: Int32Array;
  /** The columns of each block, rising. */
  readonly columns: readonly (readonly number[])[];
  /** Groups with a column in a block: they are not kept outside. */
  readonly brokenGroups: ReadonlySet<number>;
  /** Columns of the groups that are kept. */
  readonly grouped: ReadonlySet<number>;
}

function blockMembers(view: View, links: ReadonlySet<number>, blocks: readonly BlockRows[]): Members {
  const blockOf = new Int32Array(view.columns.length).fill(-1);
  const seen = new Set<number>();
  blocks.forEach((rows, b) => {
    for (const r of rows) {
      if (seen.has(r)) throw new RangeError("a row is in the blocks twice");
      seen.add(r);
      for (const j of view.rows.get(r)?.form.columns ?? []) {
        if (links.has(j)) continue;
        const other = blockOf[j] as number;
        if (other !== -1 && other !== b)
          throw new RangeError(`blocks ${other} and ${b} share a column that is no link`);
        blockOf[j] = b;
      }
    }
  });
  const columns: number[][] = blocks.map(() => []);
  blockOf.forEach((b, j) => {
    if (b !== -1) columns[b]?.push(j);
  });
  const brokenGroups = new Set<number>();
  const grouped = new Set<number>();
  view.groups.forEach((group, g) => {
    if (group.members.some((j) => blockOf[j] !== -1)) brokenGroups.add(g);
    else for (const j of group.members) grouped.add(j);
  });
  return { blockOf, columns, brokenGroups, grouped };
}

function blockColumn(view: View, box: Box, j: number, names: Names): Column {
  return {
    name: names.column(view.columns[j] as number),
    lower: box.lower[j] ?? null,
    upper: box.upper[j] ?? null,
    integer: view.integer[j] === true,
  };
}

/** The row over the block's columns, its sides moved by the most that the linking columns allow. */
function blockRow(view: View, box: Box, r: number, local: ReadonlyMap<number, number>, names: Names): Row[] {
  const row = view.rows.get(r);
  if (row === undefined) return [];
  const { columns, coefficients, denominator } = row.form;
  const kept: number[] = [];
  const keptCoefficients: bigint[] = [];
  // The least and greatest that the links can add.
  let least: Rational | null = Rational.zero;
  let most: Rational | null = Rational.zero;
  for (let k = 0; k < columns.length; k++) {
    const j = columns[k] as number;
    const coefficient = coefficients[k] as bigint;
    const own = local.get(j);
    if (own !== undefined) {
      kept.push(own);
      keptCoefficients.push(coefficient);
      continue;
    }
    const [low, high] = coefficient > 0n ? [box.lower[j], box.upper[j]] : [box.upper[j], box.lower[j]];
    const factor = Rational.of(coefficient, denominator);
    least = least === null || (low ?? null) === null ? null : least.add(factor.multiply(low as Rational));
    most = most === null || (high ?? null) === null ? null : most.add(factor.multiply(high as Rational));
  }
  return [
    {
      name: names.row(r),
      form: integerForm(kept, keptCoefficients, denominator),
      lower: row.lower === null || most === null ? null : row.lower.subtract(most),
      upper: row.upper === null || least === null ? null : row.upper.subtract(least),
    },
  ];
}

/**
 * Whether the columns of a program are in the bounds that another's are in, and integers where those are. With equal
 * {@link shapeOf}, what is proved of the other's minimum holds for its own, so that one proof is enough.
 */
export function isNarrower({ columns }: Program, other: Program): boolean {
  if (columns.length !== other.columns.length) return false;
  return columns.every(({ lower, upper, integer }, j) => {
    const wide = other.columns[j] as Column;
    const isAbove = wide.lower === null || (lower !== null && lower.compare(wide.lower) >= 0);
    const isBelow = wide.upper === null || (upper !== null && upper.compare(wide.upper) <= 0);
    return isAbove && isBelow && (integer || !wide.integer);
  });
}

/** What the objective and the rows of a block's program are but for their names. */
export function shapeOf({ rows, objective }: Program): string {
  const side = (value: Rational | null) => (value === null ? "-" : value.toString());
  const form = ({ columns: at, coefficients, denominator }: Row["form"]) =>
    `${at.join()}:${coefficients.join()}/${denominator}`;
  return [form(objective.form), ...rows.map((row) => `${side(row.lower)} ${side(row.upper)} ${form(row.form)}`)].join(
    "\n",
  );
}
