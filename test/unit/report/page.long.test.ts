import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { compile, type TopLevelSpec } from "vega-lite";
import { beforeAll, describe, expect, test } from "vitest";
import type { TowersPlan } from "../../../src/problems/joint-towers/plan-file/plan-file.js";
import { loadInstance, parseInstance } from "../../../src/problems/planning/instances.js";
import { planInstance } from "../../../src/problems/planning/plan.js";
import type { RowTiersPlan } from "../../../src/problems/row-tiers/plan-file/plan-file.js";
import { showPlan } from "../../../src/problems/row-tiers/show/plan.js";
import type { TablePlacementPlan } from "../../../src/problems/table-placement/plan-file/plan-file.js";
import type { ReportPlan } from "../../../src/report/input.js";
import { reportPage } from "../../../src/report/page.js";
import { at, dataOf, planNumbers, reportOf, reportOfPlan, specsOf } from "./report-inputs.js";

const PROVED = "instances/tiny/three-tiers-serial.yaml";
const PLACED = "instances/tiny/placement-torchrec.yaml";
const TOWERS = "instances/tiny/towers-load.yaml";

describe.each([
  ["row tiers", PROVED, "optimal"],
  ["row tiers with host memory", "instances/tiny/host-binds.yaml", "optimal"],
  ["row tiers by a heuristic", PROVED, "flexshard-2tier"],
  ["row tiers, infeasible", "instances/tiny/infeasible.yaml", "optimal"],
  ["a placement", PLACED, "optimal"],
  ["a placement by phases", "instances/tiny/placement-phases.yaml", "optimal"],
  ["a placement with a second goal", "instances/tiny/placement-second-goal.yaml", "optimal"],
  ["a placement, infeasible", "instances/tiny/placement-infeasible.yaml", "optimal"],
  ["towers", TOWERS, "optimal"],
  ["towers by a heuristic", TOWERS, "tp"],
  ["towers, hosts and tables together", "instances/tiny/towers-joint.yaml", "optimal"],
  ["towers, infeasible", "instances/tiny/towers-infeasible-load.yaml", "optimal"],
])("the page of %s", (_, instance, method) => {
  let report: ReportPlan;
  let page: string;
  beforeAll(async () => {
    report = await reportOf(instance, method);
    page = await reportPage([report]);
  });

  test("has the numbers of the plan file and no others", () => {
    const numbers = planNumbers(page);
    expect(numbers.length).toBeGreaterThan(4);
    for (const { path, value } of numbers) {
      expect(`${path} ${value}`).toBe(`${path} ${at(report.plan, path)}`);
      expect(typeof at(report.plan, path)).toBe("number");
    }
    const { value, bound, gap } = report.plan.objective;
    const paths = new Set(numbers.map(({ path }) => path));
    for (const [key, number] of Object.entries({ value, bound, gap })) {
      expect([key, paths.has(`objective.${key}`)]).toEqual([key, number !== null]);
    }
  });

  test("holds the plan file to the byte", () => {
    const held = /<script type="application\/gzip" id="plan-0-file">([^<]*)<\/script>/.exec(page)?.[1] as string;
    expect(gunzipSync(Buffer.from(held, "base64")).toString()).toBe(report.text);
  });

  test("every chart has a picture with its words, numbers and a specification that Vega-Lite takes without a warning", () => {
    const specs = specsOf(page);
    expect(page.split("<figure").length - 1).toBe(specs.size);
    expect(page).not.toContain("No picture");
    expect(specs.size > 0 || report.plan.objective.value === null).toBe(true);
    const complain = (...words: readonly unknown[]): never => {
      throw new Error(words.join(" "));
    };
    const logger = { level: complain, error: complain, warn: complain, info: () => logger, debug: () => logger };
    for (const spec of specs.values()) compile(spec as unknown as TopLevelSpec, { logger: logger as never });
    for (const [, svg] of page.matchAll(/<svg ([^>]*role="img"[^>]*)>/g)) {
      const [, label] = /aria-labelledby="([^"]*)"/.exec(svg as string) as RegExpExecArray;
      expect(page).toContain(`<title id="${label}">`);
      expect(page).toContain(`<desc id="${(label as string).replace(/title$/, "text")}">`);
    }
  });

  test("asks for nothing from anywhere", () => {
    expect(page.replace(/<pre[\s\S]*?<\/pre>/g, "")).not.toMatch(/\b(?:src|href)="(?!#)/);
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] as string;
    for (const [name, pattern] of [
      ["script", /<script>([\s\S]*?)<\/script>/],
      ["style", /<style>([\s\S]*?)<\/style>/],
    ] as const) {
      const hash = createHash("sha256")
        .update(pattern.exec(page)?.[1] as string)
        .digest("base64");
      expect(policy).toContain(`${name}-src 'sha256-${hash}'`);
    }
    expect(policy).toContain("default-src 'none'");
    expect(page).not.toMatch(/<[^>]* (?:style|on[a-z]+)="/);
  });
});

test("the same input gives the same bytes", async () => {
  const report = await reportOf(PLACED);
  expect(await reportPage([report])).toBe(await reportPage([report]));
});

test("the charts of row tiers are of the plan's numbers", async () => {
  const report = await reportOf(PROVED);
  const plan = report.plan as RowTiersPlan;
  const specs = specsOf(await reportPage([report]));
  expect([...specs.keys()]).toEqual(["frontier", "access-0", "collectives", "memory"].map((name) => `plan-0-${name}`));
  const chosen = dataOf(specs.get("plan-0-frontier")).find(({ label }) => label === "the plan");
  expect(chosen).toMatchObject({ bytesPerGpu: plan.memory.bytesPerGpu, value: plan.objective.value });
  const seconds = dataOf(specs.get("plan-0-collectives"))
    .filter(({ method, collective }) => method === "the plan (exact)" && collective !== undefined)
    .map((each) => each.seconds as number)
    .filter((each) => each > 0);
  const expected = Object.values(plan.collectives ?? {}).filter((each) => each > 0);
  expect([...seconds].sort()).toEqual([...expected].sort());
  const bands = dataOf(specs.get("plan-0-access-0")).flatMap(({ from, to, tier }) =>
    tier === undefined ? [] : [[(to as number) - (from as number), tier]],
  );
  expect(bands).toEqual(plan.tables[0]?.runs);
});

test("the bytes of collectives are the plan's, of the flat exchange and of the one by towers", async () => {
  const report = await reportOf("instances/tiny/towers-joint.yaml");
  const { joint } = report.plan as TowersPlan;
  const page = await reportPage([report]);
  const bars = dataOf(specsOf(page).get("plan-0-steps"));
  const expected = [["flat", joint?.flat.steps ?? []] as const, ["towers", joint?.steps ?? []] as const].flatMap(
    ([exchange, steps]) =>
      steps
        .filter(({ step, world }) => step !== "a" && world > 1)
        .flatMap(({ pass, step, insideHostBytes, acrossHostsBytes }) => [
          { collective: `${exchange}, ${pass} ${step}`, link: "inside the host", bytes: insideHostBytes },
          { collective: `${exchange}, ${pass} ${step}`, link: "across hosts", bytes: acrossHostsBytes },
        ]),
  );
  expect(new Set(expected.map(({ collective }) => collective.split(",")[0]))).toEqual(new Set(["flat", "towers"]));
  expect(expected.some(({ bytes }) => bytes > 0)).toBe(true);
  expect(bars).toEqual(expected);
});

test.each([
  ["instances/tiny/extra-bytes.yaml", "GPU"],
  ["instances/tiny/host-binds.yaml", "node"],
])("the prices of memory of %s are in the terminal's words", async (file, of) => {
  // Within such a gap the multipliers prove as much as was asked for.
  const instance = await loadInstance(file);
  const report = await reportOfPlan(await planInstance(instance, { gap: 0.3 }), instance);
  const shown = showPlan(report.plan as RowTiersPlan);
  const prices = [...shown.matchAll(/price of (?:host )?memory +(−.* per (?:GPU|node))/g)].map(([, price]) => price);
  expect(prices.at(-1)).toMatch(new RegExp(` per extra .* per ${of}$`));
  const page = (await reportPage([report])).replace(/<[^>]*>/g, "");
  for (const price of prices) expect(page).toContain(price);
});

test("the bars of devices are of the plan's numbers, and their parts, with what is on all alike, add up to them", async () => {
  const report = await reportOf(PLACED);
  const plan = report.plan as TablePlacementPlan;
  const specs = specsOf(await reportPage([report]));
  for (const [name, field, totals] of [
    ["costs", "cost", plan.deviceCosts],
    ["memory", "bytes", plan.deviceBytes],
  ] as const) {
    const data = dataOf(specs.get(`plan-0-${name}`));
    const drawn = data.filter((each) => each[field] !== undefined && each.part === undefined);
    for (const [device, total] of (totals ?? []).entries()) {
      expect(drawn.find((each) => each.device === device)?.[field]).toBe(total);
      const parts = data.filter((each) => each.device === device && each.part !== undefined);
      // What is on every device alike is drawn once, with the names of its shards.
      const bands = data.filter(({ everywhere }) => everywhere !== undefined);
      const held = plan.devices?.[device] ?? [];
      const names = [
        ...parts.map((part) => part.name),
        ...bands.flatMap((band) => (band.everywhere as string[]).filter((shard) => held.includes(shard))),
      ];
      expect([...names].sort()).toEqual([...held].sort());
      expect([...parts, ...bands].reduce((sum, { part }) => sum + (part as number), 0)).toBeCloseTo(total, 9);
    }
  }
});

test("the matrix of towers is the instance's, its features tower by tower", async () => {
  const report = await reportOf(TOWERS);
  const instance = await loadInstance(TOWERS);
  if (instance.problem !== "tower-partition" || instance.interaction.kind !== "given") throw new TypeError("a matrix");
  const { rows } = instance.interaction;
  const order = ((report.plan as TowersPlan).towers ?? []).flat().map((feature) => instance.features.indexOf(feature));
  const lines = dataOf(specsOf(await reportPage([report])).get("plan-0-matrix")).filter((line) => "row" in line);
  expect(lines).toEqual(
    order.map((feature, row) => ({ row, interaction: order.map((other) => rows[feature]?.[other]) })),
  );
});

test("names that would be markup are text, in tables, charts and specifications", async () => {
  const names = [
    "<svg/onload=alert(2)>",
    'a"b\'c&d fill="#0072b2"',
    "__proto__",
    "</script>",
    "datum.x",
    "]]>--><style>",
  ];
  const text = JSON.stringify({
    shardproof: 1,
    name: "</title><img src=x onerror=alert(1)>\u202e",
    source: "<b>bold</b>",
    problem: "table-placement",
    costModel: "given",
    cluster: { nodes: 1, gpusPerNode: 3, hbmBytesPerGpu: 1e9 },
    tables: names.map((name, k) => ({ name, cost: k + 1, bytes: 1000 })),
  });
  const instance = parseInstance(text, "hostile.json");
  const report = await reportOfPlan(await planInstance(instance), instance);
  const page = await reportPage([report]);
  expect(page).not.toMatch(/<(?:img|b>|svg\/|style>[^:])/);
  expect(page).not.toContain("\u202e");
  expect(page.match(/<script/g)).toHaveLength(2);
  expect(page.match(/<style/g)).toHaveLength(1);
  const parts = dataOf(specsOf(page).get("plan-0-costs")).flatMap((each) =>
    each.part === undefined ? [] : [each.name],
  );
  expect([...parts].sort()).toEqual([...names].sort());
});

test("a plan that failed its check or was not checked is not called proved without more", async () => {
  const report = await reportOf(PLACED);
  const finding = { name: "digest", passed: false, detail: "the file was changed" };
  const failed = await reportPage([
    { ...report, check: { kind: "failed", checks: [finding], differences: ["digest"] } },
  ]);
  expect(failed).toContain("failed the check");
  expect(failed).toContain("do not rely on it");
  expect(failed).not.toMatch(/class="badge[^>]*>[^<]*proved/);
  expect(failed).not.toContain("Checked again");
  const unchecked = await reportPage([
    {
      ...report,
      charts: null,
      instance: null,
      check: { kind: "unchecked", reason: "its <instance> is gone" },
    } as ReportPlan,
  ]);
  expect(unchecked).toContain("proved optimal, not checked again");
  expect(unchecked).toContain("its &lt;instance&gt; is gone");
  expect(unchecked).not.toContain("Checked again");
  // What the plan file has by itself is drawn all the same, and nothing else.
  expect([...specsOf(unchecked).keys()]).toEqual(
    ["costs", "memory", "methods", "options"].map((name) => `plan-0-${name}`),
  );
});

test("several plans begin with a comparison that leads to each", async () => {
  const reports = [await reportOf(PROVED), await reportOf(PROVED, "flexshard-2tier"), await reportOf(TOWERS)];
  const page = await reportPage(reports);
  for (const [k, { plan }] of reports.entries()) {
    expect(page).toContain(`<a href="#plan-${k}">${plan.instance.name}</a>`);
    expect(page).toContain(`<section class="plan" id="plan-${k}">`);
  }
  const specs = specsOf(page);
  // Seconds and distances have no axis in common.
  const compared = [...specs.keys()].filter((id) => id.startsWith("comparison"));
  expect(compared).toEqual(["comparison-0"]);
  expect(dataOf(specs.get("comparison-0")).map(({ value }) => value)).toEqual(
    reports.slice(0, 2).map(({ plan }) => plan.objective.value),
  );
  expect(new Set(specs.keys()).size).toBe(page.split("<figure").length - 1);
});

test("hundreds of devices with many tables stay of one size, and lose no shard", async () => {
  const devices = 300;
  const shards = Array.from({ length: devices * 30 }, (_, k) => ({
    device: k % devices,
    table: `t${k}`,
    name: `t${k}`,
    shardingType: "table_wise",
    cost: 1 + (k % 7),
    hbmBytes: 1000 + k,
  }));
  const report = await reportOf(PLACED);
  const sums = (of: (shard: (typeof shards)[number]) => number) =>
    Array.from({ length: devices }, (_, d) => shards.reduce((sum, s) => (s.device === d ? sum + of(s) : sum), 0));
  const deviceCosts = sums(({ cost }) => cost);
  const plan = {
    ...report.plan,
    deviceCosts,
    deviceBytes: sums(({ hbmBytes }) => hbmBytes),
    devices: deviceCosts.map((_, d) => shards.flatMap(({ device, name }) => (device === d ? [name] : []))),
    memory: { ...(report.plan as TablePlacementPlan).memory, hbmBytesPerGpu: null },
  };
  const page = await reportPage([{ ...report, plan, charts: { shards, gpusPerNode: 8, notRun: [] } }]);
  const spec = specsOf(page).get("plan-0-costs");
  expect(spec?.width).toBe(1500);
  const parts = dataOf(spec).filter(({ part }) => part !== undefined);
  expect(parts.length).toBeLessThanOrEqual(3000);
  for (const [device, cost] of deviceCosts.entries()) {
    const own = parts.filter((part) => part.device === device);
    expect(own.reduce((sum, { part }) => sum + (part as number), 0)).toBeCloseTo(cost, 9);
  }
});
