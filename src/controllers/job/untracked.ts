import type { KubeObject } from '../../api/object.ts'
import { trackingFinalizer } from '../pods/job-pod-facts.ts'

/** Undefined if the Pod was replaced, or its Job no longer tracks it. */
export function untracked(uid: string): (pod: KubeObject) => KubeObject | undefined {
  return (pod) => {
    const { finalizers = [], ...metadata } = pod.metadata
    if (metadata.uid !== uid || !finalizers.includes(trackingFinalizer)) return undefined
    const kept = finalizers.filter((each) => each !== trackingFinalizer)
    return { ...pod, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }
  }
}
