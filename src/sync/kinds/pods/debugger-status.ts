import type { ContainerStatus, Pod } from '../../../api/types/core-v1.ts'
import type { BothSides, KindSetting, ObjectFields, Trouble } from '../../contract.ts'
import { debuggerNames, hostDebuggerName } from './debugging.ts'
import { inVirtualWords } from './virtual-words.ts'

type Statuses = readonly ContainerStatus[] | undefined

/** Of those that the copy lacks, the virtual Pod keeps what says why. */
export function debuggerStatuses(copy: Pod, virtual: Pod): Statuses {
  const names = debuggerNames(virtual)
  const shown = copy.status?.ephemeralContainerStatuses?.flatMap((status) => {
    const name = names.get(status.name)
    return name === undefined ? [] : [{ ...status, name }]
  })
  const lacking = new Set(lackingDebuggers(copy, virtual))
  for (const { name } of shown ?? []) lacking.delete(name)
  const kept = virtual.status?.ephemeralContainerStatuses?.filter(({ name }) => lacking.has(name)) ?? []
  return shown === undefined && kept.length === 0 ? undefined : [...(shown ?? []), ...kept]
}

/** `kubectl debug` waits for the state of its container, and shows the message in it. */
export function refusedDebuggersStatus(
  { virtual, copy }: BothSides<Pod>,
  { reason, message }: Trouble,
  { names }: KindSetting,
): ObjectFields | undefined {
  const { ephemeralContainerStatuses: known = [] } = virtual.status ?? {}
  const shown = new Set(known.map(({ name }) => name))
  const untold = lackingDebuggers(copy, virtual).filter((name) => !shown.has(name))
  if (untold.length === 0) return undefined
  const told = { reason, message: inVirtualWords(message, virtual, names) }
  return { ephemeralContainerStatuses: [...known, ...untold.map((name) => refusedStatus(name, told))] }
}

function lackingDebuggers(copy: Pod, { metadata, spec }: Pod): readonly string[] {
  const there = new Set((copy.spec?.ephemeralContainers ?? []).map(({ name }) => name))
  const names = (spec?.ephemeralContainers ?? []).map(({ name }) => name)
  return names.filter((name) => !there.has(hostDebuggerName(metadata.uid ?? '', name)))
}

function refusedStatus(name: string, { reason, message }: Trouble): ContainerStatus {
  const state = { waiting: { reason, message } }
  return { name, state, lastState: {}, ready: false, restartCount: 0, image: '', imageID: '' }
}
