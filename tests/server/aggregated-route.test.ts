import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { ApiError } from '../../src/api/error.ts'
import type { AggregatedApi } from '../../src/registry/aggregation/contract.ts'
import { aggregatedFlow } from '../../src/server/aggregation/aggregated-flow.ts'
import { aggregatedRoute } from '../../src/server/aggregation/aggregated-route.ts'
import type { Exchange } from '../../src/server/exchange.ts'
import { flowOf } from '../../src/server/fairness/flow.ts'
import { exchangeOf } from './fair-exchange.ts'

/** Servers that have not answered yet. `answers` lets them answer the forwarded requests. */
function slowServers() {
  const answers: (() => void)[] = []
  const find = (group: string, version: string): AggregatedApi => ({
    name: `${version}.${group}`,
    group,
    version,
    isAvailable: true,
    resources: [],
    forward: () =>
      new Promise((resolve) => {
        answers.push(() =>
          resolve({ form: 'answer', status: 200, headers: ['content-length', '0'], body: Readable.from([]) }),
        )
      }),
  })
  const { signal: stopping } = new AbortController()
  setMaxListeners(0, stopping)
  const route = aggregatedRoute({ find, stopping })
  const ask = async (group: string): Promise<number | undefined> => {
    const exchange: Exchange = exchangeOf({ name: 'admin', url: `/apis/${group}/v1/foos` })
    exchange.timeoutMs = 60_000
    try {
      return (await route(exchange)?.(exchange))?.status
    } catch (error) {
      return error instanceof ApiError ? error.code : undefined
    }
  }
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer()
  }
  return {
    find,
    answers,
    answerAll,
    ask,
    askOften: (group: string, count: number) => Array.from({ length: count }, () => ask(group)),
  }
}

const counted = (statuses: readonly unknown[], wanted: number) => statuses.filter((status) => status === wanted).length

it('an unresponsive aggregated server leaves slots for others, however many requests are refused', async () => {
  const { answers, answerAll, ask, askOften } = slowServers()
  const many = askOften('slow.example.com', 100)
  expect(answers).toHaveLength(50)
  const other = ask('other.example.com')
  expect(answers).toHaveLength(51)
  answerAll()
  expect(await other).toBe(200)
  const statuses = await Promise.all(many)
  expect([counted(statuses, 200), counted(statuses, 429)]).toEqual([50, 50])
})

it('all aggregated servers share a number of slots, which are released', async () => {
  const { answers, answerAll, ask, askOften } = slowServers()
  const many = [...askOften('a.example.com', 50), ...askOften('b.example.com', 50)]
  expect(await ask('c.example.com')).toBe(429)
  expect(answers).toHaveLength(100)
  answerAll()
  expect(counted(await Promise.all(many), 200)).toBe(100)
  const again = askOften('c.example.com', 50)
  expect(answers).toHaveLength(50)
  answerAll()
  expect(counted(await Promise.all(again), 200)).toBe(50)
})

it.each([
  ['/apis/example.com/v1/foos', 'proxied'],
  ['/apis/example.com/v1', 'proxied'],
  ['/apis/apps/v1/deployments', 'administrators'],
  ['/api/v1/pods', 'administrators'],
])('a slow aggregated server does not occupy slots of administrators: %s', (url, level) => {
  const { find } = slowServers()
  const flow = aggregatedFlow((group, version) => (group === 'example.com' ? find(group, version) : undefined))
  const exchange = exchangeOf({ name: 'admin', groups: ['system:masters'], url })
  expect(flowOf(exchange, flow)).toMatchObject({ level, owner: 'admin' })
})
