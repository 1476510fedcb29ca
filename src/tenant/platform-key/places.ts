import { defaultKeySecret } from '../../api/tenant-config/fields.ts'
import type { ExternalConfig } from '../../api/tenant-config/types.ts'
import type { KeyExpectation, KeySecretPlace } from './contract.ts'

/** Where a tenant looks for its key after the environment, in this order. */
export interface KeyPlaces {
  readonly expectation: KeyExpectation
  readonly secrets: readonly KeySecretPlace[]
}

export function keyPlaces({ platform }: ExternalConfig, ownNamespace: string): KeyPlaces {
  const usual: KeySecretPlace = { namespace: ownNamespace, name: defaultKeySecret }
  if (platform === undefined) return { expectation: 'optional', secrets: [usual] }
  const { apiKey } = platform
  if (apiKey === undefined) return { expectation: 'dedicated', secrets: [usual] }
  const configured: KeySecretPlace = { namespace: apiKey.namespace ?? ownNamespace, name: apiKey.secretName }
  return { expectation: 'configured', secrets: samePlace(configured, usual) ? [usual] : [configured, usual] }
}

function samePlace(one: KeySecretPlace, other: KeySecretPlace): boolean {
  return one.namespace === other.namespace && one.name === other.name
}
