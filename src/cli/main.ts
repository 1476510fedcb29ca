#!/usr/bin/env node
import { runCli } from './program.ts'
import { keepHeapSmall, optimizeLate, optimizeWasmLate } from './small-heap.ts'
import { exitWhenOutputCloses, untilWritten } from './terminal/closed-output.ts'

keepHeapSmall()
optimizeWasmLate()
optimizeLate(process.versions.v8)
exitWhenOutputCloses(process)
const exitCode = await runCli(process.argv.slice(2), process)
await untilWritten(process)
// A finished command must not keep its process: neither for a handle, nor for a compilation in the background.
process.exit(exitCode)
