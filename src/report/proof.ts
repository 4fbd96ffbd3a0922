import type { Certificate } from "../proof/certificate.js";
import { byReason } from "../text/by-reason.js";
import { CHECKED_HOW } from "../text/checked.js";
import { known } from "../text/known.js";
import { answerIn, type Standing, standingOf, standingWords } from "../text/optimality.js";
import { count } from "../text/units.js";
import { type Html, html } from "./html.js";
import type { ReportCheck, ReportPlan } from "./input.js";
import { planNumber } from "./plan-number.js";
import { factList, pageTable } from "./section.js";

/** What is good or bad news to the eye as well. */
const MARKS: Readonly<Partial<Record<Standing, "good" | "bad">>> = {
  optimal: "good",
  within: "good",
  infeasible: "bad",
  nothing: "bad",
};

/** The status of a plan; one that says more than it can show for itself is not repeated. */
export function statusBadge({ plan, check }: ReportPlan, among = ""): Html {
  if (check.kind === "failed") return html`<span class="badge bad">failed the check</span>`;
  const answer = answerIn(plan);
  const unchecked = check.kind === "unchecked" ? ", not checked again" : "";
  const standing = standingOf(answer);
  const words = `${standingWords(answer)}${standing === "optimal" ? among : ""}`;
  return html`<span class="badge ${MARKS[standing] ?? ""}">${words}${unchecked}</span>`;
}

/** How the bound was proved, and what checking it again came to. */
export function proofText({ plan, check }: ReportPlan): Html {
  return html`${howProved(plan)}${checkText(check)}`;
}

function howProved({ proof, certificate, status, timing, ...plan }: ReportPlan["plan"]): Html {
  if (!certificate || proof === null) {
    const stopped = plan.stopped ? " The method's time was over before it ended." : "";
    return status === "heuristic"
      ? html`<p>The plan keeps to all limits, in exact arithmetic. No bound was asked for, so none is claimed.${stopped}</p>`
      : html`<p>There is no certificate.</p>`;
  }
  const steps = count(proof.steps);
  const branchings = count(proof.branchings);
  const classes =
    proof.classes !== undefined
      ? html` over ${planNumber("proof.classes", proof.classes, count(proof.classes))} classes of rows`
      : null;
  const columns =
    proof.columns !== undefined
      ? html`, ${planNumber("proof.columns", proof.columns, count(proof.columns))} columns`
      : null;
  const seconds = planNumber("timing.proveSeconds", timing.proveSeconds, `${timing.proveSeconds} s`);
  return html`<p>By a certificate of ${planNumber("proof.steps", proof.steps, steps)} ${proof.steps === 1 ? "step" : "steps"}
with ${planNumber("proof.branchings", proof.branchings, branchings)} ${proof.branchings === 1 ? "branching" : "branchings"}${classes}${columns},
which a checker that trusts no solver went through in exact rational arithmetic (${seconds} when the plan was made).</p>
<details><summary>Its steps</summary>${stepTable(certificate)}</details>`;
}

const STEPS: Readonly<Record<string, string>> = {
  branch: "splits the plans in two at an integer column",
  pair: "splits the partitions by whether two features share a tower",
  bound: "multipliers show that no plan here is below the bound",
  infeasible: "multipliers show that no plan here keeps to the limits",
  fix: "reduced costs narrow the columns",
  propagate: "limits narrow the columns",
  round: "limits are rounded (Chvátal and Gomory)",
  exchange: "what an exchange makes no worse is left out",
  enumerate: "all plans here were gone through",
  pack: "all ways to fill devices with what is left were gone through",
  partition: "all sets of tables for each device were gone through",
  decompose: "the minima of independent blocks add up to the bound",
  narrow: "reduced costs beside the minima of independent blocks narrow the columns",
  groups: "the reduced costs of all towers show that no partition here is below the bound",
  halves: "all halves were gone through",
};

/** A certificate that was not checked may be anything; its steps are counted as far as there are any. */
function stepTable(certificate: Certificate): Html {
  const { steps } = certificate as { readonly steps?: unknown };
  const numbers = new Map<string, number>();
  for (const step of Array.isArray(steps) ? steps : []) {
    const kind = kindOf(step);
    numbers.set(kind, (numbers.get(kind) ?? 0) + 1);
  }
  const rows = [...numbers].map(([kind, number]) => [kind, count(number), known(STEPS, kind) ?? ""]);
  return pageTable("Steps of the certificate", ["step", "how many", "what it does"], rows, "lrl");
}

function kindOf(step: unknown): string {
  const keys = Object.keys((step ?? {}) as object);
  return keys.find((key) => Object.hasOwn(STEPS, key)) ?? keys[0] ?? "";
}

function checkText(check: ReportCheck): Html {
  if (check.kind === "unchecked") {
    return html`<p><strong>Not checked again:</strong> ${check.reason}. The numbers here are the plan file's own.</p>`;
  }
  const list = factList(
    check.checks.map(({ name, passed, detail }) => [
      name,
      html`${passed ? "" : html`<strong class="bad">failed:</strong> `}${detail}`,
    ]),
  );
  if (check.kind === "passed") {
    return html`<p class="good">Checked again while this page was made: ${CHECKED_HOW}. All that was computed again is as the file
says.</p><details><summary>What was checked</summary>${list}</details>${uncheckedList(check.notChecked)}`;
  }
  const differences =
    check.differences.length === 0 ? null : html`<p>Not what they should be: ${check.differences.join("; ")}.</p>`;
  return html`<p class="bad"><strong>The plan file failed the check</strong> that was made with this page: do not rely on its
numbers.</p>${list}${differences}`;
}

/** What the file says without any check of it, and why that is so. */
function uncheckedList(fields: Extract<ReportCheck, { kind: "passed" }>["notChecked"]): Html | null {
  if (fields.length === 0) return null;
  const list = factList([...byReason(fields)].map(([reason, paths]) => [paths.join(", "), html`${reason}`]));
  return html`<details><summary>What was not checked</summary>${list}</details>`;
}
