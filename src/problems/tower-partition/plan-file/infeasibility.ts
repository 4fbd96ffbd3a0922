import { evaluateTowers } from "../../../../models/tower-partition/evaluate.js";
import { Rational } from "../../../exact/rational.js";
import type { TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { nearest } from "../../../plan-file/rounding.js";
import type { Grouping } from "../../../program/grouping/grouping.js";
import { loadShortages } from "./load-shortages.js";
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
