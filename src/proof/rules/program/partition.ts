import { CertificateError, fields, readNames, within } from "../../grammar.js";
import { partitionBelow } from "../../kernel/partition/partition.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/**
 * Closes the node: going through all sets of tables finds none for each device that make up all tables and keep the
 * objective below the claim. Named are the rows of the devices' loads.
 */
export interface PartitionStep {
  readonly partition: readonly string[];
}

/**
 * Of the rows load(S) ≤ largest of devices the checker reads which sets S of tables each may have with the objective below
 * the claim (kernel/partition/device-loads.ts); what it does not know it leaves out, which allows more sets. All 2ⁿ loads
 * (n ≤ 20) are computed in doubles that hold whole numbers, rounded so that none comes out greater than it is; those within
 * the rounding of the limit again exactly (set-load.ts). Whether sets of the devices make up all tables is a subset
 * convolution (subset-cover.ts; Björklund, Husfeldt, Kaski and Koivisto 2007), modulo 2³², which no count reaches.
 *
 * Side conditions: tables are groups of non-negative integers with the sum 1; the objective is one column, on the other side
 * of each load; a column that adds to a load is bounded below, one that takes from it above.
 */
export const partition: Rule<ProgramTree, PartitionStep> = {
  read: (json, step) => ({ partition: readNames(fields(json, ["partition"], step).partition, "rows", step) }),
  check(tree, { partition: loads }, step) {
    if (!tree.isEmpty) {
      const rows = loads.map((name) => tree.rowNamed(name, step));
      const { view, box, target, checkTime } = tree;
      const { kind } = within(step, () => partitionBelow(view, box, rows, target, checkTime));
      if (kind === "found")
        throw new CertificateError(step, "sets of tables are left that may be better than the claim");
    }
    tree.close();
  },
};
