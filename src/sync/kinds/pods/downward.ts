import type { ObjectFieldSelector, Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { markerPrefix } from '../../../patches/path/reserved.ts'
import type { TextMap } from '../../contract.ts'
import { selectedKey } from '../../names/host-labels.ts'
import { nameHash } from '../../names/host-name.ts'

/** Annotations of the copy with fields of the virtual Pod, for containers that read them. */
const annotated: Readonly<Record<string, (pod: Pod) => string>> = {
  'metadata.name': ({ metadata }) => metadata.name ?? '',
  'metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
  'metadata.uid': ({ metadata }) => metadata.uid ?? '',
  'metadata.labels': ({ metadata }) => mapText(metadata.labels),
  'metadata.annotations': ({ metadata }) => mapText(metadata.annotations),
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
}

/** Values without anything that a container's environment would expand. */
const literal: ReadonlySet<string> = new Set([
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.serviceAccountName',
])

const entry = /^metadata\.(labels|annotations)\['(.*)'\]$/s

/** The value of a variable that the virtual Pod determines; undefined if the host does. */
export function literalOf(path: string, pod: Pod): string | undefined {
  return literal.has(path) ? annotated[path]?.(pod) : undefined
}

/** The host field with the value of the virtual Pod. Fields about where a Pod runs are the same on the host. */
export function hostFieldRef(selector: ObjectFieldSelector): ObjectFieldSelector {
  return { ...selector, fieldPath: hostPath(selector.fieldPath) }
}

function hostPath(path: string): string {
  if (Object.hasOwn(annotated, path)) return annotationPath(annotationKey(path))
  const [, map, key] = entry.exec(path) ?? []
  if (key === undefined) return path
  return map === 'labels' ? `metadata.labels['${selectedKey(key)}']` : annotationPath(annotationKey(path))
}

/** Only for fields that a container reads. */
export function downwardAnnotations(pod: Pod): TextMap {
  const texts = pathsIn(pod.spec).flatMap((path): readonly (readonly [string, string])[] => {
    const value = Object.hasOwn(annotated, path) ? annotated[path]?.(pod) : annotationAt(path, pod)
    return value === undefined ? [] : [[annotationKey(path), value]]
  })
  return Object.fromEntries(texts)
}

function annotationAt(path: string, { metadata }: Pod): string | undefined {
  const [, map, key = ''] = entry.exec(path) ?? []
  const { annotations = {} } = metadata
  return map === 'annotations' && Object.hasOwn(annotations, key) ? annotations[key] : undefined
}

function annotationKey(path: string): string {
  return `${markerPrefix}d-${nameHash(path)}`
}

function annotationPath(key: string): string {
  return `metadata.annotations['${key}']`
}

function pathsIn({ containers, initContainers, ephemeralContainers, volumes }: PodSpec): readonly string[] {
  const variables = [...(containers ?? []), ...(initContainers ?? []), ...(ephemeralContainers ?? [])]
    .flatMap(({ env = [] }) => env)
    .map(({ valueFrom }) => valueFrom?.fieldRef)
    .filter((each) => each !== undefined && !literal.has(each.fieldPath))
  const files = (volumes ?? [])
    .flatMap(({ downwardAPI, projected }) => [
      downwardAPI,
      ...(projected?.sources ?? []).map((each) => each.downwardAPI),
    ])
    .flatMap((each) => each?.items ?? [])
    .map(({ fieldRef }) => fieldRef)
  return [...variables, ...files].flatMap((each) => each?.fieldPath ?? [])
}

/** The format in which kubelet writes a map into a file: one sorted line per entry. */
function mapText(map: TextMap = {}): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}=${quoted(map[key] ?? '')}`)
    .join('\n')
}

const shortEscapes: Readonly<Record<string, string>> = { '07': '\\a', '0b': '\\v' }

/** Quotes a text like Go. */
function quoted(text: string): string {
  const escapes = /\\\\|\\u00([01][0-9a-f])/g
  return JSON.stringify(text)
    .replace(escapes, (found, code?: string) => (code === undefined ? found : (shortEscapes[code] ?? `\\x${code}`)))
    .replaceAll('\u007f', '\\x7f')
}
