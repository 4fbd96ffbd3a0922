import { InputError } from "../../errors/input-error.js";
import { given } from "../../input/given.js";
import { type PlacedDocument, readDocument } from "../../instance/document.js";
import { type Finding, pathText, throwFindings } from "../../instance/findings.js";
import { findingsOfIssues } from "../../instance/schema/issues.js";
import { checkTorchrecProblem } from "./checks.js";
import { DEFAULT_BATCH_SIZE, DEVICE_DEFAULTS, TOPOLOGY_DEFAULTS, TORCHREC_CONSTANTS } from "./constants.js";
import type { DeviceMemory, EstimatorSettings, TorchrecProblem } from "./problem.js";
import { tableOfInput } from "./read-table.js";
import { hasHostLink, NEWEST_RELEASE, releaseOf, type TorchrecRelease } from "./release.js";
import { requireMemory, reservationOf, reserveStorage, type StorageReservation } from "./reservation.js";
import { type TorchrecProblemInput, torchrecProblemSchema } from "./schema.js";
import type { TorchrecTopology } from "./topology.js";
import { withoutNulls } from "./values.js";

/**
 * Reads a TorchRec problem from its text, JSON or YAML, and fills in TorchRec's defaults. Throws {@link InputError} at the
 * first error, with its place in `file`.
 */
export function parseTorchrecProblem(text: string, file: string): TorchrecProblem {
  return readPlacedTorchrecProblem(readDocument(text, file));
}

/** The same, of a document that was read before. */
export function readPlacedTorchrecProblem(document: PlacedDocument): TorchrecProblem {
  throwFindings(document, shortenedVersion(document));
  const { problem, findings } = interpret(document.value);
  throwFindings(document, findings);
  return problem as TorchrecProblem;
}

/** `version: 1.10` is the number 1.1, another release. */
function shortenedVersion(document: PlacedDocument): readonly Finding[] {
  const { version } = (document.value ?? {}) as { readonly version?: unknown };
  if (typeof version !== "number") return [];
  const [written] = /^\d+\.\d*0(?![\d.])/.exec(document.textAt(["version"])) ?? [];
  if (written === undefined || written === `${version}.0`) return [];
  const message = `expected a text, received ${written}, which is the number ${version}; write "${written}"`;
  return [{ path: ["version"], message }];
}

/** The same, of values without a text. Throws {@link InputError} that names the path of the first error. */
export function readTorchrecProblem(json: unknown): TorchrecProblem {
  const { problem, findings } = interpret(json);
  const first = findings[0];
  if (problem && !first) return problem;
  const { path, message } = first as Finding;
  throw new InputError(path.length === 0 ? message : `${pathText(path)}: ${message}`);
}

function interpret(value: unknown): { problem?: TorchrecProblem; findings: readonly Finding[] } {
  const read = (given: unknown) => torchrecProblemSchema.safeParse(given, { reportInput: true });
  const given = withoutNulls(value);
  const misplaced = misplacedConstraints(given);
  if (misplaced.length > 0) return { findings: misplaced };
  const own = read(given);
  const parsed = own.success && own.data.constraints?.default !== undefined ? read(withDefaults(given)) : own;
  if (!parsed.success) return { findings: findingsOfIssues(parsed.error.issues, torchrecProblemSchema) };
  const findings = checkTorchrecProblem(parsed.data);
  if (findings.length > 0) return { findings };
  const problem = problemOf(parsed.data);
  return parsed.data.reservation === undefined
    ? { problem, findings }
    : reserving(problem, reservationOf(parsed.data.reservation));
}

/** Tables with what all of them have where they do not say otherwise. */
function withDefaults(given: unknown): unknown {
  const value = given as TorchrecProblemInput;
  return { ...value, tables: value.tables.map((table) => ({ ...value.constraints?.default, ...table })) };
}

/** Constraints that are a level too high: of all tables, and not under the key that says so. */
function misplacedConstraints(given: unknown): readonly Finding[] {
  const known = torchrecProblemSchema.shape.constraints.unwrap().shape.default.unwrap().shape;
  const stray = (value: unknown, within: readonly string[]): Finding[] =>
    Object.keys(typeof value === "object" && value !== null ? value : {}).flatMap((key): Finding[] =>
      Object.hasOwn(known, key)
        ? [
            {
              path: [...within, key],
              atKey: true,
              message: `expected ${key} in a table, or for all of them under constraints: {default: {${key}: …}}, received it here; move it`,
            },
          ]
        : [],
    );
  const { constraints, ...others } = (given ?? {}) as { readonly constraints?: unknown };
  return [...stray(others, []), ...stray(constraints, ["constraints"])];
}

/**
 * The problem with a reservation taken off its devices; a finding where too little is left. TorchRec itself looks at rank 0's
 * HBM alone, and not with every policy: then no shard fits on the others, and it ends without a plan.
 */
function reserving(problem: TorchrecProblem, reservation: StorageReservation): ReturnType<typeof interpret> {
  const { devices: from, topology, tables, constants } = problem;
  try {
    const devices = reserveStorage(from, reservation, { computeDevice: topology.computeDevice, tables, constants });
    requireMemory(devices);
    return { problem: { ...problem, devices, reserved: { policy: reservation.policy, from } }, findings: [] };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { findings: [{ path: ["reservation"], message: error.message }] };
  }
}

function problemOf(input: TorchrecProblemInput): TorchrecProblem {
  const batchSize = input.batch_size ?? DEFAULT_BATCH_SIZE;
  const devices = devicesOf(input);
  const release = (input.version === undefined ? null : releaseOf(input.version)) ?? NEWEST_RELEASE;
  return {
    release,
    topology: topologyOf(input, devices, release),
    devices,
    tables: input.tables.map((table) => tableOfInput(table, batchSize, input.fused_params)),
    settings: settingsOf(input),
    unevenRowWise: input.uneven_row_wise || !input.runnable,
    isRunnable: input.runnable,
    constants: { ...TORCHREC_CONSTANTS, ...given(input.constants ?? {}) },
  };
}

function devicesOf({ devices, topology }: TorchrecProblemInput): readonly DeviceMemory[] {
  if (!devices) return Array.from({ length: topology.world_size }, () => DEVICE_DEFAULTS);
  return devices.map(({ hbm, ddr, ssd }) => ({
    hbmBytes: hbm,
    hostBytes: ddr ?? DEVICE_DEFAULTS.hostBytes,
    ssdBytes: ssd ?? DEVICE_DEFAULTS.ssdBytes,
  }));
}

function topologyOf(
  { topology }: TorchrecProblemInput,
  devices: readonly DeviceMemory[],
  release: TorchrecRelease,
): TorchrecTopology {
  const { world_size: worldSize, local_world_size: localWorldSize = worldSize, pod_size: podSize } = topology;
  const { ddr_mem_bw: ddrBandwidth = TOPOLOGY_DEFAULTS.ddrBandwidth } = topology;
  return {
    worldSize,
    localWorldSize,
    podSize,
    computeDevice: topology.compute_device,
    ...TOPOLOGY_DEFAULTS,
    ...given({
      intraHostBandwidth: topology.intra_host_bw,
      interHostBandwidth: topology.inter_host_bw,
      hbmBandwidth: topology.hbm_mem_bw,
      ddrBandwidth: topology.ddr_mem_bw,
      hbmToDdrBandwidth: hasHostLink(release) ? topology.hbm_to_ddr_mem_bw : ddrBandwidth,
      ssdBandwidth: topology.ssd_mem_bw,
      backwardComputeMultiplier: topology.bwd_compute_multiplier,
      weightedFeatureBackwardComputeMultiplier: topology.weighted_feature_bwd_compute_multiplier,
      customCapacities: customCapacities(topology, devices),
    }),
  };
}

/**
 * Capacities by which row_wise cuts rows: the given ones, or those of devices that differ, because TorchRec has such devices
 * by a custom topology alone.
 */
function customCapacities(
  { compute_device, hbm_cap, ddr_cap }: TorchrecProblemInput["topology"],
  devices: readonly DeviceMemory[],
): readonly number[] | undefined {
  const onHbm = compute_device !== "cpu";
  const given = onHbm ? hbm_cap : ddr_cap;
  if (given) return given;
  const capacities = devices.map(({ hbmBytes, hostBytes }) => (onHbm ? hbmBytes : hostBytes));
  return new Set(capacities).size > 1 ? capacities : undefined;
}

function settingsOf(input: TorchrecProblemInput): EstimatorSettings {
  const { cache_load_factor, prefetch_pipeline, multipass_prefetch_passes } = input.fused_params ?? {};
  return {
    isInference: input.is_inference,
    pipelineType: input.pipeline_type,
    runEmbeddingAtPeakMemory: input.run_embedding_at_peak_memory,
    countsVirtual: input.countVirtual,
    communicationBytes: given(input.qcomm_dtype_sizes ?? {}),
    ...given({
      cacheLoadFactor: cache_load_factor,
      prefetchPipeline: prefetch_pipeline,
      prefetchPasses: multipass_prefetch_passes,
    }),
  };
}
