import { describe, expect, test } from "vitest";
import { readLp } from "../../../../src/program/lp/read.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { certificateOf, type FalseProof, refusalOf, refuseEach } from "./false-proof.js";

/** One item on one of two devices, 5 on either, but for what is put in its place. */
const oneItem = (parts: {
  objective?: string;
  item?: string;
  load1?: string;
  load2?: string;
  rows?: string;
  bounds?: string;
  integers?: string;
}) => `obj: ${parts.objective ?? "z"}
Subject To
 item: ${parts.item ?? "a1 + a2 = 1"}
 load1: ${parts.load1 ?? "5 a1 - z <= 0"}
 load2: ${parts.load2 ?? "5 a2 - z <= 0"}
${parts.rows ?? ""}
Bounds
 0 <= a1 <= 1
 0 <= a2 <= 1
 0 <= z <= 100
${parts.bounds ?? ""}
General
 ${parts.integers ?? "a1 a2"}`;

const packed = (
  items: readonly string[] = ["item"],
  devices: readonly (readonly string[])[] = [["load1"], ["load2"]],
) => [{ pack: { items, devices } }];

const THERE_IS = "there is a way to pack the items";

const proofs: readonly FalseProof[] = [
  {
    condition: "the row of an item asks for it whatever the other columns are",
    program: oneItem({ item: "a1 + a2 + 2 w = 1", bounds: " 0 <= w <= 1" }),
    claim: "5",
    steps: packed(),
    says: THERE_IS,
  },
  {
    condition: "the row of an item has a lower side",
    program: oneItem({ item: "a1 + a2 <= 1" }),
    claim: "5",
    steps: packed(),
    says: "the row of an item has no lower side",
  },
  {
    condition: "an item's columns are integers",
    program: oneItem({ integers: "" }),
    claim: "5",
    steps: packed(),
    says: THERE_IS,
  },
  {
    condition: "an item's columns are not negative",
    program: oneItem({
      item: "a1 + a2 + a3 = 1",
      rows: " load3: 10 a3 - z <= -10",
      bounds: " -1 <= a3 <= 1",
      integers: "a1 a2 a3",
    }),
    claim: "10",
    steps: packed(["item"], [["load1"], ["load2"], ["load3"]]),
    says: THERE_IS,
  },
  {
    condition: "an item's column is of one item",
    program: oneItem({
      rows: " other: a1 + b2 = 1",
      load2: "5 a2 + 5 b2 - z <= 0",
      bounds: " b2 <= 1",
      integers: "a1 a2 b2",
    }),
    claim: "10",
    steps: packed(["item", "other"]),
    says: "a column is of two items",
  },
  {
    condition: "an item's column is of one device",
    program: oneItem({ load2: "5 a1 + 5 a2 - z <= 0" }),
    claim: "6",
    steps: packed(),
    says: "an item's column is of two devices",
  },
  {
    condition: "an item has one column for a device",
    program: oneItem({ load1: "5 a1 + 3 a2 - z <= 0", load2: "- z <= 0" }),
    claim: "5",
    steps: packed(),
    says: "an item has two columns for a device",
  },
  {
    condition: "all devices are named on which an item may be",
    program: oneItem({ load1: "9 a1 - z <= 0" }),
    claim: "9",
    steps: packed(["item"], [["load1"]]),
    says: "an item may be where no device is named",
  },
  {
    condition: "an item takes room",
    program: oneItem({
      rows: " item2: b1 + b2 = 1",
      load1: "5 a1 - 3 b1 - z <= 0",
      bounds: " b1 <= 1\n b2 <= 1",
      load2: "5 a2 + 5 b2 - z <= 0",
      integers: "a1 a2 b1 b2",
    }),
    claim: "5",
    steps: packed(["item", "item2"]),
    says: "an item makes room",
  },
  {
    condition: "the row of a device has an upper side",
    program: oneItem({ load1: "5 a1 - z >= -100" }),
    claim: "5",
    steps: packed(),
    says: "the row of a device has no upper side",
  },
  {
    condition: "what adds to a device has a lower bound",
    program: oneItem({ load1: "5 a1 + w - z <= 0", bounds: " -inf <= w <= 0" }),
    claim: "5",
    steps: packed(),
    says: "no lower bound",
  },
  {
    condition: "what takes from a device has an upper bound",
    program: oneItem({ load1: "5 a1 - w - z <= 0" }),
    claim: "5",
    steps: packed(),
    says: "no upper bound",
  },
  {
    condition: "the target bounds a column only where it is the whole objective",
    program: oneItem({ objective: "z + w", bounds: " -9 <= w <= 0" }),
    claim: "5",
    steps: packed(),
    says: THERE_IS,
  },
  {
    condition: "what a load is beside its items counts at its least",
    program: oneItem({ load1: "5 a1 - 2 w - z <= 0", bounds: " 0 <= w <= 1", integers: "a1 a2 w" }),
    claim: "5",
    steps: packed(),
    says: THERE_IS,
  },
  {
    condition: "a way that is as good as the claim is one",
    program: oneItem({}),
    claim: "6",
    steps: packed(),
    says: THERE_IS,
  },
];

describe("items are packed where", () => {
  refuseEach(proofs);

  test("and where all of that holds, the claim is proved", () => {
    const program = readLp(`Minimize\n${oneItem({})}\nEnd\n`, "pack.lp");
    expect(checkCertificate(program, certificateOf(program, "49/10", packed())).bound?.toString()).toBe("49/10");
    expect(refusalOf(program, certificateOf(program, "49/10", packed(["z"])))).toContain('there is no row "z"');
    expect(refusalOf(program, certificateOf(program, "49/10", [{ pack: { items: ["item"] } }]))).toContain(
      '"devices" is missing',
    );
  });
});
