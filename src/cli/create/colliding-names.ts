import { identitySecretName } from '../../api/link.ts'
import type { KubeClient } from '../../client/contract.ts'
import { keptLicenseName } from '../../tenant/license/kept-license.ts'
import { commonSecretName } from '../../tenant/replicas/common-secret.ts'
import type { TenantDeployment } from './manifests/contract.ts'
import { objectNames } from './manifests/names.ts'
import { readApplyRecord } from './tenant-record.ts'

type Named = Pick<TenantDeployment, 'name' | 'namespace'>

/** The Secret with a tenant's kubeconfig has the name of its account; all other Secrets append a suffix to that name. */
const others = [objectNames.config, objectNames.record, identitySecretName, commonSecretName, keptLicenseName]
const endings = others.map((nameOf) => nameOf('').slice(objectNames.account('').length))

/**
 * Names that conflict with a tenant's name in the same namespace: the two tenants would share a Secret, such as the one
 * with a proof.
 */
export function collidingNames(name: string): readonly string[] {
  const shorter = endings.filter((ending) => name.endsWith(ending)).map((ending) => name.slice(0, -ending.length))
  return [...shorter, ...endings.map((ending) => name + ending)].filter((each) => each !== '')
}

/** Throws if a tenant in the namespace has a conflicting name. */
export async function refuseCollidingNames(host: KubeClient, tenant: Named, signal?: AbortSignal): Promise<void> {
  const { name, namespace } = tenant
  for (const other of collidingNames(name)) {
    if ((await readApplyRecord(host, { name: other, namespace }, signal)) === undefined) continue
    throw new Error(
      `the tenant ${other} in namespace ${namespace} has Secrets that one called ${name} would share: choose another name or namespace`,
    )
  }
}
