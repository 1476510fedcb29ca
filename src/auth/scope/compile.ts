import type { Attributes, KeyScope, RequestTarget, ResourceAttributes, ScopeVerdict } from '../../api/access.ts'
import { administratorPaths } from '../../api/administrator-paths.ts'
import type { AccessKeyScope } from '../../api/types/management.ts'
import type { ScopeEnvironment, ScopeGrant } from './grant.ts'
import { grantsOf, isUnlimited } from './grants.ts'
import { grantFor } from './matches.ts'
import { privilegeOf } from './privilege.ts'
import { isResourceRequest, targetOf } from './request.ts'

export type { IsClusterScoped, ScopeEnvironment } from './grant.ts'

const refused: ScopeVerdict = { granted: false, reason: "no entry of the access key's scope covers the request" }
/** Clients that leave out the path of their server ask the platform for what they expect behind it. */
const refusedBeforeTarget: ScopeVerdict = {
  granted: false,
  reason: `${refused.reason}, which is for the platform itself: paths in a virtual cluster begin with /kubernetes/project/PROJECT/virtualcluster/NAME, which kubectl --raw leaves out`,
}
const refusedForm: ScopeVerdict = {
  granted: false,
  reason: "an access key with a scope takes paths only in their plain form, without '.', '..', '//', '%' and '\\'",
}

export const linkRefusal =
  'registering and linking a virtual cluster needs an access key whose scope has an entry for the role "tenant" that covers it'
const refusedToken: ScopeVerdict = {
  granted: false,
  reason: 'an access key with a scope makes no tokens of service accounts, which would have none',
}
const refusedPath: ScopeVerdict = {
  granted: false,
  reason: 'an access key with a scope makes no backups and rotates no certificates: use one without a scope',
}
const refusedLink: ScopeVerdict = { granted: false, reason: linkRefusal }

/** Undefined for a scope that limits nothing. A request is granted if any entry grants it. */
export function compileScope(scope: AccessKeyScope | undefined, environment: ScopeEnvironment): KeyScope | undefined {
  if (scope === undefined || isUnlimited(scope)) return undefined
  const byTarget = groupedByTarget(grantsOf(scope, environment))
  return {
    source: scope,
    grant: (attributes) => {
      if (!isPlain(attributes)) return refusedForm
      if (isForAdministrators(attributes)) return refusedPath
      const grant = grantFor(byTarget[targetOf(attributes).kind], attributes, environment)
      return grant === undefined ? refusal(attributes, environment) : { granted: true, entry: grant.entry }
    },
  }
}

function refusal(attributes: Attributes, { managementGroup }: ScopeEnvironment): ScopeVerdict {
  if (!isResourceRequest(attributes)) return targetOf(attributes).kind === 'management' ? refusedBeforeTarget : refused
  switch (privilegeOf(attributes, managementGroup)) {
    case 'links':
      return refusedLink
    case 'tokens':
      return refusedToken
    default:
      return isForeign(attributes, managementGroup) ? refusedBeforeTarget : refused
  }
}

/** Whether the platform is asked for something of a virtual cluster, rather than for what only it has. */
function isForeign(attributes: ResourceAttributes, managementGroup: string): boolean {
  const { group, verb } = attributes
  return targetOf(attributes).kind === 'management' && group !== managementGroup && verb !== 'impersonate'
}

/** Applies whatever the scope allows, and behind the platform as well. */
function isForAdministrators(attributes: Attributes): boolean {
  return !isResourceRequest(attributes) && administratorPaths.has(attributes.path)
}

type ByTarget = Readonly<Record<RequestTarget['kind'], readonly ScopeGrant[]>>

/** A request is compared only with grants for its kind of target. */
function groupedByTarget(grants: readonly ScopeGrant[]): ByTarget {
  const of = (kind: RequestTarget['kind']) => grants.filter(({ target }) => target.kind === kind)
  return {
    management: of('management'),
    cluster: of('cluster'),
    space: of('space'),
    'virtual-cluster': of('virtual-cluster'),
  }
}

/** Path segments and characters that an upstream might resolve to another place than the one that was checked. */
const ambiguous = /(?:^|\/)\.{1,2}(?:\/|$)|\/\/|[\\%]/

/** Whether the request names its target in the only unambiguous form. */
function isPlain(attributes: Attributes): boolean {
  if (!isResourceRequest(attributes)) return !ambiguous.test(attributes.path)
  const { namespace, resource, subresource, name } = attributes
  return !isStep(namespace) && !isStep(resource) && !isStep(subresource) && !isStep(name)
}

function isStep(text: string): boolean {
  return text === '.' || text === '..'
}
