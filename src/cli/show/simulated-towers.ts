import type { TowerSimulation, TowerStepComparison } from "../../simulate/plans/exchange-plan.js";
import { facts, paint, table } from "../../terminal/table.js";
import { methodName } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { count } from "../../text/units.js";

const LINK_NAMES = { sameRank: "own memory", insideHost: "inside hosts", acrossHosts: "across hosts" } as const;

/** The simulated exchange of a tower plan as a person reads it. */
export function showSimulatedTowers(simulation: TowerSimulation): string {
  const { instance, world, scale, plan } = simulation;
  const cluster = `${world.towers} towers of ${world.hostsPerTower} × ${world.gpusPerHost} GPUs`;
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(`simulated, ${methodName(plan.method)}: one iteration on ${cluster}, seed ${scale.seed}`)}`;
  return `${[title, showSteps(simulation.steps), showFacts(simulation), showVerdict(simulation)].join("\n\n")}\n`;
}

/** Links that carry something in one of the two. */
function showSteps(steps: readonly TowerStepComparison[]): string {
  const head = ["exchange", "pass", "step", "link", "bytes moved", "cost model", ""];
  const shown = steps.filter(({ observed, predicted, agrees }) => observed > 0 || predicted > 0 || !agrees);
  let last = "";
  const lines = shown.map(({ exchange, pass, step, link, observed, predicted, agrees }) => {
    const name = `${exchange} ${pass} ${step}`;
    const isNew = name !== last;
    last = name;
    return [
      ...(isNew ? [exchange === "sptt" ? "SPTT" : exchange, pass, step] : ["", "", ""]),
      ...[LINK_NAMES[link], count(observed), count(predicted)],
      agrees ? paint.dim("equal") : paint.red("differs"),
    ];
  });
  return table(head, lines, "llllrrl");
}

function showFacts({ scale, check: { flat, sptt } }: TowerSimulation): string {
  const { batchPerGpu, ofBatchPerGpu, mostRows, mostIdsPerSample, moduleWidth, ofModuleWidth } = scale;
  const modules =
    moduleWidth === ofModuleWidth ? "" : `, modules ${count(moduleWidth ?? 0)} of ${count(ofModuleWidth ?? 0)} wide`;
  const said = ({ compared, differing, wrong }: typeof flat.outputs) =>
    differing === 0
      ? `${count(compared)} numbers, all equal bit for bit`
      : `${count(compared)} numbers, ${count(differing)} differ, ${count(wrong)} of them wrong`;
  return facts([
    [
      "scaled down",
      `${count(batchPerGpu)} of ${count(ofBatchPerGpu)} samples per GPU, tables of at most ${count(mostRows)} rows, at most ${count(mostIdsPerSample)} ids per sample${modules}`,
    ],
    ["SPTT, outputs", said(sptt.outputs)],
    ["SPTT, gradients", said(sptt.gradients)],
    ["flat, outputs", said(flat.outputs)],
    ["flat, gradients", said(flat.gradients)],
  ]);
}

function showVerdict({ check, verdict }: TowerSimulation): string {
  const { comparisons, outside, within } = verdict;
  if (within) {
    const how = check.bitEqual ? "bit for bit" : "up to the order of additions";
    return `${paint.green("agrees")}: SPTT gives what the flat look-up gives, ${how}; ${count(comparisons)} counts of bytes are the cost model's, rank by rank`;
  }
  const wrong = check.equal ? "" : "an exchange does not give what a look-up on one machine gives; ";
  return `${paint.red("differs")}: ${wrong}${count(outside)} of ${count(comparisons)} counts of bytes are not the cost model's`;
}
