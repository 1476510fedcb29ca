import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createLog } from '../../base/log.ts'
import type { KubeClient } from '../../client/contract.ts'
import { ReferencedRuns } from './referenced-runs.ts'

const name = { namespace: 'shop', name: 'a' }

/** The imports of a tenant whose virtual cluster serves none of the kinds. Returns which were looked for. */
function importsOf() {
  const asked: string[] = []
  const lines: string[] = []
  const served = {
    findKindOfGroup: async (group: string, kind: string) => void asked.push(`${group}/${kind}`),
  }
  const client = { served } as unknown as KubeClient
  const runs = new ReferencedRuns(
    {
      clients: { virtual: client, host: client },
      observerOf: () => {
        throw new Error('No kind is served.')
      },
      mayWrite: () => true,
      clock: systemClock,
      elapsed: systemClock,
      log: createLog({ write: (line) => lines.push(line) }),
    },
    { hostNamespace: 'host', hostOf: (virtual) => virtual, isComplete: () => true, mayRead: async () => true },
  )
  onTestFinished(() => runs.stop())
  const refer = (kind: string, isReferenced = true, apiVersion = 'example.com/v1') =>
    runs.referenced({ apiVersion, kind }, name, isReferenced)
  const soon = (assertion: () => void) => vi.waitFor(assertion, { timeout: 240_000 })
  return { refer, asked, lines, soon }
}

it('looks for a kind of any version, whatever version is named first', async () => {
  const { refer, asked, soon } = importsOf()
  refer('Widget', true, 'example.com/v99')
  refer('Widget', true, 'example.com/v1')
  await soon(() => expect(new Set(asked)).toEqual(new Set(['example.com/Widget'])))
})

it('looks for a limited number of kinds, because tenants may name any', async () => {
  const { refer, asked, lines, soon } = importsOf()
  for (let index = 0; index < 1_000; index++) refer(`Kind${index}`)
  await soon(() => expect(new Set(asked).size).toBe(200))
  expect(lines.join()).toContain('more than 200 kinds')
  expect(lines).toHaveLength(1)
})

it('has room for further kinds once others are no longer referred to', async () => {
  const { refer, asked, soon } = importsOf()
  for (let index = 0; index < 200; index++) refer(`Kind${index}`)
  refer('Kind7', false)
  refer('Widget')
  await soon(() => expect(asked).toContain('example.com/Widget'))
})
