import type { Reconciler } from '../../reconcile/reconciler.ts'
import { relativeKey } from '../../registry/storage-key.ts'
import type { OwnedChange, OwnedObjects } from '../ownership/owned-objects.ts'
import { type PodFacts, podsOnNode } from '../pods/pod-facts.ts'
import { isSameBackend } from './backends.ts'
import type { ServiceFacts } from './service-facts.ts'

export interface ServicesAndPods {
  readonly servicesKnown: OwnedObjects<ServiceFacts>
  readonly podsKnown: OwnedObjects<PodFacts>
}

interface ServicesByNamespace {
  readonly servicesKnown: Pick<OwnedObjects<ServiceFacts>, 'in'>
  readonly podsKnown: Pick<OwnedObjects<PodFacts>, 'inGroup'>
}

/** Queues every Service, and again each one that changes or whose Pods change. */
export function followServices(loop: Reconciler, known: ServicesAndPods): void {
  const { servicesKnown, podsKnown } = known
  const add = (service: ServiceFacts | undefined) => {
    if (service !== undefined) loop.add(relativeKey(service))
  }
  loop.follow(
    servicesKnown.listen(({ before, after }) => add(after ?? before)),
    podsKnown.listen((change) => {
      for (const pod of podsToAsk(change)) addServicesOf(loop, known, pod)
    }),
  )
  for (const service of servicesKnown.all()) add(service)
}

function addServicesOf(loop: Reconciler, { servicesKnown }: ServicesAndPods, { namespace, labels }: PodFacts): void {
  for (const service of servicesKnown.in(namespace)) {
    if (service.selector.matches(labels)) loop.add(relativeKey(service))
  }
}

/**
 * The reconciliations find out which Services have Pods on these nodes: matching each Service with each Pod takes too
 * long here.
 */
export function addServicesOnNodes(
  loop: Pick<Reconciler, 'add'>,
  { servicesKnown, podsKnown }: ServicesByNamespace,
  nodeNames: ReadonlySet<string>,
): void {
  const pods = [...nodeNames].flatMap((name) => podsKnown.inGroup(podsOnNode(name)))
  for (const namespace of new Set(pods.map((pod) => pod.namespace))) {
    for (const service of servicesKnown.in(namespace)) loop.add(relativeKey(service))
  }
}

function podsToAsk({ before, after }: OwnedChange<PodFacts>): readonly PodFacts[] {
  if (before !== undefined && after !== undefined && isSameBackend(before, after)) return []
  return [before, after].filter((pod) => pod !== undefined)
}
