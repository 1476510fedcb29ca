import type { YamlValue } from '../../../base/yaml-source/node.ts'
import { mostReplicas } from '../fields.ts'
import { yamlMemberAt, yamlValueAt } from '../locate.ts'
import type { ReportFinding } from '../problem.ts'

export function checkReplicas(root: YamlValue, report: ReportFinding): void {
  const path = ['controlPlane', 'replicas']
  const replicas = yamlValueAt(root, path)
  if (replicas?.type !== 'scalar' || !isSeveral(replicas.value)) return
  if (yamlMemberAt(root, ['controlPlane', 'virtualKubeconfig']) !== undefined) return
  report({
    code: 'conflict',
    path,
    span: replicas.span,
    message: 'the embedded control plane keeps its data in one volume and cannot have several replicas',
    suggestion: 'set replicas to 1, or use an API server of your own with controlPlane.virtualKubeconfig',
  })
}

/** What is no number of replicas at all has been reported already. */
function isSeveral(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) > 1 && Number(value) <= mostReplicas
}
