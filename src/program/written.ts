import { Rational } from "../exact/rational.js";
import { decimalText, INFINITE_BOUND, outwardBound, writableScale } from "./decimal.js";
import { type Column, coefficientAt, freeName, type LinearForm, makeProgram, type Program } from "./program.js";

/** A row as it is put into a file: every number a finite decimal, bounds never crossed. */
export interface WrittenRow {
  readonly name: string;
  readonly columns: readonly number[];
  readonly coefficients: readonly Rational[];
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

/** A program as the file formats can say it. */
export interface WrittenProgram {
  /** Lines of the comment at the beginning; the directives among them restore the original. */
  readonly comment: readonly string[];
  readonly objective: Omit<WrittenRow, "lower" | "upper"> & { readonly constant: Rational };
  readonly rows: readonly WrittenRow[];
  readonly columns: readonly Column[];
}

/** What a format's readers take. */
export interface WrittenFormat {
  /** Whether a row with two different bounds is written as it is, or as two. */
  readonly ranges: "kept" | "split";
  readonly isSafe: (name: string) => boolean;
}

/** Letters of a safe name. */
const MOST_LETTERS = 90;

/**
 * Prepares a program for a writer. A row (or the objective) with a number that is no finite decimal is multiplied by
 * the integer that makes all its numbers integers, and one with a side that readers take for infinite by a power of ten; a column bound that cannot be written is moved outwards; a row with
 * crossed bounds becomes two, and so does every row with two different bounds when `ranges` are to be `"split"`; a name
 * that is not safe is replaced by one of letters, digits and `_`, which nothing else is called. Each of these leaves a
 * directive, see `parseDirective`.
 */
export function prepareForWriting(given: Program, { ranges, isSafe }: WrittenFormat, dress: FileDress): WrittenProgram {
  const { program, directives: renames } = withSafeNames(given, isSafe);
  const directives = [...renames, ...dress.directives];
  const taken = new Set([program.objective.name, ...program.rows.map((row) => row.name)]);

  const scaleOf = (
    name: string,
    form: LinearForm,
    others: readonly (Rational | null)[],
    width?: Rational,
  ): Rational => {
    const integers = writableScale([form.denominator, ...others.map((value) => value?.denominator ?? 1n)]);
    const scale = belowInfinity(Rational.of(integers), width);
    if (!scale.equals(Rational.one)) directives.push(`scale ${name} ${Rational.one.divide(scale)}`);
    return scale;
  };

  const { name, form, constant } = program.objective;
  const objectiveScale = scaleOf(name, form, [constant]);
  const objective = { name, ...scaledForm(form, objectiveScale), constant: constant.multiply(objectiveScale) };

  const rows = program.rows.flatMap((row): WrittenRow[] => {
    const scale = scaleOf(row.name, row.form, [row.lower, row.upper], widthOf(row));
    const lower = row.lower?.multiply(scale) ?? null;
    const upper = row.upper?.multiply(scale) ?? null;
    const written = { name: row.name, ...scaledForm(row.form, scale), lower, upper };
    if (lower === null || upper === null) return [written];
    const order = lower.compare(upper);
    if (order === 0 || (order < 0 && ranges === "kept")) return [written];
    const upperName = freeName(`${row.name}_upper`, taken);
    taken.add(upperName);
    directives.push(`join ${row.name} ${upperName}`);
    return [
      { ...written, upper: null },
      { ...written, name: upperName, lower: null },
    ];
  });

  const columns = program.columns.map((column) => {
    const writtenBound = (side: "lower" | "upper"): Rational | null => {
      const exact = column[side];
      const written = outwardBound(exact, side);
      if (exact !== null && !(written?.equals(exact) ?? false))
        directives.push(`bound ${side} ${column.name} ${exact}`);
      return written;
    };
    return { ...column, lower: writtenBound("lower"), upper: writtenBound("upper") };
  });
  const comment = [...dress.comments, ...directives.map((directive) => `shardproof ${directive}`)];
  return { comment, objective, rows, columns };
}

function withSafeNames(
  program: Program,
  isSafe: (name: string) => boolean,
): { readonly program: Program; readonly directives: string[] } {
  const { columns, rows, objective } = program;
  const directives: string[] = [];
  const renamed = (kind: "column" | "row", named: readonly { readonly name: string }[]) => {
    const taken = new Set(named.map(({ name }) => name));
    return (name: string): string => {
      if (isSafe(name)) return name;
      const safe = freeName(
        `${kind === "column" ? "x" : "r"}_${name.replace(/\W/g, "_").slice(0, MOST_LETTERS)}`,
        taken,
      );
      taken.add(safe);
      directives.push(`rename ${kind} ${safe} ${JSON.stringify(name)}`);
      return safe;
    };
  };
  if ([...columns, ...rows, objective].every(({ name }) => isSafe(name))) return { program, directives };
  const columnName = renamed("column", columns);
  const rowName = renamed("row", [...rows, objective]);
  const safe = makeProgram({
    name: program.name,
    columns: columns.map((column) => ({ ...column, name: columnName(column.name) })),
    rows: rows.map((row) => ({ ...row, name: rowName(row.name) })),
    objective: { ...objective, name: rowName(objective.name) },
  });
  return { program: safe, directives };
}

/** The largest number that a file has of a row's sides: one of them, or their distance. */
function widthOf({ lower, upper }: Pick<WrittenRow, "lower" | "upper">): Rational {
  const distance = lower === null || upper === null ? null : upper.subtract(lower);
  return [lower, upper, distance].reduce<Rational>((most, value) => {
    const size = value?.absolute() ?? Rational.zero;
    return size.compare(most) > 0 ? size : most;
  }, Rational.zero);
}

/** A scale by a power of ten below the one given where that would make a number that readers take for infinite. */
function belowInfinity(scale: Rational, width: Rational = Rational.zero): Rational {
  const digits = width.multiply(scale).ceil().toString().length;
  const most = INFINITE_BOUND.numerator.toString().length;
  return digits < most ? scale : scale.divide(Rational.of(10n ** BigInt(digits - most + 1)));
}

/** What a writer puts around a program and how it writes its numbers, where that is not every digit of them. */
export interface FileDress {
  /** Lines of the comment at the beginning. */
  readonly comments: readonly string[];
  /** See `parseDirective`. */
  readonly directives: readonly string[];
  readonly text: (value: Rational) => string;
}

/** Every digit, no comment. */
export const PLAIN_DRESS: FileDress = { comments: [], directives: [], text: written };

/** The fewest digits that a reader of doubles takes for this one. */
export function shortestDecimal(value: Rational): string {
  return String(value.toNumber()).replace("e+", "e");
}

/** The text of a number that {@link prepareForWriting} has made a finite decimal. */
function written(value: Rational): string {
  return decimalText(value) as string;
}

function scaledForm(form: LinearForm, scale: Rational): Pick<WrittenRow, "columns" | "coefficients"> {
  const unit = scale.equals(Rational.one);
  const coefficients = form.columns.map((_, k) => {
    const coefficient = coefficientAt(form, k);
    return unit ? coefficient : coefficient.multiply(scale);
  });
  return { columns: form.columns, coefficients };
}
