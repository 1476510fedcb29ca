import { isRefusal } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Service } from '../../../api/types/core-v1.ts'
import { deepEqual } from '../../../base/equal.ts'
import { asMembers, asObjects, asText } from '../../../base/json/lenient.ts'
import type { Log } from '../../../base/log.ts'
import { waitAtMost } from '../../../base/pause.ts'
import { configMapType, namespaceType, serviceType } from '../../../client/builtin-types.ts'
import type { Informer, KubeClient } from '../../../client/contract.ts'
import { saysGone } from '../../../client/says-gone.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import { Reconciler } from '../../../reconcile/reconciler.ts'
import type { HostNames, TextMap, Trouble } from '../../contract.ts'
import { copiedName } from '../../names/markers.ts'
import { nameOf, parseName, printName, type TenantPlace } from '../../names/names.ts'
import { NotYet, nameTaken, pauseAfter, ReadAgain, SyncTrouble } from '../../run/failures/failure.ts'
import { companionMetadata, companionSelector, isCompanion } from '../companion.ts'
import type { Companions, PodNetwork } from '../contract.ts'
import { apiEnvironmentName, linksEnvironmentName } from './environment-names.ts'
import { apiVariables, linkVariables } from './service-variables.ts'

const purpose = 'environment'
const byNamespace = 'namespace'
const listPatienceMs = 1_000
const lookAgainMs = 1_000

const addressNotKnown: Trouble = {
  reason: 'ApiAddressNotKnown',
  message: 'the host has not told yet at which address Pods reach the virtual cluster',
}

export interface EnvironmentKeeperOptions {
  readonly identity: TenantPlace
  readonly names: HostNames
  /** Undefined while it is being determined. */
  readonly network: () => PodNetwork | undefined
  readonly virtual: KubeClient
  readonly host: KubeClient
  /** The namespace of all copies; undefined: any namespace. */
  readonly hostNamespace: string | undefined
  readonly mayWrite: () => boolean
  readonly log: Log
}

/** A ConfigMap with variables and the namespace of the virtual cluster they describe; empty: the API. */
interface Variables {
  readonly place: ObjectName
  readonly namespace: string
}

/**
 * Keeps the variables by which Pods find Services in ConfigMaps of the host. Kubelets read them when a container
 * starts, as they do with Services of their own cluster, so Pods need not change when Services do.
 */
export class EnvironmentKeeper implements Pick<Companions, 'provide'> {
  readonly #options: EnvironmentKeeperOptions
  readonly #services: Informer
  readonly #maps: Informer
  readonly #loop: Reconciler

  constructor(options: EnvironmentKeeperOptions) {
    this.#options = options
    const { identity, virtual, host, hostNamespace } = options
    this.#services = virtual.informer(serviceType, {
      indexes: { [byNamespace]: ({ metadata }) => [metadata.namespace ?? ''] },
      keep: keptService,
    })
    this.#maps = host.informer(configMapType, {
      labelSelector: companionSelector(identity, purpose),
      ...(hostNamespace !== undefined && { namespace: hostNamespace }),
    })
    this.#loop = new Reconciler({
      reconcile: (name, signal) => this.#reconcile(parseName(name), signal),
      failed: (name, error) => options.log.warn('variables of Pods are not in step', { configMap: name, error }),
      pauseMs: pauseAfter,
      workers: 2,
    })
    void this.#begin()
  }

  async provide({ metadata }: KubeObject, place: ObjectName, signal: AbortSignal): Promise<void> {
    if (this.#options.network() === undefined) throw new NotYet(addressNotKnown)
    await followed(this.#services, 'Services of the virtual cluster')
    await followed(this.#maps, 'ConfigMaps of the host')
    for (const variables of this.#placesFor(metadata.namespace ?? '', place.namespace)) {
      if (!this.#isInStep(variables)) await this.#write(variables, signal)
    }
  }

  async stop(): Promise<void> {
    this.#services.stop()
    this.#maps.stop()
    await this.#loop.stop()
  }

  async #begin(): Promise<void> {
    try {
      await Promise.all([this.#services.whenSynced(), this.#maps.whenSynced()])
    } catch {
      return
    }
    this.#loop.follow(
      this.#maps.onChange(({ before, after }) => {
        const map = after ?? before
        if (map !== undefined) this.#loop.add(printName(nameOf(map)))
      }),
      this.#services.onChange(({ before, after }) => {
        const service = after ?? before
        if (service !== undefined) this.#serviceChanged(service.metadata.namespace ?? '')
      }),
    )
  }

  /** Only for namespaces with Pods that get variables. */
  #serviceChanged(namespace: string): void {
    const { names } = this.#options
    const place = { namespace: names.of(namespace, '').namespace, name: linksEnvironmentName(namespace, names) }
    if (this.#maps.get(place) !== undefined) this.#loop.add(printName(place))
  }

  async #reconcile(place: ObjectName, signal: AbortSignal): Promise<void> {
    const map = this.#maps.get(place)
    if (map === undefined || !isCompanion(map, this.#options.identity, purpose)) return
    if (this.#options.network() === undefined) return this.#loop.addAfter(printName(place), lookAgainMs)
    const { namespace } = copiedName(map)
    const known = this.#placesFor(namespace, place.namespace).find((each) => each.place.name === place.name)
    if (known === undefined || (await this.#isLeftOver(namespace, signal))) return this.#remove(map, signal)
    if (!this.#isInStep(known)) await this.#write(known, signal)
  }

  /** A namespace is deleted with its Services, so the last one triggers a check whether the namespace still exists. */
  async #isLeftOver(namespace: string, signal: AbortSignal): Promise<boolean> {
    if (namespace === '' || this.#services.indexed(byNamespace, namespace).length > 0) return false
    const key = { namespace: '', name: namespace }
    try {
      await this.#options.virtual.get(namespaceType, key, signal)
      return false
    } catch (error) {
      if (saysGone(error, key)) return true
      throw error
    }
  }

  #isInStep(variables: Variables): boolean {
    const map = this.#maps.get(variables.place)
    return map !== undefined && deepEqual(map.data ?? {}, this.#dataOf(variables))
  }

  #placesFor(namespace: string, hostNamespace: string): readonly Variables[] {
    const { names } = this.#options
    return [
      { namespace: '', place: { namespace: hostNamespace, name: apiEnvironmentName(names) } },
      { namespace, place: { namespace: hostNamespace, name: linksEnvironmentName(namespace, names) } },
    ]
  }

  #dataOf({ namespace }: Variables): TextMap {
    if (namespace === '') return apiVariables(this.#options.network()?.api)
    return linkVariables(this.#services.indexed(byNamespace, namespace) as readonly Service[])
  }

  async #write(variables: Variables, signal: AbortSignal): Promise<void> {
    const { identity, host } = this.#options
    const { place, namespace } = variables
    const known = this.#maps.get(place)
    const owner: KubeObject = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { namespace, name: purpose, uid: purpose },
    }
    const metadata = known?.metadata ?? companionMetadata(identity, purpose, owner, place)
    const map: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: this.#dataOf(variables) }
    this.#mustLead()
    try {
      const written =
        known === undefined ? host.create(configMapType, map, signal) : host.update(configMapType, map, signal)
      this.#maps.learn(await written)
    } catch (error) {
      if (!isRefusal(error, 409) || known !== undefined) throw error
      await this.#learnExisting(place, signal)
    }
  }

  async #learnExisting(place: ObjectName, signal: AbortSignal): Promise<void> {
    const there = await this.#options.host.get(configMapType, place, signal)
    if (!isCompanion(there, this.#options.identity, purpose)) throw new SyncTrouble(nameTaken(configMapType, place))
    this.#maps.learn(there)
  }

  async #remove(map: KubeObject, signal: AbortSignal): Promise<void> {
    this.#mustLead()
    try {
      await this.#options.host.delete(configMapType, nameOf(map), { uid: map.metadata.uid ?? '' }, signal)
    } catch (error) {
      if (!saysGone(error, nameOf(map))) throw error
    }
  }

  #mustLead(): void {
    if (!this.#options.mayWrite()) throw new ReadAgain('another replica leads now')
  }
}

/** A Pod waits, with a reason, while something cannot be followed. */
async function followed(informer: Informer, what: string): Promise<void> {
  if (!informer.isSynced) await waitAtMost(listPatienceMs, informer.whenSynced())
  if (informer.isSynced) return
  const message = `${what} cannot be followed${informer.trouble === undefined ? ' yet' : `: ${informer.trouble}`}`
  throw new NotYet({ reason: 'NotFollowed', message })
}

/** The fields that variables are made from. The tenant's own server may return a Service of any form. */
function keptService({ apiVersion, kind, metadata, spec }: KubeObject): KubeObject {
  const { type, clusterIP, ports } = asMembers(spec)
  const { namespace, name, uid, resourceVersion, annotations } = metadata
  const kept = { namespace, name, uid, resourceVersion, annotations }
  return {
    apiVersion,
    kind,
    metadata: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
    spec: { type: asText(type), clusterIP: asText(clusterIP), ports: asObjects(ports).flatMap(keptPort) },
  }
}

function keptPort({ name, port, protocol }: Record<string, unknown>): readonly object[] {
  if (typeof port !== 'number') return []
  return [{ port, ...(typeof name === 'string' && { name }), ...(typeof protocol === 'string' && { protocol }) }]
}
