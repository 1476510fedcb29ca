import type { Requirement } from './contract.ts'
import { metadataRequirements, specRequirements } from './key-fields.ts'
import * as others from './other-sections.ts'
import { scopeRequirements } from './scope-fields.ts'

/** Everything that the specification asks for, in its order. */
export const requirements: readonly Requirement[] = [
  ...others.service,
  ...metadataRequirements,
  ...specRequirements,
  ...scopeRequirements,
  ...others.sharedSecret,
  ...others.platformConfig,
  ...others.endpointSync,
  ...others.states,
  ...others.operations,
  ...others.authentication,
  ...others.errors,
  ...others.limits,
  ...others.versioning,
]

/** Sections that leave everything open: "not shown". */
export const silentSections: readonly string[] = ['6']
