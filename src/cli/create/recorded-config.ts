import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { ownConfig } from '../../api/tenant-config/parse.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import type { Manifest } from '../host/manifest.ts'
import { objectNames } from './manifests/names.ts'

/** The tenant.yaml that was applied with the other objects; `undefined` if it cannot be read. */
export function recordedConfig(name: string, manifests: readonly Manifest[]): EffectiveConfig | undefined {
  const secret = manifests.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === objectNames.config(name))
  const encoded = isJsonObject(secret?.data) ? secret.data['tenant.yaml'] : undefined
  if (typeof encoded !== 'string') return undefined
  const { config } = checkConfig(Buffer.from(encoded, 'base64').toString('utf8'), 'tenant.yaml', ownConfig)
  return config === undefined ? undefined : effectiveConfig(config)
}
