import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { rangesOf, submitScript } from "../../../src/study/submit-script.js";

const REQUEST = {
  study: "a\n study",
  lines: 45,
  folder: "/data/my study",
  program: ["/bin/node", "/x/main.js"],
  more: [],
};

test("ranges are of all lines, each once", () => {
  for (const [lines, tasks] of [
    [45, 4],
    [7, 7],
    [1000, 3],
  ] as const) {
    const numbers = rangesOf(lines, tasks).flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, k) => first + k),
    );
    expect(numbers).toEqual(Array.from({ length: lines }, (_, k) => k + 1));
  }
});

test("a name cannot end the comment that it stands in, and paths with blanks are one word", () => {
  const { text, starts } = submitScript("slurm", { ...REQUEST, more: ["--partition=cpu"] });
  expect(starts).toEqual([["sbatch"]]);
  expect(text).toContain("# a study: written by");
  expect(text).toContain("#SBATCH --array=1-3\n");
  expect(text).toContain("#SBATCH '--output=/data/my study/slurm-%A_%a.log'\n");
  expect(text).toContain("#SBATCH --partition=cpu\n");
  expect(text).toContain("exec /bin/node /x/main.js study run '/data/my study' --workers 1");
});

test("there are no more tasks than lines", () => {
  expect(submitScript("parallel", { ...REQUEST, lines: 2, tasks: 9 }).text).toMatch(/::: 1-1 2-2\n$/);
});

test("what Slurm would take for a pattern in a path is doubled", () => {
  const { text } = submitScript("slurm", { ...REQUEST, folder: "/data/100%j %%x" });
  expect(text).toContain("#SBATCH '--output=/data/100%%j %%%%x/slurm-%A_%a.log'\n");
  expect(text).toContain("study run '/data/100%j %%x' --workers");
});

test("more tasks than an array takes are several arrays, which have every line once", () => {
  const { text, starts } = submitScript("slurm", { ...REQUEST, tasks: 45, maxTasks: 20 });
  expect(starts).toEqual([
    ["sbatch"],
    ["sbatch", "--array=1-20", "--export=ALL,SHARDPROOF_FIRST_TASK=20"],
    ["sbatch", "--array=1-5", "--export=ALL,SHARDPROOF_FIRST_TASK=40"],
  ]);
  expect(text).toContain("#SBATCH --array=1-20\n");
  const script = text.replace(/^exec .*$/m, 'echo "$first-$last"');
  const found = starts.flatMap((start) => {
    const [array = "20"] = start.flatMap((word) => /--array=1-(\d+)/.exec(word)?.[1] ?? []);
    const [first = "0"] = start.flatMap((word) => /FIRST_TASK=(\d+)/.exec(word)?.[1] ?? []);
    return Array.from({ length: Number(array) }, (_, k) =>
      execFileSync("sh", ["-c", script], {
        env: { SLURM_ARRAY_TASK_ID: String(k + 1), SHARDPROOF_FIRST_TASK: first },
        encoding: "utf8",
      }).trim(),
    );
  });
  expect(found).toEqual(Array.from({ length: 45 }, (_, k) => `${k + 1}-${k + 1}`));
});
