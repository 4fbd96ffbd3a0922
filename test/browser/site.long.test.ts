import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { isItsTurn } from "../support/draws.js";
import { launchChromium, NO_BROWSER, watchedPage } from "./chromium.js";

const run = promisify(execFile);
const SITE = "docs/site/dist";

/** What a static server says of files by their ending. */
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".png": "image/png",
};

/** Where the site stands: it was told of no address. */
const BASE = "/any/where/";

const server = createServer(async ({ url = "" }, response) => {
  const path = decodeURIComponent(new URL(url, "http://site").pathname).replace(/\/$/, "/index.html");
  const file = join(SITE, path.slice(BASE.length - 1));
  const bytes = path.startsWith(BASE) ? await readFile(file).catch(() => null) : null;
  response.writeHead(bytes === null ? 404 : 200, { "content-type": TYPES[extname(file)] ?? "text/plain" });
  response.end(bytes);
});

/** Why there is no site; `null` where it was built. */
let missing: string | null = isItsTurn("site") ? null : "one commit in four";
let address = "";

beforeAll(async () => {
  if (missing === null && !existsSync("docs/site/node_modules/vitepress")) {
    const install = run("npm", ["--prefix", "docs/site", "ci", "--no-audit", "--no-fund"], { timeout: 300_000 });
    missing = await install.then(() => null).catch(() => "the site's generator is not installed, and npm ci failed");
  }
  if (missing !== null) return;
  await run("npm", ["--prefix", "docs/site", "run", "build"], { maxBuffer: 2 ** 26 });
  await new Promise<void>((end) => server.listen(0, "127.0.0.1", end));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`;
}, 1_500_000);

afterAll(() => server.close());
beforeEach((context) => {
  if (missing !== null) context.skip(missing);
});

test("every link and anchor of the built site leads somewhere, and every page of the navigation is in it", async () => {
  const siteModule = (name: string) => import(pathToFileURL(resolve("docs/site", name)).href);
  const { deadLinks } = await siteModule("steps/check-links.mjs");
  const { NAVIGATION, pagesOf } = await siteModule("navigation.mjs");
  const { pageName } = await siteModule("steps/paths.mjs");
  expect(deadLinks(SITE)).toEqual([]);
  const pages: readonly string[] = pagesOf(NAVIGATION);
  expect(pages.filter((page) => !existsSync(join(SITE, `${pageName(page)}.html`)))).toEqual([]);
  const beside = ["rows", "tables", "towers", "comparison", "study"].map((name) => `examples/${name}.html`);
  for (const page of [...beside, "playground/index.html"]) expect(existsSync(join(SITE, page))).toBe(true);
});

test.skipIf(NO_BROWSER !== null)(
  "under any address: home, search, guide, API, report",
  async () => {
    const browser = await launchChromium();
    try {
      const { page, complaints } = await watchedPage(browser, address, { width: 1440 });
      await page.locator(".VPFeature", { hasText: "FlexShard" }).click();
      await page.waitForURL(`${address}row-tiers.html`);
      await page.keyboard.press("Control+k");
      await page.locator("#localsearch-input").fill("replicaMemoryFactor");
      await page.locator(".result").first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${address}instance-keys.html*`);
      // The address comes before the page is drawn.
      await page.locator("h1", { hasText: "Keys of instance files" }).waitFor();
      await page.goto(`${address}api-proof.html#checkcertificate`);
      await page.locator("#checkcertificate").waitFor();
      await page.goto(`${address}example-pages.html`);
      await page.getByRole("link", { name: "Open the comparison" }).click();
      await page.waitForURL(`${address}examples/comparison.html`);
      const elsewhere = complaints.filter((said) => !said.startsWith(`asked for ${address}`));
      expect(elsewhere).toEqual([]);
      expect(complaints.length).toBeGreaterThan(10);
    } finally {
      await browser.close();
    }
  },
  120_000,
);

test.skipIf(NO_BROWSER !== null)(
  "no page is wider than a telephone, a tablet, a desktop",
  async () => {
    const browser = await launchChromium();
    try {
      const names = ["", "overview.html", "instance-keys.html", "studies.html", "api-program.html", "methods.html"];
      for (const name of names) {
        const { page } = await watchedPage(browser, `${address}${name}`, { width: 1440, colorScheme: "dark" });
        for (const width of [1440, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 });
          const most = await page.evaluate("document.documentElement.scrollWidth");
          expect([width, name, most]).toEqual([width, name, width]);
        }
      }
    } finally {
      await browser.close();
    }
  },
  120_000,
);
