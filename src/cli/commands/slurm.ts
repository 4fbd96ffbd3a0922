import { execFile } from "node:child_process";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { InputError } from "../../errors/input-error.js";
import { some } from "../../text/units.js";
import { EXIT, writeResult } from "../terminal/streams.js";

/** The numbers of the arrays that Slurm took, one a line, in the study's folder. */
const JOBS_FILE = "slurm-jobs.txt";

const run = promisify(execFile);

/** The most tasks of an array, as the cluster says it where it can be asked. */
export async function arrayLimit(): Promise<{ readonly maxTasks?: number }> {
  try {
    const { stdout } = await run("scontrol", ["show", "config"]);
    const size = Number(/MaxArraySize\s*=\s*(\d+)/.exec(stdout)?.[1]);
    return size >= 2 ? { maxTasks: size - 1 } : {};
  } catch {
    return {};
  }
}

/** Hands an array to Slurm, and keeps its number: of tasks that fail before they start there is nothing else. */
export async function submitted([program, ...args]: readonly string[], folder: string): Promise<number> {
  const { stdout } = await run(program as string, args).catch((error: Error) => {
    throw new InputError(`${program} did not take it: ${error.message.trim().split("\n").at(-1)}`);
  });
  await writeResult(stdout);
  const number = /\d+/.exec(stdout)?.[0];
  if (number !== undefined) await appendFile(join(folder, JOBS_FILE), `${number}\n`);
  return EXIT.solved;
}

/** Why tasks of Slurm's ended that left lines undone, as Slurm says it where it can be asked. */
export async function tellSlurm(folder: string): Promise<void> {
  const jobs = await readFile(join(folder, JOBS_FILE), "utf8").catch(() => "");
  for (const job of jobs.split("\n").filter((number) => number !== "")) {
    const { stdout } = await run("scontrol", ["show", "job", "--oneliner", job]).catch(() => ({
      stdout: "",
    }));
    const reasons = new Map<string, number>();
    for (const [, state = "", reason = ""] of stdout.matchAll(/JobState=(\S+) Reason=(\S+)/g)) {
      if (/^(COMPLETED|RUNNING|COMPLETING)$/.test(state)) continue;
      const said = reason === "None" ? state : `${state}, ${reason}`;
      reasons.set(said, (reasons.get(said) ?? 0) + 1);
    }
    for (const [said, tasks] of reasons) {
      process.stderr.write(`Slurm's job ${job}: ${some(tasks, "task")} ${said}\n`);
    }
  }
}
