import { ApiError } from '../../../api/error.ts'
import type { KubeObject } from '../../../api/object.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import { configMapType } from '../../../client/builtin-types.ts'
import type { Informer, KubeClient } from '../../../client/contract.ts'
import { NotYet } from '../../run/failures/failure.ts'
import { isRootCertificate } from './token-limits.ts'
import { rootCertificateKey, rootCertificateMap } from './wanted-tokens.ts'

/**
 * The certificate authority that the virtual cluster publishes in each namespace. Followed, because every new Pod needs
 * it.
 */
export class RootCertificates {
  readonly #virtual: KubeClient
  readonly #published: Informer

  constructor(virtual: KubeClient) {
    this.#virtual = virtual
    this.#published = virtual.informer(configMapType, { fieldSelector: `metadata.name=${rootCertificateMap}` })
  }

  /** The cluster publishes it soon after a namespace is created. If it is not known here, the server is asked. */
  async of(namespace: string, signal: AbortSignal): Promise<string> {
    const place = { namespace, name: rootCertificateMap }
    const known = this.#published.trouble === undefined ? this.#published.get(place) : undefined
    const map = known ?? (await this.#ask(namespace, signal))
    const text = isJsonObject(map.data) ? map.data[rootCertificateKey] : undefined
    if (!isRootCertificate(text)) throw noCertificate(namespace)
    return text
  }

  stop(): void {
    this.#published.stop()
  }

  async #ask(namespace: string, signal: AbortSignal): Promise<KubeObject> {
    try {
      return await this.#virtual.get(configMapType, { namespace, name: rootCertificateMap }, signal)
    } catch (error) {
      throw error instanceof ApiError && error.code === 404 ? noCertificate(namespace) : error
    }
  }
}

function noCertificate(namespace: string): Error {
  const where = `the ConfigMap ${rootCertificateMap} of the namespace ${namespace}`
  const message = `${where} has no usable entry ${rootCertificateKey}, which Pods need to trust the API of the virtual cluster`
  return new NotYet({ reason: 'RootCertificateMissing', message })
}
