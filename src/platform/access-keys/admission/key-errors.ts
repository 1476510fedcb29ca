import {
  type FieldError,
  forbiddenField,
  invalidField,
  invalidFieldAs,
  notFoundField,
} from '../../../api/field-error.ts'
import type { AccessKeySpec } from '../../../api/types/management.ts'
import type { KeyIndex, KeyOwner } from '../../../auth/keys/contract.ts'
import { hashKey, validateBroughtKey } from '../../../auth/keys/values/key-value.ts'
import { deepEqual } from '../../../base/equal.ts'
import type { Directory } from '../../owners/directory.ts'
import { namedOwners } from '../record/access-key.ts'
import { isAbsent } from './hidden-parts.ts'
import type { KeyChange } from './key-change.ts'

/** A key acts for one owner. */
export function ownerErrors(spec: AccessKeySpec): readonly FieldError[] {
  const [, ...others] = namedOwners(spec)
  return others.map(({ kind, name }) =>
    invalidField(`spec.${kind}`, name, 'only one of user, team and subject may be set'),
  )
}

/** Checked only once the caller may act for the owner, so that the error does not reveal which owners exist. */
export function missingOwnerErrors(owner: KeyOwner, directory: Directory): readonly FieldError[] {
  if (owner.kind === 'subject' || directory.owner(owner) !== undefined) return []
  return [notFoundField(`spec.${owner.kind}`, owner.name)]
}

/** Only the platform makes keys of the types that it manages. */
export function typeErrors(type: string): readonly FieldError[] {
  return type === 'User' ? [] : [forbiddenField('spec.type', `only the platform itself makes keys of type ${type}`)]
}

const changeable: ReadonlySet<string> = new Set(['displayName', 'description', 'disabled'])

/**
 * A session, or the key of a command that a user signed in with, keeps the settings it started with, because users rely
 * on it ending, alone or together with all others. It can be named, disabled and deleted.
 */
export function sessionChangeErrors({ spec, old, value }: KeyChange): readonly FieldError[] {
  const { key: _, ...sent } = spec
  const fields = new Set([...Object.keys(sent), ...Object.keys(old)])
  const changed = [...fields].filter(
    (field) => !changeable.has(field) && !isSame(memberOf(sent, field), memberOf(old, field)),
  )
  return [...changed, ...(value === undefined ? [] : ['key'])].map((field) =>
    forbiddenField(`spec.${field}`, 'a session, or the key of a login, stays as it was started'),
  )
}

function isSame(sent: unknown, old: unknown): boolean {
  return deepEqual(sent, old) || (isAbsent(sent) && isAbsent(old))
}

function memberOf(spec: object, field: string): unknown {
  return Object.entries(spec).find(([name]) => name === field)?.[1]
}

/** `uid`: the key that is to have the value. */
export function valueErrors(value: string, uid: string, index: KeyIndex): readonly FieldError[] {
  const malformed = validateBroughtKey('spec.key', value)
  if (malformed.length > 0) return malformed
  const taken = index.ownerOfHash(hashKey(value))
  if (taken === undefined || taken.uid === uid) return []
  return [invalidFieldAs('spec.key', '"[hidden]"', 'is in use already')]
}
