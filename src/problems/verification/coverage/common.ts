import { type CoverageTable, under } from "./coverage.js";

export const REQUEST = { reason: "what was asked for is the file's own word" };
export const CLAIM = { reason: "what a general solver said: its word" };
export const TIMING: CoverageTable = under("timing", "readSeconds solveSeconds proveSeconds totalSeconds", {
  reason: "wall-clock seconds leave no trace to check them by",
});

/** Where the instance was read, which may be another place by now. */
const PLACE = { reason: "where it was when the file was made" };

/** Fields that plans of every problem have. */
export const PLAN: CoverageTable = {
  ...under("", "shardproof problem status digest", "computed"),
  ...under("instance", "name sha256", "computed"),
  "instance.file": PLACE,
  // A heuristic's plan is computed again where its method is run again.
  method: "told",
  ...under("request", "gap timeLimitSeconds workLimitSeconds seed without[]", REQUEST),
  ...under("objective", "kind value bound gap", "computed"),
  ...under("exact", "value bound", "computed"),
  certificate: "chosen",
  ...under("claim", "solver status value bound", CLAIM),
  ...under("claim", "agrees remark", "computed"),
  ...TIMING,
};

/** Fields of solutions and of certificates of programs. */
export const PROGRAM: CoverageTable = {
  ...under("", "shardproof kind status digest", "computed"),
  ...under("model", "name sha256", "computed"),
  "model.file": PLACE,
  "request.gap": REQUEST,
  ...under("objective", "value bound gap", "computed"),
  ...under("exact", "value bound", "computed"),
  certificate: "chosen",
};
