import { type FieldError, forbiddenField } from '../../../api/field-error.ts'
import type { AccessKeySpec } from '../../../api/types/management.ts'
import { deepEqual } from '../../../base/equal.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { SealedKey } from '../record/sealed-key.ts'

const platformFields = ['identity', 'oidcProvider', 'oidcLogin', 'parent'] as const

/** Fields that only the platform writes may be sent back as they were read, or left out; any other value is refused. */
export function platformFieldErrors(sent: AccessKeySpec, old: AccessKeySpec): readonly FieldError[] {
  return platformFields
    .filter((field) => !isAbsent(sent[field]) && !deepEqual(sent[field], old[field]))
    .map((field) => forbiddenField(`spec.${field}`, 'only the platform itself may set this'))
}

/** Keeps the fields that only the platform writes when a client leaves them out or sends them empty. */
export function withPlatformFields(sent: AccessKeySpec, old: AccessKeySpec): AccessKeySpec {
  const given = Object.entries(sent).filter(([field, value]) => !isPlatformField(field) || !isAbsent(value))
  const kept = platformFields.filter((field) => isAbsent(sent[field]) && !isAbsent(old[field]))
  return Object.fromEntries([...given, ...kept.map((field) => [field, old[field]])])
}

function isPlatformField(field: string): boolean {
  return platformFields.some((each) => each === field)
}

/** Clients that write every field of a schema send empty values for the fields they leave out. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.values(value).every(isAbsent)
}

/** Splits off the parts that never leave the server. A part that is not sent again stays as it was sealed. */
export function splitHidden(
  spec: AccessKeySpec,
  before: SealedKey | undefined,
): { readonly shown: AccessKeySpec; readonly hidden: Pick<SealedKey, 'connectorData' | 'oidcTokens'> } {
  const { connectorData, ...identity } = spec.identity ?? {}
  const { idToken: _, accessToken: __, refreshToken: ___, ...login } = spec.oidcLogin ?? {}
  const oidcTokens = before?.oidcTokens
  const data = typeof connectorData === 'string' ? connectorData : before?.connectorData
  return {
    shown: {
      ...spec,
      ...(spec.identity === undefined ? {} : { identity }),
      ...(spec.oidcLogin === undefined ? {} : { oidcLogin: login }),
    },
    hidden: {
      ...(data === undefined ? {} : { connectorData: data }),
      ...(oidcTokens === undefined ? {} : { oidcTokens }),
    },
  }
}
