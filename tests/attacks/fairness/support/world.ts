import { request } from 'undici'
import { expect } from 'vitest'
import type { Handler } from '../../../../src/server/exchange.ts'
import type { Limits } from '../../../../src/server/limits.ts'
import { grant, management, startPlatform, type TestPlatform, userNamed } from '../../../platform/platform.ts'
import type { TestServerOptions } from '../../../support/clusters/api-server.ts'
import { eventually } from '../../../support/eventually.ts'
import { patientAgent } from '../../../support/network/patient-agent.ts'

/** A platform with two plain users, and a path that answers on command. */
export interface FairWorld {
  readonly platform: TestPlatform
  readonly port: number
  /** Keys of two users with hardly any rights. */
  readonly mallory: string
  readonly bob: string
  /** Requests to `/held` that currently have a place, by user, in the order in which they got it. */
  readonly held: readonly HeldRequest[]
  /** The value of a metric of the server. */
  metric(name: string): Promise<number>
  /** Polls until a metric has at least this value; no event reports it. */
  until(name: string, expected: number): Promise<void>
  untilAtLeast(name: string, least: number): Promise<void>
  stop(): Promise<void>
}

const patienceMs = 240_000

export interface HeldRequest {
  readonly user: string
  release(): void
}

export async function startFairWorld(
  limits: Partial<Limits> = {},
  options: TestServerOptions = {},
): Promise<FairWorld> {
  const held: HeldRequest[] = []
  const handler: Handler = ({ caller, request }) =>
    new Promise((resolve) => {
      const entry = {
        user: caller.name,
        release: () => {
          held.splice(held.indexOf(entry), 1)
          resolve({ status: 200, headers: [], body: Buffer.from('late') })
        },
      }
      held.push(entry)
      request.signal.addEventListener('abort', () => {
        if (held.includes(entry)) entry.release()
      })
    })
  const platform = await startPlatform({
    ...options,
    server: { limits, extraRoutes: [({ info }) => (info.path === '/held' ? handler : undefined)] },
  })
  const keys: string[] = []
  for (const user of ['mallory', 'bob']) {
    await platform.must('POST', `${management}/users`, userNamed(user))
    await grant(platform, user, [{ nonResourceURLs: ['/held'], verbs: ['*'] }])
    keys.push(await platform.keyOf(user))
  }
  const [mallory = '', bob = ''] = keys
  const watcher = patientAgent({ ca: platform.server.authority })
  const headers = { authorization: 'Bearer admin-token' }
  const metric = async (name: string) => {
    const answer = await request(`${platform.server.url}/metrics`, { dispatcher: watcher, headers })
    const text = await answer.body.text()
    const line = text.split('\n').find((each) => each.startsWith(`${name} `))
    return Number(line?.slice(name.length))
  }
  const until = (name: string, expected: number) =>
    eventually(async () => expect(await metric(name), name).toBe(expected), patienceMs)
  const untilAtLeast = (name: string, least: number) =>
    eventually(async () => expect(await metric(name), name).toBeGreaterThanOrEqual(least), patienceMs)
  const stop = async () => {
    await watcher.destroy()
    await platform.stop()
  }
  return { platform, port: platform.server.port, mallory, bob, held, metric, until, untilAtLeast, stop }
}
