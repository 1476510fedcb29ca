import type { ReportFinding } from '../problem.ts'
import { shown } from '../wording.ts'
import type { KindEntry } from './kind-entries.ts'

/** Kinds with dedicated settings, by the names that they would have as custom resources. */
const ownPlaces: ReadonlyMap<string, string> = new Map([
  ['endpoints', 'endpoints'],
  ['services', 'services'],
  ['secrets', 'secrets'],
  ['configmaps', 'configMaps'],
  ['namespaces', 'namespaces'],
  ['serviceaccounts', 'serviceAccounts'],
  ['persistentvolumeclaims', 'persistentVolumeClaims'],
  ['pods', 'pods'],
  ['poddisruptionbudgets', 'podDisruptionBudgets'],
  ['poddisruptionbudgets.policy', 'podDisruptionBudgets'],
  ['endpointslices', 'endpointSlices'],
  ['endpointslices.discovery.k8s.io', 'endpointSlices'],
  ['ingresses', 'ingresses'],
  ['ingresses.networking.k8s.io', 'ingresses'],
  ['networkpolicies', 'networkPolicies'],
  ['networkpolicies.networking.k8s.io', 'networkPolicies'],
])

const importedPlaces: ReadonlySet<string> = new Set(['secrets', 'configMaps'])

export function checkCustomResourceName({ section, path, keySpan, custom }: KindEntry, report: ReportFinding): void {
  const name = String(path.at(-1))
  const place = custom ? ownPlaces.get(name) : undefined
  if (place === undefined) return
  const known = section === 'toHost' || importedPlaces.has(place)
  report({
    code: 'bad-value',
    path,
    span: keySpan,
    message: `${shown(name)} is not a custom resource`,
    suggestion: known ? `its place is sync.${section}.${place}` : 'objects of this kind cannot come from the host',
  })
}
