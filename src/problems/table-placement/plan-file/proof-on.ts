import { z } from "zod";
import { PROGRAM_NAMES, type ProgramName } from "../../../../models/table-placement/program-name.js";
import type { WrittenProof } from "../../../../models/table-placement/proved-program.js";
import type { Rational } from "../../../exact/rational.js";
import { covered, exactNumber, type Fields, type Named, number, word } from "../../../plan-file/fields.js";
import { certificateShape } from "../../../plan-file/plan-shape.js";
import type { Program } from "../../../program/program.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";

export const ceilingShape = exactNumber.optional();

const proofFields = {
  /** Size of the program that was proved. */
  columns: number,
  rows: number,
  /**
   * With a learned cost, hot rows or sizes of caches: the program leaves out placements in which a device costs more than this. The
   * plan is none of those, so the bound holds of all placements. An integer or a fraction in lowest terms.
   */
  ceiling: ceilingShape,
  steps: number,
  branchings: number,
};
export interface PlacementProof extends Fields<typeof proofFields> {}

/** The size of a proof; `ceiling` is where it is read, as the file's own word or as what follows. */
export function proofWith(ceiling: typeof ceilingShape) {
  const shape: Named<PlacementProof, typeof proofFields> = z.strictObject({ ...proofFields, ceiling });
  return shape.nullable().describe("the size of what was proved");
}

export const provedOnShape = covered(
  "chosen",
  word(...PROGRAM_NAMES)
    .optional()
    .describe("the program that the certificate beside it is about"),
);

/** A certificate and the program that it is about; files of 0.5.0 and before do not name that. */
export const certifiedShape = { certificate: certificateShape, provedOn: provedOnShape };
export const provenShape = { proof: proofWith(ceilingShape), ...certifiedShape };

/** A certificate, and the program that it is about; without its name where a file has none. */
export interface ProofOn {
  readonly certificate: Certificate;
  readonly on: { readonly program: Program; readonly name: ProgramName | undefined };
}

/** What was proved of a plan: the verdict with what it rests on. */
export interface PlacementOutcome extends ProofOn {
  readonly verdict: Verdict;
  /** The program is of the placements that cost no more than this; absent: of all. */
  readonly ceiling?: Rational;
}

/** What plan files say of the size of a proof. */
export function proofOf({ certificate, on: { program }, ceiling }: PlacementOutcome): PlacementProof {
  return {
    columns: program.columns.length,
    rows: program.rows.length,
    ...(ceiling === undefined ? {} : { ceiling: ceiling.toString() }),
    steps: certificate.steps.length,
    branchings: certificate.steps.filter((step) => "branch" in step).length,
  };
}

/** The certificate as plan files have it, with the name of its program beside it. */
export function certified<Proof extends ProofOn | null>(proof: Proof) {
  const certificate = (proof?.certificate ?? null) as Proof extends null ? null : Certificate;
  const name = proof?.on.name;
  return { certificate, ...(name === undefined ? {} : { provedOn: name }) };
}

/** The program of a proof that a file has, with the name that it should have there. */
export function onAsWritten({ program, name }: Required<ProofOn["on"]>, { provedOn }: WrittenProof): ProofOn["on"] {
  return { program, name: provedOn === undefined ? undefined : name };
}
