import { expect, test } from "vitest";
import { planAnswer, programAnswer } from "../../src/browser/answer.js";
import { Rational } from "../../src/exact/rational.js";
import { showShardingPlan } from "../../src/interop/show.js";
import { compareInstance, type MethodComparison } from "../../src/problems/planning/compare.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { type Plan, planInstance } from "../../src/problems/planning/plan.js";
import { PROBLEMS, problemOfPlan } from "../../src/problems/planning/registry.js";
import type { Problem } from "../../src/problems/problem.js";
import type { ProgramSolution } from "../../src/problems/program/answer/schema.js";
import { showSolution } from "../../src/problems/program/show.js";
import { solveProgramFile } from "../../src/problems/program/solve/solve-file.js";
import { showSolveBlock } from "../../src/problems/show/solve-block.js";
import type { TowerCompareRow } from "../../src/problems/tower-partition/solve/compare.js";
import { reportPage } from "../../src/report/page.js";
import { answerIn, type Standing, standingOf } from "../../src/text/optimality.js";
import { reportOfPlan, unescaped } from "../unit/report/report-inputs.js";

/** What is said where value and bound are equal, and nowhere else. */
const OPTIMAL = /\boptimal|\bno (plan|partition|placement|point)\b[^.;—]*\b(better|faster|less)\b|comes to less/i;

const PLACES = ["terminal", "solve block", "export", "page", "playground"] as const;
type Texts = Readonly<Partial<Record<(typeof PLACES)[number], string>>>;

/** A plan, or a solution, as a file that says less: its bound is a tenth lower, and not proved to the gap unless it says so. */
type Change = "proved" | "feasible" | "unknown";

function weaker<P extends Plan>(plan: P, status: Change): P {
  const changed = { ...plan, status, ...halved(plan, status), baseline: baselinesOf(plan, status) };
  const { joint } = plan as { joint?: { seconds: Amounts; rows: readonly { partition: object }[] } };
  return (
    joint === undefined ? changed : { ...changed, joint: { ...joint, seconds: secondsOf(joint.seconds, status) } }
  ) as P;
}

interface Amounts {
  readonly value: number | null;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
}

function halved({ exact, objective }: Plan, status: Change) {
  const { value, bound, gap, text } = boundOf(exact.value, status);
  return { exact: { ...exact, bound: text }, objective: { ...objective, value, bound, gap } };
}

function secondsOf({ exact }: Amounts, status: Change) {
  const { value, bound, gap, text } = boundOf(exact.value, status);
  return { value, bound, gap, exact: { ...exact, bound: text } };
}

function boundOf(written: string | null, status: Change) {
  const value = Rational.parse(written ?? "0");
  const bound = value.multiply(Rational.of(9n, 10n));
  const isKnown = status !== "unknown";
  return {
    value: value.toNumber(),
    bound: isKnown ? bound.toNumberDown() : null,
    gap: isKnown ? 0.1 : null,
    text: isKnown ? bound.toString() : null,
  };
}

/** Beside that bound: the published methods, one of which comes to what the plan does. */
function baselinesOf({ baseline, objective }: Plan, status: Change) {
  const bound = status === "unknown" ? null : (objective.value ?? 0) * 0.9;
  return baseline.map((each) => {
    const value = each.value === null ? null : (objective.value ?? 0);
    return { ...each, value, aboveBound: value === null || bound === null ? null : (value - bound) / bound };
  });
}

async function textsOf(plan: Plan, file: string): Promise<Texts> {
  const instance = await loadInstance(file);
  const report = await reportOfPlan(plan, instance);
  const problem = problemOfPlan({ ...plan }, file);
  const [showing, known] = [await problem.showing(), await problem.knowing()];
  return {
    terminal: showing.plan(plan),
    "solve block": showSolveBlock(plan, known.goal(plan)),
    export: showShardingPlan({ plan: {} } as never, plan, "sharding.json"),
    page: textOfPage(await reportPage([report])) + textOfPage(await reportPage([report, report])),
    playground: JSON.stringify({ ...planAnswer(plan, known), status: "" }),
  };
}

/** What a person reads of a page, the bars of its charts too; not what the instance says of itself. */
function textOfPage(page: string): string {
  const read = page
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, "")
    .replace(/<p class="muted">[\s\S]*?<\/p>/g, "")
    .replace(/<(text|title|desc)\b[^>]*>/g, " ")
    .replace(/<[^>]*>/g, " ");
  return unescaped(read).replace(/\s+/g, " ");
}

function checkTexts(texts: Texts, standing: Standing, what: string): void {
  for (const [place, text] of Object.entries(texts)) {
    const found = OPTIMAL.exec(text)?.[0];
    if (standing !== "optimal") expect.soft(found, `${what}, ${place}`).toBeUndefined();
    else if (place !== "export") expect.soft(found, `${what}, ${place}`).toBeDefined();
  }
}

/** One instance of each problem, whose plan is its bound. */
const FILES: readonly (readonly [name: string, file: string, method: string])[] = [
  ["row tiers", "instances/tiny/three-tiers-serial.yaml", "flexshard-3tier"],
  ["a placement", "instances/tiny/placement-given.yaml", "torchrec-greedy"],
  ["towers", "instances/tiny/towers-pairwise.yaml", "strided"],
  ["towers with tables", "instances/tiny/towers-joint.yaml", "strided"],
];

test.each(FILES)(
  "%s is called optimal where value is bound, in every place, and nowhere else",
  async (_, file, method) => {
    const plan = await planInstance(file, { timeLimitSeconds: 20 });
    expect(standingOf(answerIn(plan))).toBe("optimal");
    checkTexts(await textsOf(plan, file), "optimal", "as planned");
    const standings = { proved: "within", feasible: "found", unknown: "found" } as const;
    for (const change of ["proved", "feasible", "unknown"] as const) {
      const changed = weaker(plan, change);
      expect(standingOf(answerIn(changed))).toBe(standings[change]);
      const texts = await textsOf(changed, file);
      checkTexts(texts, standings[change], change);
      const words = change === "proved" ? /within 11\.2 % of the optimum, proved/ : /best found/;
      for (const place of ["solve block", "page", "playground"] as const) expect(texts[place]).toMatch(words);
      if (change !== "unknown") expect(texts.terminal?.replace(/\s+/g, " ")).toMatch(words);
    }
    if (!file.includes("joint")) {
      const heuristic = await planInstance(file, { method });
      const texts = await textsOf(heuristic, file);
      checkTexts(texts, "heuristic", method);
      expect(texts.page).toContain(`by ${method}, no bound asked for`);
    }
  },
);

test.each([
  ["row tiers", "instances/tiny/infeasible.yaml"],
  ["a placement", "instances/tiny/placement-infeasible.yaml"],
  ["towers", "instances/tiny/towers-infeasible-load.yaml"],
])("%s without a plan have none that is optimal", async (_, file) => {
  const plan = await planInstance(file, { timeLimitSeconds: 20 });
  expect(plan.status).toBe("infeasible");
  const { terminal = "", page = "", playground = "" } = await textsOf(plan, file);
  checkTexts({ terminal, page, playground }, "infeasible", file);
});

/** Plans and comparisons of instances that are proved within a wide gap which was asked for. */
test.each([
  ["instances/tiny/placement-migration.yaml", 0.9],
  ["instances/public/criteo1tb-onehot.yaml", 0.2],
  ["instances/tiny/host-binds.yaml", 0.9],
  ["instances/paper/flexshard-rm2.yaml", 0.9],
  ["instances/costs/learned-10x2.yaml", 0.9],
  // Its first goal is its bound, its second one is not.
  ["instances/tiny/placement-second-goal.yaml", 0.9],
])("%s with a gap of %d", async (file, gap) => {
  const plan = await planInstance(file, { gap, timeLimitSeconds: 20 });
  expect(plan.status).toBe("proved");
  expect(standingOf(answerIn(plan))).toBe("within");
  const texts = await textsOf(plan, file);
  checkTexts(texts, "within", file);
  const isWhole = plan.exact.value === plan.exact.bound;
  expect(texts.page).toMatch(isWhole ? /proved to the gap/ : /within \S+ % of the optimum, proved/);
});

test.each([
  ["instances/tiny/placement-migration.yaml", 0.9],
  ["instances/tiny/host-binds.yaml", 0.9],
])("the methods beside %s with a gap of %d", async (file, gap) => {
  const text = await comparisonText(await compareInstance(file, { gap, timeLimitSeconds: 20 }));
  expect(text).not.toMatch(OPTIMAL);
  expect(text).toMatch(/^ *exact .*within \S+ % of the optimum, proved$/m);
});

test("the methods beside a partition: as good as the plan is not optimal, the bound is", async () => {
  const comparison = await compareInstance("instances/tiny/towers-pairwise.yaml", { timeLimitSeconds: 20 });
  expect(await comparisonText(comparison)).toMatch(/^ *swap .*optimal too$/m);
  const rows = (comparison.rows as readonly TowerCompareRow[]).map((row) => ({
    ...row,
    gap: row.gap === null ? null : row.gap + 0.1,
  }));
  expect(await comparisonText({ ...comparison, rows } as MethodComparison)).not.toMatch(OPTIMAL);
});

async function comparisonText(comparison: MethodComparison): Promise<string> {
  const problem = PROBLEMS.find(({ name }) => name === comparison.problem) as Problem;
  return (await problem.showing()).compare(comparison);
}

test("a solved program, a minimum and a maximum", async () => {
  const solved = async (name: string, gap: number) => {
    const { solution } = await solveProgramFile(`instances/${name}`, { gap });
    // What a solver claims is its own word.
    return { ...solution, claims: [] };
  };
  const texts = (solution: ProgramSolution) => ({
    terminal: showSolution(solution),
    playground: JSON.stringify({ ...programAnswer(solution, "x.lp"), status: "" }),
  });
  const exact = await solved("programs/production.lp", 0);
  checkTexts(texts(exact), "optimal", "production.lp");
  const name = "public-programs/lseu.mps";
  const within = await solved(name, 0.5);
  expect(standingOf(answerIn(within))).toBe("within");
  checkTexts(texts(within), "within", name);
  expect(texts(within).terminal).toMatch(/within \d+\.\d % of the optimum, proved/);
  checkTexts(texts({ ...within, status: "feasible" }), "found", name);
});
