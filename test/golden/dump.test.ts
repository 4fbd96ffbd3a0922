import { test } from "vitest";
import { reproduceFlexshard } from "../../src/reproduce/flexshard/reproduce.js";
test("dump", async () => {
  const t = performance.now();
  const r = await reproduceFlexshard({ optima: false });
  console.log(performance.now() - t);
  console.log(JSON.stringify(r, null, 1));
});
