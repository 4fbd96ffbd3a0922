import { CLAIM, PROGRAM, REQUEST, TIMING } from "../verification/coverage/common.js";
import { type CoverageTable, under } from "../verification/coverage/coverage.js";

/** The model is read by it, and its hash compared. */
const DIALECT = "chosen";

/** What `verify` makes of every field of a certificate file of a program; a test holds it against the schema. */
export const PROGRAM_CERTIFICATE: CoverageTable = { ...PROGRAM, "model.dialect": DIALECT, point: "chosen" };

/** The same of a solution of a program. */
export const PROGRAM_SOLUTION: CoverageTable = {
  ...PROGRAM,
  "model.dialect": DIALECT,
  ...under("model", "sense columns integerColumns rows nonZeros contents", "computed"),
  ...under("", "notes[] notes[].code notes[].line notes[].text", {
    reason: "what was told of the model's file when it was read",
  }),
  ...under("request", "timeLimitSeconds seed solver", REQUEST),
  ...under("", "variables ray", "chosen"),
  approx: "computed",
  reason: { reason: "how the search ended, in its own words" },
  ...under("claims[]", "solver status value bound failure", CLAIM),
  ...under("beside", "solver status value bound gap failure", CLAIM),
  ...under("beside.reading", "status detail", { reason: "what the other solver made of the file when it was read" }),
  "contradictions[]": { reason: "what was made of the solvers' words, which are not checked" },
  nodes: { reason: "how far the search went, of which the certificate says nothing" },
  ...under("proof", "steps branchings", "computed"),
  certificateFile: "computed",
  ...TIMING,
  "timing.besideSeconds": { reason: "wall-clock seconds leave no trace to check them by" },
};
