import type { YamlValue } from '../../../base/yaml-source/node.ts'
import { memberAt, valueAt } from '../locate.ts'
import type { Report } from '../problem.ts'

export function checkReplicas(root: YamlValue, report: Report): void {
  const path = ['controlPlane', 'replicas']
  const replicas = valueAt(root, path)
  if (replicas?.type !== 'scalar' || typeof replicas.value !== 'number' || replicas.value <= 1) return
  if (memberAt(root, ['controlPlane', 'virtualKubeconfig']) !== undefined) return
  report({
    code: 'conflict',
    path,
    span: replicas.span,
    message: 'the embedded control plane keeps its data in one volume and cannot have several replicas',
    suggestion: 'set replicas to 1, or use an API server of your own with controlPlane.virtualKubeconfig',
  })
}
