import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { expect, test } from "vitest";
import { anchorsIn, linksIn } from "../../support/markdown-links.js";

/** Folders of what is made or installed, and pages that exist in the site alone. */
const NOT_OURS = /(^|\/)(node_modules|dist|dist-[\w-]+|\.\w+)$|^docs\/site\/|^python\/build$/;

const pagesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = normalize(join(folder, entry.name));
    if (entry.isDirectory()) return NOT_OURS.test(path) ? [] : pagesIn(path);
    return path.endsWith(".md") ? [path] : [];
  });

const PAGES = pagesIn(".");

function deadIn(page: string, text: string): readonly string[] {
  return linksIn(text).filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false;
    const [path = "", anchor] = target.split("#");
    const to = path === "" ? page : normalize(join(dirname(page), path));
    if (!existsSync(to)) return true;
    if (anchor === undefined) return false;
    return !to.endsWith(".md") || !anchorsIn(to === page ? text : readFileSync(to, "utf8")).has(anchor);
  });
}

test("every link of every page leads to a file, and to a heading of it", () => {
  expect(PAGES).toEqual(expect.arrayContaining(["README.md", "CHANGELOG.md", "docs/proofs.md", "src/proof/README.md"]));
  const dead = PAGES.flatMap((page) => deadIn(page, readFileSync(page, "utf8")).map((target) => `${page}: ${target}`));
  expect(dead).toEqual([]);
});

test("the docs' first page lists every page, and fits a screen", () => {
  const first = readFileSync("docs/README.md", "utf8");
  const listed = linksIn(first).map((target) => normalize(join("docs", target)));
  const inReadme = linksIn(readFileSync("README.md", "utf8")).map((target) => target.replace(/#.*/, ""));
  const pages = PAGES.filter((page) => /^docs\/[\w-]+\.md$/.test(page) && page !== "docs/README.md");
  const sentTo = inReadme.filter((target) => /^docs\/.*\.md$/.test(target) && target !== "docs/README.md");
  expect(sentTo.length).toBeGreaterThan(10);
  expect(listed).toEqual(expect.arrayContaining([...pages, ...sentTo]));
  expect(first.trimEnd().split("\n").length).toBeLessThanOrEqual(50);
});

test("a dead link is found, an anchor that is none too, and code is no link", () => {
  const text = `# One \`two\`, three: *four*!

[a](#one-two-three-four) [b](#one-two) [c](nowhere.md) [d](proofs.md#what-verify-checks) [e](proofs.md#nothing)
[\`f[0](g)\`](library.md) \`[h](nowhere.md)\` ![i](report.png) [![j](nowhere.png)](limits.md)

\`\`\`
# no heading
[k](nowhere.md)
\`\`\`

## Twice

[l](#twice-1) [m](#no-heading)

## Twice
`;
  expect(deadIn("docs/library.md", text)).toEqual([
    "#one-two",
    "nowhere.md",
    "proofs.md#nothing",
    "nowhere.png",
    "#no-heading",
  ]);
});
