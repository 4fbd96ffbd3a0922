// Proves the optimum of a small integer program and checks the certificate again, as a reader of it would.
//
//   node examples/prove-program.mjs
import { checkCertificate, readLp, solveProgram } from "shardproof";

const program = readLp(`
Maximize
 value: 31 a + 24 b + 17 c + 12 d
Subject To
 weight: 7 a + 6 b + 4 c + 3 d <= 50
 shelf: a + b + c + d <= 9
Bounds
 a <= 5
 b <= 5
 c <= 5
 d <= 5
General
 a b c d
End
`);

const { outcome, point, certificate } = await solveProgram(program);
console.log(outcome.status, program.columns.map(({ name }, j) => `${name} = ${point[j]}`).join(", "));
console.log(`value ${outcome.value}, checked bound ${checkCertificate(program, certificate).bound}`);
