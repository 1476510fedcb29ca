import { protobufTable } from './protobuf-table.ts'

export interface ProtobufField {
  readonly number: number
  readonly name: string
  /** A scalar such as `string` or the full name of a message; of lists and maps, the type of their values. */
  readonly type: string
  /** Map keys are always strings. */
  readonly shape: 'single' | 'list' | 'map'
  readonly presence: Presence
}

/**
 * `optional`: zero, empty and absent are the same, and JSON shows none of them. `explicit`: a zero differs from absence.
 * `always`: JSON shows it even when it is zero; a list is then null, a message an object, a time null.
 */
export type Presence = 'optional' | 'explicit' | 'always'

const packages: ReadonlyMap<string, string> = new Map([
  ['authentication', 'k8s.io.api.authentication.v1'],
  ['authorization', 'k8s.io.api.authorization.v1'],
  ['coordination', 'k8s.io.api.coordination.v1'],
  ['core', 'k8s.io.api.core.v1'],
  ['discovery', 'k8s.io.api.discovery.v1'],
  ['events', 'k8s.io.api.events.v1'],
  ['rbac', 'k8s.io.api.rbac.v1'],
  ['apiextensions', 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1'],
  ['resource', 'k8s.io.apimachinery.pkg.api.resource'],
  ['meta', 'k8s.io.apimachinery.pkg.apis.meta.v1'],
  ['runtime', 'k8s.io.apimachinery.pkg.runtime'],
  ['intstr', 'k8s.io.apimachinery.pkg.util.intstr'],
])

const presences: ReadonlyMap<string, Presence> = new Map([
  ['?', 'explicit'],
  ['!', 'always'],
])

let sources: ReadonlyMap<string, string> | undefined
const parsed = new Map<string, readonly ProtobufField[]>()

/** The fields of a message by its full name, such as `k8s.io.api.core.v1.Service`; undefined if it is not known. */
export function protobufFields(message: string): readonly ProtobufField[] | undefined {
  const known = parsed.get(message)
  if (known !== undefined) return known
  sources ??= new Map(readLines())
  const source = sources.get(message)
  if (source === undefined) return undefined
  const fields = source === '' ? [] : source.split('; ').map(parseField)
  parsed.set(message, fields)
  return fields
}

export function protobufMessages(): readonly string[] {
  sources ??= new Map(readLines())
  return [...sources.keys()]
}

/** `core.Service` for `k8s.io.api.core.v1.Service`: how our own tables name a message. */
export function shortMessageName(message: string): string {
  const parts = message.split('.')
  const name = parts.pop() ?? ''
  const packageName = parts.join('.')
  for (const [short, full] of packages) if (full === packageName) return `${short}.${name}`
  throw new Error(`No package of the protobuf table is called ${packageName}.`)
}

function readLines(): [string, string][] {
  return protobufTable
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', fields = ''] = line.split(' =')
      return [fullName(name), fields.trim()]
    })
}

function parseField(source: string): ProtobufField {
  const [number = '', name = '', marked = ''] = source.split(' ')
  const presence = presences.get(marked.slice(-1)) ?? 'optional'
  const typed = presence === 'optional' ? marked : marked.slice(0, -1)
  const colon = typed.indexOf(':')
  const shape = colon < 0 ? 'single' : typed.startsWith('list:') ? 'list' : 'map'
  return { number: Number(number), name, type: fullName(typed.slice(colon + 1)), shape, presence }
}

function fullName(type: string): string {
  const dot = type.indexOf('.')
  return dot < 0 ? type : `${packages.get(type.slice(0, dot))}${type.slice(dot)}`
}
