import { expect, it } from 'vitest'
import { longestWaitMs } from './what-is-there.ts'

const pod = (deletionGracePeriodSeconds?: number) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }) },
})

it.each([
  [[pod()], 60_000],
  [[pod(0), pod(30)], 90_000],
  [[pod(86_400)], 660_000],
])('a minute more than the Pods that are left may take to end, but not as long as tenants like', (there, expected) => {
  expect(longestWaitMs(there)).toBe(expected)
})
