import { directProgram } from "../../../../models/table-placement/direct-program.js";
import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import { type PlacementModel, placementModel } from "../../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { spaceOf } from "../../../../models/table-placement/space.js";
import { firstGoalOnly } from "../../../../models/table-placement/stages.js";
import { InputError } from "../../../errors/input-error.js";
import { DoubleSum } from "../../../exact/double-sum.js";
import { Rational } from "../../../exact/rational.js";
import { given } from "../../../input/given.js";
import { PHASES, type TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { gapAbove, nearest } from "../../../plan-file/rounding.js";
import { entriesOf } from "../../../program/program.js";
import { type Certificate, readCertificate } from "../../../proof/certificate.js";
import { holdAgainst } from "../../../proof/hold-against.js";
import { relativeGap } from "../../../proof/verdict.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { UNITS, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import type { ExplainOptions } from "../../explain-options.js";
import type {
  ExplainedTable,
  ExplanationProof,
  NotComputed,
  PlacementExplanationFile,
  WithoutChoice,
} from "../plan-file/explanation.js";
import { provedOf } from "../plan-file/hold-placements.js";
import type { PlacementPlanTable, TablePlacementPlan } from "../plan-file/plan-file.js";
import { writtenChoices } from "../plan-file/written-choices.js";
import {
  boundUnits,
  certificateOn,
  type KnownOf,
  NOTHING_KNOWN,
  searchedOf,
  unsearchedBoundOf,
} from "../solve/known-of.js";
import { openingUnits } from "../solve/problem-size.js";
import { explainedDevices, irreducibleParts, leastOfTable } from "./devices.js";
import { boundsWithoutChoices, type KnownWithout } from "./without-choices.js";

/** Shares of the work: for the question whether memory binds, and for a bound of a plan that has none. */
const MEMORY_SHARE = 0.1;
const OWN_SHARE = 0.2;

/**
 * Why a plan is as it is. The plan must have been verified against this instance: what it says of itself is believed. Bounds
 * of what plans without a choice cost are proved in this run, and their certificates checked.
 */
export async function explainPlacement(
  plan: TablePlacementPlan,
  instance: TablePlacementInstance,
  options: ExplainOptions = {},
): Promise<PlacementExplanationFile> {
  const started = performance.now();
  const { timeLimitSeconds = 60, seed = 0 } = options;
  const deadline = started + secondsLeft(options) * 1000;
  const model = placementModel(instance);
  const problem = firstGoalOnly(model.problem);
  if (problem === null) {
    const message =
      "expected a largest cost or a sum of phases as the first goal, received another; it is not explained";
    throw new InputError(message, instance.file);
  }
  const placement = { choices: plan.tables.map(({ option, ranks }) => ({ option, devices: ranks })) };
  const value = Rational.parse(plan.exact.value as string);
  const known =
    problem.setCost === undefined
      ? await boundsOf({ problem, placement, plan }, deadline, options)
      : { ...UNBOUNDED, notComputed: [UNADDED] };
  const byTable = new Map(known.without.map((one) => [one.table, one]));
  const tables = plan.tables.map((table, t): ExplainedTable => {
    const { option, shardingType, kernel, ranks, hbmBytes, hostBytes } = table;
    const { hotRows, hotShare, cacheLoadFactor, missRate } = table;
    const own = problem.tables[t]?.options.length ?? 0;
    return {
      ...{ name: table.name, option, options: own, shardingType, kernel, ranks },
      cost: problem.setCost === undefined ? table.cost : null,
      phases: phasesOf(model, t, table),
      ...{ hbmBytes, hostBytes, least: leastOfTable(problem, t) },
      // Hot rows and the size of a cache, where the plan chooses them.
      ...given({ hotRows, hotShare, cacheLoadFactor, missRate }),
      without: describeWithout(byTable.get(t), own, value),
    };
  });
  const devices = explainedDevices(problem, plan, plan.tables);
  const largest = devices.filter(({ isLargest }) => isLargest);
  const { method, status, objective, exact, digest } = plan;
  return {
    ...{ shardproof: 1, kind: "explanation", problem: "table-placement", instance: plan.instance },
    plan: { method, status, objective, exact, digest, ...spaceOf(plan) },
    request: { gap: plan.request.gap, timeLimitSeconds, seed },
    tables,
    devices,
    binding: {
      devices: largest.map(({ device }) => device),
      tables: [...new Set(largest.flatMap((one) => one.tables.map(({ name }) => name)))],
      ...memoryBinding(known, plan, value),
    },
    irreducible: irreducibleParts(tables, devices, nearest(value)),
    notComputed: known.notComputed,
    timing: { totalSeconds: Math.round(performance.now() - started) / 1000 },
    proofs: proofsOf(plan, known),
  };
}

interface Known {
  readonly without: readonly KnownWithout[];
  /** What is proved of all plans within the limits. */
  readonly own: Rational | null;
  /** What is known without limits of device memory; `null` where memory does not limit, or that was not looked into. */
  readonly memory: KnownOf | null;
  readonly notComputed: readonly NotComputed[];
}

const UNADDED: NotComputed = {
  what: "plans without an option",
  tables: [],
  reason: "what a device costs is no sum over its shards",
};

const UNBOUNDED: Known = { without: [], own: null, memory: null, notComputed: [] };

interface Explained {
  readonly problem: PlacementProblem;
  readonly placement: Placement;
  readonly plan: TablePlacementPlan;
}

async function boundsOf(explained: Explained, deadline: number, options: ExplainOptions): Promise<Known> {
  const { timeLimitSeconds = 60, workSeconds = timeLimitSeconds, seed = 0, shouldStop, onTable = () => {} } = options;
  const { problem, placement, plan } = explained;
  const left = () => Math.max(0, deadline - performance.now()) / 1000;
  const { ask } = WatchedStop.after(left(), shouldStop);
  const units = workSeconds * UNITS_PER_SECOND;
  const work = new Work(ask, units);
  const entries = estimatedEntries(problem);
  const gap = askedGap(plan.request.gap);
  const value = Rational.parse(plan.exact.value as string);
  // A published method's plan has no bound.
  const certificate = plan.certificate === null ? null : readCertificate(plan.certificate);
  let own = plan.exact.bound === null ? null : Rational.parse(plan.exact.bound);
  if (own === null && boundUnits(problem, entries) <= OWN_SHARE * units) {
    const unsearched = unsearchedBoundOf(problem, 0, value.toNumber());
    own = unsearched.bound;
    work.spend(unsearched.units);
  }
  const shared = { gap, seed, shouldStop: () => ask() };
  const mostUnits = MEMORY_SHARE * units - openingUnits(entries);
  const isMemoryLeft = mostUnits <= 0 && plan.memory.hbmBytesPerGpu !== null;
  const memory = isMemoryLeft
    ? NOTHING_KNOWN
    : mostUnits > 0 && problem.hbmBytes.some(Number.isFinite)
      ? await withoutMemoryLimit(explained, certificate, {
          ...{ ...shared, timeLimitSeconds: left(), mostUnits, workSeconds: mostUnits / UNITS_PER_SECOND },
        })
      : null;
  if (memory !== null) work.spend(memory.units + (isMemoryLeft ? 0 : openingUnits(entries)));
  const { known, unbounded, unsearched } = await boundsWithoutChoices(problem, placement, {
    ...{ ...shared, work, units: units - work.done, secondsLeft: left, entries },
    ...{ value, bound: own, onTable },
  });
  holdExplained(explained, { own, memory, without: known });
  const late = (what: string, tables: readonly number[]): NotComputed[] => {
    const names = tables.map((t) => problem.tables[t]?.name as string);
    return names.length === 0 ? [] : [{ what, tables: names, reason: LATE }];
  };
  const notComputed = [
    ...(isMemoryLeft ? [{ what: "whether memory binds", tables: [], reason: LATE }] : []),
    ...late("bounds beyond the plan's own for plans without the option", unbounded),
    ...late(
      "searches for plans without the option",
      unsearched.filter((t) => !unbounded.includes(t)),
    ),
  ];
  return { without: known, own, memory, notComputed };
}

/** The plan and those that were found without a choice, against all that was proved: of this problem, and of wider and narrower ones. */
function holdExplained(
  { problem, placement, plan }: Explained,
  known: Pick<Known, "own" | "memory" | "without">,
): void {
  const { own, memory, without } = known;
  const others = without.flatMap(({ table, known: { placement: found } }) =>
    found === null ? [] : [{ what: `the plan without the choice of ${problem.tables[table]?.name}`, plan: found }],
  );
  const found = memory?.placement ?? null;
  const free = found === null ? [] : [{ what: "the plan without limits of memory", plan: found }];
  const wide = withoutLimits(problem);
  const isKnown = ({ bound, isInfeasible }: KnownOf) => bound !== null || isInfeasible;
  holdAgainst(
    [{ what: "the plan", plan: placement }, ...others, ...free],
    [
      ...(own === null ? [] : [provedOf(problem, { bound: own, certificate: plan.certificate })]),
      ...(memory === null || !isKnown(memory) ? [] : [provedOf(wide, memory, "plans without limits of memory")]),
      ...without
        .filter((one) => isKnown(one.known))
        .map(({ table, known: one }) => {
          const proved = provedOf(problem, one, `plans without the choice of ${problem.tables[table]?.name}`);
          const isWithout = ({ choices }: Placement) => choices[table]?.option !== placement.choices[table]?.option;
          return { ...proved, worth: (other: Placement) => (isWithout(other) ? proved.worth(other) : null) };
        }),
    ],
  );
}

function withoutLimits(problem: PlacementProblem): PlacementProblem {
  return { ...problem, hbmBytes: problem.hbmBytes.map(() => Number.MAX_SAFE_INTEGER) };
}

const LATE = "no time was left";

/** Without limits of device memory; first whether the plan's own proof holds there too. */
async function withoutMemoryLimit(
  { problem, placement, plan }: Explained,
  certificate: Certificate | null,
  options: Parameters<typeof searchedOf>[1],
): Promise<KnownOf> {
  const wide = withoutLimits(problem);
  const isWhole = plan.proof?.ceiling === undefined;
  const isFirst = plan.second === null && !plan.stages && plan.exact.bound !== null && isWhole;
  const { mostUnits = Number.POSITIVE_INFINITY, shouldStop } = options;
  const checking = new Work(shouldStop, mostUnits);
  if (certificate !== null && isFirst) {
    const { program } = directProgram(wide);
    const each = entriesOf(program) * UNITS.bound;
    const same = certificateOn(program, certificate, () => checking.ask(each));
    const bound = Rational.parse(plan.exact.bound as string);
    if (same !== null) return { ...NOTHING_KNOWN, bound, certificate: same, units: checking.done };
  }
  const found = await searchedOf(wide, { ...options, mostUnits: mostUnits - checking.done, starts: [placement] });
  return { ...found, units: found.units + checking.done };
}

function memoryBinding(
  { memory, own }: Known,
  { exact, request }: TablePlacementPlan,
  value: Rational,
): Pick<PlacementExplanationFile["binding"], "memory" | "withoutLimit"> {
  if (memory === null) return { memory: "unlimited", withoutLimit: null };
  const { bound, value: found } = memory;
  const least = value.multiply(Rational.one.subtract(askedGap(request.gap)));
  // A plan that is not proved may be beaten within the limits too.
  const isBetter = found !== null && own !== null && found.compare(own) < 0 && found.compare(least) < 0;
  const isFree = bound !== null && (bound.compare(least) >= 0 || bound.toString() === exact.bound);
  return {
    memory: isBetter ? "binds" : isFree ? "free" : "open",
    withoutLimit: {
      bound: bound?.toNumberDown() ?? null,
      value: found === null ? null : nearest(found),
      exact: { bound: bound?.toString() ?? null, value: found?.toString() ?? null },
    },
  };
}

function describeWithout(one: KnownWithout | undefined, options: number, value: Rational): WithoutChoice {
  const nothing = { bound: null, above: null, value: null, gap: null, by: null, exact: { bound: null, value: null } };
  if (options === 1) return { ...nothing, kind: "only-option" };
  if (one === undefined) return { ...nothing, kind: "not-computed" };
  const { by } = one;
  const { bound, isInfeasible, value: found } = one.known;
  if (isInfeasible) return { ...nothing, kind: "none", by };
  const worth = found === null ? null : nearest(found);
  const exact = { bound: bound?.toString() ?? null, value: found?.toString() ?? null };
  if (bound === null) return { ...nothing, kind: "not-computed", value: worth, exact };
  return {
    kind: "bound",
    bound: bound.toNumberDown(),
    above: value.sign() === 0 ? null : bound.subtract(value).divide(value).toNumberDown(),
    value: worth,
    gap: found === null ? null : gapAbove(relativeGap(found, bound)),
    by,
    exact,
  };
}

/** What all shards of a table cost in each phase. */
function phasesOf({ phases }: PlacementModel, table: number, { option, ranks }: PlacementPlanTable) {
  if (phases === null) return null;
  const sums = PHASES.map(() => new DoubleSum());
  ranks.forEach((_, shard) => {
    phases(table, option, shard).forEach((cost, k) => {
      sums[k]?.add(cost);
    });
  });
  return Object.fromEntries(PHASES.map((phase, k) => [phase, nearest((sums[k] as DoubleSum).total())])) as Record<
    (typeof PHASES)[number],
    number
  >;
}

function proofsOf({ tables }: TablePlacementPlan, { without, memory }: Known): ExplanationProof[] {
  const proof = (table: string | null, { certificate, placement }: KnownOf): ExplanationProof[] =>
    certificate === null ? [] : [{ table, certificate, choices: placement && writtenChoices(placement) }];
  return [
    ...(memory === null ? [] : proof(null, memory)),
    ...without.flatMap(({ table, known }) => proof(tables[table]?.name as string, known)),
  ];
}
