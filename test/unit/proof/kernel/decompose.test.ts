import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { programHash } from "../../../../src/program/hash.js";
import type { Program } from "../../../../src/program/program.js";
import { type Certificate, type DecomposeStep, readCertificate, type Step } from "../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { type Block, decompose, layoutOf } from "../../../../src/proof/kernel/decompose.js";
import { fixByReducedCost } from "../../../../src/proof/kernel/fix.js";
import { viewOf } from "../../../../src/proof/kernel/view.js";
import { type Draw, drawFrom, programOf, ratio, type SketchRow } from "../../../fuzz/oracle/draw.js";
import { tryEveryPoint } from "../../../fuzz/oracle/every-point.js";
import { drawsOf } from "../../../support/draws.js";
import { copyOf, drawMultipliers, feasiblePoints, isIn, shrinkAtRandom } from "../support.js";

/** Blocks of integer columns with a row or two each, rows across blocks, and a column in rows of every block. */
function drawBlocks(draw: Draw): { program: Program; blocks: number[][]; link: number } {
  const sizes = Array.from({ length: draw.int(1, 3) }, () => draw.int(1, 2));
  const n = sizes.reduce((a, b) => a + b, 0) + 1;
  const link = n - 1;
  const value = () => ratio(draw.int(-5, 5), draw.oneIn(4) ? 3 : 1);
  const sides = (): [Rational | null, Rational | null] => {
    const side = ratio(draw.int(-4, 9));
    return draw.oneIn(4) ? [side.subtract(ratio(draw.int(0, 6))), side] : draw.oneIn(4) ? [side, null] : [null, side];
  };
  const rows: SketchRow[] = [];
  const blocks: number[][] = [];
  let first = 0;
  for (const size of sizes) {
    const block: number[] = [];
    for (let count = draw.int(1, 2); count > 0; count--) {
      const coefficients = new Array<Rational>(n).fill(ratio(0));
      for (let k = first; k < first + size; k++) coefficients[k] = value();
      if (draw.oneIn(2)) coefficients[link] = value();
      block.push(rows.length);
      rows.push([coefficients, ...sides()]);
    }
    blocks.push(block);
    first += size;
  }
  for (let count = draw.int(0, 2); count > 0; count--) {
    const isGroup = draw.oneIn(2);
    const coefficients = Array.from({ length: n }, () => (isGroup ? ratio(draw.int(0, 1)) : value()));
    const total = ratio(draw.int(0, 3));
    rows.push(isGroup ? [coefficients, total, total] : [coefficients, ...sides()]);
  }
  const program = programOf({
    columns: Array.from({ length: n }, () => [ratio(draw.int(-1, 0)), ratio(draw.int(0, 2)), true]),
    rows,
    costs: Array.from({ length: n }, value),
    maximise: draw.oneIn(2),
    constant: value(),
  });
  return { program, blocks, link };
}

describe("taking a program apart", () => {
  test("never proves more than the best point of the box", () => {
    let tight = 0;
    const draws = drawsOf(2000, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const { program, blocks, link } = drawBlocks(draw);
      const { view, box } = viewOf(program);
      shrinkAtRandom(draw, box);
      const multipliers = drawMultipliers(draw, view);
      for (const purpose of ["bound", "infeasibility"] as const) {
        const points = feasiblePoints(program).filter(({ point }) => isIn(view, box, point));
        const parts = decompose(layoutOf(view, new Set([link]), blocks), copyOf(box), multipliers, purpose);
        if (parts.rest.infeasible) {
          expect(points, `seed ${seed}`).toEqual([]);
          continue;
        }
        const minima = parts.blocks.map((block) => tryEveryPoint(block.program("block", program)));
        if (minima.some(({ status }) => status === "infeasible")) {
          expect(points, `seed ${seed}`).toEqual([]);
          continue;
        }
        const total = minima.reduce<Rational>(
          (sum, truth) => (truth.status === "optimal" ? sum.add(truth.value) : sum),
          parts.rest.bound as Rational,
        );
        for (const { cost } of points) {
          const order = total.compare(purpose === "bound" ? cost : Rational.zero);
          expect(order, `seed ${seed}`).toBeLessThanOrEqual(0);
          if (order === 0) tight++;
        }
      }
    }
    expect(tight).toBeGreaterThanOrEqual(draws.atLeast(50));
  });

  test("reduced costs beside blocks leave every point below a cutoff", () => {
    let narrowed = 0;
    const draws = drawsOf(2000, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const { program, blocks, link } = drawBlocks(draw);
      const { view, box } = viewOf(program);
      shrinkAtRandom(draw, box);
      const layout = layoutOf(view, new Set([link]), blocks.slice(1));
      const { rest, blocks: parts } = decompose(layout, copyOf(box), drawMultipliers(draw, view), "bound");
      const minima = parts.map((block) => tryEveryPoint(block.program("block", program)));
      if (rest.bound === null || minima.some(({ status }) => status === "infeasible")) continue;
      const bound = minima.reduce<Rational>(
        (sum, truth) => (truth.status === "optimal" ? sum.add(truth.value) : sum),
        rest.bound,
      );
      const cutoff = bound.add(ratio(draw.int(1, 30), 2));
      const below = feasiblePoints(program).filter(({ point, cost }) => {
        return isIn(view, box, point) && cost.compare(cutoff) < 0;
      });
      const left = copyOf(box);
      let changes = 0;
      fixByReducedCost(layout.outside, left, { ...rest, bound }, cutoff, () => changes++);
      if (changes > 0 && below.length > 0) narrowed++;
      for (const { point } of below) expect(isIn(view, left, point), `seed ${seed}`).toBe(true);
    }
    expect(narrowed).toBeGreaterThanOrEqual(draws.atLeast(25));
  });

  test("refuses blocks that share a column, and a row that is listed twice", () => {
    const program = programOf({
      columns: [0, 1, 2].map(() => [ratio(0), ratio(1), true] as const),
      rows: [
        [[ratio(1), ratio(1), ratio(0)], null, ratio(1)],
        [[ratio(0), ratio(1), ratio(1)], null, ratio(1)],
      ],
      costs: [],
    });
    const { view, box } = viewOf(program);
    const apart = (links: number[], blocks: number[][]) =>
      decompose(layoutOf(view, new Set(links), blocks), box, new Map(), "bound").blocks.map((block) =>
        block.program("block", program),
      );
    expect(() => apart([], [[0], [1]])).toThrow(RangeError);
    expect(() => apart([], [[0], [0]])).toThrow(RangeError);
    expect(() => apart([], [[0, 0]])).toThrow(RangeError);
    expect(apart([1], [[0], [1]]).map(({ columns }) => columns.length)).toEqual([1, 1]);
    expect(apart([], [[0, 1]]).map(({ columns }) => columns.length)).toEqual([3]);
  });

  test("knows blocks that are the same but for names", () => {
    const program = programOf({
      columns: [0, 1, 2].map(() => [ratio(0), ratio(1), true] as const),
      rows: [2, 2, 3].map((weight, r) => [[0, 1, 2].map((j) => ratio(j === r ? weight : 0)), null, ratio(5)] as const),
      costs: [ratio(1), ratio(1), ratio(1)],
    });
    const { view, box } = viewOf(program);
    const { blocks } = decompose(layoutOf(view, new Set(), [[0], [1], [2]]), box, new Map(), "bound");
    const [a, b, c] = blocks as [Block, Block, Block];
    expect(b.isWithin(a)).toBe(true);
    expect(c.isWithin(a)).toBe(false);
  });

  test("knows blocks of other costs, and of other sides where a column links them", () => {
    const program = programOf({
      columns: [0, 1, 2, 3].map(() => [ratio(0), ratio(1), true] as const),
      rows: [0, 1, 2].map(
        (r) => [[0, 1, 2, 3].map((j) => ratio(j === r || j === 3 ? 1 : 0)), null, ratio(r < 2 ? 5 : 4)] as const,
      ),
      costs: [ratio(1), ratio(2), ratio(1), ratio(0)],
    });
    const { view, box } = viewOf(program);
    const { blocks } = decompose(layoutOf(view, new Set([3]), [[0], [1], [2]]), box, new Map(), "bound");
    const [a, b, c] = blocks as [Block, Block, Block];
    expect(b.isWithin(a)).toBe(false);
    expect(c.isWithin(a)).toBe(false);
    expect(a.isWithin(a)).toBe(true);
  });

  test("knows which of two blocks has the narrower bounds", () => {
    const boxes = [
      [0, 3, true],
      [0, 2, true],
      [1, 3, true],
      [0, 3, false],
    ] as const;
    const program = programOf({
      columns: boxes.map(([from, to]) => [ratio(from), ratio(to), true]),
      rows: boxes.map((_, r) => [boxes.map((__, j) => ratio(j === r ? 1 : 0)), null, ratio(7)] as const),
      costs: boxes.map(() => ratio(1)),
    });
    const { view: whole, box } = viewOf(program);
    const view = { ...whole, integer: boxes.map(([, , integer]) => integer) };
    const { blocks } = decompose(layoutOf(view, new Set(), [[0], [1], [2], [3]]), box, new Map(), "bound");
    const [wide, lower, upper, continuous] = blocks as [Block, Block, Block, Block];
    for (const narrow of [wide, lower, upper]) expect(narrow.isWithin(wide)).toBe(true);
    for (const other of [wide, upper, continuous]) expect(other.isWithin(lower)).toBe(false);
    expect(continuous.isWithin(wide)).toBe(false);
    expect(wide.isWithin(continuous)).toBe(true);
  });
});

/** Two machines for five jobs of 3, 3, 2, 2, 2: x[j] and x[5 + j] say where job j is, x[10] is the later end. */
const lengths = [3, 3, 2, 2, 2];
const machines = programOf({
  columns: Array.from({ length: 11 }, (_, j) => [ratio(0), ratio(j === 10 ? 12 : 1), j !== 10]),
  rows: [
    ...lengths.map((_, job): SketchRow => [unitsAt([job, 5 + job]), ratio(1), ratio(1)]),
    ...[0, 5].map(
      (first): SketchRow => [
        Array.from({ length: 11 }, (_, j) =>
          ratio(j === 10 ? -1 : j >= first && j < first + 5 ? (lengths[j - first] as number) : 0),
        ),
        null,
        ratio(0),
      ],
    ),
  ],
  costs: unitsAt([10]),
});

function unitsAt(places: readonly number[]): Rational[] {
  return Array.from({ length: 11 }, (_, j) => ratio(places.includes(j) ? 1 : 0));
}

/** No two machines end by 5: a machine holds at most 2 threes' and twos' worth of 5, with prices 3, 3, 2, 2, 2. */
const step: DecomposeStep = {
  decompose: Object.fromEntries(lengths.map((length, job) => [`r${job}`, String(length)])),
  purpose: "infeasible",
  links: ["x10"],
  blocks: [
    { rows: ["r5"], least: "-5", proof: 0 },
    { rows: ["r6"], least: "-5", proof: 0 },
  ],
  proofs: [[{ enumerate: [{}] }]],
};

function certificate(steps: readonly Step[], bound = "6"): Certificate {
  return {
    format: "shardproof-certificate 1",
    program: programHash(machines),
    claim: { kind: "bound", bound },
    steps,
  };
}

function accepts(changed: Certificate): boolean {
  try {
    checkCertificate(machines, readCertificate(JSON.parse(JSON.stringify(changed))));
    return true;
  } catch {
    return false;
  }
}

describe("a certificate with a decomposition", () => {
  const proof = (change: Partial<DecomposeStep> = {}): Certificate =>
    certificate([{ fix: {} }, { ...step, ...change }]);
  const [first, second] = step.blocks as readonly [DecomposeStep["blocks"][0], DecomposeStep["blocks"][0]];

  test("is accepted, also where each block has a proof of its own or a tree of steps", () => {
    expect(accepts(proof())).toBe(true);
    expect(accepts(certificate([step], "6"))).toBe(false);
    const own = { blocks: [first, { ...second, proof: 1 }], proofs: [[{ enumerate: [{}] }], [{ enumerate: [{}] }]] };
    expect(accepts(proof(own))).toBe(true);
    const tree: Step[] = [{ branch: "x0", at: "0" }, { enumerate: [{}] }, { enumerate: [{ r5: "-1" }, {}] }];
    expect(accepts(proof({ proofs: [tree] }))).toBe(true);
    // The same as a bound: 12 for all jobs, −5 and −5 for the machines, and the end itself is priced away.
    const asBound = certificate([{ fix: {} }, { ...step, purpose: "bound" }]);
    expect(accepts(asBound)).toBe(false);
  });

  test.each<[string, Partial<DecomposeStep>]>([
    ["a multiplier is changed", { decompose: { ...step.decompose, r0: "4" } }],
    ["a multiplier is left out", { decompose: { r0: "3" } }],
    [
      "a block claims too much",
      {
        blocks: [
          { ...first, least: "-4" },
          { ...second, least: "-4" },
        ],
      },
    ],
    ["one block claims more than the proof that it shares", { blocks: [first, { ...second, least: "-4" }] }],
    [
      "a block claims less, and the sum is not positive",
      {
        blocks: [
          { ...first, least: "-7" },
          { ...second, least: "-7" },
        ],
      },
    ],
    ["a block is missing", { blocks: [first] }],
    ["a block is there twice", { blocks: [first, first] }],
    ["a proof is missing", { proofs: [] }],
    ["a proof is another block's", { proofs: [[{ branch: "x5", at: "0" }, { enumerate: [{}] }, { enumerate: [{}] }]] }],
    ["a proof has no steps", { proofs: [[]] }],
    ["a proof goes on after its end", { proofs: [[{ enumerate: [{}] }, { enumerate: [{}] }]] }],
    ["a proof is left over", { proofs: [[{ enumerate: [{}] }], [{ enumerate: [{}] }]] }],
    ["a proof is too weak", { proofs: [[{ bound: {} }]] }],
    ["the link is left out", { links: [] }],
    ["there is no such link", { links: ["x11"] }],
    ["a column of the block is called a link", { links: ["x10", "x0"] }],
    ["there is no such row", { blocks: [{ ...first, rows: ["r9"] }, second] }],
    ["a block has no rows", { blocks: [first, { ...second, rows: [] }] }],
    ["the blocks' rows are swapped with the jobs'", { blocks: [{ ...first, rows: ["r0"] }, second] }],
  ])("is refused when %s", (_, change) => {
    expect(accepts(proof(change))).toBe(false);
  });

  test("is refused for a claim that is too good", () => {
    expect(accepts(certificate([{ fix: {} }, step], "7"))).toBe(false);
    expect(accepts(certificate([{ fix: {} }, step], "13/2"))).toBe(false);
  });
});
