import { parseApiVersion } from '../../api/object.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import type { JsonBody } from '../../client/command/api-client.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { print } from './print.ts'

export function printData(terminal: Terminal, format: 'json' | 'yaml', value: unknown): void {
  print(terminal, format === 'json' ? jsonText(value) : toYaml(value))
}

/** An object for people: managedFields are omitted, as in kubectl. */
export function printObject(terminal: Terminal, format: 'json' | 'yaml', object: JsonBody): void {
  printData(terminal, format, shownWithoutManagedFields(object))
}

export function shownWithoutManagedFields(object: JsonBody): JsonBody {
  if (!isJsonObject(object.metadata)) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** `ownedaccesskey.management.platform.internal/ci`, the form that kubectl accepts as the name of an object. */
export function qualifiedName({ apiVersion, kind, metadata }: JsonBody): string {
  const { group } = parseApiVersion(asText(apiVersion))
  const name = isJsonObject(metadata) ? String(metadata.name ?? '') : ''
  return `${String(kind).toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`
}
