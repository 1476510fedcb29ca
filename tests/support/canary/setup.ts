import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { settingsIn, startWatching } from './start-watching.ts'

/** Loaded before every suite; a thread that runs many of them is watched once. */
const settings = settingsIn(process.env)
const watcher = settings === undefined ? undefined : startWatching(settings, () => process.env.TENANT_CANARY_TEST ?? '')
process.env.TENANT_CANARY_TEST = relative(process.cwd(), expect.getState().testPath ?? '')

afterAll(() => watcher?.keepCounts())
