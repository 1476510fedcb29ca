import type { KubeObject } from '../../api/object.ts'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { Ingress } from '../../api/types/networking-v1.ts'
import type { ResourceContext } from '../context.ts'
import { type AdmissionPlugin, isCore } from './contract.ts'

const olderStorageAnnotation = 'volume.beta.kubernetes.io/storage-class'
const olderIngressAnnotation = 'kubernetes.io/ingress.class'

/** A claim that names no class is of the default one. An empty name is a name. */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  handles: (kind) => isCore(kind, 'PersistentVolumeClaim'),
  mutate: (object, { engine, old }) => {
    const { metadata, spec } = object as PersistentVolumeClaim
    const isNamed = spec.storageClassName !== undefined || metadata.annotations?.[olderStorageAnnotation] !== undefined
    const name =
      old !== undefined || isNamed ? undefined : defaultOf(engine.find('storage.k8s.io', 'StorageClass'), storage)
    return name === undefined ? object : { ...object, spec: { ...spec, storageClassName: name } }
  },
}

/** The same for an Ingress. */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  handles: ({ group, kind }) => group === 'networking.k8s.io' && kind === 'Ingress',
  mutate: (object, { engine, old }) => {
    const { metadata, spec } = object as Ingress
    const isNamed = spec.ingressClassName !== undefined || metadata.annotations?.[olderIngressAnnotation] !== undefined
    const name =
      old !== undefined || isNamed ? undefined : defaultOf(engine.find('networking.k8s.io', 'IngressClass'), ingress)
    return name === undefined ? object : { ...object, spec: { ...spec, ingressClassName: name } }
  },
}

const storage = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class']
const ingress = ['ingressclass.kubernetes.io/is-default-class']

/** Of several the newest, and of those the first by name. */
function defaultOf(classes: ResourceContext | undefined, marks: readonly string[]): string | undefined {
  const all = [...(classes?.cache.current().values() ?? [])].map(({ object }) => object.metadata)
  const defaults = all.filter(({ annotations }) => marks.some((mark) => annotations?.[mark] === 'true'))
  return defaults.toSorted(byAge)[0]?.name
}

function byAge(left: KubeObject['metadata'], right: KubeObject['metadata']): number {
  const [older, newer] = [left.creationTimestamp ?? '', right.creationTimestamp ?? '']
  if (older !== newer) return older > newer ? -1 : 1
  return (left.name ?? '') < (right.name ?? '') ? -1 : 1
}
