import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, ApiClient, Method } from '../../../reliability/support/api-client.ts'
import type { Chance } from '../../../support/chance.ts'
import { startEtcd } from '../../../support/stores/etcd.ts'
import { Replica, tokenFileText } from './replica.ts'

const names = ['one', 'two', 'three'] as const
const answerMs = 5_000

/** Replicas on one etcd, called at random. */
export interface Servers {
  readonly replicas: readonly Replica[]
  /** A replica that can be called; waits until there is one. */
  client(): Promise<ApiClient>
  /** Undefined if there was no answer: the request may have taken effect or not. */
  ask(method: Method, path: string, body?: unknown, type?: string): Promise<Answer | undefined>
  remove(): Promise<void>
}

export async function startServers(chance: Chance): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-chaos-'))
  const etcd = await startEtcd()
  const tokenFile = join(directory, 'users.csv')
  await writeFile(tokenFile, tokenFileText)
  const replicas = names.map((name) => {
    return new Replica({ name, etcdUrl: etcd.endpoint, directory: join(directory, name), tokenFile })
  })
  const remove = async () => {
    await Promise.all(replicas.map((each) => each.kill()))
    await etcd.remove()
    await rm(directory, { recursive: true, force: true })
  }
  const client = async (): Promise<ApiClient> => {
    for (;;) {
      const clients = replicas.flatMap((each) => each.client ?? [])
      const [first, ...others] = clients
      if (first !== undefined) return chance.pick([first, ...others])
      await delay(20)
    }
  }
  const ask: Servers['ask'] = async (method, path, body, type) => {
    try {
      const asked = await client()
      return await Promise.race([asked.request(method, path, body, type), tooLate()])
    } catch {
      return undefined
    }
  }
  try {
    for (const name of names) await mkdir(join(directory, name))
    await Promise.all(replicas.map((each) => each.start()))
  } catch (error) {
    await remove()
    throw error
  }
  return { replicas, client, ask, remove }
}

async function tooLate(): Promise<undefined> {
  await delay(answerMs, undefined, { ref: false })
}
