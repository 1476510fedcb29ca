import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import { tenantConfigSchema } from '../../src/api/tenant-config/json-schema.ts'
import { type ParsedTenantConfig, parseTenantConfig } from '../../src/api/tenant-config/parse.ts'
import { patchListsOf } from '../../src/api/tenant-config/patch-lists.ts'
import { renderProblems } from '../../src/api/tenant-config/render.ts'
import type { TenantConfig } from '../../src/api/tenant-config/types.ts'
import { toYaml } from '../../src/base/json/to-yaml.ts'
import { patchProblemsOf } from '../../src/patches/config-problems.ts'
import { configText } from './arbitraries.ts'

const runs = Number(process.env.FUZZ_CONFIGS ?? 500)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_115)

const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(tenantConfigSchema())

function expectInside(text: string, parsed: ParsedTenantConfig): void {
  const lines = text.replace(/^\ufeff/, '').split('\n')
  const problems = [...('problems' in parsed ? parsed.problems : parsed.warnings), ...patchProblemsOf(parsed.document)]
  for (const { line, column, length, message } of problems) {
    const within = lines[line - 1] ?? ''
    expect(line, message).toBeLessThanOrEqual(lines.length)
    expect(column, message).toBeGreaterThanOrEqual(1)
    expect(column - 1 + length, message).toBeLessThanOrEqual(within.length)
    expect(length, message).toBeGreaterThanOrEqual(0)
  }
  renderProblems(problems, parsed.document)
}

function expectValid(config: TenantConfig): void {
  expect(validate(config), JSON.stringify(validate.errors)).toBe(true)
  const effective = effectiveConfig(config)
  expect(validate(effective), JSON.stringify(validate.errors)).toBe(true)
  const again = parseTenantConfig(toYaml(effective), 'again')
  expect('problems' in again ? again.problems : effectiveConfig(again.config)).toEqual(effective)
}

describe('random configurations', () => {
  it('are either valid, also by the schema, or have problems inside the file', { timeout: 3_600_000 }, () => {
    let valid = 0
    fc.assert(
      fc.property(configText, (text) => {
        const parsed = parseTenantConfig(text, 'tenant.yaml')
        expectInside(text, parsed)
        if ('config' in parsed) {
          valid++
          expectValid(parsed.config)
        } else {
          expect(parsed.problems.some(({ severity }) => severity === 'error')).toBe(true)
        }
        expect(patchListsOf(parsed.document).every(({ patches, indexes }) => patches.length === indexes.length)).toBe(
          true,
        )
      }),
      { numRuns: runs, seed },
    )
    expect(valid).toBeGreaterThan(runs / 50)
    expect(valid).toBeLessThan(runs * 0.9)
  })
})
