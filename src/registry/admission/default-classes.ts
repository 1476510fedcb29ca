import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import type { Ingress } from '../../api/types/networking-v1.ts'
import type { ResourceContext } from '../context.ts'
import { RememberedFacts } from '../remembered-facts.ts'
import { type AdmissionPlugin, isCore } from './contract.ts'

const olderStorageAnnotation = 'volume.beta.kubernetes.io/storage-class'
const olderIngressAnnotation = 'kubernetes.io/ingress.class'

/** A claim without a class gets the default one. An empty name counts as a class. */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  handles: (kind) => isCore(kind, 'PersistentVolumeClaim'),
  mutate: (object, { engine, old }) => {
    const classes = engine.find('storage.k8s.io', 'StorageClass')
    const claim = object as PersistentVolumeClaim
    return (old === undefined ? withDefaultClass(claim, classes) : undefined) ?? object
  },
}

/** Undefined: the claim names a class, or no class is the default. */
export function withDefaultClass(
  claim: PersistentVolumeClaim,
  classes: ResourceContext | undefined,
): PersistentVolumeClaim | undefined {
  const { metadata, spec } = claim
  if (spec.storageClassName !== undefined || metadata.annotations?.[olderStorageAnnotation] !== undefined) {
    return undefined
  }
  const storageClassName = defaultOf(classes, storage)
  return storageClassName === undefined ? undefined : { ...claim, spec: { ...spec, storageClassName } }
}

/** An Ingress without a class gets the default one. */
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

/** If there are several, the newest counts; of equally old ones, the first by name. */
function defaultOf(classes: ResourceContext | undefined, marks: readonly string[]): string | undefined {
  const all = classes === undefined ? [] : knownClasses.ofAll(classes.cache)
  const defaults = all.filter((each) => marks.some((mark) => each.marks.includes(mark)))
  return defaults.toSorted(byAge)[0]?.name
}

interface KnownClass {
  readonly name: string
  readonly since: string
  /** The annotations that mark the class as the default. */
  readonly marks: readonly string[]
}

const knownClasses = new RememberedFacts(({ metadata }): KnownClass => {
  const { name = '', creationTimestamp, annotations } = metadata
  const marks = [...storage, ...ingress].filter((mark) => annotations?.[mark] === 'true')
  return { name, since: creationTimestamp ?? '', marks }
})

function byAge(left: KnownClass, right: KnownClass): number {
  if (left.since !== right.since) return left.since > right.since ? -1 : 1
  return left.name < right.name ? -1 : 1
}
