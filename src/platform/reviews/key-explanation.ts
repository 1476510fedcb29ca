import type { UserInfo } from '../../api/access.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject, object, string } from '../../api/schema-builder.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { actingOwnerOf as ownerUser } from '../../auth/keys/key-owner.ts'
import { type ExplainedKey, explain } from '../../auth/scope/explain.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { ownerOf, specOf } from '../access-keys/record/access-key.ts'
import { keyRecordOf } from '../access-keys/record/key-record.ts'
import { reachedObject } from '../proxy/reached-object.ts'
import { attributesOn } from '../proxy/target-authorizer.ts'
import type { Upstreams } from '../upstreams.ts'
import { keyQuestion, visibleKey } from './about-key.ts'
import { explainedRequest } from './explained-request.ts'

/** The layers that decide besides the key itself. */
export interface Deciders {
  /** Ignores the scope of any key. */
  readonly owners: Authorizer
  readonly reach: Pick<Upstreams, 'askInside' | 'licenseFor'>
}

const resourceFields = ['verb', 'group', 'version', 'resource', 'subresource', 'namespace', 'name'] as const

/** `POST …/ownedaccesskeys/NAME/explain`: which layer would refuse a request with the key, and what would change that. */
export function explanation(parts: KeyParts, keys: () => ResourceContext, deciders: Deciders): ReviewResource {
  const question = keyQuestion('explain', 'AccessKeyExplanation', parts)
  return {
    ...question,
    schema: kindSchema(question, 'Why a request with an access key is allowed or refused.', {
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
      return answered(question, { spec, status: await explained(parts, deciders, document, spec) })
    },
  }
}

async function explained(
  parts: KeyParts,
  { owners, reach }: Deciders,
  document: StoredDocument,
  spec: unknown,
): Promise<object> {
  const { index, directory, environment } = parts
  const key = index.find(document.object.metadata.uid ?? '')
  const user = key === undefined ? 'gone' : ownerUser(key, directory)
  const request = explainedRequest(spec, typeof user === 'string' ? unknownUser : user)
  const object = request.target && reachedObject(request.target)
  const ownerRequest = object && attributesOn(request.user, 'use', environment.managementGroup, object)
  const ownerDecision = await owners.authorize(request)
  const isLetIn = typeof user !== 'string' && ownerDecision.verdict === 'allow'
  const question = {
    key: explainedKey(parts, document, user),
    request,
    ...(ownerRequest === undefined ? {} : { ownerRequest }),
    ownerDecision,
    inside: isLetIn ? await reach.askInside(request) : undefined,
    license: reach.licenseFor(request),
  }
  return explain(question, environment)
}

const unknownUser: UserInfo = { name: '', groups: [] }

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
