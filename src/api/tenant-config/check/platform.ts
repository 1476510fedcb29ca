import type { YamlValue } from '../../../base/yaml-source/node.ts'
import { yamlMemberAt } from '../locate.ts'
import type { ReportFinding } from '../problem.ts'

export function checkPlatformForms(root: YamlValue, report: ReportFinding): void {
  const alias = yamlMemberAt(root, ['platform'])
  if (alias === undefined || yamlMemberAt(root, ['external', 'platform']) === undefined) return
  report({
    code: 'conflict',
    path: ['platform'],
    span: alias.keySpan,
    message: 'platform and external.platform are the same setting, and both are given',
    suggestion: 'keep external.platform and remove this one',
  })
}
