import { describe, expect, it } from 'vitest'
import { parseTenantConfig } from '../api/tenant-config/parse.ts'
import { patchProblemsOf } from './config-problems.ts'

function problemsOf(text: string): string[] {
  const { document } = parseTenantConfig(text, 'tenant.yaml')
  return patchProblemsOf(document).map(({ line, column, field, message }) => `${line}:${column} ${field}: ${message}`)
}

describe('problems of the patches in a tenant.yaml', () => {
  it('are found in every list and point into the text', () => {
    const text = `sync:
  toHost:
    endpoints:
      patches:
        - path: subsets[*.ip
          expression: value
        - path: 'metadata.annotations[*]'
          expression: |
            value +
              ;
    secrets:
      patches:
        - path: metadata.uid
          reverseExpression: "1"
  fromHost:
    configMaps:
      patches:
        - path: data..x
          reverseExpression: value
`
    expect(problemsOf(text)).toEqual([
      '5:29 sync.toHost.endpoints.patches[0].path: expected ] for the [ at position 8',
      expect.stringMatching(/^10:15 sync\.toHost\.endpoints\.patches\[1\]\.expression: /),
      '13:17 sync.toHost.secrets.patches[0].path: out of reach of patches: metadata.uid belongs to the API server',
      '18:22 sync.fromHost.configMaps.patches[0].path: expected a name or * after the dot',
    ])
  })

  it('are not repeated if field validation reports them', () => {
    const text = `sync: { toHost: { endpoints: { patches: [
      { path: spec.a, expression: value },
      { path: spec.a, expression: value },
      { path: spec.b },
      { path: '$.spec.a', expression: value },
    ] } } }`
    expect(problemsOf(text)).toEqual([expect.stringMatching(/^5:\d+ .*patches\[3\]\.path: another patch/)])
  })

  it('do not exist in a valid file', () => {
    const patch = '{ path: "metadata.annotations[*]", expression: "value" }'
    expect(problemsOf(`sync: { toHost: { endpoints: { patches: [${patch}] } } }`)).toEqual([])
    expect(problemsOf('')).toEqual([])
  })
})
