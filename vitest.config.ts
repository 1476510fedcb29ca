import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { runEnvironment } from './tests/support/canary/run-environment.ts'

/** Half a minute and more each, and small files: begun last they would keep one core busy while the other has nothing left. */
const longest = [
  /tests\/sync\/pairings\//,
  /tests\/chaos\//,
  /tests\/history\//,
  /tests\/console\/appearance/,
  /tests\/client\/following/,
  /tests\/walkthrough\/guides/,
  /tests\/sync\/replicas/,
  /tests\/attacks\/sync-policy\//,
  /tests\/support\/loop-watch\/self-test/,
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.some((pattern) => pattern.test(moduleId))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Suites wait for processes more than they compute, so that one for each core is not too many.
    maxWorkers: Math.max(2, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // No value of an access key may turn up where it does not belong, whatever is being tested.
    // And no server may leave its event loop alone.
    globalSetup: ['./tests/support/canary/global-setup.ts', './tests/support/loop-watch/global-setup.ts'],
    setupFiles: [
      './tests/support/canary/setup.ts',
      './tests/support/rsa-keys/setup.ts',
      './tests/support/property-seed.ts',
    ],
    env: runEnvironment(),
  },
})
