import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { parseAst } from "vite";

/** The address that the generator is told; no page has it. */
export const PLACEHOLDER = "/__SITE_BASE__/";

/** Where the site stands, as a page's own address has it: all pages are in one folder. */
const HERE = "globalThis.__SITE_BASE__";
const SCRIPT = `<script>${HERE}=location.pathname.replace(/[^/]*$/,"")</script>`;

/**
 * Makes a built site work under every address, without being told which: the generator writes one into pages, styles and
 * scripts, and here each is made relative or asks the page. Throws where one is left.
 */
export function makeRelative(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const rewrite = REWRITERS[extname(name)];
    if (rewrite === undefined) continue;
    const file = join(folder, name);
    const text = readFileSync(file, "utf8");
    if (!text.includes(PLACEHOLDER)) continue;
    const made = rewrite(text);
    if (made.includes(PLACEHOLDER)) throw new Error(`${name}: an address is left that is not relative`);
    writeFileSync(file, made);
  }
}

const REWRITERS = {
  ".html": relativePage,
  // Beside one another in assets.
  ".css": (text) => text.replaceAll(`${PLACEHOLDER}assets/`, "./"),
  ".js": relativeScript,
};

/** What the page is told of the site is told its address before any script runs. */
function relativePage(text) {
  const told = text.replace(
    /<script>(window\.__VP_HASH_MAP__=.*?)<\/script>/s,
    (_, data) => `${SCRIPT}<script>${data};window.__VP_SITE_DATA__.base=${HERE}</script>`,
  );
  if (told === text) throw new Error("a page is not told where it stands");
  return told.replaceAll(PLACEHOLDER, "./");
}

function relativeScript(text) {
  const found = [];
  visit(parseAst(text), (node) => {
    const value = node.type === "Literal" ? node.value : node.type === "TemplateElement" ? node.value.raw : null;
    if (typeof value === "string" && value.includes(PLACEHOLDER)) found.push(node);
  });
  let made = "";
  let end = 0;
  for (const node of found.sort((a, b) => a.start - b.start)) {
    made += text.slice(end, node.start) + expressionOf(node);
    end = node.end;
  }
  made += text.slice(end);
  // A literal in a place where no expression may stand would be found here.
  parseAst(made);
  return made;
}

function expressionOf(node) {
  if (node.type === "TemplateElement") return node.value.raw.replaceAll(PLACEHOLDER, `\${${HERE}}`);
  const parts = node.value.split(PLACEHOLDER).map((part) => JSON.stringify(part));
  return `(${parts.join(`+${HERE}+`)})`;
}

function visit(node, see) {
  if (Array.isArray(node)) for (const each of node) visit(each, see);
  else if (typeof node === "object" && node !== null) {
    if (typeof node.type === "string") see(node);
    for (const value of Object.values(node)) visit(value, see);
  }
}
