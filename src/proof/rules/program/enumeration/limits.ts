import { bitLength, type Rational } from "../../../../exact/rational.js";
import type { Choice } from "./choices.js";

/** What an enumeration found out about a box. */
export type Enumeration =
  /** No point of the box satisfies the rows and is below the target. */
  | { readonly kind: "none" }
  /** One that does, by local column. */
  | { readonly kind: "found"; readonly point: readonly Rational[] }
  /** The limit was reached. */
  | { readonly kind: "too-many" };

/** Σ coefficients·x ≤ side, in integers. */
export interface Condition {
  /** By local column; those that are 0 may be left out. */
  readonly coefficients: ReadonlyMap<number, bigint>;
  readonly side: bigint;
  /** Every point that keeps all other conditions keeps it: it is there to leave branches by, and need not be compared. */
  readonly follows: boolean;
}

/**
 * Σ uses ≤ slack, over one alternative of each choice; uses are not negative, and integers of at most 52 bits in sum.
 */
export interface Limit {
  readonly slack: number;
  /** See {@link Condition.follows}. */
  readonly follows: boolean;
  /** Uses and slack are in units of 2^shift, rounded down. */
  readonly shift: bigint;
  /** By choice, then by alternative. */
  readonly uses: readonly Float64Array[];
  /** The same before they were rounded. */
  readonly exactUses: readonly (readonly bigint[])[];
}

/** The conditions as limits; `null` where one cannot be kept. Those that no alternatives break are left out. */
export function limitsOf(choices: readonly Choice[], conditions: readonly Condition[]): readonly Limit[] | null {
  const limits: Limit[] = [];
  const nothing = choices.map(({ length }) => ({
    exact: new Array<bigint>(length).fill(0n),
    rounded: new Float64Array(length),
  }));
  const choiceOf = new Map<number, number>();
  choices.forEach((alternatives, c) => {
    for (const { columns } of alternatives) for (const j of columns) choiceOf.set(j, c);
  });
  for (const condition of conditions) {
    const limit = limitOf(choices, condition, choiceOf, nothing);
    if (limit === "broken") return null;
    if (limit !== "idle") limits.push(limit);
  }
  return limits;
}

/** `choiceOf`: the choice of each column; `nothing`: by choice, uses of a condition that none of its columns is in. */
function limitOf(
  choices: readonly Choice[],
  { coefficients, side, follows }: Condition,
  choiceOf: ReadonlyMap<number, number>,
  nothing: readonly { readonly exact: readonly bigint[]; readonly rounded: Float64Array }[],
): Limit | "broken" | "idle" {
  let slack = side;
  let most = 0n;
  const exactUses = nothing.map(({ exact }) => exact);
  const touched = new Set<number>();
  for (const j of coefficients.keys()) {
    const c = choiceOf.get(j);
    if (c !== undefined) touched.add(c);
  }
  for (const c of touched) {
    const used = (choices[c] as Choice).map(({ columns, values }) => {
      let sum = 0n;
      for (let k = 0; k < columns.length; k++) {
        sum += (coefficients.get(columns[k] as number) ?? 0n) * (values[k] as bigint);
      }
      return sum;
    });
    let least = used[0] as bigint;
    let greatest = least;
    for (const use of used) {
      if (use < least) least = use;
      if (use > greatest) greatest = use;
    }
    slack -= least;
    most += greatest - least;
    exactUses[c] = used.map((use) => use - least);
  }
  if (slack < 0n) return "broken";
  if (most <= slack) return "idle";
  // Below 2^52.
  const shift = BigInt(Math.max(0, bitLength(most) - 52));
  const uses = nothing.map(({ rounded }) => rounded);
  for (const c of touched)
    uses[c] = Float64Array.from(exactUses[c] as readonly bigint[], (use) => Number(use >> shift));
  return { slack: Number(slack >> shift), follows, shift, uses, exactUses };
}
