import { describe, expect, test } from "vitest";
import { readLp } from "../../../../src/program/lp/read.js";
import { certificateOf, type FalseProof, refusalOf, refuseEach } from "./false-proof.js";

const LOADS = [{ partition: ["load1", "load2"] }];

/** One table on one of two devices, 5 on either, but for what is put in its place. */
const oneTable = (parts: {
  load1?: string;
  load2?: string;
  rows?: string;
  bounds?: string;
  integers?: string;
}) => `obj: z
Subject To
 table: a1 + a2 = 1
 load1: ${parts.load1 ?? "5 a1 - z <= 0"}
 load2: ${parts.load2 ?? "5 a2 - z <= 0"}
${parts.rows ?? ""}
Bounds
 0 <= a1 <= 1
 0 <= a2 <= 1
 0 <= z <= 100
${parts.bounds ?? ""}
General
 a1 a2 ${parts.integers ?? ""}`;

/** Integers with the sum 1 of which one may be negative: (1, 1, −1) costs 1. */
const NEGATIVE = (most: number) => `obj: z
Subject To
 table: a1 + a2 + a3 = 1
 load1: a1 - z <= 0
 load2: a2 - z <= 0
 load3: 10 a3 - z <= -10
Bounds
 -1 <= a1 <= 1
 -1 <= a2 <= 1
 -1 <= a3 <= 1
 0 <= z <= ${most}
General
 a1 a2 a3`;

const proofs: readonly FalseProof[] = [
  {
    condition: "a table's columns are not negative: a bound",
    program: NEGATIVE(100),
    claim: "10",
    steps: [{ partition: ["load1", "load2", "load3"] }],
    says: "a table's column may be negative",
  },
  {
    condition: "a table's columns are not negative: no point at all",
    program: NEGATIVE(5),
    claim: null,
    steps: [{ partition: ["load1", "load2", "load3"] }],
    says: "a table's column may be negative",
  },
  {
    condition: "a table's columns have the sum 1",
    program: `obj: z
Subject To
 table: a1 + a2 = 2
 load1: - a1 - z <= -4
 load2: - a2 - z <= -4
Bounds
 0 <= a1 <= 2
 0 <= a2 <= 2
 0 <= z <= 100
General
 a1 a2`,
    claim: "4",
    steps: LOADS,
    says: "a group is not of one table",
  },
  {
    condition: "every column of a table is in the load of a device",
    program: `obj: z
Subject To
 table: a1 + a2 + a3 = 1
 load1: 5 a1 - z <= 0
 load2: 5 a2 - z <= 0
Bounds
 0 <= a1 <= 1
 0 <= a2 <= 1
 0 <= a3 <= 1
 0 <= z <= 100
General
 a1 a2 a3`,
    claim: "5",
    steps: LOADS,
    says: "a table has not one column for each device",
  },
  {
    condition: "a table has one column for each device",
    program: `obj: z
Subject To
 table: a1 + a2 + a3 = 1
 load1: a1 + 5 a3 - z <= 0
 load2: 5 a2 - z <= 0
Bounds
 0 <= a1 <= 1
 0 <= a2 <= 1
 0 <= a3 <= 1
 0 <= z <= 100
General
 a1 a2 a3`,
    claim: "5",
    steps: LOADS,
    says: "a table has not one column for each device",
  },
  {
    condition: "the objective is on the other side of the load",
    program: oneTable({ load1: "5 a1 + z <= 100", load2: "5 a2 + z <= 100" }),
    claim: "96",
    steps: LOADS,
    says: "the objective is not on the other side of the load",
  },
  {
    condition: "the objective's column is minimised",
    program: oneTable({ load1: "5 a1 - z <= 0", load2: "5 a2 - z <= 0" }).replace("obj: z", "obj: - z"),
    claim: "-4",
    steps: LOADS,
    says: "the objective is not the greatest load",
  },
  {
    condition: "the objective has no other column",
    program: oneTable({ bounds: " -10 <= w <= 0" }).replace("obj: z", "obj: z + w"),
    claim: "5",
    steps: LOADS,
    says: "the objective is not the greatest load",
  },
  {
    condition: "an integer column of a load is at most 1",
    program: oneTable({ load1: "5 a1 - 2 s - z <= 0", bounds: " 0 <= s <= 3", integers: "s" }),
    claim: "3",
    steps: LOADS,
    says: "an integer column of a load is not 0 or 1",
  },
  {
    condition: "an integer column of a load is not negative",
    program: oneTable({ load1: "5 a1 + 2 s - z <= 0", bounds: " -1 <= s <= 1", integers: "s" }),
    claim: "5",
    steps: LOADS,
    says: "an integer column of a load is not 0 or 1",
  },
  {
    condition: "a column that adds to a load has a lower bound",
    program: oneTable({ load1: "5 a1 + p - z <= 0", bounds: " p free" }),
    claim: "5",
    steps: LOADS,
    says: "a column that adds to a load has no lower bound",
  },
  {
    condition: "a column that takes from a load has an upper bound",
    program: oneTable({ load1: "5 a1 - p - z <= 0", bounds: " p >= 0" }),
    claim: "5",
    steps: LOADS,
    says: "a column that takes from a load has no upper bound",
  },
  {
    condition: "what switches a column that takes from a load is at most 1",
    program: oneTable({
      load1: "5 a1 - p - z <= 0",
      rows: " off: p - 2 d <= 1\n on: p - 2 d - a1 <= 0",
      bounds: " 0 <= d <= 3\n p >= 0",
      integers: "d",
    }),
    claim: "2",
    steps: LOADS,
    says: "a column that takes from a load has no upper bound",
  },
  {
    condition: "what switches a column that takes from a load is an integer",
    program: oneTable({
      load1: "5 a1 - p - z <= 0",
      rows: " off: p - 4 d <= 0\n on: p + 4 d - a1 <= 4",
      bounds: " 0 <= d <= 1\n p >= 0",
    }),
    claim: "4",
    steps: LOADS,
    says: "a column that takes from a load has no upper bound",
  },
];

describe("step partition: a false proof is refused where not", () => {
  refuseEach(proofs);
});

test("step partition is refused without devices, for a row twice, without an upper side, and beyond 20 tables", () => {
  const small = readLp(`Minimize\n${oneTable({ rows: " least: 5 a1 + z >= 0" })}\nEnd\n`, "small.lp");
  const said = (rows: readonly string[]) => refusalOf(small, certificateOf(small, "6", [{ partition: rows }]));
  expect(said([])).toContain("sets of tables are left");
  expect(said(["load1", "load1"])).toContain("a table's column is of two devices");
  expect(said(["load1"])).toContain("a table has not one column for each device");
  expect(said(["least", "load2"])).toContain("the row of a load has no upper side");
  expect(said(["load1", "none"])).toContain('there is no row "none"');
  const many = Array.from({ length: 21 }, (_, t) => t);
  const sum = (d: number) => many.map((t) => `x${t}_${d}`).join(" + ");
  const large = readLp(
    `Minimize\n obj: z\nSubject To\n${many.map((t) => ` t${t}: x${t}_1 + x${t}_2 = 1`).join("\n")}
 load1: ${sum(1)} - z <= 0\n load2: ${sum(2)} - z <= 0\nBinary\n ${sum(1).replaceAll("+", "")} ${sum(2).replaceAll("+", "")}\nEnd\n`,
    "large.lp",
  );
  expect(refusalOf(large, certificateOf(large, "12", LOADS))).toContain("over 20 tables");
});
