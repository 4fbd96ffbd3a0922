import type { PlacementEvaluation } from "../../../../models/table-placement/evaluate.js";
import {
  deviceCount,
  goalParts,
  type Placement,
  type PlacementOption,
  type PlacementProblem,
  type ShardNeed,
  type StageGoal,
} from "../../../../models/table-placement/problem.js";
import type { Held } from "../../../../models/table-placement/stages.js";
import type { StageFloor } from "./plan-file.js";

/** From this share of the value on a simple bound is what binds it. */
const REACHED = 0.999;

/** Values of doubles that are the same may be so far apart. */
const ROUNDED = 1e-9;

/** A device is at a limit from this share of it on. */
const TIGHT = 0.999;

/** Limits and devices listed by number. */
const MAX_NAMED = 3;

/**
 * What keeps a goal from being less, where `value` is what the stage came to: one shard that no option of its table makes
 * smaller, the mean of what all tables come to at least, or else the limits that the placement is at. Options with a shard of
 * more than the value are in no plan that is as good; a mean without them is no less.
 */
export function floorOf(
  problem: PlacementProblem,
  goal: StageGoal,
  { placement, evaluation, value, held }: StageResult,
): StageFloor {
  const byLimits = (least: number, devices: readonly number[] = []): StageFloor => {
    return { kind: "limits", table: null, devices, value: least, words: limitWords(problem, evaluation, held, goal) };
  };
  if (goal === "moved-tables" || goal === "moved-bytes") {
    if (value > 0) return byLimits(0);
    return { kind: "nothing", table: null, devices: [], value: 0, words: "nothing has to move" };
  }
  const read = readerOf(goal);
  const isSum = goal === "sum" || goal === "second-largest";
  const most = isSum ? Number.POSITIVE_INFINITY : value * (1 + ROUNDED);
  const leasts = problem.tables.map(({ options }) => leastOf(options, read, most));
  const total = leasts.reduce((sum, { total: own }) => sum + own, 0);
  if (goal === "sum") {
    if (value <= total / REACHED) return { kind: "total", table: null, devices: [], value: total, words: CHEAPEST };
    return byLimits(total);
  }
  const pools = problem.hostIsPooled && goal === "largest-host" ? problem.nodes : deviceCount(problem);
  const mean = total / pools;
  const shard = leasts.reduce((best, { largest }, t) => (largest > (leasts[best]?.largest ?? 0) ? t : best), 0);
  const largest = leasts[shard]?.largest ?? 0;
  if (goal === "second-largest") return byLimits(0);
  const devices = devicesAt(problem, placement, read);
  if (largest >= REACHED * value) {
    const table = problem.tables[shard]?.name as string;
    const words = `one shard of table ${table}: none of its options has a smaller largest shard`;
    return { kind: "shard", table, devices, value: largest, words };
  }
  if (mean >= REACHED * value) {
    const isAsIs = leasts.every(({ isWhole }) => isWhole);
    const cut = isAsIs ? "" : ", of options with no shard above it";
    const words = `the mean: every table at its least${cut}, spread evenly over all devices`;
    return { kind: "mean", table: null, devices: [], value: mean, words };
  }
  return byLimits(Math.max(largest, mean), devices);
}

const CHEAPEST = "every table has the option that costs least";

/** What a stage came to. */
export interface StageResult {
  readonly placement: Placement;
  readonly evaluation: PlacementEvaluation;
  readonly value: number;
  readonly held: readonly Held[];
}

type Reader = (need: ShardNeed) => number;

function readerOf(goal: StageGoal): Reader {
  if (goal === "largest-hbm") return ({ hbmBytes }) => hbmBytes;
  if (goal === "largest-host") return ({ hostBytes }) => hostBytes;
  if (goal === "phases") return (need) => goalParts({ goal }, need).reduce((sum, cost) => sum + cost, 0);
  return ({ cost }) => cost;
}

/** What no option of a table avoids, of those without a shard of more than `most`: on some device, and on all together. */
function leastOf(options: readonly PlacementOption[], read: Reader, most: number): Least {
  const own = options.map(({ shards }) => ({
    largest: shards.reduce((largest, need) => Math.max(largest, read(need)), 0),
    total: shards.reduce((sum, need) => sum + read(need), 0),
  }));
  const within = own.filter(({ largest }) => largest <= most);
  const least = Math.min(...own.map(({ total }) => total));
  const total = Math.min(...within.map((one) => one.total));
  return { largest: Math.min(...own.map(({ largest }) => largest)), total, isWhole: total === least };
}

interface Least {
  readonly largest: number;
  readonly total: number;
  /** Whether no option of a smaller total was left out. */
  readonly isWhole: boolean;
}

/** The devices that have most of it. */
function devicesAt(problem: PlacementProblem, { choices }: Placement, read: Reader): number[] {
  const sums = new Array<number>(deviceCount(problem)).fill(0);
  choices.forEach(({ option, devices }, t) => {
    devices.forEach((device, k) => {
      const need = problem.tables[t]?.options[option]?.shards[k] as ShardNeed;
      sums[device] = (sums[device] as number) + read(need);
    });
  });
  const most = sums.reduce((a, b) => Math.max(a, b), 0);
  return [...sums.keys()].filter((d) => (sums[d] as number) >= TIGHT * most).slice(0, MAX_NAMED);
}

const NAMES: Readonly<Record<StageGoal, string>> = {
  "largest-cost": "largest device cost",
  phases: "sum of phase maxima",
  "largest-hbm": "largest device memory",
  "largest-host": "largest host memory",
  "second-largest": "second largest device cost",
  sum: "sum of costs",
  "moved-bytes": "sum of moved bytes",
  "moved-tables": "number of moved tables",
};

/** The limits that a placement is at; where it is at none, how shards fall together. */
function limitWords(
  problem: PlacementProblem,
  { deviceCosts, hbmBytes }: PlacementEvaluation,
  held: readonly Held[],
  goal: StageGoal,
): string {
  const tight: string[] = [];
  for (const { goal: one, most } of held) {
    const cap = most.toNumber();
    if (one !== "largest-cost") tight.push(`the ${NAMES[one]} that is held`);
    else {
      const at = deviceCosts.filter((cost) => cost.toNumber() >= TIGHT * cap).length;
      if (at > 0)
        tight.push(`the largest device cost that is held, which ${at} of ${deviceCosts.length} devices are at`);
    }
  }
  const full = [...hbmBytes.keys()].filter((d) => {
    const limit = problem.hbmBytes[d] as number;
    return limit > 0 && goal !== "largest-hbm" && (hbmBytes[d] as number) >= TIGHT * limit;
  });
  const named = full.slice(0, MAX_NAMED).join(", ");
  if (full.length > 0)
    tight.push(`the memory of device${full.length === 1 ? "" : "s"} ${named}${full.length > MAX_NAMED ? ", …" : ""}`);
  if (tight.length === 0) return "how whole shards fall together on the devices";
  return tight.join("; ");
}
