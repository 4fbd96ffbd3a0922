import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { runJob, type SearchJob } from "./job.js";

/** The thread that searches for placements of one problem, job after job. */
const port = parentPort as MessagePort;

port.on("message", (job: SearchJob) => port.postMessage(runJob(workerData as PlacementProblem, job)));
