import type { Command } from "commander";
import { example } from "./example.js";

const HELP = `
EMBEDDINGS is a NumPy array of float16, float32 or float64 of shape (samples, features, elements): the embedding vectors of each
feature, pooled, for a batch of samples. The interaction of two features is |cos| of their vectors, averaged over samples in which
neither is all zeros (a bag without ids); pairs without such a sample are 0, and named.

The matrix goes into an instance of tower-partition:
  interaction: {file: matrix.csv}
`;

const EXAMPLE = example(`
$ shardproof interaction embeddings.npy --out matrix.csv
`);

/** Adds `shardproof interaction`; its code is loaded when it runs. */
export function addInteractionCommand(program: Command, finish: (exitStatus: Promise<number>) => Promise<void>): void {
  program
    .command("interaction")
    .description("the interaction matrix of features, for tower-partition, from their embedding vectors (.npy)")
    .argument("<embeddings>", "array file of shape (samples, features, elements)")
    .option("--features <file>", "names of the features, one per line (default: f0, f1, …)")
    .option("--out <file>", "write the matrix (.csv)")
    .option("--json", "machine-readable result on standard output")
    .option("--quiet", "no progress and no warnings")
    .addHelpText("after", HELP + EXAMPLE)
    .action(async (embeddings, options) =>
      finish((await import("./interaction.js")).runInteraction(embeddings, options)),
    );
}
