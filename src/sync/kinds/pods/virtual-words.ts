import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import type { HostNames } from '../../contract.ts'
import { debuggerNames } from './debugging.ts'
import { namedIn } from './pod-spec.ts'

/** Names of copies, with or without a namespace. */
const copyNames = /(?<![\w-])(?:([a-z0-9-]+)\/)?(v-[a-z0-9-]*-[0-9a-z]{13})(?![\w-])/g

/** A message of the host about a Pod and its references, with the names of the virtual cluster. */
export function inVirtualWords(text: string, pod: Pod, names: HostNames): string {
  return text.includes('v-') ? withNames(text, knownNames(pod, names)) : text
}

/** The same for an object that refers to nothing. */
export function inWordsOf(text: string, { metadata }: KubeObject, names: HostNames): string {
  const { namespace = '', name = '' } = metadata
  return withNames(text, new Map([[names.of(namespace, name).name, { namespace, name }]]))
}

function withNames(text: string, known: ReadonlyMap<string, ObjectName>): string {
  return text.replace(copyNames, (found, namespace: string | undefined, name: string) => {
    const virtual = known.get(name)
    if (virtual === undefined) return found
    return namespace === undefined ? virtual.name : `${virtual.namespace}/${virtual.name}`
  })
}

/** Whether the text names an object of the host that the tenant does not know. */
export function namesHostObjects(text: string, { tenantNamespace }: HostNames): boolean {
  return text.includes(`${tenantNamespace}/`) || text.search(copyNames) >= 0
}

function knownNames(pod: Pod, names: HostNames): ReadonlyMap<string, ObjectName> {
  const { namespace = '', name = '' } = pod.metadata
  const all = [{ namespace, name }, ...namedIn(pod)]
  return new Map([
    ...all.map((each) => [names.of(namespace, each.name).name, { namespace, name: each.name }] as const),
    ...[...debuggerNames(pod)].map(([host, virtual]) => [host, { namespace, name: virtual }] as const),
  ])
}
