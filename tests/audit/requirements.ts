import { errors, limits, versioning } from './constraints.ts'
import type { Requirement } from './contract.ts'
import { endpointSync } from './endpoint-sync.ts'
import { metadataRequirements, specRequirements } from './key-fields.ts'
import { authentication, operations, states } from './key-life.ts'
import { platformConfig, sharedSecret } from './key-secret.ts'
import { scopeRequirements } from './scope-fields.ts'
import { service } from './service.ts'

/** Everything that the specification requires, in its order. */
export const requirements: readonly Requirement[] = [
  ...service,
  ...metadataRequirements,
  ...specRequirements,
  ...scopeRequirements,
  ...sharedSecret,
  ...platformConfig,
  ...endpointSync,
  ...states,
  ...operations,
  ...authentication,
  ...errors,
  ...limits,
  ...versioning,
]

/** Sections without requirements: "not shown". */
export const silentSections: readonly string[] = ['6']
