import { CertificateError, fields, readList, readNames, within } from "../../grammar.js";
import { completeBins, VISITS_BETWEEN } from "../../kernel/packing/bin-completion.js";
import { packingOf } from "../../kernel/packing/packing.js";
import type { Rule } from "../rule.js";
import type { ProgramTree } from "./tree.js";

/** Closes the node: there is no way to put its items on its devices. */
export interface PackStep {
  /** Rows that ask for an item each, and by device the rows of what it has room for. */
  readonly pack: { readonly items: readonly string[]; readonly devices: readonly (readonly string[])[] };
}

/** Visits of a search after which it is given up; a prover stays below half of it. */
const MAX_VISITS = 5_000_000;

/**
 * The checker reads what each item takes of each device and what there is room for with the objective below the claim
 * (kernel/packing/packing.ts), and goes through all ways to fill devices (bin-completion.ts). Sizes are rounded down and rooms up, to
 * whole numbers that doubles hold, so that no way is missed.
 *
 * Side conditions: with all other columns at their most a row of an item asks for one of its open binaries; each of these is in
 * rows of one device alone; what else is in rows of devices has bounds.
 */
export const pack: Rule<ProgramTree, PackStep> = {
  read(json, step) {
    const { items, devices } = fields(fields(json, ["pack"], step).pack, ["items", "devices"], step);
    return {
      pack: {
        items: readNames(items, "rows", step),
        devices: readList(devices, "devices", step).map((rows) => readNames(rows, "rows", step)),
      },
    };
  },
  check(tree, { pack: { items, devices } }, step) {
    const itemRows = items.map((name) => tree.rowNamed(name, step));
    const deviceRows = devices.map((rows) => rows.map((name) => tree.rowNamed(name, step)));
    if (!tree.isEmpty && !tree.view.crossed) {
      const { view, box, target, checkTime } = tree;
      let visits = 0;
      const goesOn = () => {
        checkTime();
        visits += VISITS_BETWEEN;
        return visits <= MAX_VISITS;
      };
      const { kind } = within(step, () => completeBins(packingOf(view, box, itemRows, deviceRows, target), goesOn));
      if (kind === "found") throw new CertificateError(step, "there is a way to pack the items");
      if (kind === "unknown") throw new CertificateError(step, "there are too many ways to fill devices to go through");
    }
    tree.close();
  },
};
