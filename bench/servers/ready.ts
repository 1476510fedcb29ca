import { request } from 'node:https'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from './process.ts'

const pollMs = 10
const patienceMs = 300_000

export interface Probe {
  readonly port: number
  readonly path: string
  /** PEM, read again for each attempt: it may be created only at the start. */
  readonly authority: () => string | undefined
  readonly token: () => string | undefined
}

/** Resolves when the server reports that it is ready. */
export async function untilReady(probe: Probe, processes: readonly ServerProcess[]): Promise<void> {
  await until(`https on port ${probe.port}`, processes, () => answersOk(probe))
}

export async function until(
  what: string,
  processes: readonly ServerProcess[],
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await isTrue())) {
    for (const each of processes) each.check()
    if (performance.now() > deadline) throw new Error(`${what} was not ready within ${patienceMs / 1000} s`)
    await sleep(pollMs)
  }
}

function answersOk({ port, path, authority, token }: Probe): Promise<boolean> {
  const ca = authority()
  const bearer = token()
  if (ca === undefined || bearer === undefined) return Promise.resolve(false)
  return new Promise((resolve) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, ca, agent: false, headers: { authorization: `Bearer ${bearer}` } },
      (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode === 200)
      },
    )
    outgoing.on('error', () => resolve(false))
    outgoing.end()
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
