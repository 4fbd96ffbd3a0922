import { type MemoryPrices, optionTotals } from "../../../../../models/table-placement/aggregated-relaxation.js";
import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { lagrangianBound } from "../../../../proof/kernel/bound.js";
import { roundUp } from "../../../../proof/kernel/lattice.js";
import { objectiveLattice, viewOf } from "../../../../proof/kernel/view.js";
import type { BoundProof } from "./bound-proof.js";
import { namedMultipliers, withNodeDuals } from "./choice-prices.js";
import { memoryDuals } from "./memory-prices.js";

type Need = ShardColumn["need"];

/**
 * The aggregated bound: all devices as one. Every load row gets the multiplier −1/devices, every memory row the price
 * of a byte in the aggregated relaxation, and each table its cheapest option at these prices. Where memory is free this
 * is the average load. One `bound` step.
 */
export function aggregatedBound(problem: PlacementProblem, direct: DirectProgram): BoundProof {
  const { program } = direct;
  const multipliers = aggregatedMultipliers(problem, direct, memoryDuals(problem, optionTotals(problem)));
  const { view, box } = viewOf(program);
  const { bound, infeasible } = lagrangianBound(view, box, multipliers);
  // A table without an option that can be placed shows at once.
  if (infeasible || bound === null) return { claim: null, steps: [{ infeasible: {} }] };
  const lattice = objectiveLattice(view);
  const claim = lattice === null ? bound : (roundUp(bound, lattice) ?? bound);
  return { claim, steps: [{ bound: namedMultipliers(direct, multipliers) }] };
}

/** The multipliers of the aggregated bound at prices of a byte, in cost of all devices together. */
export function aggregatedMultipliers(
  problem: PlacementProblem,
  direct: DirectProgram,
  duals: MemoryPrices,
): Map<number, Rational> {
  const { program, structure } = direct;
  const devices = deviceCount(problem);
  const perUnit = structure.unit.divide(Rational.of(BigInt(devices)));
  const memories = [
    { dual: duals.hbm, rows: structure.hbmRows, of: (need: Need) => need.hbmBytes },
    { dual: duals.host, rows: structure.hostRows, of: (need: Need) => need.hostBytes },
    { dual: duals.ssd, rows: structure.ssdRows, of: (need: Need) => need.ssdBytes ?? 0 },
  ].map(({ dual, ...memory }) => ({ ...memory, price: Rational.fromNumber(dual / devices) }));
  const multipliers = new Map<number, Rational>(structure.loadRows.map((row) => [row, perUnit.negate()]));
  for (const { rows, price } of memories) {
    for (const row of rows) if (row !== null && price.sign() > 0) multipliers.set(row, price.negate());
  }
  const ofCost = { price: Rational.of(1n, BigInt(devices)), of: (need: Need) => need.cost };
  const priced = [ofCost, ...memories].filter(({ price }) => price.sign() !== 0);
  // A shard needs the same on every device.
  const costs = new Map<Need, Rational>();
  const costOf = ({ need }: ShardColumn): Rational => {
    const known = costs.get(need);
    if (known !== undefined) return known;
    const cost = priced.reduce(
      (sum, { price, of }) => sum.add(price.multiply(Rational.fromNumber(of(need)))),
      Rational.zero,
    );
    costs.set(need, cost);
    return cost;
  };
  const place = new Map<number, Rational>();
  for (const shard of structure.shards) {
    const { form } = program.rows[shard.placeRow] as DirectProgram["program"]["rows"][number];
    // Rows that say "so many shards" are groups of the program, which the bound fills itself.
    if (form.coefficients.every((coefficient) => coefficient === 1n)) continue;
    const cost = costOf(shard);
    const known = place.get(shard.placeRow);
    if (known === undefined || cost.compare(known) < 0) place.set(shard.placeRow, cost);
  }
  for (const [row, dual] of withNodeDuals(direct, place)) multipliers.set(row, dual);
  return multipliers;
}
