import { beforeAll, expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";

interface Proof {
  readonly provedOn?: string;
}

/** Plan files, as far as programs have names in them. */
interface File extends Proof {
  readonly second?: Proof | null;
  readonly stages?: readonly Proof[];
  readonly groups?: { readonly sizes: readonly Proof[] };
  readonly joint?: { readonly rows: readonly { readonly placements: readonly Proof[] | null }[] };
}

const NAMES = ["given", "second-goal", "stages", "groups", "joint"] as const;
const FILES = {
  given: "instances/tiny/placement-given.yaml",
  "second-goal": "instances/tiny/placement-second-goal.yaml",
  stages: "instances/tiny/placement-stages.yaml",
  groups: "instances/tiny/placement-groups.yaml",
  joint: "instances/tiny/towers-joint.yaml",
};
const plans = new Map<string, File>();

beforeAll(async () => {
  for (const name of NAMES) plans.set(name, (await planInstance(await loadInstance(FILES[name]))) as unknown as File);
});

async function verified(plan: object) {
  const text = writePlan({ ...plan, digest: planDigest(plan) } as never);
  const { passed, checks, differences } = await verifyPlanText(text, "plan.json", loadInstance);
  const { name = "", detail = "" } = checks.findLast((one) => !one.passed) ?? {};
  return { passed, name, detail, paths: differences.map(({ path }) => path) };
}

const fileOf = (name: (typeof NAMES)[number]) => plans.get(name) as File;
const named = (name: (typeof NAMES)[number], provedOn: unknown) => verified({ ...fileOf(name), provedOn });

/** The same without any name, as 0.5.0 has written it. */
const unnamed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, at) => (key === "provedOn" ? undefined : at)));

test("plans name what was proved, of every goal, size and tower", () => {
  expect(fileOf("given").provedOn).toEqual("direct");
  expect(fileOf("second-goal").second?.provedOn).toEqual("goal");
  expect(fileOf("stages").stages?.map(({ provedOn }) => provedOn)).toContainEqual("goal");
  expect(fileOf("groups").groups?.sizes.map(({ provedOn }) => provedOn)).toContainEqual("aggregated");
  expect(fileOf("joint").joint?.rows[0]?.placements?.[0]?.provedOn).toEqual("direct");
});

test.each(NAMES)("%s: verifies as it was written, and as 0.5.0 has written it", async (name) => {
  expect(await verified(fileOf(name))).toMatchObject({ passed: true });
  expect(await verified(unnamed(fileOf(name)) as object)).toMatchObject({ passed: true });
});

const OTHER = 'provedOn: the program "aggregated" is not the one that the certificate is about';
const NONE = (name: string) => `provedOn: the program ${name} is none that a bound of this problem may be of`;

test.each([
  ["another program of the problem", "aggregated", OTHER],
  ["a program that this problem has not", "counted-memory", NONE('"counted-memory"')],
  ["a program of hosts, which are there below a ceiling alone", "hosts", NONE('"hosts"')],
  ["memory set aside, which is so too", "direct, memory aside", NONE('"direct, memory aside"')],
  ["the program of another goal", "goal", NONE('"goal"')],
  ["a name that there is not", "dual", NONE('"dual"')],
  ["a name of every object's", "constructor", NONE('"constructor"')],
])("%s in place of the program is refused in one line", async (_, provedOn, detail) => {
  expect(await named("given", provedOn)).toMatchObject({ passed: false, name: "certificate", detail });
});

test("a name of something else is no plan file", async () => {
  await expect(named("given", { kind: "direct" })).rejects.toThrow("provedOn: expected string");
});

test("where there is one program alone, another name than its own differs", async () => {
  const { second, ...rest } = fileOf("second-goal");
  const forged = { ...rest, second: { ...second, provedOn: "direct" } };
  expect(await verified(forged)).toMatchObject({ passed: false, paths: ["second.provedOn", "digest"] });
});

test("names of a stage, a size of groups and a tower are checked too", async () => {
  const other = { provedOn: "aggregated" };
  const { stages = [], ...staged } = fileOf("stages");
  const inStages = await verified({
    ...staged,
    stages: stages.map((one, k) => (k === 1 ? { ...one, ...other } : one)),
  });
  expect(inStages).toMatchObject({ passed: false });
  const { groups, ...grouped } = fileOf("groups");
  const sizes = groups?.sizes.map((one) => (one.provedOn === undefined ? one : { ...one, provedOn: "numbered" }));
  expect(await verified({ ...grouped, groups: { ...groups, sizes } })).toMatchObject({
    ...{ passed: false, name: "certificate", detail: expect.stringContaining(": provedOn: the p") },
  });
  const { joint, ...towers } = fileOf("joint");
  const rows = joint?.rows.map((row) => ({
    ...row,
    placements: row.placements?.map((one) => ({ ...one, ...other })) ?? null,
  }));
  expect(await verified({ ...towers, joint: { ...joint, rows } })).toMatchObject({
    ...{ passed: false, name: "certificate", detail: OTHER },
  });
});

test("a name without a certificate differs", async () => {
  const plan = await planInstance(await loadInstance(FILES.given), { method: "size-greedy" });
  const { passed, paths } = await verified({ ...plan, provedOn: "direct" });
  expect([passed, paths]).toEqual([false, ["digest", "provedOn"]]);
});
