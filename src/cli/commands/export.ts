import { UsageError } from "../../errors/usage-error.js";
import { given } from "../../input/given.js";
import { programText, type RemapWriter, writerOf } from "../../problems/exportable.js";
import { anyPlanVipr, readExportable } from "../../problems/planning/export.js";
import { count } from "../../text/units.js";
import type { EXPORT } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import { unlessInterrupted } from "../terminal/interrupt.js";
import { withStatusLine } from "../terminal/status-line.js";
import {
  EXIT,
  note,
  readGiven,
  requireOneStandardInput,
  requireWritable,
  warn,
  writeOutput,
  writeResult,
} from "../terminal/streams.js";
import { planInstanceOpener } from "./plan-instance.js";

/** `shardproof export PLAN --to remap|torchrec|lp|mps|vipr`. */
export async function runExport(file: string, options: OptionsOf<typeof EXPORT>): Promise<number> {
  const { to, out, instance } = options;
  requireOneStandardInput([file, instance]);
  requireFitting(options);
  if (to !== "remap" && out !== undefined) await requireWritable(out);
  const text = await readGiven(file, "a plan file");
  const openInstance = planInstanceOpener(file, instance);
  if (to === "vipr") {
    const { proof: named, timeLimit: timeLimitSeconds, sizeLimit: sizeLimitBytes, quiet = false } = options;
    const proof = await anyPlanVipr(text, file, openInstance, {
      ...given({ proof: named, timeLimitSeconds, sizeLimitBytes }),
      onNamed: (name, all) =>
        warn(`the proof ${name} of ${all.length}: ${all.join(", ")}; --proof names another`, quiet),
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
function requireFitting(options: OptionsOf<typeof EXPORT>): void {
  const { to, out, format, rankFile, idsAreRanks, spread, module, exact, json } = options;
  const { proof, timeLimit, sizeLimit } = options;
  const ofProofs = Object.keys(given({ "--proof": proof, "--time-limit": timeLimit, "--size-limit": sizeLimit }))[0];
  if (ofProofs !== undefined && to !== "vipr") throw new UsageError(`${ofProofs} is for --to vipr only`);
  if (exact === true && to !== "mps" && to !== "lp") throw new UsageError("--exact is for --to mps and --to lp only");
  if (module !== undefined && to !== "torchrec") throw new UsageError("--module is for --to torchrec only");
  if (to === "remap") {
    if (out === undefined || out === "-") throw new UsageError("a remap is a folder; name it with --out FOLDER");
    return;
  }
  const foreign = { "--format": format, "--rank-file": rankFile, "--ids-are-ranks": idsAreRanks, "--spread": spread };
  const name = Object.keys(given(foreign))[0];
  if (name !== undefined) throw new UsageError(`${name} is for --to remap only`);
  if (json === true && to !== "torchrec") throw new UsageError(`--json is not for --to ${to}, which is text`);
}

async function exportRemap(write: RemapWriter, options: OptionsOf<typeof EXPORT>): Promise<number> {
  const { format, rankFile: rankFiles = [], idsAreRanks = false, spread, quiet = false } = options;
  const folder = options.out as string;
  const exported = await withStatusLine(quiet, (line) =>
    unlessInterrupted((signal) =>
      write({
        folder,
        ...given({ format }),
        indexOrder: spread === true ? "spread" : "falling",
        rankFiles,
        idsAreRanks,
        signal,
        onProgress: (rows, of) => line.show(() => [`${count(rows)} of ${count(of)} rows`]),
      }),
    ),
  );
  if (exported === null) return EXIT.interrupted;
  await writeResult(options.json === true ? exported.text : exported.shown(folder));
  return EXIT.solved;
}

async function exportText(
  exported: Awaited<ReturnType<typeof readExportable>>,
  to: Exclude<OptionsOf<typeof EXPORT>["to"], "remap" | "vipr">,
  options: OptionsOf<typeof EXPORT>,
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
  { out, json, quiet = false }: OptionsOf<typeof EXPORT>,
  shown: ((file: string) => string) | null = null,
): Promise<void> {
  if (out === undefined) return writeResult(text);
  await writeOutput(out, text);
  if (shown === null) note(`wrote ${out}`, quiet);
  else await writeResult(json === true ? text : shown(out));
}
