import type { Attributes, RequestTarget, UserInfo } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject, object, string } from '../../api/schema-builder.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { ownerOf as ownerUser } from '../../auth/keys/key-owner.ts'
import { type ExplainedKey, explain } from '../../auth/scope/explain.ts'
import { isJsonObject } from '../../base/json/member.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { ownerOf, specOf } from './access-key.ts'
import { keyRecordOf } from './key-record.ts'
import type { KeyParts } from './parts.ts'
import { visibleKey } from './visible-key.ts'

const resourceFields = ['verb', 'group', 'version', 'resource', 'subresource', 'namespace', 'name'] as const

/** `POST …/ownedaccesskeys/NAME/explain`: which layer would refuse a request with the key, and what would change that. */
export function explanation(parts: KeyParts, keys: () => ResourceContext, owners: Authorizer): ReviewResource {
  const gvk = { group: parts.kind.group, version: parts.kind.version, kind: 'AccessKeyExplanation' }
  return {
    ...gvk,
    plural: 'explain',
    singular: 'explain',
    namespaced: false,
    parent: parts.kind.plural,
    hasOwnParent: true,
    schema: kindSchema(gvk, 'Why a request with an access key is allowed or refused.', {
      spec: object('The request. Give one of the first two.', {
        resourceAttributes: object(
          'A request about objects.',
          Object.fromEntries(resourceFields.map((field) => [field, string(`The ${field} of the request.`)])),
        ),
        nonResourceAttributes: object('A request for a path.', {
          path: string('The path.'),
          verb: string('The method, in lower case.'),
        }),
        target: object('Where the request goes. Absent: to the platform itself.', {
          cluster: string('Name of a Cluster.'),
          project: string('Project of the space or virtual cluster.'),
          space: string('Name of a space.'),
          virtualCluster: string('Name of a virtual cluster.'),
        }),
      }),
      status: anyObject('What each layer says.'),
    }),
    review: async ({ spec }, context) => {
      const document = await visibleKey(keys(), context)
      return answered(gvk, { spec, status: await explained(parts, owners, document, spec) })
    },
  }
}

async function explained(
  parts: KeyParts,
  owners: Authorizer,
  document: StoredDocument,
  spec: unknown,
): Promise<object> {
  const { index, directory, environment } = parts
  const key = index.find(document.object.metadata.uid ?? '')
  const user = key === undefined ? 'gone' : ownerUser(key, directory)
  const asked = attributesOf(spec, typeof user === 'string' ? { name: '', groups: [] } : user)
  const ownerDecision = await owners.authorize(asked)
  const question = { key: explainedKey(parts, document, user), request: asked, ownerDecision }
  return explain(question, environment)
}

function explainedKey(
  { index, clock }: KeyParts,
  document: StoredDocument,
  user: UserInfo | 'gone' | 'locked',
): ExplainedKey {
  const spec = specOf(document.object)
  const record = keyRecordOf(document)
  const endMs = record === undefined ? undefined : index.expiresAtMs(record.uid)
  const isExpired = endMs !== undefined && endMs <= clock.now()
  return {
    name: document.name,
    owner: ownerOf(spec)?.name ?? '',
    state: stateOf(record?.deletionRequested !== false, spec.disabled === true, isExpired, user),
    scope: spec.scope,
  }
}

function stateOf(
  isDeleted: boolean,
  isDisabled: boolean,
  isExpired: boolean,
  user: UserInfo | 'gone' | 'locked',
): ExplainedKey['state'] {
  if (isDeleted) return 'deleted'
  if (user === 'gone') return 'owner-gone'
  if (isDisabled) return 'disabled'
  if (isExpired) return 'expired'
  return user === 'locked' ? 'owner-locked' : 'valid'
}

function attributesOf(spec: unknown, user: UserInfo): Attributes {
  const { resourceAttributes, nonResourceAttributes, target } = isJsonObject(spec) ? spec : {}
  const where = isJsonObject(target) ? targetOf(target) : undefined
  const place = where === undefined ? {} : { target: where }
  if (isJsonObject(resourceAttributes) === isJsonObject(nonResourceAttributes)) {
    throw badRequest('spec: exactly one of resourceAttributes and nonResourceAttributes has to be given')
  }
  if (isJsonObject(nonResourceAttributes)) {
    const { path, verb } = nonResourceAttributes
    return { user, verb: textOf(verb) || 'get', path: textOf(path), ...place }
  }
  const read = (field: string) => textOf(isJsonObject(resourceAttributes) ? resourceAttributes[field] : '')
  return {
    user,
    verb: read('verb'),
    group: read('group'),
    version: read('version') || 'v1',
    resource: read('resource'),
    subresource: read('subresource'),
    namespace: read('namespace'),
    name: read('name'),
    ...place,
  }
}

function targetOf(target: Readonly<Record<string, unknown>>): RequestTarget | undefined {
  const [cluster, project] = [textOf(target.cluster), textOf(target.project)]
  const [space, virtualCluster] = [textOf(target.space), textOf(target.virtualCluster)]
  if (cluster !== '') return { kind: 'cluster', cluster }
  if (virtualCluster !== '') return { kind: 'virtual-cluster', project, virtualCluster }
  return space === '' ? undefined : { kind: 'space', project, space }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
