import type { Span, YamlValue } from '../../../base/yaml-source/node.ts'
import { mostReplicas } from '../control-plane-fields.ts'
import { yamlMemberAt, yamlValueAt } from '../locate.ts'
import type { ReportFinding } from '../problem.ts'

export function checkReplicas(root: YamlValue, report: ReportFinding): void {
  const path = ['controlPlane', 'replicas']
  const replicas = yamlValueAt(root, path)
  if (replicas?.type !== 'scalar' || !isSeveral(replicas.value)) return
  const severalAllowed = [
    ['controlPlane', 'virtualKubeconfig'],
    ['controlPlane', 'storage', 'etcd'],
  ]
  if (severalAllowed.some((member) => yamlMemberAt(root, member) !== undefined)) return
  report({
    code: 'conflict',
    path,
    span: replicas.span,
    message: 'a virtual cluster that keeps its objects in its volume cannot have several replicas',
    suggestion:
      'set replicas to 1, or name an etcd with controlPlane.storage.etcd, into which an upgrade moves its objects',
  })
}

/** Exactly one of them manages workloads. */
export function checkControllers(root: YamlValue, report: ReportFinding): void {
  const path = ['controlPlane', 'controllers']
  const controllers = yamlValueAt(root, path)
  const manager = yamlMemberAt(root, ['controlPlane', 'controllerManager'])
  const isExternal = controllers?.type === 'scalar' && controllers.value === 'external'
  if (!isExternal) {
    if (manager !== undefined) warnOfManagerAlone(manager.keySpan, report)
    return
  }
  if (yamlMemberAt(root, ['controlPlane', 'virtualKubeconfig']) !== undefined) {
    report({
      code: 'conflict',
      path,
      span: controllers.span,
      message: 'an existing API server already has controllers',
      suggestion: 'remove controllers, or controlPlane.virtualKubeconfig',
    })
  } else if (manager === undefined) {
    report({
      code: 'missing-field',
      path,
      span: controllers.span,
      message: 'external controllers need an image of kube-controller-manager',
      suggestion: 'name it in controlPlane.controllerManager.image',
    })
  }
}

function warnOfManagerAlone(span: Span, report: ReportFinding): void {
  report({
    severity: 'warning',
    code: 'no-effect',
    path: ['controlPlane', 'controllerManager'],
    span,
    message: 'controlPlane.controllerManager has no effect, because the tenant itself acts on workloads',
    suggestion: 'set controllers: external in controlPlane',
  })
}

/** Variables that the deployment itself sets on its container would be overridden, or override these. */
export function checkOwnVariables(root: YamlValue, report: ReportFinding): void {
  const path = ['controlPlane', 'env']
  const list = yamlValueAt(root, path)
  for (const [index, item] of (list?.type === 'list' ? list.items : []).entries()) {
    const name = yamlValueAt(item, ['name'])
    if (name?.type !== 'scalar' || !ownVariables.has(String(name.value))) continue
    report({
      code: 'conflict',
      path: [...path, index, 'name'],
      span: name.span,
      message: `${name.value} is set by tenant create itself`,
      suggestion: 'remove it; its settings have their own flags and fields',
    })
  }
}

const ownVariables: ReadonlySet<string> = new Set(['POD_NAME', 'TENANT_LICENSE_ISSUER', 'HOME', 'PATH'])

/** An invalid number of replicas has already been reported. */
function isSeveral(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 1 && Number(value) <= mostReplicas
}
