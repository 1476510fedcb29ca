import { defaultKeySecret } from '../../api/tenant-config/fields.ts'
import type { ExternalConfig } from '../../api/tenant-config/types.ts'
import type { KeyExpectation, SecretPlace } from './contract.ts'

/** Where a tenant looks for its key after the environment, in this order. */
export interface KeyPlaces {
  readonly expectation: KeyExpectation
  readonly secrets: readonly SecretPlace[]
}

export function keyPlaces({ platform }: ExternalConfig, ownNamespace: string): KeyPlaces {
  const usual: SecretPlace = { namespace: ownNamespace, name: defaultKeySecret }
  if (platform === undefined) return { expectation: 'optional', secrets: [usual] }
  const { apiKey } = platform
  if (apiKey === undefined) return { expectation: 'dedicated', secrets: [usual] }
  const configured: SecretPlace = { namespace: apiKey.namespace ?? ownNamespace, name: apiKey.secretName }
  return { expectation: 'configured', secrets: samePlace(configured, usual) ? [usual] : [configured, usual] }
}

export function samePlace(one: SecretPlace, other: SecretPlace): boolean {
  return one.namespace === other.namespace && one.name === other.name
}
