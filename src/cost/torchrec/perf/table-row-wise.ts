import { exchangesBackward } from "../release.js";
import { collectiveBandwidth, intraGroupSize, intraGroups, type TorchrecCollective } from "../topology.js";
import type { PerfContext } from "./context.js";
import { BACKWARD, batchedCopy, type Evaluator, FORWARD, type Pass } from "./evaluator.js";
import { dividedSizes } from "./row-wise.js";

const sizes = dividedSizes(
  ({ topology, rowNodes }) => rowNodes * intraGroupSize(topology),
  ({ reduceScatterBytes }) => reduceScatterBytes,
);

/**
 * table_row_wise and grid_shard (estimator.py, `TableRowWiseEvaluator`): row_wise inside one group of ranks, and an
 * all-to-all between the groups. Over several nodes (torchrec#4681, whose description says that the communication keeps its
 * two stages; its estimator could not be read) rows and lookups divide among all their ranks, and nothing else differs.
 */
export const tableRowWise: Evaluator = {
  ...sizes,
  forwardComms: (context, _rows, dim) =>
    insideGroup(context, "reduce_scatter", sizes.outputBytes(context, dim, FORWARD)) +
    betweenGroups(context, dim, FORWARD),
  backwardComms: (context, _rows, dim) => {
    const bytes = sizes.outputBytes(context, dim, BACKWARD);
    return (
      betweenGroups(context, dim, BACKWARD) + insideGroup(context, "all_gather", bytes) + batchedCopy(context, bytes)
    );
  },
  distributesInput: true,
};

function insideGroup({ topology }: PerfContext, collective: TorchrecCollective, bytes: number): number {
  const group = intraGroupSize(topology);
  // A group of several hosts is charged the network between them.
  return bytes / collectiveBandwidth(topology, collective, group, Math.min(group, topology.localWorldSize));
}

function betweenGroups({ release, topology, outputs, allToAllBytes }: PerfContext, dim: number, pass: Pass): number {
  const groups = intraGroups(topology);
  if (groups === 1) return 0;
  if (!exchangesBackward(release)) {
    const { worldSize, localWorldSize, interHostBandwidth } = topology;
    const bytes = outputs * worldSize * dim * allToAllBytes[pass] * (localWorldSize / worldSize);
    return pass === BACKWARD ? 0 : bytes / interHostBandwidth;
  }
  return (outputs * groups * dim * allToAllBytes[pass]) / collectiveBandwidth(topology, "all_to_all", groups, 1);
}
