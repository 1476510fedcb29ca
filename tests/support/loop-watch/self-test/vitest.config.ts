import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { runEnvironment } from '../../canary/run-environment.ts'
import { compiledSource } from '../../compiled-source/plugin.ts'

process.env.TENANT_LOOP_BUDGET_MS = '500'
process.env.TENANT_LOOP_SLOWNESS = '1'

const repository = join(import.meta.dirname, '../../../..')
const compiledFolder = join(repository, 'dist-tests')

/** A run like every other, of suites whose servers are starved, with a smaller budget. */
export default defineConfig({
  plugins: [compiledSource(join(repository, 'src'), compiledFolder)],
  test: {
    include: ['tests/support/loop-watch/self-test/*.starved.ts'],
    pool: 'threads',
    isolate: false,
    globalSetup: ['./tests/support/canary/global-setup.ts', './tests/support/loop-watch/global-setup.ts'],
    setupFiles: './tests/support/canary/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: runEnvironment(),
    server: { deps: { external: [new RegExp(`^(file://)?${compiledFolder}/`)] } },
  },
})
