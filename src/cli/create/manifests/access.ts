import type { Manifest, ManifestRule } from '../../host/manifest.ts'
import type { TenantDeployment } from './contract.ts'
import { objectLabels } from './labels.ts'
import { clusterScopedName, objectNames } from './names.ts'
import { hostRules } from './rules.ts'

const group = 'rbac.authorization.k8s.io'
const apiVersion = `${group}/v1`

/** The ServiceAccount of a tenant and its rights on the host. */
export function accessManifests(deployment: TenantDeployment): readonly Manifest[] {
  const { name, namespace } = deployment
  const { own, elsewhere, cluster } = hostRules(deployment)
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(deployment, objectNames.account(name), namespace) },
    ...roleIn(deployment, namespace, objectNames.account(name), own),
    ...[...elsewhere].flatMap(([place, rules]) =>
      roleIn(deployment, place, clusterScopedName('import', namespace, name), rules),
    ),
    ...(cluster.length === 0 ? [] : clusterRole(deployment, cluster)),
    ...keyAccess(deployment),
  ]
}

/** Lets the tenant read a shared key in another namespace. A watch begins with a `list` of the one named Secret. */
function keyAccess(deployment: TenantDeployment): readonly Manifest[] {
  const { name, namespace, config } = deployment
  const apiKey = config.external.platform?.apiKey
  if (apiKey?.namespace === undefined || apiKey.namespace === namespace || !apiKey.createRBAC) return []
  const rule: ManifestRule = {
    apiGroups: [''],
    resources: ['secrets'],
    resourceNames: [apiKey.secretName],
    verbs: ['get', 'list', 'watch'],
  }
  return roleIn(deployment, apiKey.namespace, clusterScopedName('key', namespace, name), [rule])
}

function roleIn(
  deployment: TenantDeployment,
  place: string,
  name: string,
  rules: readonly ManifestRule[],
): readonly Manifest[] {
  return [
    { apiVersion, kind: 'Role', metadata: metadata(deployment, name, place), rules },
    {
      apiVersion,
      kind: 'RoleBinding',
      metadata: metadata(deployment, name, place),
      roleRef: { apiGroup: group, kind: 'Role', name },
      subjects: subjects(deployment),
    },
  ]
}

function clusterRole(deployment: TenantDeployment, rules: readonly ManifestRule[]): readonly Manifest[] {
  const name = clusterScopedName('cluster', deployment.namespace, deployment.name)
  return [
    { apiVersion, kind: 'ClusterRole', metadata: metadata(deployment, name), rules },
    {
      apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: metadata(deployment, name),
      roleRef: { apiGroup: group, kind: 'ClusterRole', name },
      subjects: subjects(deployment),
    },
  ]
}

function subjects({ name, namespace }: TenantDeployment) {
  return [{ kind: 'ServiceAccount', name: objectNames.account(name), namespace }]
}

function metadata(deployment: TenantDeployment, name: string, namespace?: string) {
  return { name, ...(namespace !== undefined && { namespace }), labels: objectLabels(deployment) }
}
