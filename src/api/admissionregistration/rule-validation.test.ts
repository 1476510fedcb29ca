import { describe, expect, it } from 'vitest'
import type { NamedRuleWithOperations, RuleWithOperations } from '../types/admissionregistration-v1.ts'
import { validateNamedRules, validateWebhookRules } from './rule-validation.ts'

const rule: RuleWithOperations = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }
const errorsOf = (change: Partial<NamedRuleWithOperations>) =>
  validateNamedRules('r', [{ ...rule, ...change }]).map(({ field, message }) => `${field}: ${message}`)

describe('a rule of a webhook or a policy', () => {
  it('may name core kinds', () => {
    expect(validateWebhookRules('r', [rule])).toEqual([])
  })

  it.each<[Partial<NamedRuleWithOperations>, string[]]>([
    [{ operations: [] }, ['r[0].operations: Required value']],
    [
      { operations: ['*', 'CREATE'] },
      [
        `r[0].operations: Invalid value: []admissionregistration.OperationType{"*", "CREATE"}: if '*' is present, must not specify other operations`,
      ],
    ],
    [{ apiGroups: [] }, ['r[0].apiGroups: Required value']],
    [
      { apiGroups: ['*', 'a'] },
      [`r[0].apiGroups: Invalid value: []string{"*", "a"}: if '*' is present, must not specify other API groups`],
    ],
    [
      { apiVersions: ['*', 'v1'] },
      [`r[0].apiVersions: Invalid value: []string{"*", "v1"}: if '*' is present, must not specify other API versions`],
    ],
    [{ apiVersions: [''] }, ['r[0].apiVersions[0]: Required value']],
    [{ resources: [] }, ['r[0].resources: Required value']],
    [{ resources: [''] }, ['r[0].resources[0]: Required value']],
    [
      { resources: ['pods/*', 'pods/status'] },
      [`r[0].resources[1]: Invalid value: "pods/status": if 'pods/*' is present, must not specify pods/status`],
    ],
    [
      { resources: ['*/status', 'pods/status'] },
      [`r[0].resources[1]: Invalid value: "pods/status": if '*/status' is present, must not specify pods/status`],
    ],
    [
      { resources: ['*/*', 'pods'] },
      [`r[0].resources: Invalid value: []string{"*/*", "pods"}: if '*/*' is present, must not specify other resources`],
    ],
    [
      { resources: ['*', 'pods'] },
      [
        `r[0].resources: Invalid value: []string{"*", "pods"}: if '*' is present, must not specify other resources without subresources`,
      ],
    ],
    [{ resources: ['*', 'pods/status'] }, []],
    [{ scope: 'All' }, ['r[0].scope: Unsupported value: "All": supported values: "*", "Cluster", "Namespaced"']],
    [
      { resourceNames: ['a', 'a', 'b/c'] },
      [
        'r[0].resourceNames[1]: Duplicate value: "a"',
        `r[0].resourceNames[2]: Invalid value: "b/c": may not contain '/'`,
      ],
    ],
  ])('%j', (change, expected) => {
    expect(errorsOf(change)).toEqual(expected)
  })
})
