import type { UserInfo } from '../../api/access.ts'
import type { Kind } from '../../api/kind.ts'
import type { KubeObject } from '../../api/object.ts'
import { unstoredKind } from '../../api/unstored-kind.ts'
import type { AdmissionAttributes } from './contract.ts'

/** A requested connection into a Pod, or a proxy request to a Pod or a Service. */
export interface AskedConnection {
  readonly resource: string
  readonly namespace: string
  readonly name: string
  readonly subresource: string
  /** The query as sent. For a proxy, `path` is the path behind it. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly user: UserInfo
}

interface ConnectionOptions {
  readonly kind: string
  readonly flags: readonly string[]
  readonly texts: readonly string[]
  readonly lists: readonly string[]
  readonly numbers: readonly string[]
}

const streams = ['stdin', 'stdout', 'stderr', 'tty']

const proxied = { flags: [], texts: ['path'], lists: [], numbers: [] }

/** The options object for each connection, with the names and order of Kubernetes. */
const optionsOf: ReadonlyMap<string, ConnectionOptions> = new Map([
  ['pods/exec', { kind: 'PodExecOptions', flags: streams, texts: ['container'], lists: ['command'], numbers: [] }],
  ['pods/attach', { kind: 'PodAttachOptions', flags: streams, texts: ['container'], lists: [], numbers: [] }],
  ['pods/portforward', { kind: 'PodPortForwardOptions', flags: [], texts: [], lists: [], numbers: ['ports'] }],
  ['pods/proxy', { kind: 'PodProxyOptions', ...proxied }],
  ['services/proxy', { kind: 'ServiceProxyOptions', ...proxied }],
])

/** Undefined if the request is not a connection. */
export function connectAttributes(asked: AskedConnection): AdmissionAttributes | undefined {
  const { resource, namespace, name, subresource, user } = asked
  const options = optionsOf.get(`${resource}/${subresource}`)
  if (options === undefined) return undefined
  return {
    operation: 'CONNECT',
    sent: {
      kind: kindOf(options.kind, resource),
      resource: { group: '', version: 'v1', resource },
      show: (object) => object,
      take: (shown) => shown,
    },
    equivalents: () => [],
    subresource,
    namespace,
    name,
    object: toldOptions(options, asked),
    old: undefined,
    options: null,
    isDryRun: false,
    user,
  }
}

/** It has no metadata, and so no labels for a selector to match. */
function toldOptions({ kind, flags, texts, lists, numbers }: ConnectionOptions, asked: AskedConnection): KubeObject {
  const valuesOf = (name: string) => asked.parameters.filter(([each]) => each === name).map(([, value]) => value)
  const told: Record<string, unknown> = { kind, apiVersion: 'v1' }
  for (const name of flags) if (isTrue(valuesOf(name)[0])) told[name] = true
  for (const name of texts) if ((valuesOf(name)[0] ?? '') !== '') told[name] = valuesOf(name)[0]
  for (const name of lists) if (valuesOf(name).length > 0) told[name] = valuesOf(name)
  for (const name of numbers) {
    const values = valuesOf(name).flatMap((value) => value.split(','))
    if (values.length > 0) told[name] = values.map(Number).filter(Number.isInteger)
  }
  return told as unknown as KubeObject
}

/** As Kubernetes parses a query: a flag that is present is true, unless its value says otherwise. */
function isTrue(value: string | undefined): boolean {
  return value !== undefined && value.toLowerCase() !== 'false' && value !== '0'
}

/** Only the parts that appear in a review. */
function kindOf(kind: string, plural: string): Kind {
  return {
    ...unstoredKind,
    group: '',
    version: 'v1',
    kind,
    plural,
    singular: plural.slice(0, -1),
    namespaced: true,
    schema: { type: 'object', description: '' },
  }
}
