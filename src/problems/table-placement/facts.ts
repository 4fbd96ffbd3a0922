import {
  amountAt,
  boundFacts,
  bytesAt,
  claimFacts,
  clusterFact,
  type Fact,
  fact,
  factsOf,
  type Goal,
  goalBound,
  goalGap,
  goalValue,
  methodFact,
  whyFact,
} from "../../facts/facts.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { baseName } from "../../text/base-name.js";
import { known } from "../../text/known.js";
import { gapText } from "../../text/optimality.js";
import { aside, faint, only, quantity, type Said, strong } from "../../text/said.js";
import { askedGapText, bytes, count, percent, roundedUp, significant, some } from "../../text/units.js";
import { goalUnitText, plainUnit } from "../../text/value-unit.js";
import { fullest } from "./fullest.js";
import type { PlacementPrice, StageFloor, TablePlacementPlan } from "./plan-file/plan-file.js";
import { worthFacts } from "./worth-facts.js";

/** Tables that moved listed by name. */
const MAX_MOVED = 8;

/** Tables that are too much together listed by name. */
const MAX_NAMED = 12;

const GOALS = {
  "largest-device-cost": "largest device cost",
  "sum-of-phase-maxima": "sum of phase maxima",
  sum: "sum of all devices",
  "second-largest": "second largest device",
  "largest-cost": "largest device cost",
  phases: "sum of phase maxima",
  "largest-hbm": "largest device memory",
  "largest-host": "largest host memory",
  "moved-bytes": "moved bytes",
  "moved-tables": "moved tables",
} as const;

/** A goal as people read it. */
export function goalName(kind: string): string {
  return known(GOALS, kind) ?? kind;
}

/** The first goal of a placement, in the unit of its costs. */
export function placementGoal({ objective: { value, bound, gap, unit } }: TablePlacementPlan): Goal {
  return { path: "objective", unit: goalUnitText(unit, value ?? 0), value, bound, gap };
}

/** The last goal that something was found of, by the least that was found: of a plan with one goal, that. */
export function lastGoal(plan: TablePlacementPlan): Goal & { readonly kind: string } {
  const last = plan.stages?.at(-1);
  if (last === undefined || last.best === null) return { ...placementGoal(plan), kind: plan.objective.kind };
  const { minimize: kind, best: value, bound, gap, unit } = last;
  return { path: `stages.${(plan.stages?.length ?? 0) - 1}`, unit: goalUnitText(unit, value), value, bound, gap, kind };
}

/** What is known of goals in order: each to its gap, within what those before it hold. */
export function stagesWords({ stages, request }: TablePlacementPlan): string {
  const all = stages ?? [];
  const open = all.flatMap((one, k) => (one.status === "proved" ? [] : [k + 1]));
  if (open.length > 0) {
    const which = `goal${open.length === 1 ? "" : "s"} ${open.join(", ")} of ${all.length}`;
    return `${which} not proved to the gap of ${askedGapText(request.gap)}; bounds are beside the goals`;
  }
  const widest = all.reduce((most, one) => ((one.gap ?? 0) > (most?.gap ?? 0) ? one : most), all[0]);
  const isClosed = all.every(({ exact: { best, bound } }) => best === bound);
  const words = isClosed
    ? "no plan is better"
    : `every goal is within ${widest === undefined ? "0" : gapText({ ...widest, value: widest.best })} of its optimum`;
  return `${words}, among the plans that keep to what the goals before it allow`;
}

/** What is known of a table-placement plan, or of why there is none. */
export function placementFacts(plan: TablePlacementPlan): readonly Fact[] {
  if (plan.infeasibility !== null) {
    return factsOf(largestGroupFact(plan), infeasibilityFacts(plan.infeasibility), leftOutFacts(plan));
  }
  if (plan.objective.value === null) return [];
  const goal = placementGoal(plan);
  const { unit } = goal;
  const isFirstOfTwo = plan.second !== null || (plan.stages?.length ?? 1) > 1;
  return factsOf(
    fact(goalName(plan.objective.kind), [strong(goalValue(goal)), only("terminal", besideLargest(plan, goal))]),
    // Of goals in order each has its own, beside it.
    plan.stages ? null : boundFacts(goal),
    groupFact(plan),
    phaseFacts(plan),
    secondFact(plan, goal),
    stageFacts(plan),
    moveFact(plan),
    migrationFacts(plan),
    memoryFacts(plan),
    optionFacts(plan),
    leftOutFacts(plan),
    plan.baseline.map((each, k) => methodFact(each, `baseline.${k}`, unit, { isFirstOfTwo })),
    priceFacts(plan, goal),
    claimFacts(plan.claim),
  );
}

/** How large the groups are, and how often their copies are made alike. */
function groupFact({ groups }: TablePlacementPlan): Fact | null {
  if (groups === undefined || groups.chosen === null) return null;
  const { chosen, devices, layout, syncEvery } = groups;
  const every = syncEvery === 1 ? "every iteration" : `every ${count(syncEvery)} iterations`;
  return fact("groups", `${count(devices / chosen)} of ${some(chosen, "GPU")}, ${layout}, synchronised ${every}`);
}

/** Where no size of groups has a plan, which of them the reason is about. */
function largestGroupFact({ groups }: TablePlacementPlan): Fact | null {
  const largest = groups?.sizes.at(-1);
  if (largest === undefined) return null;
  return fact("about", `groups of ${count(largest.size)}, whose devices hold the least of a copy`);
}

/** Which devices cost most, and what the others cost. */
function besideLargest({ objective, deviceCosts, stages }: TablePlacementPlan, { unit }: Goal): Said {
  if (stages && objective.kind !== "largest-device-cost" && objective.kind !== "sum-of-phase-maxima") return null;
  const costs = deviceCosts ?? [];
  const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const largest = costs.flatMap((cost, device) => (cost === most ? [device] : []));
  const where = objective.kind === "sum-of-phase-maxima" ? `largest device ${unit.text(most)}` : devicesText(largest);
  return aside(`(${where}; mean ${unit.text(mean)}, smallest ${unit.text(least)})`);
}

function devicesText(devices: readonly number[]): string {
  if (devices.length === 1) return `device ${devices[0]}`;
  return devices.length <= 4 ? `devices ${devices.join(", ")}` : `${count(devices.length)} devices`;
}

function phaseFacts({ phases, stages, objective }: TablePlacementPlan): readonly Fact[] {
  const unit = plainUnit(stages?.find(({ minimize }) => minimize === "phases")?.unit ?? objective.unit);
  return (phases ?? []).map(({ phase, cost, device }, k) => {
    const own = quantity(`phases.${k}.cost`, cost, cost === 0 ? "0" : unit.text(cost));
    return fact(`  ${phase}`, [own, cost === 0 ? null : aside(`(device ${device})`)]);
  });
}

/** The second goal, which is proved on its own. */
function secondFact({ second }: TablePlacementPlan, { unit }: Goal): Fact | null {
  if (second === null) return null;
  const { value, bound, gap } = second;
  const goal: Goal = { path: "second", unit, value, bound, gap };
  const proof = second.status === null ? "not proved" : ["proved bound ", goalBound(goal), only("page", goalGap(goal))];
  return fact(`then ${goalName(second.goal)}`, [goalValue(goal), aside("(", proof, ")")]);
}

/** Goals in order: what the plan has of each, what was proved, what is allowed, and what binds it. */
function stageFacts({ stages }: TablePlacementPlan): readonly Fact[] {
  return (stages ?? []).flatMap(({ minimize, allow, unit: name, value, best, bound, gap, most, floor }, k): Fact[] => {
    const path = `stages.${k}`;
    const unit = goalUnitText(name, best ?? value);
    const stage = `goal ${k + 1}`;
    const own = [`${goalName(minimize)} `, amountAt(`${path}.value`, value, unit)];
    if (best === null || bound === null || gap === null) return [fact(stage, [...own, aside("(not proved)")])];
    const goal: Goal = { path, unit, value: best, bound, gap };
    const least = best === value ? null : ["; least found ", amountAt(`${path}.best`, best, unit)];
    const held =
      allow === "0" || most === null ? null : [`; ${allow} more allowed, up to `, amountAt(`${path}.most`, most, unit)];
    const proof = aside("(proved bound ", goalBound(goal), goalGap(goal), least, held, ")");
    const floorFact = floor === null ? [] : [fact(`  floor ${k + 1}`, floorText(floor, path, name))];
    return [fact(stage, [...own, proof]), ...floorFact];
  });
}

function floorText({ kind, value, words, devices }: StageFloor, path: string, unit: string | null): Said {
  const amount = amountAt(`${path}.floor.value`, value, goalUnitText(unit, value));
  const where = devices.length === 0 ? "" : ` (most is on ${devicesText(devices)})`;
  if (kind === "nothing") return words;
  return kind === "limits" ? `${words}${where}` : [amount, `: ${words}${where}`];
}

function moveFact({ moves }: TablePlacementPlan): Fact | null {
  if (moves === null) return null;
  const { moved, mostMoved } = moves;
  const limit = quantity("moves.mostMoved", mostMoved, count(mostMoved));
  const names = moved.length === 0 ? "" : `: ${listed(moved, MAX_MOVED)}`;
  return fact("moved", [`${count(moved.length)} of at most `, limit, ` tables${names}`]);
}

/** What it takes to come to the plan, and whether it is worth it. */
function migrationFacts({ migration, moves }: TablePlacementPlan): readonly Fact[] {
  if (migration === undefined) return [];
  const { bytes: moved, tables, seconds, worth } = migration;
  const link = (key: "host" | "inside" | "between", name: string): Said =>
    moved[key] === 0 ? null : [", ", bytesAt(`migration.bytes.${key}`, moved[key]), ` ${name}`];
  const links = [link("inside", "inside hosts"), link("between", "between hosts"), link("host", "from host memory")];
  const time = seconds === null ? "not known: no bandwidth (cluster.bandwidth)" : `${significant(seconds, 4)} s`;
  return factsOf(
    fact("bytes moved", [bytesAt("migration.bytes.received", moved.received), ...links]),
    moves !== null || tables === undefined
      ? null
      : fact("tables moved", quantity("migration.tables", tables, count(tables))),
    moved.received === 0 ? null : fact("seconds of moving", seconds === null ? time : `at least ${time}`),
    worthFacts(worth),
  );
}

/** The devices that are fullest, of their own memory, of their hosts' and of their SSDs. */
function memoryFacts({ memory, deviceBytes }: TablePlacementPlan): readonly Fact[] {
  const { hbmBytesPerGpu, hostIsPooled, hostBytesPerGpu, deviceHostBytes, ssdBytesPerGpu, deviceSsdBytes } = memory;
  const fullestFact = (
    name: string,
    [path, used]: readonly [string, readonly number[] | null | undefined],
    [limitPath, limits]: readonly [string, readonly number[] | null | undefined],
    withShare = false,
  ): Fact | null => {
    if (!used || !limits) return null;
    const { device, share, text } = fullest([path, used], [limitPath, limits]);
    return fact(name, [text, ` (device ${device}${withShare ? `, ${percent(share)}` : ""})`]);
  };
  const host = hostIsPooled ? null : deviceHostBytes;
  return factsOf(
    fullestFact("fullest device", ["deviceBytes", deviceBytes], ["memory.hbmBytesPerGpu", hbmBytesPerGpu], true),
    fullestFact("fullest host part", ["memory.deviceHostBytes", host], ["memory.hostBytesPerGpu", hostBytesPerGpu]),
    fullestFact("fullest SSD", ["memory.deviceSsdBytes", deviceSsdBytes], ["memory.ssdBytesPerGpu", ssdBytesPerGpu]),
  );
}

/** How many tables take each way to be sharded, unless all take the only one there is: a chart of the page. */
function optionFacts({ tables }: TablePlacementPlan): readonly Fact[] {
  const numbers = new Map<string, number>();
  for (const { shardingType, kernel } of tables) {
    const name = `${shardingType} ${kernel}`;
    numbers.set(name, (numbers.get(name) ?? 0) + 1);
  }
  const parts = [...numbers].sort(([, a], [, b]) => b - a).map(([name, number]) => `${name} ${count(number)}`);
  const isPlain = numbers.size === 1 && numbers.has("table_wise fused");
  return factsOf(
    isPlain ? null : fact("options", parts.join(", "), "terminal"),
    chosenFact("hot rows", tables, "hotRows", (rows) => count(rows)),
    chosenFact("caches", tables, "cacheLoadFactor", percent),
  );
}

/** A number that is chosen for some tables, table by table. */
function chosenFact(
  name: string,
  tables: TablePlacementPlan["tables"],
  key: "hotRows" | "cacheLoadFactor",
  text: (number: number) => string,
): Fact | null {
  const chosen = tables.flatMap((table) => {
    const number = table[key];
    return number === undefined ? [] : [`${table.name} ${text(number)}`];
  });
  return chosen.length === 0 ? null : fact(name, listed(chosen, MAX_MOVED));
}

/** What more memory and one more device would do, as far as anything is known of it. */
function priceFacts({ prices }: TablePlacementPlan, goal: Goal): readonly Fact[] {
  if (prices === null) return [];
  const device = prices.device.change.startsWith("one more node") ? "one more node" : "one more device";
  const priceFact = (name: string, key: keyof typeof prices) => {
    const { value, bound, rate } = prices[key];
    const isKnown = value !== null || bound !== undefined || (rate ?? 0) !== 0;
    return isKnown ? fact(name, priceText(prices[key], `prices.${key}`, goal)) : null;
  };
  return factsOf(priceFact("1 GiB more per GPU", "gibPerGpu"), priceFact(device, "device"));
}

function priceText(price: PlacementPrice, path: string, goal: Goal): Said {
  const { rate, value, difference, bound, reason, proof } = price;
  const { unit } = goal;
  const less = (by: number) => (by === 0 ? "unchanged" : [quantity(`${path}.rate`, by, unit.text(-by)), " less"]);
  const pooled = rate === null ? null : ["; pooled bound ", less(rate)];
  if (bound !== undefined)
    return [atMostLess(bound, path, goal), proof === undefined ? ", not proved" : ", proved", pooled];
  if (value === null || difference === null) return [faint(`not known: ${reason ?? ""}`), pooled];
  const proved = proof === undefined ? ", not proved" : ", proved";
  if (difference === 0) return [`changes nothing${proof === undefined ? proved : ""}`, pooled];
  const by = quantity(`${path}.difference`, difference, unit.text(Math.abs(difference)));
  const share = goal.value ? ` (${percent(Math.abs(difference) / goal.value)})` : "";
  return [by, difference < 0 ? " less" : " more", share, proved, pooled];
}

/** What a bound leaves of the plan's own value. */
function atMostLess(bound: number, path: string, { value, unit }: Goal): Said {
  const less = Math.max(0, (value ?? 0) - bound);
  // Shown as no less than it is.
  const text = less === 0 ? unit.text(0) : unit.text(roundedUp(less, 6));
  return ["at most ", quantity(`${path}.bound`, bound, text), ` less${value ? ` (${percent(less / value)})` : ""}`];
}

function infeasibilityFacts(infeasibility: NonNullable<TablePlacementPlan["infeasibility"]>): readonly Fact[] {
  const { kind, bytesNeeded, bytesAvailable, relaxed, conflict, memory } = infeasibility;
  const { leastExtraBytesPerDevice: least } = infeasibility;
  const at = (path: string, value: number) => bytesAt(`infeasibility.${path}`, value);
  /** All digits, where the unit has left some out. */
  const all = (value: number) => (value < 1024 ? "" : ` (${count(value)} B)`);
  const extra = relaxed?.extraBytesPerDevice ?? null;
  const too = conflict.length === 1 ? "too much by itself" : "too much together";
  return factsOf(
    whyFact(infeasibility.explanation),
    ...(bytesNeeded === null || bytesAvailable === null
      ? []
      : [
          fact("needed", [strong(at("bytesNeeded", bytesNeeded)), ` of ${memory} memory`, all(bytesNeeded)]),
          fact("there", [at("bytesAvailable", bytesAvailable), all(bytesAvailable)]),
        ]),
    least === null
      ? null
      : fact("every device needs", ["at least ", at("leastExtraBytesPerDevice", least), " more", all(least)]),
    extra === null
      ? null
      : fact("enough", [at("relaxed.extraBytesPerDevice", extra), " more on every device", all(extra)]),
    fact(kind === "rule" ? "cannot be run" : too, listed(conflict, MAX_NAMED), "page"),
  );
}

function leftOutFacts({ leftOut = [], notes = [] }: TablePlacementPlan): readonly Fact[] {
  return factsOf(
    leftOut.map((one) => fact("left out", leftOutText(one))),
    notes.map((said) => fact("note", said)),
  );
}

/** Options that a search was without: how many, whose and why. */
export function leftOutText({ options, tables, reason }: NonNullable<TablePlacementPlan["leftOut"]>[number]): string {
  return `${some(options, "option")} of ${listed(tables, MAX_MOVED)}: ${reason}`;
}

/** The end of a sentence about all plans, where they are not all. */
export function amongText({
  leftOut = [],
  runnable,
  groups,
}: Pick<TablePlacementPlan, "leftOut" | "runnable" | "groups">): string {
  const sizes = groups === undefined ? "" : ` with groups of ${sizesText(groups)} devices`;
  // What cannot be run is no option of anybody's, unless some that cannot are among those that are left.
  const options = leftOut.reduce((sum, one) => sum + (one.rule && runnable !== false ? 0 : one.options), 0);
  const among = options === 0 ? sizes : `${sizes} among those without the ${some(options, "option")} left out`;
  if (runnable !== false) return among;
  if (options > 0) return `${among} (whether or not TorchRec can run them)`;
  return `${sizes} among those that TorchRec's estimators price (whether or not it can run them)`;
}

/** The sizes, in the middle of a sentence. */
function sizesText({ sizes }: NonNullable<TablePlacementPlan["groups"]>): string {
  const names = sizes.map(({ size }) => String(size));
  const last = names.pop() as string;
  return names.length === 0 ? last : `${names.join(", ")} or ${last}`;
}

function listed(names: readonly string[], most: number): string {
  const more = names.length > most ? [`… ${count(names.length - most)} more`] : [];
  return [...names.slice(0, most), ...more].join(", ");
}

/** What an instance says of itself: its size, and what it asks for. */
export function placementInstanceFacts(instance: TablePlacementInstance): readonly Fact[] {
  const { cluster, costModel, tables, together, apart } = instance;
  const limits = cluster.hbmBytesPerGpu;
  const low = (limits ?? []).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = (limits ?? []).reduce((a, b) => Math.max(a, b), 0);
  const memory = low === high ? bytes(low) : `${bytes(low)} to ${bytes(high)}`;
  const pinned = tables.filter(({ devices }) => devices !== null);
  const number = (name: string, { length }: readonly unknown[], of: string) =>
    length === 0 ? null : fact(name, `${count(length)} ${of}`);
  return factsOf(
    clusterFact(cluster),
    fact("memory", limits === null ? "not limited" : `${memory} per GPU`),
    fact("tables", count(tables.length)),
    fact("cost model", costModel.kind === "neural" ? `learned (${baseName(costModel.file)})` : costModel.kind),
    number("pinned", pinned, "tables"),
    number("together", together, "groups of tables"),
    number("apart", apart, "groups of tables"),
  );
}
