import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { asMembers, asText } from '../../../base/json/lenient.ts'
import type { BothSides, CopyPart, ObjectFields, SyncKind } from '../../contract.ts'
import { selectedLabels } from '../../names/host-labels.ts'
import { ranOn } from '../../names/markers.ts'
import { typedKind } from '../typed-kind.ts'
import { changeable, changedSpec } from './changeable.ts'
import { refusedDebuggersStatus } from './debugger-status.ts'
import { addedDebuggers, withoutDebuggers } from './debugging.ts'
import { downwardAnnotations } from './downward.ts'
import { isEndedPod } from './ended.ts'
import { claimsHeldBy, claimsOfUnplaced } from './held-claims.ts'
import { longestGraceSeconds } from './longest-grace.ts'
import { namesWithin } from './names-within.ts'
import { companionNames, hostSpec, namedIn } from './pod-spec.ts'
import { refusedStatus, takenFromHost } from './pod-status.ts'
import { gatesOnHost } from './readiness-gates.ts'
import { containerResources, resizedOnHost } from './resizing.ts'
import { whyPlacedAnew } from './scheduling.ts'
import { judgeSharedProcesses } from './shared-processes.ts'

/** Pods run on the host: it places them, and their state there is shown in the virtual cluster. */
export const podsSync: SyncKind = typedKind<Pod>({
  id: 'pods',
  group: '',
  resource: 'pods',
  leavesOut: whyItStays,
  toHost: (virtual, setting) => ({ spec: hostSpec(virtual, setting) }),
  hostLabels: ({ metadata }) => selectedLabels(metadata.namespace ?? '', metadata.labels),
  hostAnnotations: downwardAnnotations,
  fixed: namesWithin,
  holds: claimsHeldBy,
  holdsWhenPlaced: claimsOfUnplaced,
  changeable,
  overCopy: changedSpec,
  endsWithCopy: { hasRun, hasEnded: isEndedPod, longestGraceSeconds },
  sharesStatus: true,
  whenRefused: refusedStatus,
  whenPartsRefused: refusedDebuggersStatus,
  onTrial: (copy, wanted) => judgeSharedProcesses(copy, wanted === undefined ? copy.spec : (wanted.spec as PodSpec)),
  needsReferences: true,
  references: namedIn,
  companions: [
    { group: '', resource: 'secrets' },
    { group: '', resource: 'configmaps' },
  ],
  companionNames,
  refersTo: [
    { group: '', resource: 'configmaps' },
    { group: '', resource: 'secrets' },
    { group: '', resource: 'persistentvolumeclaims' },
  ],
  nodeOf: ({ spec }) => asText(asMembers(spec).nodeName),
  atCreation: ({ spec, ...rest }) => ({ ...rest, spec: withoutDebuggers(spec as PodSpec) }),
  resources: containerResources,
  whyAnew: whyPlacedAnew,
  partsOfCopy: lackingParts,
  toVirtual: takenFromHost,
})

/** Conditions come first, because they make a Pod ready. */
function lackingParts({ virtual, copy }: BothSides<Pod>, wanted: ObjectFields): readonly CopyPart[] {
  const status = gatesOnHost(virtual, copy)
  const resized = resizedOnHost(wanted, copy)
  return [
    ...(status === undefined ? [] : [{ subresource: 'status', body: { status } }]),
    ...addedDebuggers(wanted.spec as PodSpec, copy.spec).map((ephemeralContainers) => ({
      subresource: 'ephemeralcontainers',
      body: { spec: { ephemeralContainers } },
    })),
    ...(resized === undefined ? [] : [resized]),
  ]
}

function whyItStays(pod: Pod): string | undefined {
  if ((pod.spec.schedulingGates ?? []).length > 0) return 'it waits for its scheduling gates'
  return isScheduled(pod) && !hasRun(pod) ? 'another scheduler has given it a node' : undefined
}

/**
 * A node alone does not mean that the Pod ever ran on this host: its owner or another scheduler may have written it.
 * Neither does the mark: `kubectl debug --copy-to` creates a Pod with the annotations of another, but without a status.
 */
function hasRun(pod: Pod): boolean {
  const { metadata, status } = pod
  const { phase = 'Pending' } = status ?? {}
  return metadata.annotations?.[ranOn] !== undefined && (phase !== 'Pending' || isScheduled(pod))
}

function isScheduled({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'True') ?? false
}
