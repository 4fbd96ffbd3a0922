import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { ShardColumn } from "../../../../models/table-placement/option-site.js";
import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import { lagrangianBound } from "../../../proof/bound.js";
import { roundUp } from "../../../proof/lattice.js";
import { objectiveLattice, viewOf } from "../../../proof/view.js";
import { Simplex, type SimplexColumn } from "../patterns/simplex.js";
import type { BoundProof } from "./bound-proof.js";
import { namedMultipliers, withNodePrices } from "./choice-prices.js";

/** Prices of a byte of device and of host memory, in cost. */
export interface MemoryPrices {
  readonly hbm: number;
  readonly host: number;
}

/**
 * The pooled bound: all devices as one. Every load row gets the multiplier −1/devices, every memory row the price of a byte
 * in the pooled relaxation, and each table its cheapest option at these prices. Where memory is free this is the average
 * load. One `bound` step.
 */
export function pooledBound(problem: PlacementProblem, direct: DirectProgram): BoundProof {
  const { program, structure } = direct;
  const devices = deviceCount(problem);
  const prices = memoryPrices(problem);
  const perUnit = structure.unit.divide(Rational.of(BigInt(devices)));
  const perByte = { hbm: Rational.fromNumber(prices.hbm), host: Rational.fromNumber(prices.host) };
  const multipliers = new Map<number, Rational>(structure.loadRows.map((row) => [row, perUnit.negate()]));
  for (const [rows, price] of [
    [structure.hbmRows, perByte.hbm],
    [structure.hostRows, perByte.host],
  ] as const) {
    for (const row of rows) if (row !== null && price.sign() > 0) multipliers.set(row, price.negate());
  }
  const shareOf = Rational.of(1n, BigInt(devices));
  const costOf = ({ need }: ShardColumn): Rational =>
    Rational.fromNumber(need.cost)
      .multiply(shareOf)
      .add(perByte.hbm.multiply(Rational.fromNumber(need.hbmBytes)))
      .add(perByte.host.multiply(Rational.fromNumber(need.hostBytes)));
  const place = new Map<number, Rational>();
  for (const shard of structure.shards) {
    const { form } = program.rows[shard.placeRow] as DirectProgram["program"]["rows"][number];
    // Rows that say "so many shards" are groups of the program, which the bound fills itself.
    if (form.coefficients.every((coefficient) => coefficient === 1n)) continue;
    const cost = costOf(shard);
    const known = place.get(shard.placeRow);
    if (known === undefined || cost.compare(known) < 0) place.set(shard.placeRow, cost);
  }
  for (const [row, price] of withNodePrices(direct, place)) multipliers.set(row, price);
  const { view, box } = viewOf(program);
  const { bound, infeasible } = lagrangianBound(view, box, multipliers);
  // A table without an option that can be placed shows at once.
  if (infeasible || bound === null) return { claim: null, steps: [{ infeasible: {} }] };
  const lattice = objectiveLattice(view);
  const claim = lattice === null ? bound : (roundUp(bound, lattice) ?? bound);
  return { claim, steps: [{ bound: namedMultipliers(direct, multipliers) }] };
}

/** What a byte is worth in the pooled relaxation, in units of the largest cost: min z, one option per table, all loads and bytes pooled. */
export function memoryPrices(problem: PlacementProblem): MemoryPrices {
  const { tables, hbmBytes, hostBytes } = problem;
  if (tables.every(({ options }) => options.length === 1)) return { hbm: 0, host: 0 };
  const devices = deviceCount(problem);
  const capacity = (bytes: readonly number[] | null) => bytes?.reduce((sum, one) => sum + one, 0) ?? Infinity;
  const [hbm, host] = [capacity(hbmBytes), capacity(hostBytes)];
  const totals = tables.map(({ options }) =>
    options.map(({ shards }) =>
      shards.reduce(
        (sum, need) => ({
          cost: sum.cost + need.cost / devices,
          hbm: sum.hbm + need.hbmBytes / hbm,
          host: sum.host + need.hostBytes / host,
        }),
        { cost: 0, hbm: 0, host: 0 },
      ),
    ),
  );
  // Rows: one per table, then device and host memory as shares of what there is. Being over is dear.
  const [hbmRow, hostRow] = [tables.length, tables.length + 1];
  const columns: SimplexColumn[] = [];
  const basis: number[] = [];
  const dear = 1e3 * totals.reduce((sum, options) => sum + Math.max(...options.map(({ cost }) => cost)), 0);
  totals.forEach((options, t) => {
    basis[t] = columns.length;
    for (const option of options) {
      columns.push({ cost: option.cost, rows: [t, hbmRow, hostRow], values: [1, option.hbm, option.host] });
    }
  });
  const start = { hbm: 0, host: 0 };
  for (const options of totals) {
    start.hbm += options[0]?.hbm as number;
    start.host += options[0]?.host as number;
  }
  for (const [row, used] of [
    [hbmRow, start.hbm],
    [hostRow, start.host],
  ] as const) {
    columns.push({ cost: 0, rows: [row], values: [1] }, { cost: dear, rows: [row], values: [-1] });
    basis[row] = used <= 1 ? columns.length - 2 : columns.length - 1;
  }
  const simplex = new Simplex([...tables.map(() => 1), 1, 1], columns, basis);
  if (!simplex.solve()) return { hbm: 0, host: 0 };
  const prices = simplex.prices();
  const price = (row: number, total: number) =>
    Number.isFinite(total) ? Math.max(0, -(prices[row] as number)) / total : 0;
  return { hbm: price(hbmRow, hbm), host: price(hostRow, host) };
}
