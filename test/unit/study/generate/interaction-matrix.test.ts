import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { matrixCsv } from "../../../../src/access/interaction/write-csv.js";
import { interactionFault } from "../../../../src/instance/types/interaction.js";
import { type RandomInteraction, randomInteraction } from "../../../../src/study/generate/interaction-matrix.js";

/** The shipped matrices, none of them measured: what each is made of. */
const SHIPPED: readonly (readonly [file: string, spec: RandomInteraction])[] = [
  ["paper/criteo26", { kind: "embedded", features: 26, clusters: 5, seed: 26 }],
  ...([40, 60, 100] as const).flatMap((features) =>
    (["planted", "uniform", "embedded"] as const).map(
      (kind) => [`towers/${kind}-${features}`, { kind, features, seed: features }] as const,
    ),
  ),
];

const namesOf = (features: number) => Array.from({ length: features }, (_, k) => `f${k}`);

// UPDATE_INSTANCES=1 writes the files anew.
test.each(SHIPPED)("instances/%s.csv is what the generator makes", (name, spec) => {
  const file = `instances/${name}.csv`;
  const text = matrixCsv(namesOf(spec.features), randomInteraction(spec));
  if (process.env.UPDATE_INSTANCES === "1") writeFileSync(file, text);
  expect(readFileSync(file, "utf8")).toBe(text);
});

test.each(["planted", "uniform", "embedded"] as const)(
  "%s: an interaction matrix, another one for every seed",
  (kind) => {
    const features = 12;
    const matrix = randomInteraction({ kind, features, clusters: 3, seed: 1 });
    expect(interactionFault(namesOf(features), (row, column) => matrix[row * features + column] as number)).toBeNull();
    expect(randomInteraction({ kind, features, clusters: 3, seed: 1 })).toEqual(matrix);
    expect(randomInteraction({ kind, features, clusters: 3, seed: 2 })).not.toEqual(matrix);
  },
);

test("features of one cluster are more alike than others", () => {
  for (const kind of ["planted", "embedded"] as const) {
    const matrix = randomInteraction({ kind, features: 30, clusters: 3, seed: 5 });
    const entries = [...matrix].filter((_, k) => k % 31 !== 0).sort((a, b) => a - b);
    // About a third of the pairs is inside a cluster: far above the rest.
    const median = (part: readonly number[]) => part[part.length >> 1] as number;
    expect(median(entries.slice(-200))).toBeGreaterThan(1.7 * median(entries.slice(0, 500)));
  }
});
