import type { Schema } from '../schema.ts'
import { boolean, list, object, string, strings } from '../schema-builder.ts'

/**
 * Lists in a scope are written and owned as a whole: half of one applier's scope and half of another's would allow what
 * neither of them meant.
 */

const resourceRule = object(
  'Kinds of one API group.',
  {
    group: string('API group of the resources. The empty text is the core group.'),
    resources: strings(
      'Resources of the group: `pods` is one, `pods/log` one of its subresources, `*` all of them, `pods/*` all subresources of one, `*/scale` one subresource of all. Empty: all.',
    ),
    resourceNames: strings('Names of the objects that the rule is about; needs resources. Empty: every object.'),
  },
  { typeName: 'ScopeRuleResources' },
)

const rule = object(
  'Requests of one shape. A request has to satisfy every part that is given.',
  {
    verbs: strings(
      'Verbs such as `get`, `list`, `watch`, `create`, `update`, `patch` and `delete`. Empty: every verb.',
    ),
    resources: list('Kinds of objects that requests may be about. Empty: all kinds of all groups.', resourceRule),
    namespaces: strings(
      'Namespaces that requests may be about. The empty text is for objects that live in none. Empty list: every namespace.',
    ),
    nonResourceURLs: strings(
      'Paths of requests that are not about objects, for example `/healthz`. A `*` may stand only as the whole last step.',
    ),
    requestTargets: strings(
      'What requests may be addressed to: `Management`, `Cluster`, `ProjectSpace` or `ProjectVirtualCluster`. Empty: everything.',
    ),
    cluster: string(
      'Cluster that requests must be addressed to; requests to anything else then fail. Empty: no limit.',
    ),
    virtualClusters: list(
      'Virtual clusters that requests may be addressed to. Empty: no limit.',
      object('One virtual cluster, or several.', {
        name: string('Name of the virtual cluster. Empty: all.'),
        namespace: string('Namespace of the virtual cluster on the platform, `p-` and its project. Empty: all.'),
      }),
    ),
  },
  { typeName: 'ScopeRule' },
)

export const accessKeyScope: Schema = object(
  'Limits what the key may do to a part of what its owner may do. A request is allowed if any entry allows it. Absent or empty: no limit.',
  {
    roles: list(
      'Sets of permissions that the platform defines.',
      object(
        'One role, for all projects and virtual clusters of the owner or for some.',
        {
          role: string(
            'Name of the role: `tenant` lets a virtual cluster register and link itself, `agent` a host cluster; `platformCLI` allows the read-only requests that the command line needs, `metrics-reader` reading metrics.',
          ),
          projects: strings('Projects that the role is limited to. Empty or `*`: all of the owner.'),
          virtualClusters: strings('Virtual clusters that the role is limited to. Empty or `*`: all of the owner.'),
        },
        { typeName: 'ScopeRole' },
      ),
    ),
    projects: list(
      'Projects in which everything is allowed that the owner may do there.',
      object('One project.', { project: string('Name of the project. `*`: all projects.') }),
    ),
    spaces: list(
      'Spaces that the key may be used for.',
      object('One space.', {
        project: string('Project of the space. `*`: all projects.'),
        space: string('Name of the space. `*`: all spaces of the project.'),
      }),
    ),
    virtualClusters: list(
      'Virtual clusters that the key may be used for.',
      object('One virtual cluster.', {
        project: string('Project of the virtual cluster. `*`: all projects.'),
        virtualCluster: string('Name of the virtual cluster. `*`: all virtual clusters of the project.'),
      }),
    ),
    clusters: list(
      'Host clusters that the key may be used for.',
      object('One cluster.', { cluster: string('Name of the cluster. `*`: all clusters.') }),
    ),
    rules: list(
      'Deprecated: use projects, spaces and virtualClusters. Requests that are allowed, described one by one.',
      rule,
    ),
    allowPlatformCli: boolean(
      'Deprecated: use a role named `platformCLI`. When true, the read-only requests that the command line needs are allowed.',
    ),
  },
  { typeName: 'AccessKeyScope' },
)
