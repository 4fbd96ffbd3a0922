import { towerPlacementProblem } from "../../../../models/joint-towers/placement-problem.js";
import type { TowerShape } from "../../../../models/joint-towers/setting.js";
import { Rational } from "../../../exact/rational.js";
import type { TowerJoint, TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { checkedProof } from "../../table-placement/plan-file/checked-proof.js";
import type { WrittenUnplaceable } from "./plan-file.js";
import type { UnplaceableParts } from "./row.js";

/** The indices of named features. Throws `RangeError` unless they are features of the instance, each once, in its order. */
export function indicesOf(
  { features }: Pick<WrittenUnplaceable, "features">,
  { features: names }: TowerPartitionInstance,
): readonly number[] {
  const indices = features.map((feature) => {
    const index = names.indexOf(feature);
    if (index === -1) throw new RangeError(`the instance has no feature ${JSON.stringify(feature)}`);
    return index;
  });
  if (indices.some((feature, k) => k > 0 && feature <= (indices[k - 1] as number))) {
    throw new RangeError("features without a place are named once each, in the order of the instance");
  }
  return indices;
}

/**
 * Features that a plan file says have no place together; the proof is checked on their placement, built anew. Throws as
 * {@link indicesOf} does, and `CertificateError` where the proof does not hold.
 */
export function unplaceableOf(
  written: WrittenUnplaceable,
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  { hostsPerTower }: TowerShape,
): UnplaceableParts {
  const indices = indicesOf(written, instance);
  const problem = towerPlacementProblem(joint, instance.name, indices, instance.features, hostsPerTower);
  // Without a point there is no other verdict than that there is none.
  return { features: indices, ...checkedProof(problem, written, null, Rational.zero) };
}
