import { WorkQueue } from '../../base/work-queue.ts'
import type { ResourceContext } from '../context.ts'
import type { Controller, ReportError } from './controller.ts'
import { ensureObject } from './ensure.ts'
import { systemRequest } from './system-request.ts'

const manager = 'namespace-defaults'
const serviceAccountName = 'default'
const rootCertificateName = 'kube-root-ca.crt'

export interface NamespaceDefaultsKinds {
  readonly namespaces: ResourceContext
  readonly serviceAccounts: ResourceContext
  readonly configMaps: ResourceContext
}

/** Every namespace has the ServiceAccount `default` and a ConfigMap with the certificate that clients trust. */
export class NamespaceDefaults implements Controller {
  readonly #kinds: NamespaceDefaultsKinds
  readonly #certificate: string
  readonly #unsubscribe: (() => void)[]
  readonly #stop = new AbortController()
  readonly #queue: WorkQueue

  constructor(kinds: NamespaceDefaultsKinds, rootCertificate: string, report: ReportError) {
    this.#kinds = kinds
    this.#certificate = rootCertificate
    this.#queue = new WorkQueue({
      handle: (name) => this.#handle(name),
      onError: (name, error) => report(manager, name, error),
    })
    this.#unsubscribe = [
      kinds.namespaces.cache.listen((events) => {
        for (const { document } of events) this.#queue.add(document.name)
      }),
      this.#restoreDeleted(kinds.serviceAccounts, serviceAccountName),
      this.#restoreDeleted(kinds.configMaps, rootCertificateName),
    ]
    for (const document of kinds.namespaces.cache.current().values()) this.#queue.add(document.name)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    await this.#queue.stop()
  }

  #restoreDeleted({ cache }: ResourceContext, name: string): () => void {
    return cache.listen((events) => {
      for (const { type, document } of events) {
        if (type === 'DELETED' && document.name === name) this.#queue.add(document.namespace)
      }
    })
  }

  async #handle(namespace: string): Promise<void> {
    const found = this.#kinds.namespaces.cache.get({ namespace: '', name: namespace })
    if (found === undefined || found.object.metadata.deletionTimestamp !== undefined) return
    const request = systemRequest(manager, this.#stop.signal)
    await ensureObject(
      this.#kinds.serviceAccounts,
      { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccountName, namespace } },
      request,
    )
    await ensureObject(
      this.#kinds.configMaps,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: rootCertificateName, namespace },
        data: { 'ca.crt': this.#certificate },
      },
      request,
    )
  }
}
