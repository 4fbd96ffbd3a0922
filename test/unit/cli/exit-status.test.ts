import { expect, test } from "vitest";
import { exitStatusOf } from "../../../src/cli/terminal/streams.js";

// What docs/terminal.md says of each status, by its number: a script tells "time was over" from "proved" by nothing else.
test.each([
  ["optimal", 0],
  ["proved", 0],
  ["feasible", 3],
  ["unknown", 3],
  ["infeasible", 4],
  ["unbounded", 6],
])("%s ends with %i", (status, exit) => {
  expect(exitStatusOf(status)).toBe(exit);
});
