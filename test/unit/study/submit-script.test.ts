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
  const { text, start } = submitScript("slurm", { ...REQUEST, more: ["--partition=cpu"] });
  expect(start).toEqual(["sbatch"]);
  expect(text).toContain("# a study: written by");
  expect(text).toContain("#SBATCH --array=1-3\n");
  expect(text).toContain("#SBATCH '--output=/data/my study/slurm-%A_%a.log'\n");
  expect(text).toContain("#SBATCH --partition=cpu\n");
  expect(text).toContain("exec /bin/node /x/main.js study run '/data/my study' --workers 1");
});

test("there are no more tasks than lines", () => {
  expect(submitScript("parallel", { ...REQUEST, lines: 2, tasks: 9 }).text).toMatch(/::: 1-1 2-2\n$/);
});
