import type { KubeObject } from '../../api/object.ts'
import { pemBlocks } from '../../base/certificates/pem.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { Reconciler } from '../../reconcile/reconciler.ts'
import type { ResourceContext } from '../context.ts'
import { editObject } from '../verbs/edit.ts'
import type { Controller, ReportError } from './controller.ts'
import { ensureObject } from './ensure.ts'
import { controllerRequest } from './system-request.ts'

const manager = 'namespace-defaults'
const serviceAccountName = 'default'
const rootCertificateName = 'kube-root-ca.crt'

/** The wording of Kubernetes. */
const rootCertificateText = {
  'kubernetes.io/description':
    'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
}

export interface NamespaceDefaultsKinds {
  readonly namespaces: ResourceContext
  readonly serviceAccounts: ResourceContext
  readonly configMaps: ResourceContext
}

/** The certificates that clients must trust now. */
export interface RootCertificate {
  current(): string
  /** Calls the listener after each change, until the returned function is called. */
  follow(listener: () => void): () => void
}

/** Gives every namespace the ServiceAccount `default` and a ConfigMap with the certificate that clients trust. */
export class NamespaceDefaults implements Controller {
  readonly #kinds: NamespaceDefaultsKinds
  readonly #root: RootCertificate
  readonly #loop: Reconciler

  constructor(kinds: NamespaceDefaultsKinds, rootCertificate: RootCertificate, report: ReportError) {
    this.#kinds = kinds
    this.#root = rootCertificate
    this.#loop = new Reconciler({
      reconcile: (name) => this.#handle(name),
      failed: (name, error) => report(manager, name, error),
      measured: { metrics: kinds.namespaces.engine.metrics, name: manager },
    })
    this.#loop.follow(
      kinds.namespaces.cache.listen((events) => {
        for (const { document } of events) this.#loop.add(document.name)
      }),
      this.#followNamed(kinds.serviceAccounts, serviceAccountName),
      this.#followNamed(kinds.configMaps, rootCertificateName),
      rootCertificate.follow(() => this.#addAll()),
    )
    this.#addAll()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  #addAll(): void {
    for (const document of this.#kinds.namespaces.cache.current().values()) this.#loop.add(document.name)
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
    const request = controllerRequest(manager, this.#loop.signal)
    const current = this.#root.current()
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
        metadata: { name: rootCertificateName, namespace, annotations: rootCertificateText },
        data: { 'ca.crt': current },
      },
      request,
    )
    const data = { 'ca.crt': current }
    const isWrong = (object: KubeObject) =>
      isChangedByOthers(object, request.fieldManager) || isOutdated(object, current)
    const restored = (object: KubeObject) => (isWrong(object) ? { ...object, data } : undefined)
    await editObject(this.#kinds.configMaps, { namespace, name: rootCertificateName }, restored, request)
  }
}

/** A bundle published by another replica stays: that replica's clients trust it. */
function isChangedByOthers({ metadata, data }: KubeObject, fieldManager: string): boolean {
  const isForeign = metadata.managedFields?.some(
    (entry) => entry.manager !== fieldManager && entry.fieldsV1 !== undefined && 'f:data' in entry.fieldsV1,
  )
  return isForeign === true || data === undefined
}

/**
 * Whether the bundle was published by this replica, or by one with the same authority, before the authority was
 * replaced.
 */
function isOutdated({ data }: KubeObject, current: string): boolean {
  const published = isJsonObject(data) ? data['ca.crt'] : undefined
  if (typeof published !== 'string' || published === current) return false
  const [newest] = pemBlocks(published)
  return pemBlocks(current).some(({ base64 }) => base64 === newest?.base64)
}
