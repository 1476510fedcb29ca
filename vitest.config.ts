import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { runEnvironment } from './tests/support/canary/run-environment.ts'
import { compiledSource } from './tests/support/compiled-source/plugin.ts'

/**
 * Twenty seconds and more each: begun last they would keep one core busy while the other has nothing left. Those that
 * compute and those that wait take turns, so that as few as possible of the first run at once.
 */
const longest = [
  'tests/connect/five-minutes-begin',
  'tests/node/',
  'tests/sync/pairings/real',
  'tests/attacks/identity/keys-partition',
  'tests/client/election',
  'tests/attacks/transport/slow',
  'tests/sync/pairings/embedded-real',
  'tests/storage/crash',
  'tests/sync/pairings/embedded-embedded',
  'tests/reliability/outage',
  'tests/walkthrough/shared-key',
  'tests/chaos/',
  'tests/console/appearance',
  'tests/sign-on/refresh',
  'tests/console/states',
  'tests/client/following',
  'tests/sync/replicas',
  'tests/virtual-cluster-replicas/',
  'tests/walkthrough/guides',
  'tests/attacks/console/hostile-tenant',
  'tests/attacks/fairness/engine-owner-cycles',
  'tests/console/virtual-clusters',
  'tests/attacks/fairness/patch-evaluations',
  'tests/doctor/',
  'tests/link/replicas',
  'tests/attacks/console/other-port',
  'tests/attacks/transport/resets',
  'tests/walkthrough/outage',
  'tests/reliability/',
  'tests/attacks/sync-policy/',
  'tests/console/',
  'tests/history/',
]

/** Looks at what the first has begun. */
const last = 'tests/connect/five-minutes.test'

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      if (moduleId.includes(`/${last}`)) return longest.length + 1
      const index = longest.findIndex((path) => moduleId.includes(`/${path}`))
      return index < 0 ? longest.length : index
    }
    return (await super.sort(files)).toSorted((left, right) => place(left) - place(right))
  }
}

const compiledFolder = join(import.meta.dirname, 'dist-tests')

export default defineConfig({
  plugins: [compiledSource(join(import.meta.dirname, 'src'), compiledFolder)],
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    // To start a program takes a process of a gigabyte fifty times as long as a small one, and threads share theirs.
    pool: 'forks',
    isolate: false,
    // Workers run much code seldom: optimizing it later takes a seventh less processor time. Only Node 20 has the option.
    execArgv: process.versions.node.startsWith('20.') ? ['--interrupt-budget=250000'] : [],
    // Suites wait as well as compute: with three on two cores, a fifth of these had nothing to do.
    maxWorkers: Math.max(4, availableParallelism() * 2),
    sequence: { sequencer: LongestFirst },
    testTimeout: 300_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 60_000 } },
    // No value of an access key may turn up where it does not belong, whatever is being tested.
    // And no server may leave its event loop alone.
    globalSetup: [
      './tests/support/canary/global-setup.ts',
      './tests/support/rsa-keys/global-setup.ts',
      './tests/support/loop-watch/global-setup.ts',
      './tests/support/shared/global-setup.ts',
    ],
    setupFiles: [
      './tests/support/canary/setup.ts',
      './tests/support/rsa-keys/setup.ts',
      './tests/support/property-seed.ts',
    ],
    env: runEnvironment(),
    server: { deps: { external: [new RegExp(`^(file://)?${compiledFolder}/`)] } },
  },
})
