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
])(
  'waits a minute longer than the grace periods of the Pods, up to a limit that tenants cannot raise',
  (there, expected) => {
    expect(longestWaitMs(there)).toBe(expected)
  },
)
