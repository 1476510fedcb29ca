import type { EphemeralContainer, Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { markedName } from '../../names/host-name.ts'

/**
 * Ephemeral containers get distinct names on the host, so that one that its operator or a webhook added to the copy is
 * never taken for the tenant's, whatever name the tenant uses.
 */
export function hostDebuggerName(uid: string, name: string): string {
  return markedName(name, JSON.stringify([uid, name]))
}

/** The virtual names of a Pod's ephemeral containers, by their names on the host. */
export function debuggerNames({ metadata, spec }: Pod): ReadonlyMap<string, string> {
  const names = (spec?.ephemeralContainers ?? []).map(({ name }) => name)
  return new Map(names.map((name) => [hostDebuggerName(metadata.uid ?? '', name), name]))
}

/** They are added to existing Pods, and are never part of new ones. */
export function withoutDebuggers(spec: PodSpec): PodSpec {
  const { ephemeralContainers: _, ...rest } = spec
  return rest
}

/**
 * How many are tried separately if the host refuses all of them together. Each is a request, and the tenant decides how
 * many there are.
 */
const mostAlone = 8

/**
 * Candidate lists for the copy: its own with everything it lacks, then with one of them, latest first. Existing ones
 * can be neither changed nor removed, even in the virtual Pod: one that the host refuses would otherwise block all
 * later ones.
 */
export function addedDebuggers(wanted: PodSpec, copy: PodSpec): readonly (readonly EphemeralContainer[])[] {
  const there = copy.ephemeralContainers ?? []
  const names = new Set(there.map(({ name }) => name))
  const lacking = (wanted.ephemeralContainers ?? []).filter(({ name }) => !names.has(name))
  if (lacking.length === 0) return []
  const alone = lacking.length === 1 ? [] : lacking.slice(-mostAlone).toReversed()
  return [[...there, ...lacking], ...alone.map((one) => [...there, one])]
}
