import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import type { HostNames } from '../../contract.ts'
import { debuggerNames } from './debugging.ts'
import { namedIn } from './pod-spec.ts'

/** Names of copies, with or without a namespace. Kubelets write it after the name, with or without the uid. */
const copyNames =
  /(?<![\w-])(?:([a-z0-9-]+)\/)?(v-[a-z0-9-]*-[0-9a-z]{13})(?:_([a-z0-9-]+)(?:\(([0-9a-f-]{36})\))?)?(?![\w-])/g
/** The same as parts of other names, such as those of containers. */
const copyNamesAnywhere = /(?<![a-z0-9-])v-[a-z0-9-]*-[0-9a-z]{13}(?![a-z0-9-])/i

/** A message of the host about a Pod and its references, with the names of the virtual cluster. */
export function inVirtualWords(text: string, pod: Pod, names: HostNames): string {
  return text.includes('v-') ? withNames(text, knownNames(pod, names), pod) : text
}

/** The same for an object that refers to nothing. */
export function inWordsOf(text: string, object: KubeObject, names: HostNames): string {
  const { namespace = '', name = '' } = object.metadata
  return withNames(text, new Map([[names.of(namespace, name).name, { namespace, name }]]), object)
}

function withNames(text: string, known: ReadonlyMap<string, ObjectName>, { metadata }: KubeObject): string {
  return text.replace(copyNames, (found, ...groups: readonly (string | undefined)[]) => {
    const [before, copy = '', after, uid] = groups
    const virtual = known.get(copy)
    if (virtual === undefined) return found
    const { namespace, name } = virtual
    if (before !== undefined) return `${namespace}/${name}`
    if (after === undefined) return name
    const isItself = namespace === metadata.namespace && name === metadata.name
    return `${name}_${namespace}${uid !== undefined && isItself ? `(${metadata.uid})` : ''}`
  })
}

/** Whether the text names an object of the host that the tenant does not know. */
export function namesHostObjects(text: string, { tenantNamespace }: HostNames): boolean {
  return text.includes(`${tenantNamespace}/`) || copyNamesAnywhere.test(text)
}

function knownNames(pod: Pod, names: HostNames): ReadonlyMap<string, ObjectName> {
  const { namespace = '', name = '' } = pod.metadata
  const all = [{ namespace, name }, ...namedIn(pod)]
  return new Map([
    ...all.map((each) => [names.of(namespace, each.name).name, { namespace, name: each.name }] as const),
    ...[...debuggerNames(pod)].map(([host, virtual]) => [host, { namespace, name: virtual }] as const),
  ])
}
