import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { generateSigningKeyPem, readSigningKey, type SigningKey } from '../../src/base/keys/keypair.ts'
import { clusters } from '../../src/cluster/clusters.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { eventually } from '../support/eventually.ts'
import { ClusterClient } from '../sync/support/cluster-client.ts'

const pods = '/api/v1/namespaces/default/pods'
const accounts = '/api/v1/namespaces/default/serviceaccounts'

let signing: SigningKey

beforeAll(async () => {
  signing = readSigningKey(await generateSigningKeyPem('ES256'))
})

/** A server that counts signed tokens. */
async function startSigning(tokensAhead: () => boolean) {
  const signed: number[] = []
  const server = await startTestServer({
    cluster: clusters.apiServer,
    kinds: clusters.apiServer.kinds(),
    tokenSigner: { signing, noteToken: (expiresAtMs) => signed.push(expiresAtMs) },
    verifyingKeys: () => [signing.verifying],
    tokensAhead,
  })
  onTestFinished(() => server.stop())
  const client = new ClusterClient({ url: server.url, authority: server.authority, token: 'admin-token' })
  onTestFinished(() => client.close())
  await eventually(async () => expect((await client.request('GET', `${accounts}/default`)).status).toBe(200))
  signed.length = 0
  const create = async (name: string, query = '') => {
    const spec = { containers: [{ name: 'main', image: 'app:1' }] }
    const { status, body } = await client.request('POST', `${pods}${query}`, { metadata: { name }, spec })
    expect(status).toBe(201)
    return body as PodAnswer
  }
  const ask = async ({ metadata: { name, uid }, spec }: PodAnswer) => {
    const sources = spec.volumes?.flatMap(({ projected }) => projected?.sources ?? []) ?? []
    const seconds = sources.find((each) => each.serviceAccountToken)?.serviceAccountToken?.expirationSeconds
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid }
    const body = { spec: { audiences: [], expirationSeconds: seconds, boundObjectRef } }
    const answer = await client.request('POST', `${accounts}/default/token`, body)
    expect(answer.status).toBe(201)
    return (answer.body as { status: { token: string } }).status.token
  }
  return { signed, create, ask }
}

interface PodAnswer {
  readonly metadata: { readonly name: string; readonly uid: string }
  readonly spec: {
    readonly volumes?: readonly {
      readonly projected?: {
        readonly sources: readonly { readonly serviceAccountToken?: { readonly expirationSeconds: number } }[]
      }
    }[]
  }
}

it('the token of a new Pod is signed while the Pod is stored, and returned to the first request', async () => {
  const { signed, create, ask } = await startSigning(() => true)
  const pod = await create('web')
  expect(signed).toHaveLength(1)
  const first = await ask(pod)
  expect(signed).toHaveLength(1)
  expect(await ask(pod)).not.toBe(first)
  expect(signed).toHaveLength(2)
})

it('no token is signed for an unstored Pod, nor if none will be requested', async () => {
  const { signed, create } = await startSigning(() => true)
  await create('web', '?dryRun=All')
  expect(signed).toEqual([])
  const { signed: others, create: createOther } = await startSigning(() => false)
  await createOther('web')
  expect(others).toEqual([])
})
