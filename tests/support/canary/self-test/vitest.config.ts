import { defineConfig } from 'vitest/config'
import { runEnvironment } from '../run-environment.ts'

/** A run like every other, of suites that leak keys. */
export default defineConfig({
  test: {
    include: ['tests/support/canary/self-test/*.leaks.ts'],
    pool: 'threads',
    isolate: false,
    globalSetup: './tests/support/canary/global-setup.ts',
    setupFiles: './tests/support/canary/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: runEnvironment(),
  },
})
