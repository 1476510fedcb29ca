#!/usr/bin/env node
import { endWhenNobodyReads } from './closed-output.ts'
import { runCli } from './program.ts'
import { keepHeapSmall } from './small-heap.ts'

keepHeapSmall()
endWhenNobodyReads(process.stdout, process.stderr)
process.exitCode = await runCli(process.argv.slice(2), process)
