import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import { Rational } from "../../../exact/rational.js";
import type { TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { ClusterLoad, Grouping } from "../../../program/grouping/grouping.js";
import type { TowerInfeasibility } from "./plan-file.js";
import { meanLoad } from "./tower-loads.js";

/** Digits behind the point of a loadRatio that is enough. */
const RATIO_SCALE = 1_000_000n;

/**
 * Why no partition fits, in words: more towers than features, sizes that no ratio allows, or loads: the fewest features
 * for which a short reason is found, or else the arrangement of all. Whatever the words, the proof is in the
 * certificate.
 *
 * `relaxed` is a partition that breaks the loads and nothing else; its heaviest tower shows what loadRatio is enough.
 * Throws `RangeError` when it breaks something else, or nothing.
 */
export function describeTowerInfeasibility(
  instance: TowerPartitionInstance,
  grouping: Grouping,
  relaxed: readonly number[] | null,
): TowerInfeasibility {
  const { elements, clusters, windows, load } = grouping;
  const nothing = { conflict: [], loadNeeded: null, loadAllowed: null, relaxed: null };
  if (clusters > elements.length) {
    const explanation = `${clusters} towers are more than the ${elements.length} ${elements.length === 1 ? "feature" : "features"}: some tower would be empty; lower towers to ${elements.length} or fewer`;
    return { ...nothing, kind: "towers", conflict: elements, explanation };
  }
  if (windows.length === 0) {
    const [least, most] = [Math.floor(elements.length / clusters), Math.ceil(elements.length / clusters)];
    const needed = Math.ceil((most / least) * 1000) / 1000;
    const explanation = `${elements.length} features in ${clusters} towers: the evenest sizes are ${least} and ${most}, and no sizes of a ratio of at most ${instance.sizeRatio} add up to ${elements.length}; raise sizeRatio to ${needed}, or set it to 1, which allows sizes that differ by one`;
    return { ...nothing, kind: "sizes", conflict: elements, explanation };
  }
  if (load === null) throw new RangeError("sizes fit and loads limit nothing: there is a partition");
  const enough = relaxed === null ? null : { loadRatio: enoughRatio(instance, grouping, relaxed), numbering: relaxed };
  const advice = enough === null ? "" : `; a loadRatio of ${enough.loadRatio} is enough`;
  const [first] = loadShortages(grouping);
  const shared = { loadAllowed: nearest(load.most), relaxed: enough };
  if (first === undefined) {
    const explanation = `every feature fits by itself, and no short reason was found; but no arrangement of all features keeps every tower within a load of ${load.most.toNumber()}${advice}`;
    return { ...shared, kind: "arrangement", conflict: elements, loadNeeded: null, explanation };
  }
  return {
    ...shared,
    kind: first.kind,
    conflict: first.features.map((feature) => elements[feature] as string),
    loadNeeded: nearest(first.needed),
    explanation: `${first.explanation}${advice}`,
  };
}

/** The loadRatio that a partition needs, rounded up to six digits behind the point. */
function enoughRatio(instance: TowerPartitionInstance, grouping: Grouping, relaxed: readonly number[]): number {
  const { load } = grouping;
  const [violation] = evaluateTowers({ ...grouping, load: null }, relaxed).violations;
  const { loads } = evaluateTowers(grouping, relaxed);
  if (load === null || loads === null || violation !== undefined) {
    throw new RangeError(`the relaxed plan is none: ${violation ?? "loads limit nothing"}`);
  }
  const heaviest = loads.reduce((most, own) => (own.compare(most) > 0 ? own : most));
  if (heaviest.compare(load.most) <= 0) throw new RangeError("the relaxed plan is none: it breaks nothing");
  const scaled = heaviest.divide(meanLoad(instance)).multiply(Rational.of(RATIO_SCALE));
  // ⌈x⌉ = −⌊−x⌋
  return Number(-scaled.negate().floor()) / Number(RATIO_SCALE);
}

/** A short reason why loads cannot be kept to. */
interface LoadShortage {
  readonly kind: "feature" | "company" | "crowding";
  /** The features that are too much, heaviest first. */
  readonly features: readonly number[];
  readonly needed: Rational;
  readonly explanation: string;
}

/**
 * The short reasons that hold, fewest features first: one feature by itself; one with the lightest others that the
 * least size of a tower puts beside it; of k · T + 1 features some tower gets k + 1, and the lightest k + 1 are too
 * much.
 */
export function loadShortages({ elements, clusters, windows, load }: Grouping): readonly LoadShortage[] {
  if (load === null) return [];
  const { weights, most } = load;
  const falling = [...weights.keys()].sort((a, b) => (weights[b] as Rational).compare(weights[a] as Rational) || a - b);
  const least = Math.min(...windows.map((window) => window.least));
  const heaviest = falling[0] as number;
  const named = (item: number) => JSON.stringify(elements[item]);
  const found: LoadShortage[] = [];
  const add = (kind: LoadShortage["kind"], conflict: readonly number[], counted: readonly number[], why: string) => {
    const needed = loadOf(load, counted);
    if (needed.compare(most) <= 0) return;
    const explanation = `${why} ${needed.toNumber()}, and a tower may carry ${most.toNumber()}`;
    found.push({ kind, features: conflict, needed, explanation });
  };
  add("feature", [heaviest], [heaviest], `the feature ${named(heaviest)} carries`);
  if (least > 1) {
    const company = [heaviest, ...falling.slice(1 - least)];
    const others = least === 2 ? "the lightest other one" : `the ${least - 1} lightest others`;
    const why = `a tower has at least ${least} features, so that ${named(heaviest)} is with others; with ${others} it carries`;
    add("company", company, company, why);
  }
  for (let k = 1; k * clusters < elements.length; k++) {
    const crowd = falling.slice(0, k * clusters + 1);
    const why = `of the ${crowd.length} heaviest features some tower gets at least ${k + 1}, because there are ${clusters} towers; the lightest ${k + 1} of them carry`;
    add("crowding", crowd, crowd.slice(-(k + 1)), why);
  }
  return found.sort((a, b) => a.features.length - b.features.length);
}

function loadOf({ weights }: ClusterLoad, items: readonly number[]): Rational {
  return items.reduce((sum, item) => sum.add(weights[item] as Rational), Rational.zero);
}
