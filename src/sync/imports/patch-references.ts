import type { EffectiveConfig, PatchConfig } from '../../api/tenant-config/types.ts'
import type { ReferencedKind } from '../../patches/contract.ts'
import { enabledKinds } from '../kinds/enabled.ts'

/** The kinds that patches of a configuration refer to, as far as it names them. */
export function patchReferences(config: EffectiveConfig): readonly ReferencedKind[] {
  const found = enabledKinds(config).flatMap(({ patches }) => patches.flatMap(kindOf))
  return [...new Map(found.map((each) => [`${each.apiVersion} ${each.kind}`, each])).values()]
}

function kindOf({ reference }: PatchConfig): readonly ReferencedKind[] {
  const { apiVersion, kind, labels } = reference ?? {}
  return apiVersion && kind && labels === undefined ? [{ apiVersion, kind }] : []
}
