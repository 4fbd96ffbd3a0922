import { expect, test } from "vitest";
import { flatSteps, type StepTraffic, spttSteps } from "../../src/cost/dmt/steps.js";
import type { LinkBytes } from "../../src/cost/dmt/traffic.js";
import type { Workload } from "../../src/cost/dmt/workload.js";
import { Rational } from "../../src/exact/rational.js";
import type { ExchangeProblem } from "../../src/simulate/dataflow/exchange-problem.js";
import type { StepBytes } from "../../src/simulate/dataflow/layout.js";
import { simulateExchange } from "../../src/simulate/dataflow/simulate-exchange.js";
import { drawsOf } from "../support/draws.js";
import { randomExchange } from "../support/random-exchange.js";

const { seeds } = drawsOf(300, 1);

function workloadOf(problem: ExchangeProblem): Workload {
  const { ranks, gpusPerHost, hostsPerTower, towers, localBatch, elementBytes = 4, idBytes = 8 } = problem;
  const { lengthBytes = 4 } = problem;
  return {
    ...{ world: { ranks, gpusPerHost, hostsPerTower }, towers },
    ...{ localBatch, elementBytes, idBytes, lengthBytes },
  };
}

/** The model's bytes in the simulation's words; they must be integers. */
function modelled(exchange: "flat" | "sptt", steps: readonly StepTraffic[]) {
  const integers = (bytes: LinkBytes) =>
    Object.fromEntries(
      Object.entries(bytes as unknown as Record<string, Rational>).map(([link, value]) => {
        if (!value.isInteger()) throw new RangeError(`${value} bytes`);
        return [link, Number(value.numerator)];
      }),
    );
  return steps.map(({ pass, step, traffic }) => ({
    ...{ exchange, pass, step },
    sent: traffic.map(({ sent }) => integers(sent)),
    received: traffic.map(({ received }) => integers(received)),
  }));
}

function moved(exchange: "flat" | "sptt", steps: readonly StepBytes[]) {
  return steps.filter((step) => step.exchange === exchange).map(({ total, ...rest }) => rest);
}

test("every byte of every step, by rank and link, is what the model says; every number is one machine's", () => {
  let reordered = 0;
  for (const seed of seeds) {
    const problem = randomExchange(seed);
    const simulation = simulateExchange(problem);
    expect(simulation, `seed ${seed}`).toMatchObject({ equal: true, bitEqual: true });
    const workload = workloadOf(problem);
    const permute = { "permute-vectors": "vectors", "permute-ids": "ids", "virtual-group": "nothing" } as const;
    expect(moved("flat", simulation.steps), `seed ${seed}`).toEqual(modelled("flat", flatSteps(workload)));
    const sptt = spttSteps(workload, permute[problem.variant ?? "permute-vectors"]);
    expect(moved("sptt", simulation.steps), `seed ${seed}`).toEqual(modelled("sptt", sptt));

    // Numbers that are not integers: bit for bit, but for bags that are added in another order.
    const floats = simulateExchange({ ...problem, values: "floats" });
    expect(floats.equal, `seed ${seed}`).toBe(true);
    const isReordered = problem.towers.some(({ features }) =>
      features.some(({ hotness, sharding }) => sharding.kind === "rows" && sharding.shards.length > 1 && hotness > 1),
    );
    if (isReordered) reordered += floats.sptt.outputs.differing;
    else expect(floats.bitEqual, `seed ${seed}`).toBe(true);
    expect(floats.flat.gradients.differing + floats.sptt.gradients.differing).toBe(0);
  }
  // The allowance is needed: some sums do come out otherwise.
  expect(reordered).toBeGreaterThan(0);
});

test("row-wise tables of single ids are bit for bit, whatever the numbers", () => {
  for (const seed of seeds.slice(0, 100)) {
    const problem = randomExchange(seed, { shardings: ["rows"] });
    const singleHot = problem.towers.map(({ features }) => ({
      features: features.map((feature) => ({ ...feature, hotness: 1 })),
    }));
    const simulation = simulateExchange({ ...problem, towers: singleHot, values: "floats" });
    expect(simulation.bitEqual, `seed ${seed}`).toBe(true);
  }
});

test("rows that are read unevenly: the model has the expectation, and the ids are as many", () => {
  for (const seed of seeds.slice(0, 100)) {
    const problem = randomExchange(seed, { shardings: ["rows"] });
    const rows = 7;
    const towers = problem.towers.map(({ features }) => ({
      features: features.map((feature) => ({
        ...feature,
        rows,
        sharding: {
          kind: "rows" as const,
          shards: [
            { slot: 0, rows: 3 },
            { slot: 0, rows: 4 },
          ],
        },
      })),
    }));
    const uneven = { ...problem, towers };
    const { steps } = simulateExchange(uneven);
    const ids = steps.find(({ exchange, step }) => exchange === "flat" && step === "a") as StepBytes;
    const all = Object.values(ids.total).reduce((sum, bytes) => sum + bytes, 0);
    const [model] = flatSteps(workloadOf(uneven)) as [StepTraffic, ...StepTraffic[]];
    const expected = model.traffic
      .flatMap(({ sent }) => [sent.sameRank, sent.insideHost, sent.acrossHosts])
      .reduce((sum, bytes) => sum.add(bytes), Rational.zero);
    expect(all, `seed ${seed}`).toBe(expected.toNumber());
  }
});
