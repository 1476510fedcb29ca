import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { whyNoNode } from '../../support/clusters/real-node.ts'
import { soon } from '../../sync/support/soon.ts'
import { type NodeStage, setNodeStage, virtualCluster } from './stage.ts'
import { type ConstantWriter, writeConstantly } from './writer.ts'

/** `CHAOS_NODE_ROUNDS`: how often each fault occurs. A round takes minutes, so CI runs none. */
const rounds = Number(process.env.CHAOS_NODE_ROUNDS ?? 0)
const missing = rounds === 0 ? 'CHAOS_NODE_ROUNDS is not set' : whyNoNode()
const backWithinMs = 180_000
const timeout = 400_000

describe.skipIf(missing !== undefined)(
  `a virtual cluster on a node where things fail${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    let stage: NodeStage
    let writer: ConstantWriter

    beforeAll(async () => {
      stage = await setNodeStage()
      writer = writeConstantly(stage.access, virtualCluster)
      await isBack()
    }, timeout)

    afterAll(async () => {
      await writer?.end()
      await stage?.remove()
    }, timeout)

    const faults: readonly (readonly [string, () => Promise<void>])[] = [
      ['its process is killed', async () => stage.killProcess()],
      ['another image comes', () => stage.upgrade()],
      ['its Pod is deleted without grace', () => deletePod()],
      ['its process is killed while the kubelet does not answer', () => withoutKubelet(20_000)],
      ['the network of the node is away for a minute, and doctor says so', () => withoutNetwork(60_000)],
      ['its disk is full for a while, and reads go on', () => withFullDisk()],
      ['the platform is killed', () => stage.restartPlatform()],
      ['the clock of the platform is an hour ahead, and doctor says so', () => ahead()],
    ]

    for (let round = 1; round <= rounds; round += 1) {
      it.each(faults)(
        `%s: no acknowledged write is lost, and it recovers without help (round ${round})`,
        async (_, fault) => {
          await fault()
          await isBack()
        },
        timeout,
      )
    }

    it('is well, doctor says, when all is over', { timeout }, () =>
      soon(async () => {
        const report = await stage.doctor()
        expect(report).toContain('Link: it is linked')
        expect(report).not.toMatch(/^FAIL/m)
      }, backWithinMs),
    )

    /** New writes are acknowledged, and all acknowledged writes exist. */
    async function isBack(): Promise<void> {
      const before = writer.acknowledged.size
      await soon(async () => expect(writer.acknowledged.size).toBeGreaterThan(before), backWithinMs)
      await hasAll()
    }

    function hasAll(): Promise<void> {
      return soon(async () => {
        const acknowledged = [...writer.acknowledged]
        const found = await writer.found()
        expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
      })
    }

    async function deletePod(): Promise<void> {
      const pod = `-n tenant-${virtualCluster} get pod ${virtualCluster}-0 -o jsonpath`
      const before = await stage.onHost(`${pod}={.metadata.uid}`)
      await stage.onHost(`-n tenant-${virtualCluster} delete pod ${virtualCluster}-0 --grace-period=0 --force`)
      await soon(async () => {
        expect(await stage.onHost(`${pod}={.metadata.uid}`)).not.toBe(before)
        expect(await stage.onHost(`${pod}={.status.containerStatuses[*].ready}`)).toBe('true')
      }, backWithinMs)
    }

    async function withoutKubelet(ms: number): Promise<void> {
      stage.freezeKubelet()
      try {
        stage.killProcess()
        await delay(ms)
      } finally {
        stage.thawKubelet()
      }
    }

    async function withoutNetwork(ms: number): Promise<void> {
      await stage.network('down')
      try {
        const [report] = await Promise.all([delay(ms - 10_000).then(() => stage.doctor()), delay(ms)])
        expect(report).toMatch(/^FAIL (Address and TLS|Link): /m)
      } finally {
        await stage.network('up')
      }
    }

    async function withFullDisk(): Promise<void> {
      stage.disk.fill()
      try {
        await soon(async () => expect(await writer.refusals()).toContain('StorageFull'))
        await hasAll()
        expect(await stage.doctor()).toMatch(/^FAIL Storage: .* is full/m)
        stage.killProcess()
        await soon(async () => expect(await containerState()).toMatch(/is full/), backWithinMs)
        await soon(async () => expect(await stage.doctor()).toMatch(/^FAIL Storage: .* is full/m), backWithinMs)
      } finally {
        stage.disk.free()
      }
    }

    /** The last state of a container that cannot start. */
    function containerState(): Promise<string> {
      return stage.onHost(`-n tenant-${virtualCluster} logs ${virtualCluster}-0 -c tenant`).catch(String)
    }

    async function ahead(): Promise<void> {
      await stage.restartPlatform(1)
      await isBack()
      expect(await stage.doctor()).toMatch(/Clock: the clock of this machine is .* behind that of the platform/)
      await stage.restartPlatform()
    }
  },
)
