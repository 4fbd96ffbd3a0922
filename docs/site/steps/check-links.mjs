import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** In which no link of the page stands: scripts hold data, and a page inside a page has its own addresses. */
const NOT_THE_PAGE = /<script\b[\s\S]*?<\/script>|<style\b[\s\S]*?<\/style>|<!--[\s\S]*?-->/g;

/**
 * Every link, script, style and picture of the HTML pages in a folder that leads nowhere inside it, every anchor that is not
 * there, and everything that a page would load from elsewhere; in words.
 */
export function deadLinks(folder) {
  const pages = new Map();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (name.endsWith(".html")) pages.set(join(folder, name), pageOf(join(folder, name)));
  }
  const dead = [];
  for (const [file, { links, loaded }] of pages) {
    const say = (what, target) => dead.push(`${relative(folder, file)}: ${what}: ${target}`);
    for (const target of loaded) if (/^(https?:)?\/\//.test(target)) say("is loaded from elsewhere", target);
    for (const target of new Set([...links, ...loaded])) {
      if (/^(https?:|mailto:|data:)/.test(target)) continue;
      if (target === "" || /^[a-z]+:/.test(target)) {
        say("is no address", JSON.stringify(target));
        continue;
      }
      if (target.startsWith("/")) {
        say("is no relative address", target);
        continue;
      }
      const [address, anchor] = target.split("#");
      const path = decodeURIComponent(address.split("?")[0]);
      const to =
        path === "" ? file : join(dirname(file), path.endsWith("/") || path === "." ? `${path}/index.html` : path);
      if (!existsSync(to)) say("is not there", target);
      else if (anchor && pages.get(to)?.anchors.has(decodeURIComponent(anchor)) === false)
        say("has no such place", target);
    }
  }
  return dead;
}

function pageOf(file) {
  const whole = readFileSync(file, "utf8");
  const loaded = attributes(whole, /<(?:script|img|source|iframe)\b[^>]*?\ssrc="([^"]*)"/g);
  const styles = attributes(whole, /<link\b[^>]*?\shref="([^"]*)"/g);
  const text = whole.replace(NOT_THE_PAGE, "");
  return {
    loaded: [...loaded, ...styles],
    links: attributes(text, /<a\b[^>]*?\shref="([^"]*)"/g),
    anchors: new Set(attributes(text, /\s(?:id|name)="([^"]*)"/g)),
  };
}

function attributes(text, pattern) {
  return [...text.matchAll(pattern)].map(([, value]) => value.replaceAll("&amp;", "&"));
}
