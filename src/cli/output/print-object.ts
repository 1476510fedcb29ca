import { parseApiVersion } from '../../api/object.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import type { JsonBody } from '../../client/api-client.ts'
import type { Terminal } from '../terminal.ts'

/** An object, or any other value, as data. */
export function printData(terminal: Terminal, format: 'json' | 'yaml', value: unknown): void {
  terminal.stdout.write(format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : toYaml(value))
}

/** `ownedaccesskey.management.platform.internal/ci`: what kubectl takes as the name of an object. */
export function qualifiedName({ apiVersion, kind, metadata }: JsonBody): string {
  const { group } = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '')
  const name = isJsonObject(metadata) ? String(metadata.name ?? '') : ''
  return `${String(kind).toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`
}
