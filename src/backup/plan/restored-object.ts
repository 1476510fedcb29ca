import { asMembers, asObjects } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'

type Part = Readonly<Record<string, unknown>>

/** What happens to an object of a backup when it is recreated in a running cluster. */
export type RestoredObject =
  | { readonly fate: 'made'; readonly object: Part }
  | { readonly fate: 'left out'; readonly why: string }

/** Kinds that are only valid for a short time. */
const fleeting: ReadonlySet<string> = new Set(['core/events', 'coordination.k8s.io/leases'])

/** An object as a client would create it: without what its former server, or a controller there, had added. */
export function restoredObject(kind: string, stored: Part): RestoredObject {
  const metadata = asMembers(stored.metadata)
  const why = whyLeftOut(kind, stored, metadata)
  if (why !== undefined) return { fate: 'left out', why }
  const { status: _, spec, ...rest } = stored
  const cleaned = spec === undefined ? {} : { spec: isJsonObject(spec) ? restoredSpec(kind, spec, metadata) : spec }
  return { fate: 'made', object: { ...rest, ...cleaned, metadata: restoredMetadata(kind, metadata) } }
}

function whyLeftOut(kind: string, { type }: Part, { ownerReferences, deletionTimestamp }: Part): string | undefined {
  if (fleeting.has(kind)) return 'is of one moment'
  if (kind.endsWith('/ownedaccesskeys')) return 'is an access key: make a new one with tenant platform keys create'
  if (deletionTimestamp !== undefined) return 'was being deleted'
  if (kind === 'core/secrets' && type === 'kubernetes.io/service-account-token')
    return 'is the token of another account'
  const owners = asObjects(ownerReferences)
  const controller = owners.find((owner) => owner.controller === true)
  return controller && `is made by its ${String(controller.kind)} ${String(controller.name)}`
}

/** Owners have other uids now, and an object with a missing owner would be garbage-collected. */
function restoredMetadata(kind: string, metadata: Part): Part {
  const { name, namespace, labels, annotations, finalizers } = metadata
  const kept = {
    name,
    namespace,
    labels: kind === 'batch/jobs' ? ownLabels(labels) : labels,
    annotations: kind === 'core/persistentvolumeclaims' ? ownAnnotations(annotations) : annotations,
    finalizers,
  }
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined))
}

function restoredSpec(kind: string, spec: Part, { annotations }: Part): Part {
  switch (kind) {
    case 'core/namespaces':
      return {}
    case 'core/pods':
      return without(spec, 'nodeName')
    case 'core/services':
      return restoredService(spec)
    case 'core/persistentvolumeclaims':
      return asMembers(annotations)[boundByController] === undefined ? spec : without(spec, 'volumeName')
    case 'batch/jobs':
      return spec.manualSelector === true ? spec : restoredJob(spec)
    default:
      return spec
  }
}

/** Addresses and ports may be taken by now. A headless service stays headless. */
function restoredService(spec: Part): Part {
  const base = spec.clusterIP === 'None' ? spec : without(spec, 'clusterIP', 'clusterIPs')
  const ports = Array.isArray(spec.ports)
    ? spec.ports.filter(isJsonObject).map((port) => without(port, 'nodePort'))
    : []
  return { ...without(base, 'healthCheckNodePort', 'ports'), ...(ports.length === 0 ? {} : { ports }) }
}

const boundByController = 'pv.kubernetes.io/bound-by-controller'

/** A claim marked as bound is lost for good if its volume is gone. One without a volume gets another. */
const annotationsOfBoundClaims: readonly string[] = [
  boundByController,
  'pv.kubernetes.io/bind-completed',
  'volume.kubernetes.io/selected-node',
  'volume.kubernetes.io/storage-provisioner',
  'volume.beta.kubernetes.io/storage-provisioner',
]

function ownAnnotations(annotations: unknown): Part | undefined {
  return annotations === undefined ? undefined : without(asMembers(annotations), ...annotationsOfBoundClaims)
}

/** The server selects the Pods of a Job by its uid, and writes that into the Job. */
function restoredJob(spec: Part): Part {
  const template = asMembers(spec.template)
  const metadata = asMembers(template.metadata)
  const own = { ...metadata, labels: ownLabels(metadata.labels) }
  return { ...without(spec, 'selector'), template: { ...template, metadata: own } }
}

const labelsOfJobs: readonly string[] = [
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
  'controller-uid',
  'job-name',
]

function ownLabels(labels: unknown): Part {
  return without(asMembers(labels), ...labelsOfJobs)
}

function without(from: Part, ...names: readonly string[]): Part {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/** Kinds that others depend on come first. */
const firstKinds: readonly string[] = [
  'core/namespaces',
  'apiextensions.k8s.io/customresourcedefinitions',
  'core/serviceaccounts',
  'core/secrets',
  'core/configmaps',
  'core/persistentvolumeclaims',
]

export function byNeed(left: string, right: string): number {
  return rankOf(left) - rankOf(right)
}

function rankOf(kind: string): number {
  const rank = firstKinds.indexOf(kind)
  return rank < 0 ? firstKinds.length : rank
}
