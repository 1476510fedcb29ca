import type { ControlPlaneConfig } from '../api/tenant-config/types.ts'
import { secretType } from '../client/builtin-types.ts'
import type { KubeClient } from '../client/contract.ts'
import { processNamespace } from '../sync/names/markers.ts'
import type { TenantPlace } from '../sync/names/names.ts'

export function adminSecretName(tenant: string, { adminKubeconfig }: ControlPlaneConfig): string {
  return adminKubeconfig.secretName ?? `tenant-${tenant}`
}

/** Writes the kubeconfig of the virtual cluster to a Secret where its administrators look for it. */
export async function keepAdminKubeconfig(
  host: Pick<KubeClient, 'apply'>,
  { tenant, hostNamespace }: TenantPlace,
  name: string,
  kubeconfig: string,
  signal?: AbortSignal,
): Promise<void> {
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: hostNamespace,
      name,
      labels: { 'app.kubernetes.io/instance': tenant, [processNamespace]: hostNamespace },
    },
    type: 'Opaque',
    data: { config: Buffer.from(kubeconfig).toString('base64') },
  }
  await host.apply(secretType, secret, { fieldManager: 'tenant', force: true }, signal)
}
