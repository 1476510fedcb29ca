import type { KubeObject } from '../../../api/object.ts'
import type { AccessKey, AccessKeySpec } from '../../../api/types/management.ts'
import type { KeyOwner } from '../../../auth/keys/contract.ts'

/** Every object of the kind was checked against the schema, so its members have the types the schema gives them. */
export function accessKeyOf(object: KubeObject): AccessKey {
  return object as AccessKey
}

export function specOf(object: KubeObject): AccessKeySpec {
  return accessKeyOf(object).spec ?? {}
}

const ownerFields = ['user', 'team', 'subject'] as const

/** All owners that are named; a valid key has exactly one. */
export function namedOwners(spec: AccessKeySpec): readonly KeyOwner[] {
  return ownerFields.flatMap((kind) => {
    const name = spec[kind] ?? ''
    return name === '' ? [] : [{ kind, name }]
  })
}

export function ownerOf(spec: AccessKeySpec): KeyOwner | undefined {
  for (const kind of ownerFields) {
    const name = spec[kind] ?? ''
    if (name !== '') return { kind, name }
  }
  return undefined
}

/**
 * Keys of browser sessions and of applications that users signed in to from them. They are short-lived and have limits
 * of their own.
 */
export function isOfSession({ type }: AccessKeySpec): boolean {
  return type === 'Login' || type === 'OIDCRefreshToken'
}

export function isSameOwner(left: KeyOwner | undefined, right: KeyOwner | undefined): boolean {
  return left?.kind === right?.kind && left?.name === right?.name
}

export function ownerFieldsOf({ kind, name }: KeyOwner): Pick<AccessKeySpec, 'user' | 'team' | 'subject'> {
  return { [kind]: name }
}
