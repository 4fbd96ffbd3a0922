import { describe, expect, test } from "vitest";
import { buildRowTiers, type RowTiersModel, withBudget } from "../../../../../models/row-tiers/build.js";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import {
  type RelaxedFrontier,
  relaxedFrontier,
} from "../../../../../src/problems/row-tiers/frontier/relaxed-frontier.js";
import { formValue } from "../../../../../src/program/evaluate.js";
import { makeProgram } from "../../../../../src/program/program.js";
import { viewOf } from "../../../../../src/proof/kernel/view.js";
import { solveExactLinear } from "../../../../../src/search/exact-simplex/solve.js";
import { type TinyTable, tinyInstance } from "../../../../support/tiny-instance.js";

interface Case {
  readonly tables: readonly TinyTable[];
  readonly bandwidth: readonly [allToAllGlobal: number, allToAllIntra: number, allReduceGlobal: number, cross: number];
  readonly batchPerGpu: number;
  readonly replicaMemoryFactor: number;
}

function modelOf({ tables, bandwidth, ...training }: Case): RowTiersModel {
  const [allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross] = bandwidth;
  const { instance, access } = tinyInstance(tables, {
    objective: "channels",
    training,
    cluster: {
      ...tinyInstance([]).instance.cluster,
      nodes: 4,
      gpusPerNode: 8,
      bandwidth: { allToAllGlobal, allToAllIntra, allReduceGlobal, allReduceCross },
    },
  });
  return buildRowTiers(instance, access);
}

/** The optimum of the relaxation at a budget, by the exact simplex method on the program written out. */
function truthAt(model: RowTiersModel, bytes: number): Rational {
  const { name, columns, rows, objective } = withBudget(model, bytes).program;
  const program = makeProgram({ name, columns: columns.map((c) => ({ ...c, integer: false })), rows, objective });
  const { view, box } = viewOf(program);
  const answer = solveExactLinear(view, box);
  if (answer?.kind !== "optimal") throw new Error(`nothing fits into ${bytes} bytes`);
  return formValue(program.objective.form, answer.point);
}

function requireHonest(model: RowTiersModel, { curve, precision }: RelaxedFrontier): void {
  const points = Array.from({ length: curve.count }, (_, k) => curve.at(k).bytes.toNumberUp());
  const between = points.slice(1).flatMap((bytes, k) => {
    const before = points[k] as number;
    return [before + (bytes - before) / 3, before + (bytes - before) / 2];
  });
  for (const bytes of [...points, ...between, (points.at(-1) as number) * 2]) {
    const below = curve.valueAt(Rational.fromNumber(bytes)) as Rational;
    const truth = truthAt(model, bytes);
    const gap = truth.subtract(below);
    expect(gap.sign(), `above the curve at ${bytes}`).toBeGreaterThanOrEqual(0);
    const claimed = truth.multiply(Rational.fromNumber(precision));
    expect(
      gap.compare(claimed),
      `${gap.divide(truth).toNumber()} at ${bytes}, ${precision} claimed`,
    ).toBeLessThanOrEqual(0);
  }
}

describe("with the larger of two sums, the curve is no farther from the true one than is said", () => {
  test("where one sum is next to nothing beside the other", () => {
    const histogram = [
      [1, 3],
      [2, 0.3333333333333333],
      [3, 0.1],
    ] as const;
    const bandwidth = [1000, 500, 7.5e10, 1.2e10] as const;
    const model = modelOf({ tables: [{ dim: 3, histogram }], bandwidth, batchPerGpu: 8, replicaMemoryFactor: 1 });
    const frontier = relaxedFrontier(model) as RelaxedFrontier;
    requireHonest(model, frontier);
    expect(frontier.precision).toBeLessThanOrEqual(1e-9);
  });

  test("in random cases of very different bandwidths", () => {
    const random = seededRandom(5);
    const pick = <T>(list: readonly T[]) => list[random.integer(list.length)] as T;
    for (let round = 0; round < 12; round++) {
      const bandwidth = Array.from({ length: 4 }, () => pick([500, 1000, 3e6, 1.2e10, 7.5e10]) * (1 + random.next()));
      const tables = Array.from({ length: 1 + random.integer(2) }, () => ({
        dim: 1 + random.integer(4),
        histogram: Array.from({ length: 1 + random.integer(3) }, (_, k) => {
          return [1 + random.integer(5), pick([3, 1, 1 / 3, 0.1]) / (k + 1)] as const;
        }).sort(([, a], [, b]) => b - a),
      }));
      const model = modelOf({
        tables,
        bandwidth: bandwidth as unknown as Case["bandwidth"],
        batchPerGpu: pick([1, 8, 64]),
        replicaMemoryFactor: pick([1, 6]),
      });
      requireHonest(model, relaxedFrontier(model) as RelaxedFrontier);
    }
  });
});
