import type { Random } from "../../src/exact/random.js";
import type { Rational } from "../../src/exact/rational.js";
import { solveExactly } from "../../src/optimize/exact-milp/solve-exactly.js";
import { coverProgram } from "../../src/program/grouping/cover.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import { groupingHash } from "../../src/program/grouping/hash.js";
import type { Certificate, NamedMultipliers, Step } from "../../src/proof/certificate.js";
import { groupsBound, groupsLeft } from "../../src/proof/grouping/bound.js";
import type { GroupPrices } from "../../src/proof/grouping/group-prices.js";
import type { GroupingNode } from "../../src/proof/grouping/node.js";

/** A certificate around steps; `null` claims that there is no numbering. */
export function groupingCertificate(grouping: Grouping, claim: Rational | null, steps: readonly Step[]): Certificate {
  return {
    format: "shardproof-certificate 1",
    program: groupingHash(grouping),
    claim: claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim.toString() },
    steps,
  };
}

/**
 * Steps about a claim: in each window a few random pairs are split, and what is left is closed by prices, and mostly a
 * cover from the exact solver. They prove the claim where it is true, whatever the prices; where it is false they are as near to a
 * proof as can be.
 */
export async function randomSteps(
  grouping: Grouping,
  claim: Rational | null,
  random: Random,
  prices: () => GroupPrices,
  splits: number,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const close = async (node: GroupingNode, depth: number): Promise<void> => {
    const items = grouping.items.length;
    if (depth > 0 && items > 1 && random.integer(3) > 0) {
      const i = random.integer(items);
      const pair = [i, (i + 1 + random.integer(items - 1)) % items] as const;
      steps.push({ pair: [grouping.items[pair[0]] as string, grouping.items[pair[1]] as string] });
      await close({ ...node, together: [...node.together, pair] }, depth - 1);
      await close({ ...node, apart: [...node.apart, pair] }, depth - 1);
      return;
    }
    if (grouping.groups === 2 && random.integer(3) === 0) {
      steps.push({ halves: {} });
      return;
    }
    const values = prices();
    const bound = groupsBound(grouping, node, values, claim === null ? "infeasible" : "bound");
    const left = groupsLeft(grouping, bound, claim);
    // Without a cover the checker goes through the partitions itself.
    const isLeftOpen = left.length === 0 || random.integer(3) === 0;
    const program = () =>
      coverProgram(
        grouping,
        left.map(({ items }) => items),
      );
    const cover = isLeftOpen ? null : await solveExactly(program());
    const cuts = values.triples.map(({ items: [a, b, c], price }) => {
      const nameOf = (item: number) => grouping.items[item] as string;
      return { items: [nameOf(a), nameOf(b), nameOf(c)] as const, price: price.toString() };
    });
    const shared = { prices: named(grouping, values.items), cover: cover?.certificate?.steps ?? [] };
    steps.push({ groups: cuts.length === 0 ? shared : { ...shared, cuts } });
  };
  for (const window of grouping.windows) await close({ window, together: [], apart: [] }, splits);
  return steps;
}

/** Prices by the items' names; zeros are left out. */
export function named({ items }: Grouping, prices: readonly Rational[]): NamedMultipliers {
  return Object.fromEntries(
    items.flatMap((name, i) => (prices[i]?.sign() === 0 ? [] : [[name, (prices[i] as Rational).toString()]])),
  );
}
