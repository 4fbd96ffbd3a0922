import { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import { CertificateError, type DecomposeStep, readNumber, type Step } from "../../certificate.js";
import { isNarrower, shapeOf } from "../../kernel/decompose.js";

/**
 * Checks the proofs of a decomposition's blocks and adds up what they prove. Each proof is walked once; a further block
 * that names it must be the same program but for names, or one with narrower bounds of columns, and claim the same.
 *
 * `prove` walks the steps of one proof about a program with a claimed minimum. Throws {@link CertificateError}.
 */
export function sumOfBlocks(
  { blocks, proofs }: DecomposeStep,
  programs: readonly Program[],
  number: number,
  prove: (program: Program, least: Rational, steps: readonly Step[]) => void,
): Rational {
  const proved = new Map<number, { readonly program: Program; readonly shape: string; readonly least: string }>();
  let sum = Rational.zero;
  blocks.forEach(({ least, proof }, b) => {
    const program = programs[b] as Program;
    const value = readNumber(least, number);
    sum = sum.add(value);
    const shape = shapeOf(program);
    const known = proved.get(proof);
    if (known !== undefined) {
      if (known.least === least && known.shape === shape && isNarrower(program, known.program)) return;
      throw new CertificateError(number, `block ${b} names a proof of another block that is not the same`);
    }
    const steps = proofs[proof];
    if (steps === undefined) throw new CertificateError(number, `block ${b} names proof ${proof}, which is missing`);
    try {
      prove(program, value, steps);
    } catch (error) {
      if (error instanceof CertificateError) throw new CertificateError(number, `block ${b}: ${error.message}`);
      throw error;
    }
    proved.set(proof, { program, shape, least });
  });
  if (proved.size < proofs.length) throw new CertificateError(number, "a proof is there that no block names");
  return sum;
}
