import { baseName } from "../text/base-name.js";
import { methodName } from "../text/optimality.js";
import { base64 } from "./base64.js";
import { chartFigure } from "./chart.js";
import { comparison } from "./comparison.js";
import { embeddedPlan } from "./embedded.js";
import { type Html, html, trusted } from "./html.js";
import type { ReportPlan } from "./input.js";
import { planNumber } from "./plan-number.js";
import { proofBox, statusBadge } from "./proof.js";
import { SCRIPT } from "./script.js";
import { drawnFacts, drawnTable, sentence } from "./section.js";
import { STYLE } from "./style.js";

/**
 * One self-contained page about some plans, one or more: what was asked, the answer, how it was proved, charts with their
 * numbers and specifications (Vega-Lite), and the plan files themselves. It asks for nothing from anywhere: styles, the
 * script and all pictures are inside, and its content security policy allows nothing else.
 *
 * The numbers are those of the plan files; what the instance adds to the charts comes with each plan. The same input gives
 * the same bytes.
 */
export async function reportPage(reports: readonly ReportPlan[]): Promise<string> {
  const only = reports.length === 1 ? reports[0] : undefined;
  const title = only === undefined ? `${reports.length} plans compared` : only.plan.instance.name;
  const overview = only === undefined ? await overviewOf(reports) : null;
  const sections: Html[] = [];
  for (const [k, report] of reports.entries()) sections.push(await planSection(report, k, only !== undefined));
  const policy = [
    "default-src 'none'",
    `script-src '${await hashOf(SCRIPT)}'`,
    `style-src '${await hashOf(STYLE)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${trusted(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="shardproof report">
<title>${title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
${overview}
${sections}
<footer>Made by shardproof report. Every bound here was derived in exact arithmetic; point at a number or at a mark of a chart for more
of it. The charts' specifications are Vega-Lite.</footer>
</main>
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

async function overviewOf(reports: readonly ReportPlan[]): Promise<Html> {
  const { table, charts } = comparison(reports);
  const figures: Html[] = [];
  for (const chart of charts) figures.push(await chartFigure(chart));
  return html`<div class="overview"><h1>${reports.length} plans compared</h1>${table}<div class="charts">${figures}</div></div>`;
}

async function planSection(report: ReportPlan, k: number, isOnly: boolean): Promise<Html> {
  const { plan, instance, file, text, check } = report;
  const id = `plan-${k}`;
  const section = report.section(report, id);
  const figures: Html[] = [];
  for (const chart of section.charts) figures.push(await chartFigure(chart));
  const heading = isOnly ? html`<h1>${plan.instance.name}</h1>` : html`<h2>${plan.instance.name}</h2>`;
  const source = instance?.source ? html`<p class="muted">${instance.source}</p>` : null;
  const missing =
    report.charts === null
      ? html`<p class="muted">Charts that need the instance are left out: ${missingOf(report)}.</p>`
      : null;
  const name = plan.instance.name.replace(/[^\w.-]+/g, "-").slice(0, 60);
  const embedded = await embeddedPlan(
    { text, file: baseName(file), name, hasCertificate: plan.certificate !== null },
    id,
  );
  const { totalSeconds } = plan.timing;
  return html`<section class="plan" id="${id}">
<p>${statusBadge(report)} <span class="muted">${plan.problem}, ${methodName(plan.method)}</span></p>
${heading}
<p class="answer">${check.kind === "failed" ? html`<span class="bad">This plan failed its check; do not rely on it.</span> The file says: ` : null}${sentence(section.answer)}</p>
${source}
<div class="two"><div class="box"><h3>What was asked</h3>${drawnFacts(section.asked)}</div>
<div class="box"><h3>What is known</h3>${drawnFacts(section.facts)}</div></div>
${proofBox(report)}
${missing}
<div class="charts">${figures}</div>
${section.tables.map(drawnTable)}
<div class="box"><h3>The plan file</h3>${embedded}
<p class="muted">${baseName(file)}, planned in ${planNumber("timing.totalSeconds", totalSeconds, `${totalSeconds} s`)}; instance ${baseName(plan.instance.file)}, SHA-256
${plan.instance.sha256}; digest ${plan.digest}. <code>shardproof verify</code> checks it.</p></div>
</section>
`;
}

function missingOf({ check, instance }: ReportPlan): string {
  if (check.kind === "failed") return "the plan failed its check";
  return check.kind === "unchecked" && instance === null ? check.reason : "what the plan says does not fit it";
}

/** As a content security policy names an inline script or style. */
async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${base64(new Uint8Array(digest))}`;
}
