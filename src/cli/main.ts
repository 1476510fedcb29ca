#!/usr/bin/env node
import { runCli } from './program.ts'
import { keepHeapSmall, optimizeWasmLate } from './small-heap.ts'
import { endWhenNobodyReads, untilWritten } from './terminal/closed-output.ts'

keepHeapSmall()
optimizeWasmLate()
endWhenNobodyReads(process)
const exitCode = await runCli(process.argv.slice(2), process)
await untilWritten(process)
// A command that has ended keeps its process for nothing: not for a handle, nor for what is being compiled beside it.
process.exit(exitCode)
