import type { Schema } from '../schema.ts'
import { boolean, list, object, string, strings } from '../schema-builder.ts'

/**
 * Lists in a scope are written and owned as a whole: half of one applier's scope and half of another's would allow what
 * neither of them meant.
 */

const resourceRule = object(
  'Resources of one API group.',
  {
    group: string('API group of the resources. The empty string is the core group.'),
    resources: strings(
      'Resources of the group: `pods` is one resource, `pods/log` is one of its subresources, `*` is all resources, `pods/*` is all subresources of one resource, and `*/scale` is one subresource of all resources. If empty, all resources.',
    ),
    resourceNames: strings(
      'Names of the objects that the rule is limited to. Requires resources. If empty, all objects.',
    ),
  },
  { typeName: 'ScopeRuleResources' },
)

const rule = object(
  'Describes a set of requests. A request must match every field that is set.',
  {
    verbs: strings(
      'Verbs such as `get`, `list`, `watch`, `create`, `update`, `patch` and `delete`. If empty, all verbs.',
    ),
    resources: list('Resources that are allowed. If empty, all resources of all groups.', resourceRule),
    namespaces: strings(
      'Namespaces that are allowed. The empty string stands for cluster-scoped objects. If the list is empty, all namespaces.',
    ),
    nonResourceURLs: strings(
      'Paths that are not resources, for example `/healthz`. A `*` is allowed only as the whole last segment.',
    ),
    requestTargets: strings(
      'Targets that are allowed: `Management`, `Cluster`, `ProjectSpace` or `ProjectVirtualCluster`. If empty, all targets.',
    ),
    cluster: string(
      'Cluster that requests must be sent to; requests to any other target are refused. If empty, there is no limit.',
    ),
    virtualClusters: list(
      'Virtual clusters that requests may be sent to. If empty, there is no limit.',
      object('Selects one or more virtual clusters.', {
        name: string('Name of the virtual cluster. If empty, all names.'),
        namespace: string(
          'Namespace of the virtual cluster on the platform: `p-` followed by its project. If empty, all namespaces.',
        ),
      }),
    ),
  },
  { typeName: 'ScopeRule' },
)

export const accessKeyScope: Schema = object(
  'Limits the key to a subset of what its owner is allowed to do. A request is allowed if any entry allows it. If absent or empty, there is no limit.',
  {
    roles: list(
      'Sets of permissions that the platform defines.',
      object(
        'A role, for all or some of the projects and virtual clusters of the owner.',
        {
          role: string(
            'Name of the role: `tenant` lets a virtual cluster register and link itself, `agent` a host cluster; `platformCLI` allows the read-only requests that the command line needs, `metrics-reader` reading metrics.',
          ),
          projects: strings('Projects that the role is limited to. If empty or `*`, all projects of the owner.'),
          virtualClusters: strings(
            'Virtual clusters that the role is limited to. If empty or `*`, all virtual clusters of the owner.',
          ),
        },
        { typeName: 'ScopeRole' },
      ),
    ),
    projects: list(
      'Projects in which the key may do everything that its owner may do.',
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
      'Deprecated: use projects, spaces and virtualClusters. Descriptions of individual requests that are allowed.',
      rule,
    ),
    allowPlatformCli: boolean(
      'Deprecated: use a role named `platformCLI`. When true, the read-only requests that the command line needs are allowed.',
    ),
  },
  { typeName: 'AccessKeyScope' },
)
