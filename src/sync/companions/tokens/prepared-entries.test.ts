import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { KubeObject } from '../../../api/object.ts'
import { PreparedEntries } from './prepared-entries.ts'

const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } }
const entries = { data: { token: 'dA==' } }

function preparedAt(nowMs: number) {
  const clock = { nowMs, now: () => clock.nowMs }
  const prepared = new PreparedEntries(clock)
  prepared.begin(pod, async () => entries)
  return { clock, prepared }
}

it('prepared tokens are used once, and only for this state of the Pod', async () => {
  const { prepared } = preparedAt(0)
  expect(prepared.take({ ...pod })).toBeUndefined()
  expect(await prepared.take(pod)).toBe(entries)
  expect(prepared.take(pod)).toBeUndefined()
})

it.each([
  ['for which its Pod waited', 10_000, false],
  ['that is new', 9_999, true],
  ['from before the clock was set back', -1, false],
])('a token %s is used only if nearly all of its life is left', (_what, laterMs, isUsed) => {
  const { clock, prepared } = preparedAt(1_000_000)
  clock.nowMs += laterMs
  expect(prepared.take(pod) !== undefined).toBe(isUsed)
})

it('a refusal is reported to callers that wait for the token, and not to later ones', async () => {
  const { prepared } = preparedAt(0)
  const refused = () => Promise.reject(new Error('no such account'))
  prepared.begin(pod, refused)
  await expect(prepared.take(pod)).rejects.toThrow('no such account')
  prepared.begin(pod, refused)
  await nextTurn()
  expect(prepared.take(pod)).toBeUndefined()
})
