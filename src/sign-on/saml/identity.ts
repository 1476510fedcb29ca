import type { ConnectorSpec, SamlConnector } from '../../api/types/management.ts'
import { groupsFrom } from '../claims/groups.ts'
import { keptClaims } from '../claims/kept-claims.ts'
import { longestName, shortText } from '../claims/short-text.ts'
import type { ProviderIdentity } from '../contract.ts'
import { SignOnFailure } from '../failure.ts'
import type { Assertion } from './assertion.ts'
import { untrusted } from './xml.ts'

/** The identity in an assertion, as the connector reads it. */
export function samlIdentity(assertion: Assertion, spec: ConnectorSpec): ProviderIdentity {
  const { saml = {} } = spec
  const { attributes: names = {}, usernamePrefix = '', groupsPrefix = '' } = saml
  const userId = subjectOf(assertion, saml)
  const text = (name: string) => shortText(assertion.attributes.get(name)?.[0] ?? '')
  const preferredUsername = text(names.preferredUsername || 'displayName')
  const email = names.email ? text(names.email) : text('email') || text('mail')
  const username = names.username ? text(names.username) : ''
  return {
    userId,
    username: usernamePrefix + (username || userId),
    emailVerified: email !== '' && saml.emailVerified === true,
    ...(preferredUsername === '' ? {} : { preferredUsername }),
    ...(email === '' ? {} : { email }),
    groups: groupsFrom(assertion.attributes.get(names.groups || 'groups') ?? [], groupsPrefix, spec),
    extraClaims: keptClaims(claimsIn(assertion), spec.extraClaims ?? []),
  }
}

/** A user is identified by a value that the provider never reuses, and always sends. */
function subjectOf(
  { nameId, nameIdFormat }: Assertion,
  { nameIdFormat: wanted = 'persistent' }: SamlConnector,
): string {
  if (nameIdFormat === 'transient') {
    const advice = 'set the format of the NameID for this platform to persistent'
    throw new SignOnFailure(
      'misconfigured',
      `the provider calls users by another name each time (transient): ${advice}`,
    )
  }
  if (nameIdFormat !== wanted) {
    const advice = `the connector expects ${wanted}: see spec.saml.nameIdFormat`
    throw new SignOnFailure('misconfigured', `the NameID has the format ${known(nameIdFormat)}; ${advice}`)
  }
  if (nameId === '' || nameId.length > longestName || /\p{C}/u.test(nameId)) {
    throw untrusted('the assertion names no user')
  }
  return nameId
}

function known(format: string): string {
  return /^\w{1,40}$/.test(format) ? format : 'of others'
}

/** A single value is not wrapped in a list. */
function claimsIn({ attributes }: Assertion): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...attributes].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}
