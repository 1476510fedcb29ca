import { apiVersionOf, type GroupVersionKind, type KubeObject, type ObjectMeta } from '../../api/object.ts'

interface Answer {
  /** What is left out is null, as typed clients send and expect it. */
  readonly metadata?: ObjectMeta
  readonly spec?: unknown
  readonly status: unknown
}

/** A review's answer, with its members in the order in which kube-apiserver writes them. */
export function answered(gvk: GroupVersionKind, { metadata, spec, status }: Answer): KubeObject {
  return {
    kind: gvk.kind,
    apiVersion: apiVersionOf(gvk),
    metadata: { creationTimestamp: null, ...metadata },
    ...(spec === undefined ? {} : { spec }),
    status,
  }
}
