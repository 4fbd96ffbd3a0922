/**
 * The checker's time against the time to solve, on every shipped instance: what `verify` costs beside `plan`. Solving is
 * the search alone, without its own check at the end; checking is the walk over the certificate (the program's hash is
 * known by then). Also on the hostile programs, by the general method.
 */
import { readdirSync, readFileSync } from "node:fs";
import { buildRowTiers } from "../models/row-tiers/build.js";
import { tableClasses } from "../src/access/table-classes.js";
import { Rational } from "../src/exact/rational.js";
import { loadInstance } from "../src/problems/instances.js";
import { solveRowTiers } from "../src/problems/row-tiers/solve/solve.js";
import { readLp } from "../src/program/lp/read.js";
import type { Program } from "../src/program/program.js";
import type { Certificate } from "../src/proof/certificate.js";
import { checkCertificate } from "../src/proof/check.js";
import { solveExactly } from "../src/search/exact-milp/solve-exactly.js";
import { medianSeconds, printTable } from "./measure.js";

const LIMIT = 60;
const GAP = Rational.of(1n, 1_000_000_000n);

interface Solved {
  readonly status: string;
  readonly certificate: Certificate | null;
  readonly solveSeconds: number;
}

const rows = [["", "columns", "steps", "status", "solve s", "check s", "check / solve"]];
for (const folder of ["paper", "public", "tiny", "hostile"]) {
  for (const file of readdirSync(`instances/${folder}`).filter((name) => name.endsWith(".yaml"))) {
    const instance = await loadInstance(`instances/${folder}/${file}`);
    if (instance.problem !== "row-tiers") continue;
    const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
    const model = buildRowTiers(instance, access);
    await measure(`${folder}/${file.replace(".yaml", "")}`, model.program, async () => {
      const { verdict, certificate, solveSeconds } = await solveRowTiers(model, { gap: GAP, timeLimitSeconds: LIMIT });
      return { status: verdict.status, certificate, solveSeconds };
    });
  }
}
const programs = "instances/hostile/programs";
for (const file of readdirSync(programs).filter((name) => name.endsWith(".lp"))) {
  const program = readLp(readFileSync(`${programs}/${file}`, "utf8"), file);
  await measure(file, program, async () => {
    const { verdict, certificate, solveSeconds } = await solveExactly(program, { timeLimitSeconds: LIMIT });
    return { status: verdict?.status ?? "open", certificate, solveSeconds };
  });
}
printTable(rows);

async function measure(name: string, program: Program, solve: () => Promise<Solved>): Promise<void> {
  // The first run warms up; long ones are taken as they are.
  const first = await solve();
  const again = first.solveSeconds < 5 ? [await solve(), await solve(), await solve()] : [first];
  const seconds = again.map(({ solveSeconds }) => solveSeconds).sort((a, b) => a - b);
  const solveSeconds = seconds[seconds.length >> 1] as number;
  const { certificate, status } = first;
  const size = [name, String(program.columns.length), String(certificate?.steps.length ?? 0), status];
  if (certificate === null) {
    rows.push([...size, solveSeconds.toFixed(4), "", ""]);
    return;
  }
  const checkSeconds = await medianSeconds(name, 5, () => checkCertificate(program, certificate));
  const share = `${((100 * checkSeconds) / solveSeconds).toFixed(1)} %`;
  rows.push([...size, solveSeconds.toFixed(4), checkSeconds.toFixed(4), share]);
}
