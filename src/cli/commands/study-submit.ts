import { spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join, resolve } from "node:path";
import { InputError } from "../../errors/input-error.js";
import { given } from "../../input/given.js";
import { readJob } from "../../study/job.js";
import { shellWord, submitScript } from "../../study/submit-script.js";
import type { STUDY_SUBMIT } from "../tables/study.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, writeOutput, writeResult } from "../terminal/streams.js";
import { arrayLimit, submitted } from "./slurm.js";

/** `shardproof study submit FOLDER --to WHERE`: writes the script of a run, and with --go starts it. */
export async function runStudySubmit(
  folder: string,
  more: readonly string[],
  { to, tasks, workers, go }: OptionsOf<typeof STUDY_SUBMIT>,
): Promise<number> {
  const { all, study } = readJob(folder);
  const script = submitScript(to, {
    study,
    lines: all.length,
    folder: resolve(folder),
    // This very program, wherever the tasks run.
    program: [process.execPath, resolve(process.argv[1] as string)],
    more,
    ...given({ tasks, workers }),
    ...(to === "slurm" ? await arrayLimit() : {}),
  });
  const file = join(folder, `submit-${to}.sh`);
  await writeOutput(file, script.text);
  await chmod(file, 0o755);
  const starts = script.starts.map((start) => [...start, file]);
  const shown = starts.map((start) => `start it:    ${start.map(shellWord).join(" ")}\n`).join("");
  await writeResult(`wrote ${file}\n${go === true ? "" : shown}`);
  let status: number = EXIT.solved;
  for (const start of go === true ? starts : []) {
    if (status !== EXIT.solved) break;
    status = to === "slurm" ? await submitted(start, folder) : await started(start);
  }
  return status;
}

/** Ends as what it starts does: a queue at once, this machine when all is done. */
async function started([program, ...args]: readonly string[]): Promise<number> {
  return new Promise((end, reject) => {
    const child = spawn(program as string, args, { stdio: "inherit" });
    child.on("error", ({ message }) => reject(new InputError(`${program} cannot be started: ${message}`)));
    child.on("close", (status) => end(status ?? EXIT.interrupted));
  });
}
