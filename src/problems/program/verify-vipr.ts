import type { Rational } from "../../exact/rational.js";
import { coefficientAt, type LinearForm, type Program } from "../../program/program.js";
import { CertificateError } from "../../proof/certificate.js";
import { integerColumns } from "../../proof/kernel/implied-integers.js";
import { some } from "../../text/units.js";
import { type CheckedVipr, checkVipr } from "../../vipr/check.js";
import type { SparseVector, ViprConstraint } from "../../vipr/read.js";
import { type Verification, VerificationDraft } from "../verification/verification.js";
import { type OnVerifyProgress, VerifySteps } from "../verification/verify-steps.js";

/** The model, the derivations. */
const VIPR_STEPS = 2;

/** Whether a text begins as a VIPR file does: comments, then `VER`. */
export function looksLikeVipr(text: string): boolean {
  let start = text.search(/\S/);
  while (text[start] === "%") {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? -1 : text.slice(end).search(/\S/);
    if (next === -1) return false;
    start = end + next;
  }
  return start !== -1 && /^VER\s/.test(text.slice(start, start + 4));
}

/**
 * Verifies the text of a VIPR file: every derivation and solution in exact arithmetic, and where a model is at hand, that
 * the file's problem is that model (columns in its order; names and the objective's constant are not part of it). Integers
 * of the file that the model has as continuous are told of where some best point has them whole, and refused elsewhere.
 *
 * Throws `InputError` with file:line:column for what is not in the format, and when the model cannot be read.
 */
export async function verifyViprText(
  text: string,
  file: string,
  openModel: (() => Promise<Program>) | null,
  onProgress?: OnVerifyProgress,
): Promise<Verification> {
  const draft = new VerificationDraft(new VerifySteps(onProgress, VIPR_STEPS));
  draft.steps.next("the model");
  const model = openModel === null ? null : await openModel();
  try {
    draft.steps.next("the derivations");
    const checked = checkVipr(text, file);
    draft.check(
      "derivations",
      true,
      `${some(checked.file.derivations.length, "derivation")}, checked in exact arithmetic`,
    );
    if (model === null)
      draft.check("model", true, "the problem in the file itself; --instance compares it with a model");
    else checkModel(draft, checked, model);
    draft.check("claim", true, claimText(checked, model?.objective.constant ?? null));
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    draft.check("derivations", false, error.message);
  }
  return draft.done();
}

/**
 * What the text of a VIPR file proves of a program: that no feasible point has a better objective than `bound` (`null`: nothing of
 * it), or that there is none. Throws `CertificateError` where it does not hold, or is of another problem; `InputError` for what
 * is not in the format.
 */
export function provedByVipr(
  text: string,
  file: string,
  program: Program,
): { readonly bound: Rational | null; readonly isInfeasible: boolean; readonly derivations: number } {
  const checked = checkVipr(text, file);
  const difference = differenceTo(checked, program);
  if (difference !== null) throw new CertificateError(0, `${OTHER}: ${difference}`);
  const bound = boundOf(checked)?.add(program.objective.constant) ?? null;
  return { bound, isInfeasible: checked.claim.kind === "infeasible", derivations: checked.file.derivations.length };
}

/** Of the objective without its constant; `null` where there is none. */
function boundOf({ claim, file: { program } }: CheckedVipr): Rational | null {
  if (claim.kind === "infeasible") return null;
  return program.objective.sense === "minimize" ? claim.lower : claim.upper;
}

function claimText(checked: CheckedVipr, constant: Rational | null): string {
  const { claim, best } = checked;
  if (claim.kind === "infeasible") return "there is no feasible point";
  const better = boundOf(checked);
  const shown = (value: Rational) => (constant === null ? value : value.add(constant)).toString();
  const bound = better === null ? "no bound" : `no feasible point is better than ${shown(better)}`;
  return best === null ? bound : `${bound}; the best solution in the file has ${shown(best)}`;
}

const OTHER = "the file's problem is not the model";

function checkModel(draft: VerificationDraft, checked: CheckedVipr, model: Program) {
  const difference = differenceTo(checked, model);
  draft.check(
    "model",
    difference === null,
    difference === null
      ? `the file's problem is the model${wholeText(checked.file.program, model)}`
      : `${OTHER}: ${difference}`,
  );
}

function differenceTo({ file: { program, constraints, objective } }: CheckedVipr, model: Program): string | null {
  return (
    differingColumns(program, model) ??
    (program.objective.sense === model.objective.sense ? null : "the objective's sense") ??
    (vectorKey(objective) === formKey(model.objective.form) ? null : "the objective") ??
    differingConstraints(conditionsIn(constraints), conditionsOf(model))
  );
}

function differingColumns(program: Program, model: Program): string | null {
  if (program.columns.length !== model.columns.length) {
    return `${program.columns.length} columns, the model has ${model.columns.length}`;
  }
  const whole = integerColumns(model);
  const other = model.columns.findIndex(({ integer }, j) => {
    const found = program.columns[j]?.integer === true;
    return found !== integer && !(found && whole[j] === true);
  });
  if (other === -1) return null;
  const { name, integer } = model.columns[other] as Program["columns"][number];
  const [there, here] = integer ? ["continuous", "an integer"] : ["an integer", "continuous"];
  return `"${name}" is ${there} in the file and ${here} in the model`;
}

/**
 * Names the columns that the file alone has as integers: some best point of the model has them whole, so that its claim
 * stands.
 */
function wholeText(program: Program, model: Program): string {
  const names = model.columns.flatMap(({ name, integer }, j) =>
    program.columns[j]?.integer === true && !integer ? [`"${name}"`] : [],
  );
  if (names.length === 0) return "";
  const shown =
    names.length > 3 ? `${some(names.length, "column")} (${names.slice(0, 3).join(", ")}, …)` : names.join(", ");
  return `, but for integers that the model does not ask for: ${shown}, whole at some optimum of the model`;
}

function differingConstraints(there: ReadonlySet<string>, needed: ReadonlySet<string>): string | null {
  const missing = [...needed].filter((key) => !there.has(key)).length;
  const strange = [...there].filter((key) => !needed.has(key)).length;
  return missing + strange === 0 ? null : `${missing} of the model's constraints are missing, ${strange} are others`;
}

/** The file's constraints; an equation is both of its sides. */
function conditionsIn(constraints: readonly ViprConstraint[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { sense, rhs, coefficients } of constraints) {
    addSides(keys, vectorKey(coefficients), sense === "L" ? null : rhs, sense === "G" ? null : rhs);
  }
  return keys;
}

/** Bounds of columns and sides of rows alike. */
function conditionsOf({ columns, rows }: Program): ReadonlySet<string> {
  const keys = new Set<string>();
  columns.forEach(({ lower, upper }, j) => {
    addSides(keys, `${j}:1`, lower, upper);
  });
  for (const { form, lower, upper } of rows) addSides(keys, formKey(form), lower, upper);
  return keys;
}

/** Each side is a condition by itself, but for one that holds without any column. */
function addSides(keys: Set<string>, vector: string, lower: Rational | null, upper: Rational | null): void {
  if (lower !== null && (vector !== "" || lower.sign() > 0)) keys.add(`${vector} G ${lower}`);
  if (upper !== null && (vector !== "" || upper.sign() < 0)) keys.add(`${vector} L ${upper}`);
}

function vectorKey(vector: SparseVector): string {
  const entries = [...vector].sort(([a], [b]) => a - b);
  return entries.map(([column, value]) => `${column}:${value}`).join(",");
}

function formKey(form: LinearForm): string {
  return form.columns.map((column, k) => `${column}:${coefficientAt(form, k)}`).join(",");
}
