import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why tests in a browser are left out; `null` where there is one. */
export const NO_BROWSER = existsSync(CHROMIUM) ? null : `there is no ${CHROMIUM} (set CHROMIUM)`;

const FLAGS = [
  ...["no-sandbox", "disable-gpu", "disable-quic", "no-first-run"],
  ...["disable-background-networking", "disable-component-update", "disable-sync"],
];

/** A headless Chromium. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS.map((flag) => `--${flag}`) });
}

export interface WatchedPage {
  readonly page: Page;
  /** What the page wrote to its console, threw, or asked of a network; its own URL and blobs are none. */
  readonly complaints: readonly string[];
}

const PATIENCE_MILLISECONDS = 120_000;

/** Opens a page in a window of its own, which is closed after the test. */
export async function watchedPage(
  browser: Browser,
  url: string,
  { width = 1200, colorScheme = "light" as "light" | "dark" } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // A busy machine is no fault: what never comes ends with the test.
  page.setDefaultTimeout(PATIENCE_MILLISECONDS);
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== url && !/^(blob|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}
