import type { Kind } from '../../api/kind.ts'
import { apiVersionOf, type KubeObject } from '../../api/object.ts'
import { isJsonObject, setMember } from '../../base/json/member.ts'
import { parseLargeJson } from '../../base/json/parse.ts'
import { printJson } from '../../base/json/print.ts'
import { atOnce } from '../../base/steps.ts'
import { configProblems } from './check-config.ts'
import { compareObjects } from './compare.ts'
import { difference, emptySet, type FieldSet } from './field-set.ts'
import { appliedSet } from './fields-of.ts'

/** Where kubectl's client-side apply keeps the configuration that it sent. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
/** The limit for all annotations of an object. */
const maximumAnnotationBytes = 256 * 1024

/**
 * Fields that kubectl set by client-side apply and that have not changed since: kubectl may take them over by
 * server-side apply, whichever manager is recorded as their owner.
 */
export function lastAppliedFields(kind: Kind, live: KubeObject): FieldSet {
  const config = parsedConfig(lastApplied(live))
  if (config === undefined || config.apiVersion !== apiVersionOf(kind)) return emptySet
  if (atOnce(configProblems(kind.schema, config)).length > 0) return emptySet
  const { changed, removed } = compareObjects(kind.schema, config, live)
  return difference(difference(appliedSet(kind.schema, config), changed), removed)
}

/**
 * Updates the annotation if present, so that a user who returns to client-side apply finds the last applied
 * configuration.
 */
export function withLastApplied(object: KubeObject, config: KubeObject): KubeObject {
  if (lastApplied(object) === '') return object
  const annotations: Record<string, string> = { ...object.metadata.annotations }
  annotations[annotation] = printConfig(config)
  if (byteSize(annotations) > maximumAnnotationBytes) delete annotations[annotation]
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function lastApplied(object: KubeObject): string {
  return object.metadata.annotations?.[annotation] ?? ''
}

function parsedConfig(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { value } = parseLargeJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** With sorted members and a final newline, as kubectl and kube-apiserver write it. */
function printConfig(config: KubeObject): string {
  const { [annotation]: _, ...annotations } = config.metadata.annotations ?? {}
  const metadata = config.metadata.annotations === undefined ? config.metadata : { ...config.metadata, annotations }
  return `${printJson(sorted({ ...config, metadata }))}\n`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(value).sort()) setMember(result, name, sorted(value[name]))
  return result
}

function byteSize(annotations: Readonly<Record<string, string>>): number {
  return Object.entries(annotations).reduce(
    (bytes, [name, value]) => bytes + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  )
}
