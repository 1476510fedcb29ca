import { mirrorAnnotation } from '../../api/core/nodes/kubelet.ts'
import { referencesOfPod } from '../../api/core/pods/pod-references.ts'
import { secretsOfPersistentVolume } from '../../api/core/volumes/volume-references.ts'
import type { PersistentVolume, Pod } from '../../api/types/core-v1.ts'
import type { VolumeAttachment } from '../../api/types/storage-v1.ts'
import { type GraphKey, graphKey, NodeGraph } from '../../auth/nodes/node-graph.ts'
import { Pace } from '../../base/pace.ts'
import type { Cache } from '../../registry/cache.ts'
import type { Engine } from '../../registry/context.ts'
import type { ObjectId, StoredDocument } from '../../registry/document.ts'

/**
 * The graph of a cluster, built at the first question: most clusters have no kubelet that asks, so no Pod is read for
 * it. From then on, a change takes effect when it is acknowledged.
 */
export function nodeGraphOf(engine: Engine): () => NodeGraph | Promise<NodeGraph> {
  let graph: NodeGraph | Promise<NodeGraph> | undefined
  return () => {
    graph ??= followed(engine).then((ready) => {
      graph = ready
      return ready
    })
    return graph
  }
}

async function followed(engine: Engine): Promise<NodeGraph> {
  const graph = new NodeGraph()
  const pace = new Pace()
  for (const { group, kind, read } of sources) {
    const cache = engine.find(group, kind)?.cache
    if (cache === undefined) continue
    const take = taking(cache, read(graph))
    cache.listen((events) => {
      for (const { document } of events) take(document)
    })
    for (const document of cache.snapshot().values()) {
      take(document)
      await pace.step()
    }
  }
  return graph
}

/** Applies the state of an object. Undefined: it was deleted, or cannot be read. */
type ReadObject = (id: ObjectId, object: StoredDocument['object'] | undefined) => void

/** Uses the current state, so that the order of an object's changes does not matter. */
function taking(cache: Cache, read: ReadObject): (document: StoredDocument) => void {
  return ({ namespace, name }) => {
    const id = { namespace, name }
    const current = cache.get(id)
    if (current === undefined) return read(id, undefined)
    cache.attempt(
      current,
      () => read(id, current.object),
      () => read(id, undefined),
    )
  }
}

const sources: readonly {
  readonly group: string
  readonly kind: string
  readonly read: (graph: NodeGraph) => ReadObject
}[] = [
  { group: '', kind: 'Pod', read: readPod },
  { group: '', kind: 'PersistentVolume', read: readVolume },
  { group: 'storage.k8s.io', kind: 'VolumeAttachment', read: readAttachment },
]

function readPod(graph: NodeGraph): ReadObject {
  return ({ namespace, name }, object) => {
    const key = graphKey('pods', namespace, name)
    const pod = object as Pod | undefined
    graph.bind(key, pod?.spec.nodeName ?? '')
    graph.refer(key, pod === undefined || leadsNowhere(pod) ? [] : keysOfPod(pod, namespace))
  }
}

/** A kubelet writes mirror Pods, and must not gain the right to read what it names there. */
function leadsNowhere({ metadata, spec }: Pod): boolean {
  return (spec.nodeName ?? '') === '' || metadata.annotations?.[mirrorAnnotation] !== undefined
}

function keysOfPod(pod: Pod, namespace: string): readonly GraphKey[] {
  const { serviceAccount, secrets, configMaps, claims } = referencesOfPod(pod)
  const keys = (resource: string, names: readonly string[]) => names.map((name) => graphKey(resource, namespace, name))
  return [
    ...(serviceAccount === '' ? [] : keys('serviceaccounts', [serviceAccount])),
    ...keys('secrets', secrets),
    ...keys('configmaps', configMaps),
    ...keys('persistentvolumeclaims', claims),
  ]
}

/** The reference leads from the claim to the volume, but the volume names the claim. */
function readVolume(graph: NodeGraph): ReadObject {
  const claims = new Map<string, GraphKey>()
  return ({ name }, object) => {
    const key = graphKey('persistentvolumes', '', name)
    const volume = object as PersistentVolume | undefined
    const claim = volume && claimOf(volume)
    const before = claims.get(name)
    if (before !== undefined && before !== claim) graph.unlink(before, key)
    if (claim === undefined) claims.delete(name)
    else {
      claims.set(name, claim)
      graph.link(claim, key)
    }
    const secrets = volume === undefined ? [] : secretsOfPersistentVolume(volume)
    graph.refer(
      key,
      secrets.map((secret) => graphKey('secrets', secret.namespace, secret.name)),
    )
  }
}

function claimOf({ spec: { claimRef } }: PersistentVolume): GraphKey | undefined {
  if (claimRef === undefined) return undefined
  return graphKey('persistentvolumeclaims', claimRef.namespace ?? '', claimRef.name ?? '')
}

function readAttachment(graph: NodeGraph): ReadObject {
  return ({ name }, object) => {
    const attachment = object as VolumeAttachment | undefined
    graph.bind(graphKey('volumeattachments', '', name), attachment?.spec.nodeName ?? '')
  }
}
