import { describe, expect, it } from 'vitest'
import { parseTenantConfig } from '../../src/api/tenant-config/parse.ts'
import { type Paint, renderProblems } from '../../src/api/tenant-config/render.ts'

function rendered(text: string, paint?: Paint): string {
  const parsed = parseTenantConfig(text, 'tenant.yaml')
  return renderProblems('problems' in parsed ? parsed.problems : parsed.warnings, parsed.document, paint)
}

describe('renderProblems', () => {
  it('shows the line, marks the position, and says what to do', () => {
    expect(rendered('sync:\n  toHost:\n    endpoint:\n      enabled: 1\ncontrolPlane: {virtualKubeconfig: {}}')).toBe(
      `tenant.yaml:3:5: error: unknown field "endpoint" in sync.toHost
3 |     endpoint:
  |     ^^^^^^^^
  = did you mean "endpoints"?

tenant.yaml:5:35: error: controlPlane.virtualKubeconfig needs secretName
5 | controlPlane: {virtualKubeconfig: {}}
  |                                   ^^
`,
    )
  })

  it('aligns the mark with wide characters, tabs and combined letters', () => {
    expect(rendered('{"日本":\t1, "e\u0301": 2}')).toContain('1 | {"日本":  1, "e\u0301": 2}\n  |  ^^^^^^\n')
    expect(rendered('{"日本":\t1, "e\u0301": 2}')).toContain('  |              ^^^\n')
  })

  it('shows an excerpt of a long line', () => {
    const output = rendered(`{networking: {clusterDomain: ${'a'.repeat(300)}, zebra: 1}}`)
    expect(output.split('\n').every((line) => line.length < 130)).toBe(true)
    expect(output).toContain('1 | …aaaaaaaaaaaaaaaaaa, zebra: 1}}\n  |                      ^^^^^\n')
  })

  it('never shows an access key', () => {
    const key = 'tpk_abcdefghijkl_0123456789012345678901234567890123456789012abcdef'
    const output = rendered(`external:\n  platform:\n    apiKey: ${key}\n    ${key}: 1\n`)
    expect(output).toContain('apiKey: tpk_****')
    expect(output).not.toContain('abcdefghijkl')
  })

  it('escapes control characters of the file', () => {
    const output = rendered('"\u001b[31mred\u202e": 1\n"\u009b2J": 2\n')
    expect(output.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u)
    expect(output).toContain('unknown field "\ufffd[31mred\ufffd"')
  })

  it('uses colors on request', () => {
    const paint: Paint = {
      error: (text) => `<e>${text}</e>`,
      warning: (text) => `<w>${text}</w>`,
      strong: (text) => `<b>${text}</b>`,
      dim: (text) => text,
    }
    expect(rendered('zebra: 1', paint)).toContain('<b>tenant.yaml:1:1:</b> <e>error:</e> unknown field "zebra"')
    expect(rendered('zebra: 1', paint)).toContain('<e>^^^^^</e>')
    expect(rendered('sync: {toHost: {endpoints: {enabled: no}}}', paint)).toContain('<w>warning:</w>')
  })

  it('stops after a hundred', () => {
    const output = rendered(Array.from({ length: 130 }, (_, index) => `zebra${index}: 1`).join('\n'))
    expect(output.match(/error:/g)).toHaveLength(100)
    expect(output).toContain('… and 30 more')
  })
})
