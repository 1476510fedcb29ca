import { setTimeout as delay } from 'node:timers/promises'
import { revisionIn } from './answers.ts'
import type { Caller } from './caller.ts'
import type { Collection } from './collection.ts'
import type { Transports } from './connections.ts'
import type { Recorder } from './recorder.ts'

const patienceMs = 240_000
const pauseMs = 20

/** Returns the revision at which the round begins. */
export function makeNamespace({ namespace }: Collection, [{ transport }]: Transports): Promise<number> {
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
  return insist('making the namespace', async () => {
    await transport.ask({ method: 'POST', path: '/api/v1/namespaces', body })
    const reply = await transport.ask({ method: 'GET', path: `/api/v1/namespaces/${namespace}` })
    return reply.is === 'answer' && reply.status === 200 ? revisionIn(JSON.parse(reply.text)) : undefined
  })
}

/** A last write, whose revision every watch must reach, and a last list by each server. */
export async function writeTheEnd(caller: Caller, recorder: Recorder, transports: Transports): Promise<number> {
  const goal = await insist('a last write', async () => {
    const id = recorder.nextId('end')
    const outcome = await caller.call(id, { do: 'create', name: id, data: { last: id } }, transports[0])
    return outcome?.is === 'done' ? outcome.sight?.revision : undefined
  })
  for (const transport of transports) {
    await insist(`a last list by ${transport.server}`, () => caller.list({ state: 'latest' }, 0, () => transport))
  }
  return goal
}

/** Retries: the servers have no faults anymore, so the attempt must succeed soon. */
async function insist<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const result = await attempt()
    if (result !== undefined) return result
    if (performance.now() > deadline) throw new Error(`${what} was not possible for ${patienceMs} ms without faults`)
    await delay(pauseMs)
  }
}
