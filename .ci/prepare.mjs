/** Builds a clone after `npm ci`. `npx shardproof` in it prepares it again, for its own cache: what is built stays, as commands may be running. */
import { execSync } from "node:child_process";
import { existsSync } from "node:fs";

if (process.env.npm_command !== "exec" || !existsSync("dist/src/cli/main.js")) {
  execSync("npm run build", { stdio: "inherit" });
}
