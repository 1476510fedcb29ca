import type { EphemeralContainer, Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { markedName } from '../../names/host-name.ts'

/**
 * Containers for debugging have names of their own on the host. One that its operator or a webhook has added to the copy is
 * then never taken for one of the tenant's, whatever the tenant calls it.
 */
export function hostDebuggerName(uid: string, name: string): string {
  return markedName(name, JSON.stringify([uid, name]))
}

/** The virtual names of a Pod's containers for debugging, by those on the host. */
export function debuggerNames({ metadata, spec }: Pod): ReadonlyMap<string, string> {
  const names = (spec?.ephemeralContainers ?? []).map(({ name }) => name)
  return new Map(names.map((name) => [hostDebuggerName(metadata.uid ?? '', name), name]))
}

/** They are added to Pods that exist, and never a part of new ones. */
export function withoutDebuggers(spec: PodSpec): PodSpec {
  const { ephemeralContainers: _, ...rest } = spec
  return rest
}

/** How many are tried alone where the host does not take all of them. Each is a request, and a tenant decides how many there are. */
const mostAlone = 8

/**
 * What the copy can have: its own with all that it lacks, and with one of them, the latest first. What is there can be neither
 * changed nor removed, also in the virtual Pod: one that the host refuses would otherwise keep out all that come later.
 */
export function addedDebuggers(wanted: PodSpec, copy: PodSpec): readonly (readonly EphemeralContainer[])[] {
  const there = copy.ephemeralContainers ?? []
  const names = new Set(there.map(({ name }) => name))
  const lacking = (wanted.ephemeralContainers ?? []).filter(({ name }) => !names.has(name))
  if (lacking.length === 0) return []
  const alone = lacking.length === 1 ? [] : lacking.slice(-mostAlone).toReversed()
  return [[...there, ...lacking], ...alone.map((one) => [...there, one])]
}
