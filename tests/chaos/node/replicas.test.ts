import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNode } from '../../support/clusters/real-node.ts'
import { soon } from '../../sync/support/soon.ts'
import { onEtcd, platformNamespace, type ReplicaStage, setReplicaStage } from './replica-stage.ts'
import { killInPod } from './stage.ts'
import { type ConstantWriter, writeConstantly } from './writer.ts'

/** The same number as for a virtual cluster with one replica. */
const rounds = Number(process.env.CHAOS_NODE_ROUNDS ?? 0)
const missing = rounds === 0 ? 'CHAOS_NODE_ROUNDS is not set' : whyNoNode()
const backWithinMs = 180_000
const awayMs = 10_000
const timeout = 600_000

describe.skipIf(missing !== undefined)(
  `replicas on an etcd with three members, on a node where things fail${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let stage: ReplicaStage
    let writer: ConstantWriter

    beforeAll(async () => {
      stage = await setReplicaStage()
      writer = writeConstantly(stage.access, onEtcd)
      await isBack()
    }, timeout)

    afterAll(async () => {
      await writer?.end()
      await stage?.remove()
    }, timeout)

    const faults: readonly (readonly [string, (round: number) => Promise<void>])[] = [
      ['one member of etcd is killed', (round) => withoutMembers([round % 3])],
      ['two members of etcd are killed', (round) => withoutMembers([round % 3, (round + 1) % 3])],
      ['all members of etcd are killed', () => withoutMembers([0, 1, 2])],
      ['a replica of the platform is killed', async () => killInPod('platform', 'serve')],
      ['all replicas of the platform are deleted without grace', () => deletePods(platformNamespace)],
      ['a replica of the virtual cluster is killed', async () => killInPod('run', `--name=${onEtcd}`)],
      ['all replicas of the virtual cluster are deleted without grace', () => deletePods(`tenant-${onEtcd}`)],
      ['the platform is upgraded', () => withoutFailures(() => stage.upgradePlatform())],
      ['the virtual cluster is upgraded', () => withoutFailures(() => stage.upgradeVirtualCluster())],
    ]

    for (let round = 1; round <= rounds; round += 1) {
      it.each(faults)(
        `%s: no acknowledged write is lost, and it recovers without help (round ${round})`,
        async (_, fault) => {
          await fault(round)
          await isBack()
        },
        timeout,
      )
    }

    /** New writes are acknowledged, and all acknowledged writes exist. */
    async function isBack(): Promise<void> {
      const before = writer.acknowledged.size
      await soon(async () => expect(writer.acknowledged.size).toBeGreaterThan(before), backWithinMs)
      await soon(async () => {
        const acknowledged = [...writer.acknowledged]
        const found = await writer.found()
        expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
      })
    }

    async function withoutMembers(members: readonly number[]): Promise<void> {
      await Promise.all(members.map((member) => stage.members.kill(member)))
      await delay(awayMs)
      await Promise.all(members.map((member) => stage.members.start(member)))
    }

    /** Replicas are replaced one after the other, and hand over their links and leases. */
    async function withoutFailures(change: () => Promise<void>): Promise<void> {
      // Pods that were deleted without grace may continue for a while, and then return.
      await stage.onHost(`-n ${platformNamespace} rollout status deployment/tenant-platform --timeout=180s`)
      await stage.onHost(`-n tenant-${onEtcd} rollout status statefulset/${onEtcd} --timeout=180s`)
      await isBack()
      writer.failures()
      await change()
      expect(writer.failures()).toEqual([])
    }

    async function deletePods(namespace: string): Promise<void> {
      await stage.onHost(`-n ${namespace} delete pods --all --grace-period=0 --force`)
    }
  },
)
