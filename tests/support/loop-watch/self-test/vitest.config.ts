import { defineConfig } from 'vitest/config'
import { runEnvironment } from '../../canary/run-environment.ts'

process.env.TENANT_LOOP_BUDGET_MS = '500'

/** A run like every other, of suites whose servers are starved, with a smaller budget. */
export default defineConfig({
  test: {
    include: ['tests/support/loop-watch/self-test/*.starved.ts'],
    pool: 'threads',
    isolate: false,
    globalSetup: ['./tests/support/canary/global-setup.ts', './tests/support/loop-watch/global-setup.ts'],
    setupFiles: './tests/support/canary/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: runEnvironment(),
  },
})
