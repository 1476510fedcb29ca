#!/usr/bin/env node
import { runCli } from './program.ts'
import { keepHeapSmall } from './small-heap.ts'
import { endWhenNobodyReads } from './terminal/closed-output.ts'

keepHeapSmall()
endWhenNobodyReads(process)
process.exitCode = await runCli(process.argv.slice(2), process)
