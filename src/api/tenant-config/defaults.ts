import { isJsonObject, setMember } from '../../base/json/member.ts'
import { isCompleteValue } from './conforms.ts'
import type { ConfigField, ObjectField } from './field.ts'
import { documentFields } from './fields.ts'
import type { EffectiveConfig, TenantConfig } from './types.ts'

/** The configuration with every default filled in: what the tenant runs with and what expressions see. */
export function effectiveConfig(config: TenantConfig): EffectiveConfig {
  const effective = withDefaults(documentFields, config)
  if (isCompleteValue(documentFields, effective)) return effective
  throw new Error('a configuration that was checked does not fit its own fields once its defaults are filled in')
}

/** Members in the order of their fields, whatever the order in which they were written. */
function withDefaults(field: ConfigField, value: unknown): unknown {
  if (field.type === 'object' && isJsonObject(value)) return objectWithDefaults(field, value)
  if (field.type === 'list' && Array.isArray(value)) return value.map((item) => withDefaults(field.items, item))
  if (field.type !== 'map' || !isJsonObject(value)) return value
  const map: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) setMember(map, key, withDefaults(field.values, item))
  return map
}

function objectWithDefaults({ members }: ObjectField, value: Record<string, unknown>): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(members)) {
    if (Object.hasOwn(value, name)) object[name] = withDefaults(member, value[name])
    else if (member.presence === 'defaulted') object[name] = defaultOf(member)
  }
  return object
}

function defaultOf(field: ConfigField): unknown {
  switch (field.type) {
    case 'boolean':
    case 'integer':
    case 'text':
      return field.default
    case 'list':
      return []
    case 'map':
      return {}
    case 'object':
      return objectWithDefaults(field, {})
  }
}
