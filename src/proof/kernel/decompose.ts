import { Rational } from "../../exact/rational.js";
import { integerForm, type LinearForm, makeProgram, type Program } from "../../program/program.js";
import { type BoundResult, lagrangianBound, type Multipliers } from "./bound.js";
import { rangeOfSum } from "./range-of-sum.js";
import type { Box, View, ViewRow } from "./view.js";

/** A block of a node: rows that are kept, by the program's index. */
export type BlockRows = readonly number[];

/** How blocks split a view: the same for all boxes. */
export interface Layout {
  readonly view: View;
  readonly blocks: readonly BlockLayout[];
  /** The view with the columns and groups that no block has. */
  readonly outside: View;
}

/** What a block has of a view. */
export interface BlockLayout {
  /** Rising. */
  readonly columns: readonly number[];
  readonly rows: readonly {
    readonly index: number;
    /** Over the block's columns. */
    readonly form: LinearForm;
    /** Columns of the row that link blocks. */
    readonly links: readonly { readonly column: number; readonly factor: Rational }[];
    readonly sides: Pick<ViewRow, "lower" | "upper">;
  }[];
  /** The first block with the same forms. */
  readonly alike: number;
}

/** A node taken apart: what is left outside the blocks, and each block's own program. */
export interface Decomposition {
  /** What the multipliers and the columns outside all blocks add up to at least, of {@link Layout.outside}. */
  readonly rest: BoundResult;
  readonly blocks: readonly Block[];
}

/**
 * How blocks split a view. Columns that link blocks (`links`) belong to none. `blocks` lists the rows of each block; rows that the view has left out
 * are satisfied and do not count. Throws `RangeError` when two blocks share a column, or a row is listed twice.
 */
export function layoutOf(view: View, links: ReadonlySet<number>, blocks: readonly BlockRows[]): Layout {
  const members = blockMembers(view, links, blocks);
  const shapes = new Map<string, number>();
  return {
    view,
    outside: {
      ...view,
      single: view.columns.flatMap((_, j) => (members.blockOf[j] === -1 && !members.grouped.has(j) ? [j] : [])),
      groups: view.groups.filter((_, g) => !members.brokenGroups.has(g)),
    },
    blocks: blocks.map((indices, b): BlockLayout => {
      const columns = members.columns[b] as readonly number[];
      const local = new Map(columns.map((j, k) => [j, k]));
      const rows = indices.flatMap((index) => {
        const row = view.rows.get(index);
        return row === undefined ? [] : [{ index, ...splitForm(row.form, local), sides: row }];
      });
      const shape = [columns.length, ...rows.map(({ form }) => textOf(form))].join("\n");
      const alike = shapes.get(shape) ?? b;
      shapes.set(shape, alike);
      return { columns, rows, alike };
    }),
  };
}

function splitForm({ columns, coefficients, denominator }: LinearForm, local: ReadonlyMap<number, number>) {
  const kept: number[] = [];
  const own: bigint[] = [];
  const links: { column: number; factor: Rational }[] = [];
  columns.forEach((j, k) => {
    const coefficient = coefficients[k] as bigint;
    const at = local.get(j);
    if (at === undefined) links.push({ column: j, factor: Rational.of(coefficient, denominator) });
    else {
      kept.push(at);
      own.push(coefficient);
    }
  });
  return { form: integerForm(kept, own, denominator), links };
}

function textOf({ columns, coefficients, denominator }: LinearForm): string {
  return `${columns.join()}:${coefficients.join()}/${denominator}`;
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
 * In a block's rows the columns that link blocks stand at the bound of the box that makes the row weakest: every point of the
 * node then still satisfies the row.
 *
 * Throws `RangeError` when a multiplier prices a side that its row does not have.
 */
export function decompose(
  { view, outside, blocks }: Layout,
  box: Box,
  multipliers: Multipliers,
  purpose: "bound" | "infeasibility",
): Decomposition {
  const rest = lagrangianBound(outside, box, multipliers, purpose);
  if (rest.infeasible) return { rest, blocks: [] };
  return { rest, blocks: blocks.map((own) => new Block(view, box, own, rest.scaledCosts, rest.scale)) };
}

/** What the columns of a block add to a bound, subject to the block's rows: a minimisation, written when it is asked for. */
export class Block {
  readonly #view: View;
  readonly #layout: BlockLayout;
  readonly #costs: readonly bigint[];
  readonly #scale: bigint;
  readonly #lower: readonly (Rational | null)[];
  readonly #upper: readonly (Rational | null)[];
  /** Of rows. */
  readonly #sides: readonly Pick<ViewRow, "lower" | "upper">[];

  constructor(view: View, box: Box, layout: BlockLayout, scaledCosts: readonly bigint[], scale: bigint) {
    this.#view = view;
    this.#layout = layout;
    this.#costs = layout.columns.map((j) => scaledCosts[j] as bigint);
    this.#scale = scale;
    this.#lower = layout.columns.map((j) => box.lower[j] ?? null);
    this.#upper = layout.columns.map((j) => box.upper[j] ?? null);
    this.#sides = layout.rows.map(({ links, sides }) => movedSides(box, links, sides));
  }

  /** `whole`: the program that the view is of. */
  program(name: string, whole: Program): Program {
    const { columns, rows } = this.#layout;
    return makeProgram({
      name,
      columns: columns.map((j, k) => ({
        name: whole.columns[this.#view.columns[j] as number]?.name as string,
        lower: this.#lower[k] as Rational | null,
        upper: this.#upper[k] as Rational | null,
        integer: this.#view.integer[j] === true,
      })),
      rows: rows.map(({ index, form }, r) => ({
        name: whole.rows[index]?.name as string,
        form,
        ...(this.#sides[r] as Pick<ViewRow, "lower" | "upper">),
      })),
      objective: {
        form: integerForm(
          columns.map((_, k) => k),
          this.#costs,
          this.#scale,
        ),
      },
    });
  }

  /**
   * Whether this is another block of the same node but for names, with columns in the bounds that the other's are in, and integers
   * where those are: what is proved of the other's minimum then holds for its own.
   */
  isWithin(other: Block): boolean {
    if (this.#layout.alike !== other.#layout.alike || this.#scale !== other.#scale) return false;
    if (this.#costs.some((cost, k) => cost !== other.#costs[k])) return false;
    const isSameRow = ({ lower, upper }: Pick<ViewRow, "lower" | "upper">, r: number) => {
      const same = other.#sides[r] as Pick<ViewRow, "lower" | "upper">;
      return areEqual(lower, same.lower) && areEqual(upper, same.upper);
    };
    if (!this.#sides.every(isSameRow)) return false;
    return this.#layout.columns.every((j, k) => {
      const [lower, upper] = [this.#lower[k] ?? null, this.#upper[k] ?? null];
      const [least, most] = [other.#lower[k] ?? null, other.#upper[k] ?? null];
      const isAbove = least === null || (lower !== null && lower.compare(least) >= 0);
      const isBelow = most === null || (upper !== null && upper.compare(most) <= 0);
      const isInteger =
        this.#view.integer[j] === true || other.#view.integer[other.#layout.columns[k] as number] !== true;
      return isAbove && isBelow && isInteger;
    });
  }
}

function areEqual(a: Rational | null, b: Rational | null): boolean {
  return a === b || (a !== null && b !== null && a.equals(b));
}

/** The sides of a row over a block's columns, moved by the most that its linking columns allow. */
function movedSides(
  box: Box,
  links: BlockLayout["rows"][number]["links"],
  { lower, upper }: Pick<ViewRow, "lower" | "upper">,
): Pick<ViewRow, "lower" | "upper"> {
  const boundsOf = (column: number) => ({ lower: box.lower[column] ?? null, upper: box.upper[column] ?? null });
  const { lower: least, upper: most } = rangeOfSum(
    links.map(({ column, factor }) => ({ factor, ...boundsOf(column) })),
  );
  return {
    lower: lower === null || most === null ? null : lower.subtract(most),
    upper: upper === null || least === null ? null : upper.subtract(least),
  };
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
