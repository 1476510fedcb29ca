import { jsonText } from '../../base/json/json-text.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { TenantOrder } from './driver.ts'
import { deploymentOf } from './kubernetes-driver.ts'
import { namespaceManifest, tenantManifests } from './manifests/all.ts'
import { nothingResolved } from './resolve-resources.ts'

/** What would be applied, for kubectl or a repository. No key is minted, and no cluster asked. */
export function printManifests(order: TenantOrder, terminal: Terminal): void {
  const deployment = deploymentOf(order, nothingResolved)
  const manifests = [namespaceManifest(deployment), ...tenantManifests(deployment)]
  const text =
    order.options.output === 'json'
      ? jsonText({ apiVersion: 'v1', kind: 'List', items: manifests })
      : manifests.map(toYaml).join('---\n')
  print(terminal, text)
}
