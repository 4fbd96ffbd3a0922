import { publishedNumbers } from "../published-numbers.js";

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
interface PublishedDmt {
  readonly table4: readonly PublishedModel[];
  /** SPTT alone: a tower of its own for every feature, nothing else changed. */
  readonly table3: readonly Omit<PublishedModel, "towers">[];
  /** AUC of TP's towers and of strided ones. */
  readonly table6: readonly { readonly model: string; readonly tp: number; readonly strided: number }[];
  /** DMT 8T-DLRM by its modules' width D; the ratio is the inverse of CR. */
  readonly table5: readonly (Omit<PublishedModel, "family" | "towers"> & Readonly<Record<"width" | "ratio", number>>)[];
  /** Section 2.3.1: a rank's embeddings in an iteration "in float, rounded up to the nearest power of 2". */
  readonly embeddingBytes: number;
  /** Figure 1: the largest share of an iteration spent waiting for the network, DCN on 64 H100. */
  readonly waitingShare: number;
  /** DCN on 64 H100. */
  readonly figure13: Readonly<Record<"compute" | "exchange", number>>;
  /** The largest. */
  readonly figure10: Readonly<Record<"DLRM" | "DCN", number>>;
  /** Tower modules over SPTT alone, DLRM; the largest. */
  readonly figure11: number;
  /** A compression ratio of 16 over SPTT alone, 8T-DLRM; the largest. */
  readonly figure12: number;
}

export const PUBLISHED = publishedNumbers<PublishedDmt>("dmt");
