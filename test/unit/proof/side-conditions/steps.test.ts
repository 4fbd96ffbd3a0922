import { describe } from "vitest";
import { type FalseProof, refuseEach } from "./false-proof.js";

const pairOfGroups = (objective: string, rows: string, bounds: string) => `obj: ${objective}
Subject To
 ga: a1 + a2 = 1
 gb: b1 + b2 = 1
${rows}
Bounds
 a1 <= 1
 a2 <= 1
 b1 <= 1
 b2 <= 1
${bounds}
General
 a1 a2 b1 b2`;

/** To be left out: a2 and b1 where a1 and b2 are as good. Each of these programs needs a2 and b1. */
const exchanges: readonly FalseProof[] = [
  {
    condition: "every member can take the whole total",
    program: pairOfGroups("a1 + b1", "", " b2 <= 0"),
    claim: "2",
    steps: [{ branch: "a1", at: "0" }, { propagate: {} }, { exchange: {} }, { bound: {} }, { bound: {} }],
    says: "no two groups of the program may exchange units",
  },
  {
    condition: "every member can give all that it has",
    program: pairOfGroups("- 5 a1 + 0 a2 + 0 b1 + b2", "", " a2 >= 1"),
    claim: "1",
    steps: [{ propagate: {} }, { exchange: {} }, { bound: {} }],
    says: "no two groups of the program may exchange units",
  },
  {
    condition: "no row falls below its lower side",
    program: pairOfGroups("a1 + b1", " r: a2 + b1 >= 2", ""),
    claim: "2",
    steps: [{ propagate: {} }, { exchange: {} }, { bound: {} }],
    says: "no two groups of the program may exchange units",
  },
  {
    condition: "no row rises above its upper side",
    program: pairOfGroups("a1 + b1", " r: a1 + b2 <= 0", ""),
    claim: "2",
    steps: [{ propagate: {} }, { exchange: {} }, { bound: {} }],
    says: "no two groups of the program may exchange units",
  },
  {
    condition: "the objective does not rise",
    program: pairOfGroups("a1 - b1", "", ""),
    claim: "0",
    steps: [{ branch: "a1", at: "0" }, { propagate: {} }, { exchange: {} }, { bound: {} }, { bound: {} }],
    says: "no two groups of the program may exchange units",
  },
];

const enumerations: readonly FalseProof[] = [
  {
    condition: "every column is an integer",
    program: `obj: x
Subject To
 r: 2 x + 2 z = 1
Bounds
 0 <= x <= 1
 0 <= z <= 1
General
 x`,
    claim: "1",
    steps: [{ enumerate: [] }],
    says: "only a box of integers can be gone through",
  },
  {
    condition: "every column has bounds",
    program: `obj: x
Subject To
 r: x >= -3
Bounds
 -infinity <= x <= 3
General
 x`,
    claim: "0",
    steps: [{ enumerate: [] }],
    says: "only a box of integers can be gone through",
  },
  {
    condition: "multipliers price sides that rows have",
    program: `obj: x
Subject To
 r: x <= 3
Bounds
 0 <= x <= 3
General
 x`,
    claim: "3",
    steps: [{ enumerate: [{ r: "1" }] }],
    says: "prices a side that row 0 does not have",
  },
  {
    condition: "none of them is better",
    program: `obj: x
Subject To
 r: x >= 0
Bounds
 0 <= x <= 3
General
 x`,
    claim: "1",
    steps: [{ enumerate: [] }],
    says: "the node has a point that is better than the claim",
  },
];

const TWO_BLOCKS = (objective: string, rows: string, bounds: string, integers = "") => `obj: ${objective}
Subject To
 ${rows}
Bounds
 ${bounds}
General
 ${integers}`;

/** Blocks with rows r and s, their leasts, and which proof each names. */
const apart = (
  leasts: readonly [string, string],
  proofs: readonly unknown[],
  named: readonly [unknown, unknown] = [0, proofs.length - 1],
) => ({
  ...{ decompose: {}, purpose: "bound", links: [], proofs },
  blocks: ["r", "s"].map((row, b) => ({ rows: [row], least: leasts[b], proof: named[b] })),
});

const decompositions: readonly FalseProof[] = [
  {
    condition: "no two blocks share a column",
    program: TWO_BLOCKS("x", "r: x >= 1\n s: x >= 1", "0 <= x <= 9"),
    claim: "2",
    steps: [apart(["1", "1"], [[{ bound: { r: "1" } }], [{ bound: { s: "1" } }]])],
    says: "blocks 0 and 1 share a column that is no link",
  },
  {
    condition: "no row is in a block twice",
    program: TWO_BLOCKS("x", "r: x >= 1", "0 <= x <= 9"),
    claim: "2",
    steps: [
      {
        ...{ decompose: {}, purpose: "bound", links: [], proofs: [[{ bound: { r: "1" } }]] },
        blocks: [{ rows: ["r", "r"], least: "2", proof: 0 }],
      },
    ],
    says: "a row is in the blocks twice",
  },
  {
    condition: "a link stands where it makes the row weakest: a lower side",
    program: TWO_BLOCKS("x", "r: x + w >= 3", "0 <= x <= 9\n 0 <= w <= 9"),
    claim: "3",
    steps: [
      {
        ...{ decompose: {}, purpose: "bound", links: ["w"], proofs: [[{ bound: { r: "1" } }]] },
        blocks: [{ rows: ["r"], least: "3", proof: 0 }],
      },
    ],
    says: "block 0: step 1: the multipliers prove",
  },
  {
    condition: "a link stands where it makes the row weakest: an upper side",
    program: TWO_BLOCKS("- x", "r: x - w <= 3", "0 <= x <= 9\n 0 <= w <= 9"),
    claim: "-3",
    steps: [
      {
        ...{ decompose: {}, purpose: "bound", links: ["w"], proofs: [[{ bound: { r: "-1" } }]] },
        blocks: [{ rows: ["r"], least: "-3", proof: 0 }],
      },
    ],
    says: "block 0: step 1: the multipliers prove",
  },
  {
    condition: "a link without a bound takes the side away",
    program: TWO_BLOCKS("x", "r: x + w >= 3", "0 <= x <= 9\n w >= 0"),
    claim: "3",
    steps: [
      {
        ...{ decompose: {}, purpose: "bound", links: ["w"], proofs: [[{ bound: { r: "1" } }]] },
        blocks: [{ rows: ["r"], least: "3", proof: 0 }],
      },
    ],
    says: "block 0: step 1: multiplier 1 prices a side",
  },
  {
    condition: "a group with a column in a block is not kept outside as well",
    program: TWO_BLOCKS("a + b", "g: a + b = 1\n s: a >= 1", "0 <= a <= 1\n 0 <= b <= 1", "a b"),
    claim: "2",
    steps: [
      {
        ...{ decompose: {}, purpose: "bound", links: [], proofs: [[{ bound: { s: "1" } }]] },
        blocks: [{ rows: ["s"], least: "1", proof: 0 }],
      },
    ],
    says: "below the claim",
  },
  {
    condition: "blocks share a proof where their rows are the same",
    program: TWO_BLOCKS("x + y", "r: x >= 1\n s: y >= 0", "0 <= x <= 9\n 0 <= y <= 9"),
    claim: "2",
    steps: [apart(["1", "1"], [[{ bound: { r: "1" } }]])],
    says: "names a proof of another block that is not the same",
  },
  {
    condition: "blocks share a proof where their claims are the same",
    program: TWO_BLOCKS("x + y", "r: x >= 1\n s: y >= 1", "0 <= x <= 9\n 0 <= y <= 9"),
    claim: "6",
    steps: [apart(["1", "5"], [[{ bound: { r: "1" } }]])],
    says: "names a proof of another block that is not the same",
  },
  {
    condition: "blocks share a proof where bounds are no wider: above",
    program: TWO_BLOCKS("- x - y", "r: x <= 9\n s: y <= 9", "0 <= x <= 1\n 0 <= y <= 5"),
    claim: "-2",
    steps: [apart(["-1", "-1"], [[{ bound: {} }]])],
    says: "names a proof of another block that is not the same",
  },
  {
    condition: "blocks share a proof where bounds are no wider: below",
    program: TWO_BLOCKS("x + y", "r: x >= 0\n s: y >= 0", "1 <= x <= 5\n 0 <= y <= 5"),
    claim: "2",
    steps: [apart(["1", "1"], [[{ bound: {} }]])],
    says: "names a proof of another block that is not the same",
  },
  {
    condition: "blocks share a proof where integers are integers",
    program: TWO_BLOCKS(
      "x + v + y + w",
      "r: 2 x + 3 v >= 4\n s: 2 y + 3 w >= 4",
      "0 <= x <= 9\n 0 <= v <= 9\n 0 <= y <= 9\n 0 <= w <= 9",
      "x v",
    ),
    claim: "4",
    steps: [apart(["2", "2"], [[{ bound: { r: "1/3" } }]])],
    says: "names a proof of another block that is not the same",
  },
  ...[1, -1, 0.5].map((named) => ({
    condition: `the proof that a block names is there: ${named}`,
    program: TWO_BLOCKS("x + y", "r: x >= 1\n s: y >= 1", "0 <= x <= 9\n 0 <= y <= 9"),
    claim: "6",
    steps: [apart(["1", "5"], [[{ bound: { r: "1" } }]], [0, named])],
    says: `block 1 names proof ${named}, which is missing`,
  })),
  {
    condition: "the proof of a block ends with the block",
    program: TWO_BLOCKS("x + y", "r: x >= 1\n s: y >= 1", "0 <= x <= 9\n 0 <= y <= 9"),
    claim: "6",
    steps: [apart(["1", "5"], [[{ bound: { r: "1" } }], [{ infeasible: { s: "1" } }]])],
    says: "block 1: step 1: the multipliers do not show that the node is infeasible",
  },
];

/** A block with row r, and what is said of its minimum. */
const narrowing = (least: string, proof: unknown) => ({
  ...{ narrow: {}, links: [], blocks: [{ rows: ["r"], least, proof: 0 }], proofs: [[proof]] },
});

const narrowings: readonly FalseProof[] = [
  {
    condition: "a claim of infeasibility has no cutoff",
    program: TWO_BLOCKS("x", "r: x >= 1", "0 <= x <= 9"),
    claim: null,
    steps: [narrowing("1", { bound: { r: "1" } }), { infeasible: { r: "1" } }],
    says: "no cutoff to fix by",
  },
  {
    condition: "no column of a block is tightened",
    program: TWO_BLOCKS("x", "r: x >= 1", "0 <= x <= 9", "x"),
    claim: "2",
    steps: [narrowing("1", { bound: { r: "1" } }), { infeasible: { r: "1" } }],
    says: "the multipliers do not show that the node is infeasible",
  },
  {
    condition: "no column of a group with one in a block is tightened as the group's",
    program: TWO_BLOCKS("x + 2 y", "g: x + y = 1\n r: x >= 0", "0 <= x <= 1\n 0 <= y <= 1", "x y"),
    claim: "2",
    steps: [narrowing("0", { bound: {} }), { bound: { g: "2" } }],
    says: "below the claim",
  },
  {
    condition: "the minimum of a block is proved",
    program: TWO_BLOCKS("x + y", "r: x >= 1\n s: y >= 1", "0 <= x <= 9\n 0 <= y <= 9"),
    claim: "3",
    steps: [narrowing("2", { bound: { r: "1" } }), { infeasible: { s: "1" } }],
    says: "block 0: step 1: the multipliers prove",
  },
];

const even = `obj: x
Subject To
 r: x = 1
Bounds
 0 <= x <= 3
General
 x`;

const lattices: readonly FalseProof[] = [
  {
    condition: "the two matrices are each other's inverse",
    program: even,
    claim: null,
    lattice: { matrix: [["2"]], inverse: [["1"]] },
    steps: [{ propagate: {} }, { infeasible: {} }],
    says: "the two matrices of the lattice basis are not inverse",
  },
  {
    condition: "both are of integers",
    program: even,
    claim: null,
    lattice: { matrix: [["2"]], inverse: [["1/2"]] },
    steps: [{ propagate: {} }, { infeasible: {} }],
    says: "an integer was expected, 1/2 is there",
  },
  {
    condition: "both are square, with as many rows as the program has integers",
    program: even,
    claim: null,
    lattice: { matrix: [], inverse: [] },
    steps: [{ infeasible: {} }],
    says: "a lattice basis of 1 × 1 was expected",
  },
];

describe("units are exchanged where", () => refuseEach(exchanges));
describe("points are gone through where", () => refuseEach(enumerations));
describe("a node is taken apart where", () => refuseEach(decompositions));
describe("what is dear beside blocks is left out where", () => refuseEach(narrowings));
describe("a lattice basis is one where", () => refuseEach(lattices));
