import { writePlan } from "../../plan-file/write-plan.js";
import { assembleCertificate } from "../../problems/program/answer/certificate-file.js";
import type { ProgramSolution } from "../../problems/program/answer/schema.js";
import { withCertificateIn } from "../../problems/program/answer/solution-file.js";
import { type SolvedFile, type SolveFileOptions, solveProgramFile } from "../../problems/program/solve/solve-file.js";
import type { CertificateText } from "./protocol.js";

/** Solves a program file; the certificate's text, where it is to be written to a file, comes beside the solution. */
export async function solveModel(
  file: string,
  { certificateFile, ...options }: SolveFileOptions & { readonly certificateFile?: string },
): Promise<{ solution: ProgramSolution; certificate: CertificateText | null }> {
  const solvedFile = await solveProgramFile(file, options);
  const certificate = await certificateText(solvedFile, certificateFile);
  const { solution } = solvedFile;
  return certificateFile !== undefined && certificate !== null && "text" in certificate
    ? { solution: withCertificateIn(certificateFile, solution), certificate }
    : { solution, certificate };
}

async function certificateText(
  { program, solved, solution }: SolvedFile,
  file: string | undefined,
): Promise<CertificateText | null> {
  const { certificate, outcome, point } = solved;
  if (file === undefined || certificate === null) return null;
  if (!/\.vipr$/i.test(file)) {
    const { model, request } = solution;
    return {
      text: writePlan(assembleCertificate({ model, program, gap: request.gap, outcome, point, certificate })),
    };
  }
  const { ViprUnsupportedError, writeVipr } = await import("../../vipr/write.js");
  try {
    return { text: writeVipr(program, certificate, point) };
  } catch (error) {
    // The answer stands whatever becomes of its file.
    const isFault = !(error instanceof ViprUnsupportedError);
    return { problem: error instanceof Error ? error.message : String(error), isFault };
  }
}
