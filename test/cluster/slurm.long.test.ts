import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { missing, said, until } from "./programs.js";
import { PLANS, resultsIn, study, studyFolder, tablesOf, writeJob } from "./study-200.js";

const reason = missing("sbatch", "slurmctld", "slurmd", "munged");
const folder = studyFolder();
const cluster = join(folder, "slurm");
const SLURM = { SLURM_CONF: join(cluster, "slurm.conf") };
const SCRIPT = resolve("test/cluster/slurm.sh");

const slurm = (program: string, ...args: readonly string[]) => said(program, args, SLURM);

beforeAll(() => {
  if (reason === null) said(SCRIPT, ["start", cluster]);
}, 300_000);

afterAll(() => {
  if (reason === null) said(SCRIPT, ["stop", cluster]);
  rmSync(folder, { recursive: true, force: true });
}, 300_000);

/** Queues a job's script; its tasks, as long as there are any, by their state. */
async function submit(job: string): Promise<() => readonly (readonly [task: string, state: string])[]> {
  // The command starts sbatch with the environment that it has itself.
  Object.assign(process.env, SLURM);
  const { stdout } = await study(["submit", job, "--to", "slurm", "--tasks", "4", "--go"]);
  const [, number] = /Submitted batch job (\d+)/.exec(stdout) as RegExpExecArray;
  return () =>
    slurm("squeue", "-h", "-r", "-j", number as string, "-o", "%i %T")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" ") as [string, string]);
}

test.skipIf(reason !== null)(
  `200 plans in a Slurm array, a task killed, a node drained: resumed, they are those of one machine${reason === null ? "" : ` (${reason})`}`,
  async () => {
    const job = await writeJob(folder, "queue");
    const tasks = await submit(job);
    const running = () => tasks().filter(([, state]) => state === "RUNNING");
    // In the middle: both nodes are at work, and some plans are done.
    const [killed] = await until("a task at work", 120, () => {
      const at = running();
      return at.length > 0 && resultsIn(job) > 0 ? (at[0] as readonly [string, string]) : null;
    });
    slurm("scancel", "--signal=KILL", "--full", killed);
    slurm("scontrol", "update", "NodeName=n2", "State=DRAIN", "Reason=test");
    await until("the end of all tasks", 900, () => (tasks().length === 0 ? true : null));
    expect(slurm("sinfo", "-h", "-n", "n2", "-o", "%T")).toMatch(/^drained/);
    // Nobody took the lines that the killed task had left.
    expect(resultsIn(job)).toBeLessThan(PLANS);
    const { stderr } = await study(["collect", job], 3);
    expect(stderr).toMatch(/^\d+ plans of 200 not done/);

    slurm("scontrol", "update", "NodeName=n2", "State=RESUME");
    const again = await submit(job);
    await until("the end of all tasks", 900, () => (again().length === 0 ? true : null));
    expect(resultsIn(job)).toBe(PLANS);
    await study(["collect", job]);

    const local = await writeJob(folder, "local");
    await study(["run", local]);
    await study(["collect", local]);
    expect(tablesOf(job)).toEqual(tablesOf(local));
  },
  1_800_000,
);
