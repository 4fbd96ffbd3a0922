/** Lines that a task takes where nobody says. */
const LINES_PER_TASK = 20;

/** Tasks of an array that Slurm takes where nobody raised it: indices are below its MaxArraySize of 1001. */
const MAX_TASKS = 1000;

export interface SubmitRequest {
  readonly study: string;
  readonly lines: number;
  /** Absolute: where it is on every machine. */
  readonly folder: string;
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Options of sbatch or parallel. */
  readonly more: readonly string[];
  readonly tasks?: number;
  readonly workers?: number;
  /** Tasks of one array that the cluster takes. */
  readonly maxTasks?: number;
}

/** The script of a run, and what starts it: `sbatch FILE`, say, more than once where one array is too short. */
export interface SubmitScript {
  readonly text: string;
  readonly starts: readonly (readonly string[])[];
}

/** A script that works all lines of a job. Every one may be started again: it goes on with what is not done. */
export function submitScript(to: "local" | "parallel" | "slurm", request: SubmitRequest): SubmitScript {
  const { folder, program, workers, more } = request;
  const run = [...program, "study", "run", folder].map(shellWord).join(" ");
  const head = `#!/bin/sh\n# ${request.study.replace(/\s+/g, " ")}: written by shardproof study submit --to ${to}.\n`;
  const each = workers ?? 1;
  const tasks = Math.min(
    request.lines,
    request.tasks ?? Math.min(MAX_TASKS, Math.ceil(request.lines / LINES_PER_TASK)),
  );
  if (to === "local") {
    return { text: `${head}exec ${run}${workers === undefined ? "" : ` --workers ${workers}`}\n`, starts: [["sh"]] };
  }
  if (to === "parallel") {
    const ranges = rangesOf(request.lines, tasks).map(([first, last]) => `${first}-${last}`);
    const options = ["--halt", "never", "--line-buffer", "--joblog", `${folder}/parallel.log`, ...more]
      .map(shellWord)
      .join(" ");
    // Lines are handed over by name, so that a host is asked for some when it is free.
    return {
      text: `${head}exec parallel ${options} ${shellWord(`${run} --workers ${each} --quiet --lines {}`)} ::: ${ranges.join(" ")}\n`,
      starts: [["sh"]],
    };
  }
  const { maxTasks = MAX_TASKS } = request;
  const arrays = Array.from({ length: Math.ceil(tasks / maxTasks) }, (_, k) =>
    Math.min(maxTasks, tasks - k * maxTasks),
  );
  const options = [
    `--job-name=${request.study.replace(/[^\w.-]+/g, "-")}`,
    `--array=1-${arrays[0]}`,
    `--cpus-per-task=${each}`,
    "--requeue",
    // Slurm's own patterns begin with %; one that is in the path is doubled.
    `--output=${folder.replaceAll("%", "%%")}/slurm-%A_%a.log`,
    ...more,
  ];
  return {
    text: `${head}${options.map((option) => `#SBATCH ${shellWord(option)}\n`).join("")}
# Line n of the job goes to task n · tasks / lines, rounded up.
lines=${request.lines} tasks=${tasks} task=$(( SLURM_ARRAY_TASK_ID + \${${FIRST}:-0} ))
first=$(( (task - 1) * lines / tasks + 1 )) last=$(( task * lines / tasks ))
exec ${run} --workers ${each} --quiet --lines "$first-$last"
`,
    starts: arrays.map((length, k) =>
      k === 0 ? ["sbatch"] : ["sbatch", `--array=1-${length}`, `--export=ALL,${FIRST}=${k * maxTasks}`],
    ),
  };
}

/** What tells an array after the first one how many tasks are before its own. */
const FIRST = "SHARDPROOF_FIRST_TASK";

/** Ranges of lines of nearly one length, as the script of Slurm has them. */
export function rangesOf(lines: number, tasks: number): readonly (readonly [first: number, last: number])[] {
  return Array.from({ length: tasks }, (_, k) => [
    Math.floor((k * lines) / tasks) + 1,
    Math.floor(((k + 1) * lines) / tasks),
  ]);
}

/** A word as a shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
