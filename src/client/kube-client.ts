import { apiVersionOf, type KubeObject, objectKeyOf } from '../api/object.ts'
import type { Clock } from '../base/clock.ts'
import { printJson } from '../base/json/print.ts'
import type { Log } from '../base/log.ts'
import type { Random } from '../base/random.ts'
import type { Tracing } from '../base/tracing/tracing.ts'
import type { DeleteRequestOptions, Informer, KubeClient, PatchType, ResourceType, WriteOptions } from './contract.ts'
import { DiscoveredResources } from './discovery/discovered-resources.ts'
import type { ClusterAccess } from './kubeconfig/contract.ts'
import { listAllPages } from './list.ts'
import { readExactly, readLarge } from './received-json.ts'
import { receivedObject } from './received-object.ts'
import { ask } from './requests.ts'
import { collectionPath, objectPath, withQuery } from './resource-path.ts'
import { type TransportLimits, usualLimits } from './transport/limits.ts'
import type { HttpMethod } from './transport/retry.ts'
import { createTransport } from './transport/transport.ts'
import { WatchingInformer } from './watch/informer.ts'

export interface KubeClientOptions {
  readonly access: ClusterAccess
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** `name/version`: servers write the name into the objects. */
  readonly userAgent: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<TransportLimits>
  /** Absent: requests are not traced. */
  readonly tracing?: Tracing | undefined
  /** The minimum duration of one watch; also limits how long a dead connection goes unnoticed. */
  readonly watchSeconds?: number
  /**
   * Whether answers to writes may contain bigints: integers that a double cannot represent. Otherwise, such an answer
   * is an error.
   */
  readonly takesLargeIntegers?: boolean
}

const usualWatchSeconds = 60

const patchTypes: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
}

export function createKubeClient(options: KubeClientOptions): KubeClient {
  const { clock, random, log, watchSeconds = usualWatchSeconds, takesLargeIntegers = false } = options
  const read = takesLargeIntegers ? readLarge : readExactly
  const transport = createTransport({ ...options, limits: { ...usualLimits, ...options.limits } })
  const informers = new Set<Informer>()

  const write = async (
    type: ResourceType,
    request: {
      readonly method: HttpMethod
      readonly path: string
      readonly body: unknown
      readonly contentType?: string
    },
    signal?: AbortSignal,
  ): Promise<KubeObject> => {
    const { contentType = 'application/json', body, ...rest } = request
    const answer = await ask(transport, { ...rest, contentType, body: printJson(body) }, signal, read)
    return receivedObject(answer, type)
  }

  return {
    origin: transport.origin,
    served: new DiscoveredResources(transport, clock),
    get: async (type, key, signal) =>
      receivedObject(await ask(transport, { method: 'GET', path: objectPath(type, key) }, signal), type),
    list: (type, selection = {}, signal) => listAllPages(transport, type, selection, signal),
    create: (type, object, signal, options) => {
      const path = withQuery(collectionPath(type, object.metadata.namespace), writeQuery(options))
      return write(type, { method: 'POST', path, body: object }, signal)
    },
    createUnder: (type, key, { subresource, body }, signal) => {
      const path = objectPath(type, key, subresource)
      const request = { method: 'POST' as const, path, contentType: 'application/json', body: JSON.stringify(body) }
      return ask(transport, request, signal)
    },
    update: (type, object, signal, options) => {
      const path = withQuery(objectPath(type, objectKeyOf(object)), writeQuery(options))
      return write(type, { method: 'PUT', path, body: object }, signal)
    },
    updateStatus: (type, object, signal) =>
      write(type, { method: 'PUT', path: objectPath(type, objectKeyOf(object), 'status'), body: object }, signal),
    patch: (type, key, { type: patchType, body, subresource }, signal) => {
      const path = objectPath(type, key, subresource)
      return write(type, { method: 'PATCH', path, body, contentType: patchTypes[patchType] }, signal)
    },
    apply: (type, object, { fieldManager, force }, signal) => {
      const path = withQuery(objectPath(type, objectKeyOf(object)), { fieldManager, force: force ? 'true' : undefined })
      const body = { ...object, apiVersion: apiVersionOf(type), kind: type.kind }
      return write(type, { method: 'PATCH', path, body, contentType: 'application/apply-patch+yaml' }, signal)
    },
    delete: async (type, key, deletion = {}, signal) => {
      const body = JSON.stringify(deletionBody(deletion))
      const path = objectPath(type, key)
      await ask(transport, { method: 'DELETE', path, contentType: 'application/json', body }, signal)
    },
    informer: (type, informerOptions = {}) => {
      const onStop = (stopped: Informer) => informers.delete(stopped)
      const context = { transport, random, log, watchSeconds, onStop }
      const informer = new WatchingInformer(context, type, informerOptions)
      informers.add(informer)
      return informer
    },
    close: async () => {
      for (const informer of informers) informer.stop()
      transport.close()
    },
  }
}

function writeQuery({ unknownFields, isDryRun }: WriteOptions = {}): Readonly<Record<string, string | undefined>> {
  return {
    fieldValidation: unknownFields === 'refused' ? 'Strict' : undefined,
    dryRun: isDryRun === true ? 'All' : undefined,
  }
}

function deletionBody({ uid, resourceVersion, propagation, graceSeconds }: DeleteRequestOptions) {
  const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(uid || resourceVersion ? { preconditions } : {}),
    ...(propagation && { propagationPolicy: propagation }),
    ...(graceSeconds !== undefined && { gracePeriodSeconds: graceSeconds }),
  }
}
