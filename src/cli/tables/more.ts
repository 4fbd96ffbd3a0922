import { NETWORK_KINDS } from "../../cost/neural/features.js";
import { POLICY_REWARDS } from "../../problems/table-placement/methods/autoshard/rewards.js";
import { GENERATOR_KINDS } from "../../study/generate/kinds.js";
import { FORMATS } from "./profile.js";
import { countingNumber, seconds, wholeNumber } from "./readers.js";
import { type CommandTable, collected } from "./table.js";

export const INIT = {
  name: "init",
  about: "an instance file to fill in, every key explained, for a published cluster",
  // By name: their texts are loaded when the command runs.
  arguments: {
    "[problem]": ["what is planned (default: row-tiers)", ["row-tiers", "table-placement", "tower-partition"]],
  },
  options: {
    "--preset <name>": "the cluster (default: flexshard-a100)",
    "--list": "list the presets with their sources",
    "--out <file>": "write the instance file",
    "--quiet": "no notes",
  },
  help: `
A comment explains every key: what it means, its unit, what is filled in, how to find one's own number. Presets are clusters
whose numbers somebody has published; --list has them with their sources. All keys are in docs/instance-keys.md.

From a log to a plan: shardproof init row-tiers --preset dmt-h100 --out base.yaml; name the tables after the log's columns,
with their dim; then shardproof profile log.parquet --instance base.yaml --out instance.yaml --plan plan.json
`,
  example: `
$ shardproof init row-tiers --preset dmt-h100
…
    allToAllGlobal: 50000000000
`,
} as const satisfies CommandTable;

export const GENERATE = {
  name: "generate",
  about: "draw instances from distributions of the papers, by seed",
  arguments: { "<kind>": ["what is drawn", GENERATOR_KINDS] },
  options: {
    "--set <option>": ["an option of the kind, such as features=40; may be repeated", collected],
    "--seed <n>": ["seed of the first instance (default: 0)", wholeNumber],
    "--count <n>": ["so many instances, of seeds that follow each other, into the folder --out", countingNumber],
    "--out <path>": "write the instance, or with --count the folder of instances",
    "--describe": "list the options of the kind, with their defaults",
    "--quiet": "no notes",
  },
  help: `
  rows: tables whose accesses follow Zipf-Mandelbrot laws, in the ranges of FlexShard's models
  tables: for placement, --set distribution=torchrec (the default), lognormal, autoshard or neuroshard
  towers: features whose interactions are drawn, --set distribution=embedded (the default), planted or uniform

--describe lists a kind's options. The same kind, options and seed give the same bytes on every machine; the instance's
source says them. --count N draws seeds S to S + N − 1 into the folder --out.
`,
  example: `
$ shardproof generate towers --set features=3 --set towers=2 --seed 7
…
features: [f0, f1, f2]
`,
} as const satisfies CommandTable;

export const INTERACTION = {
  name: "interaction",
  about: "the interaction matrix of features, for tower-partition, from their embedding vectors (.npy)",
  arguments: { "<embeddings>": "array file of shape (samples, features, elements)" },
  options: {
    "--features <file>": "names of the features, one per line (default: f0, f1, …)",
    "--out <file>": "write the matrix (.csv)",
    "--json": "machine-readable result on standard output",
    "--quiet": "no progress and no warnings",
  },
  help: `
EMBEDDINGS is a NumPy array of float16, float32 or float64 of shape (samples, features, elements): the embedding vectors of each
feature, pooled, for a batch of samples. The interaction of two features is |cos| of their vectors, averaged over samples in which
neither is all zeros (a bag without ids); pairs without such a sample are 0, and named.

The matrix goes into an instance of tower-partition:
  interaction: {file: matrix.csv}
`,
  example: `
$ shardproof interaction embeddings.npy --out matrix.csv
`,
} as const satisfies CommandTable;

export const SCHEMA = {
  name: "schema",
  about: "print the JSON Schema of the instance file, or of plan files",
  options: { "--plan [problem]": "of plan files: of all problems, or of one, such as table-placement" },
  help: `
Editors that know JSON Schema check and complete instance files with it; in VS Code, with the YAML extension, write
"# yaml-language-server: $schema=instance.schema.json" as the first line of the instance.
`,
  example: `
$ shardproof schema > instance.schema.json
$ shardproof schema --plan table-placement > plan.schema.json
`,
} as const satisfies CommandTable;

export const DELTA = {
  name: "delta",
  about: "from one placement to another: what moves, in steps that fit into memory, and whether it is worth it",
  arguments: {
    "<old>": "plan file, or TorchRec's sharding plan, of where the tables are",
    "<new>": "plan file, or sharding plan, of where they shall be; - is standard input",
  },
  options: {
    "--old-instance <file>": "where the old plan's instance is (default: where the plan says)",
    "--instance <file>": "where the new plan's instance is (default: where the plan says)",
    "--optimizer <class>": "the optimizer whose state moves, where a table does not name its own",
    "--to <form>": [
      "what to write: all of it, or what TorchRec's reshard takes (default: delta)",
      ["delta", "torchrec"],
    ],
    "--module <path>": "torchrec: the module inside the model that the tables are in, such as sparse.ebc",
    "--out <file>": "write it",
    "--json": "machine-readable result on standard output",
    "--quiet": "no notes",
  },
  help: `
What of every shard comes from where, parameters and optimizer state; in which steps, so that no memory is exceeded on the
way; and whether it is worth it: the cost now, under the new instance, the cost after, and the seconds of moving. Tables may
have been added, dropped or grown, and devices may have come or gone. The steps are then simulated, rank by rank.

--to torchrec writes what TorchRec's DistributedModelParallel.reshard takes (changed_shard_to_params): the tables whose
shards change. It moves table-wise and column-wise shards on the same ranks; what it cannot move is named.

Exit status: 0 the steps fit; 3 the best steps found need more memory; 5 the simulation differs; 2 bad input or usage.
`,
  example: `
$ shardproof plan instances/tiny/placement-migration-before.yaml --out before.json
$ shardproof plan instances/tiny/placement-migration-after.yaml --out after.json
$ shardproof delta before.json after.json
…
`,
} as const satisfies CommandTable;

export const SIMULATE = {
  name: "simulate",
  about: "send sampled or logged traffic through a plan: predicted beside observed bytes of every collective",
  arguments: { "<plan>": "plan file of row tiers, table placement, or towers with tables; - is standard input" },
  options: {
    "--instance <file>": "where the instance is (default: where the plan says)",
    "--batches <n>": ["iterations to draw (default: 10)", countingNumber],
    "--samples <n>": [
      "of a device in an iteration, where a placement's cost model has none (default: 1024)",
      countingNumber,
    ],
    "--index-order <order>": ["how a placement's blocks hold rows (default: spread)", ["spread", "falling"]],
    "--seed <n>": ["seed of the drawn traffic (default: 0)", wholeNumber],
    "--events <file>": "replay a log of one table instead of drawing",
    "--row <column>": "of a log that profile reads: the column of row ids, or of lists of them",
    "--list <column>": "of such a log: the column of lists, where that does not show",
    "--sample <column>": "of such a log: the samples (default: a line is one)",
    "--format <format>": ["of such a log (default: by its name)", FORMATS],
    "--table <name>": "the table that the log is of (default: the only one)",
    "--rank-file <file>": "ids, the hottest first (default: ids are ranks from 0)",
    "--json": "machine-readable result on standard output",
    "--quiet": "no progress",
  },
  help: `
Row tiers: rows are drawn by their expected appearances in a sample. A log has a sample a line, or lines "sample,row", or is
one that profile reads.
Placements: the ids of every bag are drawn by the table's access, and sent to the devices of their rows. Of a log of one
table (--events), sample i goes to device i mod their number, in whole iterations; compared is that table alone.
Towers with tables: the exchange is run on arrays, rank by rank, and must give what the flat look-up gives.
The result says what was compared, and what was not. A number within 4 standard errors agrees, if half as much again, or
less, would not; docs/row-tiers.md says more.

Exit status: 0 no number of the plan differs from what was observed; 5 some do, or the digest; 3 too few samples to tell any
number that is left to chance; 2 bad input or usage.
`,
  example: `
$ shardproof plan instances/tiny/three-tiers-serial.yaml --out plan.json
$ shardproof simulate plan.json --batches 2
…
ar global           106.667 ms predicted, 106.667 ms observed
`,
} as const satisfies CommandTable;

export const REPRODUCE = {
  name: "reproduce",
  about: "papers' published numbers and figures beside what this program computes",
  arguments: { "<papers...>": "flexshard, autoshard, dmt, joint; one or several" },
  options: {
    "--out <file>": "also a self-contained HTML page with the figures",
    "--csv <file>": "also every published number beside ours, one a line (RFC 4180)",
    "--time-limit <seconds>": ["end with what is done by then (default: no limit)", seconds],
    "--quick": "seconds: without flexshard's optima, autoshard with hardly any training",
    "--json": "machine-readable result on standard output",
    "--quiet": "no progress",
  },
  help: `
  flexshard  tables 4 to 6, figures 3 and 5 to 7, and the optima beside its greedy plans (seconds; --quick: a second)
  autoshard  tables 2 and 3, figures 8 to 11, under costs measured on CPUs (minutes; --quick: seconds)
  dmt        tables 3 to 6, figures 1 and 9 to 13, bytes of its exchange (a second)
  joint      no paper: what hot rows and sizes of caches bring, each switched off in turn (minutes; --quick: a model, little search)

Every number that a paper prints holds here, does not hold, or cannot be checked; the last tables say which, and what it
was held to. --out is a page with the papers' figures, --csv has every number on a line.

Exit status: 0 all of it is there, and proved where it is a proof; 3 the time limit or Ctrl-C left some out; 2 bad usage.
`,
  example: `
$ shardproof reproduce flexshard --quick
…
Table 5: rows and shares of accesses per tier
…
model  sharding  tier                 rows       paper   off by  accesses
RM-1   2-tier    data_parallel     346,156     346,144  +0.00 %    52.5 %
`,
} as const satisfies CommandTable;

export const LEARN_COST = {
  name: "learn-cost",
  about: "train a cost network on measured costs of sets of tables",
  arguments: { "<data>": "measured costs (JSON; - with --stream)" },
  options: {
    "--out <file>": "write the weights",
    "--kind <kind>": ["of network (default: neural)", NETWORK_KINDS],
    "--epochs <n>": ["passes over the data (default: 100)", countingNumber],
    "--seed <n>": ["seed of the random numbers (default: 0)", wholeNumber],
    "--stream": "the sets arrive one by one, as JSON lines",
    "--buffer <n>": ["with --stream: sets that are kept (default: 5000)", countingNumber],
    "--json": "machine-readable result on standard output",
    "--quiet": "no progress and no warnings",
  },
  mandatory: ["out"],
  help: `
DATA is a JSON file of sets of tables with the milliseconds that a device took for each; instances/costs/ has two of
them and says in README.md what is in them. Of the sets 80 % are learned from, 10 % choose the best epoch, and 10 % test it.

  neural         AutoShard's network, 21 features of a table
  neural-convex  the same with a head that is convex in the sum of the tables
  neuroshard     NeuroShard's network, 20 features

With --stream DATA is a stream of JSON lines, - for standard input: the first line names the tables, each other one is a set,
as a micro-benchmark that is running has them. The newest go into a buffer that the network learns from as they arrive
(AutoShard's way); Ctrl-C ends the stream.

The weights go into an instance as costModel: {neural: FILE}. Ctrl-C ends with the best weights so far and exit status 3.
`,
  example: `
$ shardproof learn-cost instances/costs/cpu-4-workers.json --out weights.json
…
data     instances/costs/cpu-4-workers.json: 5,019 sets of 5,136 tables
`,
} as const satisfies CommandTable;

export const LEARN_POLICY = {
  name: "learn-policy",
  about: "train AutoShard's policy to place tables under a learned cost",
  arguments: { "<tasks>": "placement tasks (JSON)" },
  options: {
    "--cost <file>": "weights of the cost network, from learn-cost; with --joint: what it begins from",
    "--out <file>": "write the policy",
    "--joint <weights>": "the cost network learns too, from what these weights say, which stand for hardware",
    "--cost-out <file>": "with --joint: write the weights of the cost network",
    "--buffer <n>": ["with --joint: measured sets that are kept (default: 5000)", countingNumber],
    "--reward <reward>": ["at the end of an episode (default: ratio)", POLICY_REWARDS],
    "--steps <n>": ["tables placed while learning (default: 100000)", countingNumber],
    "--seed <n>": ["seed of the random numbers (default: 0)", wholeNumber],
    "--resume <policy>": "learn on with this policy, up to --steps all in all",
    "--json": "machine-readable result on standard output",
    "--quiet": "no progress and no warnings",
  },
  mandatory: ["out"],
  help: `
TASKS is a JSON file of sets of tables and the devices to place each on; instances/costs/ has AutoShard's and says in
README.md what is in it. The policy learns from the training tasks by trial and error, on the costs that the network predicts.

  ratio    AutoShard's reward: the smallest device cost over the largest
  largest  the largest device cost, negated

With --joint the cost network and the policy learn at the same time, as AutoShard's do: the sets of the policy's plans are
measured, go into a buffer, and the cost network learns from that. Here weights that learned before stand for the hardware:
what they predict counts as measured.

The policy goes into an instance beside the weights that it learned under, costModel: {neural: FILE, policy: FILE}, for
plan --method autoshard-rl. Ctrl-C ends with the policy so far and exit status 3; --resume learns on with it.
`,
  example: `
$ shardproof learn-policy instances/costs/autoshard-tasks.json --cost instances/costs/cpu-4-workers.neural.json --out policy.json
…
tasks    instances/costs/autoshard-tasks.json: 90 to learn from, 8 devices
`,
} as const satisfies CommandTable;

export const COMPLETION = {
  name: "completion",
  about: "print a script that completes commands, options, methods and files on the Tab key",
  arguments: { "<shell>": ["whose script", ["bash", "zsh"]] },
  help: `
For every shell that you open, put the line of the example into ~/.bashrc; for zsh, with zsh in the place of bash, into
~/.zshrc, below the line that runs compinit.
`,
  example: `
$ source <(shardproof completion bash)
`,
} as const satisfies CommandTable;
