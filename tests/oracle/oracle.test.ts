import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coreKinds } from '../../src/api/core/kinds.ts'
import { startTestServer, type TestServer } from '../support/clusters/api-server.ts'
import { parsedLines } from '../support/network/call.ts'
import { differences } from './differences.ts'
import { oracleKind } from './oracle-kind.ts'
import { type Answer, replayer, type Step } from './replay.ts'

const steps = lines<Step>('steps.jsonl')
const recorded = new Map(lines<Answer>('answers.jsonl').map((answer) => [answer.id, answer]))

let server: TestServer
const given = new Map<string, Answer>()

beforeAll(async () => {
  server = await startTestServer({ kinds: [...coreKinds(), oracleKind()], controllers: 'none' })
  const replay = replayer(server.port)
  for (const step of steps) given.set(step.id, await replay(step))
}, 240_000)

afterAll(() => server.stop())

describe('answers as kube-apiserver 1.32.4 gave them', () => {
  it('covers every recorded step', () => {
    expect(steps.length).toBe(248)
    expect([...recorded.keys()]).toEqual(steps.map(({ id }) => id))
  })

  it.each(steps.filter(({ id }) => !differences.has(id)).map(({ id }) => id))('%s', (id) => {
    expect(given.get(id)).toEqual(recorded.get(id))
  })
})

describe('deliberate differences', () => {
  it.each([...differences])('%s', (id, reason) => {
    expect(reason.length, 'a difference needs a reason').toBeGreaterThan(20)
    expect(recorded.has(id), 'it must be a recorded step').toBe(true)
    expect(given.get(id), 'it no longer differs: take it off the list').not.toEqual(recorded.get(id))
  })

  it('are few', () => {
    expect(differences.size).toBeLessThanOrEqual(20)
  })
})

function lines<T>(file: string): T[] {
  return parsedLines(readFileSync(new URL(`data/${file}`, import.meta.url), 'utf8'))
}
