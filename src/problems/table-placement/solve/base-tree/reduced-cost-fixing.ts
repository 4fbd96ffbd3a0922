import { type BaseBound, homePrice, switchCost } from "./base-bound.js";
import type { BaseModel, BaseScale } from "./base-model.js";
import { type BaseNode, leastSteps, type Range, takeLast } from "./node.js";

/**
 * The node without the switches and steps of bases that its bound, with what they cost more than the cheapest, has at a limit or above
 * it (reduced-cost fixing); `null` where all may be below it.
 */
export function withoutDear(
  model: BaseModel,
  node: BaseNode,
  { value, duals }: BaseBound,
  limit: number,
): BaseNode | null {
  const room = limit - value;
  const decided = node.decided.slice();
  let isNew = false;
  const decide = (at: number, side: 0 | 1) => {
    decided[at] = side;
    isNew = true;
  };
  for (const { options, groups } of model.tables) {
    const costs = options.map((option) => {
      if (node.decided[option] === 0) return Number.POSITIVE_INFINITY;
      return groups.reduce(
        (sum, group) => sum + (group.option === option ? group.count * homePrice(model, node, group, duals) : 0),
        switchCost(model, option, duals),
      );
    });
    const least = Math.min(...costs);
    options.forEach((option, k) => {
      if (decided[option] === -1 && (costs[k] as number) - least > room) decide(option, 0);
    });
    takeLast(options, decided);
    for (const group of groups) {
      const price = homePrice(model, node, group, duals);
      for (const home of group.homes) {
        if (decided[home] !== -1) continue;
        const left = switchCost(model, home, duals) - price;
        if (Math.abs(left) > room) decide(home, left > 0 ? 0 : 1);
      }
    }
  }
  const cut = (scale: BaseScale, left: number, own: Range): Range => {
    const steps = Math.floor(room / (Math.abs(left) * scale.step));
    if (!(steps < own.high - own.low)) return own;
    isNew = true;
    return left > 0 ? { ...own, high: own.low + steps } : { ...own, low: own.high - steps };
  };
  const load = model.hosts.map((host, v) =>
    cut(host.load, (duals.loads[v] as number) - (duals.loadBases[v] as number), node.load[v] as Range),
  );
  const hbm = model.hosts.map((host, v) => {
    const left = (duals.bytes[v] as number) * host.size - (duals.hbmBases[v] as number);
    return host.hbm === null ? (node.hbm[v] as Range) : cut(host.hbm, left, node.hbm[v] as Range);
  });
  if (!isNew) return null;
  // Before a bound is shown ranges are brought up to what the options of its node add.
  const raised = (ranges: readonly Range[], kind: "load" | "hbm") =>
    ranges.map((own, v) => ({ ...own, low: Math.max(own.low, leastSteps(model, node, kind, v)) }));
  return { decided, load: raised(load, "load"), hbm: raised(hbm, "hbm") };
}

/** Whether some host's base is more, at least, than in another node. */
export function isRaised(node: BaseNode, before: BaseNode, model: BaseModel): boolean {
  return (["load", "hbm"] as const).some((kind) =>
    model.hosts.some((_, v) => leastSteps(model, node, kind, v) > leastSteps(model, before, kind, v)),
  );
}
