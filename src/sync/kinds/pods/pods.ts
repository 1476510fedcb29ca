import type { KubeObject } from '../../../api/object.ts'
import type { Pod, PodSpec } from '../../../api/types/core-v1.ts'
import { asMembers, asText } from '../../../base/json/lenient.ts'
import type { BothSides, CopyPart, ObjectFields, SyncKind } from '../../contract.ts'
import { selectedLabels } from '../../names/host-labels.ts'
import { ranOn } from '../../names/markers.ts'
import { longestGraceSeconds } from '../../policy/pods/grace.ts'
import { changeable, changedSpec } from './changeable.ts'
import { refusedDebuggersStatus } from './debugger-status.ts'
import { addedDebuggers, withoutDebuggers } from './debugging.ts'
import { downwardAnnotations } from './downward.ts'
import { isEndedPod } from './ended.ts'
import { claimsHeldBy, claimsOfUnplaced } from './held-claims.ts'
import { namesWithin } from './names-within.ts'
import { companionNames, hostSpec, namedIn } from './pod-spec.ts'
import { refusedStatus, takenFromHost } from './pod-status.ts'
import { gatesOnHost } from './readiness-gates.ts'
import { containerResources, resizedOnHost } from './resizing.ts'
import { whyPlacedAnew } from './scheduling.ts'
import { judgeSharedProcesses } from './shared-processes.ts'

/** Pods run on the host: it places them, and their state there is shown in the virtual cluster. */
export const podsSync: SyncKind = {
  id: 'pods',
  group: '',
  resource: 'pods',
  leavesOut: (virtual) => whyItStays(virtual as Pod),
  toHost: (virtual, setting) => ({ spec: hostSpec(virtual as Pod, setting) }),
  hostLabels: ({ metadata }) => selectedLabels(metadata.namespace ?? '', metadata.labels),
  hostAnnotations: (virtual) => downwardAnnotations(virtual as Pod),
  fixed: (virtual) => namesWithin(virtual as Pod),
  holds: (copy) => claimsHeldBy(copy as Pod),
  holdsWhenPlaced: (virtual, copy) => claimsOfUnplaced(virtual as Pod, copy as Pod),
  changeable,
  overCopy: changedSpec,
  endsWithCopy: { hasRun, hasEnded: (virtual) => isEndedPod(virtual as Pod), longestGraceSeconds },
  sharesStatus: true,
  whenRefused: refusedStatus,
  whenPartsRefused: refusedDebuggersStatus,
  onTrial: (copy, wanted = copy) => {
    const judge = judgeSharedProcesses(copy as Pod, wanted.spec as PodSpec)
    return judge && ((made) => judge(made as Pod))
  },
  needsReferences: true,
  references: (virtual) => namedIn(virtual as Pod),
  companions: [
    { group: '', resource: 'secrets' },
    { group: '', resource: 'configmaps' },
  ],
  companionNames: (virtual, setting) => companionNames(virtual as Pod, setting),
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
}

/** Conditions come first, because they make a Pod ready. */
function lackingParts({ virtual, copy }: BothSides, wanted: ObjectFields): readonly CopyPart[] {
  const status = gatesOnHost(virtual as Pod, copy as Pod)
  const resized = resizedOnHost(wanted, copy)
  return [
    ...(status === undefined ? [] : [{ subresource: 'status', body: { status } }]),
    ...addedDebuggers(wanted.spec as PodSpec, (copy as Pod).spec).map((ephemeralContainers) => ({
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
function hasRun(virtual: KubeObject): boolean {
  const { metadata, status } = virtual as Pod
  const { phase = 'Pending' } = status ?? {}
  return metadata.annotations?.[ranOn] !== undefined && (phase !== 'Pending' || isScheduled(virtual as Pod))
}

function isScheduled({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'True') ?? false
}
