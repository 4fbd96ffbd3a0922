import { describe, expect, test } from "vitest";
import type { Rational } from "../../src/exact/rational.js";
import { programHash } from "../../src/program/hash.js";
import type { Program } from "../../src/program/program.js";
import { type Certificate, CertificateError, type Claim, type Step } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import type { CaseClass } from "../fuzz/case.js";
import { CLASSES } from "../fuzz/generators.js";
import { type Draw, drawFrom, ratio } from "../fuzz/oracle/draw.js";

// Nobody made these certificates from a search: they are whatever can be written down. What they claim is false, so none
// may be accepted, however its steps are put together.

// Of wide programs no optimum is known beforehand; of infeasible ones every claim is true.
const classes = CLASSES.filter(({ name }) => !/^wide|^infeasible/.test(name));

/** Programs with an optimum known by brute force. */
function programsWithOptimum(one: CaseClass, count: number): { program: Program; optimum: Rational }[] {
  const found: { program: Program; optimum: Rational }[] = [];
  for (let seed = 0; found.length < count && seed < 20 * count; seed++) {
    const { program, witness } = one.make(drawFrom(seed));
    if (witness.kind !== "truth" || witness.truth.status !== "optimal" || program.columns.length === 0) continue;
    found.push({ program, optimum: witness.truth.value });
  }
  return found;
}

function falseClaim(draw: Draw, { objective }: Program, optimum: Rational): Claim {
  if (draw.oneIn(4)) return { kind: "infeasible" };
  const excess = draw.of([ratio(1, 1_000_000_000), ratio(1, 7), ratio(1), ratio(1000)]);
  const bound = objective.sense === "minimize" ? optimum.add(excess) : optimum.subtract(excess);
  return { kind: "bound", bound: bound.toString() };
}

/** A multiplier or a few, mostly of the signs that the rows' sides allow, of sizes that do something. */
function drawMultipliers(draw: Draw, { rows }: Program): Record<string, string> {
  const entries = rows.flatMap(({ name, lower, upper }): [string, string][] => {
    if (draw.oneIn(2)) return [];
    const size = ratio(draw.int(0, 40), draw.of([1, 2, 7, 40]));
    const downwards = lower === null || (upper !== null && draw.oneIn(2));
    return [[name, (downwards !== draw.oneIn(20) ? size.negate() : size).toString()]];
  });
  return Object.fromEntries(entries);
}

function drawShrinking(draw: Draw, program: Program): Step {
  return draw.of<Step>([{ propagate: {} }, { exchange: {} }, { fix: drawMultipliers(draw, program) }, { fix: {} }]);
}

/** A well-formed proof tree in pre-order: branchings, steps that shrink, every leaf closed by something. */
function drawTree(draw: Draw, program: Program, depth: number): Step[] {
  const steps = Array.from({ length: draw.int(0, 2) }, () => drawShrinking(draw, program));
  if (depth === 0 || draw.oneIn(3)) {
    const multipliers = draw.oneIn(3) ? {} : drawMultipliers(draw, program);
    return [...steps, draw.oneIn(2) ? { bound: multipliers } : { infeasible: multipliers }];
  }
  const column = draw.of(program.columns);
  const at = (column.lower?.floor() ?? -3n) + BigInt(draw.int(-1, 4));
  return [
    ...steps,
    { branch: column.name, at: at.toString() },
    ...drawTree(draw, program, depth - 1),
    ...drawTree(draw, program, depth - 1),
  ];
}

function certificateOf(program: Program, claim: Claim, steps: readonly Step[]): Certificate {
  return { format: "shardproof-certificate 1", program: programHash(program), claim, steps };
}

function accepted(program: Program, certificate: Certificate): boolean {
  try {
    checkCertificate(program, certificate);
    return true;
  } catch (error) {
    if (error instanceof CertificateError) return false;
    throw error;
  }
}

describe.each(classes)("$name: a false claim", (one) => {
  const programs = programsWithOptimum(one, 12);

  test("is refused with no steps, and with any one, two or three of the simplest", () => {
    expect(programs.length).toBe(12);
    for (const { program, optimum } of programs) {
      const draw = drawFrom(1);
      const [column] = program.columns;
      const simplest: Step[] = [
        { branch: column?.name as string, at: "0" },
        { fix: {} },
        { propagate: {} },
        { exchange: {} },
        { bound: {} },
        { infeasible: {} },
        { fix: drawMultipliers(draw, program) },
        { bound: drawMultipliers(draw, program) },
      ];
      const claim = falseClaim(draw, program, optimum);
      const lists: (readonly Step[])[] = [[]];
      for (const a of simplest) {
        lists.push([a]);
        for (const b of simplest) {
          lists.push([a, b]);
          for (const c of simplest) lists.push([a, b, c]);
        }
      }
      for (const steps of lists) {
        expect(accepted(program, certificateOf(program, claim, steps)), JSON.stringify({ claim, steps })).toBe(false);
      }
    }
  });

  test("is refused with random trees of steps", () => {
    programs.forEach(({ program, optimum }, index) => {
      for (let seed = 0; seed < 60; seed++) {
        const draw = drawFrom(1000 * index + seed);
        const claim = falseClaim(draw, program, optimum);
        const steps = drawTree(draw, program, draw.int(0, 5));
        expect(accepted(program, certificateOf(program, claim, steps)), JSON.stringify({ claim, steps })).toBe(false);
      }
    });
  });
});

test("the trees are good enough to prove something: some claims that are true and weak are accepted", () => {
  let proved = 0;
  for (const one of classes.slice(0, 3)) {
    for (const [index, { program, optimum }] of programsWithOptimum(one, 12).entries()) {
      const worse = program.objective.sense === "minimize" ? optimum.subtract(ratio(5)) : optimum.add(ratio(5));
      for (let seed = 0; seed < 60; seed++) {
        const draw = drawFrom(1000 * index + seed);
        const claim: Claim = { kind: "bound", bound: worse.toString() };
        if (accepted(program, certificateOf(program, claim, drawTree(draw, program, draw.int(0, 5))))) proved++;
      }
    }
  }
  expect(proved).toBeGreaterThan(50);
});
