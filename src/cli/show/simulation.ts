import { COLLECTIVE_NAMES } from "../../problems/row-tiers/tables.js";
import type { Comparison, Largest, Simulation } from "../../simulate/simulation.js";
import { facts, nothing, paint, table } from "../../terminal/table.js";
import { methodName } from "../../text/optimality.js";
import { bytes, count, milliseconds, significant, some } from "../../text/units.js";

/** A simulation as a person reads it: the tiers, the collectives, the whole plan, the verdict. */
export function showSimulation(simulation: Simulation): string {
  const { instance, plan } = simulation;
  const title = `${paint.bold(instance.name)}  ${paint.dim(`simulated, ${methodName(plan.method)}: ${trafficText(simulation)}`)}`;
  const parts = [title, showTiers(simulation), showCollectives(simulation), showFacts(simulation)];
  return `${[...parts, showVerdict(simulation)].filter((part) => part !== "").join("\n\n")}\n`;
}

function trafficText({ traffic, cluster }: Simulation): string {
  const on = `on ${cluster.nodes} × ${cluster.gpusPerNode} GPUs`;
  if (traffic.kind === "sampled") {
    return `${some(traffic.batches, "batch", "batches")} of ${count(traffic.samplesPerBatch)} samples ${on}, seed ${traffic.seed}`;
  }
  return `${count(traffic.samples)} samples of ${traffic.file} ${on}`;
}

/** What is shown of a tier: what its collectives carry, and what is read where no collective carries it. */
function showTiers({ comparisons }: Simulation): string {
  const head = ["table", "tier", "bytes per GPU", "predicted", "observed", "std. error", "z"];
  const ofTiers = comparisons.filter((line): line is Comparison & { table: string } => line.table !== null);
  const empty = (table: string, tier: string | null) =>
    ofTiers.every(
      (line) => line.table !== table || line.tier !== tier || (line.predicted === 0 && line.observed === 0),
    );
  const isLocal = (table: string, tier: string | null) =>
    ofTiers.every(
      (line) => line.table !== table || line.tier !== tier || !/^(?:allToAll|host)/.test(line.collective ?? ""),
    );
  let lastTable = "";
  let lastTier: string | null = "";
  const rows = ofTiers
    .filter((line) => !empty(line.table, line.tier))
    // What differs, or cannot be told, is shown whatever it is.
    .filter(
      ({ quantity, table, tier, reading }) =>
        quantity === "collective" || (quantity === "reads" && isLocal(table, tier)) || reading !== "agrees",
    )
    .map((line) => {
      const isNewTable = line.table !== lastTable;
      const isNewTier = isNewTable || line.tier !== lastTier;
      lastTable = line.table;
      lastTier = line.tier;
      const what = line.collective === null ? SAID[line.quantity] : COLLECTIVE_NAMES[line.collective].short;
      return [isNewTable ? line.table : "", isNewTier ? (line.tier ?? "") : "", what, ...numbers(line)];
    });
  return rows.length === 0 ? "" : table(head, rows, "lllrrrr");
}

const SAID: Readonly<Record<Comparison["quantity"], string>> = {
  rows: "rows",
  parameters: "parameters, all GPUs",
  reads: "own reads",
  "access share": "share of accesses",
  collective: "collective",
  memory: "memory",
  "host memory": "host memory",
  objective: "objective",
  budget: "budget per GPU",
  "host budget": "budget per host",
  "GPU memory": "memory of a GPU",
  reduction: "reduction",
};

function numbers(line: Comparison): string[] {
  const { unit, predicted, observed, standardError } = line;
  const said = unit === "share" ? share : amount;
  return [
    said(predicted),
    observed === null ? nothing() : said(observed),
    standardError === 0 ? nothing() : said(standardError),
    scoreText(line),
  ];
}

/** How far an observed number is from the one told, in standard errors. */
export function scoreText({ z, reading }: { readonly z: number | null; readonly reading: string }): string {
  if (reading === "too few" || reading === "none seen") return paint.dim(reading);
  const score = z === null ? (reading === "agrees" ? "exact" : "differs") : z.toFixed(1).replace("-", "−");
  if (reading === "differs") return paint.red(score);
  return z === null ? paint.dim(score) : score;
}

/** Bytes in full, where they are as many as that. */
export function amount(value: number): string {
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
    COLLECTIVE_NAMES[collective].short,
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

const REPEATED: ReadonlySet<Comparison["quantity"]> = new Set(["budget", "host budget", "GPU memory"]);

const UNSURE = { agrees: "", "too few": ", too few to tell", "none seen": "" } as const;

function showFacts({ comparisons, memory }: Simulation): string {
  const pairs: [string, string][] = [];
  for (const line of comparisons.filter(({ table }) => table === null)) {
    const { quantity, collective, predicted, observed, standardError, z, reading } = line;
    // What the plan repeats of the instance is worth a line only where it is wrong.
    if (REPEATED.has(quantity) && reading === "agrees") continue;
    const said = (write: (value: number, digits?: number) => string) => {
      const error = standardError === 0 ? "" : ` ± ${write(standardError, 2)}`;
      const score = z === null ? "" : `, z ${z.toFixed(1).replace("-", "−")}`;
      const mark = reading === "differs" ? paint.red(`${score}, differs`) : paint.dim(score + UNSURE[reading]);
      const seen = observed === null ? "none" : write(observed);
      return `${write(predicted)} predicted, ${seen}${error} observed${mark}`;
    };
    if (REPEATED.has(quantity)) pairs.push([SAID[quantity], said(bytes)]);
    if (quantity === "collective" && collective !== null) {
      pairs.push([COLLECTIVE_NAMES[collective].short, said(milliseconds)]);
    }
    if (quantity === "memory") pairs.push(["memory per GPU", said(bytes)]);
    if (quantity === "host memory") pairs.push(["host memory per node", said(bytes)]);
    if (quantity === "objective") pairs.push(["objective", said(milliseconds)]);
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

function showVerdict({ verdict, plan, notCompared }: Simulation): string {
  const { outcome, comparisons, tooFew } = verdict;
  const unsure = tooFew === 0 ? "" : `; ${some(tooFew, "number")}: too few samples to tell`;
  const isOther = outcome === "differs" && !plan.digestAgrees;
  const digest = isOther ? "; the digest is not that of the file, which was changed after it was made" : "";
  const said = outcomeText(verdict, comparisons - tooFew, `${count(tooFew)} `, unsure + digest);
  return `${paint.dim(`not compared: ${notCompared.join(", ")}`)}\n\n${said}`;
}

/** How what was observed agrees with what was told; `chance`: how many numbers are left to chance, `more`: what is said besides. */
export function outcomeText(
  { outcome, comparisons, outside, largestZ }: Omit<Simulation["verdict"], "tooFew">,
  within: number,
  chance: string,
  more: string,
): string {
  if (outcome === "too few") {
    return `${paint.yellow("too few samples to tell")}: none of the ${chance}numbers that are left to chance`;
  }
  const largest = largestZ === null ? "none is left to chance" : `largest |z| ${largestZ.toFixed(1)}`;
  const found =
    outcome === "agrees"
      ? `${paint.green("agrees")}: ${count(within)} numbers within`
      : `${paint.red("differs")}: ${count(outside)} of ${count(comparisons)} numbers beyond`;
  return `${found} 4 standard errors, ${largest}${more}`;
}

function share(value: number, digits = 4): string {
  return `${significant(value * 100, digits)} %`;
}
