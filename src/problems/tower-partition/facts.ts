import {
  amountAt,
  boundFacts,
  claimFacts,
  type Fact,
  fact,
  factsOf,
  type Goal,
  goalValue,
  methodFact,
  whyFact,
} from "../../facts/facts.js";
import { goalTile, proofTile, rivalTiles, type Tile } from "../../facts/tiles.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { known } from "../../text/known.js";
import { answerIn } from "../../text/optimality.js";
import { aside, only, quantity, type Said, strong } from "../../text/said.js";
import { count, percent, some } from "../../text/units.js";
import { plainUnit } from "../../text/value-unit.js";
import type { TowerBaseline, TowerPartitionPlan } from "./plan-file/plan-file.js";

/** What is minimised, as people read it. */
const OBJECTIVES = {
  pairwise: "distances inside towers",
  kmeans: "sum of squares in towers",
} as const;

const UNIT = plainUnit(null);

export function towerObjective(kind: string): string {
  return known(OBJECTIVES, kind) ?? kind;
}

/** What the towers come to, in squares or sums of distances, which have no unit. */
export function towerGoal({ objective: { value, bound, gap } }: Pick<TowerPartitionPlan, "objective">): Goal {
  return { path: "objective", unit: UNIT, value, bound, gap };
}

/** What is known of a partition into towers, or of why there is none; what was `chosen` with it follows its loads. */
export function towerFacts(plan: TowerPartitionPlan, chosen: readonly Fact[] = []): readonly Fact[] {
  if (plan.infeasibility !== null) return infeasibilityFacts(plan.infeasibility);
  if (plan.objective.value === null) return [];
  const goal = towerGoal(plan);
  const { sizes, limits } = plan;
  return factsOf(
    fact(towerObjective(plan.objective.kind), strong(goalValue(goal))),
    boundFacts(goal),
    randomFact(plan),
    fact("sizes", [rangeText(sizes ?? []), aside(`(${sizesAllowed(limits.sizes)})`)], "terminal"),
    loadFact(plan),
    chosen,
    plan.baseline.map((each, k) => methodFact(each, `baseline.${k}`, UNIT, { more: besideBaseline(each, k) })),
    claimFacts(plan.claim),
  );
}

/** What is said of a partition into towers in large type. */
export function towerTiles(plan: TowerPartitionPlan): readonly Tile[] {
  const { objective, baseline, sizes, loads, limits } = plan;
  const goal = towerGoal(plan);
  const proof = proofTile(answerIn(plan), goal);
  if (objective.value === null || sizes === null) return [proof];
  const heaviest = (loads ?? []).reduce((best, each, t) => (each > (loads?.[best] ?? 0) ? t : best), 0);
  const load: readonly Tile[] =
    loads === null || limits.load === null
      ? []
      : [
          {
            name: "load of the heaviest tower",
            value: amountAt(`loads.${heaviest}`, loads[heaviest] ?? 0, UNIT),
            beside: ["of ", amountAt("limits.load.most", limits.load.most, UNIT), " allowed"],
          },
        ];
  const size = { name: "features per tower", value: rangeText(sizes), beside: `in ${some(sizes.length, "tower")}` };
  return [
    goalTile(goal, towerObjective(objective.kind)),
    ...rivalTiles(goal, baseline, "baseline"),
    proof,
    ...(load.length > 0 ? load : [size]),
  ];
}

function randomFact({ random, status }: TowerPartitionPlan): Fact | null {
  if (random === null) return null;
  const share = status === "proved" ? null : capturedText(random.capturedShare, "random.capturedShare");
  const captured = share === null ? null : ["; the plan ", share];
  return fact("random partition", [amountAt("random.value", random.value, UNIT), captured]);
}

function besideBaseline({ aboveBound, capturedShare }: TowerBaseline, k: number): Said {
  const share = aboveBound === 0 ? null : capturedText(capturedShare, `baseline.${k}.capturedShare`);
  return share === null ? null : [", ", share];
}

/** How much of the way from a random partition to the optimum is gone. */
function capturedText(share: number | null, path: string): Said {
  if (share === null) return null;
  return share < 0
    ? quantity(path, share, "worse than random")
    : ["captures ", quantity(path, share, percent(share)), only("page", " of the way from random")];
}

/** `6 … 7`, or one number where all are alike. */
export function rangeText(numbers: readonly number[], text: (value: number) => string = String): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? text(least) : `${text(least)} … ${text(most)}`;
}

function sizesAllowed(windows: TowerPartitionPlan["limits"]["sizes"]): string {
  const texts = windows.map((window) => rangeText(window));
  return `allowed: ${texts.length > 4 ? `${texts.slice(0, 3).join(", ")}, … ${texts.at(-1)}` : texts.join(", or ")}`;
}

function loadFact({ loads, limits: { load } }: TowerPartitionPlan): Fact | null {
  if (loads === null) return null;
  if (load === null) return fact("loads", rangeText(loads, UNIT.text), "terminal");
  const heaviest = loads.reduce((best, each, tower) => (each > (loads[best] ?? 0) ? tower : best), 0);
  const own = amountAt(`loads.${heaviest}`, loads[heaviest] ?? 0, UNIT);
  const where = ` (tower ${heaviest}; ${load.ratio} times the mean is allowed)`;
  return fact("heaviest tower", [own, " of ", amountAt("limits.load.most", load.most, UNIT), where]);
}

function infeasibilityFacts(infeasibility: NonNullable<TowerPartitionPlan["infeasibility"]>): readonly Fact[] {
  const { loadNeeded, loadAllowed, relaxed, conflict, explanation } = infeasibility;
  const at = (path: string, value: number, text = UNIT.text(value)) => quantity(`infeasibility.${path}`, value, text);
  const ratio = relaxed?.loadRatio ?? null;
  return factsOf(
    whyFact(explanation),
    loadNeeded === null ? null : fact("load needed", strong(at("loadNeeded", loadNeeded))),
    loadAllowed === null ? null : fact("load allowed", at("loadAllowed", loadAllowed)),
    ratio === null ? null : fact("enough", ["loadRatio ", at("relaxed.loadRatio", ratio, String(ratio))]),
    conflict.length === 0 ? null : fact("the features", conflict.join(", "), "page"),
  );
}

/** What an instance says of itself: its size, and what it asks for. */
export function towerInstanceFacts({ features, towers, load }: TowerPartitionInstance): readonly Fact[] {
  const ratio = load?.ratio ?? null;
  const loads = ratio === null ? "told, not limited" : `at most ${ratio} times the mean`;
  return factsOf(
    fact("features", `${count(features.length)} in ${count(towers)} towers`),
    load === null ? null : fact("loads", loads),
  );
}
