import type { YamlValue } from '../../../base/yaml-source/node.ts'
import { memberAt } from '../locate.ts'
import type { Report } from '../problem.ts'

export function checkPlatformForms(root: YamlValue, report: Report): void {
  const alias = memberAt(root, ['platform'])
  if (alias === undefined || memberAt(root, ['external', 'platform']) === undefined) return
  report({
    code: 'conflict',
    path: ['platform'],
    span: alias.keySpan,
    message: 'platform and external.platform are the same setting, and both are given',
    suggestion: 'keep external.platform and remove this one',
  })
}
