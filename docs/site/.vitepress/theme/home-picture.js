import { withBase } from "vitepress";
import { h } from "vue";
import light from "../../made/pages/report.png";
import dark from "../../made/pages/report-dark.png";

const ABOUT =
  "A report of a plan of row tiers: one sentence, the value, the best published method, the proof and the memory in large type, and memory per GPU against communication time";

/** A report below the title, in the colours of the page. */
export function homePicture() {
  const report = { href: withBase("/examples/rows.html"), target: "_self" };
  const picture = (name, src) => h("img", { class: name, src, alt: ABOUT, width: 1160, height: 868 });
  return h("div", { class: "home-picture" }, [
    h("a", report, [picture("light-only", light), picture("dark-only", dark)]),
    h("p", [
      "What ",
      h("code", "shardproof report"),
      " makes of a plan. ",
      h("a", report, "Open it"),
      ", or see ",
      h("a", { href: withBase("/example-pages.html") }, "more of them"),
      ".",
    ]),
  ]);
}
