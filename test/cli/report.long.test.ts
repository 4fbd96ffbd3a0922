import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium, NO_BROWSER, watchedPage } from "../browser/chromium.js";
import { onSteppingClock } from "../support/stepping-clock.js";
import { runCli, temporaryFolder } from "./run-cli.js";

const TIERS = "instances/tiny/three-tiers-serial.yaml";
const TORCHREC = "instances/tiny/placement-torchrec.yaml";
const TOWERS = "instances/tiny/towers-load.yaml";

async function planned(instance: string, folder: string, name = "plan.json"): Promise<string> {
  const file = join(folder, name);
  const { status } = await runCli(["plan", instance, "--out", file, "--quiet"]);
  expect([0, 4]).toContain(status);
  return file;
}

test("the page is written, with a line for each plan; without --out it is the output", async () => {
  const folder = temporaryFolder();
  const [plan, page] = [await planned(TIERS, folder), join(folder, "report.html")];
  const { status, stdout, stderr } = await runCli(["report", plan, "--out", page]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^ {2}three-tiers-serial {2}row-tiers, proved optimal, checked again\n\nwrote .*report\.html, 4 charts, /,
  );
  const text = readFileSync(page, "utf8");
  expect(text).toContain("Checked again while this page was made");
  const piped = await runCli(["report", "-"], { input: readFileSync(plan, "utf8") });
  expect(piped.status).toBe(0);
  // The plan's file alone has another name.
  expect(piped.stdout.replace("-, planned in", "plan.json, planned in")).toBe(text);
});

test("what a page computes ends at its time limit, and what was not computed is named", async () => {
  const plan = await planned(TORCHREC, temporaryFolder());
  const page = async (...limit: string[]) => (await runCli(["report", plan, ...limit])).stdout;
  expect(await page("--time-limit", "600")).not.toContain("no time was left");
  expect(await page()).not.toContain("no time was left");
  // Every look at the clock takes five seconds: without a limit given, there are 20 for all charts.
  const { result: short } = await onSteppingClock(5000, () => page());
  expect(short).toContain("no time was left");
  const { result: none } = await onSteppingClock(100, () => page("--time-limit", "0.001"));
  expect(none).toContain("no time was left");
  const { result: long } = await onSteppingClock(5000, () => page("--time-limit", "1e9"));
  expect(long).not.toContain("no time was left");
});

test("a page has names of files, not where they are", async () => {
  const folder = temporaryFolder();
  const instance = join(folder, "instance.yaml");
  copyFileSync(TIERS, instance);
  const plan = await planned(instance, folder);
  const { stdout } = await runCli(["report", plan]);
  expect(stdout).toContain("plan.json, planned in");
  expect(stdout).toContain("instance instance.yaml, SHA-256");
  expect(stdout).not.toContain(folder);
  for (const change of [() => writeFileSync(instance, "name: x\n"), () => rmSync(instance)]) {
    change();
    const without = (await runCli(["report", plan])).stdout;
    expect(without).toContain("Charts that need the instance are left out");
    expect(without).not.toContain(folder);
  }
});

test("a changed plan fails its check: exit status 5, and the page says so", async () => {
  const folder = temporaryFolder();
  const [plan, page] = [await planned(TORCHREC, folder), join(folder, "report.html")];
  const text = readFileSync(plan, "utf8");
  writeFileSync(plan, text.replace(/"value": 0\.028[0-9]+/, '"value": 0.01'));
  const { status, stdout } = await runCli(["report", plan, "--out", page]);
  expect(status).toBe(5);
  expect(stdout).toContain("failed the check");
  expect(readFileSync(page, "utf8")).toContain("objective.value is 0.01, should be 0.028");
});

test("without its instance a plan is not checked, and the charts that need it are left out", async () => {
  const folder = temporaryFolder();
  const [instance, page] = [join(folder, "instance.yaml"), join(folder, "report.html")];
  copyFileSync(TIERS, instance);
  const plan = await planned(instance, folder);
  writeFileSync(instance, `${readFileSync(TIERS, "utf8")}# another\n`);
  const changed = await runCli(["report", plan, "--out", page]);
  expect(changed.status).toBe(0);
  expect(changed.stdout).toMatch(/not checked again: .*is not the instance that it was made for/);
  expect(readFileSync(page, "utf8")).toContain("Charts that need the instance are left out:");
  const given = await runCli(["report", plan, "--instance", TIERS, "--out", page]);
  expect([given.status, given.stdout]).toEqual([0, expect.stringContaining("checked again\n")]);
  const unasked = await runCli(["report", plan, "--instance", TIERS, "--no-check", "--out", page]);
  expect([unasked.status, unasked.stdout]).toEqual([
    0,
    expect.stringContaining("not checked again: that was not asked"),
  ]);
  // The digest needs no instance.
  writeFileSync(plan, readFileSync(plan, "utf8").replace('"method": "optimal"', '"method": "row-wise"'));
  expect((await runCli(["report", plan, "--out", page])).status).toBe(5);
});

test("several plans are one page", async () => {
  const folder = temporaryFolder();
  const plans = [
    await planned(TORCHREC, folder, "a.json"),
    await planned("instances/tiny/infeasible.yaml", folder, "b.json"),
  ];
  const { status, stdout } = await runCli(["report", ...plans]);
  expect(status).toBe(0);
  expect(stdout).toContain("<h1>2 plans compared</h1>");
  expect(stdout.match(/<section class="plan"/g)).toHaveLength(2);
  expect(stdout).toContain(">proved infeasible<");
});

test.each([
  [["report"], /^error: missing required argument 'plans'/],
  [["report", "nowhere.json"], /^nowhere\.json: expected a plan file that can be read/],
  [["report", TIERS], /expected a plan file \(JSON\)/],
  [["report", "package.json"], /^package\.json: expected a plan file, received JSON without the key shardproof/],
  [["report", "a.json", "b.json", "--instance", TIERS], /^error: --instance is for one plan/],
  [["report", "-", "-"], /^error: only one file can be standard input/],
  [["report", "a.json", "--out", "/nowhere/report.html"], /expected a folder that can be written to/],
])("%j is one line and exit status 2", async (args, message) => {
  const { status, stdout, stderr } = await runCli(args);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd()).not.toContain("\n");
});

describe.skipIf(NO_BROWSER !== null)(`in a browser${NO_BROWSER === null ? "" : `: skipped, ${NO_BROWSER}`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test.each([
    ["row tiers", TIERS, ["frontier", "access-0", "collectives", "memory"]],
    ["a placement", TORCHREC, ["costs", "memory", "frontier", "methods", "options"]],
    ["towers", TOWERS, ["matrix", "plane", "methods", "tower-costs", "tower-loads"]],
  ])("the page of %s shows its charts, complains of nothing and asks for nothing", async (_, instance, charts) => {
    const folder = temporaryFolder();
    const [plan, file] = [await planned(instance, folder), join(folder, "report.html")];
    expect((await runCli(["report", plan, "--out", file])).status).toBe(0);
    const grounds = new Set<string>();
    for (const [scheme, width] of [
      ["light", 1100],
      ["dark", 1100],
      ["light", 390],
    ] as const) {
      const { page, complaints } = await watchedPage(browser, pathToFileURL(file).href, { width, colorScheme: scheme });
      expect(complaints).toEqual([]);
      const seen = await page.$$eval("figure.chart", (figures) =>
        figures.map((figure) => {
          const pictures = [...figure.querySelectorAll("svg[role=img]")];
          const drawn = pictures.filter((svg) => svg.getBoundingClientRect().width > 200);
          const marks = drawn.flatMap((svg) => [...svg.querySelectorAll("[aria-label]")]);
          return [figure.id, drawn.length, marks.some((mark) => mark.getBoundingClientRect().height > 3)];
        }),
      );
      expect(seen).toEqual(charts.map((chart) => [`plan-0-${chart}`, 1, true]));
      // Nothing is wider than the screen but what moves in its own frame.
      const root = "document.documentElement";
      const [content, screen] = await page.evaluate<readonly number[]>(`[${root}.scrollWidth, ${root}.clientWidth]`);
      expect(content).toBe(screen);
      if (width > 1000) grounds.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    }
    expect(grounds.size).toBe(2);
  });

  test("the plan file and its certificate come out as they went in; marks say what they are", async () => {
    const folder = temporaryFolder();
    const [plan, file] = [await planned(TORCHREC, folder), join(folder, "report.html")];
    await runCli(["report", plan, "--out", file]);
    const { page, complaints } = await watchedPage(browser, pathToFileURL(file).href, { width: 1100 });
    const saved = async (part: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click(`button[data-part=${part}]`)]);
      const path = join(folder, download.suggestedFilename());
      await download.saveAs(path);
      return readFileSync(path, "utf8");
    };
    const text = readFileSync(plan, "utf8");
    expect(await saved("plan")).toBe(text);
    expect(JSON.parse(await saved("certificate"))).toEqual(JSON.parse(text).certificate);
    await page.hover("#plan-0-costs [aria-label^='t1, device']");
    expect(await page.textContent(".tip:not([hidden])")).toMatch(/^t1, device 1: 0\.0\d+ ms$/);
    expect(complaints).toEqual([]);
  });
});
