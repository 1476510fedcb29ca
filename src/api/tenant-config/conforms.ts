import { isJsonObject } from '../../base/json/member.ts'
import type { ConfigField, ObjectField, ValueOf } from './field.ts'
import { documentFields } from './fields.ts'
import { patchFields } from './patch-fields.ts'
import { fitsFormat } from './text-format.ts'
import type { PatchConfig, TenantConfig } from './types.ts'

/** Whether a value is complete for the field, with every default filled in. */
export function isCompleteValue<F extends ConfigField>(field: F, value: unknown): value is ValueOf<F> {
  return conforms(field, value, true)
}

/** Whether a value is a configuration as written, with or without defaults. */
export function isTenantConfig(value: unknown): value is TenantConfig {
  return conforms(documentFields, value, false)
}

export function isPatch(value: unknown): value is PatchConfig {
  return conforms(patchFields, value, false)
}

function conforms(field: ConfigField, value: unknown, complete: boolean): boolean {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'integer':
      return Number.isInteger(value)
    case 'text':
      return typeof value === 'string' && fitsFormat(value, field.format)
    case 'list':
      return Array.isArray(value) && value.every((item) => conforms(field.items, item, complete))
    case 'map':
      return isJsonObject(value) && Object.values(value).every((item) => conforms(field.values, item, complete))
    case 'object':
      return isJsonObject(value) && membersConform(field, value, complete)
  }
}

function membersConform({ members }: ObjectField, value: Record<string, unknown>, complete: boolean): boolean {
  if (!Object.keys(value).every((name) => Object.hasOwn(members, name))) return false
  return Object.entries(members).every(([name, member]) => {
    if (Object.hasOwn(value, name)) return conforms(member, value[name], complete)
    return member.presence === 'optional' || (member.presence === 'defaulted' && !complete)
  })
}
