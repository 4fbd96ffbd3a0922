import { Rational } from "../../src/exact/rational.js";
import type { Program } from "../../src/program/program.js";
import type { Certificate, NamedMultipliers, Step } from "../../src/proof/certificate.js";
import { type Draw, ratio } from "../fuzz/oracle/draw.js";

/** A way to corrupt a certificate. */
export interface Mutation {
  readonly name: string;
  /** No certificate corrupted so can be valid. */
  readonly fatal: boolean;
  /** What it claims is true all the same, and its steps still show it: it is never refused. */
  readonly harmless?: boolean;
  /** `null` where there is nothing to corrupt in this way. */
  apply(certificate: Certificate, program: Program, draw: Draw): Certificate | null;
}

export const MUTATIONS: readonly Mutation[] = [
  onMultipliers("a multiplier changed a little", (value, draw) => value.add(ratio(1, draw.of([3, 1000, 1_000_000])))),
  onMultipliers("a multiplier scaled", (value, draw) => value.multiply(ratio(draw.int(0, 30), 10))),
  onMultipliers("the sign of a multiplier flipped", (value) => value.negate()),
  onStep("a multiplier dropped", (step, _, draw) => {
    const [kind, multipliers] = multipliersOf(step);
    const names = Object.keys(multipliers);
    if (names.length === 0) return null;
    const gone = draw.of(names);
    return withMultipliers(kind, Object.fromEntries(Object.entries(multipliers).filter(([name]) => name !== gone)));
  }),
  onStep("the multipliers of another row", (step, program, draw) => {
    const [kind, multipliers] = multipliersOf(step);
    const names = Object.keys(multipliers);
    if (names.length === 0 || program.rows.length < 2) return null;
    const { [draw.of(names)]: value = "1", ...rest } = multipliers;
    return withMultipliers(kind, { ...rest, [draw.of(program.rows).name]: value });
  }),
  onStep("the multipliers of a fix changed", (step, program, draw) =>
    "fix" in step ? { fix: { ...step.fix, [draw.of(program.rows).name]: ratio(draw.int(-9, 9), 2).toString() } } : null,
  ),
  onStep("the cutoff of a fix changed", (step, _, draw) =>
    "fix" in step && step.cutoff !== undefined
      ? {
          ...step,
          cutoff: Rational.parse(step.cutoff)
            .multiply(ratio(draw.int(0, 30), 10))
            .toString(),
        }
      : null,
  ),
  onStep("a leaf closed the other way", (step) => {
    if ("bound" in step) return { infeasible: step.bound };
    return "infeasible" in step ? { bound: step.infeasible } : null;
  }),
  onStep("a branch shifted by one", (step, _, draw) =>
    "branch" in step
      ? {
          ...step,
          at: Rational.parse(step.at)
            .add(ratio(draw.of([-1, 1])))
            .toString(),
        }
      : null,
  ),
  onStep("a branch on another column", (step, program, draw) =>
    "branch" in step ? { ...step, branch: draw.of(program.columns).name } : null,
  ),
  onStep("a branch at a fraction", (step) => ("branch" in step ? { ...step, at: `${step.at}/2` } : null), true),
  onStep("a column renamed", (step) => ("branch" in step ? { ...step, branch: `${step.branch}'` } : null), true),
  onStep(
    "a row renamed",
    (step) => {
      const [kind, multipliers] = multipliersOf(step);
      const [first, ...others] = Object.entries(multipliers);
      return first === undefined
        ? null
        : withMultipliers(kind, Object.fromEntries([[`${first[0]}'`, first[1]], ...others]));
    },
    true,
  ),
  onSteps("a leaf dropped", true, (steps, draw) => {
    const leaves = steps.flatMap((step, k) =>
      "bound" in step || "infeasible" in step || "enumerate" in step ? [k] : [],
    );
    return leaves.length === 0 ? null : steps.toSpliced(draw.of(leaves), 1);
  }),
  onSteps("the end cut off", true, (steps, draw) => steps.slice(0, draw.int(0, steps.length - 1))),
  onSteps("a branch dropped", true, (steps, draw) => {
    const branches = steps.flatMap((step, k) => ("branch" in step ? [k] : []));
    return branches.length === 0 ? null : steps.toSpliced(draw.of(branches), 1);
  }),
  onSteps("a step that shrinks a node dropped", false, (steps, draw) => {
    const shrinking = steps.flatMap((step, k) =>
      "fix" in step || "propagate" in step || "exchange" in step ? [k] : [],
    );
    return shrinking.length === 0 ? null : steps.toSpliced(draw.of(shrinking), 1);
  }),
  onSteps("two neighbouring steps swapped", false, (steps, draw) => {
    if (steps.length < 2) return null;
    const at = draw.int(0, steps.length - 2);
    return steps.toSpliced(at, 2, steps[at + 1] as Step, steps[at] as Step);
  }),
  onSteps("two steps swapped", false, (steps, draw) => {
    const [a, b] = [draw.int(0, steps.length - 1), draw.int(0, steps.length - 1)];
    return steps.with(a, steps[b] as Step).with(b, steps[a] as Step);
  }),
  onSteps("a step repeated", false, (steps, draw) => {
    const at = draw.int(0, steps.length - 1);
    return steps.toSpliced(at, 0, steps[at] as Step);
  }),
  onSteps("an exchange inserted", false, (steps, draw) =>
    steps.toSpliced(draw.int(0, steps.length), 0, { exchange: {} }),
  ),
  onSteps("a propagation inserted", false, (steps, draw) =>
    steps.toSpliced(draw.int(0, steps.length), 0, { propagate: {} }),
  ),
  onSteps("an empty fix inserted", false, (steps, draw) => steps.toSpliced(draw.int(0, steps.length), 0, { fix: {} })),
  {
    name: "a better value claimed",
    fatal: false,
    apply({ claim, ...rest }, { objective }, draw) {
      if (claim.kind === "infeasible") return null;
      const value = Rational.parse(claim.bound);
      const size = draw.of([
        ratio(1, 1_000_000_000),
        ratio(1, 1000),
        ratio(1),
        value.absolute().multiply(ratio(1, 10)),
      ]);
      const better = objective.sense === "minimize" ? value.add(size) : value.subtract(size);
      return { ...rest, claim: { kind: "bound", bound: better.toString() } };
    },
  },
  {
    name: "infeasibility claimed",
    fatal: false,
    apply: ({ claim, ...rest }) => (claim.kind === "infeasible" ? null : { ...rest, claim: { kind: "infeasible" } }),
  },
  {
    name: "a bound claimed of the infeasible",
    fatal: false,
    harmless: true,
    apply: ({ claim, ...rest }, _, draw) =>
      claim.kind === "infeasible" ? { ...rest, claim: { kind: "bound", bound: String(draw.int(-99, 99)) } } : null,
  },
  {
    name: "the hash changed",
    fatal: true,
    apply: ({ program, ...rest }, _, draw) => {
      const at = draw.int(0, program.length - 1);
      return { ...rest, program: `${program.slice(0, at)}${program[at] === "0" ? "1" : "0"}${program.slice(at + 1)}` };
    },
  },
  {
    name: "the lattice basis changed",
    fatal: true,
    apply({ lattice, ...rest }, _, draw) {
      if (lattice === undefined) return null;
      const i = draw.int(0, lattice.matrix.length - 1);
      const k = draw.int(0, lattice.matrix.length - 1);
      const row = lattice.matrix[i] as readonly string[];
      const changed = row.with(k, String(BigInt(row[k] as string) + 1n));
      return { ...rest, lattice: { ...lattice, matrix: lattice.matrix.with(i, changed) } };
    },
  },
  {
    name: "the lattice basis left out",
    fatal: false,
    apply({ lattice, ...rest }) {
      return lattice === undefined ? null : rest;
    },
  },
];

function onSteps(
  name: string,
  fatal: boolean,
  change: (steps: readonly Step[], draw: Draw) => readonly Step[] | null,
): Mutation {
  return {
    name,
    fatal,
    apply({ steps, ...rest }, _, draw) {
      const changed = change(steps, draw);
      return changed === null ? null : { ...rest, steps: changed };
    },
  };
}

/** Changes one of the steps that can be changed in this way. */
function onStep(
  name: string,
  change: (step: Step, program: Program, draw: Draw) => Step | null,
  fatal = false,
): Mutation {
  return {
    name,
    fatal,
    apply({ steps, ...rest }, program, draw) {
      const changed = steps.flatMap((step, k) => {
        const other = change(step, program, draw);
        return other === null ? [] : [[k, other] as const];
      });
      if (changed.length === 0) return null;
      const [k, step] = draw.of(changed);
      return { ...rest, steps: steps.with(k, step) };
    },
  };
}

function onMultipliers(name: string, change: (value: Rational, draw: Draw) => Rational): Mutation {
  return onStep(name, (step, _, draw) => {
    const [kind, multipliers] = multipliersOf(step);
    const names = Object.keys(multipliers);
    if (names.length === 0) return null;
    const row = draw.of(names);
    const value = change(Rational.parse(multipliers[row] as string), draw);
    return withMultipliers(kind, { ...multipliers, [row]: value.toString() });
  });
}

type Kind = "bound" | "infeasible" | "fix";

function multipliersOf(step: Step): [Kind, NamedMultipliers] {
  if ("bound" in step) return ["bound", step.bound];
  if ("infeasible" in step) return ["infeasible", step.infeasible];
  return ["fix", "fix" in step ? step.fix : {}];
}

function withMultipliers(kind: Kind, multipliers: NamedMultipliers): Step {
  if (kind === "bound") return { bound: multipliers };
  return kind === "fix" ? { fix: multipliers } : { infeasible: multipliers };
}
