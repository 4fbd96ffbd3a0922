import { beforeAll, describe, expect, test } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { canonicalJson } from "../../src/plan-file/canonical-json.js";
import { STOPPED } from "../../src/plan-file/stopped.js";
import type { PlanOptions } from "../../src/problems/plan-options.js";
import type { PublishedMethods } from "../../src/problems/planning/verify.js";
import { checkDigest } from "../../src/problems/verification/digest.js";
import { type Verification, VerificationDraft } from "../../src/problems/verification/verification.js";
import { programHash } from "../../src/program/hash.js";
import type { Program } from "../../src/program/program.js";
import { solveExactly } from "../../src/search/exact-milp/solve-exactly.js";
import { at, planNumbers } from "../unit/report/report-inputs.js";
import { changesOf, type Json, leavesOf, rememberedMethods, unseenChanges, withValue } from "./mutate.js";
import { onSteppingClock } from "./stepping-clock.js";

/** What the plans of all problems have alike. */
export interface SuitePlan {
  readonly method?: string;
  readonly status: string;
  readonly objective: Readonly<Record<"value" | "bound" | "gap", number | string | null>>;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** Goals in order: methods are compared by the first of them, of which the plan may have more than the least. */
  readonly stages?: readonly { readonly best: number | null; readonly bound: number | null }[] | null;
  readonly timing: unknown;
  readonly digest: string;
}

/** A line of a comparison. */
export interface SuiteRow {
  readonly method: string;
  readonly status: string;
  readonly reason?: string;
  readonly value: number | null;
  readonly bound: number | null;
}

/** A problem's commands, as the suite calls them. A file is an instance, or a program. */
export interface SuiteCommands {
  plan(file: string, options: PlanOptions): Promise<SuitePlan>;
  verify(file: string, text: string, methods?: PublishedMethods): Promise<Verification>;
  /** The exact method first; left out where there are no methods. */
  readonly compare?: (file: string, options: PlanOptions) => Promise<readonly SuiteRow[]>;
  /** The program as it is exported, read back from each format. */
  exported(file: string, text: string): Promise<readonly Program[]>;
  /** Of the exported program, where that is not the plan's own: the value and the bound that the plan has for it. */
  readonly exportedOf?: (plan: SuitePlan) => SuitePlan["exact"] | null;
  /** Exports to tools that take plans: throws `InputError` for a file that has none. */
  readonly handedOn?: (file: string, text: string) => Promise<string>;
  /** Why there is no plan, in words; left out where the certificate is all. */
  readonly explained?: (plan: SuitePlan) => readonly string[];
  /** The page; left out where there is none. */
  readonly page?: (file: string, text: string) => Promise<string>;
}

/** An instance, how its plan is asked for, and how that ends. */
export interface SuiteCase {
  readonly file: string;
  readonly options?: PlanOptions;
  readonly status: "proved" | "infeasible" | "unbounded" | "heuristic";
}

/**
 * Another proof of the same bound is as good, another placement of the same value behind a price, another relaxed plan, another of
 * a size of groups that is not chosen.
 */
const AS_GOOD =
  /(^|\.)certificate\.steps\.|^groups\.sizes\.\d+\.choices\.|\.relaxed\.(choices|numbering)\.|\.proof\.choices\.|^ray\./;

/** How often a search that was told to stop asks again, at most: each of its loops ends at its own question. */
const MAX_ASKED = 200;

/** Of so many changed files one is verified to its end after its digest has failed. */
const WHOLE_EVERY = 50;

/** Looks at a clock of one second each that a plan within a limit of {@link LIMIT_SECONDS} takes, at most. */
const LIMIT_SECONDS = 20;
const MAX_LOOKS = 200;

/**
 * What every problem owes its users: plan, verify, compare, export and report agree; the same input gives the same bytes; no
 * change of a file passes unseen; a search that is stopped, or whose time is over, says no more than it knows.
 */
export function problemSuite(problem: string, commands: SuiteCommands, cases: readonly SuiteCase[]): void {
  describe(problem, () => {
    describe.each(cases)("$file, $status", (one) => suiteOf(commands, one));
  });
}

function suiteOf(commands: SuiteCommands, { file, options = {}, status }: SuiteCase): void {
  let plan: SuitePlan;
  let text: string;
  beforeAll(async () => {
    plan = await planned();
    text = JSON.stringify(plan);
  });
  const planned = async (step = 1) => (await onSteppingClock(step, () => commands.plan(file, options))).result;
  const verified = (changed: Json, methods?: PublishedMethods) =>
    commands.verify(file, JSON.stringify(changed), methods);

  test("ends as it should, verifies, and has the same bytes when it is planned again", async () => {
    expect(plan.status).toBe(status);
    expectHonest(plan);
    expect(await commands.verify(file, text, rememberedMethods())).toMatchObject({ passed: true, differences: [] });
    // On a clock four times as slow too: it ends searches and methods, which the file says, and steers none.
    const again = await planned(text.includes(STOPPED) ? 1 : 0.25);
    expect({ ...again, timing: null }).toEqual({ ...plan, timing: null });
    expect(again.digest).toBe(plan.digest);
    expect(canonicalJson({ ...again, timing: null })).toBe(canonicalJson({ ...plan, timing: null }));
  });

  test("a change of any one number or word fails", { timeout: 300_000 }, async () => {
    const survivors: string[] = [];
    let tried = 0;
    for (const { path, value } of leavesOf(JSON.parse(text))) {
      for (const changed of changesOf(value)) {
        const forged = JSON.stringify(withValue(JSON.parse(text), path, changed));
        // A digest that fails is the end of it. What is said after that is the next test's; here it is tried on a few.
        const isSeen = !checkDigest(new VerificationDraft(), forged, JSON.parse(forged), "");
        if (isSeen && tried++ % WHOLE_EVERY > 0) continue;
        const { passed } = await commands.verify(file, forged);
        if (passed) survivors.push(`${path.join(".")}: ${JSON.stringify(value)} as ${JSON.stringify(changed)}`);
      }
    }
    expect(tried).toBeGreaterThan(50);
    expect(survivors).toEqual([]);
  });

  test("under a digest made anew a change fails, or verify says that it did not look there", {
    timeout: 300_000,
  }, async () => {
    const methods = rememberedMethods();
    const { tried, unseen } = await unseenChanges(
      JSON.parse(text),
      (changed) => verified(changed, methods),
      (path) => AS_GOOD.test(path) || (status === "unbounded" && /^variables\./.test(path)),
    );
    expect(tried).toBeGreaterThan(30);
    expect(unseen).toEqual([]);
  });

  if (commands.compare !== undefined) {
    test("compare has the plan's value and bound, and no method is below the bound", async () => {
      const rows = (await commands.compare?.(file, { ...options, method: "optimal" })) ?? [];
      const [optimal, ...others] = rows;
      if (status === "heuristic") {
        expect(rows.find(({ method }) => method === plan.method)?.value).toBe(plan.objective.value);
      } else {
        const first = plan.stages?.[0];
        const { value, bound } = first === undefined ? plan.objective : { value: first.best, bound: first.bound };
        expect(optimal).toMatchObject({ method: "optimal", status, value, bound });
      }
      expect(others.length).toBeGreaterThan(0);
      for (const row of others) expectRow(row, optimal?.bound ?? null, status === "infeasible");
    });
  }

  test("the exported programs have the plan's optimum, and plans are handed on where there are any", async () => {
    const [program, ...others] = await commands.exported(file, text);
    for (const other of others) expect(programHash(other)).toBe(programHash(program as Program));
    const known = commands.exportedOf === undefined ? plan.exact : commands.exportedOf(plan);
    const { verdict } = await solveExactly(program as Program, {});
    if (status === "infeasible") expect(verdict?.status).toBe("infeasible");
    else if (known !== null) expectBetween(known, verdict?.value ?? null);
    const handed = commands.handedOn?.(file, text);
    if (handed !== undefined && status === "infeasible")
      await expect(handed).rejects.toThrow("received the proof that there is none");
    else if (handed !== undefined) expect((await handed).length).toBeGreaterThan(100);
  });

  if (commands.page !== undefined) {
    test("the page has the plan's numbers, and is the same again", async () => {
      const page = (await commands.page?.(file, text)) as string;
      const numbers = planNumbers(page);
      expect(numbers.length).toBeGreaterThan(2);
      for (const { path, value } of numbers) expect(`${path} ${value}`).toBe(`${path} ${at(plan, path)}`);
      if (plan.objective.value !== null) expect(numbers.map(({ path }) => path)).toContain("objective.value");
      expect(await commands.page?.(file, text)).toBe(page);
    });
  }

  test("stopped at once, the plan says no more than is known, and verifies", async () => {
    let asked = 0;
    const shouldStop = () => ++asked > 0;
    await expectCutShort(await commands.plan(file, { ...options, shouldStop }));
    expect(asked).toBeLessThan(MAX_ASKED);
  });

  test("a limit ends the search, whatever the machine, and its plan says no more than is known", async () => {
    const limited = { ...options, timeLimitSeconds: LIMIT_SECONDS };
    const { result, looks } = await onSteppingClock(1000, () => commands.plan(file, limited));
    expect(looks).toBeLessThan(MAX_LOOKS);
    await expectCutShort(result);
  });

  test("a limit of work ends the search at the same step on every clock", async () => {
    const limited = { ...options, workLimitSeconds: 1e-3, timeLimitSeconds: 1e9 };
    const [fast, slow] = [
      (await onSteppingClock(0.25, () => commands.plan(file, limited))).result,
      (await onSteppingClock(50, () => commands.plan(file, limited))).result,
    ];
    expect({ ...slow, timing: null }).toEqual({ ...fast, timing: null });
    await expectCutShort(fast);
  });

  if (status === "proved") {
    test("a gap that is asked for is kept", async () => {
      const near = await commands.plan(file, { ...options, gap: 0.5 });
      expect(near.status).toBe("proved");
      expect(near.objective.gap).toBeLessThanOrEqual(0.5);
      expectHonest(near);
      expect(Rational.parse(near.exact.bound as string).compare(exactOf(plan.exact.value))).toBeLessThanOrEqual(0);
      expect(await commands.verify(file, JSON.stringify(near))).toMatchObject({ passed: true, differences: [] });
    });
  }

  if (status === "infeasible") {
    test("why there is no plan is explained", () => {
      expect(plan.objective).toMatchObject({ value: null, bound: null, gap: null });
      const reasons = commands.explained?.(plan);
      expect(reasons?.length).not.toBe(0);
      for (const reason of reasons ?? []) expect(reason).toMatch(/^\S.{30,}[^.]$/);
    });
  }

  /** A plan that was cut short: whatever it says is true, and is not more than a whole one says. */
  async function expectCutShort(short: SuitePlan): Promise<void> {
    expect([status, "feasible", "unknown"]).toContain(short.status);
    expectHonest(short);
    const { value, bound } = short.exact;
    // No plan is below a proved bound, whichever of the two was cut short.
    if (value !== null && plan.exact.bound !== null) expectAtLeast(value, plan.exact.bound);
    if (bound !== null && plan.exact.value !== null) expectAtLeast(plan.exact.value, bound);
    expect(await commands.verify(file, JSON.stringify(short))).toMatchObject({ passed: true, differences: [] });
  }
}

/** Value, bound and gap go together as the status says. */
function expectHonest({ status, objective, exact }: SuitePlan): void {
  if (status === "proved") {
    expectAtLeast(exact.value as string, exact.bound as string);
    expect(objective.gap).not.toBeNull();
  }
  if (status === "feasible") expect(exact.value).not.toBeNull();
  if (status === "infeasible") expect([exact.value, exact.bound]).toEqual([null, null]);
  if (exact.value !== null && exact.bound !== null) expectAtLeast(exact.value, exact.bound);
}

function expectRow({ method, status, reason, value }: SuiteRow, bound: number | null, isInfeasible: boolean): void {
  const isWithinLimits = status === "heuristic";
  if (isInfeasible) expect([method, isWithinLimits]).toEqual([method, false]);
  if (isWithinLimits && bound !== null) expect(value, method).toBeGreaterThanOrEqual(bound);
  if (["none", "not-applicable", "breaks-limits"].includes(status)) expect(reason, method).toMatch(/\S{2}/);
  else expect(value, method).not.toBeNull();
}

/** Whether the optimum is from a plan's bound to its value. */
function expectBetween({ value, bound }: SuitePlan["exact"], optimum: Rational | null): void {
  expect(optimum).not.toBeNull();
  expect(exactOf(value).compare(optimum as Rational)).toBeGreaterThanOrEqual(0);
  if (bound !== null) expect(exactOf(bound).compare(optimum as Rational)).toBeLessThanOrEqual(0);
}

function expectAtLeast(value: string, bound: string): void {
  expect(exactOf(value).compare(exactOf(bound))).toBeGreaterThanOrEqual(0);
}

function exactOf(text: string | null): Rational {
  return Rational.parse(text as string);
}
