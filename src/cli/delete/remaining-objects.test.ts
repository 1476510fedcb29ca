import { expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { remainingAfterWait } from './remaining-objects.ts'

const pod = (deletionGracePeriodSeconds?: number): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }) },
})
const claim: KubeObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' } }

/** Waits for what is there at each time, in seconds, without waiting. */
async function waitedFor(thereAt: (seconds: number) => readonly KubeObject[]) {
  let nowMs = 0
  const look = async () => thereAt(nowMs / 1000)
  const pause = async (ms: number) => {
    nowMs += ms
  }
  const { there, waitedMs } = await remainingAfterWait(look, () => {}, { clock: { now: () => nowMs }, pause })
  return { left: there.map(({ kind }) => kind), seconds: waitedMs / 1000 }
}

it.each([
  [[pod()], 60],
  [[pod(0), pod(30)], 90],
  [[pod(86_400)], 660],
])(
  'waits a minute longer than the grace periods of the Pods, up to a limit that tenants cannot raise',
  async (there, most) => {
    expect(await waitedFor(() => there)).toEqual({ left: there.map(({ kind }) => kind), seconds: most })
  },
)

it('waits for the claim of a Pod that has used up its grace period', async () => {
  const thereAt = (seconds: number) => (seconds < 120 ? [pod(120), claim] : seconds < 122 ? [claim] : [])
  expect(await waitedFor(thereAt)).toEqual({ left: [], seconds: 122 })
})

it('waits for any number of objects', async () => {
  const many = Array.from({ length: 200_000 }, () => claim)
  expect(await waitedFor((seconds) => (seconds < 1 ? many : []))).toEqual({ left: [], seconds: 1 })
})
