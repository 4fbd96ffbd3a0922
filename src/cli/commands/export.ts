import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { planVipr, readExportable } from "../../problems/export.js";
import { programText, type RemapWriter, writerOf } from "../../problems/exportable.js";
import { count } from "../../text/units.js";
import { EXIT } from "../terminal/exit-status.js";
import { untilInterrupted } from "../terminal/interrupt.js";
import { StatusLine } from "../terminal/status-line.js";
import { note, readStandardInput, writeOutput, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";
import type { ExportTarget } from "./export-targets.js";
import { planInstanceOpener } from "./plan-instance.js";

export interface ExportOptions {
  readonly to: ExportTarget;
  readonly out?: string;
  readonly instance?: string;
  readonly format?: "npy" | "parquet";
  readonly rankFile?: readonly string[];
  readonly idsAreRanks?: boolean;
  readonly spread?: boolean;
  readonly module?: string;
  readonly exact?: boolean;
  readonly timeLimit?: number;
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
  if (to !== "remap" && out !== undefined) await requireWritable(out);
  const text = file === "-" ? await readStandardInput() : await readText(file, "a plan file");
  const openInstance = planInstanceOpener(file, instance);
  if (to === "vipr") {
    const { timeLimit, quiet = false } = options;
    const proof = await planVipr(text, file, openInstance, {
      ...(timeLimit === undefined ? {} : { timeLimitSeconds: timeLimit }),
      onAnew: (why) => note(`VIPR has no words for the certificate (${why}): its program is proved anew`, quiet),
    });
    await writeExported(proof, options);
    return EXIT.solved;
  }
  const exported = await readExportable(text, file, openInstance);
  if (to === "remap") return exportRemap(writerOf(exported, "remap"), options);
  await exportText(exported, to, options);
  return EXIT.solved;
}

/** Throws `UsageError` for an option that the target has no use for, or one that it cannot do without. */
function requireFitting(options: ExportOptions): void {
  const { to, out, format, rankFile, idsAreRanks, spread, module, exact, timeLimit, json } = options;
  if (timeLimit !== undefined && to !== "vipr") throw new UsageError("--time-limit is for --to vipr only");
  if (exact === true && to !== "mps" && to !== "lp") throw new UsageError("--exact is for --to mps and --to lp only");
  if (module !== undefined && to !== "torchrec") throw new UsageError("--module is for --to torchrec only");
  if (to === "remap") {
    if (out === undefined || out === "-") throw new UsageError("a remap is a folder; name it with --out FOLDER");
    return;
  }
  const foreign = { "--format": format, "--rank-file": rankFile, "--ids-are-ranks": idsAreRanks, "--spread": spread };
  const given = Object.entries(foreign).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new UsageError(`${given[0]} is for --to remap only`);
  if (json === true && to !== "torchrec") throw new UsageError(`--json is not for --to ${to}, which is text`);
}

async function exportRemap(write: RemapWriter, options: ExportOptions): Promise<number> {
  const { format, rankFile: rankFiles = [], idsAreRanks = false, spread, quiet = false } = options;
  const folder = options.out as string;
  const progress = new StatusLine(quiet);
  const exported = await untilInterrupted((signal) =>
    write({
      folder,
      ...(format === undefined ? {} : { format }),
      indexOrder: spread === true ? "spread" : "falling",
      rankFiles,
      idsAreRanks,
      signal,
      onProgress: (rows, of) => progress.show(() => [`${count(rows)} of ${count(of)} rows`]),
    }).catch((error: unknown) => {
      if (signal.aborted && error === signal.reason) return null;
      throw error;
    }),
  ).finally(() => progress.clear());
  if (exported === null) return EXIT.interrupted;
  await writeResult(options.json === true ? exported.text : exported.shown(folder));
  return EXIT.solved;
}

async function exportText(
  exported: Awaited<ReturnType<typeof readExportable>>,
  to: Exclude<ExportTarget, "remap" | "vipr">,
  options: ExportOptions,
): Promise<void> {
  if (to !== "torchrec") {
    const form = options.exact === true ? "exact" : "natural";
    return writeExported(programText(await exported.program(), to, form), options);
  }
  const { text, shown, notes = [] } = writerOf(exported, "torchrec")(options.module);
  if (options.out === undefined) for (const said of notes) note(said, options.quiet === true);
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
