import { existsSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import { defineConfig } from "vitepress";
import { NAVIGATION } from "../navigation.mjs";
import { DIST, MADE, PUBLIC, pageName } from "../steps/paths.mjs";
import { PLACEHOLDER } from "../steps/relative-base.mjs";

/** Pages that are no pages of the generator's: reports, the playground, files. A browser opens them, not the router. */
const BESIDE = /^\.\/(examples|playground|files)\//;

const sidebar = NAVIGATION.map((part) => ({ ...part, items: part.items.map(entry), collapsed: false }));

function entry({ text, page, items }) {
  if (items !== undefined) return { text, items: items.map(entry), collapsed: true };
  return { text, link: `/${pageName(page)}` };
}

const first = (part) => entry(NAVIGATION.find(({ text }) => text === part).items[0]).link;

/** Pages that explain come before lists of parameters. It is sent to the browser by its text. */
function guidesFirst(id) {
  return /\/(api-|changelog)/.test(id) ? 0.2 : 1;
}

/** In a console, what the program printed has no colours of a language: only commands do. */
function outputIsPlain(line) {
  if (!/^(console|shellsession)$/.test(this.options.lang) || textOf(line).startsWith("$ ")) return;
  for (const { properties } of line.children) delete properties?.style;
}

function textOf({ value = "", children = [] }) {
  return value + children.map(textOf).join("");
}

export default defineConfig({
  title: "shardproof",
  description: "Places the embedding rows and tables of recommendation models on GPUs and proves the plans optimal.",
  lang: "en",
  base: PLACEHOLDER,
  srcDir: "made/pages",
  outDir: DIST,
  cacheDir: join(MADE, "cache"),
  // A server without rewriting of addresses is enough.
  cleanUrls: false,
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    // As GitHub names headings, so that an anchor holds there and here.
    anchor: { slugify: (text) => new GithubSlugger().slug(text) },
    languageAlias: { console: "shellsession" },
    codeTransformers: [{ line: outputIsPlain }],
    config(md) {
      md.core.ruler.push("beside", ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === "link_open" && BESIDE.test(token.attrGet("href") ?? "")) token.attrSet("target", "_self");
        }
      });
    },
  },
  // Those of the router; files beside the pages are checked once all is built.
  ignoreDeadLinks: [(url) => BESIDE.test(url) && existsSync(join(PUBLIC, url.replace(/[#?].*/, "")))],
  themeConfig: {
    search: { provider: "local", options: { miniSearch: { searchOptions: { boostDocument: guidesFirst } } } },
    sidebar,
    outline: { level: [2, 3] },
    nav: [
      { text: "Start", link: "/overview" },
      ...["Problems", "TorchRec", "Proofs", "Studies", "Library"].map((text) => ({ text, link: first(text) })),
      { text: "Playground", link: "/playground/index.html", target: "_self" },
    ],
    docFooter: { prev: "Before", next: "Next" },
    externalLinkIcon: true,
  },
});
