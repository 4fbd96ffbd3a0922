import { Rational } from "../../exact/rational.js";
import type { Fact } from "../../facts/facts.js";
import { rationalText, type Shown, shownRational } from "../../terminal/rational.js";
import { paint, paragraph, table } from "../../terminal/table.js";
import { baseName } from "../../text/base-name.js";
import { answerIn, standingOf, standingWords } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { type Marked, type Said, strong } from "../../text/said.js";
import { count, percent, some } from "../../text/units.js";
import { claimText, provedText, showBeside } from "../show/beside.js";
import { showFacts } from "../show/facts.js";
import { boundVerdict, proofText } from "../show/proof.js";
import { NO_VIOLATIONS, timeText } from "../show/solve-block.js";
import type { ProgramSolution, SolverWord } from "./answer/schema.js";

/** Digits of what stands side by side: solvers are sure of no more. */
const DIGITS = 10;

/** Variables listed before the rest is only counted. */
const MAX_LISTED = 50;

/** A solved program as a person reads it. */
export function showSolution(solution: ProgramSolution): string {
  const { model, contradictions } = solution;
  const title = `${paint.bold(printable(model.name))}  ${paint.dim(sizeText(solution))}`;
  const warnings = contradictions.map((text) => `${paint.red("warning")}: ${printable(text)}`).join("\n");
  const parts = [
    title,
    showFacts(factsOf(solution)),
    showVariables(solution),
    besideOf(solution),
    showVerdict(solution),
    warnings,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function sizeText({ model: { sense, columns, integerColumns, rows, nonZeros } }: ProgramSolution): string {
  const integers =
    integerColumns === 0 ? "" : integerColumns === columns ? " (all integer)" : ` (${count(integerColumns)} integer)`;
  const verb = sense === "minimize" ? "minimise" : "maximise";
  return `${verb}; ${some(columns, "column")}${integers}, ${some(rows, "row")}, ${some(nonZeros, "non-zero")}`;
}

function factsOf(solution: ProgramSolution): readonly Fact[] {
  const { status, reason, exact, objective, nodes, claims, timing, certificateFile, variables } = solution;
  const facts: Fact[] = [...readFacts(solution), { name: "status", said: statusOf(solution) }];
  const add = (name: string, said: Said) => facts.push({ name, said });
  if (reason !== null) add("because", reason);
  if (exact.value !== null) {
    add(status === "unbounded" ? "value here" : "value", strong(rationalText(Rational.parse(exact.value))));
  }
  if (exact.bound !== null) {
    add("proved bound", [boundText(solution), objective.gap === null ? null : `, gap ${gapText(objective.gap)}`]);
  }
  if (variables !== null) add("violations", NO_VIOLATIONS);
  add("nodes", count(nodes));
  add("time", timeText(timing));
  for (const claim of claims) add(claim.solver, wordText(claim));
  if (certificateFile !== null) add("certificate", `in ${certificateFile}`);
  return facts;
}

/** What was read, so that a misreading shows. */
function readFacts({ model: { contents, file }, notes = [] }: ProgramSolution): readonly Fact[] {
  if (contents === undefined) return [];
  const { rows, rightHandSides, columns, bounds } = contents;
  const listed = (parts: readonly (readonly [number, string])[]) =>
    parts.flatMap(([amount, what]) => (amount === 0 ? [] : [`${count(amount)} ${what}`])).join(", ");
  const senses = listed([
    [rows.atMost, "at most"],
    [rows.atLeast, "at least"],
    [rows.equal, "equal"],
    [rows.range, "in a range"],
    [rows.free, "free"],
  ]);
  const kinds = listed([
    [columns.continuous, "continuous"],
    [columns.integer, "integer"],
    [columns.binary, "binary"],
  ]);
  const limits = listed([
    [bounds.fixed, "fixed"],
    [bounds.free, "free"],
    [bounds.other, "with other bounds than [0, infinity)"],
  ]);
  const sides = `${rightHandSides === 0 ? "no" : count(rightHandSides)} right-hand ${rightHandSides === 1 ? "side" : "sides"} other than 0`;
  return [
    { name: "rows read", said: senses === "" ? "none" : `${senses}; ${sides}` },
    { name: "columns read", said: kinds === "" ? "none" : [kinds, limits].filter((part) => part !== "").join("; ") },
    ...notes.map((note) => ({ name: "note", said: printable(noteText(note, file)) })),
  ];
}

/** A note with its place. Older files have notes as texts. */
export function noteText(note: NonNullable<ProgramSolution["notes"]>[number], file: string): string {
  return typeof note === "string" ? note : `${file === "-" ? "model" : baseName(file)}:${note.line}: ${note.text}`;
}

function statusOf(solution: ProgramSolution): Marked {
  const said = standingWords(answerIn(solution));
  switch (standingOf(answerIn(solution))) {
    case "optimal":
    case "within":
      return { as: "good", said };
    case "infeasible":
      return { as: "warning", said };
    default:
      return { as: "open", said };
  }
}

/** The bound, cut off on the side where it claims less. */
function boundText({ exact, model }: ProgramSolution): string {
  const bound = Rational.parse(exact.bound as string);
  return rationalText(bound, exact.bound === exact.value ? "nearest" : model.sense === "minimize" ? "down" : "up");
}

function gapText(gap: number | string): string {
  if (typeof gap === "string") return gap;
  if (gap === 0) return "0";
  if (gap >= 1e-3) return percent(gap);
  return gap.toExponential(Number(gap.toExponential(0)) === gap ? 0 : 1);
}

/** What was proved and what another solver claims, one below the other. */
function besideOf({ status, objective, beside, timing }: ProgramSolution): string {
  if (beside === undefined) return "";
  const ours = { value: numberOf(objective.value), bound: numberOf(objective.bound), seconds: timing.totalSeconds };
  const rows = [
    { who: "shardproof", ...ours, gap: numberOf(objective.gap), says: provedText(status) },
    {
      ...{ who: beside.solver, value: beside.value, bound: beside.bound, seconds: timing.besideSeconds ?? null },
      gap: beside.gap,
      says: beside.status === "failed" ? `gave no answer: ${beside.failure ?? ""}` : claimText(beside.status),
    },
  ];
  const side = showBeside(rows, (value) => shownRational(Rational.fromNumber(Number(value.toPrecision(DIGITS)))).text);
  return `${side}${readingText(beside)}`;
}

/** Whether both speak of the same program. */
function readingText({ solver, reading }: NonNullable<ProgramSolution["beside"]>): string {
  if (reading === undefined) return "";
  const { status, detail } = reading;
  const said =
    status === "same"
      ? `${solver} reads the same program from the file`
      : status === "different"
        ? `${paint.red("warning")}: ${solver} reads another program from the file: ${detail}; it was given ours to solve`
        : `whether ${solver} reads the same program from the file is not known: ${detail}`;
  return `\n${paragraph(printable(said))}`;
}

function numberOf(value: number | string | null): number | null {
  return typeof value === "string" ? Rational.parse(value).toNumber() : value;
}

function wordText({ status, value, bound, failure }: SolverWord): string {
  if (status === "failed") return `gave no answer: ${failure ?? ""}`;
  const said = value === null ? "" : ` ${value}`;
  const limit = bound === null || bound === value ? "" : `, bound ${bound}`;
  return `claims ${status}${said}${limit}`;
}

function showVariables({ variables, ray }: ProgramSolution): string {
  if (variables === null) return "";
  const all = Object.entries(variables);
  if (all.length === 0) return "  no variables";
  const shown = all.filter(([name, value]) => value !== 0 || (ray?.[name] ?? 0) !== 0);
  if (shown.length === 0) {
    return all.length === 1 ? "  the variable is zero" : `  all ${count(all.length)} variables are zero`;
  }
  const listed = shown.slice(0, MAX_LISTED);
  const columns = [
    { head: "variable", align: "l", cells: listed.map(([name]) => printable(name)) },
    ...valueColumns(
      "value",
      listed.map(([, value]) => value),
    ),
    ...(ray === null
      ? []
      : valueColumns(
          "ray",
          listed.map(([name]) => ray[name] ?? 0),
        )),
  ];
  const grid = table(
    columns.map(({ head }) => head),
    listed.map((_, index) => columns.map(({ cells }) => cells[index] as string)),
    columns.map(({ align }) => align).join(""),
  );
  const zeros = all.length - shown.length;
  const rest = [
    ...(shown.length > listed.length ? [`… ${count(shown.length - listed.length)} more, see --json`] : []),
    ...(zeros > 0 ? [`${some(zeros, "variable")} ${zeros === 1 ? "is" : "are"} zero`] : []),
  ];
  return [grid, ...rest.map((line) => `  ${paint.dim(line)}`)].join("\n");
}

/** Values with their points below one another, and their fractions beside them where some had to be cut off. */
function valueColumns(head: string, values: readonly (number | string)[]) {
  const texts = values.map((value) =>
    shownRational(typeof value === "number" ? Rational.fromNumber(value) : Rational.parse(value)),
  );
  const decimals = ({ text }: Shown) => (/\.\d+$/.exec(text)?.[0] ?? "").length;
  const longest = Math.max(...texts.map(decimals));
  const cells = texts.map((shown) => shown.text + " ".repeat(longest - decimals(shown)));
  const column = { head, align: "r", cells };
  if (texts.every(({ exact }) => exact)) return [column];
  return [
    column,
    {
      head: "exactly",
      align: "l",
      cells: texts.map(({ exact, fraction }) => (exact ? "" : (fraction ?? "see --json"))),
    },
  ];
}

/** What is known for certain, and how. */
function showVerdict(solution: ProgramSolution): string {
  return paragraph(verdictOf(solution));
}

function verdictOf(solution: ProgramSolution): string {
  const { status, request, reason, exact, model, proof, timing } = solution;
  const how = proof === null ? "" : proofText(proof, timing.proveSeconds);
  if (status === "infeasible") return `${paint.red("infeasible")}: no point meets all rows and bounds — ${how}`;
  if (status === "unbounded") {
    return `${paint.yellow("unbounded")}: from this feasible point the objective improves for ever along the ray, checked in exact arithmetic`;
  }
  if (exact.bound === null) return `${paint.yellow("not proved")}: ${printable(reason ?? "")}`;
  const bound = boundText(solution);
  // Without a point the bound is all there is.
  if (exact.value === null)
    return `${paint.yellow("not proved")} to the gap of ${gapText(request.gap)}: proved bound ${bound} — ${how}`;
  const texts = {
    value: rationalText(Rational.parse(exact.value)),
    bound,
    optimum: `no point is better than ${bound}`,
    worse: model.sense === "minimize" ? "above" : "below",
  } as const;
  return `${boundVerdict(answerIn(solution), texts, gapText(request.gap))} — ${how}`;
}
