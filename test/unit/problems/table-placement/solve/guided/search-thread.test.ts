import { expect, test } from "vitest";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { SearchThread } from "../../../../../../src/problems/table-placement/solve/guided/search-thread.js";

test("where the program has no address of a file, as in a page, there is no thread, and no failure", () => {
  expect(SearchThread.open({} as PlacementProblem, "blob:")).toBeNull();
});
