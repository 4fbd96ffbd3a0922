import type { TowerLabels } from "../../../../models/tower-partition/problem.js";
import { copyOf, indicesIn, type OwnDeciding } from "../../own-method.js";
import type { PreparedTowers } from "./plan.js";

/** Methods of one's own for tower partition. */
export const ownTowers: OwnDeciding<PreparedTowers, TowerLabels> = {
  given: ({ problem }) => copyOf(problem),
  decisionIn: (written) => indicesIn(written, "a tower for each feature, such as [0, 3, 1]"),
};
