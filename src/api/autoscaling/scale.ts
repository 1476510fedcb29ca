import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, integerColumn, nameColumn } from '../core/columns.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import type { Kind } from '../kind.ts'
import type { KubeObject } from '../object.ts'
import type { Scale } from '../types/autoscaling-v1.ts'

/** How many pods there are and should be, whatever kind of object counts them. Served below such objects only. */
export const scaleKind = builtinKind<Scale>({
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  namespaced: true,
  message: 'k8s.io.api.autoscaling.v1.Scale',
  columns: [
    nameColumn,
    integerColumn('Desired', 'Pods that are wanted.', ({ spec }) => spec.replicas ?? 0),
    integerColumn('Available', 'Pods that there are.', ({ status }) => status.replicas),
    ageColumn,
  ],
  strategy: { validate: ({ spec }) => checkNotNegative('spec.replicas', spec.replicas) },
})

interface Scalable extends KubeObject {
  readonly spec: { readonly replicas?: number }
  readonly status: { readonly replicas?: number }
}

/** What `/scale` of an object shows. */
export function scaleOf({ scale }: Kind, object: KubeObject): Scale {
  const { spec, status } = object as Scalable
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = spec.replicas ?? 0
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: status.replicas ?? 0, ...selectorOf(scale?.selector(object) ?? '') },
  }
}

function selectorOf(selector: string): Pick<Scale['status'], 'selector'> {
  return selector === '' ? {} : { selector }
}
