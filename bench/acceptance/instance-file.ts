/**
 * The file of an instance or a program that a row of `acceptance` names, from the root of the repository:
 *
 * - `lognormal/…`, `torchrec/…`, `fused/…`: drawn (drawn-instances.ts);
 * - `drifted/TABLESxNODESxGPUS/SEED`: drawn, and drifted since it was placed (drawn-drift.ts); 2 % more cost than the least
 *   is allowed, then the fewest bytes are moved;
 * - `towers/FEATURESxTOWERS/SEED`: `shardproof generate towers`;
 * - `criteo/GPUS`, `dcnv2/GPUS`: Criteo 1TB (joint/criteo-64) and MLPerf's DLRM-DCNv2 with hot rows and caches, the access
 *   law of the first, on hosts of 8;
 * - `dlrm40/GB`: dlrm40.yaml beside this file, with so much memory for tables on each GPU;
 * - anything else: FOLDER/NAME of a shipped file, as `public/hugectr-t200` or `public-programs/bell5`.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { UsageError } from "../../src/errors/usage-error.js";
import { generate } from "../../src/study/generate/generate.js";
import { driftedPlacement } from "../drawn-drift.js";
import { namedText, withCluster } from "../drawn-instances.js";

const GPUS_OF_HOST = 8;
const GOALS = "goals: [{minimize: largest-cost, allow: 2 %}, {minimize: moved-bytes}]\n";
const SHIPPED = ["yaml", "mps", "lp"];

/** The path; what is not shipped is written below `folder`. Throws `UsageError` for a name that stands for nothing. */
export function instanceFile(name: string, folder: string): string {
  const shipped = SHIPPED.map((ending) => `instances/${name}.${ending}`).find((file) => existsSync(file));
  if (shipped !== undefined) return shipped;
  const own = join(folder, name.replaceAll("/", "-"));
  const texts = textsOf(name);
  mkdirSync(own, { recursive: true });
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(own, file), text);
  return join(own, "instance.yaml");
}

function textsOf(name: string): Readonly<Record<string, string>> {
  const [kind = "", shape = "", seed = "1"] = name.split("/");
  const numbers = shape.split("x").map(Number) as [number, number, number];
  if (numbers.some((number) => !(number > 0)) && !/^(torchrec|fused)/.test(kind))
    throw new UsageError(`${name}: no such row`);
  const [first, second, third] = numbers;
  if (kind === "drifted") {
    const { plan, now } = driftedPlacement({ tables: first, nodes: second, gpus: third, seed: Number(seed) });
    return { "old-plan.json": plan, "instance.yaml": now + GOALS };
  }
  if (kind === "towers") {
    return { "instance.yaml": generate("towers", { features: first, towers: second }, Number(seed)) };
  }
  if (kind === "criteo") return { "instance.yaml": onHosts(shippedText("joint/criteo-64"), first) };
  if (kind === "dcnv2")
    return { "instance.yaml": onHosts(withHotRows(shippedText("public/mlperf-dlrm-dcnv2")), first) };
  if (kind === "dlrm40") {
    const text = readFileSync("bench/acceptance/dlrm40.yaml", "utf8");
    return { "instance.yaml": withCluster(text, { hbmBytesPerGpu: first * 1e9 }) };
  }
  return { "instance.yaml": namedText(name) };
}

function shippedText(name: string): string {
  return readFileSync(`instances/${name}.yaml`, "utf8");
}

function onHosts(text: string, gpus: number): string {
  return withCluster(text, { nodes: gpus / GPUS_OF_HOST, gpusPerNode: GPUS_OF_HOST });
}

/** Every table with the access law of joint/criteo-64, as many look-ups as it has. */
function withHotRows(text: string): string {
  const { tables, ...instance } = parse(text) as { readonly tables: readonly { readonly poolingFactor: number }[] };
  const hot = tables.map((table) => ({
    ...table,
    access: { zipfMandelbrot: { meanLength: table.poolingFactor, exponent: 1.25, shift: 0 } },
  }));
  return JSON.stringify({ ...instance, splits: { hotRows: true }, caches: true, tables: hot });
}
