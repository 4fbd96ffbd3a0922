import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { programHash } from "../../../src/program/hash.js";
import { readLp } from "../../../src/program/lp/read.js";
import { type Column, linearForm, makeProgram, type Program, type Row } from "../../../src/program/program.js";
import { type Certificate, CertificateError, type Claim, type Step } from "../../../src/proof/certificate.js";
import { checkCertificate } from "../../../src/proof/check.js";
import { InfeasiblePointError } from "../../../src/proof/verdict.js";
import { type ExactSolution, solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { readVipr } from "../../../src/vipr/read.js";
import { ViprUnsupportedError, writeVipr } from "../../../src/vipr/write.js";
import { impliedProgram } from "./implied-program.js";
import { randomProgram } from "./random-program.js";

const fraction = (text: string) => Rational.parse(text);
const integer = (value: number) => Rational.of(BigInt(value));

type Solved = ExactSolution & { readonly certificate: Certificate };

test("a proof that raises a column by two rows at once, which is whole at some optimum only, is refused by name", () => {
  const program = readLp(
    `Maximize
 obj: 2 x0 - 1.5 x1 + 1.5 x2 - 4.5 x3 - z0 - 0.5 z1
Subject To
 r0: 2 x0 - x1 - 5 x2 + 4 x3 - z0 >= -4
 r1: 2 <= 5 x0 - 6 x1 + 6 x2 + x3 + z0 <= 10
 r2: 3 <= -5 x0 - 6 x1 + 4 x2 + 4 x3 - z0 <= 15
 r3: 12 <= -4 x0 - 4 x1 - 14 x2 + 8 x3 + 2 z1 <= 32
 r4: -2 <= -2 x0 + 6 x1 + 5 x2 + 2 x3 + z1 <= 1
 r5: 2 x0 - 5 x2 - 3 x3 - z1 <= 7
Bounds
 -2 <= x0 <= 5
 -1 <= x1 <= 4
 -1 <= x2 <= 4
 -1 <= x3 <= 2
 -8 <= z0 <= 5
 z1 free
Generals
 x0 x1 x2 x3
End
`,
    "a.lp",
  );
  const rows = {
    r1: "43899767009919/281474976710656",
    r3: "3522310717737021/9007199254740992",
    r4: "684319897507559/1125899906842624",
  };
  const certificate: Certificate = {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim: { kind: "bound", bound: "11" },
    steps: [
      ...[{ propagate: {} }, { branch: "z1", at: "9" }, { propagate: {} }, { fix: rows }, { propagate: {} }],
      ...[{ branch: "x0", at: "1" }, { propagate: {} }, { bound: {} }, { bound: rows }, { propagate: {} }],
      { fix: { r2: "4608334502425639/18014398509481984", r3: "3246781126708941/18014398509481984" } },
      { propagate: {} },
      { bound: { r3: "3860228252031851/36028797018963968" } },
    ],
  };
  expect(checkCertificate(program, certificate).bound?.toString()).toBe("11");
  expect(() => writeVipr(program, certificate, null)).toThrow(ViprUnsupportedError);
  expect(() => writeVipr(program, certificate, null)).toThrow('the proof takes "z1" for an integer');
});

describe("what solveExactly proves, the file proves", () => {
  test.for(Array.from({ length: 10 }, (_, batch) => batch))(
    "random programs, batch %i",
    {
      timeout: 120_000,
    },
    async (batch) => {
      let written = 0;
      for (let seed = batch * 20 + 1; seed <= batch * 20 + 20; seed++) {
        const program = randomProgram(seed);
        const solution = await solve(program);
        const { verdict, certificate, point } = solution;
        if (verdict === null || certificate === null) continue;
        written++;
        const { claim, best, file } = checkVipr(writeVipr(program, certificate, point), `seed ${seed}`);
        expectSameProblem(file.program, program);
        expect({ seed, ...claim }).toEqual({ seed, ...expectedClaim(program, solution as Solved) });
        expect(best).toEqual(verdict.value?.subtract(program.objective.constant) ?? null);
      }
      expect(written).toBeGreaterThanOrEqual(17);
    },
  );

  test("the random programs are of every kind, and their proofs of every rule", { timeout: 60_000 }, async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 60; seed++) {
      const program = randomProgram(seed);
      const { certificate, point, verdict } = await solve(program);
      if (certificate === null || verdict === null) continue;
      seen.add(program.objective.sense).add(verdict.status);
      seen.add(program.columns.every((column) => column.integer) ? "pure" : "mixed");
      if (program.columns.some(({ lower }) => lower === null)) seen.add("free");
      for (const step of certificate.steps) seen.add(`step ${Object.keys(step)[0]}`);
      for (const [, rule] of writeVipr(program, certificate, point).matchAll(/\{ (\w+)/g)) seen.add(`rule ${rule}`);
    }
    const kinds = ["minimize", "maximize", "proved", "infeasible", "pure", "mixed", "free"];
    const steps = ["branch", "fix", "propagate", "bound", "infeasible"].map((kind) => `step ${kind}`);
    const rules = ["asm", "lin", "rnd", "uns"].map((rule) => `rule ${rule}`);
    expect([...seen].sort()).toEqual([...kinds, ...steps, ...rules].sort());
  });
});

describe("steps that need the target", () => {
  test("a continuous column fixed by reduced costs carries the objective", () => {
    // x = 1 leaves y ≤ 1 and y ≥ 3.5. Below 4 the first row leaves y ≤ 3, and the second then 2x ≥ 2.5: 4, as x is whole.
    const program = minimise(
      [2, 0],
      [column("x", 0, 10, true), column("y", 0, 10, false)],
      [
        { name: "a", terms: [2, -1], lower: integer(1) },
        { name: "b", terms: [2, 1], lower: Rational.parse("11/2") },
      ],
    );
    const steps: Step[] = [{ fix: { a: "1" } }, { bound: { b: "1" } }];
    const text = writeVipr(program, certify(program, { kind: "bound", bound: "4" }, steps), null);
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(4), upper: null });
    expect(rulesOf(text)).toEqual(expect.arrayContaining(["asm", "uns"]));
  });

  test("a row is rounded after a continuous column met its bound by way of the target", () => {
    // Below 2, z ≤ 1; so y ≥ 3, which is y = 3; so 2x ≥ 1, rounded 2x ≥ 2.
    const program = minimise(
      [2, 0, 0],
      [column("x", 0, 10, true), column("y", null, 3, false), column("z", 0, 10, false)],
      [
        { name: "a", terms: [2, 0, -1], lower: integer(1) },
        { name: "b", terms: [0, 1, 2], lower: integer(5) },
        { name: "c", terms: [2, -1, 0], lower: integer(-2) },
      ],
    );
    const steps: Step[] = [{ fix: { a: "1" } }, { propagate: {} }, { bound: { c: "1" } }];
    const point = [1, 3, 1].map(integer);
    const text = writeVipr(program, certify(program, { kind: "bound", bound: "2" }, steps), point);
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(2), upper: integer(2) });
    expect(rulesOf(text)).toEqual(expect.arrayContaining(["asm", "uns"]));
  });

  test("an integer is fixed with equality of bound and target excluded", () => {
    // Every point with x ≥ 1 costs exactly the target: the fixing to x = 0 cannot be derived from "objective ≤ target".
    const program = minimise(
      [2, 2],
      [column("x", 0, 5, true), column("y", 0, 5, true)],
      [{ name: "a", terms: [1, 3], lower: integer(2) }],
    );
    const steps: Step[] = [{ fix: { a: "2/3" } }, { bound: { a: "2/3" } }];
    const text = writeVipr(program, certify(program, { kind: "bound", bound: "2" }, steps), [0, 1].map(integer));
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(2), upper: integer(2) });
  });
});

test("a certificate in another basis of the lattice branches on forms of the program's own columns", () => {
  const program = makeProgram({
    columns: [
      column("x", 0, 5, true),
      column("w", 0, 5, true),
      { ...column("z", 0, 0, false), upper: fraction("1/10") },
    ],
    rows: [{ name: "a", form: form([1, -1, 1]), lower: fraction("2/5"), upper: fraction("3/5") }],
  });
  // y_0 = x − w, y_1 = w. Neither y_0 ≤ 0 nor y_0 ≥ 1 leaves z in its bounds.
  const certificate: Certificate = {
    ...certify(program, { kind: "infeasible" }, [
      { branch: "y_0", at: "0" },
      { infeasible: { a: "1" } },
      { infeasible: { a: "-1" } },
    ]),
    lattice: {
      matrix: [
        ["1", "1"],
        ["0", "1"],
      ],
      inverse: [
        ["1", "-1"],
        ["0", "1"],
      ],
    },
  };
  const text = writeVipr(program, certificate, null);
  expect(checkVipr(text).claim).toEqual({ kind: "infeasible" });
  expect(text).toMatch(/ L 0 2 0 1 1 -1 \{ asm \}/);
  expect(text).toMatch(/ G 1 2 0 1 1 -1 \{ asm \}/);
});

describe("a continuous column that is whole at some optimum", () => {
  // z ≥ 2x and z ≥ 3 − 2x: 3/2 without integers, 2 with x whole, which the checker takes z to be as well.
  const program = minimise(
    [0, 1],
    [column("x", 0, 9, true), column("z", 0, null, false)],
    [
      { name: "a", terms: [-2, 1], lower: integer(0) },
      { name: "b", terms: [2, 1], lower: integer(3) },
    ],
  );
  const half: Claim = { kind: "bound", bound: "2" };
  const certificate = certify(program, half, [{ bound: { a: "1/2", b: "1/2" } }]);

  test("stays continuous in the file, whose lines round its rows", () => {
    const text = writeVipr(program, certificate, [1, 2].map(integer));
    expect(text).toMatch(/^VER 1\.1\n[\s\S]*\nINT 1\n0\nOBJ/);
    const { claim, file } = checkVipr(text);
    expect(claim).toEqual({ kind: "range", lower: integer(2), upper: integer(2) });
    expectSameProblem(file.program, program);
  });

  test("a point that is not whole there is a solution of the file like any other", () => {
    const text = writeVipr(program, certificate, [integer(1), fraction("5/2")]);
    expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(2), upper: fraction("5/2") });
  });

  test("with costs of any sign, in several rows, with branchings on it", { timeout: 120_000 }, async () => {
    let [written, branched] = [0, 0];
    for (let seed = 1; seed <= 60; seed++) {
      const own = impliedProgram(seed);
      for (const solved of [own, impliedProgram(seed, true)]) {
        const { certificate: found, point } = await solve(solved);
        // A lattice basis is one of the declared integers.
        if (found === null || (solved !== own && found.lattice !== undefined)) continue;
        const { claim, steps } = found;
        if (steps.some((step) => "branch" in step && step.branch.startsWith("z"))) branched++;
        const { file, claim: proved } = checkVipr(writeVipr(own, { ...found, program: programHash(own) }, point));
        expectSameProblem(file.program, own);
        expect(proved.kind).toBe(claim.kind === "infeasible" ? "infeasible" : "range");
        if (proved.kind === "range" && claim.kind === "bound") {
          expect((own.objective.sense === "minimize" ? proved.lower : proved.upper)?.toString()).toBe(claim.bound);
        }
        written++;
      }
    }
    expect(written).toBeGreaterThan(100);
    expect(branched).toBeGreaterThan(5);
  });
});

describe("what a single row or the objective settles", () => {
  test.each([
    { name: "an empty equation", text: "Minimize\n x\nSubject To\n r: x - x = 3\nEnd\n" },
    { name: "an empty range", text: "Minimize\n x\nSubject To\n r: 1 <= 0 x <= 3\nEnd\n" },
    {
      name: "a row of one value over two whole groups",
      text: "Minimize\n x0\nSubject To\n a: x0 + x1 = 1\n b: x2 + x3 = 1\n c: 9 x0 + 9 x1 + 2 x2 + 2 x3 <= 10\nBinaries\n x0 x1 x2 x3\nEnd\n",
    },
  ])("$name is infeasible in one line", async ({ text }) => {
    const program = readLp(text, "a.lp");
    const { certificate, point } = (await solve(program)) as Solved;
    const written = writeVipr(program, certificate, point);
    expect(checkVipr(written).claim).toEqual({ kind: "infeasible" });
    expect(written).toMatch(/\nDER 1\n/);
  });

  test("an objective of one value left, below its own bound", async () => {
    const program = readLp(readFileSync("instances/hostile/programs/settled-objective.lp", "utf8"), "a.lp");
    const { certificate, point } = (await solveExactly(program)) as Solved;
    expect(checkVipr(writeVipr(program, certificate, point)).claim.kind).toBe("range");
  });

  test("a mixed program whose objective has one value left, which reaches the claim where its bound does not", async () => {
    const program = makeProgram({
      columns: [
        column("x0", -1, 2, true),
        column("x1", -2, 3, true),
        column("x2", -1, 1, true),
        { ...column("x3", -3, 0, false), upper: fraction("1/3") },
      ],
      rows: [
        {
          name: "r0",
          form: linearForm([
            [0, integer(-2)],
            [1, integer(-4)],
            [2, integer(2)],
            [3, fraction("-1/2")],
          ]),
          lower: integer(3),
          upper: integer(5),
        },
        { name: "r1", form: form([1]), lower: integer(-2), upper: null },
        { name: "r2", form: form([0, 0, 1, 2]), lower: fraction("1/3"), upper: fraction("8/3") },
      ],
      objective: { form: form([-8, -1, 1]), constant: fraction("97/3") },
    });
    const { certificate, point } = (await solve(program)) as Solved;
    const [value, constant] = [fraction("55/3"), fraction("97/3")];
    const bound = value.subtract(constant);
    expect(checkVipr(writeVipr(program, certificate, point)).claim).toEqual({
      kind: "range",
      lower: bound,
      upper: bound,
    });
  });
});

test("a row of one value left, over a whole group, is said by the group", async () => {
  const program = readLp(
    `Minimize
 obj: 2 x0 + 3 x1 + 2 x2 + 0 x3 + 6 x4 - 2 x5
Subject To
 r0: x0 + x3 + x5 = 2
 r1: x1 + x2 + x4 = 2
 r2: 2 x0 + x1 + x2 + 2 x3 + 4 x4 >= 7
 r3: - 2 x0 + x1 + x2 + 4 x3 + 5 x4 + 2 x5 <= 3
Bounds
 x0 <= 2
 x1 <= 2
 x2 <= 2
 x4 <= 2
 x5 <= 2
Generals
 x0 x1 x2 x4 x5
Binaries
 x3
End
`,
    "a.lp",
  );
  // Where x0 = 2 and x4 = 1, r2 asks for x1 + x2 ≥ −1; r1 leaves 1 for them, which is then r2's side as well.
  const steps: Step[] = [
    { propagate: {} },
    { branch: "x0", at: "1" },
    { propagate: {} },
    { infeasible: {} },
    { propagate: {} },
    { branch: "x4", at: "0" },
    { propagate: {} },
    { infeasible: {} },
    { propagate: {} },
    { bound: { r0: "-8/3", r1: "2/3", r2: "4/3" } },
  ];
  const certificate = certify(program, { kind: "bound", bound: "12" }, steps);
  const claim = { kind: "range", lower: integer(12), upper: null };
  expect(checkVipr(writeVipr(program, certificate, null)).claim).toEqual(claim);
});

test("a program without constraints has a line of CON all the same, which viprchk asks for", async () => {
  const program = makeProgram({ columns: [column("x", null, null, false)], rows: [], objective: { form: form([]) } });
  const { certificate, point } = (await solve(program)) as Solved;
  const text = writeVipr(program, certificate, point);
  expect(text).toContain("\nCON 1 0\nnothing G 0 0\n");
  expect(checkVipr(text).claim).toEqual({ kind: "range", lower: Rational.zero, upper: Rational.zero });
});

test("no name of a constraint begins a comment", async () => {
  const program = minimise([1], [column("%x", 0, 9, true)], [{ name: "%r", terms: [1], lower: integer(3) }]);
  const { certificate, point } = (await solve(program)) as Solved;
  const text = writeVipr(program, certificate, point);
  expect(text).not.toMatch(/%/);
  expect(checkVipr(text).claim).toEqual({ kind: "range", lower: integer(3), upper: integer(3) });
});

test("every case distinction uses both of its assumptions", { timeout: 60_000 }, async () => {
  let distinctions = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const program = randomProgram(seed);
    const { certificate, point } = await solve(program);
    if (certificate === null) continue;
    const { constraints, derivations } = readVipr(writeVipr(program, certificate, point), `seed ${seed}`);
    const assumptions: ReadonlySet<number>[] = constraints.map(() => new Set());
    for (const { reason } of derivations) {
      const of = (line: number, without = -1) => [...(assumptions[line] as Set<number>)].filter((a) => a !== without);
      if (reason.rule === "asm") assumptions.push(new Set([assumptions.length]));
      else if (reason.rule === "uns") {
        distinctions++;
        const both = [reason.first, reason.second];
        for (const { line, assumption } of both) expect(of(line)).toContain(assumption);
        assumptions.push(new Set(both.flatMap(({ line, assumption }) => of(line, assumption))));
      } else {
        const used = "multipliers" in reason ? [...reason.multipliers.keys()] : [];
        assumptions.push(new Set(used.flatMap((line) => of(line))));
      }
    }
  }
  expect(distinctions).toBeGreaterThan(100);
});

describe("the text", () => {
  const program = makeProgram({
    columns: [column("a b", 0, 3, true), column("a_b", null, 5, false)],
    rows: [
      { name: "D 1", form: form([2, 1]), lower: integer(-1), upper: Rational.parse("7/2") },
      { name: "D_1", form: form([1, -1]), lower: integer(0), upper: integer(0) },
    ],
    objective: { sense: "maximize", form: form([1, 1]), constant: integer(10) },
  });

  test("has the sections in order, distinct names without blanks, and no constant", async () => {
    const { certificate, point } = (await solveExactly(program)) as Solved;
    const lines = writeVipr(program, certificate, point).split("\n");
    expect(lines.slice(0, 20)).toEqual([
      "% the objective's constant 10 is left out",
      "VER 1.1",
      "VAR 2",
      "a_b",
      "a_b_1",
      "INT 1",
      "0",
      "OBJ max",
      "2 0 1 1 1",
      "CON 6 3",
      "a_b_lower G 0 1 0 1",
      "a_b_upper L 3 1 0 1",
      "a_b_upper_1 L 5 1 1 1",
      "D_1 G -1 2 0 2 1 1",
      "D_1_1 L 7/2 2 0 2 1 1",
      "D_1_2 E 0 2 0 1 1 -1",
      "RTP range 2 2",
      "SOL 1",
      "best 2 0 1 1 1",
      expect.stringMatching(/^DER \d+$/),
    ]);
    expect(lines.filter((line) => /^D_+\d+ [GL] .* \} -?\d+$/.test(line)).length).toBe(Number(lines[19]?.slice(4)));
  });

  test("is the same every time", async () => {
    const { certificate, point } = (await solveExactly(program)) as Solved;
    expect(writeVipr(program, certificate, point)).toBe(writeVipr(program, certificate, point));
  });

  test("leaves out what the last line does not rest on", () => {
    const small = minimise(
      [1, 1],
      [column("x", 0, 9, true), column("y", 0, 9, true)],
      [{ name: "a", terms: [1, 1], lower: integer(3) }],
    );
    const closed: Step[] = [{ bound: { a: "1" } }, { bound: { a: "1" } }];
    const steps: Step[] = [{ branch: "y", at: "4" }, ...closed];
    const text = writeVipr(small, certify(small, { kind: "bound", bound: "3" }, steps), null);
    expect(text.slice(text.indexOf("DER"))).toMatch(/^DER 1\nD5 G 3 OBJ \{ lin \d .* \} -1\n$/);
  });
});

describe("what cannot be written", () => {
  const program = minimise([1], [column("x", 0, 9, true)], [{ name: "a", terms: [1], lower: integer(3) }]);
  const good = certify(program, { kind: "bound", bound: "3" }, [{ bound: { a: "1" } }]);

  test("an exchange, by its step", () => {
    const certificate = certify(program, { kind: "bound", bound: "3" }, [
      { propagate: {} },
      { exchange: {} },
      { bound: { a: "1" } },
    ]);
    expect(() => writeVipr(program, certificate, null)).toThrow(ViprUnsupportedError);
    expect(() => writeVipr(program, certificate, null)).toThrow(/^step 2 is "exchange"/);
  });

  test("a certificate that does not hold", () => {
    const certificate = certify(program, { kind: "bound", bound: "4" }, [{ bound: { a: "1" } }]);
    expect(() => writeVipr(program, certificate, null)).toThrow(CertificateError);
  });

  test("a point that breaks the program, or stands beside a proof that there is none", () => {
    expect(() => writeVipr(program, good, [integer(2)])).toThrow(InfeasiblePointError);
    const empty = minimise([1], [column("x", 0, 2, true)], [{ name: "a", terms: [1], lower: integer(3) }]);
    const certificate = certify(empty, { kind: "infeasible" }, [{ infeasible: { a: "1" } }]);
    expect(() => writeVipr(empty, certificate, [integer(2)])).toThrow(RangeError);
  });
});

/** Stops by nodes rather than by the clock, so that every machine writes the same proofs. */
function solve(program: Program): Promise<ExactSolution> {
  let nodes = 0;
  return solveExactly(program, {
    onProgress: (progress) => {
      nodes = progress.nodes;
    },
    shouldStop: () => nodes >= 1500,
  });
}

function expectedClaim(program: Program, { verdict, point }: Solved) {
  if (verdict === null || verdict.bound === null) return { kind: "infeasible" };
  const bound = verdict.bound.subtract(program.objective.constant);
  const value = point === null ? null : (verdict.value?.subtract(program.objective.constant) ?? null);
  return program.objective.sense === "minimize"
    ? { kind: "range", lower: bound, upper: value }
    : { kind: "range", lower: value, upper: bound };
}

/** The same problem up to names, the objective's constant and rows that were split into two sides. */
function expectSameProblem(read: Program, written: Program): void {
  expect(read.objective.sense).toBe(written.objective.sense);
  expect(read.objective.form).toEqual(written.objective.form);
  expect(read.columns.map(({ lower, upper, integer }) => ({ lower, upper, integer }))).toEqual(
    written.columns.map(({ lower, upper, integer }) => ({ lower, upper, integer })),
  );
  type Sides = Omit<Row, "name">;
  const sides = written.rows.flatMap(({ form, lower, upper }): Sides[] => {
    if (lower !== null && upper !== null && lower.equals(upper)) return [{ form, lower, upper }];
    const split: Sides[] = [
      { form, lower, upper: null },
      { form, lower: null, upper },
    ];
    return split.filter((side) => side.lower !== null || side.upper !== null);
  });
  expect(read.rows.map(({ form, lower, upper }) => ({ form, lower, upper }))).toEqual(sides);
}

function rulesOf(text: string): string[] {
  return [...text.matchAll(/\{ (\w+)/g)].map(([, rule]) => rule as string);
}

function certify(program: Program, claim: Claim, steps: readonly Step[]): Certificate {
  return { format: "shardproof-certificate 1", program: programHash(program), claim, steps };
}

function column(name: string, lower: number | null, upper: number | null, integral: boolean): Column {
  const bound = (value: number | null) => (value === null ? null : integer(value));
  return { name, lower: bound(lower), upper: bound(upper), integer: integral };
}

function form(coefficients: readonly number[]) {
  return linearForm(coefficients.map((value, j) => [j, integer(value)] as const));
}

/** min costs · x with rows `terms · x ≥ lower`. */
function minimise(
  costs: readonly number[],
  columns: readonly Column[],
  rows: readonly { readonly name: string; readonly terms: readonly number[]; readonly lower: Rational }[],
): Program {
  return makeProgram({
    columns,
    rows: rows.map(({ name, terms, lower }) => ({ name, form: form(terms), lower, upper: null })),
    objective: { form: form(costs) },
  });
}
