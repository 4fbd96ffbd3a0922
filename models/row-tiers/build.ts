import type { RowClasses } from "../../src/access/row-classes.js";
import {
  atBytes,
  latencySeconds,
  OBJECTIVE_SUMS,
  type PerByte,
  tierCosts,
  tierMemory,
} from "../../src/cost/flexshard.js";
import { leastCommonMultiple, Rational } from "../../src/exact/rational.js";
import type { Collective, RowTiersInstance } from "../../src/instance/instance.js";
import {
  type Column,
  integerForm,
  type LinearForm,
  linearForm,
  makeProgram,
  type Program,
  type Row,
} from "../../src/program/program.js";
import { type Assignment, assignmentOf, countsOf, type UnitCounts } from "./assignment.js";
import { type TierSet, tierSet } from "./tier-set.js";
import { type UnitClass, unitClasses } from "./unit-classes.js";

/** Where things are in a row-tiers program: `x` of class i and tier t is column i · tiers + t. */
export interface RowTiersStructure {
  readonly classCount: number;
  readonly tierCount: number;
  /** Index of the memory row. */
  readonly memoryRow: number;
  /** With `channels`: the rows that hold the slowest channel above each sum, and its column. */
  readonly channels: { readonly rows: readonly number[]; readonly column: number } | null;
  /** Collectives with latency: the binary that says "carries anything" and the row that forces it. */
  readonly carriers: readonly { readonly row: number; readonly column: number }[];
}

/** A row-tiers instance as a program, with the ways back. README.md beside this file has the mathematics. */
export interface RowTiersModel {
  readonly instance: RowTiersInstance;
  readonly classes: readonly UnitClass[];
  readonly tierSet: TierSet;
  readonly budgetBytes: Rational;
  readonly program: Program;
  readonly structure: RowTiersStructure;
  /** The plan's runs from a feasible point. */
  recover(point: readonly Rational[]): Assignment;
  /** Completes unit counts to a point: binaries on where something is carried, the slowest channel at its least. */
  complete(counts: UnitCounts): readonly Rational[];
  /** The point of the program that stands for a plan's runs. Throws `AssignmentError` when they do not fit. */
  pointOf(assignment: Assignment): readonly Rational[];
}

/** Builds the program; `access` holds one entry per table. */
export function buildRowTiers(instance: RowTiersInstance, access: readonly RowClasses[]): RowTiersModel {
  const classes = unitClasses(instance, access);
  const tiers = tierSet(tierCosts(instance));
  const budgetBytes = budgetOf(instance, classes);
  const tierCount = tiers.tiers.length;
  const columns: Column[] = [];
  const rows: Row[] = [];
  classes.forEach(({ units }, i) => {
    const upper = Rational.of(BigInt(units));
    const members: number[] = [];
    for (const tier of tiers.tiers) {
      members.push(columns.length);
      columns.push({ name: `x_${i}_${tier}`, lower: Rational.zero, upper, integer: true });
    }
    const form = { columns: members, coefficients: members.map(() => 1n), denominator: 1n };
    rows.push({ name: `class_${i}`, form, lower: upper, upper });
  });
  const scaled = scaledReads(classes);
  const memoryForm = formOver(
    scaled,
    tiers.costs.map(({ memory }) => memory),
  );
  const memoryRow = rows.length;
  rows.push({ name: "memory", form: memoryForm, lower: null, upper: budgetBytes });

  const carriers: { row: number; column: number; collective: Collective }[] = [];
  const sums = OBJECTIVE_SUMS[instance.objective];
  for (const collective of sums.flat()) {
    if (latencySeconds(instance, collective).sign() === 0) continue;
    const carrying = carryingColumns(classes, tiers, collective);
    if (carrying.length === 0) continue;
    const column = columns.length;
    columns.push({ name: `carries_${collective}`, lower: Rational.zero, upper: Rational.one, integer: true });
    const most = carrying.reduce((sum, j) => sum.add((columns[j] as Column).upper as Rational), Rational.zero);
    const form = linearForm([...carrying.map((j) => [j, Rational.one] as const), [column, most.negate()]]);
    carriers.push({ row: rows.length, column, collective });
    rows.push({ name: `carries_${collective}`, form, lower: null, upper: Rational.zero });
  }

  const forms = sums.map((collectives) => secondsForm(scaled, tiers, collectives, carriers, instance));
  let channels: RowTiersStructure["channels"] = null;
  let objective = forms[0] as LinearForm;
  if (forms.length > 1) {
    const column = columns.length;
    columns.push({ name: "slowest", lower: Rational.zero, upper: largestValue(forms, columns), integer: false });
    const firstRow = rows.length;
    forms.forEach((form, k) => {
      rows.push({
        name: ["network", "nvlink"][k] as string,
        form: withTerm(form, column, -1n),
        lower: null,
        upper: Rational.zero,
      });
    });
    channels = { rows: forms.map((_, k) => firstRow + k), column };
    objective = linearForm([[column, Rational.one]]);
  }
  const program = makeProgram({ name: instance.name, columns, rows, objective: { name: "seconds", form: objective } });
  const structure = { classCount: classes.length, tierCount, memoryRow, channels, carriers };
  return {
    instance,
    classes,
    tierSet: tiers,
    budgetBytes,
    program,
    structure,
    recover: (point) => {
      const counts: UnitCounts = new Float64Array(classes.length * tierCount);
      for (let j = 0; j < counts.length; j++) counts[j] = Number((point[j] as Rational).numerator);
      return assignmentOf(instance, classes, tiers, counts);
    },
    complete: (counts) => completePoint(program, structure, counts),
    pointOf: (assignment) => completePoint(program, structure, countsOf(instance, classes, tiers, assignment)),
  };
}

/** Bytes that a plan may use on each GPU. */
export function budgetOf(instance: RowTiersInstance, classes: readonly UnitClass[]): Rational {
  const { budget } = instance;
  if (budget.kind === "bytesPerGpu") return Rational.fromNumber(budget.bytes);
  const memory = tierMemory(instance, "row_wise");
  const all = scaledReads(classes);
  let parameters = 0n;
  let reads = 0n;
  classes.forEach(({ units, parameterBytes }, i) => {
    parameters += parameterBytes * BigInt(units);
    reads += (all.reads[i] as bigint) * BigInt(units);
  });
  const rowWise = atBytes(memory, Rational.of(parameters), Rational.of(reads, all.denominator));
  return budget.kind === "memory-neutral" ? rowWise : rowWise.add(Rational.fromNumber(budget.bytes));
}

function completePoint(program: Program, structure: RowTiersStructure, counts: UnitCounts): readonly Rational[] {
  const point: Rational[] = new Array(program.columns.length).fill(Rational.zero);
  for (let j = 0; j < counts.length; j++) if (counts[j] !== 0) point[j] = Rational.of(BigInt(counts[j] as number));
  for (const { row, column } of structure.carriers) {
    const form = (program.rows[row] as Row).form;
    if (form.columns.some((j) => j !== column && (point[j] as Rational).sign() !== 0)) point[column] = Rational.one;
  }
  if (structure.channels !== null) {
    const { rows, column } = structure.channels;
    for (const row of rows) {
      const { form } = program.rows[row] as Row;
      let sum = 0n;
      form.columns.forEach((j, k) => {
        if (j !== column) sum += (form.coefficients[k] as bigint) * (point[j] as Rational).numerator;
      });
      const seconds = Rational.of(sum, form.denominator);
      if (seconds.compare(point[column] as Rational) > 0) point[column] = seconds;
    }
  }
  return point;
}

/** Read bytes of every class as integers over one denominator, so that long rows need no rational arithmetic. */
interface ScaledReads {
  readonly parameters: readonly bigint[];
  readonly reads: readonly bigint[];
  readonly denominator: bigint;
}

function scaledReads(classes: readonly UnitClass[]): ScaledReads {
  const denominator = classes.reduce((all, { readBytes }) => leastCommonMultiple(all, readBytes.denominator), 1n);
  return {
    parameters: classes.map(({ parameterBytes }) => parameterBytes),
    reads: classes.map(({ readBytes }) => readBytes.numerator * (denominator / readBytes.denominator)),
    denominator,
  };
}

/** Σ over classes and tiers of (parameters · R + reads · S) · x. */
function formOver(scaled: ScaledReads, perTier: readonly PerByte[]): LinearForm {
  const common = perTier
    .flatMap(({ parameters, reads }) => [parameters.denominator, reads.denominator])
    .reduce(leastCommonMultiple, 1n);
  const factors = perTier.map(({ parameters, reads }) => ({
    parameters: parameters.numerator * (common / parameters.denominator) * scaled.denominator,
    reads: reads.numerator * (common / reads.denominator),
  }));
  const columns: number[] = [];
  const coefficients: bigint[] = [];
  for (let i = 0; i < scaled.reads.length; i++) {
    const parameterBytes = scaled.parameters[i] as bigint;
    const readBytes = scaled.reads[i] as bigint;
    for (const { parameters, reads } of factors) {
      columns.push(columns.length);
      coefficients.push(parameterBytes * parameters + readBytes * reads);
    }
  }
  return integerForm(columns, coefficients, common * scaled.denominator);
}

function secondsForm(
  scaled: ScaledReads,
  tiers: TierSet,
  collectives: readonly Collective[],
  carriers: readonly { readonly column: number; readonly collective: Collective }[],
  instance: RowTiersInstance,
): LinearForm {
  const perTier = tiers.costs.map((cost) =>
    cost.collectives
      .filter(({ collective }) => collectives.includes(collective))
      .reduce(
        (sum, { seconds }) => ({
          parameters: sum.parameters.add(seconds.parameters),
          reads: sum.reads.add(seconds.reads),
        }),
        { parameters: Rational.zero, reads: Rational.zero },
      ),
  );
  const form = formOver(scaled, perTier);
  const latencies = carriers
    .filter(({ collective }) => collectives.includes(collective))
    .map(({ column, collective }) => [column, latencySeconds(instance, collective)] as const);
  if (latencies.length === 0) return form;
  const denominator = latencies.reduce(
    (all, [, seconds]) => leastCommonMultiple(all, seconds.denominator),
    form.denominator,
  );
  const scale = denominator / form.denominator;
  return integerForm(
    [...form.columns, ...latencies.map(([column]) => column)],
    [
      ...form.coefficients.map((coefficient) => coefficient * scale),
      ...latencies.map(([, seconds]) => seconds.numerator * (denominator / seconds.denominator)),
    ],
    denominator,
  );
}

/** Columns whose rows make a collective carry something: parameters always do, reads only where there are any. */
function carryingColumns(classes: readonly UnitClass[], tiers: TierSet, collective: Collective): number[] {
  const carrying: number[] = [];
  classes.forEach(({ readBytes }, i) => {
    tiers.costs.forEach(({ collectives }, t) => {
      const bytes = collectives.find((cost) => cost.collective === collective)?.bytes;
      if (bytes === undefined) return;
      if (bytes.parameters.sign() > 0 || (bytes.reads.sign() > 0 && readBytes.sign() > 0)) {
        carrying.push(i * tiers.tiers.length + t);
      }
    });
  });
  return carrying;
}

/** The form plus `coefficient` times a column beyond its last. */
function withTerm(form: LinearForm, column: number, coefficient: bigint): LinearForm {
  return {
    columns: [...form.columns, column],
    coefficients: [...form.coefficients, coefficient * form.denominator],
    denominator: form.denominator,
  };
}

function largestValue(forms: readonly LinearForm[], columns: readonly Column[]): Rational {
  const values = forms.map(({ columns: indices, coefficients, denominator }) => {
    let sum = 0n;
    indices.forEach((j, k) => {
      sum += (coefficients[k] as bigint) * ((columns[j] as Column).upper as Rational).numerator;
    });
    return Rational.of(sum, denominator);
  });
  return values.reduce((largest, value) => (value.compare(largest) > 0 ? value : largest), Rational.zero);
}
