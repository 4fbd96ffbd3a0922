import type { Comparison, Largest, Simulation } from "../../simulate/simulation.js";
import { bytes, count, milliseconds, significant } from "../../text/units.js";
import { COLLECTIVE_HEADS } from "./plan.js";
import { facts, nothing, paint, table } from "./table.js";

/** A simulation as a person reads it: the tiers, the collectives, the whole plan, the verdict. */
export function showSimulation(simulation: Simulation): string {
  const { instance, plan } = simulation;
  const title = `${paint.bold(instance.name)}  ${paint.dim(`simulated, ${plan.method}: ${trafficText(simulation)}`)}`;
  const parts = [title, showTiers(simulation), showCollectives(simulation), showFacts(simulation)];
  return `${[...parts, showVerdict(simulation)].filter((part) => part !== "").join("\n\n")}\n`;
}

function trafficText({ traffic, cluster }: Simulation): string {
  const on = `on ${cluster.nodes} × ${cluster.gpusPerNode} GPUs`;
  if (traffic.kind === "sampled") {
    const batches = `${count(traffic.batches)} ${traffic.batches === 1 ? "batch" : "batches"}`;
    return `${batches} of ${count(traffic.samplesPerBatch)} samples ${on}, seed ${traffic.seed}`;
  }
  return `${count(traffic.samples)} samples of ${traffic.file} ${on}`;
}

/** What is shown of a tier: what its collectives carry, and what is read where no collective carries it. */
function showTiers({ comparisons }: Simulation): string {
  const head = ["table", "tier", "bytes per GPU", "predicted", "observed", "std. error", "z"];
  const ofTiers = comparisons.filter(
    (line): line is Comparison & { tier: string; table: string } => line.table !== null && line.tier !== null,
  );
  const empty = (table: string, tier: string) =>
    ofTiers.every(
      (line) => line.table !== table || line.tier !== tier || (line.predicted === 0 && line.observed === 0),
    );
  const isLocal = (table: string, tier: string) =>
    ofTiers.every(
      (line) => line.table !== table || line.tier !== tier || !/^(?:allToAll|host)/.test(line.collective ?? ""),
    );
  let lastTable = "";
  let lastTier = "";
  const rows = ofTiers
    .filter((line) => !empty(line.table, line.tier))
    // What differs is shown whatever it is.
    .filter(
      ({ quantity, table, tier, within }) =>
        quantity === "collective" || (quantity === "reads" && isLocal(table, tier)) || !within,
    )
    .map((line) => {
      const isNewTable = line.table !== lastTable;
      const isNewTier = isNewTable || line.tier !== lastTier;
      lastTable = line.table;
      lastTier = line.tier;
      const what = line.collective === null ? SAID[line.quantity] : COLLECTIVE_HEADS[line.collective];
      return [isNewTable ? line.table : "", isNewTier ? line.tier : "", what, ...numbers(line)];
    });
  return rows.length === 0 ? "" : table(head, rows, "lllrrrr");
}

const SAID: Readonly<Record<Comparison["quantity"], string>> = {
  parameters: "parameters, all GPUs",
  reads: "own reads",
  "access share": "share of accesses",
  collective: "collective",
  memory: "memory",
  "host memory": "host memory",
  reduction: "reduction",
};

function numbers({ unit, predicted, observed, standardError, z, within }: Comparison): string[] {
  const said = unit === "share" ? share : amount;
  const score = z === null ? paint.dim("exact") : z.toFixed(1).replace("-", "−");
  return [
    said(predicted),
    said(observed),
    standardError === 0 ? nothing() : said(standardError),
    within ? score : paint.red(z === null ? "differs" : score),
  ];
}

/** Bytes in full, where they are as many as that. */
function amount(value: number): string {
  return Math.abs(value) >= 1000 ? count(Math.round(value)) : significant(value, 4);
}

function showCollectives({ collectives }: Simulation): string {
  const head = [
    "per GPU",
    "elements per pass",
    "bytes per pass",
    "largest GPU",
    "stay, all passes",
    "in the node",
    "between nodes",
  ];
  const rows = collectives.map(({ collective, elementsPerPass, bytesPerPass, largestBytesPerPass, links }) => [
    COLLECTIVE_HEADS[collective],
    count(Math.round(elementsPerPass)),
    bytes(bytesPerPass),
    largestText(largestBytesPerPass),
    ...[links.own, links.intraNode, links.interNode].map((value) => (value === 0 ? nothing() : bytes(value))),
  ]);
  return rows.length === 0 ? "" : table(head, rows, "lrrrrrr");
}

function largestText(largest: Largest | null): string {
  return largest === null ? nothing() : `${bytes(largest.bytes)} (GPU ${largest.gpu})`;
}

function showFacts({ comparisons, memory }: Simulation): string {
  const pairs: [string, string][] = [];
  for (const line of comparisons.filter(({ table }) => table === null)) {
    const { quantity, collective, predicted, observed, standardError, z, within } = line;
    const said = (write: (value: number, digits?: number) => string) => {
      const error = standardError === 0 ? "" : ` ± ${write(standardError, 2)}`;
      const score = z === null ? "" : `, z ${z.toFixed(1).replace("-", "−")}`;
      const mark = within ? paint.dim(score) : paint.red(`${score}, differs`);
      return `${write(predicted)} predicted, ${write(observed)}${error} observed${mark}`;
    };
    if (quantity === "collective" && collective !== null) {
      pairs.push([COLLECTIVE_HEADS[collective], said(milliseconds)]);
    }
    if (quantity === "memory") pairs.push(["memory per GPU", said(bytes)]);
    if (quantity === "host memory") pairs.push(["host memory per node", said(bytes)]);
    if (quantity === "reduction") {
      pairs.push(["less a2a global", `${said(share)}${paint.dim(", of all rows row_wise")}`]);
    }
  }
  const { staticBytes, dynamicBytes, largestDynamicBytes, host } = memory;
  const peak = largestDynamicBytes === null ? "" : `; at most ${largestText(largestDynamicBytes)}`;
  pairs.push(["buffers per GPU", `${bytes(dynamicBytes)}${peak}`], ["parameters per GPU", bytes(staticBytes)]);
  if (host !== undefined && host.largest !== null && host.largest.bytes > 0) {
    pairs.push(["largest host", `${bytes(host.largest.bytes)} (node ${host.largest.node})`]);
  }
  return facts(pairs);
}

function showVerdict({ verdict }: Simulation): string {
  const { within, comparisons, outside, largestZ } = verdict;
  const largest = largestZ === null ? "none is left to chance" : `largest |z| ${largestZ.toFixed(1)}`;
  if (within) return `${paint.green("agrees")}: ${count(comparisons)} numbers within 4 standard errors, ${largest}`;
  return `${paint.red("differs")}: ${count(outside)} of ${count(comparisons)} numbers beyond 4 standard errors, ${largest}`;
}

function share(value: number, digits = 4): string {
  return `${significant(value * 100, digits)} %`;
}
