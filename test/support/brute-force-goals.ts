import type { RowClasses } from "../../src/access/row-classes.js";
import { Rational } from "../../src/exact/rational.js";
import type { RowsBefore, RowTiersGoalName, RowTiersInstance, Tier } from "../../src/instance/types/row-tiers.js";
import { budgetBytes, type Cost, costIn, type Five, groupsOf, latencyPerIteration } from "./brute-force.js";

/** What a plan comes to in every goal. */
type Sums = Readonly<Record<RowTiersGoalName, Rational>>;

/** A goal with what is allowed of it, from its best value. */
export interface BruteGoal {
  readonly minimize: RowTiersGoalName;
  readonly allowed: (best: Rational) => Rational;
}

/**
 * The best values of goals in order by trying every plan, each goal among the plans that keep the earlier ones within what
 * is allowed; `null` when no plan is within the budgets. It shares no formula with the exact method.
 */
export function bruteForceGoals(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  goals: readonly BruteGoal[],
  before: readonly RowsBefore[] | null = null,
): readonly Rational[] | null {
  let plans = plansOf(instance, access, before);
  const best: Rational[] = [];
  for (const { minimize, allowed } of goals) {
    const first = plans[0];
    if (first === undefined) return null;
    const least = plans.reduce(
      (all, plan) => (plan[minimize].compare(all) < 0 ? plan[minimize] : all),
      first[minimize],
    );
    best.push(least);
    const most = allowed(least);
    plans = plans.filter((plan) => plan[minimize].compare(most) <= 0);
  }
  return best;
}

/** Every plan within the budgets. */
function plansOf(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  before: readonly RowsBefore[] | null,
): readonly Sums[] {
  const groups = groupsOf(instance, access, before);
  const budget = budgetBytes(instance, groups);
  const host = Rational.fromNumber(instance.cluster.hostBytesPerNode ?? 0);
  const { zero } = Rational;
  const nothing: Spent = {
    movedRows: 0,
    movedBytes: zero,
    memory: zero,
    host: zero,
    seconds: [zero, zero, zero, zero, zero],
  };
  let sums: readonly Spent[] = [nothing];
  for (const { units, parameters, reads, were } of groups) {
    const each = instance.tiers.map((tier) => ({
      ...costIn(tier, instance, parameters, reads),
      ...movedTo(tier, instance, were, parameters),
    }));
    const ways = sharesOf(units, each.length).map((share) =>
      share.reduce((sum, count, t) => plus(sum, each[t] as Spent, count), nothing),
    );
    sums = sums.flatMap((sum) => ways.map((way) => plus(sum, way, 1)));
  }
  const latency = latencyPerIteration(instance);
  const { mostMovedRows = null, mostMovedBytes = null } = instance.from ?? {};
  return sums
    .filter((sum) => sum.memory.compare(budget) <= 0 && sum.host.compare(host) <= 0)
    .filter(({ movedRows }) => mostMovedRows === null || movedRows <= mostMovedRows)
    .filter(({ movedBytes }) => mostMovedBytes === null || movedBytes.compare(Rational.fromNumber(mostMovedBytes)) <= 0)
    .map(({ memory, host: used, seconds, movedRows, movedBytes }) => {
      const timed = seconds.map((value, k) =>
        value.sign() > 0 ? value.add(latency[k] as Rational) : value,
      ) as unknown as Five<Rational>;
      const [allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice] = timed;
      return {
        time: objectiveOf(instance, timed),
        ...{ allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice },
        memory,
        "host-memory": used,
        "moved-rows": Rational.of(BigInt(movedRows)),
        "moved-bytes": movedBytes,
      };
    });
}

/** Every way to share alike units among tiers. */
function sharesOf(units: number, tiers: number): readonly (readonly number[])[] {
  if (tiers === 1) return [[units]];
  return Array.from({ length: units + 1 }, (_, first) =>
    sharesOf(units - first, tiers - 1).map((rest) => [first, ...rest]),
  ).flat();
}

interface Spent extends Cost {
  readonly movedRows: number;
  readonly movedBytes: Rational;
}

/** Rows of a block that change their tier, and what a GPU receives for them. */
function movedTo(
  to: Tier,
  { cluster: { nodes, gpusPerNode }, training }: RowTiersInstance,
  were: readonly (Tier | null)[],
  parameters: Rational,
): Pick<Spent, "movedRows" | "movedBytes"> {
  const sharded = (tier: Tier) => tier === "row_wise" || tier === "column_wise";
  const movers = were.filter((from) => from !== null && from !== to && !(sharded(from) && sharded(to)));
  const copy = Rational.fromNumber(training.replicaMemoryFactor);
  const part = copy.divide(Rational.of(BigInt(gpusPerNode)));
  const bytes = movers.map((from) => {
    if (from === "data_parallel") return Rational.zero;
    if (to === "data_parallel") return from === "flex" ? copy.subtract(part) : copy;
    return to === "flex" ? part : Rational.of(1n, BigInt(nodes * gpusPerNode));
  });
  const perRow = were.length === 0 ? Rational.zero : parameters.divide(Rational.of(BigInt(were.length)));
  return {
    movedRows: movers.length,
    movedBytes: bytes.reduce((sum, each) => sum.add(each.multiply(perRow)), Rational.zero),
  };
}

function plus(a: Spent, b: Spent, count: number): Spent {
  const times = Rational.of(BigInt(count));
  return {
    movedRows: a.movedRows + b.movedRows * count,
    movedBytes: a.movedBytes.add(b.movedBytes.multiply(times)),
    memory: a.memory.add(b.memory.multiply(times)),
    host: a.host.add(b.host.multiply(times)),
    seconds: a.seconds.map((value, k) =>
      value.add((b.seconds[k] as Rational).multiply(times)),
    ) as unknown as Five<Rational>,
  };
}

function objectiveOf({ objective }: RowTiersInstance, [a2a, intra, ar, cross, host]: Five<Rational>): Rational {
  if (objective === "serial") return a2a.add(intra).add(ar).add(cross).add(host);
  if (objective === "exposed") return a2a.add(ar).add(host);
  const network = a2a.add(ar).add(cross).add(host);
  return network.compare(intra) > 0 ? network : intra;
}
