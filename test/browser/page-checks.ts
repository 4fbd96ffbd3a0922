import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** What runs in the page. */
const IN_PAGE = readFileSync(join(import.meta.dirname, "in-page.js"), "utf8")
  .trim()
  .replace(/;$/, "");

function inPage<Result>(page: Page, name: string, argument: unknown = null): Promise<Result> {
  return page.evaluate<Result>(`(${IN_PAGE}).${name}(${JSON.stringify(argument)})`);
}

/**
 * What is wrong with how a page lies on the screen: wider than its window, text that is clipped or beyond the edge, blocks over
 * one another, a second scroll bar. Parts that are meant to move sideways in their frame may be wider than it.
 */
export function layoutFaults(page: Page): Promise<readonly string[]> {
  return inPage(page, "layoutFaults");
}

/** Texts that stand out from their ground by less than WCAG's level AA asks for; of pictures those beside the marks. */
export function faintTexts(page: Page): Promise<readonly string[]> {
  return inPage(page, "faintTexts");
}

/** Controls, and frames that move sideways, that the Tab key does not come to. */
export async function unreachable(page: Page): Promise<readonly string[]> {
  const number = await inPage<number>(page, "watchFocus");
  for (let k = 0; k < number + 5; k++) await page.keyboard.press("Tab");
  return page.locator("[data-unreached]").allTextContents();
}

/** A screenshot made `times` smaller, as a PNG; what letters do to single pixels is gone from it. */
export async function smaller(page: Page, png: Buffer, times: number): Promise<Buffer> {
  const url = await beside<string>(page, { urls: [urlOf(png)], times });
  return Buffer.from(url.split(",")[1] as string, "base64");
}

/** The share of pixels that differ between two PNGs by more than the edges of letters do; 1 where their sizes differ. */
export function differing(page: Page, one: Buffer, other: Buffer): Promise<number> {
  return beside(page, { urls: [urlOf(one), urlOf(other)], times: 1 });
}

/** Images are drawn in an empty page: the policy of a report allows it none. */
async function beside<Result>(page: Page, images: unknown): Promise<Result> {
  const empty = await page.context().newPage();
  try {
    return await inPage<Result>(empty, "drawn", images);
  } finally {
    await empty.close();
  }
}

function urlOf(png: Buffer): string {
  return `data:image/png;base64,${png.toString("base64")}`;
}
