import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Job, runJob } from "./job.js";

/** The thread that searches for placements of one problem, job after job. */
const port = parentPort as MessagePort;

port.on("message", (job: Job) => port.postMessage(runJob(workerData as PlacementProblem, job)));
