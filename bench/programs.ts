/**
 * `solve` beside HiGHS on mixed-integer programs: files and drawn ones, CPU seconds of both in one process for each program,
 * one program after the other. `npm run bench -- programs SECONDS PATTERN [FILE …]`; drawn ones are called `drawn/KIND-SEED`.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { solveProgram } from "../src/problems/program/solve/solve-program.js";
import type { Program } from "../src/program/program.js";
import { readProgram } from "../src/program/read-program.js";
import { openSolver } from "../src/solvers/solver.js";
import { drawnProgram, PROGRAM_KINDS } from "./drawn-programs.js";
import { printTable } from "./measure.js";

/** What came of one program. CPU times in seconds, certificates in bytes. */
interface Outcome {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly integers: number;
  readonly highs: {
    readonly status: string;
    readonly value: number | null;
    readonly nodes: number;
    readonly cpu: number;
  };
  readonly ours: {
    readonly status: string;
    readonly value: number | null;
    readonly gap: number | null;
    readonly nodes: number;
    readonly cpu: number;
    readonly checking: number;
    readonly bytes: number;
  };
}

const DRAWN = PROGRAM_KINDS.flatMap((kind) => [1, 2, 3].map((seed) => `drawn/${kind}-${seed}`));
const ONE = "--one";

const [, , , first = "60", second = ".", ...files] = process.argv;
if (first === ONE) {
  console.log(JSON.stringify(await outcomeOf(second, Number(files[0]))));
} else {
  const outcomes = [...files, ...DRAWN]
    .filter((name) => new RegExp(second).test(name))
    .map((name) => {
      const child = [process.argv[1] as string, "programs", ONE, name, first];
      const outcome = JSON.parse(
        execFileSync(process.execPath, child, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
      ) as Outcome;
      console.error(rowOf(outcome).join("  "));
      return outcome;
    });
  const head = "program,columns,rows,integers,HiGHS,its nodes,its CPU s,ours,gap,nodes,CPU s,checking s,KB,ratio";
  printTable([head.split(","), ...outcomes.map(rowOf)]);
  const ratios = outcomes.map(ratioOf).sort((a, b) => a - b);
  const proved = outcomes.filter(({ ours }) => isSettled(ours.status)).length;
  console.log(`${proved} of ${outcomes.length} settled, median ratio ${ratios[ratios.length >> 1]?.toFixed(2)}`);
}

function programNamed(name: string): Program {
  const drawn = /^drawn\/(.*)-(\d+)$/.exec(name);
  if (drawn !== null) return drawnProgram(drawn[1] as string, Number(drawn[2]));
  const bytes = readFileSync(name);
  return readProgram((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString(), basename(name));
}

async function outcomeOf(name: string, seconds: number): Promise<Outcome> {
  const program = programNamed(name);
  const cpu = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    return [result, (user + system) / 1e6];
  };
  const [claim, highsCpu] = await cpu(async () => {
    const solver = await openSolver("highs");
    try {
      return await solver.solve(program, { timeLimitSeconds: seconds });
    } finally {
      await solver.close();
    }
  });
  const [{ outcome, certificate, nodes, proveSeconds }, ownCpu] = await cpu(() =>
    solveProgram(program, { timeLimitSeconds: seconds }),
  );
  return {
    name: basename(name).replace(/\.mps(\.gz)?$/, ""),
    columns: program.columns.length,
    rows: program.rows.length,
    integers: program.columns.filter(({ integer }) => integer).length,
    highs: { status: claim.status, value: claim.primalBound ?? null, nodes: claim.nodes ?? 0, cpu: highsCpu },
    ours: {
      status: outcome.status,
      value: outcome.value?.toNumber() ?? null,
      gap: outcome.gap?.toNumber() ?? null,
      nodes,
      cpu: ownCpu,
      checking: proveSeconds,
      bytes: certificate === null ? 0 : JSON.stringify(certificate).length,
    },
  };
}

function isSettled(status: string): boolean {
  return status === "proved" || status === "infeasible";
}

function ratioOf({ ours, highs }: Outcome): number {
  return isSettled(ours.status) ? ours.cpu / highs.cpu : Number.POSITIVE_INFINITY;
}

function rowOf(outcome: Outcome): string[] {
  const { name, columns, rows, integers, highs, ours } = outcome;
  const gap =
    ours.gap === null
      ? "–"
      : ours.gap === 0
        ? "0"
        : ours.gap < 1e-4
          ? ours.gap.toExponential(0)
          : `${(100 * ours.gap).toFixed(2)} %`;
  const differs =
    highs.value !== null &&
    ours.value !== null &&
    Math.abs(highs.value - ours.value) > 1e-6 * (1 + Math.abs(ours.value));
  return [
    name,
    `${columns}`,
    `${rows}`,
    `${integers}`,
    highs.status,
    `${highs.nodes}`,
    highs.cpu.toFixed(2),
    `${ours.status}${differs ? "!" : ""}`,
    gap,
    `${ours.nodes}`,
    ours.cpu.toFixed(2),
    ours.checking.toFixed(2),
    (ours.bytes / 1000).toFixed(0),
    ratioOf(outcome).toFixed(2),
  ];
}
