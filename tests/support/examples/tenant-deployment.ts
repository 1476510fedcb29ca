import { effectiveConfig } from '../../../src/api/tenant-config/defaults.ts'
import type { TenantConfig } from '../../../src/api/tenant-config/types.ts'
import type { TenantDeployment } from '../../../src/cli/create/manifests/contract.ts'
import { nothingResolved } from '../../../src/cli/create/resolve-resources.ts'

export function deployment(config: TenantConfig = {}, more: Partial<TenantDeployment> = {}): TenantDeployment {
  return {
    name: 'demo',
    namespace: 'tenant-demo',
    config: effectiveConfig(config),
    configText: '{}\n',
    image: 'tenant-platform:1',
    resources: nothingResolved,
    ownsNamespace: false,
    ...more,
  }
}
