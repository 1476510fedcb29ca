import { describe, expect, it, onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Etcd, missingEtcd } from '../support/stores/etcd.ts'
import { Load, untold } from './outage/load.ts'
import { runningEtcd, twoReplicas } from './support/running.ts'

const timeout = 300_000
const withoutEtcd = missingEtcd()

interface Outage {
  readonly name: string
  /** It lasts until everyone who asks for the current state was refused this often. */
  readonly refusals: number
  begin(etcd: Etcd): void | Promise<void>
  end(etcd: Etcd): void | Promise<void>
}

/** Two kinds of outage: connections are refused, or get no answer. Only a time limit detects the second. */
const outages: readonly Outage[] = [
  { name: 'stopped', refusals: 20, begin: (etcd) => etcd.stop(), end: (etcd) => etcd.start() },
  { name: 'silent', refusals: 1, begin: (etcd) => etcd.freeze(), end: (etcd) => etcd.thaw() },
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
        onTestFinished(() => load.stop())
        const { witness, followers } = load
        await eventually(() => expect(witness.acknowledged.length).toBeGreaterThan(50))

        await outage.begin(etcd)
        witness.refusals.clear()
        // No request hangs until the end of the outage.
        await eventually(() => {
          for (const asker of load.askers)
            expect(witness.refusals.get(asker) ?? 0, asker).toBeGreaterThanOrEqual(outage.refusals)
        })
        const acknowledged = witness.acknowledged.length
        await outage.end(etcd)

        await eventually(() => expect(witness.acknowledged.length).toBeGreaterThan(acknowledged + 50))
        for (const follower of followers) {
          const known = witness.lastAcknowledged
          await eventually(() => expect(follower.lastSeen).toBeGreaterThanOrEqual(known))
        }
        await load.stop()
        expect(witness.complaints).toEqual([])
        for (const follower of followers) {
          expect(follower.disorder()).toEqual([])
          expect(untold(load, follower)).toEqual([])
        }
        for (const { server } of replicas) expect(await server.stop()).toMatchObject({ code: 0 })
      },
    )
  },
)
