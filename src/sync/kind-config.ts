import type { EffectiveConfig } from '../api/tenant-config/types.ts'
import type { ResourceType } from '../client/contract.ts'
import type { ExpressionEngine } from '../expression/contract.ts'
import { compilePatches } from '../patches/compile.ts'
import type { CompiledPatch, PatchCounters } from '../patches/contract.ts'
import { hostNamesOf } from './host-names.ts'
import type { KindConfig } from './kind-parts.ts'
import type { EnabledKind } from './kinds/enabled.ts'
import { kindMarkOf } from './markers.ts'
import { type TenantIdentity, tenantNames } from './names.ts'
import { type PatcherParts, patcherOf } from './patcher.ts'

/** What all kinds of a tenant have in common under one configuration. */
export interface TenantSetting {
  readonly identity: TenantIdentity
  readonly config: EffectiveConfig
  readonly virtualFollowsHostAddresses: boolean
  readonly engine: ExpressionEngine
  readonly findVirtual: PatcherParts['findVirtual']
  readonly countPatches: (kind: string, patches: readonly CompiledPatch[], counters: readonly PatchCounters[]) => void
}

export function kindConfigOf(
  { kind, patches, carriesAll }: EnabledKind,
  type: ResourceType,
  tenant: TenantSetting,
): KindConfig {
  const { identity, config, virtualFollowsHostAddresses, engine, findVirtual, countPatches } = tenant
  const names = hostNamesOf(identity, config)
  const setting = { names: names.forKinds, virtualFollowsHostAddresses }
  const compiled = compiledPatches(patches)
  return {
    carriesAll,
    rules: {
      kind,
      owner: { identity, kindMark: kindMarkOf(type) },
      setting,
      hostOf: (virtual) => (kind.hostName === undefined ? names.hostOf(virtual) : kind.hostName(virtual, setting)),
      patch: patcherOf({
        patches: compiled,
        engine,
        vcluster: { name: identity.tenant, namespace: identity.hostNamespace, config },
        names: tenantNames(identity, config),
        findVirtual,
        counted: (counters) => countPatches(kind.id, compiled, counters),
      }),
    },
  }
}

function compiledPatches(patches: EnabledKind['patches']): readonly CompiledPatch[] {
  const compiled = compilePatches(patches)
  if (!compiled.ok) throw new Error('A configuration that was checked has patches that do not compile.')
  return compiled.patches
}
