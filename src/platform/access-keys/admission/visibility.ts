import type { ResourceAttributes, UserInfo } from '../../../api/access.ts'
import type { AccessKeyScope } from '../../../api/types/management.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'
import { isWithin } from '../../../auth/scope/within.ts'
import type { Document, Visibility } from '../../../registry/contract.ts'
import { owningCallerOf } from '../../owners/caller.ts'
import type { KeyParts } from '../parts.ts'
import { isSameOwner, ownerOf, specOf } from '../record/access-key.ts'

/**
 * Users see their own keys and those of their teams. Callers who may read the access keys of users, or of teams, see
 * those too. A key with a scope sees no key that reaches further than itself.
 */
export async function keyVisibility(user: UserInfo, parts: KeyParts): Promise<Visibility | undefined> {
  const { authorizer, directory, index } = parts
  const held = user.credential?.scope?.source
  const [seesUsers, seesTeams] = await Promise.all(
    ['users', 'teams'].map(async (resource) => {
      const decision = await authorizer.authorize(readingAll(user, resource, parts.environment.managementGroup))
      return decision.verdict === 'allow'
    }),
  )
  if (seesUsers && seesTeams && held === undefined) return undefined
  const { own } = owningCallerOf(user, directory, index)
  const seesOwner = (owner: KeyOwner | undefined): boolean =>
    (owner?.kind === 'team' ? seesTeams : seesUsers) === true || own.some((each) => isSameOwner(each, owner))
  const seesOwnOnly = !seesUsers && !seesTeams
  return {
    ...(seesOwnOnly ? { currentNames: () => parts.keysByOwner.namesOf(own) } : {}),
    id: JSON.stringify([own, seesUsers, seesTeams, held ?? null]),
    sees: (document) => {
      const { owner, scope, within } = shownOf(document)
      return seesOwner(owner) && (held === undefined || isWithinOnce(within, held, scope, parts))
    },
  }
}

function readingAll(user: UserInfo, resource: string, group: string): ResourceAttributes {
  return { user, verb: 'get', group, version: 'v1', resource, subresource: 'accesskeys', namespace: '', name: '' }
}

/** Whether a key with this scope reaches no further than the key in use, whose scope is `held`. */
export function isWithinHeld(
  held: AccessKeyScope | undefined,
  scope: AccessKeyScope | undefined,
  { environment }: KeyParts,
): boolean {
  return held === undefined || isWithin(scope, held, environment)
}

interface ShownKey {
  readonly owner: KeyOwner | undefined
  readonly scope: AccessKeyScope | undefined
  /** For each scope the key was compared with: whether the key reaches no further. */
  readonly within: WeakMap<AccessKeyScope, boolean>
}

/** A change is checked against what each of many watchers may see, so it is parsed only once. */
const shownKeys = new WeakMap<Document, ShownKey>()

function shownOf(document: Document): ShownKey {
  const known = shownKeys.get(document)
  if (known !== undefined) return known
  const spec = specOf(document.object)
  const shown = { owner: ownerOf(spec), scope: spec.scope, within: new WeakMap() }
  shownKeys.set(document, shown)
  return shown
}

function isWithinOnce(
  known: ShownKey['within'],
  held: AccessKeyScope,
  scope: AccessKeyScope | undefined,
  parts: KeyParts,
): boolean {
  const result = known.get(held) ?? isWithinHeld(held, scope, parts)
  known.set(held, result)
  return result
}
