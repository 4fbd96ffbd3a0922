// Builds a small integer program, proves its optimum, and checks the certificate as a reader who trusts nobody would: from the
// program's text and the certificate's alone.
import { linearForm, makeProgram, Rational, readMps, solveProgram, writeMps } from "shardproof/program";
import { checkCertificate, readCertificate } from "shardproof/proof";

const value = [31, 24, 17, 12];
const weight = [7, 6, 4, 3];
const whole = (number: number) => Rational.fromNumber(number);
const terms = (numbers: readonly number[]) => linearForm(numbers.map((number, j) => [j, whole(number)] as const));

const program = makeProgram({
  name: "shelf",
  columns: value.map((_, j) => ({ name: `item${j}`, lower: whole(0), upper: whole(5), integer: true })),
  rows: [
    { name: "weight", form: terms(weight), lower: null, upper: whole(50) },
    { name: "places", form: terms(value.map(() => 1)), lower: null, upper: whole(9) },
  ],
  objective: { name: "value", sense: "maximize", form: terms(value) },
});

const { outcome, point, certificate } = await solveProgram(program);
if (outcome.status !== "proved" || point === null || certificate === null) throw new Error(outcome.status);
console.log("proved", program.columns.map(({ name }, j) => `${name} = ${point[j]}`).join(", "));

// What would be sent to somebody else: two texts.
const sent = { model: writeMps(program), certificate: JSON.stringify(certificate) };
const { bound } = checkCertificate(readMps(sent.model), readCertificate(JSON.parse(sent.certificate)));
console.log(`value ${outcome.value}, checked bound ${bound}`);
