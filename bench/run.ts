/** `npm run bench -- SUBJECT`: runs bench/SUBJECT.ts, or says which subjects there are. */
import { readdirSync } from "node:fs";

const subjects = readdirSync(new URL(".", import.meta.url))
  .filter(
    (name) => name.endsWith(".js") && !["run.js", "measure.js", "ablation-run.js", "drawn-instances.js"].includes(name),
  )
  .map((name) => name.slice(0, -".js".length));
const [subject] = process.argv.slice(2);
if (subject === undefined || !subjects.includes(subject)) {
  console.error(`usage: npm run bench -- SUBJECT, one of ${subjects.join(", ")}`);
  process.exitCode = 2;
} else {
  await import(`./${subject}.js`);
}
