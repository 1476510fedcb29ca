import type { Pod } from '../../types/core-v1.ts'
import { builtinKind } from '../builtin-kind.ts'
import { appArmorWarnings } from './app-armor-sync.ts'
import { validateEphemeralUpdate } from './ephemeral-container-validation.ts'
import { newPod } from './new-pod.ts'
import { podColumns, podRowConditions } from './pod-columns.ts'
import { withPodDefaults } from './pod-defaults.ts'
import { validateResize, withResources } from './pod-resize.ts'
import { validatePodStatusUpdate } from './pod-status-validation.ts'
import { validatePodUpdate } from './pod-update-validation.ts'
import { validatePod } from './pod-validation.ts'
import { podWarnings } from './pod-warnings.ts'

export const pod = builtinKind<Pod>({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  shortNames: ['po'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  deleteAnswer: 'object',
  statusKeeps: ['ownerReferences'],
  message: 'k8s.io.api.core.v1.Pod',
  selectableFields: {
    'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
    'spec.restartPolicy': ({ spec }) => spec.restartPolicy ?? '',
    'spec.schedulerName': ({ spec }) => spec.schedulerName ?? '',
    'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? '',
    'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
    'status.phase': ({ status }) => status.phase ?? '',
    'status.podIP': ({ status }) => status.podIP ?? '',
    'status.nominatedNodeName': ({ status }) => status.nominatedNodeName ?? '',
  },
  columns: podColumns,
  rowConditions: podRowConditions,
  partialUpdates: {
    binding: { verbs: [], apply: (sent) => sent },
    ephemeralcontainers: {
      verbs: ['get', 'patch', 'update'],
      apply: withEphemeralContainers,
      validate: validateEphemeralUpdate,
    },
    resize: { verbs: ['get', 'patch', 'update'], apply: withResources, validate: validateResize },
  },
  strategy: {
    defaults: withPodDefaults,
    prepareForCreate: newPod,
    prepareForStatusUpdate: withQualityOfService,
    validate: validatePod,
    validateUpdate: validatePodUpdate,
    validateStatusUpdate: validatePodStatusUpdate,
    warnings: podWarnings,
    warningsBefore: appArmorWarnings,
    gracePeriodSeconds,
  },
})

/** Everything else stays as it is stored, the owners of fields included. */
function withEphemeralContainers(sent: Pod, old: Pod): Pod {
  const { ephemeralContainers: _, ...spec } = old.spec
  const { ephemeralContainers } = sent.spec
  return { ...old, spec: { ...spec, ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }) } }
}

/** The class never changes; a status report may omit it. */
function withQualityOfService(pod: Pod, { status }: Pod): Pod {
  if (pod.status.qosClass !== undefined || status.qosClass === undefined) return pod
  return { ...pod, status: { ...pod.status, qosClass: status.qosClass } }
}

/** A pod without a node, or a finished one, is deleted immediately. */
function gracePeriodSeconds({ spec, status }: Pod, requested: number | undefined): number {
  const hasEnded = status.phase === 'Failed' || status.phase === 'Succeeded'
  if (spec.nodeName === undefined || hasEnded) return 0
  const seconds = requested ?? spec.terminationGracePeriodSeconds ?? 0
  return seconds < 0 ? 1 : seconds
}
