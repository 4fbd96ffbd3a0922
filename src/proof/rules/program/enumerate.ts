import { CertificateError, list, multipliers, names, record, within } from "../../grammar.js";
import { completeBins, VISITS_BETWEEN } from "../../kernel/packing/bin-completion.js";
import { packingOf } from "../../kernel/packing/packing.js";
import { partitionBelow } from "../../kernel/partition/partition.js";
import { rule } from "../rule.js";
import { enumerateBelow } from "./enumeration/enumerate.js";
import type { ProgramTree } from "./tree.js";

/** What going through all of something found, in words; `null`: nothing that is better than the claim. */
type Found = string | null;

/** Closes the node where an oracle that misses no point finds none; an empty node need not be gone through. */
function closeByAll(tree: ProgramTree, step: number, oracle: () => Found): void {
  const found = tree.isEmpty || tree.view.crossed ? null : within(step, oracle);
  if (found !== null) throw new CertificateError(step, found);
  tree.close();
}

/**
 * Closes the node: going through its points one by one, with sets of multipliers to leave branches early, finds none that
 * is better than the claim.
 */
const enumerateStep = record({ enumerate: list("sets of multipliers", multipliers) });

/**
 * A branch is left only where a row cannot be kept any more, where the Lagrangian bound of one of the sets of multipliers,
 * with what is chosen so far, reaches the claim, where another choice uses no more of any row, nor of the objective, or where the
 * choices to come use more than is left of one whatever they are, within what is left of two others (enumeration/: label setting
 * with dominance and completions, else depth first). The walk is in doubles that hold integers, rounded so that
 * no branch is left wrongly; a point that survives is judged in rationals.
 *
 * Side conditions: all open columns are integers in bounds; multipliers price sides that their rows have; a set that prices a cut is
 * compared too where rows were rounded, because the cut may say what they no longer say.
 */
export const enumerate = rule(enumerateStep, (tree: ProgramTree, { enumerate: named }, step) => {
  const sets = named.map((set) => tree.multipliers(set, step));
  closeByAll(tree, step, () => {
    const { kind } = enumerateBelow(tree.view, tree.box, sets, tree.target);
    if (kind === "found") return "the node has a point that is better than the claim";
    return kind === "none" ? null : "the node has too many points to go through";
  });
});

/** Closes the node: there is no way to put its items on its devices. */
const packStep = record({
  /** Rows that ask for an item each, and by device the rows of what it has room for. */
  pack: record({ items: names("rows"), devices: list("devices", names("rows")) }),
});

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
export const pack = rule(packStep, (tree: ProgramTree, { pack: { items, devices } }, step) => {
  const itemRows = items.map((name) => tree.rowNamed(name, step));
  const deviceRows = devices.map((rows) => rows.map((name) => tree.rowNamed(name, step)));
  const { view, box, target, checkTime } = tree;
  let visits = 0;
  const goesOn = () => {
    checkTime();
    visits += VISITS_BETWEEN;
    return visits <= MAX_VISITS;
  };
  closeByAll(tree, step, () => {
    const { kind } = completeBins(packingOf(view, box, itemRows, deviceRows, target), goesOn);
    if (kind === "found") return "there is a way to pack the items";
    return kind === "none" ? null : "there are too many ways to fill devices to go through";
  });
});

/**
 * Closes the node: going through all sets of tables finds none for each device that make up all tables and keep the
 * objective below the claim. Named are the rows of the devices' loads.
 */
const partitionStep = record({ partition: names("rows") });

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
export const partition = rule(partitionStep, (tree: ProgramTree, { partition: loads }, step) => {
  const rows = loads.map((name) => tree.rowNamed(name, step));
  const { view, box, target, checkTime } = tree;
  closeByAll(tree, step, () => {
    const { kind } = partitionBelow(view, box, rows, target, checkTime);
    return kind === "none" ? null : "sets of tables are left that may be better than the claim";
  });
});
