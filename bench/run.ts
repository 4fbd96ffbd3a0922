/** `npm run bench -- SUBJECT`: runs bench/SUBJECT.ts, or says which subjects there are. */
import { readdirSync } from "node:fs";
import { UsageError } from "../src/errors/usage-error.js";

const HELPERS = /^(run|measure|arguments|ablation-run|drawn-.*|wide-.*)\.js$/;

const subjects = readdirSync(new URL(".", import.meta.url))
  .filter((name) => name.endsWith(".js") && !HELPERS.test(name))
  .map((name) => name.slice(0, -".js".length));
const [subject] = process.argv.slice(2);
if (subject === undefined || !subjects.includes(subject)) {
  console.error(`usage: npm run bench -- SUBJECT, one of ${subjects.join(", ")}`);
  process.exitCode = 2;
} else {
  await import(`./${subject}.js`).catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  });
}
