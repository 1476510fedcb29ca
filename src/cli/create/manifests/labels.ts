import { instanceLabel, namespaceLabel } from '../../host/owner-labels.ts'
import type { TenantDeployment } from './contract.ts'

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

/** These never change during the life of a tenant: its pods are found by them. */
export function selectorLabels({ name }: Named): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'tenant', [instanceLabel]: name }
}

export function objectLabels(deployment: Named): Readonly<Record<string, string>> {
  return {
    ...selectorLabels(deployment),
    'app.kubernetes.io/managed-by': 'tenant-cli',
    [namespaceLabel]: deployment.namespace,
  }
}
