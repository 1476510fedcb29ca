import { processNamespace } from '../../sync/names/markers.ts'

/** What an object was made for: a tenant or the platform. */
export const instanceLabel = 'app.kubernetes.io/instance'
/** Where that lives, on what it has in other namespaces and in none. */
export const namespaceLabel = processNamespace

/** The selector of objects that have all of these labels. */
export function selectorOfLabels(labels: Readonly<Record<string, unknown>>): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',')
}
