import { describe, expect, it } from 'vitest'
import type { PatchConfig } from '../api/tenant-config/types.ts'
import { compilePatches } from './compile.ts'

function problemsOf(...patches: readonly PatchConfig[]) {
  const compiled = compilePatches(patches)
  return compiled.ok ? [] : compiled.problems
}

const secret = { apiVersion: 'v1', kind: 'Secret' }

describe('a list of patches', () => {
  it('is compiled in its order', () => {
    const compiled = compilePatches([
      { path: 'metadata.annotations[*]', expression: 'value + "x"', reverseExpression: 'value.slice(0, -1)' },
      { path: 'spec.secretName', reference: secret },
      { path: 'spec.selector', labels: {} },
      { path: 'spec.other', reference: { ...secret, labels: {} } },
    ])
    expect(compiled).toMatchObject({
      ok: true,
      patches: [
        { pathText: 'metadata.annotations[*]', action: { type: 'expression', toHost: { source: 'value + "x"' } } },
        { pathText: 'spec.secretName', action: { type: 'reference', ...secret } },
        { pathText: 'spec.selector', action: { type: 'labels' } },
        { pathText: 'spec.other', action: { type: 'labels' } },
      ],
    })
  })

  it('without entries is valid', () => {
    expect(compilePatches([])).toEqual({ ok: true, patches: [] })
  })

  it('has all its problems reported at once', () => {
    const problems = problemsOf(
      { path: 'spec..a', expression: 'value +' },
      { path: 'metadata.name', reverseExpression: 'if (value) 1' },
      { path: 'spec.b', reference: { ...secret, namePath: 'a[', kindPath: 'b.*' } },
    )
    expect(problems.map(({ index, field, code }) => `${index} ${field.join('.')} ${code}`)).toEqual([
      '0 path path',
      '0 expression expression',
      '1 path reserved',
      '1 reverseExpression expression',
      '2 reference.kindPath reference',
      '2 reference.namePath path',
    ])
  })
})

describe('a problem of a patch', () => {
  it.each<readonly [string, PatchConfig, object]>([
    ['a bad path', { path: 'spec.a[', expression: 'value' }, { code: 'path', field: ['path'], offset: 7 }],
    [
      'a reserved path',
      { path: 'metadata.uid', expression: 'value' },
      { code: 'reserved', field: ['path'], offset: 0 },
    ],
    ['no action', { path: 'spec.a' }, { code: 'action', field: [], offset: 0 }],
    ['several actions', { path: 'spec.a', labels: {}, reference: secret }, { code: 'action', field: [], offset: 0 }],
    [
      'a reference without a kind',
      { path: 'spec.a', reference: { apiVersion: 'v1' } },
      { code: 'action', field: ['reference'] },
    ],
    [
      'a path beside a bare name',
      { path: 'spec.a', reference: { ...secret, namespacePath: 'namespace' } },
      {
        code: 'reference',
        field: ['reference', 'namespacePath'],
        message: 'namespacePath has no effect: without namePath the value is a bare name',
      },
    ],
    [
      'a name in a selector',
      { path: 'spec.a', reference: { ...secret, labels: {}, namePath: 'name' } },
      { code: 'reference', field: ['reference', 'namePath'] },
    ],
    [
      'a wildcard in a relative path',
      { path: 'spec.a', reference: { ...secret, namePath: 'x[*]' } },
      { code: 'reference', field: ['reference', 'namePath'], offset: 2 },
    ],
    [
      'a name that is a marker',
      { path: 'metadata.annotations', reference: { ...secret, namePath: '["tenant.internal/object-name"]' } },
      { code: 'reserved', field: ['reference', 'namePath'] },
    ],
  ])('%s names its place', (_what, patch, problem) => {
    expect(problemsOf(patch)).toEqual([expect.objectContaining({ index: 0, ...problem })])
  })

  it('points into an expression', () => {
    const [problem] = problemsOf({ path: 'spec.a', expression: 'value; 1' })
    expect(problem).toMatchObject({ code: 'expression', field: ['expression'], offset: 5 })
  })

  it('is a path that another patch has in another spelling', () => {
    const problems = problemsOf({ path: 'spec.a.*', expression: 'value' }, { path: '$["spec"]["a"][*]', labels: {} })
    expect(problems).toEqual([expect.objectContaining({ index: 1, code: 'duplicate', field: ['path'] })])
  })
})
