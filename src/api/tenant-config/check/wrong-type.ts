import type { YamlValue } from '../../../base/yaml-source/node.ts'
import type { ConfigField } from '../field.ts'
import type { ConfigFinding, ConfigPlace } from '../problem.ts'
import { placeName } from '../wording.ts'

/** Never shows the value: the user may have put a key where its Secret should be named. */
export function wrongType(field: ConfigField, value: YamlValue, { path, keySpan }: ConfigPlace): ConfigFinding {
  const nothing = value.span.start === value.span.end
  const suggestion = remedyFor(field, value, path.at(-1) ?? '')
  return {
    code: 'wrong-type',
    path,
    span: nothing ? keySpan : value.span,
    message: `${placeName(path)} must be ${expected(field)}, ${found(field, value)}`,
    ...(suggestion !== undefined && { suggestion }),
  }
}

function expected(field: ConfigField): string {
  switch (field.type) {
    case 'boolean':
      return 'true or false'
    case 'integer':
      return `a whole number from ${field.minimum} to ${field.maximum}`
    case 'text':
      return 'text'
    case 'list':
      return 'a list'
    case 'map':
    case 'object':
      return 'a mapping'
  }
}

function found(field: ConfigField, value: YamlValue): string {
  if (value.type !== 'scalar') return `not a ${value.type === 'list' ? 'list' : 'mapping'}`
  if (value.value === null) return value.text === '' ? 'but nothing is written' : 'not null'
  if (typeof value.value === 'string') return 'not text'
  if (typeof value.value === 'boolean') return `not ${value.value}`
  return field.type === 'integer' ? 'and this number is not' : 'not a number'
}

function remedyFor(field: ConfigField, value: YamlValue, name: string | number): string | undefined {
  if (value.type === 'scalar' && value.value === null) {
    return typeof name === 'number' ? 'remove the dash, or write an entry behind it' : remedyForNothing(field)
  }
  switch (field.type) {
    case 'boolean':
      return value.type === 'scalar' && /^(true|false)$/i.test(value.text)
        ? `write ${value.text.toLowerCase()} without quotes`
        : 'write true or false'
    case 'integer':
      return value.type === 'scalar' && typeof value.value === 'string' && /^\d+$/.test(value.text)
        ? 'remove the quotes'
        : undefined
    case 'text':
      return value.type === 'scalar' ? 'put it in quotes' : undefined
    case 'list':
      return value.type === 'map' ? 'start each entry with a dash' : 'write [] for an empty list'
    case 'map':
    case 'object':
      return remedyForMapping(field, value, name)
  }
}

function remedyForNothing(field: ConfigField): string {
  if (field.type === 'list') return 'write [] for an empty list, or remove the line'
  if (field.type === 'map' || field.type === 'object') return 'write {} if it has no settings, or remove the line'
  return 'give it a value, or remove the line'
}

function remedyForMapping(field: ConfigField, value: YamlValue, name: string | number): string | undefined {
  if (value.type === 'list') return 'remove the dashes'
  if (field.type !== 'object' || value.type !== 'scalar') return undefined
  if (typeof value.value === 'boolean' && 'enabled' in field.members) {
    return `write ${name}: {enabled: ${value.value}}`
  }
  return 'secretName' in field.members
    ? 'name the Secret that holds it with secretName; keys themselves do not belong into this file'
    : undefined
}
