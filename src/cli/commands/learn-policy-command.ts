import { type Command, Option } from "commander";
import { POLICY_REWARDS } from "../../problems/table-placement/methods/autoshard/rewards.js";
import { example } from "./example.js";
import { countingNumber, wholeNumber } from "./options.js";

const HELP = `
TASKS is a JSON file of sets of tables and the devices to place each on; instances/costs/ has AutoShard's and says in
README.md what is in it. The policy learns from the training tasks by trial and error, on the costs that the network predicts.

  ratio    AutoShard's reward: the smallest device cost over the largest
  largest  the largest device cost, negated

With --joint the cost network and the policy learn at the same time, as AutoShard's do: the sets of the policy's plans are
measured, go into a buffer, and the cost network learns from that. Here weights that learned before stand for the hardware:
what they predict counts as measured.

The policy goes into an instance beside the weights that it learned under, costModel: {neural: FILE, policy: FILE}, for
plan --method autoshard-rl. Ctrl-C ends with the policy so far and exit status 3; --resume learns on with it.
`;

const EXAMPLE = example(`
$ shardproof learn-policy instances/costs/autoshard-tasks.json --cost instances/costs/cpu-4-workers.neural.json --out policy.json
…
tasks    instances/costs/autoshard-tasks.json: 90 to learn from, 8 devices
`);

/** Adds `shardproof learn-policy`; its code is loaded when it runs. */
export function addLearnPolicyCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("learn-policy")
    .description("train AutoShard's policy to place tables under a learned cost")
    .argument("<tasks>", "placement tasks (JSON)")
    .option("--cost <file>", "weights of the cost network, from learn-cost; with --joint: what it begins from")
    .requiredOption("--out <file>", "write the policy")
    .option("--joint <weights>", "the cost network learns too, from what these weights say, which stand for hardware")
    .option("--cost-out <file>", "with --joint: write the weights of the cost network")
    .option("--buffer <n>", "with --joint: measured sets that are kept (default: 5000)", countingNumber)
    .addOption(new Option("--reward <reward>", "at the end of an episode (default: ratio)").choices(POLICY_REWARDS))
    .option("--steps <n>", "tables placed while learning (default: 100000)", countingNumber)
    .option("--seed <n>", "seed of the random numbers (default: 0)", wholeNumber)
    .option("--resume <policy>", "learn on with this policy, up to --steps all in all")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (tasks, options) => finish((await import("./learn-policy.js")).runLearnPolicy(tasks, options)));
}
