import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { missing, until } from "./programs.js";
import { PLANS, resultsIn, study, studyFolder, tablesOf, writeJob } from "./study-200.js";

const reason = missing("parallel");
const folder = studyFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a job's script in a process group of its own; `null` as its status where it was killed. */
function start(job: string): { readonly pid: number; readonly ended: Promise<number | null> } {
  const child = spawn("sh", [join(job, "submit-parallel.sh")], { detached: true, stdio: "ignore" });
  return { pid: child.pid as number, ended: new Promise((resolve) => child.on("close", resolve)) };
}

test.skipIf(reason !== null)(
  `200 plans by GNU parallel, killed with all that it started: started again, they are those of one machine${reason === null ? "" : ` (${reason})`}`,
  async () => {
    const job = await writeJob(folder, "hosts");
    // This machine as a host of two jobs, as a file of hosts would name others.
    await study(["submit", job, "--to", "parallel", "--tasks", "4", "--", "-S", "2/:"]);
    const first = start(job);
    await until("plans that are done", 120, () => (resultsIn(job) > 0 ? true : null));
    process.kill(-first.pid, "SIGKILL");
    await first.ended;
    expect(resultsIn(job)).toBeLessThan(PLANS);
    expect(await start(job).ended).toBe(0);
    expect(resultsIn(job)).toBe(PLANS);
    // A line for each task, all of which ended well.
    const log = readFileSync(join(job, "parallel.log"), "utf8").trim().split("\n").slice(1);
    expect(log.map((line) => line.split("\t")[6])).toEqual(new Array(4).fill("0"));
    await study(["collect", job]);

    const local = await writeJob(folder, "local");
    await study(["run", local]);
    await study(["collect", local]);
    expect(tablesOf(job)).toEqual(tablesOf(local));
  },
  1_800_000,
);
