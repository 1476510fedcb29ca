import { Agent } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtinKinds } from '../../../src/api/builtin-kinds.ts'
import type { Kind } from '../../../src/api/kind.ts'
import { startTestServer, type TestServer } from '../../support/clusters/api-server.ts'
import { findKubernetes } from '../../support/clusters/kubernetes-programs.ts'
import { call } from '../../support/network/call.ts'
import { askForShared } from '../../support/shared/ask-for-shared.ts'
import { recordedObjects } from './base-objects.ts'
import { differences, notServed } from './differences.ts'
import { type Fields, type Mutation, mutationsOf } from './mutations.ts'

/**
 * Rules that were not recorded: what a real kube-apiserver refuses, we refuse. It is older than the version that we
 * follow, so it says nothing about newer rules; `differences` has the rules that were dropped since.
 */

interface Server {
  readonly port: number
  readonly token: string
}

interface Answer {
  readonly status: number
  readonly message: string
}

const namespace = 'older-rules'
const search = findKubernetes()
const mostAtOnce = 4
/** Objects of one kind; each is sent to both. */
const mostBases = 2
const kinds = builtinKinds().filter((kind) => recordedObjects(kind).length > 0 && !isNewer(kind))

describe.skipIf(search.outcome === 'missing')(
  search.outcome === 'missing' ? search.reason : `what ${search.programs.version} refuses`,
  () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 2 * mostAtOnce })
    let engine: TestServer
    let ours: Server
    let older: Server

    beforeAll(async () => {
      engine = await startTestServer({ kinds: builtinKinds() })
      ours = { port: engine.port, token: 'admin-token' }
      older = await askForShared('kubernetes')
      for (const server of [ours, older]) {
        await post(server, '/api/v1/namespaces', { metadata: { name: namespace } })
        await post(server, `/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } })
      }
    })

    afterAll(async () => {
      await call(older.port, {
        method: 'DELETE',
        path: `/api/v1/namespaces/${namespace}`,
        headers: { Authorization: `Bearer ${older.token}` },
      })
      agent.destroy()
      await engine.stop()
    })

    async function post({ port, token }: Server, path: string, body: object): Promise<Answer> {
      const headers = { Authorization: `Bearer ${token}` }
      const { status, text } = await call(port, { method: 'POST', path, headers, body: JSON.stringify(body) }, agent)
      const { message } = JSON.parse(await text)
      return { status, message: String(message ?? '') }
    }

    async function basesOf(kind: Kind, path: string): Promise<readonly Fields[]> {
      const accepted: Fields[] = []
      for (const object of recordedObjects(kind, namespace)) {
        const base = withoutToken(kind, object)
        const answers = await Promise.all([ours, older].map((server) => post(server, path, base)))
        if (answers.every(({ status }) => status === 201) && accepted.push(base) === mostBases) break
      }
      return accepted
    }

    async function accepted(kind: Kind, path: string, { field, value, object }: Mutation): Promise<readonly string[]> {
      const refused = await post(older, path, object)
      if (refused.status !== 422 || isKnown(kind, refused.message)) return []
      const { status } = await post(ours, path, object)
      return status < 300 ? [`${field} = ${JSON.stringify(value)}: ${refused.message}`] : []
    }

    it.each(kinds.map((kind) => [kind.kind, kind] as const))('%s', async (_, kind) => {
      const path = `${collectionOf(kind)}?dryRun=All`
      const mutations: Mutation[] = []
      for (const base of await basesOf(kind, path)) mutations.push(...mutationsOf(kind.protobufMessage ?? '', base))
      expect(mutations.length).toBeGreaterThan(0)
      const found: string[] = []
      let next = 0
      const work = async () => {
        for (let mutation = mutations[next++]; mutation !== undefined; mutation = mutations[next++]) {
          found.push(...(await accepted(kind, path, mutation)))
        }
      }
      await Promise.all(Array.from({ length: mostAtOnce }, work))
      expect(found).toEqual([])
    })
  },
)

function isNewer({ kind, version }: Kind): boolean {
  return notServed.has(kind) || notServed.has(`${kind}.${version}`)
}

function collectionOf({ group, version, plural, namespaced }: Kind): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return namespaced ? `${root}/namespaces/${namespace}/${plural}` : `${root}/${plural}`
}

/** No controller gives accounts of the older server the token that its Pods would mount. */
function withoutToken({ kind }: Kind, object: Fields): Fields {
  return kind === 'Pod' ? { ...object, spec: { ...Object(object.spec), automountServiceAccountToken: false } } : object
}

function isKnown({ kind }: Kind, message: string): boolean {
  return differences.some(([of, refusal]) => of === kind && refusal.test(message))
}
