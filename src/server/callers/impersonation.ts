import type { RequestTarget, ResourceAttributes, UserInfo } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import { forbiddenFor } from '../../api/forbidden.ts'
import type { Authorizer } from '../../auth/contract.ts'
import { decisionPace } from '../../auth/decision-pace.ts'
import {
  authenticatedServiceAccountGroups,
  parseServiceAccountUserName,
  type ServiceAccountName,
  serviceAccountGroups,
} from '../../auth/service-account-name.ts'
import { withAuthenticatedGroup } from '../../auth/static-tokens.ts'
import type { ForwardTarget } from '../exchange.ts'
import type { Request } from '../http.ts'
import { type ImpersonationHeaders, readImpersonation } from './impersonation-headers.ts'

const unauthenticatedGroup = 'system:unauthenticated'
const authentication = { group: 'authentication.k8s.io', version: 'v1' }

/**
 * The user that the caller impersonates, or the caller if no header asks for it. Throws a 403 unless the caller may
 * impersonate every part of that user. If the request is for a virtual cluster, a service account belongs to that
 * cluster, which is asked later whether the caller may act as it.
 */
export function impersonate(
  caller: UserInfo,
  request: Pick<Request, 'rawHeaders' | 'signal'>,
  authorizer: Authorizer,
  onward?: Pick<ForwardTarget, 'target'>,
): UserInfo | Promise<UserInfo> {
  const headers = readImpersonation(request.rawHeaders)
  if (headers === undefined) return caller
  const account = parseServiceAccountUserName(headers.user)
  const requireAll = (all: readonly ResourceAttributes[]) => requireEach(all, caller, authorizer, request)
  return onward?.target.kind === 'virtual-cluster' && account !== undefined
    ? actAs(account, caller, headers, requireAll, onward.target)
    : becomeIfAllowed(caller, headers, requireAll)
}

/** Throws a 403 for the first that is not allowed. */
type RequireAll = (all: readonly ResourceAttributes[]) => Promise<void>

async function actAs(
  account: ServiceAccountName,
  caller: UserInfo,
  { user, groups, extra, uid }: ImpersonationHeaders,
  requireAll: RequireAll,
  target: RequestTarget,
): Promise<UserInfo> {
  const own = authenticatedServiceAccountGroups(account.namespace)
  // Only the platform decides the rest of a caller's identity in a virtual cluster.
  if (extra.length > 0 || uid !== '' || groups.some((group) => !own.includes(group))) throw withMoreThanItsOwn()
  const alone = { user, uid: '', groups: [], extra: [] }
  await requireAll(impersonationAttributes(caller, alone).map((each) => ({ ...each, target })))
  return { ...caller, account }
}

async function becomeIfAllowed(
  caller: UserInfo,
  headers: ImpersonationHeaders,
  requireAll: RequireAll,
): Promise<UserInfo> {
  if (headers.user === '') throw withoutUser(headers)
  await requireAll(impersonationAttributes(caller, headers))
  return impersonatedUser(caller, headers)
}

/** In turns, as long as the caller waits: a request may name hundreds of groups, and each takes a decision. */
async function requireEach(
  all: readonly ResourceAttributes[],
  caller: UserInfo,
  authorizer: Authorizer,
  request: Pick<Request, 'signal'>,
): Promise<void> {
  const pace = decisionPace(caller)
  for (const attributes of all) {
    if (pace.isDue()) {
      await pace.rest()
      request.signal.throwIfAborted()
    }
    const decision = await authorizer.authorize(attributes)
    if (decision.verdict !== 'allow') throw forbiddenFor(attributes, decision)
  }
}

function withMoreThanItsOwn() {
  return badRequest(
    'through the platform, a service account of a virtual cluster is impersonated with its own groups alone',
  )
}

function impersonationAttributes(user: UserInfo, headers: ImpersonationHeaders): readonly ResourceAttributes[] {
  const base = { user, verb: 'impersonate', group: '', version: '', subresource: '', namespace: '' }
  const account = parseServiceAccountUserName(headers.user)
  const name = headers.user
  return [
    account === undefined ? { ...base, resource: 'users', name } : { ...base, resource: 'serviceaccounts', ...account },
    ...[...new Set(headers.groups)].map((group) => ({ ...base, resource: 'groups', name: group })),
    ...headers.extra.flatMap(([subresource, values]) =>
      [...new Set(values)].map((value) => ({
        ...base,
        ...authentication,
        resource: 'userextras',
        subresource,
        name: value,
      })),
    ),
    ...(headers.uid === '' ? [] : [{ ...base, ...authentication, resource: 'uids', name: headers.uid }]),
  ]
}

/** The key of the caller stays attached, so impersonation does not escape its scope. */
function impersonatedUser({ credential }: UserInfo, { user, uid, groups, extra }: ImpersonationHeaders): UserInfo {
  return {
    name: user,
    ...(uid === '' ? {} : { uid }),
    groups: completeGroups(user, groups),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
    ...(credential === undefined ? {} : { credential }),
  }
}

/** Groups in the request replace those that a service account would have. */
function completeGroups(user: string, named: readonly string[]): readonly string[] {
  const account = parseServiceAccountUserName(user)
  const groups = named.length === 0 && account !== undefined ? serviceAccountGroups(account.namespace) : named
  if (groups.includes(unauthenticatedGroup)) return groups
  return user === 'system:anonymous' ? [...groups, unauthenticatedGroup] : withAuthenticatedGroup(groups)
}

function withoutUser({ groups, extra, uid }: ImpersonationHeaders) {
  const parts = [
    ...groups.map((group) => `group ${group}`),
    ...extra.map(([key]) => `extra ${key}`),
    ...(uid === '' ? [] : [`uid ${uid}`]),
  ]
  return badRequest(`requested ${parts.join(', ')} without impersonating a user`)
}
