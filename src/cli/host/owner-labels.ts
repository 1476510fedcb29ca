import { processNamespace } from '../../sync/names/markers.ts'

/** The owner for which an object was created: a tenant or the platform. */
export const instanceLabel = 'app.kubernetes.io/instance'
/** The owner's namespace, on its objects in other namespaces and on cluster-scoped ones. */
export const namespaceLabel = processNamespace

/** The selector for objects that have all of these labels. */
export function selectorOfLabels(labels: Readonly<Record<string, unknown>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',')
}
