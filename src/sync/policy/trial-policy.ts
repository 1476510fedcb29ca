import type { KubeObject } from '../../api/object.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { CompiledPatch } from '../../patches/contract.ts'
import { builtInKinds } from '../kinds/built-in.ts'
import { customResourceSync } from '../kinds/generic.ts'
import { hostNamesOf } from '../names/host-names.ts'
import type { TenantPlace } from '../names/names.ts'
import type { Filtered } from './contract.ts'
import { policyOf } from './policy-of.ts'

/** Applies the policy to an object, for users who try out a configuration without a cluster. */
export function trialPolicy(
  resource: string,
  patches: readonly CompiledPatch[],
  config: EffectiveConfig,
  identity: TenantPlace,
): (object: KubeObject) => Filtered {
  const kind =
    builtInKinds.find(({ id }) => id.toLowerCase() === resource.toLowerCase()) ?? customResourceSync(resource)
  const policy = policyOf({ kind, config, patches, setting: { names: hostNamesOf(identity, config).forKinds } })
  return (object) => policy.filter(object)
}
