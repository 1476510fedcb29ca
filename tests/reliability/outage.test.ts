import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Etcd, missingEtcd } from '../support/etcd.ts'
import { eventually } from '../support/eventually.ts'
import { Load, untold } from './outage/load.ts'
import { runningEtcd, twoReplicas } from './support/running.ts'

const outageMs = process.env.CI === 'true' ? 4_000 : 10_000
/** Longer than a server waits for an answer. */
const silenceMs = 7_000
const recoveryMs = 30_000
const timeout = 300_000
const withoutEtcd = missingEtcd()

interface Outage {
  readonly name: string
  readonly ms: number
  begin(etcd: Etcd): void | Promise<void>
  end(etcd: Etcd): void | Promise<void>
}

/** Two kinds of outage: connections are refused, or get no answer. Only a time limit detects the second. */
const outages: readonly Outage[] = [
  { name: 'stopped', ms: outageMs, begin: (etcd) => etcd.stop(), end: (etcd) => etcd.start() },
  { name: 'silent', ms: silenceMs, begin: (etcd) => etcd.freeze(), end: (etcd) => etcd.thaw() },
]

describe.skipIf(withoutEtcd)(
  `an etcd that is down for a while${withoutEtcd === undefined ? '' : ` (skipped: ${withoutEtcd})`}`,
  () => {
    it.each(outages)(
      '$name: requests are refused with a Status, then succeed, and no response is older than an earlier one',
      { timeout },
      async (outage) => {
        const etcd = await runningEtcd()
        const replicas = await twoReplicas(etcd, 20)
        const load = await Load.start(replicas)
        const { witness, followers } = load
        await eventually(() => expect(witness.acknowledged.length).toBeGreaterThan(50), recoveryMs)

        await outage.begin(etcd)
        await delay(outage.ms)
        const [acknowledgedBefore, refusals] = [witness.acknowledged.length, witness.refusals.length]
        await outage.end(etcd)

        await eventually(() => expect(witness.acknowledged.length).toBeGreaterThan(acknowledgedBefore + 50), recoveryMs)
        for (const follower of followers) {
          const known = witness.lastAcknowledged
          await eventually(() => expect(follower.lastSeen).toBeGreaterThanOrEqual(known))
        }
        await load.stop()
        expect(witness.complaints).toEqual([])
        expect(refusals).toBeGreaterThan(0)
        for (const follower of followers) {
          expect(follower.disorder()).toEqual([])
          expect(untold(load, follower)).toEqual([])
        }
        for (const { server } of replicas) expect(await server.stop()).toMatchObject({ code: 0 })
      },
    )
  },
)
