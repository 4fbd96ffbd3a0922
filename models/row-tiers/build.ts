import type { RowClasses } from "../../src/access/row-classes.js";
import {
  atBytes,
  budgetAbove,
  latencySeconds,
  OBJECTIVE_SUMS,
  type PerByte,
  secondsPerByte,
  tierCosts,
  tierMemory,
} from "../../src/cost/flexshard.js";
import { isSameTier, receivedPerByte } from "../../src/cost/row-moves.js";
import { Rational } from "../../src/exact/rational.js";
import type { Collective } from "../../src/instance/cluster.js";
import {
  goalUnit,
  type RowsBefore,
  type RowTiersGoalName,
  type RowTiersInstance,
  type Tier,
} from "../../src/instance/types/row-tiers.js";
import { auxiliaryValue, type LadderPoint, tierSums } from "../../src/program/ladder/evaluate.js";
import { explicitProgram } from "../../src/program/ladder/explicit.js";
import { TierSums } from "../../src/program/ladder/interval.js";
import {
  type Chain,
  type Ladder,
  type LadderForm,
  type LadderRow,
  type LadderTerm,
  makeChain,
} from "../../src/program/ladder/ladder.js";
import type { Column, Program } from "../../src/program/program.js";
import { type Assignment, assignmentOf, countsOf, type UnitCounts } from "./assignment.js";
import { type TierSet, tierSet } from "./tier-set.js";
import { totalBytes, type UnitChain, type UnitClasses, unitClasses } from "./unit-classes.js";

/** Which rows and auxiliary columns of a row-tiers ladder play which part; indices are the ladder's. */
export interface RowTiersStructure {
  /** The first of {@link RowTiersStructure.capacities}: memory, unless it is what is minimised. */
  readonly memoryRow: number;
  /** The second: the nodes' host memory where the tier `host` is allowed; among goals, whatever else is limited. */
  readonly hostRow: number | null;
  /** The rows that limit sums over units: memory, host memory, earlier goals. */
  readonly capacities: readonly number[];
  /** With `channels`: the rows that hold the slowest channel above each sum, and its column. */
  readonly channels: { readonly rows: readonly number[]; readonly column: number } | null;
  /** Collectives with latency: the binary that says "carries anything" and the row that forces it. */
  readonly carriers: readonly { readonly row: number; readonly column: number }[];
}

/** A row-tiers instance as a program, with the ways back. README.md beside this file has the mathematics. */
export interface RowTiersModel {
  readonly instance: RowTiersInstance;
  readonly classes: UnitClasses;
  readonly tierSet: TierSet;
  readonly budgetBytes: Rational;
  readonly ladder: Ladder;
  readonly structure: RowTiersStructure;
  /** The same program written out column by column, for solvers that read nothing else. */
  readonly program: Program;
  /** The plan's runs from a feasible point. */
  recover(point: LadderPoint): Assignment;
  /** Completes unit counts to a point: binaries on where something is carried, the slowest channel at its least. */
  complete(counts: UnitCounts): LadderPoint;
  /** The point of the program that stands for a plan's runs. Throws `AssignmentError` when they do not fit. */
  pointOf(assignment: Assignment): LadderPoint;
}

/** A goal, and what it may come to at most. */
export interface Held {
  readonly goal: RowTiersGoalName;
  readonly limit: Rational;
}

/** A stage: what is minimised, and the earlier goals with what they may come to. */
export interface Stage {
  readonly minimize: RowTiersGoalName;
  /** In the order of the stages; of several limits of one goal the least counts. */
  readonly held: readonly Held[];
}

const ONLY_STAGE: Stage = { minimize: "time", held: [] };

/** Builds the program; `access` holds one entry per table, and so does `before`, where rows are moved from a plan. */
export function buildRowTiers(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  before: readonly RowsBefore[] | null = null,
): RowTiersModel {
  const classes = unitClasses(instance, access, before);
  const tiers = tierSet(tierCosts(instance));
  return modelAt(instance, classes, tiers, ONLY_STAGE);
}

/** The same units with another goal, where earlier goals are held. */
export function atStage({ instance, classes, tierSet: tiers }: RowTiersModel, stage: Stage): RowTiersModel {
  return modelAt(instance, classes, tiers, stage);
}

/**
 * The same model under another budget of memory, in bytes per GPU: what `buildRowTiers` makes of the instance with
 * `{bytesPerGpu: bytes}`, but nothing is built again, since the budget is the upper side of one row. Throws `RangeError`
 * unless `bytes` is finite.
 */
export function withBudget(model: RowTiersModel, bytes: number): RowTiersModel {
  const { classes, tierSet: tiers, structure } = model;
  const instance: RowTiersInstance = { ...model.instance, budget: { kind: "bytesPerGpu", bytes } };
  const budgetBytes = Rational.fromNumber(bytes);
  const ladder = withUpper(model.ladder, structure.memoryRow, budgetBytes);
  return modelOf(instance, classes, tiers, budgetBytes, { ladder, structure });
}

/** A ladder with another upper side of one row. */
export function withUpper(ladder: Ladder, row: number, upper: Rational): Ladder {
  return { ...ladder, rows: ladder.rows.map((each, k) => (k === row ? { ...each, upper } : each)) };
}

function modelAt(instance: RowTiersInstance, classes: UnitClasses, tiers: TierSet, stage: Stage): RowTiersModel {
  const budgetBytes = budgetOf(instance, classes);
  return modelOf(instance, classes, tiers, budgetBytes, ladderOf(instance, classes, tiers, budgetBytes, stage));
}

function modelOf(
  instance: RowTiersInstance,
  classes: UnitClasses,
  tiers: TierSet,
  budgetBytes: Rational,
  { ladder, structure }: Pick<RowTiersModel, "ladder" | "structure">,
): RowTiersModel {
  const complete = (counts: UnitCounts) => completePoint(ladder, structure, counts);
  let program: Program | undefined;
  return {
    instance,
    classes,
    tierSet: tiers,
    budgetBytes,
    ladder,
    structure,
    get program() {
      program ??= explicitProgram(ladder);
      return program;
    },
    recover: ({ counts }) => assignmentOf(instance, classes, tiers, counts),
    complete,
    pointOf: (assignment) => complete(countsOf(instance, classes, tiers, assignment)),
  };
}

/** Bytes that a plan may use on each GPU. */
export function budgetOf(instance: RowTiersInstance, classes: UnitClasses): Rational {
  return budgetAbove(instance, () => {
    const { parameters, reads } = totalBytes(classes);
    const readBytes = Rational.of(reads, classes.rateDenominator);
    return atBytes(tierMemory(instance, "row_wise"), Rational.of(parameters), readBytes);
  });
}

/** What is summed up over units, and the collectives whose latency counts beside. */
interface Sum {
  readonly name: string;
  readonly terms: readonly (readonly LadderTerm[])[];
  readonly collectives: readonly Collective[];
}

/** Sums that a goal is the largest of: one, but for the time of `channels`. */
function sumsOf(
  instance: RowTiersInstance,
  classes: UnitClasses,
  tiers: TierSet,
  goal: RowTiersGoalName,
): readonly Sum[] {
  const perTier = (costs: readonly PerByte[]) => termsOf(classes, costs);
  switch (goal) {
    case "time": {
      const sums = OBJECTIVE_SUMS[instance.objective];
      return sums.map((collectives, k) => ({
        name: sums.length === 1 ? "time" : (["network", "nvlink"][k] as string),
        terms: secondsOf(classes, tiers, collectives),
        collectives,
      }));
    }
    case "memory":
      return [{ name: "memory", terms: perTier(tiers.costs.map(({ memory }) => memory)), collectives: [] }];
    case "host-memory":
      return [{ name: "host", terms: perTier(tiers.costs.map(({ hostMemory }) => hostMemory)), collectives: [] }];
    case "moved-rows":
      return [movedSum(goal, classes, tiers, () => Rational.one)];
    case "moved-bytes":
      return [movedSum(goal, classes, tiers, (from, to, bytes) => receivedPerByte(instance, from, to).multiply(bytes))];
    default:
      return [{ name: goal, terms: secondsOf(classes, tiers, [goal]), collectives: [goal] }];
  }
}

/** Σ over the rows that change their tier of what each counts, given the bytes of its parameters. */
function movedSum(
  name: string,
  { chains }: UnitClasses,
  { tiers }: TierSet,
  each: (from: Tier, to: Tier, rowBytes: Rational) => Rational,
): Sum {
  const terms = chains.map(({ before, rowBytes: bytes }) =>
    tiers.map((to) => ({
      fixed: before
        .filter(({ tier }) => !isSameTier(tier, to))
        .reduce(
          (sum, { tier, rows }) => sum.add(each(tier, to, Rational.of(bytes)).multiply(Rational.of(BigInt(rows)))),
          Rational.zero,
        ),
      perRate: Rational.zero,
    })),
  );
  return { name, terms, collectives: [] };
}

/** What is limited at a stage: the budgets, and the earlier goals. What is minimised after another goal has a plan within. */
function capacitiesAt(
  instance: RowTiersInstance,
  tiers: TierSet,
  budgetBytes: Rational,
  { minimize, held }: Stage,
): readonly Held[] {
  const host = tiers.tiers.includes("host") ? instance.cluster.hostBytesPerNode : undefined;
  const limits = new Map<RowTiersGoalName, Rational>([["memory", budgetBytes]]);
  if (host !== undefined) limits.set("host-memory", Rational.fromNumber(host));
  const { mostMovedRows = null, mostMovedBytes = null } = instance.from ?? {};
  if (mostMovedRows !== null) limits.set("moved-rows", Rational.of(BigInt(mostMovedRows)));
  if (mostMovedBytes !== null) limits.set("moved-bytes", Rational.fromNumber(mostMovedBytes));
  for (const { goal, limit } of held) {
    const known = limits.get(goal);
    if (known === undefined || limit.compare(known) < 0) limits.set(goal, limit);
  }
  if (held.length > 0) limits.delete(minimize);
  return [...limits].map(([goal, limit]) => ({ goal, limit }));
}

function ladderOf(
  instance: RowTiersInstance,
  classes: UnitClasses,
  tiers: TierSet,
  budgetBytes: Rational,
  stage: Stage,
): Pick<RowTiersModel, "ladder" | "structure"> {
  const chains = classes.chains.map(({ units, rates }) => makeChain(units, rates));
  const auxiliaries: Column[] = [];
  const rows: LadderRow[] = [];
  const carriers: { row: number; column: number; collective: Collective }[] = [];
  const sums = sumsOf(instance, classes, tiers, stage.minimize);
  const capacities = capacitiesAt(instance, tiers, budgetBytes, stage).flatMap(({ goal, limit }) =>
    sumsOf(instance, classes, tiers, goal).map((sum) => ({ ...sum, limit })),
  );
  const needed = [...new Set([...sums, ...capacities].flatMap(({ collectives }) => collectives))];
  const carried = new Map(needed.map((collective) => [collective, carryingTerms(classes, tiers, collective)]));
  for (const collective of needed) {
    const terms = carried.get(collective) as readonly (readonly LadderTerm[])[];
    const most = unitsWithin(chains, terms);
    if (latencySeconds(instance, collective).sign() === 0 || most.sign() === 0) continue;
    carriers.push({ row: capacities.length + carriers.length, column: carriers.length, collective });
    auxiliaries.push({ name: `carries_${collective}`, lower: Rational.zero, upper: Rational.one, integer: true });
  }
  const isSplit = sums.length > 1;
  /** Coefficients of the auxiliaries: the carriers, then the slowest channel where there is one. */
  const coefficients = (ofCarrier: (collective: Collective) => Rational, ofSlowest: Rational): Rational[] => [
    ...carriers.map(({ collective }) => ofCarrier(collective)),
    ...(isSplit ? [ofSlowest] : []),
  ];
  const formOf = ({ terms, collectives }: Sum, ofSlowest: Rational): LadderForm => {
    const latency = (collective: Collective) =>
      collectives.includes(collective) ? latencySeconds(instance, collective) : Rational.zero;
    return { terms, auxiliaries: coefficients(latency, ofSlowest) };
  };
  for (const sum of capacities) {
    rows.push({ name: sum.name, form: formOf(sum, Rational.zero), upper: sum.limit });
  }
  for (const { collective } of carriers) {
    const terms = carried.get(collective) as readonly (readonly LadderTerm[])[];
    const most = unitsWithin(chains, terms).negate();
    const auxiliary = coefficients((other) => (other === collective ? most : Rational.zero), Rational.zero);
    rows.push({ name: `carries_${collective}`, form: { terms, auxiliaries: auxiliary }, upper: Rational.zero });
  }
  const structure = {
    memoryRow: 0,
    hostRow: capacities.length > 1 ? 1 : null,
    capacities: capacities.map((_, k) => k),
    carriers: carriers.map(({ row, column }) => ({ row, column })),
  };
  const parts = { name: instance.name, tiers: tiers.tiers, chains, rateDenominator: classes.rateDenominator };
  const name = { s: "seconds", B: "bytes", rows: "rows" }[goalUnit(stage.minimize)];
  if (!isSplit) {
    const objective = { name, form: formOf(sums[0] as Sum, Rational.zero) };
    return { ladder: { ...parts, auxiliaries, rows, objective }, structure: { ...structure, channels: null } };
  }
  const firstRow = rows.length;
  const forms = sums.map((sum) => formOf(sum, Rational.one.negate()));
  for (const [k, form] of forms.entries()) {
    rows.push({ name: (sums[k] as Sum).name, form, upper: Rational.zero });
  }
  const column = auxiliaries.length;
  const nothing = tiers.tiers.map(() => NOTHING);
  const objective = {
    name,
    form: { terms: termsOf(classes, nothing), auxiliaries: coefficients(() => Rational.zero, Rational.one) },
  };
  const bounded = { ...parts, auxiliaries: [], rows, objective };
  const upper = forms.map((form) => largestValue(bounded, form)).reduce((a, b) => (a.compare(b) > 0 ? a : b));
  auxiliaries.push({ name: "slowest", lower: Rational.zero, upper, integer: false });
  return {
    ladder: { ...bounded, auxiliaries },
    structure: { ...structure, channels: { rows: forms.map((_, k) => firstRow + k), column } },
  };
}

const NOTHING: PerByte = { parameters: Rational.zero, reads: Rational.zero };

/** What a unit of each chain adds in each tier: parameters · R + reads · S. */
function termsOf({ chains }: UnitClasses, perTier: readonly PerByte[]): readonly (readonly LadderTerm[])[] {
  return chains.map(({ rowsPerUnit, rowBytes }) => {
    const perRow = Rational.of(rowBytes);
    const unitBytes = Rational.of(rowBytes * BigInt(rowsPerUnit));
    return perTier.map(({ parameters, reads }) => ({
      fixed: parameters.multiply(unitBytes),
      perRate: reads.multiply(perRow),
    }));
  });
}

/** Seconds of some collectives, without latency. */
function secondsOf(classes: UnitClasses, tiers: TierSet, collectives: readonly Collective[]) {
  return termsOf(
    classes,
    tiers.costs.map((cost) => secondsPerByte(cost, collectives)),
  );
}

/** One for each unit that makes a collective carry something: parameters always do, reads where there are any. */
function carryingTerms({ chains }: UnitClasses, { costs }: TierSet, collective: Collective) {
  const isRead = ({ rates }: UnitChain) => (rates[0] ?? 0n) > 0n;
  return chains.map((chain) =>
    costs.map(({ collectives }): LadderTerm => {
      const bytes = collectives.find((cost) => cost.collective === collective)?.bytes;
      const carries = bytes !== undefined && (bytes.parameters.sign() > 0 || (bytes.reads.sign() > 0 && isRead(chain)));
      return { fixed: carries ? Rational.one : Rational.zero, perRate: Rational.zero };
    }),
  );
}

/** Units of the chains on which some tier counts. */
function unitsWithin(chains: readonly Chain[], terms: readonly (readonly LadderTerm[])[]): Rational {
  return chains.reduce(
    (sum, { unitsBefore }, r) =>
      (terms[r] as readonly LadderTerm[]).some(({ fixed }) => fixed.sign() > 0)
        ? sum.add(Rational.of(BigInt(unitsBefore.at(-1) as number)))
        : sum,
    Rational.zero,
  );
}

/** No plan's use of a row is more than this: all units in every tier at once. Of rows without negative terms. */
export function mostOfRow(ladder: Ladder, form: LadderForm): Rational {
  const everywhere = ladder.chains.flatMap(({ units }, chain) =>
    ladder.tiers.map((_, tier) => ({ chain, from: 0, to: units.length, tier })),
  );
  return new TierSums(ladder, everywhere).valueOf(form);
}

/** No less than a form can come to: that, and every carrier on. */
function largestValue(ladder: Ladder, form: LadderForm): Rational {
  return form.auxiliaries.reduce((all, value) => (value.sign() > 0 ? all.add(value) : all), mostOfRow(ladder, form));
}

function completePoint(ladder: Ladder, { carriers, channels }: RowTiersStructure, counts: UnitCounts): LadderPoint {
  const sums = tierSums(ladder, counts);
  const auxiliaries = ladder.auxiliaries.map(() => Rational.zero);
  for (const { row, column } of carriers) {
    const { terms } = (ladder.rows[row] as LadderRow).form;
    const isCarrying = terms.some((ofChain, r) => ofChain.some(({ fixed }, t) => fixed.sign() > 0 && sums.uses(r, t)));
    if (isCarrying) auxiliaries[column] = Rational.one;
  }
  if (channels !== null) {
    // The slowest channel is still zero, so that its own term adds nothing.
    const seconds = channels.rows.map((row) => {
      const { form } = ladder.rows[row] as LadderRow;
      return sums.valueOf(form).add(auxiliaryValue(form, auxiliaries));
    });
    auxiliaries[channels.column] = seconds.reduce((a, b) => (a.compare(b) > 0 ? a : b));
  }
  return { counts, auxiliaries };
}
