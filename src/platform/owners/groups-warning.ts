import { groupsPrefixOf } from '../../api/management/connectors/connector-settings.ts'
import type { KubeObject } from '../../api/object.ts'
import type { Connector, ConnectorSpec } from '../../api/types/management.ts'
import type { Hooks, ResourceContext } from '../../registry/context.ts'
import type { WriteRequest } from '../../registry/contract.ts'

/**
 * Warns about a connector whose group names may equal those of another: a team would match both, and at one of them
 * anyone might be able to create such a group.
 */
export function withGroupsWarning(hooks: Hooks, connectors: () => ResourceContext): Hooks {
  const { admitCreate, admitUpdate } = hooks
  const warn = (object: KubeObject, request: WriteRequest) => {
    if (request.subresource === '') warnOfOthers(object, connectors(), request)
  }
  return {
    ...hooks,
    admitCreate: (object, request) => {
      warn(object, request)
      return admitCreate?.(object, request) ?? { object }
    },
    admitUpdate: (object, old, request) => {
      warn(object, request)
      return admitUpdate?.(object, old, request) ?? { object }
    },
  }
}

function warnOfOthers(object: KubeObject, { cache }: ResourceContext, request: WriteRequest): void {
  if (!hasPlainGroups((object as Connector).spec)) return
  const others = [...cache.current().values()]
    .filter(({ name, object: other }) => name !== object.metadata.name && hasPlainGroups((other as Connector).spec))
    .map(({ name }) => name)
    .sort()
  if (others.length === 0) return
  const { type = 'oidc' } = (object as Connector).spec ?? {}
  request.warn(
    `spec.${type}.groupsPrefix: its groups have the same names as those of ${others.join(', ')}, so that teams take in members of both: set a prefix`,
  )
}

function hasPlainGroups(spec: ConnectorSpec = {}): boolean {
  return spec.disabled !== true && groupsPrefixOf(spec) === ''
}
