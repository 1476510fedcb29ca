import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { currentWatcher } from './current-watcher.ts'

/** Loaded before every suite. A thread runs many of them, and is watched from the first one on. */
if (currentWatcher() === undefined) await import('./watch-this-process.ts')
process.env.TENANT_CANARY_TEST = relative(process.cwd(), expect.getState().testPath ?? '')

afterAll(() => currentWatcher()?.keepCounts())
