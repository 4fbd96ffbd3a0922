import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reproducePapers } from "../../src/cli/worker/reproduce-main.js";
import { loadInstance } from "../../src/problems/planning/instances.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import type { ReportPlan } from "../../src/report/input.js";
import { reportPage } from "../../src/report/page.js";
import { PAPERS } from "../../src/reproduce/paper-names.js";
import { papersPage } from "../../src/reproduce/papers/page.js";
import { isItsTurn, someOf } from "../support/draws.js";
import { reportOf, reportOfPlan } from "../unit/report/report-inputs.js";
import { launchChromium, NO_BROWSER, watchedPage } from "./chromium.js";
import { differing, faintTexts, layoutFaults, smaller, unreachable } from "./page-checks.js";

/** Every kind of page, by the instances and methods of its plans. */
const KINDS: Readonly<Record<string, readonly (readonly [instance: string, method?: string])[]>> = {
  rows: [["tiny/three-tiers-serial"]],
  "rows-of-tables": [["tiny/two-tables-bytes"]],
  placement: [["paper/autoshard-0", "size-greedy"]],
  options: [["tiny/placement-torchrec"]],
  towers: [["tiny/towers-load"]],
  joint: [["tiny/towers-joint"]],
  infeasible: [["tiny/infeasible"]],
  "compared-rows": [["tiny/three-tiers-serial"], ["tiny/three-tiers-serial", "flexshard-2tier"]],
  "compared-placements": [["tiny/placement-torchrec"], ["tiny/placement-torchrec", "torchrec-greedy"]],
};

/** Placements whose tables are wide, or say more than others. */
const WIDE = ["hot-rows", "phases", "groups", "second-goal", "stages", "infeasible", "groups-infeasible"].map(
  (name) => `instances/tiny/placement-${name}.yaml`,
);

/** Names as training code has them, and options of one's own. */
function longNames(): string {
  const long = [
    "table_row_wise_with_a_long_name_for_the_kind_of_sharding",
    "fused_uvm_caching_with_stochastic_rounding",
  ];
  const option = (shardingType: string, kernel: string, count: number, cost: number) => ({
    ...{ shardingType, kernel, partitionBy: "device" },
    shards: [[count, { cost: cost / count, hbmBytes: 1e9 / count }]],
  });
  return JSON.stringify({
    ...{ shardproof: 1, name: "long-names", problem: "table-placement", costModel: "options", costUnit: "ms" },
    cluster: { nodes: 1, gpusPerNode: 4, hbmBytesPerGpu: 4e9 },
    tables: Array.from({ length: 8 }, (_, k) => ({
      name: `embedding_bag_collection.sparse_arch.feature_processor.user_history_of_items_${k}`,
      options: [option("table_wise", "fused", 1, 9 + k), option(long[0] as string, long[1] as string, 2, 8 + 2 * k)],
    })),
  });
}

/** The first screen of each is compared with what was looked at: on a desktop, and on a dark telephone. */
const SCREENS = [
  { name: "wide", width: 1440, colorScheme: "light", times: 3 },
  { name: "phone", width: 390, colorScheme: "dark", times: 2 },
] as const;

/** Of the pixels, for another version of the browser or another font of the same kind. */
const TOLERANCE = 0.02;

const title = NO_BROWSER === null ? "pages" : `pages: skipped, ${NO_BROWSER}`;

describe.skipIf(NO_BROWSER !== null)(title, () => {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-pages-"));
  /** Made when it is first looked at. */
  const urlOf = async (kind: string) => {
    const file = join(folder, `${kind}.html`);
    if (!existsSync(file)) writeFileSync(file, await pageOf(kind));
    return pathToFileURL(file).href;
  };
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // What is looked at of which kind is another with every commit; each kind is looked at.
  const kinds = [...Object.keys(KINDS), ...(isItsTurn("papers") ? ["papers"] : [])];

  test.each(someOf(kinds, 4, 0))(
    "%s: nothing is over another, clipped or beyond the edge, on any screen",
    async (kind) => {
      for (const width of [1440, 1024, 390]) {
        const { page, complaints } = await watchedPage(browser, await urlOf(kind), { width });
        expect([width, await layoutFaults(page), complaints]).toEqual([width, [], []]);
      }
    },
  );

  /** Two hundred tables whose search ends after little work. */
  const unproved = async () => {
    const instance = await loadInstance("instances/public/hugectr-t200.yaml");
    const report = await reportOfPlan(await planInstance(instance, { workLimitSeconds: 0.2 }), instance);
    expect(report.plan.status).toBe("feasible");
    return report;
  };

  test.each(someOf([...WIDE, "long names", "unproved"], 3))(
    "%s: no column is over another, on any screen",
    async (instance) => {
      const file = instance === "long names" ? join(folder, "long-names.json") : instance;
      if (file !== instance) writeFileSync(file, longNames());
      const report = await (instance === "unproved" ? unproved() : reportOf(file));
      writeFileSync(join(folder, "wide.html"), await reportPage([report]));
      for (const width of [1440, 1024, 390]) {
        const { page } = await watchedPage(browser, await urlOf("wide"), { width });
        expect([width, await layoutFaults(page)]).toEqual([width, []]);
      }
    },
  );

  test.each(someOf(kinds, 4, 3))("%s: texts stand out from their ground, light and dark", async (kind) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await watchedPage(browser, await urlOf(kind), { colorScheme });
      expect([colorScheme, await faintTexts(page)]).toEqual([colorScheme, []]);
    }
  });

  test.each(someOf(kinds, 4, 6))("%s: the keyboard comes to every control", async (kind) => {
    const { page } = await watchedPage(browser, await urlOf(kind));
    expect(await unreachable(page)).toEqual([]);
  });

  test.each(someOf(kinds, 4, 9))("%s: the first screen looks as it did when it was looked at", async (kind) => {
    for (const { name, width, colorScheme, times } of SCREENS) {
      const { page } = await watchedPage(browser, await urlOf(kind), { width, colorScheme });
      const own = await smaller(page, await page.screenshot(), times);
      const file = join(import.meta.dirname, "reference", `${kind}-${name}.png`);
      if (process.env.UPDATE_SCREENSHOTS !== undefined) writeFileSync(file, own);
      expect(existsSync(file)).toBe(true);
      const share = await differing(page, own, readFileSync(file));
      expect([name, share <= TOLERANCE, share]).toEqual([name, true, share]);
    }
  });

  test("a picture that was changed is told from what it was", async () => {
    const { page } = await watchedPage(browser, await urlOf("options"), { width: 1440 });
    const before = await smaller(page, await page.screenshot(), 3);
    expect(await differing(page, before, before)).toBe(0);
    await page.evaluate("document.querySelector('.tiles').remove()");
    expect(await differing(page, before, await smaller(page, await page.screenshot(), 3))).toBeGreaterThan(TOLERANCE);
  });

  test("a table is sorted and filtered, and its shards are marked where one points", async () => {
    const { page } = await watchedPage(browser, await urlOf("placement"));
    const first = () => page.textContent("table.leads tbody tr:not([hidden]) td");
    const costs = () =>
      page.$$eval("table.leads tbody tr:not([hidden]) td:nth-child(4) data", (all) =>
        all.map((each) => Number(each.getAttribute("value"))),
      );
    await page.click("table.leads th.number button");
    const falling = await costs();
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    expect(new Set(falling).size).toBeGreaterThan(3);
    await page.click("table.leads th.number button");
    expect(await page.getAttribute("table.leads th.number", "aria-sort")).toBe("ascending");
    const name = (await first()) as string;
    await page.hover("table.leads tbody tr");
    const labels = await page.$$eval("svg .own", (marks) => marks.map((mark) => mark.getAttribute("aria-label")));
    expect(labels.length).toBeGreaterThan(0);
    for (const label of labels) expect(label).toMatch(new RegExp(`^${name}[,#:]`));
    await page.fill(".bar input", name);
    const left = await page.locator("table.leads tbody tr:not([hidden])").allTextContents();
    expect(left.length).toBeGreaterThan(0);
    for (const text of left) expect(text).toContain(name);
  });

  test("folded parts are open on paper, and folded again after", async () => {
    const { page } = await watchedPage(browser, await urlOf("rows"));
    const open = () => page.locator("details.box[open]").count();
    expect(await open()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await open()).toBe(2);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await open()).toBe(0);
  });
});

/** Without what differs from run to run. */
function timeless(report: ReportPlan): ReportPlan {
  const timing = { readSeconds: 0.01, solveSeconds: 0.2, proveSeconds: 0.03, totalSeconds: 0.24 };
  return { ...report, plan: { ...report.plan, timing } };
}

/** Every paper, as `reproduce --quick` has it. */
function quickly() {
  const task = { papers: PAPERS, quick: true, endsAt: Number.POSITIVE_INFINITY };
  return reproducePapers(task, { shouldStop: () => false, tell: () => {} });
}

async function pageOf(kind: string): Promise<string> {
  if (kind === "papers") return papersPage(await quickly());
  const reports: ReportPlan[] = [];
  for (const [instance, method] of KINDS[kind] ?? []) {
    reports.push(timeless(await reportOf(`instances/${instance}.yaml`, method)));
  }
  return reportPage(reports);
}
