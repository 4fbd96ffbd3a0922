import { CHECKED_HOW_LINES } from "../../text/checked.js";
import {
  DIALECTS_TEXT,
  dialect,
  frontierPoints,
  MEMORY_LIMIT_TEXT,
  memoryBytes,
  programFormat,
  relativeGap,
  SOLVERS_TEXT,
  SOLVING,
  seconds,
  wholeNumber,
} from "./readers.js";
import { type CommandTable, collected, type OptionsOf } from "./table.js";

export const PLAN = {
  name: "plan",
  about: "solve an instance, prove the answer, print the plan",
  arguments: { "<instance>": "instance file (YAML or JSON); - is standard input" },
  options: {
    ...SOLVING,
    "--method <name>": "optimal, which is the exact one, or a published method (default: optimal)",
    "--work-limit <seconds>": ["of work, as it is counted: the search ends at the same step on every machine", seconds],
    "--out <file>": "write the plan file",
    "--no-baselines": "run no published methods, neither beside the plan nor to begin with",
    "--no-prices": "of a placement: do not say what more memory or one more device would do",
    "--progress": "a line of progress on standard error every few seconds, though it is no terminal, or --quiet",
    "--verbose": "also bounds in full and seconds by phase; of a placement, TorchRec's table of ranks",
  },
  help: `
The instance says which problem it is of; shardproof schema prints which problems there are, and what an instance of each
may have. The plan file of --out has the certificate of the bound, for shardproof verify, export, simulate and report.

Exit status: 0 proved to the gap, or a method's plan, of which no proof was asked; 3 not proved within the limit (the bound
that was proved is shown); 4 proved infeasible; 2 bad input or usage.
`,
  example: `
$ shardproof plan instances/paper/flexshard-rm1.yaml --out plan.json
…
communication     139.296 ms per iteration
proved bound      139.296 ms, gap 0
…
FlexShard 3-tier  148.967 ms, 6.9 % above the bound
`,
} as const satisfies CommandTable;

/** The options that searches are asked by; other commands have some of them. */
export type SolvingOptions = OptionsOf<typeof PLAN>;

export const COMPARE = {
  name: "compare",
  about: "every applicable method side by side: value, gap to the proved bound, seconds",
  arguments: { "<instances...>": "instance files (YAML or JSON); - is standard input" },
  options: {
    ...SOLVING,
    "--method-file <file>": [
      "also a method of one's own, a module or '{command: python3 mine.py}' (docs/studies.md); may be repeated",
      collected,
    ],
  },
  help: `
--time-limit is for all instances and methods together: each instance gets an even share of what is left, of which the
search for its optimum may take six tenths. A published method that its share is too short for is marked.

Exit status: 0 every optimum is proved to the gap; 3 one is not; 4 one is proved infeasible; 2 bad input or usage.
`,
  example: `
$ shardproof compare instances/paper/flexshard-rm1.yaml
…
method             ms per iteration  above the bound  memory per GPU
…
row-wise                    318.568          128.7 %       8.400 GiB
…
flexshard-3tier             148.967            6.9 %       8.400 GiB
`,
} as const satisfies CommandTable;

export const VERIFY = {
  name: "verify",
  about: "check an answer and its certificate again, in exact arithmetic",
  arguments: { "<plan>": "plan file, solution or certificate of solve, or VIPR file; - is standard input" },
  options: {
    "--instance <file>": "where the instance or model is (default: where the file says)",
    "--baselines": "run all published methods of a plan again, however long they take",
    "--no-baselines": "run none of them again (default: those that are quick)",
    "--format <format>": ["of the model: mps or lp (default: by its name, then by its text)", programFormat],
    "--dialect <name>": [`the reader whose rules the model of a VIPR file was read by: ${DIALECTS_TEXT}`, dialect],
    "--json": "machine-readable result on standard output",
    "--quiet": "no progress",
  },
  help: `
How it is checked: ${CHECKED_HOW_LINES}.
What no check covers is listed as not checked, with the reason.

Exit status: 0 everything holds; 5 something does not, and the output says what; 2 bad input or usage.
`,
  example: `
$ shardproof plan instances/tiny/three-tiers-serial.yaml --out plan.json
$ shardproof verify plan.json
…
ok      feasible     within the budget of memory, in exact arithmetic
…
verified
`,
} as const satisfies CommandTable;

export const SOLVE = {
  name: "solve",
  about: "solve a mixed-integer program file, prove the answer, print it",
  arguments: { "<model>": "model file (MPS or LP); - is standard input" },
  options: {
    ...SOLVING,
    "--solver <name>": `whom to ask for a first point of a hard model: ${SOLVERS_TEXT} (default: highs)`,
    "--gap <gap>": ["relative gap to prove, below 1 (default: 0, the exact optimum)", relativeGap],
    "--format <format>": ["of the model: mps or lp (default: by its name, then by its text)", programFormat],
    "--dialect <name>": [`follow this reader where readers differ: ${DIALECTS_TEXT} (default: cplex)`, dialect],
    "--strict-reading": "refuse a file that readers take differently: any note is exit status 2",
    "--beside <solver>": `also read and solve with this one, and show both: ${SOLVERS_TEXT}`,
    "--certificate <file>": "write the certificate: JSON, or VIPR where the name ends in .vipr",
    "--out <file>": "write the JSON result",
  },
  help: `
In the JSON, a variable or value is a number where a double is exactly that; otherwise (a third, a tenth, an integer
beyond 2^53) it is the exact text of an integer or fraction, "1/3", and approx has the nearest double of each.
objective.value is the nearest double and objective.bound never claims more than was proved; exact has both as
fractions.

Exit status: 0 proved to the gap; 3 not proved within the limits (a bound that was proved is shown); 4 proved
infeasible; 6 unbounded, with a feasible point and a ray; 2 bad model or usage, or a proof to be written as VIPR
that has no rules for it: the answer is printed all the same, and the JSON result has the certificate. Integer
columns that nothing bounds may never be settled: the answer then names them, with exit status 3.
`,
  example: `
$ shardproof solve instances/programs/knapsack-30.mps --certificate proof.json
…
value         8,903
proved bound  8,903, gap 0
`,
} as const satisfies CommandTable;

export const FRONTIER = {
  name: "frontier",
  about: "memory against latency: of row tiers exactly, beside greedy methods; of placements plans and bounds",
  arguments: { "<instance>": "instance file (YAML or JSON); - is standard input" },
  options: {
    "--points <n>": [
      "budgets at which the optimum is proved (default: 20; 0: the relaxation alone, of row tiers)",
      frontierPoints,
    ],
    "--gap <gap>": ["relative gap to prove at each, below 1 (default: 1e-9; 0: the exact optimum)", relativeGap],
    "--time-limit <seconds>": ["of the whole command: then the best proved so far (default: 60)", seconds],
    "--memory-limit <bytes>": [MEMORY_LIMIT_TEXT, memoryBytes],
    "--seed <n>": ["seed of random numbers, of which row tiers have none (default: 0)", wholeNumber],
    "--json": "machine-readable result on standard output",
    "--exact": "of row tiers: break-points also as exact fractions, in the JSON",
    "--csv [file]": "all points as CSV, to a file or to standard output",
    "--out <file>": "write the JSON with the plan and the certificate of every point",
    "--quiet": "no progress and no warnings",
  },
  help: `
Of row tiers: the relaxation's break-points are all there are, exactly, with one objective sum (serial, exposed) and memory
as the only capacity that can bind; otherwise they are those of exact supporting lines, and the result says how near those
come. In the relaxation a collective's latency counts in proportion to what the collective carries. The greedy frontier at a
budget is the best of the method's plans at this budget and the smaller ones.

Of a table placement: at budgets of device memory from what no plan has less of to what the best plan found needs, and at
the instance's own, the best plan and a proved bound. A plan found with less memory is one with more, and a bound proved
with more memory holds with less.

Exit status: 0 every point is proved to the gap; 3 some are not, or Ctrl-C ended the search; 4 there is no plan at any
budget; 2 bad input or usage.
`,
  example: `
$ shardproof frontier instances/paper/flexshard-rm1.yaml --points 3
…
  GiB per GPU  exact ms      gap  3-tier ms      above  2-tier ms      above
…
        8.400   139.296        0    148.967      6.9 %    156.045     12.0 %
`,
} as const satisfies CommandTable;

export const EXPLAIN = {
  name: "explain",
  about: "why a placement is as it is: what fills devices, what binds, what other options would cost at least",
  arguments: { "<plan>": "plan file of a table placement; - is standard input" },
  options: {
    "--instance <file>": "where the instance is (default: where the plan says)",
    "--time-limit <seconds>": ["of the whole command: then what is proved so far (default: 60)", seconds],
    "--memory-limit <bytes>": [MEMORY_LIMIT_TEXT, memoryBytes],
    "--seed <n>": ["seed of the random numbers of searches (default: 0)", wholeNumber],
    "--json": "machine-readable result on standard output",
    "--out <file>": "write the JSON with the certificate of every bound",
    "--quiet": "no progress and no warnings",
  },
  help: `
The plan is verified first, its published methods apart. Then, for every table that has another option, it is proved what
the best plan without this table's option costs at least; what there was no time for is named, with the bounds that hold
all the same. The instance is looked for where the plan says it was.

Exit status: 0 explained; 5 the plan failed its check, and the output says what; 2 bad input or usage.
`,
  example: `
$ shardproof plan instances/tiny/placement-torchrec.yaml --out plan.json
$ shardproof explain plan.json
…
  load binds    device 1: t0, t1
…
`,
} as const satisfies CommandTable;

export const REPORT = {
  name: "report",
  about: "one self-contained HTML page about a plan, or several plans compared",
  arguments: { "<plans...>": "plan files; - is standard input" },
  options: {
    "--out <file>": "the page (default: standard output)",
    "--instance <file>": "where the instance is, of one plan (default: where the plan says)",
    "--time-limit <seconds>": ["for what the charts need computed; the check is not cut short", seconds, 20],
    "--no-check": "do not check the plans again; the page says so",
    "--quiet": "no progress and no warnings",
  },
  help: `
The page needs no network and no server. It has the plans' own numbers, charts, the specification of each chart
(Vega-Lite), and the plan files themselves to download. Every plan is checked again while the page is made, as
by shardproof verify; charts that need the instance are left out where it is not there any more.

Exit status: 0 the page was made, and no plan failed its check; 5 a plan failed it, which the page says; 2 bad input
or usage.
`,
  example: `
$ shardproof plan instances/tiny/towers-pairwise.yaml --out plan.json
$ shardproof report plan.json --out report.html
towers-pairwise  tower-partition, proved optimal, checked again
`,
} as const satisfies CommandTable;

export const IMPORT = {
  name: "import",
  about: "an instance from TorchRec's planning problem, or the score of a TorchRec sharding plan",
  arguments: {
    "<format>": ["what the file is of", ["torchrec"]],
    "<file>": "planning problem, or with --instance a sharding plan (JSON); - is standard input",
  },
  options: {
    ...SOLVING,
    "--solver <name>": `sharding plan: also ask a general solver and compare: ${SOLVERS_TEXT}`,
    "--gap <gap>": ["sharding plan: relative gap to prove, below 1 (default: 1e-9; 0: the exact optimum)", relativeGap],
    "--expand": "problem: write every option that TorchRec enumerates, with its costs and bytes",
    "--instance <file>": "sharding plan: the instance to score it on",
    "--score": "sharding plan: what it comes to alone, at once, without a search for a better one",
    "--out <file>": "problem: write the instance (.json: JSON, others: YAML); sharding plan: write the best plan",
  },
  example: `
$ shardproof import torchrec examples/torchrec-problem.json --out eight.yaml
$ shardproof import torchrec examples/torchrec-sharding.json --instance eight.yaml --out better.json
…
largest device cost  0.206764 ms  (device 2; mean 0.203525 ms)
proved bound         0.192618 ms
`,
} as const satisfies CommandTable;

export const EXPORT = {
  name: "export",
  about: "a plan for other tools: where each row goes, sharding plans for TorchRec, its program or proof",
  arguments: { "<plan>": "plan file; - is standard input" },
  options: {
    "--to <target>": [
      "what to write (lp, mps: the program; vipr: the proof)",
      ["remap", "torchrec", "lp", "mps", "vipr"],
    ],
    "--out <path>": "remap: a folder; the others: a file (default: standard output)",
    "--instance <file>": "where the plan's instance is (default: where the plan says)",
    "--format <format>": ["remap: of its files (default: npy)", ["npy", "parquet"]],
    "--rank-file <table=file>": ["remap: row ids of a table, the hottest first; may be repeated", collected],
    "--ids-are-ranks": "remap: row ids are in falling order of access where no file says their order, 0 the hottest",
    "--spread": "remap: deal hot rows over the GPUs of a sharded tier, instead of the hottest first",
    "--module <path>": "torchrec: the module inside the model that the placed tables are in, such as sparse.ebc",
    "--exact": "mps and lp: the program that is proved, every digit, instead of natural units in doubles",
    "--proof <name>": "vipr: which, of a plan with several (default: of its own certificate)",
    "--time-limit <seconds>": [
      "vipr: for writing, with proving anew what VIPR has no words for (default: 60)",
      seconds,
    ],
    "--size-limit <bytes>": [
      "vipr: the largest proof that is written (default: 256MiB, what verify reads)",
      memoryBytes,
    ],
    "--json": "remap and torchrec: machine-readable result on standard output",
    "--quiet": "no progress and no warnings",
  },
  mandatory: ["to"],
  example: `
$ shardproof plan instances/tiny/placement-torchrec.yaml --out plan.json
$ shardproof export plan.json --to torchrec --module sparse.ebc --out sharding.json
…
module      table  sharding    kernel  shards  GPUs
sparse.ebc  t0     row_wise    fused        2     2
`,
} as const satisfies CommandTable;
