import { writePlan } from "../../../src/plan-file/write-plan.js";
import type { Instance } from "../../../src/problems/planning/instances.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { type Plan, planInstance } from "../../../src/problems/planning/plan.js";
import { problemOf } from "../../../src/problems/planning/registry.js";
import type { ReportPlan } from "../../../src/report/input.js";

/** A page's input made of a shipped instance, as the command makes it, without a second check. */
export async function reportOf(instanceFile: string, method = "optimal"): Promise<ReportPlan> {
  const instance = await loadInstance(instanceFile);
  return reportOfPlan(await planInstance(instance, { method, timeLimitSeconds: 20 }), instance);
}

export async function reportOfPlan(plan: Plan, instance: Instance): Promise<ReportPlan> {
  const common = {
    file: "plan.json",
    text: writePlan(plan),
    check: { kind: "passed", checks: [{ name: "digest", passed: true, detail: "as it was written" }], notChecked: [] },
    instance: { source: instance.source ?? null, facts: [{ name: "cluster", said: "two nodes" }] },
  } as const;
  const problem = problemOf(instance);
  const [{ charts, section }, { goal }] = [await problem.reporting(), await problem.knowing()];
  return { ...common, plan, charts: (await charts?.(plan, instance)) ?? null, goal: goal(plan), section };
}

/** A number of a page that it says is the plan's. */
export interface PageNumber {
  readonly path: string;
  readonly value: string;
  readonly text: string;
}

/** All of them, of one plan's section. */
export function planNumbers(page: string): readonly PageNumber[] {
  const found = page.matchAll(/<data value="([^"]*)" data-path="([^"]*)" title="([^"]*)">([^<]*)<\/data>/g);
  return [...found].map(([, value, path, title, text]) => {
    if (title !== value) throw new RangeError(`${path} has two values, ${value} and ${title}`);
    return { path: path as string, value: value as string, text: text as string };
  });
}

/** What a plan has at a path such as `tables.0.rows`. */
export function at(plan: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce((value: unknown, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], plan);
}

/** The specifications of a page's charts, by the charts' names. */
export function specsOf(page: string): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const figures = page.matchAll(/<figure class="chart[^"]*" id="([^"]*)">[\s\S]*?<pre class="spec">([\s\S]*?)<\/pre>/g);
  return new Map([...figures].map(([, id, text]) => [id as string, JSON.parse(unescaped(text as string))]));
}

/** Every list of data of a specification, whatever layer it is in. */
export function dataOf(spec: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof spec !== "object" || spec === null) return [];
  const { values } = (spec as { data?: { values?: readonly Readonly<Record<string, unknown>>[] } }).data ?? {};
  const inside = Object.entries(spec).flatMap(([key, part]) => (key === "data" ? [] : dataOf(part)));
  return [...(values ?? []), ...inside];
}

export function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => letters[name] as string);
}
