import type { ResourceAttributes } from '../../../api/access.ts'
import type { WriteRequest } from '../../../registry/contract.ts'
import { owningCallerOf } from '../../owners/caller.ts'
import {
  actingFor,
  asGroups,
  gainedMemberships,
  managing,
  requireAll,
  requireLastingKey,
  requireNoGainByScope,
  requireWithinScope,
} from '../../rights.ts'
import type { KeyParts } from '../parts.ts'
import { isSameOwner } from '../record/access-key.ts'
import { requireNoneByScope } from './admitted-secrets.ts'
import type { KeyChange } from './key-change.ts'

/** Throws a 403 unless the caller may make this change. */
export async function requireChangeRights(change: KeyChange, request: WriteRequest, parts: KeyParts): Promise<void> {
  const { user } = request
  const { kind, environment } = parts
  requireLastingKey(kind, change.name, user, parts.index)
  requireWithinScope(kind, change.name, user, change.old.scope, environment)
  requireWithinScope(kind, change.name, user, change.spec.scope, environment)
  const gains = addedGroups(change).length > 0 || !isSameOwner(change.owner, change.oldOwner)
  requireNoGainByScope(kind, change.name, user, gains)
  requireNoneByScope(change.name, change.addedSecrets.length, request, parts)
  await requireAll(request, rightsNeeded(change, request, parts))
}

function rightsNeeded(change: KeyChange, { user }: WriteRequest, parts: KeyParts): readonly ResourceAttributes[] {
  const { directory, index, environment } = parts
  const { self, own } = owningCallerOf(user, directory, index)
  const { owner, oldOwner } = change
  const isOthers = oldOwner !== undefined && !own.some((each) => isSameOwner(each, oldOwner))
  const isMoved = !isSameOwner(owner, oldOwner)
  // A caller who adds a Secret receives the next value through it.
  const getsValue = change.value !== undefined || change.addedSecrets.length > 0
  const takesOver = isMoved || getsValue
  const isSelf = isSameOwner(owner, self) && !(isMoved && owner?.kind === 'subject')
  return [
    ...(isOthers ? managing(user, 'update', oldOwner, environment.managementGroup) : []),
    ...(owner !== undefined && takesOver && !isSelf
      ? actingFor(user, owner, directory, environment.managementGroup)
      : []),
    ...(owner !== undefined && takesOver && isSelf
      ? gainedMemberships(user, owner, directory, environment.managementGroup)
      : []),
    ...asGroups(user, getsValue ? (change.spec.groups ?? []) : addedGroups(change)),
  ]
}

function addedGroups({ spec, old }: KeyChange): readonly string[] {
  const before = new Set(old.groups ?? [])
  return (spec.groups ?? []).filter((group) => !before.has(group))
}
