#!/usr/bin/env node
import { runCli } from './program.ts'
import { keepHeapSmall } from './small-heap.ts'

keepHeapSmall()
process.exitCode = await runCli(process.argv.slice(2), process)
