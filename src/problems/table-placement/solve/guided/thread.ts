import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Job, Jobs } from "./job.js";

/** The thread that searches for placements of one problem, job after job. */
const port = parentPort as MessagePort;
const jobs = new Jobs(workerData as PlacementProblem);

port.on("message", async (job: Job) => port.postMessage(await jobs.run(job)));
