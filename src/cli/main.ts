#!/usr/bin/env node
import { runCommandLine } from "./command-line.js";
import { ignoreStreamErrors } from "./terminal/streams.js";

ignoreStreamErrors();
await runCommandLine();
