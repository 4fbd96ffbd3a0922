import type { TimeLimit } from "../search/time/time-limit.js";

/** What every problem that explains its plans may be asked. */
export interface ExplainOptions extends TimeLimit {
  /** The time that work is shared out by; default the time limit. */
  readonly workSeconds?: number;
  /** Default 0. */
  readonly seed?: number;
  /** Asked between steps: `true` ends it with what is known by then. */
  readonly shouldStop?: () => boolean;
  /** Told of the table, from 1 on, whose choice is looked into. */
  readonly onTable?: (table: number, all: number) => void;
}

/** An explanation of a plan of any problem, with its proofs. */
export interface ExplanationFile {
  readonly shardproof: 1;
  readonly kind: "explanation";
  readonly problem: string;
  readonly proofs: readonly object[];
}
