import { isJsonObject } from '../../base/json/member.ts'

/** A part of an OpenAPI document. */
export type V2Node = Readonly<Record<string, unknown>>

/** One version of a group. */
export interface DocumentedVersion {
  readonly group: string
  readonly version: string
}

const gvkKey = 'x-kubernetes-group-version-kind'
const texts = ['type', 'format', 'description', 'pattern'] as const
const textMarks = ['list-type', 'map-type', 'patch-strategy', 'patch-merge-key'].map((name) => `x-kubernetes-${name}`)
const flags = ['preserve-unknown-fields', 'int-or-string', 'embedded-resource'].map((name) => `x-kubernetes-${name}`)
const lists = ['required', 'enum', 'x-kubernetes-list-map-keys'] as const
const longestText = 4_096
const mostLevels = 50
const refPrefix = '#/definitions/'

/**
 * Reduces a schema from another server to the parts that old clients read: anything else, or a value of the wrong type,
 * would be published in this server's name. Kinds are listed only for the version that the server serves.
 */
export function readV2Schema(value: unknown, of: DocumentedVersion, level = 0): V2Node {
  if (!isJsonObject(value) || level > mostLevels) return {}
  const read: Record<string, unknown> = {}
  for (const name of [...texts, ...textMarks]) if (isText(value[name])) read[name] = value[name].slice(0, longestText)
  for (const name of flags) if (value[name] === true) read[name] = true
  for (const name of lists) if (Array.isArray(value[name])) read[name] = value[name].filter(isText)
  if (isText(value.$ref) && value.$ref.startsWith(refPrefix)) read.$ref = value.$ref
  for (const name of ['items', 'additionalProperties']) {
    if (isJsonObject(value[name])) read[name] = readV2Schema(value[name], of, level + 1)
  }
  if (isJsonObject(value.properties)) {
    const members = Object.entries(value.properties)
    read.properties = Object.fromEntries(members.map(([name, each]) => [name, readV2Schema(each, of, level + 1)]))
  }
  const kinds = ownKinds(value[gvkKey], of)
  if (kinds.length > 0) read[gvkKey] = kinds
  return read
}

/** The names of the definitions that a part of a document refers to. */
export function* definitionsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* definitionsIn(each)
  if (!isJsonObject(value)) return
  if (isText(value.$ref)) yield value.$ref.slice(refPrefix.length)
  for (const each of Object.values(value)) yield* definitionsIn(each)
}

export function ownKinds(value: unknown, { group, version }: DocumentedVersion): readonly V2Node[] {
  const kinds = Array.isArray(value) ? value : [value]
  return kinds.filter(isJsonObject).flatMap((each) => {
    if (each.group !== group || each.version !== version || !isText(each.kind)) return []
    return [{ group, kind: each.kind, version }]
  })
}

export function isText(value: unknown): value is string {
  return typeof value === 'string'
}
