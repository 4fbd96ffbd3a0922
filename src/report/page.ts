import { baseName } from "../text/base-name.js";
import { methodName } from "../text/optimality.js";
import { base64 } from "./base64.js";
import { chartFrame } from "./chart.js";
import { comparison } from "./comparison.js";
import { type Html, html, trusted } from "./html.js";
import type { ReportPlan } from "./input.js";
import type { Section } from "./page-section.js";
import { planNumber } from "./plan-number.js";
import { proofText, statusBadge } from "./proof.js";
import { drawnFacts, drawnTable, sentence, tileRow } from "./section.js";
import { pageShell } from "./shell.js";

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
  for (const [k, report] of reports.entries()) {
    sections.push(only === undefined ? await briefSection(report, k) : await planSection(report, k));
  }
  const footer = html`Made by shardproof report. Every bound here was derived in exact arithmetic; point at a number or at a mark of a chart for more
of it. The charts' specifications are Vega-Lite.`;
  return pageShell({
    title,
    generator: "shardproof report",
    body: html`${overview}
${sections}`,
    footer,
  });
}

async function overviewOf(reports: readonly ReportPlan[]): Promise<Html> {
  const { sentences, parts } = comparison(reports);
  const drawn: Html[] = [];
  for (const { title, table, charts, tables } of parts) {
    drawn.push(
      html`${title === null ? null : html`<h2>${title}</h2>`}${table}${await chartFrame(charts)}${tables.map(drawnTable)}`,
    );
  }
  return html`<div class="overview"><h1>${reports.length} plans compared</h1>${sentences.map((said) => html`<p class="answer">${said}</p>`)}${drawn}</div>`;
}

/** One of several plans: its answer, and the rest folded; its own report has its charts. */
async function briefSection(report: ReportPlan, k: number): Promise<Html> {
  const { plan, check } = report;
  const id = `plan-${k}`;
  const section = report.section(report, id);
  const missing =
    report.charts === null ? html`<p class="muted">Not compared with its instance: ${missingOf(report)}.</p>` : null;
  return html`<section class="plan" id="${id}">
<p class="kind">${statusBadge(report, section.among)} <span class="muted">${plan.problem}, ${methodName(plan.method)}</span></p>
<h2>${plan.instance.name}</h2>
<p>${check.kind === "failed" ? FAILED : null}${sentence(section.answer)}</p>
${missing}
<details class="box"><summary><h3>What is known</h3></summary>${drawnFacts(section.facts)}</details>
${await folds(report, section, id)}
</section>
`;
}

async function planSection(report: ReportPlan, k: number): Promise<Html> {
  const { plan, check } = report;
  const id = `plan-${k}`;
  const section = report.section(report, id);
  const { charts, leading = 1 } = section;
  const missing =
    report.charts === null
      ? html`<p class="muted">Charts that need the instance are left out: ${missingOf(report)}.</p>`
      : null;
  const [first, rest] = [section.tables.filter(({ leads }) => leads), section.tables.filter(({ leads }) => !leads)];
  return html`<section class="plan" id="${id}">
<p class="kind">${statusBadge(report, section.among)} <span class="muted">${plan.problem}, ${methodName(plan.method)}</span></p>
<h1>${plan.instance.name}</h1>
<p class="question">${sentence(section.question)}</p>
<p class="answer">${check.kind === "failed" ? FAILED : null}${sentence(section.answer)}</p>
${tileRow(section.tiles ?? [], check)}
${missing}
${await chartFrame(charts.slice(0, leading))}
${first.map(drawnTable)}
<div class="box known"><h3>What is known</h3>${drawnFacts(section.facts)}</div>
${await chartFrame(charts.slice(leading))}
${rest.map(drawnTable)}
${await folds(report, section, id)}
</section>
`;
}

const FAILED = html`<span class="bad">This plan failed its check; do not rely on it.</span> The file says: `;

/** What was asked, how the answer was proved, and the file: what one reads last. */
async function folds(report: ReportPlan, section: Section, id: string): Promise<Html> {
  const { plan, instance, file, text, check } = report;
  const source = instance?.source ? html`<p class="muted">${instance.source}</p>` : null;
  const name = plan.instance.name.replace(/[^\w.-]+/g, "-").slice(0, 60);
  const embedded = await embeddedPlan(
    { text, file: baseName(file), name, hasCertificate: plan.certificate !== null },
    id,
  );
  const { totalSeconds } = plan.timing;
  const proof = html`<summary><h3>How it was proved</h3></summary>${proofText(report)}`;
  return html`<details class="box"><summary><h3>What was asked</h3></summary>${source}${drawnFacts(section.asked)}</details>
${check.kind === "failed" ? html`<details class="box" open>${proof}</details>` : html`<details class="box">${proof}</details>`}
<div class="box"><h3>The plan file</h3>${embedded}
<p class="muted">${baseName(file)}, planned in ${planNumber("timing.totalSeconds", totalSeconds, `${totalSeconds} s`)}; instance ${baseName(plan.instance.file)}, SHA-256
${plan.instance.sha256}; digest ${plan.digest}. <code>shardproof verify</code> checks it.</p></div>`;
}

function missingOf({ check, instance }: ReportPlan): string {
  if (check.kind === "failed") return "the plan failed its check";
  return check.kind === "unchecked" && instance === null ? check.reason : "what the plan says does not fit it";
}

/** Bytes of a compressed plan file that a page holds at most: some tens of MiB of plan, a few MiB of page. */
const MAX_BYTES = 6 * 2 ** 20;

/**
 * A plan file inside the page, gzip in base64, with buttons that hand it out as it was read; or a line that says that it
 * is too large.
 */
async function embeddedPlan({ text, file, name, hasCertificate }: EmbeddedPlan, id: string): Promise<Html> {
  const compressed = await gzip(text);
  if (compressed.length > MAX_BYTES) {
    return html`<p>The plan file is left out: with its certificate it has ${text.length} characters, and
${compressed.length} bytes compressed where a page holds ${MAX_BYTES}. It is ${file}.</p>`;
  }
  // Base64 has no letter that ends an element.
  const held = trusted(base64(compressed));
  const button = (part: string, fileName: string, words: string) =>
    html`<button hidden data-file="${id}-file" data-part="${part}" data-name="${fileName}">${words}</button>`;
  return html`<p>${button("plan", `${name}.plan.json`, "Download the plan file")}${
    hasCertificate ? button("certificate", `${name}.certificate.json`, "Download its certificate alone") : null
  }</p>
<script type="application/gzip" id="${id}-file">${held}</script>`;
}

interface EmbeddedPlan {
  readonly text: string;
  readonly file: string;
  /** Of the files that are handed out, without an ending. */
  readonly name: string;
  readonly hasCertificate: boolean;
}

async function gzip(text: string): Promise<Uint8Array> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
