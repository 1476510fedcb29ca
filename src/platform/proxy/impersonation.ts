import type { UserInfo } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import { teamGroup, userGroup } from '../../auth/keys/key-owner.ts'
import { authenticatedServiceAccountGroups, serviceAccountUserName } from '../../auth/service-account-name.ts'

/**
 * The headers that name the user inside. Of the groups, only those that the platform itself gives to users and teams
 * are sent: any other could have its own meaning there.
 */
export function impersonationHeaders(user: UserInfo, roleGroups: readonly string[]): readonly string[] {
  if (user.account !== undefined) {
    const { namespace, name } = user.account
    return headersFor(serviceAccountUserName(namespace, name), authenticatedServiceAccountGroups(namespace))
  }
  return headersFor(nameInside(user.name), [...roleGroups, ...user.groups.filter(isOwnGroup), 'system:authenticated'])
}

function headersFor(name: string, groups: readonly string[]): readonly string[] {
  return ['impersonate-user', headerText(name), ...groups.flatMap((group) => ['impersonate-group', headerText(group)])]
}

/** A name that Kubernetes reserves would be another identity inside, such as a ServiceAccount. */
function nameInside(name: string): string {
  return name.startsWith('system:') ? `platform:${name}` : name
}

function isOwnGroup(group: string): boolean {
  return group.startsWith(userGroup('')) || group.startsWith(teamGroup(''))
}

/** Matches nearly all texts, so that they need no further checks. */
const plain = /^[\x21-\x7e]+$/

/** Encodes UTF-8 as one character per byte. Text that would change in a header is refused. */
function headerText(text: string): string {
  if (plain.test(text)) return text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  if (text === '' || text !== text.trim() || /[\x00-\x1f\x7f]/.test(text)) {
    throw badRequest(`the name ${JSON.stringify(text)} cannot be passed on`)
  }
  return Buffer.from(text, 'utf8').toString('latin1')
}
