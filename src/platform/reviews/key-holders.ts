import type { UserInfo } from '../../api/access.ts'
import { accessKeyEntry } from '../../api/managed-secret.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject } from '../../api/schema-builder.ts'
import type { ManagedSecret } from '../../api/types/management.ts'
import type { Authorizer } from '../../auth/contract.ts'
import type { KeyIndex } from '../../auth/keys/contract.ts'
import { Pace, paced } from '../../base/pace.ts'
import type { Steps } from '../../base/steps.ts'
import type { ResourceContext } from '../../registry/context.ts'
import type { StoredDocument } from '../../registry/document.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { entriesOf } from '../access-keys/holders/secret-search.ts'
import { virtualClustersWith } from '../access-keys/holders/virtual-clusters.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { accessKeyOf } from '../access-keys/record/access-key.ts'
import type { ManagedSecrets } from '../managed-secrets/managed-secrets.ts'
import { secretAttributes } from '../managed-secrets/secret-attributes.ts'
import { keyQuestion, visibleKey } from './about-key.ts'

const mostHolders = 200

/**
 * `POST …/ownedaccesskeys/NAME/holders`: the Secrets and virtual clusters that hold the key, and would notice its
 * deletion.
 */
export function keyHolders(
  parts: KeyParts,
  keys: () => ResourceContext,
  secrets: () => ResourceContext,
  managedSecrets: Pick<ManagedSecrets, 'look'>,
  instances: () => ResourceContext,
): ReviewResource {
  const question = keyQuestion('holders', 'AccessKeyHolders', parts)
  return {
    ...question,
    schema: kindSchema(
      question,
      'Who has an access key: Secrets that hold its value, found by its hash, and virtual clusters that are linked with it or used it.',
      {
        spec: anyObject('Nothing is asked for.'),
        status: anyObject(
          'Secrets of the platform and, if they were added to the key, of its clusters; virtual clusters. Secrets that the caller may not read are only counted. Virtual clusters that are linked are all there; `complete: false` says that others may have used the key before.',
        ),
      },
    ),
    review: async (_, context) => {
      const { object } = await visibleKey(keys(), context)
      const uid = object.metadata.uid ?? ''
      const nowMs = parts.clock.now()
      const whichValue = (text: string) => heldValue(text, parts.index, uid, nowMs)
      const added = (accessKeyOf(object).status?.managedSecrets ?? []).filter(({ cluster = '' }) => cluster !== '')
      const looked = await managedSecrets.look(added, (text) => whichValue(text) !== undefined)
      const elsewhere = looked.filter(({ state }) => state === 'holds').map(({ secret }) => holdingOf(secret))
      const pace = new Pace()
      const here = await paced(holdingSecrets(secrets().cache.snapshot().values(), whichValue), pace)
      const found = [...here, ...elsewhere]
      const shown = await readable(found, context.user, parts.authorizer)
      const { uses, complete, sinceMs } = await parts.uses.of(object, nowMs)
      const bearers = virtualClustersWith(context.name, instances().cache.snapshot().values(), uses)
      const isOlder = Date.parse(object.metadata.creationTimestamp ?? '') < sinceMs
      return answered(question, {
        status: {
          secrets: shown.slice(0, mostHolders),
          hiddenSecrets: found.length - Math.min(shown.length, mostHolders),
          virtualClusters: await paced(bearers, pace),
          complete: complete && !isOlder,
        },
      })
    },
  }
}

type KeyValueHeld = 'current' | 'previous'

interface Holding {
  /** Absent: the platform itself. */
  readonly cluster?: string
  readonly namespace: string
  readonly name: string
  readonly entry: string
  /** Which value of the key it is, while two are valid. Not known for Secrets in clusters. */
  readonly value?: KeyValueHeld
}

function holdingOf({ cluster = '', namespace = '', name = '', entry }: ManagedSecret): Holding {
  return { cluster, namespace, name, entry: entry || accessKeyEntry }
}

/** Runs in steps, because each entry is hashed. */
function* holdingSecrets(
  secrets: Iterable<StoredDocument>,
  whichValue: (text: string) => KeyValueHeld | undefined,
): Steps<readonly Holding[]> {
  const holdings: Holding[] = []
  for (const document of secrets) {
    for (const { namespace, name, entry, text } of entriesOf(document)) {
      const value = whichValue(text)
      if (value !== undefined) holdings.push({ namespace, name, entry, value })
      yield
    }
    yield
  }
  return holdings
}

function heldValue(text: string, index: KeyIndex, uid: string, nowMs: number): KeyValueHeld | undefined {
  const check = index.check(text, nowMs)
  if (check.state === 'unknown' || check.key.uid !== uid) return undefined
  return check.state === 'valid' ? check.value.which : 'current'
}

async function readable(
  found: readonly Holding[],
  user: UserInfo,
  authorizer: Authorizer,
): Promise<readonly Holding[]> {
  const decisions = await Promise.all(
    found.map((holding) => authorizer.authorize(secretAttributes('get', holding, user))),
  )
  return found.filter((_, position) => decisions[position]?.verdict === 'allow')
}
