#!/usr/bin/env node
import { runCommandLine } from "./command-line.js";
import { ignoreStreamErrors } from "./terminal/streams.js";
import { optimiseLate } from "./v8-tiering.js";

optimiseLate();
ignoreStreamErrors();
await runCommandLine();
