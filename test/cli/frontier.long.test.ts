import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { interruptedAfter, runCli, runProcess, temporaryFolder, writeHardInstance } from "./run-cli.js";

const CRITEO = "instances/public/criteo1tb.yaml";
const LATENCY = "instances/tiny/latency.yaml";

test("the JSON of a frontier is what the format says, points sorted by memory", async () => {
  const { status, stdout, stderr } = await runCli(["frontier", CRITEO, "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({
    shardproof: 1,
    problem: "row-tiers",
    objective: "serial",
    isComplete: true,
    greedyMethod: "flexshard-3tier",
    relaxation: { method: "sorted", precision: 0, breakPoints: report.breakPoints.length },
    check: { below: [] },
  });
  for (const list of [report.optimal, report.greedy, report.breakPoints]) {
    const bytes = list.map((point: { bytesPerGpu: number }) => point.bytesPerGpu);
    expect(bytes).toEqual([...bytes].sort((a: number, b: number) => a - b));
    expect(list.every((point: { value: unknown }) => typeof point.value === "number")).toBe(true);
  }
  expect(report.optimal).toHaveLength(21);
  const bound = new Map(
    report.optimal.map((point: { bytesPerGpu: number; bound: number }) => [point.bytesPerGpu, point.bound]),
  );
  const gaps = report.greedy.map((point: { bytesPerGpu: number; value: number }) => {
    const least = bound.get(point.bytesPerGpu) as number;
    return point.value / least - 1;
  });
  expect(report.largestGreedyGap).toBeCloseTo(Math.max(...gaps), 12);
  expect(report.breakPoints[0]).not.toHaveProperty("exact");
  expect(report).not.toHaveProperty("proofs");
});

test("the same instance gives the same bytes, its timing apart", async () => {
  const runs = [await runCli(["frontier", LATENCY, "--json"]), await runCli(["frontier", LATENCY, "--json"])];
  const [first, second] = runs.map(({ stdout }) => stdout.replace(/"timing": \{[^}]*\}/, ""));
  expect(first).toContain('"isComplete": true');
  expect(second).toBe(first);
});

test("a person sees the plot, the points and the methods, without colour", async () => {
  const { status, stdout } = await runCli(["frontier", CRITEO]);
  expect(status).toBe(0);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toMatch(/relaxation +35 break-points {2}\(all there are, exactly\)/);
  expect(stdout).toMatch(/FlexShard 3-tier +at most 6\.8 % above the optimum/);
  // The least memory has a value of more than twice the least: outside, so that the rest can be seen.
  expect(stdout).toMatch(/^ +1\.158 ms ┤\n/m);
  expect(stdout).toContain("· relaxation   o exact   3 3-tier   2 2-tier   A–D points (A, C, D outside)");
  expect(stdout.match(/the budget$/gm)).toHaveLength(1);
  expect(stdout).toMatch(/^within \S+ % of the optimum, proved at 21 budgets; none of 67 plans lies below/m);
});

test("--exact adds fractions, --points 0 leaves the relaxation alone", async () => {
  const { status, stdout } = await runCli(["frontier", LATENCY, "--json", "--exact", "--points", "0"]);
  expect(status).toBe(0);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ optimal: [], greedy: [], largestGreedyGap: null, isComplete: true });
  for (const { value, exact } of report.breakPoints) {
    const [numerator, denominator = "1"] = exact.value.split("/");
    expect(Number(numerator) / Number(denominator)).toBeCloseTo(value, 12);
  }
});

test("--csv has every point of every series, on standard output or in a file", async () => {
  const { status, stdout } = await runCli(["frontier", CRITEO, "--csv"]);
  expect(status).toBe(0);
  const [head, ...lines] = stdout.trimEnd().split("\n");
  expect(head).toBe("series,bytesPerGpu,value,bound,gap,status,usedBytesPerGpu,rawValue");
  const series = lines.map((line) => line.split(",")[0]);
  const count = (name: string) => series.filter((each) => each === name).length;
  expect(["optimal", "flexshard-3tier", "flexshard-2tier", "point-a", "break-point"].map(count)).toEqual([
    21, 21, 21, 1, 35,
  ]);
  expect(lines.every((line) => line.split(",").length === 8)).toBe(true);
  const file = join(temporaryFolder(), "frontier.csv");
  expect((await runCli(["frontier", CRITEO, "--csv", file])).stdout).toContain("criteo1tb");
  expect(readFileSync(file, "utf8")).toBe(stdout);
});

test("--out has a plan and a certificate for every point", async () => {
  const file = join(temporaryFolder(), "frontier.json");
  const { status } = await runCli(["frontier", LATENCY, "--points", "3", "--out", file]);
  expect(status).toBe(0);
  const { optimal, proofs } = JSON.parse(readFileSync(file, "utf8"));
  expect(proofs).toHaveLength(optimal.length);
  for (const [k, proof] of proofs.entries()) {
    expect(proof).toMatchObject({
      status: "proved",
      exact: optimal[k].exact,
      certificate: { claim: { kind: "bound" } },
    });
    expect(proof.certificate.claim.bound).toBe(proof.exact.bound);
    expect(proof.runs[0].reduce((sum: number, [rows]: [number, string]) => sum + rows, 0)).toBe(17);
  }
});

test("an instance whose own budget holds no plan has a frontier all the same", async () => {
  const { status, stdout } = await runCli(["frontier", "instances/tiny/infeasible.yaml"]);
  expect(status).toBe(0);
  expect(stdout).toContain("which holds no plan");
});

test("points that the time did not suffice for are not called proved: 3", async () => {
  const hard = writeHardInstance(temporaryFolder());
  const { status, stdout } = await runCli(["frontier", hard, "--points", "2", "--time-limit", "4", "--json"]);
  expect(status).toBe(3);
  const { optimal, isComplete } = JSON.parse(stdout);
  expect(isComplete).toBe(false);
  const open = optimal.filter((point: { status: string }) => point.status === "feasible");
  expect(open.length).toBeGreaterThan(0);
  for (const { value, bound } of open) expect(bound).toBeLessThan(value);
});

test("Ctrl-C ends with the points that are there and 3", async () => {
  const hard = writeHardInstance(temporaryFolder());
  const started = performance.now();
  const { status, signal, stdout } = await runProcess(
    ["frontier", hard, "--points", "6", "--time-limit", "300", "--json"],
    {
      onStart: interruptedAfter(3),
    },
  );
  expect([status, signal]).toEqual([3, null]);
  expect(JSON.parse(stdout).isComplete).toBe(false);
  expect(performance.now() - started).toBeLessThan(30_000);
});

test.each([
  [["--points", "1"], /Expected 0, or from 2 to 10000/],
  [["--points", "-3"], /Expected an integer from 0/],
  [["--json", "--csv"], /--json and --csv cannot both go to standard output/],
  [["--out", "/nowhere/at/all.json"], /expected a folder that can be written to, received \/nowhere\/at/],
])("bad usage is one line and 2: %j", async (args, message) => {
  const { status, stdout, stderr } = await runCli(["frontier", LATENCY, ...args]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});
