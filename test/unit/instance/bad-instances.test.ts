import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { InputError } from "../../../src/errors/input-error.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";

const FOLDER = "instances/hostile/bad";

/** What is said about each file, each of which has one thing wrong: `line:column: path: …`. */
const MESSAGES: Readonly<Record<string, string>> = {
  "access-none":
    "20:7: tables[0].access: expected exactly one of histogram, coverage, zipfMandelbrot, counts, received none of them; keep one",
  "access-two":
    "20:7: tables[0].access: expected exactly one of histogram, coverage, zipfMandelbrot, counts, received histogram and zipfMandelbrot; keep one",
  "bandwidth-missing-column-wise":
    "8:5: cluster.bandwidth.allToAllGlobal: expected its bandwidth, because the tier column_wise uses it, received nothing; add the key allToAllGlobal, or leave the tier out of tiers",
  "bandwidth-missing-data-parallel":
    "8:5: cluster.bandwidth.allReduceGlobal: expected its bandwidth, because the tier data_parallel uses it, received nothing; add the key allReduceGlobal, or leave the tier out of tiers",
  "bandwidth-missing-flex":
    "8:5: cluster.bandwidth.allToAllIntra: expected its bandwidth, because the tier flex uses it, received nothing; add the key allToAllIntra, or leave the tier out of tiers (and 1 more)",
  "bandwidth-missing-host":
    "9:5: cluster.bandwidth.hostToDevice: expected its bandwidth, because the tier host uses it, received nothing; add the key hostToDevice, or leave the tier out of tiers",
  "bandwidth-missing-row-wise":
    "8:5: cluster.bandwidth.allToAllGlobal: expected its bandwidth, because the tier row_wise uses it, received nothing; add the key allToAllGlobal, or leave the tier out of tiers",
  "budget-negative":
    "12:23: budget.bytesPerGpu: expected a finite number of at least 0 (bytes that a plan may use on each GPU), received -1",
  "budget-not-finite":
    "12:28: budget.extraBytesPerGpu: expected a finite number (bytes per GPU over those of the all-row_wise plan), received -Infinity",
  "budget-two":
    "12:9: budget: expected memory-neutral, {bytesPerGpu: BYTES} or {extraBytesPerGpu: BYTES}, received a map with bytesPerGpu, extraBytesPerGpu",
  "budget-word":
    '12:9: budget: expected memory-neutral, {bytesPerGpu: BYTES} or {extraBytesPerGpu: BYTES}, received string "unlimited"',
  "counts-file-missing":
    "20:22: tables[0].access.counts.file: expected a file that can be read, received no-such-file.csv (no such file); paths are relative to the instance's file",
  "counts-other-format":
    '20:22: tables[0].access.counts.file: expected a .csv, .npy or .parquet file, received string "counts.txt"; give the counts in one of these',
  "counts-samples-zero":
    "20:43: tables[0].access.counts.samples: expected a finite number above 0 (samples over which the accesses were counted), received 0",
  "coverage-all-rows-share":
    "20:57: tables[0].access.coverage.points[1][1]: expected 1, because all rows take all accesses, received 0.9",
  "coverage-appearances-above":
    "20:51: tables[0].access.coverage.points[0][2]: expected a value between 0.3125 and 1.25, the mean appearances of the rows after this point and before it, received 1.25; leave the third entry out to have it chosen",
  "coverage-appearances-below":
    "20:51: tables[0].access.coverage.points[0][2]: expected a value between 0.3125 and 1.25, the mean appearances of the rows after this point and before it, received 0.3; leave the third entry out to have it chosen",
  "coverage-below-even":
    "20:46: tables[0].access.coverage.points[0][1]: expected a share of at least that of evenly read rows between its neighbours, received 0.4; the rows after this point would be read more often than those before",
  "coverage-length-zero":
    "20:30: tables[0].access.coverage.meanLength: expected a finite number above 0 (accesses per sample), received 0",
  "coverage-no-points":
    "20:41: tables[0].access.coverage.points: expected at least one entry (points [hottest rows, share of accesses] in rising order), received an empty list",
  "coverage-not-concave":
    "20:46: tables[0].access.coverage.points[0][1]: expected a share of at least that of evenly read rows between its neighbours, received 0.3; the rows after this point would be read more often than those before",
  "coverage-point-text":
    '20:46: tables[0].access.coverage.points[0][1]: expected a finite number, received string "half"',
  "coverage-rows-beyond-table":
    "20:53: tables[0].access.coverage.points[1][0]: expected at most 10, the table's rows, received 11",
  "coverage-rows-fall":
    "20:53: tables[0].access.coverage.points[1][0]: expected more rows than the point before (4), received 3; order the points by rows",
  "coverage-share-above-1":
    "20:56: tables[0].access.coverage.points[1][1]: expected a finite number of at most 1, received 1.5",
  "coverage-share-falls":
    "20:56: tables[0].access.coverage.points[1][1]: expected a share above the point before (0.5), received 0.5; shares are cumulative",
  "coverage-share-zero": "20:46: tables[0].access.coverage.points[0][1]: expected a finite number above 0, received 0",
  "data-type-unknown":
    '19:15: tables[0].dataType: expected one of fp32, fp16, bf16, fp8, int8 (type of an element), received string "fp64"',
  "duplicate-key": "6:3: this is not YAML 1.2: Map keys must be unique; correct the syntax here",
  empty: "1:1: expected a map with shardproof, name, problem, …, received nothing (null)",
  "fraction-of-a-row": "17:11: tables[0].rows: expected an integer (rows of the table), received 10.5",
  "granularity-fraction":
    "12:14: granularity: expected an integer (rows move between tiers in multiples of this), received 1.5",
  "granularity-zero":
    "12:14: granularity: expected an integer of at least 1 (rows move between tiers in multiples of this), received 0",
  "histogram-empty":
    "20:18: tables[0].access.histogram: expected at least one entry (pairs [rows, expected appearances of such a row in one sample] that cover all rows), received an empty list",
  "histogram-fraction-of-a-row":
    "20:20: tables[0].access.histogram[0][0]: expected an integer (rows that are read alike), received 2.5 (and 1 more)",
  "histogram-long":
    "20:18: tables[0].access.histogram: expected counts that add up to 10, the table's rows, received a sum of 11; correct the counts or rows",
  "histogram-negative-appearances":
    "20:33: tables[0].access.histogram[1][1]: expected a finite number of at least 0 (expected appearances of such a row in one sample), received -0.1",
  "histogram-pair":
    "20:29: tables[0].access.histogram[1]: expected 2 entries ([rows, expected appearances of such a row in one sample]), received a list of 1",
  "histogram-short":
    "20:18: tables[0].access.histogram: expected counts that add up to 10, the table's rows, received a sum of 9; add [1, 0] if the others are never read",
  "host-bytes-missing":
    "5:3: cluster.hostBytesPerNode: expected the host memory of a node, because the tier host uses it, received nothing; add the key hostBytesPerNode, or leave the tier out of tiers",
  infinity:
    "8:21: cluster.bandwidth.allToAllGlobal: expected a finite number (bytes per second per GPU of the all-to-all over all GPUs), received Infinity",
  json: "1:1: training: expected a map (batchPerGpu and replicaMemoryFactor), received nothing; add the key training (and 3 more)",
  "missing-access":
    "16:5: tables[0].access: expected a map (how often each row is read: exactly one of histogram, coverage, zipfMandelbrot, counts), received nothing; add the key access",
  "missing-cluster-key":
    "5:3: cluster.gpusPerNode: expected an integer (GPUs of one node), received nothing; add the key gpusPerNode",
  "missing-name": "1:1: name: expected a text (name of the instance), received nothing; add the key name",
  "missing-training":
    "1:1: training: expected a map (batchPerGpu and replicaMemoryFactor), received nothing; add the key training",
  nan: "20:33: tables[0].access.histogram[1][1]: expected a finite number (expected appearances of such a row in one sample), received NaN",
  "negative-latency":
    "12:29: cluster.latency.allReduceCross: expected a finite number of at least 0 (seconds per call of the all-reduce between the nodes), received -0.000001",
  "negative-nodes": "5:10: cluster.nodes: expected an integer of at least 1 (number of nodes), received -2",
  "not-a-map": "1:1: expected a map with shardproof, name, problem, …, received a list of 2",
  "null-value": "5:9: cluster.nodes: expected an integer (number of nodes), received nothing (null)",
  "number-for-text": "2:7: name: expected a text (name of the instance), received 17",
  "objective-unknown":
    '12:12: objective: expected one of serial, exposed, channels (what a plan minimises), received string "parallel"',
  overflow:
    "8:21: cluster.bandwidth.allToAllGlobal: expected a finite number (bytes per second per GPU of the all-to-all over all GPUs), received Infinity",
  "pooling-sum":
    '19:14: tables[0].pooling: expected sequence, the only pooling of FlexShard\'s cost model, received string "sum"; leave the table out or model it as a sequence',
  "problem-missing":
    "1:1: problem: expected row-tiers, table-placement or tower-partition, received nothing; choose one of these",
  "problem-other":
    '3:10: problem: expected row-tiers, table-placement or tower-partition, received string "towers"; choose one of these',
  "problem-unknown":
    '3:10: problem: expected row-tiers, table-placement or tower-partition, received string "row-tier"; did you mean row-tiers?',
  "rows-beyond-2-53":
    "17:11: tables[0].rows: expected an integer of at most 9007199254740991 (rows of the table), received 9007199254740992",
  "syntax-bracket":
    "21:1: this is not YAML 1.2: Flow sequence in block collection must be sufficiently indented and end with a ]; correct the syntax here",
  "syntax-tab": "5:1: this is not YAML 1.2: Tabs are not allowed as indentation; correct the syntax here",
  "table-name-twice":
    '21:11: tables[1].name: expected a name used once, received string "a", which tables[0] has too; rename one',
  "tables-empty": "15:9: tables: expected at least one entry (the embedding tables), received an empty list",
  "text-for-number": '17:11: tables[0].rows: expected an integer (rows of the table), received string "ten"',
  "tiers-empty": "12:8: tiers: expected at least one entry (strategies that a plan may use), received an empty list",
  "tiers-repeated": "12:25: tiers[2]: expected each tier once, received row_wise again; remove it",
  "tiers-unknown":
    '12:19: tiers[1]: expected one of data_parallel, flex, row_wise, column_wise, host, received string "table_wise"',
  "towers-above-one":
    '11:14: interaction[1][2]: expected an interaction from 0 to 1 (of "b" and "c"), received 1.75; correct it',
  "towers-asymmetric":
    '12:12: interaction[2][1]: expected 0.75, as entry [1][2] ("b" and "c") has it, because interactions are symmetric, received 0.7; correct one of the two',
  "towers-diagonal":
    '11:11: interaction[1][1]: expected 1 on the diagonal ("b" with itself), received 0; interactions, not distances, are wanted',
  "towers-entry-nan": "11:14: interaction[1][2]: expected a finite number (an interaction, from 0 to 1), received NaN",
  "towers-entry-text":
    '11:14: interaction[1][2]: expected a finite number (an interaction, from 0 to 1), received string "high"',
  "towers-features-empty":
    "8:11: features: expected at least one entry (names of the features), received an empty list",
  "towers-features-missing":
    "1:1: features: expected a list (names of the features), received nothing; add the key features",
  "towers-file-format":
    '9:21: interaction.file: expected a .csv or .npy file, received string "matrix.txt"; give the matrix in one of these',
  "towers-file-missing":
    "9:21: interaction.file: expected a file that can be read, received no-such-file.csv (no such file); paths are relative to the instance's file",
  "towers-interaction-key": "9:15: interaction.flie: unknown key; did you mean file?",
  "towers-interaction-missing":
    "1:1: interaction: expected one row of numbers for each feature, or {file: matrix.csv} (or .npy), received nothing; add the key interaction",
  "towers-load-missing":
    "13:1: loadRatio: expected load beside loadRatio, received none; add the key load, or leave loadRatio out",
  "towers-load-negative": "13:11: load[1]: expected a finite number of at least 0 (weight of a feature), received -2",
  "towers-load-ratio-below-one":
    "14:12: loadRatio: expected a finite number of at least 1 (load of the largest tower over the mean load of a tower, at most), received 0.9",
  "towers-load-short": "13:7: load: expected 3 entries, one for each feature, received 2; give one weight for each",
  "towers-name-twice":
    '8:18: features[2]: expected a name used once, received string "a", which features[0] has too; rename one',
  "towers-negative":
    '10:9: interaction[0][1]: expected an interaction from 0 to 1 (of "a" and "b"), received -0.5; correct it',
  "towers-objective":
    '7:12: objective: expected one of pairwise, kmeans (pairwise: the sum of distances inside towers; kmeans: (1/size) · the sum of squared distances), received string "k-means"',
  "towers-row-missing":
    "10:3: interaction: expected 3 rows, one for each feature, received 2; correct features or the matrix",
  "towers-row-short":
    "11:5: interaction[1]: expected 3 entries, one for each feature, received 2; the matrix is square",
  "towers-size-ratio-below-one":
    "5:12: sizeRatio: expected a finite number of at least 1 (features of the largest tower over those of the smallest, at most; 1: sizes differ by at most one), received 0.5",
  "towers-strategy":
    '6:11: strategy: expected one of coherent, diverse (coherent: distance = 1 − interaction; diverse: distance = interaction), received string "similar"',
  "towers-towers-fraction": "4:9: towers: expected an integer (number of towers, none of them empty), received 2.5",
  "towers-towers-zero":
    "4:9: towers: expected an integer of at least 1 (number of towers, none of them empty), received 0",
  "towers-unknown-key": "5:1: sizeRatoi: unknown key; did you mean sizeRatio?",
  "two-documents": "21:1: expected one document, received another after ---; keep one instance per file",
  "two-errors": "5:10: cluster.nodes: expected an integer of at least 1 (number of nodes), received 0 (and 1 more)",
  "unknown-key-bandwidth": "9:5: cluster.bandwidth.allToAllInter: unknown key; did you mean allToAllIntra?",
  "unknown-key-budget": "12:10: budget.bytesPerGPU: unknown key; did you mean bytesPerGpu?",
  "unknown-key-nested": "13:3: training.batchPerGPU: unknown key; did you mean batchPerGpu?",
  "unknown-key-root": "12:1: trainig: unknown key; did you mean training? (and 1 more)",
  "unknown-key-table": "19:5: tables[0].kernel: unknown key; known here: name, rows, dim, dataType, pooling, access",
  "unknown-tag": "17:11: this is not YAML 1.2: Unresolved tag: !rows; correct the syntax here",
  "unresolved-alias": "17:11: expected the anchor &ten before this alias, received none; add it",
  "version-2": "1:13: shardproof: expected 1, the version of the format that this program reads, received 2",
  "version-missing":
    '1:1: shardproof: expected 1, the version of the format that this program reads, received nothing; add "shardproof: 1"',
  "zero-bandwidth":
    "9:20: cluster.bandwidth.allToAllIntra: expected a finite number above 0 (bytes per second per GPU of the all-to-all inside a node), received 0",
  "zero-batch":
    "13:16: training.batchPerGpu: expected a finite number above 0 (samples per GPU and iteration), received 0",
  "zero-dim": "18:10: tables[0].dim: expected an integer of at least 1 (elements per row), received 0",
  "zero-gpus": "6:16: cluster.gpusPerNode: expected an integer of at least 1 (GPUs of one node), received 0",
  "zero-hbm":
    "7:19: cluster.hbmBytesPerGpu: expected a finite number above 0 (memory of one GPU, in bytes), received 0",
  "zero-host-bytes":
    "7:21: cluster.hostBytesPerNode: expected a finite number above 0 (memory of one node's host, in bytes), received 0",
  "zero-replica-factor":
    "14:24: training.replicaMemoryFactor: expected a finite number above 0 (memory of a data-parallel parameter as a multiple of its size), received 0",
  "zero-rows": "17:11: tables[0].rows: expected an integer of at least 1 (rows of the table), received 0",
  "zipf-exponent-negative":
    "20:49: tables[0].access.zipfMandelbrot.exponent: expected a finite number of at least 0 (row r is read in proportion to (r + shift)^-exponent), received -1",
  "zipf-length-above-rows":
    "20:36: tables[0].access.zipfMandelbrot.meanLength: expected at most 10, the table's rows (no row appears more than once), received 11; lower meanLength",
  "zipf-shift":
    "20:59: tables[0].access.zipfMandelbrot.shift: expected a finite number above -1 (row r is read in proportion to (r + shift)^-exponent), received -1",
};

test("every bad file is in the table", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(
    Object.keys(MESSAGES)
      .map((name) => `${name}.yaml`)
      .sort(),
  );
});

test.each(Object.entries(MESSAGES))("%s", async (name, message) => {
  const file = `${FOLDER}/${name}.yaml`;
  const error = await loadInstance(file).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  expect((error as InputError).message).toBe(`${file}:${message}`);
});
