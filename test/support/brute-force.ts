import type { RowClasses } from "../../src/access/row-classes.js";
import { leastCommonMultiple, Rational } from "../../src/exact/rational.js";
import type { RowsBefore, RowTiersInstance, Tier } from "../../src/instance/types/row-tiers.js";

/**
 * The optimum of a tiny row-tiers instance by trying every plan, in exact arithmetic. It is the independent witness for
 * the exact method: it shares no formula and no code with it beyond the instance, its row classes and rational numbers.
 */
export interface BruteForceOptimum {
  /** The least objective of all plans within the budget, in seconds. */
  readonly seconds: Rational;
  /** The least memory per GPU among the plans with that objective. */
  readonly bytesPerGpu: Rational;
}

/** Ways to share every run of alike neighbouring blocks among the tiers. */
export function countPlans(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  before: readonly RowsBefore[] | null = null,
): number {
  return plansOf(groupsOf(instance, access, before), instance.tiers.length);
}

function plansOf(groups: readonly Group[], tiers: number): number {
  return groups.reduce((all, { units }) => {
    // Ways to share alike units: units + tiers − 1 over tiers − 1.
    let ways = 1;
    for (let k = 1; k < tiers; k++) ways = (ways * (units + k)) / k;
    return all * ways;
  }, 1);
}

/** Tries every plan; `null` when none is within the budget. */
export function bruteForce(instance: RowTiersInstance, access: readonly RowClasses[]): BruteForceOptimum | null {
  const listed = groupsOf(instance, access);
  // Only what would take too long otherwise is shortened: by counting alike blocks together whatever table they are from.
  const groups = plansOf(listed, instance.tiers.length) > 300_000 ? merged(listed) : listed;
  const limit = budgetBytes(instance, groups);
  const hostLimit = Rational.fromNumber(instance.cluster.hostBytesPerNode ?? 0);
  const choices = groups.map((group) => splitsOf(group, instance));
  const memoryScale = commonDenominator([limit, ...choices.flat().map(({ memory }) => memory)]);
  const latencies = latencyPerIteration(instance);
  const secondsScale = commonDenominator([...latencies, ...choices.flat().flatMap(({ seconds }) => seconds)]);
  const scaled = choices.map((splits) =>
    splits.map(({ memory, seconds }) => ({
      memory: times(memory, memoryScale),
      seconds: seconds.map((value) => times(value, secondsScale)) as unknown as Five<bigint>,
    })),
  );
  const most = times(limit, memoryScale);
  const latency = latencies.map((value) => times(value, secondsScale)) as unknown as Five<bigint>;

  let best: { readonly seconds: bigint; readonly memory: bigint } | null = null;
  const hostScale = commonDenominator([hostLimit, ...choices.flat().map(({ host }) => host)]);
  const mostHost = times(hostLimit, hostScale);
  const hosts = choices.map((splits) => splits.map(({ host }) => times(host, hostScale)));
  const visit = (index: number, memory: bigint, host: bigint, ...sums: [...Five<bigint>]): void => {
    const splits = scaled[index];
    if (splits === undefined) {
      if (memory > most || host > mostHost) return;
      const seconds = objectiveOf(instance, withLatency(sums, latency));
      if (best === null || seconds < best.seconds || (seconds === best.seconds && memory < best.memory)) {
        best = { seconds, memory };
      }
      return;
    }
    const [a, b, c, d, e] = sums;
    for (const [
      k,
      {
        memory: more,
        seconds: [f, g, h, i, j],
      },
    ] of splits.entries()) {
      visit(index + 1, memory + more, host + (hosts[index]?.[k] as bigint), a + f, b + g, c + h, d + i, e + j);
    }
  };
  visit(0, 0n, 0n, 0n, 0n, 0n, 0n, 0n);
  const found = best as { readonly seconds: bigint; readonly memory: bigint } | null;
  if (found === null) return null;
  return {
    seconds: Rational.of(found.seconds, secondsScale),
    bytesPerGpu: Rational.of(found.memory, memoryScale),
  };
}

/** allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice. */
export type Five<T> = readonly [T, T, T, T, T];

/** Alike blocks of rows that are neighbours in one table. */
export interface Group {
  readonly units: number;
  /** Bytes of parameters of one block. */
  readonly parameters: Rational;
  /** Bytes that a sample reads of one block. */
  readonly reads: Rational;
  /** The tier that each row of a block was in, where that is asked for; `null`: a new row. */
  readonly were: readonly (Tier | null)[];
}

/** Lists a table's rows one by one and cuts them into blocks of the granularity, the last of them maybe shorter. */
export function groupsOf(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  before: readonly RowsBefore[] | null = null,
): readonly Group[] {
  return instance.tables.flatMap((table, t) => {
    const { rows, appearances } = access[t] as RowClasses;
    const everyRow = [...rows].flatMap((count, k) =>
      new Array<Rational>(count).fill(Rational.fromNumber(appearances[k] as number)),
    );
    const rowBytes = Rational.of(BigInt(table.dim * table.elementBytes));
    const tiers = before?.[t]?.flatMap(({ rows: count, tier }) => new Array<Tier | null>(count).fill(tier)) ?? [];
    const groups: Group[] = [];
    for (let first = 0; first < everyRow.length; first += instance.granularity) {
      const block = everyRow.slice(first, first + instance.granularity);
      const parameters = rowBytes.multiply(Rational.of(BigInt(block.length)));
      const reads = block.reduce((sum, p) => sum.add(p.multiply(rowBytes)), Rational.zero);
      const were = tiers.slice(first, first + instance.granularity);
      const last = groups.at(-1);
      const isAsRead = last?.parameters.equals(parameters) && last.reads.equals(reads);
      if (last !== undefined && isAsRead && String(last.were) === String(were)) {
        groups[groups.length - 1] = { ...last, units: last.units + 1 };
      } else groups.push({ units: 1, parameters, reads, were });
    }
    return groups;
  });
}

function merged(groups: readonly Group[]): readonly Group[] {
  const distinct: Group[] = [];
  for (const group of groups) {
    const same = distinct.findIndex(
      ({ parameters, reads }) => parameters.equals(group.parameters) && reads.equals(group.reads),
    );
    if (same === -1) distinct.push(group);
    else distinct[same] = { ...group, units: group.units + (distinct[same] as Group).units };
  }
  return distinct;
}

export interface Cost {
  readonly memory: Rational;
  /** Of one node. */
  readonly host: Rational;
  readonly seconds: Five<Rational>;
}

/** What R bytes of parameters with S bytes read per sample cost in a tier, per GPU and iteration. */
export function costIn(tier: Tier, { cluster, training }: RowTiersInstance, R: Rational, S: Rational): Cost {
  const W = Rational.of(BigInt(cluster.gpusPerNode));
  const U = W.multiply(Rational.of(BigInt(cluster.nodes)));
  const BS = Rational.fromNumber(training.batchPerGpu).multiply(S);
  const twoBS = BS.add(BS);
  const kappaR = Rational.fromNumber(training.replicaMemoryFactor).multiply(R);
  const none = Rational.zero;
  const over = (bytes: Rational, bandwidth: number | undefined) =>
    bytes.divide(Rational.fromNumber(bandwidth as number));
  const { allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross, hostToDevice } = cluster.bandwidth;
  const host = none;
  switch (tier) {
    case "row_wise":
    case "column_wise":
      return { memory: R.divide(U).add(twoBS), host, seconds: [over(twoBS, allToAllGlobal), none, none, none, none] };
    case "data_parallel":
      return { memory: kappaR.add(BS), host, seconds: [none, none, over(R, allReduceGlobal), none, none] };
    case "flex":
      return {
        memory: kappaR.divide(W).add(twoBS),
        host,
        seconds: [none, over(twoBS, allToAllIntra), none, over(R.divide(W), allReduceCross), none],
      };
    case "host":
      return {
        memory: twoBS,
        host: R.divide(Rational.of(BigInt(cluster.nodes))),
        seconds: [over(twoBS, allToAllGlobal), none, none, none, over(twoBS, hostToDevice)],
      };
  }
}

/** The costs of all ways to share a group's blocks among the tiers. */
function splitsOf({ units, parameters, reads }: Group, instance: RowTiersInstance): readonly Cost[] {
  const each = instance.tiers.map((tier) => costIn(tier, instance, parameters, reads));
  const splits: Cost[] = [];
  const visit = (t: number, left: number, sum: Cost): void => {
    const cost = each[t] as Cost;
    const last = t === each.length - 1;
    for (let count = last ? left : 0; count <= left; count++) {
      const many = Rational.of(BigInt(count));
      const next: Cost = {
        memory: sum.memory.add(cost.memory.multiply(many)),
        host: sum.host.add(cost.host.multiply(many)),
        seconds: sum.seconds.map((value, k) =>
          value.add((cost.seconds[k] as Rational).multiply(many)),
        ) as unknown as Five<Rational>,
      };
      if (last) splits.push(next);
      else visit(t + 1, left - count, next);
    }
  };
  const { zero } = Rational;
  visit(0, units, { memory: zero, host: zero, seconds: [zero, zero, zero, zero, zero] });
  return splits;
}

export function budgetBytes(instance: RowTiersInstance, groups: readonly Group[]): Rational {
  const { budget, cluster, training } = instance;
  if (budget.kind === "bytesPerGpu") return Rational.fromNumber(budget.bytes);
  const gpus = Rational.of(BigInt(cluster.nodes * cluster.gpusPerNode));
  const twiceBatch = Rational.fromNumber(training.batchPerGpu).multiply(Rational.of(2n));
  const rowWise = groups.reduce(
    (sum, { units, parameters, reads }) =>
      sum.add(
        parameters
          .divide(gpus)
          .add(twiceBatch.multiply(reads))
          .multiply(Rational.of(BigInt(units))),
      ),
    Rational.zero,
  );
  return budget.kind === "memory-neutral" ? rowWise : rowWise.add(Rational.fromNumber(budget.bytes));
}

/** Once per pass: all-to-alls run forward and backward, all-reduces backward only. */
export function latencyPerIteration({ cluster: { latency } }: RowTiersInstance): Five<Rational> {
  const seconds = (value: number, passes: bigint) => Rational.fromNumber(value).multiply(Rational.of(passes));
  return [
    seconds(latency.allToAllGlobal, 2n),
    seconds(latency.allToAllIntra, 2n),
    seconds(latency.allReduceGlobal, 1n),
    seconds(latency.allReduceCross, 1n),
    seconds(latency.hostToDevice, 2n),
  ];
}

/** A collective that carries nothing costs nothing. */
function withLatency([a, b, c, d, e]: Five<bigint>, latency: Five<bigint>): Five<bigint> {
  return [
    a > 0n ? a + latency[0] : 0n,
    b > 0n ? b + latency[1] : 0n,
    c > 0n ? c + latency[2] : 0n,
    d > 0n ? d + latency[3] : 0n,
    e > 0n ? e + latency[4] : 0n,
  ];
}

function objectiveOf(
  { objective }: RowTiersInstance,
  [a2aGlobal, a2aIntra, arGlobal, arCross, host]: Five<bigint>,
): bigint {
  if (objective === "serial") return a2aGlobal + a2aIntra + arGlobal + arCross + host;
  if (objective === "exposed") return a2aGlobal + arGlobal + host;
  const network = a2aGlobal + arGlobal + arCross + host;
  return network > a2aIntra ? network : a2aIntra;
}

function commonDenominator(values: readonly Rational[]): bigint {
  return values.reduce((all, { denominator }) => leastCommonMultiple(all, denominator), 1n);
}

function times(value: Rational, scale: bigint): bigint {
  return value.numerator * (scale / value.denominator);
}
