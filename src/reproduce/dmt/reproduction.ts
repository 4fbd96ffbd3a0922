import type { Hardware } from "../../cost/dmt/hardware.js";
import type { NumberUnit } from "../published-number.js";
import type { Family } from "./models.js";

/** Everything that `reproduce dmt` shows, as plain data. */
export interface DmtReproduction {
  readonly shardproof: 1;
  readonly paper: "dmt";
  /** Tables 3 and 4. */
  readonly table4: readonly ModelLine[];
  readonly table5: readonly ModelLine[];
  /** By number of GPUs. */
  readonly bytes: readonly ExchangeBytes[];
  readonly model: FittedModel;
  /** Figure 10. */
  readonly speedUps: readonly SpeedUp[];
  /** Figure 12: DMT 8T-DLRM on 64 GPUs by its compression ratio. */
  readonly byRatio: readonly (SpeedUp & { readonly ratio: number })[];
  readonly statements: readonly Statement[];
  readonly figure9: Figure9;
}

/** The interactions of a shipped, synthetic instance by towers. */
export interface Figure9 {
  readonly instance: { readonly name: string; readonly sha256: string };
  readonly features: readonly string[];
  /** I, F × F by rows. */
  readonly interaction: readonly number[];
  readonly methods: readonly TowersOfMethod[];
}

export interface TowersOfMethod {
  readonly method: "tp" | "strided";
  /** Features, by number, of each tower. */
  readonly towers: readonly (readonly number[])[];
  /** Mean interaction of two features of a tower, and of two towers. */
  readonly meanInside: number;
  readonly meanBetween: number;
}

/** A model of tables 3 to 5. */
export interface ModelLine {
  readonly model: string;
  readonly towers: number | null;
  /** Million flops per sample of training. */
  readonly megaflops: { readonly ours: number; readonly published: number };
  /** CR = Σ O_t / (F·N); `null` without towers. */
  readonly compression: number | null;
  /** Table 5's compression ratio, the inverse of CR. */
  readonly publishedRatio: number | null;
  readonly formula: string;
  readonly inferred: string | null;
  /** Whether ours is within 0.006 of the printed hundredths, and the ratio the printed one. */
  readonly agrees: boolean;
}

/** Bytes of every collective of an iteration, as halves (fp16) of 16K samples per GPU. */
export interface ExchangeBytes {
  readonly ranks: number;
  readonly flat: readonly CollectiveBytes[];
  /** SPTT alone, and with the tower modules of either model. */
  readonly sptt: readonly CollectiveBytes[];
  readonly dlrm: readonly CollectiveBytes[];
  readonly dcn: readonly CollectiveBytes[];
}

/** A collective, by the paper's letter; bytes that the busiest GPU or host sends or receives. */
export interface CollectiveBytes {
  readonly pass: "forward" | "backward";
  readonly step: "a" | "c" | "d" | "e" | "f";
  /** Ranks that take part. */
  readonly world: number;
  readonly insideHost: number;
  readonly acrossHosts: number;
  readonly acrossHostsPerHost: number;
}

/** The free numbers of the time model. */
export interface FittedModel {
  /** All-to-alls of a world reach world^−β of the scale-out line rate. */
  readonly beta: number;
  /** Work beside the dense layers, in million flops per sample. */
  readonly otherMegaflops: number;
  /** Flops per second over the peak. */
  readonly achieved: Readonly<Record<Hardware["name"], number>>;
}

/** Seconds of an iteration and its two parts. */
export interface IterationParts {
  readonly compute: number;
  readonly exchange: number;
  readonly iteration: number;
}

export interface SpeedUp {
  readonly family: Family;
  readonly gpu: Hardware["name"];
  readonly ranks: number;
  readonly flat: IterationParts;
  readonly sptt: IterationParts;
  readonly dmt: IterationParts;
  /** Iteration of the flat exchange over DMT's. */
  readonly speedUp: number;
  /** Of the flat exchange over SPTT's without modules. */
  readonly spttAlone: number;
  /** Of SPTT without modules over DMT's. */
  readonly modules: number;
}

/** What the paper's text says, and what the model gives. */
export interface Statement {
  readonly where: string;
  readonly says: string;
  /** The number said and ours; `null` where it says none. */
  readonly value: { readonly ours: number; readonly published: number } | null;
  readonly unit: NumberUnit;
  /** Whether the model's free numbers were fitted to it: then it is no evidence. */
  readonly isFitted: boolean;
  /** Whether ours is as said: to the digits printed, or as the words have it. */
  readonly holds: boolean;
}
