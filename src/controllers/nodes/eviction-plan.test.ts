import { expect, it } from 'vitest'
import type { Taint, Toleration } from '../../api/types/core-v1.ts'
import { mayStayMs } from './eviction-plan.ts'

const nowMs = Date.UTC(2030, 0, 1)
const bad: Taint = { key: 'bad', effect: 'NoExecute', timeAdded: agoBy(60) }
const worse: Taint = { key: 'worse', value: 'very', effect: 'NoExecute', timeAdded: agoBy(10) }
const closed: Taint = { key: 'closed', effect: 'NoSchedule' }
const all: Toleration = { operator: 'Exists' }
const badFor = (tolerationSeconds: number): Toleration => ({ key: 'bad', operator: 'Exists', tolerationSeconds })

function agoBy(seconds: number): string {
  return new Date(nowMs - seconds * 1000).toISOString()
}

it.each<[string, readonly Taint[], readonly Toleration[], number | undefined]>([
  ['stays where new Pods are only kept away', [closed], [], undefined],
  ['is evicted at once if it tolerates nothing', [bad], [], 0],
  ['is evicted at once if it tolerates one of two taints', [bad, worse], [badFor(600)], 0],
  ['stays if it tolerates all', [bad, worse], [all], undefined],
  ['stays if it tolerates the value', [worse], [{ key: 'worse', value: 'very', effect: 'NoExecute' }], undefined],
  ['is evicted at once if it tolerates another value', [worse], [{ key: 'worse', value: 'a bit' }], 0],
  ['stays for its toleration time', [bad], [badFor(100)], 40_000],
  ['is evicted after the shortest toleration time', [bad], [badFor(100), badFor(70)], 10_000],
  ['is evicted at once after its toleration time', [bad], [badFor(30)], 0],
  ['is evicted at once with a toleration time of zero', [bad], [badFor(0)], 0],
])('a Pod %s', (_, taints, tolerations, wanted) => {
  expect(mayStayMs(taints, tolerations, { createdMs: 0, nowMs })).toBe(wanted)
})

it('a Pod created after the taint has its full toleration time', () => {
  expect(mayStayMs([bad], [badFor(100)], { createdMs: nowMs - 5_000, nowMs })).toBe(95_000)
})
