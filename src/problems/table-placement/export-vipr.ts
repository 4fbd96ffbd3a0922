import { placementProblem } from "../../../models/table-placement/from-instance.js";
import { neuralProgram } from "../../../models/table-placement/learned/build.js";
import { neuralHead } from "../../../models/table-placement/learned/head.js";
import { provedFirst } from "../../../models/table-placement/proved-program.js";
import { InputError } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import { CertificateError, readCertificate } from "../../proof/certificate.js";
import { InfeasiblePointError } from "../../proof/verdict.js";
import { ViprUnsupportedError, writeVipr } from "../../vipr/write.js";
import { type OpenInstance, planWithInstance } from "../plan-file/original-plan.js";
import { tablePlacementReader } from "./instance/reader.js";
import { tablePlacementPlanSchema } from "./plan-file/plan-file.js";

const ADVICE =
  "export the plan --to lp, and `solve` the file with --certificate FILE.vipr: that proves its program anew";

/**
 * The proof of a table-placement plan, or of there being none, as a VIPR file (see src/vipr/README.md): of the program
 * that `--to mps` writes, of a large problem its aggregated program; with a ceiling of what that has below it, which a comment says. A second goal's proof is not in it.
 *
 * Throws `InputError` when the text is no plan as it was written, is of another problem, was made for another instance, has no
 * certificate, or one that does not hold or has steps that VIPR has no rules for.
 */
export async function planVipr(text: string, file: string, openInstance: OpenInstance): Promise<string> {
  const { plan, instance } = await planWithInstance(tablePlacementReader, tablePlacementPlanSchema, {
    text,
    file,
    openInstance,
  });
  if (plan.certificate === null) {
    throw new InputError(
      `expected a plan with a certificate, received one of the method "${plan.method}" without; plan with --method optimal`,
      file,
    );
  }
  const problem = placementProblem(instance);
  const choices = plan.tables.map(({ option, ranks }) => ({ option, devices: ranks }));
  try {
    const ceiling = plan.proof?.ceiling === undefined ? null : Rational.parse(plan.proof.ceiling);
    const placement = choices.length === 0 ? null : { choices };
    const { program, pointOf } =
      problem.setCost === undefined
        ? provedFirst(problem, ceiling, placement, plan.certificate)
        : neuralProgram(problem, neuralHead(instance, problem.setCost), ceiling);
    const note = ceiling === null ? "" : `% placements that cost more than ${ceiling} are left out of the program\n`;
    const point = placement === null ? null : pointOf(placement);
    return note + writeVipr(program, readCertificate(plan.certificate), point);
  } catch (error) {
    if (error instanceof ViprUnsupportedError) {
      // Of a plan that there is none of, no program is exported either.
      const advice = plan.status === "infeasible" ? "`verify` checks it as it is" : ADVICE;
      throw new InputError(`the proof cannot be written as VIPR: ${error.message}; ${advice}`, file);
    }
    if (ABOUT_THE_PLAN.some((kind) => error instanceof kind)) {
      throw new InputError(
        `expected a plan that verifies, received one that does not: ${(error as Error).message}`,
        file,
      );
    }
    throw error;
  }
}

/** What a plan that does not verify makes the checked parts throw. */
const ABOUT_THE_PLAN = [CertificateError, InfeasiblePointError, RangeError, SyntaxError];
