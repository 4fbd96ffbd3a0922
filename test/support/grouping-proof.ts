import type { Random } from "../../src/exact/random.js";
import type { Rational } from "../../src/exact/rational.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import { groupingHash } from "../../src/program/grouping/hash.js";
import type {
  Certificate,
  ClustersDuals,
  ListedClusters,
  NamedMultipliers,
  Step,
} from "../../src/proof/certificate.js";
import type { ClusterDuals } from "../../src/proof/kernel/grouping/dual-values.js";
import type { GroupingNode } from "../../src/proof/kernel/grouping/node.js";

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
 * Steps about a claim: in each window a few random pairs are split, and what is left is closed by prices, and mostly by
 * more prices and pairs for the groups that these leave. They prove the claim where it is true, whatever the prices.
 */
export function randomSteps(
  grouping: Grouping,
  random: Random,
  prices: () => ClusterDuals,
  splits: number,
): readonly Step[] {
  const steps: Step[] = [];
  const close = (node: GroupingNode, depth: number): void => {
    const items = grouping.elements.length;
    if (depth > 0 && items > 1 && random.integer(3) > 0) {
      const i = random.integer(items);
      const pair = [i, (i + 1 + random.integer(items - 1)) % items] as const;
      steps.push({ pair: [grouping.elements[pair[0]] as string, grouping.elements[pair[1]] as string] });
      close({ ...node, together: [...node.together, pair] }, depth - 1);
      close({ ...node, apart: [...node.apart, pair] }, depth - 1);
      return;
    }
    if (grouping.clusters === 2 && random.integer(3) === 0) {
      steps.push({ halves: {} });
      return;
    }
    const own = pricesNamed(grouping, prices());
    steps.push({ groups: random.integer(3) === 0 ? own : { ...own, listed: listed(3) } });
  };
  const listed = (depth: number): ListedClusters => {
    const narrow = Array.from({ length: random.integer(3) }, () => pricesNamed(grouping, prices()));
    const items = grouping.elements.length;
    if (depth === 0 || items === 1 || random.integer(3) === 0) return { narrow };
    const i = random.integer(items);
    const j = (i + 1 + random.integer(items - 1)) % items;
    const pair = [grouping.elements[i] as string, grouping.elements[j] as string] as const;
    return { narrow, split: { pair, together: listed(depth - 1), apart: listed(depth - 1) } };
  };
  for (const window of grouping.windows) close({ window, together: [], apart: [] }, splits);
  return steps;
}

function pricesNamed(grouping: Grouping, { elements: items, sets }: ClusterDuals): ClustersDuals {
  const nameOf = (item: number) => grouping.elements[item] as string;
  const cuts = sets.map(({ elements: items, divisor, dual: price }) => ({
    items: items.map(nameOf),
    ...(divisor === 2 ? {} : { divisor }),
    price: price.toString(),
  }));
  const prices = named(grouping, items);
  return cuts.length === 0 ? { prices } : { prices, cuts };
}

/** Prices by the items' names; zeros are left out. */
export function named({ elements: items }: Grouping, prices: readonly Rational[]): NamedMultipliers {
  return Object.fromEntries(
    items.flatMap((name, i) => (prices[i]?.sign() === 0 ? [] : [[name, (prices[i] as Rational).toString()]])),
  );
}
