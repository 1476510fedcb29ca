import type { UserInfo } from '../../src/api/access.ts'
import { parseBody } from '../../src/api/decode/body.ts'
import { decodeObject } from '../../src/api/decode/object.ts'
import { ApiError } from '../../src/api/error.ts'
import type { KubeObject } from '../../src/api/object.ts'
import { firstKnown } from '../../src/auth/first-known.ts'
import { bootstrapPolicy } from '../../src/auth/rbac/bootstrap.ts'
import { createRbacIndex } from '../../src/auth/rbac/rbac-index.ts'
import { createTokenIssuer } from '../../src/auth/service-account-issuer.ts'
import { createServiceAccountAuthenticator, type FindObject } from '../../src/auth/service-account-tokens.ts'
import { createStaticTokenAuthenticator } from '../../src/auth/static-tokens.ts'
import { generateSigningKeyPem, readSigningKey } from '../../src/base/keys/keypair.ts'
import type { ReviewResource } from '../../src/server/reviews/contract.ts'
import { reviewsOfKubernetes } from '../../src/server/reviews/resources.ts'

export const audience = 'https://kubernetes.default.svc'
export const clock = { now: () => Date.parse('2026-11-15T01:01:29Z') }
export const admin: UserInfo = { name: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] }
export const alice: UserInfo = { name: 'alice', uid: 'alice-uid', groups: ['dev', 'system:authenticated'] }

const stored: ReadonlyMap<string, KubeObject> = new Map(
  [
    { kind: 'ServiceAccount', metadata: { namespace: 'pbns', name: 'sa1', uid: 'sa-uid' } },
    {
      kind: 'Pod',
      metadata: { namespace: 'pbns', name: 'p1', uid: 'pod-uid' },
      spec: { serviceAccountName: 'sa1', nodeName: 'n1' },
    },
    { kind: 'Pod', metadata: { namespace: 'pbns', name: 'p2', uid: 'pod-uid' }, spec: { serviceAccountName: 'other' } },
    { kind: 'Node', metadata: { name: 'n1', uid: 'node-uid' } },
  ].map((each) => [
    `${each.kind}/${each.metadata.namespace ?? ''}/${each.metadata.name}`,
    { apiVersion: 'v1', ...each },
  ]),
)
const findObject: FindObject = (kind, namespace, name) => stored.get(`${kind}/${namespace}/${name}`)

export interface Reviews {
  readonly resources: readonly ReviewResource[]
  /** The answer, or the Status of the refusal. A Buffer is a protobuf body. */
  review(plural: string, body: object | Buffer, place?: Place): Promise<object>
}

export interface Place {
  readonly user?: UserInfo
  readonly namespace?: string
  readonly name?: string
}

/** Reviews over the bootstrap policy, one static token, and the service account `pbns/sa1`. */
export async function startReviews(): Promise<Reviews> {
  const key = readSigningKey(await generateSigningKeyPem())
  const serverAudiences = [audience]
  const tokens = createStaticTokenAuthenticator([
    { token: 'alice-token', name: 'alice', uid: 'alice-uid', groups: ['dev'] },
  ])
  const accounts = { issuer: audience, keys: () => [key.verifying], serverAudiences, clock, findObject }
  const dependencies = {
    authenticator: firstKnown([tokens, createServiceAccountAuthenticator(accounts)]),
    authorizer: bootstrapIndex().authorizer,
    clock,
    issueToken: createTokenIssuer({ issuer: audience, signer: { signing: key, noteToken: () => {} }, clock, random }),
    findObject,
    serverAudiences,
  }
  const resources = reviewsOfKubernetes.map((make) => make(dependencies))
  return { resources, review: (plural, body, place = {}) => ask(resources, plural, body, place) }
}

const random = { uuid: () => 'token-id', bytes: (length: number) => new Uint8Array(length) }

function bootstrapIndex() {
  const index = createRbacIndex()
  for (const each of bootstrapPolicy()) {
    index.upsert(each.kind === 'ClusterRole' ? 'ClusterRole' : 'ClusterRoleBinding', each)
  }
  return index
}

async function ask(
  resources: readonly ReviewResource[],
  plural: string,
  body: object | Buffer,
  { user = admin, namespace = '', name = '' }: Place,
): Promise<object> {
  const resource = resources.find((each) => each.plural === plural)
  if (resource === undefined) throw new Error(`There is no review ${plural}.`)
  try {
    const { signal } = new AbortController()
    const context = { user, owner: user.name, signal, namespace, name, dryRun: false, warn: () => {} }
    return await resource.review(decoded(resource, body), context)
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}

function decoded(resource: ReviewResource, body: object | Buffer): KubeObject {
  const kind = {
    ...resource,
    flavor: 'builtin',
    nameRule: 'path-segment',
    hasStatus: false,
    hasGeneration: false,
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    deleteAnswer: 'status',
    strategy: {},
  } as const
  const parsed = Buffer.isBuffer(body)
    ? parseBody(body, 'protobuf', kind)
    : parseBody(Buffer.from(JSON.stringify(body)), 'json', kind)
  return decodeObject(kind, parsed).object
}
