import type { Command } from "commander";
import { example } from "./example.js";
import { addSolvingOptions, DIALECTS_TEXT, dialect, programFormat, SOLVERS_TEXT } from "./options.js";

const HELP = `
In the JSON, a variable or value is a number where a double is exactly that; otherwise (a third, a tenth, an integer
beyond 2^53) it is the exact text of an integer or fraction, "1/3", and approx has the nearest double of each.
objective.value is the nearest double and objective.bound never claims more than was proved; exact has both as
fractions.

Exit status: 0 proved to the gap; 3 not proved within the limits (a bound that was proved is shown); 4 proved
infeasible; 6 unbounded, with a feasible point and a ray; 2 bad model or usage, or a proof to be written as VIPR
that has no rules for it: the answer is printed all the same, and the JSON result has the certificate. Integer
columns that nothing bounds may never be settled: the answer then names them, with exit status 3.
`;

const EXAMPLE = example(`
$ shardproof solve instances/programs/knapsack-30.mps --certificate proof.json
…
value         8,903
proved bound  8,903, gap 0
`);

/** Adds `shardproof solve`; its code is loaded when it runs. */
export function addSolveCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  addSolvingOptions(
    program
      .command("solve")
      .description("solve a mixed-integer program file, prove the answer, print it")
      .argument("<model>", "model file (MPS or LP); - is standard input"),
    {
      solver: `whom to ask for a first point of a hard model: ${SOLVERS_TEXT} (default: highs)`,
      gap: "relative gap to prove, below 1 (default: 0, the exact optimum)",
    },
  )
    .option("--format <format>", "of the model: mps or lp (default: by its name, then by its text)", programFormat)
    .option("--dialect <name>", `follow this reader where readers differ: ${DIALECTS_TEXT} (default: cplex)`, dialect)
    .option("--strict-reading", "refuse a file that readers take differently: any note is exit status 2")
    .option("--beside <solver>", `also read and solve with this one, and show both: ${SOLVERS_TEXT}`)
    .option("--certificate <file>", "write the certificate: JSON, or VIPR where the name ends in .vipr")
    .option("--out <file>", "write the JSON result")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (model, options) => finish((await import("./solve.js")).runSolve(model, options)));
}
