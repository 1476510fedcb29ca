import type { KubeObject } from '../../api/object.ts'
import type { Service } from '../../api/types/core-v1.ts'
import type { ResourceContext } from '../context.ts'
import type { Document } from '../contract.ts'

/** Many times what a host needs, unless it is overloaded or cannot be reached. */
const patienceMs = 1_000

/**
 * The Service once another cluster has assigned its address, for the response to its writer: programs expect the
 * address there, as kube-apiserver returns it. If it takes too long, the Service as it was written.
 */
export function withAssignedAddress(
  { cache }: ResourceContext,
  written: Document,
  signal: AbortSignal,
): Promise<Document> {
  const isSame = ({ object }: Document) => object.metadata.uid === written.object.metadata.uid
  const known = cache.get(written)
  if (known !== undefined && isSame(known) && !lacksAddress(known.object)) return Promise.resolve(known)
  return new Promise((resolve) => {
    const end = (document: Document) => {
      clearTimeout(timer)
      stopListening()
      signal.removeEventListener('abort', giveUp)
      resolve(document)
    }
    const giveUp = () => end(written)
    const stopListening = cache.listen((events) => {
      for (const { type, document } of events) {
        if (!isSame(document)) continue
        if (type === 'DELETED') giveUp()
        else if (!lacksAddress(document.object)) end(document)
      }
    })
    const timer = setTimeout(giveUp, patienceMs)
    signal.addEventListener('abort', giveUp)
  })
}

export function lacksAddress(object: KubeObject): boolean {
  const { type, clusterIP } = (object as Service).spec
  return type !== 'ExternalName' && !clusterIP
}
