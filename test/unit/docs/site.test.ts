import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

/** The site's own files are plain JavaScript, and a package beside this one. */
const siteModule = (name: string) => import(pathToFileURL(resolve("docs/site", name)).href);

const folder = mkdtempSync(join(tmpdir(), "shardproof-site-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every page of docs stands in the site's navigation, once, and every page of it is there", async () => {
  const { NAVIGATION, pagesOf } = await siteModule("navigation.mjs");
  const pages: readonly string[] = pagesOf(NAVIGATION);
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages.filter((page) => !page.startsWith("api:") && !existsSync(page))).toEqual([]);
  const docs = readdirSync("docs").flatMap((file) => (file.endsWith(".md") ? [`docs/${file}`] : []));
  expect(docs.filter((page) => !pages.includes(page))).toEqual([]);
});

test("pages have names of their own in the site", async () => {
  const { NAVIGATION, pagesOf } = await siteModule("navigation.mjs");
  const { pageName } = await siteModule("steps/paths.mjs");
  const names = pagesOf(NAVIGATION).map(pageName);
  expect(new Set(names).size).toBe(names.length);
  expect(["README.md", "models/row-tiers/README.md", "examples/own-method.mjs", "api:proof"].map(pageName)).toEqual([
    ...["overview", "models-row-tiers", "examples-own-method-mjs", "api-proof"],
  ]);
});

test("targets of links are rewritten, those of pictures in links too, and code is left alone", async () => {
  const { withLinks } = await siteModule("steps/markdown-links.mjs");
  const text = "[a](b) [![c](d)](e) `[f](g)` [`h`](i)\n\n```\n[j](k)\n```\n<!-- [l](m) -->\n";
  expect(withLinks(text, (target: string) => target.toUpperCase())).toBe(
    "[a](B) [![c](D)](E) `[f](g)` [`h`](I)\n\n```\n[j](k)\n```\n<!-- [l](m) -->\n",
  );
});

test("a built site with dead links, absolute ones, or parts from elsewhere is refused", async () => {
  const { deadLinks } = await siteModule("steps/check-links.mjs");
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "style.css"), "");
  writeFileSync(
    join(folder, "index.html"),
    `<link href="./style.css"><h2 id="here">x</h2><a href="#here">a</a><a href="sub/page.html#there">b</a>
<a href="https://example.org">elsewhere, which is no part of the page</a><script>"<a href='x'>"</script>`,
  );
  writeFileSync(join(folder, "sub/page.html"), '<p id="there"><a href="../">up</a></p>');
  expect(deadLinks(folder)).toEqual([]);
  writeFileSync(
    join(folder, "sub/page.html"),
    `<a href="../index.html#gone">a</a><a href="none.html">b</a><a href="/index.html">c</a><img src="">
<script src="https://example.org/x.js"></script>`,
  );
  expect(deadLinks(folder).toSorted()).toEqual([
    "index.html: has no such place: sub/page.html#there",
    "sub/page.html: has no such place: ../index.html#gone",
    "sub/page.html: is loaded from elsewhere: https://example.org/x.js",
    'sub/page.html: is no address: ""',
    "sub/page.html: is no relative address: /index.html",
    "sub/page.html: is not there: none.html",
  ]);
});
