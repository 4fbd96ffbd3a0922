import { describe } from "vitest";
import { type FalseProof, refuseEach } from "./false-proof.js";

const branching: readonly FalseProof[] = [
  {
    condition: "the column is an integer",
    program: `obj: z
Subject To
 r: 2 z = 1
Bounds
 0 <= z <= 1`,
    claim: null,
    steps: [{ branch: "z", at: "0" }, { infeasible: { r: "1" } }, { infeasible: { r: "-1" } }],
    says: 'column "z" is not an integer',
  },
  {
    condition: "it is split at an integer",
    program: `obj: x
Subject To
 r: 2 x = 2
Bounds
 0 <= x <= 1
General
 x`,
    claim: null,
    steps: [{ branch: "x", at: "1/2" }, { infeasible: { r: "1" } }, { infeasible: {} }],
    says: "a branching needs an integer, 1/2 is there",
  },
  {
    condition: "both halves are closed",
    program: `obj: x
Subject To
 r: x >= 0
Bounds
 -1 <= x <= 1
General
 x`,
    claim: "1",
    steps: [{ branch: "x", at: "-1" }, { infeasible: { r: "1" } }],
    says: "step 3: missing: 1 nodes are still open",
  },
];

const leaves: readonly FalseProof[] = [
  {
    condition: "a column with a cost has a bound on the side that it prefers",
    program: `obj: x
Subject To
 r: x >= -3
Bounds
 x free`,
    claim: "0",
    steps: [{ bound: {} }],
    says: "the multipliers leave a free column with a cost",
  },
  {
    condition: "a multiplier above zero prices a lower side",
    program: `obj: x
Subject To
 r: x <= 3
Bounds
 0 <= x <= 9`,
    claim: "3",
    steps: [{ bound: { r: "1" } }],
    says: "prices a side that row 0 does not have",
  },
  {
    condition: "a multiplier below zero prices an upper side",
    program: `obj: - x
Subject To
 r: x >= 3
Bounds
 0 <= x <= 9`,
    claim: "-3",
    steps: [{ bound: { r: "-1" } }],
    says: "prices a side that row 0 does not have",
  },
  {
    condition: "infeasible: the multipliers come to more than zero",
    program: `obj: x
Subject To
 r: x >= 3
Bounds
 0 <= x <= 3`,
    claim: null,
    steps: [{ infeasible: { r: "1" } }],
    says: "the multipliers do not show that the node is infeasible",
  },
  {
    condition: "infeasible: a column that is left with a cost has a bound",
    program: `obj: x
Subject To
 r: x >= 3
Bounds
 x >= 0`,
    claim: null,
    steps: [{ infeasible: { r: "1" } }],
    says: "the multipliers do not show that the node is infeasible",
  },
  {
    condition: "infeasible: a bound does not show it",
    program: `obj: x
Subject To
 r: x >= 3
Bounds
 0 <= x <= 3`,
    claim: null,
    steps: [{ bound: { r: "1" } }],
    says: "the node was claimed infeasible, a bound does not show it",
  },
];

const rounding: readonly FalseProof[] = [
  {
    condition: "a continuous column with a cost leaves the objective on no lattice",
    program: `obj: z
Subject To
 r: 2 z >= 1
Bounds
 0 <= z <= 9`,
    claim: "1",
    steps: [{ bound: { r: "1/2" } }],
    says: "below the claim",
  },
  {
    condition: "a continuous column leaves a row on no lattice",
    program: `obj: x
Subject To
 r: 2 x + z >= 0.5
Bounds
 0 <= x <= 9
 0 <= z <= 0.5
General
 x`,
    claim: "1",
    steps: [{ propagate: {} }, { bound: {} }],
    says: "below the claim",
  },
  {
    condition: "members of a group have a coefficient in common only where all are there",
    program: `obj: 2 x
Subject To
 r: x + y = 1
Bounds
 0 <= x <= 1
 0 <= y <= 1
General
 x y`,
    claim: "2",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
  {
    condition: "implied integers: bounds are whole",
    program: `obj: z
Subject To
 r: z >= -5
Bounds
 0.5 <= z <= 9`,
    claim: "1",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
  {
    condition: "implied integers: sides are multiples of the column's coefficient",
    program: `obj: z
Subject To
 r: 2 z >= 1
Bounds
 0 <= z <= 9`,
    claim: "1",
    steps: [{ propagate: {} }, { bound: {} }],
    says: "below the claim",
  },
  {
    condition: "implied integers: so are the coefficients of the others",
    program: `obj: z
Subject To
 r: 2 z - x >= 0
Bounds
 0 <= z <= 9
 1 <= x <= 1
General
 x`,
    claim: "1",
    steps: [{ bound: { r: "1/2" } }],
    says: "below the claim",
  },
  {
    condition: "implied integers: a row has one continuous column",
    program: `obj: z
Subject To
 r: z - w >= 0
 s: 2 w >= 1
Bounds
 0 <= z <= 9
 0 <= w <= 9`,
    claim: "1",
    steps: [{ bound: { r: "1", s: "1/2" } }],
    says: "below the claim",
  },
];

/** "These integers add up to a fixed integer" is what makes columns a group. */
const groups: readonly FalseProof[] = [
  {
    condition: "the columns are integers",
    program: `obj: a
Subject To
 r: a + b = 1
Bounds
 0.5 <= a <= 1
 0 <= b <= 1`,
    claim: "3/5",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
  {
    condition: "no two share a column",
    program: `obj: b
Subject To
 r: a + b = 1
 s: b + c = 1
Bounds
 0 <= a <= 0
 0 <= b <= 1
 0 <= c <= 0
General
 a b c`,
    claim: "2",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
  {
    condition: "the coefficients are 1",
    program: `obj: b
Subject To
 r: 2 a + b = 2
Bounds
 0 <= a <= 1
 0 <= b <= 1
General
 a b`,
    claim: "1",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
  {
    condition: "the coefficients are not fractions",
    program: `obj: - a - b
Subject To
 r: 0.5 a + 0.5 b = 1
Bounds
 0 <= a <= 1
 0 <= b <= 1
General
 a b`,
    claim: "-1",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
  {
    condition: "the sides are one number",
    program: `obj: - a - b
Subject To
 r: 0 <= a + b <= 1
Bounds
 0 <= a <= 1
 0 <= b <= 1
General
 a b`,
    claim: "0",
    steps: [{ bound: {} }],
    says: "below the claim",
  },
];

const shrinking: readonly FalseProof[] = [
  {
    condition: "fix: a claim of infeasibility has no cutoff",
    program: `obj: x
Subject To
 r: x >= 0
Bounds
 0 <= x <= 1
General
 x`,
    claim: null,
    steps: [{ fix: {} }, { infeasible: {} }],
    says: "a proof of infeasibility has no cutoff to fix by",
  },
  {
    condition: "fix: only integers move by whole units",
    program: `obj: z
Subject To
 r: 2 z >= 1
Bounds
 0 <= z <= 9`,
    claim: "1",
    steps: [{ fix: {} }, { infeasible: { r: "1" } }],
    says: "do not show that the node is infeasible",
  },
  {
    condition: "fix: multipliers that prove nothing fix nothing",
    program: `obj: x + y
Subject To
 r: x >= -3
 s: y >= 1
Bounds
 x free
 0 <= y <= 9
General
 x y`,
    claim: "1",
    steps: [{ fix: {} }, { infeasible: { s: "1" } }],
    says: "do not show that the node is infeasible",
  },
  {
    condition: "propagate: only bounds of integers are rounded",
    program: `obj: z
Subject To
 r: 2 z >= 1
Bounds
 z free`,
    claim: "1",
    steps: [{ propagate: {} }, { bound: {} }],
    says: "below the claim",
  },
  {
    condition: "propagate: a row with another column without a bound says nothing of a column",
    program: `obj: x
Subject To
 r: x + y >= 1
Bounds
 -5 <= x <= 5
 y >= 0
General
 x y`,
    claim: "1",
    steps: [{ propagate: {} }, { bound: {} }],
    says: "below the claim",
  },
  {
    condition: "propagate: a row with two columns without bounds says nothing of either",
    program: `obj: x
Subject To
 r: x + y >= 1
Bounds
 x >= 0
 y >= 0
General
 x y`,
    claim: "1",
    steps: [{ propagate: {} }, { bound: {} }],
    says: "below the claim",
  },
  {
    condition: "round: the factor is above zero",
    program: `obj: x
Subject To
 r: x <= 1
Bounds
 0 <= x <= 1
General
 x`,
    claim: "1",
    steps: [{ round: { r: "-1" } }, { bound: { r: "-1" } }],
    says: "a row is rounded with a positive factor",
  },
  {
    condition: "round: the columns are integers",
    program: `obj: - z
Subject To
 r: 2 z <= 1
Bounds
 0 <= z <= 1`,
    claim: "0",
    steps: [{ round: { r: "1/2" } }, { bound: { r: "-1" } }],
    says: "only a row over integers that are bounded below can be rounded",
  },
  {
    condition: "round: they are bounded below",
    program: `obj: - x
Subject To
 r: 3 x + 2 y <= 4
Bounds
 0 <= x <= 9
 -9 <= y <= 9
 y >= -infinity
General
 x y`,
    claim: "-1",
    steps: [{ round: { r: "1/3" } }, { bound: { r: "-1" } }],
    says: "only a row over integers that are bounded below can be rounded",
  },
  {
    condition: "round: the row has an upper side",
    program: `obj: - x
Subject To
 r: x >= 0
Bounds
 0 <= x <= 9
General
 x`,
    claim: "0",
    steps: [{ round: { r: "1" } }, { bound: { r: "-1" } }],
    says: "a row without an upper side cannot be rounded",
  },
];

describe("a branching splits a node where", () => refuseEach(branching));
describe("a leaf is closed where", () => refuseEach(leaves));
describe("bounds and sides are rounded where", () => refuseEach(rounding));
describe("columns are a group where", () => refuseEach(groups));
describe("a node shrinks where", () => refuseEach(shrinking));
