#!/usr/bin/env node
import { runCli } from './program.ts'
import { keepHeapSmall, optimizeWasmLate } from './small-heap.ts'
import { endWhenNobodyReads } from './terminal/closed-output.ts'

keepHeapSmall()
optimizeWasmLate()
endWhenNobodyReads(process)
process.exitCode = await runCli(process.argv.slice(2), process)
