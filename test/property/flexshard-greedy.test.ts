import fc from "fast-check";
import { expect, test } from "vitest";
import { rowBytes, type UnitClasses, unitClasses } from "../../models/row-tiers/unit-classes.js";
import { Rational } from "../../src/exact/rational.js";
import type { RowTiersInstance, Tier } from "../../src/instance/types/row-tiers.js";
import { flexshard2tier, flexshard3tier } from "../../src/problems/row-tiers/methods/flexshard.js";
import type { HeuristicPlan } from "../../src/problems/row-tiers/methods/heuristic.js";
import { drawsOf } from "../support/draws.js";
import type { RandomCase } from "../support/random-instance.js";
import { randomCases } from "../support/random-instance.js";

const { parameters } = drawsOf(1000, 1);

const cases = randomCases(5000).map(
  ({ instance, access }): RandomCase => ({
    instance: { ...instance, tiers: ["data_parallel", "flex", "row_wise"], budget: { kind: "memory-neutral" } },
    access,
  }),
);

/** One block of rows with where a plan has it. */
interface Unit {
  readonly rows: number;
  readonly reads: Rational;
  readonly parameters: Rational;
  readonly tier: Tier;
}

/** Equal blocks at neighbouring ranks of one table. */
function spansOf({ chains: rails, rateDenominator: heatDenominator }: UnitClasses) {
  return rails.flatMap(({ rowsPerUnit, rowBytes: perRow, rates: heats, members, membersFrom }) =>
    heats.flatMap((heat, k) =>
      Array.from(members.table.slice(membersFrom[k], membersFrom[k + 1]), (table, m) => ({
        rowsPerUnit,
        parameterBytes: perRow * BigInt(rowsPerUnit),
        readBytes: Rational.of(heat * perRow, heatDenominator),
        table,
        firstRow: members.firstRow[(membersFrom[k] as number) + m] as number,
        units: members.units[(membersFrom[k] as number) + m] as number,
      })),
    ),
  );
}

/** Every block of a tiny instance, one by one, in falling mean appearances; and in a table's order among equals. */
function unitsOf({ instance, access }: RandomCase, { assignment }: HeuristicPlan): readonly Unit[] {
  const tiers = assignment.map((runs) => runs.flatMap(({ rows, tier }) => new Array<Tier>(rows).fill(tier)));
  const units = spansOf(unitClasses(instance, access)).flatMap(
    ({ rowsPerUnit, readBytes, parameterBytes, table, firstRow, units: count }) =>
      Array.from({ length: count }, (_, k) => {
        const first = firstRow + k * rowsPerUnit;
        const inTiers = new Set(tiers[table]?.slice(first, first + rowsPerUnit));
        expect(inTiers.size).toBe(1);
        return {
          table,
          first,
          rows: rowsPerUnit,
          reads: readBytes,
          parameters: Rational.of(parameterBytes),
          tier: [...inTiers][0] as Tier,
        };
      }),
  );
  const density = (unit: Unit) => unit.reads.divide(unit.parameters);
  return units.sort((a, b) => density(b).compare(density(a)) || a.table - b.table || a.first - b.first);
}

/** Memory of a block in a tier over the same block row-wise, from tables 2 and 3 of the paper. */
function extraBytes({ cluster, training }: RowTiersInstance, unit: Unit, tier: Tier): Rational {
  const batch = Rational.fromNumber(training.batchPerGpu);
  const perNode = Rational.of(BigInt(cluster.gpusPerNode));
  const all = perNode.multiply(Rational.of(BigInt(cluster.nodes)));
  const replica = Rational.fromNumber(training.replicaMemoryFactor).multiply(unit.parameters);
  const sharded = unit.parameters.divide(all);
  if (tier === "row_wise") return Rational.zero;
  if (tier === "flex") return replica.divide(perNode).subtract(sharded);
  return replica.subtract(sharded).subtract(batch.multiply(unit.reads));
}

function extraOfPlan(instance: RowTiersInstance, units: readonly Unit[]): Rational {
  return units.reduce((sum, unit) => sum.add(extraBytes(instance, unit, unit.tier)), Rational.zero);
}

test("flexshard-2tier: a prefix of the merged order within the budget, and one more block is over it", () => {
  fc.assert(
    fc.property(cases, (one) => {
      const units = unitsOf(one, flexshard2tier(one.instance, one.access) as HeuristicPlan);
      const end = units.findIndex(({ tier }) => tier !== "data_parallel");
      if (end !== -1) expect(units.slice(end).every(({ tier }) => tier === "row_wise")).toBe(true);
      const extra = extraOfPlan(one.instance, units);
      expect(extra.sign()).toBeLessThanOrEqual(0);
      const next = units[end];
      if (next !== undefined) {
        expect(extra.add(extraBytes(one.instance, next, "data_parallel")).sign()).toBeGreaterThan(0);
      }
    }),
    parameters,
  );
});

test("flexshard-3tier: data-parallel from p_mem on, then flex within the budget until one more read block is over it", () => {
  fc.assert(
    fc.property(cases, (one) => {
      const units = unitsOf(one, flexshard3tier(one.instance, one.access) as HeuristicPlan);
      const order: readonly Tier[] = ["data_parallel", "flex", "row_wise"];
      for (let k = 1; k < units.length; k++) {
        const [before, after] = [units[k - 1], units[k]].map((unit) => order.indexOf((unit as Unit).tier));
        expect(after).toBeGreaterThanOrEqual(before as number);
      }
      for (const unit of units) {
        const saves = extraBytes(one.instance, unit, "data_parallel").sign() <= 0;
        expect(unit.tier === "data_parallel").toBe(saves);
        if (unit.tier === "flex") expect(unit.reads.sign()).toBe(1);
      }
      const extra = extraOfPlan(one.instance, units);
      expect(extra.sign()).toBeLessThanOrEqual(0);
      const next = units.find(({ tier }) => tier === "row_wise");
      if (next !== undefined && next.reads.sign() > 0) {
        expect(extra.add(extraBytes(one.instance, next, "flex")).sign()).toBeGreaterThan(0);
      }
    }),
    parameters,
  );
});

test("flexshard-2tier is right to the row on the published models' scale", () => {
  // Ten million rows in two classes: the saved 10⁵·(B·p − κ + 1/U) pays for ⌊…⌋ of the second class.
  fc.assert(
    fc.property(
      fc.record({
        hot: fc.double({ min: 0.002, max: 1, noNaN: true }),
        cold: fc.double({ min: 0, max: 0.001, noNaN: true }),
        hotRows: fc.integer({ min: 1, max: 100_000 }),
      }),
      ({ hot, cold, hotRows }) => {
        const access = [{ rows: Float64Array.of(hotRows, 1e9), appearances: Float64Array.of(hot, cold) }];
        const instance = publishedScale(hotRows + 1e9);
        const plan = flexshard2tier(instance, access) as HeuristicPlan;
        const batch = Rational.of(4096n);
        const neutral = Rational.of(6n).subtract(Rational.of(1n, 32n));
        const saved = batch
          .multiply(Rational.fromNumber(hot))
          .subtract(neutral)
          .multiply(Rational.of(BigInt(hotRows)));
        const each = neutral.subtract(batch.multiply(Rational.fromNumber(cold)));
        const more = saved.divide(each).floor();
        const replicated = BigInt(hotRows) + (more < 1_000_000_000n ? more : 1_000_000_000n);
        expect(plan.assignment[0]?.[0]).toEqual({ tier: "data_parallel", rows: Number(replicated) });
      },
    ),
    parameters,
  );
});

function publishedScale(rows: number): RowTiersInstance {
  const table = { name: "history", rows, dim: 256, dataType: "fp32", elementBytes: 4 } as const;
  expect(rowBytes({ ...table, access: { kind: "histogram", bins: [] } })).toBe(1024n);
  return {
    problem: "row-tiers",
    name: "scale",
    cluster: {
      nodes: 4,
      gpusPerNode: 8,
      bandwidth: { allToAllGlobal: 25.3e9, allReduceGlobal: 75e9 },
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
    },
    training: { batchPerGpu: 4096, replicaMemoryFactor: 6 },
    tiers: ["data_parallel", "row_wise"],
    budget: { kind: "memory-neutral" },
    objective: "serial",
    granularity: 1,
    tables: [{ ...table, access: { kind: "histogram", bins: [] } }],
    file: "-",
    sha256: "0".repeat(64),
  };
}
