import { apiVersionOf, type GroupVersionKind, type KubeObject, type ObjectMeta } from '../../api/object.ts'

interface Answer {
  /** Absent members become null, as typed clients send and expect. */
  readonly metadata?: ObjectMeta
  readonly spec?: unknown
  readonly status: unknown
}

/** The answer of a review, with its members in the order of kube-apiserver. */
export function answered(gvk: GroupVersionKind, { metadata, spec, status }: Answer): KubeObject {
  return {
    kind: gvk.kind,
    apiVersion: apiVersionOf(gvk),
    metadata: { creationTimestamp: null, ...metadata },
    ...(spec === undefined ? {} : { spec }),
    status,
  }
}
