import type { OneGroup } from "../../instance/types/groups.js";
import type { TorchrecProblem } from "../torchrec/problem.js";
import { ringMilliseconds } from "../torchrec/replicas.js";

/** The problem of one group with what its copies in the other groups cost; without a group, the problem itself. */
export function withReplicas(problem: TorchrecProblem, group: OneGroup | undefined): TorchrecProblem {
  if (group === undefined) return problem;
  const { shape, choice, cluster } = group;
  const { intraHostBandwidth, interHostBandwidth } = problem.topology;
  const { intraHost, interHost } = choice.bandwidth;
  // Bandwidths are given per second, and TorchRec's are per millisecond.
  const links = {
    intraHost: intraHost === undefined ? intraHostBandwidth : intraHost / 1000,
    interHost: interHost === undefined ? interHostBandwidth : interHost / 1000,
  };
  return {
    ...problem,
    replicas: {
      copies: shape.copies,
      millisecondsPerByte: ringMilliseconds(shape, links) / choice.syncEvery,
      syncsOptimizerState: choice.syncsOptimizerState,
      isFullySharded: choice.isFullySharded,
      cluster: {
        ...problem.topology,
        worldSize: cluster.nodes * cluster.gpusPerNode,
        localWorldSize: cluster.gpusPerNode,
      },
    },
  };
}
