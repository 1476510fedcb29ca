import type { UserInfo } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import { teamGroup, userGroup } from '../../auth/keys/key-owner.ts'
import { authenticatedServiceAccountGroups, serviceAccountUserName } from '../../auth/service-account-name.ts'

/**
 * The headers that say who the user is inside. Of the groups only those go along that the platform itself gives to users
 * and teams: any other may mean something of its own there.
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

/** Nearly all of them: nothing has to be looked at twice. */
const plain = /^[\x21-\x7e]+$/

/** As UTF-8, one character per byte. What a header would change on its way is refused. */
function headerText(text: string): string {
  if (plain.test(text)) return text
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (text === '' || text !== text.trim() || /[\x00-\x1f\x7f]/.test(text)) {
    throw badRequest(`the name ${JSON.stringify(text)} cannot be passed on`)
  }
  return Buffer.from(text, 'utf8').toString('latin1')
}
