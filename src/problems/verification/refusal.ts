import { InputError } from "../../errors/input-error.js";
import { AssignmentError } from "../../instance/types/assignment.js";
import { ObjectiveMismatchError } from "../../plan-file/objective-mismatch.js";
import { CertificateError } from "../../proof/certificate.js";
import { InfeasiblePointError } from "../../proof/verdict.js";

/** Ends a verification: what comes next would rest on what was just found wrong. */
export class Refusal extends Error {
  readonly check: string;

  constructor(check: string, message: string) {
    super(message);
    this.check = check;
  }
}

/** What the checked parts throw about a file's contents; anything else is an error of this program. */
const ABOUT_THE_FILE = [
  AssignmentError,
  CertificateError,
  InfeasiblePointError,
  InputError,
  ObjectiveMismatchError,
  RangeError,
  SyntaxError,
];

/** Turns what the checked parts throw about a file's contents into a refusal of the named check. */
export function refusing<T>(check: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (ABOUT_THE_FILE.some((kind) => error instanceof kind)) throw new Refusal(check, (error as Error).message);
    throw error;
  }
}
