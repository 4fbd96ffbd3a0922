import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MADE, PUBLIC, ROOT } from "./paths.mjs";

const WORK = join(MADE, "work");
const OUT = join(PUBLIC, "examples");

/** Plans whose reports are examples: the name of the page, the instance, and options of `plan`. */
const PLANS = [
  ["rows", "paper/flexshard-rm1.yaml"],
  ["rows-greedy", "paper/flexshard-rm1.yaml", "--method", "flexshard-3tier"],
  ["tables", "public/mlperf-dlrm-dcnv2.yaml"],
  ["towers", "paper/criteo26-joint.yaml"],
];

/** What `plan` ends with: 3 is a gap left, which the report says. */
const SOLVED = [0, 3];

/** Makes the example pages with the program itself, as a user would. */
export function makeExamples() {
  rmSync(WORK, { recursive: true, force: true });
  for (const folder of [WORK, OUT]) mkdirSync(folder, { recursive: true });
  for (const [name, instance, ...options] of PLANS) {
    run(["plan", join("instances", instance), "--quiet", "--out", plan(name), ...options], SOLVED);
  }
  for (const name of ["rows", "tables", "towers"]) report(name, [name]);
  report("comparison", ["rows", "rows-greedy"]);
  const study = join(WORK, "study");
  run(["study", "docs/site/example-study.yaml", "--out", study, "--go", "--quiet"], [0]);
  copyFileSync(join(study, "study.html"), join(OUT, "study.html"));
  const published = join(ROOT, "docs/published-study.html");
  if (existsSync(published)) copyFileSync(published, join(OUT, "published-study.html"));
}

function plan(name) {
  return join(WORK, `${name}.json`);
}

function report(name, plans) {
  run(["report", ...plans.map(plan), "--quiet", "--out", join(OUT, `${name}.html`)], [0]);
}

function run(args, accepted) {
  try {
    execFileSync(process.execPath, ["dist/src/cli/main.js", ...args], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch (error) {
    if (!accepted.includes(error.status)) throw new Error(`shardproof ${args.join(" ")} ended with ${error.status}`);
  }
}
