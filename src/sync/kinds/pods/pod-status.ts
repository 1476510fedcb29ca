import type { ContainerStatus, Pod, PodCondition, PodStatus } from '../../../api/types/core-v1.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { KindSetting, ObjectFields, TakenOver, Trouble } from '../../contract.ts'
import { ranOn } from '../../names/markers.ts'
import { mergeDiff } from '../../plan/merge-diff.ts'
import { debuggerStatuses } from './debugger-status.ts'
import { withOwnGates } from './readiness-gates.ts'
import { inVirtualWords } from './virtual-words.ts'

/** A Pod gets its node first, because only a Pod with a node can report what runs. */
export function takenFromHost(copy: Pod, virtual: Pod, { names }: KindSetting): TakenOver {
  const { spec } = copy
  const { spec: own, status: shown = {} } = virtual
  const node = spec?.nodeName
  if (node && !own.nodeName && virtual.metadata.deletionTimestamp === undefined) return { binding: { node } }
  const told = (text: string) => inVirtualWords(text, virtual, names)
  const change = mergeDiff(shown, shownStatus(copy, virtual, told))
  const isNews = node !== undefined && virtual.metadata.annotations?.[ranOn] === undefined
  return {
    ...(isNews && { annotations: { [ranOn]: node } }),
    ...(isJsonObject(change) && { status: change }),
  }
}

/** Reports a refusal by the host where clients look for the reason why a Pod is pending. */
export function refusedStatus(virtual: Pod, { reason, message }: Trouble, now: string): ObjectFields | undefined {
  const { conditions = [] } = virtual.status ?? {}
  const known = conditions.find(({ type }) => type === 'PodScheduled')
  if (known?.status === 'False' && known.reason === reason && known.message === message) return undefined
  const refused: PodCondition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason,
    message,
  }
  return { conditions: [...conditions.filter((each) => each !== known), refused] }
}

type Told = (text: string) => string

/** The status on the host, limited to containers that the tenant knows. */
function shownStatus(copy: Pod, pod: Pod, told: Told): PodStatus {
  const { status: host = {} } = copy
  const { spec, status: virtual = {} } = pod
  const { resize, phase, conditions, message, reason, podIP, podIPs, startTime } = host
  const ofContainers = (statuses: ContainerStatuses, containers: Named) =>
    statusesOf(statuses, containers)?.map((status) => toldStatus(status, told))
  return withoutAbsent({
    ...virtual,
    phase: phase ?? virtual.phase,
    conditions:
      conditions &&
      withOwnGates(
        conditions.map((condition) => toldMessage(condition, told)),
        spec,
        virtual.conditions,
      ),
    message: message && told(message),
    reason,
    podIP,
    podIPs,
    startTime,
    initContainerStatuses: ofContainers(host.initContainerStatuses, spec.initContainers),
    containerStatuses: ofContainers(host.containerStatuses, spec.containers),
    ephemeralContainerStatuses: debuggerStatuses(copy, pod)?.map((status) => toldStatus(status, told)),
    resize,
  })
}

type ContainerStatuses = readonly ContainerStatus[] | undefined
type Named = readonly { readonly name: string }[] | null | undefined

/** Containers that the host added are not shown to the tenant. */
function statusesOf(statuses: ContainerStatuses, containers: Named): ContainerStatuses {
  const names = new Set(containers?.map(({ name }) => name))
  return statuses?.filter(({ name }) => names.has(name))
}

/** A container's own termination message is not translated. */
function toldStatus(status: ContainerStatus, told: Told): ContainerStatus {
  const { state } = status
  return state?.waiting ? { ...status, state: { ...state, waiting: toldMessage(state.waiting, told) } } : status
}

function toldMessage<Telling extends { readonly message?: string }>(telling: Telling, told: Told): Telling {
  return telling.message ? { ...telling, message: told(telling.message) } : telling
}

function withoutAbsent(status: Readonly<Record<keyof PodStatus | string, unknown>>): PodStatus {
  return Object.fromEntries(Object.entries(status).filter(([, value]) => value !== undefined))
}
