import fc from "fast-check";
import { Rational } from "../../../src/exact/rational.js";
import { linearForm, makeProgram, type Program } from "../../../src/program/program.js";

/** Numbers of every kind a program may hold: small integers, decimals, thirds, doubles, and beyond 1e30. */
export const rationals: fc.Arbitrary<Rational> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -20, max: 20 }).map((value) => Rational.of(BigInt(value))) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.bigInt({ min: -999n, max: 999n }),
        fc.constantFrom(2n, 3n, 7n, 8n, 10n, 1000n, 10n ** 45n, 3n * 10n ** 45n),
      )
      .map(([numerator, denominator]) => Rational.of(numerator, denominator)),
  },
  {
    weight: 2,
    arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => Rational.fromNumber(value)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(-1n, 1n), fc.constantFrom(1n, 3n), fc.integer({ min: -1, max: 1 }))
      .map(([sign, denominator, near]) => Rational.of(sign * (10n ** 30n + BigInt(near)), denominator)),
  },
);

const bounds = fc.option(rationals, { nil: null });

/** Lower and upper bound: each kind, equal ones and crossed ones included. */
const boundPairs = fc.oneof(
  fc.tuple(bounds, bounds),
  rationals.map((value) => [value, value] as const),
  fc.constantFrom(
    [Rational.zero, null] as const,
    [Rational.zero, Rational.one] as const,
    [null, null] as const,
    [Rational.zero, Rational.of(-1n)] as const,
  ),
);

const forms = (columns: number) =>
  columns === 0
    ? fc.constant(linearForm([]))
    : fc
        .array(fc.tuple(fc.integer({ min: 0, max: columns - 1 }), rationals), { maxLength: columns + 1 })
        .map((terms) => linearForm(terms));

const names = (count: number, prefixes: readonly string[]) =>
  fc.uniqueArray(
    fc
      .tuple(fc.constantFrom(...prefixes), fc.integer({ min: 0, max: 99 }))
      .map(([prefix, index]) => `${prefix}${index}`),
    { minLength: count, maxLength: count },
  );

/** Programs of up to five columns and five rows with names that both file formats can hold. */
export const programs: fc.Arbitrary<Program> = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .chain(([columns, rows]) =>
    fc
      .record({
        name: fc.string(),
        columnNames: names(columns, ["x", "Q_", "use#", "emb(1,2)", "_"]),
        columnBounds: fc.array(boundPairs, { minLength: columns, maxLength: columns }),
        integer: fc.array(fc.boolean(), { minLength: columns, maxLength: columns }),
        rowNames: names(rows + 1, ["R", "c", "x", "row.upper_"]),
        rowForms: fc.array(forms(columns), { minLength: rows, maxLength: rows }),
        rowBounds: fc.array(boundPairs, { minLength: rows, maxLength: rows }),
        sense: fc.constantFrom("minimize" as const, "maximize" as const),
        form: forms(columns),
        constant: rationals,
      })
      .map((parts) =>
        makeProgram({
          name: parts.name,
          columns: parts.columnNames.map((name, index) => {
            const [lower, upper] = parts.columnBounds[index] as readonly [Rational | null, Rational | null];
            return { name, lower, upper, integer: parts.integer[index] === true };
          }),
          rows: parts.rowForms.map((form, index) => {
            const [lower, upper] = parts.rowBounds[index] as readonly [Rational | null, Rational | null];
            return { name: parts.rowNames[index] as string, form, lower, upper };
          }),
          objective: {
            name: parts.rowNames[rows] as string,
            sense: parts.sense,
            form: parts.form,
            constant: parts.constant,
          },
        }),
      ),
  );
