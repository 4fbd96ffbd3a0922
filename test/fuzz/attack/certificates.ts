import { Rational } from "../../../src/exact/rational.js";
import { writeLp } from "../../../src/program/lp/write.js";
import type { Program } from "../../../src/program/program.js";
import type { Certificate, Claim, IntegerMatrix } from "../../../src/proof/certificate.js";
import { type LatticeBasis, reformulate } from "../../../src/proof/kernel/reformulate.js";
import { type Draw, drawFrom, ratio } from "../oracle/draw.js";
import type { Truth } from "../oracle/truth.js";
import { extendProof, type Limits } from "./extend-proof.js";
import { ProgramProposer } from "./program-proposer.js";
import { drawTarget } from "./programs.js";
import type { Attack, Tally } from "./tally.js";

const LIMITS: Limits = { steps: 30, refusals: 25 };

/** Beyond brute force by a hair or by much; of a program with a point also that it has none. `null`: no claim is false. */
export function falseClaim(draw: Draw, truth: Truth, sense: "minimize" | "maximize"): Claim | null {
  if (truth.status === "infeasible") return null;
  if (draw.oneIn(4)) return { kind: "infeasible" };
  const excess = draw.of([
    Rational.of(1n, 10n ** 30n),
    ratio(1, 1_000_000_000),
    ratio(1, 7),
    ratio(1, 2),
    ratio(1),
    ratio(1000),
  ]);
  const bound = sense === "minimize" ? truth.value.add(excess) : truth.value.subtract(excess);
  return { kind: "bound", bound: bound.toString() };
}

/** What brute force says. */
export function trueClaim(truth: Truth): Claim {
  return truth.status === "infeasible" ? { kind: "infeasible" } : { kind: "bound", bound: truth.value.toString() };
}

/** Tells the tally what came of an attempt at a false claim, or at a true one. */
export function report(
  tally: Tally,
  claim: Claim,
  isFalse: boolean,
  { accepted, checks }: ReturnType<typeof extendProof>,
  subject: () => string,
): void {
  tally.add(isFalse ? "checks of false claims" : "checks of true claims", checks);
  tally.add(isFalse ? "false claims" : "true claims");
  if (accepted === null) return;
  if (!isFalse) tally.add("true claims proved");
  else tally.fault(`accepted: ${JSON.stringify({ claim, steps: accepted })}\n${subject()}`);
}

/** Certificates of programs, step by step; in some the steps speak of another basis of the lattice. */
export const certificates: Attack = {
  name: "certificates",
  round(seed, tally) {
    const draw = drawFrom(seed);
    const target = drawTarget(draw);
    if (target === null) return tally.add("programs without an optimum");
    const { program, truth, loads } = target;
    const basis = draw.oneIn(6) ? drawBasis(draw, program) : null;
    const spoken = basis === null ? program : reformulate(program, basis);
    const lattice = basis === null ? undefined : written(basis);
    const claims = [falseClaim(draw, truth, program.objective.sense), draw.oneIn(4) ? trueClaim(truth) : null];
    for (const [index, claim] of claims.entries()) {
      if (claim === null) continue;
      const proposer = new ProgramProposer(draw, spoken, loads);
      const attempt = extendProof(program, claim, proposer, LIMITS, lattice);
      report(
        tally,
        claim,
        index === 0,
        attempt,
        () => `seed ${seed}, lattice ${JSON.stringify(lattice)}\n${writeLp(program)}`,
      );
    }
  },
};

/** A product of a few elementary matrices, and its inverse; `null` where the program has too many integers, or none. */
function drawBasis(draw: Draw, program: Program): LatticeBasis | null {
  const n = program.columns.filter(({ integer }) => integer).length;
  if (n < 1 || n > 3) return null;
  const unit = (): bigint[][] =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, k) => (i === k ? 1n : 0n)));
  const matrix = unit();
  const inverse = unit();
  for (let moves = draw.int(1, 3); n > 1 && moves > 0; moves--) {
    const [from, to] = draw.shuffled([...unit().keys()]) as [number, number];
    const factor = BigInt(draw.int(-2, 2));
    // Columns of the one, rows of the other: M·E and E⁻¹·V.
    for (const row of matrix) row[to] = (row[to] as bigint) + factor * (row[from] as bigint);
    const [source, changed] = [inverse[to] as bigint[], inverse[from] as bigint[]];
    for (let k = 0; k < n; k++) changed[k] = (changed[k] as bigint) - factor * (source[k] as bigint);
  }
  return { matrix, inverse };
}

function written({ matrix, inverse }: LatticeBasis): NonNullable<Certificate["lattice"]> {
  const text = (rows: readonly (readonly bigint[])[]): IntegerMatrix => rows.map((row) => row.map(String));
  return { matrix: text(matrix), inverse: text(inverse) };
}
