import { Rational } from "../../../exact/rational.js";
import {
  CertificateError,
  list,
  type NamedMultipliers,
  names,
  number,
  type Read,
  type Reader,
  readNumber,
  record,
  within,
} from "../../grammar.js";
import type { BoundResult } from "../../kernel/bound.js";
import { type Block, decompose, type Layout } from "../../kernel/decompose.js";
import type { ProgramTree } from "./tree.js";

/** What is said of one block. */
const blockClaim = record({
  /** The rows that are kept in it. */
  rows: names("rows"),
  /** Its minimum is at least this. */
  least: number,
  /**
   * Index of the proof. Blocks that are the same but for names and narrower bounds may share one, which speaks in the names
   * of the first.
   */
  proof: ((json, step) => {
    if (typeof json !== "number") throw new CertificateError(step, "the index of a proof was expected");
    return json;
  }) satisfies Reader<number>,
});
export type BlockClaim = Read<typeof blockClaim>;

/** How a node is taken apart. */
export interface Parts<Step = unknown> {
  /** Columns that belong to no block, though they are in rows of blocks. */
  readonly links: readonly string[];
  readonly blocks: readonly BlockClaim[];
  /** The proofs that the blocks name, each the steps of a certificate about a block's own program. */
  readonly proofs: readonly (readonly Step[])[];
}

const innerStep: Reader<unknown> = (json, step, readStep) => readStep(json, step, readStep);

/** The fields of {@link Parts}. */
export const parts = {
  links: names("columns"),
  blocks: list("blocks", blockClaim),
  proofs: list("proofs", list("steps", innerStep)),
};

/**
 * The bound of the tree's node as a sum: of one minimum for each block, subject to its rows, and that of the columns outside, with
 * the reduced costs of these (kernel/decompose.ts). Nothing is asked of the blocks where the node is empty anyway.
 *
 * Side conditions: blocks share no column but `links`, which stand at the bound of the box that makes a block's row weakest;
 * no row is in the blocks twice; each `least` is proved by steps about the block's own program; a proof is shared only by
 * the same program but for names, or one with narrower bounds of columns, with the same `least`.
 */
export function boundOfBlocks(
  tree: ProgramTree,
  given: Parts,
  named: NamedMultipliers,
  purpose: "bound" | "infeasibility",
  step: number,
): BoundResult & Pick<Layout, "outside"> {
  if (tree.around !== null) throw new CertificateError(step, "a ladder is not taken apart into blocks");
  const layout = tree.layout(given.links, given.blocks, step);
  const multipliers = tree.multipliers(named, step);
  const { rest, blocks } = within(step, () => decompose(layout, tree.box, multipliers, purpose));
  const { outside } = layout;
  if (rest.infeasible || tree.isEmpty) return { ...rest, outside };
  const sum = sumOfBlocks(tree, given, blocks, step);
  return { ...rest, outside, bound: rest.bound?.add(sum) ?? null };
}

/** Checks the proofs of the blocks, each once, and adds up what they prove. */
function sumOfBlocks(
  tree: ProgramTree,
  { blocks: claims, proofs }: Parts,
  blocks: readonly Block[],
  number: number,
): Rational {
  const proved = new Map<number, { readonly block: Block; readonly least: string }>();
  let sum = Rational.zero;
  claims.forEach(({ least, proof }, b) => {
    const block = blocks[b] as Block;
    const value = readNumber(least, number);
    sum = sum.add(value);
    const known = proved.get(proof);
    if (known !== undefined) {
      if (known.least === least && block.isWithin(known.block)) return;
      throw new CertificateError(number, `block ${b} names a proof of another block that is not the same`);
    }
    const steps = proofs[proof];
    if (steps === undefined) throw new CertificateError(number, `block ${b} names proof ${proof}, which is missing`);
    try {
      tree.prove(block.program(`block ${b}`, tree.program), value, steps);
    } catch (error) {
      if (error instanceof CertificateError) throw new CertificateError(number, `block ${b}: ${error.message}`);
      throw error;
    }
    proved.set(proof, { block, least });
  });
  if (proved.size < proofs.length) throw new CertificateError(number, "a proof is there that no block names");
  return sum;
}
