/** A row of DMT's table 4: million flops per sample of training. */
export interface PublishedModel {
  readonly family: "DLRM" | "DCN";
  /** T: towers; `null` for the model without any. */
  readonly towers: number | null;
  readonly megaflops: number;
  /** Of the evaluation, and billions of parameters. */
  readonly auc: number;
  readonly parameters: number;
}

/**
 * What Luo et al., "Disaggregated Multi-Tower: Topology-aware Modeling Technique for Efficient Large Scale Recommendation"
 * (MLSys 2024) print. Figures 5 and 10 to 13 have no numbers but those that the text says.
 */
export const PUBLISHED = {
  table4: [
    { family: "DLRM", towers: null, megaflops: 14.74, auc: 0.8047, parameters: 22.78 },
    { family: "DLRM", towers: 2, megaflops: 8.95, auc: 0.8046, parameters: 22.78 },
    { family: "DLRM", towers: 4, megaflops: 8.95, auc: 0.8045, parameters: 22.78 },
    { family: "DLRM", towers: 8, megaflops: 8.95, auc: 0.8045, parameters: 22.78 },
    { family: "DLRM", towers: 16, megaflops: 8.75, auc: 0.8047, parameters: 22.78 },
    { family: "DLRM", towers: 26, megaflops: 8.95, auc: 0.8047, parameters: 22.78 },
    { family: "DCN", towers: null, megaflops: 96.22, auc: 0.8002, parameters: 22.79 },
    { family: "DCN", towers: 2, megaflops: 43.71, auc: 0.7998, parameters: 22.81 },
    { family: "DCN", towers: 4, megaflops: 50.01, auc: 0.8003, parameters: 22.79 },
    { family: "DCN", towers: 8, megaflops: 62.6, auc: 0.8006, parameters: 22.81 },
    { family: "DCN", towers: 16, megaflops: 87.19, auc: 0.8001, parameters: 22.79 },
    { family: "DCN", towers: 26, megaflops: 96.22, auc: 0.8001, parameters: 22.79 },
  ] satisfies readonly PublishedModel[],
  /** SPTT alone: a tower of its own for every feature, nothing else changed. */
  table3: [
    { family: "DLRM", megaflops: 14.74, auc: 0.8053, parameters: 22.78 },
    { family: "DCN", megaflops: 96.22, auc: 0.8001, parameters: 22.79 },
  ],
  /** AUC of TP's towers and of strided ones. */
  table6: [
    { model: "DMT 16T-DLRM", tp: 0.799, strided: 0.7981 },
    { model: "DMT 8T-DCN", tp: 0.8006, strided: 0.8003 },
  ],
  /** DMT 8T-DLRM by its modules' width D; the ratio is the inverse of CR. */
  table5: [
    { width: 64, ratio: 2, megaflops: 8.95, auc: 0.8045, parameters: 22.78 },
    { width: 32, ratio: 4, megaflops: 7.93, auc: 0.8036, parameters: 22.78 },
    { width: 16, ratio: 8, megaflops: 7.41, auc: 0.8022, parameters: 22.78 },
    { width: 8, ratio: 16, megaflops: 7.16, auc: 0.8, parameters: 22.78 },
  ],
  /** Section 2.3.1: a rank's embeddings in an iteration "in float, rounded up to the nearest power of 2". */
  embeddingBytes: 256 * 2 ** 20,
  /** Figure 1: the largest share of an iteration spent waiting for the network, DCN on 64 H100. */
  waitingShare: 0.3,
  /** Figure 13, DCN on 64 H100. */
  figure13: { compute: 1.4, exchange: 4.6 },
  /** Figure 10: the largest. */
  figure10: { DLRM: 1.9, DCN: 1.8 },
  /** Figure 11: tower modules over SPTT alone, DLRM; the largest. */
  figure11: 1.4,
  /** Figure 12: a compression ratio of 16 over SPTT alone, 8T-DLRM; the largest. */
  figure12: 2,
} as const;
