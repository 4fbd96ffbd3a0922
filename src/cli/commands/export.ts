import { readText } from "../../input/files.js";
import { writeRemap } from "../../interop/remap/write-remap.js";
import { shardingPlan } from "../../interop/torchrec/export-placement.js";
import { torchrecPlan } from "../../interop/torchrec/export-plan.js";
import { towerShardingPlan } from "../../interop/torchrec/export-towers.js";
import { type Exportable, readExportable } from "../../problems/export.js";
import { planProgramText } from "../../problems/export-program.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import type { ExportablePlan } from "../../problems/row-tiers/exportable.js";
import { planVipr } from "../../problems/table-placement/export-vipr.js";
import type { ProgramFormat } from "../../program/read-program.js";
import { count } from "../../text/units.js";
import { showRemap, showShardingPlan, showTorchrecPlan } from "../show/export.js";
import { EXIT } from "../terminal/exit-status.js";
import { UsageError } from "../terminal/failure.js";
import { untilInterrupted } from "../terminal/interrupt.js";
import { StatusLine } from "../terminal/status-line.js";
import { note, readStandardInput, writeOutput, writeResult } from "../terminal/streams.js";
import type { ExportTarget } from "./export-targets.js";
import { requireFolder } from "./plan.js";
import { planInstanceOpener } from "./plan-instance.js";

export interface ExportOptions {
  readonly to: ExportTarget;
  readonly out?: string;
  readonly instance?: string;
  readonly format?: "npy" | "parquet";
  readonly rankFile?: readonly string[];
  readonly spread?: boolean;
  readonly module?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `shardproof export PLAN --to remap|torchrec|lp|mps|vipr`. */
export async function runExport(file: string, options: ExportOptions): Promise<number> {
  const { to, out, instance } = options;
  if (file === "-" && instance === "-") {
    throw new UsageError("the plan and the instance cannot both be standard input");
  }
  requireFitting(options);
  if (to !== "remap" && out !== undefined) await requireFolder(out);
  const text = file === "-" ? await readStandardInput() : await readText(file, "a plan file");
  const openInstance = planInstanceOpener(file, instance);
  if (to === "vipr") {
    await writeExported(await planVipr(text, file, openInstance), options);
    return EXIT.solved;
  }
  const exported = await readExportable(text, file, openInstance);
  if (to === "remap") return exportRemap(rowTiersPlan(exported), options);
  await exportText(exported, to, options);
  return EXIT.solved;
}

/** Throws `UsageError` for an option that the target has no use for, or one that it cannot do without. */
function requireFitting({ to, out, format, rankFile, spread, module, json }: ExportOptions): void {
  if (module !== undefined && to !== "torchrec") throw new UsageError("--module is for --to torchrec only");
  if (to === "remap") {
    if (out === undefined || out === "-") throw new UsageError("a remap is a folder; name it with --out FOLDER");
    return;
  }
  const foreign = { "--format": format, "--rank-file": rankFile, "--spread": spread };
  const given = Object.entries(foreign).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new UsageError(`${given[0]} is for --to remap only`);
  if (json === true && to !== "torchrec") throw new UsageError(`--json is not for --to ${to}, which is text`);
}

/** Throws `UsageError` for a plan that sends no rows. */
function rowTiersPlan({ problem, plan }: Exportable): ExportablePlan {
  if (problem === "row-tiers") return plan;
  const hasPlaces = problem === "table-placement" || plan.joint !== null;
  const advice = hasPlaces ? "use --to torchrec" : "use --to lp or mps";
  throw new UsageError(`--to remap is for plans of row-tiers; this one is of ${problem} (${advice})`);
}

async function exportRemap(plan: ExportablePlan, options: ExportOptions): Promise<number> {
  const { format, rankFile = [], spread, quiet = false } = options;
  const folder = options.out as string;
  const progress = new StatusLine(quiet);
  const rankFiles = rankFilesOf(rankFile, plan);
  const manifest = await untilInterrupted((signal) =>
    writeRemap(plan, folder, {
      ...(format === undefined ? {} : { format }),
      indexOrder: spread === true ? "spread" : "falling",
      rankFiles,
      signal,
      onProgress: (rows, of) => progress.show(() => [`${count(rows)} of ${count(of)} rows`]),
    }).catch((error: unknown) => {
      if (signal.aborted && error === signal.reason) return null;
      throw error;
    }),
  ).finally(() => progress.clear());
  if (manifest === null) return EXIT.interrupted;
  await writeResult(options.json === true ? writePlan(manifest) : showRemap(manifest, folder));
  return EXIT.solved;
}

/** TABLE=FILE, where both may hold a "=": the table is the longest one of the instance that fits. */
function rankFilesOf(given: readonly string[], { instance }: ExportablePlan): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const text of given) {
    const fitting = instance.tables.map(({ name }) => name).filter((name) => text.startsWith(`${name}=`));
    const name = fitting.sort((a, b) => b.length - a.length)[0];
    if (name === undefined) {
      const known = instance.tables.map((table) => table.name).join(", ");
      throw new UsageError(`--rank-file wants TABLE=FILE with a table of the instance (${known}), received ${text}`);
    }
    if (files.has(name)) throw new UsageError(`--rank-file was given twice for the table ${name}`);
    files.set(name, text.slice(name.length + 1));
  }
  return files;
}

async function exportText(
  exported: Exportable,
  to: Exclude<ExportTarget, "remap" | "vipr">,
  options: ExportOptions,
): Promise<void> {
  if (to !== "torchrec") return writeExported(await programText(exported, to), options);
  const { text, shown } = torchrecText(exported, options.module);
  await writeExported(text, options, shown);
}

/** `shown`: what a person reads once the file is written, where that is more than its name. */
async function writeExported(
  text: string,
  { out, json, quiet = false }: ExportOptions,
  shown: ((file: string) => string) | null = null,
): Promise<void> {
  if (out === undefined) return writeResult(text);
  await writeOutput(out, text);
  if (shown === null) note(`wrote ${out}`, quiet);
  else await writeResult(json === true ? text : shown(out));
}

/** The program that the plan is proved on: of a joint plan that of the towers it chose. */
function programText({ problem, plan }: Exportable, format: ProgramFormat): Promise<string> {
  const joint = problem === "tower-partition" ? plan.joint : null;
  return planProgramText(plan.instance, format, joint?.shape, joint?.unplaceable());
}

/** What goes into the file, and what a person reads of it. */
function torchrecText(
  { problem, plan }: Exportable,
  module: string | undefined,
): { readonly text: string; readonly shown: (file: string) => string } {
  if (problem === "table-placement") {
    const sharding = shardingPlan(plan, module);
    return { text: writePlan(sharding), shown: (file) => showShardingPlan(sharding, plan, file) };
  }
  if (problem === "tower-partition") {
    if (plan.joint === null) {
      const advice = "with cluster, training and tables in its instance, `plan` places tables too";
      throw new UsageError(
        `--to torchrec is not for plans of tower-partition that only say which features share a tower; ${advice}`,
      );
    }
    const { notes, ...sharding } = towerShardingPlan(plan.joint, module);
    return { text: writePlan(sharding), shown: (file) => showShardingPlan(sharding, plan, file, notes) };
  }
  if (module !== undefined) {
    throw new UsageError(
      "--module is for plans of table-placement, and of towers with tables; those of row-tiers have modules of their own",
    );
  }
  const tiers = torchrecPlan(plan);
  return { text: writePlan(tiers), shown: (file) => showTorchrecPlan(tiers, file) };
}
