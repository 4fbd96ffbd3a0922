import type { Written } from "./written-program.js";

/** A program with the answer known by hand. */
export interface Case extends Written {
  readonly title: string;
  readonly status: "optimal" | "infeasible" | "unbounded";
  /** The optimal value; given exactly when the status is optimal. */
  readonly value?: string;
  /** The optimal point, where it is the only one. */
  readonly point?: readonly string[];
  /** The optimal row duals, where they are the only ones. */
  readonly duals?: readonly string[];
  readonly relaxation?: boolean;
  /** Backend → why it cannot be held to this case. */
  readonly skip?: Readonly<Record<string, string>>;
}
