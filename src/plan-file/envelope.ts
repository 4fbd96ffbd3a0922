import type { Certificate } from "../proof/certificate.js";

/** What plan files of every problem have: see plan-shape.ts for what is read of it. */
export interface PlanEnvelope {
  readonly shardproof: 1;
  readonly problem: string;
  /** `file` is the path as it was given; `sha256` is the instance's. */
  readonly instance: { readonly name: string; readonly sha256: string; readonly file: string };
  readonly method: string;
  readonly status: string;
  /** Only of a heuristic whose time was over, or a search that somebody stopped, before it ended: with more, it may find another plan. */
  readonly stopped?: true;
  readonly request: PlanRequest;
  readonly objective: PlanValue & { readonly kind: string };
  /** The numbers that the status rests on, as integers or fractions in lowest terms. */
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  readonly infeasibility: { readonly explanation: string } | null;
  readonly proof: {
    readonly steps: number;
    readonly branchings: number;
    readonly classes?: number;
    readonly columns?: number;
  } | null;
  readonly certificate: Certificate | null;
  /** What a general solver said of the same program, where one was asked: its word, not a proof. */
  readonly claim: PlanClaim | null;
  readonly timing: PlanTiming;
  /** SHA-256 (hexadecimal) of the plan's canonical JSON without `timing` and `digest`. */
  readonly digest: string;
}

/** Of a plan file that was read, what is known without its problem. */
export interface WrittenEnvelope {
  readonly instance: { readonly name: string; readonly sha256: string; readonly file: string };
}

/** Of a goal, in its own unit; `null` where there is none. */
export interface PlanValue {
  readonly value: number | null;
  readonly bound: number | null;
  /** |value − bound| / |value|. */
  readonly gap: number | null;
}

/** What a plan may be asked to do without, which its file says then: published methods beside it, and what-if prices. */
export const EXTRAS = ["baselines", "prices"] as const;

export interface PlanRequest {
  /** Relative gap that was to be proved. */
  readonly gap: number;
  readonly timeLimitSeconds: number;
  /** Most work of the search, in seconds as work is counted; left out where there was no such limit. */
  readonly workLimitSeconds?: number | undefined;
  readonly seed: number;
  /** What was not to be computed beside the plan; left out where that is nothing. */
  readonly without?: readonly (typeof EXTRAS)[number][] | undefined;
}

export interface PlanClaim {
  readonly solver: string;
  readonly status: string;
  readonly value: number | null;
  readonly bound: number | null;
  /** Whether the claim can be true beside what was proved, up to the tolerances of floating-point solvers. */
  readonly agrees: boolean;
  readonly remark: string;
}

/** Wall-clock seconds, each a multiple of a millisecond; `totalSeconds` is the sum of the others. */
export interface PlanTiming {
  readonly readSeconds: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
  readonly totalSeconds: number;
}
