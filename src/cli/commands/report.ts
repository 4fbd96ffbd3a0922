import { InputError } from "../../errors/input-error.js";
import { UsageError } from "../../errors/usage-error.js";
import type { PlanEnvelope } from "../../plan-file/envelope.js";
import { parsePlan } from "../../plan-file/read-plan.js";
import { type Instance, loadInstance } from "../../problems/planning/instances.js";
import { chartedPlan, checkedWith, shapedPlan } from "../../problems/planning/report.js";
import { checkDigest } from "../../problems/verification/digest.js";
import { VerificationDraft } from "../../problems/verification/verification.js";
import type { ReportCheck, ReportPlan } from "../../report/input.js";
import { reportPage } from "../../report/page.js";
import { facts, paint } from "../../terminal/table.js";
import { baseName } from "../../text/base-name.js";
import { answerIn, standingWords } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { bytes, count } from "../../text/units.js";
import type { REPORT } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import { withStatusLine } from "../terminal/status-line.js";
import {
  EXIT,
  note,
  readGiven,
  readStandardInput,
  requireOneStandardInput,
  requireWritable,
  writeOutput,
  writeResult,
} from "../terminal/streams.js";
import { openWritten } from "./plan-instance.js";

/** `shardproof report PLAN…`. */
export async function runReport(files: readonly string[], options: OptionsOf<typeof REPORT>): Promise<number> {
  const { out, instance, quiet = false } = options;
  if (files.length > 1 && instance !== undefined) {
    throw new UsageError("--instance is for one plan; of several, each says where its own is");
  }
  requireOneStandardInput([...files, instance], "only one file can be standard input");
  await requireWritable(out);
  let seconds = options.timeLimit;
  const reports: ReportPlan[] = [];
  const page = await withStatusLine(quiet, async (line) => {
    for (const file of files) {
      const charted = await checkedPlan(file, options, (what) => line.show(() => [file, what]));
      const ends = performance.now() + 1000 * seconds;
      const left = () => (ends - performance.now()) / 1000;
      reports.push(await charted(left));
      seconds = left();
    }
    line.show(() => ["drawing"]);
    return reportPage(reports);
  });
  if (out === undefined) await writeResult(page);
  else {
    await writeOutput(out, page);
    await writeResult(shown(reports, page, out));
  }
  const failed = reports.filter(({ check }) => check.kind === "failed");
  for (const { file } of failed) note(`warning: ${file} failed its check; the page says so`, quiet);
  return failed.length > 0 ? EXIT.verificationFailed : EXIT.solved;
}

/** What is said of a page that was written. */
export function pageWritten(out: string, page: string): string {
  const charts = count(page.split('<figure class="chart').length - 1);
  return `wrote ${out}, ${charts} charts, ${bytes(Buffer.byteLength(page))}`;
}

function shown(reports: readonly ReportPlan[], page: string, out: string): string {
  const texts = {
    passed: paint.green("checked again"),
    failed: paint.red("failed the check"),
    unchecked: paint.yellow("not checked again"),
  };
  const pairs = reports.map(({ plan, check }): [string, string] => {
    const reason = check.kind === "unchecked" ? `: ${check.reason}` : "";
    return [
      printable(plan.instance.name),
      `${plan.problem}, ${printable(standingWords(answerIn(plan)))}, ${texts[check.kind]}${printable(reason)}`,
    ];
  });
  return `${facts(pairs)}\n\n${pageWritten(out, page)}\n`;
}

/**
 * A plan with what checking it comes to; the function adds what its instance says, in the seconds that are left. Throws
 * `InputError` for a file that is no plan.
 */
async function checkedPlan(
  file: string,
  options: OptionsOf<typeof REPORT>,
  onStep: (what: string) => void,
): Promise<(secondsLeft: () => number) => Promise<ReportPlan>> {
  const text = await readGiven(file, "a plan file");
  const plan = await shapedPlan(text, file);
  onStep("reading the instance");
  const found = await instanceOf(plan, file, options);
  onStep("checking the plan");
  const check = await checkOf(text, file, found, options);
  onStep("computing what the charts need");
  return (secondsLeft) =>
    chartedPlan(plan, typeof found === "string" ? null : found, { file, text, check }, secondsLeft);
}

/** The instance that a plan was made for, or why it is not at hand. */
async function instanceOf(
  plan: PlanEnvelope,
  file: string,
  { instance: given }: OptionsOf<typeof REPORT>,
): Promise<Instance | string> {
  const path = given ?? plan.instance.file;
  if (given === undefined && path === "-")
    return "its instance was standard input; say where it is with --instance FILE";
  let instance: Instance;
  try {
    instance =
      given === undefined
        ? await openWritten(path, "its instance", file, () => loadInstance(path, readStandardInput))
        : await loadInstance(path, readStandardInput);
  } catch (error) {
    // Where somebody names an instance, it has to be one.
    if (given !== undefined || !(error instanceof InputError)) throw error;
    return `its instance cannot be read (${error.said.replaceAll(path, baseName(path))})`;
  }
  const isSame = instance.sha256 === plan.instance.sha256 && instance.name === plan.instance.name;
  if (isSame && instance.problem === plan.problem) return instance;
  return `${baseName(path)} is not the instance that it was made for: that one has another SHA-256`;
}

async function checkOf(
  text: string,
  file: string,
  instance: Instance | string,
  { check }: OptionsOf<typeof REPORT>,
): Promise<ReportCheck> {
  if (check === false) return { kind: "unchecked", reason: "that was not asked for (--no-check)" };
  if (typeof instance === "string") {
    const draft = new VerificationDraft();
    // Whether the file is as it was written can be told without the instance.
    if (checkDigest(draft, text, parsePlan(text, file), ", its timing apart")) {
      return { kind: "unchecked", reason: instance };
    }
    return { kind: "failed", checks: draft.done().checks, differences: [instance] };
  }
  return checkedWith(instance, text, file);
}
