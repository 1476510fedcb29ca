import type { Entry } from 'ldapts'
import type { ConnectorSpec } from '../../api/types/management.ts'
import { groupsFrom } from '../claims/groups.ts'
import { keptClaims } from '../claims/kept-claims.ts'
import { shortText } from '../claims/short-text.ts'
import type { ProviderIdentity } from '../contract.ts'
import { entryId, entryText, entryTexts } from './entry.ts'
import type { UserSettings } from './settings.ts'

/** The identity of an entry, as the connector reads it. */
export function directoryIdentity(
  entry: Entry,
  groups: readonly string[],
  users: UserSettings,
  spec: ConnectorSpec,
): ProviderIdentity {
  const { usernamePrefix = '', groupsPrefix = '' } = spec.ldap ?? {}
  const userId = entryId(entry, users.idAttribute)
  const email = shortText(entryText(entry, users.emailAttribute))
  const preferredUsername = shortText(entryText(entry, users.displayNameAttribute))
  return {
    userId,
    username: usernamePrefix + (shortText(entryText(entry, users.usernameAttribute)) || userId),
    emailVerified: email !== '' && users.emailIsVerified,
    ...(preferredUsername === '' ? {} : { preferredUsername }),
    ...(email === '' ? {} : { email }),
    groups: groupsFrom(groups, groupsPrefix, spec),
    extraClaims: keptClaims(attributesOf(entry, spec.extraClaims ?? []), spec.extraClaims ?? []),
    // The directory needs no data for a refresh; knowing the user is enough to ask it.
    connectorData: '{}',
  }
}

/** A single value is not wrapped in a list, as in a claim. */
function attributesOf(entry: Entry, names: readonly string[]): Readonly<Record<string, unknown>> {
  const told = names.map((name) => [name, entryTexts(entry, name)] as const).filter(([, texts]) => texts.length > 0)
  return Object.fromEntries(told.map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]))
}
