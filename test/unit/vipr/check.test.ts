import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { seededRandom } from "../../../src/exact/random.js";
import { Rational } from "../../../src/exact/rational.js";
import { CertificateError } from "../../../src/proof/certificate.js";
import { solveExactly } from "../../../src/search/exact-milp/solve-exactly.js";
import { checkVipr } from "../../../src/vipr/check.js";
import { writeVipr } from "../../../src/vipr/write.js";
import { randomProgram } from "./random-program.js";

/** No integers x, y with 2x + 3y ≥ 1, 3x − 4y ≤ 2 and −x + 6y ≤ 3: the example of Cheung, Gleixner, Steffy 2017. */
const INFEASIBLE = `% two branchings and one cut
VER 1.0
VAR 2
x y
INT 2
0 1
OBJ min
0
CON 3 0
C1 G 1 2 0 2 1 3
C2 L 2 2 0 3 1 -4
C3 L 3 2 0 -1 1 6
RTP infeas
SOL 0
DER 11
A1 L 0 1 0 1 { asm } -1
A2 G 1 1 0 1 { asm } -1
A3 L 0 1 1 1 { asm } -1
C4 G 1 0 { lin 3 0 1 3 -2 5 -3 } 12
A4 G 1 1 1 1 { asm } -1
C5 G 1 0 { lin 3 2 -1/3 3 -1/3 7 2 } 12
C6 G 1/4 1 1 1 { lin 2 1 -1/4 4 3/4 } 10
C7 G 1 1 1 1 { rnd 1 9 1 } 11
C8 G 1 0 { lin 3 1 -1/3 2 -1 10 14/3 } 13
C9 G 1 0 { uns 6 5 8 7 } 13
C10 G 1 0 { uns 11 4 12 3 } -1
`;

/** min x + y with 4x + y ≥ 1 and 4x − y ≤ 2 over integers: two Chvátal–Gomory cuts, the example of VIPR's specification. */
const CUTS = `VER 1.1
VAR 2
x y
INT 2 0 1
OBJ min
2 0 1 1 1
CON 2 0
C1 G 1 2 0 4 1 1
C2 L 2 2 0 4 1 -1
RTP range 1 1
SOL 2
feasible 2 0 1 1 2
best 1 1 1
DER 4
C3 G -1/2 1 1 1 { lin 2 0 1/2 1 -1/2 } 3
C4 G 0 1 1 1 { rnd 1 2 1 } 4
C5 G 1/4 OBJ { lin 2 0 1/4 3 3/4 } 5
C6 G 1 OBJ { rnd 1 4 1 } 0
`;

describe("files of others", () => {
  test("branch and cut, infeasible", () => {
    expect(checkVipr(INFEASIBLE).claim).toEqual({ kind: "infeasible" });
  });

  test("cutting planes, both sides of the range", () => {
    const { claim, best } = checkVipr(CUTS);
    expect(claim).toEqual({ kind: "range", lower: Rational.one, upper: Rational.one });
    expect(best).toEqual(Rational.one);
  });

  test("a cutoff from a solution, integral and not, for either sense", () => {
    // max x, 2x ≤ 5. The solution 2 leaves x ≥ 3 to be better, against x ≤ 5/2.
    expect(checkVipr(withCutoff("1", "3", "2")).claim).toMatchObject({ upper: Rational.of(2n) });
    expect(() => checkVipr(withCutoff("1", "4", "2"))).toThrow(/"D1" is more than the best solution allows/);
    expect(() => checkVipr(withCutoff("1/2", "3/2", "1"))).toThrow(/"D1" is more than the best solution allows/);
  });

  test("the keyword global is for lines without assumptions", () => {
    expect(checkVipr(CUTS.replace("} 3", "} 3 global")).claim.kind).toBe("range");
    expect(() => checkVipr(INFEASIBLE.replace("} -1", "} -1 global"))).toThrow(/global and rests on assumptions/);
  });
});

describe("a proof with one thing wrong is refused, at its derivation", () => {
  test.for([
    ["a multiplier", "lin 3 0 1 3 -2 5 -3", "lin 3 0 1 3 -2 5 -2", 4],
    ["a multiplier's sign", "lin 3 0 1 3 -2 5 -3", "lin 3 0 -1 3 -2 5 -3", 4],
    ["a multiplier's line", "lin 3 2 -1/3 3 -1/3 7 2", "lin 3 2 -1/3 4 1/3 7 2", 6],
    ["a right-hand side", "C6 G 1/4", "C6 G 1/2", 7],
    ["a coefficient", "C6 G 1/4 1 1 1", "C6 G 1/4 1 1 2", 7],
    ["a sense", "C6 G 1/4", "C6 L 1/4", 7],
    ["a rounding too far", "C7 G 1 1 1 1", "C7 G 2 1 1 1", 8],
    ["an unsplit of halves that leave a gap", "A4 G 1 1 1 1", "A4 G 2 1 1 1", 10],
    ["an unsplit of the wrong pair", "uns 6 5 8 7", "uns 6 5 8 4", 10],
    ["an unsplit of what does not say it", "uns 6 5 8 7", "uns 9 5 8 7", 10],
    ["an assumption left at the end", "uns 11 4 12 3", "uns 11 4 12 5", 11],
    ["a line used after its last use", "} 10\nC7", "} 9\nC7", 8],
  ] as const)("%s", ([, from, to, step]) => {
    expect(INFEASIBLE).toContain(from);
    const text = INFEASIBLE.replace(from, to);
    expect(() => checkVipr(text)).toThrow(CertificateError);
    expect(stepOf(text)).toBe(step);
  });

  test("an assumption that no branching takes back", () => {
    const text = INFEASIBLE.replace("DER 11", "DER 4").replace(/A4[\s\S]*$/, "");
    expect(() => checkVipr(text)).toThrow(/"C4" is the last and rests on 2 assumptions/);
  });

  test.for([
    ["a branching on a continuous variable", INFEASIBLE.replace("INT 2\n0 1", "INT 1\n0"), /C7" rounds a form/],
    ["a rounding with a fraction", CUTS.replace("rnd 1 4 1", "rnd 1 4 1/2"), /"C6" rounds a form/],
    ["a last line that is not the claim", CUTS.replace("RTP range 1 1", "RTP range 2 2"), /beyond a solution of 1/],
    ["no line at all", CUTS.replace(/DER[\s\S]*/, "DER 0\n"), /needs a derivation/],
    ["a solution that is not good enough", CUTS.replace("range 1 1", "range 1 1/2"), /no solution of the file/],
    ["no solution", CUTS.replace(/SOL[\s\S]*DER/, "SOL 0\nDER"), /no solution of the file/],
    ["an infeasible solution", CUTS.replace("best 1 1 1", "best 1 1 0"), /"best" breaks the constraint "C1"/],
    ["a fractional solution", CUTS.replace("best 1 1 1", "best 1 1 3/2"), /"y" is 3\/2, not an integer/],
    ["a solution of what has none", INFEASIBLE.replace("SOL 0", "SOL 1\ns 0"), /beside a claim of infeasibility/],
  ] as const)("%s", ([, text, message]) => {
    expect(() => checkVipr(text)).toThrow(CertificateError);
    expect(() => checkVipr(text)).toThrow(message);
  });
});

test("whatever number of a file is changed: what is accepted is true", { timeout: 300_000 }, async () => {
  const random = seededRandom(7);
  let refused = 0;
  let accepted = 0;
  for (const seed of [1, 3, 5, 12, 14, 21]) {
    const program = randomProgram(seed);
    const { certificate, point, verdict } = await solveExactly(program);
    if (certificate === null || verdict === null) throw new Error(`seed ${seed} was to be solved`);
    const words = writeVipr(program, certificate, point).split(/(\s+)/);
    const start = words.indexOf("CON");
    const numbers = words.flatMap((word, k) => (k > start && /^-?\d+(\/\d+)?$/.test(word) ? [k] : []));
    for (let k = 0; k < 60; k++) {
      const at = numbers[random.integer(numbers.length)] as number;
      const value = Rational.parse(words[at] as string);
      const changed = random.next() < 0.5 ? value.add(Rational.one) : value.subtract(Rational.of(1n, 2n)).negate();
      const text = words.with(at, changed.toString()).join("");
      try {
        const { claim, file } = checkVipr(text);
        accepted++;
        await expectTrue(claim, file.program);
      } catch (error) {
        if (!(error instanceof CertificateError || error instanceof InputError)) throw error;
        refused++;
      }
    }
  }
  expect(refused).toBeGreaterThan(accepted);
  expect(accepted).toBeGreaterThan(0);
});

/** The claim of a file against an optimum found and proved without it. */
async function expectTrue(claim: ReturnType<typeof checkVipr>["claim"], program: ReturnType<typeof randomProgram>) {
  const { verdict } = await solveExactly(program, { timeLimitSeconds: 20 });
  expect(verdict).not.toBeNull();
  if (claim.kind === "infeasible") {
    expect(verdict?.status).toBe("infeasible");
    return;
  }
  // A bound is true of a program without points as well.
  const optimum = verdict?.value;
  if (optimum === null || optimum === undefined) return;
  if (claim.lower !== null) expect(optimum.compare(claim.lower)).toBeGreaterThanOrEqual(0);
  if (claim.upper !== null) expect(optimum.compare(claim.upper)).toBeLessThanOrEqual(0);
}

function stepOf(text: string): number {
  try {
    checkVipr(text);
  } catch (error) {
    if (error instanceof CertificateError) return error.step;
  }
  return -1;
}

/** max cost · x with 2x ≤ 5 and the solution x = 2: the cutoff, and from it and the row a contradiction. */
function withCutoff(cost: string, cutoff: string, bound: string): string {
  const factor = Rational.parse(cost).multiply(Rational.of(-1n, 2n));
  return `VER 1.1 VAR 1 x INT 1 0 OBJ max 1 0 ${cost} CON 1 0 C L 5 1 0 2 RTP range ${bound} ${bound} SOL 1 s 1 0 2
DER 2 D1 G ${cutoff} OBJ { sol } 2 D2 G 1/2 0 { lin 2 1 1 0 ${factor} } -1\n`;
}
