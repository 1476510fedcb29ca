import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { missingEtcd } from '../../support/stores/etcd.ts'
import { leastStates, runWorkloadChaos } from './drive/run.ts'

/**
 * `CHAOS_WORKLOAD_SECONDS`: the duration; `CHAOS_SEED` repeats the order of changes and of faults; the timing differs.
 */
const seconds = Number(process.env.CHAOS_WORKLOAD_SECONDS ?? 8)
const seed = Number(process.env.CHAOS_SEED ?? 1)
const isLong = seconds > 60
const settleSeconds = 240
const timeout = (seconds + settleSeconds + 300) * 1_000
const withoutEtcd = missingEtcd()

describe.skipIf(withoutEtcd)(
  `replicas on one etcd that are killed while workloads change${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    it('never have too many Pods, too few ready ones or two of one identity, and end as asked', {
      timeout,
    }, async () => {
      const failures = isLong ? 0.05 : 0
      const { complaints, faults, history } = await runWorkloadChaos({ seed, seconds, settleSeconds, failures })
      const { CHAOS_KEEP } = process.env
      if (CHAOS_KEEP !== undefined) writeFileSync(join(CHAOS_KEEP, 'history.json'), JSON.stringify(history))
      const again = `CHAOS_SEED=${seed} CHAOS_WORKLOAD_SECONDS=${seconds} npx vitest run tests/chaos/workloads`
      expect(
        complaints,
        `\n${again} repeats the order of changes and of faults; the timing differs.\n${faults.join('\n')}`,
      ).toEqual([])
      expect(faults.length).toBeGreaterThan(0)
      expect(history.length).toBeGreaterThanOrEqual(leastStates)
    })
  },
)
