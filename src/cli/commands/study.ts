import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileError } from "../../errors/file-error.js";
import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { INSTANCES_FOLDER, JOB_FILE, type JobLine, STUDY_FILE } from "../../study/job.js";
import { makeJob } from "../../study/make-job.js";
import { readStudy } from "../../study/spec.js";
import { some } from "../../text/units.js";
import type { STUDY } from "../tables/study.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, writeOutput, writeResult } from "../terminal/streams.js";
import { VERSION } from "../version.js";
import { runStudyCollect } from "./study-collect.js";
import { runStudyRun } from "./study-run.js";

/** `shardproof study STUDY.yaml`: writes the job's folder, and with --go runs and collects it. */
export async function runStudy(file: string, options: OptionsOf<typeof STUDY>): Promise<number> {
  if (file === "-" && options.out === undefined) throw new UsageError("a study of standard input needs --out FOLDER");
  const folder = options.out ?? `${file.replace(/\.(ya?ml|json)$/i, "")}.study`;
  const spec = readStudy(await readText(file, "a study's file"), file);
  const { lines, instances } = await makeJob(spec, folder, VERSION);
  await mkdir(join(folder, INSTANCES_FOLDER), { recursive: true }).catch((error: unknown) => {
    throw fileError(error, folder, "a folder that can be written", { kind: "folder" });
  });
  for (const [name, text] of instances) {
    const path = join(folder, name);
    // By its content: one that is there is the same, unless a kill cut it off.
    if ((await readFile(path, "utf8").catch(() => null)) !== text) await writeOutput(path, text);
  }
  await writeOutput(join(folder, JOB_FILE), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { study, source } = spec;
  const head = { shardproof: 1, study, ...given({ source }), lines: lines.length };
  await writeOutput(join(folder, STUDY_FILE), writePlan(head));
  if (options.go !== true) {
    await writeResult(
      `${written(folder, lines)}\n\nrun it:      shardproof study run ${folder}\ncollect it:  shardproof study collect ${folder}\n`,
    );
    return EXIT.solved;
  }
  await writeResult(`${written(folder, lines)}\n`);
  const { go: _go, out: _out, ...running } = options;
  const ended = await runStudyRun(folder, running);
  if (ended === EXIT.interrupted) return ended;
  const collected = await runStudyCollect(folder, running);
  // What is done is shown, and an alarm is still one.
  return ended === EXIT.internalError ? ended : collected;
}

function written(folder: string, lines: readonly JobLine[]): string {
  const instances = new Set(lines.map(({ instance }) => instance.sha256)).size;
  const methods = new Set(lines.map(({ method }) => method)).size;
  const parts = `${some(instances, "instance")}, ${some(methods, "method")}`;
  return `wrote ${folder}: ${some(lines.length, "plan")} of ${parts}`;
}
