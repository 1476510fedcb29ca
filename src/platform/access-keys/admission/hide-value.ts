import type { JsonObject, KubeObject, ManagedFieldsEntry, ObjectMeta } from '../../../api/object.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { parseJson } from '../../../base/json/parse.ts'

/** Where kubectl's client-side apply keeps the configuration it sent, with whatever was in it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/** The object without the plain value, wherever clients leave copies of it: the field, annotations, managedFields. */
export function withoutValue(object: KubeObject, value: string): KubeObject {
  const { key: _, ...spec } = asMembers(object.spec)
  return { ...object, metadata: cleanMetadata(object.metadata, value), ...('spec' in object ? { spec } : {}) }
}

function cleanMetadata(metadata: ObjectMeta, value: string): ObjectMeta {
  const { annotations, managedFields } = metadata
  return {
    ...metadata,
    ...(annotations === undefined ? {} : { annotations: cleanAnnotations(annotations, value) }),
    ...(managedFields === undefined ? {} : { managedFields: managedFields.flatMap(withoutKeyField) }),
  }
}

function cleanAnnotations(annotations: Readonly<Record<string, string>>, value: string): Record<string, string> {
  const cleaned = Object.entries(annotations).flatMap(([name, text]): [string, string][] => {
    const scrubbed = name === lastApplied ? scrubbedConfiguration(text) : text
    if (scrubbed === undefined) return []
    return [[name, value === '' ? scrubbed : scrubbed.replaceAll(value, '[hidden]')]]
  })
  return Object.fromEntries(cleaned)
}

/** Text that cannot be parsed is dropped, because it may contain the value. */
function scrubbedConfiguration(text: string): string | undefined {
  const config = parsed(text)
  if (!isJsonObject(config)) return undefined
  if (!isJsonObject(config.spec) || !Object.hasOwn(config.spec, 'key')) return text
  const { key: _, ...spec } = config.spec
  return `${JSON.stringify({ ...config, spec })}\n`
}

function parsed(text: string): unknown {
  try {
    return parseJson(text).value
  } catch {
    return undefined
  }
}

/** A field that is never present has no owner; otherwise sending the value again would count as a change. */
function withoutKeyField(entry: ManagedFieldsEntry): readonly ManagedFieldsEntry[] {
  const fields = entry.fieldsV1
  const spec = fields?.['f:spec']
  if (fields === undefined || !isObject(spec) || !Object.hasOwn(spec, 'f:key')) return [entry]
  const { 'f:key': _, ...keptSpec } = spec
  const { 'f:spec': __, ...others } = fields
  const isSpecEmpty = Object.keys(keptSpec).every((name) => name === '.')
  const kept: JsonObject = isSpecEmpty ? others : { ...others, 'f:spec': keptSpec }
  return Object.keys(kept).length === 0 ? [] : [{ ...entry, fieldsV1: kept }]
}

function isObject(value: unknown): value is JsonObject {
  return isJsonObject(value)
}
