import { type SolvedFile, type SolveFileOptions, solveProgramFile } from "../../optimize/program/solve-file.js";
import { assembleCertificate } from "../../plan/program/certificate-file.js";
import { type ProgramSolution, withCertificateIn } from "../../plan/program/solution-file.js";
import { writePlan } from "../../plan/write-plan.js";
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
  const { ViprUnsupportedError, writeVipr } = await import("../../proof/vipr/write.js");
  try {
    return { text: writeVipr(program, certificate, point) };
  } catch (error) {
    // The answer stands whatever becomes of its file.
    const isFault = !(error instanceof ViprUnsupportedError);
    return { problem: error instanceof Error ? error.message : String(error), isFault };
  }
}
