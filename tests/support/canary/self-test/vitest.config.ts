import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { compiledSource } from '../../compiled-source/plugin.ts'
import { runEnvironment } from '../run-environment.ts'

const repository = join(import.meta.dirname, '../../../..')
const compiledFolder = join(repository, 'dist-tests')

/** A run like every other, of suites that leak keys. */
export default defineConfig({
  plugins: [compiledSource(join(repository, 'src'), compiledFolder)],
  test: {
    include: ['tests/support/canary/self-test/*.leaks.ts'],
    pool: 'threads',
    isolate: false,
    globalSetup: './tests/support/canary/global-setup.ts',
    setupFiles: './tests/support/canary/setup.ts',
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: runEnvironment(),
    server: { deps: { external: [new RegExp(`^(file://)?${compiledFolder}/`)] } },
  },
})
