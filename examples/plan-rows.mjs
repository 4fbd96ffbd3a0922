// Which rows of an embedding table should be replicated? Plans a table of five million rows whose accesses follow Zipf's law,
// proves the plan, and says what more memory would bring.
//
//   node examples/plan-rows.mjs
import { parseInstance, planRowTiers } from "shardproof";

const instance = parseInstance(
  `
shardproof: 1
name: zipf
problem: row-tiers
cluster:
  nodes: 4
  gpusPerNode: 8
  bandwidth: {allToAllGlobal: 25.0e9, allToAllIntra: 150.0e9, allReduceGlobal: 60.0e9, allReduceCross: 12.0e9}
training: {batchPerGpu: 1024, replicaMemoryFactor: 6}
tables:
  - name: items
    rows: 5000000
    dim: 128
    dataType: fp32
    access: {zipfMandelbrot: {meanLength: 50, exponent: 1.1, shift: 100}}
`,
  "zipf.yaml",
);

const plan = await planRowTiers(instance, { gap: 0 });
const { value, bound } = plan.objective;
console.log(
  `${plan.status}: ${(value * 1e3).toFixed(3)} ms per iteration, no plan is below ${(bound * 1e3).toFixed(3)} ms`,
);
for (const { name, tiers } of plan.tables) {
  for (const { tier, rows, accessShare } of tiers) {
    console.log(`  ${name} ${tier}: ${rows} rows, ${(accessShare * 100).toFixed(1)} % of the accesses`);
  }
}
// Only where the certificate's multipliers nearly prove the optimum by themselves.
const { secondsPerGiBPerGpu: price } = plan.prices;
if (price !== null) console.log(`one more GiB on every GPU: ${(price * 1e3).toFixed(3)} ms`);
