import { Rational } from "../../../exact/rational.js";
import type { RowTiersInstance } from "../../../instance/types/row-tiers.js";
import type { RowTiersHeuristic } from "./heuristic.js";
import { cutAtRows, type MergedUnits, rowsBefore } from "./merged-units.js";
import { inSegments } from "./segments.js";

/** p_dup: how often a row may be duplicated in a sample when all GPUs are in one node; HugeCTR's default. */
const DUPLICATION_PROBABILITY = 0.01;

/**
 * HugeCTR's hybrid embedding (NVIDIA Merlin): "frequent" rows are replicated and all-reduced, the others exchanged.
 *
 * HugeCTR counts each row over I iterations of a global batch of N·M samples (N GPUs, M samples each) and calls it
 * frequent from a threshold on: several nodes, count ≥ I·N·(B_a2a/B_ar)·η·N/(N − 1); one node, count ≥
 * N·M·I·√(2·p_dup/(M·(M − 1))), which keeps duplicates within a GPU's batch rare. An instance has the expected count
 * itself, p·N·M·I, so that I and N fall out:
 *
 * - several nodes: p ≥ (B_a2a/B_ar)·η·N / (M·(N − 1)), with B_a2a = allToAllGlobal and B_ar = allReduceGlobal;
 * - one node: p ≥ √(2·p_dup/(M·(M − 1))); with M ≤ 1 no row is frequent.
 *
 * The number of frequent rows is rounded up to a multiple of N (at most all rows) over all tables merged, and then to
 * whole blocks where the granularity is above 1. Frequent rows are data_parallel, the rest row_wise. There is no memory
 * constraint: the plan may be over the budget. η = 1 and p_dup = 0.01, its defaults.
 *
 * Needs the tiers data_parallel and row_wise.
 */
export const hugectrThreshold: RowTiersHeuristic = inSegments(["data_parallel", "row_wise"], ({ instance, units }) => {
  const threshold = frequentFrom(instance);
  let span = 0;
  while (span < units.units.length && isFrequent(units, span, threshold)) span++;
  const gpus = BigInt(instance.cluster.nodes) * BigInt(instance.cluster.gpusPerNode);
  const frequent = rowsBefore(units, { span, units: 0 });
  return { cuts: [cutAtRows(units, ((frequent + gpus - 1n) / gpus) * gpus)] };
});

/** Expected appearances squared from which on a row is frequent (squared, because one rule has a root); `null`: none. */
function frequentFrom({ cluster, training }: RowTiersInstance): Rational | null {
  const batch = Rational.fromNumber(training.batchPerGpu);
  if (cluster.nodes === 1) {
    const pairs = batch.multiply(batch.subtract(Rational.one));
    if (pairs.sign() <= 0) return null;
    return Rational.of(2n).multiply(Rational.fromNumber(DUPLICATION_PROBABILITY)).divide(pairs);
  }
  const gpus = Rational.fromNumber(cluster.nodes).multiply(Rational.fromNumber(cluster.gpusPerNode));
  const threshold = Rational.fromNumber(cluster.bandwidth.allToAllGlobal as number)
    .divide(Rational.fromNumber(cluster.bandwidth.allReduceGlobal as number))
    .multiply(gpus)
    .divide(batch.multiply(gpus.subtract(Rational.one)));
  return threshold.multiply(threshold);
}

function isFrequent(units: MergedUnits, span: number, squared: Rational | null): boolean {
  if (squared === null) return false;
  const reads = units.reads[span] as bigint;
  const denominator = (units.parameterBytes[span] as bigint) * units.readDenominator;
  return reads * reads * squared.denominator >= squared.numerator * denominator * denominator;
}
