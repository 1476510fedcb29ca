import { configMap } from '../../src/api/core/config-map.ts'
import { event } from '../../src/api/core/events/event.ts'
import { namespace } from '../../src/api/core/namespace.ts'
import { pod } from '../../src/api/core/pods/pod.ts'
import { resourceQuota } from '../../src/api/core/quotas/resource-quota.ts'
import { service } from '../../src/api/core/services/service.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { ResourceQuotaStatus } from '../../src/api/types/core-v1.ts'
import type { Clock } from '../../src/base/clock.ts'
import { systemRandom } from '../../src/base/random.ts'
import type { Resource } from '../../src/registry/contract.ts'
import type { ReportError } from '../../src/registry/controllers/controller.ts'
import { QuotaStatus } from '../../src/registry/controllers/quota-status.ts'
import { ObjectRegistry } from '../../src/registry/registry.ts'
import { QuotaBook } from '../../src/registry/resource-quota/quota-book.ts'
import { QuotaCharges } from '../../src/registry/resource-quota/quota-charges.ts'
import type { Store } from '../../src/storage/contract.ts'
import { bodyOf, latest, writeRequest } from '../support/registry.ts'

const target = { namespace: 'default' }

/** A registry with quotas over a store, with helper functions. */
export async function startQuotaWorld(store: Store, clock: Clock) {
  const registry = new ObjectRegistry({ store, clock, random: systemRandom })
  const book = new QuotaBook(registry)
  const charges = new QuotaCharges(book)
  for (const kind of [namespace, configMap, event, pod, resourceQuota, service]) {
    const reserve = charges.reserving(kind)
    registry.add(kind, reserve === undefined ? {} : { reserve })
  }
  await registry.start()
  const resource = (plural: string): Resource => {
    const found = registry.resource('', 'v1', plural)
    if (found === undefined) throw new Error(`${plural} is not served`)
    return found
  }
  return {
    registry,
    book,
    charges,
    resource,
    startController: (counted: QuotaBook = book, report: ReportError = () => {}) =>
      new QuotaStatus(registry, counted, report),
    create: (plural: string, object: KubeObject, request = writeRequest()) =>
      resource(plural).create({ namespace: object.metadata.namespace ?? '' }, bodyOf(object), request),
    remove: (plural: string, name: string) =>
      resource(plural).delete({ ...target, name }, { dryRun: false }, writeRequest()),
    status: async (name = 'q'): Promise<ResourceQuotaStatus> => {
      const { object } = await resource('resourcequotas').get({ ...target, name }, latest)
      return object.status as ResourceQuotaStatus
    },
  }
}

export type QuotaWorld = Awaited<ReturnType<typeof startQuotaWorld>>

export function quota(hard: Readonly<Record<string, string>>, spec: object = {}, name = 'q'): KubeObject {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name, namespace: 'default' }, spec: { hard, ...spec } }
}

export function podNamed(name: string, requests: Readonly<Record<string, string>> = {}, spec: object = {}): KubeObject {
  const containers = [{ name: 'c', image: 'nginx', resources: { requests } }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec: { containers, ...spec } }
}

export function serviceNamed(name: string, spec: object = {}): KubeObject {
  const ports = [{ port: 80 }]
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'default' }, spec: { ports, ...spec } }
}
