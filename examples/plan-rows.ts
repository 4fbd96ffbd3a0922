// Which rows of an embedding table should be replicated? Plans a table of five million rows whose accesses follow Zipf's law,
// proves the plan, checks it again, and says what more memory would bring.
import { plan, rowTiers, verify, writePlan } from "shardproof";

const instance = rowTiers({
  name: "zipf",
  cluster: {
    nodes: 4,
    gpusPerNode: 8,
    bandwidth: { allToAllGlobal: 25e9, allToAllIntra: 150e9, allReduceGlobal: 60e9, allReduceCross: 12e9 },
  },
  training: { batchPerGpu: 1024, replicaMemoryFactor: 6 },
  tables: [
    {
      name: "items",
      rows: 5_000_000,
      dim: 128,
      dataType: "fp32",
      access: { zipfMandelbrot: { meanLength: 50, exponent: 1.1, shift: 100 } },
    },
  ],
});

const result = await plan(instance, { gap: 0 });
if (result.status !== "proved") throw new Error(`${result.status}: try a longer time limit`);
const milliseconds = (seconds: number) => `${(seconds * 1e3).toFixed(3)} ms`;
const { value, bound } = result.objective;
console.log(`proved: ${milliseconds(value)} per iteration, no plan is below ${milliseconds(bound)}`);
for (const { name, tiers } of result.tables) {
  for (const { tier, rows, accessShare } of tiers) {
    console.log(`  ${name} ${tier}: ${rows} rows, ${(accessShare * 100).toFixed(1)} % of the accesses`);
  }
}
// Only where the certificate's multipliers nearly prove the optimum by themselves.
const { secondsPerGiBPerGpu: price } = result.prices;
if (price !== null) console.log(`one more GiB on every GPU: ${milliseconds(price)}`);

const { passed, checks } = await verify(writePlan(result), { instance });
console.log(`${passed ? "verified" : "wrong"}: ${checks.length} checks`);
