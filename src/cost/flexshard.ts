import { Rational } from "../exact/rational.js";
import type { Collective } from "../instance/cluster.js";
import type { RowTiersInstance, RowTiersObjective, Tier } from "../instance/types/row-tiers.js";

/**
 * The FlexShard cost model (Sethi et al., MLSys 2023, tables 2 and 3), per row and in exact arithmetic.
 *
 * Symbols: U = nodes·gpusPerNode GPUs, W = gpusPerNode, B = batchPerGpu samples per GPU and iteration, κ =
 * replicaMemoryFactor; for a set of rows, R = Σ D·s bytes of parameters and S = Σ p·D·s bytes read per sample, with D
 * elements of s bytes per row and p the row's expected appearances in one sample. The model is linear in R and S:
 *
 * | tier | memory bytes per GPU | collective seconds per iteration |
 * |---|---|---|
 * | row_wise, column_wise | R/U + 2·B·S | allToAllGlobal 2·B·S / bw (forward and backward) |
 * | data_parallel | κ·R + B·S | allReduceGlobal R / bw (backward) |
 * | flex | κ·R/W + 2·B·S | allToAllIntra 2·B·S / bw (both passes), allReduceCross (R/W) / bw (backward) |
 *
 * Beside the paper's: `host` keeps rows in the nodes' host memories, sharded row-wise over the GPUs' shares of them
 * (RecShard's slow tier, ASPLOS 2022, read over the host link). A GPU holds only what it exchanges, 2·B·S; every node
 * holds R/nodes bytes; hostToDevice 2·B·S / bw (rows read in the forward pass, gradients written in the backward pass)
 * and then allToAllGlobal 2·B·S / bw, as row_wise.
 *
 * One printing of table 3 has E·D·s / ar_cross for Flex; the shard that a GPU all-reduces is R/W, as the times of table
 * 6 confirm. Column-wise differs from row-wise only in the distribution of input ids, which the objectives leave out.
 */
export interface TierCost {
  readonly tier: Tier;
  /** Bytes per GPU. */
  readonly memory: PerByte;
  /** Bytes of host memory per node. */
  readonly hostMemory: PerByte;
  readonly collectives: readonly CollectiveCost[];
}

/** Coefficients of R (bytes of parameters) and S (bytes read per sample). */
export interface PerByte {
  readonly parameters: Rational;
  readonly reads: Rational;
}

export interface CollectiveCost {
  readonly collective: Collective;
  /** Bytes that one GPU sends in all passes of an iteration. */
  readonly bytes: PerByte;
  /** `bytes` over the bandwidth. */
  readonly seconds: PerByte;
}

/** How often it runs in one iteration: all-to-alls and host transfers forward and backward, all-reduces backward only. */
export const PASSES: Readonly<Record<Collective, number>> = {
  allToAllGlobal: 2,
  allToAllIntra: 2,
  allReduceGlobal: 1,
  allReduceCross: 1,
  hostToDevice: 2,
};

/**
 * The collectives whose seconds each objective adds up; `channels` is the larger of two such sums (network and NVLink
 * side by side, each serially), the others have one.
 *
 * - `serial`: all collectives one after the other;
 * - `exposed`: the paper's reading, in which collectives inside a node and across nodes overlap with others;
 * - `channels`: max(allToAllGlobal + allReduceGlobal + allReduceCross, allToAllIntra).
 *
 * Transfers over the host link come before the all-to-all that needs them, and are added to it in each of the three.
 */
export const OBJECTIVE_SUMS: Readonly<Record<RowTiersObjective, readonly (readonly Collective[])[]>> = {
  serial: [["allToAllGlobal", "allToAllIntra", "allReduceGlobal", "allReduceCross", "hostToDevice"]],
  exposed: [["allToAllGlobal", "allReduceGlobal", "hostToDevice"]],
  channels: [["allToAllGlobal", "allReduceGlobal", "allReduceCross", "hostToDevice"], ["allToAllIntra"]],
};

/** Memory bytes per GPU of rows in a tier; needs no bandwidth. */
export function tierMemory({ cluster, training }: RowTiersInstance, tier: Tier): PerByte {
  const batch = Rational.fromNumber(training.batchPerGpu);
  const bothPasses = batch.multiply(Rational.of(2n));
  const replica = Rational.fromNumber(training.replicaMemoryFactor);
  const gpus = Rational.of(BigInt(cluster.nodes) * BigInt(cluster.gpusPerNode));
  const nodeGpus = Rational.of(BigInt(cluster.gpusPerNode));
  if (tier === "data_parallel") return { parameters: replica, reads: batch };
  if (tier === "flex") return { parameters: replica.divide(nodeGpus), reads: bothPasses };
  if (tier === "host") return { parameters: Rational.zero, reads: bothPasses };
  return { parameters: Rational.one.divide(gpus), reads: bothPasses };
}

/** Bytes of host memory per node of rows in a tier. */
export function tierHostMemory({ cluster }: RowTiersInstance, tier: Tier): PerByte {
  const perNode = Rational.of(1n, BigInt(cluster.nodes));
  return { parameters: tier === "host" ? perNode : Rational.zero, reads: Rational.zero };
}

/** The coefficients of each of the given tiers on the instance's cluster. Throws when a needed bandwidth is missing. */
export function tierCosts(instance: RowTiersInstance, tiers: readonly Tier[] = instance.tiers): readonly TierCost[] {
  const { cluster, training } = instance;
  const batch = Rational.fromNumber(training.batchPerGpu);
  const bothPasses = batch.multiply(Rational.of(2n));
  const perNodeGpu = Rational.of(1n, BigInt(cluster.gpusPerNode));
  const zero = Rational.zero;
  const moved = (collective: Collective, bytes: PerByte): CollectiveCost => {
    const bandwidth = cluster.bandwidth[collective];
    if (bandwidth === undefined) throw new RangeError(`cluster.bandwidth.${collective} is missing`);
    const rate = Rational.fromNumber(bandwidth);
    return {
      collective,
      bytes,
      seconds: { parameters: bytes.parameters.divide(rate), reads: bytes.reads.divide(rate) },
    };
  };
  const collectives: Record<Tier, () => readonly CollectiveCost[]> = {
    row_wise: () => [moved("allToAllGlobal", { parameters: zero, reads: bothPasses })],
    column_wise: () => collectives.row_wise(),
    data_parallel: () => [moved("allReduceGlobal", { parameters: Rational.one, reads: zero })],
    flex: () => [
      moved("allToAllIntra", { parameters: zero, reads: bothPasses }),
      moved("allReduceCross", { parameters: perNodeGpu, reads: zero }),
    ],
    host: () => [moved("hostToDevice", { parameters: zero, reads: bothPasses }), ...collectives.row_wise()],
  };
  return tiers.map((tier) => ({
    tier,
    memory: tierMemory(instance, tier),
    hostMemory: tierHostMemory(instance, tier),
    collectives: collectives[tier](),
  }));
}

/** Seconds of latency that a collective costs per iteration once it carries anything. */
export function latencySeconds(instance: RowTiersInstance, collective: Collective): Rational {
  return Rational.fromNumber(instance.cluster.latency[collective]).multiply(Rational.of(BigInt(PASSES[collective])));
}

/** Value of a pair of coefficients at R bytes of parameters and S bytes read per sample. */
export function atBytes(cost: PerByte, parameterBytes: Rational, readBytes: Rational): Rational {
  return cost.parameters.multiply(parameterBytes).add(cost.reads.multiply(readBytes));
}

/** Seconds of some of a tier's collectives, without latency. */
export function secondsPerByte({ collectives }: TierCost, counted: readonly Collective[]): PerByte {
  return collectives
    .filter(({ collective }) => counted.includes(collective))
    .reduce(
      (sum, { seconds }) => ({
        parameters: sum.parameters.add(seconds.parameters),
        reads: sum.reads.add(seconds.reads),
      }),
      { parameters: Rational.zero, reads: Rational.zero },
    );
}

/** Bytes per GPU that a plan may use; `rowWise`: what the all-row_wise plan uses. */
export function budgetAbove({ budget }: RowTiersInstance, rowWise: () => Rational): Rational {
  if (budget.kind === "bytesPerGpu") return Rational.fromNumber(budget.bytes);
  return budget.kind === "memory-neutral" ? rowWise() : rowWise().add(Rational.fromNumber(budget.bytes));
}

/** The objective of an instance from the seconds of its collectives. */
export function objectiveSeconds(
  objective: RowTiersObjective,
  seconds: Readonly<Record<Collective, Rational>>,
): Rational {
  const sums = OBJECTIVE_SUMS[objective].map((collectives) =>
    collectives.reduce((sum, collective) => sum.add(seconds[collective]), Rational.zero),
  );
  return sums.reduce((largest, sum) => (sum.compare(largest) > 0 ? sum : largest));
}
