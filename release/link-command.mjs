/**
 * In a clone `npx shardproof` is to be what was built: without a link of its own, npx installs the clone once more, which builds it again
 * under commands that run.
 */
import { rmSync, symlinkSync } from "node:fs";

const link = "node_modules/.bin/shardproof";
try {
  rmSync(link, { force: true });
  symlinkSync("../../dist/src/cli/main.js", link);
} catch {
  // Where links take a right that one does not have, npx does as it did.
}
