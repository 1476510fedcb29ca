import type { ConnectorSpec } from '../api/types/management.ts'
import type { ProviderIdentity } from './contract.ts'
import { SignOnFailure } from './failure.ts'

/** Throws unless the connector admits the user. */
export function requireAllowed(identity: ProviderIdentity, spec: ConnectorSpec): void {
  const { allowedGroups = [], allowedEmailDomains = [] } = spec
  if (allowedGroups.length > 0 && !identity.groups.some((group) => allowedGroups.includes(group))) {
    throw new SignOnFailure('not-allowed', 'the user is in none of spec.allowedGroups')
  }
  if (allowedEmailDomains.length > 0 && !allowedEmailDomains.includes(verifiedDomain(identity))) {
    throw new SignOnFailure('not-allowed', 'the user has no verified mail address in spec.allowedEmailDomains')
  }
}

function verifiedDomain({ email = '', emailVerified }: ProviderIdentity): string {
  return emailVerified ? email.slice(email.lastIndexOf('@') + 1).toLowerCase() : ''
}
