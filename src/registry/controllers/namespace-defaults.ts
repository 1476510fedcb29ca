import type { KubeObject } from '../../api/object.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import { editObject } from '../verbs/edit.ts'
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
  readonly #loop: Reconciler

  constructor(kinds: NamespaceDefaultsKinds, rootCertificate: string, report: ReportError) {
    this.#kinds = kinds
    this.#certificate = rootCertificate
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(manager, name, error),
    })
    this.#loop.follow(
      kinds.namespaces.cache.listen((events) => {
        for (const { document } of events) this.#loop.add(document.name)
      }),
      this.#followNamed(kinds.serviceAccounts, serviceAccountName),
      this.#followNamed(kinds.configMaps, rootCertificateName),
    )
    for (const document of kinds.namespaces.cache.current().values()) this.#loop.add(document.name)
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #followNamed({ cache }: ResourceContext, name: string): () => void {
    return cache.listen((events) => {
      for (const { type, document } of events) {
        if (type !== 'ADDED' && document.name === name) this.#loop.add(document.namespace)
      }
    })
  }

  async #handle(namespace: string): Promise<void> {
    const found = this.#kinds.namespaces.cache.get({ namespace: '', name: namespace })
    if (found === undefined || found.object.metadata.deletionTimestamp !== undefined) return
    const request = systemRequest(manager, this.#loop.signal)
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
    const data = { 'ca.crt': this.#certificate }
    const restored = (object: KubeObject) => (isChangedByOthers(object) ? { ...object, data } : undefined)
    await editObject(this.#kinds.configMaps, { namespace, name: rootCertificateName }, restored, request)
  }
}

/** What another replica has published stays: clients of that one trust it. */
function isChangedByOthers({ metadata, data }: KubeObject): boolean {
  const isForeign = metadata.managedFields?.some(
    (entry) => entry.manager !== manager && entry.fieldsV1 !== undefined && 'f:data' in entry.fieldsV1,
  )
  return isForeign === true || data === undefined
}
