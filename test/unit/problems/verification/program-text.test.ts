import { expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { assembleCertificate } from "../../../../src/problems/program/answer/certificate-file.js";
import { solveProgramFile } from "../../../../src/problems/program/solve/solve-file.js";
import { verifyProgramText } from "../../../../src/problems/program/verify.js";
import { type Json, unseenChanges } from "../../../support/mutate.js";

const MODELS = [
  {
    name: "optimal",
    status: "proved",
    text: "Maximize\n obj: 3 a + 5 b + 4 c + 2 y - 1\nSubject To\n r: 2 a + 3 b + 3 c + y <= 7.5\n s: 3 y <= 1\nBinaries\n a b c\nEnd\n",
  },
  {
    name: "infeasible",
    status: "infeasible",
    text: "Minimize\n obj: x + y\nSubject To\n r: 12 x + 18 y = 100\n s: x + z <= 4\nBounds\n x <= 9\n y <= 9\nGenerals\n x y\nEnd\n",
  },
];

test.each(MODELS)("$name: the file as written passes", async (model) => {
  const { text, verify } = await certified(model);
  expect(await verify(text)).toMatchObject({ passed: true, differences: [] });
});

test.each(MODELS)("$name: every number that is changed fails, wherever it stands", async (model) => {
  const { text, verify } = await certified(model);
  const places = [...text.matchAll(/\d+/g)];
  expect(places.length).toBeGreaterThan(20);
  const survivors: string[] = [];
  for (const { 0: digits, index } of places) {
    for (const changed of [String(BigInt(digits) + 1n), `${digits}1`, `${digits}.0000000000000000000001`]) {
      const forged = text.slice(0, index) + changed + text.slice(index + digits.length);
      // Text that is no JSON any more, or another version's, is refused before anything is verified.
      const passed = await verify(forged).then(
        (verification) => verification.passed,
        () => false,
      );
      if (passed) survivors.push(`${digits} as ${changed} at ${index}`);
    }
  }
  expect(survivors).toEqual([]);
});

test.each(MODELS)("$name: a changed field fails even under a digest made anew", async (model) => {
  const { text, verify } = await certified(model);
  const file = JSON.parse(text);
  const changes: Record<string, unknown>[] = [
    { status: file.status === "infeasible" ? "feasible" : "infeasible" },
    { objective: { ...file.objective, value: 7 } },
    { objective: { ...file.objective, bound: 7 } },
    { objective: { ...file.objective, gap: 0.5 } },
    { exact: { ...file.exact, value: "7" } },
    { exact: { ...file.exact, bound: "7" } },
    { model: { ...file.model, sha256: "0".repeat(64) } },
    { certificate: { ...file.certificate, steps: [] } },
    { certificate: { ...file.certificate, program: "0".repeat(64) } },
    { certificate: null },
    { point: file.point === null ? {} : null },
    { point: { ...file.point, stranger: "1" } },
  ];
  for (const change of changes) {
    const forged = { ...file, ...change };
    forged.digest = planDigest(forged);
    expect(await verify(JSON.stringify(forged)), JSON.stringify(change)).toMatchObject({ passed: false });
  }
});

test("a point that breaks a row fails, with every number made to match", async () => {
  const { text, verify, parts } = await certified(MODELS[0] as (typeof MODELS)[number]);
  const file = JSON.parse(text);
  const better = { ...file, point: { ...file.point, a: "1", b: "1", c: "1" } };
  better.digest = planDigest(better);
  const { checks, passed } = await verify(JSON.stringify(better));
  expect(passed).toBe(false);
  expect(checks.at(-1)).toMatchObject({ name: "point", passed: false, detail: expect.stringContaining('"r"') });
  expect(parts.outcome.status).toBe("proved");
});

test("a worse feasible point is no longer proved, and its file says so or fails", async () => {
  const { text, verify, parts } = await certified(MODELS[0] as (typeof MODELS)[number]);
  const file = JSON.parse(text);
  const worse = { ...file, point: { ...file.point, y: "0" } };
  worse.digest = planDigest(worse);
  const { passed, differences } = await verify(JSON.stringify(worse));
  expect(passed).toBe(false);
  expect(differences).toContainEqual({ path: "status", expected: "feasible", found: parts.outcome.status });
});

const UNBOUNDED = {
  name: "unbounded",
  status: "unbounded",
  text: "Maximize\n obj: x + y\nSubject To\n r: x - y <= 3\nEnd\n",
};

test.each([...MODELS, UNBOUNDED])(
  "$name: of a solution, a change fails or is where verify does not look",
  async (model) => {
    const { solution, verify } = await solved(model);
    const isUnbounded = model.status === "unbounded";
    const passing = await verify(JSON.stringify(solution));
    expect(passing).toMatchObject({ passed: true });
    expect(passing.notChecked.map(({ path }) => path)).toEqual(expect.arrayContaining(["nodes", "request.gap"]));
    // Another proof is as good, and so are another point and ray of a program that is unbounded.
    const isAsGood = (path: string) =>
      /^certificate\.steps\.|^ray\./.test(path) || (isUnbounded && /^variables\./.test(path));
    const { tried, unseen } = await unseenChanges(solution, (changed) => verify(JSON.stringify(changed)), isAsGood);
    // Every leaf, in one of its ways a commit.
    expect(tried).toBeGreaterThan(40);
    expect(unseen).toEqual([]);
  },
);

test("what solvers said, and what contradicts it, is listed as not checked and is no number computed again", async () => {
  const { solution, verify } = await solved(MODELS[0] as (typeof MODELS)[number]);
  const claim = { solver: "highs", status: "optimal", value: 1, bound: 2, failure: null };
  const forged = { ...(solution as object), claims: [claim], contradictions: ["highs is wrong"], digest: "" };
  forged.digest = planDigest(forged);
  const [before, after] = [await verify(JSON.stringify(solution)), await verify(JSON.stringify(forged))];
  expect(after.passed).toBe(true);
  expect(after.notChecked.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["claims[].value", "claims[].bound", "contradictions[]"]),
  );
  expect(after.checks.at(-1)).toEqual(before.checks.at(-1));
});

test("a ray without a point, or beside a certificate, shows nothing", async () => {
  const { solution, verify } = await solved(UNBOUNDED);
  for (const change of [{ variables: null }, { certificate: {} }]) {
    const forged = { ...(solution as object), ...change, digest: "" };
    forged.digest = planDigest(forged);
    expect((await verify(JSON.stringify(forged))).passed).toBe(false);
  }
});

test("the gap that is accepted is told, and one of 1 is refused", async () => {
  const { text, verify } = await certified(MODELS[0] as (typeof MODELS)[number]);
  const { checks } = await verify(text);
  expect(checks).toContainEqual({
    ...{ name: "gap", passed: true },
    detail: "accepted gap 0, as the file asks; value and bound are equal",
  });
  const forged = { ...JSON.parse(text), request: { gap: 1 } };
  forged.digest = planDigest(forged);
  await expect(verify(JSON.stringify(forged))).rejects.toThrow("request.gap: expected a relative gap");
});

async function solved({ text: model, status }: (typeof MODELS)[number]) {
  const { program, solution } = await solveProgramFile("-", { standardInput: async () => model });
  expect(solution.status).toBe(status);
  const verify = (changed: string) => verifyProgramText(changed, "s.json", async () => program);
  return { solution: JSON.parse(JSON.stringify(solution)) as Json, verify };
}

async function certified({ text: model, status }: (typeof MODELS)[number]) {
  const { program, solved, solution } = await solveProgramFile("-", { standardInput: async () => model });
  expect(solution.status).toBe(status);
  const { certificate, outcome, point } = solved;
  if (certificate === null) throw new Error("there is no certificate");
  const parts = { model: solution.model, program, gap: 0, outcome, point, certificate };
  const text = JSON.stringify(assembleCertificate(parts), null, 1);
  return { text, parts, verify: (changed: string) => verifyProgramText(changed, "c.json", async () => program) };
}
